//! [`Type`] and [`ObjectType`].
//!
//! A [`Type`] is the type of a value or the target of a conversion. Targets may have optional attributes; their defaults
//! are in `constraint`.

use std::fmt;
use std::ops::Deref;
use std::slice;
use std::sync::Arc;

use crate::SmolStr;
use crate::allocation::{COUNTERS, allocated};

/// A type, also used as a type constraint (where [`Type::Dynamic`] means `any`).
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// Unknown, or any type.
    Dynamic,
    /// A sequence of elements of one type.
    List(Arc<Type>),
    /// Distinct elements of one type, in the set order.
    Set(Arc<Type>),
    /// Elements of one type by string key.
    Map(Arc<Type>),
    /// A sequence with a type for each element.
    Tuple(Arc<TupleType>),
    /// Attributes with a type each.
    Object(Arc<ObjectType>),
}

thread_local! {
    /// The element types of most collections, which they share in memory.
    static ELEMENTS: Elements = Elements {
        bool: Arc::new(Type::Bool),
        number: Arc::new(Type::Number),
        string: Arc::new(Type::String),
        dynamic: Arc::new(Type::Dynamic),
    };
}

struct Elements {
    bool: Arc<Type>,
    number: Arc<Type>,
    string: Arc<Type>,
    dynamic: Arc<Type>,
}

/// Returns the type of the elements of a collection, shared if it is common.
fn shared_element_type(ty: Type) -> Arc<Type> {
    let of_thread = ELEMENTS.try_with(|elements| match ty {
        Type::Bool => Some(Arc::clone(&elements.bool)),
        Type::Number => Some(Arc::clone(&elements.number)),
        Type::String => Some(Arc::clone(&elements.string)),
        Type::Dynamic => Some(Arc::clone(&elements.dynamic)),
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_) => None,
    });
    // While a thread ends, no type is shared.
    of_thread.ok().flatten().unwrap_or_else(|| Arc::new(ty))
}

/// Facts about a type that depend on all its parts. Types of tuples and objects store them, because a type with a million
/// parts may be the type of many values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct TypeFacts {
    /// The number of parts at all levels.
    pub(crate) parts: u32,
    /// The number of nested levels: 0 for a primitive type, 1 for a tuple of primitive types.
    pub(crate) depth: u16,
    has_dynamic: bool,
    has_optional: bool,
    has_set: bool,
    /// Whether a set has elements that are not primitive.
    has_set_of_compounds: bool,
}

/// The element types of a tuple type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleType {
    elements: Vec<Type>,
    facts: TypeFacts,
}

/// The attributes of an object type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectType {
    /// Name and type of each attribute, sorted by name.
    attributes: Vec<(SmolStr, Type)>,
    /// Names of the attributes that a type constraint declares `optional`, sorted.
    optional: Vec<SmolStr>,
    facts: TypeFacts,
}

impl TypeFacts {
    /// Returns the facts about a type with these parts.
    fn of<'t>(parts: impl Iterator<Item = &'t Type>) -> TypeFacts {
        let mut facts = TypeFacts { depth: 1, ..TypeFacts::default() };
        for part in parts.map(Type::facts) {
            facts.parts = facts.parts.saturating_add(part.parts).saturating_add(1);
            facts.depth = facts.depth.max(part.depth.saturating_add(1));
            facts.has_dynamic |= part.has_dynamic;
            facts.has_optional |= part.has_optional;
            facts.has_set |= part.has_set;
            facts.has_set_of_compounds |= part.has_set_of_compounds;
        }
        facts
    }
}

impl FromIterator<Type> for TupleType {
    fn from_iter<I: IntoIterator<Item = Type>>(elements: I) -> TupleType {
        let elements: Vec<Type> = elements.into_iter().collect();
        let facts = TypeFacts::of(elements.iter());
        TupleType { elements, facts }
    }
}

impl Deref for TupleType {
    type Target = [Type];

    fn deref(&self) -> &[Type] {
        &self.elements
    }
}

impl<'t> IntoIterator for &'t TupleType {
    type Item = &'t Type;
    type IntoIter = slice::Iter<'t, Type>;

    fn into_iter(self) -> slice::Iter<'t, Type> {
        self.elements.iter()
    }
}

impl Default for ObjectType {
    fn default() -> ObjectType {
        ObjectType::new([])
    }
}

impl Type {
    /// Returns the approximate bytes of memory that no other type shares.
    pub(crate) fn own_bytes(&self) -> usize {
        match self {
            Type::Bool | Type::Number | Type::String | Type::Dynamic => 0,
            Type::List(element) | Type::Set(element) | Type::Map(element) => match Arc::strong_count(element)
            {
                1 => allocated(COUNTERS + size_of::<Type>()).saturating_add(element.own_bytes()),
                _ => 0,
            },
            Type::Tuple(elements) => match Arc::strong_count(elements) {
                1 => {
                    allocated(COUNTERS + size_of::<TupleType>())
                        + allocated(elements.elements.capacity() * size_of::<Type>())
                }
                _ => 0,
            },
            Type::Object(object) => match Arc::strong_count(object) {
                1 => {
                    allocated(COUNTERS + size_of::<ObjectType>())
                        + allocated(object.attributes.capacity() * size_of::<(SmolStr, Type)>())
                }
                _ => 0,
            },
        }
    }
}

impl ObjectType {
    /// Returns an object type with these attributes. If two have the same name, the last one counts.
    pub fn new(attributes: impl IntoIterator<Item = (SmolStr, Type)>) -> ObjectType {
        ObjectType::with_optional(attributes, [])
    }

    /// Returns an object type whose attributes in `optional` may be missing in a value to convert.
    pub fn with_optional(
        attributes: impl IntoIterator<Item = (SmolStr, Type)>,
        optional: impl IntoIterator<Item = SmolStr>,
    ) -> ObjectType {
        let attributes = sorted_last_wins(attributes.into_iter().collect());
        let mut optional: Vec<_> = optional.into_iter().collect();
        optional.sort_unstable();
        optional.dedup();
        let facts = TypeFacts::of(attributes.iter().map(|(_, ty)| ty));
        let facts = TypeFacts { has_optional: facts.has_optional || !optional.is_empty(), ..facts };
        ObjectType { attributes, optional, facts }
    }

    /// Returns name and type of each attribute, sorted by name.
    pub fn attributes(&self) -> &[(SmolStr, Type)] {
        &self.attributes
    }

    /// Returns the names of the optional attributes, sorted.
    pub fn optional(&self) -> &[SmolStr] {
        &self.optional
    }

    /// Returns the type of the attribute `name`.
    pub fn get(&self, name: &str) -> Option<&Type> {
        let index = self.attributes.binary_search_by(|(key, _)| (**key).cmp(name)).ok()?;
        self.attributes.get(index).map(|(_, ty)| ty)
    }

    /// Whether the attribute `name` may be missing in a value to convert.
    pub fn is_optional(&self, name: &str) -> bool {
        self.optional.binary_search_by(|key| (**key).cmp(name)).is_ok()
    }
}

/// Sorts by key. If keys are equal, only the last entry is kept.
pub(crate) fn sorted_last_wins<T>(mut entries: Vec<(SmolStr, T)>) -> Vec<(SmolStr, T)> {
    if sort_last_first(&mut entries) {
        entries.dedup_by(|(later, _), (earlier, _)| later == earlier);
    }
    entries
}

/// Sorts by key; among equal keys, the last entry comes first. Returns whether keys may be equal.
pub(crate) fn sort_last_first<T>(entries: &mut [(SmolStr, T)]) -> bool {
    if entries.is_sorted_by(|(a, _), (b, _)| a < b) {
        return false;
    }
    entries.reverse();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    true
}

impl Type {
    /// Returns a list type.
    pub fn list(element: Type) -> Type {
        Type::List(shared_element_type(element))
    }

    /// Returns a set type.
    pub fn set(element: Type) -> Type {
        Type::Set(shared_element_type(element))
    }

    /// Returns a map type.
    pub fn map(element: Type) -> Type {
        Type::Map(shared_element_type(element))
    }

    /// Returns a tuple type.
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Type {
        Type::Tuple(Arc::new(TupleType::from_iter(elements)))
    }

    /// Returns an object type.
    pub fn object(attributes: impl IntoIterator<Item = (SmolStr, Type)>) -> Type {
        Type::Object(Arc::new(ObjectType::new(attributes)))
    }

    /// Whether the type is bool, number or string.
    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::Bool | Type::Number | Type::String)
    }

    /// Whether the type is a list, set or map.
    pub fn is_collection(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_))
    }

    /// Whether values of this type can be iterated.
    pub fn is_iterable(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_))
    }

    /// Returns the element type of a list, set or map.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element),
            Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Tuple(_) | Type::Object(_) => {
                None
            }
        }
    }

    /// Returns the facts about the type. Takes time only for nested lists, sets and maps.
    pub(crate) fn facts(&self) -> TypeFacts {
        let (mut ty, mut levels, mut has_set, mut has_set_of_compounds) = (self, 0_u16, false, false);
        let inner = loop {
            if let Type::Set(element) = ty {
                has_set = true;
                has_set_of_compounds |= !element.is_primitive();
            }
            match ty {
                Type::Bool | Type::Number | Type::String => break TypeFacts::default(),
                Type::Dynamic => break TypeFacts { has_dynamic: true, ..TypeFacts::default() },
                Type::Tuple(tuple) => break tuple.facts,
                Type::Object(object) => break object.facts,
                Type::List(element) | Type::Set(element) | Type::Map(element) => {
                    (ty, levels) = (element, levels.saturating_add(1));
                }
            }
        };
        TypeFacts {
            parts: inner.parts.saturating_add(u32::from(levels)),
            depth: inner.depth.saturating_add(levels),
            has_set: inner.has_set || has_set,
            has_set_of_compounds: inner.has_set_of_compounds || has_set_of_compounds,
            ..inner
        }
    }

    /// Returns the number of parts at all levels, each counted as often as it occurs. Takes time only for nested lists, sets and
    /// maps.
    pub fn parts(&self) -> usize {
        self.facts().parts as usize
    }

    /// Whether the type contains a set.
    pub fn has_set(&self) -> bool {
        self.facts().has_set
    }

    /// Whether the type contains a set whose elements are not primitive. Comparing such sets takes a text for each element.
    pub fn has_set_of_compounds(&self) -> bool {
        self.facts().has_set_of_compounds
    }

    /// Whether [`Type::Dynamic`] occurs anywhere in the type.
    pub fn has_dynamic(&self) -> bool {
        self.facts().has_dynamic
    }

    /// Whether an attribute anywhere in the type is `optional`.
    pub fn has_optional(&self) -> bool {
        self.facts().has_optional
    }

    /// Returns the type without any `optional` attribute modifier.
    #[must_use]
    pub fn without_optional(&self) -> Type {
        match self {
            // Most types have no optional attribute, and copying the whole type would happen at
            // each level of a conversion.
            _ if !self.has_optional() => self.clone(),
            Type::Bool | Type::Number | Type::String | Type::Dynamic => self.clone(),
            Type::List(element) => Type::list(element.without_optional()),
            Type::Set(element) => Type::set(element.without_optional()),
            Type::Map(element) => Type::map(element.without_optional()),
            Type::Tuple(elements) => Type::tuple(elements.iter().map(Type::without_optional)),
            Type::Object(object) => {
                let attributes = object.attributes().iter();
                Type::object(attributes.map(|(name, ty)| (name.clone(), ty.without_optional())))
            }
        }
    }

    /// Whether the type is `want`, ignoring which attributes are optional.
    pub(crate) fn is_like(&self, want: &Type) -> bool {
        self.agrees::<false>(want)
    }

    /// Whether the type is like `want`, or like a type that the dynamic parts of `want` can become.
    pub(crate) fn conforms_to(&self, want: &Type) -> bool {
        self.agrees::<true>(want)
    }

    fn agrees<const DYNAMIC_IS_ANY: bool>(&self, want: &Type) -> bool {
        match (self, want) {
            (_, Type::Dynamic) if DYNAMIC_IS_ANY => true,
            (Type::List(have), Type::List(want))
            | (Type::Set(have), Type::Set(want))
            | (Type::Map(have), Type::Map(want)) => have.agrees::<DYNAMIC_IS_ANY>(want),
            (Type::Tuple(have), Type::Tuple(want)) => {
                let mut pairs = have.iter().zip(&**want);
                have.len() == want.len() && pairs.all(|(have, want)| have.agrees::<DYNAMIC_IS_ANY>(want))
            }
            (Type::Object(have), Type::Object(want)) => {
                let (have, want) = (have.attributes(), want.attributes());
                have.len() == want.len()
                    && have.iter().zip(want).all(|((have_name, have), (want_name, want))| {
                        have_name == want_name && have.agrees::<DYNAMIC_IS_ANY>(want)
                    })
            }
            (
                Type::Bool
                | Type::Number
                | Type::String
                | Type::Dynamic
                | Type::List(_)
                | Type::Set(_)
                | Type::Map(_)
                | Type::Tuple(_)
                | Type::Object(_),
                _,
            ) => self == want,
        }
    }

    /// Returns the name of the type of a value in messages: "string", "list of number", "object".
    pub fn friendly_name(&self) -> String {
        self.name("dynamic", "dynamic")
    }

    /// Returns the name of the type of a value in a message: a collection whose element type is
    /// unknown is only a "list".
    pub fn plain_name(&self) -> String {
        let name = self.friendly_name();
        name.trim_end_matches(" of dynamic").to_owned()
    }

    /// Returns the name of the type as a requirement on values, where a dynamic part stands for any type:
    /// "list of any single type".
    pub fn constraint_name(&self) -> String {
        self.name("any type", "any single type")
    }

    fn name(&self, dynamic: &str, dynamic_element: &str) -> String {
        let collection = |kind: &str, element: &Type| {
            format!("{kind} of {}", element.name(dynamic_element, dynamic_element))
        };
        match self {
            Type::Bool => "bool".to_owned(),
            Type::Number => "number".to_owned(),
            Type::String => "string".to_owned(),
            Type::Dynamic => dynamic.to_owned(),
            Type::List(element) => collection("list", element),
            Type::Set(element) => collection("set", element),
            Type::Map(element) => collection("map", element),
            Type::Tuple(_) => "tuple".to_owned(),
            Type::Object(_) => "object".to_owned(),
        }
    }
}

/// Writes the type in the language's own notation on one line: `list(object({name=string}))`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Number => f.write_str("number"),
            Type::String => f.write_str("string"),
            Type::Dynamic => f.write_str("any"),
            Type::List(element) => write!(f, "list({element})"),
            Type::Set(element) => write!(f, "set({element})"),
            Type::Map(element) => write!(f, "map({element})"),
            Type::Tuple(elements) => {
                f.write_str("tuple([")?;
                for (index, element) in elements.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "," };
                    write!(f, "{separator}{element}")?;
                }
                f.write_str("])")
            }
            Type::Object(object) => {
                f.write_str("object({")?;
                for (index, (name, ty)) in object.attributes().iter().enumerate() {
                    let separator = if index == 0 { "" } else { "," };
                    if object.is_optional(name) {
                        write!(f, "{separator}{name}=optional({ty})")?;
                    } else {
                        write!(f, "{separator}{name}={ty}")?;
                    }
                }
                f.write_str("})")
            }
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_types_are_sorted_and_the_last_of_equal_names_counts() {
        let ty =
            Type::object([("b".into(), Type::Bool), ("a".into(), Type::String), ("b".into(), Type::Number)]);
        assert_eq!(ty.to_string(), "object({a=string,b=number})");
        assert_eq!(size_of::<Type>(), 16);
    }

    #[test]
    fn sets_of_compound_values_are_found_at_any_depth() {
        let of = |element| Type::tuple([Type::Bool, Type::list(Type::set(element))]);
        let found = [Type::String, Type::list(Type::Bool), Type::object([]), Type::set(Type::Number)]
            .map(|element| of(element).has_set_of_compounds());
        assert_eq!(found, [false, true, true, true]);
        assert!(!Type::list(Type::object([])).has_set_of_compounds());
    }

    #[test]
    fn a_dynamic_part_of_the_wanted_type_is_any_type_only_for_conforming() {
        let object = |ty| ObjectType::with_optional([("a".into(), ty)], ["a".into()]);
        let (have, optional) =
            (Type::object([("a".into(), Type::Bool)]), Type::Object(Arc::new(object(Type::Bool))));
        assert!(have != optional && have.is_like(&optional) && have.conforms_to(&optional));
        let dynamic = Type::Object(Arc::new(object(Type::Dynamic)));
        assert!(!have.is_like(&dynamic) && have.conforms_to(&dynamic) && !dynamic.conforms_to(&have));
        assert!(dynamic.is_like(&dynamic));
    }

    #[test]
    fn names_for_people() {
        let ty = Type::list(Type::map(Type::Dynamic));
        assert_eq!(ty.friendly_name(), "list of map of dynamic");
        assert_eq!(ty.constraint_name(), "list of map of any single type");
        assert_eq!(Type::Dynamic.constraint_name(), "any type");
    }
}
