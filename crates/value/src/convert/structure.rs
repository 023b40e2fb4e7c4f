//! Converts to objects and tuples.
//!
//! One function per kind of source value, called by [`convert`](super::convert()).

use super::{Safety, convert_part, is_convertible, mismatch, not_convertible, without_null_marks};
use crate::{Entries, ObjectType, PathStep, Type, Value, ValueError};

/// Converts an object to an object type. Unwanted attributes are left out, and missing optional attributes become null.
pub(super) fn object_to_object(
    entries: &Entries,
    want: &ObjectType,
    safety: Safety,
) -> Result<Value, ValueError> {
    let mut attributes = Vec::with_capacity(want.attributes().len());
    for (name, ty) in want.attributes() {
        let value = match entries.get(name) {
            Some(value) => convert_part(value, ty, safety)
                .map_err(|error| error.inside(PathStep::Attribute((**name).into())))?,
            None => Value::null(ty.without_optional()),
        };
        attributes.push((name.clone(), without_null_marks(value)));
    }
    Ok(Value::object(attributes))
}

/// Converts a map to an object type. Unwanted keys are left out, and missing optional attributes become null.
pub(super) fn map_to_object(
    entries: &Entries,
    want: &ObjectType,
    safety: Safety,
) -> Result<Value, ValueError> {
    let mut attributes = Vec::with_capacity(want.attributes().len());
    for (name, ty) in want.attributes() {
        let value = match entries.get(name) {
            Some(value) => {
                let inside = |error: ValueError| error.inside(PathStep::Index(Value::from(&**name)));
                let have = value.ty();
                if !is_convertible(&have, ty, safety) {
                    return Err(inside(mismatch::error(&have, ty)));
                }
                convert_part(value, ty, safety).map_err(inside)?
            }
            None if want.is_optional(name) => Value::null(ty.without_optional()),
            None => {
                return Err(not_convertible(format!("the map has no element \"{name}\", which is required")));
            }
        };
        attributes.push((name.clone(), without_null_marks(value)));
    }
    Ok(Value::object(attributes))
}

pub(super) fn tuple_to_tuple(elements: &[Value], want: &[Type], safety: Safety) -> Result<Value, ValueError> {
    let mut converted = Vec::with_capacity(want.len());
    for (index, (element, ty)) in elements.iter().zip(want).enumerate() {
        let element = convert_part(element, ty, safety);
        converted.push(element.map_err(|error| error.inside(PathStep::element(index)))?);
    }
    Ok(Value::tuple(converted))
}
