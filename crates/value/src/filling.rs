//! Counts the elements that the optional attributes of a type constraint add to a value, before they are added.

use crate::{Defaults, SmolStr, Type, TypeConstraint, Value};

impl TypeConstraint {
    /// Returns the number of elements at all levels that missing and null attributes add to the value once their
    /// defaults are filled in, elements inside of the defaults included; `None` if there are more than `most`.
    ///
    /// The count takes no more time than the conversion of a value with this number of elements, and stops at `most`.
    pub fn added_elements(&self, value: &Value, most: u64) -> Option<u64> {
        let inner = value.unmarked();
        if inner.as_entries().is_none() && inner.as_sequence().is_none() {
            return Some(0);
        }
        let Some(optional) = Optional::of(&self.ty, Some(&self.defaults)) else { return Some(0) };
        let mut left = Left(most);
        optional.fill(inner, &mut left)?;
        Some(most - left.0)
    }

    /// Whether the value would have more than `most` elements at all levels after missing and null optional attributes
    /// are filled in.
    pub fn exceeds(&self, value: &Value, most: u64) -> bool {
        let left = most.checked_sub(value.extent().0 as u64);
        left.and_then(|left| self.added_elements(value, left)).is_none()
    }
}

/// The number of elements that may still be added.
struct Left(u64);

impl Left {
    /// Takes `elements`; `None` if fewer are left.
    fn take(&mut self, elements: usize) -> Option<()> {
        self.0 = self.0.checked_sub(u64::try_from(elements).ok()?)?;
        Some(())
    }
}

/// The optional attributes of a type, and the parts of it that have some.
struct Optional<'t> {
    /// The names and defaults of the optional attributes of the object.
    attributes: Vec<(&'t SmolStr, Option<&'t Value>)>,
    /// The attributes and elements with optional attributes inside.
    parts: Vec<(TypePart<'t>, Optional<'t>)>,
}

/// A part of a type.
enum TypePart<'t> {
    /// An attribute, with its default if it is optional.
    Attribute { name: &'t SmolStr, default: Option<&'t Value>, is_required: bool },
    /// The element of a tuple.
    Element(usize),
    /// All elements of a list, set or map.
    Elements,
}

impl<'t> Optional<'t> {
    /// Returns the optional attributes of a type with these defaults; `None` if it has none.
    fn of(ty: &'t Type, defaults: Option<&'t Defaults>) -> Option<Optional<'t>> {
        let inside = |key: &str| defaults.and_then(|defaults| defaults.children.get(key));
        let default = |name: &SmolStr| defaults.and_then(|defaults| defaults.values.get(name));
        let mut found = Optional { attributes: Vec::new(), parts: Vec::new() };
        match ty {
            Type::Object(object) => {
                let attributes = object.attributes().iter();
                let optional =
                    attributes.clone().map(|(name, _)| name).filter(|name| object.is_optional(name));
                found.attributes = optional.map(|name| (name, default(name))).collect();
                let part = |(name, ty): &'t (SmolStr, Type)| {
                    let is_required = !object.is_optional(name);
                    let part = TypePart::Attribute { name, default: default(name), is_required };
                    Some((part, Optional::of(ty, inside(name))?))
                };
                found.parts = attributes.filter_map(part).collect();
            }
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                let inner = Optional::of(element, inside(""));
                found.parts = inner.map(|inner| (TypePart::Elements, inner)).into_iter().collect();
            }
            Type::Tuple(elements) => {
                let part = |(index, ty): (usize, &'t Type)| {
                    Some((TypePart::Element(index), Optional::of(ty, inside(&index.to_string()))?))
                };
                found.parts = elements.iter().enumerate().filter_map(part).collect();
            }
            Type::Bool | Type::Number | Type::String | Type::Dynamic => {}
        }
        (!found.attributes.is_empty() || !found.parts.is_empty()).then_some(found)
    }

    /// Takes the elements that a value gets from `left`; `None` if fewer are left.
    fn fill(&self, value: &Value, left: &mut Left) -> Option<()> {
        let value = value.unmarked();
        let (entries, sequence) = (value.as_entries(), value.as_sequence());
        if entries.is_none() && sequence.is_none() {
            return Some(());
        }
        if let Some(entries) = entries {
            for (name, default) in &self.attributes {
                let given = entries.get(name);
                left.take(usize::from(given.is_none()))?;
                if given.is_none_or(Value::is_null) {
                    left.take(default.map_or(0, |default| default.extent().0))?;
                }
            }
        }
        for (part, inner) in &self.parts {
            match part {
                TypePart::Attribute { name, default, is_required } => {
                    let given = entries.and_then(|all| all.get(name));
                    if given.is_none() && *is_required {
                        // The value does not fit the type, so nothing is filled in.
                        return Some(());
                    }
                    let given = given.filter(|given| !given.is_null());
                    if let Some(value) = given.or(entries.and(*default)) {
                        inner.fill(value, left)?;
                    }
                }
                TypePart::Element(index) => {
                    if let Some(value) = sequence.and_then(|all| all.get(*index)) {
                        inner.fill(value, left)?;
                    }
                }
                TypePart::Elements => {
                    let values = entries.map(|entries| entries.values().as_slice());
                    for value in sequence.or(values).into_iter().flatten() {
                        inner.fill(value, left)?;
                    }
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ObjectBuilder, ObjectType};

    /// Returns the constraint of nested maps of objects, in which the default of each level has two keys.
    fn nested(levels: usize) -> TypeConstraint {
        let mut ty = Type::String;
        let mut defaults = Defaults::none(Type::String);
        let mut default = Value::from("x");
        for _ in 0..levels {
            let object: Type =
                Type::Object(ObjectType::with_optional([("a".into(), ty)], ["a".into()]).into());
            let mut attributes = Defaults::none(object.clone());
            attributes.values.insert("a".into(), default);
            if !defaults.is_empty() {
                attributes.children.insert("a".into(), defaults);
            }
            ty = Type::Map(object.into());
            defaults = Defaults::none(ty.clone());
            defaults.children.insert("".into(), attributes);
            let empty = || ObjectBuilder::new().build();
            default = ObjectBuilder::new().with("x", empty()).with("y", empty()).build();
        }
        TypeConstraint { ty, defaults }
    }

    #[test]
    fn the_content_of_defaults_counts() {
        let value = ObjectBuilder::new().with("x", ObjectBuilder::new().build()).build();
        for levels in 1..6 {
            let constraint = nested(levels);
            let converted = constraint.convert(&value).unwrap();
            let added = (converted.extent().0 - value.extent().0) as u64;
            assert_eq!(constraint.added_elements(&value, added), Some(added), "{levels} levels");
            assert_eq!(constraint.added_elements(&value, added - 1), None, "{levels} levels");
        }
        assert!(nested(60).exceeds(&value, 1_000_000));
    }

    #[test]
    fn null_gets_the_default_and_given_attributes_do_not() {
        let constraint = nested(1);
        let with =
            |value: Value| ObjectBuilder::new().with("x", ObjectBuilder::new().with("a", value).build());
        assert_eq!(constraint.added_elements(&with(Value::NULL).build(), 9), Some(0));
        assert_eq!(nested(2).added_elements(&with(Value::NULL).build(), 9), Some(4));
        assert_eq!(nested(2).added_elements(&with(ObjectBuilder::new().build()).build(), 9), Some(0));
        assert_eq!(constraint.added_elements(&Value::NULL, 0), Some(0));
    }
}
