//! Decodes JSON as values, with an implied type or a given one.
//!
//! Encoding is in `encode`, types are in `types`, the parser of JSON text is in `read`, `parsed` has its result without types, and
//! `fingerprint` compares texts.

mod encode;
mod error;
mod escape;
mod fingerprint;
mod parsed;
mod read;
#[cfg(test)]
mod tests;
mod types;

use std::collections::{BTreeMap, HashMap};

pub use encode::{EncodeError, encode, encode_within, write_plain_string, write_string};
pub use error::DecodeError;
pub use escape::{escape, first_unusual};
pub use fingerprint::fingerprint;
pub use parsed::{Json, parse};
pub use types::{decode_type, encode_type};

use crate::{Number, ObjectType, SmolStr, Type, Value, convert, with_article};
use read::{Content, Node, Property};

/// Returns the value of JSON text, like `jsondecode`: arrays become tuples and objects become objects.
pub fn decode(text: &str) -> Result<Value, DecodeError> {
    decode_within(text, usize::MAX)
}

/// Does the same as [`decode`], for a text with at most `most` values, including nested ones.
pub fn decode_within(text: &str, most: usize) -> Result<Value, DecodeError> {
    implied(&read::read(text, most)?, &mut PropertyNames::default())
}

/// Decodes JSON text as a value of type `ty`. Missing attributes become null. Where `ty` is dynamic, the value has the
/// type that [`decode`] gives it.
pub fn decode_as(text: &str, ty: &Type) -> Result<Value, DecodeError> {
    typed(&read::read(text, usize::MAX)?, ty, Form::Implied)
}

/// Does the same as [`decode_as`], for text in which a value of dynamic type is an object of its `value` and its
/// `type`, as in state files.
///
/// ```
/// use terrane_value::{Type, json};
///
/// let text = r#"{"value": ["a"], "type": ["set", "string"]}"#;
/// assert_eq!(json::decode_stored(text, &Type::Dynamic)?.ty().to_string(), "set(string)");
/// # Ok::<(), json::DecodeError>(())
/// ```
pub fn decode_stored(text: &str, ty: &Type) -> Result<Value, DecodeError> {
    typed(&read::read(text, usize::MAX)?, ty, Form::Stored)
}

/// Does the same as [`decode_stored`], and leaves out attributes that an object type lacks: objects in a state may follow an
/// older type.
///
/// ```
/// use terrane_value::{Type, json};
///
/// let ty = Type::object([("id".into(), Type::String)]);
/// let value = json::decode_recorded(r#"{"id": "a", "old": 1}"#, &ty)?;
/// assert_eq!(json::encode(&value).ok().as_deref(), Some(r#"{"id":"a"}"#));
/// # Ok::<(), json::DecodeError>(())
/// ```
pub fn decode_recorded(text: &str, ty: &Type) -> Result<Value, DecodeError> {
    typed(&read::read(text, usize::MAX)?, ty, Form::Recorded)
}

/// The form of a text with a known type.
#[derive(Clone, Copy)]
enum Form {
    /// A value of dynamic type is written as itself: the text implies the type.
    Implied,
    /// A value of dynamic type is an object of the value and its type.
    Stored,
    /// As `Stored`, and objects may have attributes that their types lack.
    Recorded,
}

/// The long property names of a text, each stored once because objects tend to have the same names.
/// Short names need no memory.
#[derive(Default)]
struct PropertyNames<'n>(HashMap<&'n str, SmolStr>);

impl<'n> PropertyNames<'n> {
    fn interned(&mut self, name: &'n str) -> SmolStr {
        let own = SmolStr::from(name);
        if own.is_heap_allocated() { self.0.entry(name).or_insert(own).clone() } else { own }
    }
}

fn implied<'n>(node: &'n Node<'_>, names: &mut PropertyNames<'n>) -> Result<Value, DecodeError> {
    match &node.content {
        Content::Null => Ok(Value::NULL),
        Content::Bool(value) => Ok(Value::from(*value)),
        Content::Number(text) => number(node, text),
        Content::String(text) => Ok(Value::from(&**text)),
        Content::Array(elements) => {
            let elements = elements.iter().map(|element| implied(element, names));
            Ok(Value::tuple(elements.collect::<Result<Vec<_>, _>>()?))
        }
        Content::Object(properties) => implied_object(properties, names),
    }
}

fn number(node: &Node<'_>, text: &str) -> Result<Value, DecodeError> {
    let number = Number::parse(text);
    number.map(Value::number).ok_or_else(|| DecodeError::new(node.offset, "This number is too large."))
}

/// Decodes an object. If several properties have the same name, the last one counts, but all must have the same type.
fn implied_object<'n>(
    properties: &'n [Property<'_>],
    names: &mut PropertyNames<'n>,
) -> Result<Value, DecodeError> {
    let mut attributes: Vec<(SmolStr, Value)> = Vec::with_capacity(properties.len());
    for property in properties {
        // The reference looks up the attribute by a name that it has normalised, and so does not find it.
        if Value::normalize(&property.name) != property.name {
            let message = "This property name is not in Unicode normal form C.";
            return Err(DecodeError::new(property.offset, message));
        }
        attributes.push((names.interned(&property.name), implied(&property.value, names)?));
    }
    if !attributes.is_sorted_by(|(a, _), (b, _)| a < b) {
        check_repetitions(properties, &attributes)?;
    }
    Ok(Value::object(attributes))
}

fn check_repetitions(
    properties: &[Property<'_>],
    attributes: &[(SmolStr, Value)],
) -> Result<(), DecodeError> {
    let mut names: Vec<&str> = properties.iter().map(|property| &*property.name).collect();
    names.sort_unstable();
    if names.is_sorted_by(|a, b| a < b) {
        return Ok(());
    }
    let mut types = BTreeMap::new();
    for (property, (name, value)) in properties.iter().zip(attributes) {
        let ty = value.ty();
        if types.insert(name, ty.clone()).is_some_and(|earlier| earlier != ty) {
            let message = format!("The property {name:?} is set twice, to values of different types.");
            return Err(DecodeError::new(property.offset, message));
        }
    }
    Ok(())
}

fn typed(node: &Node<'_>, ty: &Type, form: Form) -> Result<Value, DecodeError> {
    if matches!(node.content, Content::Null) {
        return Ok(Value::null(ty.without_optional()));
    }
    match ty {
        Type::Dynamic => match form {
            Form::Implied => implied(node, &mut PropertyNames::default()),
            Form::Stored | Form::Recorded => stored(node),
        },
        Type::Bool | Type::Number | Type::String => primitive(node, ty),
        Type::List(element) => {
            Ok(Value::list(element.without_optional(), elements(node, element, form, "a list")?))
        }
        Type::Set(element) => {
            Ok(Value::set(element.without_optional(), elements(node, element, form, "a set")?))
        }
        Type::Map(element) => {
            let properties = properties(node, "a map")?;
            let entries = properties.iter().map(|property| {
                let key = SmolStr::from(&*Value::normalize(&property.name));
                Ok((key, typed(&property.value, element, form)?))
            });
            Ok(Value::map(element.without_optional(), entries.collect::<Result<Vec<_>, _>>()?))
        }
        Type::Tuple(types) => typed_tuple(node, types, form),
        Type::Object(object) => typed_object(node, object, form),
    }
}

/// Decodes an object of a `value` and its `type`.
fn stored(node: &Node<'_>) -> Result<Value, DecodeError> {
    let parts = properties(node, "an object of a `value` and its `type`")?;
    let part = |name: &str| {
        let found = parts.iter().find(|part| part.name == name).map(|part| &part.value);
        found.ok_or_else(|| DecodeError::new(node.offset, format!("This object has no `{name}`.")))
    };
    typed(part("value")?, &types::ty(part("type")?)?, Form::Implied)
}

fn wrong_kind(node: &Node<'_>, wanted: &str) -> DecodeError {
    DecodeError::new(node.offset, format!("The JSON text must have {wanted} here."))
}

fn array<'n, 't>(node: &'n Node<'t>, wanted: &str) -> Result<&'n [Node<'t>], DecodeError> {
    if let Content::Array(elements) = &node.content { Ok(elements) } else { Err(wrong_kind(node, wanted)) }
}

fn properties<'n, 't>(node: &'n Node<'t>, wanted: &str) -> Result<&'n [Property<'t>], DecodeError> {
    if let Content::Object(properties) = &node.content {
        Ok(properties)
    } else {
        Err(wrong_kind(node, wanted))
    }
}

fn elements(node: &Node<'_>, ty: &Type, form: Form, wanted: &str) -> Result<Vec<Value>, DecodeError> {
    array(node, wanted)?.iter().map(|element| typed(element, ty, form)).collect()
}

/// Decodes a bool, number or string as a primitive type. Strings convert to the other types, numbers and bools to
/// strings. The text of a number stays as written.
fn primitive(node: &Node<'_>, ty: &Type) -> Result<Value, DecodeError> {
    let value = match &node.content {
        Content::Number(text) if *ty == Type::String => Value::from(*text),
        Content::Null
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_)
        | Content::Array(_)
        | Content::Object(_) => implied(node, &mut PropertyNames::default())?,
    };
    convert(&value, ty).map_err(|_| wrong_kind(node, &with_article(&ty.to_string())))
}

fn typed_tuple(node: &Node<'_>, types: &[Type], form: Form) -> Result<Value, DecodeError> {
    let elements = array(node, "a tuple")?;
    if elements.len() != types.len() {
        return Err(wrong_kind(node, &format!("a tuple of {} elements", types.len())));
    }
    let elements = elements.iter().zip(types).map(|(element, ty)| typed(element, ty, form));
    Ok(Value::tuple(elements.collect::<Result<Vec<_>, _>>()?))
}

fn typed_object(node: &Node<'_>, object: &ObjectType, form: Form) -> Result<Value, DecodeError> {
    let mut attributes: Vec<(SmolStr, Value)> = Vec::new();
    for (name, ty) in object.attributes() {
        attributes.push((name.clone(), Value::null(ty.without_optional())));
    }
    for property in properties(node, "an object")? {
        let Some(ty) = object.get(&property.name) else {
            if matches!(form, Form::Recorded) {
                continue;
            }
            let message = format!("The object type has no attribute {:?}.", property.name);
            return Err(DecodeError::new(property.offset, message));
        };
        attributes.push((SmolStr::from(&*property.name), typed(&property.value, ty, form)?));
    }
    Ok(Value::object(attributes))
}
