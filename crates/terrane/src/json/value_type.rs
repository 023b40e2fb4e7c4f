//! Types as JSON, in the notation of `terraform output -json`: `"string"`, `["list","string"]`, `["object",{"a":"bool"}]`.

use serde::ser::{SerializeMap, SerializeSeq, SerializeTuple};
use serde::{Serialize, Serializer};
use terrane_value::{Entries, Type, Value, ValueKind};

use crate::secrets::{Secrets, nameless, shown_type};

/// Serializes a type.
pub(crate) struct TypeJson<'t>(&'t Type);

impl<'t> TypeJson<'t> {
    pub(crate) fn of(ty: &'t Type) -> TypeJson<'t> {
        TypeJson(ty)
    }
}

impl Serialize for TypeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Type::Bool | Type::Number | Type::String | Type::Dynamic => {
                serializer.serialize_str(&self.0.friendly_name())
            }
            Type::List(element) => ("list", TypeJson(element)).serialize(serializer),
            Type::Set(element) => ("set", TypeJson(element)).serialize(serializer),
            Type::Map(element) => ("map", TypeJson(element)).serialize(serializer),
            Type::Tuple(elements) => ("tuple", TupleTypes(elements)).serialize(serializer),
            Type::Object(object) => {
                let attributes =
                    Attributes(object.attributes().iter().map(|(name, ty)| (&**name, ty)).collect());
                let optional: Vec<&str> = object.optional().iter().map(|name| &**name).collect();
                match optional.is_empty() {
                    true => ("object", attributes).serialize(serializer),
                    false => ("object", attributes, optional).serialize(serializer),
                }
            }
        }
    }
}

/// Writes a type, for `serialize_with`.
pub(crate) fn type_json<S: Serializer>(ty: &Type, serializer: S) -> Result<S::Ok, S::Error> {
    TypeJson::of(ty).serialize(serializer)
}

struct TupleTypes<'t>(&'t [Type]);

impl Serialize for TupleTypes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(TypeJson::of))
    }
}

struct Attributes<'t>(Vec<(&'t str, &'t Type)>);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, ty)| (name, TypeJson::of(ty))))
    }
}

/// The type of a value, written without building it. With [`Secrets::Hidden`], the type of a secret part has no names.
#[derive(Clone, Copy)]
pub(crate) struct TypeOf<'v> {
    value: &'v Value,
    secrets: Secrets,
    /// Whether names of attributes are written.
    has_names: bool,
}

impl<'v> TypeOf<'v> {
    pub(crate) fn of(value: &'v Value, secrets: Secrets) -> TypeOf<'v> {
        TypeOf { value, secrets, has_names: true }
    }

    /// Returns the type without the names of attributes, which may be computed from secrets.
    pub(crate) fn without_names(value: &'v Value) -> TypeOf<'v> {
        TypeOf { value, secrets: Secrets::Hidden, has_names: false }
    }

    fn part(&self, value: &'v Value) -> TypeOf<'v> {
        TypeOf { value, ..*self }
    }
}

impl Serialize for TypeOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.has_names {
            return TypeJson(&nameless(&self.value.ty())).serialize(serializer);
        }
        match self.value.kind() {
            ValueKind::Marked(inner, marks) if self.secrets == Secrets::Hidden && marks.is_secret() => {
                TypeJson(&nameless(&inner.ty())).serialize(serializer)
            }
            ValueKind::Marked(inner, _) => self.part(inner).serialize(serializer),
            ValueKind::Tuple(elements) => {
                let mut pair = serializer.serialize_tuple(2)?;
                pair.serialize_element("tuple")?;
                pair.serialize_element(&ElementTypes { elements, of: *self })?;
                pair.end()
            }
            ValueKind::Object(attributes) => {
                let mut pair = serializer.serialize_tuple(2)?;
                pair.serialize_element("object")?;
                pair.serialize_element(&AttributeTypes { attributes, of: *self })?;
                pair.end()
            }
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Map(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_) => {
                TypeJson(&shown_type(self.value, self.secrets).without_optional()).serialize(serializer)
            }
        }
    }
}

struct ElementTypes<'v> {
    elements: &'v [Value],
    of: TypeOf<'v>,
}

impl Serialize for ElementTypes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut types = serializer.serialize_seq(Some(self.elements.len()))?;
        for element in self.elements {
            types.serialize_element(&self.of.part(element))?;
        }
        types.end()
    }
}

struct AttributeTypes<'v> {
    attributes: &'v Entries,
    of: TypeOf<'v>,
}

impl Serialize for AttributeTypes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut types = serializer.serialize_map(Some(self.attributes.len()))?;
        for (name, value) in self.attributes {
            types.serialize_entry(&**name, &self.of.part(value))?;
        }
        types.end()
    }
}
