//! Gives recorded values to the parts of a planned attribute that `ignore_changes` names.

use terrane_config::address_parts::written_key;
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};
use terrane_value::{Entries, SmolStr, Type, Value, ValueKind};

use crate::model::part_step::PartStep;

/// The path of an item of `ignore_changes` after the attribute name. A key at the end, which may name an
/// element of a map, stands apart.
pub(super) struct IgnoredPart {
    /// The steps without the key at the end.
    steps: Vec<PartStep>,
    key: Option<SmolStr>,
}

impl IgnoredPart {
    /// Returns the path of an item; `None` if the item is not a reference or has a computed key.
    pub(super) fn of(item: &Expression) -> Option<IgnoredPart> {
        let Expr::Traversal { steps, .. } = item.tree.expr(item.id) else { return None };
        let step = |step: &Step| match step {
            Step::Attr { name, .. } => Some(PartStep::Attribute(item.tree.slice(*name).into())),
            Step::Index { .. } | Step::LegacyIndex { .. } => PartStep::of_key(written_key(&item.tree, step)?),
        };
        let mut steps: Vec<PartStep> = item.tree.list(steps).iter().map(step).collect::<Option<_>>()?;
        let key = match steps.last() {
            Some(PartStep::Key(key)) => Some(key.clone()),
            Some(PartStep::Attribute(_) | PartStep::Index(_)) | None => None,
        };
        if key.is_some() {
            steps.pop();
        }
        Some(IgnoredPart { steps, key })
    }

    /// Whether the part is the same in two values, marks included. A part has the marks of the values around it.
    fn is_same(&self, one: &Value, other: &Value, has_types: bool) -> bool {
        let whole = |value: &Value| {
            self.steps.iter().try_fold(value.clone(), |value, step| marked_part(&value, step, has_types))
        };
        whole(one).zip(whole(other)).is_some_and(|(one, other)| one.same(&other))
    }
}

/// The most parts of values that are copied to replace the ignored parts of an attribute one after the other.
const MOST_COPIED: usize = 1_000_000;

/// Puts recorded values into the named parts of the planned value. Without a schema, `has_types` is false: an object
/// may be a map. `None` if the values do not show which parts to replace, or if these are too many.
pub(super) fn with_recorded(
    planned: &Value,
    recorded: &Value,
    parts: &[IgnoredPart],
    has_types: bool,
) -> Option<Value> {
    if parts.len().saturating_sub(1).saturating_mul(planned.size()) > MOST_COPIED {
        return None;
    }
    let mut value = planned.clone();
    for part in parts.iter().filter(|part| !part.is_same(planned, recorded, has_types)) {
        value = replaced(&value, recorded, &part.steps, part.key.as_ref(), has_types)?;
    }
    Some(value)
}

/// Replaces the part at the end of the path by the part of `recorded`, which gets the marks of the values around it.
/// Returns the value as it is if one of the two lacks the part. The depth is bounded by the length of written paths.
fn replaced(
    value: &Value,
    recorded: &Value,
    steps: &[PartStep],
    key: Option<&SmolStr>,
    has_types: bool,
) -> Option<Value> {
    if let Some(unknown) = value.unmarked().as_unknown()
        && (!steps.is_empty() || key.is_some())
    {
        // Only a map has elements with keys; any other value is replaced as a whole.
        if has_types && steps.is_empty() && !matches!(unknown.ty, Type::Map(_)) {
            return Some(recorded.clone());
        }
        if has_types || value.is_wholly_unknown() {
            return Some(value.clone());
        }
        let opened = match value.known_elements() {
            Some(elements) => {
                let elements = with_known_elements(elements, recorded, steps, key)?;
                Value::open_sequence(elements, unknown.origins.clone())
            }
            None => {
                let attributes = with_known_attributes(value, recorded, steps, key)?;
                Value::open_object(attributes, unknown.origins.clone())
            }
        };
        return Some(opened.with_marks(value.marks()));
    }
    let Some((step, rest)) = steps.split_first() else {
        return Some(match key {
            Some(key) => with_key(value, recorded, key, has_types),
            None => recorded.clone(),
        });
    };
    let inner = value.unmarked();
    let (Some(own), Some(other)) = (part(inner, step, has_types), marked_part(recorded, step, has_types))
    else {
        return Some(value.clone());
    };
    let new = replaced(own, &other, rest, key, has_types)?;
    let changed = match step {
        PartStep::Attribute(name) | PartStep::Key(name) => {
            let entries = inner.as_entries()?.iter();
            let entries = entries.map(|(own, value)| (own.clone(), if own == name { &new } else { value }));
            like(inner, entries.map(|(name, value)| (name, value.clone())).collect())
        }
        PartStep::Index(index) => {
            let elements = inner.as_sequence()?.iter().enumerate();
            let elements = elements.map(|(at, value)| if at == *index { new.clone() } else { value.clone() });
            if let Type::List(element) = inner.ty() {
                Value::list((*element).clone(), elements)
            } else {
                Value::tuple(elements)
            }
        }
    };
    Some(changed.with_marks(value.marks()))
}

/// Returns the known attributes of an object without a schema, which the provider may complete, with one part replaced
/// by the part of `recorded`. An ignored attribute that is not configured is added. `None` if one of the values is not
/// such an object.
fn with_known_attributes(
    value: &Value,
    recorded: &Value,
    steps: &[PartStep],
    key: Option<&SmolStr>,
) -> Option<Entries> {
    let (known_attributes, old) = (value.known_attributes()?, recorded.unmarked().as_entries()?);
    let (name, is_last) = match (steps.split_first(), key) {
        (Some((PartStep::Attribute(name) | PartStep::Key(name), rest)), _) => {
            (name, rest.is_empty() && key.is_none())
        }
        (None, Some(key)) => (key, true),
        (Some((PartStep::Index(_), _)) | None, _) => return None,
    };
    let old = old.get(name).map(|old| old.clone().with_marks(recorded.marks()));
    // An element of a map is removed if the recorded map has none.
    let is_replaced = is_last && (old.is_some() || key.is_some());
    let mut attributes: Vec<(SmolStr, Value)> = Vec::with_capacity(known_attributes.len() + 1);
    for (own, value) in known_attributes.iter().filter(|(own, _)| !is_replaced || *own != name) {
        let new = match (&old, steps.split_first()) {
            (Some(old), Some((_, rest))) if own == name => replaced(value, old, rest, key, false)?,
            (Some(_) | None, _) => value.clone(),
        };
        attributes.push((own.clone(), new));
    }
    attributes.extend(old.filter(|_| is_replaced).map(|old| (name.clone(), old)));
    Some(attributes.into_iter().collect())
}

/// Returns the elements of a sequence without a schema, such as blocks of one type, with one part replaced by the part of
/// `recorded`. `None` if the path does not lead into an element.
fn with_known_elements(
    elements: &[Value],
    recorded: &Value,
    steps: &[PartStep],
    key: Option<&SmolStr>,
) -> Option<Vec<Value>> {
    let (step, rest) = steps.split_first()?;
    let inner = recorded.unmarked();
    let (at, old, rest) = match (step, elements) {
        (PartStep::Index(at), _) => (*at, inner.known_elements().and_then(|all| all.get(*at)), rest),
        // A block that may occur only once is recorded as an object.
        (PartStep::Attribute(_), [_]) if inner.as_entries().is_some() => (0, Some(inner), steps),
        (PartStep::Attribute(_) | PartStep::Key(_), _) => return None,
    };
    let mut elements = elements.to_vec();
    if let (Some(element), Some(old)) = (elements.get_mut(at), old) {
        *element = replaced(element, &old.clone().with_marks(recorded.marks()), rest, key, false)?;
    }
    Some(elements)
}

/// Returns the part of a value after one step, with the marks of the value.
fn marked_part(value: &Value, step: &PartStep, has_types: bool) -> Option<Value> {
    let part = part(value.unmarked(), step, has_types)?;
    Some(part.clone().with_marks(value.marks()))
}

/// Returns the part of a value after one step.
fn part<'v>(value: &'v Value, step: &PartStep, has_types: bool) -> Option<&'v Value> {
    match (step, value.kind()) {
        (PartStep::Attribute(name), ValueKind::Object(entries) | ValueKind::Map(entries)) => {
            entries.get(name)
        }
        (PartStep::Key(name), ValueKind::Map(entries)) => entries.get(name),
        (PartStep::Key(name), ValueKind::Object(entries)) if !has_types => entries.get(name),
        (PartStep::Index(index), ValueKind::List(elements) | ValueKind::Tuple(elements)) => {
            elements.get(*index)
        }
        (_, _) => None,
    }
}

/// Returns a map with the recorded element at a key, or without that element if the recorded map has none. Any other
/// value is replaced as a whole.
fn with_key(value: &Value, recorded: &Value, key: &SmolStr, has_types: bool) -> Value {
    let inner = value.unmarked();
    let is_map = |value: &Value| match has_types {
        true => matches!(value.kind(), ValueKind::Map(_)),
        false => value.as_entries().is_some(),
    };
    let old = recorded.unmarked();
    let is_empty = |value: &Value| value.is_null();
    if !(is_map(inner) || is_empty(inner))
        || !(is_map(old) || is_empty(old))
        || is_empty(inner) && is_empty(old)
    {
        return recorded.clone();
    }
    let entries = inner.as_entries().into_iter().flatten().filter(|(name, _)| *name != key);
    let mut entries: Vec<(SmolStr, Value)> =
        entries.map(|(name, value)| (name.clone(), value.clone())).collect();
    let kept = old.as_entries().and_then(|entries| entries.get(key));
    entries.extend(kept.map(|value| (key.clone(), value.clone())));
    if entries.is_empty() && is_empty(inner) {
        return value.clone();
    }
    like(if is_empty(inner) { old } else { inner }, entries).with_marks(value.marks())
}

/// Returns a map or an object of the entries, whichever `model` is.
fn like(model: &Value, entries: Vec<(SmolStr, Value)>) -> Value {
    if let Type::Map(element) = model.ty() {
        Value::map((*element).clone(), entries)
    } else {
        Value::object(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_parts_are_not_replaced_one_after_the_other() {
        let list = |count: usize| Value::tuple((0..count).map(|_| Value::from(1)));
        let parts = |count: usize| -> Vec<IgnoredPart> {
            (0..count).map(|at| IgnoredPart { steps: vec![PartStep::Index(at)], key: None }).collect()
        };
        let recorded = Value::tuple([Value::from(2), Value::from(2)]);
        let few = with_recorded(&list(2), &recorded, &parts(2), false);
        assert!(few.is_some_and(|value| value.same(&recorded)));
        assert!(with_recorded(&list(2000), &recorded, &parts(2000), false).is_none());
    }
}
