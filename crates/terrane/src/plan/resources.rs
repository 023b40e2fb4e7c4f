//! The resource instances of a plan.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use terrane_body::{Body, Schema, UnsetArgument};
use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, ModuleStep, ResourceMode};
use terrane_module::module::{Resource, ResourceKey};
use terrane_module::provider::ProviderAddress;
use terrane_module::{
    Evaluation, Expansion, ImportIds, InstanceId, InstanceValue, ModuleInstance, ObjectChange, ObjectChanges,
    PlannedChange, ResourceId, import_ids, with_import_id,
};
use terrane_source::{Files, Subject};
use terrane_value::{Origin, OriginKind, SmolStr, Value};

use super::failures::Failures;
use super::public::Public;
use super::single_blocks::as_recorded;
use super::unset::without_possible_defaults;
use super::untyped::{Unset, as_planned};
use super::written_blocks::WrittenBlocks;

/// The parts that an object counts for besides its value: its change takes about a kilobyte.
pub(super) const PARTS_OF_OBJECT: u64 = 60;

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
    /// The version of the schema. `None` if the resource type has no schema.
    pub schema_version: Option<u64>,
    /// The planned object.
    pub value: Cow<'p, Value>,
    /// The action, such as create or read, and its reason.
    pub action: PlannedAction,
    /// The recorded object and its change, or the object that the built-in provider imports. `None` for a new object.
    pub change: Option<Box<ObjectChange>>,
    /// The address in the state, if that differs.
    previous: Option<Address>,
    /// The identifier under which an `import` block imports the object (a string), or its identity (an object). Either may be
    /// sensitive.
    pub import_id: Option<Value>,
    /// The recorded and the planned object with their own marks, if further parts are secret here.
    pub(super) own: Option<Box<OwnMarks>>,
    /// The parts of an object with secrets that are shown nevertheless.
    pub(super) public: Option<Box<Public>>,
    /// Whether an item of `replace_triggered_by` changes.
    pub(super) is_triggered: bool,
    /// Whether a replacement is created before the object is destroyed.
    pub(super) creates_first: bool,
    /// The schema of its type.
    pub(super) schema: Option<&'p Schema>,
    /// The arguments that are sensitive although no schema says so.
    pub(super) sensitive: &'static [&'static str],
    /// The content of the block that belongs to the provider.
    pub(super) config: &'p Body,
    /// The block types in `config`, if it has blocks and no schema.
    pub(super) written: Option<Arc<WrittenBlocks>>,
    /// The block.
    pub(super) declaration: &'p Subject,
    /// The evaluated module instance.
    pub(super) instance: &'p ModuleInstance,
    /// The block in its module.
    pub(super) id: ResourceId,
}

/// The recorded and the planned object with their own marks.
#[derive(Clone, Debug)]
pub(super) struct OwnMarks {
    pub(super) recorded: Option<Value>,
    pub(super) planned: Value,
}

/// The position among changes. Earlier fields take precedence.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order<'o> {
    /// The depth of the module.
    depth: usize,
    module: &'o [ModuleStep],
    /// False for a data source. Data sources come before managed resources.
    is_managed: bool,
    resource_type: &'o SmolStr,
    name: &'o SmolStr,
    key: &'o InstanceKey,
}

impl PlannedResource<'_> {
    /// Returns the address.
    pub fn address(&self) -> Address {
        Address { module: self.module.clone(), object: self.resource.object(self.key.clone()) }
    }

    /// Returns the recorded object.
    pub(super) fn before(&self) -> Option<&Value> {
        self.change.as_ref().map(|change| &change.before)
    }

    /// Returns the recorded object with its own marks.
    pub(super) fn recorded(&self) -> Option<&Value> {
        self.own.as_ref().map_or_else(|| self.before(), |own| own.recorded.as_ref())
    }

    /// Returns the planned object with its own marks.
    pub(super) fn planned(&self) -> &Value {
        self.own.as_ref().map_or(&self.value, |own| &own.planned)
    }

    /// Returns the object whose known parts the document has.
    pub(super) fn shown(&self) -> &Value {
        self.public.as_ref().map_or(&self.value, |public| &public.known)
    }

    /// Returns the object whose unknown parts the document has.
    pub(super) fn shown_unknown(&self) -> &Value {
        self.public.as_ref().map_or(&self.value, |public| &public.unknown)
    }

    /// Returns the dependencies of the recorded object.
    pub(super) fn stored_dependencies(&self) -> Vec<SmolStr> {
        sorted(self.change.iter().flat_map(|change| &change.dependencies))
    }

    /// Returns the address in the state, if that differs.
    pub fn previous(&self) -> Option<&Address> {
        self.previous.as_ref()
    }

    /// Whether the plan leaves the object and its address unchanged.
    pub(super) fn is_kept(&self) -> bool {
        self.action == PlannedAction::NoOp && self.previous().is_none() && self.import_id.is_none()
    }

    /// Whether it is a data source.
    pub(super) fn is_read(&self) -> bool {
        self.resource.mode == ResourceMode::Data
    }

    /// Returns the names of its actions in the plan, in the order of an apply.
    pub fn actions(&self) -> &'static [&'static str] {
        match self.creates_first && self.action.is_replacement() {
            true => &["create", "delete"],
            false => self.action.names(),
        }
    }

    /// Returns the reason in the plan, if the plan states one.
    pub(super) fn reason(&self) -> Option<&'static str> {
        match self.is_triggered {
            true => PlannedAction::ReplaceTriggered.reason(),
            false => self.action.reason(),
        }
    }

    /// Returns the argument whose change replaces the object.
    pub(super) fn replacing(&self) -> Option<&'static str> {
        self.change.as_ref()?.replacing
    }

    pub(super) fn order(&self) -> Order<'_> {
        order(&self.module, &self.resource, &self.key)
    }
}

/// Returns addresses in the order of a state, each once.
pub(super) fn sorted<'n>(addresses: impl IntoIterator<Item = &'n SmolStr>) -> Vec<SmolStr> {
    let addresses: BTreeSet<&SmolStr> = addresses.into_iter().collect();
    addresses.into_iter().cloned().collect()
}

/// Returns the position of an instance among changes.
pub(super) fn order<'o>(
    module: &'o ModulePath,
    resource: &'o ResourceKey,
    key: &'o InstanceKey,
) -> Order<'o> {
    Order {
        depth: module.steps().len(),
        module: module.steps(),
        is_managed: resource.mode == ResourceMode::Managed,
        resource_type: &resource.resource_type,
        name: &resource.name,
        key,
    }
}

/// The action of a plan for a resource instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlannedAction {
    /// A managed resource is created.
    Create,
    /// Nothing about the object changes.
    NoOp,
    /// The object changes. Without a provider it is unknown whether the change replaces the object, except for built-in types.
    Update {
        /// Whether the provider may replace the object instead.
        may_replace: bool,
    },
    /// An existing object is imported. Only its provider knows its attributes, so the object may change too.
    Import,
    /// The object is replaced, because an apply has failed.
    ReplaceTainted,
    /// The object is replaced, because an item of `replace_triggered_by` changes.
    ReplaceTriggered,
    /// The object is replaced, because [`Project::replace`](crate::Project::replace) asks for that.
    ReplaceRequested,
    /// The object is replaced, because this argument changes.
    ReplaceArgument(&'static str),
    /// A data source is read in the plan, and its value is known. This is not a change.
    ReadInPlan,
    /// A data source is read in the plan by its provider, so its value is not known here.
    Read,
    /// A data source is read in the apply, because its arguments are unknown before.
    ReadUnknownConfiguration,
    /// A data source is read in the apply, because it depends on an object that changes then.
    ReadPendingDependency,
    /// A data source in a `check` block is read in the apply again.
    ReadInCheck,
}

impl PlannedAction {
    /// Returns the names of the actions in the plan, such as `create`, or `delete` and `create`. `create_before_destroy`
    /// reverses the order of a replacement; [`PlannedResource::actions`] has that order.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            PlannedAction::Create => &["create"],
            PlannedAction::NoOp => &["no-op"],
            PlannedAction::Update { .. } | PlannedAction::Import => &["update"],
            PlannedAction::ReplaceTainted
            | PlannedAction::ReplaceTriggered
            | PlannedAction::ReplaceRequested
            | PlannedAction::ReplaceArgument(_) => &["delete", "create"],
            PlannedAction::ReadInPlan
            | PlannedAction::Read
            | PlannedAction::ReadUnknownConfiguration
            | PlannedAction::ReadPendingDependency
            | PlannedAction::ReadInCheck => &["read"],
        }
    }

    /// Whether the object is replaced.
    pub const fn is_replacement(self) -> bool {
        self.names().len() > 1
    }

    /// Returns the reason in the plan, if the plan states one.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            PlannedAction::Create
            | PlannedAction::NoOp
            | PlannedAction::Update { .. }
            | PlannedAction::Import
            | PlannedAction::ReadInPlan
            | PlannedAction::Read => None,
            PlannedAction::ReplaceTainted => Some("replace_because_tainted"),
            PlannedAction::ReplaceTriggered => Some("replace_by_triggers"),
            PlannedAction::ReplaceRequested => Some("replace_by_request"),
            PlannedAction::ReplaceArgument(_) => Some("replace_because_cannot_update"),
            PlannedAction::ReadUnknownConfiguration => Some("read_because_config_unknown"),
            PlannedAction::ReadPendingDependency => Some("read_because_dependency_pending"),
            PlannedAction::ReadInCheck => Some("read_because_check_nested"),
        }
    }
}

/// Returns the number of parts of all resources and data sources. Those of their values are counted as often as they occur.
pub(super) fn parts(evaluation: &Evaluation) -> u64 {
    let instances = evaluation.instances().ids();
    let blocks = instances.flat_map(|number| PlannedBlock::of_instance(evaluation, number));
    blocks.map(|block| block.parts()).fold(0, u64::saturating_add)
}

/// Returns all declared instances in the order of the changes of a plan: by module, then data sources before resources, then by
/// name and key. Expressions that only a plan needs read through `files`.
pub(super) fn resources<'p>(evaluation: &'p Evaluation, files: &dyn Files) -> Vec<PlannedResource<'p>> {
    let numbers = evaluation.instances().ids();
    let mut blocks: Vec<PlannedBlock<'_>> =
        numbers.flat_map(|number| PlannedBlock::of_instance(evaluation, number)).collect();
    blocks.sort_unstable_by(|one, other| one.order().cmp(&other.order()));
    let count = blocks.iter().map(|block| block.instances.len()).sum();
    let mut all = Vec::with_capacity(count);
    // The instances of a block are already in the order of their keys.
    blocks.iter().for_each(|block| block.add_to(&mut all, files));
    all
}

/// Takes out the instances that have failed. Without failures, no value needs to be searched.
pub(super) fn take_failed<'p>(
    resources: &mut Vec<PlannedResource<'p>>,
    failures: Option<&Failures>,
) -> Vec<PlannedResource<'p>> {
    let Some(failures) = failures else { return Vec::new() };
    let is_failed =
        |found: &PlannedResource<'_>| found.value.has_failed() || failures.has_resource(&found.address());
    resources.extract_if(.., |found| is_failed(found)).collect()
}

/// A resource or data source of a module instance.
struct PlannedBlock<'p> {
    evaluation: &'p Evaluation,
    number: InstanceId,
    instance: &'p ModuleInstance,
    id: ResourceId,
    key: &'p ResourceKey,
    resource: &'p Resource,
    instances: &'p Expansion<InstanceValue>,
}

impl<'p> PlannedBlock<'p> {
    /// Returns the resources and data sources of a module instance.
    fn of_instance(evaluation: &'p Evaluation, number: InstanceId) -> impl Iterator<Item = PlannedBlock<'p>> {
        let instance = &evaluation.instances()[number];
        let resources = &evaluation.config.node(instance.node).module.resources;
        let all = resources.ids().zip(&instance.resources).map(move |(id, instances)| {
            let (key, resource) = resources.entry_of(id);
            let instances = &*instances.expansion;
            PlannedBlock { evaluation, number, instance, id, key, resource, instances }
        });
        // If a call is not expanded, it is unknown whether the module instance exists.
        all.filter(|block| {
            let is_planned = matches!(block.key.mode, ResourceMode::Managed | ResourceMode::Data);
            is_planned && block.instance.unexpanded.is_none()
        })
    }

    /// Returns the number of parts of all instances.
    fn parts(&self) -> u64 {
        let parts = |instance: &InstanceValue| (instance.size() as u64).saturating_add(PARTS_OF_OBJECT);
        self.instances.iter().map(|(_, instance)| parts(instance)).fold(0, u64::saturating_add)
    }

    fn order(&self) -> Order<'_> {
        order(&self.instance.path, self.key, &InstanceKey::None)
    }

    /// Adds the instances.
    fn add_to(&self, all: &mut Vec<PlannedResource<'p>>, files: &dyn Files) {
        let PlannedBlock { evaluation, number, instance, id, key, resource, instances } = *self;
        let module = &evaluation.config.node(instance.node).module;
        let changes = ObjectChanges::of(evaluation, files, number, id);
        let imports = import_ids(evaluation, files, instance.node, key);
        let schema = evaluation.config.request.schemas.resource(module, key, resource);
        let provider = module.provider_address(resource.local_provider(&key.resource_type));
        let sensitive = module.sensitive_attributes(key, resource);
        let written = WrittenBlocks::of(&resource.config).map(Arc::new);
        let may_have_defaults =
            schema.is_some_and(|block| block.unset_argument(key.mode) == UnsetArgument::MayHaveDefault);
        let shape = Shape { is_untyped: schema.is_none(), may_have_defaults, blocks: written.as_deref() };
        let block =
            Address { module: instance.path.clone(), object: key.object(InstanceKey::None) }.to_string();
        all.extend(instances.values().map(|(instance_key, value)| {
            let change = changes.as_ref().and_then(|changes| changes.change(&instance_key, &value));
            let import_id = match &change {
                Some(change) => change.import_id.clone(),
                None => self.import_id(&imports, &instance_key),
            };
            let new = || self.new_action(&instance_key, &value, import_id.is_some());
            let action = change.as_ref().map_or_else(new, |change| action_of(&change.change));
            PlannedResource {
                module: instance.path.clone(),
                resource: key.clone(),
                provider: provider.clone(),
                schema_version: schema.map(|block| stored_version(key.mode, block.schema())),
                value: shape
                    .of(value, change.as_ref(), import_id.as_ref(), || instance_key.address_in(&block)),
                action,
                is_triggered: is_triggered(changes.as_ref(), action, &instance_key),
                previous: changes.as_ref().and_then(|changes| changes.previous(&instance_key)),
                key: instance_key,
                change: change.map(Box::new),
                import_id,
                own: None,
                public: None,
                creates_first: false,
                schema: schema.map(|block| block.schema()),
                sensitive,
                config: &resource.config,
                written: written.clone(),
                declaration: &resource.declaration,
                instance,
                id,
            }
        }));
    }

    /// Returns the identifier under which a provider imports an instance. `None` if the state has the instance already, also with
    /// deposed objects alone.
    fn import_id(&self, imports: &ImportIds, key: &InstanceKey) -> Option<Value> {
        let PlannedBlock { evaluation, instance, key: resource, .. } = *self;
        let id = imports.get(&instance.path, key).filter(|_| resource.mode == ResourceMode::Managed)?;
        let prior = evaluation.config.prior();
        let is_in_state = prior.is_some_and(|prior| prior.has_instance(&instance.path, resource, key));
        (!is_in_state).then(|| id.clone())
    }

    /// Returns the action for an instance without an object in the state or from the built-in provider.
    fn new_action(&self, key: &InstanceKey, value: &Value, is_imported: bool) -> PlannedAction {
        if is_imported {
            return PlannedAction::Import;
        }
        let PlannedBlock { evaluation, instance, id, .. } = *self;
        let is_supplied = || value.has_known_parts() && has_source(evaluation, instance, id, key, value);
        let action = action(self.key, self.resource, value);
        let is_read = action == PlannedAction::Read && is_supplied();
        if is_read { PlannedAction::ReadInPlan } else { action }
    }
}

/// The form of the planned objects of a block.
#[derive(Clone, Copy)]
struct Shape<'b> {
    is_untyped: bool,
    /// Whether arguments that are not configured may have defaults.
    may_have_defaults: bool,
    /// The block types in the block, if there are any.
    blocks: Option<&'b WrittenBlocks>,
}

impl Shape<'_> {
    /// Returns the value of an instance as a plan shows it: with the secret identifier of an import, or in the form of a plan
    /// without a schema, with blocks as the state has recorded them.
    fn of<'v>(
        self,
        value: Cow<'v, Value>,
        change: Option<&ObjectChange>,
        import_id: Option<&Value>,
        address: impl FnOnce() -> String,
    ) -> Cow<'v, Value> {
        let is_kept = change.is_some_and(|change| !action_of(&change.change).is_replacement());
        if let Some(id) = import_id.filter(|id| id.is_marked() && is_kept) {
            return Cow::Owned(with_import_id(&value, id));
        }
        if self.may_have_defaults {
            let recorded = change.filter(|_| is_kept).map(|change| &change.before);
            let without = without_possible_defaults(&value, recorded, &address());
            return without.map_or(value, Cow::Owned);
        }
        if !self.is_untyped {
            return value;
        }
        let planned = match change {
            Some(_) => as_planned(&value, self.blocks, Unset::Unknown),
            None => as_planned(&value, self.blocks, Unset::LeftOut(&address())),
        };
        let value = planned.map_or(value, Cow::Owned);
        let recorded =
            change.zip(self.blocks).and_then(|(change, blocks)| as_recorded(&value, &change.before, blocks));
        recorded.map_or(value, Cow::Owned)
    }
}

/// Whether `replace_triggered_by` names an item that changes for an instance.
fn is_triggered(changes: Option<&ObjectChanges<'_>>, action: PlannedAction, key: &InstanceKey) -> bool {
    match changes {
        Some(changes) if action == PlannedAction::Create => changes.creation_is_triggered(key),
        Some(_) | None => action == PlannedAction::ReplaceTriggered,
    }
}

/// Returns the version of the schema with which an object is stored. Data sources are not stored, so their version is 0.
pub(super) fn stored_version(mode: ResourceMode, schema: &Schema) -> u64 {
    match mode {
        ResourceMode::Managed => schema.version(),
        ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::Action => 0,
    }
}

fn action_of(change: &PlannedChange) -> PlannedAction {
    match change {
        PlannedChange::None => PlannedAction::NoOp,
        PlannedChange::Update { may_replace } => PlannedAction::Update { may_replace: *may_replace },
        PlannedChange::ReplaceTainted => PlannedAction::ReplaceTainted,
        PlannedChange::ReplaceTriggered => PlannedAction::ReplaceTriggered,
        PlannedChange::ReplaceRequested => PlannedAction::ReplaceRequested,
        PlannedChange::ReplaceArgument(name) => PlannedAction::ReplaceArgument(name),
    }
}

/// Whether the answer of the provider is recorded, computed, or given by hand as a whole.
fn has_source(
    evaluation: &Evaluation,
    instance: &ModuleInstance,
    id: ResourceId,
    key: &InstanceKey,
    value: &Value,
) -> bool {
    let given = evaluation.given_for_resource(instance, id, key, value);
    given.iter().any(|part| part.path().is_empty())
        || evaluation.computed_attributes(instance, id, key, value).next().is_some()
        || !evaluation.recorded_attributes(instance, id, key, value).0.is_empty()
}

fn action(key: &ResourceKey, resource: &Resource, value: &Value) -> PlannedAction {
    if key.mode == ResourceMode::Managed {
        return PlannedAction::Create;
    }
    let origins = value.origins_deep();
    let is_unknown_cause =
        |kind: OriginKind| !matches!(kind, OriginKind::DataSource | OriginKind::NotComputed);
    let is_unknown = origins.as_slice().iter().any(|origin| is_unknown_cause(origin.kind));
    // The plan reads a remote state that is not found here, so this is no change in the apply.
    let is_change = |cause: &Origin| cause.kind != OriginKind::NotComputed;
    let waits_for_change =
        origins.as_slice().iter().any(|origin| origin.causes.as_slice().iter().any(is_change));
    match (is_unknown, waits_for_change, &resource.check) {
        (true, _, _) => PlannedAction::ReadUnknownConfiguration,
        (false, true, _) => PlannedAction::ReadPendingDependency,
        (false, false, Some(_)) => PlannedAction::ReadInCheck,
        (false, false, None) if value.is_wholly_known() => PlannedAction::ReadInPlan,
        (false, false, None) => PlannedAction::Read,
    }
}
