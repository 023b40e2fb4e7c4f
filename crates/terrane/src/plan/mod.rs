//! The plan of a configuration: the text of `terraform plan` and the document of `terraform show -json`.
//!
//! [`Report::plan`] turns an evaluation into a plan; [`Plan::to_json`] writes the plan document, format version 1.2.

mod apply_order;
mod body_values;
mod changes;
mod checks;
mod configuration;
mod create_first;
mod declared;
mod dependencies;
mod dependency_search;
mod destroyed_after;
mod document_options;
mod expression;
mod extension;
mod failures;
mod hidden;
mod json;
mod lines;
mod missing;
mod newer_objects;
mod objects;
mod providers;
mod public;
mod relevant;
mod replacements;
mod resources;
mod single_blocks;
mod sources;
mod text;
mod unset;
mod untyped;
mod value;
mod without_provider;
mod written;
mod written_blocks;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use terrane_config::Address;
use terrane_config::address::ResourceMode;
use terrane_config::state::State;
use terrane_function::RAISE_MEMORY;
use terrane_module::{
    DestroyedObject, PlanRules, PriorState, destroyed_objects, objects_of_destroy_plan, undecided_objects,
    without_blocked_moves,
};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, Subject, first_of, ids};
use terrane_value::SmolStr;

use self::apply_order::{contradictions, contradictions_of_destruction};
use self::dependencies::FoundDependencies;
use self::destroyed_after::take_destroyed_after;
#[cfg(feature = "json-schema")]
pub use self::extension::plan_extension_schema;
use self::failures::Failures;
pub use self::lines::{PlanLines, SourceLines};
use self::newer_objects::NewerObjects;
pub use self::resources::{PlannedAction, PlannedResource};
pub use self::sources::SourcesOfObject;
use self::without_provider::WithoutProvider;
use crate::infinite::not_json;
use crate::report::Report;
use crate::secrets::Secrets;
use crate::unexpanded;
pub use crate::unexpanded::UnexpandedBlock;

/// A plan has at most one part of a value for this many bytes of the limit on memory. A part that many objects share takes no
/// memory, but the plan looks at it in each of them.
const BYTES_OF_PART: u64 = 16;

/// Limit on the addresses in a warning.
const MAX_NAMED: usize = 20;

/// The messages about conditions and their results.
const CONDITIONS: [DiagnosticId; 5] = [
    ids::OUTPUT_PRECONDITION_FAILED,
    ids::RESOURCE_PRECONDITION_FAILED,
    ids::RESOURCE_POSTCONDITION_FAILED,
    ids::CHECK_FAILED,
    ids::CHECK_UNKNOWN,
];

/// The plan of a configuration. Without a state, it creates every declared resource; with a state, it has the changes of the
/// recorded objects.
///
/// ```
/// use terrane::{MemoryFiles, Project, Secrets};
///
/// let files = MemoryFiles::from_iter([("main.tf", "resource \"terraform_data\" \"box\" { input = \"small\" }\n")]);
/// let report = Project::new(".").evaluate(&files);
/// let plan = report.plan(Secrets::Hidden, &files)?;
/// assert_eq!(plan.resources()[0].address().to_string(), "terraform_data.box");
/// assert!(plan.to_json().starts_with(r#"{"format_version":"1.2","terraform_version":"1."#));
/// # Ok::<(), terrane::NoPlan>(())
/// ```
pub struct Plan<'r> {
    report: &'r Report,
    resources: Vec<PlannedResource<'r>>,
    /// The instances that have an error or depend on one. Only their recorded objects are used.
    failed: Vec<PlannedResource<'r>>,
    destroyed: Vec<DestroyedObject>,
    /// The data sources in the state that a plan to destroy everything removes. They are no changes of the document.
    forgotten_data: Vec<DestroyedObject>,
    /// The objects of the state whose blocks were not evaluated, and the objects that cannot be destroyed.
    undecided: Vec<DestroyedObject>,
    unexpanded: Vec<UnexpandedBlock>,
    /// The objects that are not planned. `None` if the evaluation has no error.
    failures: Option<Failures>,
    /// Messages that only the plan has, not the evaluation.
    diagnostics: Diagnostics,
    rules: PlanRules,
    secrets: Secrets,
    /// Whether the plan destroys everything.
    is_destruction: bool,
    /// The dependencies in `prior_state`, once they are needed.
    dependencies: OnceLock<FoundDependencies>,
}

/// Why an evaluation cannot be a plan that begins with its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPlan {
    /// The evaluation has [prior values](crate::Project::uses_prior_values), which may differ from the planned values.
    PriorValues,
    /// The evaluation has the values of a [stored plan](crate::Project::stored_plan), but not its actions.
    StoredPlan,
    /// The objects have more parts than this. An object counts as 60 parts and those of its value, each as often as it occurs.
    TooManyParts(u64),
}

impl NoPlan {
    /// Returns the error about an exceeded limit. `None` for another reason.
    pub fn exceeded(&self) -> Option<Diagnostic> {
        match self {
            NoPlan::PriorValues | NoPlan::StoredPlan => None,
            NoPlan::TooManyParts(_) => {
                let detail = format!("There is no plan: {self}.");
                Some(Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_MEMORY))
            }
        }
    }
}

impl fmt::Display for NoPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPlan::PriorValues => f.write_str(
                "there is no plan of an evaluation with prior values, which need not be the planned ones",
            ),
            NoPlan::StoredPlan => f.write_str(
                "there is no plan of an evaluation with a stored plan: that document is the plan already",
            ),
            NoPlan::TooManyParts(most) => write!(
                f,
                "all objects together have more than {most} parts: {} each, and those of their values, each as often as it occurs",
                resources::PARTS_OF_OBJECT
            ),
        }
    }
}

impl std::error::Error for NoPlan {}

impl Report {
    /// Returns the evaluation as a plan. The plan begins with the state of the evaluation; without a state, it creates
    /// everything. Expressions that only a plan needs, such as the one of `prevent_destroy`, read through
    /// `files`: the files of the evaluation. [`Document::files`](crate::Document::files) does not list the files that they read.
    ///
    /// # Errors
    ///
    /// If the evaluation has values that differ from the values of a plan, or too many of them.
    pub fn plan(&self, secrets: Secrets, files: &dyn Files) -> Result<Plan<'_>, NoPlan> {
        self.refusal().map_or_else(|| Ok(self.new_plan(secrets, files)), Err)
    }

    /// Returns the plan that destroys all objects of the state, as `terraform plan -destroy` does. Failed conditions do not count;
    /// after [`Project::destroys`](crate::Project::destroys), neither do other errors that depend on values.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project, Secrets, state_from_json};
    ///
    /// let state = state_from_json(
    ///     r#"{"version": 4, "resources": [{"mode": "managed", "type": "terraform_data", "name": "box",
    ///         "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"attributes": {"id": "x1"}}]}]}"#,
    /// )?;
    /// let files = MemoryFiles::from_iter([("main.tf", "")]);
    /// let report = Project::new(".").state(state).evaluate(&files);
    /// let plan = report.destroy_plan(Secrets::Hidden, &files)?;
    /// assert_eq!(plan.destroyed()[0].address().to_string(), "terraform_data.box");
    /// assert!(plan.resources().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Report::plan`].
    pub fn destroy_plan(&self, secrets: Secrets, files: &dyn Files) -> Result<Plan<'_>, NoPlan> {
        self.refusal().map_or_else(|| Ok(self.new_destroy_plan(secrets, files)), Err)
    }

    /// Returns why the evaluation is no plan. `None` if it is one.
    fn refusal(&self) -> Option<NoPlan> {
        let request = &self.evaluation().config.request;
        if request.plan.is_some() {
            return Some(NoPlan::StoredPlan);
        }
        if request.state.is_some() && request.uses_prior_values {
            return Some(NoPlan::PriorValues);
        }
        let most = request.limits.memory / BYTES_OF_PART;
        (resources::parts(self.evaluation()) > most).then_some(NoPlan::TooManyParts(most))
    }

    fn plan_rules(&self) -> PlanRules {
        PlanRules::of(self.evaluation().config.request.dialect)
    }

    fn new_destroy_plan(&self, secrets: Secrets, files: &dyn Files) -> Plan<'_> {
        let mut destroyed = objects_of_destroy_plan(self.evaluation(), files);
        let mut without = WithoutProvider::take_from(&mut destroyed, self.evaluation(), true);
        let newer = NewerObjects::of(self.evaluation());
        let newer_objects = newer.take_from(&mut destroyed);
        without.objects.extend(take_destroyed_after(&mut destroyed, &newer_objects));
        without.objects.extend(newer_objects);
        let mut diagnostics = Prevented::of(&[], &destroyed).diagnostics;
        diagnostics.extend(without.diagnostics);
        diagnostics.extend(newer.diagnostics());
        let mut resources = resources::resources(self.evaluation(), files);
        if !diagnostics.has_errors() {
            let config = &self.evaluation().config;
            diagnostics.extend(contradictions_of_destruction(config, &resources, &destroyed));
        }
        if secrets == Secrets::Hidden {
            destroyed.iter_mut().chain(&mut without.objects).for_each(hidden::hide_destroyed);
            resources.iter_mut().for_each(hidden::hide);
            hidden::hide_as_planned(&mut destroyed, &resources, &undecided_objects(self.evaluation()));
        }
        let is_data = |one: &mut DestroyedObject| one.resource.mode == ResourceMode::Data;
        let forgotten_data = destroyed.extract_if(.., is_data).collect();
        diagnostics.extend(unreadable_objects(&destroyed));
        Plan {
            report: self,
            resources: Vec::new(),
            failed: Vec::new(),
            destroyed,
            forgotten_data,
            undecided: without.objects,
            unexpanded: Vec::new(),
            failures: None,
            diagnostics,
            rules: self.plan_rules(),
            secrets,
            is_destruction: true,
            dependencies: OnceLock::new(),
        }
    }

    fn new_plan(&self, secrets: Secrets, files: &dyn Files) -> Plan<'_> {
        let evaluation = self.evaluation();
        let mut destroyed = destroyed_objects(evaluation, files);
        let without = WithoutProvider::take_from(&mut destroyed, evaluation, false);
        let newer = NewerObjects::of(evaluation);
        let has_errors = self.has_errors() || without.diagnostics.has_errors() || !newer.is_empty();
        let mut failures = has_errors.then(|| Failures::of(evaluation, &[], files));
        let mut resources = resources::resources(evaluation, files);
        let mut failed = resources::take_failed(&mut resources, failures.as_ref());
        let mut undecided = undecided_objects(evaluation);
        undecided.extend(without.objects);
        undecided.extend(take_undecided(&mut destroyed, failures.as_ref()));
        let prevented = Prevented::of(&resources, &destroyed);
        if !prevented.addresses.is_empty() {
            failures = Some(Failures::of(evaluation, &prevented.addresses, files));
            failed.extend(resources::take_failed(&mut resources, failures.as_ref()));
            undecided.extend(take_undecided(&mut destroyed, failures.as_ref()));
        }
        let mut diagnostics = without.diagnostics;
        diagnostics.extend(create_first::decide(&evaluation.config, &mut resources));
        let all = resources.iter_mut().chain(&mut failed);
        match secrets {
            Secrets::Hidden => {
                all.for_each(hidden::hide);
                destroyed.iter_mut().chain(&mut undecided).for_each(hidden::hide_destroyed);
            }
            Secrets::Shown => all.for_each(hidden::show_import_id),
        }
        let unexpanded = unexpanded::outermost(evaluation);
        diagnostics.extend(prevented.diagnostics);
        if failures.is_none() {
            diagnostics.extend(contradictions(&evaluation.config, &resources, &destroyed));
        }
        let rules = self.plan_rules();
        let title = rules.forgotten_objects;
        diagnostics.extend(forgotten_objects(&destroyed).map(|found| found.titled(title)));
        diagnostics.extend(unreadable_objects(&destroyed));
        diagnostics.extend(newer.diagnostics());
        diagnostics.extend(infinite_objects(&resources));
        let mut plan = Plan {
            report: self,
            resources,
            failed,
            destroyed,
            forgotten_data: Vec::new(),
            undecided,
            unexpanded,
            failures,
            diagnostics,
            rules,
            secrets,
            is_destruction: false,
            dependencies: OnceLock::new(),
        };
        plan.diagnostics.extend(plan.unmatched_replacements());
        plan
    }
}

/// Takes out the objects whose blocks were not evaluated. Deposed objects stay: an apply has left them to destroy, so they do
/// not depend on their blocks.
fn take_undecided(destroyed: &mut Vec<DestroyedObject>, failures: Option<&Failures>) -> Vec<DestroyedObject> {
    let Some(failures) = failures else { return Vec::new() };
    let is_undecided = |destroyed: &mut DestroyedObject| {
        destroyed.deposed.is_none() && failures.has_resource(&destroyed.address())
    };
    destroyed.extract_if(.., is_undecided).collect()
}

/// Returns a warning about objects that are removed from the state without being destroyed. `None` if there are none.
fn forgotten_objects(destroyed: &[DestroyedObject]) -> Option<Diagnostic> {
    let forgotten = destroyed.iter().filter(|destroyed| destroyed.is_forgotten);
    let named = first_of(forgotten.map(|destroyed| format!("`{}`", destroyed.address())), MAX_NAMED)?;
    let detail = format!(
        "An apply removes {named} from the state and does not destroy them. To manage them again, import them."
    );
    Some(Diagnostic::warning(ids::FORGOTTEN_OBJECTS, detail))
}

/// Returns a warning about destroyed objects that cannot be read. `None` if there are none.
fn unreadable_objects(destroyed: &[DestroyedObject]) -> Option<Diagnostic> {
    let unreadable = destroyed.iter().filter(|destroyed| destroyed.before.as_entries().is_none());
    let named = first_of(unreadable.map(|destroyed| format!("`{}`", destroyed.address())), MAX_NAMED)?;
    let detail = format!(
        "The plan has no attributes of {named}, because the state has them in a form that cannot be read. For attributes from \
         before Terraform 0.12 the schema of their type is needed."
    );
    Some(Diagnostic::warning(ids::UNREADABLE_STATE_OBJECT, detail))
}

/// Returns an error for each resource instance with an infinite number, which no plan can store.
fn infinite_objects(resources: &[PlannedResource<'_>]) -> Diagnostics {
    let infinite = resources.iter().filter(|resource| resource.value.contains_infinity());
    let error = |resource: &PlannedResource<'_>| {
        let (address, declaration) = (resource.address(), resource.declaration);
        let diagnostic = not_json(&address.to_string(), "arguments").about(&address);
        diagnostic.at(&declaration.file, declaration.span)
    };
    infinite.map(error).collect()
}

/// The objects whose `prevent_destroy` forbids the plan.
#[derive(Default)]
struct Prevented {
    addresses: Vec<Address>,
    diagnostics: Diagnostics,
}

impl Prevented {
    fn of(resources: &[PlannedResource<'_>], destroyed: &[DestroyedObject]) -> Prevented {
        let mut prevented = Prevented::default();
        for resource in resources {
            let place = resource.change.as_ref().and_then(|change| change.prevented_at.as_ref());
            prevented.add(place, || resource.address());
        }
        for destroyed in destroyed.iter().filter(|destroyed| !destroyed.is_forgotten) {
            prevented.add(destroyed.prevented_at.as_ref(), || destroyed.address());
        }
        prevented.diagnostics.sort();
        prevented
    }

    fn add(&mut self, place: Option<&Subject>, address: impl FnOnce() -> Address) {
        let Some(place) = place else { return };
        let address = address();
        let detail = format!(
            "The plan destroys `{address}`, but its block has `prevent_destroy`. Remove `prevent_destroy`, or keep the object."
        );
        let diagnostic = Diagnostic::error(ids::PREVENTED_DESTRUCTION, detail);
        self.diagnostics.push(diagnostic.at(&place.file, place.span));
        self.addresses.push(address);
    }
}

impl<'r> Plan<'r> {
    /// Returns the messages that only the plan has, not the report: errors about objects that the plan would destroy although
    /// their blocks have `prevent_destroy` or their provider configurations are gone; warnings about objects that are removed from
    /// the state without being destroyed; and in a plan without errors, errors about changes that wait for each other.
    /// [`Plan::diagnostics_of_evaluation`] has the messages to print before these.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns the messages of the evaluation that the plan has, too. As in Terraform, a plan without the objects that depend on an
    /// error has no warning about objects that cannot move, and a plan that destroys everything has no messages about conditions.
    pub fn diagnostics_of_evaluation(&self) -> Diagnostics {
        // The plan has an error about each newer object.
        let found = self.report.diagnostics().as_slice().iter();
        let found = found.filter(|found| found.id != ids::NEWER_STATE_OBJECT);
        if self.is_destruction {
            return found.filter(|found| !CONDITIONS.contains(&found.id)).cloned().collect();
        }
        let found = found.cloned().collect();
        if self.is_errored() { without_blocked_moves(&found) } else { found }
    }

    /// Whether the evaluation or the plan has an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics_of_evaluation().has_errors() || self.diagnostics.has_errors()
    }

    /// Whether objects are left out because of an error, or a plan that destroys everything has an error. Changes that no apply can
    /// put in order are an error too, but no object is left out for them.
    fn is_errored(&self) -> bool {
        self.failures.is_some() || self.is_destruction && self.has_errors()
    }

    /// Returns the objects of the state without an instance in the configuration, by address.
    pub fn destroyed(&self) -> &[DestroyedObject] {
        &self.destroyed
    }

    /// Returns the objects and the data sources of the state that are removed.
    fn removed(&self) -> impl Iterator<Item = &DestroyedObject> {
        self.destroyed.iter().chain(&self.forgotten_data)
    }

    /// Returns the state that the plan begins with.
    fn state(&self) -> Option<&State> {
        self.report.evaluation().config.prior().map(PriorState::state)
    }

    /// Returns the resource instances that are created or kept, and the data sources that are read: by module, then data
    /// sources before resources, then by name and key. Instances that have an error or depend on one are missing.
    pub fn resources(&self) -> &[PlannedResource<'r>] {
        &self.resources
    }

    /// Returns the resource instances that an apply creates, changes or keeps.
    fn changes(&self) -> Vec<&PlannedResource<'r>> {
        self.resources.iter().filter(|found| found.action != PlannedAction::ReadInPlan).collect()
    }

    /// Returns the types of resources without a schema, sorted. Only the configured attributes of these resources are in the
    /// plan.
    pub fn types_without_schema(&self) -> Vec<SmolStr> {
        let without = self.resources.iter().filter(|found| found.schema_version.is_none());
        let types = without.map(|found| found.resource.resource_type.clone());
        types.collect::<BTreeSet<SmolStr>>().into_iter().collect()
    }
}
