//! The plan document, format version 1.2.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use terrane_config::address::{ModulePath, Object};
use terrane_value::{SmolStr, Type, Value};

use super::Plan;
use super::checks::{CheckJson, KeyJson, checks};
use super::configuration::{ConfigurationJson, configuration, mode_name};
use super::extension::{ExtensionJson, extension};
use super::product::Emulated;
use super::relevant::{RelevantJson, relevant};
use super::resources::{PlannedAction, PlannedResource};
use super::value::{After, Shape, sensitive_parts, unknown_parts};
use crate::document::json::text::{Layout, to_text_in};
use crate::document::json::value_type::TypeJson;
use crate::secrets::{Secrets, nameless};

/// The version of the format.
const FORMAT_VERSION: &str = "1.2";
/// The version of the format of `prior_state`.
const STATE_VERSION: &str = "1.0";

#[derive(Serialize)]
struct PlanJson<'p> {
    format_version: &'static str,
    terraform_version: &'p str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variables: BTreeMap<&'p str, GivenJson>,
    planned_values: StateValuesJson<'p>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_changes: Vec<ResourceChangeJson<'p>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    output_changes: BTreeMap<&'p str, ChangeJson<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior_state: Option<StateJson<'p>>,
    configuration: ConfigurationJson<'p>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    relevant_attributes: Vec<RelevantJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<CheckJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    applyable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    errored: bool,
    /// Ours.
    terrane: ExtensionJson<'p>,
}

#[derive(Serialize)]
struct GivenJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Given>,
}

/// A value that is written whole, or not at all.
struct Given(Value);

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        After::of(&self.0, Secrets::Shown).serialize(serializer)
    }
}

#[derive(Serialize)]
struct StateJson<'p> {
    format_version: &'static str,
    terraform_version: &'p str,
    values: StateValuesJson<'p>,
}

#[derive(Serialize)]
struct StateValuesJson<'p> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outputs: BTreeMap<&'p str, OutputJson<'p>>,
    root_module: ModuleValuesJson<'p>,
}

#[derive(Serialize)]
struct OutputJson<'p> {
    sensitive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<OwnType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<After<'p>>,
}

struct OwnType(Type);

impl Serialize for OwnType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TypeJson::of(&self.0).serialize(serializer)
    }
}

/// The resources of a module instance, and the instances of the modules that it calls.
#[derive(Serialize, Default)]
struct ModuleValuesJson<'p> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<ResourceValuesJson<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// By address, in whose order they are written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", serialize_with = "values_json")]
    child_modules: BTreeMap<String, ModuleValuesJson<'p>>,
}

fn values_json<S: Serializer>(
    modules: &BTreeMap<String, ModuleValuesJson<'_>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(modules.values())
}

#[derive(Serialize)]
struct ResourceValuesJson<'p> {
    #[serde(flatten)]
    name: ResourceNameJson,
    schema_version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<After<'p>>,
    sensitive_values: Shape,
}

#[derive(Serialize)]
struct ResourceNameJson {
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    module_address: Option<String>,
    mode: &'static str,
    r#type: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<KeyJson>,
    provider_name: String,
}

#[derive(Serialize)]
struct ResourceChangeJson<'p> {
    #[serde(flatten)]
    name: ResourceNameJson,
    change: ChangeJson<'p>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action_reason: Option<&'static str>,
}

#[derive(Serialize)]
struct ChangeJson<'p> {
    actions: [&'static str; 1],
    /// Nothing exists before.
    before: (),
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<After<'p>>,
    after_unknown: Shape,
    before_sensitive: bool,
    after_sensitive: Shape,
}

impl Plan<'_> {
    /// The plan document on one line, without a line break at its end.
    pub fn to_json(&self) -> String {
        self.written(Layout::OneLine)
    }

    /// The plan document with an item on each line.
    pub fn to_json_pretty(&self) -> String {
        self.written(Layout::Indented)
    }

    fn written(&self, layout: Layout) -> String {
        let evaluation = self.report.evaluation();
        let product = Emulated::of(evaluation.config.request.dialect);
        let has_errors = self.report.has_errors();
        let resources = self.changes();
        let is_terraform = !product.is_opentofu;
        let has_changes = !resources.is_empty() || self.root_outputs().any(|(_, value, _)| !value.is_null());
        let document = PlanJson {
            format_version: FORMAT_VERSION,
            terraform_version: &product.version,
            variables: self.variables(),
            planned_values: StateValuesJson {
                outputs: self.outputs(),
                root_module: modules(&resources, &product, self.secrets),
            },
            resource_changes: resources.iter().map(|found| change(found, &product, self.secrets)).collect(),
            output_changes: self.output_changes(),
            prior_state: self.prior_state(&product),
            configuration: configuration(&evaluation.config, &product, self.secrets),
            relevant_attributes: relevant(evaluation, &resources, self.failures.as_ref()),
            checks: checks(evaluation),
            applyable: is_terraform.then_some(!has_errors && has_changes),
            complete: is_terraform.then_some(!has_errors && !self.leaves_out_blocks()),
            errored: has_errors,
            terrane: extension(self, &resources),
        };
        to_text_in(&document, layout)
    }

    /// The values of the root variables as they are given, or their defaults.
    fn variables(&self) -> BTreeMap<&str, GivenJson> {
        let root = self.report.evaluation().root();
        let module = &self.report.evaluation().config.node(root.node).module;
        let given = self.report.inputs().assignments();
        let variables = module.variables.iter().filter_map(|(name, variable)| {
            let own = given.iter().rev().find(|given| given.wins && given.name == *name);
            let default = || Some(variable.default.as_ref()?.value.clone());
            let value = match own {
                // The value of an ephemeral variable is given once more for the apply.
                Some(_) if variable.ephemeral => return None,
                Some(own) => own.value(Some(variable)),
                None => Some(default()?),
            };
            let is_shown = self.secrets == Secrets::Shown || !(variable.sensitive || variable.ephemeral);
            let value = value.filter(|_| is_shown);
            Some((name.as_str(), GivenJson { value: value.map(Given) }))
        });
        variables.collect()
    }

    /// The root outputs that have no error.
    pub(super) fn root_outputs(&self) -> impl Iterator<Item = (&SmolStr, &Value, bool)> {
        let root = self.report.evaluation().root();
        let module = &self.report.evaluation().config.node(root.node).module;
        let outputs = module.outputs.iter().zip(&root.outputs);
        let has_failed = |name: &SmolStr| {
            let output = Object::Output(name.clone());
            self.failures.as_ref().is_some_and(|failures| failures.has_output(&ModulePath::ROOT, &output))
        };
        let sound = outputs.filter(move |((name, _), _)| !has_failed(name));
        sound.map(|((name, output), value)| (name, value, output.sensitive))
    }

    fn outputs(&self) -> BTreeMap<&str, OutputJson<'_>> {
        let outputs = self.root_outputs();
        outputs.map(|(name, value, sensitive)| (name.as_str(), self.output(value, sensitive))).collect()
    }

    fn output<'p>(&self, value: &'p Value, sensitive: bool) -> OutputJson<'p> {
        let is_shown = !sensitive || self.secrets == Secrets::Shown;
        let value = Some(value).filter(|value| value.is_wholly_known());
        OutputJson {
            sensitive,
            r#type: value
                .map(|value| OwnType(if is_shown { own_type(value) } else { nameless(&own_type(value)) })),
            value: value.filter(|_| is_shown).and_then(|value| After::of(value, self.secrets)),
        }
    }

    fn output_changes(&self) -> BTreeMap<&str, ChangeJson<'_>> {
        let changes = self.root_outputs().map(|(name, value, sensitive)| {
            let is_shown = !sensitive || self.secrets == Secrets::Shown;
            let unknown = match is_shown {
                true => unknown_parts(value, self.secrets),
                false => (!value.is_wholly_known()).then_some(Shape::True),
            };
            let change = ChangeJson {
                actions: [if value.is_null() { "no-op" } else { "create" }],
                before: (),
                after: is_shown.then_some(value).and_then(|value| After::of(value, self.secrets)),
                after_unknown: unknown.filter(|shape| !shape.is_all_false()).unwrap_or(Shape::False),
                before_sensitive: sensitive,
                after_sensitive: if sensitive { Shape::True } else { Shape::False },
            };
            (name.as_str(), change)
        });
        changes.collect()
    }

    /// The outputs that are known before anything is created, and the data sources that are read.
    fn prior_state<'p>(&'p self, product: &'p Emulated) -> Option<StateJson<'p>> {
        let known = self.root_outputs().filter(|(_, value, _)| value.is_wholly_known() && !value.is_null());
        let outputs: BTreeMap<&str, OutputJson<'_>> =
            known.map(|(name, value, sensitive)| (name.as_str(), self.output(value, sensitive))).collect();
        let is_read = |found: &&PlannedResource<'_>| match found.action {
            PlannedAction::ReadInPlan => true,
            PlannedAction::ReadInCheck => found.value.is_wholly_known(),
            PlannedAction::Create
            | PlannedAction::Read
            | PlannedAction::ReadUnknownConfiguration
            | PlannedAction::ReadPendingDependency => false,
        };
        let read: Vec<_> = self.resources.iter().filter(is_read).collect();
        (!outputs.is_empty() || !read.is_empty()).then(|| StateJson {
            format_version: STATE_VERSION,
            terraform_version: &product.version,
            values: StateValuesJson { outputs, root_module: modules(&read, product, self.secrets) },
        })
    }
}

fn own_type(value: &Value) -> Type {
    if value.is_null() { Type::Dynamic } else { value.ty() }
}

fn change<'p>(
    resource: &PlannedResource<'p>,
    product: &Emulated,
    secrets: Secrets,
) -> ResourceChangeJson<'p> {
    let module = &resource.module;
    ResourceChangeJson {
        name: ResourceNameJson {
            module_address: (!module.is_root()).then(|| module.to_string()),
            ..name(resource, product)
        },
        change: ChangeJson {
            actions: [resource.action.name()],
            before: (),
            after: After::of(resource.value, secrets),
            after_unknown: attributes(unknown_parts(resource.value, secrets)),
            before_sensitive: false,
            after_sensitive: attributes(sensitive_parts(resource.value)),
        },
        action_reason: resource.action.reason(),
    }
}

/// The attributes in a shape; an object without any if there is none.
fn attributes(shape: Option<Shape>) -> Shape {
    shape.unwrap_or_else(|| Shape::Attributes(Vec::new()))
}

fn name(resource: &PlannedResource<'_>, product: &Emulated) -> ResourceNameJson {
    ResourceNameJson {
        address: resource.address().to_string(),
        module_address: None,
        mode: mode_name(resource.resource.mode),
        r#type: resource.resource.resource_type.to_string(),
        name: resource.resource.name.to_string(),
        index: KeyJson::of(&resource.key),
        provider_name: product.provider(&resource.provider),
    }
}

/// The module instances that have resources or contain one that has, each with its resources in the order of their addresses as
/// text.
fn modules<'p>(
    resources: &[&PlannedResource<'p>],
    product: &Emulated,
    secrets: Secrets,
) -> ModuleValuesJson<'p> {
    let mut by_module: BTreeMap<ModulePath, Vec<ResourceValuesJson<'p>>> = BTreeMap::new();
    for resource in resources {
        let values = ResourceValuesJson {
            name: name(resource, product),
            schema_version: resource.schema_version.unwrap_or_default(),
            values: After::of(resource.value, secrets).filter(|after| !after.is_empty_object()),
            sensitive_values: attributes(sensitive_parts(resource.value)),
        };
        by_module.entry(resource.module.clone()).or_default().push(values);
    }
    let mut root = ModuleValuesJson::default();
    for (path, mut values) in by_module {
        values.sort_by(|one, other| one.name.address.cmp(&other.name.address));
        root.at(&path).resources = values;
    }
    root
}

impl<'p> ModuleValuesJson<'p> {
    /// The instance with this path below the root module.
    fn at(&mut self, path: &ModulePath) -> &mut ModuleValuesJson<'p> {
        let mut found = self;
        let mut reached = ModulePath::ROOT;
        for step in path.steps() {
            reached = reached.child(&step.name, step.key.clone());
            let address = reached.to_string();
            found = found.child_modules.entry(address.clone()).or_default();
            found.address = Some(address);
        }
        found
    }
}
