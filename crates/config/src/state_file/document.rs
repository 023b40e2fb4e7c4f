//! Reads state documents, which `terraform show -json` writes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_value::json::{self, DecodeError};
use terrane_value::{Path, PathStep, SmolStr, Type, Value};

use super::error::StateError;
use super::parts::{KeyJson, ModeJson, Paths, attributes, check_outputs};
use crate::address::{Address, ModulePath, Object};
use crate::ids::Arena;
use crate::state::{State, StateForm, StateInstance, StateOutput, StateResource};

#[derive(Deserialize)]
struct DocumentJson<'j> {
    terraform_version: Option<String>,
    #[serde(borrow)]
    values: Option<ValuesJson<'j>>,
}

#[derive(Deserialize)]
pub(super) struct ValuesJson<'j> {
    #[serde(borrow)]
    outputs: Option<BTreeMap<Cow<'j, str>, DocumentOutputJson<'j>>>,
    #[serde(borrow)]
    root_module: Option<DocumentModuleJson<'j>>,
}

#[derive(Deserialize)]
pub(super) struct DocumentOutputJson<'j> {
    #[serde(default)]
    pub(super) sensitive: bool,
    #[serde(borrow)]
    pub(super) value: Option<&'j RawValue>,
    #[serde(borrow, rename = "type")]
    pub(super) ty: Option<&'j RawValue>,
}

#[derive(Deserialize)]
struct DocumentModuleJson<'j> {
    #[serde(borrow)]
    address: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    resources: Vec<DocumentResourceJson<'j>>,
    #[serde(borrow, default)]
    child_modules: Vec<DocumentModuleJson<'j>>,
}

/// One instance.
#[derive(Deserialize)]
struct DocumentResourceJson<'j> {
    mode: ModeJson,
    #[serde(borrow, rename = "type")]
    resource_type: Cow<'j, str>,
    #[serde(borrow)]
    name: Cow<'j, str>,
    index: Option<KeyJson>,
    #[serde(borrow)]
    provider_name: Option<Cow<'j, str>>,
    #[serde(default)]
    schema_version: u64,
    #[serde(borrow)]
    values: Option<&'j RawValue>,
    sensitive_values: Option<serde_json::Value>,
    #[serde(borrow)]
    depends_on: Option<Vec<Cow<'j, str>>>,
    #[serde(default)]
    tainted: bool,
    #[serde(borrow)]
    deposed_key: Option<Cow<'j, str>>,
}

pub(super) fn read(text: &str) -> Result<State, StateError> {
    let document: DocumentJson<'_> = serde_json::from_str(text).map_err(|error| StateError::json(&error))?;
    state(document.values, document.terraform_version)
}

/// Returns the state with these values.
pub(super) fn state(
    values: Option<ValuesJson<'_>>,
    product_version: Option<String>,
) -> Result<State, StateError> {
    let mut state = State { product_version, ..State::default() };
    let Some(values) = values else { return Ok(state) };
    state.outputs = outputs(&values.outputs.unwrap_or_default())?;
    let mut paths = Paths::default();
    let mut resources = Vec::new();
    let mut left: Vec<DocumentModuleJson<'_>> = values.root_module.into_iter().collect();
    while let Some(module) = left.pop() {
        let path = paths.read(module.address.as_deref())?;
        left.extend(module.child_modules.into_iter().rev());
        module.resources.into_iter().try_for_each(|resource| resource.read(&path, &mut resources))?;
    }
    state.resources = resources.into_iter().collect();
    Ok(state)
}

/// Returns the outputs by name.
pub(super) fn outputs(
    outputs: &BTreeMap<Cow<'_, str>, DocumentOutputJson<'_>>,
) -> Result<BTreeMap<SmolStr, StateOutput>, StateError> {
    decoded_outputs(outputs, json::decode_as)
}

/// Returns the outputs by name. `decode` decodes the text of a value.
pub(super) fn decoded_outputs(
    outputs: &BTreeMap<Cow<'_, str>, DocumentOutputJson<'_>>,
    decode: impl Fn(&str, &Type) -> Result<Value, DecodeError>,
) -> Result<BTreeMap<SmolStr, StateOutput>, StateError> {
    check_outputs(outputs.values().flat_map(|output| [output.value, output.ty]).flatten())?;
    outputs.iter().map(|(name, output)| output.read(name, &decode)).collect()
}

impl DocumentOutputJson<'_> {
    fn read(
        &self,
        name: &str,
        decode: impl Fn(&str, &Type) -> Result<Value, DecodeError>,
    ) -> Result<(SmolStr, StateOutput), StateError> {
        let wrong = |error: DecodeError| {
            StateError::of_value(&format!("output.{name}: its value"), &error, "does not fit its type")
        };
        let ty = self.ty.map_or(Ok(Type::Dynamic), |ty| json::decode_type(ty.get()));
        let ty = ty.map_err(|error| {
            StateError::of_value(
                &format!("output.{name}: its type"),
                &error,
                "is not the JSON form of a type",
            )
        })?;
        let text = self.value.map_or("null", RawValue::get);
        let value = decode(text, &ty).map_err(wrong)?;
        Ok((SmolStr::from(name), StateOutput { value, is_sensitive: self.sensitive }))
    }
}

impl DocumentResourceJson<'_> {
    /// Adds the instance to its resource, which is the last one in the list if it has other instances.
    fn read(self, module: &ModulePath, resources: &mut Vec<StateResource>) -> Result<(), StateError> {
        let sensitive = self.sensitive_values.as_ref().map(shape_paths).unwrap_or_default();
        let key = KeyJson::key(self.index)?;
        let attributes = attributes(self.values).map_err(|error| {
            let (resource_type, name) = (SmolStr::from(&*self.resource_type), SmolStr::from(&*self.name));
            let object = Object::Resource { mode: self.mode.into(), resource_type, name, key: key.clone() };
            error.within(&Address { module: module.clone(), object }.to_string())
        })?;
        let instance = StateInstance {
            key,
            deposed: self.deposed_key.filter(|key| !key.is_empty()).map(|key| SmolStr::from(&*key)),
            is_tainted: self.tainted,
            creates_first: false,
            schema_version: self.schema_version,
            attributes,
            form: StateForm::Document,
            sensitive,
            unknown: Vec::new(),
            dependencies: self
                .depends_on
                .unwrap_or_default()
                .iter()
                .map(|name| SmolStr::from(&**name))
                .collect(),
            implied: OnceLock::new(),
        };
        let mode = self.mode.into();
        if let Some(last) = resources.last_mut()
            && last.mode == mode
            && *last.resource_type == *self.resource_type
            && *last.name == *self.name
            && last.module == *module
        {
            last.instances.push(instance);
            return Ok(());
        }
        resources.push(StateResource {
            module: module.clone(),
            mode,
            resource_type: SmolStr::from(&*self.resource_type),
            name: SmolStr::from(&*self.name),
            provider: SmolStr::from(self.provider_name.as_deref().unwrap_or_default()),
            provider_configuration: SmolStr::default(),
            instances: Arena::from_iter([instance]),
        });
        Ok(())
    }
}

/// Returns the paths of the parts that a shape marks as sensitive or unknown.
pub(super) fn shape_paths(shape: &serde_json::Value) -> Vec<Path> {
    let mut found = Vec::new();
    paths(shape, &Path::ROOT, &mut found);
    found
}

/// Adds the paths of the parts with `true` in a shape. The depth is bounded by the JSON parser.
fn paths(shape: &serde_json::Value, path: &Path, found: &mut Vec<Path>) {
    match shape {
        serde_json::Value::Bool(true) => found.push(path.clone()),
        serde_json::Value::Object(attributes) => {
            for (name, shape) in attributes {
                paths(shape, &with_step(path, PathStep::Attribute(name.as_str().into())), found);
            }
        }
        serde_json::Value::Array(elements) => {
            for (index, shape) in elements.iter().enumerate() {
                paths(shape, &with_step(path, PathStep::element(index)), found);
            }
        }
        serde_json::Value::Null
        | serde_json::Value::Bool(false)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => {}
    }
}

fn with_step(path: &Path, step: PathStep) -> Path {
    let mut path = path.clone();
    path.push(step);
    path
}
