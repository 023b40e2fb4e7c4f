//! Parses a file in the syntax that its name selects.

use std::sync::Arc;

use terrane_body::Body;
use terrane_source::{Diagnostic, SourceFile};
use terrane_syntax::json::parse_json;
use terrane_syntax::parse_body;

/// Parses a template or variable file: JSON where its name ends in `.json`, otherwise the native syntax.
pub(crate) fn parse(source: &Arc<SourceFile>) -> (Body, Vec<Diagnostic>) {
    if is_json(source) {
        let document = parse_json(source);
        return (Body::json(&document.tree, document.root), document.diagnostics);
    }
    let parsed = parse_body(source);
    (Body::native(&parsed.tree, parsed.root), parsed.diagnostics)
}

/// Whether the name of a file ends in `.json`.
pub(crate) fn is_json(source: &SourceFile) -> bool {
    source.id().path().extension().is_some_and(|ending| ending == "json")
}
