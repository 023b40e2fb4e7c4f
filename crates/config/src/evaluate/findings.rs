//! What is wrong whatever the values are. A plan begins with a validation, which also looks into what has no instances.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, FileId, Files, Span};

use super::Evaluation;
use crate::graph::{Order, Step};
use crate::inputs::Inputs;
use crate::load::{Config, Moment, NodeId};

/// Validates what is about to be planned. It comes back as it was, with what was found.
pub(super) fn find(
    evaluation: Evaluation,
    order: &Order,
    inputs: &Inputs,
    files: &dyn Files,
) -> (Evaluation, Diagnostics) {
    let moment = evaluation.moment();
    let mut validation = evaluation.anew(Moment::Validate);
    let mut diagnostics = Diagnostics::new();
    validation.run(order, inputs, files, &|_| {}, &mut diagnostics);
    (validation.anew(moment), diagnostics)
}

/// What was found with values, and before it what is wrong whatever they are. A mistake that was found both times is told
/// as it looks with values.
pub(super) fn joined(found: Diagnostics, evaluated: Diagnostics) -> Diagnostics {
    if found.is_empty() {
        return evaluated;
    }
    let known: HashSet<_> = evaluated.as_slice().iter().map(place).collect();
    let mut all: Diagnostics = found.into_iter().filter(|found| !known.contains(&place(found))).collect();
    all.extend(evaluated);
    all
}

fn place(diagnostic: &Diagnostic) -> (&str, Option<(FileId, Span)>) {
    let subject = diagnostic.subject.as_ref();
    (diagnostic.id.as_str(), subject.map(|subject| (subject.file.id().clone(), subject.span)))
}

/// The modules that are called again. A validation knows nothing of what a call gives, so it finds the same in all calls of
/// a module, but in what is given.
#[derive(Default)]
pub(super) struct Repeats(Vec<bool>);

impl Repeats {
    /// Those of `config` in a validation; none where values count.
    pub(super) fn of(config: &Config) -> Repeats {
        if config.request.moment != Moment::Validate {
            return Repeats(Vec::new());
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
        Repeats(trees.into_iter().map(|tree| !seen.insert(tree)).collect())
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
