//! The differences between the recorded and the planned objects of a plan: attributes and blocks.

use std::collections::BTreeSet;

use terrane_body::{Body, Nesting, Schema};
use terrane_source::Diagnostics;
use terrane_value::display::quote;
use terrane_value::{Entries, Known, SmolStr, Value, ValueKind};

use super::super::resources::{PlannedAction, PlannedResource};
use super::difference::{
    Action, Comparer, Difference, Kind, NestedBlock, SensitivityChange, Side, hidden, pairs, set_pairs,
};
use crate::secrets::{Secrets, is_hidden};

/// The block types of an object: of its schema or, without one, those that are written.
#[derive(Clone, Copy)]
struct Blocks<'p> {
    schema: Option<&'p Schema>,
    config: Option<&'p Body>,
}

impl<'p> Blocks<'p> {
    fn types(self) -> BTreeSet<SmolStr> {
        if let Some(schema) = self.schema {
            return schema.blocks().keys().cloned().collect();
        }
        let Some(config) = self.config else { return BTreeSet::new() };
        let content = config.open_content(&mut Diagnostics::new());
        let types = content.blocks.into_iter().map(|block| match block.labels.first() {
            Some(label) if &*block.block_type == "dynamic" => label.text.clone(),
            Some(_) | None => block.block_type,
        });
        types.collect()
    }

    /// Those of a nested block.
    fn of(self, block_type: &str) -> Blocks<'p> {
        let schema = self.schema.and_then(|schema| schema.blocks().get(block_type));
        Blocks { schema: schema.map(|block| &block.schema), config: None }
    }

    fn is_set(self, block_type: &str) -> bool {
        let schema = self.schema.and_then(|schema| schema.blocks().get(block_type));
        schema.is_some_and(|block| block.nesting == Nesting::Set)
    }
}

/// Compares objects.
#[derive(Clone, Copy)]
pub(super) struct Objects<'b> {
    pub(super) comparer: Comparer<'b>,
}

impl Objects<'_> {
    /// The difference of a resource instance. Without a schema, an attribute of the state that is not configured stays.
    pub(super) fn resource(self, resource: &PlannedResource<'_>) -> Difference {
        let blocks = Blocks { schema: resource.schema, config: Some(resource.config) };
        let before = resource.before.as_ref().map(|change| &change.before);
        let replacing =
            if let PlannedAction::ReplaceArgument(name) = resource.action { Some(name) } else { None };
        let mut difference = self.bodies(before, Some(&resource.value), blocks, replacing);
        let Kind::Body(attributes, _) = &mut difference.kind else { return difference };
        let sensitivity = resource.before.as_ref().map(|change| change.sensitivity.as_slice());
        for (name, attribute) in attributes {
            let Difference { kind: Kind::Sensitive(inner, change), action, .. } = attribute else { continue };
            *action = inner.action;
            // A value that is created or removed has no sensitivity before or after.
            if matches!(inner.action, Action::Keep | Action::Update)
                && let Some(found) =
                    sensitivity.unwrap_or_default().iter().find(|found| *found.attribute == **name)
            {
                *change = Some(match found.is_sensitive {
                    true => SensitivityChange::Gained,
                    false => SensitivityChange::Lost,
                });
                *action = Action::Update;
            }
        }
        difference
    }

    /// The difference of an object of the state that no instance has.
    pub(super) fn recorded(self, before: Option<&Value>, after: Option<&Value>) -> Difference {
        self.bodies(before, after, Blocks { schema: None, config: None }, None)
    }

    /// The difference of two bodies. The depth is bounded by that of schemas and values.
    fn bodies(
        self,
        before: Option<&Value>,
        after: Option<&Value>,
        blocks: Blocks<'_>,
        replacing: Option<&str>,
    ) -> Difference {
        let secret = |value: Option<&Value>| {
            value.is_some_and(|value| is_hidden(value.marks(), self.comparer.secrets))
        };
        if secret(before) || secret(after) {
            let open = Objects { comparer: Comparer { secrets: Secrets::Shown, ..self.comparer } };
            let inner = open.bodies(before.map(Value::unmarked), after.map(Value::unmarked), blocks, None);
            return hidden(inner, secret(before), secret(after), before.is_some() && after.is_some());
        }
        let (old, new) = (before.and_then(entries), after.and_then(entries));
        let types = blocks.types();
        let names: BTreeSet<&SmolStr> = old.into_iter().chain(new).flat_map(Entries::keys).collect();
        let (mut attributes, mut nested) = (Vec::new(), Vec::new());
        for name in names {
            let own = |entries: Option<&Entries>| entries.and_then(|entries| entries.get(name)).cloned();
            let (old, new) = (own(old), own(new).or_else(|| own(old).filter(|_| after.is_some())));
            if types.contains(name) {
                nested.extend(self.blocks(name, old.as_ref(), new.as_ref(), blocks));
                continue;
            }
            let is_null =
                |value: &Option<Value>| value.as_ref().is_none_or(|value| value.unmarked().is_null());
            if is_null(&old) && is_null(&new) {
                continue;
            }
            let ty = blocks.schema.and_then(|schema| schema.attributes().get(name));
            let ty = ty.map(|attribute| attribute.ty.without_optional());
            let (old, new) = (Side::implicit(old.as_ref()), Side::implicit(new.as_ref()));
            let mut difference = self.comparer.values(old, new, ty.as_ref());
            difference.replaces = replacing == Some(name.as_str())
                && matches!(difference.kind, Kind::Unknown(_) | Kind::Sensitive(..));
            attributes.push((name.clone(), difference));
        }
        Difference::body(before.is_some(), after.is_some(), attributes, nested)
    }

    /// The differences of the blocks of one type.
    fn blocks(
        self,
        name: &SmolStr,
        before: Option<&Value>,
        after: Option<&Value>,
        outer: Blocks<'_>,
    ) -> Vec<NestedBlock> {
        let mut nested = Vec::new();
        let inner = outer.of(name);
        let mut add = |header: String, before: Option<&Value>, after: Option<&Value>| {
            let difference = self.bodies(before, after, inner, None);
            nested.push(NestedBlock { header, difference });
        };
        let is_secret = |value: &Value| is_hidden(value.marks(), self.comparer.secrets);
        let of_kind = |value: Option<&Value>| value.map(|value| (is_secret(value), value.unmarked().clone()));
        let (old, new) = (of_kind(before), of_kind(after));
        if [&old, &new].into_iter().flatten().any(|(is_secret, _)| *is_secret) {
            add(name.to_string(), before, after);
            return nested;
        }
        let (old, new) = (old.map(|(_, value)| value), new.map(|(_, value)| value));
        let (left, right) = (old.as_ref().and_then(elements), new.as_ref().and_then(elements));
        let is_unknown = new.as_ref().is_some_and(Value::is_wholly_unknown);
        if left.is_some() || right.is_some() {
            let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
            let pairs = match outer.is_set(name) {
                true => set_pairs(left, right),
                false => pairs(left, right, &|_| true, self.comparer.budget),
            };
            pairs.into_iter().for_each(|(old, new)| add(name.to_string(), old, new));
        } else if [&old, &new].into_iter().flatten().any(|value| matches!(value.kind(), ValueKind::Map(_))) {
            let (left, right) = (old.as_ref().and_then(entries), new.as_ref().and_then(entries));
            let labels: BTreeSet<&SmolStr> = left.into_iter().chain(right).flat_map(Entries::keys).collect();
            for label in labels {
                let own = |entries: Option<&Entries>| entries.and_then(|entries| entries.get(label)).cloned();
                let (old, new) = (own(left), own(right));
                add(format!("{name} {}", quote(label)), old.as_ref(), new.as_ref());
            }
        } else if !is_unknown {
            let set = |value: &Option<Value>| value.clone().filter(|value| !value.is_null());
            let (old, new) = (set(&old), set(&new));
            if old.is_some() || new.is_some() {
                add(name.to_string(), old.as_ref(), new.as_ref());
            }
        }
        if is_unknown {
            let difference = Difference::new(Kind::Unknown(None), Action::Create);
            nested.push(NestedBlock { header: name.to_string(), difference });
        }
        nested
    }
}

/// The attributes of an object, or the elements of a map.
fn entries(value: &Value) -> Option<&Entries> {
    let value = value.unmarked();
    value.known_attributes().or_else(|| value.as_entries())
}

/// The elements of a sequence, whether it is wholly known or not.
fn elements(value: &Value) -> Option<&[Value]> {
    let value = value.unmarked();
    match value.as_unknown().map(|unknown| &unknown.known) {
        Some(Known::Sequence(elements)) => Some(elements),
        Some(Known::Nothing | Known::Object(_)) => None,
        None => value.as_sequence(),
    }
}
