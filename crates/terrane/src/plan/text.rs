//! The plan as text, in the layout of `terraform plan`.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use terrane_body::{Body, Schema};
use terrane_source::Diagnostics;
use terrane_value::display::{console, quote};
use terrane_value::{Entries, Known, SmolStr, Value, ValueKind};

use super::Plan;
use super::resources::{PlannedAction, PlannedResource};
use crate::secrets::{Secrets, is_hidden};

const UNKNOWN: &str = "(known after apply)";
const SENSITIVE: &str = "(sensitive value)";

impl Plan<'_> {
    /// The plan as text: the missing objects, the resources that are created, their number, and the outputs.
    pub fn to_text(&self) -> String {
        let resources = self.changes();
        let mut writer = Writer { out: self.missing_text(), secrets: self.secrets };
        if !writer.out.is_empty() {
            writer.out.push('\n');
        }
        if !resources.is_empty() {
            writer.out.push_str("Resource actions:\n  + create\n");
            if resources.iter().any(|found| found.action != PlannedAction::Create) {
                writer.out.push_str(" <= read (data sources)\n");
            }
            writer.out.push('\n');
        }
        resources.iter().for_each(|resource| writer.resource(resource));
        let created = resources.iter().filter(|found| found.action == PlannedAction::Create).count();
        match resources.is_empty() {
            true => writer.out.push_str("No resources.\n"),
            false => writer.line(0, format_args!("Plan: {created} to add, 0 to change, 0 to destroy.")),
        }
        let mut outputs: Vec<_> = self.root_outputs().filter(|(_, value, _)| !value.is_null()).collect();
        outputs.sort_by_key(|(name, ..)| *name);
        if !outputs.is_empty() {
            writer.out.push_str("\nChanges to Outputs:\n");
        }
        let width = outputs.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or_default();
        for (name, value, sensitive) in outputs {
            let is_hidden = sensitive && self.secrets == Secrets::Hidden;
            let text = if is_hidden { SENSITIVE.to_owned() } else { writer.value(value, 2) };
            writer.line(2, format_args!("+ {name:width$} = {text}"));
        }
        writer.out
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
        let (keyword, sign, action) = match resource.action {
            PlannedAction::Create => ("resource", "+", "created"),
            PlannedAction::ReadInPlan
            | PlannedAction::Read
            | PlannedAction::ReadUnknownConfiguration
            | PlannedAction::ReadPendingDependency
            | PlannedAction::ReadInCheck => ("data", "<=", "read during apply"),
        };
        self.line(2, format_args!("# {} will be {action}", resource.address()));
        if let Some(note) = note(resource.action) {
            self.line(2, format_args!("# ({note})"));
        }
        let [resource_type, name] =
            [&resource.resource.resource_type, &resource.resource.name].map(|label| quote(label));
        self.line(0, format_args!(" {sign:>2} {keyword} {resource_type} {name} {{"));
        self.body(resource.value, Blocks { schema: resource.schema, config: Some(resource.config) }, 6);
        self.out.push_str("    }\n\n");
    }

    /// The attributes of an object, one on each line behind `indent` spaces, and its blocks. Null attributes are left out.
    fn body(&mut self, value: &Value, blocks: Blocks<'_>, indent: usize) {
        let Some(entries) = value.known_attributes() else {
            let text = self.value(value, indent);
            return self.line(indent, format_args!("{text}"));
        };
        let types = blocks.types();
        let is_attribute = |name: &SmolStr, value: &Value| !types.contains(name) && !is_left_out(value);
        let attributes: Vec<_> = entries.iter().filter(|(name, value)| is_attribute(name, value)).collect();
        let width = attributes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        for (name, value) in attributes {
            let text = self.value(value, indent);
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

    /// A value whose first line stands behind `indent` spaces and a sign.
    fn value(&self, value: &Value, indent: usize) -> String {
        if is_hidden(value.marks(), self.secrets) {
            return SENSITIVE.to_owned();
        }
        let value = value.unmarked();
        match value.kind() {
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                self.elements(elements, indent)
            }
            ValueKind::Map(entries) => self.entries(entries, true, indent),
            ValueKind::Object(entries) => self.entries(entries, false, indent),
            ValueKind::Unknown(unknown) => match &unknown.known {
                Known::Nothing => UNKNOWN.to_owned(),
                Known::Object(entries) => self.entries(entries, false, indent),
                Known::Sequence(elements) => self.elements(elements, indent),
            },
            ValueKind::Null(_) => "null".to_owned(),
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Marked(..) => {
                console(value).replace('\n', &format!("\n{}", " ".repeat(indent + 2)))
            }
        }
    }

    fn elements(&self, elements: &[Value], indent: usize) -> String {
        if elements.is_empty() {
            return "[]".to_owned();
        }
        let (inner, close) = (indent + 4, " ".repeat(indent + 2));
        let lines =
            elements.iter().map(|element| format!("{:inner$}+ {},\n", "", self.value(element, inner)));
        format!("[\n{}{close}]", lines.collect::<String>())
    }

    /// An object or map. Keys of maps are in quotes.
    fn entries(&self, entries: &Entries, is_map: bool, indent: usize) -> String {
        if entries.is_empty() {
            return "{}".to_owned();
        }
        let (inner, close) = (indent + 4, " ".repeat(indent + 2));
        let shown = entries.iter().filter(|(_, value)| is_map || !is_left_out(value));
        let name = |name: &SmolStr| if is_map { quote(name) } else { name.to_string() };
        let shown: Vec<(String, &Value)> = shown.map(|(key, value)| (name(key), value)).collect();
        let width = shown.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let line = |(name, value): (String, &Value)| {
            format!("{:inner$}+ {name:width$} = {}\n", "", self.value(value, inner))
        };
        format!("{{\n{}{close}}}", shown.into_iter().map(line).collect::<String>())
    }
}

/// Why a data source is read in the apply.
fn note(action: PlannedAction) -> Option<&'static str> {
    match action {
        PlannedAction::Create | PlannedAction::ReadInPlan => None,
        PlannedAction::Read => Some("Terrane does not read it; `terraform plan` may"),
        PlannedAction::ReadUnknownConfiguration => Some("config refers to values not yet known"),
        PlannedAction::ReadPendingDependency => {
            Some("depends on a resource or a module with changes pending")
        }
        PlannedAction::ReadInCheck => Some("config will be reloaded to verify a check block"),
    }
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
