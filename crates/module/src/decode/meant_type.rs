//! Finds the types that a block with a broken type may have: the header has the letters of the type, with something between them, or
//! without some of them.

use terrane_syntax::is_part_of_name;

use crate::decode::block_type::{BLOCK_TYPES, BlockType};

/// The number of letters of a type that may be wrong or missing in the middle of its word.
const WRONG_LETTERS: usize = 2;

/// The number of bytes of a header that are searched for its type.
const MAX_SEARCHED: usize = 1 << 10;

/// Returns the types that the block with this header may have, if the first word of the header is none.
pub(crate) fn meant_types(header: &str) -> impl Iterator<Item = &'static BlockType> {
    let header = beginning(header);
    BLOCK_TYPES.iter().filter(move |block_type| may_be(header, block_type.name))
}

/// Returns the types whose letters are all in this header, in two words with other text between them.
pub(crate) fn parted_types(header: &str) -> impl Iterator<Item = &'static BlockType> {
    let header = beginning(header);
    BLOCK_TYPES.iter().filter(move |block_type| is_parted(header, block_type.name))
}

fn beginning(header: &str) -> &str {
    let end = (0..=header.len().min(MAX_SEARCHED)).rev().find(|end| header.is_char_boundary(*end));
    end.and_then(|end| header.get(..end)).unwrap_or_default()
}

/// Returns the words of a header, the first one even if it is empty.
fn words(header: &str) -> impl Iterator<Item = &str> {
    let words = header.split(|found: char| !is_part_of_name(found)).enumerate();
    words.filter(|(index, word)| *index == 0 || !word.is_empty()).map(|(_, word)| word)
}

fn may_be(header: &str, block_type: &str) -> bool {
    let Some(word) = words(header).next().filter(|word| !word.is_empty()) else { return false };
    let is_part =
        word.len() > 1 && block_type.starts_with(word) || word.len() > 2 && block_type.ends_with(word);
    let kept = (start(word, block_type) + end(word, block_type)).min(word.len());
    let is_misspelt = kept + WRONG_LETTERS >= word.len().max(block_type.len());
    let has_type = words(header).any(|word| word == block_type);
    is_part || is_misspelt && kept > WRONG_LETTERS || has_type || is_parted(header, block_type)
}

/// Whether a later word of the header ends as the type, and its first word begins as the rest.
fn is_parted(header: &str, block_type: &str) -> bool {
    let mut words = words(header);
    let begun = words.next().map_or(0, |word| start(word, block_type));
    begun > 0 && words.any(|word| begun + end(word, block_type) >= block_type.len())
}

/// Returns the number of bytes with which both begin. The types have only ASCII letters.
fn start(word: &str, block_type: &str) -> usize {
    word.bytes().zip(block_type.bytes()).take_while(|(one, other)| one == other).count()
}

/// Returns the number of bytes with which both end.
fn end(word: &str, block_type: &str) -> usize {
    word.bytes().rev().zip(block_type.bytes().rev()).take_while(|(one, other)| one == other).count()
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
