//! Evaluates the bodies that nothing depends on, for their errors: provider configurations, provisioners and imports.

use terrane_body::{Body, BodySpec, Owner, decode, open_body};
use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_value::{OriginKind, Origins, Type, Value};

use crate::check::{import_ids, provider_keys};
use crate::expansion::{Expansion, RepetitionData};
use crate::graph::used_providers::UsedProviders;
use crate::model::module::{ProviderConfig, Provisioner, Resource, ResourceKey};
use crate::model::schemas::ProviderSchema;
use crate::rules::provisioners;
use crate::state::context::Context;
use crate::state::scope::ModuleScope;

/// Evaluates the bodies in every module instance, for their errors: used provider configurations, provisioners in a validation,
/// and imports.
pub(crate) fn evaluate(context: &mut Context<'_>, used_providers: &UsedProviders) {
    let evaluation = context.evaluation;
    for (instance, state) in evaluation.instances.enumerate() {
        if state.is_repeated {
            continue;
        }
        let node = evaluation.config.node(state.node);
        let names = evaluation.scope(instance);
        provider_keys::check(context, instance);
        for (key, provider) in &node.module.providers {
            if used_providers.contains(state.node, key) {
                self::provider(context, provider, &names);
            }
        }
        // A plan leaves provisioners to the apply: a key or file that is missing now may exist then.
        let validated = evaluation.phase().evaluates_provisioners().then_some(&node.module.resources);
        for ((key, resource), instances) in validated.into_iter().flatten().zip(&state.resources) {
            if resource.provisioners.is_empty() {
                continue;
            }
            let mode = ResourceMode::Managed;
            let object = ResourceKey { mode, ..key.clone() }.object(InstanceKey::None);
            let address = evaluation.address(instance, object).to_string();
            let this = match &*instances.expansion {
                Expansion::Once(only) => Some(only.value(&InstanceKey::None).into_owned()),
                Expansion::Count(instances) if instances.is_empty() => continue,
                Expansion::ForEach(instances) if instances.is_empty() => continue,
                Expansion::Absent => continue,
                Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Unknown { .. } => None,
            };
            provisioners(context, resource, &address, this, &names);
        }
        // A plan to destroy everything imports nothing.
        let imports_nothing = evaluation.config.request.destroys && evaluation.phase().plans_resources();
        for import in node.module.imports.iter().filter(|_| !imports_nothing) {
            import_ids::check(context, import, &names);
        }
    }
}

/// Evaluates a body without a schema.
fn body(context: &mut Context<'_>, body: &Body, address: &str, names: &ModuleScope<'_>) {
    let env = context.evaluation.env(context.files, context.meter);
    let scope = context.evaluation.expression_scope(names, &env);
    let owner = Owner { kind: OriginKind::ResourceAttribute, address, is_stored: false };
    open_body(body, owner, &scope, context.diagnostics);
}

/// Evaluates a provider configuration. Its `for_each` has been checked before the evaluation.
fn provider(context: &mut Context<'_>, provider: &ProviderConfig, names: &ModuleScope<'_>) {
    let data = match provider.for_each {
        Some(_) => RepetitionData::unknown_each(&Origins::NONE),
        None => RepetitionData::default(),
    };
    let names = ModuleScope { repetition: Some(&data), ..*names };
    let schemas = &context.evaluation.config.request.schemas;
    let provider_schema = schemas.provider(&names.module().provider_address(&provider.name));
    match provider_schema.and_then(ProviderSchema::configuration) {
        Some(schema) => {
            decode_body(context, &provider.config, schema.spec(), &names);
        }
        None => body(context, &provider.config, &format!("provider.{}", provider.name), &names),
    }
}

/// Evaluates the provisioners of a resource and their connections, once for all instances of the resource.
fn provisioners(
    context: &mut Context<'_>,
    resource: &Resource,
    address: &str,
    this: Option<Value>,
    names: &ModuleScope<'_>,
) {
    let origins = Origins::one(OriginKind::ResourceAttribute, address);
    let this = this.unwrap_or_else(|| Value::unknown_from(Type::Dynamic, origins.clone()));
    let data = RepetitionData::unknown(&resource.repetition, &origins);
    let names = ModuleScope { repetition: Some(&data), this: Some(&this), ..*names };
    for provisioner in &resource.provisioners {
        let before = context.diagnostics.mark();
        provisioner_body(context, provisioner, address, &names);
        let Some(connection) = provisioner.connection_in(resource.connection.as_deref()) else { continue };
        let given = decode_body(context, &connection, provisioners::connection(), &names);
        let has_errors = context.diagnostics.has_errors_since(before);
        if !has_errors {
            let rules = &context.evaluation.config.rules;
            provisioners::deprecated_connection(&connection, &given, rules, context.diagnostics);
        }
    }
}

/// Evaluates the body of a provisioner.
fn provisioner_body(
    context: &mut Context<'_>,
    provisioner: &Provisioner,
    address: &str,
    names: &ModuleScope<'_>,
) {
    let Some(spec) = provisioners::spec(&provisioner.kind) else {
        body(context, &provisioner.config, address, names);
        return;
    };
    let given = decode_body(context, &provisioner.config, spec, names);
    let rules = &context.evaluation.config.rules;
    provisioners::check(&provisioner.kind, &provisioner.declaration, &given, rules, context.diagnostics);
}

/// Returns the value of a body with a schema.
fn decode_body(context: &mut Context<'_>, body: &Body, spec: &BodySpec, names: &ModuleScope<'_>) -> Value {
    let env = context.evaluation.env(context.files, context.meter);
    let scope = context.evaluation.expression_scope(names, &env);
    decode(body, spec, &scope, context.diagnostics)
}
