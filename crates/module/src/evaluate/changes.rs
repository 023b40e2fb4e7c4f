//! Computes how a plan changes the objects of the state that it begins with.

use std::cell::OnceCell;
use std::sync::Arc;

use terrane_config::address::{Address, InstanceKey, ResourceMode};
use terrane_config::state::StateInstance;
use terrane_source::{Diagnostics, Files, Subject};
use terrane_syntax::Expression;
use terrane_value::{Entries, SmolStr, Type, Value, convert};

use crate::evaluate::builtin_provider::{self, is_equal};
use crate::evaluate::given::InstanceAddress;
use crate::evaluate::prior::{PriorObject, PriorResource};
use crate::evaluate::recorded::with_secrets;
use crate::evaluate::resource;
use crate::evaluate::sameness::Comparisons;
use crate::evaluate::sensitivity::{SensitivityChange, sensitivity_changes};
use crate::evaluate::triggers::Triggers;
use crate::expansion::{Expansion, RepetitionData};
use crate::model::ids::{InstanceId, ResourceId};
use crate::model::module::{PreventDestroy, ResourceKey};
use crate::model::prior::{PriorAddress, PriorState, Recorded};
use crate::model::provider::ProviderAddress;
use crate::model::schemas::BlockSchema;
use crate::state::context::Environment;
use crate::state::evaluation::Evaluation;
use crate::state::imports::ImportIds;
use crate::state::instance::ModuleInstance;
use crate::state::scope::ModuleScope;

/// The recorded object of an instance, and how the plan changes it.
#[derive(Clone, Debug)]
pub struct ObjectChange {
    /// The recorded object.
    pub before: Value,
    /// The addresses, without keys, of the objects that the recorded object depends on.
    pub dependencies: Vec<SmolStr>,
    /// Whether the object is tainted: an apply has failed for it.
    pub is_tainted: bool,
    /// The planned change.
    pub change: PlannedChange,
    /// The attributes that become sensitive, or stop being sensitive.
    pub sensitivity: Vec<SensitivityChange>,
    /// The argument whose change replaces the object, even if there is another reason for the replacement as well.
    pub replacing: Option<&'static str>,
    /// The block whose `prevent_destroy` forbids the change, because the change destroys the object.
    pub prevented_at: Option<Subject>,
    /// The identifier under which the built-in provider imports the object; it may be sensitive.
    pub import_id: Option<Value>,
}

/// A change of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlannedChange {
    /// Nothing about the object changes.
    None,
    /// Attributes change. The provider may replace the object for that, unless it is the built-in provider.
    Update {
        /// Whether the provider may replace the object.
        may_replace: bool,
    },
    /// The object is replaced, because it is tainted.
    ReplaceTainted,
    /// The object is replaced, because an item of `replace_triggered_by` changes.
    ReplaceTriggered,
    /// The object is replaced, because the request asks for that.
    ReplaceRequested,
    /// The object is replaced, because this argument changes.
    ReplaceArgument(&'static str),
}

/// An object of the state, at its address in the configuration.
#[derive(Clone, Debug)]
pub struct RecordedObject {
    /// The address, after all moves.
    pub address: Address,
    /// The address in the state, if a move changed it.
    pub previous: Option<Address>,
    /// The object.
    pub value: Value,
}

/// Returns the objects of the state that the evaluation begins with, data sources included.
pub fn recorded_objects(evaluation: &Evaluation) -> Vec<RecordedObject> {
    let Some(prior) = &evaluation.config.recorded.prior else { return Vec::new() };
    let mut all = Vec::new();
    for (module, resource, instances) in prior.resources() {
        for (key, place) in instances {
            let object = prior.object(*place);
            let address = Address { module: module.clone(), object: resource.object(key.clone()) };
            let previous = Some(recorded_address(prior, *place, &object.key));
            all.push(RecordedObject {
                previous: previous.filter(|previous| *previous != address),
                value: before(evaluation, prior.provider_address(*place), resource, object),
                address,
            });
        }
    }
    all.sort_unstable_by(|one, other| one.address.cmp(&other.address));
    all
}

/// Returns the recorded attributes of an instance whose present values are unknown; `None` if there are none. An
/// attribute is secret if the state, the schema or the present value says so.
pub fn prior_attributes(
    evaluation: &Evaluation,
    instance: &ModuleInstance,
    id: ResourceId,
    key: &InstanceKey,
    value: &Value,
) -> Option<Value> {
    let is_alone = evaluation.phase().reads_state_alone();
    let prior = evaluation.config.recorded.prior.as_deref().filter(|_| !is_alone)?;
    let module = &evaluation.config.node(instance.node).module;
    let (resource_key, resource) = module.resources.entry_of(id);
    let place = *prior.instances(&instance.path, resource_key)?.get(key)?;
    let provider = module.provider_address(resource.local_provider(&resource_key.resource_type));
    let is_of_provider = prior.is_of_provider(place, &provider);
    let object = is_of_provider.then(|| prior.object(place))?;
    let object = before(evaluation, Some(&provider), resource_key, object);
    let (inner, marks) = (value.unmarked(), value.marks());
    let attributes = inner.known_attributes().or_else(|| inner.as_entries());
    let is_left = |name: &SmolStr| match attributes.and_then(|attributes| attributes.get(name)) {
        Some(present) => !present.has_known_parts(),
        None => inner.as_unknown().is_some(),
    };
    let recorded = object.unmarked().as_entries()?;
    let of = |attributes: Option<&Entries>, name: &str| {
        let value = attributes.and_then(|attributes| attributes.get(name));
        value.map(|value| value.marks_deep()).unwrap_or_default()
    };
    let kept: Vec<(SmolStr, Value)> = recorded
        .iter()
        .filter(|(name, value)| !value.unmarked().is_null() && is_left(name))
        .map(|(name, known)| {
            let value = known.clone().with_marks(marks).with_marks(&of(attributes, name));
            // The `output` of a `terraform_data` equals its `input`, so it is secret if `input` is.
            let is_input =
                name == "output" && builtin_provider::is_terraform_data(module, resource_key, resource);
            let value = match is_input {
                true => value.with_marks(&of(attributes, "input")).with_marks(&of(Some(recorded), "input")),
                false => value,
            };
            (name.clone(), value)
        })
        .collect();
    (!kept.is_empty()).then(|| Value::object(kept))
}

/// Computes the changes of the instances of a resource in a module instance.
pub struct ObjectChanges<'e> {
    instance: InstanceId,
    id: ResourceId,
    resource: PriorResource<'e>,
    triggers: Triggers,
    imports: Arc<ImportIds>,
    /// The values of `count.index` and `each` in the instances, made when an item of
    /// `replace_triggered_by` may read them.
    repetitions: OnceCell<Expansion<RepetitionData>>,
}

impl<'e> ObjectChanges<'e> {
    /// Returns the changes of the resource `id`; `None` if the evaluation begins without a state and the built-in
    /// provider imports no objects. Keys of `replace_triggered_by` are evaluated with `files`.
    pub fn of(
        evaluation: &'e Evaluation,
        files: &'e dyn Files,
        instance: InstanceId,
        id: ResourceId,
    ) -> Option<ObjectChanges<'e>> {
        ObjectChanges::within(Environment::of(evaluation, files), instance, id)
    }

    /// Returns the same as [`ObjectChanges::of`], within a step of the evaluation.
    pub(super) fn within(
        environment: Environment<'e>,
        instance: InstanceId,
        id: ResourceId,
    ) -> Option<ObjectChanges<'e>> {
        let resource = PriorResource::of(environment, instance, id)?;
        let imports = resource.import_ids(environment.evaluation.instances[instance].node);
        Some(ObjectChanges {
            instance,
            id,
            resource,
            triggers: Triggers::default(),
            imports,
            repetitions: OnceCell::new(),
        })
    }

    /// Returns the change of the instance with a key, whose planned value is `value`; `None` if neither the state nor
    /// an import has an object for the instance.
    pub fn change(&self, key: &InstanceKey, value: &Value) -> Option<ObjectChange> {
        let ObjectChanges { instance, resource, imports, .. } = self;
        if resource.key.mode != ResourceMode::Managed {
            return None;
        }
        let evaluation = resource.environment.evaluation;
        let state = &evaluation.instances[*instance];
        let address = evaluation.address(*instance, resource.key.object(key.clone()));
        let text = address.to_string();
        let names = self.scope(key);
        let own = InstanceAddress { address: &text, module: &state.path, key };
        if let Some(object) = resource.imported(&own, imports) {
            let secret = object.import_id.clone().filter(Value::is_marked);
            let of_id = |value: &Value| match &secret {
                Some(id) => with_import_id(value, id),
                None => value.clone(),
            };
            let object = PriorObject { recorded: of_id(&object.recorded), ..object };
            let change = self.unread(object.recorded.clone());
            return Some(self.compared(change, &object, &names, &of_id(value)));
        }
        let prior = resource.prior?;
        let place = *prior.instances(&state.path, resource.key)?.get(key)?;
        let object = prior.object(place);
        let recorded = resource.object(&names, &own, value, &mut Diagnostics::new());
        let before = match (&recorded, resource.schema) {
            (Some(recorded), Some(_)) => recorded.recorded.clone(),
            (None, _) | (_, None) => {
                let module = names.module();
                let possible = resource.schemas().possible(module, resource.key, resource.resource);
                untyped(object, resource.schema.into_iter().chain(possible))
            }
        };
        let change = ObjectChange {
            dependencies: object.dependencies.clone(),
            is_tainted: object.is_tainted,
            ..self.unread(before)
        };
        let Some(recorded) = recorded else {
            // Only the object's own provider can read it, so its values are not compared.
            Comparisons::default().count(&change.before, resource.environment.meter);
            return Some(match resource.is_requested(&own) {
                true => {
                    let prevented_at = prevented_at(resource, &names);
                    ObjectChange { change: PlannedChange::ReplaceRequested, prevented_at, ..change }
                }
                false => change,
            });
        };
        Some(self.compared(change, &recorded, &names, value))
    }

    /// Returns the address that the state has for the instance with a key, if it differs from the address in the configuration. The
    /// instance may be of a data source, or have only deposed objects.
    pub fn previous(&self, key: &InstanceKey) -> Option<Address> {
        let PriorResource { prior, environment, key: resource, .. } = self.resource;
        let path = &environment.evaluation.instances[self.instance].path;
        let recorded = prior?.recorded_address(&PriorAddress { module: path, resource, key })?;
        let address = environment.evaluation.address(self.instance, resource.object(key.clone()));
        (recorded != address).then_some(recorded)
    }

    /// Whether an item of `replace_triggered_by` changes for an instance that has no object yet.
    pub fn creation_is_triggered(&self, key: &InstanceKey) -> bool {
        self.triggers.replace(&self.resource, &self.scope(key))
    }

    /// Returns the keys of the objects in the state.
    pub(super) fn recorded_keys(&self) -> impl Iterator<Item = &InstanceKey> {
        let PriorResource { prior, environment, key, .. } = &self.resource;
        let path = &environment.evaluation.instances[self.instance].path;
        let instances = prior.and_then(|prior| prior.instances(path, key));
        instances.into_iter().flat_map(|instances| instances.keys())
    }

    /// Returns the scope of the instance with a key.
    fn scope(&self, key: &InstanceKey) -> ModuleScope<'_> {
        let PriorResource { environment, resource, .. } = self.resource;
        let names = environment.evaluation.scope(self.instance);
        if resource.lifecycle.replace_triggered_by.is_empty() {
            return names;
        }
        let expand = || {
            // A wrong argument has been reported by its resource.
            let mut unreported = Diagnostics::new();
            resource::expand(&mut environment.reporting_to(&mut unreported), &names, self.id)
        };
        ModuleScope { repetition: self.repetitions.get_or_init(expand).get(key), ..names }
    }

    /// Returns the change of an object whose values are not compared.
    fn unread(&self, before: Value) -> ObjectChange {
        ObjectChange {
            before,
            dependencies: Vec::new(),
            is_tainted: false,
            change: PlannedChange::Update { may_replace: !self.resource.is_terraform_data },
            sensitivity: Vec::new(),
            replacing: None,
            prevented_at: None,
            import_id: None,
        }
    }

    /// Completes `change` by comparing the recorded object with the planned value.
    fn compared(
        &self,
        change: ObjectChange,
        object: &PriorObject,
        names: &ModuleScope<'_>,
        value: &Value,
    ) -> ObjectChange {
        let ObjectChanges { resource, triggers, .. } = self;
        let before = &change.before;
        let is_same = resource.compared(object, false, |sameness| match resource.is_terraform_data {
            true => is_equal(value, before),
            false => sameness.touched(value, &object.recorded).is_empty(),
        });
        let sensitivity = sensitivity_changes(value, before, object.marks);
        let is_triggered = triggers.replace(resource, names);
        // A tainted object is planned anew. Otherwise `ignore_changes` applies as long as the
        // replacement is not decided.
        let replacing = !object.is_tainted
            && match is_triggered || object.is_requested {
                true => {
                    let ignored = resource.with_ignored(value.clone(), object);
                    resource.has_other_trigger(&ignored.value, before)
                }
                false => resource.has_other_trigger(value, before),
            };
        let replacing = replacing.then_some("triggers_replace");
        let kind = if is_triggered {
            PlannedChange::ReplaceTriggered
        } else if object.is_tainted {
            PlannedChange::ReplaceTainted
        } else if object.is_requested {
            PlannedChange::ReplaceRequested
        } else if let Some(argument) = replacing {
            PlannedChange::ReplaceArgument(argument)
        } else if !is_same {
            PlannedChange::Update { may_replace: !resource.is_terraform_data }
        } else if sensitivity.is_empty() {
            PlannedChange::None
        } else {
            PlannedChange::Update { may_replace: false }
        };
        let is_replaced = !matches!(kind, PlannedChange::None | PlannedChange::Update { .. });
        let prevented_at = if is_replaced { prevented_at(resource, names) } else { None };
        let import_id = object.import_id.clone();
        ObjectChange { change: kind, sensitivity, replacing, prevented_at, import_id, ..change }
    }
}

/// Returns the imported `object` with the identifier `id`. While the evaluation runs, a secret identifier
/// is unknown in the object.
pub fn with_import_id(object: &Value, id: &Value) -> Value {
    let Some(attributes) = object.as_entries() else { return object.clone() };
    let kept = attributes.iter().filter(|(name, _)| *name != "id");
    let kept = kept.map(|(name, value)| (name.clone(), value.clone()));
    Value::object(kept.chain([("id".into(), id.clone())])).with_marks(object.marks())
}

/// Returns the position of a resource block whose `prevent_destroy` forbids destroying its objects.
pub(super) fn prevented_at(resource: &PriorResource<'_>, names: &ModuleScope<'_>) -> Option<Subject> {
    let lifecycle = &resource.resource.lifecycle;
    let computed = |expression: &Expression| {
        let value = resource.environment.value(expression, names, &mut Diagnostics::new());
        // A wrong value has been reported.
        convert(value.unmarked(), &Type::Bool).ok().and_then(|value| value.as_bool())
    };
    let is_prevented = match lifecycle.prevent_destroy.as_ref()? {
        PreventDestroy::Constant(is_prevented) => *is_prevented,
        PreventDestroy::Computed(expression) => computed(expression) == Some(true),
    };
    is_prevented.then(|| resource.resource.declaration.clone())
}

/// Reads a recorded object that has no schema or does not fit it: types follow from the JSON text, secrets from the
/// names of attributes. An object that is nested too deeply becomes an error value.
fn untyped<'s>(object: &StateInstance, schemas: impl IntoIterator<Item = &'s BlockSchema>) -> Value {
    let sensitive = schemas.into_iter().flat_map(|schema| schema.schema().sensitive_names()).collect();
    object
        .untyped()
        .map_or_else(|_| Value::error(), |value| with_secrets(&value, &sensitive).unwrap_or(value))
}

/// Returns the address that an object has in the state.
pub(super) fn recorded_address(prior: &PriorState, place: Recorded, key: &InstanceKey) -> Address {
    let resource = prior.resource(place);
    Address { module: resource.module.clone(), object: resource.object(key.clone()) }
}

/// Returns the recorded object, read with the schema of its type if that is known.
pub(super) fn before(
    evaluation: &Evaluation,
    provider: Option<&ProviderAddress>,
    resource: &ResourceKey,
    object: &StateInstance,
) -> Value {
    let schema = provider.and_then(|provider| evaluation.config.request.schemas.provider(provider));
    let schema = schema.and_then(|schema| schema.resource(resource.mode, &resource.resource_type));
    let typed = schema.and_then(|schema| {
        let value = object.value(&schema.spec().ty().without_optional()).ok()?;
        Some(schema.schema().recorded(&value))
    });
    typed.unwrap_or_else(|| untyped(object, schema.map(|schema| &**schema)))
}
