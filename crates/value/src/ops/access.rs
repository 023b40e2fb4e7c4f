//! Reads attributes and elements of values.
//!
//! Implements `value.name` and `value[key]`, with the errors of the reference.

use super::unknown_with;
use crate::suggestion::one_or_all;
use crate::{
    Entries, Known, Number, Type, Unknown, Value, ValueError, ValueErrorKind, ValueKind, convert,
    leading_article,
};

/// Evaluates `collection[key]`.
pub fn index(collection: &Value, key: &Value) -> Result<Value, ValueError> {
    if collection.is_null() {
        let message = "The value before the brackets is null, so it has no elements.";
        return Err(ValueError::new(ValueErrorKind::IndexOfNull, message));
    }
    if key.is_null() {
        return Err(invalid_index("The key in the brackets is null."));
    }
    if let Some(unknown) = collection.as_unknown()
        && unknown.ty == Type::Dynamic
    {
        return Ok(index_open(unknown, key).with_marks(collection.marks()));
    }
    let ty = collection.ty();
    if key.ty() == Type::Dynamic {
        return Ok(dynamic(collection, key));
    }
    match &ty {
        Type::List(element) => {
            let key = element_key(key, &Type::Number)?;
            index_sequence(collection, &key, |_| Some((**element).clone()))
        }
        Type::Tuple(elements) => {
            let key = element_key(key, &Type::Number)?;
            index_sequence(collection, &key, |index| elements.get(index).cloned())
        }
        Type::Map(element) => index_map(collection, &element_key(key, &Type::String)?, element),
        Type::Object(_) => index_object(collection, key, &ty),
        Type::Set(_) => Err(invalid_index(
            "The elements of a set have no key or position to select one by. A `for` expression can go through \
             all of them.",
        )),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => {
            Err(invalid_index(format!("{} has no elements.", subject(&ty))))
        }
    }
}

/// Evaluates `value.name`.
pub fn attribute(value: &Value, name: &str) -> Result<Value, ValueError> {
    match attribute_of_unmarked(value.unmarked(), name) {
        Ok(result) => Ok(result.with_marks(value.marks())),
        // The content of a marked value must not be shown.
        Err(error) if value.is_marked() => Err(ValueError { hints: Vec::new(), missing: None, ..error }),
        Err(error) => Err(error),
    }
}

fn attribute_of_unmarked(value: &Value, name: &str) -> Result<Value, ValueError> {
    match value.kind() {
        ValueKind::Null(_) => {
            let message = "The value before the dot is null, so it has no attributes.";
            Err(ValueError::new(ValueErrorKind::AttributeOfNull, message))
        }
        ValueKind::Object(attributes) => match attributes.get(name) {
            Some(value) => Ok(value.clone()),
            None => Err(unsupported_attribute(name, value)),
        },
        ValueKind::Map(entries) => match entries.get(name) {
            Some(value) => Ok(value.clone()),
            None => Err(missing_element(name, value)),
        },
        ValueKind::Unknown(unknown) => attribute_of_unknown(value, unknown, name),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Tuple(_)
        | ValueKind::Marked(..) => Err(no_attributes(&value.ty(), name)),
    }
}

/// Whether a list, tuple or map has an element with this key, which must be a number or a string as the collection
/// requires; `None` for other values.
pub fn has_index(collection: &Value, key: &Value) -> Option<Value> {
    let undecided = || unknown_with(Type::Bool, collection.origins().union(key.origins()));
    let has = match &collection.ty() {
        Type::List(_) | Type::Tuple(_) if key.ty() == Type::Number => match key.as_number() {
            Some(key) => match sequence_length(collection) {
                Some(length) => Value::from(position(key).is_some_and(|index| index < length)),
                None => undecided(),
            },
            None => undecided(),
        },
        Type::Map(_) if key.ty() == Type::String => match (collection.as_entries(), key.as_str()) {
            (Some(entries), Some(key)) => Value::from(entries.get(key).is_some()),
            (None, _) | (_, None) => undecided(),
        },
        Type::List(_) | Type::Tuple(_) | Type::Map(_) if key.ty() == Type::Dynamic => undecided(),
        Type::List(_) | Type::Tuple(_) | Type::Map(_) => Value::FALSE,
        Type::Dynamic => undecided(),
        Type::Bool | Type::Number | Type::String | Type::Set(_) | Type::Object(_) => return None,
    };
    Some(has.with_marks(collection.marks()).with_marks(key.marks()))
}

fn element_key(key: &Value, ty: &Type) -> Result<Value, ValueError> {
    convert(key, ty).map_err(|error| invalid_index(format!("The key does not fit: {}.", error.message)))
}

/// Returns the number of elements of a list or tuple, if it is known.
fn sequence_length(collection: &Value) -> Option<usize> {
    match (collection.as_sequence(), collection.as_unknown().map(|unknown| &unknown.ty)) {
        (Some(elements), _) => Some(elements.len()),
        (None, Some(Type::Tuple(elements))) => Some(elements.len()),
        (None, _) => None,
    }
}

fn position(key: &Number) -> Option<usize> {
    usize::try_from(key.to_i64()?).ok()
}

fn index_sequence(
    collection: &Value,
    key: &Value,
    element_type: impl Fn(usize) -> Option<Type>,
) -> Result<Value, ValueError> {
    let Some(number) = key.as_number() else {
        return Ok(match collection.ty() {
            Type::List(element) => unknown_element((*element).clone(), collection, key),
            Type::Bool
            | Type::Number
            | Type::String
            | Type::Dynamic
            | Type::Set(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_) => dynamic(collection, key),
        });
    };
    let Some(length) = sequence_length(collection) else {
        // Only the length of a list can be unknown, and all its elements have one type.
        let ty = element_type(0).unwrap_or(Type::Dynamic);
        return Ok(unknown_element(ty, collection, key));
    };
    let Some(index) = position(number).filter(|index| *index < length) else {
        return Err(not_in_sequence(number, length, collection.is_marked() || key.is_marked()));
    };
    let element = match collection.as_sequence().and_then(|elements| elements.get(index)) {
        Some(element) => element.clone(),
        None => {
            let ty = element_type(index).unwrap_or(Type::Dynamic);
            Value::unknown_from(ty, collection.origins().clone())
        }
    };
    Ok(element.with_marks(collection.marks()).with_marks(key.marks()))
}

/// Returns the error about a key that is not in a sequence. It shows no marked key or length.
fn not_in_sequence(key: &Number, length: usize, is_marked: bool) -> ValueError {
    invalid_index(if !key.is_integer() {
        "A position in a sequence must be a whole number. Division gives fractions; `floor` rounds down."
    } else if key.is_negative() && !key.is_zero() {
        "A position in a sequence counts from 0 and cannot be negative."
    } else if is_marked {
        "There is no element with this key."
    } else if length == 0 {
        "There is no element with this key: the sequence is empty."
    } else {
        let last = length - 1;
        // Writing a long number takes long, and nobody reads it.
        if key.work_of_text() > 0 {
            return invalid_index(format!(
                "There is no element with this key: the last one has the key {last}."
            ));
        }
        return invalid_index(format!(
            "There is no element with the key {key}: the last one has the key {last}."
        ));
    })
}

fn index_map(collection: &Value, key: &Value, element: &Type) -> Result<Value, ValueError> {
    let (Some(entries), Some(name)) = (collection.as_entries(), key.as_str()) else {
        return Ok(unknown_element(element.clone(), collection, key));
    };
    match entries.get(name) {
        Some(element) => Ok(element.clone().with_marks(collection.marks()).with_marks(key.marks())),
        None if collection.is_marked() || key.is_marked() => {
            Err(invalid_index("There is no element with this key."))
        }
        None => Err(no_key(name).lacks(name, collection)),
    }
}

fn index_object(collection: &Value, key: &Value, ty: &Type) -> Result<Value, ValueError> {
    let is_number = key.ty() == Type::Number;
    let key = element_key(key, &Type::String)?;
    let Some(name) = key.as_str() else { return Ok(dynamic(collection, &key)) };
    let Type::Object(object) = ty else { return Ok(dynamic(collection, &key)) };
    let Some(attribute_type) = object.get(name) else {
        let hidden = collection.is_marked() || key.is_marked();
        return Err(if is_number {
            let error = invalid_index(
                "There is no element with this key. The elements of an object have names, not positions.",
            );
            if hidden { error } else { error.lacks_position(collection) }
        } else if hidden {
            invalid_index("There is no element with this key.")
        } else {
            no_key(name).lacks(name, collection)
        });
    };
    let value = match collection.as_entries().and_then(|entries| entries.get(name)) {
        Some(value) => value.clone(),
        None => Value::unknown_from(attribute_type.clone(), collection.origins().clone()),
    };
    // As in the reference, the marks of the key are not kept here.
    Ok(value.with_marks(collection.marks()))
}

/// Returns an unknown element. The marks of the key are not kept, as in the reference.
fn unknown_element(ty: Type, collection: &Value, key: &Value) -> Value {
    let origins = collection.origins().union(key.origins());
    Value::unknown_from(ty, origins).with_marks(collection.marks())
}

fn dynamic(collection: &Value, key: &Value) -> Value {
    unknown_element(Type::Dynamic, collection, key)
}

/// Reads an element of a value whose type is unknown: the known part of an open object or sequence,
/// otherwise an unknown value.
fn index_open(unknown: &Unknown, key: &Value) -> Value {
    // A marked key must not appear in a text.
    let is_shown = key.is_known() && !key.is_marked();
    let missing = || {
        let origins = if is_shown { unknown.origins.at_index(key) } else { unknown.origins.clone() };
        Value::unknown_from(Type::Dynamic, origins.union(key.origins()))
    };
    match &unknown.known {
        Known::Nothing => Value::unknown_from(Type::Dynamic, unknown.origins.union(key.origins())),
        Known::Object(entries) => match key.as_str() {
            Some(name) if is_shown || entries.get(name).is_some() => {
                attribute_of_open(unknown, entries, name)
            }
            Some(_) | None => missing(),
        },
        Known::Sequence(elements) => {
            let element = key.as_number().and_then(position).and_then(|index| elements.get(index));
            element.cloned().unwrap_or_else(missing)
        }
    }
}

fn attribute_of_unknown(value: &Value, unknown: &Unknown, name: &str) -> Result<Value, ValueError> {
    let of_type = |ty: &Type| Value::unknown_from(ty.clone(), unknown.origins.clone());
    match (&unknown.ty, &unknown.known) {
        (Type::Object(object), _) => match object.get(name) {
            Some(ty) => Ok(of_type(ty)),
            None => Err(unsupported_attribute(name, value)),
        },
        (Type::Map(element), _) => Ok(of_type(element)),
        (Type::Dynamic, Known::Nothing) => Ok(of_type(&Type::Dynamic)),
        (Type::Dynamic, Known::Object(entries)) => Ok(attribute_of_open(unknown, entries, name)),
        // A block that may occur only once is an object, and not a sequence of one.
        (Type::Dynamic, Known::Sequence(elements)) => match elements.as_slice() {
            [only] => attribute(only, name),
            _ => Ok(Value::unknown_from(Type::Dynamic, unknown.origins.at_attribute(name))),
        },
        (Type::Bool | Type::Number | Type::String | Type::List(_) | Type::Set(_) | Type::Tuple(_), _) => {
            Err(no_attributes(&unknown.ty, name))
        }
    }
}

/// Returns an attribute of an open object, unknown if the object does not name it.
fn attribute_of_open(unknown: &Unknown, entries: &Entries, name: &str) -> Value {
    let open = || Value::unknown_from(Type::Dynamic, unknown.origins.at_attribute(name));
    entries.get(name).cloned().unwrap_or_else(open)
}

fn invalid_index(message: impl Into<String>) -> ValueError {
    ValueError::new(ValueErrorKind::InvalidIndex, message)
}

fn no_key(name: &str) -> ValueError {
    invalid_index(format!("There is no element with the key \"{name}\"."))
}

fn unsupported_attribute(name: &str, object: &Value) -> ValueError {
    let message = format!("This object has no attribute \"{name}\".");
    ValueError::new(ValueErrorKind::UnsupportedAttribute, message).lacks(name, object)
}

fn missing_element(name: &str, map: &Value) -> ValueError {
    let message = format!("This map has no element with the key \"{name}\".");
    ValueError::new(ValueErrorKind::MissingMapElement, message).lacks(name, map)
}

/// Returns the type as the subject of a sentence: "A list of string".
fn subject(ty: &Type) -> String {
    let name = ty.plain_name();
    format!("{} {name}", leading_article(&name))
}

fn no_attributes(ty: &Type, name: &str) -> ValueError {
    let error = |message: String| ValueError::new(ValueErrorKind::UnsupportedAttribute, message);
    match ty {
        Type::List(element) | Type::Set(element) if matches!(**element, Type::Object(_)) => {
            let has_it = has_attribute(element, name);
            let error = error(format!("{} has no attributes, only its elements have.", subject(ty)));
            match (has_it, ty) {
                (true, Type::List(_)) => error.hint(of_sequence(name)),
                (true, _) => error.hint(format!("The attribute of all elements is `[*].{name}`.")),
                (false, _) => error,
            }
        }
        // The instances of a module with `count` are a tuple.
        Type::Tuple(tuple) if tuple.first().is_some_and(|first| has_attribute(first, name)) => {
            error("A tuple has no attributes, only its elements have.".to_owned()).hint(of_sequence(name))
        }
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::List(_)
        | Type::Set(_)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Object(_) => error(format!("{} has no attributes.", subject(ty))),
    }
}

fn has_attribute(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Object(object) if object.get(name).is_some())
}

fn of_sequence(name: &str) -> String {
    one_or_all(&format!("[0].{name}"), &format!("[*].{name}"))
}

#[cfg(test)]
mod tests;
