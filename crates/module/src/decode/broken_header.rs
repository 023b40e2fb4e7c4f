//! Finds the names that blocks with a wrong header may declare: a block of an unknown type, with a wrong number of labels, or with an
//! equals sign behind its type.

use std::sync::Arc;

use terrane_body::Body;
use terrane_source::Subject;
use terrane_syntax::json::{self, Value, ValueId};
use terrane_syntax::line::starts_comment;
use terrane_syntax::tree::{Attribute, Block};
use terrane_syntax::{Tree, is_part_of_name};

use crate::decode::block_type::{BLOCK_TYPES, BlockType, Declares};
use crate::decode::damaged_header::{damaged_header, kinds_below};
use crate::decode::meant_type::meant_types;
use crate::model::declaration_kind::{DeclarationKind, KindSet};
use crate::model::doubt::Doubt;
use crate::model::hidden::{Hidden, OnlyLabel};

/// Adds to `doubt` the names that the blocks of a file with wrong headers may declare, or may change in an override file.
pub(super) fn hide_names(body: &Body, is_override: bool, doubt: &mut Doubt) {
    let add = |doubt: &mut Doubt, hidden: Hidden| {
        doubt.hide_block(body.source().id(), hidden.in_file(is_override));
    };
    // A file may have a million blocks, so no list of them is made.
    if let Some((tree, root)) = body.as_json() {
        return names_in_json(tree, root).for_each(|hidden| add(doubt, hidden));
    }
    let Some((tree, id)) = body.as_native() else { return };
    // A damaged part has been read as unreadable text.
    let is_sound = |attribute: &&Attribute| {
        !doubt.touches(&Subject { file: Arc::clone(tree.source()), span: attribute.name })
    };
    let arguments: Vec<&Attribute> = tree.attributes(id).filter(is_sound).collect();
    let arguments = arguments.into_iter().map(|attribute| in_argument(tree, attribute));
    let blocks = tree.blocks(id).filter_map(|block| hidden(tree, block));
    blocks.chain(arguments).for_each(|hidden| add(doubt, hidden));
}

/// Returns the declarations that properties of a file in JSON syntax may have whose names resemble the types of blocks.
fn names_in_json(tree: &json::Tree, root: ValueId) -> impl Iterator<Item = Hidden> {
    let parts = if let Value::Array(elements) = tree.value(root) { tree.elements(elements) } else { &[] };
    let parts = parts.iter().copied().chain(parts.is_empty().then_some(root));
    let properties = parts.flat_map(|part| {
        if let Value::Object(properties) = tree.value(part) { tree.properties(properties) } else { &[] }
    });
    let unknown = properties.filter(|property| BlockType::named(tree.name(property)).is_none());
    unknown.filter_map(|property| {
        let kinds = kinds_of(&meant_types(tree.name(property)).collect::<Vec<_>>());
        let (hidden, text) =
            (Hidden::default().or_any(kinds), tree.source().slice(tree.property_span(property)));
        // An escape may be a part of a name.
        let names = if text.contains('\\') { hidden } else { hidden.named_in(text) };
        (!kinds.is_empty()).then_some(names)
    })
}

/// Returns the kinds of the declarations of some types.
fn kinds_of(types: &[&BlockType]) -> KindSet {
    types.iter().filter_map(|block_type| block_type.kinds()).flatten().copied().collect()
}

/// Returns the declarations that an argument outside of all blocks may be meant for: a block, if it has the name of a type or resembles one,
/// and otherwise a local value.
fn in_argument(tree: &Tree, attribute: &Attribute) -> Hidden {
    let (name, text) = (tree.name(attribute), tree.slice(tree.attribute_span(attribute)));
    match BlockType::named(name).and_then(BlockType::kinds) {
        Some(kinds) => Hidden::of(kinds.iter().copied()).named_in(text),
        None => in_broken_type(name, text)
            .unwrap_or_default()
            .and_all(vec![Hidden::of([DeclarationKind::Local]).named_in(name)]),
    }
}

/// Returns the declarations that an argument outside of all blocks with this text may be meant for, if its value begins with a brace and its
/// name resembles the type of a block.
pub(crate) fn in_broken_type(name: &str, text: &str) -> Option<Hidden> {
    let value = text.strip_prefix(name)?.trim_start().strip_prefix('=')?;
    let kinds =
        kinds_of(&meant_types(name).filter(|_| value.trim_start().starts_with('{')).collect::<Vec<_>>());
    (!kinds.is_empty()).then(|| Hidden::default().or_any(kinds).named_in(text))
}

/// Returns the declarations that a block may be meant for; `None` if its header is right or declares nothing.
fn hidden(tree: &Tree, block: &Block) -> Option<Hidden> {
    let labels = tree.labels(block).count();
    let Some(block_type) = BlockType::named(tree.block_type(block)) else {
        // A header alone has been read as unreadable text.
        if block.close_end == block.block_type.end {
            return None;
        }
        return Some(of_unknown_type(tree, block, labels));
    };
    if let Some(hidden) = without_a_label(tree, block) {
        return Some(hidden.or_header(damaged_header(header_line(tree, block))));
    }
    let is_wrong = labels != block_type.labels.len() && block_type.declares != Declares::Misplaced;
    let named = || Hidden::of(block_type.kinds().unwrap_or_default().iter().copied());
    let names = || written_names(tree, block, block_type.declares == Declares::Requirements);
    is_wrong.then(|| named().named_in(names()).or_header(damaged_header(header_line(tree, block))))
}

/// Returns the text from the header of a block to the end of its line.
fn header_line<'t>(tree: &'t Tree, block: &Block) -> &'t str {
    let behind = tree.source().text().get(block.block_type.start as usize..).unwrap_or_default();
    behind.lines().next().unwrap_or_default()
}

/// Returns the declarations that a block of an unknown type may be: of the types that its header resembles, or else of all types with as
/// many labels.
fn of_unknown_type(tree: &Tree, block: &Block, labels: usize) -> Hidden {
    let line = header_line(tree, block);
    let in_line = line.split_once('{').map_or("", |(_, rest)| rest);
    if in_line.starts_with(is_part_of_name) && in_line.contains('"') {
        // The brace has cut the type in two.
        return Hidden::default().or_any(kinds_of(&meant_types(line).collect::<Vec<_>>())).named_in(line);
    }
    let mut meant: Vec<&BlockType> = meant_types(tree.slice(tree.header_span(block))).collect();
    if meant.is_empty() {
        meant = BLOCK_TYPES.iter().filter(|meant| meant.labels.len() == labels).collect();
    }
    let (nameless, named): (Vec<&BlockType>, Vec<&BlockType>) =
        meant.into_iter().partition(|meant| meant.labels.len() > labels);
    let mut named = kinds_of(&named);
    named.add(kinds_below(line));
    let has_requirements = named.contains(DeclarationKind::Requirement);
    Hidden::default()
        .or_any(named)
        .named_in(written_names(tree, block, has_requirements))
        .or_any(kinds_of(&nameless))
        .or_header(damaged_header(line))
}

/// Returns the declarations that a block may be, if a label is missing in its header.
pub(crate) fn without_a_label(tree: &Tree, block: &Block) -> Option<Hidden> {
    let behind = tree.source().text().get(block.block_type.end as usize..).unwrap_or_default();
    labelled_behind(BlockType::named(tree.block_type(block))?, behind)
}

/// Returns the declarations that a block may be, if the header in the text behind its type has fewer words than the type has labels. One
/// word of two is the type or the name of a resource.
pub(crate) fn labelled_behind(block_type: &BlockType, text: &str) -> Option<Hidden> {
    let lines = header_lines(text);
    let header = written_header(lines);
    let mut words = header.split(|found: char| !is_part_of_name(found)).filter(|word| !word.is_empty());
    let first = words.next();
    let count = usize::from(first.is_some()) + words.count();
    let kinds = block_type.kinds()?.iter().copied();
    // A comment may have taken the label.
    let comment = lines.get(header.len()..).filter(|rest| rest.starts_with(['#', '/']) && rest.contains('"'));
    let is_whole = |word: &str| header.split_once(word).is_some_and(|(_, behind)| behind.starts_with('"'));
    (count < block_type.labels.len()).then(|| match first {
        None => match comment {
            Some(comment) => Hidden::of(kinds).named_in(comment),
            None => match label_below(text) {
                Some(line) => Hidden::of(kinds).named_in(line),
                None => Hidden::of(kinds),
            },
        },
        Some(word) => {
            let label = OnlyLabel { text: word.into(), is_whole: is_whole(word) };
            Hidden::default().or_labelled(kinds.collect(), label)
        }
    })
}

/// Returns the second line of a text, if it begins with the rest of a label whose opening quote ends the first line.
fn label_below(text: &str) -> Option<&str> {
    let mut lines = text.lines();
    let is_open = lines.next().is_some_and(|first| first.trim() == "\"");
    lines.next().filter(|line| is_open && line.starts_with(is_part_of_name) && line.contains('"'))
}

/// Returns the first line of a text, and the next line that is not empty if it begins with a quote, because an edit may have broken the
/// line in two.
fn header_lines(text: &str) -> &str {
    let first = text.lines().next().unwrap_or_default();
    let behind = text.get(first.len()..).unwrap_or_default();
    let second = behind.trim_start_matches(['\r', '\n']);
    let end = text.len() - second.len() + second.find('\n').unwrap_or(second.len());
    if second.starts_with('"') { text.get(..end).unwrap_or(first) } else { first }
}

/// Returns the part of a line before the body of its block or a comment: up to the first brace or comment outside of quotes, or up to
/// the first one at all if a quote is missing. A brace before a quote is too many, as no body begins with a quote, and so is the brace of
/// an opening sequence.
fn written_header(line: &str) -> &str {
    let is_end = |at: usize| {
        let (before, behind) = line.split_at_checked(at).unwrap_or_default();
        let body = behind.strip_prefix('{').filter(|_| !before.ends_with(['$', '%']));
        body.is_some_and(|body| !body.trim_start().starts_with('"')) || starts_comment(behind)
    };
    let mut is_quoted = false;
    let end = line.char_indices().find(|(at, found)| {
        is_quoted ^= *found == '"';
        !is_quoted && is_end(*at)
    });
    let end = end.or_else(|| line.char_indices().find(|(at, _)| is_quoted && is_end(*at)));
    end.and_then(|(end, _)| line.get(..end)).unwrap_or(line)
}

/// Returns the text with the names that a block has: its labels, and the names of its arguments and nested blocks. Requirements have
/// their names in a nested block.
fn written_names(tree: &Tree, block: &Block, has_requirements: bool) -> String {
    if has_requirements {
        return tree.slice(tree.block_span(block)).to_owned();
    }
    let mut names = tree.slice(tree.header_span(block)).to_owned();
    let arguments = tree.attributes(block.body).map(|attribute| tree.name(attribute));
    for name in arguments.chain(tree.blocks(block.body).map(|nested| tree.block_type(nested))) {
        names.push('\n');
        names.push_str(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_ends_at_the_brace_of_its_body() {
        assert_eq!(written_header(" \"a\" { b = {} }"), " \"a\" ");
        assert_eq!(written_header(" \"{\" \"b\" {"), " \"{\" \"b\" ");
        assert_eq!(written_header(" \"a { b = {} }"), " \"a ");
        assert_eq!(written_header(" \"a\""), " \"a\"");
        assert_eq!(written_header("{\"a\" { b = {} }"), "{\"a\" ");
        assert_eq!(written_header(" ${\"a\" {"), " ${\"a\" ");
    }

    #[test]
    fn a_header_may_be_broken_in_two_lines() {
        assert_eq!(header_lines(" <<E\r\n\"a\" {\nb"), " <<E\r\n\"a\" {");
        assert_eq!(header_lines(" <<E\n\"a\" {"), " <<E\n\"a\" {");
        assert_eq!((header_lines(" {\n  \"a\""), header_lines(""), header_lines("\na")), (" {", "", ""));
    }

    #[test]
    fn a_header_ends_at_a_comment() {
        for comment in ["# two words", "// two words", "/* two words */ {"] {
            assert_eq!(written_header(&format!(" \"a//#\" {comment}")), " \"a//#\" ");
            assert_eq!(written_header(&format!(" \"a {comment}")), " \"a ");
        }
    }
}
