//! The plan of a configuration: the text of `terraform plan` and the document of `terraform show -json`.
//!
//! [`Report::plan`] looks at an evaluation as a plan; [`Plan::to_json`] writes the plan document, format version 1.2.

mod changes;
mod checks;
mod configuration;
mod expression;
mod extension;
mod failures;
pub(crate) mod hidden;
mod json;
mod missing;
mod product;
mod providers;
mod relevant;
mod resources;
mod text;
mod unexpanded;
mod value;

use std::collections::BTreeSet;

use terrane_config::state::State;
use terrane_module::{DestroyedObject, PriorState, destroyed};
use terrane_value::SmolStr;

use self::failures::Failures;
pub use self::resources::{PlannedAction, PlannedResource};
pub use self::unexpanded::UnexpandedBlock;
use crate::report::Report;
use crate::secrets::Secrets;

/// The plan of a configuration. Without a state, it creates every declared resource; with a state, it has the changes of the
/// recorded objects.
///
/// ```
/// use terrane::{MemoryFiles, Project, Secrets};
///
/// let files = MemoryFiles::from_iter([("main.tf", "resource \"terraform_data\" \"box\" { input = \"small\" }\n")]);
/// let report = Project::new(".").evaluate(&files);
/// let plan = report.plan(Secrets::Hidden);
/// assert_eq!(plan.resources()[0].address().to_string(), "terraform_data.box");
/// assert!(plan.to_json().starts_with(r#"{"format_version":"1.2","terraform_version":"1."#));
/// ```
pub struct Plan<'r> {
    report: &'r Report,
    resources: Vec<PlannedResource<'r>>,
    destroyed: Vec<DestroyedObject>,
    unexpanded: Vec<UnexpandedBlock>,
    /// None if the evaluation has no error.
    failures: Option<Failures>,
    secrets: Secrets,
}

impl Report {
    /// The evaluation as a plan: from its state or, without one, of creating everything.
    pub fn plan(&self, secrets: Secrets) -> Plan<'_> {
        let failures = self.has_errors().then(|| Failures::of(self.evaluation()));
        let mut resources = resources::resources(self.evaluation(), failures.as_ref());
        let mut destroyed = destroyed(self.evaluation());
        if secrets == Secrets::Hidden {
            resources.iter_mut().for_each(hidden::hide);
            destroyed.iter_mut().for_each(hidden::hide_destroyed);
        }
        let unexpanded = unexpanded::unexpanded(self.evaluation());
        Plan { report: self, resources, destroyed, unexpanded, failures, secrets }
    }
}

impl<'r> Plan<'r> {
    /// The objects of the state that no instance has: by address.
    pub fn destroyed(&self) -> &[DestroyedObject] {
        &self.destroyed
    }

    /// The state that the plan begins with.
    fn state(&self) -> Option<&State> {
        self.report.evaluation().config.prior().map(PriorState::state)
    }

    /// The resource instances that are created or kept, and the data sources that are read: by module, then data sources before
    /// resources, then by name and key. Instances that have an error or depend on one are missing.
    pub fn resources(&self) -> &[PlannedResource<'r>] {
        &self.resources
    }

    /// Those of them that an apply creates, changes or keeps.
    fn changes(&self) -> Vec<&PlannedResource<'r>> {
        self.resources.iter().filter(|found| found.action != PlannedAction::ReadInPlan).collect()
    }

    /// The types of its resources that have no schema, sorted. Of these, only configured attributes are in the plan.
    pub fn types_without_schema(&self) -> Vec<SmolStr> {
        let without = self.resources.iter().filter(|found| found.schema_version.is_none());
        let types = without.map(|found| found.resource.resource_type.clone());
        types.collect::<BTreeSet<SmolStr>>().into_iter().collect()
    }
}
