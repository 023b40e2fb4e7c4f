//! Decides whether a conversion between two types exists.
//!
//! A pure function of types; conversion and unification ask it before they look at values.

use crate::convert::unify::unify_with;
use crate::{ObjectType, Type};

/// The conversions that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Safety {
    /// Only conversions that succeed for every value.
    Safe,
    /// Also conversions that fail for some values.
    Unsafe,
}

/// Whether there is a conversion between the types. A type is convertible to itself.
pub(crate) fn is_convertible(from: &Type, to: &Type, safety: Safety) -> bool {
    let may_fail = safety == Safety::Unsafe;
    match (from, to) {
        (_, Type::Dynamic)
        | (Type::Bool | Type::Number | Type::String, Type::String)
        | (Type::Bool, Type::Bool)
        | (Type::Number, Type::Number) => true,
        (Type::Dynamic, _) | (Type::String, Type::Bool | Type::Number) => may_fail,
        (Type::Object(from), Type::Object(to)) => is_object_convertible(from, to, safety),
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.len() == to.len()
                && from.iter().zip(&**to).all(|(from, to)| is_convertible(from, to, safety))
        }
        (Type::List(from) | Type::Set(from), Type::List(to))
        | (Type::Set(from), Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => is_convertible(from, to, safety),
        (Type::List(from), Type::Set(to)) => may_fail && is_convertible(from, to, safety),
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => {
            from.is_empty() || element_target(from, to, safety, true).is_some()
        }
        (Type::Object(from), Type::Map(to)) => {
            let types: Vec<Type> = from.attributes().iter().map(|(_, ty)| ty.clone()).collect();
            types.is_empty() || element_target(&types, to, safety, false).is_some()
        }
        // Only the value shows whether the map has the attributes, and whether an optional attribute
        // of another type is in it.
        (Type::Map(from), Type::Object(to)) => {
            may_fail
                && to
                    .attributes()
                    .iter()
                    .all(|(name, attribute)| is_convertible(from, attribute, safety) || to.is_optional(name))
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
        ) => false,
    }
}

fn is_object_convertible(from: &ObjectType, to: &ObjectType, safety: Safety) -> bool {
    to.attributes().iter().all(|(name, want)| match from.get(name) {
        Some(have) => is_convertible(have, want, safety),
        None => to.is_optional(name),
    })
}

/// Returns the type to which elements of these types are converted for a collection of `want`; `None` if there is none.
/// With `all_or_none`, either all or none of the types may be unknown.
pub(super) fn element_target(types: &[Type], want: &Type, safety: Safety, all_or_none: bool) -> Option<Type> {
    if *want != Type::Dynamic {
        return types.iter().all(|ty| is_convertible(ty, want, safety)).then(|| want.clone());
    }
    let unified = unify_with(types, safety)?;
    if all_or_none && unified == Type::Dynamic && types.iter().any(|ty| *ty != Type::Dynamic) {
        return None;
    }
    types.iter().all(|ty| is_convertible(ty, &unified, safety)).then_some(unified)
}
