//! Classifies bytes for the lexer.
//!
//! Lookup tables computed at compile time, one access per byte.

/// The class of a byte outside of template text.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// Space or tab.
    Space,
    /// An ASCII letter or `_`.
    Letter,
    Digit,
    /// `-`, an operator that also continues a name.
    Dash,
    /// An operator or bracket that is always one byte long.
    Single,
    /// A character that can begin a token of one or more bytes.
    Other,
    /// A byte of a character outside of ASCII.
    Wide,
}

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where a wrong index is an error")]
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'-' => Class::Dash,
            b'(' | b')' | b'[' | b']' | b',' | b'+' | b'*' | b'%' | b'?' => Class::Single,
            128.. => Class::Wide,
            0..128 => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// ASCII bytes that continue a name.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where a wrong index is an error")]
const NAMES: [bool; 256] = {
    let mut names = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        names[byte] = matches!(CLASSES[byte], Class::Letter | Class::Digit | Class::Dash);
        byte += 1;
    }
    names
};

/// Bytes that end a run of plain text in a template.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where a wrong index is an error")]
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let bytes = b"$%\r\n\"\\";
    let mut index = 0;
    while index < bytes.len() {
        stops[bytes[index] as usize] = true;
        index += 1;
    }
    stops
};

#[expect(clippy::indexing_slicing, reason = "a byte is always an index of a table of 256")]
pub(super) const fn continues_name(byte: u8) -> bool {
    NAMES[byte as usize]
}

#[expect(clippy::indexing_slicing, reason = "a byte is always an index of a table of 256")]
pub(super) const fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// Whether `byte` can have a meaning in a quoted template. All such bytes except `"` and `\` also have one in other templates.
#[expect(clippy::indexing_slicing, reason = "a byte is always an index of a table of 256")]
pub(super) const fn stops_text(byte: u8) -> bool {
    STOPS[byte as usize]
}
