//! Checks that resources and module calls choose existing instances of provider configurations.

use std::collections::{HashMap, HashSet};

use terrane_source::{Diagnostic, Diagnostics, Files, ids, titles};
use terrane_value::{Mark, SmolStr, Type, Value, convert};

use crate::expansion::{self, Expansion, RepetitionData};
use crate::model::ids::InstanceId;
use crate::model::module::{ModuleCall, ProviderRef, Resource};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::Called;
use crate::state::repetition::{Repeated, expand};
use crate::state::scope::ModuleScope;

/// Checks the keys of provider configurations that a module instance uses. Does nothing in a validation.
pub(crate) fn check(context: &mut Context<'_>, instance: InstanceId) {
    let (evaluation, files) = (context.evaluation, context.files);
    let diagnostics = &mut *context.diagnostics;
    let state = &evaluation.instances[instance];
    let node = evaluation.config.node(state.node);
    // An unexpanded module may have no instance at all.
    if !evaluation.phase().plans_resources() || state.unexpanded.is_some() {
        return;
    }
    let mut checker = ProviderKeyChecker { evaluation, instance, files, keys: HashMap::new(), diagnostics };
    for resource in node.module.resources.values() {
        if resource.provider.as_ref().is_some_and(|provider| provider.key.is_some()) {
            checker.resource(resource);
        }
    }
    for (call, calls) in node.module.calls.values().zip(&state.calls) {
        if call.providers.values().any(|passed| passed.parent.key.is_some()) {
            checker.call(call, &calls.expansion);
        }
    }
}

struct ProviderKeyChecker<'c> {
    evaluation: &'c Evaluation,
    instance: InstanceId,
    files: &'c dyn Files,
    /// The instance keys of each configuration, computed on first use; `None` if they are unknown.
    keys: HashMap<SmolStr, Option<HashSet<SmolStr>>>,
    diagnostics: &'c mut Diagnostics,
}

impl ProviderKeyChecker<'_> {
    fn resource(&mut self, resource: &Resource) {
        let Some(provider) = &resource.provider else { return };
        let names = self.evaluation.scope(self.instance);
        // The errors of the repetition have been reported.
        let unreported = &mut Diagnostics::new();
        let (evaluation, files) = (self.evaluation, self.files);
        let mut context = Context::new(evaluation, files, unreported);
        let instances = expand(&mut context, &names, Repeated::Resource, &resource.repetition);
        for (_, data) in instances.iter() {
            self.choice(provider, data);
        }
    }

    /// Checks the keys in the `providers` of a call, but only of configurations that resources
    /// of the called module use.
    fn call(&mut self, call: &ModuleCall, calls: &Expansion<Called>) {
        for (_, called) in calls.iter() {
            let Called::Instance(instance) = called else { continue };
            let state = &self.evaluation.instances[*instance];
            let module = &self.evaluation.config.node(state.node).module;
            let used: HashSet<SmolStr> = module
                .resources
                .iter()
                .map(|(key, resource)| {
                    let alias = resource.provider.as_ref().and_then(|provider| provider.alias.as_deref());
                    ProviderRef::key_of(resource.local_provider(&key.resource_type), alias)
                })
                .collect();
            for (_, passed) in call.providers.iter().filter(|(key, _)| used.contains(*key)) {
                self.choice(&passed.parent, &state.repetition);
            }
        }
    }

    /// Reports the key of `provider`, for the instance with the given `data`, if it is invalid or no instance has it.
    fn choice(&mut self, provider: &ProviderRef, data: &RepetitionData) {
        let Some(key) = &provider.key else { return };
        let (evaluation, instance, files) = (self.evaluation, self.instance, self.files);
        let made = || keys(evaluation, instance, provider, files);
        let Some(keys) = self.keys.entry(provider.key()).or_insert_with(made) else { return };
        let names = ModuleScope { repetition: Some(data), ..evaluation.scope(instance) };
        let value = Context::new(evaluation, files, self.diagnostics).value(key, &names);
        let report = match text(&value) {
            Err(reason) => {
                Diagnostic::error(ids::PROVIDER_KEY, format!("The key of a provider configuration {reason}."))
                    .titled(titles::INVALID_PROVIDER_INSTANCE_KEY)
            }
            Ok(Some(key)) if !keys.contains(&key) => {
                let shown = if value.marks().is_secret() { String::new() } else { format!(" {key:?}") };
                let detail = format!(
                    "`{}` has no instance with the key{shown}: its `for_each` has other keys.",
                    provider.key()
                );
                Diagnostic::error(ids::PROVIDER_NOT_PRESENT, detail)
                    .titled(titles::PROVIDER_INSTANCE_NOT_PRESENT)
            }
            Ok(_) => return,
        };
        self.diagnostics.push(report.at(&provider.file, provider.span));
    }
}

/// Returns the instance keys of a configuration in an instance of its module; `None` if they are unknown.
fn keys(
    evaluation: &Evaluation,
    instance: InstanceId,
    provider: &ProviderRef,
    files: &dyn Files,
) -> Option<HashSet<SmolStr>> {
    let state = &evaluation.instances[instance];
    let config = evaluation.config.node(state.node).module.providers.get(&provider.key())?;
    let for_each = config.for_each.as_ref()?;
    let unreported = &mut Diagnostics::new();
    let mut context = Context::new(evaluation, files, unreported);
    let value = context.value(for_each, &evaluation.scope(instance));
    match expansion::for_each_reported(&value, for_each, &evaluation.config.rules, unreported) {
        Expansion::ForEach(all) => Some(all.into_iter().map(|(key, _)| key).collect()),
        Expansion::Once(_) | Expansion::Count(_) | Expansion::Absent | Expansion::Unknown { .. } => None,
    }
}

/// Returns the text of a key, `None` if it is unknown, or an error that says why the value cannot be a key.
fn text(value: &Value) -> Result<Option<SmolStr>, String> {
    if value.has_mark(&Mark::Sensitive) || value.has_mark(&Mark::Ephemeral) {
        return Err("is shown and stored, so it can be neither sensitive nor ephemeral".to_owned());
    }
    if value.is_null() {
        return Err("must not be null".to_owned());
    }
    if let Some(unknown) = value.as_unknown() {
        let causes = expansion::late_causes(&unknown.origins);
        return causes
            .map_or(Ok(None), |causes| Err(format!("must be known before anything is created: {causes}")));
    }
    let text = convert(value, &Type::String).map_err(|error| format!("must be a string: {error}"))?;
    Ok(text.as_str().map(SmolStr::from))
}
