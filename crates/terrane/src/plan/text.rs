//! The plan as text, in the layout of `terraform plan`.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use terrane_body::{Body, Schema};
use terrane_module::{DestroyedObject, ObjectChange};
use terrane_source::Diagnostics;
use terrane_syntax::is_identifier;
use terrane_value::display::{console, quote};
use terrane_value::{Entries, Known, SmolStr, Value, ValueKind};

use super::Plan;
use super::changes::{address, is_same};
use super::resources::{PlannedAction, PlannedResource};
use crate::secrets::{Secrets, is_hidden};

const UNKNOWN: &str = "(known after apply)";
const SENSITIVE: &str = "(sensitive value)";

/// The signs of parts that are there after, and of parts that were there before.
const ADDED: &str = "+";
const REMOVED: &str = "-";

impl Plan<'_> {
    /// The plan as text: the missing objects, the resources that are created, their number, and the outputs.
    pub fn to_text(&self) -> String {
        let resources = self.changes();
        let mut writer = Writer { out: self.missing_text(), secrets: self.secrets };
        if !writer.out.is_empty() {
            writer.out.push('\n');
        }
        let is_listed = |found: &&&PlannedResource<'_>| !found.is_kept();
        let listed: Vec<&PlannedResource<'_>> = resources.iter().filter(is_listed).copied().collect();
        if !listed.is_empty() || !self.destroyed.is_empty() {
            writer.out.push_str("Resource actions:\n");
            writer.out.push_str(&self.legend(&listed));
            writer.out.push('\n');
        }
        listed.iter().for_each(|resource| writer.resource(resource));
        self.destroyed.iter().for_each(|destroyed| writer.destroyed(destroyed));
        match (
            resources.is_empty() && self.destroyed.is_empty(),
            listed.is_empty() && self.destroyed.is_empty(),
        ) {
            (true, _) => writer.out.push_str("No resources.\n"),
            (false, true) => writer.out.push_str("No changes.\n"),
            (false, false) => writer.line(0, format_args!("{}", self.numbers(&listed))),
        }
        let outputs: Vec<_> = self.output_differences().collect();
        if !outputs.is_empty() {
            writer.out.push_str("\nChanges to Outputs:\n");
        }
        let names = outputs.iter().map(|(name, ..)| written(name).chars().count());
        let width = names.max().unwrap_or_default();
        for (name, before, after, sensitive) in outputs {
            let name = written(name);
            let is_hidden = sensitive && self.secrets == Secrets::Hidden;
            let (sign, text) = match (before, after) {
                (Some(_), Some(_)) if is_hidden => ("~", SENSITIVE.to_owned()),
                (Some(before), Some(after)) => ("~", writer.change(before, after, 2)),
                (Some(_), None) if is_hidden => (REMOVED, format!("{SENSITIVE} -> null")),
                (Some(before), None) => (REMOVED, format!("{} -> null", writer.value(before, REMOVED, 2))),
                (None, Some(_)) if is_hidden => (ADDED, SENSITIVE.to_owned()),
                (None, Some(after)) => (ADDED, writer.value(after, ADDED, 2)),
                (None, None) => (ADDED, "null".to_owned()),
            };
            writer.line(2, format_args!("{sign} {name:width$} = {text}"));
        }
        writer.out
    }

    /// The signs of the actions in the plan.
    fn legend(&self, listed: &[&PlannedResource<'_>]) -> String {
        let has =
            |is_meant: &dyn Fn(PlannedAction) -> bool| listed.iter().any(|found| is_meant(found.action));
        let does = |actions: &[&str]| listed.iter().any(|found| found.actions() == actions);
        let lines = [
            (has(&|action| action == PlannedAction::Create), "  + create\n"),
            (
                has(&|action| matches!(action, PlannedAction::Update { .. } | PlannedAction::Import)),
                "  ~ update in-place\n",
            ),
            (self.destroyed.iter().any(|destroyed| !destroyed.is_forgotten), "  - destroy\n"),
            (self.destroyed.iter().any(|destroyed| destroyed.is_forgotten), "  . forget\n"),
            (does(&["delete", "create"]), "-/+ destroy and then create replacement\n"),
            (does(&["create", "delete"]), "+/- create replacement and then destroy\n"),
            (does(&["read"]), " <= read (data sources)\n"),
        ];
        lines.iter().filter(|(is_there, _)| *is_there).map(|(_, line)| *line).collect()
    }

    /// The number of objects that are created, changed and destroyed.
    fn numbers(&self, listed: &[&PlannedResource<'_>]) -> String {
        let count = |name: &str| listed.iter().filter(|found| found.actions().contains(&name)).count();
        let destroyed = self.destroyed.iter().filter(|destroyed| !destroyed.is_forgotten).count();
        let (added, changed) = (count("create"), count("update"));
        let imported = match listed.iter().filter(|found| found.import_id.is_some()).count() {
            0 => String::new(),
            imported => format!("{imported} to import, "),
        };
        let destroyed = destroyed + count("delete");
        format!("Plan: {imported}{added} to add, {changed} to change, {destroyed} to destroy.")
    }
}

/// The text under construction.
struct Writer {
    out: String,
    secrets: Secrets,
}

impl Writer {
    /// A line behind `indent` spaces.
    fn line(&mut self, indent: usize, text: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn resource(&mut self, resource: &PlannedResource<'_>) {
        let address = resource.address();
        let replaced = if resource.creates_first { "+/-" } else { "-/+" };
        let (keyword, sign, action) = match resource.action {
            PlannedAction::Create => ("resource", "+", "will be created"),
            PlannedAction::NoOp if resource.import_id.is_some() => ("resource", "", "will be imported"),
            PlannedAction::NoOp => ("resource", "", "will not change"),
            PlannedAction::Import => ("resource", "~", "will be imported"),
            PlannedAction::Update { .. } => ("resource", "~", "will be updated in-place"),
            PlannedAction::ReplaceTainted => ("resource", replaced, "is tainted, so it must be replaced"),
            PlannedAction::ReplaceTriggered => {
                ("resource", replaced, "will be replaced due to changes in replace_triggered_by")
            }
            PlannedAction::ReplaceArgument(_) => ("resource", replaced, "must be replaced"),
            PlannedAction::ReadInPlan
            | PlannedAction::Read
            | PlannedAction::ReadUnknownConfiguration
            | PlannedAction::ReadPendingDependency
            | PlannedAction::ReadInCheck => ("data", "<=", "will be read during apply"),
        };
        let previous = resource.previous().map(|previous| on_one_line(&previous.to_string()));
        match (&previous, resource.action) {
            (Some(previous), PlannedAction::NoOp) => {
                self.line(2, format_args!("# {previous} has moved to {address}"));
            }
            (_, _) => self.line(2, format_args!("# {address} {action}")),
        }
        if let (Some(previous), true) = (&previous, resource.action != PlannedAction::NoOp) {
            self.line(2, format_args!("# (moved from {previous})"));
        }
        if let Some(id) = resource.import_id.as_ref().filter(|_| resource.action != PlannedAction::NoOp) {
            let id = on_one_line(&self.value(id, ADDED, 2));
            self.line(2, format_args!("# (imported from {id})"));
            if resource.action.is_replacement() {
                self.line(2, format_args!("# Warning: this will destroy the imported resource"));
            }
        }
        if let Some(note) = note(resource.action) {
            self.line(2, format_args!("# ({note})"));
        }
        let [resource_type, name] =
            [&resource.resource.resource_type, &resource.resource.name].map(|label| quote(label));
        self.line(0, format_args!("{sign:>3} {keyword} {resource_type} {name} {{"));
        match &resource.before {
            Some(change) if resource.action == PlannedAction::NoOp && resource.import_id.is_some() => {
                self.recorded(&change.before, " ", "");
            }
            Some(change) => self.changes(change, &resource.value),
            None => self.body(
                &resource.value,
                Blocks { schema: resource.schema, config: Some(resource.config) },
                6,
            ),
        }
        self.out.push_str("    }\n\n");
    }

    /// The attributes of an object that change, one on each line, and the number of the others.
    fn changes(&mut self, change: &ObjectChange, after: &Value) {
        let before = &change.before;
        let (Some(old), Some(new)) = (before.unmarked().as_entries(), after.unmarked().known_attributes())
        else {
            let text = self.change(before, after, 6);
            return self.line(6, format_args!("~ {text}"));
        };
        let names: BTreeSet<&SmolStr> = old.keys().chain(new.keys()).collect();
        let mut lines = Vec::new();
        let mut unchanged = 0_usize;
        for name in names {
            match (
                old.get(name).filter(|value| !is_left_out(value)),
                new.get(name).filter(|value| !is_left_out(value)),
            ) {
                (None, None) => {}
                (Some(old), Some(new)) if is_same(old, new) => match sensitivity(change, name) {
                    Some(note) => lines.push(("~", name, format!("{}{note}", self.value(new, " ", 6)))),
                    None => unchanged += 1,
                },
                // Without a schema, an attribute of the state that is not configured stays.
                (Some(_), None) if new.get(name).is_none() => unchanged += 1,
                (Some(old), Some(new)) => {
                    lines.push(("~", name, self.change(old, new, 6)));
                }
                (Some(old), None) => {
                    lines.push((REMOVED, name, format!("{} -> null", self.value(old, REMOVED, 6))));
                }
                (None, Some(new)) => lines.push((ADDED, name, self.value(new, ADDED, 6))),
            }
        }
        let width = lines.iter().map(|(_, name, _)| written(name).chars().count()).max().unwrap_or_default();
        for (sign, name, text) in lines {
            let name = written(name);
            self.line(6, format_args!("{sign} {name:width$} = {text}"));
        }
        if unchanged > 0 {
            let word = if unchanged == 1 { "attribute" } else { "attributes" };
            self.line(8, format_args!("# ({unchanged} unchanged {word} hidden)"));
        }
    }

    /// An object of the state that no instance has.
    fn destroyed(&mut self, destroyed: &DestroyedObject) {
        let deposed = destroyed.deposed.as_ref().map(|key| format!(" (deposed object {key})"));
        let address = on_one_line(&format!("{}{}", address(destroyed), deposed.unwrap_or_default()));
        let (sign, action) = match destroyed.is_forgotten {
            true => (".", "will no longer be managed, but will not be destroyed"),
            false => ("-", "will be destroyed"),
        };
        self.line(2, format_args!("# {address} {action}"));
        let reason = match destroyed.reason {
            None => "left over from a partially-failed replacement of this instance",
            Some("delete_because_count_index") => "because its index is out of range for count",
            Some("delete_because_each_key") => "because its key is not in for_each",
            Some("delete_because_wrong_repetition") => "because the block has another kind of keys",
            Some("delete_because_no_module") => "because its module instance is not in the configuration",
            Some(_) => "because it is not in the configuration",
        };
        self.line(2, format_args!("# ({reason})"));
        if let Some(previous) = &destroyed.previous {
            let previous = on_one_line(&previous.to_string());
            self.line(2, format_args!("# (moved from {previous})"));
        }
        let [resource_type, name] =
            [&destroyed.resource.resource_type, &destroyed.resource.name].map(|label| quote(label));
        self.line(0, format_args!("{sign:>3} resource {resource_type} {name} {{"));
        let (sign, end) = if destroyed.is_forgotten { (" ", "") } else { (REMOVED, " -> null") };
        self.recorded(&destroyed.before, sign, end);
        self.out.push_str("    }\n\n");
    }

    /// The attributes of a recorded object, one on each line.
    fn recorded(&mut self, object: &Value, sign: &str, end: &str) {
        let attributes = object.unmarked().as_entries().into_iter().flatten();
        let shown: Vec<_> = attributes.filter(|(_, value)| !is_left_out(value)).collect();
        let width = shown.iter().map(|(name, _)| written(name).chars().count()).max().unwrap_or_default();
        for (name, value) in shown {
            let name = written(name);
            let text = self.value(value, sign, 6);
            self.line(6, format_args!("{sign} {name:width$} = {text}{end}"));
        }
    }

    /// The attributes of an object, one on each line behind `indent` spaces, and its blocks. Null attributes are left out.
    fn body(&mut self, value: &Value, blocks: Blocks<'_>, indent: usize) {
        let Some(entries) = value.known_attributes() else {
            let text = self.value(value, ADDED, indent);
            return self.line(indent, format_args!("{text}"));
        };
        let types = blocks.types();
        let is_attribute = |name: &SmolStr, value: &Value| !types.contains(name) && !is_left_out(value);
        let attributes: Vec<_> = entries.iter().filter(|(name, value)| is_attribute(name, value)).collect();
        let width = attributes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        for (name, value) in attributes {
            let text = self.value(value, ADDED, indent);
            self.line(indent, format_args!("+ {name:width$} = {text}"));
        }
        for (name, value) in entries.iter().filter(|(name, _)| types.contains(*name)) {
            self.blocks(name, value, blocks.of(name), indent);
        }
    }

    /// The blocks of one type.
    fn blocks(&mut self, name: &str, value: &Value, inner: Blocks<'_>, indent: usize) {
        if is_hidden(value.marks(), self.secrets) {
            return self.block(name, value, inner, indent);
        }
        let value = value.unmarked();
        if let Some(elements) = value.as_sequence() {
            elements.iter().for_each(|element| self.block(name, element, inner, indent));
        } else if let ValueKind::Map(entries) = value.kind() {
            for (label, value) in entries {
                self.block(&format!("{name} {}", quote(label)), value, inner, indent);
            }
        } else if let Some(Known::Sequence(elements)) = value.as_unknown().map(|unknown| &unknown.known) {
            elements.iter().for_each(|element| self.block(name, element, inner, indent));
        } else if value.known_attributes().is_some() {
            self.block(name, value, inner, indent);
        } else if !value.is_null() {
            self.out.push('\n');
            self.line(indent, format_args!("+ {name} {UNKNOWN}"));
        }
    }

    fn block(&mut self, header: &str, value: &Value, inner: Blocks<'_>, indent: usize) {
        self.out.push('\n');
        self.line(indent, format_args!("+ {header} {{"));
        match is_hidden(value.marks(), self.secrets) {
            true => self.line(indent + 4, format_args!("# {SENSITIVE}")),
            false => self.body(value, inner, indent + 4),
        }
        self.line(indent + 2, format_args!("}}"));
    }

    /// A value whose first line stands behind `indent` spaces and a sign, which its parts have too.
    fn value(&self, value: &Value, sign: &str, indent: usize) -> String {
        if is_hidden(value.marks(), self.secrets) {
            return SENSITIVE.to_owned();
        }
        let value = value.unmarked();
        let elements = |elements: &[Value]| {
            let line = |element| (sign, self.value(element, sign, indent + 4));
            elements_text(elements.iter().map(line).collect(), 0, indent)
        };
        let entries = |entries: &Entries, is_map: bool| {
            let shown = entries.iter().filter(|(_, value)| is_map || !is_left_out(value));
            let line = |(name, value): (&SmolStr, &Value)| {
                (sign, key(name, is_map), self.value(value, sign, indent + 4))
            };
            if entries.is_empty() {
                "{}".to_owned()
            } else {
                entries_text(shown.map(line).collect(), "", indent)
            }
        };
        match value.kind() {
            ValueKind::List(all) | ValueKind::Set(all) | ValueKind::Tuple(all) => elements(all),
            ValueKind::Map(all) => entries(all, true),
            ValueKind::Object(all) => entries(all, false),
            ValueKind::Unknown(unknown) => match &unknown.known {
                Known::Nothing => UNKNOWN.to_owned(),
                Known::Object(all) => entries(all, false),
                Known::Sequence(all) => elements(all),
            },
            ValueKind::Null(_) => "null".to_owned(),
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Marked(..) => {
                console(value).replace('\n', &format!("\n{}", " ".repeat(indent + 2)))
            }
        }
    }

    /// The change of a value whose first line stands behind `indent` spaces and a sign: part by part where both sides have parts
    /// of one kind. Elements of sets are compared as wholes, other elements by their positions.
    fn change(&self, old: &Value, new: &Value, indent: usize) -> String {
        if is_hidden(old.marks(), self.secrets) || is_hidden(new.marks(), self.secrets) {
            return SENSITIVE.to_owned();
        }
        let (old, new) = (old.unmarked(), new.unmarked());
        match (old.kind(), new.kind()) {
            (ValueKind::Set(old), ValueKind::Set(new)) => self.set_change(old, new, indent),
            (ValueKind::List(old) | ValueKind::Tuple(old), ValueKind::List(new) | ValueKind::Tuple(new)) => {
                self.sequence_change(old, new, indent)
            }
            (ValueKind::Map(old), ValueKind::Map(new)) => self.entries_change(old, new, indent, true),
            (ValueKind::Object(old), ValueKind::Object(new)) => self.entries_change(old, new, indent, false),
            (_, _) => {
                format!("{} -> {}", self.value(old, REMOVED, indent), self.value(new, ADDED, indent))
            }
        }
    }

    fn set_change(&self, old: &[Value], new: &[Value], indent: usize) -> String {
        let without = |all: &'_ [Value], value: &Value| !all.iter().any(|other| is_same(other, value));
        let lines = |sign, all: &[Value], others: &[Value]| {
            let only = all.iter().filter(|value| without(others, value));
            only.map(|value| (sign, self.value(value, sign, indent + 4))).collect::<Vec<_>>()
        };
        let removed = lines(REMOVED, old, new);
        let unchanged = old.len() - removed.len();
        elements_text(removed.into_iter().chain(lines(ADDED, new, old)).collect(), unchanged, indent)
    }

    fn sequence_change(&self, old: &[Value], new: &[Value], indent: usize) -> String {
        let inner = indent + 4;
        let mut unchanged = 0;
        let mut lines = Vec::new();
        for index in 0..old.len().max(new.len()) {
            match (old.get(index), new.get(index)) {
                (Some(old), Some(new)) if is_same(old, new) => unchanged += 1,
                (Some(old), Some(new)) => lines.push(("~", self.change(old, new, inner))),
                (Some(old), None) => lines.push((REMOVED, self.value(old, REMOVED, inner))),
                (None, Some(new)) => lines.push((ADDED, self.value(new, ADDED, inner))),
                (None, None) => {}
            }
        }
        elements_text(lines, unchanged, indent)
    }

    fn entries_change(&self, old: &Entries, new: &Entries, indent: usize, is_map: bool) -> String {
        let inner = indent + 4;
        let names: BTreeSet<&SmolStr> = old.keys().chain(new.keys()).collect();
        let is_shown = |value: &&Value| is_map || !is_left_out(value);
        let mut unchanged = 0;
        let mut lines = Vec::new();
        for name in names {
            let (sign, text) = match (old.get(name).filter(is_shown), new.get(name).filter(is_shown)) {
                (None, None) => continue,
                (Some(old), Some(new)) if is_same(old, new) => {
                    unchanged += 1;
                    continue;
                }
                (Some(old), Some(new)) => ("~", self.change(old, new, inner)),
                (Some(old), None) => {
                    let end = if is_map { " -> null" } else { "" };
                    (REMOVED, self.value(old, REMOVED, inner) + end)
                }
                (None, Some(new)) => (ADDED, self.value(new, ADDED, inner)),
            };
            lines.push((sign, key(name, is_map), text));
        }
        let hidden = hidden(unchanged, if is_map { "element" } else { "attribute" }, indent);
        entries_text(lines, &hidden, indent)
    }
}

/// Elements in brackets, each with its sign. `unchanged` ones are not shown.
fn elements_text(lines: Vec<(&str, String)>, unchanged: usize, indent: usize) -> String {
    if lines.is_empty() && unchanged == 0 {
        return "[]".to_owned();
    }
    let (inner, close) = (indent + 4, " ".repeat(indent + 2));
    let lines = lines.into_iter().map(|(sign, text)| format!("{:inner$}{sign} {text},\n", ""));
    format!("[\n{}{}{close}]", lines.collect::<String>(), hidden(unchanged, "element", indent))
}

/// Entries in braces, each with its sign, and a last line.
fn entries_text(lines: Vec<(&str, String, String)>, last: &str, indent: usize) -> String {
    let (inner, close) = (indent + 4, " ".repeat(indent + 2));
    let width = lines.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or_default();
    let lines =
        lines.into_iter().map(|(sign, name, text)| format!("{:inner$}{sign} {name:width$} = {text}\n", ""));
    format!("{{\n{}{last}{close}}}", lines.collect::<String>())
}

/// The line about parts that do not change and are not shown; empty if there are none.
fn hidden(unchanged: usize, part: &str, indent: usize) -> String {
    let (inner, end) = (indent + 6, if unchanged == 1 { "" } else { "s" });
    match unchanged {
        0 => String::new(),
        _ => format!("{:inner$}# ({unchanged} unchanged {part}{end} hidden)\n", ""),
    }
}

/// A key as it is written. Keys of maps are in quotes.
fn key(name: &SmolStr, is_map: bool) -> String {
    if is_map { quote(name) } else { written(name) }
}

/// A name as it is written: a state may have one that is no identifier.
fn written(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quote(name) }
}

/// An address of a state, whose names may have line breaks.
fn on_one_line(address: &str) -> String {
    address.replace('\n', "\\n").replace('\r', "\\r")
}

/// Why a data source is read in the apply.
fn note(action: PlannedAction) -> Option<&'static str> {
    match action {
        PlannedAction::Update { may_replace: true } => {
            Some("or replaced: only the provider knows which changes replace an object")
        }
        PlannedAction::Import => Some("and updated or replaced, if its provider has other values for it"),
        PlannedAction::Create
        | PlannedAction::NoOp
        | PlannedAction::Update { .. }
        | PlannedAction::ReplaceTainted
        | PlannedAction::ReplaceTriggered
        | PlannedAction::ReplaceArgument(_)
        | PlannedAction::ReadInPlan => None,
        PlannedAction::Read => Some("Terrane does not read it; `terraform plan` may"),
        PlannedAction::ReadUnknownConfiguration => Some("config refers to values not yet known"),
        PlannedAction::ReadPendingDependency => {
            Some("depends on a resource or a module with changes pending")
        }
        PlannedAction::ReadInCheck => Some("config will be reloaded to verify a check block"),
    }
}

/// The comment behind an attribute whose value stays and whose sensitivity changes.
fn sensitivity(change: &ObjectChange, name: &SmolStr) -> Option<&'static str> {
    let found = change.sensitivity.iter().find(|found| found.attribute == *name)?;
    Some(match found.is_sensitive {
        true => " # becomes sensitive; the value is unchanged",
        false => " # is no longer sensitive; the value is unchanged",
    })
}

/// Whether an attribute is not worth a line: it is null.
fn is_left_out(value: &Value) -> bool {
    value.unmarked().is_null()
}

/// The block types of an object: of its schema or, without one, those that are written.
#[derive(Clone, Copy)]
struct Blocks<'p> {
    schema: Option<&'p Schema>,
    config: Option<&'p Body>,
}

impl<'p> Blocks<'p> {
    fn types(self) -> BTreeSet<SmolStr> {
        if let Some(schema) = self.schema {
            return schema.blocks().keys().cloned().collect();
        }
        let Some(config) = self.config else { return BTreeSet::new() };
        let content = config.open_content(&mut Diagnostics::new());
        let types = content.blocks.into_iter().map(|block| match block.labels.first() {
            Some(label) if &*block.block_type == "dynamic" => label.text.clone(),
            Some(_) | None => block.block_type,
        });
        types.collect()
    }

    /// Those of a nested block.
    fn of(self, block_type: &str) -> Blocks<'p> {
        let schema = self.schema.and_then(|schema| schema.blocks().get(block_type));
        Blocks { schema: schema.map(|block| &block.schema), config: None }
    }
}

#[cfg(test)]
mod tests {
    use terrane_value::{Marks, Value};

    use super::*;

    fn change(old: &Value, new: &Value) -> String {
        Writer { out: String::new(), secrets: Secrets::Hidden }.change(old, new, 0)
    }

    #[test]
    fn a_change_shows_only_the_parts_that_change() {
        let list = |numbers: &[i64]| {
            Value::tuple(numbers.iter().map(|number| Value::from(*number)).collect::<Vec<_>>())
        };
        assert_eq!(
            change(&list(&[1, 2, 3]), &list(&[1, 5])),
            "[\n    ~ 2 -> 5,\n    - 3,\n      # (1 unchanged element hidden)\n  ]"
        );
        let object = |entries: &[(&str, Value)]| {
            Value::object(entries.iter().map(|(name, value)| (SmolStr::from(*name), value.clone())))
        };
        let old = object(&[("a", list(&[1])), ("b", Value::from("x")), ("same", Value::from(true))]);
        let new = object(&[("a", list(&[1, 2])), ("long", Value::from("y")), ("same", Value::from(true))]);
        let expected = "{\n    ~ a    = [\n        + 2,\n          # (1 unchanged element hidden)\n      ]\n    \
                        - b    = \"x\"\n    + long = \"y\"\n      # (1 unchanged attribute hidden)\n  }";
        assert_eq!(change(&old, &new), expected);
        assert_eq!(change(&Value::from("a"), &list(&[])), "\"a\" -> []");
        let secret = Value::from("hunter2").with_marks(&Marks::sensitive());
        assert_eq!(change(&secret, &Value::from("hunter2")), SENSITIVE);
        assert_eq!(
            change(&list(&[1]), &object(&[("s", secret)])),
            "[\n    - 1,\n  ] -> {\n    + s = (sensitive value)\n  }"
        );
    }
}
