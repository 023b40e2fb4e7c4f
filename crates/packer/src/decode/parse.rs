//! Parses a file in the syntax that its name selects.

use std::sync::Arc;

use terrane_body::Body;
use terrane_config::damaged_values::DamagedValues;
use terrane_source::{Diagnostic, SourceFile};
use terrane_syntax::json::parse_json;
use terrane_syntax::{parse_body, parse_values};

/// Parses a template: as JSON if its name ends in `.json`, otherwise in the native syntax.
pub(crate) fn parse(source: &Arc<SourceFile>) -> (Body, Vec<Diagnostic>) {
    if source.id().is_json() {
        let document = parse_json(source);
        return (Body::json(&document.tree, document.root), document.diagnostics);
    }
    let parsed = parse_body(source);
    (Body::native(&parsed.tree, parsed.root), parsed.diagnostics)
}

/// A variable file.
pub(crate) struct ParsedValues {
    pub(crate) body: Body,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) damaged: DamagedValues,
}

/// Parses a variable file.
pub(crate) fn parse_variables(source: &Arc<SourceFile>) -> ParsedValues {
    if source.id().is_json() {
        let document = parse_json(source);
        let damaged = DamagedValues::json(&document.damage);
        let body = Body::json(&document.tree, document.root);
        return ParsedValues { body, diagnostics: document.diagnostics, damaged };
    }
    let parsed = parse_values(source);
    let damaged = DamagedValues::native(source, &parsed.damage);
    ParsedValues { body: Body::native(&parsed.tree, parsed.root), diagnostics: parsed.diagnostics, damaged }
}
