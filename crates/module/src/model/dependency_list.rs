//! The list of a `depends_on`, as it is written.

use terrane_source::{Diagnostic, ids};
use terrane_syntax::{Expr, ExprId, Expression};

/// The items of a `depends_on`, or the error of one that is not a list.
pub(crate) fn items(expression: &Expression) -> Result<&[ExprId], Box<Diagnostic>> {
    if let Expr::Tuple(items) = expression.tree.expr(expression.id) {
        return Ok(expression.tree.list(items));
    }
    let detail = "`depends_on` takes a list of references in brackets, such as `[aws_vpc.main]`.";
    let diagnostic = Diagnostic::error(ids::INVALID_EXPRESSION, detail);
    Err(Box::new(diagnostic.at(expression.source(), expression.span())))
}
