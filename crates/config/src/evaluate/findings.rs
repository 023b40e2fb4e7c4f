//! What is wrong whatever the values are. A plan begins with a validation, which also looks into what has no instances.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, FileId, Files, Severity, Span};
use terrane_syntax::Expression;

use super::Evaluation;
use crate::graph::{Order, Step};
use crate::inputs::Inputs;
use crate::load::{Config, Moment, NodeId};
use crate::module::Repetition;

/// Validates what is about to be planned. It comes back as it was, with what was found; where a limit was
/// met, no plan can follow.
pub(super) fn find(
    evaluation: Evaluation,
    order: &Order,
    inputs: &Inputs,
    files: &dyn Files,
) -> (Evaluation, Diagnostics) {
    let moment = evaluation.moment();
    let mut validation = evaluation.anew(Moment::Validate);
    validation.planned = Planned::of(&validation.config);
    let mut diagnostics = Diagnostics::new();
    validation.run(order, inputs, files, &|_| {}, &mut diagnostics);
    let is_stopped = validation.meter.is_stopped();
    let evaluation = validation.anew(moment);
    if is_stopped {
        evaluation.meter.stop();
    }
    (evaluation, diagnostics)
}

/// What was found with values, and before it what is wrong whatever they are. A mistake that was found both times is told
/// as it looks with values.
pub(super) fn joined(found: Diagnostics, evaluated: Diagnostics) -> Diagnostics {
    if found.is_empty() {
        return evaluated;
    }
    let known: HashSet<_> = evaluated.as_slice().iter().map(mistake).collect();
    let mut all: Diagnostics = found.into_iter().filter(|found| !known.contains(&mistake(found))).collect();
    all.extend(evaluated);
    all
}

/// What tells a mistake from others: where it has no place, its words.
type Mistake<'d> = (&'d str, Severity, Result<(FileId, Span), &'d str>);

fn mistake(diagnostic: &Diagnostic) -> Mistake<'_> {
    let place = diagnostic.subject.as_ref().map(|subject| (subject.file.id().clone(), subject.span));
    (diagnostic.id.as_str(), diagnostic.severity, place.ok_or(&*diagnostic.detail))
}

/// What the plan will look into as a validation does, and more closely: what certainly has one instance and is written without
/// anything that may be passed over.
#[derive(Default)]
pub(super) struct Planned(Vec<bool>);

impl Planned {
    /// The modules of `config` that certainly have one instance.
    fn of(config: &Config) -> Planned {
        let mut alone: Vec<bool> = Vec::with_capacity(config.nodes.len());
        for node in &config.nodes {
            let is_alone = node.caller.is_none_or(|(caller, index)| {
                let call = config.node(caller).module.calls.get_index(index);
                let is_once = call.is_some_and(|(_, call)| matches!(call.repetition, Repetition::Once));
                is_once && alone.get(caller.index()).copied().unwrap_or_default()
            });
            alone.push(is_alone);
        }
        Planned(alone)
    }

    /// Whether a step is left to the plan.
    pub(super) fn covers(&self, config: &Config, id: NodeId, step: Step) -> bool {
        if !self.0.get(id.index()).copied().unwrap_or_default() {
            return false;
        }
        let node = config.node(id);
        match step {
            Step::Resource(index) => node.module.resources.get_index(index).is_some_and(|(_, resource)| {
                matches!(resource.repetition, Repetition::Once)
                    && resource.config.native_text().is_some_and(is_straight)
            }),
            Step::Output(index) => node.module.outputs.get_index(index).is_some_and(|(_, output)| {
                output.preconditions.is_empty()
                    && !output.ephemeral
                    && output.value.as_ref().is_some_and(|value| is_plain(&value.expression))
            }),
            Step::Variable(index) => {
                let variable = node.module.variables.get_index(index);
                let call = node.caller.and_then(|(caller, index)| {
                    config.node(caller).module.calls.get_index(index).map(|(_, call)| call)
                });
                let (Some((name, variable)), Some(call)) = (variable, call) else { return false };
                variable.validations.is_empty()
                    && call.arguments.get(name).is_none_or(|(_, argument)| is_plain(&argument.expression))
            }
            Step::Call(_) | Step::Local(_) | Step::Check(_) => false,
        }
    }
}

/// Whether a plan evaluates all parts of an expression.
fn is_plain(expression: &Expression) -> bool {
    let is_json = expression.source().id().path().extension().is_some_and(|end| end == "json");
    !is_json && is_straight(expression.tree.expr_text(expression.id))
}

/// Whether there is nothing in a text that may pass over a part of it: operators that decide early, splats, whose value may be
/// null, blocks and templates from elsewhere. What merely looks so is validated, too, which costs a little time and no more.
fn is_straight(text: &str) -> bool {
    !["&&", "||", "*", "dynamic", "template"].iter().any(|word| text.contains(word))
}

/// The modules that are called again. A validation knows nothing of what a call gives, so it finds the same in all calls of
/// a module, but in what is given.
#[derive(Default)]
pub(super) struct Repeats(Vec<bool>);

impl Repeats {
    /// Those of `config` in a validation; none where values count. A call on a cycle is not made, so that it is not the one in
    /// which a module is looked into.
    pub(super) fn of(config: &Config, order: &Order) -> Repeats {
        if config.request.moment != Moment::Validate {
            return Repeats(Vec::new());
        }
        let mut is_called: Vec<bool> = Vec::with_capacity(config.nodes.len());
        for node in &config.nodes {
            is_called.push(node.caller.is_none_or(|(caller, index)| {
                let is_cyclic = order.cyclic.contains(&(caller, Step::Call(index)));
                !is_cyclic && is_called.get(caller.index()).copied().unwrap_or_default()
            }));
        }
        // A number for each different tree of modules: the called ones have theirs first.
        let mut numbers = HashMap::new();
        let mut trees = vec![None; config.nodes.len()];
        for (index, node) in config.nodes.iter().enumerate().rev() {
            let called = |called: &Option<NodeId>| called.and_then(|id| *trees.get(id.index())?);
            let called: Vec<Option<usize>> = node.called.iter().map(called).collect();
            // Which configurations of providers are used differs from call to call.
            let own = (!node.module.providers.is_empty()).then_some(index);
            let next = numbers.len();
            let number = *numbers.entry((Arc::as_ptr(&node.module), called, own)).or_insert(next);
            if let Some(tree) = trees.get_mut(index) {
                *tree = Some(number);
            }
        }
        let mut seen = HashSet::new();
        let trees = trees.into_iter().zip(is_called);
        Repeats(trees.map(|(tree, is_called)| is_called && !seen.insert(tree)).collect())
    }

    /// Whether the same module with the same calls has come before.
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.0.get(node.index()).copied().unwrap_or_default()
    }

    /// Whether a step is to be evaluated.
    pub(super) fn needs(&self, node: NodeId, step: Step) -> bool {
        matches!(step, Step::Variable(_)) || !self.contains(node)
    }
}
