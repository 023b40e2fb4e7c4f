//! Differences as the text of a plan shows them: a line for each part, with the sign of its action.

use std::fmt::Write as _;

use terrane_syntax::is_identifier;
use terrane_value::display::{console, quote};
use terrane_value::{SmolStr, Value, json};

use super::difference::{Action, Comparer, Difference, Kind, NestedBlock, SensitivityChange, Side, lines};
use crate::secrets::Secrets;

pub(super) const SENSITIVE: &str = "(sensitive value)";
const UNKNOWN: &str = "(known after apply)";
/// The attributes that are shown even where they do not change.
const IMPORTANT: [&str; 3] = ["id", "name", "tags"];
const INDENT: &str = "    ";

/// How the parts of a difference are shown.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// Whether a removed value has no `-> null`, as one around it has.
    pub(super) is_inside_removed: bool,
    /// Whether parts are shown that do not change.
    pub(super) shows_kept: bool,
}

impl Action {
    /// Its sign, three characters wide.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Action::Keep => "   ",
            Action::Create => "  +",
            Action::Update => "  ~",
            Action::Delete => "  -",
        }
    }
}

impl Difference {
    /// The text behind a sign and a name, whose lines stand behind `indent` steps.
    pub(super) fn text(&self, indent: usize, shown: Shown) -> String {
        let forced = if self.replaces { " # forces replacement" } else { "" };
        let null = self.null(shown);
        match &self.kind {
            Kind::Primitive(before, after) => self.primitive(before.as_ref(), after.as_ref(), indent, shown),
            Kind::Unknown(None) => format!("{UNKNOWN}{forced}"),
            Kind::Unknown(Some(before)) => {
                let inside = Shown { is_inside_removed: true, ..shown };
                format!("{} -> {UNKNOWN}{forced}", before.text(indent, inside))
            }
            Kind::Sensitive(..) => format!("{SENSITIVE}{null}{forced}"),
            Kind::Object(attributes) => {
                let parts = Shown { is_inside_removed: true, ..shown };
                let names = attributes.iter().map(|(name, part)| (written(name), part)).collect();
                named(names, "attribute", indent, parts) + null
            }
            Kind::Map(entries) => {
                let parts = Shown { is_inside_removed: self.action == Action::Delete, ..shown };
                let names = entries.iter().map(|(name, part)| (quote(name), part)).collect();
                named(names, "element", indent, parts) + null
            }
            Kind::List(elements) => list(elements, indent, shown, true) + null,
            Kind::Set(elements) => list(elements, indent, shown, false) + null,
            Kind::Replaced(before, after) => {
                let inside = Shown { is_inside_removed: true, ..shown };
                format!("{} -> {}{forced}", before.text(indent, inside), after.text(indent, shown))
            }
            Kind::Body(attributes, blocks) => body(attributes, blocks, indent, shown),
        }
    }

    /// The end of a removed value.
    fn null(&self, shown: Shown) -> &'static str {
        if self.action == Action::Delete && !shown.is_inside_removed { " -> null" } else { "" }
    }

    fn primitive(
        &self,
        before: Option<&Value>,
        after: Option<&Value>,
        indent: usize,
        shown: Shown,
    ) -> String {
        let null = self.null(shown);
        let texts = |value: Option<&Value>| value.and_then(Value::as_str).map(ToOwned::to_owned);
        let (old, new) = (texts(before), texts(after));
        match (self.action, &old, &new) {
            (Action::Create | Action::Keep, _, Some(text)) => string(text, self.action, indent, shown),
            (Action::Create | Action::Keep, ..) => written_value(after),
            (Action::Delete, Some(text), _) => string(text, Action::Delete, indent, shown) + null,
            (Action::Delete, ..) => written_value(before) + null,
            (Action::Update, Some(old), Some(new)) => string_change(old, new, indent, shown),
            (Action::Update, ..) => format!("{} -> {}", written_value(before), written_value(after)),
        }
    }

    /// The lines before a part whose sensitivity changes.
    fn warning(&self, indent: usize) -> String {
        let Kind::Sensitive(inner, Some(change)) = &self.kind else { return String::new() };
        let first = match change {
            SensitivityChange::Gained => "this value becomes sensitive: it is not shown after the apply.",
            SensitivityChange::Lost => "this value is no longer sensitive: it is shown after the apply.",
        };
        let same = if inner.action == Action::Keep { " It stays the same." } else { "" };
        format!("{}  # Warning: {first}{same}\n", INDENT.repeat(indent))
    }
}

/// Parts with names in braces, each on a line.
fn named(parts: Vec<(String, &Difference)>, noun: &str, indent: usize, shown: Shown) -> String {
    if parts.is_empty() {
        return "{}".to_owned();
    }
    let mut out = "{\n".to_owned();
    named_lines(&mut out, parts, noun, indent + 1, shown);
    out + &INDENT.repeat(indent + 1) + "}"
}

/// A line for each part that changes, and one with the number of the others.
fn named_lines(out: &mut String, parts: Vec<(String, &Difference)>, noun: &str, indent: usize, shown: Shown) {
    let width = parts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let mut kept = 0_usize;
    for (name, part) in parts {
        let is_important = noun == "attribute" && IMPORTANT.contains(&name.as_str());
        if part.action == Action::Keep && !is_important && !shown.shows_kept {
            kept += 1;
            continue;
        }
        let shown = Shown { shows_kept: shown.shows_kept || is_important, ..shown };
        let text = part.text(indent, shown);
        out.push_str(&part.warning(indent));
        // Writing to a string cannot fail.
        _ = writeln!(out, "{}{} {name:width$} = {text}", INDENT.repeat(indent), part.action.sign());
    }
    out.push_str(&kept_line(kept, noun, indent));
}

/// The line about parts that are not shown; empty if there are none.
fn kept_line(kept: usize, noun: &str, indent: usize) -> String {
    let end = if kept == 1 { "" } else { "s" };
    match kept {
        0 => String::new(),
        _ => format!("{}    # ({kept} unchanged {noun}{end} hidden)\n", INDENT.repeat(indent)),
    }
}

/// Elements in brackets. In an order, those beside a change are shown too.
fn list(elements: &[Difference], indent: usize, shown: Shown, has_order: bool) -> String {
    if elements.is_empty() {
        return "[]".to_owned();
    }
    let inner = indent + 1;
    let parts = Shown { is_inside_removed: true, ..shown };
    let whole = Shown { shows_kept: true, ..shown };
    let line = |element: &Difference, shown: Shown| {
        let (sign, text) = (element.action.sign(), element.text(inner, shown));
        format!("{}{}{sign} {text},\n", element.warning(inner), INDENT.repeat(inner))
    };
    let mut out = "[\n".to_owned();
    let mut kept: Vec<&Difference> = Vec::new();
    let mut is_next_shown = false;
    for element in elements {
        let is_kept = element.action == Action::Keep;
        if is_kept && !is_next_shown && !shown.shows_kept {
            kept.push(element);
            continue;
        }
        is_next_shown = has_order && !is_kept;
        if has_order && let Some(last) = kept.pop() {
            out.push_str(&kept_line(kept.len(), "element", inner));
            out.push_str(&line(last, whole));
            kept.clear();
        }
        out.push_str(&line(element, if is_kept && has_order { whole } else { parts }));
    }
    out.push_str(&kept_line(kept.len(), "element", inner));
    out + &INDENT.repeat(inner) + "]"
}

fn body(attributes: &[(SmolStr, Difference)], blocks: &[NestedBlock], indent: usize, shown: Shown) -> String {
    if attributes.is_empty() && blocks.is_empty() {
        return "{}".to_owned();
    }
    let mut out = "{\n".to_owned();
    let names = attributes.iter().map(|(name, part)| (written(name), part)).collect();
    named_lines(&mut out, names, "attribute", indent + 1, shown);
    let mut kept = 0;
    let mut last_type = None;
    for NestedBlock { header, difference } in blocks {
        if difference.action == Action::Keep && !shown.shows_kept {
            kept += 1;
            continue;
        }
        let block_type = header.split(' ').next();
        if last_type != Some(block_type) && !out.ends_with("{\n") {
            out.push('\n');
        }
        last_type = Some(block_type);
        let text = if matches!(difference.kind, Kind::Sensitive(..)) {
            let inner = INDENT.repeat(indent + 2);
            format!("{{\n{inner}    # {SENSITIVE}\n{inner}}}")
        } else {
            difference.text(indent + 1, shown)
        };
        _ = writeln!(out, "{}{} {header} {text}", INDENT.repeat(indent + 1), difference.action.sign());
    }
    if kept > 0 {
        out.push('\n');
        out.push_str(&kept_line(kept, "block", indent + 1));
    }
    out + &INDENT.repeat(indent + 1) + "}"
}

/// A primitive value.
fn written_value(value: Option<&Value>) -> String {
    match value.map(|value| (value, value.as_str())) {
        None => "null".to_owned(),
        Some((_, Some(text))) => quoted(text),
        Some((value, None)) => match console(value).as_str() {
            "-0" => "0".to_owned(),
            text => text.to_owned(),
        },
    }
}

/// A string on one line, with the escapes of the reference.
fn quoted(text: &str) -> String {
    let escaped = |character: char| match character {
        '"' => "\\\"".to_owned(),
        '\'' => "'".to_owned(),
        _ if !character.is_control() && character.escape_debug().count() == 1 => character.to_string(),
        '\n' | '\r' | '\t' | '\\' => character.escape_debug().to_string(),
        '\u{0}'..='\u{7f}' => format!("\\x{:02x}", u32::from(character)),
        '\u{80}'..='\u{ffff}' => format!("\\u{:04x}", u32::from(character)),
        _ => format!("\\U{:08x}", u32::from(character)),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// The value of a JSON text with an object or an array.
fn json_value(text: &str) -> Option<Value> {
    let is_json = text.starts_with(['{', '[']);
    is_json.then(|| json::decode(text).ok()).flatten()
}

/// A string of one line, of several ones, or with JSON.
fn string(text: &str, action: Action, indent: usize, shown: Shown) -> String {
    if let Some(value) = json_value(text) {
        let side = Side::implicit(Some(&value));
        let (before, after) = match action {
            Action::Create => (Side::NONE, side),
            Action::Delete => (side, Side::NONE),
            Action::Keep | Action::Update => (side, side),
        };
        return json_text(before, after, Action::Keep, indent, shown);
    }
    match text.contains('\n') {
        true => heredoc(text.trim().split('\n').map(|line| (Action::Keep, line)), indent),
        false => quoted(text),
    }
}

fn string_change(old: &str, new: &str, indent: usize, shown: Shown) -> String {
    match (json_value(old), json_value(new)) {
        (Some(old), Some(new)) => {
            let (old, new) = (Side::implicit(Some(&old)), Side::implicit(Some(&new)));
            json_text(old, new, Action::Update, indent, shown)
        }
        (None, None) if old.contains('\n') || new.contains('\n') => {
            let trimmed =
                |text: &'_ str| if text.contains('\n') { text.trim().to_owned() } else { text.to_owned() };
            heredoc(lines(&trimmed(old), &trimmed(new)).into_iter(), indent)
        }
        (None, None) => format!("{} -> {}", quoted(old), quoted(new)),
        (Some(_), None) | (None, Some(_)) => {
            let inside = Shown { is_inside_removed: true, ..shown };
            let removed = string(old, Action::Delete, indent, inside);
            format!("{removed} -> {}", string(new, Action::Create, indent, shown))
        }
    }
}

/// Lines of a text with their signs.
fn heredoc<'t>(lines: impl Iterator<Item = (Action, &'t str)>, indent: usize) -> String {
    let inner = INDENT.repeat(indent + 1);
    let lines: String = lines.map(|(action, line)| format!("{inner}{} {line}\n", action.sign())).collect();
    format!("<<-EOT\n{lines}{inner}EOT")
}

/// The difference between JSON texts. Texts with the same value differ in spaces alone.
fn json_text(before: Side<'_>, after: Side<'_>, action: Action, indent: usize, shown: Shown) -> String {
    let difference = Comparer { secrets: Secrets::Shown }.values(before, after, None);
    let is_space = difference.action == Action::Keep && action == Action::Update;
    let (action, note) = if is_space { (Action::Keep, " # whitespace changes") } else { (action, "") };
    let text = difference.text(indent + 1, Shown { shows_kept: shown.shows_kept || is_space, ..shown });
    let inner = INDENT.repeat(indent + 1);
    match text.contains('\n') {
        true => format!("jsonencode({note}\n{inner}{} {text}\n{inner})", action.sign()),
        false => format!("jsonencode({text}){note}"),
    }
}

/// A name as it is written: a state may have one that is no identifier.
pub(super) fn written(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quote(name) }
}
