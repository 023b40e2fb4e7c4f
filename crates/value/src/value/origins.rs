//! Replaces the origins of the unknown parts of a value.

use std::sync::Arc;

use super::Value;
use crate::{Entries, Known, Origin, Origins, Unknown};

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
        let change = |origins: &Origins| origins.with_changed(change);
        self.with_changed_origins(&change).unwrap_or_else(|| self.clone())
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
        let change = |origins: &Origins| origins.with_errors_replaced(&error);
        self.with_changed_origins(&change).unwrap_or_else(|| self.clone())
    }

    /// Replaces the origins of all unknown parts for which `change` returns others; returns `None` if it returns no others, so
    /// that the value can be shared.
    fn with_changed_origins(&self, change: &dyn Fn(&Origins) -> Option<Origins>) -> Option<Value> {
        if self.is_wholly_known() {
            return None;
        }
        let mut is_changed = false;
        let mut changed = |child: &Value| {
            let other = child.with_changed_origins(change);
            is_changed |= other.is_some();
            other.unwrap_or_else(|| child.clone())
        };
        let Some(unknown) = self.as_unknown().filter(|_| !self.is_marked()) else {
            let value = self.map_children(&mut changed);
            return is_changed.then_some(value);
        };
        let known = match &unknown.known {
            Known::Nothing => Known::Nothing,
            Known::Object(entries) if entries.values().all(Value::is_wholly_known) => {
                Known::Object(Entries::clone(entries))
            }
            Known::Object(entries) => {
                Known::Object(entries.with_values(None, entries.values().map(&mut changed)))
            }
            Known::Sequence(elements) if elements.iter().all(Value::is_wholly_known) => {
                Known::Sequence(Arc::clone(elements))
            }
            Known::Sequence(elements) => {
                Known::Sequence(Arc::new(elements.iter().map(&mut changed).collect()))
            }
        };
        let origins = change(&unknown.origins);
        let known = if is_changed { known } else { unknown.known.clone() };
        if !is_changed && origins.is_none() {
            return None;
        }
        let origins = origins.unwrap_or_else(|| unknown.origins.clone());
        let (ty, refinement) = (unknown.ty.clone(), unknown.refinement.clone());
        Some(Value::from(Unknown { ty, refinement, origins, known }))
    }
}
