//! [`TypeConstraint`]: a type with defaults for optional attributes, as in `type = object({ a = optional(string, "x") })`.
//!
//! The defaults are applied before the value is converted to the type.

use std::collections::BTreeMap;
use std::fmt;

use crate::quote::write_literal as quote_literal;
use crate::{Entries, SmolStr, Type, Value, ValueError, ValueKind, convert, unify_values};

/// A type constraint, as the `type` argument of a variable gives it.
#[derive(Clone, Debug)]
pub struct TypeConstraint {
    /// The type, with [`Type::Dynamic`] for `any` and object types with optional attributes.
    pub ty: Type,
    /// The defaults of the optional attributes, at any depth.
    pub defaults: Defaults,
}

/// Default values of optional attributes, in the shape of a type.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The type for which these are the defaults.
    pub ty: Type,
    /// The default values of the attributes of an object type, by name.
    pub values: BTreeMap<SmolStr, Value>,
    /// The defaults inside: of attributes by name, of tuple elements by index, and of all elements of a collection at
    /// the empty key. Parts without defaults may be left out.
    pub children: BTreeMap<SmolStr, Defaults>,
}

impl TypeConstraint {
    /// The constraint that accepts every value as it is.
    pub const ANY: TypeConstraint = TypeConstraint::new(Type::Dynamic);

    /// Returns a constraint without defaults.
    pub const fn new(ty: Type) -> TypeConstraint {
        TypeConstraint { ty, defaults: Defaults::none(Type::Dynamic) }
    }

    /// Returns the value with the defaults filled in, converted to the type.
    pub fn convert(&self, value: &Value) -> Result<Value, ValueError> {
        convert(&self.defaults.apply(value), &self.ty)
    }
}

impl From<Type> for TypeConstraint {
    fn from(ty: Type) -> TypeConstraint {
        TypeConstraint::new(ty)
    }
}

/// Writes the constraint in the language's own notation on one line: `object({port=optional(number,80)})`.
impl fmt::Display for TypeConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, &self.ty, Some(&self.defaults))
    }
}

fn write_type(f: &mut fmt::Formatter<'_>, ty: &Type, defaults: Option<&Defaults>) -> fmt::Result {
    let child = |key: &str| defaults.and_then(|defaults| defaults.children.get(key));
    let collection = match ty {
        Type::List(element) => ("list", element),
        Type::Set(element) => ("set", element),
        Type::Map(element) => ("map", element),
        Type::Tuple(elements) => {
            f.write_str("tuple([")?;
            for (index, element) in elements.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { "," })?;
                write_type(f, element, child(index.to_string().as_str()))?;
            }
            return f.write_str("])");
        }
        Type::Object(object) => {
            f.write_str("object({")?;
            for (index, (name, ty)) in object.attributes().iter().enumerate() {
                write!(f, "{}{name}=", if index == 0 { "" } else { "," })?;
                if !object.is_optional(name) {
                    write_type(f, ty, child(name))?;
                    continue;
                }
                f.write_str("optional(")?;
                write_type(f, ty, child(name))?;
                if let Some(default) = defaults.and_then(|defaults| defaults.values.get(name)) {
                    f.write_str(",")?;
                    write_literal(f, default)?;
                }
                f.write_str(")")?;
            }
            return f.write_str("})");
        }
        Type::Bool | Type::Number | Type::String | Type::Dynamic => return write!(f, "{ty}"),
    };
    let (word, element) = collection;
    write!(f, "{word}(")?;
    write_type(f, element, child(""))?;
    f.write_str(")")
}

/// Writes a default value in the notation of type constraints; conversion to the type gives the value again.
fn write_literal(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    match value.kind() {
        ValueKind::Bool(value) => write!(f, "{value}"),
        ValueKind::Number(number) => write!(f, "{number}"),
        ValueKind::String(text) => write_quoted(f, text),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            f.write_str("[")?;
            for (index, element) in elements.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { "," })?;
                write_literal(f, element)?;
            }
            f.write_str("]")
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            f.write_str("{")?;
            for (index, (key, value)) in entries.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { "," })?;
                write_quoted(f, key)?;
                f.write_str("=")?;
                write_literal(f, value)?;
            }
            f.write_str("}")
        }
        // Defaults are literals, so they are never unknown or marked.
        ValueKind::Null(_) | ValueKind::Unknown(_) | ValueKind::Marked(..) => f.write_str("null"),
    }
}

fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut quoted = String::new();
    quote_literal(text, &mut quoted);
    f.write_str(&quoted)
}

impl Defaults {
    /// Returns an empty set of defaults.
    pub const fn none(ty: Type) -> Defaults {
        Defaults { ty, values: BTreeMap::new(), children: BTreeMap::new() }
    }

    /// Whether there is no default at any depth.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.children.values().all(Defaults::is_empty)
    }

    /// Replaces missing and null attributes by their defaults. The result may still need conversion: parts that do not
    /// fit the type stay as they are.
    pub fn apply(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        match value.kind() {
            ValueKind::Marked(value, marks) => self.apply(value).with_marks(marks),
            ValueKind::Tuple(elements) => Value::tuple(self.apply_to_elements(elements)),
            ValueKind::List(elements) => {
                let element = value.ty().element().cloned().unwrap_or(Type::Dynamic);
                unified(self.apply_to_elements(elements), element, Value::list)
            }
            ValueKind::Set(elements) => {
                let element = value.ty().element().cloned().unwrap_or(Type::Dynamic);
                unified(self.apply_to_elements(elements), element, Value::set)
            }
            ValueKind::Object(entries) => Value::object(self.apply_to_entries(entries)),
            ValueKind::Map(entries) => {
                let element = value.ty().element().cloned().unwrap_or(Type::Dynamic);
                unified_map(self.apply_to_entries(entries), element)
            }
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_) => value.clone(),
        }
    }

    fn apply_to_elements(&self, elements: &[Value]) -> Vec<Value> {
        let apply = |(index, element): (usize, &Value)| {
            let child = match &self.ty {
                Type::Tuple(_) => self.children.get(index.to_string().as_str()),
                Type::Bool
                | Type::Number
                | Type::String
                | Type::Dynamic
                | Type::List(_)
                | Type::Set(_)
                | Type::Map(_)
                | Type::Object(_) => self.children.get(""),
            };
            child.map_or_else(|| element.clone(), |child| child.apply(element))
        };
        elements.iter().enumerate().map(apply).collect()
    }

    fn apply_to_entries(&self, entries: &Entries) -> Vec<(SmolStr, Value)> {
        let is_object = matches!(self.ty, Type::Object(_));
        let apply = |(key, value): (&SmolStr, &Value)| {
            let child = self.children.get(if is_object { &**key } else { "" });
            (key.clone(), child.map_or_else(|| value.clone(), |child| child.apply(value)))
        };
        // Both are in the order of their keys.
        let mut defaults = self.values.iter().peekable();
        let mut all = Vec::with_capacity(entries.len().max(self.values.len()));
        for (key, value) in entries.iter().map(apply) {
            while let Some((name, default)) = defaults.next_if(|(name, _)| **name < key) {
                all.push((name.clone(), self.filled(name, default, None)));
            }
            let value = match defaults.next_if(|(name, _)| **name == key) {
                Some((name, default)) => self.filled(name, default, Some(value)),
                None => value,
            };
            all.push((key, value));
        }
        all.extend(defaults.map(|(name, default)| (name.clone(), self.filled(name, default, None))));
        all
    }

    /// Returns the value of an attribute that has a default.
    fn filled(&self, name: &SmolStr, default: &Value, given: Option<Value>) -> Value {
        let value = given.filter(|value| !value.is_null()).unwrap_or_else(|| match self.children.get(name) {
            Some(child) => child.apply(default),
            None => default.clone(),
        });
        if default.is_never_null() { value.not_null() } else { value }
    }
}

/// Returns a collection of the elements, converted to their common type; a tuple if they have none.
fn unified(elements: Vec<Value>, element: Type, collect: fn(Type, Vec<Value>) -> Value) -> Value {
    if elements.is_empty() {
        return collect(element, elements);
    }
    match unify_elements(&elements) {
        Some((ty, elements)) => collect(ty, elements),
        None => Value::tuple(elements),
    }
}

fn unified_map(entries: Vec<(SmolStr, Value)>, element: Type) -> Value {
    if entries.is_empty() {
        return Value::map_of(element, entries);
    }
    let (keys, values): (Vec<SmolStr>, Vec<Value>) = entries.into_iter().unzip();
    match unify_elements(&values) {
        Some((ty, values)) => Value::map_of(ty, keys.into_iter().zip(values)),
        None => Value::object(keys.into_iter().zip(values)),
    }
}

fn unify_elements(values: &[Value]) -> Option<(Type, Vec<Value>)> {
    let (ty, values) = unify_values(values)?.ok()?;
    let one_type = ty != Type::Dynamic || values.iter().all(|value| value.ty() == Type::Dynamic);
    one_type.then_some((ty, values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Number, ObjectBuilder, ObjectType};

    fn number(value: i64) -> Value {
        Value::number(Number::literal(value))
    }

    /// Returns `object({ a = optional(T, default) })`.
    fn constraint(ty: Type, default: Option<Value>, child: Option<Defaults>) -> TypeConstraint {
        let object = ObjectType::with_optional([("a".into(), ty)], ["a".into()]);
        let ty = Type::Object(object.into());
        let mut defaults = Defaults::none(ty.clone());
        defaults.values.extend(default.map(|default| ("a".into(), default)));
        defaults.children.extend(child.map(|child| ("a".into(), child)));
        TypeConstraint { ty, defaults }
    }

    fn attribute(value: &Value, name: &str) -> Value {
        value.as_entries().unwrap().get(name).unwrap().clone()
    }

    #[test]
    fn a_default_replaces_missing_and_null() {
        let constraint = constraint(Type::Number, Some(number(80)), None);
        for value in [ObjectBuilder::new().build(), ObjectBuilder::new().with("a", Value::NULL).build()] {
            assert!(attribute(&constraint.convert(&value).unwrap(), "a").same(&number(80)));
        }
        let given = ObjectBuilder::new().with("a", "1").build();
        assert!(attribute(&constraint.convert(&given).unwrap(), "a").same(&number(1)));
        let unknown = ObjectBuilder::new().with("a", Value::unknown(Type::Number)).build();
        assert!(attribute(&constraint.convert(&unknown).unwrap(), "a").is_never_null());
        assert!(constraint.convert(&Value::NULL).unwrap().is_null());
        assert_eq!(constraint.to_string(), "object({a=optional(number,80)})");
    }

    #[test]
    fn defaults_inside_need_a_value_around_them() {
        let inner = constraint(Type::Number, Some(number(3)), None);
        let without = constraint(inner.ty.clone(), None, Some(inner.defaults.clone()));
        let empty = ObjectBuilder::new().build();
        assert!(attribute(&without.convert(&empty).unwrap(), "a").is_null());
        let with = constraint(inner.ty.clone(), Some(empty.clone()), Some(inner.defaults));
        let value = with.convert(&empty).unwrap();
        assert!(attribute(&attribute(&value, "a"), "a").same(&number(3)));
        assert_eq!(with.to_string(), "object({a=optional(object({a=optional(number,3)}),{})})");
    }

    #[test]
    fn defaults_apply_to_the_elements_of_collections() {
        let element = constraint(Type::Number, Some(number(80)), None);
        for ty in [Type::list(element.ty.clone()), Type::set(element.ty.clone())] {
            let mut defaults = Defaults::none(ty.clone());
            defaults.children.insert("".into(), element.defaults.clone());
            let given = ObjectBuilder::new().with("a", "80").build();
            let value = Value::tuple([ObjectBuilder::new().build(), given]);
            let constraint = TypeConstraint { ty, defaults };
            let converted = constraint.convert(&value).unwrap();
            let elements = converted.as_sequence().unwrap();
            assert!(elements.iter().all(|element| attribute(element, "a").same(&number(80))));
            assert_eq!(elements.len(), if matches!(constraint.ty, Type::Set(_)) { 1 } else { 2 });
        }
    }

    #[test]
    fn string_defaults_are_quoted() {
        let constraint = constraint(Type::String, Some(Value::from("a\"${b}\n")), None);
        assert_eq!(constraint.to_string(), "object({a=optional(string,\"a\\\"$${b}\\n\")})");
    }
}
