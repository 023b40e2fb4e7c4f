//! The driver owns the state. `run` runs its steps in order, `waves` on several threads; `store` stores their results.

use std::collections::HashSet;

use terrane_config::address::ResourceMode;
use terrane_config::limits;
use terrane_function::Meter;
use terrane_source::{Diagnostics, Files};

use crate::evaluate::deferral;
use crate::evaluate::reuse::{Recording, Reuse};
use crate::evaluate::step::StepInputs;
use crate::evaluate::validation::{LeftToPlan, Repeats};
use crate::graph::ancestry::Ancestry;
use crate::graph::{GraphStep, Order, Step};
use crate::inputs::Inputs;
use crate::model::executor::Executor;
use crate::model::ids::{InstanceId, NodeId};
use crate::rules::phase::Pass;
use crate::state::evaluation::Evaluation;

/// The state of an evaluation, and everything that the steps of a pass read.
pub(super) struct Driver<'d> {
    pub(super) evaluation: Evaluation,
    pub(super) inputs: &'d Inputs,
    pub(super) files: &'d dyn Files,
    pub(super) executor: &'d dyn Executor,
    /// Whether other threads may help.
    pub(super) may_share: bool,
    pub(super) order: &'d Order,
    /// The pass that runs.
    pub(super) pass: Pass,
    /// The dependencies of the objects; `None` if the graph has cycles.
    pub(super) ancestry: Option<Ancestry>,
    /// The modules that a validation skips, because it examines the same module at another call.
    pub(super) repeats: Repeats,
    /// The steps whose errors a plan to destroy everything reports, because provider configurations depend on them. `None` if all steps
    /// report theirs.
    pub(super) provider_inputs: Option<HashSet<GraphStep>>,
    /// The steps that a validation leaves to the following plan.
    pub(super) left_to_plan: LeftToPlan,
    pub(super) recording: Recording<'d>,
    /// The earlier results that the pass takes over; `None` if results are not recorded.
    pub(super) reuse: Option<Reuse<'d>>,
}

/// How a phase treats a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Treatment {
    /// Skipped: a validation examines the same module elsewhere.
    Skip,
    /// Not evaluated: the step depends on itself, which has been reported.
    Cycle,
    /// Not evaluated: the following plan examines it.
    LeaveToPlan,
    /// Evaluated for each module instance.
    Evaluate,
}

impl Driver<'_> {
    /// Drops all values and begins a pass.
    pub(super) fn begin(&mut self, pass: Pass) {
        self.pass = pass;
        self.evaluation.reset(pass.phase());
        self.ancestry = self.ancestry.take().map(Ancestry::anew);
        self.left_to_plan = match pass.leaves_steps_to_plan() {
            true => LeftToPlan::of(&self.evaluation.config),
            false => LeftToPlan::default(),
        };
    }

    /// Prepares the dependencies for a step, if it evaluates a data source.
    fn settle(&mut self, node: NodeId, step: Step) {
        let (Step::Resource(id), Some(ancestry)) = (step, &mut self.ancestry) else { return };
        let (key, _) = self.evaluation.config.node(node).module.resources.entry_of(id);
        if key.mode == ResourceMode::Data {
            deferral::settle(&self.evaluation, self.files, ancestry, node, id);
        }
    }

    /// Whether the evaluation exceeded a limit. Reports that once.
    pub(super) fn is_over(&self, diagnostics: &mut Diagnostics) -> bool {
        limits::is_over(&self.evaluation.config.request.limits, &self.evaluation.meter, diagnostics)
    }

    /// Whether the diagnostics of a step count in the phase.
    pub(super) fn reports_errors_of(&self, step: GraphStep) -> bool {
        !self.evaluation.phase().destroys_without_values()
            || self.provider_inputs.as_ref().is_none_or(|steps| steps.contains(&step))
    }

    /// Returns everything that a step reads.
    pub(super) fn step_inputs<'s>(&'s self, meter: &'s Meter) -> StepInputs<'s> {
        StepInputs {
            evaluation: &self.evaluation,
            inputs: self.inputs,
            files: self.files,
            ancestry: self.ancestry.as_ref(),
            meter,
        }
    }

    /// Returns how the phase treats a step. Prepares the dependencies of a step that is evaluated.
    pub(super) fn treatment(&mut self, node: NodeId, step: Step) -> Treatment {
        if !self.repeats.needs(node, step) {
            return Treatment::Skip;
        }
        if self.order.cyclic.contains(&GraphStep { module: node, step }) {
            return Treatment::Cycle;
        }
        if self.left_to_plan.covers(&self.evaluation.config, node, step) {
            return Treatment::LeaveToPlan;
        }
        self.settle(node, step);
        Treatment::Evaluate
    }

    /// Whether the value of a step stays unknown, because the block of its object is damaged. The instances of a damaged
    /// call are made nevertheless.
    pub(super) fn stays_unknown(&self, instance: InstanceId, step: Step) -> bool {
        !matches!(step, Step::Call(_)) && step.is_damaged(self.evaluation.scope(instance).module())
    }
}
