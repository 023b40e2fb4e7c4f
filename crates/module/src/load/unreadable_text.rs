//! Finds the kinds of declarations that unreadable text may contain.
//!
//! A declaration begins with the name of its block type. A line that begins with another word, where a block may begin,
//! may be a broken block type: then the text may declare objects of any kind. If such a line is an argument, the header
//! of its block is missing, and with it the name of the object; the arguments of the body narrow its kinds.
//! All other names are in the text. A word alone declares nothing, because a block has labels or a brace after its type,
//! and neither does an indented line inside a block. An indented line outside a block shows that a header is missing.

use std::borrow::Cow;

use terrane_syntax::is_part_of_name;

use crate::decode::block_type::BlockType;
use crate::decode::schema;
use crate::model::hidden::{DeclarationKind, Hidden, KindSet};

/// Text that could not be read.
pub(super) struct UnreadableText<'t> {
    pub(super) text: &'t str,
    /// Whether its first line is the header of a block that was read.
    pub(super) has_header: bool,
    /// Whether the line of text before it is indented, so that the unreadable text begins inside a block.
    pub(super) follows_indented: bool,
}

impl UnreadableText<'_> {
    /// Returns the declarations that the text may contain.
    pub(super) fn declarations(&self) -> Hidden {
        // If no text is left, the rest of the file may be missing.
        if self.text.is_empty() {
            return Hidden::all();
        }
        let (mut found, mut nameless) = (KindSet::default(), KindSet::default());
        let mut is_in_block = self.follows_indented;
        let mut is_known = true;
        let text = without_block_comments(self.text);
        let mut rest = &*text;
        for (index, line) in text.lines().map(without_comment).enumerate() {
            let body = rest;
            rest = rest.split_once('\n').map_or("", |(_, behind)| behind);
            let is_indented = if index == 0 { self.follows_indented } else { line.starts_with([' ', '\t']) };
            is_in_block &= index == 0 || !line.starts_with('}');
            let content = line.trim_start_matches(|found: char| !is_part_of_name(found));
            let is_of_block = is_indented && is_in_block;
            let kinds = kinds_of(first_word(content));
            // Behind an opening bracket stands a part of a value, unless it is a block type.
            let before = line.strip_suffix(content).unwrap_or_default();
            let is_of_value = kinds.is_none() && before.contains(['{', '[', '(']);
            if !is_of_block && !is_of_value && !content.is_empty() && !is_lone_word(content) {
                is_in_block = true;
                if is_argument(content) && (kinds.is_none() || !is_header(content)) {
                    let Some(kinds) = kinds_of_body(body.lines()) else { return Hidden::all() };
                    nameless.add(kinds);
                    continue;
                }
                is_known &= kinds.is_some();
                let is_known_block = index == 0 && (self.has_header || is_reference(content));
                found.extend(kinds.unwrap_or_default().iter().copied().filter(|_| !is_known_block));
            }
            let behind = if is_indented || is_of_value {
                Some(content)
            } else {
                content.get(first_word(content).len()..)
            };
            found.add(headers(behind.unwrap_or_default()));
        }
        let hidden = match is_known {
            true => Hidden::default().or_any(found),
            false => Hidden::all(),
        };
        hidden.named_in(text).or_any(nameless)
    }
}

/// Whether a line begins with a name and an equals sign.
fn is_argument(line: &str) -> bool {
    let behind = line.get(first_word(line).len()..).unwrap_or_default().trim_start_matches([' ', '\t']);
    behind.starts_with('=') && !behind.starts_with("==") && !behind.starts_with("=>")
}

/// Returns the kinds of the declarations that a body without its header may have; `None` if its lines are not indented, so that nothing
/// tells where it ends. The arguments of variables, outputs and settings have their names, a module has a source, and only the type of
/// a variable is a type without quotes.
fn kinds_of_body<'t>(lines: impl Iterator<Item = &'t str>) -> Option<KindSet> {
    let mut lines = lines.map(without_comment).take_while(|line| !line.starts_with('}')).peekable();
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let least = indentation(lines.peek()?);
    let items: Vec<&str> = lines
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
        let item = items.iter().find(|item| first_word(item) == name && is_argument(item))?;
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
        Some("provider"),
    ];
    let meant = variable.into_iter().chain(others.into_iter().flatten().filter(|_| !is_variable));
    let kinds = meant.filter_map(kinds_of).flatten().copied().collect();
    (least > 0).then_some(kinds)
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
    let (mut blank, mut part) = (String::with_capacity(text.len()), Part::Code);
    let mut characters = text.chars().peekable();
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
    Cow::Owned(blank)
}

/// Returns the kinds of declarations of a block type; `None` for other words.
fn kinds_of(word: &str) -> Option<&'static [DeclarationKind]> {
    BlockType::named(word)?.kinds()
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

/// Returns a line up to a comment, or up to a character in a string that looks like one.
fn without_comment(line: &str) -> &str {
    let end = line.find('#').into_iter().chain(line.find("//")).min().unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// Whether a line has only a word that is no block type, without a label, a brace or a value after it.
fn is_lone_word(line: &str) -> bool {
    let word = first_word(line);
    let is_of_item = |found: char| is_part_of_name(found) || matches!(found, '"' | '{' | '=');
    kinds_of(word).is_none() && !line.chars().skip(word.chars().count()).any(is_of_item)
}

/// Whether a line begins with a name, a dot and another name.
fn is_reference(line: &str) -> bool {
    let behind = line.strip_prefix(first_word(line)).and_then(|behind| behind.strip_prefix('.'));
    behind.is_some_and(|behind| behind.starts_with(is_part_of_name))
}

fn first_word(text: &str) -> &str {
    text.split(|found: char| !is_part_of_name(found)).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::hidden::HiddenDeclarations;

    fn hidden(text: &UnreadableText<'_>) -> HiddenDeclarations {
        let mut hidden = HiddenDeclarations::default();
        hidden.add(text.declarations());
        hidden
    }

    fn declarations(text: &str) -> Vec<DeclarationKind> {
        hidden(&UnreadableText { text, has_header: false, follows_indented: false }).kinds().collect()
    }

    #[test]
    fn only_a_word_can_declare_something() {
        assert_eq!(declarations("}\n"), []);
        assert_eq!(declarations("} .)\n"), []);
        assert_eq!(declarations("} word"), []);
        assert_eq!(declarations("} word x"), DeclarationKind::ALL);
        assert_eq!(declarations(""), DeclarationKind::ALL);
        let of_default = [
            DeclarationKind::Variable,
            DeclarationKind::Local,
            DeclarationKind::Resource,
            DeclarationKind::Provider,
        ];
        for text in ["}\n  default = 1\n}", "word\n  default = 1\n}", "moved . {\n}\n  default = 1\n}"] {
            assert_eq!(declarations(text), of_default, "{text}");
        }
        assert_eq!(declarations("= module.net }\n"), []);
        assert_eq!(declarations("  { a = null, b = try(var.x, 1) } }\n"), []);
        assert_eq!(declarations("  { a = 1 } variable \"x\" {\n}\n"), [DeclarationKind::Variable]);
        assert_eq!(declarations("[output \"x\" {\n  value = 1\n}\n"), [DeclarationKind::Output]);
        assert_eq!(declarations("varia ble \"x\" }"), DeclarationKind::ALL);
    }

    #[test]
    fn names_are_in_the_text_unless_a_header_is_missing() {
        let declares = |text: &str| {
            let text = UnreadableText { text, has_header: false, follows_indented: false };
            hidden(&text).holds_named(DeclarationKind::Variable, ["zones"].into_iter())
        };
        assert!(declares("varia ble \"zones\" {") && declares("varia ble \"zon } es\" {"));
        assert!(!declares("varia ble \"region\" {") && !declares("variable \"region {"));
        assert!(declares("  default = 1\n}") && declares("") && declares("}\n  default = 1\n}"));
    }

    #[test]
    fn the_arguments_of_a_body_tell_the_kind_of_its_block() {
        use DeclarationKind::{Local, Module, Output, Provider, Requirement, Resource, Variable};
        assert_eq!(declarations("  type    = string\n  default = 1\n}\n"), [Variable]);
        assert_eq!(declarations("  type = \"A\"\n  default = 1\n}\n"), [Variable, Local, Resource, Provider]);
        assert_eq!(declarations("  type = string\n  name = 1\n}\n"), [Local, Resource, Provider]);
        let of_value = [Local, Output, Resource, Provider];
        assert_eq!(declarations("  value = {\n    a = 1\n  }\n  sensitive = true\n}\n"), of_value);
        assert_eq!(declarations("  source = \"./m\"\n  a = 1\n}\n"), [Local, Module, Resource, Provider]);
        let settings = "  required_version = \"1\"\n  required_providers {\n  }\n}\n";
        assert_eq!(declarations(settings), [Local, Resource, Provider, Requirement]);
        assert_eq!(declarations("a = 1\n}\n"), DeclarationKind::ALL);
    }

    #[test]
    fn an_argument_may_have_the_name_of_a_block_type() {
        for name in ["provider", "data", "output", "locals"] {
            let text = format!("  {name} = a.b\n  name = 1\n}}\n");
            assert!(declarations(&text).contains(&DeclarationKind::Resource), "{name}");
        }
        assert_eq!(declarations("variable = \"x\" {\n  default = 1\n}\n"), [DeclarationKind::Variable]);
    }

    #[test]
    fn block_comments_declare_nothing() {
        let text = "/**\n * variable \"x\" {\n */\n\n  name = 1\n}\n";
        assert!(declarations(text).contains(&DeclarationKind::Resource));
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
        let known = UnreadableText { text, has_header: true, follows_indented: false };
        assert!(hidden(&known).is_empty());
        let text = "ssword}@host:5432/app\"\n  sensitive = true\n}\n";
        let of_argument = UnreadableText { text, has_header: false, follows_indented: true };
        assert!(hidden(&of_argument).is_empty());
    }
}
