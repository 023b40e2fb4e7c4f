//! Encodes values as YAML text in the layout of the reference.

use terrane_value::{Value, ValueKind};

/// Quoted text is broken at the first single space after this column.
const BEST_WIDTH: usize = 80;

/// Longer keys are written in the explicit form.
const MAX_SIMPLE_KEY: usize = 128;

/// Returns a document with `value`, which is wholly known; `None` if a number has too many digits for text. The writer stops
/// after `most` bytes.
pub(super) fn encode(value: &Value, most: usize) -> Option<String> {
    let mut writer = Writer { most, whitespace: true, indention: true, ..Writer::default() };
    writer.node(value, Position::Root);
    writer.line();
    // A plain scalar at the end needs an end marker.
    if writer.open_ended {
        writer.indicator("...", true, false, false);
        writer.line();
    }
    (!writer.has_endless_number).then_some(writer.text)
}

/// The position of a node in its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Root,
    Element,
    /// A key before a colon.
    SimpleKey,
    /// The value of an entry of a mapping, or an explicit key.
    Mapping,
}

#[derive(Default)]
struct Writer {
    text: String,
    most: usize,
    /// The number of columns in use on the last line.
    column: usize,
    /// The indentation of the innermost collection; `None` before the first collection.
    indent: Option<usize>,
    /// Whether the last output was white space.
    whitespace: bool,
    /// Whether the line has only white space and collection indicators.
    indention: bool,
    open_ended: bool,
    /// Whether the value contains a number that has no decimal text.
    has_endless_number: bool,
}

impl Writer {
    fn node(&mut self, value: &Value, position: Position) {
        if self.text.len() > self.most {
            return;
        }
        match value.unmarked().kind() {
            ValueKind::Null(_) => self.plain("null", position),
            ValueKind::Bool(truth) => self.plain(if truth { "true" } else { "false" }, position),
            ValueKind::Number(number) if number.has_decimal_text() => {
                self.plain(&number.to_string(), position);
            }
            ValueKind::Number(_) => self.has_endless_number = true,
            ValueKind::String(text) => self.string(text, position),
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                self.sequence(elements, position);
            }
            ValueKind::Map(entries) | ValueKind::Object(entries) => {
                if entries.is_empty() {
                    self.indicator("{", true, true, false);
                    self.indicator("}", false, false, false);
                    return;
                }
                let outer = self.indent;
                self.indent = Some(outer.map_or(0, |indent| indent + 2));
                for (key, value) in entries {
                    self.entry(key, value);
                }
                self.indent = outer;
            }
            // The caller excludes unknown values, and `unmarked` returns no marked ones.
            ValueKind::Unknown(_) | ValueKind::Marked(..) => {}
        }
    }

    fn sequence(&mut self, elements: &[Value], position: Position) {
        if elements.is_empty() {
            self.indicator("[", true, true, false);
            self.indicator("]", false, false, false);
            return;
        }
        let outer = self.indent;
        // The dashes of a sequence in a mapping align with the key.
        let indentless = position == Position::Mapping && !self.indention;
        self.indent = Some(outer.map_or(0, |indent| if indentless { indent } else { indent + 2 }));
        for element in elements {
            self.line();
            self.indicator("-", true, false, true);
            self.node(element, Position::Element);
        }
        self.indent = outer;
    }

    fn entry(&mut self, key: &str, value: &Value) {
        self.line();
        if !key.contains(is_break) && key.len() <= MAX_SIMPLE_KEY {
            self.string(key, Position::SimpleKey);
            self.indicator(":", false, false, false);
        } else {
            self.indicator("?", true, false, true);
            self.string(key, Position::Mapping);
            self.line();
            self.indicator(":", true, false, true);
        }
        self.node(value, Position::Mapping);
    }

    fn plain(&mut self, text: &str, position: Position) {
        if !self.whitespace {
            self.put(' ');
        }
        text.chars().for_each(|character| self.put(character));
        self.whitespace = false;
        self.indention = false;
        self.open_ended = position == Position::Root;
    }

    fn string(&mut self, text: &str, position: Position) {
        let outer = self.indent;
        self.indent = Some(outer.map_or(2, |indent| indent + 2));
        if text.contains('\n') && fits_literal(text) {
            self.literal(text);
        } else {
            self.quoted(text, position != Position::SimpleKey);
        }
        self.indent = outer;
    }

    /// Writes a literal block scalar after `|`.
    fn literal(&mut self, text: &str) {
        self.indicator("|", true, false, false);
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.indicator("2", false, false, false);
        }
        let mut last = text.chars().rev();
        match (last.next().is_some_and(is_break), last.next().is_none_or(is_break)) {
            (false, _) => self.indicator("-", false, false, false),
            (true, true) => self.indicator("+", false, false, false),
            (true, false) => {}
        }
        self.open_ended = false;
        self.put_break();
        self.indention = true;
        self.whitespace = true;
        let mut after_break = true;
        for character in text.chars() {
            if is_break(character) {
                self.put_break_as(character);
                self.indention = true;
                after_break = true;
            } else {
                if after_break {
                    self.line();
                }
                self.put(character);
                self.indention = false;
                after_break = false;
            }
        }
    }

    fn quoted(&mut self, text: &str, may_break: bool) {
        self.indicator("\"", true, false, false);
        // The reference escapes all characters of a text that begins with a byte order mark.
        let all = text.starts_with('\u{feff}');
        let mut after_space = false;
        let mut characters = text.char_indices().peekable();
        while let Some((index, character)) = characters.next() {
            if all || !is_printable(character) || is_break(character) || matches!(character, '"' | '\\') {
                self.escape(character);
                after_space = false;
            } else if character == ' ' {
                let inside = index > 0 && index + 1 < text.len();
                if may_break && !after_space && self.column > BEST_WIDTH && inside {
                    self.line();
                    if characters.peek().is_some_and(|(_, next)| *next == ' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(' ');
                }
                after_space = true;
            } else {
                self.put(character);
                after_space = false;
            }
        }
        self.indicator("\"", false, false, false);
    }

    fn escape(&mut self, character: char) {
        let escape = match character {
            '\0' => "\\0".to_owned(),
            '\u{7}' => "\\a".to_owned(),
            '\u{8}' => "\\b".to_owned(),
            '\t' => "\\t".to_owned(),
            '\n' => "\\n".to_owned(),
            '\u{b}' => "\\v".to_owned(),
            '\u{c}' => "\\f".to_owned(),
            '\r' => "\\r".to_owned(),
            '\u{1b}' => "\\e".to_owned(),
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\u{85}' => "\\N".to_owned(),
            '\u{a0}' => "\\_".to_owned(),
            '\u{2028}' => "\\L".to_owned(),
            '\u{2029}' => "\\P".to_owned(),
            _ => match u32::from(character) {
                code @ 0..=0xff => format!("\\x{code:02X}"),
                code @ 0x100..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            },
        };
        escape.chars().for_each(|character| self.put(character));
    }

    fn put(&mut self, character: char) {
        self.text.push(character);
        self.column += 1;
    }

    fn put_break(&mut self) {
        self.put_break_as('\n');
    }

    fn put_break_as(&mut self, character: char) {
        self.text.push(character);
        self.column = 0;
    }

    /// Starts a new line at the indentation.
    fn line(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.put_break();
        }
        while self.column < indent {
            self.put(' ');
        }
        self.whitespace = true;
        self.indention = true;
    }

    fn indicator(
        &mut self,
        indicator: &str,
        needs_whitespace: bool,
        is_whitespace: bool,
        is_indention: bool,
    ) {
        if needs_whitespace && !self.whitespace {
            self.put(' ');
        }
        indicator.chars().for_each(|character| self.put(character));
        self.whitespace = is_whitespace;
        self.indention = self.indention && is_indention;
        self.open_ended = false;
    }
}

fn is_break(character: char) -> bool {
    matches!(character, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character needs no escape. Characters outside the basic plane need one.
fn is_printable(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}') && character != '\u{feff}'
}

/// Whether a literal block scalar preserves the text.
fn fits_literal(text: &str) -> bool {
    let space_before_break =
        text.chars().zip(text.chars().skip(1)).any(|(left, right)| left == ' ' && is_break(right));
    !text.ends_with(' ') && !space_before_break && text.chars().all(is_printable)
}
