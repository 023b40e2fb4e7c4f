//! Makes text harmless to print: shows control characters and hidden characters.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` with every character that a terminal would obey, or that hides or reorders its neighbours, made
/// visible: `ESC` becomes `␛`, a right-to-left override becomes `<U+202E>`.
///
/// Line feeds and tabs stay. Text from a file, a file name or a value goes through here before it is
/// printed, so that nothing in a configuration can send commands to the terminal of its reader.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if !is_hidden(character) {
            shown.push(character);
        } else if let Some(picture) = picture(character) {
            shown.push(picture);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(shown, "<U+{:04X}>", u32::from(character));
        }
    }
    Cow::Owned(shown)
}

/// `text` on one line: as [`visible`], with every run of white space as one space.
pub(crate) fn visible_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" ")).into_owned()
}

/// The symbol that stands for an ASCII control character.
fn picture(character: char) -> Option<char> {
    match u32::from(character) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code),
        0x7f => Some('\u{2421}'),
        _ => None,
    }
}

/// Control characters, marks of text direction, and characters without a width of their own. The joiners
/// U+200C and U+200D are not among them: scripts and emoji need them.
pub(crate) fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        _ => character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_the_terminal_are_shown_not_sent() {
        assert_eq!(visible("\u{1b}[2J\u{7}\0\u{7f}\r"), "␛[2J␇␀␡␍");
        assert_eq!(visible("a\u{9b}31mb"), "a<U+009B>31mb");
        assert_eq!(visible("x\u{202e}y\u{2066}z\u{200b}"), "x<U+202E>y<U+2066>z<U+200B>");
    }

    #[test]
    fn ordinary_text_is_borrowed() {
        let text = "naïve\t日本\n👨\u{200d}👩";
        assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn one_line_has_no_line_break() {
        assert_eq!(visible_line("  a\r\n\tb \u{2028}c\u{1b} "), "a b c␛");
    }
}
