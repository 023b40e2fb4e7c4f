//! Makes lists, tuples and sets.

use std::sync::{Arc, OnceLock};

use super::{Repr, Sequence, Value, has_type_from_start};
use crate::Type;
use crate::value::summary::{Summary, Total};

impl Value {
    /// Returns a list with the element type `element` or, if that is dynamic, the type of the first element. Nulls and
    /// unknown values without a type of their own get it; elements of other types are converted to it. If one cannot be
    /// converted, the result is an unknown value with an error as its origin.
    pub fn list(element: Type, elements: impl IntoIterator<Item = Value>) -> Value {
        let mut elements: Vec<Value> = elements.into_iter().collect();
        if elements.iter().all(|value| value.is_plain(&element)) {
            return Value::sequence(Some(Type::list(element)), elements, Repr::List);
        }
        let element = Value::adopted(element, &mut elements);
        if elements.iter().all(|value| value.is_of(&element)) {
            Value::list_of(element, elements)
        } else {
            Value::converted_elements(&Value::tuple(elements), Type::list(element))
        }
    }

    /// Returns a list of elements that are known to be of type `element`.
    pub(crate) fn list_of(element: Type, elements: impl IntoIterator<Item = Value>) -> Value {
        let mut elements: Vec<Value> = elements.into_iter().collect();
        let element = Value::adopted(element, &mut elements);
        Value::sequence(Some(Type::list(element)), elements, Repr::List)
    }

    /// Gives the element type to elements without a type of their own, and returns it.
    pub(crate) fn adopted(declared: Type, elements: &mut [Value]) -> Type {
        let element = Value::element_type(declared, elements.iter());
        elements.iter_mut().for_each(|value| value.adopt_type(&element));
        element
    }

    /// Returns a list of known elements without marks if all have the primitive type of the
    /// first one; `None` otherwise.
    pub fn plain_list(elements: Vec<Value>) -> Option<Value> {
        let first = elements.first()?;
        let ty = [Type::String, Type::Number, Type::Bool].into_iter().find(|ty| first.is_plain(ty))?;
        let are_plain = elements.iter().all(|element| element.is_plain(&ty));
        are_plain.then(|| Value::sequence(Some(Type::list(ty)), elements, Repr::List))
    }

    /// Returns a tuple.
    pub fn tuple(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::sequence(None, elements.into_iter().collect(), Repr::Tuple)
    }

    /// Returns a set of elements that are already distinct, unmarked and in set order; use
    /// [`Value::set`] for any others.
    pub(crate) fn set_of_sorted(element: Type, elements: Vec<Value>) -> Value {
        Value::sequence(Some(Type::set(element)), elements, Repr::Set)
    }

    /// Returns the tuple of the elements of all these sequences. Their summaries are known, so no
    /// element is visited twice.
    #[doc(hidden)]
    pub fn tuple_of_all(sequences: &[Value]) -> Value {
        let parts = || sequences.iter().filter_map(Value::stored_sequence);
        let mut elements = Vec::with_capacity(parts().map(|part| part.elements.len()).sum());
        let mut total = Total::default();
        for part in parts() {
            if !part.elements.is_empty() {
                total.add_content(part.summary, part.has_memory);
            }
            Value::copy_all(&part.elements, &mut elements);
        }
        Value::sequence_with(None, elements, &total, Repr::Tuple)
    }

    pub(super) fn sequence(ty: Option<Type>, elements: Vec<Value>, repr: fn(Arc<Sequence>) -> Repr) -> Value {
        let total = Total::of(&elements, 0);
        Value::sequence_with(ty, elements, &total, repr)
    }

    fn sequence_with(
        ty: Option<Type>,
        elements: Vec<Value>,
        total: &Total,
        repr: fn(Arc<Sequence>) -> Repr,
    ) -> Value {
        let summary = match &ty {
            Some(ty) if elements.is_empty() => Summary::of_type(ty),
            Some(_) | None => total.summary(),
        };
        if let Some(refusal) = summary.refusal() {
            return Value::refuse(refusal);
        }
        let ty = ty.map(OnceLock::from).unwrap_or_default();
        let value = Value(repr(Arc::new(Sequence { ty, elements, summary, has_memory: total.has_memory })));
        if has_type_from_start(summary) {
            value.ty();
        }
        value
    }
}
