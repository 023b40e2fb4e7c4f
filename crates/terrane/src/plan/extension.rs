//! The member `terrane` of a plan document: what the plan of the products does not say.

use std::collections::BTreeMap;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use terrane_source::Diagnostics;
use terrane_value::{Mark, Origins, Value};

use super::Plan;
use super::expression::ExpressionJson;
use super::resources::{PlannedAction, PlannedResource};
use super::sources::SourcesOfObject;
use super::value::After;
use crate::document::json::range::RangeJson;
use crate::document::json::value::OriginsJson;
use crate::report::PartSource;
use crate::secrets::Secrets;

/// The version of its format.
const FORMAT_VERSION: &str = "1.0";

#[derive(Serialize)]
pub(super) struct ExtensionJson<'p> {
    format_version: &'static str,
    #[serde(skip_serializing_if = "Instances::is_empty")]
    instances: Instances<'p>,
    /// The known local values of all module instances, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    locals: BTreeMap<String, After<'p>>,
    /// The known outputs of called modules, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    module_outputs: BTreeMap<String, After<'p>>,
    /// The parts of resource instances and module calls that do not come from the configuration, by address.
    #[serde(skip_serializing_if = "PartSources::is_empty")]
    part_sources: PartSources<'p>,
    /// The directory of each module, by its path without instance keys.
    modules: BTreeMap<String, &'p str>,
    /// The calls of modules that are not on disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_on_disk: Vec<String>,
    /// The blocks whose instances are missing, because their number is unknown, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    unexpanded: BTreeMap<String, UnexpandedJson<'p>>,
}

/// The resource instances by address. Each is made when it is written.
struct Instances<'p> {
    resources: Vec<&'p PlannedResource<'p>>,
    secrets: Secrets,
}

impl Instances<'_> {
    fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }
}

impl Serialize for Instances<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let resources = self.resources.iter();
        serializer
            .collect_map(resources.map(|found| (found.address().to_string(), instance(found, self.secrets))))
    }
}

#[derive(Serialize)]
struct UnexpandedJson<'p> {
    /// Why the number is unknown.
    #[serde(serialize_with = "origins_json")]
    unknown: &'p Origins,
}

#[derive(Serialize)]
struct InstanceJson<'p> {
    /// The place of the header of the block.
    source: RangeJson<'p>,
    /// Whether the type has no schema, so that only configured attributes are here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_schema: bool,
    /// Whether it is a data source that a plan could read and that is not read here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    not_read: bool,
    /// Whether the provider may replace the object instead of updating it: which argument does is in no schema.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    may_replace: bool,
    /// The identifier or identity under which an `import` block imports an object whose attributes only its provider knows; none of a
    /// secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    import_id: Option<After<'p>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, AttributeJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dynamic: Vec<DynamicJson>,
}

/// An attribute that is configured or unknown.
#[derive(Serialize, Default)]
struct AttributeJson {
    /// The expression as written; none of a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Why it is unknown, or a part of it.
    #[serde(skip_serializing_if = "Origins::is_empty", serialize_with = "origins_json")]
    unknown: Origins,
}

fn origins_json<S: Serializer>(origins: &Origins, serializer: S) -> Result<S::Ok, S::Error> {
    OriginsJson(origins).serialize(serializer)
}

/// A `dynamic` block as written.
#[derive(Serialize)]
struct DynamicJson {
    block: String,
    for_each: ForEachJson,
}

#[derive(Serialize)]
struct ForEachJson {
    /// The expression as written; none of a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(flatten)]
    expression: ExpressionJson,
}

/// The parts that do not come from the configuration, by address. Those of an object are found when they are written.
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
            (address.to_string(), parts.into_iter().map(SourceJson).collect::<Vec<_>>())
        }))
    }
}

/// The source of a part of a value.
struct SourceJson(PartSource);

impl Serialize for SourceJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PartSource { path, kind, place } = &self.0;
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("path", path)?;
        members.serialize_entry("origin", kind.name())?;
        // Of a value in a mock file.
        if let Some(place) = place {
            members.serialize_entry("source", &RangeJson::of(place))?;
        }
        members.end()
    }
}

pub(super) fn extension<'p>(plan: &'p Plan<'_>, resources: &[&'p PlannedResource<'p>]) -> ExtensionJson<'p> {
    let (evaluation, secrets) = (plan.report.evaluation(), plan.secrets);
    let (mut locals, mut module_outputs) = (BTreeMap::new(), BTreeMap::new());
    for instance in evaluation.instances().iter().filter(|instance| instance.unexpanded.is_none()) {
        let module = &evaluation.config.node(instance.node).module;
        let prefix = if instance.path.is_root() { String::new() } else { format!("{}.", instance.path) };
        for (name, value) in module.locals.keys().zip(&instance.locals) {
            locals.extend(After::of(value, secrets).map(|after| (format!("{prefix}local.{name}"), after)));
        }
        if instance.path.is_root() {
            continue;
        }
        for ((name, output), value) in module.outputs.iter().zip(&instance.outputs) {
            let is_shown = secrets == Secrets::Shown || !(output.sensitive || output.ephemeral);
            let after = After::of(value, secrets).filter(|_| is_shown);
            module_outputs.extend(after.map(|after| (format!("{prefix}{name}"), after)));
        }
    }
    let modules =
        evaluation.config.nodes().map(|(_, node)| (node.path.to_string(), node.module_dir.as_str()));
    let mut instances = resources.to_vec();
    instances.sort_by_cached_key(|found| found.address().to_string());
    ExtensionJson {
        format_version: FORMAT_VERSION,
        instances: Instances { resources: instances, secrets },
        locals,
        module_outputs,
        part_sources: PartSources { plan },
        modules: modules.collect(),
        unexpanded: plan
            .unexpanded()
            .iter()
            .map(|block| (block.address.to_string(), UnexpandedJson { unknown: &block.origins }))
            .collect(),
        not_on_disk: evaluation.config.absent.iter().map(|absent| absent.path.to_string()).collect(),
    }
}

fn instance<'p>(resource: &'p PlannedResource<'_>, secrets: Secrets) -> InstanceJson<'p> {
    let declaration = resource.declaration;
    let mut attributes = BTreeMap::new();
    let known = resource.value.known_attributes();
    for (name, value) in known.into_iter().flatten() {
        // A block without a schema is open, but its configured attributes are known.
        let unknown = if value.has_known_parts() { Origins::NONE } else { value.origins_deep() };
        if !unknown.is_empty() {
            attributes.insert(name.to_string(), AttributeJson { unknown, ..AttributeJson::default() });
        }
    }
    let content = resource.config.open_content(&mut Diagnostics::new());
    for attribute in content.attributes.values() {
        let value = known.and_then(|known| known.get(&attribute.name));
        let declared = resource.schema.and_then(|schema| schema.attributes().get(&attribute.name));
        let is_declared = declared.is_some_and(|declared| declared.sensitive || declared.write_only);
        let is_secret = secrets == Secrets::Hidden && (is_declared || value.is_some_and(is_secret));
        let text = attribute.source().slice(attribute.value_span());
        let entry: &mut AttributeJson = attributes.entry(attribute.name.to_string()).or_default();
        entry.text = (!is_secret).then(|| text.to_owned());
    }
    InstanceJson {
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
            .and_then(|id| After::of(id, secrets)),
        attributes,
        dynamic: dynamic(resource, secrets),
    }
}

fn is_secret(value: &Value) -> bool {
    value.contains_marked() && value.unmark_deep().1.contains(&Mark::Sensitive)
}

fn dynamic(resource: &PlannedResource<'_>, secrets: Secrets) -> Vec<DynamicJson> {
    let content = resource.config.open_content(&mut Diagnostics::new());
    let known = resource.value.known_attributes();
    let blocks = content.blocks_of("dynamic").filter_map(|block| {
        let label = block.labels.first()?;
        let made = known.and_then(|known| known.get(&label.text));
        let is_secret = secrets == Secrets::Hidden && made.is_some_and(is_secret);
        let inner = block.body.open_content(&mut Diagnostics::new());
        let attribute = inner.attribute("for_each")?;
        let expression = attribute.expression(&mut Diagnostics::new());
        let text = attribute.source().slice(attribute.value_span());
        let text = (!is_secret).then(|| text.to_owned());
        let expression = ExpressionJson::of(&expression);
        let expression = if is_secret { expression.without_constant() } else { expression };
        let for_each = ForEachJson { text, expression };
        Some(DynamicJson { block: label.text.to_string(), for_each })
    });
    blocks.collect()
}
