//! Whether the library's answer to a row is the row's.

use terrane_eval::Variables;
use terrane_source::{Diagnostic, MemoryFiles, Span};
use terrane_value::{Type, display};

use super::compare::{Parts, is_value, parse_type};
use super::row::Row;
use crate::engine::{self, Outcome, evaluate_text};
use crate::notation;

/// A difference between an answer and its row.
#[derive(Debug)]
pub struct Mismatch {
    /// What differs, in a word or two.
    pub what: &'static str,
    /// The row.
    pub wanted: String,
    /// The library.
    pub found: String,
}

impl Mismatch {
    fn new(what: &'static str, wanted: impl Into<String>, found: impl Into<String>) -> Mismatch {
        Mismatch { what, wanted: wanted.into(), found: found.into() }
    }
}

/// Runs a row of `expressions.jsonl`.
///
/// # Errors
///
/// The first difference.
pub fn expression(row: &Row, variables: &Variables) -> Result<(), Mismatch> {
    let outcome = evaluate_text(&row.expr, variables, &MemoryFiles::new());
    compare(row, &outcome)
}

/// Runs a row of `typeconv.jsonl`: reads the type constraint, evaluates the input, inserts the defaults and
/// converts.
///
/// # Errors
///
/// The first difference.
pub fn conversion(row: &Row, variables: &Variables) -> Result<(), Mismatch> {
    let constraint = match engine::type_constraint_text(&row.type_expr) {
        Ok(constraint) => constraint,
        Err(diagnostics) => return compare_in("type", row, &Outcome::failed(diagnostics)),
    };
    let input = evaluate_text(&row.input_expr, variables, &MemoryFiles::new());
    if input.is_error() {
        return compare_in("input", row, &input);
    }
    match constraint.convert(&input.value) {
        Ok(value) => compare(row, &Outcome { value, diagnostics: input.diagnostics }),
        // The place and the title of this error are the business of whoever asks for the conversion.
        Err(_) if row.phase == "convert" => Ok(()),
        Err(error) => Err(Mismatch::new("conversion", wanted_answer(row), error.to_string())),
    }
}

fn compare_in(text: &str, row: &Row, outcome: &Outcome) -> Result<(), Mismatch> {
    compare(row, outcome)?;
    if row.text == text { Ok(()) } else { Err(Mismatch::new("text at fault", &row.text, text)) }
}

fn wanted_answer(row: &Row) -> String {
    match (&row.value, row.error_bytes) {
        (_, Some((start, end))) => format!("{:?} at {start}..{end} of the {}", row.title, row.text),
        (Some(raw), None) => raw.get().to_owned(),
        (None, None) => "null".to_owned(),
    }
}

fn compare(row: &Row, outcome: &Outcome) -> Result<(), Mismatch> {
    if row.ok { compare_value(row, outcome) } else { compare_errors(row, outcome) }
}

fn compare_errors(row: &Row, outcome: &Outcome) -> Result<(), Mismatch> {
    let span = row.error_bytes.map(|(start, end)| Span::new(start, end));
    let Some(first) = outcome.errors().next() else {
        return Err(Mismatch::new("no error", wanted_answer(row), shown(outcome)));
    };
    if !outcome.errors().any(|error| error.title() == row.title) {
        return Err(Mismatch::new("title", wanted_answer(row), described(first)));
    }
    if span != first.subject.as_ref().map(|subject| subject.span) {
        return Err(Mismatch::new("span", wanted_answer(row), described(first)));
    }
    Ok(())
}

fn compare_value(row: &Row, outcome: &Outcome) -> Result<(), Mismatch> {
    if let Some(error) = outcome.errors().next() {
        return Err(Mismatch::new("an error", wanted_answer(row), described(error)));
    }
    let wanted_type = row.r#type.as_ref().map_or(Ok(Type::Dynamic), |raw| parse_type(raw));
    let ty = outcome.value.ty().without_optional();
    match wanted_type {
        Ok(wanted) if wanted == ty => {}
        Ok(wanted) => {
            let found = format!("{ty}: {}", notation::one_line(&outcome.value));
            return Err(Mismatch::new("type", wanted.to_string(), found));
        }
        Err(message) => return Err(Mismatch::new("the row", message, "")),
    }
    if !is_value(&outcome.value, row.value.as_deref()) {
        return Err(Mismatch::new("value", wanted_answer(row), shown(outcome)));
    }
    compare_parts(row, outcome)?;
    let console = display::console(&outcome.value);
    match &row.console {
        Some(wanted) if *wanted != console => Err(Mismatch::new("console text", wanted, console)),
        Some(_) | None => Ok(()),
    }
}

fn compare_parts(row: &Row, outcome: &Outcome) -> Result<(), Mismatch> {
    let parts = Parts::of(&outcome.value);
    let wanted = Parts { unknowns: row.unknowns.clone(), sensitive: row.sensitive_paths.clone() }.sorted();
    if parts.unknowns != wanted.unknowns {
        let (wanted, found) = (format!("{:?}", wanted.unknowns), format!("{:?}", parts.unknowns));
        return Err(Mismatch::new("refinement", wanted, found));
    }
    if parts.sensitive != wanted.sensitive {
        let (wanted, found) = (format!("{:?}", wanted.sensitive), format!("{:?}", parts.sensitive));
        return Err(Mismatch::new("marks", wanted, found));
    }
    Ok(())
}

fn shown(outcome: &Outcome) -> String {
    notation::one_line(&outcome.value)
}

fn described(error: &Diagnostic) -> String {
    let span = error.subject.as_ref().map_or("?".to_owned(), |subject| format!("{:?}", subject.span));
    format!("{:?} at {span}: {}", error.title(), error.detail)
}
