//! The values of names that loops bind, and of the elements of splats.

use terrane_value::{Number, Value, ValueKind};

/// The value of a name that a loop binds, or of the current element of a splat.
pub(crate) enum Binding {
    /// A value.
    Value(Value),
    /// The element at this position of a collection. The next iteration changes only the position.
    Element(Value, usize),
}

impl Binding {
    #[inline]
    pub(crate) fn value(&self) -> &Value {
        match self {
            Binding::Value(value) => value,
            // The position is always inside the collection.
            Binding::Element(collection, position) => collection.nth(*position).unwrap_or(collection),
        }
    }

    /// Sets the key of an element: the position, in a set the element itself, in a map or object its name.
    #[inline]
    pub(crate) fn set_key(&mut self, collection: &Value, position: usize) {
        let Binding::Value(key) = self else { return };
        // Each branch writes in place, because a value merged from several branches is moved more often.
        match collection.kind() {
            ValueKind::Set(elements) => *key = elements.get(position).cloned().unwrap_or(Value::NULL),
            ValueKind::Map(entries) | ValueKind::Object(entries) => {
                if let Some((name, _)) = entries.nth(position) {
                    *key = Value::normal_string(name.clone());
                }
            }
            ValueKind::Tuple(_)
            | ValueKind::List(_)
            | ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..) => {
                *key = Value::number(Number::counted(i64::try_from(position).unwrap_or(i64::MAX)));
            }
        }
    }

    /// Moves to another element of the collection.
    #[inline]
    pub(crate) fn move_to(&mut self, element: usize) {
        if let Binding::Element(_, position) = self {
            *position = element;
        }
    }
}
