//! Computes the planned value of an object that a provider will create, from its configuration and its schema.

use std::collections::BTreeSet;

use terrane_value::{
    Entries, Known, Mark, Marks, OriginKind, Origins, SmolStr, Type, Unknown, Value, ValueKind,
};

use super::schema::{Attributes, Nesting, Schema, SchemaAttribute};

/// The value of an argument that is not configured and that its provider does not compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnsetArgument {
    /// Null, and for blocks an empty collection.
    Null,
    /// Unknown, because the provider may have a default.
    MayHaveDefault,
}

impl Schema {
    /// Returns the object as a plan shows it before its creation, for `config`, a value decoded by
    /// [`Schema::configuration_spec`]. Computed attributes that are not configured are unknown, other arguments are
    /// as `unset` says, sensitive attributes are marked, and write-only attributes are null. `origins` is the cause of the
    /// unknown attributes: the object itself.
    ///
    /// ```
    /// use terrane_body::{Schema, SchemaAttribute, UnsetArgument};
    /// use terrane_value::{OriginKind, Origins, Type, Value};
    ///
    /// let schema = Schema::new()
    ///     .attribute("id", SchemaAttribute::computed(Type::String))
    ///     .attribute("name", SchemaAttribute::optional(Type::String));
    /// let config = Value::object([
    ///     ("id".into(), Value::null(Type::String)),
    ///     ("name".into(), Value::null(Type::String)),
    /// ]);
    /// let origins = Origins::one(OriginKind::Computed, "demo_thing.a");
    /// let planned = schema.planned(&config, &origins, UnsetArgument::Null);
    /// let attributes = planned.as_entries().expect("an object");
    /// let id = attributes.get("id").expect("the schema has it");
    /// assert_eq!(id.origins().as_slice()[0].to_string(), "demo_thing.a.id is set by the provider");
    /// assert!(attributes.get("name").expect("the schema has it").is_null());
    /// ```
    pub fn planned(&self, config: &Value, origins: &Origins, unset: UnsetArgument) -> Value {
        object(config, &|name, value| {
            if let Some(attribute) = self.attributes().get(name) {
                return attribute.planned_at(name, value, origins, unset);
            }
            let origins = origins.at_attribute(name);
            let Some(block) = self.blocks().get(name) else { return value.clone() };
            if unset == UnsetArgument::MayHaveDefault && is_empty_collection(value) {
                return possible_default(value, value.ty(), &origins).not_null();
            }
            // Unknown parts would leave the number of elements of a set unknown.
            let unset = if block.nesting == Nesting::Set { UnsetArgument::Null } else { unset };
            objects(value, block.nesting, &origins, &|value, origins| {
                block.schema.planned(value, origins, unset)
            })
        })
    }
}

impl Schema {
    /// Returns an object as recorded in a state, with the sensitive attributes marked. Block types that the state has as null
    /// have the value of no blocks.
    pub fn recorded(&self, value: &Value) -> Value {
        object(value, &|name, value| {
            if let Some(attribute) = self.attributes().get(name) {
                return attribute.recorded(value);
            }
            let Some(block) = self.blocks().get(name) else { return value.clone() };
            let value = without_blocks(value, block.nesting).unwrap_or_else(|| value.clone());
            objects(&value, block.nesting, &Origins::NONE, &|value, _| block.schema.recorded(value))
        })
    }
}

impl Schema {
    /// Returns the names of the sensitive attributes at any depth, for objects that do not fit the schema.
    pub fn sensitive_names(&self) -> BTreeSet<&SmolStr> {
        let mut names = BTreeSet::new();
        let (mut schemas, mut left) = (vec![self], Vec::new());
        while let Some(schema) = schemas.pop() {
            schemas.extend(schema.blocks().values().map(|block| &block.schema));
            left.push(schema.attributes());
        }
        while let Some(attributes) = left.pop() {
            let sensitive = attributes.iter().filter(|(_, attribute)| attribute.sensitive);
            names.extend(sensitive.map(|(name, _)| name));
            let nested = attributes.values().filter_map(SchemaAttribute::nested_attributes);
            left.extend(nested.map(|nested| &nested.attributes));
        }
        names
    }
}

impl SchemaAttribute {
    fn recorded(&self, value: &Value) -> Value {
        let value = match self.nested_attributes() {
            Some(nested) => objects(value, nested.nesting, &Origins::NONE, &|value, _| {
                object(value, &|name, value| match nested.attributes.get(name) {
                    Some(attribute) => attribute.recorded(value),
                    None => value.clone(),
                })
            }),
            None => value.clone(),
        };
        // No state has a value that is not stored, but the arguments of a resource whose provider is in doubt have it.
        let is_secret = self.sensitive || self.write_only && !value.is_null();
        if is_secret { value.with_marks(&Marks::sensitive()) } else { value }
    }

    /// Does the same as [`SchemaAttribute::planned`], for the attribute with a name of the object that is unknown for the reasons
    /// `origins`.
    fn planned_at(&self, name: &str, value: &Value, origins: &Origins, unset: UnsetArgument) -> Value {
        let may_be_unknown = self.computed || (self.optional && unset == UnsetArgument::MayHaveDefault);
        let is_other = self.write_only || self.sensitive || self.nested_attributes().is_some();
        // Most attributes stay as they are, so no reasons are made for them.
        match is_other || (may_be_unknown && value.is_null()) {
            true => self.planned(value, &origins.at_attribute(name), unset),
            false => value.clone(),
        }
    }

    fn planned(&self, value: &Value, origins: &Origins, unset: UnsetArgument) -> Value {
        let ty = self.ty.without_optional();
        let planned = match self.nested_attributes() {
            _ if self.write_only && is_stored_secret(value) => {
                Value::null(ty).with_marks(&Marks::sensitive())
            }
            _ if self.write_only => Value::null(ty),
            _ if self.computed && value.is_null() => {
                Value::unknown_from(ty, origins.clone()).with_marks(value.marks())
            }
            _ if self.optional && value.is_null() && unset == UnsetArgument::MayHaveDefault => {
                possible_default(value, ty, origins)
            }
            Some(nested) => objects(value, nested.nesting, origins, &|value, origins| {
                planned_object(&nested.attributes, value, origins, unset)
            }),
            None => value.clone(),
        };
        if self.sensitive { planned.with_marks(&Marks::sensitive()) } else { planned }
    }
}

/// Whether a plan marks the argument as sensitive. A plan does not contain an ephemeral value,
/// so it has no mark for one.
fn is_stored_secret(value: &Value) -> bool {
    value.has_mark(&Mark::Sensitive) && !value.has_mark(&Mark::Ephemeral)
}

/// Returns an unknown value in the place of an argument or block that is not configured: its provider may have a default.
fn possible_default(configured: &Value, ty: Type, origins: &Origins) -> Value {
    Value::unknown_from(ty, origins.of_kind(OriginKind::ProviderDefault)).with_marks(configured.marks())
}

/// Whether a value is a list or set without elements: no block is configured.
fn is_empty_collection(value: &Value) -> bool {
    match value.unmarked().kind() {
        ValueKind::List(all) | ValueKind::Set(all) => all.is_empty(),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Tuple(_)
        | ValueKind::Map(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => false,
    }
}

fn planned_object(attributes: &Attributes, value: &Value, origins: &Origins, unset: UnsetArgument) -> Value {
    object(value, &|name, value| match attributes.get(name) {
        Some(attribute) => attribute.planned_at(name, value, origins, unset),
        None => value.clone(),
    })
}

/// Maps the attributes of an object, or the known attributes of an open object. Returns other values as they are.
fn object(value: &Value, attribute: &dyn Fn(&str, &Value) -> Value) -> Value {
    let mapped = |attributes: &Entries| {
        attributes.iter().map(|(name, value)| (name.clone(), attribute(name, value))).collect::<Vec<_>>()
    };
    let inner = value.unmarked();
    let with = match (inner.kind(), inner.as_unknown()) {
        (ValueKind::Object(attributes), _) => Value::object(mapped(attributes)),
        (_, Some(unknown @ Unknown { known: Known::Object(attributes), .. })) => {
            let known = Known::Object(mapped(attributes).into_iter().collect());
            Value::from(Unknown { known, ..unknown.clone() })
        }
        (_, _) => return value.clone(),
    };
    with.with_marks(value.marks())
}

/// Returns the value of no blocks in place of a null collection or group; `None` for another value.
fn without_blocks(value: &Value, nesting: Nesting) -> Option<Value> {
    let ValueKind::Null(ty) = value.unmarked().kind() else { return None };
    let none = match ty {
        Type::List(element) => Value::list((**element).clone(), []),
        Type::Set(element) => Value::set((**element).clone(), []),
        Type::Map(element) => Value::map((**element).clone(), []),
        Type::Object(object) if nesting == Nesting::Group => {
            let attributes = object.attributes().iter();
            Value::object(attributes.map(|(name, ty)| (name.clone(), Value::null(ty.clone()))))
        }
        Type::Object(_) | Type::Tuple(_) | Type::Bool | Type::Number | Type::String | Type::Dynamic => {
            return None;
        }
    };
    Some(none.with_marks(value.marks()))
}

/// Maps the nested objects by `one`.
fn objects(
    value: &Value,
    nesting: Nesting,
    origins: &Origins,
    one: &dyn Fn(&Value, &Origins) -> Value,
) -> Value {
    let inner = value.unmarked();
    if matches!(nesting, Nesting::Single | Nesting::Group) {
        return one(inner, origins).with_marks(value.marks());
    }
    let key = |index| Value::number(terrane_value::Number::counted(index));
    let elements = |elements: &[Value]| -> Vec<Value> {
        (0..).zip(elements).map(|(index, value)| one(value, &origins.at_index(&key(index)))).collect()
    };
    let entries = |entries: &Entries| -> Vec<(SmolStr, Value)> {
        let entry = |(key, value): (&SmolStr, &Value)| {
            (key.clone(), one(value, &origins.at_index(&Value::string(key.clone()))))
        };
        entries.iter().map(entry).collect()
    };
    let ty = inner.ty();
    let element = || ty.element().cloned().unwrap_or(Type::Dynamic);
    let planned = match inner.kind() {
        ValueKind::List(all) => Value::list(element(), elements(all)),
        ValueKind::Tuple(all) => Value::tuple(elements(all)),
        // An element of a set has no key that could be added to its origins.
        ValueKind::Set(all) => Value::set(element(), all.iter().map(|value| one(value, origins))),
        ValueKind::Map(all) => Value::map(element(), entries(all)),
        ValueKind::Object(all) => Value::object(entries(all)),
        ValueKind::Unknown(unknown @ Unknown { known: Known::Sequence(all), .. }) => {
            let known = Known::Sequence(elements(all).into());
            Value::from(Unknown { known, ..unknown.clone() })
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => inner.clone(),
    };
    planned.with_marks(value.marks())
}
