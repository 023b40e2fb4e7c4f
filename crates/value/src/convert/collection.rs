//! Converts to lists, sets and maps.
//!
//! One function per kind of source value, called by [`convert`](super::convert()).

use super::available::element_target;
use super::{Safety, convert_part, not_convertible, without_null_marks};
use crate::convert::unify::unify_with;
use crate::equality::length_range;
use crate::{Entries, PathStep, SmolStr, Type, Value, ValueError};

/// Converts a list or set to a list.
pub(super) fn to_list(value: &Value, want: &Type, safety: Safety) -> Result<Value, ValueError> {
    let Some((fewest, most)) = length_range(value) else { return Ok(value.clone()) };
    let element = value.ty().element().cloned().unwrap_or(Type::Dynamic);
    if fewest != most {
        // The length of the list is unknown. The element type is the type of the set's elements, as in the reference.
        return Ok(Value::unknown_from(Type::list(element), value.origins_deep()));
    }
    let elements = convert_elements(value.as_sequence().unwrap_or_default(), want, safety)?;
    let elements: Vec<Value> = elements.into_iter().map(without_null_marks).collect();
    check_one_type(elements.iter())?;
    let element = element_type(&elements, empty_element(&elements, want, element));
    Ok(Value::list_of(element, elements))
}

/// Converts a list or set to a set.
pub(super) fn to_set(value: &Value, want: &Type, safety: Safety) -> Result<Value, ValueError> {
    let element = value.ty().element().cloned().unwrap_or(Type::Dynamic);
    let elements = convert_elements(value.as_sequence().unwrap_or_default(), want, safety)?;
    let elements: Vec<Value> = elements.into_iter().map(without_null_marks).collect();
    check_one_type(elements.iter())?;
    let element = element_type(&elements, empty_element(&elements, want, element));
    Ok(Value::set_of(element, elements))
}

/// Converts a map to a map.
pub(super) fn to_map(
    value: &Value,
    entries: &Entries,
    want: &Type,
    safety: Safety,
) -> Result<Value, ValueError> {
    if *want == Type::Dynamic {
        return Ok(value.clone());
    }
    let mut entries = convert_entries(entries, want, safety)?;
    if want.is_collection() || matches!(want, Type::Object(_)) {
        entries = unify_entries(entries, Safety::Safe)?;
    }
    check_one_type(entries.iter().map(|(_, value)| value))?;
    let element = element_type(entries.iter().map(|(_, value)| value), want.without_optional());
    Ok(Value::map_of(element, entries))
}

pub(super) fn tuple_to_list(elements: &[Value], want: &Type, safety: Safety) -> Result<Value, ValueError> {
    if elements.is_empty() {
        return Ok(Value::list_of(want.without_optional(), []));
    }
    let target = target(elements.iter(), want, safety, true)?;
    let mut elements = convert_elements(elements, &target, safety)?;
    // Without dynamic parts, every element has the target type.
    if target.has_dynamic() {
        elements = unify_elements(elements, safety)?;
        check_one_type(elements.iter())?;
    }
    Ok(Value::list_of(element_type(&elements, target.without_optional()), elements))
}

pub(super) fn tuple_to_set(elements: &[Value], want: &Type, safety: Safety) -> Result<Value, ValueError> {
    if elements.is_empty() {
        return Ok(Value::set_of(want.without_optional(), []));
    }
    let target = target(elements.iter(), want, safety, true)?;
    let elements = convert_elements(elements, &target, safety)?;
    let elements: Vec<Value> = elements.into_iter().map(without_null_marks).collect();
    check_one_type(elements.iter())?;
    Ok(Value::set_of(element_type(&elements, target.without_optional()), elements))
}

pub(super) fn object_to_map(entries: &Entries, want: &Type, safety: Safety) -> Result<Value, ValueError> {
    if entries.is_empty() {
        return Ok(Value::map_of(want.without_optional(), []));
    }
    let target = target(entries.values(), want, safety, false)?;
    let mut entries = convert_entries(entries, &target, safety)?;
    if target.is_collection() || matches!(target, Type::Object(_)) {
        entries = unify_entries(entries, safety)?;
    }
    check_one_type(entries.iter().map(|(_, value)| value))?;
    let element = element_type(entries.iter().map(|(_, value)| value), target.without_optional());
    Ok(Value::map_of(element, entries))
}

fn target<'v>(
    values: impl Iterator<Item = &'v Value>,
    want: &Type,
    safety: Safety,
    all_or_none: bool,
) -> Result<Type, ValueError> {
    if *want != Type::Dynamic {
        return Ok(want.clone());
    }
    let types: Vec<Type> = values.map(Value::ty).collect();
    element_target(&types, want, safety, all_or_none).ok_or_else(no_common_type)
}

/// Returns the declared element type of a new collection. If any type is wanted, an empty
/// collection keeps its own type.
fn empty_element(elements: &[Value], want: &Type, own: Type) -> Type {
    if elements.is_empty() && *want == Type::Dynamic { own } else { want.without_optional() }
}

/// Returns the element type of a new collection, which is `wanted` except in one case: if a set with unknown elements
/// became a list of another type on the way, it is that type, as in the reference.
fn element_type<'v>(elements: impl IntoIterator<Item = &'v Value>, wanted: Type) -> Type {
    if wanted.is_primitive() || wanted.has_dynamic() {
        return wanted;
    }
    let mut types = elements.into_iter().filter(|element| !element.is_wholly_known()).map(Value::ty);
    types.find(|ty| *ty != Type::Dynamic).unwrap_or(wanted)
}

fn convert_elements(elements: &[Value], want: &Type, safety: Safety) -> Result<Vec<Value>, ValueError> {
    if *want == Type::Dynamic {
        return Ok(elements.to_vec());
    }
    // This is a loop because iterator adapters use much of the stack if values are nested deeply.
    let mut converted = Vec::with_capacity(elements.len());
    for (index, element) in elements.iter().enumerate() {
        match convert_part(element, want, safety) {
            Ok(element) => converted.push(element),
            Err(error) => return Err(error.inside(PathStep::element(index))),
        }
    }
    Ok(converted)
}

fn convert_entries(
    entries: &Entries,
    want: &Type,
    safety: Safety,
) -> Result<Vec<(SmolStr, Value)>, ValueError> {
    let mut converted = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        match convert_part(value, want, safety) {
            Ok(value) => converted.push((key.clone(), value)),
            Err(error) => return Err(error.inside(PathStep::Index(Value::from(&**key)))),
        }
    }
    Ok(converted)
}

/// Converts elements that still differ in type, because the wanted type contains dynamic parts, to a common type.
fn unify_elements(elements: Vec<Value>, safety: Safety) -> Result<Vec<Value>, ValueError> {
    match common_type(elements.iter(), safety)? {
        Some(ty) => convert_elements(&elements, &ty, safety),
        None => Ok(elements),
    }
}

fn unify_entries(
    entries: Vec<(SmolStr, Value)>,
    safety: Safety,
) -> Result<Vec<(SmolStr, Value)>, ValueError> {
    match common_type(entries.iter().map(|(_, value)| value), safety)? {
        Some(ty) => convert_entries(&entries.into_iter().collect(), &ty, safety),
        None => Ok(entries),
    }
}

/// Returns the type to which all values can be converted; `None` if they have one type already.
fn common_type<'v>(
    values: impl Iterator<Item = &'v Value>,
    safety: Safety,
) -> Result<Option<Type>, ValueError> {
    let mut types: Vec<Type> = values.map(Value::ty).collect();
    types.dedup();
    if types.len() < 2 {
        return Ok(None);
    }
    unify_with(&types, safety).map(Some).ok_or_else(no_common_type)
}

/// Checks that values of unknown types stand beside values of at most one other type.
fn check_one_type<'v>(values: impl Iterator<Item = &'v Value>) -> Result<(), ValueError> {
    let mut types = values.map(Value::ty).filter(|ty| *ty != Type::Dynamic);
    let Some(first) = types.next() else { return Ok(()) };
    if types.all(|ty| ty == first) { Ok(()) } else { Err(no_common_type()) }
}

fn no_common_type() -> ValueError {
    not_convertible("all elements must have one type")
}
