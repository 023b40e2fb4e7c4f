//! Evaluates one step for one module instance.
//!
//! A step reads the state and returns its result, which only the driver stores. The result is a function of [`StepInputs`]: steps
//! whose dependencies are stored can be evaluated in any order.

use std::sync::Arc;

use terrane_config::address::{InstanceKey, Object};
use terrane_config::limits;
use terrane_function::Meter;
use terrane_source::{Diagnostics, Files, Subject};
use terrane_value::{Number, Origins, Value};

use crate::evaluate::budget::{InstanceKind, Limited, OneInstance, limited};
use crate::evaluate::deferral::Changes;
use crate::evaluate::recorded::{self, RecordedResource};
use crate::evaluate::resource::ResourceInstances;
use crate::evaluate::self_reference::{self, SelfReferenceOutcome};
use crate::evaluate::{call, conditions, deferral, output, resource, variable};
use crate::expansion::{Expansion, RepetitionData};
use crate::graph::Step;
use crate::graph::ancestry::Ancestry;
use crate::inputs::Inputs;
use crate::model::ids::{CallId, InstanceId, LocalId, NodeId, OutputId, ResourceId, VariableId};
use crate::model::prior::PriorState;
use crate::state::checks::{CheckKind, CheckResult, ObjectChecks};
use crate::state::context::{Context, Environment};
use crate::state::evaluation::Evaluation;
use crate::state::instance::{Called, InnerParts, Instances};
use crate::state::instance_value::InstanceValue;
use crate::state::scope::{ModuleScope, OwnObject};

/// Everything that a step reads.
#[derive(Clone, Copy)]
pub(super) struct StepInputs<'s> {
    pub(super) evaluation: &'s Evaluation,
    /// The values of root variables.
    pub(super) inputs: &'s Inputs,
    pub(super) files: &'s dyn Files,
    /// The dependencies of the objects, settled up to the step; `None` if the graph has cycles.
    pub(super) ancestry: Option<&'s Ancestry>,
    /// The meter of the evaluation, or the meter of a share of it that no other thread uses.
    pub(super) meter: &'s Meter,
}

/// The result of a step for one module instance.
#[derive(Clone, Debug)]
pub(super) struct StepResult {
    pub(super) value: StepValue,
    /// Whether instances of the block were left out, because they exceed a limit.
    pub(super) is_over: bool,
    /// The results of the conditions of the object.
    pub(super) checks: Vec<ObjectChecks>,
    /// The instances of a `terraform_remote_state` whose outputs come from the file of the local backend.
    pub(super) read_from_backend: Vec<InstanceKey>,
    /// For a resource, the parts inside configured attributes and blocks that come from elsewhere.
    pub(super) inner_parts: InnerParts,
    /// For a resource, the places where its expressions have errors.
    pub(super) failed: Failed,
    pub(super) diagnostics: Diagnostics,
}

/// The value of a step for one module instance, with the object that has the value.
#[derive(Clone, Debug)]
pub(super) enum StepValue {
    /// No value: a `check` block has none, and an object with an error that prevents its evaluation.
    None,
    Variable(VariableId, Value),
    Local(LocalId, Value),
    Output(OutputId, Value),
    /// The instances of a resource.
    Resource(ResourceId, Expansion<InstanceValue>),
    /// The instances of a module call, one for each key of `count` or `for_each`.
    Call {
        id: CallId,
        /// The called module.
        called: NodeId,
        expansion: Expansion<RepetitionData>,
    },
    /// The instances of a call whose module is not on disk.
    MissingModuleCall(CallId, Box<MissingModuleCall>),
}

/// The instances of a call whose module is not on disk.
#[derive(Clone, Debug)]
pub(super) struct MissingModuleCall {
    pub(super) instances: Expansion<Called>,
    /// The mistakes in the values given for the outputs.
    pub(super) mistakes: Diagnostics,
}

/// The expressions of a resource that have errors.
#[derive(Clone, Default, Debug)]
pub(super) struct Failed {
    /// Whether its `count` or `for_each` has an error.
    pub(super) is_block: bool,
    /// The instances with an error in their arguments.
    pub(super) instances: Vec<InstanceKey>,
}

impl StepResult {
    fn of(value: StepValue, is_over: bool) -> StepResult {
        StepResult {
            value,
            is_over,
            checks: Vec::new(),
            read_from_backend: Vec::new(),
            inner_parts: InnerParts::new(),
            failed: Failed::default(),
            diagnostics: Diagnostics::new(),
        }
    }

    fn none() -> StepResult {
        StepResult::of(StepValue::None, false)
    }

    fn single(value: StepValue) -> StepResult {
        StepResult::of(value, false)
    }

    /// Returns the result for the same step of a later run, where the object may have another id. `None` if the step has no
    /// such value there.
    pub(super) fn in_run(
        self,
        evaluation: &Evaluation,
        instance: InstanceId,
        step: Step,
    ) -> Option<StepResult> {
        let value = match (step, self.value) {
            (_, StepValue::None) => StepValue::None,
            (Step::Variable(id), StepValue::Variable(_, value)) => StepValue::Variable(id, value),
            (Step::Local(id), StepValue::Local(_, value)) => StepValue::Local(id, value),
            (Step::Output(id), StepValue::Output(_, value)) => StepValue::Output(id, value),
            (Step::Resource(id), StepValue::Resource(_, instances)) => StepValue::Resource(id, instances),
            (Step::Call(id), StepValue::Call { expansion, .. }) => {
                StepValue::Call { id, called: call::called(evaluation, instance, id)?, expansion }
            }
            (Step::Call(id), StepValue::MissingModuleCall(_, call)) => StepValue::MissingModuleCall(id, call),
            (
                _,
                StepValue::Variable(..)
                | StepValue::Local(..)
                | StepValue::Output(..)
                | StepValue::Resource(..)
                | StepValue::Call { .. }
                | StepValue::MissingModuleCall(..),
            ) => return None,
        };
        Some(StepResult { value, ..self })
    }

    /// Names the object of the step as the cause of unknown values after its errors. The instances of a resource name themselves.
    fn with_errors_of(self, object: impl FnOnce() -> String) -> StepResult {
        let has_nameless_error = match &self.value {
            StepValue::None => false,
            StepValue::Variable(_, value) | StepValue::Local(_, value) | StepValue::Output(_, value) => {
                value.has_nameless_error()
            }
            StepValue::Resource(_, instances) => instances.has_nameless_error(),
            StepValue::Call { expansion, .. } => expansion.has_nameless_error(),
            StepValue::MissingModuleCall(_, call) => call.instances.has_nameless_error(),
        };
        if !has_nameless_error {
            return self;
        }
        let object = &object();
        let value = match self.value {
            StepValue::None => StepValue::None,
            StepValue::Variable(id, value) => StepValue::Variable(id, value.with_errors_of(object)),
            StepValue::Local(id, value) => StepValue::Local(id, value.with_errors_of(object)),
            StepValue::Output(id, value) => StepValue::Output(id, value.with_errors_of(object)),
            StepValue::Resource(id, instances) => StepValue::Resource(id, instances.with_errors_of(object)),
            StepValue::Call { id, called, expansion } => {
                StepValue::Call { id, called, expansion: expansion.with_errors_of(object) }
            }
            StepValue::MissingModuleCall(id, call) => {
                let MissingModuleCall { instances, mistakes } = *call;
                let instances = instances.with_errors_of(object);
                StepValue::MissingModuleCall(id, Box::new(MissingModuleCall { instances, mistakes }))
            }
        };
        StepResult { value, ..self }
    }

    fn checked(self, object: Object, kind: CheckKind, results: Vec<CheckResult>) -> StepResult {
        StepResult { checks: ObjectChecks::of(|| object, kind, results).into_iter().collect(), ..self }
    }
}

impl StepInputs<'_> {
    /// Returns the result of a step for a module instance.
    pub(super) fn evaluate(&self, instance: InstanceId, step: Step) -> StepResult {
        let mut diagnostics = Diagnostics::new();
        let StepInputs { evaluation, files, meter, .. } = *self;
        let mut context = Context { evaluation, files, meter, diagnostics: &mut diagnostics };
        // What this thread has read before the step, such as during the load, does not count for it.
        Number::take_work_of_reading();
        let result = match step {
            Step::Call(id) => self.call(&mut context, instance, id),
            Step::Variable(id) => self.variable(&mut context, instance, id),
            Step::Local(id) => StepResult::single(StepValue::Local(id, local(&mut context, instance, id))),
            Step::Resource(id) => self.resource(&mut context, instance, id),
            Step::Output(id) => {
                let (name, _) = self.evaluation.scope(instance).module().outputs.entry_of(id);
                let checks = output::preconditions(&mut context, instance, id);
                let value = output::output(&mut context, instance, id);
                let result =
                    StepResult::single(value.map_or(StepValue::None, |value| StepValue::Output(id, value)));
                result.checked(Object::Output(name.clone()), CheckKind::Precondition, checks)
            }
            Step::Check(id) => {
                let (name, _) = self.evaluation.scope(instance).module().checks.entry_of(id);
                let checks = conditions::assertions(&mut context, instance, id);
                StepResult::none().checked(Object::Check(name.clone()), CheckKind::Assertion, checks)
            }
        };
        meter.count_reading();
        self.stop_if_exceeded(instance, step, &mut diagnostics);
        let result = StepResult { diagnostics, ..result };
        // A variable file with a syntax error leaves the variables that it may set unknown; the error names no object yet.
        let may_have_error = matches!(step, Step::Variable(_))
            || result.diagnostics.has_errors()
            || evaluation.scope(instance).module().has_errors;
        match may_have_error {
            true => result.with_errors_of(|| evaluation.step_address(instance, step).to_string()),
            false => result,
        }
    }

    /// Ends the run if the step exceeded a limit after its last expression, and reports that at the declaration.
    fn stop_if_exceeded(&self, instance: InstanceId, step: Step, diagnostics: &mut Diagnostics) {
        let limits = &self.evaluation.config.request.limits;
        limits::stop_if_exceeded(limits, self.meter, |diagnostic| {
            let declaration = step.declaration(self.evaluation.scope(instance).module());
            diagnostics.push(match declaration {
                Some(Subject { file, span, .. }) => diagnostic.at(file, *span),
                None => diagnostic,
            });
        });
    }

    /// Returns the instances of a module call.
    fn call(&self, context: &mut Context<'_>, instance: InstanceId, id: CallId) -> StepResult {
        let expansion = call::expand(context, instance, id);
        let one = call::one_instance(self.evaluation, instance, id);
        let declaration = &self.evaluation.scope(instance).module().calls.at(id).declaration;
        let Limited { expansion, is_over } = limited(context, expansion, one, declaration);
        let value = match call::called(self.evaluation, instance, id) {
            Some(called) => StepValue::Call { id, called, expansion },
            None => {
                let (instances, mistakes) = call::missing_instances(context, instance, id, expansion);
                StepValue::MissingModuleCall(id, Box::new(MissingModuleCall { instances, mistakes }))
            }
        };
        StepResult::of(value, is_over)
    }

    /// Evaluates a variable: its validations read the value that it has before they run.
    fn variable(&self, context: &mut Context<'_>, instance: InstanceId, id: VariableId) -> StepResult {
        let evaluated = variable::value(context, instance, id, self.inputs);
        let own = evaluated.for_validations();
        let own = Some(OwnObject::Variable(id, &own));
        // Other blocks may read another value of the variable.
        let names = ModuleScope { own, instance_cache: None, ..self.evaluation.scope(instance) };
        let validated = variable::validated(context, &names, id, evaluated);
        let (name, _) = names.module().variables.entry_of(id);
        let result = StepResult::single(StepValue::Variable(id, validated.value));
        result.checked(Object::Variable(name.clone()), CheckKind::Validation, validated.checks)
    }

    /// Evaluates the instances of a resource. A resource that refers to itself reads itself as a
    /// resource without instances.
    fn resource(&self, context: &mut Context<'_>, instance: InstanceId, id: ResourceId) -> StepResult {
        if let Some(prior) = recorded::state_alone(self.evaluation, instance, id) {
            return self.recorded(context, prior, instance, id);
        }
        let mut own = match self_reference::in_repetition(context, instance, id) {
            SelfReferenceOutcome::None => None,
            SelfReferenceOutcome::Reads(none) => Some(Instances::new(none)),
            SelfReferenceOutcome::Error => return StepResult::none(),
        };
        let names = self.evaluation.scope(instance);
        let declaration = &names.module().resources.at(id).declaration;
        let mut found = Diagnostics::new();
        let mut inner = context.reporting_to(&mut found);
        let expansion = resource::expand(&mut inner, &names.with_own(id, own.as_ref()), id);
        let is_block = found.has_errors();
        context.diagnostics.extend(found);
        let Limited { expansion, is_over } =
            limited(context, expansion, self.one_resource(instance, id), declaration);
        match self_reference::in_arguments(context, instance, id, &expansion) {
            SelfReferenceOutcome::None => {}
            SelfReferenceOutcome::Reads(none) => own = Some(Instances::new(none)),
            SelfReferenceOutcome::Error => {
                let value = own.map_or(StepValue::None, |own| {
                    StepValue::Resource(id, Arc::unwrap_or_clone(own.expansion))
                });
                return StepResult::of(value, is_over);
            }
        }
        let deferral = self.deferral(instance, id).unwrap_or_default();
        let names = names.with_own(id, own.as_ref());
        let evaluated = resource::instances(context, &names, id, expansion, deferral);
        let ResourceInstances { values, checks, read_from_backend, inner_parts, failed } = evaluated;
        let is_certain = values.unknown().is_none();
        let failed = Failed { is_block, instances: if is_certain { failed } else { Vec::new() } };
        let of_values = StepResult::of(StepValue::Resource(id, values), is_over);
        StepResult { checks, read_from_backend, inner_parts, failed, ..of_values }
    }

    /// Returns the reason why a data source is read during the apply; `None` for anything else.
    pub(super) fn deferral(&self, instance: InstanceId, id: ResourceId) -> Option<Origins> {
        let StepInputs { evaluation, files, meter, ancestry, .. } = *self;
        let changes = Changes(Environment { evaluation, files, meter });
        resource::is_data_source(evaluation, instance, id)
            .then(|| deferral::causes(changes, ancestry, instance, id))
    }

    /// Returns one instance of a resource, to count them.
    fn one_resource(&self, instance: InstanceId, id: ResourceId) -> OneInstance {
        let (key, _) = self.evaluation.scope(instance).module().resources.entry_of(id);
        let address = self.evaluation.address(instance, key.object(InstanceKey::None)).to_string().len();
        OneInstance { kind: InstanceKind::Resource, address }
    }

    /// Returns the objects of a resource in the state.
    fn recorded(
        &self,
        context: &mut Context<'_>,
        prior: &PriorState,
        instance: InstanceId,
        id: ResourceId,
    ) -> StepResult {
        let recorded = RecordedResource { prior, evaluation: self.evaluation, instance, id };
        let expansion = recorded.expand();
        let declaration = &self.evaluation.scope(instance).module().resources.at(id).declaration;
        let Limited { expansion, is_over } =
            limited(context, expansion, self.one_resource(instance, id), declaration);
        let values = recorded.instances(expansion, context.diagnostics);
        StepResult::of(StepValue::Resource(id, values), is_over)
    }
}

/// Returns the value of a local value.
fn local(context: &mut Context<'_>, instance: InstanceId, id: LocalId) -> Value {
    let names = context.evaluation.scope(instance);
    context.value(&names.module().locals.at(id).value, &names)
}
