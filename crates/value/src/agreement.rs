use crate::{Known, Type, Unknown, Value};

/// In what a list, a set and a tuple made of the same elements have to be the same for a use of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// In the elements: no two are equal, of which a set would keep one.
    Elements,
    /// In their order as well: they are in the order of a set.
    Order,
    /// In nothing, for a use that takes no set but reads elements: there is one, and a list and a tuple have the same.
    Unneeded,
}

impl Unknown {
    /// The elements of an open sequence as a tuple, where a list, a set and a tuple of them agree, so that it does
    /// not matter which of the three the sequence is. They do where the elements are known values of one primitive
    /// type: of others the provider may make more than is configured.
    pub fn as_tuple(&self, agreement: Agreement) -> Option<Value> {
        let Known::Sequence(elements) = &self.known else { return None };
        let ty = elements.first().map_or(Type::Dynamic, Value::ty);
        let is_plain =
            |value: &Value| value.is_known() && !value.is_null() && !value.is_marked() && value.ty() == ty;
        if !elements.iter().all(is_plain) || !(ty.is_primitive() || elements.is_empty()) {
            return None;
        }
        if agreement == Agreement::Unneeded {
            return (!elements.is_empty()).then(|| Value::tuple(elements.iter().cloned()));
        }
        let set = Value::set_of(ty, elements.iter().cloned());
        let sorted = set.as_sequence().unwrap_or_default();
        let is_in_place = |(sorted, element): (&Value, &Value)| sorted.equals(element) == Some(true);
        let agrees = match agreement {
            Agreement::Elements | Agreement::Unneeded => true,
            Agreement::Order => sorted.iter().zip(elements.iter()).all(is_in_place),
        };
        (agrees && sorted.len() == elements.len()).then(|| Value::tuple(elements.iter().cloned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origins;

    fn agrees(elements: &[Value]) -> (bool, bool, bool) {
        let open = Value::open_sequence(elements.to_vec(), Origins::NONE);
        let as_tuple = |agreement| open.as_unknown().unwrap().as_tuple(agreement).is_some();
        (as_tuple(Agreement::Elements), as_tuple(Agreement::Order), as_tuple(Agreement::Unneeded))
    }

    #[test]
    fn kinds_of_sequences_agree_about_distinct_values_in_set_order() {
        let (a, b) = (Value::from("a"), Value::from("b"));
        assert_eq!(agrees(&[]), (true, true, false));
        assert_eq!(agrees(&[a.clone(), b.clone()]), (true, true, true));
        assert_eq!(agrees(&[b, a.clone()]), (true, false, true));
        assert_eq!(agrees(&[a.clone(), a.clone()]), (false, false, true));
        assert_eq!(agrees(&[Value::TRUE, a.clone()]), (false, false, false));
        assert_eq!(agrees(&[a.clone(), Value::unknown(Type::String)]), (false, false, false));
        assert_eq!(agrees(&[Value::tuple([a])]), (false, false, false));
        assert_eq!(agrees(&[Value::NULL]), (false, false, false));
    }
}
