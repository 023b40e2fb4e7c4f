//! The validation before a plan: finds errors that do not depend on values, also in blocks without instances.
//!
//! A validation skips modules that an earlier call calls as well, and leaves steps to the plan that
//! evaluates them more closely.

use std::collections::HashSet;

use terrane_body::DYNAMIC;
use terrane_eval::Special;
use terrane_source::{Diagnostic, Diagnostics, FileId, Severity, Span};
use terrane_syntax::tree::{BinaryOp, BodyId};
use terrane_syntax::{Expr, ExprId, Expression, Tree};

use crate::graph::{GraphStep, Order, Step};
use crate::model::ids::{Arena, CallInModule, Declarations, DirectoryId, NodeId};
use crate::model::module::Repetition;
use crate::model::tree::Config;

/// Returns the diagnostics of the validation followed by those of the plan. A mistake that both report
/// appears once, from the plan.
pub(crate) fn joined(found: Diagnostics, evaluated: Diagnostics) -> Diagnostics {
    if found.is_empty() {
        return evaluated;
    }
    let of_plan: HashSet<_> = evaluated.as_slice().iter().map(MistakeId::of).collect();
    let mut all: Diagnostics =
        found.into_iter().filter(|found| !of_plan.contains(&MistakeId::of(found))).collect();
    all.extend(evaluated);
    all
}

/// Identifies a mistake: its diagnostic and its place, without the detail.
///
/// The details of the two passes differ for one mistake: the plan names an instance (`module.m[0]`) and a value, the
/// validation the block and a type. Two mistakes may have the same id and place, such as two missing arguments of a
/// call: both passes report both (`tests/suite/modules/calls.md`).
#[derive(PartialEq, Eq, Hash)]
struct MistakeId<'d> {
    id: &'d str,
    severity: Severity,
    subject: MistakeSubject<'d>,
}

#[derive(PartialEq, Eq, Hash)]
enum MistakeSubject<'d> {
    Source {
        file: &'d FileId,
        span: Span,
    },
    /// The text of a diagnostic without a position.
    Detail(&'d str),
}

impl<'d> MistakeId<'d> {
    fn of(diagnostic: &'d Diagnostic) -> MistakeId<'d> {
        let subject = match &diagnostic.subject {
            Some(subject) => MistakeSubject::Source { file: subject.file.id(), span: subject.span },
            None => MistakeSubject::Detail(&diagnostic.detail),
        };
        MistakeId { id: diagnostic.id.as_str(), severity: diagnostic.severity, subject }
    }
}

/// The steps that need no validation, because the plan finds all their errors: steps with exactly one instance, whose
/// expressions the plan evaluates completely.
#[derive(Default)]
pub(crate) struct LeftToPlan(Option<Arena<NodeId, bool>>);

impl LeftToPlan {
    /// Returns the steps of modules of `config` that certainly have one instance. A plan to destroy everything reports only the
    /// errors of the inputs of providers, so no step is left to it.
    pub(super) fn of(config: &Config) -> LeftToPlan {
        if config.request.destroys {
            return LeftToPlan(Some(config.nodes().map(|_| false).collect()));
        }
        let mut alone: Arena<NodeId, bool> = Arena::default();
        for node in &config.nodes {
            let is_alone = node.caller.is_none_or(|CallInModule { module: caller, call }| {
                matches!(config.node(caller).module.calls.at(call).repetition, Repetition::Once)
                    && alone[caller]
            });
            alone.push(is_alone);
        }
        LeftToPlan(Some(alone))
    }

    /// Whether a step is left to the plan.
    pub(crate) fn covers(&self, config: &Config, id: NodeId, step: Step) -> bool {
        if !self.0.as_ref().is_some_and(|alone| alone[id]) {
            return false;
        }
        let node = config.node(id);
        match step {
            Step::Resource(id) => {
                let resource = node.module.resources.at(id);
                matches!(resource.repetition, Repetition::Once)
                    && resource.config.as_native().is_some_and(|(tree, body)| is_straight_body(tree, body))
            }
            Step::Output(id) => {
                let output = node.module.outputs.at(id);
                output.preconditions.is_empty()
                    && !output.ephemeral
                    && output.value.as_ref().is_some_and(is_native_and_straight)
            }
            Step::Variable(id) => {
                let (name, variable) = node.module.variables.entry_of(id);
                let Some(CallInModule { module: caller, call }) = node.caller else { return false };
                let call = config.node(caller).module.calls.at(call);
                variable.validations.is_empty()
                    && call.arguments.get(name).is_none_or(|(_, argument)| is_native_and_straight(argument))
            }
            Step::Call(_) | Step::Local(_) | Step::Check(_) => false,
        }
    }
}

/// Whether a plan evaluates all parts of an expression: it has no operators that decide early, no splats, whose value
/// may be null, and no templates from elsewhere.
fn is_straight(tree: &Tree, id: ExprId) -> bool {
    let mut is_straight = true;
    tree.expressions(id, &mut |id| {
        is_straight &= match tree.expr(id) {
            Expr::Splat { .. } => false,
            Expr::Binary { op, .. } => !matches!(op, BinaryOp::And | BinaryOp::Or),
            Expr::Call(call) => {
                let name = tree.function_name(tree.call(call));
                !Special::named(&name).is_some_and(Special::evaluates_template)
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Traversal { .. }
            | Expr::Relative { .. }
            | Expr::Conditional { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_)
            | Expr::Item => true,
        };
    });
    is_straight
}

/// Does the same as [`is_straight`], for an expression in native syntax.
fn is_native_and_straight(expression: &Expression) -> bool {
    !expression.source().id().is_json() && is_straight(&expression.tree, expression.id)
}

/// Does the same as [`is_straight`], for a body, which may have no `dynamic` blocks.
fn is_straight_body(tree: &Tree, body: BodyId) -> bool {
    tree.attributes(body).all(|attribute| is_straight(tree, attribute.expr))
        && tree
            .blocks(body)
            .all(|block| tree.block_type(block) != DYNAMIC && is_straight_body(tree, block.body))
}

/// The modules that an earlier call calls as well. A validation does not use the outputs of a call, so it finds the
/// same errors in all calls of a module, except in their arguments.
#[derive(Default)]
pub(crate) struct Repeats(Option<Arena<NodeId, bool>>);

terrane_config::ids! {
    /// Names a tree of modules, which calls in several places may share.
    TreeId;
}

/// A module with the modules that it calls.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ModuleTree {
    directory: Option<DirectoryId>,
    called: Vec<Option<TreeId>>,
    /// The module, if it has its own provider configurations: which of them are used differs from call to call.
    own: Option<NodeId>,
}

impl Repeats {
    /// Returns the repeated modules of `config` in a validation; none in a plan. A call on a cycle is not evaluated, so
    /// it cannot stand for its module.
    pub(crate) fn of(config: &Config, order: &Order) -> Repeats {
        if !config.request.phase.outputs_are_unknown() {
            return Repeats::default();
        }
        let mut is_called: Arena<NodeId, bool> = Arena::default();
        for node in &config.nodes {
            is_called.push(node.caller.is_none_or(|CallInModule { module: caller, call }| {
                let is_cyclic = order.cyclic.contains(&GraphStep { module: caller, step: Step::Call(call) });
                !is_cyclic && is_called[caller]
            }));
        }
        // A called tree gets its id before its caller does.
        let mut different: Declarations<TreeId, (), ModuleTree> = Declarations::default();
        let mut trees: Arena<NodeId, Option<TreeId>> = config.nodes.iter().map(|_| None).collect();
        for (id, node) in config.nodes.enumerate().rev() {
            let called = node.called.iter().map(|called| called.and_then(|id| trees[id])).collect();
            let own = (!node.module.providers.is_empty()).then_some(id);
            let tree = ModuleTree { directory: node.directory, called, own };
            trees[id] = Some(different.insert(tree, ()));
        }
        let mut seen = HashSet::new();
        let trees = trees.iter().zip(&is_called);
        Repeats(Some(trees.map(|(tree, is_called)| *is_called && !seen.insert(tree)).collect()))
    }

    /// Whether the same module with the same calls occurs earlier.
    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.0.as_ref().is_some_and(|repeated| repeated[node])
    }

    /// Whether a step is to be evaluated.
    pub(crate) fn needs(&self, node: NodeId, step: Step) -> bool {
        matches!(step, Step::Variable(_)) || !self.contains(node)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use terrane_source::MemoryFiles;
    use terrane_syntax::parse_body;

    use super::*;
    use crate::{Cache, Progress, Request, evaluate_with, load};

    #[test]
    fn progress_is_made_in_the_validation_too() {
        let text = "locals {\n  a = 1\n  b = local.a\n}\noutput \"c\" {\n  value = local.b\n}\n";
        let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
        let loaded = load(Request::new("."), &files, &Cache::default());
        let seen = RefCell::new(Vec::new());
        evaluate_with(loaded.config, &loaded.inputs, &files, &|progress| seen.borrow_mut().push(progress));
        let wanted: Vec<Progress> = (0..6).map(|done| Progress { done, total: 6 }).collect();
        assert_eq!(*seen.borrow(), wanted);
    }

    #[test]
    fn the_syntax_decides_which_steps_are_skipped() {
        for (text, wanted) in [
            ("a = 2 * 3", true),
            ("a = \"* && || dynamic template\" # a || b", true),
            ("b {\n  a = [for x in y : template_file(x)]\n}", true),
            ("a = b.*.c", false),
            ("a = [(b[*].c)]", false),
            ("b {\n  c {\n    a = \"${!(d && e)}\"\n  }\n}", false),
            ("a = f(b || c)", false),
            ("a = core::templatefile(b, c)", false),
            ("a = templatestring(b, c)", false),
            ("dynamic \"b\" {\n  for_each = c\n  content {}\n}", false),
        ] {
            let source = terrane_source::SourceFile::new(FileId::new("main.tf"), text);
            let parsed = parse_body(&source);
            assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
            assert_eq!(is_straight_body(&parsed.tree, parsed.root), wanted, "{text}");
        }
    }
}
