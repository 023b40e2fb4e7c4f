//! Replaces the origins of the unknown parts of a value.

use super::summary::Unknowns;
use super::{Repr, Value};
use crate::{Known, Origin, Origins, Unknown};

/// A change of origins.
struct Change<'c> {
    /// Whether a part of a value may change.
    is_affected: &'c dyn Fn(&Value) -> bool,
    /// Returns the new origins, or `None` to keep them.
    origins: &'c dyn Fn(&Origins) -> Option<Origins>,
}

impl Value {
    /// Replaces origins of the value: `change` returns the new origin for an origin, or `None` to keep it. The result
    /// shares the known parts of this value.
    ///
    /// ```
    /// use terrane_value::{Origin, OriginKind, Origins, Type, Value};
    ///
    /// let first = Value::unknown_from(Type::String, Origins::one(OriginKind::ResourceAttribute, "a_b.c[0].id"));
    /// let second = first.map_origins(&|origin| Some(Origin { subject: "a_b.c[1].id".into(), ..origin.clone() }));
    /// assert_eq!(second.origins().as_slice()[0].subject, "a_b.c[1].id");
    /// ```
    #[must_use]
    pub fn map_origins(&self, change: &dyn Fn(&Origin) -> Option<Origin>) -> Value {
        let is_affected = |value: &Value| !value.is_wholly_known();
        let change = Change { is_affected: &is_affected, origins: &|origins| origins.with_changed(change) };
        self.with_changed_origins(&change).unwrap_or_else(|| self.clone())
    }

    /// Whether an error among the origins of the value and its parts names no object. Takes constant time for a collection.
    pub fn has_nameless_error(&self) -> bool {
        !self.is_primitive() && self.summary().unknowns == Unknowns::NamelessError
    }

    /// Names the object that has the errors among the origins, where they name none.
    ///
    /// ```
    /// use terrane_value::Value;
    ///
    /// let value = Value::tuple([Value::error()]).with_errors_of("local.a");
    /// assert_eq!(value.origins_deep().as_slice()[0].subject, "local.a");
    /// assert!(value.with_errors_of("local.b").same(&value));
    /// ```
    #[must_use]
    pub fn with_errors_of(&self, object: &str) -> Value {
        // One list is shared, because hostile input may cause millions of failed computations.
        let error = Origins::error_of(object);
        let origins = |origins: &Origins| origins.with_errors_replaced(&error);
        let change = Change { is_affected: &Value::has_nameless_error, origins: &origins };
        self.with_changed_origins(&change).unwrap_or_else(|| self.clone())
    }

    /// Replaces the origins of all unknown parts for which `change` has others; returns `None` if it has no others, so that the
    /// value can be shared.
    fn with_changed_origins(&self, change: &Change<'_>) -> Option<Value> {
        if !(change.is_affected)(self) {
            return None;
        }
        if let Repr::Marked(marked) = &self.0 {
            return marked.value.with_changed_origins(change).map(|value| value.with_marks(&marked.marks));
        }
        let parts = change.parts(self.known_parts());
        let Some(unknown) = self.as_unknown() else {
            let mut parts = parts?.into_iter();
            return Some(self.map_children(&mut |child| parts.next().unwrap_or_else(|| child.clone())));
        };
        let origins = (change.origins)(&unknown.origins);
        let known = match (&unknown.known, parts) {
            (known, None) if origins.is_some() => known.clone(),
            (_, None) => return None,
            (Known::Nothing, Some(_)) => Known::Nothing,
            (Known::Object(entries), Some(parts)) => {
                Known::Object(entries.with_values(None, parts.into_iter()))
            }
            (Known::Sequence(_), Some(parts)) => Known::Sequence(parts.into()),
        };
        let origins = origins.unwrap_or_else(|| unknown.origins.clone());
        let (ty, refinement) = (unknown.ty.clone(), unknown.refinement.clone());
        Some(Value::from(Unknown { ty, refinement, origins, known }))
    }

    /// Returns the elements of a collection, or the known parts of an unknown value, ignoring marks.
    pub(super) fn known_parts(&self) -> &[Value] {
        match (self.known_elements(), self.known_attributes()) {
            (Some(elements), _) => elements,
            (None, Some(entries)) => entries.values().as_slice(),
            (None, None) => &[],
        }
    }

    /// Returns the number of parts that [`Value::map_origins`] looks at: the elements of all collections with unknown parts.
    pub fn parts_beside_unknowns(&self) -> u64 {
        if self.is_wholly_known() {
            return 1;
        }
        self.known_parts().iter().map(Value::parts_beside_unknowns).fold(1, u64::saturating_add)
    }
}

impl Change<'_> {
    /// Returns the parts with their origins replaced; `None` if no part has other origins.
    fn parts(&self, parts: &[Value]) -> Option<Vec<Value>> {
        let changed = |part: &Value| part.with_changed_origins(self);
        let (position, first) =
            parts.iter().enumerate().find_map(|(position, part)| Some((position, changed(part)?)))?;
        let (before, after) = parts.split_at_checked(position)?;
        let mut all = Vec::with_capacity(parts.len());
        all.extend_from_slice(before);
        all.push(first);
        all.extend(after.iter().skip(1).map(|part| changed(part).unwrap_or_else(|| part.clone())));
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, OriginKind, Type};

    #[test]
    fn an_unknown_value_with_a_mark_has_the_new_origins() {
        let origins = Origins::one(OriginKind::ResourceAttribute, "a_b.c[0].id");
        let first = Value::unknown_from(Type::String, origins).with_marks(&Marks::sensitive());
        let second =
            first.map_origins(&|origin| Some(Origin { subject: "a_b.c[1].id".into(), ..origin.clone() }));
        assert_eq!(second.origins_deep().as_slice()[0].subject, "a_b.c[1].id");
        assert!(second.same(&first), "the mark stays");
        let named = Value::error().with_marks(&Marks::sensitive()).with_errors_of("local.a");
        assert_eq!(named.origins_deep().as_slice()[0].subject, "local.a");
    }

    #[test]
    fn a_value_whose_errors_are_named_is_not_copied() {
        let unknown = Value::unknown_from(Type::String, Origins::one(OriginKind::Variable, "var.a"));
        let parts = Value::tuple([Value::error(), unknown]);
        let named = parts.with_errors_of("local.a");
        assert!(parts.has_nameless_error() && !named.has_nameless_error());
        let first_part = |value: &Value| value.known_elements().unwrap().as_ptr();
        let value = Value::tuple([named, Value::TRUE]);
        let same = value.with_errors_of("local.b");
        assert_eq!(first_part(&same), first_part(&value), "the parts are not copied");
    }
}
