//! Parses the text of a string literal. Old configurations have references and keywords in quotes.

use crate::excerpt::ExcerptBuilder;
use crate::json::string;
use crate::parser::parse_excerpt;
use crate::tree::{Literal, Text};
use crate::{Expr, ExprId, Expression, Parsed, parse_expr};

/// Parses the text of a string literal as an expression, with spans of the text in the file. `None` if `literal` is another
/// expression.
///
/// ```
/// use terrane_source::{FileId, SourceFile};
/// use terrane_syntax::{Expression, parse_expr, parse_quoted};
///
/// let source = SourceFile::new(FileId::new("a.tf"), "\"aws.west\"");
/// let parsed = parse_expr(&source);
/// let unquoted = parse_quoted(&Expression { tree: parsed.tree, id: parsed.root }).unwrap();
/// let span = unquoted.tree.span(unquoted.root);
/// assert_eq!((span.start, span.end), (1, 9));
/// ```
pub fn parse_quoted(literal: &Expression) -> Option<Parsed<ExprId>> {
    let (tree, file) = (&literal.tree, literal.source());
    let Expr::Literal(Literal::String(text)) = tree.expr(literal.id) else { return None };
    let excerpt = match text {
        Text::Source(inner) if file.slice(inner) == tree.text(text) => {
            let mut builder = ExcerptBuilder::new(inner.start);
            builder.plain(file.slice(inner));
            builder.finish(file.id())
        }
        Text::Source(_) | Text::Decoded(_) => {
            string::excerpt(file.id(), file.slice(literal.span()), literal.span())
        }
    };
    Some(parse_excerpt(excerpt, file, parse_expr))
}
