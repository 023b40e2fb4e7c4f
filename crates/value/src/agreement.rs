//! Reads open sequences: sequences that may become a list, a set or a tuple, because the schema is unknown.
//!
//! A function whose result is the same for all three kinds can use the known elements.

use crate::{Known, Type, Unknown, Value};

/// The property in which a list, a set and a tuple of the same elements must agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// The elements: no two are equal, so a set keeps all of them.
    Elements,
    /// The elements and their order: they are distinct and in set order.
    Order,
}

impl Unknown {
    /// Returns the elements of an open sequence if all are known values of one primitive type: a list and a tuple then
    /// have the same elements. The provider may add to other elements, or convert some of them to the type of the rest.
    pub fn plain_elements(&self) -> Option<&[Value]> {
        let Known::Sequence(elements) = &self.known else { return None };
        let ty = elements.first().map_or(Type::Dynamic, Value::ty);
        let is_plain =
            |value: &Value| value.is_known() && !value.is_null() && !value.is_marked() && value.ty() == ty;
        let is_of_one_type = ty.is_primitive() || elements.is_empty();
        (is_of_one_type && elements.iter().all(is_plain)).then_some(elements.as_slice())
    }

    /// Returns the [plain elements](Unknown::plain_elements) of an open sequence as a tuple. `None` if a list, a set
    /// and a tuple of them do not agree, so that the result would depend on the kind of the sequence.
    pub fn as_tuple(&self, agreement: Agreement) -> Option<Value> {
        let elements = self.plain_elements()?;
        let ty = elements.first().map_or(Type::Dynamic, Value::ty);
        let set = Value::set_of(ty, elements.iter().cloned());
        let sorted = set.as_sequence().unwrap_or_default();
        let is_in_place = |(sorted, element): (&Value, &Value)| sorted.equals(element) == Some(true);
        let is_distinct = sorted.len() == elements.len();
        let agrees = match agreement {
            Agreement::Elements => is_distinct,
            Agreement::Order => is_distinct && sorted.iter().zip(elements).all(is_in_place),
        };
        agrees.then(|| Value::tuple(elements.iter().cloned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entries, Origins};

    fn agrees(elements: &[Value]) -> (bool, bool) {
        let open = Value::open_sequence(elements.to_vec(), Origins::NONE);
        let as_tuple = |agreement| open.as_unknown().unwrap().as_tuple(agreement).is_some();
        (as_tuple(Agreement::Elements), as_tuple(Agreement::Order))
    }

    #[test]
    fn kinds_of_sequences_agree_about_distinct_values_in_set_order() {
        let (a, b) = (Value::from("a"), Value::from("b"));
        assert_eq!(agrees(&[]), (true, true));
        assert_eq!(agrees(&[a.clone(), b.clone()]), (true, true));
        assert_eq!(agrees(&[b, a.clone()]), (true, false));
        assert_eq!(agrees(&[a.clone(), a.clone()]), (false, false));
        assert_eq!(agrees(&[Value::TRUE, a.clone()]), (false, false));
        assert_eq!(agrees(&[a.clone(), Value::unknown(Type::String)]), (false, false));
        assert_eq!(agrees(&[Value::tuple([a])]), (false, false));
        assert_eq!(agrees(&[Value::NULL]), (false, false));
    }

    #[test]
    fn plain_elements_are_known_values_of_one_primitive_type() {
        let count = |elements: &[Value]| {
            let open = Value::open_sequence(elements.to_vec(), Origins::NONE);
            open.as_unknown().unwrap().plain_elements().map(<[Value]>::len)
        };
        let a = Value::from("a");
        assert_eq!(count(&[]), Some(0));
        assert_eq!(count(&[a.clone(), a.clone()]), Some(2));
        assert_eq!(count(&[a.clone(), Value::TRUE]), None);
        assert_eq!(count(&[a.clone(), Value::null(Type::String)]), None);
        assert_eq!(count(&[Value::tuple([a])]), None);
        let object = Value::open_object(Entries::default(), Origins::NONE);
        assert!(object.as_unknown().unwrap().plain_elements().is_none());
    }
}
