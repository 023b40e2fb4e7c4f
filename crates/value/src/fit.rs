//! Tells whether a value has a type, without building the type of the value.
//!
//! The constructors of collections use it to decide whether elements need a conversion.

use crate::{Origins, Type, Value, ValueKind, convert};

impl Value {
    /// Converts elements that are not all of the element type of `ty` to a collection of that type. Returns an unknown
    /// value with an error as its origin if an element cannot be converted.
    pub(crate) fn converted_elements(tuple_or_object: &Value, ty: Type) -> Value {
        convert(tuple_or_object, &ty).unwrap_or_else(|_| Value::unknown_from(ty, Origins::error()))
    }

    /// Whether the value can be an element of a collection with the element type `ty`, whose dynamic parts may be
    /// anything. The depth is bounded by the depth of values.
    pub(crate) fn is_of(&self, ty: &Type) -> bool {
        // A large value may be the element at many positions of a collection.
        if self.made_type_is(ty) {
            return true;
        }
        match (self.kind(), ty) {
            (_, Type::Dynamic)
            | (ValueKind::Bool(_), Type::Bool)
            | (ValueKind::Number(_), Type::Number)
            | (ValueKind::String(_), Type::String) => true,
            (ValueKind::Tuple(elements), Type::Tuple(types)) => {
                elements.len() == types.len()
                    && elements.iter().zip(types.iter()).all(|(value, ty)| value.is_of(ty))
            }
            (ValueKind::Object(entries), Type::Object(object)) => {
                entries.len() == object.attributes().len()
                    && entries
                        .iter()
                        .zip(object.attributes())
                        .all(|((name, value), (wanted, ty))| name == wanted && value.is_of(ty))
            }
            (ValueKind::Marked(inner, _), ty) => inner.is_of(ty),
            (ValueKind::List(_) | ValueKind::Set(_) | ValueKind::Map(_) | ValueKind::Null(_), ty) => {
                self.ty().conforms_to(ty)
            }
            (ValueKind::Unknown(unknown), ty) => unknown.ty.conforms_to(ty),
            (
                ValueKind::Bool(_)
                | ValueKind::Number(_)
                | ValueKind::String(_)
                | ValueKind::Tuple(_)
                | ValueKind::Object(_),
                _,
            ) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Marks, Number, ObjectBuilder, Type, Value, display};

    fn shown(value: &Value) -> String {
        display::console(value).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn elements_of_other_types_are_converted() {
        let mixed = || [Value::from("a"), Value::TRUE, Value::number(Number::literal(1))];
        assert_eq!(shown(&Value::list(Type::String, mixed())), r#"tolist([ "a", "true", "1", ])"#);
        assert_eq!(shown(&Value::set(Type::String, mixed())), r#"toset([ "1", "a", "true", ])"#);
        let map = Value::map(Type::String, [("k".into(), Value::TRUE.with_marks(&Marks::sensitive()))]);
        let (plain, marks) = map.unmark_deep();
        assert_eq!((shown(&plain), marks), (r#"tomap({ "k" = "true" })"#.to_owned(), Marks::sensitive()));
        let object = |value: Value| ObjectBuilder::new().with("a", value).build();
        let list = Value::list(Type::Dynamic, [object(Value::from("x")), object(Value::TRUE)]);
        assert_eq!(list.ty().to_string(), "list(object({a=string}))");
        assert!(
            list.as_sequence().unwrap().iter().all(|element| element.ty() == *list.ty().element().unwrap())
        );
    }

    #[test]
    fn inconvertible_elements_are_errors() {
        let list = Value::list(Type::Number, [Value::from("a")]);
        assert!(!list.is_known());
        assert_eq!(list.ty(), Type::list(Type::Number));
        let map = Value::map(Type::Bool, [("k".into(), Value::tuple([]))]);
        assert!(!map.is_known() && !Value::set(Type::Bool, [Value::tuple([])]).is_known());
    }
}
