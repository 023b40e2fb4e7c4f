//! Writes strings in the text of a plan: on one line, as lines, or as the JSON value that they contain.

use std::fmt::{self, Write as _};

use terrane_value::display::quote;
use terrane_value::json::{self, Json};

use super::budget::{PlanText, TextBudget};
use super::difference::Action;
use super::json_difference::json_difference;
use super::sequences::lines;
use super::shown::Shown;

/// Limits on the JSON texts that are shown as values.
const MAX_JSON_BYTES: usize = 1 << 20;
const MAX_JSON_VALUES: usize = 1 << 17;
const MAX_JSON_DEPTH: usize = 64;

/// Returns the value of a JSON text with an object or an array. `None` for a long or deep text, and for a text beyond the limit on all
/// of them, which is shown as it is.
fn json_value<'t>(text: &'t str, budget: &TextBudget<'_>) -> Option<Json<'t>> {
    let may_be_json = text.starts_with(['{', '[']) && text.len() <= MAX_JSON_BYTES;
    let is_json = may_be_json && budget.take_json(text.len()) && json_depth(text) <= MAX_JSON_DEPTH;
    is_json.then(|| json::parse(text, MAX_JSON_VALUES).ok()).flatten()
}

/// Returns the largest number of brackets of a JSON text that are open at once.
fn json_depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut is_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            b'{' | b'[' if !is_string => depth += 1,
            b'}' | b']' if !is_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Writes a string: on one line, as several lines or as JSON. A removed string ends in ` -> null`.
pub(super) fn string(out: &mut PlanText<'_>, text: &str, action: Action, shown: Shown) -> fmt::Result {
    if let Some(value) = json_value(text, out.budget) {
        let value = Some(&value);
        let (before, after) = match action {
            Action::Create => (None, value),
            Action::Delete => (value, None),
            Action::Keep | Action::Update => (value, value),
        };
        return json_text(out, before, after, action, shown);
    }
    match text.contains('\n') {
        true => heredoc(out, text.trim().split('\n').map(|line| (Action::Keep, line)), shown)?,
        false => out.write_str(&quote(text))?,
    }
    out.write_str(shown.null(action))
}

/// Writes a string that changes.
pub(super) fn string_change(out: &mut PlanText<'_>, old: &str, new: &str, shown: Shown) -> fmt::Result {
    match (json_value(old, out.budget), json_value(new, out.budget)) {
        (Some(old), Some(new)) => json_text(out, Some(&old), Some(&new), Action::Update, shown),
        (None, None) if old.contains('\n') || new.contains('\n') => {
            heredoc(out, lines(trimmed(old), trimmed(new), out.budget), shown)
        }
        (None, None) => write!(out, "{} -> {}", quote(old), quote(new)),
        (Some(_), None) | (None, Some(_)) => {
            string(out, old, Action::Delete, shown.inside_removed())?;
            out.write_str(" -> ")?;
            string(out, new, Action::Create, shown)
        }
    }
}

/// Returns a text of several lines without the space around it.
fn trimmed(text: &str) -> &str {
    if text.contains('\n') { text.trim() } else { text }
}

/// Writes lines of a text with their signs.
fn heredoc<'t>(
    out: &mut PlanText<'_>,
    lines: impl Iterator<Item = (Action, &'t str)>,
    shown: Shown,
) -> fmt::Result {
    out.write_str("<<-EOT\n")?;
    for (action, line) in lines {
        shown.inner().indent(out)?;
        writeln!(out, "{} {line}", action.sign())?;
    }
    shown.close(out, "EOT")
}

/// Writes the difference between JSON texts. Texts with the same value differ only in white space. A removed text on one line
/// has no `-> null`.
fn json_text(
    out: &mut PlanText<'_>,
    before: Option<&Json<'_>>,
    after: Option<&Json<'_>>,
    action: Action,
    shown: Shown,
) -> fmt::Result {
    let difference = json_difference(before, after, out.budget);
    let is_space = difference.action == Action::Keep && action == Action::Update;
    let note = if is_space { " # whitespace changes" } else { "" };
    let inside = shown.inner().inside_removed().with_kept(is_space);
    if !difference.has_lines() {
        out.write_str("jsonencode(")?;
        difference.write(out, inside)?;
        return write!(out, "){note}");
    }
    let is_update = action == Action::Update && !is_space;
    let sign = if is_update { Action::Update.sign() } else { Action::Keep.sign() };
    writeln!(out, "jsonencode({note}")?;
    inside.indent(out)?;
    write!(out, "{sign} ")?;
    difference.write(out, inside)?;
    out.write_str("\n")?;
    shown.close(out, ")")?;
    out.write_str(shown.null(action))
}
