//! Reads the objects of resources from the state, as the console of the products does.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use terrane_config::address::{InstanceKey, ModulePath, ResourceMode};
use terrane_config::state::{StateForm, StateInstance};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Entries, Marks, OriginKind, Origins, SmolStr, Type, Value, ValueKind, json};

use crate::expansion::{Expansion, RepetitionData};
use crate::model::ids::{InstanceId, ResourceId};
use crate::model::module::{Repetition, Resource, ResourceKey};
use crate::model::prior::{self, PriorInstances, PriorState};
use crate::model::schemas::BlockSchema;
use crate::model::untyped_secrets::UntypedSecrets;
use crate::state::evaluation::Evaluation;
use crate::state::instance_value::InstanceValue;

/// Words in attribute names whose values are secrets. Without a schema, only the name tells.
const SECRET_WORDS: [&str; 11] = [
    "access_key",
    "auth_key",
    "certificate_pem",
    "connection_string",
    "credential",
    "kubeconfig",
    "passphrase",
    "password",
    "private_key",
    "secret",
    "token",
];

/// Returns the state, if the phase reads resources from it alone.
pub(super) fn state_alone(
    evaluation: &Evaluation,
    instance: InstanceId,
    id: ResourceId,
) -> Option<&PriorState> {
    let (key, _) = evaluation.scope(instance).module().resources.entry_of(id);
    let is_read = evaluation.phase().reads_state_alone() && prior::is_stored(key.mode);
    evaluation.config.recorded.prior.as_deref().filter(|_| is_read)
}

/// A resource in a module instance, with its objects in the state.
#[derive(Clone, Copy)]
pub(super) struct RecordedResource<'r> {
    pub(super) prior: &'r PriorState,
    pub(super) evaluation: &'r Evaluation,
    pub(super) instance: InstanceId,
    pub(super) id: ResourceId,
}

impl<'r> RecordedResource<'r> {
    fn place(&self) -> (&'r ModulePath, &'r ResourceKey) {
        let state = &self.evaluation.instances[self.instance];
        let module = &self.evaluation.config.node(state.node).module;
        (&state.path, module.resources.entry_of(self.id).0)
    }

    /// Returns the recorded objects.
    fn objects(&self) -> Option<&'r PriorInstances> {
        let (path, key) = self.place();
        self.prior.instances(path, key)
    }

    /// Whether the state has the resource, even without objects.
    fn is_in_state(&self) -> bool {
        let (path, key) = self.place();
        self.prior.has_resource(path, key)
    }

    /// Returns the keys of the instances. An instance with only deposed objects, which are left
    /// to destroy, counts, too.
    fn keys(&self) -> BTreeSet<&'r InstanceKey> {
        let (path, key) = self.place();
        let current = self.objects().into_iter().flat_map(PriorInstances::keys);
        current.chain(self.prior.deposed_keys(path, key)).collect()
    }

    /// Returns the instances: the recorded keys of the kind that the block has.
    pub(super) fn expand(&self) -> Expansion<RepetitionData> {
        let RecordedResource { evaluation, instance, .. } = *self;
        let (key, resource) = evaluation.scope(instance).module().resources.entry_of(self.id);
        if !self.is_in_state() {
            let address = evaluation.address(instance, key.object(InstanceKey::None)).to_string();
            return match &resource.repetition {
                Repetition::Once | Repetition::Enabled(_) => Expansion::Once(RepetitionData::default()),
                Repetition::Count(_) | Repetition::ForEach(_) => {
                    let origins = Origins::one(origin_kind(key.mode), address);
                    let any = Some(RepetitionData::unknown(&resource.repetition, &origins));
                    Expansion::Unknown { origins, any }
                }
            };
        }
        let all = self.keys().into_iter();
        match &resource.repetition {
            Repetition::Once | Repetition::Enabled(_) => Expansion::Once(RepetitionData::default()),
            Repetition::Count(_) => {
                let last = all.filter_map(|key| match key {
                    InstanceKey::Index(index) => Some(*index),
                    InstanceKey::None | InstanceKey::Key(_) => None,
                });
                Expansion::numbered(last.max().map_or(0, |last| last.saturating_add(1)))
            }
            Repetition::ForEach(_) => {
                let keys = all.filter_map(|key| match key {
                    InstanceKey::Key(name) => Some((name.clone(), RepetitionData::of_key(key))),
                    InstanceKey::None | InstanceKey::Index(_) => None,
                });
                Expansion::ForEach(keys.collect())
            }
        }
    }

    /// Returns the objects of the instances that [`RecordedResource::expand`] found. An instance without an object,
    /// such as a gap between numbers, is unknown.
    pub(super) fn instances(
        &self,
        expansion: Expansion<RepetitionData>,
        diagnostics: &mut Diagnostics,
    ) -> Expansion<InstanceValue> {
        let RecordedResource { prior, evaluation, instance, id } = *self;
        let module = evaluation.scope(instance).module();
        let (key, resource) = module.resources.entry_of(id);
        let schema =
            evaluation.config.request.schemas.resource(module, key, resource).map(|schema| &**schema);
        let secrets = UntypedSecrets::of(&evaluation.config.request.schemas, module, key, resource);
        let objects = self.objects();
        // The console has no type for a resource that the state lacks entirely.
        let ty = schema.filter(|_| self.is_in_state()).map(|schema| schema.spec().ty().without_optional());
        expansion.map(|instance_key, _| {
            let address = evaluation.address(instance, key.object(instance_key.clone())).to_string();
            let origins = Origins::one(origin_kind(key.mode), address.as_str());
            let unknown = Value::unknown_from(ty.clone().unwrap_or(Type::Dynamic), origins);
            let place = objects.and_then(|objects| objects.get(&instance_key));
            let Some(object) = place.map(|place| prior.object(*place)) else { return unknown.into() };
            let reader = RecordedReader { schema, address: &address, mode: key.mode, secrets: &secrets };
            reader.read(object, resource, diagnostics).unwrap_or(unknown).into()
        })
    }
}

/// Returns the origin of an attribute that is not recorded.
fn origin_kind(mode: ResourceMode) -> OriginKind {
    match mode {
        ResourceMode::Data => OriginKind::DataSource,
        ResourceMode::Managed | ResourceMode::Ephemeral | ResourceMode::Action => {
            OriginKind::ResourceAttribute
        }
    }
}

/// Reads the recorded object of an instance.
#[derive(Clone, Copy)]
pub(super) struct RecordedReader<'r> {
    pub(super) schema: Option<&'r BlockSchema>,
    /// The address of the instance.
    pub(super) address: &'r str,
    pub(super) mode: ResourceMode,
    /// The attributes that are sensitive if the schema is not known.
    pub(super) secrets: &'r UntypedSecrets<'r>,
}

impl RecordedReader<'_> {
    /// Returns the object; `None` if it follows another version of the schema, which only the provider can upgrade, or
    /// does not fit the schema. Both are reported at the block.
    pub(super) fn read(
        &self,
        object: &StateInstance,
        resource: &Resource,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let read = match self.schema {
            Some(schema) => {
                let version = if self.mode == ResourceMode::Managed { schema.schema().version() } else { 0 };
                if object.schema_version != version && object.form != StateForm::Plan {
                    self.report_version(object, version, resource, diagnostics);
                    return None;
                }
                let value = object.value(&schema.spec().ty().without_optional());
                let value = value.map(|value| schema.schema().recorded(&value));
                value.map(|value| match object.unknown.is_empty() {
                    true => value,
                    false => with_origins(&value, &Origins::one(origin_kind(self.mode), self.address)),
                })
            }
            None => object.untyped().map(|value| {
                let origins = || Origins::one(origin_kind(self.mode), self.address);
                self.secrets.marked(opened(&value, object.form, &origins).unwrap_or(value))
            }),
        };
        let error = match read {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let problem = match error.is_too_deep || object.form == StateForm::Legacy {
            true => "in a form that cannot be read",
            false => "in a form that does not fit the schema of its type",
        };
        let detail = format!(
            "The state has `{}` {problem}: {} Its attributes are taken for unknown.",
            self.address, error.message
        );
        let declaration = &resource.declaration;
        let diagnostic = Diagnostic::warning(ids::UNREADABLE_STATE_OBJECT, detail);
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        None
    }

    /// Reports the first object of a resource whose schema version differs from `version`.
    fn report_version(
        &self,
        object: &StateInstance,
        version: u64,
        resource: &Resource,
        diagnostics: &mut Diagnostics,
    ) {
        let block = self.address.strip_suffix(&object.key.to_string()).unwrap_or(self.address);
        let (id, reader) = match object.schema_version > version {
            true => (ids::NEWER_STATE_OBJECT, "Only a newer version of the provider can read it"),
            false => (ids::UNREADABLE_STATE_OBJECT, "Only the provider can convert it"),
        };
        let detail = format!(
            "The state has `{block}` in version {} of the schema of its type, but the schema that is read has version {version}. \
             {reader}, so its attributes are taken for unknown.",
            object.schema_version
        );
        if diagnostics.as_slice().iter().all(|other| other.detail != detail) {
            let declaration = &resource.declaration;
            let diagnostic = Diagnostic::warning(id, detail);
            diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        }
    }
}

/// Returns a recorded value without a schema in the form in which it can be read; `None` if that equals the stored
/// form. A JSON array may be a list, a set or a tuple. In a state file, an object of `value` and `type` may also be a
/// value of dynamic type, so it is unknown. Attributes with the names of secrets are marked.
fn opened(value: &Value, form: StateForm, origins: &dyn Fn() -> Origins) -> Option<Value> {
    let own = LazyCell::new(origins);
    let inner = value.unmarked();
    let opened = match inner.kind() {
        ValueKind::Object(entries) if form == StateForm::File && is_dynamic(entries) => {
            Value::unknown_from(Type::Dynamic, own.clone())
        }
        ValueKind::Object(entries) => {
            let part = |name: &SmolStr, value| opened(value, form, &|| own.at_attribute(name));
            let parts: Vec<_> = entries.iter().map(|(name, value)| part(name, value)).collect();
            let is_same = |(name, part): (&SmolStr, &Option<Value>)| part.is_none() && !has_secret_word(name);
            if entries.keys().zip(&parts).all(is_same) {
                return None;
            }
            let parts = entries.iter().zip(parts).map(|((name, value), part)| {
                let part = part.unwrap_or_else(|| value.clone());
                let is_secret = is_secret(name, &part);
                (name.clone(), if is_secret { part.with_marks(&Marks::secret_name()) } else { part })
            });
            Value::object(parts.collect::<Vec<_>>())
        }
        ValueKind::Tuple(elements) => {
            let part = |index: i64, value| opened(value, form, &|| own.at_index(&index.into()));
            let parts = (0..).zip(elements);
            let parts = parts.map(|(index, value)| part(index, value).unwrap_or_else(|| value.clone()));
            Value::open_sequence(parts.collect::<Vec<_>>(), own.clone())
        }
        ValueKind::Unknown(unknown) => Value::unknown_from(unknown.ty.clone(), own.clone()),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Null(_)
        | ValueKind::Marked(..) => return None,
    };
    Some(opened.with_marks(value.marks()))
}

/// Gives origins to the unknown parts of a planned value that was read with a schema.
fn with_origins(value: &Value, origins: &Origins) -> Value {
    let inner = value.unmarked();
    let attribute =
        |(name, value): (&SmolStr, &Value)| (name.clone(), with_origins(value, &origins.at_attribute(name)));
    let elements = |all: &[Value]| {
        let elements = (0_i64..).zip(all);
        elements
            .map(|(index, value)| with_origins(value, &origins.at_index(&index.into())))
            .collect::<Vec<_>>()
    };
    let element = || inner.ty().element().cloned().unwrap_or(Type::Dynamic);
    let with = match inner.kind() {
        ValueKind::Unknown(unknown) => Value::unknown_from(unknown.ty.clone(), origins.clone()),
        ValueKind::Object(entries) => Value::object(entries.iter().map(attribute).collect::<Vec<_>>()),
        ValueKind::Map(entries) => Value::map(element(), entries.iter().map(attribute).collect::<Vec<_>>()),
        ValueKind::List(all) => Value::list(element(), elements(all)),
        ValueKind::Tuple(all) => Value::tuple(elements(all)),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Set(_)
        | ValueKind::Null(_)
        | ValueKind::Marked(..) => inner.clone(),
    };
    with.with_marks(value.marks())
}

/// Whether an attribute without a schema has the name of a secret.
fn is_secret(name: &str, value: &Value) -> bool {
    !value.is_null() && has_secret_word(name)
}

fn has_secret_word(name: &str) -> bool {
    SECRET_WORDS.iter().any(|word| word.len() <= name.len() && name.contains(word))
}

/// Marks the secrets in a recorded value that has no schema or does not fit it: attributes with the names of secrets,
/// and attributes that the schema declares `sensitive`. `None` if there are none.
pub(super) fn with_secrets(value: &Value, sensitive: &BTreeSet<&SmolStr>) -> Option<Value> {
    let inner = value.unmarked();
    let marked = match (inner.as_entries(), inner.as_sequence()) {
        (Some(entries), _) => {
            let part = |(name, value): (&SmolStr, &Value)| {
                let marks = match (sensitive.contains(name) && !value.is_null(), is_secret(name, value)) {
                    (true, _) => Marks::sensitive(),
                    (false, true) => Marks::secret_name(),
                    (false, false) => return with_secrets(value, sensitive),
                };
                let part = with_secrets(value, sensitive).unwrap_or_else(|| value.clone());
                Some(part.with_marks(&marks))
            };
            let parts: Vec<Option<Value>> = entries.iter().map(part).collect();
            let parts = changed(entries.values(), parts)?;
            Value::object(entries.keys().cloned().zip(parts).collect::<Vec<_>>())
        }
        (None, Some(all)) => {
            let parts = all.iter().map(|value| with_secrets(value, sensitive)).collect();
            Value::tuple(changed(all.iter(), parts)?)
        }
        (None, None) => return None,
    };
    Some(marked.with_marks(value.marks()))
}

/// Returns all parts of a value, changed or as before; `None` if no part has changed.
fn changed<'v>(all: impl Iterator<Item = &'v Value>, parts: Vec<Option<Value>>) -> Option<Vec<Value>> {
    let with = |(value, part): (&Value, Option<Value>)| part.unwrap_or_else(|| value.clone());
    parts.iter().any(Option::is_some).then(|| all.zip(parts).map(with).collect())
}

/// Whether an object has the form in which state files store values of dynamic type.
pub(super) fn is_dynamic(entries: &Entries) -> bool {
    let is_pair = entries.keys().map(SmolStr::as_str).eq(["type", "value"]);
    let ty = entries.get("type").filter(|_| is_pair).and_then(|ty| json::encode(ty).ok());
    ty.is_some_and(|ty| json::decode_type(&ty).is_ok())
}
