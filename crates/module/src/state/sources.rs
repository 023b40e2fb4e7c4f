//! Finds the sources of values outside the configuration: the parts of instances and outputs that are given by
//! hand, computed or recorded.

use std::collections::HashSet;

use terrane_config::address::InstanceKey;
use terrane_source::Diagnostics;
use terrane_value::{Entries, SmolStr, Value};

use crate::model::computed_data::is_remote_state;
use crate::model::configured_names::ConfiguredNames;
use crate::model::given::{GivenBy, GivenPart, GivenPaths};
use crate::model::given_step::GivenStep;
use crate::model::ids::{CallId, ResourceId};
use crate::model::prior::PriorState;
use crate::state::evaluation::Evaluation;
use crate::state::inner_parts::InnerPart;
use crate::state::instance::ModuleInstance;

impl Evaluation {
    /// Returns the parts of a resource instance that are given by hand. `value` is its value.
    pub fn given_for_resource(
        &self,
        instance: &ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
        value: &Value,
    ) -> Vec<&GivenPart> {
        let parts = self.config.given.resource(instance.node, id);
        if parts.is_empty() {
            return Vec::new();
        }
        // Mock files may give thousands of values for other instances, so the attributes of this instance are looked up.
        let names = value.known_attributes().into_iter().flat_map(Entries::keys);
        let mut given = parts.of_attributes(&instance.path, key, names);
        retain_effective(&mut given);
        if given.is_empty() {
            return given;
        }
        let config = &self.config.node(instance.node).module.resources.at(id).config;
        let written = config.open_content(&mut Diagnostics::new());
        let inner = instance.inner_parts(id, key);
        let is_inner = |part: &GivenPart| {
            !part.path.is_empty()
                && inner.iter().any(|inner| inner.is_given && part.names_behind(&inner.steps).is_some())
        };
        let is_used = |part: &GivenPart| {
            let is_configured = |name: &SmolStr| written.attribute(name.as_str()).is_some();
            part.by() == GivenBy::Option
                || (part.is_in(value) && !part.first_name().is_some_and(|name| is_configured(&name)))
        };
        given.retain(|part| !is_inner(part) && is_used(part));
        given
    }

    /// Returns the attributes of a resource instance that have parts given by hand.
    fn given_names(
        &self,
        instance: &ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
        value: &Value,
    ) -> GivenNames {
        let given = self.given_for_resource(instance, id, key, value);
        let names: Option<HashSet<SmolStr>> = given.into_iter().map(GivenPart::first_name).collect();
        names.map_or(GivenNames::All, GivenNames::Some)
    }

    /// Returns the attributes of a data source instance that are computed from its arguments. `value` is its value.
    pub fn computed_attributes<'e>(
        &'e self,
        instance: &'e ModuleInstance,
        id: ResourceId,
        key: &'e InstanceKey,
        value: &'e Value,
    ) -> impl Iterator<Item = &'static str> + 'e {
        let module = &self.config.node(instance.node).module;
        let row = self.config.computable(module, id);
        let config = &module.resources.at(id).config;
        let given = row.map(|_| self.given_names(instance, id, key, value)).unwrap_or_default();
        let is_computed = move |name: &&'static str| {
            let value = value.known_attributes().and_then(|all| all.get(name)).map(Value::unmarked);
            value.is_some_and(|value| value.is_known() && !value.is_null())
                && !given.has(name)
                && config.open_content(&mut Diagnostics::new()).attribute(name).is_none()
        };
        row.into_iter().flat_map(|row| row.attributes.iter().map(|(name, _)| *name)).filter(is_computed)
    }

    /// Returns how the outputs of an instance of a `terraform_remote_state` were read: by an option, with its part, or
    /// from the state file of the local backend. `None` if its `value` has no outputs that were read so.
    pub fn remote_state<'e>(
        &'e self,
        instance: &'e ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
        value: &Value,
    ) -> Option<Option<&'e GivenPart>> {
        let module = &self.config.node(instance.node).module;
        let (resource_key, resource) = module.resources.entry_of(id);
        let outputs = value.known_attributes().or_else(|| value.as_entries())?.get("outputs")?;
        if outputs.is_wholly_unknown()
            || outputs.is_null()
            || !is_remote_state(module, resource_key, resource)
        {
            return None;
        }
        let parts = self.config.given.resource(instance.node, id);
        let outputs = SmolStr::new_static("outputs");
        let (options, others): (Vec<&GivenPart>, Vec<&GivenPart>) = parts
            .of_attributes(&instance.path, key, [&outputs])
            .into_iter()
            .partition(|part| part.by() == GivenBy::RemoteState);
        // If all outputs are given in another way, that has precedence over the option.
        let gives_all = |part: &GivenPart| match part.first_name() {
            None => part.value.as_entries().is_some_and(|all| all.get(&outputs).is_some()),
            Some(name) => name == outputs && part.path.len() == 1,
        };
        if others.into_iter().any(|part| gives_all(part) && part.is_in(value)) {
            return None;
        }
        match options.first() {
            Some(part) => Some(Some(part)),
            None => instance.read_from_backend.contains(&(id, key.clone())).then_some(None),
        }
    }

    /// Returns the object that a plan or the state has for an instance.
    fn recorded_object(
        &self,
        instance: &ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
    ) -> Option<(Value, RecordedIn)> {
        let (resource_key, _) = self.config.node(instance.node).module.resources.entry_of(id);
        let found = |objects: &PriorState| {
            let place = *objects.instances(&instance.path, resource_key)?.get(key)?;
            objects.object(place).untyped().ok()
        };
        let planned = self.config.recorded.planned.as_deref().and_then(found);
        let planned = planned.map(|object| (object, RecordedIn::Plan));
        let in_state = match self.config.request.uses_prior_values {
            true => RecordedIn::Prior,
            false => RecordedIn::State,
        };
        planned.or_else(|| Some((self.config.recorded.prior.as_deref().and_then(found)?, in_state)))
    }

    /// Returns the part that gives an attribute inside a configured attribute or block by hand.
    pub fn given_inside(
        &self,
        instance: &ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
        inner: &InnerPart,
    ) -> Option<&GivenPart> {
        let parts = self.config.given.resource(instance.node, id);
        let parts = parts.of_attributes(&instance.path, key, inner.steps.first().and_then(GivenStep::name));
        let gives = |part: &&GivenPart| {
            let rest = part.names_behind(&inner.steps);
            rest.is_some_and(|names| has_names(&part.value, &names))
        };
        parts.into_iter().filter(|_| inner.is_given).find(gives)
    }

    /// Returns the attributes of an instance whose values come from the state or from a plan,
    /// and from which of the two.
    pub fn recorded_attributes(
        &self,
        instance: &ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
        value: &Value,
    ) -> (Vec<SmolStr>, RecordedIn) {
        let module = &self.config.node(instance.node).module;
        let (resource_key, resource) = module.resources.entry_of(id);
        let recorded = self.recorded_object(instance, id, key);
        let (Some((Some(recorded), recorded_in)), Some(planned)) = (
            recorded.as_ref().map(|(recorded, place)| (recorded.unmarked().as_entries(), *place)),
            value.known_attributes(),
        ) else {
            return (Vec::new(), RecordedIn::State);
        };
        let configured = ConfiguredNames::of(resource);
        let computed: Vec<&str> = self.computed_attributes(instance, id, key, value).collect();
        let given = self.given_names(instance, id, key, value);
        let is_remote = self.remote_state(instance, id, key, value).is_some();
        let schema = self.config.request.schemas.resource(module, resource_key, resource);
        // An attribute that only the configuration can set is null without it, even if the state records a value.
        let may_be_set = |name: &SmolStr| {
            schema.is_none_or(|block| {
                block.schema().attributes().get(name).is_some_and(|attribute| attribute.computed)
            })
        };
        let is_known = |name: &SmolStr, position: usize| {
            let is_set = |value: &Value| !value.is_wholly_unknown() && (!value.is_null() || may_be_set(name));
            planned.get_from(name, position).is_some_and(is_set)
        };
        let is_recorded = |(position, name): &(usize, &SmolStr)| {
            let is_from_elsewhere =
                computed.contains(&name.as_str()) || given.has(name) || (is_remote && *name == "outputs");
            let is_configured = !self.config.request.phase.reads_state_alone() && configured.has(name);
            is_known(name, *position) && !is_configured && !is_from_elsewhere
        };
        let names = recorded.keys().enumerate().filter(is_recorded).map(|(_, name)| name.clone());
        (names.collect(), recorded_in)
    }

    /// Returns the given outputs of an instance of a call. `outputs` returns the object of its outputs.
    pub fn given_for_outputs<'e>(
        &'e self,
        instance: &'e ModuleInstance,
        id: CallId,
        key: &'e InstanceKey,
        outputs: impl FnOnce() -> Value,
    ) -> Vec<&'e GivenPart> {
        let parts = self.config.given.outputs(instance.node, id);
        if parts.is_empty() {
            return Vec::new();
        }
        let outputs = outputs();
        let names = outputs.known_attributes().into_iter().flat_map(Entries::keys);
        let mut given = parts.of_attributes(&instance.path, key, names);
        retain_effective(&mut given);
        given.retain(|part| part.is_in(&outputs));
        given
    }

    /// Returns the part that gives an output of a called module instance, whether or not it is used.
    pub fn given_for_output(&self, called: &ModuleInstance, name: &SmolStr) -> Option<&GivenPart> {
        if !self.config.given.has_outputs() {
            return None;
        }
        let (parent, step) = (called.parent?, called.path.steps().last()?);
        let caller = &self.instances[parent];
        let id = self.config.node(caller.node).module.calls.id_of(&step.name)?;
        let parts = self.config.given.outputs(caller.node, id);
        parts.of_attribute(&caller.path, &step.key, name)
    }
}

/// Whether a given value, or one of the objects of a given sequence, has the attribute at the end of these names.
fn has_names(value: &Value, names: &[&SmolStr]) -> bool {
    let Some((name, rest)) = names.split_first() else { return true };
    match (value.as_entries(), value.as_sequence()) {
        (Some(all), _) => all.get(name).is_some_and(|value| has_names(value, rest)),
        (None, Some(all)) => all.iter().any(|value| has_names(value, names)),
        (None, None) => false,
    }
}

/// Where the object of an instance is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedIn {
    /// In the state that the evaluation begins with.
    State,
    /// In the state, if recorded values are used even for objects that change.
    Prior,
    /// In a plan of the configuration.
    Plan,
}

/// The attributes of an instance with given parts.
enum GivenNames {
    All,
    Some(HashSet<SmolStr>),
}

impl Default for GivenNames {
    fn default() -> GivenNames {
        GivenNames::Some(HashSet::new())
    }
}

impl GivenNames {
    fn has(&self, name: &str) -> bool {
        match self {
            GivenNames::All => true,
            GivenNames::Some(names) => names.contains(name),
        }
    }
}

/// Removes the parts that an earlier part, which has precedence, replaces.
fn retain_effective(parts: &mut Vec<&GivenPart>) {
    let mut stronger = GivenPaths::default();
    parts.retain(|part| part.remote_outputs().is_none() && stronger.add(&part.path));
}
