//! Differences as the text of a plan shows them: a line for each part, with the sign of its action.

use std::fmt::{self, Write as _};

use terrane_syntax::is_identifier;
use terrane_value::display::quote;
use terrane_value::{SmolStr, counted};

use super::budget::PlanText;
use super::difference::{Action, Kind, NestedBlock, Primitive, Source, ValueDifference};
use super::shown::Shown;
use super::strings::{string, string_change};

pub(super) const SENSITIVE: &str = "(sensitive value)";
const UNKNOWN: &str = "(known after apply)";
/// The attributes that are shown even if they do not change.
const IMPORTANT: [&str; 3] = ["id", "name", "tags"];

impl ValueDifference {
    /// Writes the text behind a sign and a name. The maximum depth of values bounds the recursion.
    pub(super) fn write(&self, out: &mut PlanText<'_>, shown: Shown) -> fmt::Result {
        let forced = if self.replaces { " # forces replacement" } else { "" };
        let null = shown.null(self.action);
        match &self.kind {
            Kind::Primitive(before, after) => self.primitive(before.as_ref(), after.as_ref(), out, shown),
            Kind::Unknown(None) => write!(out, "{UNKNOWN}{forced}"),
            Kind::Unknown(Some(before)) => {
                before.write(out, shown.inside_removed())?;
                write!(out, " -> {UNKNOWN}{forced}")
            }
            Kind::Sensitive => write!(out, "{SENSITIVE}{null}{forced}"),
            Kind::WriteOnly { is_sensitive: true } => write!(out, "(sensitive, write-only attribute){null}"),
            Kind::WriteOnly { is_sensitive: false } => write!(out, "(write-only attribute){null}"),
            Kind::Object(attributes, source) => {
                let names = attributes.iter().map(|(name, part)| (written(name), part)).collect();
                let inside = Shown { is_inside_removed: *source == Source::Type, ..shown };
                named(out, names, NameKind::Attributes, inside)?;
                out.write_str(null)
            }
            Kind::Map(entries, source) => {
                let is_inside_removed = self.action == Action::Delete || *source == Source::NestedAttributes;
                let names = entries.iter().map(|(name, part)| (quote(name), part)).collect();
                let names_of = if *source == Source::Type { NameKind::Keys } else { NameKind::KeysOfObjects };
                named(out, names, names_of, Shown { is_inside_removed, ..shown })?;
                out.write_str(null)
            }
            Kind::List(elements, source) => {
                list(out, elements, shown, *source == Source::Type)?;
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

    fn primitive(
        &self,
        before: Option<&Primitive>,
        after: Option<&Primitive>,
        out: &mut PlanText<'_>,
        shown: Shown,
    ) -> fmt::Result {
        // The action is an update even if only the sensitivity changes.
        let action =
            if self.action == Action::Update && before == after { Action::Keep } else { self.action };
        match (action, before, after) {
            (Action::Create | Action::Keep, _, Some(Primitive::Text(text))) => {
                string(out, text, action, shown)
            }
            (Action::Create | Action::Keep, _, after) => out.write_str(&written_value(after)),
            (Action::Delete, Some(Primitive::Text(text)), _) => string(out, text, Action::Delete, shown),
            (Action::Delete, None, _) => out.write_str("null"),
            (Action::Delete, before, _) => {
                write!(out, "{}{}", written_value(before), shown.null(self.action))
            }
            (Action::Update, Some(Primitive::Text(old)), Some(Primitive::Text(new))) => {
                string_change(out, old, new, shown)
            }
            (Action::Update, before, after) => {
                write!(out, "{} -> {}", written_value(before), written_value(after))
            }
        }
    }

    /// Writes the line before a part whose sensitivity changes.
    fn warning(&self, out: &mut PlanText<'_>, shown: Shown, noun: &str) -> fmt::Result {
        let Some(change) = &self.sensitivity else { return Ok(()) };
        let first = match change.is_gained {
            true => "becomes sensitive: it is not shown after the apply.",
            false => "is no longer sensitive: it is shown after the apply.",
        };
        let same = if change.is_changed || noun != "value" { "" } else { " It stays the same." };
        shown.indent(out)?;
        writeln!(out, "  # Warning: this {noun} {first}{same}")
    }

    /// Writes the line of an element.
    fn element(&self, out: &mut PlanText<'_>, shown: Shown) -> fmt::Result {
        self.warning(out, shown, "value")?;
        shown.indent(out)?;
        write!(out, "{} ", self.action.sign())?;
        self.write(out, shown)?;
        out.write_str(",\n")
    }
}

/// The kinds of names of parts. The layout depends on them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Attributes,
    Keys,
    /// The keys of objects with a schema, which are not aligned.
    KeysOfObjects,
}

impl NameKind {
    fn noun(self) -> &'static str {
        match self {
            NameKind::Attributes => "attribute",
            NameKind::Keys | NameKind::KeysOfObjects => "element",
        }
    }
}

/// Writes parts with names in braces, each on a line.
fn named(
    out: &mut PlanText<'_>,
    parts: Vec<(String, &ValueDifference)>,
    names: NameKind,
    shown: Shown,
) -> fmt::Result {
    if parts.is_empty() {
        return out.write_str("{}");
    }
    out.write_str("{\n")?;
    named_lines(out, parts, names, shown.inner())?;
    shown.close(out, "}")
}

/// Writes a line for each part that changes, and a line with the number of the unchanged parts.
fn named_lines(
    out: &mut PlanText<'_>,
    parts: Vec<(String, &ValueDifference)>,
    names: NameKind,
    shown: Shown,
) -> fmt::Result {
    let width = match names {
        NameKind::Attributes | NameKind::Keys => width(parts.iter().map(|(name, _)| name.as_str())),
        NameKind::KeysOfObjects => 0,
    };
    let mut kept = 0_usize;
    for (name, part) in parts {
        let is_important = names == NameKind::Attributes && IMPORTANT.contains(&name.as_str());
        if part.action == Action::Keep && !is_important && !shown.shows_kept {
            kept += 1;
            continue;
        }
        let shown = shown.with_kept(is_important);
        part.warning(out, shown, "value")?;
        shown.indent(out)?;
        write!(out, "{} {} = ", part.action.sign(), padded(&name, width))?;
        part.write(out, shown)?;
        let is_object = matches!(part.kind, Kind::Object(..)) && names != NameKind::Attributes;
        out.write_str(if is_object { ",\n" } else { "\n" })?;
    }
    kept_line(out, kept, names.noun(), shown)
}

/// Returns the width of a column of names. As in the reference, it counts bytes, although names are padded by their characters.
pub(super) fn width<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    names.map(str::len).max().unwrap_or_default()
}

/// Returns a name with spaces behind it, up to the width of its column. The padding of `format!` ends at 65,535 characters.
pub(super) fn padded(name: &str, width: usize) -> String {
    let spaces = width.saturating_sub(name.chars().count());
    format!("{name}{}", " ".repeat(spaces))
}

/// Writes the line about parts that are not shown. Writes nothing if there are none.
fn kept_line(out: &mut PlanText<'_>, kept: usize, noun: &str, shown: Shown) -> fmt::Result {
    if kept == 0 {
        return Ok(());
    }
    shown.indent(out)?;
    writeln!(out, "    # ({} hidden)", counted(kept, &format!("unchanged {noun}")))
}

/// Writes elements in brackets. In an ordered collection, the neighbours of a change are shown too.
fn list(out: &mut PlanText<'_>, elements: &[ValueDifference], shown: Shown, has_order: bool) -> fmt::Result {
    if elements.is_empty() {
        return out.write_str("[]");
    }
    let parts = shown.inner().inside_removed();
    let whole = Shown { shows_kept: true, ..shown.inner() };
    out.write_str("[\n")?;
    let mut kept: Vec<&ValueDifference> = Vec::new();
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
    out: &mut PlanText<'_>,
    attributes: &[(SmolStr, ValueDifference)],
    blocks: &[NestedBlock],
    shown: Shown,
) -> fmt::Result {
    if attributes.is_empty() && blocks.is_empty() {
        return out.write_str("{}");
    }
    out.write_str("{\n")?;
    let inner = shown.inner();
    let names = attributes.iter().map(|(name, part)| (written(name), part)).collect();
    named_lines(out, names, NameKind::Attributes, inner)?;
    let mut kept = 0;
    let mut last_type = None;
    for NestedBlock { block_type, label, difference } in blocks {
        if difference.action == Action::Keep && !shown.shows_kept {
            kept += 1;
            continue;
        }
        if last_type != Some(block_type) && !attributes.is_empty() {
            out.write_str("\n")?;
        }
        last_type = Some(block_type);
        difference.warning(out, inner, "block")?;
        inner.indent(out)?;
        write!(out, "{} {}", difference.action.sign(), written(block_type))?;
        if let Some(label) = label {
            write!(out, " {}", quote(label))?;
        }
        out.write_str(" ")?;
        if matches!(difference.kind, Kind::Sensitive) {
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

/// Returns the text of a primitive value.
fn written_value(value: Option<&Primitive>) -> String {
    match value {
        None => "null".to_owned(),
        Some(Primitive::Text(text)) => quote(text),
        Some(Primitive::Literal(text)) => text.clone(),
    }
}

/// Returns a name as it is written. A state may have names that are no identifiers.
pub(super) fn written(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quote(name) }
}
