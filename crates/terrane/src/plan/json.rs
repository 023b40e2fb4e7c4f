//! The plan document, format version 1.2.

use std::collections::BTreeMap;
use std::io;

use serde::{Serialize, Serializer};
use terrane_module::DestroyedObject;
use terrane_source::{Diagnostic, sorted_map};
use terrane_stdlib::utc;
use terrane_value::{Type, Value};

use super::Plan;
use super::changes::{ChangeJson, ResourceChanges, RootOutput};
use super::checks::{PlanCheckJson, bytes_of_messages, checks};
use super::configuration::{ConfigurationJson, bytes_of_modules, configuration};
use super::dependencies::{Dependencies, FoundDependencies};
use super::document_options::DocumentOptions;
use super::extension::{ExtensionJson, extension, values_of_modules};
use super::objects::{ModuleObjects, StoredObject};
use super::providers::{Providers, bytes_of_constraints};
use super::relevant::{RelevantJson, relevant};
use super::resources::{PlannedAction, PlannedResource};
use super::value::After;
use crate::json::text::{Layout, to_text_in, write_text_in};
use crate::json::value_type::TypeJson;
use crate::secrets::{Secrets, has_secret, nameless};

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
    planned_values: StateValuesJson<'p, OutputJson<'p>>,
    #[serde(skip_serializing_if = "ResourceChanges::is_empty")]
    resource_changes: ResourceChanges<'p>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    output_changes: BTreeMap<&'p str, ChangeJson<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior_state: Option<StateJson<'p>>,
    configuration: ConfigurationJson<'p>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    relevant_attributes: Vec<RelevantJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<PlanCheckJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    applyable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    errored: bool,
    /// The member `terrane`, which the plans of the products lack.
    terrane: ExtensionJson<'p>,
}

#[derive(Serialize)]
struct GivenJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Given>,
}

/// A value that is written as a whole or left out.
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
    values: StateValuesJson<'p, PriorOutputJson<'p>>,
}

#[derive(Serialize)]
struct StateValuesJson<'p, O> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outputs: BTreeMap<&'p str, O>,
    root_module: ModuleObjects<'p>,
}

#[derive(Serialize)]
struct OutputJson<'p> {
    sensitive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<OwnType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<After<'p>>,
}

/// An output of `prior_state`. Its members have another order than in `planned_values`.
#[derive(Serialize)]
struct PriorOutputJson<'p> {
    sensitive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<After<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<OwnType>,
}

impl<'p> From<OutputJson<'p>> for PriorOutputJson<'p> {
    fn from(OutputJson { sensitive, r#type, value }: OutputJson<'p>) -> PriorOutputJson<'p> {
        PriorOutputJson { sensitive, value, r#type }
    }
}

struct OwnType(Type);

impl Serialize for OwnType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TypeJson::of(&self.0).serialize(serializer)
    }
}

impl Plan<'_> {
    /// Returns the plan document on one line, without a line break at its end.
    pub fn to_json(&self) -> String {
        self.with_document(|document| to_text_in(document, Layout::OneLine))
    }

    /// Writes the plan document piece by piece: on one line, or with each item on a line of its own if `is_pretty`.
    /// Ask [`Plan::check_printable`] before: beyond its limits the document lacks dependencies of resources.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_json(&self, is_pretty: bool, out: &mut dyn io::Write) -> io::Result<()> {
        let layout = if is_pretty { Layout::Indented } else { Layout::OneLine };
        self.with_document(|document| write_text_in(document, layout, out))
    }

    /// Checks that the document can be printed: the values of objects, also those in the state, of outputs and of local values with
    /// their names, the identifiers of imports, the messages of conditions, the dependencies of objects, the configuration of each
    /// called module, and the version constraints of providers.
    ///
    /// # Errors
    ///
    /// `Limit exceeded`, as in [`Report::check_printable`](crate::Report::check_printable), or if the resources have too many
    /// dependencies.
    pub fn check_printable(&self) -> Result<(), Box<Diagnostic>> {
        const BYTES_OF_OBJECT: usize = 700;
        let dependencies = self.dependencies();
        if let Some(diagnostic) = dependencies.exceeded() {
            return Err(Box::new(diagnostic));
        }
        let evaluation = self.report.evaluation();
        let destroyed = || self.removed().chain(&self.undecided);
        let recorded = self.recorded().count() + destroyed().count();
        let objects = self.resources.len() + recorded + evaluation.instances().len().saturating_sub(1);
        let values = self.resources.iter().map(|resource| &*resource.value);
        let before = self.recorded().map(|(_, value)| value).chain(destroyed().map(|one| &one.before));
        // The outputs of the root module are among them.
        let of_modules = values_of_modules(self).map(|found| found.value);
        let of_dependencies = self.recorded().map(|(resource, _)| dependencies.bytes(resource));
        let ids = || self.resources.iter().filter_map(|resource| resource.import_id.as_ref());
        // The document has each twice: in `resource_changes` and in `terrane`.
        let ids = ids().chain(ids());
        let bytes = objects
            .saturating_mul(BYTES_OF_OBJECT)
            .saturating_add(of_dependencies.fold(0, usize::saturating_add))
            .saturating_add(bytes_of_messages(evaluation))
            .saturating_add(bytes_of_constraints(&evaluation.config))
            .saturating_add(bytes_of_modules(&evaluation.config));
        self.report.check_printable_with(bytes, values.chain(before).chain(of_modules).chain(ids))
    }

    fn with_document<R>(&self, then: impl FnOnce(&PlanJson<'_>) -> R) -> R {
        let evaluation = self.report.evaluation();
        let rules = &self.rules;
        let is_errored = self.is_errored();
        let resources = self.changes();
        let writes_completeness = rules.writes_completeness;
        let is_kept = |found: &&PlannedResource<'_>| found.is_kept();
        let has_changes =
            !resources.iter().all(is_kept) || self.removed().next().is_some() || self.changes_outputs();
        let host = &evaluation.config.request.host;
        let options = DocumentOptions { rules, secrets: self.secrets };
        if self.secrets == Secrets::Hidden {
            // A reference to nothing may be a secret text without its quotes, also where no message is about it.
            evaluation.config.hide_secret_arguments();
        }
        let providers = Providers::of(&evaluation.config, rules, self.secrets);
        let document = PlanJson {
            format_version: FORMAT_VERSION,
            terraform_version: &rules.version,
            variables: self.variables(),
            planned_values: StateValuesJson {
                outputs: self.outputs(),
                root_module: self.planned_modules(&resources, options),
            },
            resource_changes: self.resource_changes(&resources, options),
            output_changes: self.output_changes(),
            prior_state: self.prior_state(options),
            configuration: configuration(&evaluation.config, &providers, options),
            relevant_attributes: relevant(self, &resources),
            checks: checks(evaluation, self.failures.as_ref(), self.is_destruction),
            timestamp: host.world().time_of_plan().map(utc),
            applyable: writes_completeness.then_some(!is_errored && has_changes),
            complete: writes_completeness.then_some(!is_errored && !self.is_incomplete()),
            errored: is_errored,
            terrane: extension(self, &resources),
        };
        then(&document)
    }

    /// Returns the given values of the root variables, or their defaults.
    fn variables(&self) -> BTreeMap<&str, GivenJson> {
        let root = self.report.evaluation().root();
        let module = &self.report.evaluation().config.node(root.node).module;
        let given = self.report.inputs().assignments_by_name();
        let variables = module.variables.iter().filter_map(|(name, variable)| {
            let all = given.get(name.as_str()).into_iter().flatten();
            let own = all.rev().find(|given| given.wins);
            let default = || Some(variable.default.as_ref()?.value.clone());
            let value = match own {
                // The value of an ephemeral variable must be given again for the apply.
                Some(own) if !variable.ephemeral => own.value(Some(variable)),
                Some(_) | None => Some(default()?),
            };
            let is_shown = self.secrets == Secrets::Shown || !(variable.sensitive || variable.ephemeral);
            let value = value.filter(|_| is_shown);
            Some((name.as_str(), GivenJson { value: value.map(Given) }))
        });
        sorted_map(variables)
    }

    fn outputs<'p>(&'p self) -> BTreeMap<&'p str, OutputJson<'p>> {
        let outputs = self.root_outputs();
        let was_sensitive = |name: &str| {
            self.state().and_then(|state| state.outputs.get(name)).is_some_and(|before| before.is_sensitive)
        };
        let output = |output: RootOutput<'p>| {
            let is_sensitive = output.is_sensitive || was_sensitive(output.name);
            let json = self.output(output.value, is_sensitive, |value| After::of(value, self.secrets));
            (output.name, json)
        };
        sorted_map(outputs.map(output))
    }

    fn output<'p>(
        &self,
        value: &'p Value,
        sensitive: bool,
        form: impl FnOnce(&'p Value) -> Option<After<'p>>,
    ) -> OutputJson<'p> {
        let is_shown = !sensitive || self.secrets == Secrets::Shown;
        let has_names = self.secrets == Secrets::Shown || !(sensitive || has_secret(value));
        let value = Some(value).filter(|value| value.is_wholly_known());
        OutputJson {
            sensitive,
            r#type: value
                .map(|value| OwnType(if has_names { own_type(value) } else { nameless(&own_type(value)) })),
            value: value.filter(|_| is_shown).and_then(form),
        }
    }

    /// Returns the state before the plan: outputs and objects of the state, outputs that are known before anything is created,
    /// and data sources that the plan reads.
    fn prior_state<'p>(&'p self, options: DocumentOptions<'p>) -> Option<StateJson<'p>> {
        let planned = sorted_map(self.root_outputs().map(|output| (output.name, output.value)));
        let is_set = |name: &str| planned.get(name).is_none_or(|value| !value.is_null());
        let secret = self.secret_outputs();
        let is_secret = |name: &str| self.secrets == Secrets::Hidden && secret.contains(name);
        let recorded = self.state().into_iter().flat_map(|state| &state.outputs);
        let recorded = recorded.filter(|(name, _)| is_set(name));
        let recorded = recorded.map(|(name, output)| {
            let is_sensitive = output.is_sensitive || is_secret(name);
            RootOutput { name, value: &output.value, is_sensitive }
        });
        let is_known = |output: &RootOutput<'_>| output.value.is_wholly_known() && !output.value.is_null();
        let form = |value| After::written(value, self.secrets);
        let shown = |output: RootOutput<'p>| {
            (output.name, self.output(output.value, output.is_sensitive, form).into())
        };
        let outputs = sorted_map(recorded.chain(self.root_outputs().filter(is_known)).map(shown));
        let mut root_module = ModuleObjects::new(options);
        let dependencies = self.dependencies();
        for resource in &self.resources {
            if let Some(value) = value_before(resource) {
                let object = StoredObject::Recorded { resource, value, dependencies: Some(dependencies) };
                root_module.add(&resource.module, object);
            }
        }
        for resource in &self.failed {
            if let Some(value) = self.recorded_although_failed(resource) {
                let dependencies = Some(dependencies).filter(|_| !self.is_behind_failure(resource));
                let object = StoredObject::Recorded { resource, value, dependencies };
                root_module.add(&resource.module, object);
            }
        }
        for destroyed in self.removed().chain(&self.undecided) {
            root_module.add(&destroyed.module, StoredObject::Destroyed(destroyed));
        }
        root_module.sort_by_key();
        let is_empty = outputs.is_empty() && root_module.is_empty();
        (!is_empty).then(|| StateJson {
            format_version: STATE_VERSION,
            terraform_version: &options.rules.version,
            values: StateValuesJson { outputs, root_module },
        })
    }

    /// Returns the dependencies of the objects in the state before the plan, and finds them first.
    fn dependencies(&self) -> &FoundDependencies {
        self.dependencies.get_or_init(|| {
            let destroyed = self.removed().chain(&self.undecided);
            let mut dependencies = Dependencies::of(&self.report.evaluation().config, destroyed);
            self.recorded().for_each(|(resource, _)| dependencies.find(resource));
            dependencies.into_found()
        })
    }

    /// Returns the instances that the state before the plan has, with their recorded objects.
    fn recorded(&self) -> impl Iterator<Item = (&PlannedResource<'_>, &Value)> {
        let planned = self.resources.iter().filter_map(|found| Some((found, value_before(found)?)));
        let failed =
            self.failed.iter().filter_map(|found| Some((found, self.recorded_although_failed(found)?)));
        planned.chain(failed)
    }

    /// Whether a failed instance depends on the failure of another object.
    fn is_behind_failure(&self, resource: &PlannedResource<'_>) -> bool {
        let block = resource.address().without_keys();
        self.failures.as_ref().is_some_and(|failures| failures.is_behind(&block))
    }

    /// Returns the object that the prior state has for an instance which is not planned. A data source with a false
    /// postcondition has been read, so its value counts.
    fn recorded_although_failed<'p>(&self, resource: &'p PlannedResource<'_>) -> Option<&'p Value> {
        let failures = self.failures.as_ref();
        let is_read = resource.action == PlannedAction::ReadInPlan
            && !resource.value.has_failed()
            && failures.is_some_and(|failures| failures.is_read(&resource.address()));
        if is_read { Some(&*resource.value) } else { resource.before() }
    }

    /// Returns the planned objects. An object that is only forgotten has no values there.
    fn planned_modules<'p>(
        &'p self,
        resources: &[&'p PlannedResource<'p>],
        options: DocumentOptions<'p>,
    ) -> ModuleObjects<'p> {
        let mut root = ModuleObjects::new(options);
        for resource in resources {
            root.add(&resource.module, StoredObject::Planned(resource));
        }
        let is_kept = |destroyed: &&DestroyedObject| destroyed.is_forgotten && destroyed.deposed.is_none();
        for forgotten in self.destroyed.iter().filter(is_kept) {
            root.add(&forgotten.module, StoredObject::Forgotten(forgotten));
        }
        root.sort_by_address();
        root
    }
}

fn own_type(value: &Value) -> Type {
    if value.is_null() { Type::Dynamic } else { value.ty() }
}

/// Returns the object that the state has before the plan: the recorded one, or the value of a data source that the plan reads.
fn value_before<'p>(resource: &'p PlannedResource<'_>) -> Option<&'p Value> {
    match resource.action {
        PlannedAction::ReadInPlan => Some(&*resource.value),
        PlannedAction::ReadInCheck => Some(&*resource.value).filter(|value| value.is_wholly_known()),
        PlannedAction::Create
        | PlannedAction::NoOp
        | PlannedAction::Update { .. }
        | PlannedAction::Import
        | PlannedAction::ReplaceTainted
        | PlannedAction::ReplaceTriggered
        | PlannedAction::ReplaceRequested
        | PlannedAction::ReplaceArgument(_)
        | PlannedAction::Read
        | PlannedAction::ReadUnknownConfiguration
        | PlannedAction::ReadPendingDependency => resource.before(),
    }
}
