//! The values of a configuration: instances of modules by id.
//!
//! An evaluation begins with the instance of the root module. The driver in [`evaluate`](mod@crate::evaluate) adds the other
//! instances and stores the result of each step.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use terrane_config::address::{Address, InstanceKey, ModulePath, Object};
use terrane_eval::{FunctionTable, InstanceCache};
use terrane_function::{CallEnv, Meter};
use terrane_source::{Diagnostics, Files};
use terrane_value::{Entries, Shape, SmolStr, Value};

use crate::expansion::RepetitionData;
use crate::model::computed_data::is_remote_state;
use crate::model::given::{GivenBy, GivenPart, GivenPaths, GivenStep};
use crate::model::ids::{Arena, CallId, InstanceId, NodeId, ResourceId};
use crate::model::prior::PriorState;
use crate::model::tree::Config;
use crate::rules::phase::Phase;
use crate::state::decrypted::DecryptedStates;
use crate::state::imports::KnownImports;
use crate::state::inner_parts::InnerPart;
use crate::state::instance::{Called, ModuleInstance, VARYING};

/// All values of a configuration.
pub struct Evaluation {
    /// The evaluated configuration.
    pub config: Config,
    /// The module instances; the root is the first, a caller comes before the instances that it calls.
    pub(crate) instances: Arena<InstanceId, ModuleInstance>,
    /// The instances of each module.
    pub(crate) by_node: Arena<NodeId, Vec<InstanceId>>,
    /// All errors and warnings, in the order in which they were found.
    pub diagnostics: Diagnostics,
    functions: FunctionTable,
    /// The part of the limits of the request that is used up.
    pub(crate) meter: Meter,
    /// The value of `path.cwd`.
    pub(crate) working_directory: PathBuf,
    /// The identifiers under which resources are imported.
    pub(crate) imports: KnownImports,
    /// The remote states that were decrypted.
    pub(crate) decrypted: DecryptedStates,
}

impl Evaluation {
    /// An evaluation with the instance of the root module, which has no values yet.
    pub(crate) fn new(config: Config, files: &dyn Files) -> Evaluation {
        let directory = files.canonicalize(&config.request.directory);
        let phase = config.request.phase;
        let mut evaluation = Evaluation {
            instances: Arena::default(),
            by_node: Arena::default(),
            functions: config.request.function_table(),
            meter: Meter::default(),
            working_directory: directory.unwrap_or_else(|_| files.working_directory()),
            diagnostics: Diagnostics::new(),
            config,
            imports: KnownImports::default(),
            decrypted: DecryptedStates::default(),
        };
        evaluation.reset(phase);
        evaluation
    }

    /// Drops all values and begins another phase.
    pub(crate) fn reset(&mut self, phase: Phase) {
        // The counted memory is the same whatever this thread has done before.
        Shape::forget_recent();
        self.config.request.phase = phase;
        self.instances = Arena::default();
        self.by_node = self.config.nodes().map(|_| Vec::new()).collect();
        self.meter = Meter::default();
        self.imports = KnownImports::default();
        self.decrypted.begin();
        let root = &self.config.node(NodeId::ROOT).module;
        let data = RepetitionData::default();
        self.add_instance(ModuleInstance::new(NodeId::ROOT, ModulePath::ROOT, None, data, root));
    }

    /// Adds an instance of a module.
    pub(crate) fn add_instance(&mut self, mut instance: ModuleInstance) -> InstanceId {
        let node = instance.node;
        instance.parts = self.config.request.keeps_parts.then(|| InstanceCache::except(VARYING));
        let id = self.instances.push(instance);
        self.by_node[node].push(id);
        id
    }

    /// Numbers the module instances in the order in which `calls` add them, for steps that were evaluated in another order.
    pub(crate) fn renumber(&mut self, calls: impl Iterator<Item = (NodeId, CallId)>) {
        let mut sequence = vec![InstanceId::ROOT];
        for (node, call) in calls {
            for caller in &self.by_node[node] {
                sequence.extend(self.instances[*caller].calls[call].expansion.all().into_iter().filter_map(
                    |called| match called {
                        Called::Instance(instance) => Some(*instance),
                        Called::Absent(_) => None,
                    },
                ));
            }
        }
        if sequence.is_sorted() {
            return;
        }
        let old = std::mem::take(&mut self.instances);
        let mut numbers: Arena<InstanceId, InstanceId> = old.ids().collect();
        let mut old: Arena<InstanceId, Option<ModuleInstance>> = old.into_values().map(Some).collect();
        for number in sequence {
            if let Some(instance) = old[number].take() {
                numbers[number] = self.instances.push(instance);
            }
        }
        for instance in self.instances.iter_mut() {
            instance.parent = instance.parent.map(|parent| numbers[parent]);
            for calls in instance.calls.iter_mut() {
                for called in calls.expansion.all_mut() {
                    if let Called::Instance(instance) = called {
                        *instance = numbers[*instance];
                    }
                }
            }
        }
        for instances in self.by_node.iter_mut() {
            instances.iter_mut().for_each(|instance| *instance = numbers[*instance]);
        }
    }

    /// The instances of all modules; the root is the first, a caller comes before the instances that it calls.
    pub fn instances(&self) -> &Arena<InstanceId, ModuleInstance> {
        &self.instances
    }

    /// The module instance at a path. Where the number of instances is unknown, any key is that of the one that stands for all.
    pub fn instance_at(&self, path: &ModulePath) -> Option<InstanceId> {
        path.steps().iter().try_fold(InstanceId::ROOT, |outer, step| {
            let outer = &self.instances[outer];
            let call = self.config.node(outer.node).module.calls.id_of(&step.name)?;
            match outer.calls[call].expansion.get_or_any(&step.key)? {
                Called::Instance(instance) => Some(*instance),
                Called::Absent(_) => None,
            }
        })
    }

    /// The root module instance.
    pub fn root(&self) -> &ModuleInstance {
        &self.instances[InstanceId::ROOT]
    }

    /// Phase being simulated.
    pub(crate) fn phase(&self) -> Phase {
        self.config.request.phase
    }

    /// The functions that expressions may call.
    pub fn functions(&self) -> &FunctionTable {
        &self.functions
    }

    /// The approximate size of all values in bytes.
    pub fn bytes(&self) -> usize {
        const BYTES_OF_OBJECT: usize = 100;
        let objects =
            self.instances.iter().map(|instance| self.config.node(instance.node).module.objects() + 1);
        let values = usize::try_from(self.meter.memory()).unwrap_or(usize::MAX);
        objects.sum::<usize>().saturating_mul(BYTES_OF_OBJECT).saturating_add(values)
    }

    /// The environment of functions in the configuration. Expressions count on `meter`.
    pub(crate) fn env<'e>(&'e self, files: &'e dyn Files, meter: &'e Meter) -> CallEnv<'e> {
        let request = &self.config.request;
        let base = CallEnv::new(files, &request.directory, &request.limits);
        CallEnv { world: request.host.world(), meter: Some(meter), ..base }
    }

    /// The instances of a module.
    pub fn instances_of(&self, node: NodeId) -> impl Iterator<Item = &ModuleInstance> {
        self.by_node[node].iter().map(|instance| &self.instances[*instance])
    }

    /// The steps of the evaluation.
    pub fn steps(&self) -> u64 {
        self.meter.steps()
    }

    /// Approximate bytes of the values of the evaluation.
    pub fn memory(&self) -> u64 {
        self.meter.memory()
    }

    /// The parts of an instance of a resource that are given by hand; `value` is its value.
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
        // Of thousands of values in mock files, an instance may have none.
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

    /// The attributes of an instance of a resource that have parts given by hand.
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

    /// The attributes of an instance of a data source that are computed from its arguments; `value` is its value.
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

    /// How the outputs of an instance of a `terraform_remote_state` were read, if its `value` has them: by an option, whose part is
    /// the result, or from the state file of the local backend.
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
        let parts = parts.of_attributes(&instance.path, key, [&SmolStr::new_static("outputs")]);
        let is_whole = |part: &&GivenPart| part.path.len() <= 1 && part.is_in(value);
        match parts.into_iter().find(is_whole) {
            Some(part) if part.by() == GivenBy::RemoteState => Some(Some(part)),
            Some(_) => None,
            None => instance.read_from_backend.contains(&(id, key.clone())).then_some(None),
        }
    }

    /// The object that a plan or the state has for an instance.
    fn recorded_object(
        &self,
        instance: &ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
    ) -> Option<(Value, RecordedIn)> {
        let (resource_key, _) = self.config.node(instance.node).module.resources.entry_of(id);
        let found = |objects: &PriorState| {
            let place = *objects.instances(&instance.path, resource_key)?.get(key)?;
            objects.object(place)?.untyped().ok()
        };
        let planned = self.config.recorded.planned.as_deref().and_then(found);
        let planned = planned.map(|object| (object, RecordedIn::Plan));
        let in_state = match self.config.request.uses_prior_values {
            true => RecordedIn::Prior,
            false => RecordedIn::State,
        };
        planned.or_else(|| Some((self.config.recorded.prior.as_deref().and_then(found)?, in_state)))
    }

    /// The part that gives an attribute inside of a configured attribute or block by hand.
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

    /// The attributes of an instance that have their values from the state or from a plan, and from which of both.
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
        let written = resource.config.open_content(&mut Diagnostics::new());
        let lifecycle = &resource.lifecycle;
        let is_configured = |name: &SmolStr| {
            let is_written = written.attribute(name).is_some()
                || written.blocks.iter().any(|block| block.generated_type() == name);
            let is_ignored =
                lifecycle.ignores_all || lifecycle.ignored.iter().any(|(ignored, _)| ignored == name);
            is_written && !is_ignored
        };
        let computed: Vec<&str> = self.computed_attributes(instance, id, key, value).collect();
        let given = self.given_names(instance, id, key, value);
        let is_remote = self.remote_state(instance, id, key, value).is_some();
        let schema = self.config.request.schemas.resource(module, resource_key, resource);
        // An attribute that only the configuration can set is null without it, whatever is recorded.
        let may_be_set = |name: &SmolStr| {
            schema.is_none_or(|block| {
                block.schema().attributes().get(name).is_some_and(|attribute| attribute.computed)
            })
        };
        let is_known = |name: &SmolStr| {
            let is_set = |value: &Value| !value.is_wholly_unknown() && (!value.is_null() || may_be_set(name));
            planned.get(name).is_some_and(is_set)
        };
        let is_recorded = |name: &&SmolStr| {
            let is_from_elsewhere =
                computed.contains(&name.as_str()) || given.has(name) || (is_remote && *name == "outputs");
            is_known(name) && !is_configured(name) && !is_from_elsewhere
        };
        (recorded.keys().filter(is_recorded).cloned().collect(), recorded_in)
    }

    /// The addresses of the objects in the state that no instance of the configuration has. With an unknown number of instances,
    /// any of them may have it.
    pub fn orphans(&self) -> Vec<Address> {
        let Some(prior) = &self.config.recorded.prior else { return Vec::new() };
        let by_path: HashMap<&ModulePath, &ModuleInstance> =
            self.instances.iter().map(|instance| (&instance.path, instance)).collect();
        let unknown: Vec<ModulePath> = self
            .instances
            .iter()
            .filter(|instance| instance.unexpanded.is_some())
            .map(|instance| instance.path.without_keys())
            .collect();
        let mut orphans = Vec::new();
        for (path, resource, instances) in prior.resources() {
            let state = by_path.get(path);
            // Of these it is not known whether the configuration has them.
            let is_unknown = unknown.contains(&path.without_keys()) || self.config.is_absent(path);
            if state.is_none() && is_unknown {
                continue;
            }
            let expansion = state.and_then(|state| {
                let id = self.config.node(state.node).module.resources.id_of(resource)?;
                Some(&state.resources[id].expansion)
            });
            let is_orphan = |key: &&InstanceKey| {
                expansion.is_none_or(|expansion| expansion.unknown().is_none() && !expansion.has(key))
            };
            let address =
                |key: &InstanceKey| Address { module: path.clone(), object: resource.object(key.clone()) };
            orphans.extend(instances.keys().filter(is_orphan).map(address));
        }
        orphans.sort();
        orphans
    }

    /// The outputs of an instance of a call that are given by hand; `outputs` returns the object of its outputs.
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

    /// The part that is given by hand for an output of a called module instance, whether it is used or not.
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

    /// The address of an object in a module instance.
    pub(crate) fn address(&self, instance: InstanceId, object: Object) -> Address {
        let module = self.instances[instance].path.clone();
        Address { module, object }
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
    /// In the state, where recorded values count even for objects that change.
    Prior,
    /// In a plan of the configuration.
    Plan,
}

/// The attributes of an instance with parts that are given by hand.
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

/// Removes the parts that a stronger one, which comes first, replaces.
fn retain_effective(parts: &mut Vec<&GivenPart>) {
    let mut stronger = GivenPaths::default();
    parts.retain(|part| part.remote_outputs().is_none() && stronger.add(&part.path));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_can_be_shared() {
        fn assert_shareable<T: Send + Sync>() {}
        assert_shareable::<Evaluation>();
    }
}
