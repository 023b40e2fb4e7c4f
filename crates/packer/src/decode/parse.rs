//! Parses a variable file in the syntax that its name selects.

use std::sync::Arc;

use terrane_body::Body;
use terrane_config::damaged_values::DamagedValues;
use terrane_source::{Diagnostic, SourceFile};
use terrane_syntax::ParsedSource;

/// A variable file.
pub(crate) struct ParsedValues {
    pub(crate) body: Body,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) damaged: DamagedValues,
}

/// Parses a variable file.
pub(crate) fn parse_variables(source: &Arc<SourceFile>) -> ParsedValues {
    let parsed = ParsedSource::of_values(source);
    let damaged = match &parsed {
        ParsedSource::Native(parsed) => DamagedValues::native(source, &parsed.damage),
        ParsedSource::Json(document) => DamagedValues::json(source, &document.damage),
    };
    ParsedValues { body: Body::of(&parsed), diagnostics: parsed.into_diagnostics(), damaged }
}
