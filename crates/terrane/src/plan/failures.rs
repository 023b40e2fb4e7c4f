//! The objects that a plan with errors lacks: those with an error, and those that depend on one.

use std::collections::{HashMap, HashSet};

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object, ResourceMode};
use terrane_module::graph::object_references;
use terrane_module::model::references::Via;
use terrane_module::{CheckKind, CheckResult, CheckStatus, Evaluation, ModuleInstance, ObjectChecks};
use terrane_value::{OriginKind, Value};

use crate::secrets::has_secret;

/// Whether an error prevents a value from being computed.
pub(super) fn has_failed(value: &Value) -> bool {
    value.origins_deep().as_slice().iter().any(|origin| origin.kind == OriginKind::Error)
}

/// The objects that are not planned.
#[derive(Default)]
pub(super) struct Failures {
    /// Instances of resources with a false precondition, and of data sources with a false condition.
    instances: HashSet<Address>,
    /// Objects with an error or behind one, without instance keys.
    objects: HashSet<Address>,
    /// Those of them that depend on one with an error.
    behind: HashSet<Address>,
    /// Those whose failures are not only in their conditions.
    without_value: HashSet<Address>,
}

impl Failures {
    /// Whether the resource instance is not planned.
    pub(super) fn has_resource(&self, address: &Address) -> bool {
        self.instances.contains(address) || self.objects.contains(&address.without_keys())
    }

    /// Whether an object, without instance keys, is not evaluated because it depends on one with an error.
    pub(super) fn is_behind(&self, object: &Address) -> bool {
        self.behind.contains(object)
    }

    /// Whether the conditions of such an object have instances all the same: those of a `check` block, and of a variable whose value
    /// depends on no object with an error.
    pub(super) fn has_instances(&self, object: &Address) -> bool {
        match object.object {
            Object::Check(_) => true,
            Object::Variable(_) => !self.without_value.contains(object),
            Object::Local(_)
            | Object::Output(_)
            | Object::Resource(..)
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

    /// The failures of an evaluation that has errors, and the dependents of instances that the plan refuses to destroy.
    pub(super) fn of(evaluation: &Evaluation, prevented: &[Address]) -> Failures {
        let mut search = Search::default();
        for reference in object_references(&evaluation.config) {
            search.dependents.entry(reference.to).or_default().push((reference.from, reference.via));
        }
        for instance in evaluation.instances() {
            instance.checks.iter().for_each(|checked| search.checked(instance, checked));
            search.values(evaluation, instance);
        }
        search.left.extend(prevented.iter().map(Address::without_keys));
        while let Some(object) = search.left.pop() {
            search.pass_on(&object);
        }
        search.failures
    }
}

#[derive(Default)]
struct Search {
    failures: Failures,
    /// The objects that refer to each object, and the parts of them that do.
    dependents: HashMap<Address, Vec<(Address, Via)>>,
    /// Failed objects whose dependents are still to be found.
    left: Vec<Address>,
}

impl Search {
    /// A false condition of an object. A managed resource with a false postcondition is planned itself.
    fn checked(&mut self, instance: &ModuleInstance, checked: &ObjectChecks) {
        let holds = |result: &CheckResult| matches!(result.status, CheckStatus::Pass | CheckStatus::Unknown);
        if checked.results.iter().all(holds) {
            return;
        }
        let address = Address { module: instance.path.clone(), object: checked.object.clone() };
        let object = address.without_keys();
        match (checked.kind, &checked.object) {
            (CheckKind::Assertion, _) => return,
            (CheckKind::Precondition, Object::Resource(..))
            | (CheckKind::Postcondition, Object::Resource(ResourceMode::Data, ..)) => {
                self.failures.instances.insert(address);
            }
            (CheckKind::Precondition | CheckKind::Validation, _) => {
                self.failures.objects.insert(object.clone());
            }
            (CheckKind::Postcondition, _) => {}
        }
        self.left.push(object);
    }

    /// The objects of a module instance whose values have errors.
    fn values(&mut self, evaluation: &Evaluation, instance: &ModuleInstance) {
        let module = &evaluation.config.node(instance.node).module;
        let locals = module.locals.keys().cloned().map(Object::Local).zip(&instance.locals);
        let variables = module.variables.keys().cloned().map(Object::Variable).zip(&instance.variables);
        let outputs = module.outputs.iter().zip(&instance.outputs);
        let outputs = outputs.filter(|((_, output), value)| {
            // A root output must not have sensitive parts, unless it says so.
            let is_wrong = instance.path.is_root() && !output.sensitive && has_secret(value);
            is_wrong || has_failed(value)
        });
        let outputs = outputs.map(|((name, _), _)| Object::Output(name.clone()));
        let failed = locals.chain(variables).filter(|(_, value)| has_failed(value));
        let failed = failed.map(|(object, _)| object).chain(outputs);
        let resources = module.resources.keys().zip(&instance.resources);
        let resources = resources.filter(|(_, instances)| {
            let unknown = instances.expansion.unknown();
            let is_wrong = unknown.is_some_and(|origins| {
                origins.as_slice().iter().any(|origin| origin.kind == OriginKind::Error)
            });
            is_wrong || instances.expansion.iter().any(|(_, value)| has_failed(value))
        });
        let failed: Vec<Object> =
            failed.chain(resources.map(|(key, _)| key.object(InstanceKey::None))).collect();
        for object in failed {
            let object = Address { module: instance.path.clone(), object }.without_keys();
            if !matches!(object.object, Object::Resource(..)) {
                self.failures.objects.insert(object.clone());
            }
            self.left.push(object);
        }
    }

    /// Fails the objects that refer to a failed one, or to the call of its module.
    fn pass_on(&mut self, object: &Address) {
        let mut dependents = self.dependents.remove(object).unwrap_or_default();
        if let Some((module, call)) = object.module.split_last() {
            let call = Object::ModuleCall(call.name.clone(), InstanceKey::None);
            dependents.push((Address { module, object: call }, Via::Expression));
        }
        for (dependent, via) in dependents {
            // A condition may refer to its own object.
            if dependent != *object {
                self.failures.behind.insert(dependent.clone());
                if via != Via::Condition {
                    self.failures.without_value.insert(dependent.clone());
                }
            }
            if self.failures.objects.insert(dependent.clone()) {
                self.left.push(dependent);
            }
        }
    }
}
