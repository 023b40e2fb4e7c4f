//! Computes all values of a configuration: step by step in dependency order, for every module instance.
//!
//! The [`Driver`] owns the state. A step reads it through a [`Context`] and returns its result; the driver stores the result
//! and reports the diagnostics. When all values are there, the checks read the finished state.

mod budget;
mod builtin_provider;
mod call;
mod condition_values;
mod conditions;
mod deduplication;
mod deferral;
mod output;
mod reads;
mod resource;
mod reuse;
mod self_reference;
mod step;
mod validation;
mod variable;

use std::sync::Arc;

use terrane_config::address::{InstanceKey, Object, ResourceMode};
use terrane_config::limits;
use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::{Origins, Type, Value};

use crate::check;
use crate::evaluate::budget::ObjectBudget;
use crate::evaluate::reads::Recorder;
pub use crate::evaluate::reuse::Record;
use crate::evaluate::reuse::{Earlier, PhaseRecord, Place, Reuse, StepRecord};
use crate::evaluate::step::{StepInputs, StepResult, StepValue};
use crate::evaluate::validation::{LeftToPlan, Repeats};
use crate::expansion::{Expansion, RepetitionData};
use crate::graph;
use crate::graph::ancestry::Ancestry;
use crate::graph::{Order, Step};
use crate::inputs::Inputs;
use crate::model::doubt::Doubts;
use crate::model::ids::{CallId, InstanceId, NodeId, ResourceId};
use crate::model::module::Repetition;
use crate::model::tree::Config;
use crate::rules::phase::Phase;
use crate::state::checks::ObjectChecks;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::{Called, Instances};

/// The progress of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of objects that were evaluated, each for all its instances. A plan validates the objects first, which
    /// counts as well.
    pub done: usize,
    /// The number of objects in the end.
    pub total: usize,
}

/// Evaluates everything in `config`: `inputs` are the values of root variables. The file functions read through
/// `files`.
pub fn evaluate(config: Config, inputs: &Inputs, files: &dyn Files) -> Evaluation {
    evaluate_with(config, inputs, files, &|_| {})
}

/// As [`evaluate()`], and calls `progress` before each object.
pub fn evaluate_with(
    config: Config,
    inputs: &Inputs,
    files: &dyn Files,
    progress: &dyn Fn(Progress),
) -> Evaluation {
    evaluate_recorded(config, inputs, files, progress, Recording::None).0
}

/// As [`evaluate()`], with the results of an earlier evaluation of the same request where they still hold, and a record for the
/// next one. There is no record where results cannot be taken over: with a clock, random numbers or an environment, on cycles,
/// and after a limit is exceeded.
pub fn evaluate_again(
    config: Config,
    inputs: &Inputs,
    files: &dyn Files,
    earlier: Option<&Record>,
) -> (Evaluation, Option<Record>) {
    let host = &config.request.host;
    let recording = match earlier {
        _ if host.clock.is_some() || host.random.is_some() || host.environment.is_some() => Recording::None,
        Some(earlier) => Recording::Again(earlier),
        None => Recording::First,
    };
    let (evaluation, record) = evaluate_recorded(config, inputs, files, &|_| {}, recording);
    let limits = &evaluation.config.request.limits;
    match record {
        Some(record) if earlier.is_some() && !record.is_within(limits) => {
            evaluate_recorded(evaluation.config, inputs, files, &|_| {}, Recording::First)
        }
        record => (evaluation, record),
    }
}

/// Whether the results of an evaluation are recorded.
#[derive(Clone, Copy)]
enum Recording<'r> {
    None,
    /// Nothing is taken over.
    First,
    Again(&'r Record),
}

/// Evaluates everything in `config`, with the record of the results if they are recorded.
fn evaluate_recorded(
    config: Config,
    inputs: &Inputs,
    files: &dyn Files,
    progress: &dyn Fn(Progress),
    recording: Recording<'_>,
) -> (Evaluation, Option<Record>) {
    let mut diagnostics = Diagnostics::new();
    let mut order = graph::order(&config, &mut diagnostics);
    let ancestry = order.ancestry.take();
    let evaluation = Evaluation::new(config, files);
    let (phase, count) = (evaluation.phase(), order.steps.len());
    let mut driver = Driver {
        evaluation,
        inputs,
        files,
        order: &order,
        ancestry,
        repeats: Repeats::default(),
        left_to_plan: LeftToPlan::default(),
        budget: ObjectBudget::default(),
        recording,
        reuse: None,
    };
    let mut of_validation = None;
    let (mut found, mut before) = (Diagnostics::new(), 0);
    if phase.begins_with_validation() {
        of_validation = driver.validate(&|done| progress(Progress { done, total: 2 * count }), &mut found);
        before = count;
    }
    let mut of_phase = None;
    if !driver.evaluation.meter.is_stopped() {
        let progress = |done| progress(Progress { done: before + done, total: before + count });
        of_phase = driver.run_recorded(&progress, &mut diagnostics);
    }
    let mut evaluation = driver.evaluation;
    let titles = evaluation.config.rules.titles;
    let doubts = Doubts::of(evaluation.config.nodes.iter().map(|node| &node.module.doubt));
    let titled = |diagnostics| titles.apply(deduplication::distinct(doubts.sound(diagnostics)));
    let joined = validation::joined(titled(found), titled(diagnostics));
    evaluation.diagnostics = joined;
    let is_over = |found: &Diagnostic| [ids::LIMIT_EXCEEDED, ids::INTERRUPTED].contains(&found.id);
    let is_complete =
        !evaluation.meter.is_stopped() && !evaluation.diagnostics.as_slice().iter().any(is_over);
    let record = of_phase
        .filter(|_| is_complete)
        .map(|last| Record::new(&evaluation, inputs, of_validation.unwrap_or_default(), last));
    (evaluation, record)
}

/// Evaluates the steps of one phase after another, and stores their results.
struct Driver<'d> {
    evaluation: Evaluation,
    inputs: &'d Inputs,
    files: &'d dyn Files,
    order: &'d Order,
    /// The dependencies of the objects; nothing where there are cycles.
    ancestry: Option<Ancestry>,
    /// The modules that a validation skips.
    repeats: Repeats,
    /// The steps that a validation leaves to the plan that follows.
    left_to_plan: LeftToPlan,
    budget: ObjectBudget,
    recording: Recording<'d>,
    /// The taking over of results in the phase, if they are recorded.
    reuse: Option<Reuse<'d>>,
}

impl Driver<'_> {
    /// Validates the configuration before its plan. After a limit is exceeded, no plan can follow.
    fn validate(&mut self, progress: &dyn Fn(usize), diagnostics: &mut Diagnostics) -> Option<PhaseRecord> {
        let phase = self.evaluation.phase();
        self.evaluation.reset(Phase::Validate);
        self.left_to_plan = LeftToPlan::of(&self.evaluation.config);
        let record = self.run_recorded(progress, diagnostics);
        let is_stopped = self.evaluation.meter.is_stopped();
        self.evaluation.reset(phase);
        self.left_to_plan = LeftToPlan::default();
        self.budget = ObjectBudget::default();
        self.ancestry = self.ancestry.take().map(Ancestry::anew);
        if is_stopped {
            self.evaluation.meter.stop();
        }
        record
    }

    /// As [`Driver::run`], with the record of the phase.
    fn run_recorded(
        &mut self,
        progress: &dyn Fn(usize),
        diagnostics: &mut Diagnostics,
    ) -> Option<PhaseRecord> {
        let earlier = match self.recording {
            Recording::Again(record) if record.is_for(&self.evaluation) => {
                let is_validation = self.evaluation.phase() == Phase::Validate;
                let is_first = is_validation && self.left_to_plan.is_some();
                Some(Earlier { record, phase: if is_first { &record.validation } else { &record.last } })
            }
            Recording::None | Recording::First | Recording::Again(_) => None,
        };
        self.reuse = match (self.recording, &self.ancestry) {
            (Recording::First | Recording::Again(_), Some(ancestry)) => {
                Some(Reuse::new(&self.evaluation.config, ancestry, self.inputs, earlier))
            }
            (Recording::None, _) | (_, None) => None,
        };
        self.run(progress, diagnostics);
        let meter = &self.evaluation.meter;
        self.reuse.take().map(|reuse| reuse.finish(meter.steps(), meter.memory()))
    }

    /// Evaluates all steps in order, and then runs the checks.
    fn run(&mut self, progress: &dyn Fn(usize), diagnostics: &mut Diagnostics) {
        let order = self.order;
        self.repeats = Repeats::of(&self.evaluation.config, order);
        for (done, (node, step)) in order.steps.iter().copied().enumerate() {
            progress(done);
            if !self.repeats.needs(node, step) {
                continue;
            }
            let is_cyclic = order.cyclic.contains(&(node, step));
            let is_left = !is_cyclic && self.left_to_plan.covers(&self.evaluation.config, node, step);
            if !is_cyclic && !is_left {
                self.settle(node, step);
            }
            let is_unaffected = match (&mut self.reuse, &self.ancestry) {
                (Some(reuse), Some(ancestry)) => {
                    reuse.is_unaffected(&self.evaluation.config, ancestry, node, step)
                }
                (_, _) => false,
            };
            // A step adds instances only to modules that come later in the order.
            for position in 0..self.evaluation.by_node[node].len() {
                let Some(instance) = self.evaluation.by_node[node].get(position).copied() else { break };
                if self.is_over(diagnostics) {
                    return;
                }
                match (is_cyclic, is_left) {
                    (true, _) => self.store_cycle(instance, step),
                    (false, true) => {
                        self.store_any(instance, step);
                        self.note(instance, step, None);
                    }
                    (false, false) if self.is_doubtful(instance, step) => {
                        self.store_unknown(instance, step, &Origins::error());
                        self.note(instance, step, None);
                    }
                    (false, false) => self.evaluate_step(instance, step, is_unaffected, diagnostics),
                }
            }
        }
        if !self.is_over(diagnostics) {
            self.check(diagnostics);
        }
    }

    /// Evaluates a step for a module instance, or takes over its earlier result, and stores it.
    fn evaluate_step(
        &mut self,
        instance: InstanceId,
        step: Step,
        is_unaffected: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(reuse) = &self.reuse else {
            let result = self.step_inputs().evaluate(instance, step);
            self.store(instance, step, result, diagnostics);
            return;
        };
        let deferral = match step {
            Step::Resource(id) if resource::is_data_source(&self.evaluation, instance, id) => {
                Some(deferral::causes(&self.evaluation, self.ancestry.as_ref(), instance, id))
            }
            Step::Resource(_)
            | Step::Call(_)
            | Step::Variable(_)
            | Step::Local(_)
            | Step::Output(_)
            | Step::Check(_) => None,
        };
        let state = &self.evaluation.instances[instance];
        let module = &self.evaluation.config.node(state.node).module;
        let earlier = if is_unaffected { reuse.earlier(state, module, step) } else { None };
        let record = match earlier.filter(|earlier| earlier.is_current(deferral.as_ref(), self.files)) {
            Some(earlier) => Arc::clone(earlier),
            None => {
                let recorder = Recorder::new(self.files);
                let inputs = StepInputs { files: &recorder, ..self.step_inputs() };
                let result = inputs.evaluate(instance, step);
                Arc::new(StepRecord { result, deferral, reads: recorder.into_reads() })
            }
        };
        self.store(instance, step, record.result.clone(), diagnostics);
        self.note(instance, step, Some(record));
    }

    /// Records the result of a step, if results are recorded.
    fn note(&mut self, instance: InstanceId, step: Step, result: Option<Arc<StepRecord>>) {
        if let (Some(reuse), Some(ancestry)) = (&mut self.reuse, &self.ancestry) {
            reuse.note(&self.evaluation, ancestry, Place { instance, step }, result);
        }
    }

    /// Prepares the dependencies for a step, if it is a data source.
    fn settle(&mut self, node: NodeId, step: Step) {
        let (Step::Resource(id), Some(ancestry)) = (step, &mut self.ancestry) else { return };
        let (key, _) = self.evaluation.config.node(node).module.resources.entry_of(id);
        if key.mode == ResourceMode::Data {
            deferral::settle(&self.evaluation, ancestry, node, id);
        }
    }

    /// Whether the evaluation exceeded a limit, which is reported once.
    fn is_over(&self, diagnostics: &mut Diagnostics) -> bool {
        limits::is_over(&self.evaluation.config.request.limits, &self.evaluation.meter, diagnostics)
    }

    /// Runs the checks over the finished state.
    fn check(&mut self, diagnostics: &mut Diagnostics) {
        for instance in self.evaluation.instances.ids() {
            let mut context = Context { evaluation: &self.evaluation, files: self.files, diagnostics };
            let arguments = check::missing_modules::arguments(&mut context, instance);
            let state = &mut self.evaluation.instances[instance];
            arguments.into_iter().for_each(|(call, values)| state.set_absent_arguments(call, values));
        }
        let mut context = Context { evaluation: &self.evaluation, files: self.files, diagnostics };
        check::run(&mut context, self.inputs);
    }

    /// Everything that a step reads.
    fn step_inputs(&self) -> StepInputs<'_> {
        StepInputs {
            evaluation: &self.evaluation,
            inputs: self.inputs,
            files: self.files,
            ancestry: self.ancestry.as_ref(),
            budget: self.budget,
        }
    }

    /// Stores the result of a step for a module instance, and reports its diagnostics.
    fn store(&mut self, instance: InstanceId, step: Step, result: StepResult, diagnostics: &mut Diagnostics) {
        self.budget.spend(result.objects);
        self.store_checks(instance, result.checks);
        let state = &mut self.evaluation.instances[instance];
        match (step, result.value) {
            (Step::Variable(id), StepValue::Single(value)) => state.variables[id] = value,
            (Step::Local(id), StepValue::Single(value)) => state.locals[id] = value,
            (Step::Output(id), StepValue::Single(value)) => state.outputs[id] = value,
            (Step::Resource(id), StepValue::Resource(value)) => self.store_resource(instance, id, value),
            (Step::Call(id), StepValue::Call(expansion)) => self.store_call(instance, id, expansion),
            (_, StepValue::None | StepValue::Single(_) | StepValue::Resource(_) | StepValue::Call(_)) => {}
        }
        self.report(instance, step, result.diagnostics, diagnostics);
    }

    /// Stores the results of conditions. In a module instance that may not exist, none is known to be false.
    fn store_checks(&mut self, instance: InstanceId, checks: Vec<ObjectChecks>) {
        let state = &mut self.evaluation.instances[instance];
        let is_certain = state.unexpanded.is_none();
        state.checks.extend(checks.into_iter().map(|checks| match is_certain {
            true => checks,
            false => checks.of_possible_instance(),
        }));
    }

    /// Whether the value of a step is in doubt, because the block of its object is damaged. The instances of a damaged call
    /// are made all the same.
    fn is_doubtful(&self, instance: InstanceId, step: Step) -> bool {
        let module = self.evaluation.scope(instance).module();
        if module.doubt.is_none() {
            return false;
        }
        let object = match step {
            Step::Variable(id) => Object::Variable(module.variables.entry_of(id).0.clone()),
            Step::Local(id) => Object::Local(module.locals.entry_of(id).0.clone()),
            Step::Resource(id) => module.resources.entry_of(id).0.object(InstanceKey::None),
            Step::Output(id) => Object::Output(module.outputs.entry_of(id).0.clone()),
            Step::Check(id) => Object::Check(module.checks.entry_of(id).0.clone()),
            Step::Call(_) => return false,
        };
        module.doubt.covers(&object)
    }

    /// Reports the diagnostics of a step. Errors in a module instance that may not exist make the result of the step unknown
    /// instead.
    fn report(
        &mut self,
        instance: InstanceId,
        step: Step,
        found: Diagnostics,
        diagnostics: &mut Diagnostics,
    ) {
        let state = &self.evaluation.instances[instance];
        match &state.unexpanded {
            // Perhaps there is no such instance, and then there is no such error; a validation reports it anyway.
            Some(origins) if found.has_errors() && !self.evaluation.phase().expansion_is_unknown() => {
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

    /// Stores the instances of a module call: adds an instance of the called module for each key.
    fn store_call(&mut self, instance: InstanceId, id: CallId, expansion: Expansion<RepetitionData>) {
        let node = self.evaluation.config.node(self.evaluation.instances[instance].node);
        let (name, _) = node.module.calls.entry_of(id);
        let unexpanded = expansion.unknown().cloned();
        let (name, path) = (name.clone(), self.evaluation.instances[instance].path.clone());
        let expansion = match node.called[id] {
            Some(called) => expansion.map(|key, data| {
                let path = path.child(&name, key);
                let mut made = call::instance(&self.evaluation, called, instance, path, data);
                made.unexpanded = unexpanded.clone().or(made.unexpanded);
                made.is_repeated = self.repeats.contains(called);
                Called::Instance(self.evaluation.add_instance(made))
            }),
            None => call::absent_instances(&self.evaluation, instance, id, expansion),
        };
        self.evaluation.instances[instance].calls[id] = Instances::new(expansion);
    }

    fn store_resource(&mut self, instance: InstanceId, id: ResourceId, value: Expansion<Value>) {
        self.evaluation.instances[instance].resources[id] = Instances::new(value);
    }

    /// Stores the result of a step on a cycle, which has been reported.
    fn store_cycle(&mut self, instance: InstanceId, step: Step) {
        self.store_unknown(instance, step, &Origins::cycle());
        let Step::Resource(id) = step else { return };
        let module = self.evaluation.scope(instance).module();
        if matches!(module.resources.at(id).repetition, Repetition::Once) {
            let value = Value::unknown_from(Type::Dynamic, Origins::cycle());
            self.store_resource(instance, id, Expansion::Once(value));
        }
    }

    /// Stores the result of a step that a validation leaves to the plan: any value of its type.
    fn store_any(&mut self, instance: InstanceId, step: Step) {
        match step {
            Step::Variable(id) => {
                let value = variable::any_value(&self.evaluation, instance, id);
                self.evaluation.instances[instance].variables[id] = value;
            }
            Step::Resource(id) => {
                let value = resource::any_value(&self.evaluation, instance, id);
                self.store_resource(instance, id, Expansion::Once(value));
            }
            Step::Output(_) | Step::Local(_) | Step::Call(_) | Step::Check(_) => {
                self.store_unknown(instance, step, &Origins::NONE);
            }
        }
    }

    /// Stores an unknown result of a step, with the reason.
    fn store_unknown(&mut self, instance: InstanceId, step: Step, origins: &Origins) {
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
