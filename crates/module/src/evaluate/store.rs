//! Stores the results of steps, and reports their diagnostics.

use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Origins, Type, Value};

use crate::evaluate::driver::Driver;
use crate::evaluate::step::{StepResult, StepValue};
use crate::evaluate::{call, conditions, output, resource, variable};
use crate::expansion::{Expansion, RepetitionData};
use crate::graph::{GraphStep, Step};
use crate::model::ids::{CallId, InstanceId, NodeId, ResourceId};
use crate::model::module::Repetition;
use crate::state::checks::ObjectChecks;
use crate::state::instance::{Called, Instances};
use crate::state::instance_value::InstanceValue;

impl Driver<'_> {
    /// Stores the result of a step for a module instance, and reports its diagnostics.
    pub(super) fn store(
        &mut self,
        instance: InstanceId,
        step: Step,
        result: StepResult,
        diagnostics: &mut Diagnostics,
    ) {
        self.store_failed(instance, step, &result);
        self.store_checks(instance, result.checks);
        let state = &mut self.evaluation.instances[instance];
        if let Step::Resource(id) = step {
            state.read_from_backend.extend(result.read_from_backend.into_iter().map(|key| (id, key)));
        }
        match result.value {
            StepValue::Variable(id, value) => state.variables[id] = value,
            StepValue::Local(id, value) => state.locals[id] = value,
            StepValue::Output(id, value) => state.outputs[id] = value,
            StepValue::Resource(id, value) => {
                if !result.inner_parts.is_empty() {
                    state.inner_parts.insert(id, result.inner_parts);
                }
                self.store_resource(instance, id, value);
            }
            StepValue::Call { id, called, expansion } => {
                let instances = self.called_instances(instance, id, called, expansion);
                self.evaluation.instances[instance].calls[id] = instances;
            }
            StepValue::MissingModuleCall(id, call) => {
                diagnostics.extend(call.mistakes);
                state.calls[id] = Instances::new(call.instances);
            }
            StepValue::None => self.store_error(instance, step),
        }
        self.report(instance, step, result.diagnostics, diagnostics);
    }

    /// Records the objects of a step whose expressions have errors.
    fn store_failed(&mut self, instance: InstanceId, step: Step, result: &StepResult) {
        if !result.diagnostics.has_errors() {
            return;
        }
        let module = self.evaluation.scope(instance).module();
        let object = step.object(module);
        let (is_failed, instances) = match step {
            Step::Resource(id) => {
                let (key, _) = module.resources.entry_of(id);
                let instances = result.failed.instances.iter().map(|instance| key.object(instance.clone()));
                (result.failed.is_block, instances.collect())
            }
            Step::Variable(_) | Step::Local(_) | Step::Output(_) | Step::Call(_) => (true, Vec::new()),
            Step::Check(_) => return,
        };
        let state = &mut self.evaluation.instances[instance];
        state.failed_instances.extend(instances);
        state.failed_blocks.extend(Some(object).filter(|_| is_failed));
    }

    /// Stores the results of conditions. In a module instance that may not exist, no condition is known to be false.
    pub(super) fn store_checks(&mut self, instance: InstanceId, checks: Vec<ObjectChecks>) {
        let state = &mut self.evaluation.instances[instance];
        let is_certain = state.unexpanded.is_none();
        state.checks.extend(checks.into_iter().map(|checks| match is_certain {
            true => checks,
            false => checks.of_possible_instance(),
        }));
    }

    /// Reports the diagnostics of a step. Errors in a module instance that may not exist make the result of
    /// the step unknown instead.
    fn report(
        &mut self,
        instance: InstanceId,
        step: Step,
        found: Diagnostics,
        diagnostics: &mut Diagnostics,
    ) {
        let state = &self.evaluation.instances[instance];
        if !self.reports_errors_of(GraphStep { module: state.node, step }) {
            let is_limit = |found: &Diagnostic| found.id == ids::LIMIT_EXCEEDED;
            return diagnostics.extend(found.into_iter().filter(is_limit));
        }
        match &state.unexpanded {
            // The instance may not exist, and then the error does not either; a validation reports it anyway.
            Some(origins)
                if found.has_errors() && !self.evaluation.phase().reports_errors_of_possible_instances() =>
            {
                let origins = origins.clone();
                self.store_unknown(instance, step, &origins);
            }
            Some(_) | None => {
                let path = &state.path;
                diagnostics.extend(found.into_iter().map(|diagnostic| match &diagnostic.address {
                    None if !path.is_root() => diagnostic.about(path),
                    Some(_) | None => diagnostic,
                }));
            }
        }
    }

    /// Adds an instance of the module `called` for each key of a call, and returns them.
    fn called_instances(
        &mut self,
        instance: InstanceId,
        id: CallId,
        called: NodeId,
        expansion: Expansion<RepetitionData>,
    ) -> Instances<Called> {
        let node = self.evaluation.config.node(self.evaluation.instances[instance].node);
        let (name, _) = node.module.calls.entry_of(id);
        let unexpanded = expansion.unknown().cloned();
        let (name, path) = (name.clone(), self.evaluation.instances[instance].path.clone());
        let expansion = expansion.map(|key, data| {
            let path = path.child(&name, key);
            let mut made = call::instance(&self.evaluation, called, instance, path, data);
            made.unexpanded = unexpanded.clone().or(made.unexpanded);
            made.is_repeated = self.repeats.contains(called);
            Called::Instance(self.evaluation.add_instance(made))
        });
        Instances::new(expansion)
    }

    fn store_resource(&mut self, instance: InstanceId, id: ResourceId, value: Expansion<InstanceValue>) {
        self.evaluation.instances[instance].resources[id] = Instances::new(value);
    }

    /// Stores the unknown result of a step in doubt. Its conditions have no results.
    pub(super) fn store_doubtful(&mut self, instance: InstanceId, step: Step) {
        self.store_error(instance, step);
        self.store_checks(instance, self.checks_without_results(instance, step));
    }

    /// Returns the conditions of the object of a step that is not evaluated, without results.
    pub(super) fn checks_without_results(&self, instance: InstanceId, step: Step) -> Vec<ObjectChecks> {
        conditions::without_results(self.evaluation.scope(instance).module(), step)
    }

    /// Stores the result of a step on a cycle, which has been reported.
    pub(super) fn store_cycle(&mut self, instance: InstanceId, step: Step) {
        self.store_unknown(instance, step, &Origins::cycle());
        self.store_checks(instance, self.checks_without_results(instance, step));
        let Step::Resource(id) = step else { return };
        let module = self.evaluation.scope(instance).module();
        if matches!(module.resources.at(id).repetition, Repetition::Once) {
            let value = Value::unknown_from(Type::Dynamic, Origins::cycle());
            self.store_resource(instance, id, Expansion::Once(value.into()));
        }
    }

    /// Stores the result of a step that a validation leaves to the plan: any value of its type.
    pub(super) fn store_any(&mut self, instance: InstanceId, step: Step) {
        match step {
            Step::Variable(id) => {
                let value = variable::any_value(&self.evaluation, instance, id);
                self.evaluation.instances[instance].variables[id] = value;
            }
            Step::Resource(id) => {
                let value = resource::any_value(&self.evaluation, instance, id);
                self.store_resource(instance, id, Expansion::Once(value.into()));
            }
            Step::Output(_) | Step::Local(_) | Step::Call(_) | Step::Check(_) => {
                self.store_unknown(instance, step, &Origins::NONE);
            }
        }
    }

    /// Stores the unknown result of a step whose object has an error.
    pub(super) fn store_error(&mut self, instance: InstanceId, step: Step) {
        if matches!(step, Step::Call(_) | Step::Check(_)) {
            return; // They have no value of their own.
        }
        let object = self.evaluation.step_address(instance, step).to_string();
        self.store_unknown(instance, step, &Origins::error_of(&object));
        // A variable or output stays sensitive and ephemeral if its block says so.
        match step {
            Step::Variable(id) => {
                let marks = variable::marks_in_doubt(&self.evaluation, instance, id);
                let value = &mut self.evaluation.instances[instance].variables[id];
                *value = value.clone().with_marks(&marks);
            }
            Step::Output(id) => {
                let marks = output::marks_in_doubt(&self.evaluation, instance, id);
                let value = &mut self.evaluation.instances[instance].outputs[id];
                *value = value.clone().with_marks(&marks);
            }
            Step::Local(_) | Step::Resource(_) | Step::Call(_) | Step::Check(_) => {}
        }
    }

    /// Stores an unknown result of a step, with the reason.
    pub(super) fn store_unknown(&mut self, instance: InstanceId, step: Step, origins: &Origins) {
        let state = &mut self.evaluation.instances[instance];
        let value = || Value::unknown_from(Type::Dynamic, origins.clone());
        match step {
            Step::Variable(id) => state.variables[id] = value(),
            Step::Local(id) => state.locals[id] = value(),
            Step::Output(id) => state.outputs[id] = value(),
            Step::Resource(id) => {
                let unknown = Expansion::Unknown { origins: origins.clone(), any: None };
                state.resources[id] = Instances::new(unknown);
            }
            Step::Call(_) | Step::Check(_) => {}
        }
    }
}
