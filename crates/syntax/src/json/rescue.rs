//! Parses a file with errors again, property by property, so that an error reaches no further than its own property.
//!
//! The first pass reports the errors. This pass builds the tree: it cuts the content of an object at each line that starts a
//! property with the indentation of the first one, parses each piece by itself, and continues in the objects of damaged pieces.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};

use super::errors::Errors;
use super::lexer::{Lexer, TokenKind};
use super::parser::Parser;
use super::{Property, Tree, Value, ValueId};
use crate::limits::MAX_JOINED_BYTES;

/// The numbers of pieces that are joined to find the end of a property, because lines inside of it may have its indentation.
const JOINED: [usize; 4] = [2, 3, 4, 8];

/// Whether the object of a property contains properties that are parsed one by one: the blocks of a type, a label, or the
/// content of a block. `path` has the names that lead to the property. The path of a block ends before its arguments.
fn is_cut(path: &[Arc<str>]) -> bool {
    let labels = match path.first().map(|name| &**name) {
        Some("resource" | "data" | "ephemeral" | "action") => 2,
        Some("variable" | "output" | "module" | "provider" | "check") => 1,
        Some("locals" | "terraform" | "import" | "moved" | "removed") => 0,
        Some(_) | None => return false,
    };
    path.len() <= labels + 1
}

/// A part of a file that errors made unreadable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The bytes of the part: a property, or text in place of properties.
    pub span: Span,
    /// The names of the properties around the part, outermost first, followed by its own name if it has one. Parts share them.
    pub path: Vec<Arc<str>>,
    /// Whether the part has a name of its own.
    pub is_named: bool,
}

/// The tree of a file, and the parts that the tree lacks.
pub(super) struct Read {
    pub(super) tree: Tree,
    pub(super) root: ValueId,
    pub(super) damage: Vec<Damage>,
}

/// Returns the tree of a file in which the first pass found errors.
pub(super) fn rescued(source: &Arc<SourceFile>, first: Read) -> Read {
    let text = source.text();
    let whole = Span::new(0, offset(text.len()));
    // Text before the file's object is damage; before an array it is not an object at all.
    let before =
        text.find(['{', '[']).filter(|open| text.get(*open..).is_some_and(|rest| rest.starts_with('{')));
    let object = Span::new(offset(before.unwrap_or_default()), whole.end);
    let Some(content) = content_of_file(text, object) else {
        let damage = vec![Damage { span: whole, path: Vec::new(), is_named: false }];
        return Read { damage, ..first };
    };
    let tree = Tree::new(Arc::clone(source));
    let mut rescue = Rescue { source, tree, path: Vec::new(), damage: Vec::new(), left: MAX_JOINED_BYTES };
    if !source.slice(Span::new(0, object.start)).trim().is_empty() {
        rescue.note(Span::new(0, object.start), false);
    }
    if source.slice(Span::new(content.end, whole.end)).trim() != "}" {
        rescue.note(Span::new(content.end, whole.end), false);
    }
    let root = rescue.object(content);
    let Rescue { mut tree, damage, .. } = rescue;
    tree.shrink();
    Read { tree, root, damage }
}

fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// Returns the text between the first brace of the file's object and the last brace, or up to the end of `object` if that brace is
/// missing. `None` if the object does not begin with a brace, or is on one line.
fn content_of_file(text: &str, object: Span) -> Option<Span> {
    let start = opening(text, object)?;
    let close = text.get(object.range())?.rfind('}').map(|close| object.start + offset(close));
    // A brace with more indentation closes a property, not the object.
    let is_closing =
        |close: &u32| *close > start && indentation_at(text, *close) <= indentation_at(text, start);
    lines_between(text, start, close.filter(is_closing).unwrap_or(object.end))
}

/// Does the same as [`content_of_file`] for the value of a property, which ends at the brace that closes it.
fn content_of(text: &str, object: Span) -> Option<Span> {
    let start = opening(text, object)?;
    let close = closing(text, Span::new(start, object.end));
    lines_between(text, start, close.unwrap_or(object.end))
}

/// Returns the place of the brace with which a text begins.
fn opening(text: &str, object: Span) -> Option<u32> {
    let written = text.get(object.range())?;
    let behind = written.trim_start();
    behind.starts_with('{').then(|| object.start + offset(written.len() - behind.len()))
}

/// Returns the text behind the bracket at `open` up to `end`, if it has several lines.
fn lines_between(text: &str, open: u32, end: u32) -> Option<Span> {
    text.get(open as usize + 1..end as usize)?.contains('\n').then(|| Span::new(open + 1, end))
}

/// Returns the blanks at the start of a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the indentation of the line with the byte at `position`.
fn indentation_at(text: &str, position: u32) -> usize {
    indentation(text.get(line_start(text, position)..).unwrap_or_default())
}

/// Returns the start of the line with the byte at `position`.
fn line_start(text: &str, position: u32) -> usize {
    let before = text.get(..position as usize).unwrap_or_default();
    before.rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns the place of the bracket that closes the bracket at the start of `value`: on the same line, or at the start of a line
/// that is indented no more than the line of the opening bracket. Brackets inside that nothing closes end there, too, and a closing
/// bracket on a line with more indentation than the open brackets closes nothing.
fn closing(text: &str, value: Span) -> Option<u32> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut position = line_start(text, value.start);
    for line in text.get(position..value.end as usize)?.split_inclusive('\n') {
        let indented = indentation(line);
        let from = (value.start as usize).saturating_sub(position);
        for (index, bracket) in brackets(line).filter(|(index, _)| *index >= from) {
            if matches!(bracket, b'{' | b'[') {
                let outer = match open.last() {
                    Some((line, outer)) if *line == position => *outer,
                    // The line is out of place, so its indentation says nothing: the next line that closes more ends the bracket.
                    Some((_, outer)) if *outer >= indented => usize::MAX,
                    Some(_) | None => indented,
                };
                open.push((position, outer));
                continue;
            }
            let is_own = open.last().is_some_and(|(line, _)| *line == position);
            if !is_own && index == indented {
                if !ends_item(line) {
                    continue;
                }
                while open.len() > 1 && open.last().is_some_and(|(_, outer)| *outer > indented) {
                    open.pop();
                }
            }
            if !is_own && open.last().is_some_and(|(_, outer)| *outer < indented) {
                continue;
            }
            open.pop();
            if open.is_empty() {
                return Some(offset(position + index));
            }
        }
        position += line.len();
    }
    None
}

/// Returns the brackets of a line outside of strings, with their places.
fn brackets(line: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut is_string, mut is_escaped) = (false, false);
    line.bytes().enumerate().filter(move |(_, byte)| {
        let is_quote = *byte == b'"' && !is_escaped;
        is_escaped = is_string && *byte == b'\\' && !is_escaped;
        is_string ^= is_quote;
        !is_string && matches!(byte, b'{' | b'[' | b'}' | b']')
    })
}

/// Whether a line that begins with a closing bracket has nothing but brackets and commas, up to the next element of an array.
fn ends_item(line: &str) -> bool {
    let behind = line.trim_start_matches([' ', '\t', '}', ']', ',']).trim();
    behind.is_empty() || behind.starts_with(['{', '['])
}

/// Returns the end of the value of a property, which begins in the line of the property or is an object or array.
fn end_of_value(text: &str, value: Span) -> Option<u32> {
    let written = text.get(value.range())?;
    let behind = written.trim_start();
    let start = value.start + offset(written.len() - behind.len());
    if behind.starts_with(['{', '[']) {
        return closing(text, Span::new(start, value.end)).map(|close| close + 1);
    }
    let line = written.lines().next().unwrap_or_default();
    let scalar = line.trim_start();
    let length = match scalar.strip_prefix('"') {
        Some(string) => end_of_string(string).map(|end| end + 2),
        None => Some(scalar.find([',', '}', ']']).unwrap_or(scalar.len())),
    };
    let length = length.filter(|length| *length > 0)?;
    Some(value.start + offset(line.len() - scalar.len() + length))
}

/// Returns the place of the quote that ends a string, from the text behind its first quote.
fn end_of_string(string: &str) -> Option<usize> {
    let mut is_escaped = false;
    string.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// Whether a line begins with a string that can be a name. The string may lack its end.
fn starts_property(line: &str) -> bool {
    let Some(string) = line.strip_prefix('"') else { return false };
    let name = end_of_string(string).and_then(|end| string.get(..end)).unwrap_or(string);
    !name.trim().is_empty()
}

/// Whether a line begins with a name and a colon.
fn is_property(line: &str) -> bool {
    behind_name(line).is_some_and(|behind| behind.starts_with(':'))
}

/// Whether a line begins with a name and a colon, or an opening bracket whose colon is missing.
fn has_value(line: &str) -> bool {
    behind_name(line).is_some_and(|behind| behind.starts_with([':', '{', '[']))
}

/// Returns the text behind the name with which a line begins, without space at its start.
fn behind_name(line: &str) -> Option<&str> {
    let string = line.strip_prefix('"')?;
    let behind = end_of_string(string).and_then(|end| string.get(end + 1..))?;
    starts_property(line).then(|| behind.trim_start())
}

struct Rescue<'r> {
    source: &'r Arc<SourceFile>,
    tree: Tree,
    /// The names of the properties around the current text.
    path: Vec<Arc<str>>,
    damage: Vec<Damage>,
    /// The bytes of joined pieces that may still be parsed.
    left: usize,
}

impl Rescue<'_> {
    fn note(&mut self, span: Span, is_named: bool) {
        self.damage.push(Damage { span, path: self.path.clone(), is_named });
    }

    /// Returns the object with this content, parsed piece by piece.
    fn object(&mut self, content: Span) -> ValueId {
        let mut properties = Vec::new();
        let pieces = self.pieces(content);
        let mut position = 0;
        while let Some(piece) = pieces.get(position).copied() {
            let (property, count) = match self.sound(piece) {
                Some(property) => (Some(property), 1),
                // The other properties are inside of it.
                None if self.lacks_a_header(piece, content) && self.opens_property(piece) => {
                    self.note(Span::new(piece.start, content.end), false);
                    break;
                }
                None if self.lacks_a_header(piece, content) => {
                    self.note(piece, false);
                    (None, 1)
                }
                None => self.joined(pieces.get(position..).unwrap_or_default()),
            };
            properties.extend(property);
            position += count;
        }
        let list = self.tree.add_properties(&mut properties, 0);
        let is_closed =
            self.source.text().get(content.end as usize..).is_some_and(|rest| rest.starts_with('}'));
        self.tree.add(Value::Object(list), Span::new(content.start - 1, content.end + u32::from(is_closed)))
    }

    /// Returns the pieces of the content of an object: from one line that starts a property to the next such line. Pieces of
    /// white space are left out.
    fn pieces(&self, content: Span) -> Vec<Span> {
        let text = self.source.text().get(content.range()).unwrap_or_default();
        // A line with less indentation than the first one shows that lines are missing before it.
        let properties =
            text.split_inclusive('\n').filter(|line| has_value(line.trim_start_matches([' ', '\t'])));
        let least = properties.map(indentation).min();
        let (mut starts, mut position) = (vec![0], 0);
        for line in text.split_inclusive('\n') {
            let written = line.trim_start_matches([' ', '\t']);
            if starts_property(written) && Some(indentation(line)) == least {
                starts.push(position);
            }
            position += line.len();
        }
        starts.push(text.len());
        let pieces = starts.windows(2).filter_map(|pair| match pair {
            [start, end] if start < end => {
                Some(Span::new(content.start + offset(*start), content.start + offset(*end)))
            }
            _ => None,
        });
        pieces.filter(|piece| !self.source.slice(*piece).trim().is_empty()).collect()
    }

    /// Whether a piece stands before the first line that starts a property of the object, on lines of its own.
    fn lacks_a_header(&self, piece: Span, content: Span) -> bool {
        let text = self.source.slice(piece);
        let space = text.get(..text.len() - text.trim_start().len()).unwrap_or_default();
        piece.start == content.start && space.contains('\n')
    }

    /// Whether a piece ends with the opening bracket of a property, which its line does not begin with.
    fn opens_property(&self, piece: Span) -> bool {
        let line = self.source.slice(piece).trim_end().rsplit('\n').next().unwrap_or_default();
        line.ends_with(['{', '[']) && line.contains("\":")
    }

    /// Returns the property of a piece, if the piece has no error.
    fn sound(&mut self, piece: Span) -> Option<Property> {
        self.parsed(piece, |parser| {
            parser.property();
            if parser.token.kind == TokenKind::Comma {
                parser.bump();
            }
            let property = parser.properties.pop()?;
            let is_whole = parser.token.kind == TokenKind::End && parser.properties.is_empty();
            (is_whole && parser.errors.len() == 0).then_some(property)
        })
    }

    /// Returns the property that begins in a piece with an error, and the number of its pieces.
    fn joined(&mut self, pieces: &[Span]) -> (Option<Property>, usize) {
        let Some(first) = pieces.first().copied() else { return (None, 1) };
        for count in JOINED {
            let Some(last) = pieces.get(count - 1) else { break };
            let joined = first.to(*last);
            let Some(left) = self.left.checked_sub(joined.len() as usize) else { break };
            self.left = left;
            if let Some(property) = self.sound(joined) {
                return (Some(property), count);
            }
        }
        (self.damaged(first), 1)
    }

    /// Returns as much of the property of a damaged piece as can be read: its name, and the valid parts of an object.
    fn damaged(&mut self, piece: Span) -> Option<Property> {
        let head = self.parsed(piece, |parser| {
            let span = parser.token.span;
            let is_name = matches!(parser.token.kind, TokenKind::String { .. });
            let name = if is_name { parser.string()? } else { return None };
            let has_colon = parser.token.kind == TokenKind::Colon;
            let end = if has_colon { parser.bump().span.end } else { span.end };
            Some((name, span, end, has_colon))
        });
        let Some((name, name_span, colon, has_colon)) = head else {
            self.note(piece, false);
            return None;
        };
        if !has_colon {
            self.note(piece, false);
        }
        let value = Span::new(colon, piece.end);
        if let Some(own) = self.own_part(piece, value) {
            self.note(Span::new(own.end, piece.end), false);
            return self.sound(own).or_else(|| self.damaged(own));
        }
        self.path.push(Arc::from(self.tree.text(name)));
        let content = content_of(self.source.text(), value).filter(|_| is_cut(&self.path));
        let behind =
            content.map(|content| self.source.slice(Span::new(content.end, piece.end)).trim().to_owned());
        let value = match (content, behind.as_deref()) {
            (Some(content), Some(behind)) if behind.is_empty() || behind.starts_with('}') => {
                if !matches!(behind, "}" | "},") {
                    self.note(Span::new(content.end, piece.end), false);
                }
                self.object(content)
            }
            (Some(_) | None, _) => {
                self.note(piece, true);
                self.note_hidden(piece);
                self.tree.add(Value::Missing, Span::empty(colon))
            }
        };
        self.path.pop();
        Some(Property { name, name_span, value })
    }

    /// Returns the part of a piece up to the end of the property with this value, if lines with other properties follow it: the line
    /// with the name of the property or object around them is missing.
    fn own_part(&self, piece: Span, value: Span) -> Option<Span> {
        let end = end_of_value(self.source.text(), value)?;
        let behind = self.source.slice(Span::new(end, piece.end));
        let rest = behind.trim_start_matches([' ', '\t']);
        let rest = rest.strip_prefix(',').unwrap_or(rest);
        let has_lines = rest.lines().next().is_some_and(|line| line.trim().is_empty()) && rest.contains('"');
        has_lines.then(|| Span::new(piece.start, end + offset(behind.len() - rest.len())))
    }

    /// Records that a damaged piece may contain other properties than its own: a property follows other text in it.
    fn note_hidden(&mut self, piece: Span) {
        let mut lines = self.source.slice(piece).trim_start().split('\n');
        let own = lines.next().and_then(|line| line.split_once("\":")).map_or("", |(_, behind)| behind);
        let is_hidden = |line: &str| !is_property(line) && line.contains("\":");
        if own.contains("\":") || lines.map(str::trim_start).any(is_hidden) {
            let own = self.path.pop();
            self.note(piece, false);
            self.path.extend(own);
        }
    }

    /// Calls `read` with a parser of a piece, which adds to the tree. Returns its result.
    fn parsed<T>(&mut self, piece: Span, read: impl FnOnce(&mut Parser<'_>) -> T) -> T {
        let text = self.source.text().get(..piece.end as usize).unwrap_or_default();
        let tree = std::mem::replace(&mut self.tree, Tree::new(Arc::clone(self.source)));
        let mut parser =
            Parser::new(self.source, Lexer::at(text, piece.start as usize), tree, Errors::new(self.source));
        let result = read(&mut parser);
        self.tree = parser.tree;
        result
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::FileId;

    use super::*;
    use crate::json::parse_json;

    /// Returns the damage as `path: text`, and the names of the properties of the file with a value.
    fn rescued(text: &str) -> (Vec<String>, Vec<String>) {
        let document = parse_json(&SourceFile::new(FileId::new("a.tf.json"), text));
        let damage = document.damage.iter().map(|damage| damage.path.join(".")).collect();
        let Value::Object(properties) = document.tree.value(document.root) else {
            return (damage, Vec::new());
        };
        let properties = document.tree.properties(properties).iter();
        let known =
            properties.filter(|property| !matches!(document.tree.value(property.value), Value::Missing));
        (damage, known.map(|property| document.tree.name(property).to_owned()).collect())
    }

    #[test]
    fn lines_out_of_place_end_no_other_property() {
        let sound = "{\n  \"locals\": {\n    \"a\": {\n      \"x\": [1, 2]\n    },\n    \"b\": 1,\n    \"c\": {\"y\": {}}\n  }\n}\n";
        for (line, broken) in [
            ("    \"a\": {", "  word    \"a\": {"),
            ("    \"a\": {", "[    \"a\": {"),
            ("      \"x\": [1, 2]", "{      \"x\": [1, 2]"),
            ("    },", "\"    },"),
        ] {
            let text = sound.replacen(line, broken, 1);
            let document = parse_json(&SourceFile::new(FileId::new("a.tf.json"), text.as_str()));
            let tree = &document.tree;
            let Value::Object(blocks) = tree.value(document.root) else { panic!("{text}") };
            let [locals] = tree.properties(blocks) else { panic!("{text}") };
            let Value::Object(locals) = tree.value(locals.value) else { panic!("{text}") };
            let known = tree
                .properties(locals)
                .iter()
                .filter(|local| !matches!(tree.value(local.value), Value::Missing));
            let known: Vec<&str> = known.map(|local| tree.name(local)).filter(|name| *name != "a").collect();
            assert_eq!(known, ["b", "c"], "{text}");
        }
    }

    #[test]
    fn the_lines_behind_an_opening_bracket_are_no_properties_of_the_object_around() {
        let text = "{\n  \"locals\": {\n  {  \"a\": {\n      \"x\": 1,\n      \"y\": 2\n    }\n  },\n  \"b\": 1\n}\n";
        let document = parse_json(&SourceFile::new(FileId::new("a.tf.json"), text));
        let Value::Object(blocks) = document.tree.value(document.root) else { panic!("no object") };
        let [locals, _] = document.tree.properties(blocks) else { panic!("two properties") };
        assert!(
            matches!(document.tree.value(locals.value), Value::Object(list) if document.tree.properties(list).is_empty())
        );
    }

    #[test]
    fn an_error_reaches_no_further_than_its_property() {
        let text = "{\n  \"a\": 1,\n  \"b\": [1,,\n  \"c\": {\n    \"d\": 1\n  },\n  \"e\": \"x\n}\n";
        assert_eq!(
            rescued(text),
            (vec!["b".to_owned(), "e".to_owned()], vec!["a".to_owned(), "c".to_owned()])
        );
        // A missing comma between them damages neither.
        assert_eq!(rescued("{\n  \"a\": 1\n  \"b\": 2\n}\n").0, Vec::<String>::new());
    }

    #[test]
    fn the_content_of_blocks_is_read_in_pieces() {
        let text = "{\n  \"locals\": {\n    \"b\": {\n      \"c\": 1 2,\n      \"d\": 1\n    },\n    \"e\": 2\n  },\n  \"f\": 3\n}\n";
        assert_eq!(rescued(text), (vec!["locals.b".to_owned()], vec!["locals".to_owned(), "f".to_owned()]));
        assert_eq!(rescued(&text.replace("locals", "a")), (vec!["a".to_owned()], vec!["f".to_owned()]));
        let unclosed = "{\n  \"locals\": {\n    \"b\": 1,\n  \"f\": 3\n}\n";
        assert_eq!(rescued(unclosed), (vec!["locals".to_owned()], vec!["locals".to_owned(), "f".to_owned()]));
    }

    #[test]
    fn an_object_without_its_colon_keeps_its_content() {
        let text =
            "{\n  \"module\": {\n    \"m\" {\n      \"source\": \"x\",\n      \"v\": 1\n    }\n  }\n}\n";
        let document = parse_json(&SourceFile::new(FileId::new("a.tf.json"), text));
        let tree = &document.tree;
        let content = |value| match tree.value(value) {
            Value::Object(list) => tree.properties(list),
            Value::Missing
            | Value::Null
            | Value::Bool(_)
            | Value::Number
            | Value::String(_)
            | Value::Array(_) => &[],
        };
        let [module] = content(document.root) else { panic!("no module") };
        let [call] = content(module.value) else { panic!("not one call") };
        assert_eq!((tree.name(call), content(call.value).len()), ("m", 2));
    }

    #[test]
    fn lines_inside_of_a_property_may_have_its_indentation() {
        let text = "{\n\"a\": {\n\"b\": 1,\n\"c\": 2\n},\n\"d\": 3,\n\"e\": \n}\n";
        assert_eq!(rescued(text), (vec!["e".to_owned()], vec!["a".to_owned(), "d".to_owned()]));
    }

    #[test]
    fn a_property_ends_before_lines_whose_header_is_missing() {
        // The header of `b` is missing: its content is no part of `a`.
        let text = "{\n  \"variable\": {\n    \"a\": {\n      \"x\": 1\n    },\n      \"y\": 2\n    },\n    \"c\": {}\n  }\n}\n";
        let document = parse_json(&SourceFile::new(FileId::new("a.tf.json"), text));
        let damage: Vec<(String, &str)> = document
            .damage
            .iter()
            .map(|damage| (damage.path.join("."), text.get(damage.span.range()).unwrap().trim()))
            .collect();
        assert_eq!(damage, [("variable".to_owned(), "\"y\": 2\n    },")]);
        // The header of a block type, at the start and behind another one.
        let (damage, known) = rescued("{\n    \"a\": {}\n  },\n  \"output\": {}\n}\n");
        assert_eq!((damage, known), (vec![String::new()], vec!["output".to_owned()]));
        let (damage, known) = rescued("{\n  \"locals\": {},\n    \"a\": {}\n  }\n}\n");
        assert_eq!((damage, known), (vec![String::new()], vec!["locals".to_owned()]));
        // A value that is no object.
        for value in ["{", "\\\"q\\\" z", "\\\\"] {
            let text =
                format!("{{\n  \"locals\": {{\n    \"a\": \"{value}\",\n      \"b\": 1\n    }}\n  }}\n}}\n");
            assert_eq!(rescued(&text).0, ["locals"], "{value}");
        }
    }

    #[test]
    fn brackets_close_lines_with_their_indentation() {
        let close =
            |text: &str| closing(text, Span::new(0, offset(text.len()))).map(|close| close as usize + 1);
        let all = |text: &str| assert_eq!(close(text), Some(text.len()), "{text}");
        all("{}");
        all("[{\n  \"a\": \"}\\\"}\"\n}]");
        all("{\n  \"a\": [\n}");
        all("{\n  \"a\": 1 }\n}");
        all("{\n  } \"a\": 1\n}");
        all("{\n    }\n}");
        assert_eq!(close("{\n  \"a\": 1\n"), None);
    }

    #[test]
    fn a_name_may_have_escapes() {
        assert!(is_property(r#""a\"b": 1"#) && is_property(r#""\"": 1"#) && is_property(r#""a\\" : 1"#));
        assert!(!is_property(r#""a\": 1"#) && !is_property(r#""": 1"#) && !is_property(r#""a" "b": 1"#));
        assert!(starts_property(r#""\"": 1"#) && starts_property(r#""a"#) && !starts_property(r#""""#));
        // The line starts a piece, so the error before it reaches no further.
        let text = "{\n  \"a\": [1,,\n  \"\\\"b\": 1,\n  \"c\": 2\n}\n";
        assert_eq!(rescued(text), (vec!["a".to_owned()], vec!["\"b".to_owned(), "c".to_owned()]));
    }

    #[test]
    fn text_that_is_no_property_has_no_name() {
        assert_eq!(rescued("{\n  \"a\": 1,\n  b: 2\n}\n"), (vec!["a".to_owned()], Vec::new()));
        assert_eq!(rescued("{ \"a\": 1, }"), (vec![String::new()], vec!["a".to_owned()]));
        // The brace may belong to the property.
        assert_eq!(rescued("{\n  \"a\": 1\n}\n}\n").0, ["a"]);
    }
}
