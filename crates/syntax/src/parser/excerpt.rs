//! Parses the text of a string literal into a tree with places in the file around it.

use std::sync::Arc;

use terrane_source::SourceFile;

use crate::excerpt::Excerpt;
use crate::secrets::hide_sensitive_arguments;
use crate::{ExprId, Parsed, Token};

/// Parses the text of an excerpt of a file. The tree, its tokens and its diagnostics have places in the file.
pub(crate) fn parse_excerpt(
    excerpt: Excerpt,
    file: &Arc<SourceFile>,
    production: impl Fn(&Arc<SourceFile>) -> Parsed<ExprId>,
) -> Parsed<ExprId> {
    let mut parsed = production(excerpt.text());
    for token in &mut parsed.tokens {
        *token = Token::new(token.kind(), excerpt.span(token.span()));
    }
    for diagnostic in &mut parsed.diagnostics {
        excerpt.relocate(diagnostic, file);
    }
    for secret in excerpt.text().hidden() {
        file.hide(excerpt.span(secret));
    }
    // The tree was just created, so it has no other owner.
    if let Some(tree) = Arc::get_mut(&mut parsed.tree) {
        tree.relocate(file, excerpt);
    }
    hide_sensitive_arguments(&parsed.tree);
    parsed
}
