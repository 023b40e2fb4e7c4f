//! Cases of expressions.

use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_eval::Variables;
use terrane_source::{Diagnostic, MemoryFiles, Span};
use terrane_syntax::tree::Item;
use terrane_syntax::{Expr, Expression, parse_body};
use terrane_value::{Bound, Refinement, SmolStr, Value, display};

use super::case::Case;
use super::markdown::Fence;
use super::statement::{Statement, statements};
use super::update::Edit;
use crate::engine::{self, Outcome};
use crate::notation;

/// Evaluates the expressions of a case; an edit for each whose assertions do not hold.
///
/// # Errors
///
/// A line number and the mistake in that line.
pub fn run(case: &Case) -> Result<Vec<Edit>, String> {
    let variables = variables(&case.variables)?;
    let mut edits = Vec::new();
    for fence in &case.expressions {
        for statement in statements(fence)? {
            let outcome = engine::evaluate_text(&statement.expression(), &variables, &MemoryFiles::new());
            let found = found(&statement, &outcome);
            if !holds(&statement.assertions, &found, &outcome) {
                let new = statement.with_assertions(&found);
                edits.push(Edit { line: statement.line, old: statement.lines, new });
            }
        }
    }
    Ok(edits)
}

/// The scope of expressions: an object named `var`. In the fences `unknown(TYPE)` stands for an unknown value.
fn variables(fences: &[Fence]) -> Result<Variables, String> {
    let mut attributes: BTreeMap<SmolStr, Value> = BTreeMap::new();
    let object = |attributes: &BTreeMap<SmolStr, Value>| {
        Variables::new().with("var", Value::object(attributes.clone()))
    };
    for fence in fences {
        let at = |message: &str| format!("{}: {message}", fence.line);
        let parsed = parse_body(&engine::source("vars", &fence.text()));
        if let Some(error) = parsed.diagnostics.first() {
            return Err(at(&error.detail));
        }
        let body = parsed.tree.body(parsed.root);
        for item in parsed.tree.list(body.items) {
            let Item::Attribute(attribute) = item else { return Err(at("a block among the variables")) };
            let attribute = parsed.tree.attribute(*attribute);
            let name = parsed.tree.slice(attribute.name);
            let expression = Expression { tree: Arc::clone(&parsed.tree), id: attribute.expr };
            let value = variable(&expression, &object(&attributes)).map_err(|message| at(&message))?;
            attributes.insert(SmolStr::from(name), value);
        }
    }
    Ok(object(&attributes))
}

fn variable(expression: &Expression, variables: &Variables) -> Result<Value, String> {
    let tree = &expression.tree;
    if let Expr::Call(call) = tree.expr(expression.id)
        && let call = tree.call(call)
        && tree.slice(call.name) == "unknown"
        && let [argument] = tree.list(call.arguments)
    {
        let constraint = engine::type_constraint_of(&Expression { tree: Arc::clone(tree), id: *argument });
        let constraint = constraint.map_err(|errors| format!("{errors:?}"))?;
        return Ok(Value::unknown(constraint.ty.without_optional()));
    }
    let outcome = engine::evaluate_expression(expression, variables, &MemoryFiles::new());
    let error = outcome.errors().next().map(|error| error.detail.clone());
    error.map_or(Ok(outcome.value), Err)
}

/// The true assertions about an expression.
fn found(statement: &Statement, outcome: &Outcome) -> Vec<String> {
    let code = statement.code.join("\n");
    let diagnostics = outcome.diagnostics.iter();
    let mut found: Vec<String> =
        diagnostics.map(|diagnostic| described(diagnostic, &code, statement.prefix())).collect();
    if outcome.is_error() {
        return found;
    }
    let wanted = |kind: &str| statement.assertions.iter().any(|assertion| assertion.starts_with(kind));
    found.push(format!("=> {}", notation::one_line(&outcome.value)));
    if wanted("type: ") {
        found.push(format!("type: {}", outcome.value.ty()));
    }
    if wanted("refined: ") {
        let refinement = outcome.value.as_unknown().map_or(&Refinement::NONE, |unknown| &unknown.refinement);
        found.push(format!("refined: {}", refined(refinement)));
    }
    found
}

/// Whether the assertions match the result. A value of several lines is compared with the console's text.
fn holds(assertions: &[String], found: &[String], outcome: &Outcome) -> bool {
    let same = |assertion: &String, found: &String| {
        assertion == found
            || (found.starts_with("=> ") && assertion.contains('\n'))
                && assertion.strip_prefix("=> ") == Some(display::console(&outcome.value).as_str())
    };
    assertions.len() == found.len()
        && assertions.iter().zip(found).all(|(assertion, found)| same(assertion, found))
}

/// `error: 5-9 "Title"`: a diagnostic about an expression that stands `prefix` bytes into its text.
pub fn described(diagnostic: &Diagnostic, code: &str, prefix: usize) -> String {
    let severity = if diagnostic.is_error() { "error" } else { "warning" };
    let columns = diagnostic.subject.as_ref().map_or("-".to_owned(), |subject| {
        let prefix = u32::try_from(prefix).unwrap_or(0);
        columns(code, Span::new(subject.span.start + prefix, subject.span.end + prefix))
    });
    format!("{severity}: {columns} {:?}", diagnostic.title())
}

/// First and last column of a span, from 1, with the line in front where that is not the first: `5-9`, `2:1-4`,
/// `1:5-2:3`, and only the column where the span is empty.
pub fn columns(text: &str, span: Span) -> String {
    let place = |offset: u32| {
        let before = text.get(..offset as usize).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    };
    let (line, column) = place(span.start);
    let start = if line == 1 { column.to_string() } else { format!("{line}:{column}") };
    let last = text.get(span.range()).and_then(|text| text.char_indices().next_back());
    let Some((last, _)) = last else { return start };
    let (last_line, last_column) = place(span.start.saturating_add(u32::try_from(last).unwrap_or(0)));
    match last_line == line {
        true => format!("{start}-{last_column}"),
        false => format!("{line}:{column}-{last_line}:{last_column}"),
    }
}

/// The refinements of an unknown value as text: `not null, prefix "a-", 1 <= it <= 3, length 0..2`.
fn refined(refinement: &Refinement) -> String {
    let mut facts = Vec::new();
    if refinement.not_null {
        facts.push("not null".to_owned());
    }
    if let Some(prefix) = &refinement.prefix {
        facts.push(format!("prefix {}", display::quote(prefix)));
    }
    if let Some(Bound { number: bound, is_inclusive: inclusive }) = &refinement.min {
        facts.push(format!("{} {bound}", if *inclusive { ">=" } else { ">" }));
    }
    if let Some(Bound { number: bound, is_inclusive: inclusive }) = &refinement.max {
        facts.push(format!("{} {bound}", if *inclusive { "<=" } else { "<" }));
    }
    if refinement.length_min > 0 {
        facts.push(format!("length >= {}", refinement.length_min));
    }
    if let Some(most) = refinement.length_max {
        facts.push(format!("length <= {most}"));
    }
    if facts.is_empty() { "nothing".to_owned() } else { facts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_like_an_editor() {
        let text = "a = é.b\n  x";
        assert_eq!(columns(text, Span::new(4, 8)), "5-7");
        assert_eq!(columns(text, Span::new(6, 6)), "6");
        assert_eq!(columns(text, Span::new(11, 12)), "2:3-3");
        assert_eq!(columns(text, Span::new(4, 12)), "1:5-2:3");
    }
}
