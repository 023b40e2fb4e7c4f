//! Finds the kinds of declarations that unreadable text may contain.
//!
//! A declaration begins with the name of its block type. A line that begins with another word, where a block may begin,
//! may be a broken block type: then the text may declare objects of any kind. If such a line is an argument, the header
//! of its block is missing, and with it the name of the object; the arguments of the body narrow its kinds.
//! All other names are in the text, unless a header has fewer labels than its type. A word alone declares nothing, unless a block type
//! begins with it, and neither does an indented line inside a block. An indented line outside a block shows that a header is missing.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use terrane_syntax::line::{
    bracket_depth, has_open_quote, indentation, opened_heredoc, outside_quotes, starts_argument,
    starts_comment, without_comment,
};
use terrane_syntax::{is_part_of_name, line};

use crate::decode::block_type::{BLOCK_TYPES, BlockType};
use crate::decode::broken_header::labelled_behind;
use crate::decode::damaged_header::{damaged_header, is_bare_brace, kinds_below};
use crate::decode::meant_type::{meant_types, parted_types};
use crate::decode::schema;
use crate::model::declaration_kind::{DeclarationKind, KindSet};
use crate::model::hidden::Hidden;
use crate::model::hidden::header_line::HeaderLines;

/// Text that could not be read.
pub(super) struct UnreadableText<'t> {
    pub(super) text: &'t str,
    /// Whether its first line is the header of a block that was read.
    pub(super) has_header: bool,
    /// Whether the line of text before it is indented, so that the unreadable text begins inside a block.
    pub(super) follows_indented: bool,
    /// Whether the line before it is the beginning of a header that a line break or a heredoc has cut in two.
    pub(super) follows_header: bool,
}

impl UnreadableText<'_> {
    /// Returns the declarations that the text may contain.
    pub(super) fn declarations(&self) -> Hidden {
        // If no text is left, the rest of the file may be missing.
        if self.text.is_empty() {
            return Hidden::all();
        }
        let names = without_block_comments(self.text);
        let text = without_heredocs(&names);
        let mut found = FoundDeclarations::new(self);
        let mut rest = &*text;
        let last_brace = text.lines().enumerate().filter(|(_, line)| line.starts_with('}')).last();
        let mut follows_comment = false;
        for (index, written) in text.lines().enumerate() {
            let body = rest;
            rest = rest.split_once('\n').map_or("", |(_, behind)| behind);
            let has_brace = last_brace.is_some_and(|(last, _)| last > index);
            let line = without_comment(written);
            if found.add_line(line, Behind { text: body, has_brace, follows_comment }) {
                return Hidden::all();
            }
            follows_comment = starts_comment(written) && written.trim_end().ends_with('{');
        }
        let FoundDeclarations { kinds, nameless, labelled, headers, is_known, .. } = found;
        let hidden = if is_known { Hidden::default().or_any(kinds) } else { Hidden::all() };
        hidden.named_in(names).or_any(nameless).or_headers(headers).and_all(labelled)
    }
}

/// The text from a line on.
#[derive(Clone, Copy)]
struct Behind<'l> {
    text: &'l str,
    /// Whether a later line begins with a closing brace.
    has_brace: bool,
    /// Whether the line before it is a comment that ends with a brace, and may have taken in a header.
    follows_comment: bool,
}

/// The declarations that the lines of an unreadable text may contain, so far.
struct FoundDeclarations<'u, 'l> {
    text: &'u UnreadableText<'u>,
    is_first: bool,
    /// The kinds of declarations whose names are in the text.
    kinds: KindSet,
    /// The kinds of declarations whose names may be missing.
    nameless: KindSet,
    /// The declarations without one of their labels.
    labelled: Vec<Hidden>,
    headers: HeaderLines,
    /// The lines that have been compared with headers.
    compared: HashSet<&'l str, RandomState>,
    is_in_block: bool,
    /// Whether the next line ends a header that a line break or a heredoc has cut in two.
    is_continued: bool,
    /// Whether the kinds of all declarations are known.
    is_known: bool,
}

impl<'u, 'l> FoundDeclarations<'u, 'l> {
    fn new(text: &'u UnreadableText<'u>) -> FoundDeclarations<'u, 'l> {
        FoundDeclarations {
            text,
            is_first: true,
            kinds: KindSet::default(),
            nameless: KindSet::default(),
            labelled: Vec::new(),
            headers: HeaderLines::default(),
            compared: HashSet::default(),
            is_in_block: text.follows_indented || text.follows_header,
            is_continued: text.follows_header,
            is_known: true,
        }
    }

    /// Adds the declarations of a line. Returns whether the text may contain any declarations.
    fn add_line(&mut self, line: &'l str, body: Behind<'_>) -> bool {
        let is_first = std::mem::take(&mut self.is_first);
        let is_indented = if is_first { self.text.follows_indented } else { line.starts_with([' ', '\t']) };
        self.is_in_block &= is_first || !line.starts_with('}');
        if std::mem::take(&mut self.is_continued) {
            self.kinds.add(headers(line));
            return false;
        }
        let content = line.trim_start_matches(|found: char| !is_part_of_name(found));
        let is_of_block = is_indented && self.is_in_block;
        let kinds = kinds_of(first_word(content));
        // Behind an opening bracket stands a part of a value, unless it is a block type.
        let before = line.strip_suffix(content).unwrap_or_default();
        let typeless = if is_of_block || self.text.has_header { None } else { typeless_kinds(line, before) };
        if !(is_of_block || is_first && self.text.has_header) && self.compared.insert(line) {
            self.kinds.add(kinds_below(line));
            damaged_header(line).into_iter().for_each(|line| self.headers.add(line));
        }
        let is_of_value = kinds.is_none() && typeless.is_none() && before.contains(['{', '[', '(']);
        if !is_of_block && is_bare_brace(line) {
            (self.is_in_block, self.is_continued) = (true, false);
            self.kinds.add(kinds_with_labels(0));
            let is_inside = |line: &&str| line.is_empty() || line.starts_with([' ', '\t']);
            self.nameless.add(kinds_of_body(body.text.lines().skip(1).take_while(is_inside)));
        } else if !is_of_block && !is_of_value && declares_nothing(content) {
            let kinds: KindSet = kinds_beginning_with(content.trim_end()).collect();
            // The lines below the beginning of a header are its body.
            self.is_in_block |= !kinds.is_empty() && !is_indented;
            self.nameless.add(kinds);
        } else if !is_of_block && !is_of_value && !content.is_empty() {
            self.is_in_block = true;
            let meant = kinds.map(|kinds| kinds.iter().copied().collect()).or(typeless);
            let meant = meant.or_else(|| meant_kinds(content));
            let is_of_type = if kinds.is_some() { is_header(content) } else { meant.is_some() };
            let starts_indented = body.text.starts_with([' ', '\t']);
            if starts_argument(content) && !is_of_type || starts_indented && meant.is_none() {
                if starts_indented {
                    self.add_body(body);
                }
                // The body of `locals = {` declares names.
                self.kinds.extend(kinds.into_iter().flatten().copied().filter(|_| !starts_indented));
                // Another argument without indentation is outside of blocks.
                return !starts_indented && kinds.is_none() && body.has_brace;
            }
            if typeless.is_some() && before.starts_with('{') && starts_argument(content) {
                self.nameless.add(kinds_of_body(std::iter::once(content)));
            }
            self.is_known &= meant.is_some();
            self.is_continued = meant.is_some() && is_cut_in_two(line);
            if !(is_first && (self.text.has_header || kinds.is_some() && is_reference(content))) {
                self.kinds.add(meant.unwrap_or_default());
                self.labelled.extend(without_a_label(body.text.get(before.len()..).unwrap_or_default()));
            }
        }
        let behind =
            if is_indented || is_of_value { Some(content) } else { content.get(first_word(content).len()..) };
        self.kinds.add(headers(behind.unwrap_or_default()));
        false
    }

    /// Adds the declarations of a body without its header. A body of local values has their names.
    fn add_body(&mut self, body: Behind<'_>) {
        let kinds = kinds_of_body(body.text.lines());
        let others = kinds.without(KindSet::from_iter([DeclarationKind::Local]));
        let nameless = if body.follows_comment { KindSet::default() } else { others };
        self.kinds.add(kinds.without(nameless));
        self.nameless.add(nameless);
    }
}

/// Returns the kinds of the declarations that a body without its header, whose lines are indented, may have. The arguments of variables,
/// outputs and settings have their names, a module has a source, and only the type of a variable is a type without quotes.
fn kinds_of_body<'t>(lines: impl Iterator<Item = &'t str>) -> KindSet {
    let mut lines = lines.map(without_comment).take_while(|line| !line.starts_with('}')).peekable();
    let least = lines.peek().map_or(0, |line| indentation(line));
    let outside = lines.scan(0, |depth, line| {
        let behind = outside_quotes(line).flat_map(str::chars).fold(*depth, bracket_depth);
        let before = std::mem::replace(depth, behind);
        Some(Some(line).filter(|_| before == 0))
    });
    let items: Vec<&str> = outside
        .flatten()
        .filter(|line| indentation(line) == least)
        .map(|line| line.trim_start_matches([' ', '\t']))
        .filter(|line| line.starts_with(is_part_of_name))
        .collect();
    let may_be = |block_type: &'static str| {
        let schema = schema::of_block(block_type);
        let is_part = |item: &&str| {
            let name = first_word(item);
            schema.is_some_and(|schema| schema.has_attribute(name) || schema.labels(name).is_some())
        };
        items.iter().all(is_part).then_some(block_type)
    };
    let value = |name: &str| {
        let item = items.iter().find(|item| first_word(item) == name && starts_argument(item))?;
        item.split_once('=').map(|(_, value)| value.trim())
    };
    let variable = may_be("variable");
    let is_variable = variable.is_some() && value("type").is_some_and(|value| !value.starts_with('"'));
    let others = [
        may_be("output").filter(|_| value("value").is_some()),
        may_be("terraform"),
        value("source").map(|_| "module"),
        Some("locals"),
        Some("resource"),
        Some("data"),
        Some("ephemeral"),
        Some("action"),
        Some("provider"),
    ];
    let meant = variable.into_iter().chain(others.into_iter().flatten().filter(|_| !is_variable));
    meant.filter_map(kinds_of).flatten().copied().collect()
}

/// Whether a line with an equals sign behind a block type is nevertheless a header: labels and a brace follow.
fn is_header(line: &str) -> bool {
    let value = line.split_once('=').map(|(_, behind)| behind.trim_start()).unwrap_or_default();
    value.starts_with('"') && line.trim_end().ends_with('{')
}

/// The part of a text that a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    String,
    LineComment,
    BlockComment,
}

/// Returns the text with its block comments, which do not begin in strings or in other comments, as white space.
fn without_block_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    // The part behind the last `/*`, which is no comment if nothing closes it, is left as it is.
    let (commented, open) = match text.rfind("*/") {
        Some(close) => text.split_at_checked(close + 2).unwrap_or_default(),
        None => return Cow::Borrowed(text),
    };
    let (mut blank, mut part) = (String::with_capacity(text.len()), Part::Code);
    let mut characters = commented.chars().peekable();
    while let Some(found) = characters.next() {
        let next = characters.peek().copied();
        let (behind, is_pair) = match (part, found, next) {
            (Part::Code, '/', Some('*')) => (Part::BlockComment, true),
            (Part::BlockComment, '*', Some('/')) => (Part::Code, true),
            (Part::String, '\\', Some('"' | '\\')) => (Part::String, true),
            (Part::Code, '#', _) | (Part::Code, '/', Some('/')) => (Part::LineComment, false),
            (Part::Code, '"', _) => (Part::String, false),
            (Part::String, '"', _) | (Part::String | Part::LineComment, '\n', _) => (Part::Code, false),
            (Part::Code | Part::String | Part::LineComment | Part::BlockComment, _, _) => (part, false),
        };
        let is_blank = part == Part::BlockComment || behind == Part::BlockComment;
        let second = if is_pair { characters.next() } else { None };
        for found in [Some(found), second].into_iter().flatten() {
            blank.push(if is_blank && found != '\n' { ' ' } else { found });
        }
        part = behind;
    }
    blank.push_str(open);
    Cow::Owned(blank)
}

/// Returns the text with the lines of its closed heredocs, except for the first ones, as empty lines. A heredoc is not closed if the next
/// one with its marker opens before that marker.
fn without_heredocs(text: &str) -> Cow<'_, str> {
    if !text.contains("<<") {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut markers, mut ends) = (HashMap::new(), HashMap::new());
    for (index, line) in lines.iter().enumerate().rev() {
        match opened_heredoc(line) {
            Some(marker) => ends.extend(markers.remove(marker).map(|end: usize| (index, end))),
            None => drop(markers.insert(line.trim(), index)),
        }
    }
    let (mut kept, mut open_until) = (String::with_capacity(text.len()), None);
    for (index, line) in lines.into_iter().enumerate() {
        let is_inside = open_until.is_some_and(|end| index <= end);
        kept.push_str(if is_inside { "\n" } else { line });
        open_until = if is_inside { open_until } else { ends.get(&index).copied() };
    }
    Cow::Owned(kept)
}

/// Returns the kinds of declarations of a block type; `None` for other words.
fn kinds_of(word: &str) -> Option<&'static [DeclarationKind]> {
    BlockType::named(word)?.kinds()
}

/// Returns the kinds of declarations of a header without its type, which begins with a label or a brace: of the types with as many labels.
/// `None` for other lines.
fn typeless_kinds(line: &str, before: &str) -> Option<KindSet> {
    if !matches!(before.trim_end(), "{" | "\"") || !line.contains('{') {
        return None;
    }
    let content = line.strip_prefix(before).unwrap_or_default();
    let labels = content.split('{').next().unwrap_or_default().matches('"').count().div_ceil(2);
    Some(kinds_with_labels(labels)).filter(|kinds| !kinds.is_empty())
}

/// Returns the kinds of declarations of the types with this number of labels.
fn kinds_with_labels(labels: usize) -> KindSet {
    let types = BLOCK_TYPES.iter().filter(|block_type| block_type.labels.len() == labels);
    types.filter_map(BlockType::kinds).flatten().copied().collect()
}

/// Whether the line before a byte is the beginning of a header whose rest is on the next line.
pub(super) fn is_behind_cut_header(text: &str, at: u32) -> bool {
    lines_before(text, at).next().is_some_and(starts_cut_header)
}

/// Whether the two lines before a byte are a header that is cut in two.
pub(super) fn is_behind_both_parts(text: &str, at: u32) -> bool {
    let mut lines = lines_before(text, at);
    let ends = |line: &str| line.trim_end().ends_with('{') && has_open_quote(line);
    lines.next().is_some_and(ends) && lines.next().is_some_and(starts_cut_header)
}

/// Returns the lines above that of a byte, the nearest first.
fn lines_before(text: &str, at: u32) -> impl Iterator<Item = &str> {
    text.get(..at as usize).unwrap_or_default().rsplit('\n').skip(1)
}

fn starts_cut_header(line: &str) -> bool {
    kinds_of(first_word(line)).is_some() && is_cut_in_two(line)
}

/// Whether the rest of a header is on the next line: a label has no end, or a heredoc opens.
fn is_cut_in_two(line: &str) -> bool {
    !line.contains('{') && (has_open_quote(line) || opened_heredoc(line).is_some())
}

/// Returns the kinds of declarations of a header whose type is broken; `None` for lines that resemble no header.
fn meant_kinds(line: &str) -> Option<KindSet> {
    // A brace before a letter may have cut the type in two.
    let is_end =
        |(at, _): &(usize, &str)| !line.get(at + 1..).is_some_and(|rest| rest.starts_with(is_part_of_name));
    let end = line.match_indices('{').find(is_end).map_or(line.len(), |(at, _)| at);
    let header = line.get(..end).unwrap_or_default();
    let types: Vec<&BlockType> = match starts_argument(line) {
        true => parted_types(header).collect(),
        false => meant_types(header).collect(),
    };
    let kinds = types.iter().filter_map(|meant| meant.kinds()).flatten().copied();
    (!types.is_empty()).then(|| kinds.collect())
}

/// Returns the declarations that the header at the start of a text may have, if it lacks a label; `None` for other lines.
fn without_a_label(text: &str) -> Option<Hidden> {
    let word = first_word(text);
    let behind = text.get(word.len()..)?;
    // A dot follows the first word of a reference.
    if behind.starts_with('.') {
        return None;
    }
    labelled_behind(BlockType::named(word)?, behind)
}

/// Returns the kinds of declarations of the block types that begin with a word, unless it is empty.
fn kinds_beginning_with(word: &str) -> impl Iterator<Item = DeclarationKind> {
    let types =
        BLOCK_TYPES.iter().filter(move |block_type| block_type.name.starts_with(word) && !word.is_empty());
    types.filter_map(BlockType::kinds).flatten().copied()
}

/// Returns the kinds of the block headers in a line: a block type followed by a quote or a brace.
fn headers(line: &str) -> KindSet {
    let mut found = KindSet::default();
    let mut rest = line;
    while !rest.is_empty() {
        let word = first_word(rest);
        let (_, behind) = rest.split_at(word.len());
        if behind.trim_start_matches([' ', '\t']).starts_with(['"', '{']) {
            found.extend(kinds_of(word).unwrap_or_default().iter().copied());
        }
        rest = behind.trim_start_matches(|found: char| !is_part_of_name(found));
    }
    found
}

/// Whether a line has no label, no brace and no value, and does not begin with a block type.
fn declares_nothing(line: &str) -> bool {
    kinds_of(first_word(line)).is_none() && !line.contains(['"', '{', '='])
}

/// Whether a line begins with a name, a dot and another name.
fn is_reference(line: &str) -> bool {
    let behind = line.strip_prefix(first_word(line)).and_then(|behind| behind.strip_prefix('.'));
    behind.is_some_and(|behind| behind.starts_with(is_part_of_name))
}

/// Returns the word with which a text begins.
fn first_word(text: &str) -> &str {
    line::first_word(text).0
}

#[cfg(test)]
mod tests {
    use terrane_config::address::ResourceMode;

    use super::*;
    use crate::model::hidden::HiddenDeclarations;

    fn hidden(text: &UnreadableText<'_>) -> HiddenDeclarations {
        let mut hidden = HiddenDeclarations::default();
        hidden.add(text.declarations());
        hidden
    }

    const MANAGED: DeclarationKind = DeclarationKind::Resource(ResourceMode::Managed);

    /// These kinds and all resources.
    fn with_resources(kinds: &[DeclarationKind]) -> Vec<DeclarationKind> {
        let is_resource = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Resource(_));
        DeclarationKind::ALL.into_iter().filter(|kind| is_resource(kind) || kinds.contains(kind)).collect()
    }

    fn declarations(text: &str) -> Vec<DeclarationKind> {
        hidden(&UnreadableText { text, has_header: false, follows_indented: false, follows_header: false })
            .kinds()
            .collect()
    }

    #[test]
    fn only_a_word_can_declare_something() {
        assert_eq!(declarations("}\n"), []);
        assert_eq!(declarations("} .)\n"), []);
        assert_eq!(declarations("} word"), []);
        assert_eq!(declarations("} word x"), []);
        let with_two_labels: Vec<_> = with_resources(&[]);
        assert_eq!(declarations("\"x\" \"y\" {\n  a = 1\n}"), with_two_labels);
        let of_body = with_resources(&[
            DeclarationKind::Local,
            DeclarationKind::Provider,
            DeclarationKind::Requirement,
        ]);
        for text in ["{ a = 1 }", "{\n  a = 1\n}", "\" {\n  a = 1\n}", " {\n  a = 1\n}"] {
            assert_eq!(declarations(text), of_body, "{text}");
        }
        for text in ["output \"a<<EOT\nb\" {\n  value = 1\n}", "output \"a\nb\" {\n  value = 1\n}"] {
            assert_eq!(declarations(text), [DeclarationKind::Output], "{text}");
        }
        assert_eq!(declarations(""), DeclarationKind::ALL);
        let of_default =
            with_resources(&[DeclarationKind::Variable, DeclarationKind::Local, DeclarationKind::Provider]);
        for text in ["}\n  default = 1\n}", "word\n  default = 1\n}", "moved . {\n}\n  default = 1\n}"] {
            assert_eq!(declarations(text), of_default, "{text}");
        }
        assert_eq!(declarations("= module.net }\n"), []);
        assert_eq!(declarations("  { a = null, b = try(var.x, 1) } }\n"), []);
        assert_eq!(declarations("  { a = 1 } variable \"x\" {\n}\n"), [DeclarationKind::Variable]);
        assert_eq!(declarations("[output \"x\" {\n  value = 1\n}\n"), [DeclarationKind::Output]);
        assert_eq!(declarations("foo bar \"x\" }"), DeclarationKind::ALL);
        for text in
            ["varia ble \"x\" }", "varia \"x\" {\n}", "varia=ble \"x\" {\n}", "varia\n  default = 1\n}"]
        {
            assert_eq!(declarations(text), [DeclarationKind::Variable], "{text}");
        }
    }

    #[test]
    fn names_are_in_the_text_unless_a_header_is_missing() {
        let declares = |text: &str| {
            let text =
                UnreadableText { text, has_header: false, follows_indented: false, follows_header: false };
            hidden(&text).holds_named(DeclarationKind::Variable, ["zones"].into_iter())
        };
        assert!(declares("varia ble \"zones\" {") && declares("varia ble \"zon } es\" {"));
        assert!(!declares("varia ble \"region\" {") && !declares("variable \"region {"));
        assert!(declares("  default = 1\n}") && declares("") && declares("}\n  default = 1\n}"));
    }

    #[test]
    fn the_arguments_of_a_body_tell_the_kind_of_its_block() {
        use DeclarationKind::{Local, Module, Output, Provider, Requirement, Variable};
        assert_eq!(declarations("  type    = string\n  default = 1\n}\n"), [Variable]);
        assert_eq!(
            declarations("  type = \"A\"\n  default = 1\n}\n"),
            with_resources(&[Variable, Local, Provider])
        );
        assert_eq!(declarations("  type = string\n  name = 1\n}\n"), with_resources(&[Local, Provider]));
        let of_value = with_resources(&[Local, Output, Provider]);
        assert_eq!(declarations("  value = {\n    a = 1\n  }\n  sensitive = true\n}\n"), of_value);
        assert_eq!(
            declarations("  source = \"./m\"\n  a = 1\n}\n"),
            with_resources(&[Local, Module, Provider])
        );
        let settings = "  required_version = \"1\"\n  required_providers {\n  }\n}\n";
        assert_eq!(declarations(settings), with_resources(&[Local, Provider, Requirement]));
        assert_eq!(declarations("a = 1\n}\n"), DeclarationKind::ALL);
        assert_eq!(declarations("}\n  statement {\n    a = 1\n  }\n}\n"), with_resources(&[Local, Provider]));
    }

    #[test]
    fn heredocs_and_values_of_several_lines_are_no_arguments_of_a_body() {
        use DeclarationKind::{Local, Output, Provider, Variable};
        let heredoc = "  type = any\n  description = <<-EOT\n    x\n  y = 1\n  EOT\n}\n";
        assert_eq!(declarations(heredoc), [Variable]);
        assert_eq!(declarations("  type = object({\n  a = string\n  })\n}\n"), [Variable]);
        let value = "  description = \"(\"\n  value = 1\n}\n";
        assert_eq!(declarations(value), with_resources(&[Local, Output, Provider]));
        for text in ["a <<X\nb\nX\nc", "a <<-X-1\r\nb\r\n X-1\r\nc", "<<A\na = <<X\nb\nX\nc"] {
            let kept = without_heredocs(text);
            assert!(kept.contains('a') && !kept.contains('b') && kept.ends_with("\nc"), "{kept:?}");
        }
        assert_eq!(without_heredocs("a <<X\nb\nc"), "a <<X\nb\nc");
        assert_eq!(without_heredocs("<<X\na\nb <<X\nX\n"), "<<X\na\nb <<X\n\n");
    }

    #[test]
    fn a_header_without_a_label_may_have_any_name() {
        let declares = |text: &str, kind, name: &'static str| {
            let text =
                UnreadableText { text, has_header: false, follows_indented: false, follows_header: false };
            hidden(&text).holds_named(kind, [name, "x"].into_iter())
        };
        for text in ["variable", "var", "variable {\n  default = 1", "}\nvar\n"] {
            assert!(declares(text, DeclarationKind::Variable, "zones"), "{text}");
            assert!(!declares(text, DeclarationKind::Output, "zones"), "{text}");
        }
        assert!(!declares("vor", DeclarationKind::Variable, "zones"));
        assert!(!declares("\nmodule.\n", DeclarationKind::Module, "zones"));
        assert!(declares("resource \"a_b\"", MANAGED, "a_b") && !declares("resource \"a_b\"", MANAGED, "c"));
    }

    #[test]
    fn an_argument_outside_of_blocks_declares_nothing() {
        for text in ["a = foo(\n", "a = [", "a = <<EOT\n"] {
            assert_eq!(declarations(text), [], "{text}");
        }
    }

    #[test]
    fn an_argument_may_have_the_name_of_a_block_type() {
        for name in ["provider", "data", "output", "locals"] {
            let text = format!("  {name} = a.b\n  name = 1\n}}\n");
            assert!(declarations(&text).contains(&MANAGED), "{name}");
        }
        assert_eq!(declarations("variable = \"x\" {\n  default = 1\n}\n"), [DeclarationKind::Variable]);
    }

    #[test]
    fn block_comments_declare_nothing() {
        let text = "/**\n * variable \"x\" {\n */\n\n  name = 1\n}\n";
        assert!(declarations(text).contains(&MANAGED));
        assert_eq!(declarations("/*\nvariable \"x\" {\n*/\n}\n"), []);
        assert_eq!(declarations("}\n# \"/*\"\nvariable \"x\" {\n"), [DeclarationKind::Variable]);
        assert_eq!(without_block_comments("a \"/*\" /* é\n */ b"), "a \"/*\"     \n    b");
        for text in ["# conf/*.json \"\na", "//******\na", "\"\\\" /* \\\\\" # /*\na"] {
            assert_eq!(without_block_comments(text), text);
        }
        assert_eq!(without_block_comments("/* # */ a // /*\n/**/ b"), "        a // /*\n     b");
    }

    #[test]
    fn a_block_type_declares_its_kind() {
        let text = "output \"o {\n  value = module.m.x\n  nested {\n  }\n}\n";
        assert_eq!(declarations(text), [DeclarationKind::Output]);
        assert_eq!(declarations("}locals {\n  a = 1\n}"), [DeclarationKind::Local]);
        let kinds = [DeclarationKind::Variable, DeclarationKind::Module];
        assert_eq!(declarations("module . {\n variable \"v\" {\n }\n}"), kinds);
        let text = "output \"o\"\n  value = 1\n}";
        let behind = UnreadableText {
            text: "\" {\n  a = 1\n}",
            has_header: false,
            follows_indented: false,
            follows_header: true,
        };
        assert!(hidden(&behind).is_empty());
        assert!(
            is_behind_cut_header("output \"a\n\" {", 10) && !is_behind_cut_header("output \"a\"\n\" {", 11)
        );
        let known = UnreadableText { text, has_header: true, follows_indented: false, follows_header: false };
        assert!(hidden(&known).is_empty());
        let text = "ssword}@host:5432/app\"\n  sensitive = true\n}\n";
        let of_argument =
            UnreadableText { text, has_header: false, follows_indented: true, follows_header: false };
        assert!(hidden(&of_argument).is_empty());
    }
}
