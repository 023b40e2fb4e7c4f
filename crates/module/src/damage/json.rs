//! Finds the declarations of a JSON file that its syntax errors put in doubt, like `native` for native syntax.

use std::sync::Arc;

use terrane_body::Body;
use terrane_source::{SourceFile, Span};
use terrane_syntax::tree::Damage;
use terrane_syntax::{is_part_of_name, json};
use terrane_value::SmolStr;

use crate::damage::native::{is_contained, kinds_of_items, objects_of};
use crate::decode::block_type::BlockType;
use crate::decode::meant_type::meant_types;
use crate::decode::schema::label_count;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::doubt::Doubt;
use crate::model::hidden::Hidden;

/// Returns the damage of a file. Damage outside all blocks, whose type nothing tells, may hide blocks.
pub(crate) fn of_file(source: &SourceFile, damage: &[json::Damage]) -> Vec<Damage> {
    let part = |damage: &json::Damage| Damage {
        span: damage.span,
        block: None,
        argument: None,
        hides: InBlock::of(damage).is_none()
            && kinds(damage).is_none()
            && meant_kinds(source, damage).is_none(),
    };
    damage.iter().map(part).collect()
}

/// Puts the blocks with damaged parts in doubt, and names that damaged parts outside of blocks may declare.
pub(crate) fn of_blocks(body: &Body, damage: &[json::Damage], is_override: bool, doubt: &mut Doubt) {
    let source = body.source();
    let mut places = Vec::new();
    // The names around the part before. Many parts may be in one object, and the names as long as a file may be.
    let mut around: Option<&[Arc<str>]> = None;
    for part in damage {
        match (InBlock::of(part), kinds(part)) {
            (Some(block), _) => {
                if !block.is_contained()
                    && around.replace(block.path).is_none_or(|before| !are_same(before, block.path))
                {
                    block.add_to(is_override, doubt);
                    // As in native syntax, the part may be any argument of the block.
                    places.extend(block_around(body, part, block.path.len()));
                }
            }
            (None, Some(kinds)) => {
                // The blocks in the object around the part may have been read without it. The object itself may look empty.
                let object = block_around(body, part, part.path.len());
                places.extend(object.map(|object| Span::empty(object.start)));
                let hidden = || Hidden::of(kinds.iter().copied()).in_file(is_override);
                let Some((own, names)) = part.path.split_last().filter(|_| part.is_named) else {
                    doubt.hide(hidden());
                    continue;
                };
                if around.replace(names).is_none_or(|before| !are_same(before, names)) {
                    doubt.hide(hidden().named_in(names.join(" ")));
                }
                doubt.hide(hidden().named_in(format!("{own}\n{}", source.slice(part.span))));
            }
            (None, None) => {
                let kinds = meant_kinds(source, part);
                let hidden = kinds.map(|kinds| Hidden::of(kinds).named_in(source.slice(part.span)));
                hidden.into_iter().for_each(|hidden| doubt.hide(hidden.in_file(is_override)));
            }
        }
    }
    doubt.add_places(source.id(), places);
}

/// Whether two paths lead to the same object. The parts of an object share its names, which are not compared byte by byte.
fn are_same(one: &[Arc<str>], other: &[Arc<str>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| Arc::ptr_eq(one, other))
}

/// Returns the object around a part whose place has this number of names around it.
fn block_around(body: &Body, part: &json::Damage, names: usize) -> Option<Span> {
    let (tree, mut value) = body.as_json()?;
    let start = part.span.start;
    let element = |value| {
        let json::Value::Array(elements) = tree.value(value) else { return value };
        let elements = tree.elements(elements);
        let before = elements.partition_point(|element| tree.span(*element).start <= start);
        before.checked_sub(1).and_then(|last| elements.get(last)).copied().unwrap_or(value)
    };
    for _ in 0..names {
        let json::Value::Object(properties) = tree.value(element(value)) else { return None };
        let properties = tree.properties(properties);
        let before = properties.partition_point(|property| property.name_span.start <= start);
        value = properties.get(before.checked_sub(1)?)?.value;
    }
    Some(tree.span(element(value))).filter(|span| span.contains(start))
}

/// Returns the kinds of the declarations that a part outside of all blocks may have, if its first line is a broken name that resembles a
/// block type, with the opening brace of its blocks.
fn meant_kinds(source: &SourceFile, damage: &json::Damage) -> Option<Vec<DeclarationKind>> {
    let line = source.slice(damage.span).trim_start().lines().next()?;
    let name = line.trim_start_matches(|found| !is_part_of_name(found)).split([':', '{']).next()?;
    let is_block = damage.path.is_empty() && line.trim_end().ends_with('{');
    let mut types = meant_types(name).filter(|_| is_block).peekable();
    types.peek()?;
    Some(types.filter_map(BlockType::kinds).flatten().copied().collect())
}

/// Returns the kinds of the declarations that a part outside of blocks may have; `None` if nothing tells the type of its blocks.
fn kinds(damage: &json::Damage) -> Option<&'static [DeclarationKind]> {
    BlockType::named(damage.path.first()?)?.kinds()
}

/// A damaged part inside a block.
struct InBlock<'d> {
    block_type: &'d str,
    /// The names that lead to the block: its type and its labels.
    path: &'d [Arc<str>],
    labels: Vec<SmolStr>,
    /// The argument, if only its value is damaged. The tree has no value for it.
    argument: Option<&'d str>,
}

impl InBlock<'_> {
    fn of(damage: &json::Damage) -> Option<InBlock<'_>> {
        let (block_type, rest) = damage.path.split_first()?;
        let (labels, within) = rest.split_at_checked(label_count(block_type, None)?)?;
        if within.is_empty() && damage.is_named {
            return None;
        }
        let argument = match within {
            [name] if damage.is_named && label_count(name, Some(block_type)).is_none() => Some(&**name),
            _ => None,
        };
        let path = damage.path.get(..=labels.len())?;
        let labels = labels.iter().map(|label| SmolStr::from(Arc::clone(label))).collect();
        Some(InBlock { block_type, path, labels, argument })
    }

    /// Whether the rest of the block does not depend on the part.
    fn is_contained(&self) -> bool {
        self.argument.is_some_and(|argument| is_contained(self.block_type, argument))
    }

    fn add_to(&self, is_override: bool, doubt: &mut Doubt) {
        let kinds = kinds_of_items(self.block_type);
        let kinds = kinds.map(|kinds| Hidden::of(kinds.iter().copied()).in_file(is_override));
        kinds.into_iter().for_each(|hidden| doubt.hide(hidden));
        match objects_of(self.block_type, &self.labels) {
            Some(objects) => objects.into_iter().for_each(|object| doubt.add(object, is_override)),
            None => doubt.hide(Hidden::all().in_file(is_override)),
        }
    }
}
