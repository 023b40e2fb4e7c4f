//! Writes the error text of a failed conversion.
//!
//! Called once a conversion has failed, to find the innermost types that do not fit.

use super::{Safety, is_convertible, not_convertible};
use crate::{ObjectType, PathStep, Type, Value, ValueError, counted, with_article};

/// Returns the reason why no value of type `have` can be converted to type `want`, at the deepest level that shows it.
pub(super) fn error(have: &Type, want: &Type) -> ValueError {
    match (have, want) {
        (Type::Object(have), Type::Object(want)) => object_error(have, want),
        (Type::Tuple(_), Type::List(element) | Type::Set(element)) if **element == Type::Dynamic => {
            not_convertible("all elements must have one type")
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            not_convertible("all elements must have one type")
        }
        (Type::Tuple(elements), Type::List(want) | Type::Set(want)) => {
            let mut elements = elements.iter().enumerate();
            match elements.find(|(_, have)| !is_convertible(have, want, Safety::Unsafe)) {
                Some((index, have)) => error(have, want).inside(PathStep::element(index)),
                None => required(have, &Type::list((**want).clone())),
            }
        }
        (Type::Object(object), Type::Map(element)) => {
            let mut attributes = object.attributes().iter();
            match attributes.find(|(_, have)| !is_convertible(have, element, Safety::Unsafe)) {
                Some((name, have)) => error(have, element).inside(PathStep::Index(Value::from(&**name))),
                None => required(have, want),
            }
        }
        (Type::Tuple(have), Type::Tuple(want)) if have.len() == want.len() => {
            let mut pairs = have.iter().zip(&**want).enumerate();
            match pairs.find(|(_, (have, want))| !is_convertible(have, want, Safety::Unsafe)) {
                Some((index, (have, want))) => error(have, want).inside(PathStep::element(index)),
                None => not_convertible("a tuple of other types is required"),
            }
        }
        (Type::Tuple(have), Type::Tuple(want)) => {
            let (want, have) = (counted(want.len(), "element"), have.len());
            not_convertible(format!("a tuple of {want} is required, not of {have}"))
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
        ) => required(have, want),
    }
}

fn object_error(have: &ObjectType, want: &ObjectType) -> ValueError {
    let attributes = want.attributes().iter();
    let missing = attributes.filter(|(name, _)| have.get(name).is_none() && !want.is_optional(name));
    let missing: Vec<String> = missing.map(|(name, _)| format!("\"{name}\"")).collect();
    if let Some((last, others)) = missing.split_last() {
        return not_convertible(if others.is_empty() {
            format!("the attribute {last} is missing")
        } else {
            format!("the attributes {} and {last} are missing", others.join(", "))
        });
    }
    for (name, want) in want.attributes() {
        if let Some(have) = have.get(name)
            && !is_convertible(have, want, Safety::Unsafe)
        {
            return error(have, want).inside(PathStep::Attribute((**name).into()));
        }
    }
    not_convertible("an object of another type is required")
}

fn required(have: &Type, want: &Type) -> ValueError {
    let (have, want) = (with_article(&have.plain_name()), with_article(&want.constraint_name()));
    not_convertible(format!("{want} is required, not {have}"))
}
