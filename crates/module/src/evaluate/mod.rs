//! Computing all values of a configuration, step by step in dependency order, for every module instance.

mod builtin_provider;
mod conditions;
mod deduplication;
mod deferral;
mod output;
mod resource;
mod self_reference;
mod validation;
mod variable;

use std::path::PathBuf;

use terrane_body::{Body, BodySpec, decode};
use terrane_config::address::{Address, ModulePath, Object};
use terrane_config::limits;
use terrane_eval::{Answer, FunctionTable, Scope, evaluate as evaluate_expression, evaluate_in_console};
use terrane_function::{CallEnv, Meter, World};
use terrane_source::{Diagnostics, Files};
use terrane_syntax::Expression;
use terrane_value::{Origins, Type, Value};

pub use crate::check::missing_modules::AbsentInstance;
use crate::check::{actions, bodies, deprecation, imports, missing_modules, moves, replace};
use crate::evaluate::validation::{LeftToPlan, Repeats};
use crate::graph;
use crate::graph::ancestry::Ancestry;
use crate::graph::{Order, Step};
use crate::inputs::Inputs;
use crate::model::ids::{Arena, InstanceId, LocalId, NodeId};
use crate::model::module::Repetition;
use crate::model::tree::Config;
use crate::rules::phase::Phase;
pub(crate) use crate::state::instance::RepetitionData;
pub use crate::state::instance::{Called, Expansion, Instances, ModuleInstance};
pub use crate::state::scope::ModuleScope;

/// All values of a configuration.
pub struct Evaluation {
    /// What was evaluated.
    pub config: Config,
    /// The module instances; the root is the first, a caller comes before what it calls.
    pub(crate) instances: Arena<InstanceId, ModuleInstance>,
    /// The instances of each module.
    pub(crate) by_node: Arena<NodeId, Vec<InstanceId>>,
    /// Everything that went wrong, in the order in which it was met.
    pub diagnostics: Diagnostics,
    /// The modules that a validation has looked into where they were called first.
    pub(crate) repeats: Repeats,
    /// What a validation leaves to the plan that follows.
    left_to_plan: LeftToPlan,
    functions: FunctionTable,
    /// What the evaluation has used up of the limits of the request.
    meter: Meter,
    /// The value of `path.cwd`.
    pub(crate) working_directory: PathBuf,
    /// How many more objects the instances of blocks may have.
    budget: usize,
    /// What the objects depend on; nothing where there are cycles.
    ancestry: Option<Ancestry>,
}

/// How many objects all instances of modules and resources may have together: instances, variables, locals and outputs.
pub(crate) const MAX_OBJECTS: usize = 1_000_000;

/// How far an evaluation has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How many objects of the configuration have been looked at, each for all its instances. Before a plan they are validated,
    /// which counts as well.
    pub done: usize,
    /// How many will have been in the end.
    pub total: usize,
}

/// Evaluates everything in `config`: `inputs` are the values of root variables. The file functions read through
/// `files`.
pub fn evaluate(config: Config, inputs: &Inputs, files: &dyn Files) -> Evaluation {
    evaluate_with(config, inputs, files, &|_| {})
}

/// As [`evaluate()`], which calls `progress` before each object.
pub fn evaluate_with(
    config: Config,
    inputs: &Inputs,
    files: &dyn Files,
    progress: &dyn Fn(Progress),
) -> Evaluation {
    let mut diagnostics = Diagnostics::new();
    let mut order = graph::order(&config, &mut diagnostics);
    let evaluation = Evaluation::new(config, order.ancestry.take(), files);
    let count = order.steps.len();
    let (mut evaluation, found, before) = match evaluation.phase() {
        Phase::Plan => {
            let progress = |done| progress(Progress { done, total: 2 * count });
            let (evaluation, found) = validation::find(evaluation, &order, inputs, files, &progress);
            (evaluation, found, count)
        }
        Phase::Validate | Phase::Console => (evaluation, Diagnostics::new(), 0),
    };
    if !evaluation.meter.is_stopped() {
        let progress = |done| progress(Progress { done: before + done, total: before + count });
        evaluation.run(&order, inputs, files, &progress, &mut diagnostics);
    }
    let rules = evaluation.config.rules;
    let words = |diagnostics| rules.titled(deduplication::distinct(diagnostics));
    evaluation.diagnostics = validation::joined(words(found), words(diagnostics));
    evaluation
}

impl Evaluation {
    /// Nothing is evaluated yet.
    fn new(config: Config, ancestry: Option<Ancestry>, files: &dyn Files) -> Evaluation {
        let directory = files.canonicalize(&config.request.directory);
        let evaluation = Evaluation {
            instances: Arena::default(),
            by_node: Arena::default(),
            repeats: Repeats::default(),
            left_to_plan: LeftToPlan::default(),
            functions: config.request.function_table(),
            meter: Meter::default(),
            working_directory: directory.unwrap_or_else(|_| files.working_directory()),
            diagnostics: Diagnostics::new(),
            budget: MAX_OBJECTS,
            ancestry,
            config,
        };
        let phase = evaluation.phase();
        evaluation.anew(phase)
    }

    /// The same configuration, with nothing evaluated yet, in another phase.
    fn anew(self, phase: Phase) -> Evaluation {
        let mut config = self.config;
        config.request.phase = phase;
        let mut evaluation = Evaluation {
            instances: Arena::default(),
            by_node: config.nodes().map(|_| Vec::new()).collect(),
            repeats: Repeats::default(),
            left_to_plan: LeftToPlan::default(),
            meter: Meter::default(),
            budget: MAX_OBJECTS,
            ancestry: self.ancestry.map(Ancestry::anew),
            config,
            ..self
        };
        evaluation.add_instance(NodeId::ROOT, ModulePath::ROOT, None, RepetitionData::default(), None);
        evaluation
    }

    /// Evaluates everything, in `order`. Before each step it tells how many are done.
    fn run(
        &mut self,
        order: &Order,
        inputs: &Inputs,
        files: &dyn Files,
        progress: &dyn Fn(usize),
        diagnostics: &mut Diagnostics,
    ) {
        self.repeats = Repeats::of(&self.config, order);
        for (done, (node, step)) in order.steps.iter().copied().enumerate() {
            progress(done);
            if !self.repeats.needs(node, step) {
                continue;
            }
            let cyclic = order.cyclic.contains(&(node, step));
            // Instances are added only to modules that come later in the order.
            for instance in self.by_node[node].clone() {
                if self.is_over(diagnostics) {
                    return;
                }
                if !cyclic && self.left_to_plan.covers(&self.config, node, step) {
                    self.assume(instance, step);
                } else {
                    self.step(instance, step, cyclic, inputs, files, diagnostics);
                }
            }
        }
        if self.is_over(diagnostics) {
            return;
        }
        missing_modules::evaluate(self, files, diagnostics);
        bodies::evaluate(self, files, diagnostics);
        imports::check(self, files, diagnostics);
        if self.phase() == Phase::Plan {
            moves::check(self, diagnostics);
            actions::check(self, files, diagnostics);
            replace::check(self, files, diagnostics);
            deprecation::check(self, inputs, diagnostics);
        }
    }

    /// The instances of all modules; the root is the first, a caller comes before what it calls.
    pub fn instances(&self) -> &Arena<InstanceId, ModuleInstance> {
        &self.instances
    }

    /// The root module instance.
    pub fn root(&self) -> &ModuleInstance {
        &self.instances[InstanceId::ROOT]
    }

    /// Phase being simulated.
    pub(crate) fn phase(&self) -> Phase {
        self.config.request.phase
    }

    /// The functions that expressions may call.
    pub fn functions(&self) -> &FunctionTable {
        &self.functions
    }

    /// The names of a module instance as an expression sees them.
    pub fn scope(&self, instance: InstanceId) -> ModuleScope<'_> {
        ModuleScope { evaluation: self, instance, repetition: None, this: None, trace: None, shared: None }
    }

    /// Evaluates an expression in the names of `scope`.
    pub fn expression(
        &self,
        expression: &Expression,
        names: &ModuleScope<'_>,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let env = self.env(files);
        evaluate_expression(expression, &self.expression_scope(names, &env), diagnostics)
    }

    /// As [`Evaluation::expression`], for the console, where an expression may be `type(value)`, and functions may
    /// give what differs from run to run.
    pub fn console(
        &self,
        expression: &Expression,
        names: &ModuleScope<'_>,
        files: &dyn Files,
        world: World<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Answer {
        let (env, meter) = (self.env(files), Meter::default());
        let env = CallEnv { world: world.or(env.world), meter: Some(&meter), ..env };
        evaluate_in_console(expression, &self.expression_scope(names, &env), diagnostics)
    }

    /// The value of a body in the names of `names`, as `spec` says; functions may give what differs from run to run.
    pub fn decode(
        &self,
        (body, spec): (&Body, &BodySpec),
        names: &ModuleScope<'_>,
        files: &dyn Files,
        world: World<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let (env, meter) = (self.env(files), Meter::default());
        let env = CallEnv { world: world.or(env.world), meter: Some(&meter), ..env };
        decode(body, spec, &self.expression_scope(names, &env), diagnostics)
    }

    /// What functions of the configuration see.
    pub(crate) fn env<'e>(&'e self, files: &'e dyn Files) -> CallEnv<'e> {
        let request = &self.config.request;
        let base = CallEnv::new(files, &request.directory, &request.limits);
        CallEnv { world: request.host.world(), meter: Some(&self.meter), ..base }
    }

    /// Whether the evaluation has met a limit that ends it.
    fn is_over(&self, diagnostics: &mut Diagnostics) -> bool {
        limits::is_over(&self.config.request.limits, &self.meter, diagnostics)
    }

    /// The scope of an expression in the names of `names`.
    pub(crate) fn expression_scope<'s>(
        &'s self,
        names: &'s ModuleScope<'s>,
        env: &'s CallEnv<'s>,
    ) -> Scope<'s> {
        let semantics = self.config.rules.semantics;
        Scope { names, functions: &self.functions, env, semantics }
    }

    pub(crate) fn add_instance(
        &mut self,
        node: NodeId,
        path: ModulePath,
        parent: Option<InstanceId>,
        repetition: RepetitionData,
        unexpanded: Option<Origins>,
    ) -> InstanceId {
        let module = &self.config.node(node).module;
        let inherited = parent.and_then(|parent| self.instances[parent].unexpanded.clone());
        let mut instance = ModuleInstance::new(node, path, parent, repetition, module);
        instance.unexpanded = unexpanded.or(inherited);
        let id = self.instances.push(instance);
        self.by_node[node].push(id);
        id
    }

    fn step(
        &mut self,
        instance: InstanceId,
        step: Step,
        cyclic: bool,
        inputs: &Inputs,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) {
        if cyclic {
            self.leave(instance, step);
            return;
        }
        let mut found = Diagnostics::new();
        self.evaluate_step(instance, step, inputs, files, &mut found);
        let state = &self.instances[instance];
        match state.unexpanded.clone() {
            // Perhaps there is no such instance, and then there is no such mistake, unless whatever is written is looked into.
            Some(origins) if found.has_errors() && self.phase() != Phase::Validate => {
                self.lose(instance, step, &origins);
            }
            Some(_) | None => {
                let path = state.path.clone();
                diagnostics.extend(found.into_iter().map(|diagnostic| match &diagnostic.address {
                    None if !path.is_root() => diagnostic.about(&path),
                    Some(_) | None => diagnostic,
                }));
            }
        }
    }

    /// The instances of a module.
    pub(crate) fn instances_of(&self, node: NodeId) -> impl Iterator<Item = &ModuleInstance> {
        self.by_node[node].iter().map(|instance| &self.instances[*instance])
    }

    /// The result of a step on a cycle, which has been reported.
    fn leave(&mut self, instance: InstanceId, step: Step) {
        self.lose(instance, step, &Origins::cycle());
        let Step::Resource(id) = step else { return };
        let state = &mut self.instances[instance];
        if matches!(self.config.node(state.node).module.resources.at(id).repetition, Repetition::Once) {
            let value = Value::unknown_from(Type::Dynamic, Origins::cycle());
            state.resources[id] = Instances::new(Expansion::Once(value));
        }
    }

    /// The result of a step in a validation, which knows nothing of it anyway.
    fn assume(&mut self, instance: InstanceId, step: Step) {
        match step {
            Step::Variable(id) => variable::assume(self, instance, id),
            Step::Resource(id) => {
                let state = &mut self.instances[instance];
                let (request, module) = (&self.config.request, &self.config.node(state.node).module);
                let (key, declared) = module.resources.entry_of(id);
                let schema = request.schemas.resource(module, key, declared);
                let any = resource::any(schema.map(|schema| &**schema), &self.config.rules, Origins::NONE);
                state.resources[id] = Instances::new(Expansion::Once(any));
            }
            Step::Output(_) | Step::Local(_) | Step::Call(_) | Step::Check(_) => {
                self.lose(instance, step, &Origins::NONE);
            }
        }
    }

    /// Makes the result of a step unknown because of `origins`.
    fn lose(&mut self, instance: InstanceId, step: Step, origins: &Origins) {
        let state = &mut self.instances[instance];
        let value = || Value::unknown_from(Type::Dynamic, origins.clone());
        match step {
            Step::Variable(id) => state.variables[id] = value(),
            Step::Local(id) => state.locals[id] = value(),
            Step::Output(id) => state.outputs[id] = value(),
            Step::Resource(id) => {
                state.resources[id] =
                    Instances::new(Expansion::Unknown { origins: origins.clone(), any: None });
            }
            Step::Call(_) | Step::Check(_) => {}
        }
    }

    fn evaluate_step(
        &mut self,
        instance: InstanceId,
        step: Step,
        inputs: &Inputs,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) {
        match step {
            Step::Call(id) => crate::expansion::module_call(self, instance, id, files, diagnostics),
            Step::Variable(id) => variable::variable(self, instance, id, inputs, files, diagnostics),
            Step::Local(id) => self.local(instance, id, files, diagnostics),
            Step::Resource(id) => resource::resource(self, instance, id, files, diagnostics),
            Step::Output(id) => output::output(self, instance, id, files, diagnostics),
            Step::Check(id) => conditions::asserts(self, instance, id, files, diagnostics),
        }
    }

    fn local(&mut self, instance: InstanceId, id: LocalId, files: &dyn Files, diagnostics: &mut Diagnostics) {
        let local = self.config.node(self.instances[instance].node).module.locals.at(id);
        let value = self.value(&local.value, &self.scope(instance), files, diagnostics);
        self.instances[instance].locals[id] = value;
    }

    /// The value of an expression of the configuration. One with a wrong reference is not evaluated: what else is found
    /// in it may be due to that.
    pub(crate) fn value(
        &self,
        resolved: &Expression,
        names: &ModuleScope<'_>,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        if self.is_broken(resolved, names) {
            return Value::error();
        }
        self.expression(resolved, names, files, diagnostics)
    }

    /// Whether a reference in an expression is wrong, which has been reported.
    pub(crate) fn is_broken(&self, expression: &Expression, names: &ModuleScope<'_>) -> bool {
        let node = self.instances[names.instance].node;
        self.config.node(node).module.references.is_broken(expression)
    }

    /// Whether so many more instances, with so many objects in each, can be made.
    pub(crate) fn afford(&mut self, instances: usize, objects: usize) -> bool {
        let left = self.budget.checked_sub(instances.saturating_mul(objects));
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// The address of an object in a module instance.
    pub(crate) fn address(&self, instance: InstanceId, object: Object) -> Address {
        let module = self.instances[instance].path.clone();
        Address { module, object }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_can_be_shared() {
        fn shared<T: Send + Sync>() {}
        shared::<Evaluation>();
    }
}
