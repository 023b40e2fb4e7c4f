//! The plan document, format version 1.2.

use std::collections::BTreeMap;
use std::io;

use serde::{Serialize, Serializer};
use terrane_config::address::{ModulePath, Object};
use terrane_module::DestroyedObject;
use terrane_stdlib::utc;
use terrane_value::{SmolStr, Type, Value};

use super::Plan;
use super::changes::{ChangeJson, ResourceChangeJson, ResourceNameJson, address, attributes, name};
use super::checks::{CheckJson, KeyJson, checks};
use super::configuration::{ConfigurationJson, configuration, mode_name};
use super::create_first::Dependencies;
use super::extension::{ExtensionJson, extension};
use super::product::Emulated;
use super::relevant::{RelevantJson, relevant};
use super::resources::{PlannedAction, PlannedResource, sorted};
use super::value::{After, Shape, sensitive_parts};
use crate::document::json::text::{Layout, to_text_in, write_text_in};
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
    timestamp: Option<String>,
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
        After::written(&self.0, Secrets::Shown).serialize(serializer)
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tainted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    deposed_key: Option<&'p str>,
}

impl Plan<'_> {
    /// The plan document on one line, without a line break at its end.
    pub fn to_json(&self) -> String {
        self.with_document(|document| to_text_in(document, Layout::OneLine))
    }

    /// The plan document with an item on each line.
    pub fn to_json_pretty(&self) -> String {
        self.with_document(|document| to_text_in(document, Layout::Indented))
    }

    /// Writes the plan document piece by piece, on one line or with an item on each.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_json(&self, is_pretty: bool, out: &mut dyn io::Write) -> io::Result<()> {
        let layout = if is_pretty { Layout::Indented } else { Layout::OneLine };
        self.with_document(|document| write_text_in(document, layout, out))
    }

    fn with_document<R>(&self, then: impl FnOnce(&PlanJson<'_>) -> R) -> R {
        let evaluation = self.report.evaluation();
        let product = Emulated::of(evaluation.config.request.dialect);
        let has_errors = self.has_errors();
        let resources = self.changes();
        let is_terraform = !product.is_opentofu;
        let is_kept = |found: &&PlannedResource<'_>| found.is_kept();
        let has_changes =
            !resources.iter().all(is_kept) || !self.destroyed.is_empty() || self.changes_outputs();
        let host = &evaluation.config.request.host;
        let document = PlanJson {
            format_version: FORMAT_VERSION,
            terraform_version: &product.version,
            variables: self.variables(),
            planned_values: StateValuesJson {
                outputs: self.outputs(),
                root_module: self.planned_modules(&resources, &product),
            },
            resource_changes: self.resource_changes(&resources, &product),
            output_changes: self.output_changes(),
            prior_state: self.prior_state(&product),
            configuration: configuration(&evaluation.config, &product, self.secrets),
            relevant_attributes: relevant(self, &resources),
            checks: checks(evaluation, self.failures.as_ref()),
            timestamp: host.clock.as_ref().map(|clock| utc(clock.started())),
            applyable: is_terraform.then_some(!has_errors && has_changes),
            complete: is_terraform.then_some(!has_errors && !self.leaves_out_blocks()),
            errored: has_errors,
            terrane: extension(self, &resources),
        };
        then(&document)
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
                Some(own) if !variable.ephemeral => own.value(Some(variable)),
                Some(_) | None => Some(default()?),
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
        let was_sensitive = |name: &str| {
            self.state().and_then(|state| state.outputs.get(name)).is_some_and(|before| before.is_sensitive)
        };
        let output = |name: &str, value, sensitive| self.output(value, sensitive || was_sensitive(name));
        outputs.map(|(name, value, sensitive)| (name.as_str(), output(name, value, sensitive))).collect()
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

    /// The outputs and objects of the state, the outputs that are known before anything is created, and the data sources that
    /// are read.
    fn prior_state<'p>(&'p self, product: &'p Emulated) -> Option<StateJson<'p>> {
        let recorded = self.state().into_iter().flat_map(|state| &state.outputs);
        let is_set = |name: &str| self.root_outputs().all(|(own, value, _)| own != name || !value.is_null());
        let recorded = recorded.filter(|(name, _)| is_set(name));
        // An output may have become a secret since.
        let is_secret = |name: &str| {
            self.secrets == Secrets::Hidden
                && self.root_outputs().any(|(own, _, is_sensitive)| own == name && is_sensitive)
        };
        let recorded =
            recorded.map(|(name, output)| (name, &output.value, output.is_sensitive || is_secret(name)));
        let known = self.root_outputs().filter(|(_, value, _)| value.is_wholly_known() && !value.is_null());
        let outputs: BTreeMap<&str, OutputJson<'_>> = recorded
            .chain(known)
            .map(|(name, value, sensitive)| (name.as_str(), self.output(value, sensitive)))
            .collect();
        let mut root_module = ModuleValuesJson::default();
        let mut dependencies = Dependencies::of(&self.report.evaluation().config);
        for resource in &self.resources {
            let value = match resource.action {
                PlannedAction::ReadInPlan => Some(&*resource.value),
                PlannedAction::ReadInCheck => Some(&*resource.value).filter(|value| value.is_wholly_known()),
                PlannedAction::Create
                | PlannedAction::NoOp
                | PlannedAction::Update { .. }
                | PlannedAction::Import
                | PlannedAction::ReplaceTainted
                | PlannedAction::ReplaceTriggered
                | PlannedAction::ReplaceArgument(_)
                | PlannedAction::Read
                | PlannedAction::ReadUnknownConfiguration
                | PlannedAction::ReadPendingDependency => resource.before(),
            };
            if let Some(value) = value {
                let names = dependencies.recorded(resource);
                let recorded = self.recorded(resource, value, &names, product);
                root_module.at(&resource.module).resources.push(recorded);
            }
        }
        for resource in &self.failed {
            if let Some(value) = resource.before() {
                let block = resource.address().without_keys();
                let is_behind = self.failures.as_ref().is_some_and(|failures| failures.is_behind(&block));
                let names =
                    if is_behind { resource.stored_dependencies() } else { dependencies.recorded(resource) };
                let recorded = self.recorded(resource, value, &names, product);
                root_module.at(&resource.module).resources.push(recorded);
            }
        }
        for destroyed in &self.destroyed {
            let values = self.destroyed_values(destroyed, product);
            root_module.at(&destroyed.module).resources.push(values);
        }
        root_module.sort_by_key();
        let is_empty = outputs.is_empty() && root_module.is_empty();
        (!is_empty).then(|| StateJson {
            format_version: STATE_VERSION,
            terraform_version: &product.version,
            values: StateValuesJson { outputs, root_module },
        })
    }

    /// The planned objects. Those that are only forgotten have no values in it.
    fn planned_modules<'p>(
        &'p self,
        resources: &[&'p PlannedResource<'p>],
        product: &Emulated,
    ) -> ModuleValuesJson<'p> {
        let mut root = modules(resources, product, self.secrets);
        let is_kept = |destroyed: &&DestroyedObject| destroyed.is_forgotten && destroyed.deposed.is_none();
        for forgotten in self.destroyed.iter().filter(is_kept) {
            let values = self.destroyed_values(forgotten, product);
            let values = ResourceValuesJson {
                values: None,
                sensitive_values: Shape::False,
                depends_on: Vec::new(),
                ..values
            };
            root.at(&forgotten.module).resources.push(values);
        }
        root.sort();
        root
    }

    /// A value of a resource instance in the state.
    fn recorded<'p>(
        &self,
        resource: &'p PlannedResource<'p>,
        value: &'p Value,
        depends_on: &[SmolStr],
        product: &Emulated,
    ) -> ResourceValuesJson<'p> {
        ResourceValuesJson {
            name: name(resource, product),
            schema_version: resource.schema_version.unwrap_or_default(),
            values: After::of(value, self.secrets).filter(|after| !after.is_empty_object()),
            sensitive_values: attributes(sensitive_parts(value)),
            depends_on: texts(depends_on),
            tainted: resource.before.as_ref().is_some_and(|before| before.is_tainted),
            deposed_key: None,
        }
    }

    /// An object of the state that no instance has.
    fn destroyed_values<'p>(
        &self,
        destroyed: &'p DestroyedObject,
        product: &Emulated,
    ) -> ResourceValuesJson<'p> {
        let DestroyedObject { resource, key, provider, before, .. } = destroyed;
        ResourceValuesJson {
            name: ResourceNameJson {
                address: address(destroyed),
                module_address: None,
                previous_address: None,
                mode: mode_name(resource.mode),
                r#type: resource.resource_type.to_string(),
                name: resource.name.to_string(),
                index: KeyJson::of(key),
                provider_name: provider
                    .as_ref()
                    .map_or_else(String::new, |provider| product.provider(provider)),
                deposed: None,
            },
            schema_version: destroyed.schema_version,
            values: After::of(before, self.secrets).filter(|after| !after.is_empty_object()),
            sensitive_values: attributes(sensitive_parts(before)),
            depends_on: texts(&sorted(&destroyed.dependencies)),
            tainted: destroyed.is_tainted,
            deposed_key: destroyed.deposed.as_deref(),
        }
    }
}

fn texts(names: &[SmolStr]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn own_type(value: &Value) -> Type {
    if value.is_null() { Type::Dynamic } else { value.ty() }
}

/// The module instances that have resources or contain one that has, each with its resources in the order of their addresses as
/// text.
fn modules<'p>(
    resources: &[&'p PlannedResource<'p>],
    product: &Emulated,
    secrets: Secrets,
) -> ModuleValuesJson<'p> {
    let mut by_module: BTreeMap<ModulePath, Vec<ResourceValuesJson<'p>>> = BTreeMap::new();
    for resource in resources {
        let values = ResourceValuesJson {
            name: name(resource, product),
            schema_version: resource.schema_version.unwrap_or_default(),
            values: After::of(&resource.value, secrets).filter(|after| !after.is_empty_object()),
            sensitive_values: attributes(sensitive_parts(&resource.value)),
            depends_on: Vec::new(),
            tainted: false,
            deposed_key: None,
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
    fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.child_modules.is_empty()
    }

    /// Brings the resources of all modules in the order of their addresses as text.
    fn sort(&mut self) {
        self.resources.sort_by(|one, other| one.name.address.cmp(&other.name.address));
        self.child_modules.values_mut().for_each(ModuleValuesJson::sort);
    }

    /// Brings the resources of all modules in the order of a state: data sources first, then by type, name and key.
    fn sort_by_key(&mut self) {
        fn order<'r>(one: &'r ResourceValuesJson<'_>) -> impl Ord + use<'r> {
            let name = &one.name;
            (name.mode, &name.r#type, &name.name, &name.index, one.deposed_key)
        }
        self.resources.sort_by(|one, other| order(one).cmp(&order(other)));
        self.child_modules.values_mut().for_each(ModuleValuesJson::sort_by_key);
    }

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
