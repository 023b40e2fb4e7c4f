//! The document as a listing for people: sections of values, then blocks.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use terrane_config::address::{Object, ResourceMode};
use terrane_config::{InstanceKey, ModulePath};
use terrane_render::visible_name;
use terrane_value::display::{annotated, annotated_body};
use terrane_value::{Origin, OriginKind, Origins, SmolStr, Value, ValueKind};

use crate::document::Document;
use crate::document::selected::Selected;
use crate::entry::{Entry, EntryKind, InstanceNumber};
use crate::named_values::NamedValues;
use crate::part_source::{PartSource, SourceKind};
use crate::report::partial_values;
use crate::secrets::Secrets;

impl Document {
    /// Returns the outputs, locals and variables of the root module, its module calls, and the resources of all modules, as
    /// `terrane eval` lists them. If a part of the configuration could not be read, the first line says so.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project, Secrets};
    ///
    /// let files = MemoryFiles::from_iter([("main.tf", "output \"a\" { value = upper(\"x\") }\n")]);
    /// let document = Project::new(".").evaluate(&files).document(Secrets::Hidden);
    /// assert_eq!(document.to_text(), "outputs {\n  a = \"X\"\n}\n");
    /// ```
    pub fn to_text(&self) -> String {
        self.text_parts().collect()
    }

    /// Returns the text of [`Document::to_text`] in pieces of whole lines, for writers that must not have the whole text in
    /// memory.
    pub fn text_parts(&self) -> impl Iterator<Item = String> {
        let partial = Some(self.partial_line()).filter(|line| !line.is_empty());
        // A blank line stands before each part but the first.
        let separated = |(index, part): (usize, String)| if index == 0 { part } else { format!("\n{part}") };
        partial.into_iter().chain(parts(&self.values, self.secrets).enumerate().map(separated))
    }

    /// Returns the entries that [`Document::to_text`] lists.
    pub fn listed(&self) -> impl Iterator<Item = Cow<'_, Entry>> {
        self.values.iter().filter(|entry| lists(entry))
    }

    /// Returns the values of the listed entries, and the arguments of module calls.
    pub fn listed_values(&self) -> impl Iterator<Item = Cow<'_, Value>> {
        self.values.values_of(lists)
    }

    /// Returns a line for each value of selected addresses, as `terrane eval` prints them.
    pub fn selected_to_text(&self, selected: &[Selected<'_>]) -> String {
        let outputs = Outputs::of(&self.values);
        let line = |one: &Selected<'_>| assignment(one, &outputs, self.secrets);
        self.partial_line() + &selected.iter().map(line).collect::<String>()
    }

    /// Returns the first line of a listing if parts of the configuration could not be read; otherwise an empty text.
    fn partial_line(&self) -> String {
        self.missing.as_deref().map(|reason| format!("# {}\n", partial_values(reason))).unwrap_or_default()
    }
}

/// Whether the listing contains an entry.
pub(crate) fn lists(entry: &Entry) -> bool {
    entry.address.module.is_root() || matches!(entry.kind, EntryKind::Resource | EntryKind::Action)
}

/// Returns the text of the outputs, locals and variables of the root module, its module calls, and the resources of all
/// modules, with one string for each section and block.
fn parts(entries: &NamedValues, secrets: Secrets) -> impl Iterator<Item = String> {
    let sections =
        [("outputs", EntryKind::Output), ("locals", EntryKind::Local), ("variables", EntryKind::Variable)];
    let sections =
        sections.into_iter().filter_map(move |(heading, kind)| section(entries, heading, kind, secrets));
    let outputs = Outputs::of(entries);
    let has_instances = |entry: &Cow<'_, Entry>| !matches!(entry.number, InstanceNumber::None(_));
    let blocks =
        blocks(entries).filter(has_instances).filter_map(move |entry| block(&entry, &outputs, secrets));
    let without_instances = std::iter::once_with(move || {
        let names: String = blocks_without_instances(entries);
        (!names.is_empty()).then(|| format!("# without instances:\n{names}"))
    });
    sections.chain(blocks).chain(without_instances.flatten())
}

/// Returns the listed outputs, locals or variables as a block.
fn section(entries: &NamedValues, heading: &str, kind: EntryKind, secrets: Secrets) -> Option<String> {
    let named = || entries.single().filter(|entry| entry.kind == kind && lists(entry));
    let values =
        named().filter_map(|entry| Some((name(&entry.address.object)?.clone(), entry.value.clone())));
    let section = shown(&Value::object(values), secrets);
    section.as_entries().filter(|entries| !entries.is_empty())?;
    let text = annotated(&section);
    let inner = text.strip_prefix("{\n").unwrap_or(&text);
    let notes: String = followed_sources(named()).iter().map(|note| format!("  {note}\n")).collect();
    Some(format!("{heading} {{\n{notes}{inner}\n"))
}

/// Returns the listed module calls, followed by the resources and actions.
fn blocks(entries: &NamedValues) -> impl Iterator<Item = Cow<'_, Entry>> {
    let calls = entries.single().filter(|entry| entry.kind == EntryKind::ModuleCall);
    let resources =
        entries.iter().filter(|entry| matches!(entry.kind, EntryKind::Resource | EntryKind::Action));
    calls.map(Cow::Borrowed).chain(resources).filter(|entry| lists(entry))
}

/// Returns a line for each block without instances.
fn blocks_without_instances(entries: &NamedValues) -> String {
    let none = |entry: &&Entry| lists(entry) && matches!(entry.number, InstanceNumber::None(_));
    let of_kind = |is_call: bool| {
        let entries = entries.single().filter(none);
        entries.filter(move |entry| (entry.kind == EntryKind::ModuleCall) == is_call)
    };
    let all = of_kind(true).chain(of_kind(false));
    all.map(|entry| format!("#   {}\n", on_one_line(entry))).collect()
}

/// Returns `name = value` on lines of their own, below notes on the instances and the sources of the object. For a known value
/// on one line, the sources stand behind it.
fn assignment(one: &Selected<'_>, outputs: &Outputs<'_>, secrets: Secrets) -> String {
    // The address of one instance needs no note.
    let number = one.unknown_instances.as_ref().filter(|_| !one.is_one).map(unknown_number);
    let value = annotated(&shown(&one.value, secrets));
    let is_short = one.value.is_wholly_known() && !value.contains('\n');
    let (note, behind) = match sources_of_value(one) {
        Some(note) if is_short => (None, format!(" {note}")),
        note => (note, String::new()),
    };
    let of_object = one.entry.into_iter().flat_map(|entry| match entry.kind {
        EntryKind::ModuleCall => {
            let number = number_note(entry);
            sources(entry).into_iter().chain(number).chain(outputs.followed_sources(entry)).collect()
        }
        EntryKind::Output
        | EntryKind::Local
        | EntryKind::Variable
        | EntryKind::Resource
        | EntryKind::Action => object_notes(entry),
    });
    let above: String = number.into_iter().chain(of_object).chain(note).map(|note| note + "\n").collect();
    format!("{above}{} = {value}{behind}\n", one.name(secrets))
}

/// Returns the sources of an output, local value, variable, expression or part of an object, as a comment: `# given`, `# reads
/// state`.
fn sources_of_value(one: &Selected<'_>) -> Option<String> {
    sources_of_part(one).map(|words| format!("# {words}"))
}

/// Returns the same text as `sources_of_value`, without the mark of a comment.
pub(crate) fn sources_of_part(one: &Selected<'_>) -> Option<String> {
    let (whole, inner): (Vec<PartSource>, Vec<PartSource>) =
        one.sources.iter().cloned().partition(|source| source.path.is_empty());
    let mut words: Vec<String> = whole
        .iter()
        .map(|source| placed(source.kind.name(), source))
        .chain(sources_in_words(&inner))
        .collect();
    let read = one.entry.map_or(&one.follows_from, |entry| &entry.follows_from);
    let read: Vec<&str> = read.iter().map(|kind| kind.name()).collect();
    words.extend((!read.is_empty()).then(|| format!("reads {}", read.join(", "))));
    (!words.is_empty()).then(|| visible_name(&words.join("; ")))
}

/// Returns the comments on a resource or module call: the sources of its parts, and the sources that its arguments and blocks
/// depend on.
pub(crate) fn object_notes(entry: &Entry) -> Vec<String> {
    let arguments = entry.arguments_follow_from.as_deref().into_iter().flatten();
    let read = reads(arguments);
    sources(entry).into_iter().chain(read).chain(number_note(entry)).collect()
}

/// Returns the comment on the sources that the number of instances of a block depends on.
fn number_note(entry: &Entry) -> Option<String> {
    let kinds: Vec<&str> = entry.instances_follow_from.iter().map(|kind| kind.name()).collect();
    (!kinds.is_empty()).then(|| format!("# number of instances reads {}", kinds.join(", ")))
}

fn unknown_number(origins: &Origins) -> String {
    format!("# number of instances unknown: {}", reasons(origins))
}

fn shown(value: &Value, secrets: Secrets) -> Value {
    if secrets == Secrets::Shown { value.unmark_deep().0 } else { value.clone() }
}

/// Returns the sources of the parts that do not come from the configuration, as a comment: `# given: names`, with the place in
/// a mock file.
fn sources(entry: &Entry) -> Option<String> {
    sources_in_words(&entry.sources).map(|words| format!("# {words}"))
}

/// Returns the sources of parts in words: `given: names; state: id`, with the place in a mock file. `None` without parts.
pub(crate) fn sources_in_words(parts: &[PartSource]) -> Option<String> {
    let mut lists: Vec<(&str, Vec<String>)> = Vec::new();
    let mut named: HashSet<(&str, String)> = HashSet::new();
    let whole = parts.iter().filter(|part| part.path.is_empty() && part.place.is_none());
    let whole: BTreeSet<SourceKind> = whole.map(|part| part.kind).collect();
    let is_part_of_other =
        |one: &PartSource| !one.path.is_empty() && one.place.is_none() && whole.contains(&one.kind);
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for path in parts.iter().filter_map(|part| of_all_elements(&part.path)) {
        *numbers.entry(path).or_default() += 1;
    }
    // A part that several elements have is named once, with `[*]`.
    let common = |one: &PartSource| {
        of_all_elements(&one.path).filter(|path| numbers.get(path).is_some_and(|number| *number > 1))
    };
    for source in parts.iter().filter(|source| !is_part_of_other(source)) {
        let path = common(source).unwrap_or_else(|| source.path.clone());
        let path = path.trim_start_matches('.');
        let path = if path.is_empty() { "everything" } else { path };
        let path = placed(path, source);
        let kind = source.kind.name();
        if !named.insert((kind, path.clone())) {
            continue;
        }
        match lists.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, paths)) => paths.push(path),
            None => lists.push((kind, vec![path])),
        }
    }
    let lists: Vec<String> =
        lists.into_iter().map(|(kind, paths)| format!("{kind}: {}", paths.join(", "))).collect();
    (!lists.is_empty()).then(|| visible_name(&lists.join("; ")))
}

/// Returns a text with the place of a source in a mock file behind it.
fn placed(text: &str, source: &PartSource) -> String {
    match &source.place {
        Some(place) => format!("{text} ({}:{})", place.file.id(), place.file.line(place.span.start)),
        None => text.to_owned(),
    }
}

/// The outputs of modules by module instance.
struct Outputs<'e>(BTreeMap<&'e ModulePath, Vec<&'e Entry>>);

impl<'e> Outputs<'e> {
    fn of(entries: &'e NamedValues) -> Outputs<'e> {
        let mut all: BTreeMap<&ModulePath, Vec<&Entry>> = BTreeMap::new();
        for entry in entries.single().filter(|entry| entry.kind == EntryKind::Output) {
            all.entry(&entry.address.module).or_default().push(entry);
        }
        Outputs(all)
    }

    /// Returns the comments on the outputs of a module call.
    fn followed_sources(&self, call: &Entry) -> Vec<String> {
        let Object::ModuleCall(name, key) = &call.address.object else { return Vec::new() };
        let outputs = self.0.get(&call.address.module.child(name, key.clone()));
        followed_sources(outputs.into_iter().flatten().copied())
    }
}

/// Returns a path with `[*]` in place of the positions of elements. `None` if it has no positions.
fn of_all_elements(path: &str) -> Option<String> {
    let mut steps = path.split('[');
    let mut text = steps.next().unwrap_or_default().to_owned();
    let mut has_position = false;
    for step in steps {
        let position = step.split_once(']');
        match position.filter(|(key, _)| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())) {
            Some((_, rest)) => {
                has_position = true;
                text.push_str(&format!("[*]{rest}"));
            }
            None => text.push_str(&format!("[{step}")),
        }
    }
    has_position.then_some(text)
}

/// Returns comments on the outputs, local values or variables that depend on sources outside of the configuration.
fn followed_sources<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<String> {
    reads(entries.filter_map(|entry| Some((name(&entry.address.object)?, &entry.follows_from))))
}

/// Returns comments on named values with the kinds of source that each depends on: `# reads state: vpc_id, zones`.
fn reads<'e>(values: impl Iterator<Item = (&'e SmolStr, &'e Vec<SourceKind>)>) -> Vec<String> {
    let mut names: BTreeMap<SourceKind, Vec<&str>> = BTreeMap::new();
    for (name, kinds) in values {
        for kind in kinds {
            names.entry(*kind).or_default().push(name);
        }
    }
    let line = |(kind, names): (SourceKind, Vec<&str>)| {
        format!("# reads {}: {}", kind.name(), visible_name(&names.join(", ")))
    };
    names.into_iter().map(line).collect()
}

/// Returns the name of an output, local or variable.
fn name(object: &Object) -> Option<&SmolStr> {
    match object {
        Object::Variable(name) | Object::Local(name) | Object::Output(name) => Some(name),
        Object::Check(_)
        | Object::ModuleCall(..)
        | Object::Resource { .. }
        | Object::Provider(_)
        | Object::Import(_)
        | Object::Source(..)
        | Object::Build(_) => None,
    }
}

/// Returns a module call or resource as a block. If the header of the block does not name the object, its address stands above
/// it.
fn block(entry: &Entry, outputs: &Outputs<'_>, secrets: Secrets) -> Option<String> {
    let (header, key) = match &entry.address.object {
        Object::ModuleCall(name, key) => (format!("module \"{name}\""), key),
        Object::Resource { mode, resource_type, name, key } => {
            let block_type = match mode {
                ResourceMode::Managed => "resource",
                ResourceMode::Data => "data",
                ResourceMode::Ephemeral => "ephemeral",
                ResourceMode::Action => "action",
            };
            (format!("{block_type} \"{resource_type}\" \"{name}\""), key)
        }
        Object::Variable(_)
        | Object::Local(_)
        | Object::Output(_)
        | Object::Check(_)
        | Object::Provider(_)
        | Object::Import(_)
        | Object::Source(..)
        | Object::Build(_) => return None,
    };
    let is_named = *key == InstanceKey::None && entry.address.module.is_root();
    let above = if is_named { String::new() } else { format!("# {}\n", on_one_line(entry)) };
    let value = shown(&entry.value, secrets);
    let is_module = entry.kind == EntryKind::ModuleCall;
    let is_action = entry.kind == EntryKind::Action;
    let body = match is_module {
        true => module_body(entry, &value, &outputs.followed_sources(entry), secrets),
        false if is_action => annotated_body(&set_attributes(entry, &value), 4).map(config),
        false => annotated_body(&set_attributes(entry, &value), 2),
    };
    let body = match (&entry.number, body) {
        (InstanceNumber::Unknown(origins), body) => {
            format!("\n  {}{}", unknown_number(origins), body.unwrap_or_default())
        }
        (_, Some(body)) => body,
        (_, None) => format!("\n  # unknown: {}", reasons(value.origins())),
    };
    let notes: String = object_notes(entry).iter().map(|note| format!("\n  {note}")).collect();
    let body = notes + &body;
    let end = if body.is_empty() { "}" } else { "\n}" };
    Some(format!("{above}{} {{{body}{end}\n", visible_name(&header)))
}

/// Returns the address of an object. A label that is not a name can contain a line break, which is removed.
fn on_one_line(entry: &Entry) -> String {
    visible_name(&entry.address.to_string())
}

/// Returns the arguments of an action, which stand in a block of their own.
fn config(arguments: String) -> String {
    if arguments.is_empty() { arguments } else { format!("\n  config {{{arguments}\n  }}") }
}

/// Returns a resource with only the attributes that are set. Schemas have many other attributes: the value is null, or unknown
/// because the provider may have a default.
fn set_attributes(entry: &Entry, resource: &Value) -> Value {
    let ValueKind::Object(attributes) = resource.kind() else { return resource.clone() };
    let address = LazyCell::new(|| entry.address.to_string());
    let is_default = |origin: &Origin| origin.is_default_of(&address);
    let may_be_default =
        |value: &Value| value.as_unknown().is_some_and(|unknown| unknown.origins.are_all(is_default));
    let is_set = |value: &Value| value.is_marked() || !value.is_null() && !may_be_default(value);
    Value::object(attributes.cloned().filter(|(_, value)| is_set(value)))
}

/// Returns the arguments of a module call, followed by a block with its outputs, which begins with comments.
fn module_body(entry: &Entry, outputs: &Value, notes: &[String], secrets: Secrets) -> Option<String> {
    let arguments = annotated_body(&shown(entry.arguments.as_ref()?, secrets), 2)?;
    let Some(outputs) = annotated_body(outputs, 4) else {
        let reasons = reasons(outputs.origins());
        return Some(format!("{arguments}\n  # outputs unknown: {reasons}"));
    };
    let blank = if arguments.is_empty() || outputs.is_empty() { "" } else { "\n" };
    let notes: String = notes.iter().map(|note| format!("\n    {note}")).collect();
    let outputs = if outputs.is_empty() { outputs } else { format!("\n  outputs {{{notes}{outputs}\n  }}") };
    Some(format!("{arguments}{blank}{outputs}"))
}

/// Returns a sentence about a module whose outputs have these origins. It is not on disk, or it is not read because its source is
/// unknown or its call has an error.
pub(crate) fn missing_in_words(module: &str, origins: &Origins) -> String {
    match origins.as_slice().iter().any(|origin| origin.kind == OriginKind::Module) {
        true => format!("{module} is not on disk"),
        false => format!("{module} is not read: {}", reasons(origins)),
    }
}

/// Returns the reasons why a value is unknown, on one line.
pub(crate) fn reasons(origins: &Origins) -> String {
    if origins.as_slice().is_empty() {
        return "the value is sensitive".to_owned();
    }
    let reasons: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
    reasons.join("; ").replace(char::is_control, "\u{fffd}")
}
