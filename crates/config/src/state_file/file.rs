//! Reads state files of format version 4.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_source::sorted_map;
use terrane_value::{Path, PathStep, SmolStr, Value, json};

use super::document;
use super::error::StateError;
use super::parts::{KeyJson, ModeJson, Paths, attributes, provider_address};
use crate::address::{Address, InstanceKey};
use crate::ids::Arena;
use crate::state::{State, StateForm, StateInstance, StateOutput, StateResource};

#[derive(Deserialize)]
struct FileJson<'j> {
    terraform_version: Option<String>,
    serial: Option<u64>,
    lineage: Option<String>,
    #[serde(borrow)]
    outputs: Option<BTreeMap<Cow<'j, str>, OutputJson<'j>>>,
    #[serde(borrow)]
    resources: Option<Vec<ResourceJson<'j>>>,
}

#[derive(Deserialize)]
pub(super) struct OutputJson<'j> {
    #[serde(borrow)]
    value: &'j RawValue,
    #[serde(borrow, rename = "type")]
    ty: &'j RawValue,
    #[serde(default)]
    sensitive: bool,
}

#[derive(Deserialize)]
struct ResourceJson<'j> {
    #[serde(borrow)]
    module: Option<Cow<'j, str>>,
    mode: ModeJson,
    #[serde(borrow, rename = "type")]
    resource_type: Cow<'j, str>,
    #[serde(borrow)]
    name: Cow<'j, str>,
    #[serde(borrow)]
    provider: Option<Cow<'j, str>>,
    #[serde(borrow, default)]
    instances: Vec<InstanceJson<'j>>,
}

#[derive(Deserialize)]
struct InstanceJson<'j> {
    index_key: Option<KeyJson>,
    #[serde(borrow)]
    status: Option<Cow<'j, str>>,
    #[serde(borrow)]
    deposed: Option<Cow<'j, str>>,
    #[serde(default)]
    schema_version: u64,
    #[serde(borrow)]
    attributes: Option<&'j RawValue>,
    #[serde(borrow)]
    attributes_flat: Option<&'j RawValue>,
    #[serde(borrow)]
    sensitive_attributes: Option<Vec<Vec<StepJson<'j>>>>,
    #[serde(borrow)]
    dependencies: Option<Vec<Cow<'j, str>>>,
    #[serde(default)]
    create_before_destroy: bool,
    /// The provider of an instance, which OpenTofu writes if the instances of a resource have different providers.
    #[serde(borrow)]
    provider: Option<Cow<'j, str>>,
}

/// A step of the path of a sensitive part.
#[derive(Deserialize)]
struct StepJson<'j> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'j, str>,
    #[serde(borrow)]
    value: &'j RawValue,
}

/// The key of an element.
#[derive(Deserialize)]
struct IndexJson {
    value: KeyJson,
}

pub(super) fn read(text: &str) -> Result<State, StateError> {
    let file: FileJson<'_> = serde_json::from_str(text).map_err(|error| StateError::json(&error))?;
    let mut paths = Paths::default();
    let resources = file.resources.unwrap_or_default().into_iter().map(|resource| resource.read(&mut paths));
    let resources = resources.collect::<Result<Vec<_>, _>>()?;
    if let Some(address) = twice(&resources) {
        return Err(StateError::new(format!("{address}: the state has two objects for this instance")));
    }
    Ok(State {
        product_version: file.terraform_version,
        serial: file.serial,
        lineage: file.lineage,
        outputs: outputs(file.outputs.unwrap_or_default())?,
        resources: resources.into_iter().collect(),
    })
}

/// Returns the first instance with two current objects.
pub(super) fn twice(resources: &[StateResource]) -> Option<Address> {
    let mut seen: HashMap<_, HashSet<&InstanceKey>> = HashMap::new();
    for resource in resources {
        let StateResource { module, mode, resource_type, name, instances, .. } = resource;
        let keys = seen.entry((module, *mode, resource_type, name)).or_default();
        for instance in instances.iter().filter(|instance| instance.deposed.is_none()) {
            if !keys.insert(&instance.key) {
                return Some(Address {
                    module: module.clone(),
                    object: resource.object(instance.key.clone()),
                });
            }
        }
    }
    None
}

/// Returns the outputs by name. The type of a value of dynamic type is beside the value.
pub(super) fn outputs(
    outputs: BTreeMap<Cow<'_, str>, OutputJson<'_>>,
) -> Result<BTreeMap<SmolStr, StateOutput>, StateError> {
    let stored = |(name, OutputJson { value, ty, sensitive })| {
        (name, document::DocumentOutputJson { sensitive, value: Some(value), ty: Some(ty) })
    };
    document::decoded_outputs(&sorted_map(outputs.into_iter().map(stored)), json::decode_stored)
}

impl ResourceJson<'_> {
    fn read(self, paths: &mut Paths) -> Result<StateResource, StateError> {
        let configurations =
            self.provider.iter().chain(self.instances.iter().find_map(|one| one.provider.as_ref()));
        let configuration = configurations.map(|name| &**name).next().unwrap_or_default();
        let mut resource = StateResource {
            module: paths.read(self.module.as_deref())?,
            mode: self.mode.into(),
            resource_type: SmolStr::from(&*self.resource_type),
            name: SmolStr::from(&*self.name),
            provider: provider_address(configuration),
            provider_configuration: SmolStr::from(configuration),
            instances: Arena::default(),
        };
        resource.instances.reserve(self.instances.len());
        for instance in self.instances {
            let key = KeyJson::key(instance.index_key).map_err(|error| {
                let object = resource.object(InstanceKey::None);
                error.within(&Address { module: resource.module.clone(), object }.to_string())
            })?;
            let rest = InstanceJson { index_key: None, ..instance };
            let instance = rest.read().map_err(|error| {
                let object = resource.object(key.clone());
                error.within(&Address { module: resource.module.clone(), object }.to_string())
            })?;
            resource.instances.push(StateInstance { key, ..instance });
        }
        Ok(resource)
    }
}

impl InstanceJson<'_> {
    fn read(self) -> Result<StateInstance, StateError> {
        let written = self.attributes.or(self.attributes_flat);
        if written.is_some_and(|text| !text.get().starts_with('{')) {
            return Err(StateError::new("its attributes are no object"));
        }
        let is_tainted = match self.status.as_deref() {
            None | Some("") => false,
            Some("tainted") => true,
            Some(_) => return Err(StateError::new("its status is neither empty nor `tainted`")),
        };
        let sensitive = self.sensitive_attributes.unwrap_or_default();
        Ok(StateInstance {
            key: InstanceKey::None,
            deposed: self.deposed.filter(|key| !key.is_empty()).map(|key| SmolStr::from(&*key)),
            is_tainted,
            creates_first: self.create_before_destroy,
            schema_version: self.schema_version,
            attributes: attributes(written)?,
            form: match self.attributes.is_none() && self.attributes_flat.is_some() {
                true => StateForm::Legacy,
                false => StateForm::File,
            },
            sensitive: sensitive.iter().map(|steps| path(steps)).collect::<Result<_, _>>()?,
            unknown: Vec::new(),
            dependencies: names(self.dependencies),
            implied: OnceLock::new(),
        })
    }
}

/// Returns the path of a sensitive part.
fn path(steps: &[StepJson<'_>]) -> Result<Path, StateError> {
    let mut path = Path::ROOT;
    for step in steps {
        let malformed = |_| {
            let kind = &step.kind;
            StateError::new(format!(
                "`sensitive_attributes` has a step `{kind}` whose value is no name, number or key"
            ))
        };
        path.push(match &*step.kind {
            "get_attr" => {
                let name: String = serde_json::from_str(step.value.get()).map_err(malformed)?;
                PathStep::Attribute(name.into_boxed_str())
            }
            "index" => {
                let index: IndexJson = serde_json::from_str(step.value.get()).map_err(malformed)?;
                PathStep::Index(match index.value {
                    KeyJson::Index(index) => Value::from(i64::try_from(index).unwrap_or(i64::MAX)),
                    KeyJson::Key(key) => Value::from(key.as_str()),
                })
            }
            kind => {
                return Err(StateError::new(format!(
                    "`sensitive_attributes` has a step of the type {kind:?}, which is neither `get_attr` nor `index`"
                )));
            }
        });
    }
    Ok(path)
}

fn names(texts: Option<Vec<Cow<'_, str>>>) -> Vec<SmolStr> {
    texts.unwrap_or_default().iter().map(|name| SmolStr::from(&**name)).collect()
}
