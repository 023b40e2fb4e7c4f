//! Parses templates and expressions in JSON strings.
//!
//! The native parser reads the decoded text; the resulting tree is relocated to the JSON file.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};

use super::{Tree, string};
use crate::parser::parse_excerpt;
use crate::{ExprId, Parsed, parse_expr, parse_template};

/// Parses the inside of the JSON string at `span` as a template, as the JSON syntax does where a value is expected.
///
/// The parser reads the string without its escapes. Then every span is translated to the bytes of the file that stand for its
/// text, so that a message about `a` in `"\u0024{a}\n"` points at the one letter. Texts, for example from
/// [`Tree::slice`](crate::Tree::slice), have no escapes.
pub fn parse_string_template(tree: &Tree, span: Span) -> Parsed<ExprId> {
    parse(tree, span, parse_template)
}

/// Parses the inside of the JSON string at `span` as an expression, as the JSON syntax does where a reference or a
/// type is expected; see [`parse_string_template`] for its spans.
pub fn parse_string_expr(tree: &Tree, span: Span) -> Parsed<ExprId> {
    parse(tree, span, parse_expr)
}

fn parse(tree: &Tree, span: Span, production: impl Fn(&Arc<SourceFile>) -> Parsed<ExprId>) -> Parsed<ExprId> {
    let file = tree.source();
    parse_excerpt(string::excerpt(file.id(), file.slice(span), span), file, production)
}
