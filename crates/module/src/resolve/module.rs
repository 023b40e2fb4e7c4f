//! The second pass over a module: with all declarations known, each expression learns what it refers to.

use std::sync::{Arc, LazyLock};

use terrane_body::{Attribute, Block, Body, BodySchema, Schema};
use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_eval::{Reference, references};
use terrane_function::Product;
use terrane_source::{Diagnostic, Diagnostics, SourceFile, Span, ids};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, Expression, Tree};
use terrane_value::SmolStr;

use crate::model::module::{
    ActionTrigger, Check, Import, Module, ModuleCall, ProviderConfig, Repetition, Resource, SelfReference,
};
use crate::model::schemas::Schemas;
use crate::resolve::reference;
use crate::resolve::reference::{Declared, Local, Target};
use crate::resolve::root::Root;

pub(crate) fn module(module: &mut Module, schemas: &Schemas, diagnostics: &mut Diagnostics) {
    // The locals are taken out and the other names copied, because the expressions are changed while the names are read.
    let mut locals = std::mem::take(&mut module.locals);
    let names = Declared::of(module, &locals, schemas);
    for variable in module.variables.values_mut() {
        checks(&mut variable.validations, &names, Local::default(), diagnostics);
    }
    let of_locals: Vec<_> = locals
        .values()
        .map(|local| reference::read(&local.value.expression, &names, Local::default(), diagnostics))
        .collect();
    for call in module.calls.values_mut() {
        repetition(&mut call.repetition, &names, diagnostics);
        let local = Local::of(&call.repetition);
        arguments(call, &names, local, diagnostics);
        call.depends_on = depends_on(call.depends_on_expression.as_ref(), &names, diagnostics);
    }
    for (index, (key, resource)) in module.resources.iter_mut().enumerate() {
        self::resource((index, resource), names.schema(key), &names, diagnostics);
    }
    for provider in module.providers.values_mut() {
        self::provider(provider, &names);
    }
    for import in &mut module.imports {
        self::import(import, &names, diagnostics);
    }
    for (index, asserts) in module.checks.values_mut().enumerate() {
        checks(asserts, &names, Local { check: Some(index), ..Local::default() }, diagnostics);
    }
    for output in module.outputs.values_mut() {
        if let Some(value) = &mut output.value {
            reference::resolve(value, &names, Local::default(), diagnostics);
        }
        checks(&mut output.preconditions, &names, Local::default(), diagnostics);
        output.depends_on = depends_on(output.depends_on_expression.as_ref(), &names, diagnostics);
    }
    module.called_providers = names.called_providers();
    for (local, (targets, is_broken)) in locals.values_mut().zip(of_locals) {
        (local.value.targets, local.value.is_broken) = (targets, is_broken);
    }
    module.locals = locals;
}

fn arguments(call: &mut ModuleCall, names: &Declared<'_>, local: Local, diagnostics: &mut Diagnostics) {
    for (name, (_, argument)) in &mut call.arguments {
        let Some(overridden) = &mut call.overridden else {
            reference::resolve(argument, names, local, diagnostics);
            continue;
        };
        let mut found = Diagnostics::new();
        reference::resolve(argument, names, local, &mut found);
        overridden.mistakes.extend(found.into_iter().map(|diagnostic| (name.clone(), diagnostic)));
    }
}

fn checks(checks: &mut [Check], names: &Declared<'_>, local: Local, diagnostics: &mut Diagnostics) {
    for check in checks {
        reference::resolve(&mut check.condition, names, local, diagnostics);
        reference::resolve(&mut check.error_message, names, local, diagnostics);
    }
}

fn repetition(repetition: &mut Repetition, names: &Declared<'_>, diagnostics: &mut Diagnostics) {
    match repetition {
        Repetition::Once => {}
        Repetition::Count(resolved) | Repetition::ForEach(resolved) | Repetition::Enabled(resolved) => {
            reference::resolve(resolved, names, Local::default(), diagnostics);
        }
    }
}

fn resource(
    (index, resource): (usize, &mut Resource),
    schema: Option<&Schema>,
    names: &Declared<'_>,
    diagnostics: &mut Diagnostics,
) {
    repetition(&mut resource.repetition, names, diagnostics);
    let local = Local::of(&resource.repetition);
    checks(&mut resource.preconditions, names, local, diagnostics);
    checks(&mut resource.postconditions, names, Local { this: Some(index), ..local }, diagnostics);
    if let Some(resolved) = &mut resource.lifecycle.prevent_destroy {
        reference::resolve(resolved, names, Local::default(), diagnostics);
    }
    ignored(resource, schema, diagnostics);
    for trigger in &resource.lifecycle.replace_triggered_by {
        let mut found = Diagnostics::new();
        let targets = reference::targets(&references(trigger), names, local, &mut found);
        resource.lifecycle.trigger_targets.extend(targets);
        // Which instances there are is a question for a plan; Terraform leaves attributes to it, too.
        let is_terraform = names.product() == Some(Product::Terraform);
        let is_late = |diagnostic: &Diagnostic| {
            [ids::UNEXPECTED_INSTANCE_KEY, ids::MISSING_INSTANCE_KEY].contains(&diagnostic.id)
                || is_terraform && diagnostic.id == ids::UNSUPPORTED_ATTRIBUTE
        };
        let found = found.into_iter().filter(|diagnostic| !is_late(diagnostic));
        diagnostics.extend(found.map(|diagnostic| match names.product() {
            // Only OpenTofu has words of its own for it.
            Some(Product::OpenTofu) | None if diagnostic.id == ids::UNDECLARED_RESOURCE => {
                diagnostic.titled("Undeclared resource in replace_triggered_by")
            }
            Some(_) | None => diagnostic,
        }));
    }
    for trigger in &mut resource.lifecycle.action_triggers {
        action_trigger(trigger, names, local, diagnostics);
    }
    if let Some(key) = resource.provider.as_mut().and_then(|provider| provider.key.as_mut()) {
        reference::resolve(key, names, local, diagnostics);
    }
    let own = resource_body(&resource.config, schema, names, local, diagnostics);
    (resource.targets, resource.in_dynamic) = (own.targets, own.in_dynamic);
    resource.depends_on = depends_on(resource.depends_on_expression.as_ref(), names, diagnostics);
    // What runs later may refer to the resource itself.
    let local = Local { this: Some(index), ..local };
    let configs = resource
        .provisioners
        .iter()
        .flat_map(|provisioner| [Some(&provisioner.config), provisioner.connection.as_ref()])
        .chain([resource.connection.as_ref()]);
    let runs: Vec<BodyReferences> =
        configs.flatten().map(|config| plain_body(config, names, local, diagnostics)).collect();
    let others = resource.depends_on_expression.iter().chain(&resource.lifecycle.replace_triggered_by);
    let others = others.flat_map(|expression| instances(&references(expression), names));
    let others = others.chain(runs.iter().flat_map(|found| found.instances.iter().cloned()));
    let all = own.instances.into_iter().map(|found| (found, true)).chain(others.map(|found| (found, false)));
    let itself = all.filter(|((resource, _), _)| *resource == index);
    resource.itself = itself.map(|((_, key), in_config)| SelfReference { key, in_config }).collect();
    resource.run_targets = runs.into_iter().flat_map(|found| found.targets).collect();
}

/// What `ignore_changes` names has to be there and to be something that the configuration may set.
fn ignored(resource: &Resource, schema: Option<&Schema>, diagnostics: &mut Diagnostics) {
    for (name, item) in &resource.lifecycle.ignored {
        let has =
            |schema: &Schema| schema.attributes().contains_key(name) || schema.blocks().contains_key(name);
        if schema.is_some_and(|schema| !has(schema)) {
            let detail = format!(
                "A resource of this type has nothing called \"{name}\" whose changes could be ignored."
            );
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_ATTRIBUTE, detail);
            diagnostics.push(diagnostic.at(item.source(), item.span()));
        }
        let attribute = schema.and_then(|schema| schema.attributes().get(name));
        let is_whole = matches!(item.tree.expr(item.id), Expr::Traversal { steps, .. } if steps.is_empty());
        if is_whole && attribute.is_some_and(|attribute| attribute.computed && !attribute.optional) {
            let detail = format!("Only the provider sets `{name}`, so there are no changes of it to ignore.");
            let diagnostic = Diagnostic::warning(ids::REDUNDANT_IGNORED, detail);
            diagnostics.push(diagnostic.at(item.source(), item.span()));
        }
    }
}

/// The resources that references name, each with the instance that is chosen by a constant.
fn instances(references: &[Reference<'_>], names: &Declared<'_>) -> Vec<(usize, Option<InstanceKey>)> {
    let resource = |reference: &Reference<'_>| {
        let one = std::slice::from_ref(reference);
        match reference::targets(one, names, Local::default(), &mut Diagnostics::new()).first()? {
            Target::Resource(index) => Some((*index, reference::written_instance(reference))),
            Target::Variable(_) | Target::Local(_) | Target::Module(..) => None,
        }
    };
    references.iter().filter_map(resource).collect()
}

fn action_trigger(
    trigger: &mut ActionTrigger,
    names: &Declared<'_>,
    local: Local,
    diagnostics: &mut Diagnostics,
) {
    for item in &trigger.actions {
        reference::targets(&references(item), names, Local { action: true, ..local }, diagnostics);
    }
    let Some(condition) = &mut trigger.condition else { return };
    // Before something happens to the resource, its instances are not told apart.
    let misused =
        references(&condition.expression).into_iter().find_map(|reference| match Root::of(reference.root) {
            Root::Itself => Some("Self reference not allowed"),
            Root::Count if local.count && trigger.is_before => Some("Count reference not allowed"),
            Root::Each if local.each && trigger.is_before => Some("Each reference not allowed"),
            Root::Count
            | Root::Each
            | Root::Variable
            | Root::Local
            | Root::Module
            | Root::Resource(_)
            | Root::Path
            | Root::Terraform
            | Root::Tofu
            | Root::Reserved
            | Root::Type => None,
        });
    if let Some(title) = misused {
        let detail = "The condition of an `action_trigger` block cannot use `self`, and with an event before something happens \
                      neither `count` nor `each`.";
        let diagnostic = Diagnostic::error(ids::INVALID_ACTION_TRIGGER, detail).titled(title);
        diagnostics.push(diagnostic.at(condition.expression.source(), condition.expression.span()));
        condition.is_broken = true;
        return;
    }
    reference::resolve(condition, names, local, diagnostics);
}

fn provider(provider: &mut ProviderConfig, names: &Declared<'_>) {
    if let Some(for_each) = &mut provider.for_each {
        // It is computed with the sources of modules, where few names have a meaning.
        reference::resolve(for_each, names, Local::default(), &mut Diagnostics::new());
    }
    let local = Local { each: provider.for_each.is_some(), ..Local::default() };
    let mut mistakes = Diagnostics::new();
    provider.targets = plain_body(&provider.config, names, local, &mut mistakes).targets;
    provider.mistakes = mistakes.into_iter().collect();
}

fn import(import: &mut Import, names: &Declared<'_>, diagnostics: &mut Diagnostics) {
    if let Some(for_each) = &mut import.for_each {
        reference::resolve(for_each, names, Local::default(), diagnostics);
    }
    let local = Local { each: import.for_each.is_some(), ..Local::default() };
    for resolved in [&mut import.id, &mut import.identity].into_iter().flatten() {
        reference::resolve(resolved, names, local, diagnostics);
    }
    // Without `for_each`, Terraform does not look into keys that are not constant.
    let looks_into_keys = import.for_each.is_some() || names.product() != Some(Product::Terraform);
    if let Some(to) = import.to_expression.as_mut().filter(|_| looks_into_keys) {
        // The first reference is the address itself, the others are in its keys.
        let references = references(&to.expression);
        let keys = references.get(1..).unwrap_or_default();
        let mut wrong = Diagnostics::new();
        to.targets = reference::targets(keys, names, local, &mut wrong);
        import.wrong_keys = wrong.into_iter().collect();
    }
}

/// What the content of a block refers to.
struct BodyReferences {
    /// The objects.
    targets: Vec<Target>,
    /// The resources among them, each with the instance that is chosen by a constant.
    instances: Vec<(usize, Option<InstanceKey>)>,
    /// What is wrong with references in the content of `dynamic` blocks, each with the bytes of the reference.
    in_dynamic: Vec<(Span, Diagnostic)>,
}

/// What the content of a resource refers to. With a schema, what it does not have is left out: that is reported when the
/// block is decoded, and nothing else of it.
fn resource_body(
    body: &Body,
    schema: Option<&Schema>,
    names: &Declared<'_>,
    local: Local,
    diagnostics: &mut Diagnostics,
) -> BodyReferences {
    let mut collector = Collector {
        names,
        local,
        targets: Vec::new(),
        instances: Vec::new(),
        is_dynamic: false,
        in_dynamic: Vec::new(),
        diagnostics,
    };
    collector.body(body, schema, &[]);
    let Collector { targets, instances, in_dynamic, .. } = collector;
    BodyReferences { targets: reference::distinct(targets), instances, in_dynamic }
}

/// What the content of a block without schema refers to.
fn plain_body(
    body: &Body,
    names: &Declared<'_>,
    local: Local,
    diagnostics: &mut Diagnostics,
) -> BodyReferences {
    let mut found = resource_body(body, None, names, local, diagnostics);
    diagnostics.extend(found.in_dynamic.drain(..).map(|(_, diagnostic)| diagnostic));
    found
}

/// What is wrong with a `depends_on` that is no list.
pub(crate) fn no_list_of_dependencies(expression: &Expression) -> Diagnostic {
    let detail = "`depends_on` takes a list of references in brackets, such as `[aws_vpc.main]`.";
    Diagnostic::error(ids::INVALID_EXPRESSION, detail).at(expression.source(), expression.span())
}

/// What the items of `depends_on` name.
fn depends_on(
    expression: Option<&Expression>,
    names: &Declared<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let Some(expression) = expression else { return Vec::new() };
    let mut targets = Vec::new();
    let Expr::Tuple(items) = expression.tree.expr(expression.id) else {
        diagnostics.push(no_list_of_dependencies(expression));
        return targets;
    };
    for id in expression.tree.list(items) {
        let item = Expression { tree: Arc::clone(&expression.tree), id: *id };
        match expression.tree.expr(*id) {
            Expr::Traversal { steps, .. } if has_fixed_keys(&item.tree, item.tree.list(steps)) => {
                let references = references(&item);
                let (parts, whole): (Vec<_>, Vec<_>) = references.into_iter().partition(reaches_into);
                targets.extend(reference::targets(&whole, names, Local::default(), diagnostics));
                for reference in &parts {
                    let is_action = Root::of(reference.root) == Root::Resource(ResourceMode::Action);
                    let detail = if is_action {
                        "An action runs when something happens to a resource: depend on that resource."
                    } else {
                        "`depends_on` names whole objects, such as `aws_vpc.main`, which include their attributes. \
                         Remove the part behind the name."
                    };
                    let diagnostic = Diagnostic::error(ids::INVALID_DEPENDS_ON, detail);
                    diagnostics.push(diagnostic.at(item.source(), reference.span));
                }
            }
            Expr::Literal(Literal::String(text)) => {
                targets.extend(quoted_dependency(&item, item.tree.text(text), names, diagnostics));
            }
            Expr::Missing => invalid_item(&item, diagnostics),
            Expr::Literal(_)
            | Expr::Traversal { .. }
            | Expr::Template { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Call(_)
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_) => invalid_dependency(&item, diagnostics),
        }
    }
    targets
}

/// Whether all keys in brackets are written, not computed.
pub(crate) fn has_fixed_keys(tree: &Tree, steps: &[Step]) -> bool {
    steps.iter().all(|step| match step {
        Step::Attr { .. } | Step::LegacyIndex { .. } => true,
        Step::Index { key, .. } => matches!(tree.expr(*key), Expr::Literal(_)),
    })
}

/// Whether a reference leads to a part of an object: an attribute of a resource, or a part of a variable, local or output.
fn reaches_into(reference: &Reference<'_>) -> bool {
    let root = Root::of(reference.root);
    let name = match root {
        Root::Variable | Root::Local | Root::Path | Root::Terraform | Root::Tofu => {
            return reference.steps.len() > 1;
        }
        Root::Resource(ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::Managed) => 1,
        Root::Resource(ResourceMode::Action)
        | Root::Module
        | Root::Count
        | Root::Each
        | Root::Itself
        | Root::Reserved
        | Root::Type => 0,
    };
    let mut behind = reference.steps.iter().skip(name + 1).peekable();
    behind.next_if(|step| !matches!(step, Step::Attr { .. }));
    if root == Root::Module {
        behind.next();
    }
    behind.next().is_some()
}

/// The form of old versions, with the reference in quotes.
fn quoted_dependency(
    item: &Expression,
    text: &str,
    names: &Declared<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let parsed = terrane_syntax::parse_expr(&SourceFile::new(item.source().id().clone(), text));
    let inner = Expression { tree: parsed.tree, id: parsed.root };
    let mut found = Diagnostics::new();
    let tree = &inner.tree;
    let is_traversal = matches!(tree.expr(inner.id), Expr::Traversal { steps, .. } if has_fixed_keys(tree, tree.list(steps)));
    if !is_traversal || !parsed.diagnostics.is_empty() {
        invalid_dependency(item, diagnostics);
        return Vec::new();
    }
    let detail = "References are written without quotes. This form of old versions is still read.";
    let diagnostic = Diagnostic::warning(ids::QUOTED_REFERENCE, detail);
    diagnostics.push(diagnostic.titled("Quoted references are deprecated").at(item.source(), item.span()));
    let targets = reference::targets(&references(&inner), names, Local::default(), &mut found);
    // The places are those in the quoted text; the item is what can be shown.
    diagnostics.extend(found.into_iter().map(|diagnostic| diagnostic.at(item.source(), item.span())));
    targets
}

/// An item that could not be parsed, which in a string of JSON has not been reported.
fn invalid_item(item: &Expression, diagnostics: &mut Diagnostics) {
    if item.source().slice(item.span()).starts_with('"') {
        let detail = "An item of `depends_on` is a reference to a resource or module call, in JSON a string with nothing \
                      else in it.";
        diagnostics.push(Diagnostic::error(ids::INVALID_EXPRESSION, detail).at(item.source(), item.span()));
    }
}

fn invalid_dependency(item: &Expression, diagnostics: &mut Diagnostics) {
    let detail = "An item of `depends_on` is a reference to a resource or module call, written without quotes and without \
                  computed keys.";
    diagnostics.push(Diagnostic::error(ids::INVALID_EXPRESSION, detail).at(item.source(), item.span()));
}

/// Collects what the provider's part of a resource refers to.
struct Collector<'c> {
    names: &'c Declared<'c>,
    local: Local,
    targets: Vec<Target>,
    instances: Vec<(usize, Option<InstanceKey>)>,
    /// Whether it is in the content of a `dynamic` block.
    is_dynamic: bool,
    /// What is wrong there, each with the bytes of the reference.
    in_dynamic: Vec<(Span, Diagnostic)>,
    diagnostics: &'c mut Diagnostics,
}

impl Collector<'_> {
    /// The references of an expression, except to the iterators of the `dynamic` blocks around it.
    fn attribute(&mut self, attribute: &Attribute, iterators: &[SmolStr]) {
        let expression = silent(attribute);
        reference::provider_functions(&expression, self.names, self.diagnostics);
        let mut references = references(&expression);
        references.retain(|reference| !iterators.iter().any(|iterator| **iterator == *reference.root));
        for reference in &references {
            let mut found = Diagnostics::new();
            let one = std::slice::from_ref(reference);
            let targets = reference::targets(one, self.names, self.local, &mut found);
            if let Some(Target::Resource(index)) = targets.first() {
                self.instances.push((*index, reference::written_instance(reference)));
            }
            self.targets.extend(targets);
            if self.is_dynamic {
                self.in_dynamic.extend(found.into_iter().map(|diagnostic| (reference.span, diagnostic)));
            } else {
                self.diagnostics.extend(found);
            }
        }
    }

    fn body(&mut self, body: &Body, schema: Option<&Schema>, iterators: &[SmolStr]) {
        let is_known = |name: &str| {
            schema.is_none_or(|schema| {
                schema.attributes().contains_key(name) || schema.blocks().contains_key(name)
            })
        };
        // What does not fit is reported when the body is evaluated.
        let content = body.open_content(&mut Diagnostics::new());
        for (name, attribute) in &content.attributes {
            if is_known(name) {
                self.attribute(attribute, iterators);
            }
        }
        for block in &content.blocks {
            let (block_type, is_dynamic) = match (&*block.block_type, block.labels.first()) {
                ("dynamic", Some(label)) => (&label.text, true),
                _ => (&block.block_type, false),
            };
            if !is_known(block_type) {
                continue;
            }
            let nested = schema.and_then(|schema| schema.blocks().get(block_type)).map(|block| &block.schema);
            match is_dynamic {
                true => self.dynamic(block, block_type, nested, iterators),
                false => self.body(&block.body, nested, iterators),
            }
        }
    }

    fn dynamic(
        &mut self,
        block: &Block,
        block_type: &SmolStr,
        schema: Option<&Schema>,
        iterators: &[SmolStr],
    ) {
        let content = block.body.partial_content(&DYNAMIC, &mut Diagnostics::new()).0;
        let iterator = content.attribute("iterator").map(|attribute| {
            let expression = attribute.reference();
            SmolStr::from(expression.tree.expr_text(expression.id).trim_matches('"'))
        });
        let own = iterator.unwrap_or_else(|| block_type.clone());
        let inner: Vec<SmolStr> = iterators.iter().cloned().chain([own]).collect();
        if let Some(attribute) = content.attribute("for_each") {
            self.attribute(attribute, iterators);
        }
        if let Some(attribute) = content.attribute("labels") {
            self.attribute(attribute, &inner);
        }
        for nested in &content.blocks {
            let outer = std::mem::replace(&mut self.is_dynamic, true);
            self.body(&nested.body, schema, &inner);
            self.is_dynamic = outer;
        }
    }
}

/// The arguments of a `dynamic` block.
static DYNAMIC: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new().all_optional(&["for_each", "iterator", "labels"]).block("content", &[])
});

/// The value of an argument. What is wrong in its templates is reported when it is evaluated.
fn silent(attribute: &Attribute) -> Expression {
    attribute.expression(&mut Diagnostics::new())
}
