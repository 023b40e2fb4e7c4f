//! Finds the objects that a plan with errors lacks: objects with an error, and objects that depend on one.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object, ResourceMode};
use terrane_module::graph::object_references;
use terrane_module::model::references::Via;
use terrane_module::{
    CheckKind, CheckResult, CheckStatus, Config, Evaluation, ModuleInstance, ObjectChecks, import_ids,
    instances_with_wrong_triggers,
};
use terrane_source::Files;
use terrane_value::Origins;

use super::newer_objects::NewerObjects;

/// The objects that are not planned.
#[derive(Default)]
pub(super) struct Failures {
    /// Instances of resources with a false precondition, and of data sources with a false condition. Also single instances
    /// whose expressions have errors.
    instances: HashSet<Address>,
    /// The instances among them of data sources with a false postcondition.
    read: HashSet<Address>,
    /// Instances of resources that the plan refuses to destroy.
    prevented: HashSet<Address>,
    /// Objects that have an error or depend on an object with one, without instance keys.
    objects: HashSet<Address>,
    /// The objects among them that depend on an object with an error.
    behind: HashSet<Address>,
    /// The objects among them whose values have failed, not only their conditions.
    without_value: HashSet<Address>,
    /// The objects among them in modules or blocks whose instances are not created.
    unmade: HashSet<Address>,
}

impl Failures {
    /// Whether the resource instance is not planned.
    pub(super) fn has_resource(&self, address: &Address) -> bool {
        self.instances.contains(address) || self.objects.contains(&address.without_keys())
    }

    /// Whether the data source is read even though it has failed, because only its postconditions are false.
    pub(super) fn is_read(&self, address: &Address) -> bool {
        self.read.contains(address) && !self.objects.contains(&address.without_keys())
    }

    /// Whether the plan refuses to destroy an instance of a resource, and therefore checks none of its postconditions.
    pub(super) fn is_prevented(&self, instance: &Address) -> bool {
        self.prevented.contains(instance)
    }

    /// Whether an object, without instance keys, is not evaluated because it depends on an object with an error.
    pub(super) fn is_behind(&self, object: &Address) -> bool {
        self.behind.contains(object)
    }

    /// Whether the conditions of an unevaluated object have instances nevertheless. That holds for a `check` block, and for a
    /// variable whose value depends on no object with an error.
    pub(super) fn has_instances(&self, object: &Address) -> bool {
        let is_made = !self.unmade.contains(object);
        match object.object {
            Object::Check(_) => is_made,
            Object::Variable(_) => is_made && !self.without_value.contains(object),
            Object::Local(_)
            | Object::Output(_)
            | Object::Resource { .. }
            | Object::ModuleCall(..)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => false,
        }
    }

    /// Whether the output of a module instance has no value.
    pub(super) fn has_output(&self, module: &ModulePath, output: &Object) -> bool {
        let address = Address { module: module.clone(), object: output.clone() };
        self.objects.contains(&address.without_keys())
    }

    /// Returns the failures of an evaluation with errors, including the dependents of the objects in `prevented`, which the
    /// plan refuses to destroy. Expressions that only a plan needs read through `files`.
    pub(super) fn of(evaluation: &Evaluation, prevented: &[Address], files: &dyn Files) -> Failures {
        let mut search = FailureSearch::new(&evaluation.config);
        for reference in object_references(&evaluation.config) {
            search.dependents.entry(reference.to).or_default().push((reference.from, reference.via));
        }
        for instance in evaluation.instances() {
            instance.checks.iter().for_each(|checked| search.checked(instance, checked));
            search.values(evaluation, instance);
            search.blocks(instance);
        }
        search.imports(evaluation, files);
        for address in instances_with_wrong_triggers(evaluation, files) {
            search.left.push(address.without_keys());
            search.failures.instances.insert(address);
        }
        for address in NewerObjects::of(evaluation).addresses() {
            search.left.push(address.without_keys());
            search.failures.instances.insert(address.clone());
        }
        search.left.extend(prevented.iter().map(Address::without_keys));
        search.failures.prevented = prevented.iter().cloned().collect();
        while let Some(object) = search.left.pop() {
            search.pass_on(&object);
        }
        search.failures
    }
}

struct FailureSearch<'c> {
    config: &'c Config,
    failures: Failures,
    /// The objects that refer to each object, and the part of them that contains the reference.
    dependents: HashMap<Arc<Address>, Vec<(Arc<Address>, Via)>>,
    /// Failed objects whose dependents have not been found yet.
    left: Vec<Address>,
}

impl<'c> FailureSearch<'c> {
    fn new(config: &'c Config) -> FailureSearch<'c> {
        FailureSearch { config, failures: Failures::default(), dependents: HashMap::new(), left: Vec::new() }
    }

    /// Records a false condition of an object. A managed resource with a false postcondition is planned itself, but its
    /// dependents are not.
    fn checked(&mut self, instance: &ModuleInstance, checked: &ObjectChecks) {
        let holds = |result: &CheckResult| matches!(result.status, CheckStatus::Pass | CheckStatus::Unknown);
        if checked.results.iter().all(holds) {
            return;
        }
        let address = Address { module: instance.path.clone(), object: checked.object.clone() };
        let object = address.without_keys();
        match (checked.kind, &checked.object) {
            // A false assertion is a warning. One with an error stops the objects that wait for its whole module.
            (CheckKind::Assertion, _) => {
                if !checked.results.iter().any(|result| result.status == CheckStatus::Error) {
                    return;
                }
            }
            (CheckKind::Precondition, Object::Resource { .. }) => _ = self.failures.instances.insert(address),
            (CheckKind::Postcondition, Object::Resource { mode: ResourceMode::Data, .. }) => {
                self.failures.read.insert(address.clone());
                self.failures.instances.insert(address);
            }
            (CheckKind::Precondition | CheckKind::Validation, _) => {
                self.failures.objects.insert(object.clone());
            }
            (CheckKind::Postcondition, _) => {}
        }
        self.left.push(object);
    }

    /// Records the objects of a module instance whose values have errors.
    fn values(&mut self, evaluation: &Evaluation, instance: &ModuleInstance) {
        let module = &evaluation.config.node(instance.node).module;
        let locals = module.locals.keys().cloned().map(Object::Local).zip(&instance.locals);
        let variables = module.variables.keys().cloned().map(Object::Variable).zip(&instance.variables);
        let outputs = module.outputs.iter().zip(&instance.outputs);
        let outputs = outputs.filter(|((_, output), value)| {
            // A root output must not have sensitive parts, unless it says so.
            let is_wrong = instance.path.is_root() && !output.sensitive && value.marks_deep().is_closed();
            is_wrong || value.has_failed()
        });
        let outputs = outputs.map(|((name, _), _)| Object::Output(name.clone()));
        let failed = locals.chain(variables).filter(|(_, value)| value.has_failed());
        let failed = failed.map(|(object, _)| object).chain(outputs);
        let resources = module.resources.keys().zip(&instance.resources);
        let resources = resources.filter(|(_, instances)| {
            let expansion = &instances.expansion;
            // An instance that shares the value of the first one has failed if the first one has.
            let mut own =
                expansion.iter().enumerate().filter(|(index, (_, one))| *index == 0 || !one.is_shared());
            expansion.unknown().is_some_and(Origins::has_error)
                || own.any(|(_, (key, one))| one.value(&key).has_failed())
        });
        let failed: Vec<Object> =
            failed.chain(resources.map(|(key, _)| key.object(InstanceKey::None))).collect();
        for object in failed {
            let object = Address { module: instance.path.clone(), object }.without_keys();
            if !matches!(object.object, Object::Resource { .. }) {
                self.failures.objects.insert(object.clone());
            }
            self.left.push(object);
        }
    }

    /// Records the objects of a module instance whose expressions have errors, even if their values do not show it.
    fn blocks(&mut self, instance: &ModuleInstance) {
        // The instance may not exist.
        if instance.unexpanded.is_some() {
            return;
        }
        let address = |object: &Object| Address { module: instance.path.clone(), object: object.clone() };
        for object in &instance.failed_instances {
            let address = address(object);
            self.left.push(address.without_keys());
            self.failures.instances.insert(address);
        }
        for object in &instance.failed_blocks {
            let address = address(object).without_keys();
            match object {
                Object::ModuleCall(name, _) => self.leave_out(&address.module.child(name, InstanceKey::None)),
                Object::Resource { .. } => {
                    self.failures.unmade.insert(address.clone());
                    self.failures.behind.insert(address.clone());
                }
                Object::Variable(_)
                | Object::Local(_)
                | Object::Output(_)
                | Object::Check(_)
                | Object::Source(..)
                | Object::Build(_)
                | Object::Provider(_)
                | Object::Import(_) => {}
            }
            self.failures.objects.insert(address.clone());
            self.left.push(address);
        }
    }

    /// Records the resources with an invalid import, or with an import to an instance that the configuration does not declare.
    fn imports(&mut self, evaluation: &Evaluation, files: &dyn Files) {
        if self.config.root().module.imports.is_empty() {
            return;
        }
        let prior = self.config.prior();
        for (id, node) in self.config.nodes() {
            for (resource, (resource_key, _)) in node.module.resources.ids().zip(node.module.resources.iter())
            {
                let imports = import_ids(evaluation, files, id, resource_key);
                let is_missing = |(path, key): &&(ModulePath, InstanceKey)| {
                    let instance = evaluation.instance_at(path).map(|id| &evaluation.instances()[id]);
                    let is_there =
                        instance.is_some_and(|instance| instance.resources[resource].expansion.has(key));
                    !is_there && !prior.is_some_and(|prior| prior.has_object(path, resource_key, key))
                };
                if imports.has_error() || imports.targets().any(|target| is_missing(&target)) {
                    let object = resource_key.object(InstanceKey::None);
                    let address = Address { module: node.path.clone(), object };
                    self.failures.objects.insert(address.clone());
                    self.left.push(address);
                }
            }
        }
    }

    /// Fails everything in a module whose instances are not created.
    fn leave_out(&mut self, path: &ModulePath) {
        let is_inside = |inner: &ModulePath| inner.steps().starts_with(path.steps());
        for (_, node) in self.config.nodes().filter(|(_, node)| is_inside(&node.path)) {
            let module = &node.module;
            let variables = module.variables.keys().cloned().map(Object::Variable);
            let locals = module.locals.keys().cloned().map(Object::Local);
            let outputs = module.outputs.keys().cloned().map(Object::Output);
            let checks = module.checks.keys().cloned().map(Object::Check);
            let resources = module.resources.keys().map(|key| key.object(InstanceKey::None));
            for object in variables.chain(locals).chain(outputs).chain(checks).chain(resources) {
                let address = Address { module: node.path.clone(), object };
                self.failures.unmade.insert(address.clone());
                self.fail(address, Via::DependsOn);
            }
        }
    }

    /// Fails an object that depends on a failed object.
    fn fail(&mut self, dependent: Address, via: Via) {
        self.failures.behind.insert(dependent.clone());
        if via != Via::Condition {
            self.failures.without_value.insert(dependent.clone());
        }
        if self.failures.objects.insert(dependent.clone()) {
            self.left.push(dependent);
        }
    }

    /// Fails the objects that refer to a failed object, or to the call of its module.
    fn pass_on(&mut self, object: &Address) {
        for (dependent, via) in self.dependents.remove(object).unwrap_or_default() {
            // Few objects fail compared with the number of references, so copies of their addresses are cheap.
            let dependent = Arc::unwrap_or_clone(dependent);
            // A condition may refer to its own object.
            if dependent == *object {
                if self.failures.objects.insert(dependent.clone()) {
                    self.left.push(dependent);
                }
                continue;
            }
            if let (Object::ModuleCall(name, _), Via::Count | Via::ForEach | Via::Enabled | Via::DependsOn) =
                (&dependent.object, via)
            {
                self.leave_out(&dependent.module.child(name, InstanceKey::None));
            }
            self.fail(dependent, via);
        }
        if let Some((module, call)) = object.module.split_last() {
            let call = Object::ModuleCall(call.name.clone(), InstanceKey::None);
            self.fail(Address { module, object: call }, Via::Expression);
        }
    }
}
