//! Splits text into user-perceived characters: grapheme clusters, with three rules in which the reference differs
//! from Unicode.

use std::iter::Peekable;

use unicode_segmentation::{Graphemes, UnicodeSegmentation as _};

const JOINER: char = '\u{200d}';

/// The number of characters.
pub(crate) fn count_characters(text: &str) -> usize {
    if has_only_single_bytes(text) { text.len() } else { Characters::of(text).count() }
}

/// The byte offset of the end of the first `count` characters.
pub(crate) fn end_of_characters(text: &str, count: usize) -> usize {
    if has_only_single_bytes(text) {
        return text.len().min(count);
    }
    Characters::of(text).take(count).map(str::len).sum()
}

/// The characters in reverse order.
pub(crate) fn reversed(text: &str) -> String {
    if has_only_single_bytes(text) {
        return text.chars().rev().collect();
    }
    let mut characters: Vec<&str> = Characters::of(text).collect();
    characters.reverse();
    characters.concat()
}

/// Whether each byte is a character, as in most texts.
fn has_only_single_bytes(text: &str) -> bool {
    text.is_ascii() && !text.contains('\r')
}

/// Iterates over the characters of a text.
struct Characters<'t> {
    /// The grapheme clusters of Unicode up to the next U+FFFD.
    clusters: Peekable<Graphemes<'t>>,
    /// The text of these clusters.
    part: &'t str,
    /// The text after them.
    rest: &'t str,
}

impl<'t> Characters<'t> {
    fn of(text: &'t str) -> Characters<'t> {
        Characters { clusters: "".graphemes(true).peekable(), part: "", rest: text }
    }
}

impl<'t> Iterator for Characters<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.part.is_empty() {
            // U+FFFD combines with no other character.
            if let Some(behind) = self.rest.strip_prefix(char::REPLACEMENT_CHARACTER) {
                let (replacement, behind) = self.rest.split_at(self.rest.len() - behind.len());
                self.rest = behind;
                return Some(replacement);
            }
            let end = self.rest.find(char::REPLACEMENT_CHARACTER).unwrap_or(self.rest.len());
            (self.part, self.rest) = self.rest.split_at(end);
            self.clusters = self.part.graphemes(true).peekable();
        }
        let mut length = self.clusters.next()?.len();
        while let Some(next) = self.clusters.next_if(|next| is_joined(self.part.get(..length), next)) {
            length += next.len();
        }
        let (character, part) = self.part.split_at(length);
        self.part = part;
        Some(character)
    }
}

/// Whether a joiner at the end of `character` joins it with the pictogram `next`. Unicode joins only pictograms. The
/// reference also joins flags and Hangul syllables with a pictogram, and pictograms with a spacing mark between them.
fn is_joined(character: Option<&str>, next: &str) -> bool {
    let Some(character) = character.filter(|character| character.ends_with(JOINER)) else { return false };
    let joins =
        character.chars().any(|first| is_of_flag(first) || is_of_hangul(first) || is_pictogram(first));
    joins && next.chars().next().is_some_and(is_pictogram)
}

fn is_of_flag(character: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&character)
}

/// Whether the character is a Hangul syllable or a part of one.
fn is_of_hangul(character: char) -> bool {
    matches!(
        character,
        '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97c}' | '\u{ac00}'..='\u{d7a3}' | '\u{d7b0}'..='\u{d7c6}' | '\u{d7cb}'..='\u{d7fb}'
    )
}

/// Whether Unicode joins the character with another pictogram.
fn is_pictogram(character: char) -> bool {
    let pair: String = ['\u{1f44d}', JOINER, character].iter().collect();
    !character.is_ascii() && character != JOINER && pair.graphemes(true).count() == 1 && !is_mark(character)
}

/// Whether Unicode combines the character with any character before it.
fn is_mark(character: char) -> bool {
    let pair: String = ['a', character].iter().collect();
    pair.graphemes(true).count() == 1
}

/// Decodes UTF-8. Each invalid byte becomes U+FFFD, as in the reference.
pub(crate) fn text_of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_the_reference() {
        let cases = [
            ("", 0),
            ("abc", 3),
            ("a\r\nb", 3),
            ("e\u{301}x", 2),
            ("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}z", 2),
            ("\u{1f1e6}\u{1f1e7}\u{1f1e8}", 2),
            ("\u{fffd}\u{301}", 2),
            ("a\u{fffd}\u{fffd}b\u{301}", 4),
            // A pictogram is joined with a flag and with Hangul, but not with a letter.
            ("\u{1f1e6}\u{200d}\u{1f44d}", 1),
            ("\u{ac00}\u{200d}\u{1f44d}\u{301}", 1),
            ("\u{1f44d}\u{903}\u{200d}\u{1f44d}x", 2),
            ("a\u{200d}\u{1f44d}", 2),
            ("\u{1f1e6}\u{200d}b", 2),
        ];
        for (text, count) in cases {
            assert_eq!(count_characters(text), count, "{text:?}");
            assert_eq!(end_of_characters(text, count), text.len(), "{text:?}");
        }
        assert_eq!(end_of_characters("e\u{301}\u{fffd}x", 2), 6);
        assert_eq!(reversed("e\u{301}\u{fffd}\u{302}x"), "x\u{302}\u{fffd}e\u{301}");
    }
}
