use terrane_value::Value;

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

    /// Goes on to another element, where it is one.
    #[inline]
    pub(crate) fn go_to(&mut self, element: usize) {
        if let Bound::Element(_, position) = self {
            *position = element;
        }
    }
}
