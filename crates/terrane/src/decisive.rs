//! Tells the names in an expression that decided its value from names without a part in it.
//!
//! Parts that do not decide: a branch that a conditional does not take, the right operand of `&&` or `||` if the left one
//! decides, and the arguments of `try`, `coalesce` or `coalescelist` behind the result. The deciding expressions, such as
//! conditions, are evaluated again in their module instance. If such an expression is unknown or sensitive, reads a file, or
//! differs between the instances of a block or the elements of a loop, all parts count.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_config::InstanceKey;
use terrane_config::recorder::{AccessLog, Recorder};
use terrane_eval::FunctionTable;
use terrane_function::{Limits, Meter, ResultParts, Skipped};
use terrane_module::place::{BlockScopes, ScopeBlock};
use terrane_module::{Evaluation, InstanceId};
use terrane_source::{Diagnostics, MemoryFiles, SourceVersion, Span};
use terrane_syntax::tree::{BinaryOp, List, Part};
use terrane_syntax::walk::{Event, NamesOfFor};
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::{Type, Value, convert};

use crate::first_of::refusal;

/// The files of deciding expressions. An expression that reads a file decides nothing, so the files have no content.
static NO_FILES: MemoryFiles = MemoryFiles::new();

/// Evaluates the expressions that decide which parts of another expression count.
pub(crate) struct Decisions<'e> {
    scopes: BlockScopes<'e>,
    functions: &'e FunctionTable,
    meter: Arc<Meter>,
    found: HashMap<InstanceExpression, Option<Value>>,
}

/// The place of an expression in a module instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct InstanceExpression {
    instance: InstanceId,
    file: SourceVersion,
    span: Span,
}

/// A name in an expression of a module instance.
pub(crate) struct NamePlace<'p> {
    pub(crate) instance: InstanceId,
    pub(crate) expression: &'p Expression,
    pub(crate) name: Span,
    /// The names in the declaration that have no value in the module instance, because they belong to one instance of the block
    /// or to a `dynamic` block.
    pub(crate) without_value: &'p [Span],
}

impl<'e> Decisions<'e> {
    /// Prepares the decisions for the expressions of an evaluation.
    pub(crate) fn new(evaluation: &'e Evaluation) -> Decisions<'e> {
        let scopes = BlockScopes::new(evaluation, &NO_FILES);
        let meter = Arc::new(quarter(&evaluation.config.request.limits));
        Decisions { scopes, functions: evaluation.functions(), meter, found: HashMap::new() }
    }

    /// Whether a name has a part in the value of its expression.
    pub(crate) fn has_part(&mut self, place: &NamePlace<'_>) -> bool {
        let tree = &*place.expression.tree;
        let mut bound: Vec<&str> = Vec::new();
        let mut at = place.expression.id;
        loop {
            let has_name = |id: &ExprId| is_in(tree.span(*id), place.name);
            let is_passed_over = match tree.expr(at) {
                Expr::Conditional { condition, yes, no } => match (has_name(&yes), has_name(&no)) {
                    (true, _) => self.truth(place, &bound, condition) == Some(false),
                    (false, true) => self.truth(place, &bound, condition) == Some(true),
                    (false, false) => false,
                },
                Expr::Binary { op: BinaryOp::And, left, right } => {
                    has_name(&right) && self.truth(place, &bound, left) == Some(false)
                }
                Expr::Binary { op: BinaryOp::Or, left, right } => {
                    has_name(&right) && self.truth(place, &bound, left) == Some(true)
                }
                Expr::Call(call) => {
                    let call = tree.call(call);
                    let arguments = tree.list(call.arguments).iter();
                    let mut before = arguments.take_while(|argument| !has_name(argument));
                    let parts = self.functions.result_parts(&tree.function_name(call));
                    if let ResultParts::FirstOf(skipped) = parts {
                        before.any(|argument| self.is_result(place, &bound, skipped, *argument))
                    } else {
                        false
                    }
                }
                Expr::Template { parts, .. } => self.is_in_other_branch(place, &bound, parts),
                Expr::Missing
                | Expr::Literal(_)
                | Expr::Traversal { .. }
                | Expr::Relative { .. }
                | Expr::Splat { .. }
                | Expr::Item
                | Expr::Binary { .. }
                | Expr::Unary { .. }
                | Expr::Tuple(_)
                | Expr::Object(_)
                | Expr::For(_)
                | Expr::Parens(_) => false,
            };
            if is_passed_over {
                return false;
            }
            match inner(tree, at, place.name, &mut bound) {
                Some(inner) => at = inner,
                None => return true,
            }
        }
    }

    /// Whether a name is in a branch that a directive of a template does not take. Directives nest to a limited depth.
    fn is_in_other_branch(&mut self, place: &NamePlace<'_>, bound: &[&str], parts: List<Part>) -> bool {
        let tree = &*place.expression.tree;
        let is_within = |part: &&Part| is_in(span(tree, part), place.name);
        match tree.list(parts).iter().find(is_within) {
            Some(Part::If(id)) => {
                let directive = *tree.if_directive(*id);
                let has_name = |parts| tree.list(parts).iter().any(|part| is_within(&part));
                let (branch, other) = match (has_name(directive.yes), has_name(directive.no)) {
                    (true, _) => (directive.yes, false),
                    (false, true) => (directive.no, true),
                    (false, false) => return false,
                };
                self.truth(place, bound, directive.condition) == Some(other)
                    || self.is_in_other_branch(place, bound, branch)
            }
            // The names that a `for` binds have no value here.
            Some(Part::For(_) | Part::Literal { .. } | Part::Interpolation { .. }) | None => false,
        }
    }

    fn truth(&mut self, place: &NamePlace<'_>, bound: &[&str], condition: ExprId) -> Option<bool> {
        convert(&self.value(place, bound, condition)?, &Type::Bool).ok()?.as_bool()
    }

    /// Whether an argument is the result of a call, so that the call passes over the arguments behind it.
    fn is_result(
        &mut self,
        place: &NamePlace<'_>,
        bound: &[&str],
        skipped: Skipped,
        argument: ExprId,
    ) -> bool {
        self.value(place, bound, argument).is_some_and(|value| refusal(skipped, &value).is_none())
    }

    /// Returns the value of a part of an expression. `None` if it has errors, an unknown part or a secret.
    fn value(&mut self, place: &NamePlace<'_>, bound: &[&str], part: ExprId) -> Option<Value> {
        let tree = &place.expression.tree;
        let span = tree.span(part);
        let key = InstanceExpression { instance: place.instance, file: tree.source().version(), span };
        if let Some(found) = self.found.get(&key) {
            return found.clone();
        }
        let mut has_bound = place.without_value.iter().any(|name| is_in(span, *name));
        tree.free_traversals(part, &mut |id| {
            has_bound |= tree.root_name(id).is_some_and(|root| bound.contains(&root));
        });
        let expression = Expression { tree: Arc::clone(tree), id: part };
        let value = (!has_bound).then(|| self.evaluate(place.instance, &expression)).flatten();
        self.found.insert(key, value.clone());
        value
    }

    fn evaluate(&mut self, instance: InstanceId, expression: &Expression) -> Option<Value> {
        let scope = self.scopes.scope(instance, ScopeBlock::Single, &InstanceKey::None)?;
        let scope = scope.metered(Arc::clone(&self.meter));
        let (log, mut diagnostics) = (AccessLog::default(), Diagnostics::new());
        let value = scope.evaluate_part(expression, &[], &Recorder::new(&NO_FILES, &log), &mut diagnostics);
        let has_read = log.take().iter().next().is_some();
        let is_certain = !has_read && !diagnostics.has_errors() && !self.meter.is_stopped();
        let is_open = value.is_wholly_known() && value.marks_deep().is_empty();
        (is_certain && is_open).then_some(value)
    }
}

/// Returns the part of an expression that contains a name. Adds the names that loops bind around that part.
fn inner<'t>(tree: &'t Tree, of: ExprId, name: Span, bound: &mut Vec<&'t str>) -> Option<ExprId> {
    let (mut found, mut loops) = (None, Vec::new());
    tree.walk(of, &mut |event| match event {
        Event::Expr(id) if found.is_none() && is_in(tree.span(id), name) => {
            found = Some(id);
            let names =
                loops.iter().flat_map(|names: &NamesOfFor| names.key.into_iter().chain([names.value]));
            bound.extend(names.map(|name| tree.slice(name)));
        }
        Event::Bind(names) => loops.push(names),
        Event::Unbind => drop(loops.pop()),
        Event::Expr(_) => {}
    });
    found
}

fn is_in(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn span(tree: &Tree, part: &Part) -> Span {
    match part {
        Part::Literal { span, .. } | Part::Interpolation { span, .. } => *span,
        Part::If(id) => tree.if_directive(*id).span,
        Part::For(id) => tree.for_directive(*id).span,
    }
}

/// Returns a meter for evaluations that may take a quarter of the steps and of the memory of a run.
pub(crate) fn quarter(limits: &Limits) -> Meter {
    let meter = Meter::default();
    meter.count_to(limits.steps - limits.steps / 4);
    meter.take(limits.memory - limits.memory / 4);
    meter
}
