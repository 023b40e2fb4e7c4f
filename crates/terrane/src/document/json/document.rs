//! The document of `terrane eval --json`.

use std::collections::BTreeMap;
use std::io;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use terrane_config::address::Object;
use terrane_config::{Address, InstanceKey, ModulePath};
use terrane_module::FoundBy;
use terrane_module::graph::ObjectReference;
use terrane_module::provider::ProviderAddress;
use terrane_source::{Diagnostic, Edit, Fix, Label, sorted_map};
use terrane_value::{Origins, SmolStr, Value};

use super::check::CheckJson;
use super::file::{FileJson, GivenStateJson, UsedSchemaJson};
use super::lazy::{DisplayText, Rows, WithNames};
use super::range::RangeJson;
use super::reference::ReferenceJson;
use super::uses::{FunctionUseJson, ProviderUseJson};
use super::value::{OriginsJson, ValueJson, ValueState};
use super::variable::{AssignmentJson, VariableJson};
use super::written_parts::PartsJson;
use crate::document::{
    Call, CalledModule, CheckedCondition, DeclaredVariable, Document, FunctionUse, ProviderUse, ReadFile,
    Selected, VariableAssignment,
};
use crate::entry::{Entry, InstanceNumber, SourcesByName};
use crate::json::members::ByName;
use crate::json::text::{text_of, to_text, write_text};
use crate::named_values::NamedValues;
use crate::part_source::{PartSource, SourceKind};
use crate::schema_store::UsedSchema;
use crate::secrets::Secrets;

/// The version of the format: new fields raise the second number, other changes the first.
const FORMAT_VERSION: &str = "1.2";

/// Estimated bytes of a value; most values take less.
const BYTES_OF_VALUE: usize = 2048;

/// Returns a value as `terraform output -json` prints an output: an object of `sensitive`, `type` and `value`.
///
/// `value` omits unknown parts, except that an unknown element of a sequence is null, so that the elements behind it keep their
/// positions. `unknowns` lists each unknown part with its path, its type, the reasons and all known facts. A sensitive or
/// ephemeral value has neither `value` nor `unknowns`.
///
/// ```
/// use terrane::value_json;
/// use terrane::value::{ObjectBuilder, OriginKind, Origins, Type, Value};
///
/// let id = Value::unknown_from(Type::String, Origins::one(OriginKind::Variable, "var.id"));
/// let value = ObjectBuilder::new().with("id", id).with("size", "large").build();
/// assert_eq!(
///     value_json(&value),
///     concat!(
///         r#"{"sensitive":false,"type":["object",{"id":"string","size":"string"}],"value":{"size":"large"},"#,
///         r#""unknowns":[{"path":".id","type":"string","reasons":["var.id has no value"],"#,
///         r#""origins":[{"kind":"variable","subject":"var.id"}]}]}"#,
///     ),
/// );
/// ```
pub fn value_json(value: &Value) -> String {
    to_text(&ValueJson::of_output(value, Secrets::Hidden))
}

/// A document with the values of selected addresses.
pub(crate) fn selected_document<'d>(
    selected: &'d [Selected<'d>],
    partial: bool,
    secrets: Secrets,
) -> SelectedJson<'d> {
    let rows = Rows::new(selected, secrets, EntryJson::selected);
    let values = WithNames::new(rows, Selected::names(selected, secrets));
    let (sources, instance_sources) = Default::default();
    SelectedJson { format_version: FORMAT_VERSION, partial, values, state: None, sources, instance_sources }
}

impl<'d> SelectedJson<'d> {
    /// Returns the selected values of a document, its state, and the numbers of all its values by their sources.
    pub(crate) fn of(document: &'d Document, selected: &'d [Selected<'d>]) -> SelectedJson<'d> {
        SelectedJson {
            state: document.state.as_ref().map(GivenStateJson::of),
            sources: by_source(&document.sources),
            instance_sources: by_source(&document.instance_sources),
            ..selected_document(selected, document.is_partial(), document.secrets())
        }
    }
}

fn by_source(numbers: &BTreeMap<SourceKind, usize>) -> BTreeMap<&'static str, usize> {
    sorted_map(numbers.iter().map(|(kind, count)| (kind.name(), *count)))
}

impl Document {
    /// Returns the document in the format of `terrane eval --json`, on one line. docs/eval.md describes the format.
    pub fn to_json(&self) -> String {
        text_of(self, self.values.len() * BYTES_OF_VALUE)
    }

    /// Writes the text of [`Document::to_json`] piece by piece, so that it is never in memory as a whole.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write_text(self, out)
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DocumentJson::of(self).serialize(serializer)
    }
}

/// Returns the JSON Schema of the document of `terrane eval --json`, draft 2020-12.
#[cfg(feature = "json-schema")]
pub fn document_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<DocumentJson<'static>>().to_value()
}

/// The document of `terrane eval --json ADDRESS...`.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(title = "Values of addresses", deny_unknown_fields))]
pub(crate) struct SelectedJson<'d> {
    /// The version of the format.
    format_version: &'static str,
    /// Whether a part of the configuration could not be read, so that values that depend on it are unknown; left out if
    /// everything was read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    /// The values by address. Expressions that differ only in hidden literals have numbers behind them: ` (2)`.
    #[cfg_attr(feature = "json-schema", schemars(with = "BTreeMap<String, EntryJson<'static>>"))]
    values: WithNames<'d, Selected<'d>, EntryJson<'d>>,
    /// The state or plan that was given; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<GivenStateJson<'d>>,
    /// The numbers of all known attributes and outputs that do not come from the configuration, by their kind of source. Values
    /// that are not selected count, too; left out if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sources: BTreeMap<&'static str, usize>,
    /// The numbers of instances of resources and module calls by the kinds of source that their `count`, `for_each` or `enabled` follows
    /// from; left out if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    instance_sources: BTreeMap<&'static str, usize>,
}

/// The document of `terrane eval --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(title = "terrane eval --json"))]
pub(crate) struct DocumentJson<'d> {
    /// The version of the format. New fields raise its second number.
    format_version: &'static str,
    /// The version of Terrane.
    terrane_version: &'static str,
    root: RootJson,
    /// Whether a part of the configuration could not be read, so that values that depend on it are unknown.
    partial: bool,
    /// The outputs of the root module by name, in the shape of `terraform output -json`.
    #[cfg_attr(
        feature = "json-schema",
        schemars(with = "std::collections::BTreeMap<String, ValueJson<'d>>")
    )]
    outputs: ByName<ValueJson<'d>>,
    /// Every named value of every module instance, by address.
    #[cfg_attr(
        feature = "json-schema",
        schemars(with = "std::collections::BTreeMap<String, EntryJson<'d>>")
    )]
    values: ValuesJson<'d>,
    /// The modules, each once for every call.
    modules: Rows<'d, CalledModule, ModuleJson<'d>>,
    /// The `module` blocks.
    module_calls: Rows<'d, Call, CallJson<'d>>,
    /// The `variable` blocks of all modules.
    variables: Rows<'d, DeclaredVariable, VariableJson<'d>>,
    /// Values for variables that the root module does not declare. They have no effect.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    undeclared: Rows<'d, VariableAssignment, AssignmentJson<'d>>,
    /// The references between objects, without instance keys.
    references: Rows<'d, ObjectReference, ReferenceJson<'d>>,
    /// The functions that the files call, by file and name.
    functions_used: Rows<'d, FunctionUse, FunctionUseJson<'d>>,
    /// The providers of all modules, without the built-in provider.
    providers: Rows<'d, ProviderUse, ProviderUseJson<'d>>,
    /// The conditions of variables, resources, outputs and `check` blocks, with their results in each instance.
    checks: Rows<'d, CheckedCondition, CheckJson<'d>>,
    /// Errors and warnings.
    diagnostics: Rows<'d, Diagnostic, DiagnosticJson<'d>>,
    /// The files that were read or looked for: first the configuration files.
    files: Rows<'d, ReadFile, FileJson<'d>>,
    /// The schemas of providers; left out if there are none.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    provider_schemas: Rows<'d, UsedSchema, UsedSchemaJson<'d>>,
    /// The state or plan that was given; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<GivenStateJson<'d>>,
    /// The numbers of known attributes and outputs that do not come from the configuration, by their kind of source; left out if
    /// there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sources: BTreeMap<&'static str, usize>,
    /// The numbers of instances of resources and module calls by the kinds of source that their `count`, `for_each` or `enabled` follows
    /// from; left out if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    instance_sources: BTreeMap<&'static str, usize>,
    /// The addresses of the objects in the state that no block declares; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    orphans: Vec<String>,
}

impl<'d> DocumentJson<'d> {
    fn of(document: &'d Document) -> DocumentJson<'d> {
        let secrets = document.secrets();
        let output =
            |(name, value): (&SmolStr, &'d Value)| (name.to_string(), ValueJson::of_output(value, secrets));
        let root = &document.root;
        DocumentJson {
            format_version: FORMAT_VERSION,
            terrane_version: env!("CARGO_PKG_VERSION"),
            root: RootJson {
                directory: root.directory.display().to_string(),
                dialect: root.dialect.to_string(),
                workspace: root.workspace.clone(),
            },
            partial: document.is_partial(),
            outputs: ByName(document.outputs().into_iter().map(output).collect()),
            values: ValuesJson { values: &document.values, secrets },
            modules: Rows::plain(&document.modules, ModuleJson::of),
            module_calls: Rows::plain(&document.module_calls, CallJson::of),
            variables: Rows::new(&document.variables, secrets, VariableJson::of),
            undeclared: Rows::new(&document.undeclared, secrets, AssignmentJson::of),
            references: Rows::plain(&document.references, ReferenceJson::of),
            functions_used: Rows::plain(&document.functions, FunctionUseJson::of),
            providers: Rows::plain(&document.providers, ProviderUseJson::of),
            checks: Rows::plain(&document.checks, CheckJson::of),
            diagnostics: Rows::new(document.diagnostics.as_slice(), secrets, DiagnosticJson::of),
            files: Rows::plain(&document.files, FileJson::of),
            provider_schemas: Rows::plain(&document.schemas, UsedSchemaJson::of),
            state: document.state.as_ref().map(GivenStateJson::of),
            sources: by_source(&document.sources),
            instance_sources: by_source(&document.instance_sources),
            orphans: document.orphans.iter().map(Address::to_string).collect(),
        }
    }
}

/// Named values by address. The entry for an instance of a resource is built when it is written.
struct ValuesJson<'d> {
    values: &'d NamedValues,
    secrets: Secrets,
}

impl Serialize for ValuesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        for entry in self.values.iter() {
            map.serialize_entry(&DisplayText(&entry.address), &EntryJson::of(&entry, self.secrets))?;
        }
        map.end()
    }
}

/// The root module and the options of its evaluation.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Root"))]
struct RootJson {
    /// The directory as it was given.
    directory: String,
    /// The product and edition, such as `terraform-1.11`.
    dialect: String,
    /// The value of `terraform.workspace`.
    workspace: String,
}

/// A named value.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "NamedValue"))]
pub(crate) struct EntryJson<'d> {
    /// `output`, `local`, `variable`, `module`, `resource` or `action`; left out for a part of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The state of the value as a whole: the state of its most doubtful part.
    state: ValueState,
    #[serde(flatten)]
    value: ValueJson<'d>,
    /// The arguments of a module call.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<ValueJson<'d>>,
    /// The parts of the address of a resource or action.
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<ResourceJson<'d>>,
    /// The written arguments and blocks of a resource or action.
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<PartsJson<'d>>,
    /// 0 for a block without instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<u8>,
    /// Why the number of instances is unknown: of the block, if the address has no key, or of the object or module that has the
    /// selected part.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances_unknown: Option<OriginsJson<'d>>,
    /// The unknown attributes of a resource that the state has recorded, as an object. Any of them may have another value after
    /// an apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<ValueJson<'d>>,
    /// The parts of the value that do not come from the configuration.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    part_sources: Rows<'d, PartSource, PartSourceJson<'d>>,
    /// The kinds of source outside of the configuration that the value depends on, also through other values. The names are the
    /// same as in `part_sources`. Only for an output, local value, variable, selected part or expression.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    follows_from: Vec<&'static str>,
    /// The kinds of source as in `follows_from`, for the arguments and blocks of a resource or module call, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    arguments_follow_from: BTreeMap<&'d str, Vec<&'static str>>,
    /// The kinds of source as in `follows_from`, for the value of `count`, `for_each` or `enabled` of a resource or module call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instances_follow_from: Vec<&'static str>,
    /// The place of the declaration. For a part of a resource or action, the place of the argument that sets the part, if there
    /// is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'d>>,
}

fn names_of(kinds: &[SourceKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name()).collect()
}

fn by_name(sources: &SourcesByName) -> BTreeMap<&str, Vec<&'static str>> {
    sorted_map(sources.iter().map(|(name, kinds)| (name.as_str(), names_of(kinds))))
}

/// The source of a part of a value that does not come from the configuration.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "PartSource"))]
pub(super) struct PartSourceJson<'d> {
    /// The path of the part in the value.
    path: &'d str,
    /// `given`: by hand; `computed-data`: computed from the arguments of a data source; `plan`: in the document of a plan;
    /// `state`, `state-data`: recorded in the state of a resource or data source; `remote-state`: outputs of another root
    /// module; `prior`: recorded in the state of a resource or data source that may change; `changed-module`: an output of an
    /// installed module whose call asks for another module.
    origin: &'static str,
    /// The place of the value, if it is given in a mock file.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'d>>,
}

impl<'d> PartSourceJson<'d> {
    pub(super) fn of(source: &'d PartSource) -> PartSourceJson<'d> {
        let place = source.place.as_ref().map(RangeJson::of);
        PartSourceJson { path: &source.path, origin: source.kind.name(), source: place }
    }
}

impl<'d> EntryJson<'d> {
    fn of(entry: &'d Entry, secrets: Secrets) -> EntryJson<'d> {
        let (instances, instances_unknown) = match &entry.number {
            InstanceNumber::One => (None, None),
            InstanceNumber::None(_) => (Some(0), None),
            InstanceNumber::Unknown(causes) => (None, Some(OriginsJson(causes))),
        };
        EntryJson {
            kind: Some(entry.kind.name()),
            arguments: entry.arguments.as_ref().map(|arguments| ValueJson::of(arguments, secrets)),
            resource: ResourceJson::of(entry),
            attributes: PartsJson::of_entry(entry),
            instances,
            instances_unknown,
            prior: entry.prior.as_ref().map(|prior| ValueJson::of(prior, secrets)),
            part_sources: Rows::plain(&entry.sources, PartSourceJson::of),
            follows_from: names_of(&entry.follows_from),
            arguments_follow_from: entry.arguments_follow_from.as_deref().map(by_name).unwrap_or_default(),
            instances_follow_from: names_of(&entry.instances_follow_from),
            source: entry.declaration.as_ref().map(RangeJson::of),
            ..EntryJson::of_part(&entry.value, None, secrets)
        }
    }

    /// The value that an address selects.
    fn selected(selected: &'d Selected<'d>, secrets: Secrets) -> EntryJson<'d> {
        let value = &selected.value;
        match selected.entry {
            Some(entry) => EntryJson::of(entry, secrets),
            None => EntryJson {
                part_sources: Rows::plain(&selected.sources, PartSourceJson::of),
                follows_from: names_of(&selected.follows_from),
                source: selected.place.as_ref().map(RangeJson::of),
                ..EntryJson::of_part(value, selected.unknown_instances.as_ref(), secrets)
            },
        }
    }

    /// Returns the entry of a part of a value. The number of instances of its object may be unknown.
    fn of_part(value: &'d Value, unknown_instances: Option<&'d Origins>, secrets: Secrets) -> EntryJson<'d> {
        EntryJson {
            kind: None,
            state: ValueState::of(value),
            value: ValueJson::of(value, secrets),
            arguments: None,
            resource: None,
            attributes: None,
            instances: None,
            instances_unknown: unknown_instances.map(OriginsJson),
            prior: None,
            part_sources: Rows::plain(&[], PartSourceJson::of),
            follows_from: Vec::new(),
            arguments_follow_from: BTreeMap::new(),
            instances_follow_from: Vec::new(),
            source: None,
        }
    }
}

/// The parts of the address of a resource instance, named as in the plan of Terraform.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Resource"))]
struct ResourceJson<'d> {
    /// `managed`, `data`, `ephemeral` or `action`.
    mode: &'static str,
    /// The type, such as `aws_instance`.
    #[serde(rename = "type")]
    resource_type: &'d str,
    /// The name.
    name: &'d str,
    /// The instance key: a number for `count`, a string for `for_each`.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<IndexJson<'d>>,
    /// The module instance; left out for the root module.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<DisplayText<&'d ModulePath>>,
    /// The provider, such as `hashicorp/aws`; left out if text that cannot be read may name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<DisplayText<&'d ProviderAddress>>,
    /// The alias of the provider configuration in `provider`.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_alias: Option<&'d str>,
    /// `count`, `for_each` or `enabled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<&'static str>,
}

/// An instance key.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum IndexJson<'d> {
    Number(u64),
    Text(&'d str),
}

impl<'d> ResourceJson<'d> {
    fn of(entry: &'d Entry) -> Option<ResourceJson<'d>> {
        let Object::Resource { mode, resource_type, name, key } = &entry.address.object else { return None };
        let module = &entry.address.module;
        Some(ResourceJson {
            mode: mode.name(),
            resource_type,
            name,
            index: match key {
                InstanceKey::None => None,
                InstanceKey::Index(index) => Some(IndexJson::Number(*index)),
                InstanceKey::Key(key) => Some(IndexJson::Text(key)),
            },
            module: (!module.is_root()).then_some(DisplayText(module)),
            provider: entry.block.as_ref().and_then(|block| block.provider.as_ref()).map(DisplayText),
            provider_alias: entry.block.as_ref().and_then(|block| block.provider_alias.as_deref()),
            repetition: entry.block.as_ref().and_then(|block| block.repetition),
        })
    }
}

/// A module of the tree of calls.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Module"))]
struct ModuleJson<'d> {
    /// The calls that lead to the module, without instance keys; empty for the root module.
    module: DisplayText<&'d ModulePath>,
    /// The directory, relative to the root module.
    directory: &'d str,
    /// The SHA-256 of the names and contents of its configuration files.
    content_hash: &'d str,
}

impl<'d> ModuleJson<'d> {
    fn of(module: &'d CalledModule) -> ModuleJson<'d> {
        ModuleJson {
            module: DisplayText(&module.path),
            directory: &module.directory,
            content_hash: module.content_hash(),
        }
    }
}

/// A `module` block.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "ModuleCall"))]
struct CallJson<'d> {
    /// The address, without instance keys.
    address: DisplayText<&'d Address>,
    /// The calling module; empty for the root module.
    module: DisplayText<&'d ModulePath>,
    /// The `source` argument, if it is a constant string.
    #[serde(rename = "source", skip_serializing_if = "Option::is_none")]
    written_source: Option<&'d str>,
    /// The expression of the `source` argument, if it is no constant string.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_expression: Option<&'d str>,
    /// The `version` argument, if it is a constant string.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'d str>,
    /// The expression of the `version` argument, if it is no constant string.
    #[serde(skip_serializing_if = "Option::is_none")]
    version_expression: Option<&'d str>,
    /// The directory of the called module, relative to the root module; left out if the module is not on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<&'d str>,
    /// How the directory was found: `source` (a path), `given` (by an option), `map` (by a module map), `installation`,
    /// `other-installation` (an installed module that differs from the one the call asks for), `repository` (the directory of
    /// the source in the repository of the root module).
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<&'static str>,
    /// The content hash of the called module.
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<&'d str>,
    /// `count`, `for_each` or `enabled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<&'static str>,
    /// The values for variables of the called module, by name; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<PartsJson<'d>>,
    /// The place of the block.
    range: RangeJson<'d>,
}

impl<'d> CallJson<'d> {
    fn of(call: &'d Call) -> CallJson<'d> {
        CallJson {
            address: DisplayText(&call.address),
            module: DisplayText(&call.address.module),
            written_source: call.source.as_deref(),
            source_expression: call.source_expression.as_deref(),
            version: call.version.as_deref(),
            version_expression: call.version_expression.as_deref(),
            directory: call.directory.as_deref(),
            found_by: call.found_by.map(FoundBy::name),
            content_hash: call.content_hash(),
            repetition: call.repetition,
            arguments: PartsJson::of(&call.arguments),
            range: RangeJson::of(&call.declaration),
        }
    }
}

/// An error or a warning.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Diagnostic"))]
pub(crate) struct DiagnosticJson<'d> {
    /// `error` or `warning`.
    severity: &'static str,
    /// The kind of message, such as `core:unsupported-attribute`.
    id: &'static str,
    /// The title.
    summary: &'d str,
    /// The sentences of the message.
    detail: &'d str,
    /// The address of the object that the message is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'d str>,
    /// The place at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'d>>,
    /// Other places that help to understand.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    labels: Rows<'d, Label, LabelJson<'d>>,
    /// Suggestions.
    #[serde(skip_serializing_if = "slice_is_empty")]
    hints: &'d [String],
    /// Alternative edits of source files that fix the cause.
    #[serde(skip_serializing_if = "Rows::is_empty")]
    fixes: Rows<'d, Fix, FixJson<'d>>,
    /// The values involved, such as `var.count is 3`.
    #[serde(skip_serializing_if = "slice_is_empty")]
    values: &'d [String],
    /// The number of further messages of this kind that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    omitted: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn slice_is_empty(slice: &[String]) -> bool {
    slice.is_empty()
}

/// A labelled place.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Label"))]
struct LabelJson<'d> {
    source: RangeJson<'d>,
    text: &'d str,
}

/// Edits of source files that belong together.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Fix"))]
struct FixJson<'d> {
    /// The fix as a sentence.
    message: &'d str,
    /// `safe` if the meaning of the configuration stays the same, else `unsafe`: the fix is a guess.
    applicability: &'static str,
    /// The edits.
    edits: Rows<'d, Edit, EditJson<'d>>,
}

/// A change of a source file.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Edit"))]
struct EditJson<'d> {
    /// The text that is replaced; an empty range inserts.
    source: RangeJson<'d>,
    /// The new text.
    text: &'d str,
}

impl<'d> FixJson<'d> {
    fn of(fix: &'d Fix, secrets: Secrets) -> FixJson<'d> {
        let edit =
            |edit: &'d Edit, _| EditJson { source: RangeJson::at(&edit.file, edit.span), text: &edit.text };
        FixJson {
            message: &fix.message,
            applicability: fix.applicability.name(),
            edits: Rows::new(&fix.edits, secrets, edit),
        }
    }
}

impl<'d> DiagnosticJson<'d> {
    pub(crate) fn of(diagnostic: &'d Diagnostic, secrets: Secrets) -> DiagnosticJson<'d> {
        let label =
            |label: &'d Label, _| LabelJson { source: RangeJson::of(&label.place), text: &label.text };
        DiagnosticJson {
            severity: diagnostic.severity.name(),
            id: diagnostic.id.as_str(),
            summary: diagnostic.title(),
            detail: &diagnostic.detail,
            address: diagnostic.address.as_deref(),
            source: diagnostic.subject.as_ref().map(RangeJson::of),
            labels: Rows::new(&diagnostic.labels, secrets, label),
            hints: &diagnostic.hints,
            fixes: Rows::new(&diagnostic.fixes, secrets, FixJson::of),
            values: &diagnostic.values,
            omitted: diagnostic.omitted,
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_value::{ObjectBuilder, OriginKind, Origins, Type};

    use super::*;

    #[test]
    fn a_path_quotes_names_that_are_not_identifiers() {
        let id = || Value::unknown_from(Type::String, Origins::one(OriginKind::Variable, "var.id"));
        let inner = ObjectBuilder::new().with("b", id()).build();
        let value = ObjectBuilder::new().with("a.b", id()).with("a", inner).with("", id()).build();
        let json = value_json(&value);
        for path in [r#""path":"[\"a.b\"]""#, r#""path":".a.b""#, r#""path":"[\"\"]""#] {
            assert!(json.contains(path), "{json}");
        }
    }

    /// Returns the text of `main.tf` after the first fix of each diagnostic, with its applicability.
    fn fixed(text: &str) -> Vec<String> {
        let files = terrane_source::MemoryFiles::from_iter([("main.tf", text)]);
        let json = crate::Project::new(".").evaluate(&files).document(Secrets::Hidden).to_json();
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        let fix = |diagnostic: &serde_json::Value| {
            let fix = diagnostic["fixes"].get(0)?;
            let edit = &fix["edits"][0];
            let byte = |end: &str| usize::try_from(edit["source"][end]["byte"].as_u64().unwrap()).unwrap();
            let mut changed = text.to_owned();
            changed.replace_range(byte("start")..byte("end"), edit["text"].as_str().unwrap());
            Some(format!("{}: {changed}", fix["applicability"].as_str().unwrap()))
        };
        document["diagnostics"].as_array().unwrap().iter().filter_map(fix).collect()
    }

    #[test]
    fn misspelt_names_have_fixes() {
        for (wrong, right) in [
            ("locals {\n  abc = 1\n  x = local.acb\n}\n", "locals {\n  abc = 1\n  x = local.abc\n}\n"),
            ("output \"o\" {\n  vlaue = 1\n}\n", "output \"o\" {\n  value = 1\n}\n"),
            ("locals {\n  x = upperr(\"a\")\n}\n", "locals {\n  x = upper(\"a\")\n}\n"),
            ("locals {\n  x = { abc = 1 }.acb\n}\n", "locals {\n  x = { abc = 1 }.abc\n}\n"),
            ("variable \"v\" {\n  type = sting\n}\n", "variable \"v\" {\n  type = string\n}\n"),
            (
                "resource \"a_b\" \"first\" {}\noutput \"o\" { value = a_b.frist.id }\n",
                "resource \"a_b\" \"first\" {}\noutput \"o\" { value = a_b.first.id }\n",
            ),
        ] {
            assert_eq!(fixed(wrong).first(), Some(&format!("unsafe: {right}")), "{wrong}");
        }
    }

    #[test]
    fn quoted_types_and_references_have_safe_fixes() {
        let text = "variable \"v\" {\n  type = \"list\"\n}\n";
        assert_eq!(fixed(text), ["safe: variable \"v\" {\n  type = list(string)\n}\n"]);
        let text = "resource \"a_b\" \"c\" {}\nresource \"a_b\" \"d\" {\n  depends_on = [\"a_b.c\"]\n}\n";
        assert_eq!(fixed(text), [format!("safe: {}", text.replace("\"a_b.c\"", "a_b.c"))]);
    }

    #[test]
    fn a_label_has_the_place_in_its_own_file() {
        let files = [("a.tf", "variable \"v\" {}\n"), ("b.tf", "\nvariable \"v\" {}\n")];
        let files = terrane_source::MemoryFiles::from_iter(files);
        let json = crate::Project::new(".").evaluate(&files).document(Secrets::Hidden).to_json();
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        let diagnostic = &document["diagnostics"][0];
        assert_eq!(diagnostic["source"]["filename"], "b.tf");
        assert_eq!(diagnostic["labels"][0]["source"]["filename"], "a.tf");
        assert_eq!(diagnostic["labels"][0]["source"]["start"]["line"], 1);
    }
}
