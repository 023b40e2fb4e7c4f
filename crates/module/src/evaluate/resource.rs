//! Evaluates the instances of resources, data sources, ephemeral resources and actions.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use terrane_body::{Owner, decode, open_body};
use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_eval::InstanceCache;
use terrane_function::Meter;
use terrane_source::{Diagnostics, Files, ids};
use terrane_value::{Known, Origin, OriginKind, Origins, SmolStr, Type, Value};

use crate::check::replace;
use crate::evaluate::computed_data::{
    Computable, Outside, counted, with_computed, with_reason, with_unknown,
};
use crate::evaluate::conditions::ConditionOwner;
use crate::evaluate::given::{InstanceAddress, with_given};
use crate::evaluate::instance_results::{EvaluatedInstance, Results};
use crate::evaluate::lifecycle::{check_destroy, check_prevent_destroy};
use crate::evaluate::prior::{Configured, PriorResource};
use crate::evaluate::remote_state::RemoteState;
use crate::evaluate::shared_body::SharedBody;
use crate::evaluate::triggers::{Triggers, report_keys};
use crate::evaluate::{builtin_provider, conditions, ephemeral_arguments};
use crate::expansion::{Expansion, RepetitionData};
use crate::model::computed_data::{Computability, is_remote_state};
use crate::model::configured_names::ConfiguredNames;
use crate::model::given::GivenParts;
use crate::model::ids::{InstanceId, NodeId, ResourceId};
use crate::model::module::{PreventDestroy, Repetition, Resource, ResourceKey};
use crate::model::references::{LateMistake, ReferencePlace, ResourceReferences};
use crate::model::schemas::BlockSchema;
use crate::model::untyped_secrets::UntypedSecrets;
use crate::rules::Rules;
use crate::state::checks::{CheckResult, ObjectChecks};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::imports::ImportIds;
use crate::state::inner_parts::{InnerPart, gained};
use crate::state::instance::{InnerParts, varying};
use crate::state::instance_value::InstanceValue;
use crate::state::repetition::{self, Repeated};
use crate::state::scope::ModuleScope;

/// Whether a resource is a data source.
pub(super) fn is_data_source(evaluation: &Evaluation, instance: InstanceId, id: ResourceId) -> bool {
    let (key, _) = evaluation.scope(instance).module().resources.entry_of(id);
    key.mode == ResourceMode::Data
}

/// Returns the facts from outside the module that determine the value of a resource; `None` if the
/// resource cannot be computed.
pub(super) fn outside(
    evaluation: &Evaluation,
    files: &dyn Files,
    instance: InstanceId,
    id: ResourceId,
) -> Option<Outside> {
    let module = evaluation.scope(instance).module();
    let row = match evaluation.config.computability(module, id)? {
        Computability::Computed(row) => row,
        Computability::Uncertain(row, reason) => return Some(Outside::uncertain(row, reason)),
    };
    let (key, resource) = module.resources.entry_of(id);
    let (node, meter) = (evaluation.instances[instance].node, &evaluation.meter);
    Some(Computable { row, evaluation, node, key, resource, files, meter }.outside())
}

/// Returns the instances of a resource in the scope `names`, before their arguments are evaluated.
pub(super) fn expand(
    context: &mut Context<'_>,
    names: &ModuleScope<'_>,
    id: ResourceId,
) -> Expansion<RepetitionData> {
    let repetition = &names.module().resources.at(id).repetition;
    repetition::expand(context, names, Repeated::Resource, repetition)
}

/// The values of the instances of a resource, and the results of their conditions.
pub(super) struct ResourceInstances {
    pub(super) values: Expansion<InstanceValue>,
    pub(super) checks: Vec<ObjectChecks>,
    /// The instances of a `terraform_remote_state` whose outputs come from the file of the local backend.
    pub(super) read_from_backend: Vec<InstanceKey>,
    pub(super) inner_parts: InnerParts,
    /// The instances with an error in their arguments.
    pub(super) failed: Vec<InstanceKey>,
}

/// Evaluates the instances of a resource in the scope `names`. `deferral` is the reason why a data source is
/// read only after the plan.
pub(super) fn instances(
    context: &mut Context<'_>,
    names: &ModuleScope<'_>,
    id: ResourceId,
    expansion: Expansion<RepetitionData>,
    deferral: Origins,
) -> ResourceInstances {
    let cache = (expansion.len() > 1).then(|| InstanceCache::except(varying()));
    let (evaluation, module, kept) = (context.evaluation, names.module(), names.instance_cache);
    let names = ModuleScope { instance_cache: cache.as_ref().or(kept), ..*names };
    let ((key, resource), state) = (module.resources.entry_of(id), &evaluation.instances[names.instance]);
    let prior = PriorResource::of(context.environment(), names.instance, id);
    let evaluator = ResourceEvaluator {
        evaluation,
        imports: reported_imports(context, prior.as_ref(), state.node),
        prior,
        planned: PriorResource::planned(context.environment(), names.instance, id),
        triggers: Triggers::default(),
        deferral,
        files: context.files,
        meter: context.meter,
        node: state.node,
        id,
        key,
        resource,
        references: &module.references.resources[id],
        given: evaluation.config.given.resource(state.node, id),
        computability: evaluation.config.computability(module, id),
        schema: evaluation.config.request.schemas.resource(module, key, resource).map(|schema| &**schema),
        is_terraform_data: builtin_provider::is_terraform_data(module, key, resource),
        is_remote_state: is_remote_state(module, key, resource),
        read_from_backend: RefCell::default(),
    };
    let body = SharedBody::new(context, evaluator.references, &resource.declaration, expansion.len());
    let is_shared =
        expansion.is_large() && !module.references.reads_resource(id) && evaluator.is_shared(&body);
    let mut results = Results { is_shared, ..Results::default() };
    let block = evaluation.address(names.instance, key.object(InstanceKey::None)).to_string();
    let mut expansion = expansion.map(|instance_key, data| {
        if let Some((value, bytes)) = &results.value_of_block
            && body.counts(*bytes)
        {
            return InstanceValue::of_block(value);
        }
        let address = instance_key.address_in(&block);
        let names = ModuleScope { repetition: Some(&data), ..names };
        let instance = InstanceAddress { address: &address, module: &state.path, key: &instance_key };
        let evaluated = evaluator.instance(instance, &names, &body, &mut results.found);
        results.add(key, instance_key, evaluated, &block)
    });
    let Results { found, mut checks, inner_parts, failed, .. } = results;
    if expansion.unknown().is_some() {
        checks = checks.into_iter().map(ObjectChecks::of_possible_instance).collect();
    }
    check_destroy(context, resource, expansion.len());
    report_errors(context, found, &mut expansion);
    let read_from_backend = evaluator.read_from_backend.into_inner();
    kept.zip(cache).into_iter().for_each(|(kept, cache)| kept.adopt(cache));
    ResourceInstances { values: expansion, checks, read_from_backend, inner_parts, failed }
}

/// Reports the diagnostics of the instances of a resource. If it has no instance, there is no error.
fn report_errors(context: &mut Context<'_>, found: Diagnostics, expansion: &mut Expansion<InstanceValue>) {
    if found.has_errors()
        && !context.evaluation.phase().reports_errors_of_possible_instances()
        && let Expansion::Unknown { any, .. } = expansion
    {
        *any = None;
    } else {
        context.diagnostics.extend(found);
    }
}

/// Returns the identifiers under which the instances of a resource are imported. Reports a limit that
/// their computation exceeds.
fn reported_imports(
    context: &mut Context<'_>,
    resource: Option<&PriorResource<'_>>,
    node: NodeId,
) -> Arc<ImportIds> {
    let imports = resource.map_or_else(ImportIds::none, |resource| resource.import_ids(node));
    context.diagnostics.extend(imports.exceeded.clone());
    imports
}

/// Returns the value of a resource with one instance whose attributes are not known, as in a validation.
pub(super) fn any_value(evaluation: &Evaluation, instance: InstanceId, id: ResourceId) -> Value {
    let (config, module) = (&evaluation.config, evaluation.scope(instance).module());
    let (key, resource) = module.resources.entry_of(id);
    let schema = || config.request.schemas.resource(module, key, resource).map(|schema| &**schema);
    any(schema, &config.rules, Origins::NONE)
}

/// Evaluates the instances of a resource.
struct ResourceEvaluator<'r> {
    evaluation: &'r Evaluation,
    files: &'r dyn Files,
    meter: &'r Meter,
    /// The module of the resource.
    node: NodeId,
    id: ResourceId,
    key: &'r ResourceKey,
    resource: &'r Resource,
    /// The references of the resource, as written.
    references: &'r ResourceReferences,
    /// Whether and how the attributes of the resource are computed.
    computability: Option<Computability>,
    /// The state with which its instances begin.
    prior: Option<PriorResource<'r>>,
    /// The objects that a plan has for its instances.
    planned: Option<PriorResource<'r>>,
    /// The answers of its `replace_triggered_by`.
    triggers: Triggers,
    /// The identifiers under which the built-in provider imports its instances.
    imports: Arc<ImportIds>,
    /// The parts of its value that are given by hand.
    given: &'r GivenParts,
    /// Its schema, if it is known.
    schema: Option<&'r BlockSchema>,
    /// The reason why it is read only after the plan, if it is a data source.
    deferral: Origins,
    /// Whether it is a `terraform_data`, the resource type of the built-in provider.
    is_terraform_data: bool,
    /// Whether it is a `terraform_remote_state`, the data source of the built-in provider.
    is_remote_state: bool,
    /// The instances so far whose outputs were read from the local backend.
    read_from_backend: RefCell<Vec<InstanceKey>>,
}

impl ResourceEvaluator<'_> {
    /// Whether the instances have the same value except for their addresses, unless an error is reported: the body must
    /// be shared, and nothing else may depend on the instance.
    fn is_shared(&self, body: &SharedBody<'_>) -> bool {
        let (resource, recorded) = (self.resource, &self.evaluation.config.recorded);
        let has_conditions = !resource.preconditions.is_empty() || !resource.postconditions.is_empty();
        let is_recorded = recorded.prior.is_some() || recorded.planned.is_some() || self.prior.is_some();
        let is_given = !self.given.is_empty() || self.computability.is_some() || self.is_remote_state;
        body.is_shared()
            && !has_conditions
            && !is_recorded
            && !is_given
            && resource.lifecycle.prevent_destroy.as_ref().and_then(PreventDestroy::computed).is_none()
            && resource.lifecycle.replace_triggered_by.is_empty()
    }

    /// Returns the context of an expression in the block.
    fn context<'d>(&'d self, diagnostics: &'d mut Diagnostics) -> Context<'d> {
        let ResourceEvaluator { evaluation, files, meter, .. } = *self;
        Context { evaluation, files, meter, diagnostics }
    }

    /// Evaluates the instance at `address` and checks its `lifecycle`.
    fn instance(
        &self,
        instance: InstanceAddress<'_>,
        names: &ModuleScope<'_>,
        body: &SharedBody<'_>,
        diagnostics: &mut Diagnostics,
    ) -> EvaluatedInstance {
        let address = instance.address;
        let (evaluation, resource) = (self.evaluation, self.resource);
        let checks_lifecycle = evaluation.phase().checks_lifecycle();
        let has_wrong_key = checks_lifecycle
            && report_keys(resource, &self.references.replacing, names.module(), address, diagnostics);
        let is_triggered_wrongly = has_wrong_key
            || checks_lifecycle && replace::has_wrong_trigger(names, self.id, instance.key, self.files);
        let owner = ConditionOwner::Object { failed: ids::RESOURCE_PRECONDITION_FAILED, address };
        let preconditions = match is_triggered_wrongly {
            true => vec![CheckResult::UNKNOWN; resource.preconditions.len()],
            false => {
                let mut context = self.context(diagnostics);
                conditions::evaluate(&mut context, &resource.preconditions, names, &owner)
            }
        };
        check_prevent_destroy(&mut self.context(diagnostics), resource, names, address);
        let mark = diagnostics.mark();
        let before = self.meter.memory();
        let value = match has_wrong_key {
            true => Value::error(),
            false => body.value(address, diagnostics, |found| self.value(address, names, found)),
        };
        if self.key.mode != ResourceMode::Ephemeral {
            ephemeral_arguments::check(resource, &value, address, diagnostics);
        }
        let (value, inner_parts) = match evaluation.phase().resources_are_unknown() {
            false => self.completed(value, &instance, names, diagnostics),
            true => (self.any_instead_of(&value, before, address), Vec::new()),
        };
        let has_error = has_wrong_key || diagnostics.has_errors_since(mark);
        let may_be_wrong = has_error || names.module().has_errors;
        let value = if may_be_wrong { value.with_errors_of(address) } else { value };
        let is_stopped = is_triggered_wrongly
            || has_error && !evaluation.phase().leaves_conditions_to_plan()
            || preconditions.iter().any(CheckResult::stops);
        let postconditions = match is_stopped {
            true => vec![CheckResult::UNKNOWN; resource.postconditions.len()],
            false => {
                let names = ModuleScope { this: Some(&value), ..*names };
                let owner = ConditionOwner::Object { failed: ids::RESOURCE_POSTCONDITION_FAILED, address };
                let mut context = self.context(diagnostics);
                conditions::evaluate(&mut context, &resource.postconditions, &names, &owner)
            }
        };
        EvaluatedInstance { value, has_error, inner_parts, preconditions, postconditions }
    }

    /// Returns the unknown value of an instance in a validation, and drops its configured value.
    /// `before` is the memory that was counted before the configured value.
    fn any_instead_of(&self, configured: &Value, before: u64, address: &str) -> Value {
        let schema = || self.schema.filter(|_| is_single(self.resource));
        let origins = Origins::one(OriginKind::ResourceAttribute, address);
        let any = any(schema, &self.evaluation.config.rules, origins);
        // The configured value is dropped, so its memory counts no longer.
        if self.meter.memory() > before {
            self.meter.release(configured.own_bytes() as u64, before);
        }
        self.meter.take(any.own_bytes() as u64);
        any
    }

    /// Returns the value of an instance with the attributes that are given by hand, computed or recorded in the state.
    /// Also returns the parts of them that are inside configured attributes and blocks.
    fn completed(
        &self,
        value: Value,
        instance: &InstanceAddress<'_>,
        names: &ModuleScope<'_>,
        diagnostics: &mut Diagnostics,
    ) -> (Value, Vec<InnerPart>) {
        let prior = self.prior.filter(|_| self.deferral.is_empty());
        let object = |prior: PriorResource<'_>, diagnostics: &mut Diagnostics| {
            let recorded = prior.object(names, instance, &value, diagnostics);
            recorded.or_else(|| prior.imported(instance, &self.imports))
        };
        let prior = prior.and_then(|prior| Some((prior, object(prior, diagnostics)?)));
        let planned = self.planned;
        let planned =
            planned.and_then(|plan| Some((plan, plan.object(names, instance, &value, diagnostics)?)));
        if prior.is_none() && planned.is_none() && self.given.is_empty() {
            return (self.given_or_computed(value, instance, diagnostics), Vec::new());
        }
        let configured = match &prior {
            Some((state, object)) => state.configured(value, object, || self.triggers.replace(state, names)),
            None => Configured::certain(value),
        };
        let value = self.given_or_computed(configured.value.clone(), instance, diagnostics);
        let is_configured = |name: &SmolStr| ConfiguredNames::of(self.resource).has(name);
        let mut inner = match self.given.is_empty() {
            true => Vec::new(),
            false => gained(&configured.value, &value, true, is_configured),
        };
        let filled = match (planned, prior) {
            (Some((plan, object)), _) => plan.with_planned(value.clone(), &configured, &object, diagnostics),
            (None, Some((state, object))) => state.completed(value.clone(), &configured, &object),
            (None, None) => return (value, inner),
        };
        inner.extend(gained(&value, &filled, false, is_configured));
        self.meter.take(InnerPart::bytes(&inner) as u64);
        (filled, inner)
    }

    /// Returns the value of an instance with the attributes that are given by hand or can be computed.
    fn given_or_computed(
        &self,
        value: Value,
        instance: &InstanceAddress<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let value = match self.given.is_empty() {
            true => value,
            false => {
                let env = self.evaluation.env(self.files, self.meter);
                let value = with_given(value, self.given, instance, &env, diagnostics);
                match self.schema {
                    Some(schema) => schema.schema().recorded(&value),
                    None => self.untyped_secrets().marked(value),
                }
            }
        };
        let limits = &self.evaluation.config.request.limits;
        match &self.computability {
            Some(Computability::Computed(row)) if self.deferral.is_empty() => {
                let ResourceEvaluator { evaluation, node, key, resource, files, meter, .. } = *self;
                let data = Computable { row, evaluation, node, key, resource, files, meter };
                counted(value, row, limits, meter, |value| with_computed(value, &data, instance.address))
            }
            None if self.is_remote_state => {
                let env = self.evaluation.env(self.files, self.meter);
                let encryption = &self.evaluation.config.recorded.encryption;
                let ResourceEvaluator { evaluation, resource, given, .. } = *self;
                let remote = RemoteState {
                    resource,
                    instance,
                    given,
                    env: &env,
                    encryption,
                    decrypted: &evaluation.decrypted,
                    read_from_backend: &self.read_from_backend,
                };
                remote.with_outputs(value, &self.deferral, diagnostics)
            }
            Some(Computability::Uncertain(row, reason)) if self.deferral.is_empty() => {
                let change = |value| with_reason(value, row, instance.address, reason);
                counted(value, row, limits, self.meter, change)
            }
            // A plan does not read the data source.
            Some(Computability::Computed(row)) => {
                let change = |value| with_unknown(value, row, instance.address, &Origins::NONE);
                counted(value, row, limits, self.meter, change)
            }
            Some(Computability::Uncertain(..)) | None => value,
        }
    }

    /// Returns the configured value of the instance at `address`.
    fn value(&self, address: &str, names: &ModuleScope<'_>, diagnostics: &mut Diagnostics) -> Value {
        let env = self.evaluation.env(self.files, self.meter);
        let trace = Mutex::new(HashSet::new());
        let is_traced = !self.references.late_mistakes.is_empty();
        let names = ModuleScope { trace: is_traced.then_some(&trace), ..*names };
        let scope = self.evaluation.expression_scope(&names, &env);
        let config = &self.resource.config;
        let value = match self.schema {
            Some(schema) => {
                let mark = diagnostics.len();
                let configured = decode(config, schema.spec(), &scope, diagnostics);
                if self.is_remote_state && diagnostics.len() == mark {
                    builtin_provider::remote_state(&configured, self.resource, diagnostics);
                }
                let origins = self.origins(self.unset(), address, || configured.clone());
                let planned =
                    schema.schema().planned(&configured, &origins, schema.unset_argument(self.key.mode));
                match self.is_terraform_data {
                    true => builtin_provider::terraform_data(&planned, self.evaluation.phase()),
                    false => planned,
                }
            }
            None => {
                let kind = match self.key.mode {
                    ResourceMode::Managed | ResourceMode::Ephemeral | ResourceMode::Action => {
                        OriginKind::ResourceAttribute
                    }
                    ResourceMode::Data => OriginKind::DataSource,
                };
                let attributes = open_body(
                    config,
                    Owner { kind, address, is_stored: self.key.mode != ResourceMode::Ephemeral },
                    &scope,
                    diagnostics,
                );
                let configured = || Value::object(attributes.cloned());
                let open = match self.key.mode {
                    // An action has no attributes beyond its configuration.
                    ResourceMode::Action => configured(),
                    ResourceMode::Managed | ResourceMode::Data | ResourceMode::Ephemeral => {
                        let origins = self.origins(kind, address, configured);
                        Value::open_object(attributes, origins)
                    }
                };
                self.untyped_secrets().marked(open)
            }
        };
        report_used(&self.references.late_mistakes, &trace, diagnostics);
        value
    }

    /// Returns the attributes that are sensitive without a schema.
    fn untyped_secrets(&self) -> UntypedSecrets<'_> {
        let config = &self.evaluation.config;
        UntypedSecrets::of(&config.request.schemas, &config.node(self.node).module, self.key, self.resource)
    }

    /// Returns the reason why attributes outside the configuration are unknown. A data source is read after the plan if
    /// its `configured` value is unknown, or if other resources change first.
    fn origins(&self, kind: OriginKind, address: &str, configured: impl FnOnce() -> Value) -> Origins {
        let origins = Origins::one(kind, address);
        if self.key.mode != ResourceMode::Data {
            return origins;
        }
        let own = configured_origins(&configured(), &|origin| origin.is_of(address));
        let is_named = |cause: &Origin| own.as_slice().iter().any(|origin| origin.is_part_of(&cause.subject));
        origins.because(&own.union(&self.deferral.without(is_named)))
    }

    /// Returns the kind of origin of an attribute in the schema that the configuration does not set.
    fn unset(&self) -> OriginKind {
        match self.key.mode {
            ResourceMode::Managed | ResourceMode::Action => OriginKind::Computed,
            ResourceMode::Data => OriginKind::DataSource,
            // An ephemeral resource is opened before the plan, so its dependents can be planned.
            ResourceMode::Ephemeral => OriginKind::ResourceAttribute,
        }
    }
}

/// Whether a resource has no more than one instance, without a key.
fn is_single(resource: &Resource) -> bool {
    matches!(resource.repetition, Repetition::Once | Repetition::Enabled(_))
}

/// Returns the value of a resource without keys in a validation. OpenTofu knows its type if the schema is known,
/// Terraform does not; any plan reports a mistake in the type.
fn any<'s>(schema: impl FnOnce() -> Option<&'s BlockSchema>, rules: &Rules, origins: Origins) -> Value {
    let schema = rules.validation_types_resources.then(schema).flatten();
    Value::unknown_from(schema.map_or(Type::Dynamic, |schema| schema.spec().ty().without_optional()), origins)
}

/// Returns the reasons why parts of the configuration are unknown. An origin of the block itself, `is_own`, only says
/// that the provider may change the value, and is skipped; the configuration inside it may have another origin.
fn configured_origins(value: &Value, is_own: &dyn Fn(&Origin) -> bool) -> Origins {
    if value.is_wholly_known() {
        return Origins::NONE;
    }
    let mut all = value.origins().without(is_own);
    let mut add = |child: &Value| all = all.union(&configured_origins(child, is_own));
    match value.as_unknown() {
        Some(unknown) if unknown.origins.as_slice().iter().all(is_own) => match &unknown.known {
            Known::Nothing => {}
            Known::Object(attributes) => attributes.values().for_each(add),
            Known::Sequence(elements) => elements.iter().for_each(add),
        },
        Some(_) => {}
        None => value.for_each_child(&mut add),
    }
    all
}

/// Reports wrong references in the `content` of `dynamic` blocks that were read.
fn report_used(
    mistakes: &[LateMistake],
    trace: &Mutex<HashSet<ReferencePlace>>,
    diagnostics: &mut Diagnostics,
) {
    let read = trace.lock().unwrap_or_else(PoisonError::into_inner);
    let used = mistakes.iter().filter(|mistake| read.contains(&mistake.place));
    diagnostics.extend(used.map(|mistake| mistake.diagnostic.clone()));
}

#[cfg(test)]
mod tests {
    use terrane_function::Limits;
    use terrane_source::MemoryFiles;

    use crate::{Cache, Request, evaluate, load};

    /// Both references have the same position, in different files.
    #[test]
    fn unused_content_is_not_mistaken_for_text_of_an_override_file() {
        let main = "resource \"a_b\" \"c\" {\n  dynamic \"d\" {\n    for_each = []\n    content { x = local.wrong }\n  }\n}\n\
                    locals { right = 1 }\n";
        let before = main.find("local.wrong").unwrap();
        let head = "resource \"a_b\" \"c\" {\n  y =";
        let over = format!("{head}{}local.right\n}}\n", " ".repeat(before - head.len()));
        let files: MemoryFiles = [("main.tf", main), ("override.tf", &over)].into_iter().collect();
        let loaded = load(Request::new("."), &files, &Cache::default());
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
    }

    #[test]
    fn values_common_to_all_instances_are_evaluated_once() {
        let expressions = [
            "demo_a.a[*].id",
            "element(demo_a.a[*].name, count.index)",
            "(demo_a.a[*].name)[count.index]",
            "{ for a in demo_a.a : a.name => a.id }[\"n${count.index}\"]",
            "demo_a.a",
        ];
        for expression in expressions {
            let text = format!(
                "resource \"demo_a\" \"a\" {{\n  count = 1000\n  name = \"n${{count.index}}\"\n}}\n\
                 resource \"demo_b\" \"b\" {{\n  count = 1000\n  value = {expression}\n}}\n"
            );
            let files: MemoryFiles = [("main.tf", text.as_str())].into_iter().collect();
            let mut request = Request::new(".");
            request.limits = Limits { steps: 3_000_000, memory: 10_000_000, ..Limits::default() };
            let loaded = load(request, &files, &Cache::default());
            let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
            assert!(evaluation.diagnostics.is_empty(), "{expression}: {:?}", evaluation.diagnostics);
        }
    }
}
