//! Checks the constant key after the name of a resource or of a module call: a string or a whole number.

use terrane_eval::Reference;
use terrane_source::{Diagnostic, DiagnosticId, Span, ids, titles};
use terrane_syntax::Expr;
use terrane_syntax::tree::{Literal, Step};
use terrane_value::Number;

use crate::resolve::error::{ReferenceResult, at};

/// Checks that an instance can have the key at a step. A computed key is checked by the evaluation.
pub(crate) fn check(reference: &Reference<'_>, step: usize) -> ReferenceResult<()> {
    match reference.steps.get(step) {
        Some(found) => wrong(reference, step, ids::INVALID_INDEX, found.span()).map_or(Ok(()), Err),
        None => Ok(()),
    }
}

/// Returns the error about a constant key of a resource in `replace_triggered_by` that no instance can have.
pub(crate) fn wrong_trigger(reference: &Reference<'_>, step: usize) -> Option<Box<Diagnostic>> {
    let Some(Step::Index { key, .. }) = reference.steps.get(step) else { return None };
    wrong(reference, step, ids::INVALID_REPLACE_TRIGGER, reference.tree.span(*key))
}

/// Returns an error at `span`, if the step is a constant key that no instance can have.
fn wrong(reference: &Reference<'_>, step: usize, id: DiagnosticId, span: Span) -> Option<Box<Diagnostic>> {
    let Some(Step::Index { key, .. }) = reference.steps.get(step) else { return None };
    let Expr::Literal(literal) = reference.tree.expr(*key) else { return None };
    let text = reference.tree.expr_text(*key);
    let is_right = match literal {
        Literal::String(_) => true,
        Literal::Number => Number::parse(text).is_some_and(|number| number.to_i64().is_some()),
        Literal::Null | Literal::Bool(_) => false,
    };
    if is_right {
        return None;
    }
    let detail =
        format!("The key of an instance is a string or a whole number, so no instance has the key `{text}`.");
    Some(Box::new(at(reference, span, id, detail).titled(titles::INVALID_INDEX_KEY)))
}
