//! Finds the types that a block with a broken type may have: the header has the letters of the type, with something between them, or
//! without some of them.

use terrane_syntax::is_part_of_name;
use terrane_value::{common_end, common_start};

use crate::decode::block_type::{BLOCK_TYPES, BlockType};

/// The number of letters of a type that may be wrong or missing in the middle of its word.
const WRONG_LETTERS: usize = 2;

/// The number of bytes of a header that are searched for its type.
const MAX_SEARCHED: usize = 1 << 10;

/// Returns the types that the block with this header may have, if the first word of the header is none.
pub(crate) fn meant_types(header: &str) -> impl Iterator<Item = &'static BlockType> {
    let words = Words::of(header);
    BLOCK_TYPES.iter().filter(move |block_type| words.may_be(block_type.name))
}

/// Returns the types whose letters are all in this header, in two words with other text between them.
pub(crate) fn parted_types(header: &str) -> impl Iterator<Item = &'static BlockType> {
    let words = Words::of(header);
    BLOCK_TYPES.iter().filter(move |block_type| words.are_parts_of(block_type.name))
}

/// The words of a header. A file may have a million headers, so they are found once for all types.
struct Words<'h> {
    /// The word at the start of the header. Empty if there is none.
    first: &'h str,
    later: Vec<&'h str>,
}

impl<'h> Words<'h> {
    fn of(header: &'h str) -> Words<'h> {
        let end = (0..=header.len().min(MAX_SEARCHED)).rev().find(|end| header.is_char_boundary(*end));
        let header = end.and_then(|end| header.get(..end)).unwrap_or_default();
        let mut words = header.split(|found: char| !is_part_of_name(found));
        let first = words.next().unwrap_or_default();
        Words { first, later: words.filter(|word| !word.is_empty()).collect() }
    }

    fn may_be(&self, block_type: &str) -> bool {
        let word = self.first;
        if word.is_empty() {
            return false;
        }
        let is_part =
            word.len() > 1 && block_type.starts_with(word) || word.len() > 2 && block_type.ends_with(word);
        let kept = (common_start(word, block_type) + common_end(word, block_type)).min(word.len());
        let is_misspelt = kept + WRONG_LETTERS >= word.len().max(block_type.len());
        let has_type = word == block_type || self.later.contains(&block_type);
        is_part || is_misspelt && kept > WRONG_LETTERS || has_type || self.are_parts_of(block_type)
    }

    /// Whether a later word ends as the type, and the first word begins as the rest.
    fn are_parts_of(&self, block_type: &str) -> bool {
        let begun = common_start(self.first, block_type);
        begun > 0 && self.later.iter().any(|word| begun + common_end(word, block_type) >= block_type.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_type_keeps_its_letters() {
        let meant = |header: &str| meant_types(header).map(|found| found.name).collect::<Vec<_>>();
        for header in [
            "vari able \"x\" {",
            "vari=able \"x\" {",
            "vari word able \"x\" {",
            "varivar.able \"x\" {",
            "vari\"able \"x\" {",
            "vari \"x\" {",
            "varible \"x\" {",
            "vraiable \"x\" {",
            "varxiable \"x\" {",
            "able \"x\" {",
            "variable_ \"x\" {",
            "word variable \"x\" {",
        ] {
            assert_eq!(meant(header), ["variable"], "{header}");
        }
        assert_eq!(meant("resour \"a\" \"b\" {"), ["resource"]);
        assert_eq!(meant("mo \"a\" {"), ["module", "moved"]);
        for header in ["foo \"x\" {", "", "\"x\" \"y\" {", "nested {", "t \"x\" {"] {
            assert!(meant(header).is_empty(), "{header}");
        }
    }

    #[test]
    fn two_words_have_all_letters_of_a_parted_type() {
        let parted = |header: &str| parted_types(header).map(|found| found.name).collect::<Vec<_>>();
        assert_eq!(parted("res=ource \"x\" \"y\" {"), ["resource"]);
        assert!(parted("vari \"x\" {").is_empty() && parted("source = \"./m\"").is_empty());
    }
}
