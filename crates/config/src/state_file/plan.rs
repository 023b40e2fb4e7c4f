//! Reads plan documents, which `terraform show -json` writes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_value::json::{self, DecodeError};
use terrane_value::{Path, SmolStr, Value};

use super::document::{self, ValuesJson, shape_paths};
use super::error::StateError;
use super::file::twice;
use super::outputs::Outputs;
use super::parts::{KeyJson, Paths, attributes, check_outputs};
use super::{Kind, kind_of};
use crate::address::{Address, InstanceKey, Object, ResourceMode};
use crate::ids::Arena;
use crate::module_path::resource_instance;
use crate::state::{
    State, StateForm, StateInstance, StateOutput, StateResource, StateResourceId, StoredPlan,
};

#[derive(Deserialize)]
struct PlanJson<'j> {
    terraform_version: Option<String>,
    #[serde(default)]
    errored: bool,
    #[serde(default)]
    complete: bool,
    timestamp: Option<String>,
    #[serde(borrow, default)]
    variables: BTreeMap<Cow<'j, str>, VariableJson<'j>>,
    #[serde(borrow)]
    prior_state: Option<PriorJson<'j>>,
    #[serde(borrow, default)]
    resource_changes: Vec<ChangedJson<'j>>,
    #[serde(borrow, default)]
    output_changes: BTreeMap<Cow<'j, str>, ChangeJson<'j>>,
}

#[derive(Deserialize)]
struct VariableJson<'j> {
    #[serde(borrow)]
    value: Option<&'j RawValue>,
}

#[derive(Deserialize)]
struct PriorJson<'j> {
    #[serde(borrow)]
    values: Option<ValuesJson<'j>>,
}

/// The change of one instance.
#[derive(Deserialize)]
struct ChangedJson<'j> {
    #[serde(borrow)]
    previous_address: Option<Cow<'j, str>>,
    #[serde(borrow)]
    module_address: Option<Cow<'j, str>>,
    #[serde(borrow)]
    mode: Cow<'j, str>,
    #[serde(borrow, rename = "type")]
    resource_type: Cow<'j, str>,
    #[serde(borrow)]
    name: Cow<'j, str>,
    index: Option<KeyJson>,
    #[serde(borrow)]
    provider_name: Option<Cow<'j, str>>,
    #[serde(borrow)]
    deposed: Option<Cow<'j, str>>,
    #[serde(borrow)]
    change: ChangeJson<'j>,
}

#[derive(Deserialize)]
struct ChangeJson<'j> {
    #[serde(borrow)]
    before: Option<&'j RawValue>,
    #[serde(borrow)]
    after: Option<&'j RawValue>,
    before_sensitive: Option<serde_json::Value>,
    after_unknown: Option<serde_json::Value>,
    after_sensitive: Option<serde_json::Value>,
}

/// Reads the document of `terraform show -json` about a plan.
///
/// ```
/// let plan = terrane_config::state_file::plan_from_json(
///     r#"{"format_version": "1.2", "resource_changes": [{
///         "mode": "managed", "type": "demo_thing", "name": "a", "provider_name": "registry.terraform.io/acme/demo",
///         "change": {"actions": ["create"], "before": null, "after": {"size": 1}, "after_unknown": {"id": true}}
///     }]}"#,
/// )?;
/// assert_eq!(plan.planned.resources.len(), 1);
/// # Ok::<(), terrane_config::state_file::StateError>(())
/// ```
///
/// # Errors
///
/// If the text is not the document of a plan, or the plan has errors. No error contains the value of
/// an attribute or variable.
pub fn plan_from_json(text: &str) -> Result<StoredPlan, StateError> {
    match kind_of(text)? {
        Kind::Plan => read(text),
        Kind::Empty => Err(StateError::new(
            "the file is empty; `terraform show -json PLANFILE` writes the document of a plan",
        )),
        Kind::File | Kind::Document | Kind::Legacy(_) => {
            Err(StateError::new("this is a state, not the document of a plan; the option --state reads it"))
        }
    }
}

fn read(text: &str) -> Result<StoredPlan, StateError> {
    let plan: PlanJson<'_> = serde_json::from_str(text)
        .map_err(|error| StateError::of_document("the document of a plan", &error))?;
    if plan.errored {
        return Err(StateError::new(
            "planning has ended with errors, so objects are missing in the plan (its `errored` is true); make a plan without errors",
        ));
    }
    let mut prior =
        document::state(plan.prior_state.and_then(|prior| prior.values), plan.terraform_version.clone())?;
    // Any other complete plan has a change, perhaps of no kind, for each object of the state.
    let is_managed = |resource: &StateResource| resource.mode == ResourceMode::Managed;
    let is_refresh_only = plan.complete
        && prior.resources.iter().any(is_managed)
        && plan.resource_changes.iter().all(|changed| changed.mode != "managed");
    let mut planned = Vec::new();
    let mut paths = Paths::default();
    let mut moves = HashMap::new();
    for changed in plan.resource_changes {
        changed.read(&mut paths, &mut moves, &mut planned)?;
    }
    if let Some(address) = twice(&planned) {
        return Err(StateError::new(format!("{address}: the plan has two changes of this instance")));
    }
    // A plan has no changes for the data sources that it has read, except those in `check` blocks, which the apply reads again.
    let is_data = |resource: &&StateResource| resource.mode == ResourceMode::Data;
    let changed: HashSet<Address> = planned.iter().flat_map(addresses).collect();
    let read = prior.resources.iter().filter(is_data).map(|resource| as_planned(resource, &changed));
    let read: Vec<StateResource> = read.filter(|resource| !resource.instances.is_empty()).collect();
    planned.extend(read);
    prior.resources = before_moves(prior.resources, &moves);
    prior.outputs = outputs_before(&prior.outputs, plan.output_changes)?;
    let (product_version, resources) = (plan.terraform_version, planned.into_iter().collect());
    let planned = State { product_version, resources, ..State::default() };
    let variable = |(name, variable): (Cow<'_, str>, VariableJson<'_>)| {
        let wrong = |error: DecodeError| {
            StateError::of_value(&format!("the value of the variable {name:?}"), &error, "is not a value")
        };
        let value = json::decode(variable.value.map_or("null", RawValue::get)).map_err(wrong)?;
        Ok((SmolStr::from(&*name), value))
    };
    let variables =
        plan.variables.into_iter().map(variable).collect::<Result<BTreeMap<SmolStr, Value>, _>>()?;
    Ok(StoredPlan {
        prior: Arc::new(prior),
        planned: Arc::new(planned),
        variables,
        is_complete: plan.complete,
        is_refresh_only,
        timestamp: plan.timestamp,
    })
}

/// Returns the addresses of the instances of a resource.
fn addresses(resource: &StateResource) -> impl Iterator<Item = Address> {
    resource.instances.iter().map(|instance| Address {
        module: resource.module.clone(),
        object: resource.object(instance.key.clone()),
    })
}

/// Returns a data source that was read during the plan, without the instances in `changed`.
fn as_planned(resource: &StateResource, changed: &HashSet<Address>) -> StateResource {
    let instances = resource.instances.iter().zip(addresses(resource));
    let instances = instances.filter(|(_, address)| !changed.contains(address));
    let instances = instances.map(|(instance, _)| instance.clone());
    let instances = instances.map(|instance| StateInstance { form: StateForm::Plan, ..instance }).collect();
    StateResource { instances, ..resource.clone() }
}

/// The addresses that moved instances have before the plan.
type Moves = HashMap<Address, Address>;

/// Returns the resources with their addresses before all moves: the document has the addresses after them.
fn before_moves(
    resources: Arena<StateResourceId, StateResource>,
    moves: &Moves,
) -> Arena<StateResourceId, StateResource> {
    if moves.is_empty() {
        return resources;
    }
    let mut before = Arena::default();
    before.reserve(resources.len());
    for mut resource in resources.into_values() {
        let (mut moved, mut unmoved) = (Vec::new(), Arena::default());
        let address = |key: &InstanceKey| Address {
            module: resource.module.clone(),
            object: resource.object(key.clone()),
        };
        let previous: Vec<_> =
            resource.instances.iter().map(|instance| moves.get(&address(&instance.key))).collect();
        let instances = std::mem::take(&mut resource.instances);
        for (previous, instance) in previous.into_iter().zip(instances.into_values()) {
            match previous {
                Some(previous) if instance.deposed.is_none() => moved.push((previous, instance)),
                Some(_) | None => _ = unmoved.push(instance),
            }
        }
        resource.instances = unmoved;
        for (previous, instance) in moved {
            if let Object::Resource { mode, resource_type, name, key } = previous.object.clone() {
                let module = previous.module.clone();
                let provider_configuration = resource.provider_configuration.clone();
                let provider = resource.provider.clone();
                let instances = Arena::from_iter([StateInstance { key, ..instance }]);
                before.push(StateResource {
                    module,
                    mode,
                    resource_type,
                    name,
                    provider,
                    provider_configuration,
                    instances,
                });
            }
        }
        if !resource.instances.is_empty() {
            before.push(resource);
        }
    }
    before
}

/// Returns the outputs before the plan: the state in the document has the outputs after it, with their types.
fn outputs_before(
    after: &Outputs,
    changes: BTreeMap<Cow<'_, str>, ChangeJson<'_>>,
) -> Result<Outputs, StateError> {
    check_outputs(changes.values().filter_map(|change| change.before))?;
    let mut outputs = after.clone();
    for (name, change) in changes {
        let text = |value: Option<&RawValue>| value.map_or("null", RawValue::get).to_owned();
        let (before, planned) = (text(change.before), text(change.after));
        let is_sensitive =
            change.before_sensitive.as_ref().is_some_and(|shape| !shape_paths(shape).is_empty());
        if before == "null" {
            outputs.remove(&*name);
        } else if before != planned || !outputs.contains_key(&*name) {
            let wrong = |error: DecodeError| {
                StateError::of_value(&format!("output.{name}: its value"), &error, "is not a value")
            };
            let value = json::decode(&before).map_err(wrong)?;
            outputs.insert(SmolStr::from(&*name), StateOutput { value, is_sensitive });
        }
    }
    Ok(outputs)
}

impl ChangedJson<'_> {
    /// Adds the planned object of the instance, unless it is destroyed or forgotten, and its move, if it moves.
    fn read(
        self,
        paths: &mut Paths,
        moves: &mut Moves,
        resources: &mut Vec<StateResource>,
    ) -> Result<(), StateError> {
        let mode = match &*self.mode {
            "managed" => ResourceMode::Managed,
            "data" => ResourceMode::Data,
            _ => return Ok(()),
        };
        let module = paths.read(self.module_address.as_deref())?;
        let (resource_type, name) = (SmolStr::from(&*self.resource_type), SmolStr::from(&*self.name));
        let key = KeyJson::key(self.index)?;
        let object = Object::Resource {
            mode,
            resource_type: resource_type.clone(),
            name: name.clone(),
            key: key.clone(),
        };
        let address = Address { module: module.clone(), object };
        if let Some(previous) = self.previous_address.as_deref() {
            let wrong = || StateError::of_address(previous, "a resource");
            let previous = resource_instance(previous).ok_or_else(wrong)?;
            moves.insert(address.clone(), previous);
        }
        let Some(after) = self.change.after.filter(|after| after.get() != "null") else { return Ok(()) };
        if self.deposed.is_some_and(|key| !key.is_empty()) {
            return Ok(());
        }
        let parts = |shape: Option<serde_json::Value>| -> Vec<Path> {
            shape.as_ref().map(shape_paths).unwrap_or_default()
        };
        let instance = StateInstance {
            key,
            deposed: None,
            is_tainted: false,
            creates_first: false,
            schema_version: 0,
            attributes: attributes(Some(after)).map_err(|error| error.within(&address.to_string()))?,
            form: StateForm::Plan,
            sensitive: parts(self.change.after_sensitive),
            unknown: parts(self.change.after_unknown),
            dependencies: Vec::new(),
            implied: OnceLock::new(),
        };
        resources.push(StateResource {
            module,
            mode,
            resource_type,
            name,
            provider: SmolStr::from(self.provider_name.as_deref().unwrap_or_default()),
            provider_configuration: SmolStr::default(),
            instances: Arena::from_iter([instance]),
        });
        Ok(())
    }
}
