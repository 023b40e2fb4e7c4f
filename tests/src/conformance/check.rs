//! Whether the library's answer to a row is the row's.

use terrane_body::BodySpec;
use terrane_eval::Variables;
use terrane_source::{Diagnostic, MemoryFiles, Span};
use terrane_value::Type;

use super::compare::{Parts, is_value, parse_type};
use super::row::Row;
use crate::engine::{self, Outcome, evaluate_text};
use crate::notation;

/// A difference between an answer and its row.
#[derive(Debug)]
pub struct Mismatch {
    /// The aspect that differs, in a word or two.
    pub aspect: &'static str,
    /// The row.
    pub wanted: String,
    /// The library.
    pub found: String,
}

impl Mismatch {
    /// A difference in `aspect`.
    pub fn new(aspect: &'static str, wanted: impl Into<String>, found: impl Into<String>) -> Mismatch {
        Mismatch { aspect, wanted: wanted.into(), found: found.into() }
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
        Ok(value) => compare(row, &Outcome { value, ..input }),
        // The place and the title of this error are the business of whoever asks for the conversion.
        Err(_) if row.phase == "convert" => Ok(()),
        Err(error) => Err(Mismatch::new("conversion", wanted_answer(row), error.to_string())),
    }
}

/// Runs a row of `schema.jsonl`: decodes the body.
///
/// # Errors
///
/// The first difference.
pub fn body(row: &Row, spec: &BodySpec, variables: &Variables) -> Result<(), Mismatch> {
    compare(row, &engine::decode_text(&row.src, row.json_body, spec, variables))
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
    if outcome.ty.is_some() {
        return compare_type(row, outcome);
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
    compare_console(row, outcome)
}

/// Compares the answer to `type(…)`. The tables have only its text and marks.
fn compare_type(row: &Row, outcome: &Outcome) -> Result<(), Mismatch> {
    match &row.r#type {
        Some(raw) if raw.get() == "\"type\"" => {}
        Some(_) | None => return Err(Mismatch::new("type", wanted_answer(row), outcome.console())),
    }
    compare_parts(row, outcome)?;
    compare_console(row, outcome)
}

fn compare_console(row: &Row, outcome: &Outcome) -> Result<(), Mismatch> {
    let console = outcome.console();
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

/// Title, span and text of an error.
pub fn described(error: &Diagnostic) -> String {
    let span = error.subject.as_ref().map_or("?".to_owned(), |subject| format!("{:?}", subject.span));
    format!("{:?} at {span}: {}", error.title(), error.detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::world;

    /// The aspect that differs for a row with `id` and `cat` added, or "" if there is no difference.
    fn differs(row: &str) -> &'static str {
        let row: Row = serde_json::from_str(&format!(r#"{{"id": "x", "cat": "x", {row}}}"#)).unwrap();
        let variables = world::scope().unwrap();
        let check = if row.type_expr.is_empty() { expression } else { conversion };
        check(&row, &variables).err().map_or("", |mismatch| mismatch.aspect)
    }

    #[test]
    fn every_part_of_an_answer_counts() {
        let right = r#""expr": "[var.secret_num, 1.50]", "ok": true, "type": ["tuple", ["number", "number"]],
            "value": [5, 1.5], "sensitive_paths": ["[0]"], "console": "[\n  (sensitive value),\n  1.5,\n]""#;
        assert_eq!(differs(right), "");
        assert_eq!(differs(&right.replace("[0]", "[1]")), "marks");
        assert_eq!(differs(&right.replace("[5, 1.5]", "[5, 2]")), "value");
        assert_eq!(differs(&right.replace("\"number\", \"number\"", "\"number\", \"bool\"")), "type");
        assert_eq!(differs(&right.replace("  1.5,", "  1.50,")), "console text");
        assert_eq!(differs(&right.replace("1.50]\"", "nope]\"")), "an error");
    }

    #[test]
    fn known_facts_about_unknown_values_count() {
        let right = r#""expr": "\"a-${var.u_str}\"", "ok": true, "type": "string", "value": {"__unknown__": true},
            "unknowns": [{"path": "", "type": "string", "not_null": true, "prefix": "a-"}],
            "console": "(known after apply)""#;
        assert_eq!(differs(right), "");
        assert_eq!(differs(&right.replace("true, \"prefix\"", "false, \"prefix\"")), "refinement");
        assert_eq!(differs(&right.replace(r#""prefix": "a-""#, r#""prefix": "b""#)), "refinement");
        assert_eq!(differs(&right.replace(r#"{"__unknown__": true},"#, r#""ab","#)), "value");
    }

    #[test]
    fn errors_count_with_their_place() {
        let right = r#""expr": "1 + true", "ok": false, "phase": "eval", "error_bytes": [4, 8], "in": "expr",
            "title": "Invalid operand""#;
        assert_eq!(differs(right), "");
        assert_eq!(differs(&right.replace("[4, 8]", "[4, 7]")), "span");
        assert_eq!(differs(&right.replace("operand", "index")), "title");
        assert_eq!(differs(&right.replace("1 + true", "1 + 1")), "no error");
    }

    #[test]
    fn failed_conversions_name_the_wrong_text() {
        let right = r#""type_expr": "list(nope)", "input_expr": "[nope]", "ok": false, "phase": "type",
            "error_bytes": [5, 9], "in": "type", "title": "Invalid type specification""#;
        assert_eq!(differs(right), "");
        assert_eq!(differs(&right.replace(r#""in": "type""#, r#""in": "input""#)), "text at fault");
        assert_eq!(differs(&right.replace("list(nope)", "list(bool)")), "title");
        assert_eq!(
            differs(&right.replace("list(nope)", "list(bool)").replace("[nope]", "[5]")),
            "conversion"
        );
    }
}
