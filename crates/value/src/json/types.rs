//! Encodes and decodes types as JSON.
//!
//! The form is the same as in provider schemas and in the plan format.

use std::sync::Arc;

use super::read::{Content, Node, Property, read};
use super::{DecodeError, write_string};
use crate::{ObjectType, SmolStr, Type};

/// Returns a type as JSON: `"string"`, `["list","string"]`, `["object",{"a":"bool"}]` (with the names of optional
/// attributes as a third element), `"dynamic"`.
pub fn encode_type(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty);
    out
}

fn write_type(out: &mut String, ty: &Type) {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => write_string(out, &ty.friendly_name()),
        Type::List(element) => write_collection(out, "list", element),
        Type::Set(element) => write_collection(out, "set", element),
        Type::Map(element) => write_collection(out, "map", element),
        Type::Tuple(elements) => {
            out.push_str("[\"tuple\",[");
            separated(out, elements.iter(), write_type);
            out.push_str("]]");
        }
        Type::Object(object) => {
            out.push_str("[\"object\",{");
            separated(out, object.attributes().iter(), |out, (name, ty)| {
                write_string(out, name);
                out.push(':');
                write_type(out, ty);
            });
            out.push('}');
            if !object.optional().is_empty() {
                out.push_str(",[");
                separated(out, object.optional().iter(), |out, name| write_string(out, name));
                out.push(']');
            }
            out.push(']');
        }
    }
}

fn write_collection(out: &mut String, kind: &str, element: &Type) {
    out.push_str("[\"");
    out.push_str(kind);
    out.push_str("\",");
    write_type(out, element);
    out.push(']');
}

fn separated<T>(out: &mut String, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

/// Decodes a type that [`encode_type`] wrote.
pub fn decode_type(text: &str) -> Result<Type, DecodeError> {
    ty(&read(text, usize::MAX)?)
}

pub(super) fn ty(node: &Node<'_>) -> Result<Type, DecodeError> {
    let unknown = || DecodeError::new(node.offset, "This is not the JSON form of a type.");
    match &node.content {
        Content::String(name) => match &**name {
            "bool" => Ok(Type::Bool),
            "number" => Ok(Type::Number),
            "string" => Ok(Type::String),
            "dynamic" => Ok(Type::Dynamic),
            _ => Err(unknown()),
        },
        Content::Array(parts) => {
            let Some((Content::String(kind), parts)) =
                parts.split_first().map(|(kind, parts)| (&kind.content, parts))
            else {
                return Err(unknown());
            };
            match (&**kind, parts) {
                ("list", [element]) => Ok(Type::list(ty(element)?)),
                ("set", [element]) => Ok(Type::set(ty(element)?)),
                ("map", [element]) => Ok(Type::map(ty(element)?)),
                ("tuple", [Node { content: Content::Array(elements), .. }]) => {
                    Ok(Type::tuple(elements.iter().map(ty).collect::<Result<Vec<_>, _>>()?))
                }
                ("object", [Node { content: Content::Object(properties), .. }]) => object(properties, &[]),
                (
                    "object",
                    [
                        Node { content: Content::Object(properties), .. },
                        Node { content: Content::Array(optional), .. },
                    ],
                ) => object(properties, optional),
                _ => Err(unknown()),
            }
        }
        Content::Null | Content::Bool(_) | Content::Number(_) | Content::Object(_) => Err(unknown()),
    }
}

fn object(properties: &[Property<'_>], optional: &[Node<'_>]) -> Result<Type, DecodeError> {
    let attributes = properties.iter().map(|property| Ok((name(&property.name), ty(&property.value)?)));
    let attributes = attributes.collect::<Result<Vec<_>, DecodeError>>()?;
    let declared = ObjectType::new(attributes.iter().cloned());
    let optional = optional.iter().map(|node| match &node.content {
        Content::String(text) if declared.get(text).is_some() => Ok(name(text)),
        Content::Null
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_)
        | Content::Array(_)
        | Content::Object(_) => {
            Err(DecodeError::new(node.offset, "This is not the name of an attribute of the object type."))
        }
    });
    let optional = optional.collect::<Result<Vec<_>, _>>()?;
    Ok(Type::Object(Arc::new(ObjectType::with_optional(attributes, optional))))
}

fn name(text: &str) -> SmolStr {
    SmolStr::from(&*crate::Value::normalize(text))
}
