//! The differences between the recorded and the planned objects of a plan: attributes and blocks.

use std::collections::{BTreeMap, BTreeSet};

use terrane_body::{Body, Nesting, Schema, SchemaAttribute, SchemaBlock};
use terrane_module::sameness::{Comparisons, Extra, Sameness};
use terrane_source::sorted_map;
use terrane_value::{SmolStr, Type, Value, ValueKind};

use super::super::resources::PlannedResource;
use super::super::written_blocks::WrittenBlocks;
use super::comparer::{Comparer, RecordedMarks, ValueSchema, names, presence};
use super::difference::{Action, Kind, NestedBlock, Side, ValueDifference};
use super::sequences::{ElementPair, by_position, pairs, set_pairs};

/// The attributes and block types of an object: all in its schema or, without a schema, all in its block.
#[derive(Clone, Copy)]
struct BlockShape<'p> {
    schema: Option<&'p Schema>,
    written: Option<&'p WrittenBlocks>,
}

/// The blocks of a type, or one block, before and after.
#[derive(Clone, Copy)]
struct BlockSides<'v> {
    before: Side<'v>,
    after: Side<'v>,
}

/// A block type.
#[derive(Clone, Copy)]
struct BlockType<'p> {
    collection: Collection,
    shape: BlockShape<'p>,
}

/// The collection of the blocks of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Collection {
    Of(Nesting),
    /// Unknown, because there is no schema.
    Unknown,
}

impl<'p> BlockShape<'p> {
    fn block_types(self) -> BTreeMap<SmolStr, BlockType<'p>> {
        if let Some(schema) = self.schema {
            let row = |(name, block): (&SmolStr, &'p SchemaBlock)| {
                let shape = BlockShape { schema: Some(&block.schema), written: None };
                (name.clone(), BlockType { collection: Collection::Of(block.nesting), shape })
            };
            return sorted_map(schema.blocks().iter().map(row));
        }
        let types = self.written.into_iter().flat_map(WrittenBlocks::types);
        let row = |(name, inner): (&SmolStr, &'p WrittenBlocks)| {
            let shape = BlockShape { schema: None, written: Some(inner) };
            (name.clone(), BlockType { collection: Collection::Unknown, shape })
        };
        sorted_map(types.map(row))
    }

    fn attribute(self, name: &str) -> Option<&'p SchemaAttribute> {
        self.schema?.attributes().get(name)
    }
}

/// Whether a schema has types or block collections that providers of the old kind do not have.
fn has_new_types(schema: &Schema) -> bool {
    let is_new_collection = |block: &SchemaBlock| matches!(block.nesting, Nesting::Map | Nesting::Group);
    let is_new_type = |ty: &Type| match ty {
        Type::Tuple(_) | Type::Object(_) => true,
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            element.is_collection() && element.element().is_some_and(|inner| !inner.is_primitive())
        }
        Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
    };
    let is_new = |attribute: &SchemaAttribute| {
        attribute.nested_attributes().is_some() || attribute.ty.has_dynamic() || is_new_type(&attribute.ty)
    };
    schema.blocks().values().any(is_new_collection) || schema.attributes().values().any(is_new)
}

/// The differences of the parts of a body that were compared so far.
struct BodyDifferences {
    attributes: Vec<(SmolStr, ValueDifference)>,
    blocks: Vec<NestedBlock>,
    action: Action,
}

/// Compares objects.
#[derive(Clone, Copy)]
pub(super) struct ObjectComparer<'b, 's> {
    comparer: Comparer<'b>,
    /// Without a schema: decides whether a provider has only written an equal value in another form.
    sameness: Option<Sameness<'s>>,
}

impl<'b> ObjectComparer<'b, '_> {
    pub(super) fn new(comparer: Comparer<'b>) -> ObjectComparer<'b, 'static> {
        ObjectComparer { comparer, sameness: None }
    }

    /// Returns the difference of the resource instance at `address`. Without a schema, an attribute of the state that is not
    /// configured stays, and so does an attribute that the provider writes in another form.
    pub(super) fn resource(
        self,
        resource: &PlannedResource<'_>,
        address: &str,
        left: &Comparisons,
    ) -> ValueDifference {
        let sameness = Sameness { address, is_ordered: false, is_planned: false, left };
        let own = ObjectComparer { sameness: Some(sameness).filter(|_| resource.schema.is_none()), ..self };
        let shape = BlockShape { schema: resource.schema, written: resource.written.as_deref() };
        let replacing = resource.replacing();
        let (before, after) = (resource.recorded(), resource.planned());
        let before = Side::implicit(before).covered_by(resource.before());
        let after = Side::implicit(Some(after)).covered_by(Some(&resource.value));
        let mut difference = own.with_marks(shape).bodies(before, after, shape);
        if let Kind::Body(attributes, _) = &mut difference.kind {
            for (_, attribute) in attributes.iter_mut().filter(|(name, _)| replacing == Some(name.as_str())) {
                attribute.replaces = matches!(attribute.kind, Kind::Unknown(_) | Kind::Sensitive);
            }
        }
        difference
    }

    /// Returns the difference of an object of the state without an instance.
    pub(super) fn recorded(
        self,
        before: &Value,
        after: Option<&Value>,
        schema: Option<&Schema>,
        config: Option<&Body>,
    ) -> ValueDifference {
        let written = config.and_then(WrittenBlocks::of);
        let shape = BlockShape { schema, written: written.as_ref() };
        self.with_marks(shape).bodies(Side::implicit(Some(before)), Side::implicit(after), shape)
    }

    /// Sets the comparison of sensitivity: only a schema tells who has marked a value.
    fn with_marks(self, shape: BlockShape<'_>) -> Self {
        let marks = if shape.schema.is_some() { RecordedMarks::All } else { RecordedMarks::OfProvider };
        let empty_is_null = shape.schema.is_some();
        ObjectComparer { comparer: Comparer { marks, empty_is_null, ..self.comparer }, ..self }
    }

    /// Returns the difference of two bodies. The depth of schemas and values bounds the recursion.
    fn bodies(self, before: Side<'_>, after: Side<'_>, shape: BlockShape<'_>) -> ValueDifference {
        if !self.comparer.budget.take_part() {
            return ValueDifference::none();
        }
        self.comparer.with_sensitivity(before, after, |comparer, before, after| {
            let empty_is_null = comparer.empty_is_null && !shape.schema.is_some_and(has_new_types);
            let comparer = Comparer { empty_is_null, ..comparer };
            ObjectComparer { comparer, ..self }.known_bodies(before, after, shape)
        })
    }

    fn known_bodies(self, before: Side<'_>, after: Side<'_>, shape: BlockShape<'_>) -> ValueDifference {
        let types = shape.block_types();
        let mut parts =
            BodyDifferences { attributes: Vec::new(), blocks: Vec::new(), action: presence(before, after) };
        let written = names(before, after);
        let of_schema = shape.schema.into_iter().flat_map(|schema| schema.attributes().keys());
        let all: BTreeSet<&SmolStr> = written.into_iter().chain(of_schema).chain(types.keys()).collect();
        for name in all {
            let old = before.attribute(name);
            // Without a schema, an attribute that is not configured stays.
            let is_kept = after.present().is_some() && self.is_kept(old, after.attribute(name));
            let new = if is_kept { old } else { after.attribute(name) };
            if let Some(block_type) = types.get(name) {
                self.blocks(name, BlockSides { before: old, after: new }, *block_type, &mut parts);
            } else if shape.attribute(name).is_none_or(|attribute| !attribute.write_only)
                && (old.is_there() || new.is_there())
            {
                let form = shape.attribute(name).map_or(ValueSchema::Type(None), ValueSchema::of);
                let difference = self.comparer.values(old, new, form);
                parts.action = parts.action.with(difference.action);
                parts.attributes.push((name.clone(), difference));
            }
        }
        let BodyDifferences { mut attributes, mut blocks, action } = parts;
        let write_only = shape.schema.into_iter().flat_map(|schema| schema.attributes());
        for (name, _) in write_only.filter(|(_, attribute)| attribute.write_only) {
            attributes.push((name.clone(), ValueDifference::write_only(action, false)));
        }
        attributes.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        for block in &mut blocks {
            if matches!(block.difference.kind, Kind::Unknown(None)) {
                block.difference.action = action;
            }
        }
        ValueDifference::new(Kind::Body(attributes, blocks), action)
    }

    /// Whether a planned attribute or block type is not configured or, without a schema, equals the recorded one.
    fn is_kept(self, before: Side<'_>, after: Side<'_>) -> bool {
        let Some(planned) = after.value() else { return true };
        let pair = self.sameness.zip(before.value()).filter(|(_, recorded)| !recorded.contains_marked());
        pair.is_some_and(|(sameness, recorded)| {
            !planned.contains_marked()
                && planned.has_known_parts()
                && sameness.compare(planned, recorded, Extra::Changed)
        })
    }

    /// Adds the differences of the blocks of one type.
    fn blocks(
        self,
        name: &SmolStr,
        all: BlockSides<'_>,
        block_type: BlockType<'_>,
        parts: &mut BodyDifferences,
    ) {
        if all.after.is_unknown() {
            parts.action = parts.action.with(presence(all.before, Side::NONE));
            // The action is set when the action of the whole body is known.
            let difference = ValueDifference::new(Kind::Unknown(None), Action::Keep);
            parts.blocks.push(NestedBlock { block_type: name.clone(), label: None, difference });
        }
        for (label, sides) in self.block_pairs(all, block_type.collection) {
            let is_element = sides.before.is_explicit() || sides.after.is_explicit();
            let comparer =
                if is_element && label.is_none() { self.comparer.of_old_kind() } else { self.comparer };
            let difference = ObjectComparer { comparer, ..self }.block(all, sides, block_type.shape);
            parts.action = parts.action.with(difference.action);
            parts.blocks.push(NestedBlock { block_type: name.clone(), label, difference });
        }
    }

    /// Returns the blocks of a type that are shown together, with their labels.
    fn block_pairs<'v>(
        self,
        all: BlockSides<'v>,
        collection: Collection,
    ) -> Vec<(Option<SmolStr>, BlockSides<'v>)> {
        let BlockSides { before, after } = all;
        let is_map =
            |side: Side<'_>| side.present().is_some_and(|value| matches!(value.kind(), ValueKind::Map(_)));
        let is_labelled = match collection {
            Collection::Of(nesting) => nesting == Nesting::Map,
            Collection::Unknown => is_map(before) || is_map(after),
        };
        if is_labelled {
            let entry = |key: &SmolStr| {
                (Some(key.clone()), BlockSides { before: before.entry(key), after: after.entry(key) })
            };
            return names(before, after).into_iter().map(entry).collect();
        }
        let (old, new) = (before.elements(), after.elements());
        if old.is_none() && new.is_none() {
            let after = if after.is_unknown() { Side::NONE } else { after };
            let is_there = before.is_there() || after.is_there();
            return if is_there { vec![(None, BlockSides { before, after })] } else { Vec::new() };
        }
        // A block that may occur only once is recorded as an object. Without a schema, it is planned as a sequence.
        if let (None, true, Some([_])) = (old, before.entries().is_some(), new) {
            return vec![(None, BlockSides { before, after: after.element(Some(0)) })];
        }
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let pairs = match collection {
            Collection::Of(Nesting::Set) => set_pairs(old, new),
            Collection::Of(_) => by_position(old.len(), new.len()),
            Collection::Unknown => {
                self.same_pairs(old, new).unwrap_or_else(|| pairs(old, new, &|_| true, self.comparer.budget))
            }
        };
        let sides = |pair: ElementPair| {
            (None, BlockSides { before: before.element(pair.old), after: after.element(pair.new) })
        };
        pairs.into_iter().map(sides).collect()
    }

    /// Returns pairs of blocks: equal blocks together, and the remaining blocks in their order. `None` if no blocks are equal.
    fn same_pairs(self, old: &[Value], new: &[Value]) -> Option<Vec<ElementPair>> {
        let partners = self.sameness?.equal_pairs(new, old)?;
        let taken: BTreeSet<usize> = partners.iter().flatten().copied().collect();
        let mut left = (0..old.len()).filter(|at| !taken.contains(at));
        let mut pairs: Vec<ElementPair> = Vec::new();
        for (at, partner) in partners.iter().enumerate() {
            pairs.push(ElementPair { old: partner.or_else(|| left.next()), new: Some(at) });
        }
        pairs.extend(left.map(|at| ElementPair { old: Some(at), new: None }));
        Some(pairs)
    }

    /// Returns the difference of one of the blocks in `all`. If all of them are sensitive, the difference is hidden.
    fn block(self, all: BlockSides<'_>, block: BlockSides<'_>, shape: BlockShape<'_>) -> ValueDifference {
        let found = self.comparer.sensitivity(all.before, all.after);
        let bodies = |comparer| ObjectComparer { comparer, ..self }.bodies(block.before, block.after, shape);
        if found.is_any() { self.comparer.marked_by(&found, true, bodies) } else { bodies(self.comparer) }
    }
}
