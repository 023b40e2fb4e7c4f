//! What an expression reads: the objects behind the names in it, and the mistakes that can be told without
//! evaluating anything.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use terrane_body::Schema;
use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_eval::{Reference, references};
use terrane_function::{Dialect, Product};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Span, ids};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};
use terrane_value::{SmolStr, closest_name};

use crate::model::module;
use crate::model::module::{Module, Repetition, Resolved, ResourceKey};
use crate::model::schemas::{BlockSchema, Schemas};
use crate::model::written_address::written_key;
use crate::resolve::attribute_path;
use crate::resolve::root::{Root, attribute};
use crate::rules::constructs::{ACTIONS, APPLYING, PROVIDER_FUNCTIONS, TOFU_NAME, explanation};

/// How often names that are not declared are compared with those that are, in one module: there may be thousands of each.
const MOST_COMPARISONS: usize = 500_000;

/// An object that a reference leads to, by its position among those of its kind in the module.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    /// `var.name`.
    Variable(usize),
    /// `local.name`.
    Local(usize),
    /// `module.name`, or the output of it that has this name.
    Module(usize, Option<SmolStr>),
    /// `type.name` or `data.type.name`.
    Resource(usize),
}

/// An object as a reference names it.
#[derive(Clone, Copy)]
enum Name<'r> {
    Variable(&'r str),
    Local(&'r str),
    Module(&'r str),
    Resource(ResourceMode, &'r str, &'r str),
}

/// Which names that depend on the surrounding block may be used in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Local {
    /// `count.index`.
    pub count: bool,
    /// `each.key` and `each.value`.
    pub each: bool,
    /// `self`, which is the resource at this position.
    pub this: Option<usize>,
    /// The data source of the `check` block at this position.
    pub check: Option<usize>,
    /// `action.type.name`.
    pub action: bool,
    /// The expression is asked on the console.
    pub console: bool,
}

impl Local {
    /// The names in a block with this repetition.
    pub fn of(repetition: &Repetition) -> Local {
        Local {
            count: matches!(repetition, Repetition::Count(_)),
            each: matches!(repetition, Repetition::ForEach(_)),
            this: None,
            check: None,
            action: false,
            console: false,
        }
    }
}

/// The names that a module declares, as far as references are checked against them.
#[derive(Debug)]
pub struct Declared<'m> {
    dialect: Dialect,
    variables: IndexSet<SmolStr>,
    locals: &'m IndexMap<SmolStr, module::Local>,
    calls: IndexSet<SmolStr>,
    checks: IndexSet<SmolStr>,
    resources: IndexMap<ResourceKey, Known>,
    /// The local names of the providers that the module requires.
    providers: IndexSet<SmolStr>,
    /// The functions that the program adds.
    added_functions: IndexSet<SmolStr>,
    /// How many names were compared.
    comparisons: Cell<usize>,
    /// Those of the providers whose functions were met.
    called_providers: RefCell<IndexSet<SmolStr>>,
}

/// What is known about a resource.
#[derive(Debug)]
struct Known {
    repeated: Repeated,
    schema: Option<Arc<BlockSchema>>,
    /// The name of the `check` block that it is in.
    check: Option<SmolStr>,
}

/// Which of the repetition arguments a resource has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Repeated {
    Once,
    Count,
    ForEach,
}

impl<'m> Declared<'m> {
    /// The names that `module` with these locals declares, and what its resources have as far as `schemas` say. Only the
    /// locals are borrowed, of which there may be very many, so that the rest can be changed.
    pub fn of(
        module: &Module,
        locals: &'m IndexMap<SmolStr, module::Local>,
        schemas: &Schemas,
    ) -> Declared<'m> {
        let resources = module.resources.iter().map(|(key, resource)| {
            let schema = schemas.resource(module, key, resource).cloned();
            let repeated = match resource.repetition {
                Repetition::Once | Repetition::Enabled(_) => Repeated::Once,
                Repetition::Count(_) => Repeated::Count,
                Repetition::ForEach(_) => Repeated::ForEach,
            };
            (key.clone(), Known { repeated, schema, check: resource.check.clone() })
        });
        Declared {
            dialect: module.dialect,
            variables: module.variables.keys().cloned().collect(),
            locals,
            calls: module.calls.keys().cloned().collect(),
            checks: module.checks.keys().cloned().collect(),
            resources: resources.collect(),
            providers: module.requirements.keys().cloned().collect(),
            added_functions: module.added_functions.clone(),
            comparisons: Cell::new(0),
            called_providers: RefCell::default(),
        }
    }

    /// The schema of a resource, where it is known.
    pub(crate) fn schema(&self, key: &ResourceKey) -> Option<&Schema> {
        self.resources.get(key)?.schema.as_deref().map(BlockSchema::schema)
    }

    /// The local names of the providers whose functions were met in expressions that were looked at.
    pub(crate) fn called_providers(&self) -> IndexSet<SmolStr> {
        self.called_providers.borrow().clone()
    }

    /// That of `names` which was probably meant.
    fn closest<N: AsRef<str>>(&self, given: &str, names: impl Iterator<Item = N>) -> Option<N> {
        let before = self.comparisons.get();
        let mut compared = 0;
        let left = MOST_COMPARISONS.saturating_sub(before);
        let nearest = closest_name(given, names.take(left).inspect(|_| compared += 1));
        self.comparisons.set(before + compared);
        nearest
    }
}

impl Declared<'_> {
    /// The product for which the module is read, where one is asked for.
    pub(crate) fn product(&self) -> Option<Product> {
        self.dialect.product()
    }
}

/// Fills in the targets of an expression and reports references to what does not exist.
pub(crate) fn resolve(
    resolved: &mut Resolved,
    module: &Declared<'_>,
    local: Local,
    diagnostics: &mut Diagnostics,
) {
    (resolved.targets, resolved.is_broken) = read(&resolved.expression, module, local, diagnostics);
}

/// The targets of an expression, and whether a reference in it is wrong, which is reported.
pub(crate) fn read(
    expression: &Expression,
    module: &Declared<'_>,
    local: Local,
    diagnostics: &mut Diagnostics,
) -> (Vec<Target>, bool) {
    let before = diagnostics.len();
    let targets = targets(&references(expression), module, local, diagnostics);
    provider_functions(expression, module, diagnostics);
    (targets, diagnostics.len() > before)
}

/// Reports calls of functions of providers that the module does not require, other than those that the program adds.
pub(crate) fn provider_functions(
    expression: &Expression,
    module: &Declared<'_>,
    diagnostics: &mut Diagnostics,
) {
    let tree = &expression.tree;
    if !tree.expr_text(expression.id).contains("provider") {
        return;
    }
    let mut calls = Vec::new();
    tree.expressions(expression.id, &mut |id| {
        if let Expr::Call(call) = tree.expr(id) {
            calls.push(tree.call(call));
        }
    });
    // In Terraform such a call is a mistake only once it is evaluated, so that these may try it.
    let is_terraform = module.dialect.product() == Some(Product::Terraform);
    let attempts = calls.iter().filter(|call| is_terraform && is_attempt(&tree.function_name(call)));
    let attempts: Vec<Range<u32>> = attempts.map(|call| call.name.end..call.close_end).collect();
    for call in calls {
        let is_tried = attempts.iter().any(|attempt| attempt.contains(&call.name.start));
        if let Err((title, detail)) = provider_function(&tree.function_name(call), is_tried, module) {
            let diagnostic = Diagnostic::error(ids::UNKNOWN_FUNCTION, detail);
            let diagnostic = diagnostic.titled(title);
            diagnostics.push(diagnostic.at(tree.source(), call.name));
        }
    }
}

/// What is wrong with a call of a function of this name, if it is one of a provider: a title of its own and the detail.
fn provider_function(
    name: &str,
    is_tried: bool,
    module: &Declared<'_>,
) -> Result<(), (&'static str, String)> {
    let parts: Vec<&str> = name.split("::").collect();
    let ["provider", provider, ..] = *parts else { return Ok(()) };
    let is_terraform = module.dialect.product() == Some(Product::Terraform);
    if !matches!(parts.len(), 3 | 4) {
        // In Terraform that is found when it is evaluated.
        if is_terraform {
            return Ok(());
        }
        let detail = format!(
            "`{name}` does not name a function of a provider: write `provider::NAME::FUNCTION`, or \
             `provider::NAME::ALIAS::FUNCTION` for a configuration with an alias."
        );
        return Err(("Unable to parse provider function", detail));
    }
    if !PROVIDER_FUNCTIONS.is_in(module.dialect) {
        let detail = explanation("A function of a provider", PROVIDER_FUNCTIONS, module.dialect);
        return Err((ids::UNKNOWN_FUNCTION.title(), detail));
    }
    if let Some(provider) = module.providers.get(provider) {
        module.called_providers.borrow_mut().insert(provider.clone());
        return Ok(());
    }
    if module.added_functions.contains(name) || is_tried {
        return Ok(());
    }
    let detail = format!(
        "The module does not require a provider named \"{provider}\". Name it in the block `required_providers`."
    );
    let title = if is_terraform { "Unknown provider function" } else { "Unknown function provider" };
    Err((title, detail))
}

/// Whether the function goes on where an argument has no value.
fn is_attempt(name: &str) -> bool {
    matches!(name.strip_prefix("core::").unwrap_or(name), "try" | "can")
}

/// What `references` lead to, in order and each once; references to what does not exist are reported.
pub(crate) fn targets(
    references: &[Reference<'_>],
    module: &Declared<'_>,
    local: Local,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let mut targets = Vec::new();
    for reference in references {
        let titled =
            |diagnostic| if local.console { titled_on_console(diagnostic, reference) } else { diagnostic };
        let found = name(reference, local, module.dialect).map_err(titled).and_then(|name| match name {
            Some(name) => declared(reference, name, local, module).map(Some),
            None => of_self(reference, local, module).map(|()| None),
        });
        match found {
            Ok(target) => targets.extend(target),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    distinct(targets)
}

/// What is wrong with what stands behind `self`.
fn of_self(reference: &Reference<'_>, local: Local, module: &Declared<'_>) -> Found<()> {
    let known = local.this.filter(|_| Root::of(reference.root) == Root::Itself);
    match known.and_then(|index| module.resources.get_index(index)) {
        Some(((_, resource_type, _), known)) => {
            attribute_path::check(reference, 0, resource_type, known.schema.as_deref())
        }
        None => Ok(()),
    }
}

/// The instance of a resource that a reference to it chooses by a constant.
pub(crate) fn written_instance(reference: &Reference<'_>) -> Option<InstanceKey> {
    let explicit = matches!(Root::of(reference.root), Root::Resource(_));
    written_key(reference.tree, reference.steps.get(1 + usize::from(explicit))?)
}

/// The targets in order, each once.
pub(crate) fn distinct(mut targets: Vec<Target>) -> Vec<Target> {
    targets.sort_unstable();
    targets.dedup();
    targets
}

type Found<T> = Result<T, Box<Diagnostic>>;

/// On the console the reference reports first that there is nothing without a name, where a name is missing.
fn titled_on_console(diagnostic: Box<Diagnostic>, reference: &Reference<'_>) -> Box<Diagnostic> {
    let title = match Root::of(reference.root) {
        Root::Variable => "Reference to undeclared input variable".to_owned(),
        Root::Local => "Reference to undeclared local value".to_owned(),
        Root::Path | Root::Terraform | Root::Tofu | Root::Count | Root::Each => {
            format!("Invalid \"{}\" attribute", reference.root)
        }
        Root::Module | Root::Resource(_) | Root::Itself | Root::Reserved | Root::Type => return diagnostic,
    };
    if diagnostic.id == ids::INVALID_REFERENCE { Box::new(diagnostic.titled(title)) } else { diagnostic }
}

/// The object that a reference names by its form; nothing for names that are always there, such as `path.root`.
fn name<'r>(reference: &Reference<'r>, local: Local, dialect: Dialect) -> Found<Option<Name<'r>>> {
    match Root::of(reference.root) {
        Root::Variable => Ok(Some(Name::Variable(name_at(reference, 0)?))),
        Root::Local => Ok(Some(Name::Local(name_at(reference, 0)?))),
        Root::Module => Ok(Some(Name::Module(name_at(reference, 0)?))),
        Root::Resource(ResourceMode::Action) if !ACTIONS.is_in(dialect) => managed(reference),
        Root::Resource(ResourceMode::Action) => {
            let action = resource(reference, ResourceMode::Action)?;
            if local.action {
                return Ok(Some(action));
            }
            let detail =
                "An action has no value. Only the `action_trigger` block of a resource names actions.";
            Err(at(reference, reference.span, ids::INVALID_REFERENCE, detail.to_owned()))
        }
        Root::Resource(mode) => resource(reference, mode).map(Some),
        Root::Path => one_of(reference, &["cwd", "module", "root"], ids::INVALID_PATH_ATTRIBUTE),
        Root::Tofu if !TOFU_NAME.is_in(dialect) => managed(reference),
        Root::Terraform | Root::Tofu => product_attribute(reference, dialect),
        Root::Count => {
            one_of(reference, &["index"], ids::INVALID_COUNT_ATTRIBUTE)?;
            if local.count {
                return Ok(None);
            }
            Err(misplaced(reference, ids::COUNT_OUTSIDE, "a block with the `count` argument"))
        }
        Root::Each => each(reference, local),
        Root::Reserved => {
            let detail = format!("The name `{}` is reserved and has no meaning yet.", reference.root);
            Err(at(reference, reference.root_span(), ids::RESERVED_NAME, detail))
        }
        Root::Itself if local.this.is_some() => Ok(None),
        Root::Itself => {
            let place = "a `provisioner`, `connection` or `postcondition` block";
            Err(misplaced(reference, ids::INVALID_SELF, place))
        }
        Root::Type => managed(reference),
    }
}

/// A managed resource whose type is the first name.
fn managed<'r>(reference: &Reference<'r>) -> Found<Option<Name<'r>>> {
    let Some(name) = attribute(reference, 0) else {
        let detail = format!(
            "A name such as `{}` is read as the type of a resource, which must be followed by a dot and \
             the name of the resource.",
            reference.root
        );
        return Err(at(reference, reference.span, ids::INVALID_REFERENCE, detail));
    };
    Ok(Some(Name::Resource(ResourceMode::Managed, reference.root, name)))
}

/// `each.key` or `each.value`.
fn each<'r>(reference: &Reference<'r>, local: Local) -> Found<Option<Name<'r>>> {
    one_of(reference, &["key", "value"], ids::INVALID_EACH_ATTRIBUTE)?;
    if local.each {
        return Ok(None);
    }
    let diagnostic = misplaced(reference, ids::EACH_OUTSIDE, "a block with the `for_each` argument");
    let is_value = name_at(reference, 0).is_ok_and(|name| name == "value");
    Err(if is_value {
        Box::new(diagnostic.titled("each.value cannot be used in this context"))
    } else {
        diagnostic
    })
}

/// The attribute name at a step; the namespaces (`var`, `local`, …) allow nothing else.
fn name_at<'r>(reference: &Reference<'r>, step: usize) -> Found<&'r str> {
    if let Some(name) = attribute(reference, step) {
        return Ok(name);
    }
    let root = reference.root;
    let detail = match reference.steps.get(step) {
        None => format!("`{root}` is not a value of its own: write `{root}.` followed by a name."),
        Some(_) => format!("`{root}` cannot be indexed with brackets: write `{root}.` followed by a name."),
    };
    Err(at(reference, reference.span, ids::INVALID_REFERENCE, detail))
}

fn resource<'r>(reference: &Reference<'r>, mode: ResourceMode) -> Found<Name<'r>> {
    let resource_type = name_at(reference, 0)?;
    let name = name_at(reference, 1)?;
    Ok(Name::Resource(mode, resource_type, name))
}

/// The output that `module.name.output` or `module.name["key"].output` reads; nothing where the whole module
/// or a computed instance of it is meant.
fn output_name(reference: &Reference<'_>) -> Option<SmolStr> {
    let step = match reference.steps.get(1)? {
        Step::Index { key, .. } if is_literal(reference, *key) => reference.steps.get(2)?,
        Step::LegacyIndex { .. } => reference.steps.get(2)?,
        step @ (Step::Attr { .. } | Step::Index { .. }) => step,
    };
    match step {
        Step::Attr { name, .. } => Some(SmolStr::from(reference.tree.slice(*name))),
        Step::Index { .. } | Step::LegacyIndex { .. } => None,
    }
}

pub(crate) fn is_literal(reference: &Reference<'_>, key: terrane_syntax::ExprId) -> bool {
    matches!(reference.tree.expr(key), Expr::Literal(_))
}

/// A name that is always there: the root with one of these attributes.
fn one_of<'r>(reference: &Reference<'r>, names: &[&str], id: DiagnosticId) -> Found<Option<Name<'r>>> {
    let name = name_at(reference, 0)?;
    if names.contains(&name) {
        return Ok(None);
    }
    let known: Vec<String> = names.iter().map(|known| format!("`{}.{known}`", reference.root)).collect();
    let detail = format!("There is no `{}.{name}`. There is {}.", reference.root, known.join(", "));
    let diagnostic = at(reference, reference.span, id, detail);
    Err(match closest_name(name, names) {
        Some(nearest) => Box::new(diagnostic.hint(format!("Did you mean `{}.{nearest}`?", reference.root))),
        None => diagnostic,
    })
}

fn product_attribute<'r>(reference: &Reference<'r>, dialect: Dialect) -> Found<Option<Name<'r>>> {
    let id = ids::INVALID_TERRAFORM_ATTRIBUTE;
    let title = format!("Invalid \"{}\" attribute", reference.root);
    let names: &[&str] = if APPLYING.is_in(dialect) { &["applying", "workspace"] } else { &["workspace"] };
    one_of(reference, names, id).map_err(|diagnostic| {
        if diagnostic.id == id { Box::new(diagnostic.titled(title)) } else { diagnostic }
    })
}

fn misplaced(reference: &Reference<'_>, id: DiagnosticId, place: &str) -> Box<Diagnostic> {
    let detail = format!("`{}` can be used only in {place}.", reference.root);
    at(reference, reference.span, id, detail)
}

fn at(reference: &Reference<'_>, span: Span, id: DiagnosticId, detail: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(id, detail).at(reference.tree.source(), span))
}

/// The object, which has to exist and to be used in a way that its repetition allows.
fn declared(reference: &Reference<'_>, name: Name<'_>, local: Local, module: &Declared<'_>) -> Found<Target> {
    match name {
        Name::Variable(name) => module.variables.get_index_of(name).map(Target::Variable).ok_or_else(|| {
            let declare = format!("declare it with a block `variable \"{name}\" {{}}`");
            undeclared(reference, ("var", name), module, module.variables.iter(), &declare)
        }),
        Name::Local(name) => module.locals.get_index_of(name).map(Target::Local).ok_or_else(|| {
            let declare = format!("declare it in a `locals` block as `{name} = …`");
            undeclared(reference, ("local", name), module, module.locals.keys(), &declare)
        }),
        Name::Module(name) => {
            let index = module.calls.get_index_of(name).ok_or_else(|| {
                let declare = format!("declare it with a block `module \"{name}\" {{ source = … }}`");
                undeclared(reference, ("module", name), module, module.calls.iter(), &declare)
            })?;
            let is_written = |step: usize| match reference.steps.get(step) {
                Some(Step::Index { key, .. }) => is_literal(reference, *key),
                Some(Step::LegacyIndex { .. }) => true,
                Some(Step::Attr { .. }) | None => false,
            };
            if is_written(1) && is_written(2) {
                let detail =
                    "Behind an instance of a module stands the name of an output, with a dot before it.";
                let span = Span::new(reference.span.start, step_end(reference, 2));
                return Err(at(reference, span, ids::INVALID_REFERENCE, detail.to_owned()));
            }
            Ok(Target::Module(index, output_name(reference)))
        }
        Name::Resource(mode, resource_type, name) => {
            declared_resource(reference, (mode, resource_type, name), local, module)
        }
    }
}

fn undeclared<'n>(
    reference: &Reference<'_>,
    (root, name): (&str, &str),
    module: &Declared<'_>,
    declared: impl Iterator<Item = &'n SmolStr>,
    declare: &str,
) -> Box<Diagnostic> {
    let (id, what) = match root {
        "var" => (ids::UNDECLARED_VARIABLE, "input variable"),
        "local" => (ids::UNDECLARED_LOCAL, "local value"),
        _ => (ids::UNDECLARED_MODULE, "module call"),
    };
    let detail = format!("No {what} named \"{name}\" is declared in this module: {declare}.");
    let span = Span::new(reference.span.start, step_end(reference, 0));
    let diagnostic = at(reference, span, id, detail);
    match module.closest(name, declared.map(|name| &**name)) {
        Some(nearest) => Box::new(diagnostic.hint(format!("Did you mean `{root}.{nearest}`?"))),
        None => diagnostic,
    }
}

fn step_end(reference: &Reference<'_>, step: usize) -> u32 {
    reference.steps.get(step).map_or(reference.span.end, |step| step.span().end)
}

fn declared_resource(
    reference: &Reference<'_>,
    (mode, resource_type, name): (ResourceMode, &str, &str),
    local: Local,
    module: &Declared<'_>,
) -> Found<Target> {
    let is_explicit =
        mode != ResourceMode::Managed || Root::of(reference.root) == Root::Resource(ResourceMode::Managed);
    let name_step = usize::from(is_explicit);
    let span = Span::new(reference.span.start, step_end(reference, name_step));
    let key = (mode, SmolStr::from(resource_type), SmolStr::from(name));
    let Some((index, _, known)) = module.resources.get_full(&key) else {
        let kind = match mode {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data",
            ResourceMode::Ephemeral => "ephemeral",
            ResourceMode::Action => "action",
        };
        let detail = format!(
            "No block `{kind} \"{resource_type}\" \"{name}\"` is declared in this module. Declare it, or correct the \
             name."
        );
        let id = if mode == ResourceMode::Action { ids::UNDECLARED_ACTION } else { ids::UNDECLARED_RESOURCE };
        let diagnostic = at(reference, span, id, detail);
        return Err(with_resource_hint(diagnostic, mode, resource_type, name, module));
    };
    if let Some(check) = &known.check
        && module.checks.get_index_of(check) != local.check
    {
        let detail = format!(
            "The data source \"{resource_type}\" \"{name}\" is in the block `check \"{check}\"`, and only the assertions there \
             can read it."
        );
        return Err(at(reference, span, ids::SCOPED_RESOURCE, detail));
    }
    // Which instances an action has is looked at when everything is planned.
    if mode != ResourceMode::Action {
        check_use(reference, name_step, (resource_type, name), known)?;
    }
    Ok(Target::Resource(index))
}

/// Whether what stands behind the name of a resource fits its repetition and schema.
fn check_use(
    reference: &Reference<'_>,
    name_step: usize,
    (resource_type, name): (&str, &str),
    known: &Known,
) -> Found<()> {
    let Known { repeated, schema, .. } = known;
    let next = reference.steps.get(name_step + 1);
    match (*repeated, next) {
        // A computed key may be the name of an attribute: what it leads to is looked at when it is evaluated, as in the
        // reference.
        (_, Some(Step::Index { key, .. })) if !is_literal(reference, *key) => Ok(()),
        (Repeated::Once, Some(step @ (Step::Index { .. } | Step::LegacyIndex { .. }))) => {
            let detail = format!(
                "`{resource_type}.{name}` has neither `count` nor `for_each`, so it has no instances to choose from \
                 with brackets. Remove the index; to read an attribute, write it after a dot."
            );
            Err(at(reference, step.span(), ids::UNEXPECTED_INSTANCE_KEY, detail))
        }
        (Repeated::Count | Repeated::ForEach, Some(Step::Attr { .. })) => {
            let (argument, example) = match repeated {
                Repeated::Count => ("count", "[count.index]"),
                Repeated::ForEach | Repeated::Once => ("for_each", "[each.key]"),
            };
            let detail = format!(
                "`{resource_type}.{name}` has `{argument}`, so its attributes belong to its instances. Choose one \
                 with brackets, such as `{resource_type}.{name}{example}`."
            );
            let span = Span::new(reference.span.start, step_end(reference, name_step));
            Err(at(reference, span, ids::MISSING_INSTANCE_KEY, detail))
        }
        (Repeated::Once, Some(Step::Attr { .. }) | None) => {
            attribute_path::check(reference, name_step + 1, resource_type, schema.as_deref())
        }
        (Repeated::Count | Repeated::ForEach, Some(Step::Index { .. } | Step::LegacyIndex { .. })) => {
            attribute_path::check(reference, name_step + 2, resource_type, schema.as_deref())
        }
        (Repeated::Count | Repeated::ForEach, None) => Ok(()),
    }
}

fn with_resource_hint(
    diagnostic: Box<Diagnostic>,
    mode: ResourceMode,
    resource_type: &str,
    name: &str,
    module: &Declared<'_>,
) -> Box<Diagnostic> {
    let wanted = format!("{resource_type}.{name}");
    let declared = module.resources.keys().filter(|(found, _, _)| *found == mode);
    let names = declared.map(|(_, resource_type, name)| format!("{resource_type}.{name}"));
    match module.closest(&wanted, names) {
        Some(nearest) => {
            let prefix = match mode {
                ResourceMode::Managed => "",
                ResourceMode::Data => "data.",
                ResourceMode::Ephemeral => "ephemeral.",
                ResourceMode::Action => "action.",
            };
            Box::new(diagnostic.hint(format!("Did you mean `{prefix}{nearest}`?")))
        }
        None => match namespace_near(mode, resource_type, name, module) {
            Some(root) => Box::new(diagnostic.hint(format!("Did you mean `{root}.{name}`?"))),
            None => diagnostic,
        },
    }
}

/// The namespace that was probably meant by what stands in the place of the type of a resource, where it has the name.
fn namespace_near(
    mode: ResourceMode,
    resource_type: &str,
    name: &str,
    module: &Declared<'_>,
) -> Option<&'static str> {
    if mode != ResourceMode::Managed {
        return None;
    }
    let namespaces = ["var", "local", "module", "path", "terraform", "each", "count"];
    let root = closest_name(resource_type, namespaces)?;
    let has_name = match root {
        "var" => module.variables.contains(name),
        "local" => module.locals.contains_key(name),
        "module" => module.calls.contains(name),
        "path" => ["cwd", "module", "root"].contains(&name),
        "terraform" => name == "workspace",
        "each" => ["key", "value"].contains(&name),
        _ => name == "index",
    };
    has_name.then_some(root)
}

/// An expression that has not been resolved yet.
pub(crate) fn unresolved(expression: Expression) -> Resolved {
    Resolved { expression, targets: Vec::new(), is_broken: false }
}

/// Reports what an expression on the console names that `module` does not have: objects that it does not declare,
/// and functions of providers that it does not require.
pub fn check(expression: &Expression, module: &Module, schemas: &Schemas, diagnostics: &mut Diagnostics) {
    let names = Declared::of(module, &module.locals, schemas);
    targets(&references(expression), &names, Local { console: true, ..Local::default() }, diagnostics);
    provider_functions(expression, &names, diagnostics);
}

/// As [`check`], for references alone.
pub fn check_references(
    references: &[Reference<'_>],
    module: &Module,
    schemas: &Schemas,
    diagnostics: &mut Diagnostics,
) {
    targets(references, &Declared::of(module, &module.locals, schemas), Local::default(), diagnostics);
}
