//! Replaces the origins of the unknown parts of a value.

use std::sync::Arc;

use super::Value;
use crate::{Entries, Known, Origin, Unknown};

impl Value {
    /// The value with other origins: `change` returns the one in the place of another, or none to keep it. The result shares the
    /// known parts of this value.
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
        if self.is_wholly_known() {
            return self.clone();
        }
        let changed = |child: &Value| child.map_origins(change);
        let Some(unknown) = self.as_unknown().filter(|_| !self.is_marked()) else {
            return self.map_children(&mut &changed);
        };
        let known = match &unknown.known {
            Known::Nothing => Known::Nothing,
            Known::Object(entries) if entries.values().all(Value::is_wholly_known) => {
                Known::Object(Entries::clone(entries))
            }
            Known::Object(entries) => Known::Object(entries.with_values(None, entries.values().map(changed))),
            Known::Sequence(elements) if elements.iter().all(Value::is_wholly_known) => {
                Known::Sequence(Arc::clone(elements))
            }
            Known::Sequence(elements) => Known::Sequence(Arc::new(elements.iter().map(changed).collect())),
        };
        let (ty, refinement) = (unknown.ty.clone(), unknown.refinement.clone());
        Value::from(Unknown { ty, refinement, origins: unknown.origins.map(change), known })
    }
}
