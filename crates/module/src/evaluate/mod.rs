//! Computes all values of a configuration: step by step in dependency order, for every module instance.
//!
//! The [`Driver`] owns the state. A step reads it through a [`Context`](crate::state::context::Context) and returns its result; the driver stores the result
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
mod edited;
mod ephemeral_arguments;
mod filled;
mod given;
mod ignored;
mod instance_results;
mod lifecycle;
mod output;
mod pairing;
mod partial_value;
mod prior;
mod recorded;
mod remote_state;
mod resource;
mod reuse;
mod run;
pub mod sameness;
mod self_reference;
mod sensitivity;
mod shared_body;
mod step;
mod store;
mod triggers;
mod validation;
mod variable;
mod waves;

use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, Files, ids};

use crate::check::moves;
pub use crate::evaluate::changes::{
    ObjectChange, ObjectChanges, PlannedChange, RecordedObject, prior_attributes, recorded_objects,
    with_import_id,
};
pub use crate::evaluate::destroyed::{
    DestroyReason, DestroyedObject, destroyed_objects, objects_of_destroy_plan, undecided_objects,
};
use crate::evaluate::driver::Driver;
pub use crate::evaluate::reuse::Record;
use crate::evaluate::reuse::{PassRecord, Recording};
pub use crate::evaluate::sensitivity::SensitivityChange;
use crate::evaluate::validation::{LeftToPlan, Repeats};
use crate::graph;
use crate::graph::ancestry::Ancestry;
use crate::inputs::Inputs;
use crate::model::doubt::Doubts;
use crate::model::tree::{Config, ModuleNode};
use crate::rules::phase::Pass;
use crate::state::evaluation::Evaluation;

/// The progress of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of objects that were evaluated, each with all its instances. The validation
    /// before a plan counts as well.
    pub done: usize,
    /// The number of objects at the end.
    pub total: usize,
}

/// Evaluates everything in `config`: `inputs` are the values of root variables. The file functions read through
/// `files`.
pub fn evaluate(config: Config, inputs: &Inputs, files: &dyn Files) -> Evaluation {
    evaluate_with(config, inputs, files, &|_| {})
}

/// Does the same as [`evaluate()`], and calls `progress` before each object.
pub fn evaluate_with(
    config: Config,
    inputs: &Inputs,
    files: &dyn Files,
    progress: &dyn Fn(Progress),
) -> Evaluation {
    evaluate_recorded(config, inputs, files, progress, Recording::None).0
}

/// Does the same as [`evaluate()`], but takes over the results of an earlier evaluation of the same request if they
/// still hold, and returns a record for the next one. There is no record if results cannot be taken over: with a
/// running clock, random numbers or an environment, with cycles, and after a limit is exceeded.
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
        // Results that were taken over count their full cost. If they exceed a limit, a complete evaluation
        // reports it at the right place.
        Some(record) if earlier.is_some() && !record.is_within(limits) => {
            evaluate_recorded(evaluation.config, inputs, files, &|_| {}, Recording::First)
        }
        record => (evaluation, record),
    }
}

/// Evaluates everything in `config`. Returns the record of the results, if they are recorded.
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
    let provider_inputs =
        ancestry.as_ref().filter(|_| config.request.destroys).map(Ancestry::below_providers);
    let executor = Arc::clone(&config.request.executor);
    let evaluation = Evaluation::new(config, files);
    let (passes, count) = (evaluation.phase().passes(), order.steps.len());
    // Random numbers depend on the order of the calls, and results are recorded in order: both need a single thread.
    let may_share = executor.threads() > 1
        && evaluation.config.request.host.random.is_none()
        && matches!(recording, Recording::None);
    let mut driver = Driver {
        pass: Pass::Last(evaluation.phase()),
        evaluation,
        inputs,
        files,
        executor: &*executor,
        may_share,
        order: &order,
        ancestry,
        repeats: Repeats::default(),
        provider_inputs,
        left_to_plan: LeftToPlan::default(),
        recording,
        reuse: None,
    };
    let (mut of_validation, mut of_last) = (PassResult::default(), PassResult { diagnostics, record: None });
    let total = passes.len() * count;
    let mut before = 0;
    for pass in passes {
        let result = match pass {
            Pass::BeforePlan => &mut of_validation,
            Pass::Last(_) => &mut of_last,
        };
        let progress = |done| progress(Progress { done: before + done, total });
        result.record = driver.run_pass(*pass, &progress, &mut result.diagnostics);
        before += count;
    }
    let mut evaluation = driver.evaluation;
    let titles = evaluation.config.rules.titles;
    let doubts = Doubts::of(evaluation.config.nodes.iter().map(ModuleNode::doubt));
    let titled = |diagnostics| titles.apply(deduplication::distinct(doubts.sound(diagnostics)));
    let mut joined = validation::joined(titled(of_validation.diagnostics), titled(of_last.diagnostics));
    moves::warn_about_blocked(&evaluation, &mut joined);
    evaluation.diagnostics = joined;
    let record = of_last
        .record
        .filter(|_| is_complete(&evaluation))
        .map(|last| Record::new(&evaluation, inputs, of_validation.record.unwrap_or_default(), last));
    (evaluation, record)
}

/// The diagnostics of a pass, and the record of its results if they are recorded.
#[derive(Default)]
struct PassResult {
    diagnostics: Diagnostics,
    record: Option<PassRecord>,
}

/// Whether no limit and no interruption has ended the evaluation.
fn is_complete(evaluation: &Evaluation) -> bool {
    let is_over = |found: &Diagnostic| [ids::LIMIT_EXCEEDED, ids::INTERRUPTED].contains(&found.id);
    !evaluation.meter.is_stopped() && !evaluation.diagnostics.as_slice().iter().any(is_over)
}
