use terrane_value::{Number, Value, ValueKind};

/// What the name of a loop, or the element of a splat, stands for.
pub(crate) enum Bound {
    /// A value.
    Value(Value),
    /// The element at this position of a collection: for the next turn only the position changes.
    Element(Value, usize),
}

impl Bound {
    #[inline]
    pub(crate) fn value(&self) -> &Value {
        match self {
            Bound::Value(value) => value,
            // The position is always one of the collection.
            Bound::Element(collection, position) => collection.nth(*position).unwrap_or(collection),
        }
    }

    /// Becomes the key of an element: its position, itself in a set, or its name.
    #[inline]
    pub(crate) fn be_key(&mut self, collection: &Value, position: usize) {
        let Bound::Value(key) = self else { return };
        // Each is written where it belongs: a value that comes from several places is moved more often.
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

    /// Goes on to another element, where it is one.
    #[inline]
    pub(crate) fn go_to(&mut self, element: usize) {
        if let Bound::Element(_, position) = self {
            *position = element;
        }
    }
}
