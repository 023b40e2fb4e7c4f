//! The member `terrane` of a plan document: facts that the plan of the products lacks.

use std::collections::BTreeMap;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use terrane_config::ModulePath;
use terrane_module::{Config, MissingModule};
use terrane_source::{Diagnostic, Diagnostics, sorted_map};
use terrane_value::{Origins, OriginsMemory, Value};

use super::Plan;
use super::body_values::Values;
use super::declared::{Declared, declared};
use super::expression::ExpressionWriter;
use super::resources::{PlannedAction, PlannedResource};
use super::sources::{FollowedSources, SourcesOfObject};
use super::value::After;
use super::written::{BodyNames, ContentJson};
use crate::document::json::document::DiagnosticJson;
use crate::document::json::range::RangeJson;
use crate::document::json::value::OriginsJson;
use crate::entry::SourcesByName;
use crate::part_source::{PartSource, SourceKind};
use crate::secrets::Secrets;

/// The version of its format.
const FORMAT_VERSION: &str = "1.3";

/// The member `terrane` of a plan document.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(title = "terrane plan --json, the member terrane"))]
pub(super) struct ExtensionJson<'p> {
    /// The version of the format. New fields raise its second number.
    format_version: &'static str,
    /// The resource instances by address.
    #[serde(skip_serializing_if = "InstancesJson::is_empty")]
    #[cfg_attr(
        feature = "json-schema",
        schemars(with = "Option<BTreeMap<String, PlanInstanceJson<'static>>>")
    )]
    instances: InstancesJson<'p>,
    /// The known local values of all module instances, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<BTreeMap<String, serde_json::Value>>"))]
    locals: BTreeMap<String, After<'p>>,
    /// The known outputs of called modules, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<BTreeMap<String, serde_json::Value>>"))]
    module_outputs: BTreeMap<String, After<'p>>,
    /// The declarations of all modules as they are written, by address without instance keys.
    #[serde(skip_serializing_if = "Declared::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Declared>"))]
    declarations: Declared,
    /// Why local values and outputs are unknown, wholly or in part, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<BTreeMap<String, OriginsJson<'static>>>"))]
    unknown: BTreeMap<String, PlanUnknownJson>,
    /// The parts of resource instances and module calls that do not come from the configuration, by address.
    #[serde(skip_serializing_if = "PartSources::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<BTreeMap<String, Vec<PartSourceSchema>>>"))]
    part_sources: PartSources<'p>,
    /// The kinds of source that outputs, local values and variables depend on, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<BTreeMap<String, Vec<String>>>"))]
    follows_from: BTreeMap<String, Vec<&'static str>>,
    /// The kinds of source as in `follows_from`, for the arguments and blocks of resources and module calls, by the address of the block
    /// in its module instance and by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(
        feature = "json-schema",
        schemars(with = "Option<BTreeMap<String, BTreeMap<String, Vec<String>>>>")
    )]
    arguments_follow_from: BTreeMap<String, BTreeMap<String, Vec<&'static str>>>,
    /// The kinds of source as in `follows_from`, for the values of `count`, `for_each` or `enabled`, by the same addresses.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<BTreeMap<String, Vec<String>>>"))]
    instances_follow_from: BTreeMap<String, Vec<&'static str>>,
    /// The directory of each module, by its path without instance keys.
    modules: BTreeMap<String, &'p str>,
    /// The calls of modules that are not on disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<String>>"))]
    not_on_disk: Vec<String>,
    /// The calls of modules that are not read for another reason: an error in the call, or a source that is unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<String>>"))]
    not_read: Vec<String>,
    /// The blocks whose instances are missing, because their number is unknown, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(
        feature = "json-schema",
        schemars(with = "Option<BTreeMap<String, UnexpandedJson<'static>>>")
    )]
    unexpanded: BTreeMap<String, UnexpandedJson<'p>>,
    /// The errors and warnings that `terrane plan` prints.
    #[serde(skip_serializing_if = "MessagesJson::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<DiagnosticJson<'static>>>"))]
    diagnostics: MessagesJson<'p>,
}

/// The messages of the evaluation, then those of the plan. The JSON of each is built when it is written.
struct MessagesJson<'p> {
    of_evaluation: Diagnostics,
    of_plan: &'p Diagnostics,
    secrets: Secrets,
}

impl MessagesJson<'_> {
    fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.of_evaluation.as_slice().iter().chain(self.of_plan.as_slice())
    }

    fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }
}

impl Serialize for MessagesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.all().map(|found| DiagnosticJson::of(found, self.secrets)))
    }
}

/// The resource instances by address. The JSON of each is built when it is written.
struct InstancesJson<'p> {
    resources: Vec<&'p PlannedResource<'p>>,
    config: &'p Config,
    secrets: Secrets,
}

impl InstancesJson<'_> {
    fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }
}

impl<'p> Serialize for InstancesJson<'p> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let resources = self.resources.iter();
        let instance = |found: &&'p PlannedResource<'p>| {
            let module = &self.config.node(found.instance.node).module;
            let writer = ExpressionWriter { module, secrets: self.secrets, may_be_secret: false };
            (found.address().to_string(), instance(found, writer))
        };
        serializer.collect_map(resources.map(instance))
    }
}

/// A block whose instances are missing.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Unexpanded"))]
struct UnexpandedJson<'p> {
    /// Why the number is unknown.
    unknown: OriginsJson<'p>,
}

/// A resource instance.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "PlannedInstance"))]
struct PlanInstanceJson<'p> {
    /// The place of the header of the block.
    source: RangeJson<'p>,
    /// Whether the type has no schema, so that only configured attributes are here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<bool>"))]
    no_schema: bool,
    /// Whether it is a data source that a plan could read but Terrane cannot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<bool>"))]
    not_read: bool,
    /// Whether the provider may replace the object instead of updating it. Schemas do not say which arguments cause a
    /// replacement.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<bool>"))]
    may_replace: bool,
    /// The identifier or identity under which an `import` block imports an object whose attributes only its provider knows;
    /// left out if it is a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<serde_json::Value>"))]
    import_id: Option<After<'p>>,
    #[serde(flatten)]
    content: ContentJson,
}

/// Why a value is unknown, wholly or in part.
struct PlanUnknownJson(Origins);

impl PlanUnknownJson {
    fn of(value: &Value, memory: &mut OriginsMemory) -> Option<PlanUnknownJson> {
        let causes = if value.has_known_parts() { Origins::NONE } else { memory.origins_deep(value) };
        (!causes.is_empty()).then_some(PlanUnknownJson(causes))
    }
}

impl Serialize for PlanUnknownJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OriginsJson(&self.0).serialize(serializer)
    }
}

/// The parts that do not come from the configuration, by address. The parts of an object are found when they are written.
struct PartSources<'p> {
    plan: &'p Plan<'p>,
}

impl PartSources<'_> {
    fn is_empty(&self) -> bool {
        self.plan.part_sources().next().is_none()
    }
}

impl Serialize for PartSources<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.plan.part_sources().map(|SourcesOfObject { address, parts }| {
            (address.to_string(), parts.into_iter().map(PlanSourceJson).collect::<Vec<_>>())
        }))
    }
}

/// The source of a part of a value.
#[cfg(feature = "json-schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "PlannedPartSource")]
#[expect(dead_code, reason = "it describes the members that `PlanSourceJson` writes")]
struct PartSourceSchema {
    /// The path of the part in the value; empty for the whole value.
    path: String,
    /// The kind of source, such as `given` or `state`.
    origin: String,
    /// The place in a mock file.
    #[schemars(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'static>>,
}

/// The source of a part of a value.
struct PlanSourceJson(PartSource);

impl Serialize for PlanSourceJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PartSource { path, kind, place } = &self.0;
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("path", path)?;
        members.serialize_entry("origin", kind.name())?;
        // The value is in a mock file.
        if let Some(place) = place {
            members.serialize_entry("source", &RangeJson::of(place))?;
        }
        members.end()
    }
}

/// Returns the JSON Schema of the member `terrane` of a plan document, draft 2020-12.
#[cfg(feature = "json-schema")]
pub fn plan_extension_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<ExtensionJson<'static>>().to_value()
}

/// A local value or output of a module instance.
pub(super) struct ModuleValue<'p> {
    module: &'p ModulePath,
    kind: ModuleValueKind,
    name: &'p str,
    pub(super) value: &'p Value,
    /// Whether the declaration does not hide the value.
    is_shown: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ModuleValueKind {
    Local,
    /// An output of the root module, whose value is in another member of the document.
    RootOutput,
    Output,
}

impl ModuleValue<'_> {
    /// Returns the path of the module in front of the name.
    fn prefix(&self) -> String {
        if self.module.is_root() { String::new() } else { format!("{}.", self.module) }
    }
}

/// Returns the local values and outputs of all module instances.
pub(super) fn values_of_modules<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = ModuleValue<'p>> {
    let evaluation = plan.report.evaluation();
    let instances = evaluation.instances().iter().filter(|instance| instance.unexpanded.is_none());
    instances.flat_map(move |instance| {
        let module = &evaluation.config.node(instance.node).module;
        let path = &instance.path;
        let locals = module.locals.keys().zip(&instance.locals).map(move |(name, value)| ModuleValue {
            module: path,
            kind: ModuleValueKind::Local,
            name,
            value,
            is_shown: true,
        });
        let kind = if path.is_root() { ModuleValueKind::RootOutput } else { ModuleValueKind::Output };
        let outputs = module.outputs.iter().zip(&instance.outputs);
        let outputs = outputs.map(move |((name, output), value)| ModuleValue {
            module: path,
            kind,
            name,
            value,
            is_shown: plan.secrets == Secrets::Shown || !(output.sensitive || output.ephemeral),
        });
        locals.chain(outputs)
    })
}

pub(super) fn extension<'p>(plan: &'p Plan<'_>, resources: &[&'p PlannedResource<'p>]) -> ExtensionJson<'p> {
    let (evaluation, secrets) = (plan.report.evaluation(), plan.secrets);
    let (mut locals, mut module_outputs) = (BTreeMap::new(), BTreeMap::new());
    let (mut unknown, mut memory) = (BTreeMap::new(), OriginsMemory::new());
    for found in values_of_modules(plan) {
        let after = After::of(found.value, secrets).filter(|_| found.is_shown);
        let kind = found.kind;
        if let Some(causes) = PlanUnknownJson::of(found.value, &mut memory) {
            let kind = if kind == ModuleValueKind::Local { "local." } else { "output." };
            unknown.insert(format!("{}{kind}{}", found.prefix(), found.name), causes);
        }
        match (kind, after) {
            (ModuleValueKind::Local, Some(after)) => {
                locals.insert(format!("{}local.{}", found.prefix(), found.name), after);
            }
            (ModuleValueKind::Output, Some(after)) => {
                module_outputs.insert(format!("{}{}", found.prefix(), found.name), after);
            }
            (ModuleValueKind::RootOutput, _) | (_, None) => {}
        }
    }
    let modules =
        evaluation.config.nodes().map(|(_, node)| (node.path.to_string(), node.module_dir.as_str()));
    let mut instances = resources.to_vec();
    instances.sort_by_cached_key(|found| found.address().to_string());
    let FollowedSources { values, arguments, instances: numbers } = plan.followed_sources();
    let names = |kinds: &[SourceKind]| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>();
    let by_name = |sources: &SourcesByName| {
        sorted_map(sources.iter().map(|(name, kinds)| (name.to_string(), names(kinds))))
    };
    let missing = evaluation.config.missing_modules.iter();
    let (not_on_disk, not_read): (Vec<_>, Vec<_>) = missing.partition(|module| module.causes.is_empty());
    let paths = |modules: Vec<&MissingModule>| modules.iter().map(|module| module.path.to_string()).collect();
    ExtensionJson {
        format_version: FORMAT_VERSION,
        instances: InstancesJson { resources: instances, config: &evaluation.config, secrets },
        locals,
        module_outputs,
        declarations: declared(evaluation, secrets),
        unknown,
        part_sources: PartSources { plan },
        follows_from: sorted_map(values.into_iter().map(|(address, kinds)| (address, names(&kinds)))),
        instances_follow_from: sorted_map(
            numbers.into_iter().map(|(address, kinds)| (address, names(&kinds))),
        ),
        arguments_follow_from: sorted_map(
            arguments.into_iter().map(|(address, kinds)| (address, by_name(&kinds))),
        ),
        modules: sorted_map(modules),
        unexpanded: sorted_map(plan.unexpanded().iter().map(|block| {
            (block.address.to_string(), UnexpandedJson { unknown: OriginsJson(&block.origins) })
        })),
        not_on_disk: paths(not_on_disk),
        not_read: paths(not_read),
        diagnostics: MessagesJson {
            of_evaluation: plan.diagnostics_of_evaluation(),
            of_plan: plan.diagnostics(),
            secrets,
        },
    }
}

fn instance<'p>(resource: &'p PlannedResource<'_>, writer: ExpressionWriter<'_>) -> PlanInstanceJson<'p> {
    let declaration = resource.declaration;
    let values = Values::of(&resource.value);
    let names = BodyNames { schema: resource.schema, sensitive: resource.sensitive };
    let content = ContentJson::of(resource.config, names, &values, writer);
    PlanInstanceJson {
        source: RangeJson::at(&declaration.file, declaration.span),
        no_schema: resource.schema.is_none(),
        not_read: resource.action == PlannedAction::Read,
        may_replace: matches!(
            resource.action,
            PlannedAction::Update { may_replace: true } | PlannedAction::Import
        ),
        import_id: resource
            .import_id
            .as_ref()
            .filter(|_| resource.action == PlannedAction::Import)
            .and_then(|id| After::of(id, writer.secrets)),
        content,
    }
}
