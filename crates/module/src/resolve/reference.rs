//! Resolves references in expressions: the declarations to which they lead, and the mistakes that need no evaluation.
//!
//! `resolve` takes a whole expression, `targets` single references; [`check`] serves the console.

use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_config::address_parts::written_key;
use terrane_eval::Reference;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Span, TitleText, ids, titles};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};
use terrane_value::{ClosestNames, SmolStr, closest_name};

use crate::model::ids::ResourceId;
use crate::model::module::{Module, Repetition};
use crate::model::namespace::Namespace;
use crate::model::references::{BuiltIn, Meaning, References, Target, Use};
use crate::model::schemas::Schemas;
use crate::resolve::error::{ReferenceResult, at};
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::root::{
    Name, ResourceName, RootedReference, attribute, each_reference, is_literal, output_step, references,
    step_end,
};
use crate::resolve::{attribute_path, instance_key, provider_function, resource_name};
use crate::rules::Rules;

/// A reference of a resource to itself.
#[derive(PartialEq)]
pub(crate) struct OwnInstance {
    /// The key of the instance, if a constant selects it.
    pub(crate) key: Option<InstanceKey>,
}

/// Returns the targets of an expression. Reports wrong references, and marks their expression as broken in `table`.
pub(crate) fn resolve(
    expression: &Expression,
    names: &Declared<'_>,
    block: BlockNames<'_>,
    table: &mut References,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let before = diagnostics.len();
    names.add_expression(expression);
    let targets = targets_of(expression, names, block, diagnostics);
    provider_function::check(expression, names, diagnostics);
    if diagnostics.len() > before {
        table.mark_broken(expression);
    }
    targets
}

/// Records the names in an expression without diagnostics: its wrong references are reported elsewhere,
/// or it is never evaluated.
pub(crate) fn note_uses(expression: &Expression, names: &Declared<'_>, block: BlockNames<'_>) {
    names.add_expression(expression);
    targets_of(expression, names, block, &mut Diagnostics::new());
}

/// Targets of references, each once.
#[derive(Default)]
pub(crate) struct Targets {
    found: Vec<Target>,
    /// The number of different targets at the last comparison.
    distinct: usize,
}

impl Targets {
    /// Adds a target. Removes repeated targets from time to time, because a list may name one object a million times.
    pub(crate) fn add(&mut self, target: Target) {
        const MANY: usize = 64;
        if self.found.last() == Some(&target) {
            return;
        }
        self.found.push(target);
        if self.found.len() >= MANY.max(2 * self.distinct) {
            self.found = distinct(std::mem::take(&mut self.found));
            self.distinct = self.found.len();
        }
    }

    /// Returns the targets in order, each once.
    pub(crate) fn finish(self) -> Vec<Target> {
        distinct(self.found)
    }
}

/// Returns the targets of an expression, in order and each once. Reports references to undeclared objects.
fn targets_of(
    expression: &Expression,
    names: &Declared<'_>,
    block: BlockNames<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let mut targets = Targets::default();
    each_reference(expression, names.module, &mut |reference| {
        noted_target(&reference, names, block, diagnostics)
            .into_iter()
            .for_each(|target| targets.add(target));
    });
    targets.finish()
}

/// Returns the targets of references, in order and each once. Reports references to undeclared objects.
pub(crate) fn targets(
    references: &[RootedReference<'_>],
    names: &Declared<'_>,
    block: BlockNames<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let target = |reference| noted_target(reference, names, block, diagnostics);
    distinct(references.iter().filter_map(target).collect())
}

/// Returns the target of a reference, and records the use. Reports a reference to an undeclared object.
fn noted_target(
    reference: &RootedReference<'_>,
    names: &Declared<'_>,
    block: BlockNames<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Target> {
    match target(reference, names, block) {
        Ok(target) => {
            let found = use_of(reference, target.clone(), block, names);
            names.add_use(reference.tree.source(), found);
            // A reference with an error behind the name of a resource is a use of it, but nothing is evaluated before it.
            if let Some(Target::Resource(id)) = target
                && let Err(diagnostic) = resource_name::check_use(reference, id, block, names)
            {
                diagnostics.push(*diagnostic);
                return None;
            }
            return target;
        }
        // The block itself is reported.
        Err(_) if names.module.refused_blocks.contains(reference.root) => {}
        Err(diagnostic) if block.console => diagnostics.push(*titled_on_console(diagnostic, reference)),
        Err(diagnostic) => diagnostics.push(*diagnostic),
    }
    None
}

/// Returns the same target as [`targets`]. Adds the reference to `instances` if a resource refers to itself.
pub(crate) fn target_and_instance(
    reference: &RootedReference<'_>,
    names: &Declared<'_>,
    block: BlockNames<'_>,
    instances: &mut Vec<OwnInstance>,
    diagnostics: &mut Diagnostics,
) -> Option<Target> {
    let target = noted_target(reference, names, block, diagnostics);
    if let Some(Target::Resource(id)) = &target {
        OwnInstance::note(*id, reference, names, instances);
    }
    target
}

/// Returns the same as [`targets`]. Adds the references of a resource to itself to `instances`.
pub(crate) fn targets_and_instances(
    references: &[RootedReference<'_>],
    names: &Declared<'_>,
    block: BlockNames<'_>,
    instances: &mut Vec<OwnInstance>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let target = |reference| target_and_instance(reference, names, block, instances, diagnostics);
    distinct(references.iter().filter_map(target).collect())
}

/// Returns the target of a reference; `None` for a built-in name, such as `path.root`. [`resource_name::check_use`] checks the steps
/// behind the name of a resource.
pub(crate) fn target(
    reference: &RootedReference<'_>,
    names: &Declared<'_>,
    block: BlockNames<'_>,
) -> ReferenceResult<Option<Target>> {
    match name(reference, block, &names.module.rules)? {
        Some(name) => declared(reference, name, block, names).map(Some),
        None => attribute_of_self(reference, block, names).map(|()| None),
    }
}

/// Returns the use for a reference.
fn use_of(
    reference: &RootedReference<'_>,
    target: Option<Target>,
    block: BlockNames<'_>,
    names: &Declared<'_>,
) -> Use {
    let name = |step: Option<&Step>| match step {
        Some(Step::Attr { name, .. }) => Some(*name),
        Some(Step::Index { .. } | Step::LegacyIndex { .. }) | None => None,
    };
    let Some(target) = target else { return built_in(reference, block, names) };
    let mut attribute = None;
    let (output, output_of_computed) = match &target {
        Target::Module(call, output) => {
            let repetition = &names.module.calls.at(*call).repetition;
            match (output, repetition) {
                (Some(_), _) => (name(output_step(reference, repetition)), None),
                (None, Repetition::Count(_) | Repetition::ForEach(_)) => (None, name(reference.steps.get(2))),
                (None, Repetition::Once | Repetition::Enabled(_)) => (None, None),
            }
        }
        Target::Resource(_) => {
            attribute = name(attribute_step(reference));
            (None, None)
        }
        Target::Variable(_) | Target::Local(_) => (None, None),
    };
    let own = name(reference.steps.get(reference.name_step())).unwrap_or_else(|| reference.root_span());
    let span = reference.span;
    Use { output, attribute, output_of_computed, span, ..Use::of_name(Meaning::Declared(target), own) }
}

/// Returns the step after the name of a resource and its key or splat.
fn attribute_step<'r>(reference: &RootedReference<'r>) -> Option<&'r Step> {
    let behind = reference.steps.get(reference.name_step() + 1..)?;
    let behind = match behind {
        [Step::Index { .. } | Step::LegacyIndex { .. }, behind @ ..] => behind,
        behind => behind,
    };
    behind.first().or_else(|| {
        let Expr::Relative { steps, .. } = reference.tree.expr(reference.splat?) else { return None };
        reference.tree.list(steps).first()
    })
}

/// Returns the use for a reference to a built-in name.
fn built_in(reference: &RootedReference<'_>, block: BlockNames<'_>, names: &Declared<'_>) -> Use {
    // A reference without a target and without a built-in name can only be `self`.
    let name = reference.built_in().unwrap_or(BuiltIn::Itself);
    let origin = match name {
        BuiltIn::CountIndex => block.count.map(Expression::subject),
        BuiltIn::EachKey | BuiltIn::EachValue => block.each.map(Expression::subject),
        BuiltIn::Itself => block.this.map(|id| names.module.resources.at(id).declaration.clone()),
        BuiltIn::PathModule
        | BuiltIn::PathRoot
        | BuiltIn::PathCwd
        | BuiltIn::Workspace
        | BuiltIn::Applying => None,
    };
    let end = if name == BuiltIn::Itself { reference.root_span().end } else { step_end(reference, 0) };
    let whole = Span::new(reference.span.start, end);
    Use { span: reference.span, ..Use::of_name(Meaning::BuiltIn { name, origin }, whole) }
}

/// Checks the attribute after `self`.
fn attribute_of_self(
    reference: &RootedReference<'_>,
    block: BlockNames<'_>,
    names: &Declared<'_>,
) -> ReferenceResult<()> {
    let Some(resource) = block.this.filter(|_| reference.namespace == Namespace::Itself) else {
        return Ok(());
    };
    let (key, _) = names.module.resources.entry_of(resource);
    attribute_path::check(reference, 0, &key.resource_type, names.block_schema(resource), names.closest_names)
}

impl OwnInstance {
    /// Adds the instance that a reference to a resource selects, if the reference is in the block of this resource.
    pub(crate) fn note(
        resource: ResourceId,
        reference: &RootedReference<'_>,
        names: &Declared<'_>,
        instances: &mut Vec<OwnInstance>,
    ) {
        if names.is_in(resource) {
            let key = reference.steps.get(reference.name_step() + 1);
            let found = OwnInstance { key: key.and_then(|key| written_key(reference.tree, key)) };
            if instances.last() != Some(&found) {
                instances.push(found);
            }
        }
    }
}

/// Returns the targets in order, each once.
pub(crate) fn distinct(mut targets: Vec<Target>) -> Vec<Target> {
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Sets the title that the console of the reference gives to a missing name: it reports that no declaration has the
/// empty name.
fn titled_on_console(diagnostic: Box<Diagnostic>, reference: &RootedReference<'_>) -> Box<Diagnostic> {
    let title: TitleText = match reference.namespace {
        Namespace::Variable => titles::REFERENCE_TO_UNDECLARED_INPUT_VARIABLE.into(),
        Namespace::Local => titles::REFERENCE_TO_UNDECLARED_LOCAL_VALUE.into(),
        Namespace::Path | Namespace::Terraform | Namespace::Tofu | Namespace::Count | Namespace::Each => {
            titles::invalid_attribute(reference.root)
        }
        Namespace::Module
        | Namespace::Resource(_)
        | Namespace::Itself
        | Namespace::Reserved
        | Namespace::Type => return diagnostic,
    };
    if diagnostic.id == ids::INVALID_REFERENCE { Box::new(diagnostic.titled(title)) } else { diagnostic }
}

/// Returns the object that a reference names by its form; `None` for built-in names, such as `path.root`.
fn name<'r>(
    reference: &RootedReference<'r>,
    block: BlockNames<'_>,
    rules: &Rules,
) -> ReferenceResult<Option<Name<'r>>> {
    match reference.namespace {
        Namespace::Variable => Ok(Some(Name::Variable(name_at(reference, 0)?))),
        Namespace::Local => Ok(Some(Name::Local(name_at(reference, 0)?))),
        Namespace::Module => {
            let call = Name::Call(name_at(reference, 0)?);
            instance_key::check(reference, 1).map(|()| Some(call))
        }
        Namespace::Resource(ResourceMode::Action) => {
            let action = resource(reference, ResourceMode::Action)?;
            if block.action {
                return Ok(Some(action));
            }
            let detail =
                "An action has no value. Only the `action_trigger` block of a resource names actions.";
            Err(at(reference, reference.span, ids::INVALID_REFERENCE, detail.to_owned()))
        }
        Namespace::Resource(mode) => resource(reference, mode).map(Some),
        Namespace::Path => one_of(reference, Namespace::Path.attributes(), ids::INVALID_PATH_ATTRIBUTE),
        Namespace::Terraform | Namespace::Tofu => product_attribute(reference, rules),
        Namespace::Count => {
            one_of(reference, Namespace::Count.attributes(), ids::INVALID_COUNT_ATTRIBUTE)?;
            if block.count.is_some() {
                return Ok(None);
            }
            Err(misplaced(reference, ids::COUNT_OUTSIDE, "a block with the `count` argument"))
        }
        Namespace::Each => each(reference, block),
        Namespace::Reserved => {
            let detail = format!("The name `{}` is reserved for future use.", reference.root);
            Err(at(reference, reference.root_span(), ids::RESERVED_NAME, detail))
        }
        Namespace::Itself if block.this.is_some() => Ok(None),
        Namespace::Itself => {
            let place = "a `provisioner`, `connection` or `postcondition` block";
            Err(misplaced(reference, ids::INVALID_SELF, place))
        }
        Namespace::Type => managed(reference),
    }
}

/// Returns a managed resource, whose type is the first name of the reference.
fn managed<'r>(reference: &Reference<'r>) -> ReferenceResult<Option<Name<'r>>> {
    let Some(name) = attribute(reference, 0) else {
        let detail = format!(
            "`{}` is read as a resource type. Write a dot and the name of the resource after it.",
            reference.root
        );
        return Err(at(reference, reference.span, ids::INVALID_REFERENCE, detail));
    };
    instance_key::check(reference, 1)?;
    let mode = ResourceMode::Managed;
    Ok(Some(Name::Resource(ResourceName { mode, resource_type: reference.root, name, step: 0 })))
}

/// `each.key` or `each.value`.
fn each<'r>(reference: &RootedReference<'r>, block: BlockNames<'_>) -> ReferenceResult<Option<Name<'r>>> {
    one_of(reference, Namespace::Each.attributes(), ids::INVALID_EACH_ATTRIBUTE)?;
    if block.each.is_some() {
        return Ok(None);
    }
    let diagnostic = misplaced(reference, ids::EACH_OUTSIDE, "a block with the `for_each` argument");
    let is_value = reference.built_in() == Some(BuiltIn::EachValue);
    Err(if is_value {
        Box::new(diagnostic.titled(titles::EACH_VALUE_CANNOT_BE_USED_IN_THIS_CONTEXT))
    } else {
        diagnostic
    })
}

/// Returns the attribute name at a step. The namespaces (`var`, `local`, …) allow only an attribute there.
fn name_at<'r>(reference: &Reference<'r>, step: usize) -> ReferenceResult<&'r str> {
    if let Some(name) = attribute(reference, step) {
        return Ok(name);
    }
    let root = reference.root;
    let detail = match reference.steps.get(step) {
        None => format!("`{root}` is not a value by itself: write `{root}.` followed by a name."),
        Some(_) => format!("`{root}` cannot be indexed with brackets: write `{root}.` followed by a name."),
    };
    Err(at(reference, reference.span, ids::INVALID_REFERENCE, detail))
}

fn resource<'r>(reference: &Reference<'r>, mode: ResourceMode) -> ReferenceResult<Name<'r>> {
    let resource_type = name_at(reference, 0)?;
    let name = name_at(reference, 1)?;
    instance_key::check(reference, 2)?;
    Ok(Name::Resource(ResourceName { mode, resource_type, name, step: 1 }))
}

/// Checks that a built-in name has one of these attributes after its root.
fn one_of<'r>(
    reference: &Reference<'r>,
    names: &[&'static str],
    id: DiagnosticId,
) -> ReferenceResult<Option<Name<'r>>> {
    let name = name_at(reference, 0)?;
    if names.contains(&name) {
        return Ok(None);
    }
    let available: Vec<String> =
        names.iter().map(|available| format!("`{}.{available}`", reference.root)).collect();
    let detail = format!(
        "`{}.{name}` does not exist. The available names are {}.",
        reference.root,
        available.join(", ")
    );
    let diagnostic = at(reference, reference.span, id, detail);
    Err(match closest_name(name, names.iter().copied()) {
        Some(nearest) => {
            let (given, meant) = (reference_text(reference, name), format!("{}.{nearest}", reference.root));
            Box::new(diagnostic.suggest_code(&given, Some(&meant)))
        }
        None => diagnostic,
    })
}

fn product_attribute<'r>(reference: &Reference<'r>, rules: &Rules) -> ReferenceResult<Option<Name<'r>>> {
    let id = ids::INVALID_TERRAFORM_ATTRIBUTE;
    let all = Namespace::Terraform.attributes().iter().copied();
    let names: Vec<&str> = all.filter(|name| rules.has_applying || *name != "applying").collect();
    one_of(reference, &names, id).map_err(|diagnostic| match diagnostic.id == id {
        true => Box::new(diagnostic.titled(titles::invalid_attribute(reference.root))),
        false => diagnostic,
    })
}

fn misplaced(reference: &Reference<'_>, id: DiagnosticId, place: &str) -> Box<Diagnostic> {
    let detail = format!("`{}` can be used only in {place}.", reference.root);
    at(reference, reference.span, id, detail)
}

/// Returns the target of a name. The name must be declared, and used as its repetition allows.
fn declared(
    reference: &RootedReference<'_>,
    name: Name<'_>,
    block: BlockNames<'_>,
    names: &Declared<'_>,
) -> ReferenceResult<Target> {
    let module = names.module;
    match name {
        Name::Variable(name) => module.variables.id_of(name).map(Target::Variable).ok_or_else(|| {
            let declare = format!("declare it with a block `variable \"{name}\" {{}}`");
            undeclared(reference, name, names, module.variables.keys(), &declare)
        }),
        Name::Local(name) => module.locals.id_of(name).map(Target::Local).ok_or_else(|| {
            let declare = format!("declare it in a `locals` block as `{name} = …`");
            undeclared(reference, name, names, module.locals.keys(), &declare)
        }),
        Name::Call(name) => {
            let call = module.calls.id_of(name).ok_or_else(|| {
                let declare = format!("declare it with a block `module \"{name}\" {{ source = … }}`");
                undeclared(reference, name, names, module.calls.keys(), &declare)
            })?;
            let is_written = |step: usize| match reference.steps.get(step) {
                Some(Step::Index { key, .. }) => is_literal(reference, *key),
                Some(Step::LegacyIndex { .. }) => true,
                Some(Step::Attr { .. }) | None => false,
            };
            if is_written(1) && is_written(2) {
                let detail = "Write a dot and the name of an output after an instance of a module.";
                let span = Span::new(reference.span.start, step_end(reference, 2));
                return Err(at(reference, span, ids::INVALID_REFERENCE, detail.to_owned()));
            }
            let output = match output_step(reference, &module.calls.at(call).repetition) {
                Some(Step::Attr { name, .. }) => Some(SmolStr::from(reference.tree.slice(*name))),
                Some(Step::Index { .. } | Step::LegacyIndex { .. }) | None => None,
            };
            Ok(Target::Module(call, output))
        }
        Name::Resource(name) => resource_name::declared(reference, name, block, names),
    }
}

/// Returns a name after the root of a reference, as it is usually written.
fn reference_text(reference: &Reference<'_>, name: &str) -> String {
    format!("{}.{name}", reference.root)
}

fn undeclared<'n>(
    reference: &RootedReference<'_>,
    name: &str,
    names: &Declared<'_>,
    declared: impl Iterator<Item = &'n SmolStr>,
    declare: &str,
) -> Box<Diagnostic> {
    let root = reference.root;
    let (id, kind) = match reference.namespace {
        Namespace::Variable => (ids::UNDECLARED_VARIABLE, "input variable"),
        Namespace::Local => (ids::UNDECLARED_LOCAL, "local value"),
        Namespace::Module
        | Namespace::Resource(_)
        | Namespace::Path
        | Namespace::Terraform
        | Namespace::Tofu
        | Namespace::Count
        | Namespace::Each
        | Namespace::Itself
        | Namespace::Reserved
        | Namespace::Type => (ids::UNDECLARED_MODULE, "module call"),
    };
    let detail = format!("No {kind} named \"{name}\" is declared in this module: {declare}.");
    let span = Span::new(reference.span.start, step_end(reference, 0));
    let diagnostic = at(reference, span, id, detail);
    match names.closest(name, declared.map(|name| &**name)) {
        Some(nearest) => {
            let (given, meant) = (reference_text(reference, name), format!("{root}.{nearest}"));
            Box::new(diagnostic.suggest_code(&given, Some(&meant)))
        }
        None => diagnostic,
    }
}

/// Reports undeclared objects that an expression on the console names, and functions of providers that `module` does not
/// require. Names with `is_added` are names of the console itself.
pub fn check(
    expression: &Expression,
    module: &Module,
    schemas: &Schemas,
    is_added: &dyn Fn(&str) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let block = BlockNames { console: true, ..BlockNames::default() };
    let mut references = references(expression, module);
    references.retain(|reference| !is_added(reference.root));
    let closest_names = ClosestNames::default();
    let names = Declared::of(module, schemas, &closest_names);
    check_in_block(expression, &references, &names, block, diagnostics);
}

/// Returns the uses of declared names in an expression on the console. Leaves out wrong references.
pub fn uses(expression: &Expression, module: &Module, schemas: &Schemas) -> Vec<Use> {
    let closest_names = ClosestNames::default();
    let names = Declared::of(module, schemas, &closest_names);
    let block = BlockNames { console: true, ..BlockNames::default() };
    targets(&references(expression, module), &names, block, &mut Diagnostics::new());
    let (_, uses) = names.finish();
    uses.files().iter().flat_map(|group| group.uses.iter().cloned()).collect()
}

/// Reports wrong names among the references of an expression in a block, and functions of providers that the module does not
/// require.
pub(crate) fn check_in_block(
    expression: &Expression,
    references: &[RootedReference<'_>],
    names: &Declared<'_>,
    block: BlockNames<'_>,
    diagnostics: &mut Diagnostics,
) {
    targets(references, names, block, diagnostics);
    provider_function::check(expression, names, diagnostics);
}

/// Does the same as [`check`], for a reference alone.
pub(crate) fn check_reference(reference: Reference<'_>, names: &Declared<'_>, diagnostics: &mut Diagnostics) {
    let rooted = RootedReference::of(reference, &names.module.rules);
    targets(&[rooted], names, BlockNames::default(), diagnostics);
}
