//! Completes planned instances from the state: attributes that the provider sets keep their recorded values if the
//! instance does not change.

use std::sync::Arc;

use terrane_config::address::{Address, ResourceMode};
use terrane_config::state::StateForm;
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_syntax::Expression;
use terrane_value::{OriginKind, Origins, SmolStr, Type, Value};

use crate::check::imported::import_ids_in;
use crate::evaluate::builtin_provider;
use crate::evaluate::filled::Sides;
use crate::evaluate::given::InstanceAddress;
use crate::evaluate::ignored::{IgnoredPart, with_further_marks, with_recorded};
use crate::evaluate::recorded::RecordedReader;
use crate::evaluate::sameness::{Comparisons, Sameness};
use crate::evaluate::sensitivity::RecordedMarks;
use crate::model::ids::{InstanceId, NodeId, ResourceId};
use crate::model::module::{Resource, ResourceKey};
use crate::model::prior::{PriorState, is_stored};
use crate::model::references::InstanceReference;
use crate::model::schemas::{BlockSchema, Schemas};
use crate::model::untyped_secrets::UntypedSecrets;
use crate::state::context::Environment;
use crate::state::imports::ImportIds;
use crate::state::scope::ModuleScope;

/// A resource and the objects with which its instances begin.
#[derive(Clone, Copy)]
pub(super) struct PriorResource<'p> {
    /// The state or plan; `None` if only imports give objects.
    pub(super) prior: Option<&'p PriorState>,
    pub(super) environment: Environment<'p>,
    pub(super) key: &'p ResourceKey,
    pub(super) resource: &'p Resource,
    /// The resources that its `replace_triggered_by` names.
    pub(super) replacing: &'p [Option<InstanceReference>],
    pub(super) schema: Option<&'p BlockSchema>,
    pub(super) is_terraform_data: bool,
}

/// The object that a state has for an instance, or that the built-in provider imports for it.
pub(super) struct PriorObject {
    /// The address of the instance.
    pub(super) address: String,
    /// Whether the object is tainted: an apply has failed for it.
    pub(super) is_tainted: bool,
    /// Whether the request asks for a replacement of the object.
    pub(super) is_requested: bool,
    pub(super) recorded: Value,
    /// The marks of the recorded object that are compared.
    pub(super) marks: RecordedMarks,
    /// The identifier under which the object is imported.
    pub(super) import_id: Option<Value>,
}

impl<'p> PriorResource<'p> {
    /// Returns the resource `id` in a module instance; `None` if the evaluation begins without a state, and no `import`
    /// block may give it objects without a provider.
    pub(super) fn of(
        environment: Environment<'p>,
        instance: InstanceId,
        id: ResourceId,
    ) -> Option<PriorResource<'p>> {
        let config = &environment.evaluation.config;
        let prior = config.recorded.prior.as_deref();
        if prior.is_none() && !config.has_imports() {
            return None;
        }
        let resource = PriorResource::within(prior, environment, instance, id)?;
        (prior.is_some() || resource.is_terraform_data).then_some(resource)
    }

    /// Returns the resource `id` in a module instance with the objects of a plan; `None` if there is no
    /// plan of the configuration.
    pub(super) fn planned(
        environment: Environment<'p>,
        instance: InstanceId,
        id: ResourceId,
    ) -> Option<PriorResource<'p>> {
        let planned = environment.evaluation.config.recorded.planned.as_deref()?;
        PriorResource::within(Some(planned), environment, instance, id)
    }

    /// Joins the resource with these objects.
    fn within(
        prior: Option<&'p PriorState>,
        environment: Environment<'p>,
        instance: InstanceId,
        id: ResourceId,
    ) -> Option<PriorResource<'p>> {
        let evaluation = environment.evaluation;
        let module = evaluation.scope(instance).module();
        let (key, resource) = module.resources.entry_of(id);
        let schema =
            evaluation.config.request.schemas.resource(module, key, resource).map(|schema| &**schema);
        is_stored(key.mode).then(|| PriorResource {
            prior,
            environment,
            key,
            resource,
            replacing: &module.references.resources[id].replacing,
            schema,
            is_terraform_data: builtin_provider::is_terraform_data(module, key, resource),
        })
    }

    pub(super) fn schemas(&self) -> &'p Schemas {
        &self.environment.evaluation.config.request.schemas
    }

    /// Returns the recorded object of an instance with the value `planned`; `None` if it belongs to another
    /// provider or cannot be read.
    pub(super) fn object(
        &self,
        names: &ModuleScope<'_>,
        instance: &InstanceAddress<'_>,
        planned: &Value,
        diagnostics: &mut Diagnostics,
    ) -> Option<PriorObject> {
        let prior = self.prior?;
        let place = *prior.instances(instance.module, self.key)?.get(instance.key)?;
        let module = names.module();
        let provider = module.provider_address(self.resource.local_provider(&self.key.resource_type));
        if !prior.is_of_provider(place, &provider) {
            return None;
        }
        let object = prior.object(place);
        let secrets = UntypedSecrets::of(self.schemas(), module, self.key, self.resource);
        let (schema, address, mode) = (self.schema, instance.address, self.key.mode);
        let reader = RecordedReader { schema, address, mode, secrets: &secrets };
        let recorded = reader.read(object, self.resource, diagnostics)?;
        let recorded = match self.is_terraform_data && object.form != StateForm::File {
            true => builtin_provider::with_types(recorded, planned),
            false => recorded,
        };
        let (address, is_tainted) = (instance.address.to_owned(), object.is_tainted);
        let is_requested = self.is_requested(instance);
        let marks = RecordedMarks::of(object.form, self.schema.is_some());
        Some(PriorObject { address, is_tainted, is_requested, recorded, marks, import_id: None })
    }

    /// Whether the request asks for a replacement of the object of an instance.
    pub(super) fn is_requested(&self, instance: &InstanceAddress<'_>) -> bool {
        let replaced = &self.environment.evaluation.config.request.replaced;
        let address =
            || Address { module: instance.module.clone(), object: self.key.object(instance.key.clone()) };
        !replaced.is_empty() && replaced.contains(&address())
    }

    /// Returns the answer of `compare` about a configured value and the recorded object. Counts reading the object and
    /// the comparisons as steps of the run.
    pub(super) fn compared<T>(
        &self,
        object: &PriorObject,
        is_planned: bool,
        compare: impl FnOnce(Sameness<'_>) -> T,
    ) -> T {
        let left = Comparisons::of(Arc::clone(self.environment.evaluation.compared_texts()));
        let (address, is_ordered) = (object.address.as_str(), self.schema.is_some());
        let answer = compare(Sameness { address, is_ordered, is_planned, left: &left });
        left.count(&object.recorded, self.environment.meter);
        answer
    }

    /// Returns the identifiers under which the built-in provider imports instances of the resource, which
    /// is in the module `node`.
    pub(super) fn import_ids(&self, node: NodeId) -> Arc<ImportIds> {
        match self.is_terraform_data {
            true => import_ids_in(self.environment, node, self.key),
            false => ImportIds::none(),
        }
    }

    /// Whether the state has a current object for an instance.
    pub(super) fn has_object(&self, instance: &InstanceAddress<'_>) -> bool {
        self.prior.is_some_and(|prior| prior.has_object(instance.module, self.key, instance.key))
    }

    /// Returns the object that the built-in provider imports for an instance: nothing but the identifier is known.
    /// `None` if the state has the instance already, also with deposed objects alone. For Terraform and OpenTofu, the identifier of an object is never
    /// secret, so an identifier that an import keeps secret stays unknown.
    pub(super) fn imported(
        &self,
        instance: &InstanceAddress<'_>,
        imports: &ImportIds,
    ) -> Option<PriorObject> {
        let id = imports.get(instance.module, instance.key).filter(|_| self.is_terraform_data)?;
        // A missing id has been reported.
        id.unmarked().as_str()?;
        if self.prior.is_some_and(|prior| prior.has_instance(instance.module, self.key, instance.key)) {
            return None;
        }
        let nothing = ["input", "output", "triggers_replace"].map(|name| (SmolStr::from(name), Value::NULL));
        let name = SmolStr::from("id");
        let shown = match id.is_marked() {
            true => {
                let origins = Origins::one(OriginKind::ResourceAttribute, instance.address);
                Value::unknown_from(Type::String, origins.at_attribute(&name)).not_null()
            }
            false => id.clone(),
        };
        Some(PriorObject {
            address: instance.address.to_owned(),
            is_tainted: false,
            is_requested: self.is_requested(instance),
            recorded: Value::object(nothing.into_iter().chain([(name, shown)])),
            marks: RecordedMarks::All,
            import_id: Some(id.clone()),
        })
    }

    /// Returns the configured value of an instance. `ignore_changes` keeps recorded values unless the object is replaced: the new
    /// object follows the configuration, but parts that are sensitive in the recorded values stay sensitive. A tainted object is
    /// planned anew. `is_triggered` tells whether `replace_triggered_by` replaces it.
    pub(super) fn configured(
        &self,
        value: Value,
        prior: &PriorObject,
        is_triggered: impl FnOnce() -> bool,
    ) -> Configured {
        if self.environment.evaluation.config.request.uses_prior_values {
            return self.with_ignored(value, prior);
        }
        if prior.is_tainted {
            return Configured { is_replaced: true, ..Configured::certain(value) };
        }
        let ignored = self.with_ignored(value.clone(), prior);
        if !prior.is_requested && !is_triggered() && !self.has_other_trigger(&ignored.value, &prior.recorded)
        {
            return ignored;
        }
        let value = with_further_marks(&value, &ignored.value);
        Configured { is_replaced: true, ..Configured::certain(value) }
    }

    /// Whether `triggers_replace` of a `terraform_data` differs from the recorded value.
    pub(super) fn has_other_trigger(&self, planned: &Value, recorded: &Value) -> bool {
        self.is_terraform_data && !builtin_provider::is_same_argument("triggers_replace", planned, recorded)
    }

    /// Puts the recorded values of the attributes in `ignore_changes` into the planned value.
    pub(super) fn with_ignored(&self, value: Value, prior: &PriorObject) -> Configured {
        let (lifecycle, address) = (&self.resource.lifecycle, prior.address.as_str());
        let (Some(attributes), Some(recorded)) = (value.known_attributes(), prior.recorded.as_entries())
        else {
            return Configured::certain(value);
        };
        if !lifecycle.ignores_all && lifecycle.ignored.is_empty() {
            return Configured::certain(value);
        }
        let items = |name: &SmolStr| {
            let name = name.clone();
            lifecycle.ignored.iter().filter(move |(ignored, _)| *ignored == name)
        };
        let mut is_certain = true;
        let mut attribute = |(name, value): (&SmolStr, &Value)| {
            let is_ignored = lifecycle.ignores_all || items(name).next().is_some();
            let Some(recorded) = recorded.get(name).filter(|_| is_ignored) else {
                return (name.clone(), value.clone());
            };
            if lifecycle.ignores_all || items(name).any(|(name, item)| is_whole(name, item)) {
                return (name.clone(), recorded.clone());
            }
            let parts: Option<Vec<IgnoredPart>> =
                items(name).map(|(_, item)| IgnoredPart::of(item)).collect();
            let has_types = self.schema.is_some();
            if let Some(with) = parts.and_then(|parts| with_recorded(value, recorded, &parts, has_types)) {
                return (name.clone(), with);
            }
            // It is unclear which parts are ignored, so each part may have the planned or the recorded value.
            if self.compared(prior, false, |sameness| sameness.is_same(value, recorded)) {
                return (name.clone(), value.clone());
            }
            is_certain = false;
            let origins = Origins::one(OriginKind::ResourceAttribute, address).at_attribute(name);
            (name.clone(), Value::unknown_from(value.ty(), origins))
        };
        let attributes: Vec<(SmolStr, Value)> = attributes.iter().map(&mut attribute).collect();
        let with = match value.as_unknown() {
            Some(unknown) => Value::open_object(attributes.into_iter().collect(), unknown.origins.clone()),
            None => Value::object(attributes),
        };
        Configured { value: with, is_certain, is_replaced: false }
    }

    /// Fills `value`, the value of an instance, with the recorded values of attributes that keep them. `configured` is
    /// the value before any attribute was given by hand or computed.
    pub(super) fn completed(&self, value: Value, configured: &Configured, prior: &PriorObject) -> Value {
        let address = prior.address.as_str();
        let is_replaced = configured.is_replaced;
        let sides = Sides { planned: &value, configured: &configured.value, recorded: &prior.recorded };
        if self.environment.evaluation.config.request.uses_prior_values {
            return self.compared(prior, false, |sameness| sameness.filled(sides));
        }
        if self.is_terraform_data {
            return builtin_provider::terraform_data_again(value, &prior.recorded, is_replaced, address);
        }
        let is_read_anew = self.key.mode == ResourceMode::Data && self.resource.depends_on.is_some();
        if is_replaced || is_read_anew || !configured.is_certain {
            return value;
        }
        let filled = self.compared(prior, false, |sameness| {
            let touched = sameness.touched(&configured.value, &prior.recorded);
            touched.is_empty().then(|| sameness.filled(sides))
        });
        filled.unwrap_or(value)
    }

    /// Fills `value`, the value of an instance, with the values of a plan. A plan whose values differ from the
    /// configuration is reported and not used.
    pub(super) fn with_planned(
        &self,
        value: Value,
        configured: &Configured,
        planned: &PriorObject,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let address = planned.address.as_str();
        let sides = Sides { planned: &value, configured: &configured.value, recorded: &planned.recorded };
        let compare = |sameness: Sameness<'_>| {
            let touched = sameness.touched(&configured.value, &planned.recorded);
            if touched.is_empty() { Ok(sameness.filled(sides)) } else { Err(touched) }
        };
        let touched = match self.compared(planned, true, compare) {
            Ok(filled) => return filled,
            Err(touched) => touched,
        };
        let names: Vec<String> = touched.iter().map(|name| format!("`{name}`")).collect();
        // The plan does not contain values given by hand, and other arguments may follow from them.
        let has_given = !self.environment.evaluation.config.given.is_empty();
        let reason = match has_given {
            true => "They follow from a value given by hand, or the plan was made of another configuration",
            false => "It was made of another configuration",
        };
        let detail = format!(
            "The plan has other values for `{address}`: {}. {reason}, so it is not used for this object.",
            names.join(", ")
        );
        let diagnostic = Diagnostic::warning(ids::PLAN_OF_OTHER_CONFIGURATION, detail);
        let diagnostic =
            if has_given { diagnostic.titled(titles::OTHER_VALUES_THAN_IN_THE_PLAN) } else { diagnostic };
        let declaration = &self.resource.declaration;
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        value
    }
}

impl Configured {
    /// Returns a value that only the configuration decides.
    pub(super) fn certain(value: Value) -> Configured {
        Configured { value, is_certain: true, is_replaced: false }
    }
}

/// The planned value of an instance, as far as the configuration decides it.
pub(super) struct Configured {
    pub(super) value: Value,
    /// Whether only the configuration decides it.
    is_certain: bool,
    /// Whether the recorded object is replaced.
    is_replaced: bool,
}

/// Whether an item of `ignore_changes` names a whole argument.
fn is_whole(name: &SmolStr, item: &Expression) -> bool {
    item.tree.expr_text(item.id).trim_matches('"') == name.as_str()
}
