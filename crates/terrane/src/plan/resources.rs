//! The resource instances of a plan that creates everything.

use terrane_body::{Body, Schema};
use terrane_config::address::{InstanceKey, ModulePath, ResourceMode};
use terrane_config::{Address, Declaration};
use terrane_module::module::{Resource, ResourceKey};
use terrane_module::provider::ProviderAddress;
use terrane_module::{Evaluation, ModuleInstance};
use terrane_value::{OriginKind, SmolStr, Value};

use super::failures::{Failures, has_failed};

/// An instance of a resource or data source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlannedResource<'p> {
    /// The module instance.
    pub module: ModulePath,
    /// The mode, the type and the name.
    pub resource: ResourceKey,
    /// The key of the instance.
    pub key: InstanceKey,
    /// The provider.
    pub provider: ProviderAddress,
    /// The version of the schema; none if the resource type has no schema.
    pub schema_version: Option<u64>,
    /// The object that is planned.
    pub value: &'p Value,
    /// Whether it is created or read, and why.
    pub action: PlannedAction,
    /// The schema of its type.
    pub(super) schema: Option<&'p Schema>,
    /// The content of the block that belongs to the provider.
    pub(super) config: &'p Body,
    /// The block.
    pub(super) declaration: &'p Declaration,
}

/// The position among changes: the depth and path of the module, the rank of the mode, the type, the name and the key.
type Order<'o> = (usize, Vec<(&'o SmolStr, &'o InstanceKey)>, u8, &'o SmolStr, &'o SmolStr, &'o InstanceKey);

impl PlannedResource<'_> {
    /// The address.
    pub fn address(&self) -> Address {
        Address { module: self.module.clone(), object: self.resource.object(self.key.clone()) }
    }

    fn order(&self) -> Order<'_> {
        let steps = self.module.steps();
        let path = steps.iter().map(|step| (&step.name, &step.key)).collect();
        let rank = u8::from(self.resource.mode == ResourceMode::Managed);
        (steps.len(), path, rank, &self.resource.resource_type, &self.resource.name, &self.key)
    }
}

/// What a plan does with a resource instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlannedAction {
    /// A managed resource is created.
    Create,
    /// A data source is read in the plan, and all of it is known. It is no change.
    ReadInPlan,
    /// A data source is read in the plan, which needs its provider; here it is not known.
    Read,
    /// A data source is read in the apply, because its arguments are unknown before.
    ReadUnknownConfiguration,
    /// A data source is read in the apply, because it depends on something that is created then.
    ReadPendingDependency,
    /// A data source in a `check` block is read in the apply too.
    ReadInCheck,
}

impl PlannedAction {
    /// The name of the action in the plan: `create` or `read`.
    pub const fn name(self) -> &'static str {
        match self {
            PlannedAction::Create => "create",
            PlannedAction::ReadInPlan
            | PlannedAction::Read
            | PlannedAction::ReadUnknownConfiguration
            | PlannedAction::ReadPendingDependency
            | PlannedAction::ReadInCheck => "read",
        }
    }

    /// The reason in the plan, if it states one.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            PlannedAction::Create | PlannedAction::ReadInPlan | PlannedAction::Read => None,
            PlannedAction::ReadUnknownConfiguration => Some("read_because_config_unknown"),
            PlannedAction::ReadPendingDependency => Some("read_because_dependency_pending"),
            PlannedAction::ReadInCheck => Some("read_because_check_nested"),
        }
    }
}

/// All instances, in the order of the changes of a plan: by module, then data sources before resources, then by name and key.
pub(super) fn resources<'p>(
    evaluation: &'p Evaluation,
    failures: Option<&Failures>,
) -> Vec<PlannedResource<'p>> {
    let mut all: Vec<PlannedResource<'_>> =
        evaluation.instances().iter().flat_map(|instance| of_instance(evaluation, instance)).collect();
    // Without errors nothing has failed, and no value has to be searched.
    if let Some(failures) = failures {
        all.retain(|found| !has_failed(found.value) && !failures.has_resource(&found.address()));
    }
    all.sort_by(|one, other| one.order().cmp(&other.order()));
    all
}

fn of_instance<'p>(evaluation: &'p Evaluation, instance: &'p ModuleInstance) -> Vec<PlannedResource<'p>> {
    // Nobody knows whether there is such an instance.
    if instance.unexpanded.is_some() {
        return Vec::new();
    }
    let module = &evaluation.config.node(instance.node).module;
    let resources = module.resources.iter().zip(&instance.resources);
    let planned =
        resources.filter(|((key, _), _)| matches!(key.mode, ResourceMode::Managed | ResourceMode::Data));
    let planned = planned.flat_map(|((key, resource), instances)| {
        let schema = evaluation.config.request.schemas.resource(module, key, resource);
        let version = schema.map(|block| stored_version(key.mode, block.schema()));
        instances.expansion.iter().map(move |(instance_key, value)| PlannedResource {
            module: instance.path.clone(),
            resource: key.clone(),
            key: instance_key,
            provider: module.provider_address(resource.local_provider(&key.resource_type)),
            schema_version: version,
            value,
            action: action(key, resource, value),
            schema: schema.map(|block| block.schema()),
            config: &resource.config,
            declaration: &resource.declaration,
        })
    });
    planned.collect()
}

/// The version of the schema with which an object is stored. Data sources are not stored.
pub(super) fn stored_version(mode: ResourceMode, schema: &Schema) -> u64 {
    match mode {
        ResourceMode::Managed => schema.version(),
        ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::Action => 0,
    }
}

fn action(key: &ResourceKey, resource: &Resource, value: &Value) -> PlannedAction {
    if key.mode == ResourceMode::Managed {
        return PlannedAction::Create;
    }
    let origins = value.origins_deep();
    let is_of_others = |kind: OriginKind| kind != OriginKind::DataSource;
    let is_unknown = origins.as_slice().iter().any(|origin| is_of_others(origin.kind));
    let is_pending = origins.as_slice().iter().any(|origin| !origin.causes.is_empty());
    match (is_unknown, is_pending, &resource.check) {
        (true, _, _) => PlannedAction::ReadUnknownConfiguration,
        (false, true, _) => PlannedAction::ReadPendingDependency,
        (false, false, Some(_)) => PlannedAction::ReadInCheck,
        (false, false, None) if value.is_wholly_known() => PlannedAction::ReadInPlan,
        (false, false, None) => PlannedAction::Read,
    }
}
