//! Converts unknown values.
//!
//! The result keeps the refinements that stay true for the wanted type.

use super::{Safety, convert};
use crate::convert::unify::unify_with;
use crate::{Agreement, Entries, Known, ObjectType, Origins, Type, Unknown, Value};

/// Returns an unknown value of the wanted type. Keeps the bounds on the length of a collection.
pub(super) fn convert_unknown(unknown: &Unknown, want: &Type) -> Value {
    match (&unknown.known, want) {
        (Known::Object(entries), Type::Object(want)) => {
            return open_to_object(entries, want, &unknown.origins);
        }
        (Known::Sequence(elements), Type::List(want)) if !want.has_dynamic() && elements.len() < 2 => {
            return Value::list_of(want.without_optional(), open_elements(elements, want));
        }
        (Known::Sequence(elements), Type::Set(want)) if !want.has_dynamic() => {
            return Value::set_of(want.without_optional(), open_elements(elements, want));
        }
        (Known::Nothing | Known::Object(_) | Known::Sequence(_), _) => {}
    }
    let agreement = match want {
        Type::List(_) => Some(Agreement::Order),
        Type::Set(_) => Some(Agreement::Elements),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Object(_) => None,
    };
    if let Some(tuple) = agreement.and_then(|agreement| unknown.as_tuple(agreement))
        && let Ok(converted) = convert(&tuple, want)
    {
        return converted;
    }
    let from = &unknown.ty;
    let to = replace_dynamic(from, &want.without_optional());
    let result = Value::unknown_from(to.clone(), unknown.origins.clone());
    let result = if unknown.refinement.not_null { result.not_null() } else { result };
    match (from, &to) {
        (Type::Object(from), Type::Map(_)) => exact_length(result, from.attributes().len()),
        (Type::Tuple(from), Type::List(_)) => exact_length(result, from.len()),
        // Elements of a set may turn out to be equal, but a set of at least one element never becomes empty.
        (Type::Tuple(from), Type::Set(_)) => {
            let length = from.len() as u64;
            result.with_length_bounds(length.min(1), Some(length))
        }
        (Type::List(_) | Type::Set(_) | Type::Map(_), Type::Set(_)) => {
            let (min, max) = (unknown.refinement.length_min, unknown.refinement.length_max);
            result.with_length_bounds(min.min(1), max)
        }
        (Type::List(_) | Type::Set(_) | Type::Map(_), Type::List(_) | Type::Map(_)) => {
            result.with_length_bounds(unknown.refinement.length_min, unknown.refinement.length_max)
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
        ) => result,
    }
}

fn exact_length(value: Value, length: usize) -> Value {
    value.with_length_bounds(length as u64, Some(length as u64))
}

/// Converts an open object: its configured attributes are kept, and the provider sets the others. A configured
/// attribute that cannot be converted is unknown, because the provider may change it.
fn open_to_object(entries: &Entries, want: &ObjectType, origins: &Origins) -> Value {
    Value::object(want.attributes().iter().map(|(name, ty)| {
        let unknown = || Value::unknown_from(ty.without_optional(), origins.at_attribute(name));
        let present = entries.get(name).filter(|value| !value.is_null());
        let value = present.map_or_else(unknown, |value| {
            convert(value, ty).unwrap_or_else(|_| unknown().with_marks(value.marks()))
        });
        (name.clone(), value)
    }))
}

fn open_elements(elements: &[Value], want: &Type) -> Vec<Value> {
    let unknown = |value: &Value| Value::unknown_from(want.without_optional(), value.origins_deep());
    elements.iter().map(|value| convert(value, want).unwrap_or_else(|_| unknown(value))).collect()
}

/// Returns the type `to`, with its dynamic parts replaced by the corresponding parts of `from`. A part of `to` stays as
/// it is if `from` has no convertible part for it, such as a missing optional attribute.
pub(super) fn replace_dynamic(from: &Type, to: &Type) -> Type {
    match (from, to) {
        (Type::Dynamic, _) => to.clone(),
        (_, Type::Dynamic) => from.clone(),
        (Type::Map(from), Type::Map(to)) => Type::map(replace_dynamic(from, to)),
        (Type::List(from) | Type::Set(from), Type::Set(to)) => Type::set(replace_dynamic(from, to)),
        (Type::List(from) | Type::Set(from), Type::List(to)) => Type::list(replace_dynamic(from, to)),
        (Type::Object(from), Type::Map(to)) => {
            Type::map(replace_with_unified(from.attributes().iter().map(|(_, ty)| ty.clone()), to))
        }
        (Type::Tuple(from), Type::Set(to)) => Type::set(replace_with_unified(from.iter().cloned(), to)),
        (Type::Tuple(from), Type::List(to)) => Type::list(replace_with_unified(from.iter().cloned(), to)),
        (Type::Map(from), Type::Object(to)) => {
            let attributes = to.attributes().iter();
            Type::object(attributes.map(|(name, to)| (name.clone(), replace_dynamic(from, to))))
        }
        (Type::Object(from), Type::Object(to)) => {
            let attributes = to.attributes().iter();
            // An optional attribute may be missing, and stays dynamic then.
            Type::object(attributes.map(|(name, to)| {
                let ty = from.get(name).map_or_else(|| to.clone(), |from| replace_dynamic(from, to));
                (name.clone(), ty)
            }))
        }
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            Type::tuple(from.iter().zip(&**to).map(|(from, to)| replace_dynamic(from, to)))
        }
        (
            Type::Bool
            | Type::Number
            | Type::String
            | Type::List(_)
            | Type::Set(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_),
            _,
        ) => to.clone(),
    }
}

fn replace_with_unified(from: impl Iterator<Item = Type>, to: &Type) -> Type {
    let types: Vec<Type> = from.collect();
    unify_with(&types, Safety::Unsafe).map_or_else(|| to.clone(), |from| replace_dynamic(&from, to))
}
