//! Evaluates the bodies that nothing depends on, for their errors: provider configurations, provisioners and imports.

use terrane_body::{Body, BodySpec, Owner, decode, open_body};
use terrane_config::address::{InstanceKey, Object, ResourceMode};
use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::{OriginKind, Origins, Type, Value, convert};

use crate::check::{imports, provider_keys};
use crate::expansion::{self, Expansion, RepetitionData};
use crate::model::module::{Import, ProviderConfig, Provisioner, Resource};
use crate::model::schemas::ProviderSchema;
use crate::model::tree::ModuleNode;
use crate::rules::{Rules, provisioners};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::scope::ModuleScope;

/// Evaluates them in every module instance, for their mistakes; of provider configurations those that are used, and
/// provisioners only in a validation.
pub(crate) fn evaluate(context: &mut Context<'_>) {
    let (evaluation, files) = (context.evaluation, context.files);
    let diagnostics = &mut *context.diagnostics;
    for (instance, state) in evaluation.instances.enumerate() {
        if state.is_repeated {
            continue;
        }
        let node = evaluation.config.node(state.node);
        let names = evaluation.scope(instance);
        let mut reader = Reader { evaluation, files, diagnostics: &mut *diagnostics };
        provider_keys::check(evaluation, instance, files, reader.diagnostics);
        for (key, provider) in &node.module.providers {
            reader.provider(
                provider,
                evaluation.config.used_providers.contains(state.node, key),
                node,
                &names,
            );
        }
        // A plan leaves provisioners to the time when they run: then a key or a file that is missing now may be there.
        let validated = evaluation.phase().evaluates_provisioners().then_some(&node.module.resources);
        for (((_, resource_type, name), resource), instances) in
            validated.into_iter().flatten().zip(&state.resources)
        {
            if resource.provisioners.is_empty() {
                continue;
            }
            let mode = ResourceMode::Managed;
            let object = Object::Resource(mode, resource_type.clone(), name.clone(), InstanceKey::None);
            let address = evaluation.address(instance, object).to_string();
            let known = match &instances.expansion {
                Expansion::Once(value) => Some(value.clone()),
                Expansion::Count(instances) if instances.is_empty() => continue,
                Expansion::ForEach(instances) if instances.is_empty() => continue,
                Expansion::Absent => continue,
                Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Unknown { .. } => None,
            };
            reader.provisioners(resource, &address, known, &names);
        }
        for import in &node.module.imports {
            reader.import(import, node, &names);
        }
    }
}

struct Reader<'r> {
    evaluation: &'r Evaluation,
    files: &'r dyn Files,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_> {
    fn body(&mut self, body: &Body, address: &str, names: &ModuleScope<'_>) {
        let env = self.evaluation.env(self.files);
        let scope = self.evaluation.expression_scope(names, &env);
        let owner = Owner { kind: OriginKind::ResourceAttribute, address, is_stored: false };
        open_body(body, owner, &scope, self.diagnostics);
    }

    fn provider(
        &mut self,
        provider: &ProviderConfig,
        is_used: bool,
        node: &ModuleNode,
        names: &ModuleScope<'_>,
    ) {
        let mut data = RepetitionData::default();
        // Its value has been looked at before anything else was.
        if provider.for_each.is_some() {
            data = RepetitionData::unknown_each(&Origins::NONE);
        }
        if !is_used {
            return;
        }
        let names = ModuleScope { repetition: Some(&data), ..*names };
        let schemas = &self.evaluation.config.request.schemas;
        let known = schemas.provider(&node.module.provider_address(&provider.name));
        match known.and_then(ProviderSchema::configuration) {
            Some(schema) => {
                self.decode(&provider.config, schema.spec(), &names);
            }
            None => self.body(&provider.config, &format!("provider.{}", provider.name), &names),
        }
    }

    /// Provisioners run once for each instance, of which nothing is known here but what all have in common.
    fn provisioners(
        &mut self,
        resource: &Resource,
        address: &str,
        known: Option<Value>,
        names: &ModuleScope<'_>,
    ) {
        let origins = Origins::one(OriginKind::ResourceAttribute, address);
        let this = known.unwrap_or_else(|| Value::unknown_from(Type::Dynamic, origins.clone()));
        let data = RepetitionData::unknown(&resource.repetition, &origins);
        let names = ModuleScope { repetition: Some(&data), this: Some(&this), ..*names };
        for provisioner in &resource.provisioners {
            let before = self.diagnostics.len();
            self.provisioner(provisioner, address, &names);
            let Some(connection) = provisioner.connection_in(resource.connection.as_ref()) else { continue };
            let given = self.decode(&connection, provisioners::connection(), &names);
            let has_errors = self.diagnostics.as_slice().iter().skip(before).any(Diagnostic::is_error);
            if !has_errors {
                let rules = &self.evaluation.config.rules;
                provisioners::deprecated_connection(&connection, &given, rules, self.diagnostics);
            }
        }
    }

    fn provisioner(&mut self, provisioner: &Provisioner, address: &str, names: &ModuleScope<'_>) {
        let Some(spec) = provisioners::spec(&provisioner.kind) else {
            self.body(&provisioner.config, address, names);
            return;
        };
        let given = self.decode(&provisioner.config, spec, names);
        let rules = &self.evaluation.config.rules;
        provisioners::check(provisioner, &given, rules, self.diagnostics);
    }

    fn decode(&mut self, body: &Body, spec: &BodySpec, names: &ModuleScope<'_>) -> Value {
        let env = self.evaluation.env(self.files);
        let scope = self.evaluation.expression_scope(names, &env);
        decode(body, spec, &scope, self.diagnostics)
    }

    fn import(&mut self, import: &Import, node: &ModuleNode, names: &ModuleScope<'_>) {
        let data = imports::each(self.evaluation, import, names, self.files, self.diagnostics);
        let data = data.unwrap_or_else(|| vec![RepetitionData::unknown_each(&Origins::NONE)]);
        for data in &data {
            let names = ModuleScope { repetition: Some(data), ..*names };
            if let Some(id) = &import.id {
                let value = self.evaluation.value(id, &names, self.files, self.diagnostics);
                // An id that is made of what is imported is reported with the target.
                let late = || {
                    let is_checked = self.evaluation.phase().plans_resources()
                        && !imports::refers_to_itself(import, id, &node.module);
                    if is_checked { late_id(&value) } else { None }
                };
                let rules = &self.evaluation.config.rules;
                let is_open =
                    self.evaluation.phase().imports_are_open() && value.unmarked().as_unknown().is_some();
                let unusable = unusable_id(&value, rules, is_open);
                if let Some((reason, title)) = unusable.or_else(late) {
                    let detail = format!("The `id` of an import {reason}.");
                    let diagnostic = Diagnostic::error(ids::INVALID_IMPORT_ID, detail).titled(title);
                    self.diagnostics.push(diagnostic.at(id.source(), id.span()));
                }
            }
            if let Some(identity) = &import.identity {
                self.evaluation.value(identity, &names, self.files, self.diagnostics);
            }
        }
        let built_in = import.to.module.is_root()
            && import.to.resource.as_ref().is_some_and(|key| &*key.1 == "terraform_data")
            && !node.module.requirements.contains_key("terraform");
        // That there is an `id`, too, has been reported.
        if let (Some(identity), None, true) = (&import.identity, &import.id, built_in) {
            let detail = "`terraform_data` has no identity by which it could be imported. Use `id`.";
            let diagnostic = Diagnostic::error(ids::NO_IDENTITY_SCHEMA, detail);
            self.diagnostics.push(diagnostic.at(identity.source(), identity.span()));
        }
    }
}

/// Why a value cannot be the id of an import, and the title of the message. In Terraform it can be sensitive and ephemeral, in
/// OpenTofu empty. Of an unknown value a validation asks only whether it can be text: it is open.
fn unusable_id(value: &Value, rules: &Rules, is_open: bool) -> Option<(String, &'static str)> {
    let invalid = |reason: &str| Some((reason.to_owned(), ids::INVALID_IMPORT_ID.title()));
    let text = match convert(value, &Type::String) {
        Ok(text) => text,
        Err(error) => return Some((format!("must be a string: {error}"), "Incorrect value type")),
    };
    if text.is_null() {
        invalid("is null, but it has to say what is imported")
    } else if !is_open && !rules.imports.ids_may_be_marked && text.is_marked() {
        invalid("is shown and stored, so it can be neither sensitive nor ephemeral")
    } else if !rules.imports.ids_may_be_empty && text.unmarked().as_str() == Some("") {
        invalid("is empty, but it has to say what is imported")
    } else {
        None
    }
}

/// As [`unusable_id`], of what is known only when something is created.
fn late_id(value: &Value) -> Option<(String, &'static str)> {
    let causes = expansion::late_causes(&value.as_unknown()?.origins)?;
    let reason = format!("must be known before anything is created: {causes}");
    Some((reason, ids::INVALID_IMPORT_ID.title()))
}
