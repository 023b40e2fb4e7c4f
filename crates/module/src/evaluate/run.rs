//! Runs the steps of an evaluation in order, one pass after another.

use std::sync::Arc;

use terrane_config::recorder::{AccessLog, Recorder};
use terrane_source::Diagnostics;

use crate::check;
use crate::evaluate::driver::{Driver, Treatment};
use crate::evaluate::edited::Unchanged;
use crate::evaluate::reuse::{Earlier, InstanceStep, PassRecord, Recording, Reuse, StepRecord};
use crate::evaluate::step::StepInputs;
use crate::evaluate::validation::Repeats;
use crate::evaluate::{resource, waves};
use crate::graph::{GraphStep, Step};
use crate::model::ids::{Id, InstanceId};
use crate::rules::phase::Pass;
use crate::state::context::Context;

impl Driver<'_> {
    /// Runs a pass over all objects, and returns its record if results are recorded. After a pass that exceeded a limit, no
    /// further pass runs.
    pub(super) fn run_pass(
        &mut self,
        pass: Pass,
        progress: &dyn Fn(usize),
        diagnostics: &mut Diagnostics,
    ) -> Option<PassRecord> {
        let was_stopped = self.evaluation.meter.is_stopped();
        self.begin(pass);
        if was_stopped {
            self.evaluation.meter.stop();
            return None;
        }
        let earlier = match self.recording {
            Recording::Again(record) if record.is_for(&self.evaluation) => {
                Some(Earlier { record, pass: record.of_pass(self.pass) })
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

    /// Evaluates all steps in order, and then runs the checks. If there is enough work for other threads, they
    /// share the rest of the steps.
    fn run(&mut self, progress: &dyn Fn(usize), diagnostics: &mut Diagnostics) {
        self.repeats = Repeats::of(&self.evaluation.config, self.order);
        let mut found = Diagnostics::new();
        let order = self.order;
        let mut jobs = 0;
        for (id, GraphStep { module: node, step }) in order.steps.enumerate() {
            let (node, step) = (*node, *step);
            if self.may_share && waves::is_worth_threads(self, jobs) {
                return match waves::run(self, id, progress) {
                    waves::ParallelOutcome::NearLimit => self.run_again(progress, diagnostics),
                    waves::ParallelOutcome::Finished(reported) => {
                        found.extend(reported);
                        self.finish(found, diagnostics);
                    }
                    waves::ParallelOutcome::Cancelled(reported) => {
                        diagnostics.extend(found);
                        diagnostics.extend(reported);
                    }
                };
            }
            progress(id.index());
            let treatment = self.treatment(node, step);
            if treatment == Treatment::Skip {
                continue;
            }
            let unchanged = match (&mut self.reuse, &self.ancestry) {
                (Some(reuse), Some(ancestry)) => {
                    reuse.unchanged(&self.evaluation.config, ancestry, node, step)
                }
                (_, _) => Unchanged::None,
            };
            jobs += self.evaluation.by_node[node].len();
            // A step adds instances only to modules that come later in the order.
            for instance in self.evaluation.by_node[node].clone() {
                if self.is_over(&mut found) {
                    return diagnostics.extend(found);
                }
                if treatment == Treatment::Evaluate && !self.stays_unknown(instance, step) {
                    self.evaluate_step(instance, step, unchanged, &mut found);
                } else {
                    self.store_without_evaluation(instance, step, treatment);
                }
            }
        }
        self.finish(found, diagnostics);
    }

    /// Stores an unknown value for a step that is not evaluated.
    fn store_without_evaluation(&mut self, instance: InstanceId, step: Step, treatment: Treatment) {
        match treatment {
            Treatment::Skip => return,
            Treatment::Cycle => return self.store_cycle(instance, step),
            Treatment::LeaveToPlan => self.store_any(instance, step),
            Treatment::Evaluate => self.store_doubtful(instance, step),
        }
        self.note(instance, step, None);
    }

    /// Begins the pass again on one thread, because several threads came near a limit: one
    /// thread finds the exact place.
    fn run_again(&mut self, progress: &dyn Fn(usize), diagnostics: &mut Diagnostics) {
        self.executor.repeated();
        self.may_share = false;
        self.begin(self.pass);
        self.run(progress, diagnostics);
    }

    /// Reports the diagnostics of all steps, and runs the checks.
    fn finish(&mut self, found: Diagnostics, diagnostics: &mut Diagnostics) {
        diagnostics.extend(found);
        if !self.is_over(diagnostics) {
            self.store_arguments_of_missing_modules(diagnostics);
            self.check(diagnostics);
        }
    }

    /// Evaluates a step for a module instance, or takes over its earlier result, and stores it.
    fn evaluate_step(
        &mut self,
        instance: InstanceId,
        step: Step,
        unchanged: Unchanged,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(reuse) = &self.reuse else {
            let result = self.step_inputs(&self.evaluation.meter).evaluate(instance, step);
            self.store(instance, step, result, diagnostics);
            return;
        };
        let (deferral, outside) = match step {
            Step::Resource(id) => (
                self.step_inputs(&self.evaluation.meter).deferral(instance, id),
                resource::outside(&self.evaluation, self.files, instance, id),
            ),
            Step::Call(_) | Step::Variable(_) | Step::Local(_) | Step::Output(_) | Step::Check(_) => {
                (None, None)
            }
        };
        let is_current = |earlier: &&Arc<StepRecord>| {
            unchanged.allows(&earlier.result)
                && earlier.is_current(deferral.as_ref(), outside.as_ref(), self.files)
        };
        let state = &self.evaluation.instances[instance];
        let module = &self.evaluation.config.node(state.node).module;
        let earlier = reuse.earlier(state, module, step).filter(is_current);
        let in_run = |earlier: &Arc<StepRecord>| {
            let result = earlier.result.clone().in_run(&self.evaluation, instance, step)?;
            Some((Arc::clone(earlier), result))
        };
        let (record, result) = match earlier.and_then(in_run) {
            Some(earlier) => earlier,
            None => {
                let log = AccessLog::default();
                let (recorder, meter) = (Recorder::new(self.files, &log), &self.evaluation.meter);
                let before = meter.memory();
                let inputs = StepInputs { files: &recorder, ..self.step_inputs(meter) };
                let result = inputs.evaluate(instance, step);
                let memory = meter.memory().saturating_sub(before);
                let record =
                    StepRecord { result: result.clone(), deferral, outside, reads: log.take(), memory };
                (Arc::new(record), result)
            }
        };
        self.store(instance, step, result, diagnostics);
        self.note(instance, step, Some(record));
    }

    /// Records the result of a step, if results are recorded.
    fn note(&mut self, instance: InstanceId, step: Step, result: Option<Arc<StepRecord>>) {
        if let (Some(reuse), Some(ancestry)) = (&mut self.reuse, &self.ancestry) {
            reuse.note(&self.evaluation, ancestry, InstanceStep { instance, step }, result);
        }
    }

    /// Stores the values of the arguments of calls whose modules are not on disk.
    fn store_arguments_of_missing_modules(&mut self, diagnostics: &mut Diagnostics) {
        for instance in self.evaluation.instances.ids() {
            let mut context = Context::new(&self.evaluation, self.files, diagnostics);
            let arguments = check::missing_modules::arguments(&mut context, instance);
            let state = &mut self.evaluation.instances[instance];
            arguments
                .into_iter()
                .for_each(|(call, values)| state.set_arguments_of_missing_module(call, values));
        }
    }

    /// Runs the checks over the finished state.
    fn check(&self, diagnostics: &mut Diagnostics) {
        let mut context = Context::new(&self.evaluation, self.files, diagnostics);
        check::run(&mut context, self.inputs, &self.order.used_providers);
    }
}
