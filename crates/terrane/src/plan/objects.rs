//! The objects in a plan document. The JSON of each is built when it is written, so that a plan of many objects needs little
//! memory.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath};
use terrane_module::module::ResourceKey;
use terrane_module::{DestroyedObject, PlanRules};
use terrane_value::Value;

use super::checks::KeyJson;
use super::dependencies::FoundDependencies;
use super::document_options::{DocumentOptions, full_name};
use super::resources::{PlannedResource, sorted};
use super::value::{After, FlagTree, sensitive_parts};

/// The members that name an object.
#[derive(Serialize)]
pub(super) struct ResourceNameJson<'p> {
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module_address: Option<String>,
    mode: &'static str,
    r#type: &'p str,
    name: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<KeyJson>,
    provider_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    deposed: Option<&'p str>,
}

impl<'p> ResourceNameJson<'p> {
    /// Returns the names of an instance. Only changes also have its module and its previous address.
    pub(super) fn of(resource: &'p PlannedResource<'p>, rules: &PlanRules) -> ResourceNameJson<'p> {
        let ResourceKey { mode, resource_type, name } = &resource.resource;
        ResourceNameJson {
            address: resource.address().to_string(),
            module_address: None,
            previous_address: None,
            mode: mode.name(),
            r#type: resource_type,
            name,
            index: KeyJson::of(&resource.key),
            provider_name: full_name(&resource.provider, rules),
            deposed: None,
        }
    }

    /// Returns the names of an object without an instance.
    pub(super) fn of_destroyed(destroyed: &'p DestroyedObject, rules: &PlanRules) -> ResourceNameJson<'p> {
        let ResourceKey { mode, resource_type, name } = &destroyed.resource;
        let provider = destroyed.provider.as_ref();
        ResourceNameJson {
            address: destroyed.address().to_string(),
            module_address: None,
            previous_address: None,
            mode: mode.name(),
            r#type: resource_type,
            name,
            index: KeyJson::of(&destroyed.key),
            provider_name: provider.map_or_else(String::new, |provider| full_name(provider, rules)),
            deposed: None,
        }
    }

    /// Returns the names as a change has them, with the module and the previous address.
    pub(super) fn in_change(self, module: &ModulePath, previous: Option<&Address>) -> ResourceNameJson<'p> {
        ResourceNameJson {
            module_address: (!module.is_root()).then(|| module.to_string()),
            previous_address: previous.map(ToString::to_string),
            ..self
        }
    }

    pub(super) fn deposed(self, key: Option<&'p str>) -> ResourceNameJson<'p> {
        ResourceNameJson { deposed: key, ..self }
    }
}

/// An object of `planned_values` or `prior_state`.
pub(super) enum StoredObject<'p> {
    Planned(&'p PlannedResource<'p>),
    /// An instance with its value in the state.
    Recorded {
        resource: &'p PlannedResource<'p>,
        value: &'p Value,
        /// The dependencies in the configuration. `None` if they do not count.
        dependencies: Option<&'p FoundDependencies>,
    },
    /// An object of the state that has no instance in the configuration.
    Destroyed(&'p DestroyedObject),
    /// An object of the state without an instance, in `planned_values`, that is removed from the state but not destroyed.
    Forgotten(&'p DestroyedObject),
}

#[derive(Serialize)]
struct StoredObjectJson<'p> {
    #[serde(flatten)]
    name: ResourceNameJson<'p>,
    schema_version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<After<'p>>,
    sensitive_values: FlagTree,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tainted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    deposed_key: Option<&'p str>,
}

impl<'p> StoredObject<'p> {
    fn address(&self) -> String {
        match self {
            StoredObject::Planned(resource) | StoredObject::Recorded { resource, .. } => {
                resource.address().to_string()
            }
            StoredObject::Destroyed(destroyed) | StoredObject::Forgotten(destroyed) => {
                destroyed.address().to_string()
            }
        }
    }

    /// Returns the position in a state: data sources first, then by type, name and key.
    fn order(&self) -> impl Ord + use<'p> {
        let (resource, key, deposed): (&'p ResourceKey, &'p InstanceKey, _) = match *self {
            StoredObject::Planned(planned) | StoredObject::Recorded { resource: planned, .. } => {
                (&planned.resource, &planned.key, None)
            }
            StoredObject::Destroyed(destroyed) | StoredObject::Forgotten(destroyed) => {
                (&destroyed.resource, &destroyed.key, destroyed.deposed.as_ref())
            }
        };
        (resource.mode.name(), &resource.resource_type, &resource.name, key, deposed)
    }

    fn json(&self, DocumentOptions { rules, secrets }: DocumentOptions<'_>) -> StoredObjectJson<'_> {
        let name = match self {
            StoredObject::Planned(resource) | StoredObject::Recorded { resource, .. } => {
                ResourceNameJson::of(resource, rules)
            }
            StoredObject::Destroyed(destroyed) | StoredObject::Forgotten(destroyed) => {
                ResourceNameJson::of_destroyed(destroyed, rules)
            }
        };
        let (value, depends_on) = match self {
            StoredObject::Planned(resource) => (Some(&*resource.value), Vec::new()),
            StoredObject::Recorded { resource, value, dependencies } => {
                let found = dependencies.map(|dependencies| dependencies.of(resource));
                (Some(*value), found.unwrap_or_else(|| resource.stored_dependencies()))
            }
            StoredObject::Destroyed(destroyed) => (Some(&destroyed.before), sorted(&destroyed.dependencies)),
            StoredObject::Forgotten(_) => (None, Vec::new()),
        };
        let (schema_version, is_tainted, deposed) = match self {
            StoredObject::Planned(resource) => (resource.schema_version, false, None),
            StoredObject::Recorded { resource, .. } => {
                let is_tainted = resource.change.as_ref().is_some_and(|change| change.is_tainted);
                (resource.schema_version, is_tainted, None)
            }
            StoredObject::Destroyed(destroyed) => {
                (Some(destroyed.schema_version), destroyed.is_tainted, destroyed.deposed.as_deref())
            }
            StoredObject::Forgotten(destroyed) => {
                (Some(destroyed.schema_version), false, destroyed.deposed.as_deref())
            }
        };
        StoredObjectJson {
            name,
            schema_version: schema_version.unwrap_or_default(),
            values: match self {
                StoredObject::Planned(resource) => After::of(resource.shown(), secrets),
                StoredObject::Recorded { .. } | StoredObject::Destroyed(_) | StoredObject::Forgotten(_) => {
                    value.and_then(|value| After::written(value, secrets))
                }
            }
            .filter(|after| !after.is_empty_object()),
            sensitive_values: value
                .map_or(FlagTree::False, |value| FlagTree::of_attributes(sensitive_parts(value, secrets))),
            depends_on: depends_on.iter().map(ToString::to_string).collect(),
            tainted: is_tainted,
            deposed_key: deposed,
        }
    }
}

/// The objects of a module instance, and the instances of the modules that it calls.
pub(super) struct ModuleObjects<'p> {
    options: DocumentOptions<'p>,
    objects: Vec<StoredObject<'p>>,
    address: Option<String>,
    /// The called modules by address, in the order in which they are written.
    child_modules: BTreeMap<String, ModuleObjects<'p>>,
}

impl Serialize for ModuleObjects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.objects.is_empty() {
            let objects = || self.objects.iter().map(|object| object.json(self.options));
            map.serialize_entry("resources", &Each(objects))?;
        }
        if let Some(address) = &self.address {
            map.serialize_entry("address", address)?;
        }
        if !self.child_modules.is_empty() {
            map.serialize_entry("child_modules", &Each(|| self.child_modules.values()))?;
        }
        map.end()
    }
}

/// A sequence whose items are built when they are written.
struct Each<F>(F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl<'p> ModuleObjects<'p> {
    /// Returns the root module, without objects.
    pub(super) fn new(options: DocumentOptions<'p>) -> ModuleObjects<'p> {
        ModuleObjects { options, objects: Vec::new(), address: None, child_modules: BTreeMap::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.child_modules.is_empty()
    }

    /// Adds an object of the module instance with this path.
    pub(super) fn add(&mut self, path: &ModulePath, object: StoredObject<'p>) {
        let mut found = self;
        for (before, step) in path.steps().iter().enumerate() {
            let options = found.options;
            let address = || Some(path.beginning(before + 1).to_string());
            found = found
                .child_modules
                .entry(step.to_string())
                .or_insert_with(|| ModuleObjects { address: address(), ..ModuleObjects::new(options) });
        }
        found.objects.push(object);
    }

    /// Sorts the objects of all modules by their addresses as text.
    pub(super) fn sort_by_address(&mut self) {
        self.objects.sort_by_cached_key(StoredObject::address);
        self.child_modules.values_mut().for_each(ModuleObjects::sort_by_address);
    }

    /// Sorts the objects of all modules in the order of a state.
    pub(super) fn sort_by_key(&mut self) {
        self.objects.sort_unstable_by(|one, other| one.order().cmp(&other.order()));
        self.child_modules.values_mut().for_each(ModuleObjects::sort_by_key);
    }
}
