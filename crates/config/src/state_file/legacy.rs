//! Reads the outputs of state files from before Terraform 0.12: format versions 1 to 3.
//!
//! These formats do not record the types of outputs. As in the reference, a value has the type that its JSON text implies,
//! where arrays of elements of one type are lists, and objects with attributes of one type are maps.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_source::sorted_map;
use terrane_value::json::DecodeError;
use terrane_value::{SmolStr, Type, Value, json};

use super::error::StateError;
use super::parts::check_outputs;
use crate::state::StateOutput;

/// The path of the root module.
const ROOT: &str = "root";

/// A file of format version 1, where an output is a text (`O`), or of version 2 or 3, where it is an object.
#[derive(Deserialize)]
struct LegacyFileJson<'j, O> {
    #[serde(borrow)]
    modules: Option<Vec<LegacyModuleJson<'j, O>>>,
}

#[derive(Deserialize)]
struct LegacyModuleJson<'j, O> {
    #[serde(borrow)]
    path: Vec<Cow<'j, str>>,
    #[serde(borrow)]
    outputs: Option<BTreeMap<Cow<'j, str>, O>>,
}

/// An output of format version 2 or 3. Its `type` cannot tell types of elements, so it does not count.
#[derive(Deserialize)]
struct LegacyOutputJson<'j> {
    #[serde(default)]
    sensitive: bool,
    #[serde(borrow)]
    value: Option<&'j RawValue>,
}

/// A format version before 4.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LegacyFormat {
    /// Version 1: outputs are texts.
    One,
    /// Version 2 or 3: outputs are objects.
    TwoOrThree,
}

/// Returns the outputs of the root module.
pub(super) fn outputs(
    text: &str,
    version: LegacyFormat,
) -> Result<BTreeMap<SmolStr, StateOutput>, StateError> {
    match version {
        LegacyFormat::One => {
            let outputs = of_root::<Cow<'_, str>>(text)?.into_iter().map(|(name, text)| {
                let value = Value::from(&*text);
                (SmolStr::from(&*name), StateOutput { value, is_sensitive: false })
            });
            Ok(sorted_map(outputs))
        }
        LegacyFormat::TwoOrThree => {
            let outputs = of_root::<LegacyOutputJson<'_>>(text)?;
            check_outputs(outputs.values().filter_map(|output| output.value))?;
            outputs.iter().map(|(name, output)| output.read(name)).collect()
        }
    }
}

/// Returns the outputs of the root module as they are written. If the module is there twice, the later output of a name counts.
fn of_root<'j, O: Deserialize<'j>>(text: &'j str) -> Result<BTreeMap<Cow<'j, str>, O>, StateError> {
    let file: LegacyFileJson<'j, O> = serde_json::from_str(text).map_err(|error| StateError::json(&error))?;
    let mut outputs = BTreeMap::new();
    for module in file.modules.unwrap_or_default() {
        match module.path.as_slice() {
            [root] if root == ROOT => outputs.extend(module.outputs.unwrap_or_default()),
            [root, ..] if root == ROOT => {}
            _ => {
                return Err(StateError::new(format!("the path of a module does not begin with {ROOT:?}")));
            }
        }
    }
    Ok(outputs)
}

impl LegacyOutputJson<'_> {
    fn read(&self, name: &str) -> Result<(SmolStr, StateOutput), StateError> {
        let wrong = |error: DecodeError| {
            StateError::of_value(&format!("output.{name}: its value"), &error, "cannot be read")
        };
        let text = self.value.map_or("null", RawValue::get);
        let implied = json::decode(text).map_err(wrong)?;
        let value = match collection(&implied.ty()) {
            Some(ty) => json::decode_as(text, &ty).map_err(wrong)?,
            None => implied,
        };
        Ok((SmolStr::from(name), StateOutput { value, is_sensitive: self.sensitive }))
    }
}

/// Returns the list or map type of a tuple or object whose parts have one type. `None` for any other type, whose parts keep
/// their types. The depth of values bounds the recursion.
fn collection(ty: &Type) -> Option<Type> {
    let of = |part: &Type| Arc::new(collection(part).unwrap_or_else(|| part.clone()));
    match ty {
        Type::Tuple(types) => same(types.iter()).map(|element| Type::List(of(element))),
        Type::Object(object) => {
            same(object.attributes().iter().map(|(_, ty)| ty)).map(|element| Type::Map(of(element)))
        }
        Type::Bool | Type::Number | Type::String | Type::Dynamic => None,
        Type::List(_) | Type::Set(_) | Type::Map(_) => None,
    }
}

/// Returns the type that all types are. `None` if there are several types or none.
fn same<'t>(mut types: impl Iterator<Item = &'t Type>) -> Option<&'t Type> {
    let first = types.next()?;
    types.all(|other| other == first).then_some(first)
}
