//! Takes over results of an earlier evaluation, step by step.
//!
//! A step has the same result again if its declaration is the same (`edited.rs`), no step that it depends on has
//! changed its result, and the files that its functions read give the same answers. If the new result of a step is the
//! same as the earlier one, the steps that depend on it are not affected. The graph has all dependencies except those
//! of a data source on the resources that change before it; these are computed again and compared.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use terrane_config::Address;
use terrane_config::address::ModulePath;
use terrane_config::recorder::Accesses;
use terrane_function::Limits;
use terrane_source::Files;
use terrane_value::Origins;

use crate::evaluate::computed_data::Outside;
use crate::evaluate::edited::{ModuleRecord, NodeState, Unchanged};
use crate::evaluate::step::{StepResult, StepValue};
use crate::graph::Step;
use crate::graph::ancestry::Ancestry;
use crate::graph::node_table::{AuxiliaryNode, GraphNode};
use crate::inputs::Inputs;
use crate::model::given::GivenValues;
use crate::model::ids::{Arena, CallInModule, GraphNodeId, InstanceId, MissingModuleId, NodeId};
use crate::model::module::Module;
use crate::model::tree::Recordings;
use crate::model::tree::{Config, MissingModule};
use crate::rules::phase::Pass;
use crate::state::evaluation::Evaluation;
use crate::state::instance::{Called, ModuleInstance};

/// Whether the results of an evaluation are recorded.
#[derive(Clone, Copy)]
pub(super) enum Recording<'r> {
    None,
    /// Results are recorded, but none is taken over.
    First,
    Again(&'r Record),
}

/// The results of an evaluation, for the next evaluation of the same request.
#[derive(Debug)]
pub struct Record {
    workspace: String,
    working_directory: PathBuf,
    missing_modules: Arena<MissingModuleId, MissingModule>,
    given: GivenValues,
    recorded: Recordings,
    uses_prior_values: bool,
    replaced: BTreeSet<Address>,
    destroys: bool,
    /// The time of the plan, if the request has a clock.
    started: Option<i64>,
    inputs: Inputs,
    modules: HashMap<ModulePath, ModuleRecord>,
    /// The validation before a plan; empty in other phases.
    validation: PassRecord,
    /// The last pass.
    last: PassRecord,
}

/// The results of a pass.
#[derive(Default, Debug)]
pub(super) struct PassRecord {
    instances: HashMap<ModulePath, InstanceRecord>,
    /// The steps that a complete evaluation takes at least; `memory` holds the bytes of values likewise.
    pub(super) steps: u64,
    pub(super) memory: u64,
}

#[derive(Debug)]
struct InstanceRecord {
    unexpanded: Option<Origins>,
    is_repeated: bool,
    steps: HashMap<Step, Arc<StepRecord>>,
}

/// The result of a step for one module instance, and the inputs of the step apart from the results of other steps.
#[derive(Debug)]
pub(super) struct StepRecord {
    pub(super) result: StepResult,
    /// The reason why a data source is read late.
    pub(super) deferral: Option<Origins>,
    /// The facts from outside its module that determine a computed data source.
    pub(super) outside: Option<Outside>,
    /// The files that the functions of the step asked for.
    pub(super) reads: Accesses,
    /// The bytes of values that the step made.
    pub(super) memory: u64,
}

impl Record {
    /// Returns the record of an evaluation, with the results of its passes.
    pub(super) fn new(
        evaluation: &Evaluation,
        inputs: &Inputs,
        validation: PassRecord,
        last: PassRecord,
    ) -> Record {
        let config = &evaluation.config;
        Record {
            workspace: config.workspace.clone(),
            working_directory: evaluation.working_directory.clone(),
            missing_modules: config.missing_modules.clone(),
            given: config.given.clone(),
            recorded: config.recorded.clone(),
            uses_prior_values: config.request.uses_prior_values,
            replaced: config.request.replaced.clone(),
            destroys: config.request.destroys,
            started: started(config),
            inputs: inputs.clone(),
            modules: config.nodes().map(|(_, node)| (node.path.clone(), ModuleRecord::of(node))).collect(),
            validation,
            last,
        }
    }

    /// Returns the results of a pass.
    pub(super) fn of_pass(&self, pass: Pass) -> &PassRecord {
        match pass {
            Pass::BeforePlan => &self.validation,
            Pass::Last(_) => &self.last,
        }
    }

    /// Whether the cost of all results, including results that were taken over, is within the limits.
    pub(super) fn is_within(&self, limits: &Limits) -> bool {
        [&self.validation, &self.last]
            .into_iter()
            .all(|pass| pass.steps <= limits.steps && pass.memory <= limits.memory)
    }

    /// Returns the approximate bytes of memory, including the values that the evaluation shares.
    pub fn bytes(&self) -> usize {
        let instances = [&self.validation, &self.last].into_iter().flat_map(|pass| pass.instances.values());
        let steps = instances.flat_map(|instance| instance.steps.values());
        steps.map(|step| step.bytes()).fold(0, usize::saturating_add)
    }

    /// Whether results can be taken over at all.
    pub(super) fn is_for(&self, evaluation: &Evaluation) -> bool {
        self.workspace == evaluation.config.workspace
            && self.working_directory == evaluation.working_directory
            && self.missing_modules.as_slice() == evaluation.config.missing_modules.as_slice()
            && self.given.is_same(&evaluation.config.given)
            && self.recorded.is_same(&evaluation.config.recorded)
            && self.uses_prior_values == evaluation.config.request.uses_prior_values
            && self.replaced == evaluation.config.request.replaced
            && self.destroys == evaluation.config.request.destroys
            && self.started == started(&evaluation.config)
    }
}

fn started(config: &Config) -> Option<i64> {
    config.request.host.world().time_of_plan()
}

/// An earlier evaluation, and one of its passes.
#[derive(Clone, Copy)]
pub(super) struct Earlier<'r> {
    pub(super) record: &'r Record,
    pub(super) pass: &'r PassRecord,
}

/// A step for one module instance.
#[derive(Clone, Copy)]
pub(super) struct InstanceStep {
    pub(super) instance: InstanceId,
    pub(super) step: Step,
}

/// Takes over results in one pass, and records the results of the pass.
pub(super) struct Reuse<'r> {
    earlier: Option<Earlier<'r>>,
    inputs: &'r Inputs,
    nodes: Arena<NodeId, NodeState<'r>>,
    /// The nodes of the graph whose result has changed.
    changed: Arena<GraphNodeId, bool>,
    /// The number of graph nodes whose entry in `changed` is decided. Nodes are decided in their order.
    decided: usize,
    record: PassRecord,
}

impl<'r> Reuse<'r> {
    pub(super) fn new(
        config: &Config,
        ancestry: &Ancestry,
        inputs: &'r Inputs,
        earlier: Option<Earlier<'r>>,
    ) -> Reuse<'r> {
        let module = |path: &ModulePath| earlier.and_then(|earlier| earlier.record.modules.get(path));
        Reuse {
            earlier,
            inputs,
            nodes: config
                .nodes()
                .map(|(_, node)| NodeState::of(node, module(&node.path), config.recorded.has_objects()))
                .collect(),
            changed: ancestry.nodes().all().iter().map(|_| false).collect(),
            decided: 0,
            record: PassRecord::default(),
        }
    }

    /// Returns how much of the next step is the same as before: nothing if a result that it depends on has changed.
    /// Decides the nodes before it that are not steps.
    pub(super) fn unchanged(
        &mut self,
        config: &Config,
        ancestry: &Ancestry,
        node: NodeId,
        step: Step,
    ) -> Unchanged {
        let next = ancestry.nodes().of_step(node, step);
        while let Some(id) = ancestry.sorted().get(self.decided).copied().filter(|id| *id != next) {
            self.decided += 1;
            self.changed[id] |= match ancestry.nodes().all()[id] {
                GraphNode::Auxiliary(AuxiliaryNode::Whole(node) | AuxiliaryNode::Import(node, _)) => {
                    !self.nodes[node].is_same() || self.depends_on_changes(ancestry, id)
                }
                GraphNode::Auxiliary(AuxiliaryNode::Provider(node, _)) => {
                    !self.nodes[node].is_same() && self.depends_on_changes(ancestry, id)
                }
                GraphNode::Step(..) => false,
            };
        }
        let Some(Earlier { record, .. }) = self.earlier else { return Unchanged::None };
        if self.depends_on_changes(ancestry, next) {
            return Unchanged::None;
        }
        let tree_node = config.node(node);
        let of_input = match (step, tree_node.caller) {
            (Step::Variable(_), Some(CallInModule { module: caller, call })) => {
                self.nodes[caller].unchanged_of(config.node(caller), Step::Call(call))
            }
            (Step::Variable(id), None) => {
                let (name, _) = tree_node.module.variables.entry_of(id);
                match record.inputs.is_same(self.inputs, name) {
                    true => Unchanged::Module,
                    false => Unchanged::None,
                }
            }
            (_, _) => Unchanged::Module,
        };
        of_input.min(self.nodes[node].unchanged_of(tree_node, step))
    }

    /// Returns the record of the pass, which took `steps` and `memory` for the results that were not taken over.
    pub(super) fn finish(self, steps: u64, memory: u64) -> PassRecord {
        let before = self.earlier.map(|earlier| (earlier.pass.steps, earlier.pass.memory));
        let (steps_before, memory_before) = before.unwrap_or_default();
        PassRecord {
            steps: steps_before.saturating_add(steps),
            memory: memory_before.saturating_add(memory),
            ..self.record
        }
    }

    fn depends_on_changes(&self, ancestry: &Ancestry, id: GraphNodeId) -> bool {
        ancestry.targets(id).iter().any(|target| self.changed[*target])
    }

    /// Returns the earlier result of a step.
    pub(super) fn earlier(
        &self,
        instance: &ModuleInstance,
        module: &Module,
        step: Step,
    ) -> Option<&'r Arc<StepRecord>> {
        let step = self.nodes[instance.node].earlier_step(module, step)?;
        self.instance(instance)?.steps.get(&step)
    }

    fn instance(&self, instance: &ModuleInstance) -> Option<&'r InstanceRecord> {
        self.earlier?.pass.instances.get(&instance.path)
    }

    /// Records the present result of a step for an instance, and whether it differs from the earlier one.
    pub(super) fn note(
        &mut self,
        evaluation: &Evaluation,
        ancestry: &Ancestry,
        at: InstanceStep,
        result: Option<Arc<StepRecord>>,
    ) {
        let InstanceStep { instance, step } = at;
        let state = &evaluation.instances[instance];
        let module = &evaluation.config.node(state.node).module;
        let earlier = self.earlier(state, module, step);
        let is_same = match (&result, earlier) {
            (Some(now), Some(earlier)) => Arc::ptr_eq(now, earlier) || now.is_same(earlier),
            (now, earlier) => now.is_none() && earlier.is_none() && self.nodes[state.node].is_same(),
        };
        let is_changed = !is_same
            || !self.nodes[state.node].has_same_form(module, step)
            || self.has_other_instances(evaluation, state, step);
        self.changed[ancestry.nodes().of_step(state.node, step)] |= is_changed;
        if let Step::Call(call) = step {
            for called in state.calls[call].expansion.all() {
                if let Called::Instance(id) = called {
                    self.record_of(&evaluation.instances[*id]);
                }
            }
        }
        self.record_of(state).steps.extend(result.map(|result| (step, result)));
    }

    fn record_of(&mut self, state: &ModuleInstance) -> &mut InstanceRecord {
        self.record.instances.entry(state.path.clone()).or_insert_with(|| InstanceRecord {
            unexpanded: state.unexpanded.clone(),
            is_repeated: state.is_repeated,
            steps: HashMap::new(),
        })
    }

    /// Whether a call makes other instances than before, or instances of a module with other outputs.
    fn has_other_instances(&self, evaluation: &Evaluation, state: &ModuleInstance, step: Step) -> bool {
        let Step::Call(call) = step else { return false };
        let called = evaluation.config.node(state.node).called[call];
        let has_same_outputs = called.is_none_or(|called| self.nodes[called].has_same_outputs);
        let is_same = self.instance(state).is_some_and(|earlier| earlier.unexpanded == state.unexpanded);
        let is_known = |called: &Called| match called {
            Called::Instance(id) => {
                let state = &evaluation.instances[*id];
                self.instance(state).is_some_and(|earlier| {
                    earlier.is_repeated == state.is_repeated && earlier.unexpanded == state.unexpanded
                })
            }
            Called::Missing(_) => true,
        };
        !has_same_outputs || !is_same || !state.calls[call].expansion.all().into_iter().all(is_known)
    }
}

/// Whether two instances of a call whose module is not on disk have the same key data and the same outputs.
fn is_same_missing(one: &Called, other: &Called) -> bool {
    match (one, other) {
        (Called::Missing(one), Called::Missing(other)) => {
            one.repetition.is_identical(&other.repetition) && one.outputs.is_identical(&other.outputs)
        }
        (Called::Instance(_) | Called::Missing(_), _) => false,
    }
}

impl StepRecord {
    /// Whether both results have the same value for the steps that depend on them.
    fn is_same(&self, other: &StepRecord) -> bool {
        let (one, other) = (&self.result, &other.result);
        one.diagnostics.has_errors() == other.diagnostics.has_errors()
            && match (&one.value, &other.value) {
                (StepValue::None, StepValue::None) => true,
                (StepValue::Variable(_, one), StepValue::Variable(_, other))
                | (StepValue::Local(_, one), StepValue::Local(_, other))
                | (StepValue::Output(_, one), StepValue::Output(_, other)) => one.is_identical(other),
                (StepValue::Resource(_, one), StepValue::Resource(_, other)) => {
                    one.is_same(other, |one, other| one.is_identical(other))
                }
                (StepValue::Call { expansion: one, .. }, StepValue::Call { expansion: other, .. }) => {
                    one.is_same(other, |one, other| one.is_identical(other))
                }
                (StepValue::MissingModuleCall(_, one), StepValue::MissingModuleCall(_, other)) => {
                    one.instances.is_same(&other.instances, is_same_missing)
                }
                (
                    StepValue::None
                    | StepValue::Variable(..)
                    | StepValue::Local(..)
                    | StepValue::Output(..)
                    | StepValue::Resource(..)
                    | StepValue::Call { .. }
                    | StepValue::MissingModuleCall(..),
                    _,
                ) => false,
            }
    }

    /// Whether the files that the step read are unchanged, the data source is late for the same reasons, and the facts
    /// from outside its module are the same.
    pub(super) fn is_current(
        &self,
        deferral: Option<&Origins>,
        outside: Option<&Outside>,
        files: &dyn Files,
    ) -> bool {
        let is_same_outside = match (&self.outside, outside) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.deferral.as_ref() == deferral && is_same_outside && self.reads.is_current(files)
    }

    /// Returns the approximate bytes of memory.
    fn bytes(&self) -> usize {
        const BYTES_OF_DIAGNOSTIC: usize = 500;
        // The result, its place in the table, and the count of its owners.
        let own = size_of::<StepRecord>() + size_of::<(Step, Arc<StepRecord>)>() + 2 * size_of::<usize>();
        let values = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let diagnostics = BYTES_OF_DIAGNOSTIC * self.result.diagnostics.len();
        values.saturating_add(own + diagnostics + self.reads.bytes())
    }
}
