//! Differences as the text of a plan shows them: a line for each part, with the sign of its action.

use std::fmt::{self, Write as _};

use terrane_syntax::is_identifier;
use terrane_value::display::{console, quote};
use terrane_value::{SmolStr, Value, json};

use super::budget::Text;
use super::difference::{Action, Comparer, Difference, Kind, NestedBlock, SensitivityChange, Side, lines};
use crate::secrets::Secrets;

pub(super) const SENSITIVE: &str = "(sensitive value)";
const UNKNOWN: &str = "(known after apply)";
/// The attributes that are shown even where they do not change.
const IMPORTANT: [&str; 3] = ["id", "name", "tags"];
/// The spaces of a step.
const INDENT: usize = 4;
const SPACES: &str = "                                                                                ";
/// Limits on the JSON texts that are shown as values.
const MOST_JSON_BYTES: usize = 1 << 20;
const MOST_JSON_VALUES: usize = 1 << 17;
const MOST_JSON_DEPTH: usize = 64;

/// How a difference is shown.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// The steps before its lines.
    indent: usize,
    /// Whether a removed value has no `-> null`, as one around it has.
    is_inside_removed: bool,
    /// Whether parts are shown that do not change.
    shows_kept: bool,
}

impl Shown {
    /// How an object is shown.
    pub(super) fn whole(shows_kept: bool) -> Shown {
        Shown { shows_kept, ..Shown::default() }
    }

    /// How its parts are shown, one step further.
    fn inner(self) -> Shown {
        Shown { indent: self.indent + 1, ..self }
    }

    fn inside_removed(self) -> Shown {
        Shown { is_inside_removed: true, ..self }
    }

    fn indent(self, out: &mut Text<'_>) -> fmt::Result {
        let mut left = self.indent * INDENT;
        while left > 0 {
            let spaces = SPACES.get(..left).unwrap_or(SPACES);
            out.write_str(spaces)?;
            left -= spaces.len();
        }
        Ok(())
    }

    /// The line with the bracket that closes the value.
    fn close(self, out: &mut Text<'_>, bracket: &str) -> fmt::Result {
        self.inner().indent(out)?;
        out.write_str(bracket)
    }
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
    /// Writes the text behind a sign and a name. The depth is bounded by that of values.
    pub(super) fn write(&self, out: &mut Text<'_>, shown: Shown) -> fmt::Result {
        let forced = if self.replaces { " # forces replacement" } else { "" };
        let null = self.null(shown);
        match &self.kind {
            Kind::Primitive(before, after) => self.primitive(before.as_ref(), after.as_ref(), out, shown),
            Kind::Unknown(None) => write!(out, "{UNKNOWN}{forced}"),
            Kind::Unknown(Some(before)) => {
                before.write(out, shown.inside_removed())?;
                write!(out, " -> {UNKNOWN}{forced}")
            }
            Kind::Sensitive(..) => write!(out, "{SENSITIVE}{null}{forced}"),
            Kind::Object(attributes) => {
                let names = attributes.iter().map(|(name, part)| (written(name), part)).collect();
                named(out, names, "attribute", shown.inside_removed())?;
                out.write_str(null)
            }
            Kind::Map(entries) => {
                let parts = Shown { is_inside_removed: self.action == Action::Delete, ..shown };
                let names = entries.iter().map(|(name, part)| (quote(name), part)).collect();
                named(out, names, "element", parts)?;
                out.write_str(null)
            }
            Kind::List(elements) => {
                list(out, elements, shown, true)?;
                out.write_str(null)
            }
            Kind::Set(elements) => {
                list(out, elements, shown, false)?;
                out.write_str(null)
            }
            Kind::Replaced(before, after) => {
                before.write(out, shown.inside_removed())?;
                out.write_str(" -> ")?;
                after.write(out, shown)?;
                out.write_str(forced)
            }
            Kind::Body(attributes, blocks) => body(out, attributes, blocks, shown),
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
        out: &mut Text<'_>,
        shown: Shown,
    ) -> fmt::Result {
        let null = self.null(shown);
        let (old, new) = (before.and_then(Value::as_str), after.and_then(Value::as_str));
        match (self.action, old, new) {
            (Action::Create | Action::Keep, _, Some(text)) => string(out, text, self.action, shown),
            (Action::Create | Action::Keep, ..) => out.write_str(&written_value(after)),
            (Action::Delete, Some(text), _) => string(out, text, Action::Delete, shown),
            (Action::Delete, ..) => write!(out, "{}{null}", written_value(before)),
            (Action::Update, Some(old), Some(new)) => string_change(out, old, new, shown),
            (Action::Update, ..) => write!(out, "{} -> {}", written_value(before), written_value(after)),
        }
    }

    /// Writes the line before a part whose sensitivity changes.
    fn warning(&self, out: &mut Text<'_>, shown: Shown) -> fmt::Result {
        let Kind::Sensitive(inner, Some(change)) = &self.kind else { return Ok(()) };
        let first = match change {
            SensitivityChange::Gained => "this value becomes sensitive: it is not shown after the apply.",
            SensitivityChange::Lost => "this value is no longer sensitive: it is shown after the apply.",
        };
        let same = if inner.action == Action::Keep { " It stays the same." } else { "" };
        shown.indent(out)?;
        writeln!(out, "  # Warning: {first}{same}")
    }

    /// Writes the line of an element.
    fn element(&self, out: &mut Text<'_>, shown: Shown) -> fmt::Result {
        self.warning(out, shown)?;
        shown.indent(out)?;
        write!(out, "{} ", self.action.sign())?;
        self.write(out, shown)?;
        out.write_str(",\n")
    }
}

/// Parts with names in braces, each on a line.
fn named(out: &mut Text<'_>, parts: Vec<(String, &Difference)>, noun: &str, shown: Shown) -> fmt::Result {
    if parts.is_empty() {
        return out.write_str("{}");
    }
    out.write_str("{\n")?;
    named_lines(out, parts, noun, shown.inner())?;
    shown.close(out, "}")
}

/// A line for each part that changes, and one with the number of the others.
fn named_lines(
    out: &mut Text<'_>,
    parts: Vec<(String, &Difference)>,
    noun: &str,
    shown: Shown,
) -> fmt::Result {
    let width = width(parts.iter().map(|(name, _)| name.as_str()));
    let mut kept = 0_usize;
    for (name, part) in parts {
        let is_important = noun == "attribute" && IMPORTANT.contains(&name.as_str());
        if part.action == Action::Keep && !is_important && !shown.shows_kept {
            kept += 1;
            continue;
        }
        let shown = Shown { shows_kept: shown.shows_kept || is_important, ..shown };
        part.warning(out, shown)?;
        shown.indent(out)?;
        write!(out, "{} {name:width$} = ", part.action.sign())?;
        part.write(out, shown)?;
        out.write_str("\n")?;
    }
    kept_line(out, kept, noun, shown)
}

/// The width of a column of names. As in the reference, bytes are counted here, but names are filled up by their characters.
pub(super) fn width<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    names.map(str::len).max().unwrap_or_default()
}

/// The line about parts that are not shown; none if there are none.
fn kept_line(out: &mut Text<'_>, kept: usize, noun: &str, shown: Shown) -> fmt::Result {
    let end = if kept == 1 { "" } else { "s" };
    if kept == 0 {
        return Ok(());
    }
    shown.indent(out)?;
    writeln!(out, "    # ({kept} unchanged {noun}{end} hidden)")
}

/// Elements in brackets. In an order, those beside a change are shown too.
fn list(out: &mut Text<'_>, elements: &[Difference], shown: Shown, has_order: bool) -> fmt::Result {
    if elements.is_empty() {
        return out.write_str("[]");
    }
    let parts = shown.inner().inside_removed();
    let whole = Shown { shows_kept: true, ..shown.inner() };
    out.write_str("[\n")?;
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
            kept_line(out, kept.len(), "element", parts)?;
            last.element(out, whole)?;
            kept.clear();
        }
        element.element(out, if is_kept && has_order { whole } else { parts })?;
    }
    kept_line(out, kept.len(), "element", parts)?;
    shown.close(out, "]")
}

fn body(
    out: &mut Text<'_>,
    attributes: &[(SmolStr, Difference)],
    blocks: &[NestedBlock],
    shown: Shown,
) -> fmt::Result {
    if attributes.is_empty() && blocks.is_empty() {
        return out.write_str("{}");
    }
    out.write_str("{\n")?;
    let inner = shown.inner();
    let names = attributes.iter().map(|(name, part)| (written(name), part)).collect();
    named_lines(out, names, "attribute", inner)?;
    let mut kept = 0;
    let mut last_type = None;
    for NestedBlock { header, difference } in blocks {
        if difference.action == Action::Keep && !shown.shows_kept {
            kept += 1;
            continue;
        }
        let block_type = header.split(' ').next();
        if last_type != Some(block_type) && !out.as_str().ends_with("{\n") {
            out.write_str("\n")?;
        }
        last_type = Some(block_type);
        inner.indent(out)?;
        write!(out, "{} {header} ", difference.action.sign())?;
        if matches!(difference.kind, Kind::Sensitive(..)) {
            out.write_str("{\n")?;
            inner.close(out, &format!("    # {SENSITIVE}\n"))?;
            inner.close(out, "}")?;
        } else {
            difference.write(out, inner)?;
        }
        out.write_str("\n")?;
    }
    if kept > 0 {
        out.write_str("\n")?;
        kept_line(out, kept, "block", inner)?;
    }
    shown.close(out, "}")
}

/// A primitive value.
fn written_value(value: Option<&Value>) -> String {
    match value.map(|value| (value, value.as_str())) {
        None => "null".to_owned(),
        Some((_, Some(text))) => quote(text),
        Some((value, None)) => match console(value).as_str() {
            "-0" => "0".to_owned(),
            text => text.to_owned(),
        },
    }
}

/// The value of a JSON text with an object or an array. A long or deep text is shown as it is.
fn json_value(text: &str) -> Option<Value> {
    let is_json =
        text.starts_with(['{', '[']) && text.len() <= MOST_JSON_BYTES && json_depth(text) <= MOST_JSON_DEPTH;
    is_json.then(|| json::decode_within(text, MOST_JSON_VALUES).ok()).flatten()
}

/// The most brackets of a JSON text that are open at once.
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

/// A string of one line, of several ones, or with JSON, and the end of a removed one.
fn string(out: &mut Text<'_>, text: &str, action: Action, shown: Shown) -> fmt::Result {
    if let Some(value) = json_value(text) {
        let side = Side::implicit(Some(&value));
        let (before, after) = match action {
            Action::Create => (Side::NONE, side),
            Action::Delete => (side, Side::NONE),
            Action::Keep | Action::Update => (side, side),
        };
        return json_text(out, before, after, action, shown);
    }
    match text.contains('\n') {
        true => heredoc(out, text.trim().split('\n').map(|line| (Action::Keep, line)), shown)?,
        false => out.write_str(&quote(text))?,
    }
    out.write_str(if action == Action::Delete && !shown.is_inside_removed { " -> null" } else { "" })
}

fn string_change(out: &mut Text<'_>, old: &str, new: &str, shown: Shown) -> fmt::Result {
    match (json_value(old), json_value(new)) {
        (Some(old), Some(new)) => {
            let (old, new) = (Side::implicit(Some(&old)), Side::implicit(Some(&new)));
            json_text(out, old, new, Action::Update, shown)
        }
        (None, None) if old.contains('\n') || new.contains('\n') => {
            let trimmed =
                |text: &'_ str| if text.contains('\n') { text.trim().to_owned() } else { text.to_owned() };
            heredoc(out, lines(&trimmed(old), &trimmed(new), out.budget).into_iter(), shown)
        }
        (None, None) => write!(out, "{} -> {}", quote(old), quote(new)),
        (Some(_), None) | (None, Some(_)) => {
            string(out, old, Action::Delete, shown.inside_removed())?;
            out.write_str(" -> ")?;
            string(out, new, Action::Create, shown)
        }
    }
}

/// Lines of a text with their signs.
fn heredoc<'t>(
    out: &mut Text<'_>,
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

/// The difference between JSON texts. Texts with the same value differ in spaces alone. A removed text on one line has no `-> null`.
fn json_text(
    out: &mut Text<'_>,
    before: Side<'_>,
    after: Side<'_>,
    action: Action,
    shown: Shown,
) -> fmt::Result {
    let budget = out.budget;
    let difference = Comparer { secrets: Secrets::Shown, budget }.values(before, after, None);
    let is_space = difference.action == Action::Keep && action == Action::Update;
    let note = if is_space { " # whitespace changes" } else { "" };
    let inside = Shown { shows_kept: shown.shows_kept || is_space, ..shown.inner().inside_removed() };
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
    out.write_str(if action == Action::Delete && !shown.is_inside_removed { " -> null" } else { "" })
}

/// A name as it is written: a state may have one that is no identifier.
pub(super) fn written(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quote(name) }
}
