//! The values of a configuration: module instances by id.
//!
//! An evaluation begins with the instance of the root module. The driver in [`evaluate`](mod@crate::evaluate) adds the other
//! instances and stores the result of each step.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use terrane_config::address::{Address, InstanceKey, ModulePath, Object};
use terrane_eval::{FunctionTable, InstanceCache};
use terrane_function::{CallEnv, Meter};
use terrane_source::{Diagnostics, Files};
use terrane_value::Shape;

use crate::expansion::RepetitionData;
use crate::graph::Step;
use crate::model::ids::{Arena, CallInModule, InstanceId, NodeId};
use crate::model::tree::Config;
use crate::rules::phase::Phase;
use crate::state::compared_texts::ComparedTexts;
use crate::state::decrypted::DecryptedStates;
use crate::state::imports::KnownImports;
use crate::state::instance::{Called, ModuleInstance, varying};

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
    /// The share of the limits of the request that is used up.
    pub(crate) meter: Meter,
    /// The value of `path.cwd`.
    pub(crate) working_directory: PathBuf,
    /// The identifiers under which resources are imported.
    pub(crate) imports: KnownImports,
    /// The remote states that have been decrypted.
    pub(crate) decrypted: DecryptedStates,
    /// The facts about long texts that were compared with the state.
    compared_texts: Arc<ComparedTexts>,
}

impl Evaluation {
    /// Returns an evaluation with the instance of the root module, which has no values yet.
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
            compared_texts: Arc::default(),
        };
        evaluation.reset(phase);
        evaluation
    }

    /// Drops all values and begins another phase.
    pub(crate) fn reset(&mut self, phase: Phase) {
        // Forgets recent shapes, so that the counted memory does not depend on earlier work of this thread.
        Shape::forget_recent();
        self.config.request.phase = phase;
        self.instances = Arena::default();
        self.by_node = self.config.nodes().map(|_| Vec::new()).collect();
        self.meter = Meter::default();
        self.imports = KnownImports::default();
        self.decrypted.begin();
        self.compared_texts = Arc::default();
        let root = &self.config.node(NodeId::ROOT).module;
        let data = RepetitionData::default();
        self.add_instance(ModuleInstance::new(NodeId::ROOT, ModulePath::ROOT, None, data, root));
    }

    /// Adds an instance of a module.
    pub(crate) fn add_instance(&mut self, mut instance: ModuleInstance) -> InstanceId {
        let node = instance.node;
        instance.parts = self.config.request.keeps_parts.then(|| InstanceCache::of_costly_except(varying()));
        let id = self.instances.push(instance);
        self.by_node[node].push(id);
        id
    }

    /// Numbers the module instances in the order in which `calls` add them, because the steps were
    /// evaluated in another order.
    pub(crate) fn renumber(&mut self, calls: impl Iterator<Item = CallInModule>) {
        let mut sequence = vec![InstanceId::ROOT];
        for CallInModule { module, call } in calls {
            for caller in &self.by_node[module] {
                sequence.extend(self.instances[*caller].calls[call].expansion.all().into_iter().filter_map(
                    |called| match called {
                        Called::Instance(instance) => Some(*instance),
                        Called::Missing(_) => None,
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
                for called in Arc::make_mut(&mut calls.expansion).all_mut() {
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

    /// Returns the facts about long texts that were compared with the state.
    pub fn compared_texts(&self) -> &Arc<ComparedTexts> {
        &self.compared_texts
    }

    /// Returns the instances of all modules; the root is the first, a caller comes before the instances that it calls.
    pub fn instances(&self) -> &Arena<InstanceId, ModuleInstance> {
        &self.instances
    }

    /// Returns the module instance at a path. If the number of instances is unknown, any key leads to the
    /// instance that stands for all.
    pub fn instance_at(&self, path: &ModulePath) -> Option<InstanceId> {
        path.steps().iter().try_fold(InstanceId::ROOT, |outer, step| {
            let outer = &self.instances[outer];
            let call = self.config.node(outer.node).module.calls.id_of(&step.name)?;
            match outer.calls[call].expansion.get_or_any(&step.key)? {
                Called::Instance(instance) => Some(*instance),
                Called::Missing(_) => None,
            }
        })
    }

    /// Returns the root module instance.
    pub fn root(&self) -> &ModuleInstance {
        &self.instances[InstanceId::ROOT]
    }

    /// Phase being simulated.
    pub(crate) fn phase(&self) -> Phase {
        self.config.request.phase
    }

    /// Returns the functions that expressions may call.
    pub fn functions(&self) -> &FunctionTable {
        &self.functions
    }

    /// Returns the approximate size of all values in bytes.
    pub fn bytes(&self) -> usize {
        const BYTES_OF_OBJECT: usize = 100;
        let objects =
            self.instances.iter().map(|instance| self.config.node(instance.node).module.objects() + 1);
        let values = usize::try_from(self.meter.memory()).unwrap_or(usize::MAX);
        objects.sum::<usize>().saturating_mul(BYTES_OF_OBJECT).saturating_add(values)
    }

    /// Returns the environment of functions in the configuration. Expressions count on `meter`.
    pub(crate) fn env<'e>(&'e self, files: &'e dyn Files, meter: &'e Meter) -> CallEnv<'e> {
        let request = &self.config.request;
        let base = CallEnv::new(files, request.base_directory(), &request.limits);
        CallEnv { world: request.host.world(), meter: Some(meter), ..base }
    }

    /// Returns the instances of a module.
    pub fn instances_of(&self, node: NodeId) -> impl Iterator<Item = &ModuleInstance> {
        self.by_node[node].iter().map(|instance| &self.instances[*instance])
    }

    /// Returns the steps of the evaluation.
    pub fn steps(&self) -> u64 {
        self.meter.steps()
    }

    /// Returns the approximate bytes of the values of the evaluation.
    pub fn memory(&self) -> u64 {
        self.meter.memory()
    }

    /// Returns the addresses of the objects in the state that no instance of the configuration has. If the number of
    /// instances is unknown, any object may belong to one of them.
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
            // It is unknown whether the configuration has these objects.
            let is_unknown = unknown.contains(&path.without_keys()) || self.config.is_missing_module(path);
            if state.is_none() && is_unknown {
                continue;
            }
            let expansion = state.and_then(|state| {
                let id = self.config.node(state.node).module.resources.id_of(resource)?;
                Some(&*state.resources[id].expansion)
            });
            let is_orphan = |key: &&InstanceKey| {
                expansion.is_none_or(|expansion| expansion.unknown().is_none() && !expansion.has(key))
            };
            let address =
                |key: &InstanceKey| Address { module: path.clone(), object: resource.object(key.clone()) };
            orphans.extend(instances.keys().filter(is_orphan).map(address));
        }
        orphans.sort_unstable();
        orphans
    }

    /// Returns the address of the object of a step in a module instance, without an instance key of its own.
    pub(crate) fn step_address(&self, instance: InstanceId, step: Step) -> Address {
        self.address(instance, step.object(&self.config.node(self.instances[instance].node).module))
    }

    /// Returns the address of an object in a module instance.
    pub(crate) fn address(&self, instance: InstanceId, object: Object) -> Address {
        let module = self.instances[instance].path.clone();
        Address { module, object }
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;
    use crate::{Cache, Request, load};

    #[test]
    fn an_evaluation_can_be_shared() {
        fn assert_shareable<T: Send + Sync>() {}
        assert_shareable::<Evaluation>();
    }

    /// Queries evaluate parts of expressions again; an evaluation without queries keeps nothing for them.
    #[test]
    fn only_an_evaluation_to_explain_keeps_parts() {
        let main =
            "module \"m\" {\n  source = \"./m\"\n}\nlocals {\n  a = [for i in range(500) : \"${i}-x\"]\n}\n";
        let module = "output \"b\" {\n  value = [for i in range(500) : \"${i}-y\"]\n}\n";
        let files: MemoryFiles = [("main.tf", main), ("m/main.tf", module)].into_iter().collect();
        let evaluated = |keeps_parts: bool| {
            let loaded = load(Request { keeps_parts, ..Request::new(".") }, &files, &Cache::default());
            let evaluation = crate::evaluate(loaded.config, &loaded.inputs, &files);
            assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
            let kept: Vec<bool> = evaluation.instances().into_iter().map(|one| one.parts.is_some()).collect();
            let steps = evaluation.meter.steps();
            (kept, steps)
        };
        let ((without, steps), (with, steps_with)) = (evaluated(false), evaluated(true));
        assert_eq!((without, with), (vec![false; 2], vec![true; 2]));
        assert_eq!(steps, steps_with);
    }
}
