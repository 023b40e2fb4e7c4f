//! The readable parts of values with errors.

use terrane_source::Span;

use super::{AttributeId, Expr, ExprId, Tree};

impl Tree {
    /// Returns the readable part of a missing value, for tools that complete it: of `a = var.` the name `var` with an empty step.
    pub fn partial(&self, missing: ExprId) -> Option<ExprId> {
        let index = self.partials.binary_search_by_key(&missing, |partial| partial.0).ok()?;
        self.partials.get(index).map(|partial| partial.1)
    }

    /// Replaces the value of an attribute, which ends at `end`, by a missing one, and keeps the part that was read as [`Tree::partial`],
    /// unless it reaches further.
    pub(crate) fn forget_value(&mut self, id: AttributeId, end: u32) {
        let read = self.attribute(id).expr;
        if matches!(self.expr(read), Expr::Missing) {
            return;
        }
        let span = self.span(read);
        let missing = self.add_expr(Expr::Missing, Span::new(span.start, span.end.min(end.max(span.start))));
        if span.end <= end {
            self.partials.push((missing, read));
        }
        if let Some(attribute) = self.attributes.get_mut(id.index()) {
            attribute.expr = missing;
        }
    }
}
