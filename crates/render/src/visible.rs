//! Makes text harmless to print: shows control characters and hidden characters.

use std::borrow::Cow;
use std::fmt::Write;

use memchr::memmem;

/// Returns `text` with every character made visible that a terminal would obey, or that hides or reorders its neighbours: `ESC`
/// becomes `␛`, a right-to-left override becomes `<U+202E>`.
///
/// Line feeds and tabs stay. Text from files, file names and values passes through this function before it is printed, so that
/// a configuration cannot send commands to the terminal of its reader.
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_plain_ascii(text) || !text.chars().any(is_hidden) {
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

/// Whether the text consists of ASCII characters that need no change.
fn is_plain_ascii(text: &str) -> bool {
    let changes = |word: u64| {
        let ascii = word & !HIGHEST_BITS;
        let is_control = !(ascii + eight(0x80 - 0x20));
        not_below_delete(word) | (is_control & is_not(b'\n', ascii) & is_not(b'\t', ascii))
    };
    first(text, changes).is_none()
}

/// Returns a word with `byte` in each of its eight bytes. `json::escape` of the value crate has these three functions, too,
/// because values and diagnostics have no common crate below them.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

const HIGHEST_BITS: u64 = eight(0x80);

/// Sets the highest bit of each byte that differs from `ascii`. All bytes are ASCII, so no sum exceeds its byte.
const fn is_not(byte: u8, ascii: u64) -> u64 {
    (ascii ^ eight(byte)) + eight(0x7f)
}

/// Sets the highest bit of each byte that is at least the last control character of ASCII.
const fn not_below_delete(word: u64) -> u64 {
    ((word & !HIGHEST_BITS) + eight(0x80 - 0x7f)) | word
}

/// Returns the position of the first byte whose highest bit `mark` sets. `mark` is called for eight bytes at a time; most texts
/// have no such byte, so whole blocks are checked first.
fn first(text: &str, mark: impl Fn(u64) -> u64) -> Option<usize> {
    const BLOCK: usize = 32;
    let bytes = text.as_bytes();
    let marks = |word: &[u8; 8]| mark(u64::from_le_bytes(*word)) & HIGHEST_BITS;
    let is_unmarked = |block: &&[u8; BLOCK]| {
        let (words, _) = block.as_chunks();
        words.iter().fold(0, |all, word| all | marks(word)) == 0
    };
    let from = bytes.as_chunks().0.iter().take_while(is_unmarked).count() * BLOCK;
    let (words, rest) = bytes.get(from..).unwrap_or_default().as_chunks();
    let mut last = [b' '; 8];
    for (place, byte) in last.iter_mut().zip(rest) {
        *place = *byte;
    }
    words.iter().chain([&last]).enumerate().find_map(|(number, word)| {
        let marks = marks(word);
        (marks != 0).then(|| from + number * 8 + marks.trailing_zeros() as usize / 8)
    })
}

/// Returns the same XML document with references in place of characters of commands to a service that runs the program.
pub(crate) fn without_commands_in_xml(mut xml: String) -> String {
    if xml.contains("##") {
        xml =
            ANYWHERE.iter().fold(xml, |xml, name| xml.replace(&format!("{name}["), &format!("{name}&#91;")));
    }
    let is_command = |line: &str| line.trim_start().starts_with("::");
    if xml.lines().any(is_command) {
        let line =
            |line: &str| if is_command(line) { line.replacen(':', "&#58;", 1) } else { line.to_owned() };
        xml = xml.split('\n').map(line).collect::<Vec<_>>().join("\n");
    }
    xml
}

/// Returns the same JSON document with escapes for the characters that [`visible`] shows and for commands to a service that
/// runs the program, so that no terminal or service obeys it.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    // JSON text already escapes the control characters of ASCII, except for the last one.
    let may_change = |word: u64| not_below_delete(word) | !is_not(b'#', word & !HIGHEST_BITS);
    let Some(mut at) = first(text, may_change) else { return Cow::Borrowed(text) };
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut rest = text;
    loop {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        escaped.push_str(before);
        let is_command =
            |name: &&&str| from.strip_prefix(**name).is_some_and(|behind| behind.starts_with('['));
        let command = ANYWHERE.iter().find(is_command).copied();
        let (name, from) = from.split_at_checked(command.map_or(0, str::len)).unwrap_or(("", from));
        escaped.push_str(name);
        let Some(character) = from.chars().next() else { break };
        if command.is_some() || is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
        rest = from.get(character.len_utf8()..).unwrap_or_default();
        at = first(rest, may_change).unwrap_or(rest.len());
    }
    Cow::Owned(escaped)
}

/// Returns `text` for people, on several lines: like [`visible`], but line breaks of two characters stay, and commands to a
/// service that runs the program are broken.
pub fn visible_text(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return match visible(text) {
            Cow::Borrowed(text) => without_commands(text),
            Cow::Owned(shown) => Cow::Owned(without_commands(&shown).into_owned()),
        };
    }
    let lines: Vec<Cow<'_, str>> = text.split("\r\n").map(visible).collect();
    Cow::Owned(without_commands(&lines.join("\r\n")).into_owned())
}

/// The beginnings, before the opening bracket, of commands that GitHub Actions, Azure Pipelines (anywhere in a line) and
/// TeamCity obey.
const ANYWHERE: [&str; 3] = ["##", "##vso", "##teamcity"];

/// Returns `text` without commands to a service that runs the program and reads its output: a backslash breaks each of them. A
/// line that starts with `::`, after any white space, is a command of GitHub Actions.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let has_command = |line: &str| beginning(line).starts_with("::");
    let has = |pair: &[u8; 2]| memmem::find(text.as_bytes(), pair).is_some();
    if !has(b"##") && (!has(b"::") || !lines(text).any(has_command)) {
        return Cow::Borrowed(text);
    }
    let mut harmless = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive(['\n', '\r']) {
        let (before, content) = line.split_at(line.len() - beginning(line).len());
        harmless.push_str(before);
        if content.starts_with("::") {
            harmless.push('\\');
        }
        let mut copied = 0;
        for (bracket, _) in content.match_indices('[') {
            let before = content.get(..bracket).unwrap_or_default();
            if ANYWHERE.iter().any(|name| before.ends_with(name)) {
                harmless.push_str(before.get(copied..).unwrap_or_default());
                harmless.push('\\');
                copied = bracket;
            }
        }
        harmless.push_str(content.get(copied..).unwrap_or_default());
    }
    Cow::Owned(harmless)
}

/// Returns the lines of a text without their ends, which are a line feed or a carriage return.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |word: u64| {
        let is_other = |end: u8| is_not(end, word & !HIGHEST_BITS) | word;
        !(is_other(b'\n') & is_other(b'\r'))
    };
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let end = first(text, is_end).unwrap_or(text.len());
        rest = text.get(end + 1..);
        text.get(..end)
    })
}

/// Returns a line without the white space and colours at its beginning.
fn beginning(line: &str) -> &str {
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let color = rest.strip_prefix("\u{1b}[").and_then(|color| color.split_once('m'));
        match color.filter(|(codes, _)| codes.chars().all(|c| c.is_ascii_digit() || c == ';')) {
            Some((_, behind)) => rest = behind,
            None => return rest,
        }
    }
}

/// Returns the name of a file or object on one line: like [`visible`], but line breaks and tabs are made visible, too.
pub fn visible_name(name: &str) -> String {
    visible(name).replace('\n', "\u{240a}").replace('\t', "\u{2409}")
}

/// Returns `text` on one line: like [`visible`], with each sequence of white space as one space.
pub(crate) fn visible_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" ")).into_owned()
}

/// Returns the symbol that stands for an ASCII control character.
fn picture(character: char) -> Option<char> {
    match u32::from(character) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code),
        0x7f => Some('\u{2421}'),
        _ => None,
    }
}

/// Whether a character is hidden: control characters, marks of text direction, and characters without a width of their own. The
/// joiners U+200C and U+200D do not count, because scripts and emoji need them.
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
    fn json_stays_the_same_document() {
        let text = "a\u{9b}31m \u{202e} ##[error] ##vso[x] #[y] [z] \u{e0001} é";
        let escaped = visible_json(text);
        assert_eq!(escaped, r"a\u009b31m \u202e ##\u005berror] ##vso\u005bx] #[y] [z] \udb40\udc01 é");
        assert_eq!(visible_json("{\n\t\"a#\": [1]\n}"), "{\n\t\"a#\": [1]\n}");
    }

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
    fn commands_to_services_are_broken() {
        for (text, expected) in [
            ("::stop-commands::x", "\\::stop-commands::x"),
            ("a\n \t\u{3000}::x\r::y\r\n::z", "a\n \t\u{3000}\\::x\r\\::y\r\n\\::z"),
            ("\u{1b}[1m\u{1b}[0m ::x", "\u{1b}[1m\u{1b}[0m \\::x"),
            ("a ::b core::abs(1)", "a ::b core::abs(1)"),
            ("##[group]a ###[b] ##[", "##\\[group]a ###\\[b] ##\\["),
            ("= ##vso[task.x]##teamcity[y]", "= ##vso\\[task.x]##teamcity\\[y]"),
            ("## a[0] #[b] ##vs[", "## a[0] #[b] ##vs["),
            ("::##[x]", "\\::##\\[x]"),
        ] {
            assert_eq!(without_commands(text), expected);
            assert_eq!(without_commands(expected), expected, "once is enough");
        }
        assert_eq!(visible_text("a\r\n::b\r::c\u{9b}"), "a\r\n\\::b␍::c<U+009B>");
        assert_eq!(visible_text("\u{202e}::a\n::b"), "<U+202E>::a\n\\::b");
    }

    #[test]
    fn a_text_without_commands_is_borrowed() {
        for text in ["a ::b\n  é::\rcore::abs(1)\n", "\u{200a}x\n\u{30a}::y ::\n", ""] {
            assert!(matches!(without_commands(text), Cow::Borrowed(same) if same == text), "{text}");
            assert_eq!(lines(text).collect::<Vec<_>>(), text.split(['\n', '\r']).collect::<Vec<_>>());
        }
    }

    #[test]
    fn one_line_has_no_line_break() {
        assert_eq!(visible_name(" a\n\tb  c\u{1b}"), " a␊␉b  c␛");
        assert_eq!(visible_line("  a\r\n\tb \u{2028}c\u{1b} "), "a b c␛");
    }
}
