//! Computes all values of a configuration: step by step in dependency order, for every module instance.
//!
//! The [`Driver`] owns the state. A step reads it through a [`Context`] and returns its result; the driver stores the result
//! and reports the diagnostics. When all values are there, the checks read the finished state.

mod board;
mod budget;
mod builtin_provider;
mod call;
mod changes;
mod computed_data;
mod condition_values;
mod conditions;
mod deduplication;
mod deferral;
mod destroyed;
mod driver;
mod filled;
mod given;
mod ignored;
mod output;
mod pairing;
mod partial_value;
mod prior;
mod recorded;
mod remote_state;
mod resource;
mod reuse;
mod sameness;
mod self_reference;
mod sensitivity;
mod step;
mod triggers;
mod validation;
mod variable;
mod waves;

use std::sync::Arc;

use terrane_config::recorder::{AccessLog, Recorder};
use terrane_source::{Diagnostic, Diagnostics, Files, ids};

use crate::check;
pub use crate::evaluate::changes::{
    Change, ObjectChange, ObjectChanges, RecordedObject, prior_attributes, recorded_objects, with_import_id,
};
pub use crate::evaluate::destroyed::{DestroyReason, DestroyedObject, destroyed, undecided};
use crate::evaluate::driver::Driver;
pub use crate::evaluate::reuse::Record;
use crate::evaluate::reuse::{Earlier, InstanceStep, PhaseRecord, Recording, Reuse, StepRecord};
pub use crate::evaluate::sameness::{Comparisons, Extra, MOST_UNORDERED, Sameness, is_empty, unwrapped};
pub use crate::evaluate::sensitivity::SensitivityChange;
use crate::evaluate::step::StepInputs;
use crate::evaluate::validation::{LeftToPlan, Repeats};
use crate::graph;
use crate::graph::Step;
use crate::inputs::Inputs;
use crate::model::doubt::Doubts;
use crate::model::ids::InstanceId;
use crate::model::tree::Config;
use crate::rules::phase::Phase;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;

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
/// next one. There is no record where results cannot be taken over: with a clock that goes on, random numbers or an environment,
/// on cycles, and after a limit is exceeded.
pub fn evaluate_again(
    config: Config,
    inputs: &Inputs,
    files: &dyn Files,
    earlier: Option<&Record>,
) -> (Evaluation, Option<Record>) {
    let host = &config.request.host;
    let has_current_time = host.clock.as_ref().is_some_and(|clock| !clock.is_of_plan());
    let recording = match earlier {
        _ if has_current_time || host.random.is_some() || host.environment.is_some() => Recording::None,
        Some(earlier) => Recording::Again(earlier),
        None => Recording::First,
    };
    let (evaluation, record) = evaluate_recorded(config, inputs, files, &|_| {}, recording);
    let limits = &evaluation.config.request.limits;
    match record {
        // Results that were taken over count as much as before. Where that exceeds a limit, only an evaluation of everything reports it at
        // its place.
        Some(record) if earlier.is_some() && !record.is_within(limits) => {
            evaluate_recorded(evaluation.config, inputs, files, &|_| {}, Recording::First)
        }
        record => (evaluation, record),
    }
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
    let executor = Arc::clone(&config.request.executor);
    let evaluation = Evaluation::new(config, files);
    let (phase, count) = (evaluation.phase(), order.steps.len());
    // Random numbers depend on the order of the calls. Results are recorded in order.
    let may_share = executor.threads() > 1
        && evaluation.config.request.host.random.is_none()
        && matches!(recording, Recording::None);
    let mut driver = Driver {
        evaluation,
        inputs,
        files,
        executor: &*executor,
        may_share,
        order: &order,
        ancestry,
        repeats: Repeats::default(),
        left_to_plan: LeftToPlan::default(),
        recording,
        reuse: None,
    };
    let mut validation_record = None;
    let (mut found, mut before) = (Diagnostics::new(), 0);
    if phase.begins_with_validation() {
        validation_record =
            driver.validate(&|done| progress(Progress { done, total: 2 * count }), &mut found);
        before = count;
    }
    let mut phase_record = None;
    if !driver.evaluation.meter.is_stopped() {
        let progress = |done| progress(Progress { done: before + done, total: before + count });
        phase_record = driver.run_recorded(&progress, &mut diagnostics);
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
    let record = phase_record
        .filter(|_| is_complete)
        .map(|last| Record::new(&evaluation, inputs, validation_record.unwrap_or_default(), last));
    (evaluation, record)
}

impl Driver<'_> {
    /// Validates the configuration before its plan. After a limit is exceeded, no plan can follow.
    fn validate(&mut self, progress: &dyn Fn(usize), diagnostics: &mut Diagnostics) -> Option<PhaseRecord> {
        let phase = self.evaluation.phase();
        self.begin(Phase::Validate);
        self.left_to_plan = LeftToPlan::of(&self.evaluation.config);
        let record = self.run_recorded(progress, diagnostics);
        let is_stopped = self.evaluation.meter.is_stopped();
        self.left_to_plan = LeftToPlan::default();
        self.begin(phase);
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
                let is_validation = self.evaluation.phase().may_precede_plan() && self.left_to_plan.is_some();
                Some(Earlier { record, phase: if is_validation { &record.validation } else { &record.last } })
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

    /// Evaluates all steps in order, and then runs the checks. Where there is enough work for other threads, they help with the
    /// rest.
    fn run(&mut self, progress: &dyn Fn(usize), diagnostics: &mut Diagnostics) {
        self.repeats = Repeats::of(&self.evaluation.config, self.order);
        let mut found = Diagnostics::new();
        let order = self.order;
        let mut jobs = 0;
        for (done, (node, step)) in order.steps.iter().copied().enumerate() {
            if self.may_share && waves::is_worth_threads(self, jobs) {
                return match waves::run(self, done, progress) {
                    waves::Outcome::NearLimit => self.run_again(progress, diagnostics),
                    waves::Outcome::Finished(reported) => {
                        found.extend(reported);
                        self.finish(found, diagnostics);
                    }
                    waves::Outcome::Cancelled(reported) => {
                        diagnostics.extend(found);
                        diagnostics.extend(reported);
                    }
                };
            }
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
            jobs += self.evaluation.by_node[node].len();
            // A step adds instances only to modules that come later in the order.
            for position in 0..self.evaluation.by_node[node].len() {
                let Some(instance) = self.evaluation.by_node[node].get(position).copied() else { break };
                if self.is_over(&mut found) {
                    return diagnostics.extend(found);
                }
                match (is_cyclic, is_left) {
                    (true, _) => self.store_cycle(instance, step),
                    (false, true) => {
                        self.store_any(instance, step);
                        self.note(instance, step, None);
                    }
                    (false, false) if self.is_doubtful(instance, step) => {
                        self.store_doubtful(instance, step);
                        self.note(instance, step, None);
                    }
                    (false, false) => self.evaluate_step(instance, step, is_unaffected, &mut found),
                }
            }
        }
        self.finish(found, diagnostics);
    }

    /// Begins the phase again, on one thread: several came near a limit.
    fn run_again(&mut self, progress: &dyn Fn(usize), diagnostics: &mut Diagnostics) {
        self.executor.repeated();
        self.may_share = false;
        self.begin(self.evaluation.phase());
        self.run(progress, diagnostics);
    }

    /// Reports the diagnostics of all steps, and runs the checks.
    fn finish(&mut self, found: Diagnostics, diagnostics: &mut Diagnostics) {
        diagnostics.extend(found);
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
            let result = self.step_inputs(&self.evaluation.meter).evaluate(instance, step);
            self.store(instance, step, result, diagnostics);
            return;
        };
        let deferral = match step {
            Step::Resource(id) if resource::is_data_source(&self.evaluation, instance, id) => {
                let (evaluation, meter) = (&self.evaluation, &self.evaluation.meter);
                let changes = deferral::Changes { evaluation, files: self.files, meter };
                Some(deferral::causes(changes, self.ancestry.as_ref(), instance, id))
            }
            Step::Resource(_)
            | Step::Call(_)
            | Step::Variable(_)
            | Step::Local(_)
            | Step::Output(_)
            | Step::Check(_) => None,
        };
        let outside = match step {
            Step::Resource(id) => resource::outside(&self.evaluation, self.files, instance, id),
            Step::Call(_) | Step::Variable(_) | Step::Local(_) | Step::Output(_) | Step::Check(_) => None,
        };
        let is_current =
            |earlier: &&Arc<StepRecord>| earlier.is_current(deferral.as_ref(), outside.as_ref(), self.files);
        let state = &self.evaluation.instances[instance];
        let module = &self.evaluation.config.node(state.node).module;
        let earlier = if is_unaffected { reuse.earlier(state, module, step) } else { None };
        let record = match earlier.filter(is_current) {
            Some(earlier) => Arc::clone(earlier),
            None => {
                let log = AccessLog::default();
                let (recorder, meter) = (Recorder::new(self.files, &log), &self.evaluation.meter);
                let before = meter.memory();
                let inputs = StepInputs { files: &recorder, ..self.step_inputs(meter) };
                let result = inputs.evaluate(instance, step);
                let memory = meter.memory().saturating_sub(before);
                Arc::new(StepRecord { result, deferral, outside, reads: log.take(), memory })
            }
        };
        self.store(instance, step, record.result.clone(), diagnostics);
        self.note(instance, step, Some(record));
    }

    /// Records the result of a step, if results are recorded.
    fn note(&mut self, instance: InstanceId, step: Step, result: Option<Arc<StepRecord>>) {
        if let (Some(reuse), Some(ancestry)) = (&mut self.reuse, &self.ancestry) {
            reuse.note(&self.evaluation, ancestry, InstanceStep { instance, step }, result);
        }
    }

    /// Runs the checks over the finished state.
    fn check(&mut self, diagnostics: &mut Diagnostics) {
        for instance in self.evaluation.instances.ids() {
            let mut context = Context::new(&self.evaluation, self.files, diagnostics);
            let arguments = check::missing_modules::arguments(&mut context, instance);
            let state = &mut self.evaluation.instances[instance];
            arguments.into_iter().for_each(|(call, values)| state.set_absent_arguments(call, values));
        }
        let mut context = Context::new(&self.evaluation, self.files, diagnostics);
        check::run(&mut context, self.inputs);
    }
}
