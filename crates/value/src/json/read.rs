//! A parser of JSON text.
//!
//! This is own code rather than `serde_json`, for four reasons. The text of numbers must be kept; there, that is the
//! feature `arbitrary_precision`, and features are shared by the whole workspace, so that it would change how every
//! other crate sees numbers. Two properties of the same name must both be seen. Half of a surrogate pair is read as
//! U+FFFD, as the reference does, and not rejected. And errors need a byte offset.

use std::borrow::Cow;

use super::error::DecodeError;
use crate::MAX_DEPTH;

/// A JSON value and the byte offset at which it begins.
pub(super) struct Node<'t> {
    pub(super) offset: usize,
    pub(super) content: Content<'t>,
}

pub(super) enum Content<'t, V = Node<'t>, P = Property<'t>> {
    Null,
    Bool(bool),
    /// The text of a number.
    Number(&'t str),
    String(Cow<'t, str>),
    Array(Vec<V>),
    /// The properties in the order of the text, with repetitions.
    Object(Vec<P>),
}

pub(super) struct Property<'t> {
    pub(super) offset: usize,
    pub(super) name: Cow<'t, str>,
    pub(super) value: Node<'t>,
}

/// Makes a value of each part of a text.
pub(super) trait Build<'t> {
    /// A value.
    type Value;
    /// A property of an object.
    type Property;

    fn value(&mut self, offset: usize, content: Content<'t, Self::Value, Self::Property>) -> Self::Value;

    fn property(&mut self, offset: usize, name: Cow<'t, str>, value: Self::Value) -> Self::Property;
}

/// Makes a tree.
struct Tree;

impl<'t> Build<'t> for Tree {
    type Value = Node<'t>;
    type Property = Property<'t>;

    fn value(&mut self, offset: usize, content: Content<'t>) -> Node<'t> {
        Node { offset, content }
    }

    fn property(&mut self, offset: usize, name: Cow<'t, str>, value: Node<'t>) -> Property<'t> {
        Property { offset, name, value }
    }
}

/// Reads one value with at most `most` values in it, including itself. As in the reference, closing brackets that
/// follow it are skipped, with any text after them.
pub(super) fn read(text: &str, most: usize) -> Result<Node<'_>, DecodeError> {
    build(text, most, Tree)
}

/// Does the same as [`read`], with the values that `build` makes.
pub(super) fn build<'t, B: Build<'t>>(text: &'t str, most: usize, build: B) -> Result<B::Value, DecodeError> {
    let mut parser = Parser { text, offset: 0, left: most, build };
    parser.skip_space();
    let value = parser.value(0)?;
    parser.skip_space();
    match parser.peek() {
        None | Some(b']' | b'}') => Ok(value),
        Some(_) => Err(parser.error("There is more text after the JSON value.")),
    }
}

struct Parser<'t, B> {
    text: &'t str,
    offset: usize,
    /// The number of further values that are allowed.
    left: usize,
    build: B,
}

/// Returns the items with one more behind them. A single item gets no more memory than it needs: a text may have a million arrays
/// and objects of one item.
fn with_last<T>(mut items: Vec<T>, last: T) -> Vec<T> {
    if items.is_empty() {
        return vec![last];
    }
    items.push(last);
    items
}

impl<'t, B: Build<'t>> Parser<'t, B> {
    fn error(&self, message: impl Into<String>) -> DecodeError {
        DecodeError::new(self.offset, message)
    }

    /// Returns an error about the next character.
    fn unexpected(&self, expected: &str) -> DecodeError {
        let rest = self.text.get(self.offset..).unwrap_or_default();
        match rest.chars().next() {
            Some(found) => self.error(format!("Expected {expected} here, not {found:?}.")),
            None => self.error(format!("The JSON text ends where {expected} is expected.")),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.offset += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.offset += 1;
        }
    }

    fn value(&mut self, depth: u16) -> Result<B::Value, DecodeError> {
        let offset = self.offset;
        let too_many = || self.error("The JSON text has too many values.");
        self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
        let content = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Content::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Content::Number(self.number()?),
            _ if self.eat_word("true") => Content::Bool(true),
            _ if self.eat_word("false") => Content::Bool(false),
            _ if self.eat_word("null") => Content::Null,
            _ => return Err(self.unexpected("a JSON value")),
        };
        Ok(self.build.value(offset, content))
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.text.get(self.offset..).is_some_and(|rest| rest.starts_with(word));
        self.offset += if found { word.len() } else { 0 };
        found
    }

    fn enter(&mut self, depth: u16) -> Result<u16, DecodeError> {
        if depth >= MAX_DEPTH {
            let error = self.error(format!("The JSON text is nested more than {MAX_DEPTH} levels deep."));
            return Err(DecodeError { is_too_deep: true, ..error });
        }
        self.offset += 1;
        self.skip_space();
        Ok(depth + 1)
    }

    fn array(&mut self, depth: u16) -> Result<Content<'t, B::Value, B::Property>, DecodeError> {
        let depth = self.enter(depth)?;
        let mut elements = Vec::new();
        if self.eat(b']') {
            return Ok(Content::Array(elements));
        }
        loop {
            let element = self.value(depth)?;
            self.skip_space();
            if self.eat(b']') {
                return Ok(Content::Array(with_last(elements, element)));
            }
            elements.push(element);
            if !self.eat(b',') {
                return Err(self.unexpected("a comma or the end of the array"));
            }
            self.skip_space();
        }
    }

    fn object(&mut self, depth: u16) -> Result<Content<'t, B::Value, B::Property>, DecodeError> {
        let depth = self.enter(depth)?;
        let mut properties = Vec::new();
        if self.eat(b'}') {
            return Ok(Content::Object(properties));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a property name in quotes"));
            }
            let offset = self.offset;
            let name = self.string()?;
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.unexpected("a colon after the property name"));
            }
            self.skip_space();
            let value = self.value(depth)?;
            let property = self.build.property(offset, name, value);
            self.skip_space();
            if self.eat(b'}') {
                return Ok(Content::Object(with_last(properties, property)));
            }
            properties.push(property);
            if !self.eat(b',') {
                return Err(self.unexpected("a comma or the end of the object"));
            }
            self.skip_space();
        }
    }

    fn digits(&mut self) -> Result<(), DecodeError> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected("a digit"));
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.offset += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<&'t str, DecodeError> {
        let start = self.offset;
        self.eat(b'-');
        // No digit may follow a leading zero; one that does is reported as "more text".
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        Ok(self.text.get(start..self.offset).unwrap_or_default())
    }

    fn string(&mut self) -> Result<Cow<'t, str>, DecodeError> {
        self.offset += 1;
        let mut text = Cow::Borrowed("");
        loop {
            let rest = self.text.get(self.offset..).unwrap_or_default();
            let plain = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '));
            let (plain, _) = rest.split_at_checked(plain.unwrap_or(rest.len())).unwrap_or_default();
            // Adding to an empty text borrows, so strings without escapes are never copied.
            text += plain;
            self.offset += plain.len();
            match self.peek() {
                Some(b'"') => {
                    self.offset += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.to_mut().push(self.escape()?),
                Some(_) => return Err(self.unexpected("no control character within a string")),
                None => return Err(self.unexpected("the closing quote of a string")),
            }
        }
    }

    /// Reads the escape that begins here, and returns its character.
    fn escape(&mut self) -> Result<char, DecodeError> {
        self.offset += 1;
        let c = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.unexpected("one of the JSON escapes")),
        };
        self.offset += 1;
        Ok(c)
    }

    fn unicode_escape(&mut self) -> Result<char, DecodeError> {
        let high = self.hex().ok_or_else(|| self.error("Expected four hexadecimal digits after \\u."))?;
        if !(0xd800..0xdc00).contains(&high) {
            return Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let before = self.offset;
        let low = if self.eat(b'\\') && self.peek() == Some(b'u') { self.hex() } else { None };
        match low {
            Some(low @ 0xdc00..0xe000) => {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            // The next escape is not a low surrogate, so it is decoded on its own.
            Some(_) | None => {
                self.offset = before;
                Ok(char::REPLACEMENT_CHARACTER)
            }
        }
    }

    /// Skips a `u` and four digits.
    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.offset + 1..self.offset + 5)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.offset += 5;
        u32::from_str_radix(digits, 16).ok()
    }
}
