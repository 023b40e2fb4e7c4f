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
const MAX_COPIED: usize = 1_000_000;

/// Puts recorded values into the named parts of the planned value. A part inside of another named part has no effect. Without a
/// schema, `has_types` is false: an object may be a map. `None` if the values do not show which parts to replace, or if these are
/// too many.
pub(super) fn with_recorded(
    planned: &Value,
    recorded: &Value,
    parts: &[IgnoredPart],
    has_types: bool,
) -> Option<Value> {
    if parts.len().saturating_sub(1).saturating_mul(planned.size()) > MAX_COPIED {
        return None;
    }
    let mut value = planned.clone();
    let mut parts: Vec<&IgnoredPart> =
        parts.iter().filter(|part| !part.is_same(planned, recorded, has_types)).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.steps.len()));
    for part in parts {
        value = replaced(&value, recorded, &part.steps, part.key.as_ref(), has_types)?;
    }
    Some(value)
}

/// Replaces the part at the end of the path by the part of `recorded`, which gets the marks of the values around it.
/// Returns the value as it is if one of the two lacks the part, and `None` if, without a schema, the path does not lead into
/// such values. The depth is bounded by the length of written paths.
fn replaced(
    value: &Value,
    recorded: &Value,
    steps: &[PartStep],
    key: Option<&SmolStr>,
    has_types: bool,
) -> Option<Value> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(match key {
            Some(key) => with_key(value, recorded, key, has_types),
            None => recorded.clone(),
        });
    };
    if value.is_wholly_unknown() {
        return Some(value.clone());
    }
    let inner = value.unmarked();
    // A block that may occur only once is recorded as an object.
    if let (PartStep::Attribute(_), Some([only]), Some(_)) =
        (step, inner.known_elements(), recorded.unmarked().as_entries())
    {
        let only = replaced(only, recorded, steps, key, has_types)?;
        return Some(with_part(inner, &PartStep::Index(0), only)?.with_marks(value.marks()));
    }
    let new = match (part(inner, step, has_types), marked_part(recorded, step, has_types)) {
        (Some(own), Some(other)) => replaced(own, &other, rest, key, has_types)?,
        // The provider may have set an attribute that is not configured.
        (None, Some(other)) if !inner.is_known() && rest.is_empty() && key.is_none() => other,
        (_, _) => return (inner.is_known() || has_parts(inner, step)).then(|| value.clone()),
    };
    Some(with_part(inner, step, new)?.with_marks(value.marks()))
}

/// Whether a value has parts to which such a step leads.
fn has_parts(value: &Value, step: &PartStep) -> bool {
    match step {
        PartStep::Attribute(_) | PartStep::Key(_) => value.known_attributes().is_some(),
        PartStep::Index(_) => value.known_elements().is_some(),
    }
}

/// Returns a value with another part after a step. `None` if the value has no parts to which such a step leads.
fn with_part(value: &Value, step: &PartStep, new: Value) -> Option<Value> {
    match step {
        PartStep::Attribute(name) | PartStep::Key(name) => {
            let entries = value.known_attributes()?.cloned().filter(|(own, _)| own != name);
            Some(with_entries(value, entries.chain([(name.clone(), new)]).collect()))
        }
        PartStep::Index(index) => {
            let mut elements = value.known_elements()?.to_vec();
            *elements.get_mut(*index)? = new;
            Some(with_elements(value, elements))
        }
    }
}

/// Returns `value` with the marks that `other` has at the same places in addition. The depth of values bounds the recursion.
pub(super) fn with_further_marks(value: &Value, other: &Value) -> Value {
    if !other.contains_marked() {
        return value.clone();
    }
    let (inner, others) = (value.unmarked(), other.unmarked());
    let is_set = matches!(inner.kind(), ValueKind::Set(_));
    let parts = (inner.known_attributes(), others.known_attributes());
    let marked = match (parts, inner.known_elements().filter(|_| !is_set), others.known_elements()) {
        ((Some(own), Some(others)), ..) => {
            let entry = |(name, value): (&SmolStr, &Value)| {
                let value =
                    others.get(name).map_or_else(|| value.clone(), |other| with_further_marks(value, other));
                (name.clone(), value)
            };
            with_entries(inner, own.iter().map(entry).collect())
        }
        (_, Some(own), Some(others)) => {
            let pairs = own.iter().zip(others).map(|(value, other)| with_further_marks(value, other));
            with_elements(inner, pairs.chain(own.iter().skip(others.len()).cloned()).collect())
        }
        (..) => inner.clone(),
    };
    marked.with_marks(value.marks()).with_marks(other.marks())
}

/// Returns the part of a value after one step, with the marks of the value.
fn marked_part(value: &Value, step: &PartStep, has_types: bool) -> Option<Value> {
    let part = part(value.unmarked(), step, has_types)?;
    Some(part.clone().with_marks(value.marks()))
}

/// Returns the part of a value after one step. Without a schema, an object may be a map, and a sequence a list.
fn part<'v>(value: &'v Value, step: &PartStep, has_types: bool) -> Option<&'v Value> {
    match step {
        PartStep::Attribute(name) => value.known_attributes()?.get(name),
        PartStep::Key(name) => {
            value.known_attributes().filter(|_| !has_types || is_map(value, has_types))?.get(name)
        }
        PartStep::Index(index) => {
            let is_set = matches!(value.kind(), ValueKind::Set(_));
            value.known_elements().filter(|_| !is_set)?.get(*index)
        }
    }
}

/// Whether a value may be a map with known elements.
fn is_map(value: &Value, has_types: bool) -> bool {
    match has_types {
        true => matches!(value.kind(), ValueKind::Map(_)),
        false => value.known_attributes().is_some(),
    }
}

/// Returns a map with the recorded element at a key, or without that element if the recorded map has none. Any other
/// value is replaced as a whole.
fn with_key(value: &Value, recorded: &Value, key: &SmolStr, has_types: bool) -> Value {
    let (inner, old) = (value.unmarked(), recorded.unmarked());
    if value.is_wholly_unknown() {
        let may_be_map = inner.as_unknown().is_none_or(|unknown| matches!(unknown.ty, Type::Map(_)));
        return if has_types && !may_be_map { recorded } else { value }.clone();
    }
    let is_map_or_null = |value: &Value| is_map(value, has_types) || value.is_null();
    if !is_map_or_null(inner) || !is_map_or_null(old) || inner.is_null() && old.is_null() {
        return recorded.clone();
    }
    let entries = inner.known_attributes().into_iter().flat_map(Entries::cloned);
    let mut entries: Vec<(SmolStr, Value)> = entries.filter(|(name, _)| name != key).collect();
    let kept = old.known_attributes().and_then(|entries| entries.get(key));
    entries.extend(kept.map(|value| (key.clone(), value.clone())));
    if entries.is_empty() && inner.is_null() {
        return value.clone();
    }
    with_entries(if inner.is_null() { old } else { inner }, entries).with_marks(value.marks())
}

/// Returns a map or an object of the entries, whichever `model` is.
fn with_entries(model: &Value, entries: Vec<(SmolStr, Value)>) -> Value {
    match (model.as_unknown(), model.ty()) {
        (Some(unknown), _) => Value::open_object(entries.into_iter().collect(), unknown.origins.clone()),
        (None, Type::Map(element)) => Value::map((*element).clone(), entries),
        (None, _) => Value::object(entries),
    }
}

/// Returns a list or a tuple of the elements, whichever `model` is.
fn with_elements(model: &Value, elements: Vec<Value>) -> Value {
    match (model.as_unknown(), model.ty()) {
        (Some(unknown), _) => Value::open_sequence(elements, unknown.origins.clone()),
        (None, Type::List(element)) => Value::list((*element).clone(), elements),
        (None, _) => Value::tuple(elements),
    }
}

#[cfg(test)]
mod tests {
    use terrane_value::Origins;

    use super::*;

    #[test]
    fn very_many_parts_are_not_replaced_one_after_the_other() {
        let list = |count: usize| Value::open_sequence(vec![Value::from(1); count], Origins::NONE);
        let parts = |count: usize| -> Vec<IgnoredPart> {
            (0..count).map(|at| IgnoredPart { steps: vec![PartStep::Index(at)], key: None }).collect()
        };
        let recorded = Value::open_sequence(vec![Value::from(2); 2], Origins::NONE);
        let few = with_recorded(&list(2), &recorded, &parts(2), false);
        assert!(few.is_some_and(|value| value.same(&recorded)));
        assert!(with_recorded(&list(2000), &recorded, &parts(2000), false).is_none());
    }
}
