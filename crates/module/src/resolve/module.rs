//! The second pass over a module: with all declarations known, it finds the targets of each expression.
//!
//! The module stays as it is; the result is its side table, [`References`].

use terrane_body::Schema;
use terrane_config::address::Object;
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_syntax::{Expr, Expression};
use terrane_value::ClosestNames;

use crate::model::ids::{CallId, OutputId, ResourceId};
use crate::model::module::{
    ActionTrigger, Check, Import, Module, ModuleCall, Output, PreventDestroy, ProviderConfig, Repetition,
    Resource, ResourceKey,
};
use crate::model::namespace::Namespace;
use crate::model::references::{
    CallReferences, ImportReferences, InstanceReference, OutputReferences, ProviderReferences, References,
    Referrer, ResourceReferences, SelfReference, Target, Uses, Via,
};
use crate::model::schemas::Schemas;
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::reference::OwnInstance;
use crate::resolve::root::{RootedReference, references};
use crate::resolve::{body, depends_on, reference, triggers};

/// Returns the references of a module. Reports wrong references.
pub(crate) fn module(
    module: &Module,
    schemas: &Schemas,
    closest_names: &ClosestNames,
    diagnostics: &mut Diagnostics,
) -> References {
    let names = Declared::of(module, schemas, closest_names);
    let mut resolver = Resolver { names: &names, table: References::default(), diagnostics };
    resolver.module(module);
    let mut table = resolver.table;
    let (called_providers, mut uses) = names.finish();
    table.called_providers = called_providers;
    if !module.overriding.is_empty() {
        uses.extend(replaced_uses(module, schemas));
    }
    table.set_uses(uses);
    table
}

/// Returns the uses in text that override files replace. The text is never evaluated, so its wrong
/// references are not reported.
fn replaced_uses(module: &Module, schemas: &Schemas) -> Uses {
    // Messages about these names are not reported.
    let closest_names = ClosestNames::none();
    let names = Declared::of(module, schemas, &closest_names);
    for overriding in &module.overriding {
        let block = match &overriding.object {
            Object::ModuleCall(name, _) => {
                module.calls.get(name).map(|call| BlockNames::of(&call.repetition))
            }
            Object::Resource { mode, resource_type, name, .. } => {
                let (resource_type, name) = (resource_type.clone(), name.clone());
                let resource = module.resources.get(&ResourceKey { mode: *mode, resource_type, name });
                resource.map(|resource| BlockNames::of(&resource.repetition))
            }
            Object::Variable(_)
            | Object::Local(_)
            | Object::Output(_)
            | Object::Check(_)
            | Object::Provider(_)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Import(_) => None,
        };
        let block = block.unwrap_or_default();
        let arguments = overriding.arguments.values().map(|(_, value)| value);
        for expression in overriding.replaced.iter().chain(arguments) {
            reference::note_uses(expression, &names, block);
        }
        for body in &overriding.bodies {
            body::plain(body, &names, block, &mut Diagnostics::new());
        }
    }
    names.finish().1
}

struct Resolver<'r> {
    names: &'r Declared<'r>,
    table: References,
    diagnostics: &'r mut Diagnostics,
}

impl Resolver<'_> {
    /// Reserves memory for the references of all declarations.
    fn reserve(&mut self, module: &Module) {
        self.table.variables.reserve(module.variables.len());
        self.table.locals.reserve(module.locals.len());
        self.table.calls.reserve(module.calls.len());
        self.table.resources.reserve(module.resources.len());
        self.table.outputs.reserve(module.outputs.len());
        self.table.providers.reserve(module.providers.len());
        self.table.imports.reserve(module.imports.len());
    }

    fn module(&mut self, module: &Module) {
        let plain = BlockNames::default();
        self.reserve(module);
        for (id, variable) in module.variables.enumerate() {
            self.names.enter(Referrer::Variable(id), Via::Condition);
            let targets = self.conditions(&variable.validations, plain);
            self.table.variables.push(targets);
        }
        for (id, local) in module.locals.enumerate() {
            self.names.enter(Referrer::Local(id), Via::Expression);
            let targets = self.expression(&local.value, plain);
            self.table.locals.push(targets);
        }
        for (id, call) in module.calls.enumerate() {
            let references = self.call(id, call);
            self.table.calls.push(references);
        }
        for (id, resource) in module.resources.enumerate() {
            let references = self.resource(id, resource);
            self.table.resources.push(references);
        }
        for (id, provider) in module.providers.enumerate() {
            self.names.enter(Referrer::Provider(id), Via::Expression);
            let references = self.provider(provider);
            self.table.providers.push(references);
        }
        for (id, import) in module.imports.enumerate() {
            self.names.enter(Referrer::Import(id), Via::Expression);
            let references = self.import(import);
            self.table.imports.push(references);
        }
        for (id, check) in module.checks.enumerate() {
            self.names.enter(Referrer::Check(id), Via::Condition);
            let targets = self.conditions(&check.assertions, BlockNames { check: Some(id), ..plain });
            self.table.checks.push(targets);
        }
        for (id, output) in module.outputs.enumerate() {
            let references = self.output(id, output);
            self.table.outputs.push(references);
        }
    }

    fn expression(&mut self, expression: &Expression, block: BlockNames<'_>) -> Vec<Target> {
        reference::resolve(expression, self.names, block, &mut self.table, self.diagnostics)
    }

    fn optional(&mut self, expression: Option<&Expression>, block: BlockNames<'_>) -> Vec<Target> {
        expression.map(|expression| self.expression(expression, block)).unwrap_or_default()
    }

    fn conditions(&mut self, checks: &[Check], block: BlockNames<'_>) -> Vec<Target> {
        let mut targets = Vec::new();
        for check in checks {
            targets.extend(self.expression(&check.condition, block));
            targets.extend(self.expression(&check.error_message, block));
        }
        targets
    }

    fn repetition(&mut self, referrer: Referrer, repetition: &Repetition) -> Vec<Target> {
        let via = match repetition {
            Repetition::Once => return Vec::new(),
            Repetition::Count(_) => Via::Count,
            Repetition::ForEach(_) => Via::ForEach,
            Repetition::Enabled(_) => Via::Enabled,
        };
        self.names.enter(referrer, via);
        self.optional(repetition.expression(), BlockNames::default())
    }

    fn depends_on(&mut self, referrer: Referrer, expression: Option<&Expression>) -> Vec<Target> {
        self.names.enter(referrer, Via::DependsOn);
        depends_on::targets(expression, self.names, &mut Vec::new(), self.diagnostics)
    }

    fn output(&mut self, id: OutputId, output: &Output) -> OutputReferences {
        let (block, referrer) = (BlockNames::default(), Referrer::Output(id));
        self.names.enter(referrer, Via::Expression);
        let value = self.optional(output.value.as_ref(), block);
        self.names.enter(referrer, Via::Condition);
        let preconditions = self.conditions(&output.preconditions, block);
        OutputReferences {
            value,
            preconditions,
            depends_on: self.depends_on(referrer, output.depends_on.as_ref()),
        }
    }

    fn call(&mut self, id: CallId, call: &ModuleCall) -> CallReferences {
        let referrer = Referrer::Call(id);
        let repetition = self.repetition(referrer, &call.repetition);
        let mut references = CallReferences { repetition, ..CallReferences::default() };
        let block = BlockNames::of(&call.repetition);
        // Sources are computed while the modules are loaded, when few names have a meaning.
        self.names.enter(referrer, Via::Source);
        for early in [&call.source, &call.version].into_iter().flatten() {
            reference::note_uses(early, self.names, BlockNames::default());
        }
        for (argument_id, (_, argument)) in call.arguments.enumerate() {
            self.names.enter(Referrer::Argument(id, argument_id), Via::Argument);
            let targets = if call.overridden.is_none() {
                self.expression(argument, block)
            } else {
                let mut found = Diagnostics::new();
                let targets = reference::resolve(argument, self.names, block, &mut self.table, &mut found);
                let (name, _) = call.arguments.entry_of(argument_id);
                references.late_mistakes.extend(found.into_iter().map(|mistake| (name.clone(), mistake)));
                targets
            };
            references.arguments.push(targets);
        }
        references.depends_on = self.depends_on(referrer, call.depends_on.as_ref());
        references
    }

    fn resource(&mut self, id: ResourceId, resource: &Resource) -> ResourceReferences {
        let (schema, referrer) = (self.names.schema(id), Referrer::Resource(id));
        let repetition = self.repetition(referrer, &resource.repetition);
        let mut found = ResourceReferences { repetition, ..Default::default() };
        let block = BlockNames::of(&resource.repetition);
        self.names.enter(referrer, Via::Condition);
        found.conditions = self.conditions(&resource.preconditions, block);
        let itself = BlockNames { this: Some(id), ..block };
        found.conditions.extend(self.conditions(&resource.postconditions, itself));
        let lifecycle = &resource.lifecycle;
        self.names.enter(referrer, Via::Lifecycle);
        let prevent_destroy = lifecycle.prevent_destroy.as_ref().and_then(PreventDestroy::computed);
        found.prevent_destroy = self.optional(prevent_destroy, BlockNames::default());
        ignored_changes(resource, schema, self.diagnostics);
        let mut of_triggers = Vec::new();
        for item in &lifecycle.replace_triggered_by {
            let references = references(item, self.names.module);
            found.triggers.extend(self.replace_trigger(&references, block, &mut of_triggers));
            found.replacing.push(triggers::resource(item, &references, self.names.module));
        }
        for trigger in &lifecycle.action_triggers {
            let actions = self.action_trigger(trigger, block);
            found.actions.push(actions);
        }
        self.names.enter(referrer, Via::Provider);
        let key = resource.provider.as_ref().and_then(|provider| provider.key.as_ref());
        self.optional(key, block);
        self.names.enter(referrer, Via::Expression);
        let own = body::resource(&resource.config, schema, self.names, block, self.diagnostics);
        (found.config, found.late_mistakes) = (own.targets, own.in_dynamic);
        (found.config_varies, found.config_functions) = (own.varies, own.functions);
        self.names.enter(referrer, Via::DependsOn);
        let (dependencies, mut later) = (resource.depends_on.as_ref(), Vec::new());
        found.depends_on = depends_on::targets(dependencies, self.names, &mut later, self.diagnostics);
        later.extend(of_triggers);
        self.names.enter(referrer, Via::Provisioner);
        later.extend(self.provisioners(resource, itself, &mut found));
        for (instances, in_config) in [(own.instances, true), (later, false)] {
            let itself = |instance: OwnInstance| SelfReference { key: instance.key, in_config };
            found.itself.extend(instances.into_iter().map(itself));
        }
        found
    }

    /// Adds the references of the provisioners of a resource and their connections, which run later and may
    /// refer to the resource itself.
    fn provisioners(
        &mut self,
        resource: &Resource,
        block: BlockNames<'_>,
        references: &mut ResourceReferences,
    ) -> Vec<OwnInstance> {
        let of_provisioners = resource
            .provisioners
            .iter()
            .flat_map(|provisioner| [Some(&provisioner.config), provisioner.connection.as_ref()]);
        let mut instances = Vec::new();
        for config in of_provisioners.chain([resource.connection.as_deref()]).flatten() {
            let found = body::plain(config, self.names, block, self.diagnostics);
            references.provisioners.extend(found.targets);
            instances.extend(found.instances);
        }
        instances
    }

    /// Adds an item of `replace_triggered_by`. A plan checks its instances, and in some dialects the attributes.
    fn replace_trigger(
        &mut self,
        item: &[RootedReference<'_>],
        block: BlockNames<'_>,
        instances: &mut Vec<OwnInstance>,
    ) -> Vec<Target> {
        let mut found = Diagnostics::new();
        let targets = reference::targets_and_instances(item, self.names, block, instances, &mut found);
        let rules = &self.names.module.rules;
        let is_late = |diagnostic: &Diagnostic| {
            [ids::UNEXPECTED_INSTANCE_KEY, ids::MISSING_INSTANCE_KEY].contains(&diagnostic.id)
                || !rules.triggers_check_attributes && diagnostic.id == ids::UNSUPPORTED_ATTRIBUTE
        };
        let found = found.into_iter().filter(|diagnostic| !is_late(diagnostic));
        self.diagnostics.extend(found.map(|diagnostic| match diagnostic.id == ids::UNDECLARED_RESOURCE {
            true => diagnostic.titled(rules.titles.undeclared_trigger),
            false => diagnostic,
        }));
        targets
    }

    /// Adds the actions of an `action_trigger` block, and checks its condition.
    fn action_trigger(
        &mut self,
        trigger: &ActionTrigger,
        block: BlockNames<'_>,
    ) -> Vec<Option<InstanceReference>> {
        let action = |item| {
            let (references, block) =
                (references(item, self.names.module), BlockNames { action: true, ..block });
            reference::targets(&references, self.names, block, self.diagnostics);
            triggers::action(item, &references, self.names.module)
        };
        let actions = trigger.actions.iter().map(action).collect();
        if let Some(condition) = &trigger.condition {
            self.trigger_condition(condition, trigger, block);
        }
        actions
    }

    fn trigger_condition(&mut self, condition: &Expression, trigger: &ActionTrigger, block: BlockNames<'_>) {
        // Before an event of the resource, its instances cannot be told apart.
        let title =
            references(condition, self.names.module).into_iter().find_map(|reference| {
                match reference.namespace {
                    Namespace::Itself => Some(titles::SELF_REFERENCE_NOT_ALLOWED),
                    Namespace::Count if block.count.is_some() && trigger.is_before => {
                        Some(titles::COUNT_REFERENCE_NOT_ALLOWED)
                    }
                    Namespace::Each if block.each.is_some() && trigger.is_before => {
                        Some(titles::EACH_REFERENCE_NOT_ALLOWED)
                    }
                    Namespace::Count
                    | Namespace::Each
                    | Namespace::Variable
                    | Namespace::Local
                    | Namespace::Module
                    | Namespace::Resource(_)
                    | Namespace::Path
                    | Namespace::Terraform
                    | Namespace::Tofu
                    | Namespace::Reserved
                    | Namespace::Type => None,
                }
            });
        if let Some(title) = title {
            let detail = "The condition of an `action_trigger` block cannot use `self`. With a `before_…` \
                          event, it cannot use `count` or `each` either.";
            let diagnostic = Diagnostic::error(ids::INVALID_ACTION_TRIGGER, detail).titled(title);
            self.diagnostics.push(diagnostic.at(condition.source(), condition.span()));
            self.table.mark_broken(condition);
            return;
        }
        self.expression(condition, block);
    }

    fn provider(&mut self, provider: &ProviderConfig) -> ProviderReferences {
        let mut targets = Vec::new();
        if let Some(for_each) = &provider.for_each {
            // The expression is computed with the sources of modules, when few names have a meaning.
            let (block, found) = (BlockNames::default(), &mut Diagnostics::new());
            targets = reference::resolve(for_each, self.names, block, &mut self.table, found);
        }
        let block = BlockNames { each: provider.for_each.as_ref(), ..BlockNames::default() };
        let mut mistakes = Diagnostics::new();
        let content = body::plain(&provider.config, self.names, block, &mut mistakes);
        targets.splice(0..0, content.targets);
        ProviderReferences { targets, late_mistakes: mistakes.into_iter().collect() }
    }

    fn import(&mut self, import: &Import) -> ImportReferences {
        let for_each = self.optional(import.for_each.as_ref(), BlockNames::default());
        let block = BlockNames { each: import.for_each.as_ref(), ..BlockNames::default() };
        let id = self.optional(import.id.as_ref(), block);
        let identity = self.optional(import.identity.as_ref(), block);
        let targets = id.into_iter().chain(identity).chain(for_each).collect();
        let mut found = ImportReferences { targets, wrong_keys: Vec::new() };
        let checks_keys = import.for_each.is_some() || self.names.module.rules.imports.checks_keys_always;
        if let Some(to) = import.to_expression.as_ref().filter(|_| checks_keys) {
            // The first reference is the address itself; the others are in its keys.
            let all = references(to, self.names.module);
            let keys = all.get(1..).unwrap_or_default();
            let mut wrong = Diagnostics::new();
            found.targets.extend(reference::targets(keys, self.names, block, &mut wrong));
            if !wrong.is_empty() {
                self.table.mark_broken(to);
            }
            found.wrong_keys = wrong.into_iter().collect();
        }
        found
    }
}

/// Checks the names in `ignore_changes`: the schema must have them, and the configuration must be allowed to set them.
fn ignored_changes(resource: &Resource, schema: Option<&Schema>, diagnostics: &mut Diagnostics) {
    for (name, item) in &resource.lifecycle.ignored {
        let has =
            |schema: &Schema| schema.attributes().contains_key(name) || schema.blocks().contains_key(name);
        if schema.is_some_and(|schema| !has(schema)) {
            let detail = format!(
                "A resource of this type has no argument or block named \"{name}\", so `ignore_changes` \
                 cannot name it."
            );
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_ATTRIBUTE, detail);
            diagnostics.push(diagnostic.at(item.source(), item.span()));
        }
        let attribute = schema.and_then(|schema| schema.attributes().get(name));
        let is_whole = matches!(item.tree.expr(item.id), Expr::Traversal { steps, .. } if steps.is_empty());
        if is_whole && attribute.is_some_and(|attribute| attribute.computed && !attribute.optional) {
            let detail = format!(
                "Only the provider sets `{name}`, so `ignore_changes` has no effect on \
                                  it. Remove it from the list."
            );
            let diagnostic = Diagnostic::warning(ids::REDUNDANT_IGNORED, detail);
            diagnostics.push(diagnostic.at(item.source(), item.span()));
        }
    }
}
