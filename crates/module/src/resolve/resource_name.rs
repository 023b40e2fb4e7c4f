//! Resolves references to resources: the resource must be declared, and used as its repetition and schema allow.

use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_eval::Reference;
use terrane_source::{Diagnostic, Span, ids};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::{ClosestNames, closest_name};

use crate::model::ids::ResourceId;
use crate::model::module::{Module, Repetition, Resource, ResourceKey};
use crate::model::namespace::Namespace;
use crate::model::references::Target;
use crate::model::schemas::BlockSchema;
use crate::resolve::attribute_path;
use crate::resolve::error::{ReferenceResult, at};
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::root::{ResourceName, RootedReference, is_literal, step_end};

/// Returns the target of the name of a resource.
pub(crate) fn declared(
    reference: &Reference<'_>,
    named: ResourceName<'_>,
    block: BlockNames<'_>,
    names: &Declared<'_>,
) -> ReferenceResult<Target> {
    let ResourceName { mode, resource_type, name, step } = named;
    let span = Span::new(reference.span.start, step_end(reference, step));
    let Some((id, resource)) = names.module.resources.find(&named.key()) else {
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
        let code =
            if mode == ResourceMode::Action { ids::UNDECLARED_ACTION } else { ids::UNDECLARED_RESOURCE };
        return Err(with_hint(at(reference, span, code, detail), named, names));
    };
    if let Some(check) = &resource.check
        && names.module.checks.id_of(check) != block.check
    {
        let detail = format!(
            "The data source \"{resource_type}\" \"{name}\" is in the block `check \"{check}\"`, and only the assertions there \
             can read it."
        );
        return Err(at(reference, span, ids::SCOPED_RESOURCE, detail));
    }
    Ok(Target::Resource(id))
}

/// Checks that the steps behind the name of a resource fit its repetition and schema.
pub(crate) fn check_use(
    reference: &RootedReference<'_>,
    id: ResourceId,
    block: BlockNames<'_>,
    names: &Declared<'_>,
) -> ReferenceResult<()> {
    let (key, resource) = names.module.resources.entry_of(id);
    // The instances of an action are checked in the finished plan. The instances of a damaged block are in doubt.
    if key.mode == ResourceMode::Action || names.module.doubt.covers(&key.object(InstanceKey::None)) {
        return Ok(());
    }
    let schema = names.block_schema(id);
    let (step, closest_names) = (reference.name_step(), names.closest_names);
    check_steps(reference, UsedResource { key, resource, schema, step, closest_names }, block)
}

/// A resource that a reference names.
#[derive(Clone, Copy)]
struct UsedResource<'r> {
    key: &'r ResourceKey,
    resource: &'r Resource,
    schema: Option<&'r BlockSchema>,
    /// The step with the name of the resource.
    step: usize,
    closest_names: &'r ClosestNames,
}

fn check_steps(
    reference: &Reference<'_>,
    used: UsedResource<'_>,
    block: BlockNames<'_>,
) -> ReferenceResult<()> {
    let UsedResource { key, resource, schema, step, .. } = used;
    let next = reference.steps.get(step + 1);
    match (&resource.repetition, next) {
        // A computed key may be the name of an attribute, so the evaluation checks it, as in the reference.
        (_, Some(Step::Index { key, .. })) if !is_literal(reference, *key) => Ok(()),
        (
            Repetition::Once | Repetition::Enabled(_),
            Some(step @ (Step::Index { .. } | Step::LegacyIndex { .. })),
        ) => {
            let detail = format!(
                "`{}` has neither `count` nor `for_each`, so it has no instances to choose from with brackets. Remove the index; \
                 to read an attribute, write it after a dot.",
                key.object(InstanceKey::None)
            );
            Err(at(reference, step.span(), ids::UNEXPECTED_INSTANCE_KEY, detail))
        }
        (Repetition::Once | Repetition::Enabled(_), Some(Step::Attr { .. }) | None) => {
            attribute_path::check(reference, step + 1, &key.resource_type, schema, used.closest_names)
        }
        (Repetition::Count(count), Some(Step::Attr { .. })) => {
            let advice = match block.count {
                Some(own) if std::ptr::eq(own, count) => InstanceAdvice::Own { this: block.this },
                own => InstanceAdvice::Count { count, is_in_count: own.is_some() },
            };
            Err(missing_key(reference, used, "count", &advice))
        }
        (Repetition::ForEach(for_each), Some(Step::Attr { .. })) => {
            let advice = match block.each {
                Some(own) if std::ptr::eq(own, for_each) => InstanceAdvice::Own { this: block.this },
                own => InstanceAdvice::ForEach { for_each, is_in_each: own.is_some() },
            };
            Err(missing_key(reference, used, "for_each", &advice))
        }
        (
            Repetition::Count(_) | Repetition::ForEach(_),
            Some(Step::Index { .. } | Step::LegacyIndex { .. }),
        ) => attribute_path::check(reference, step + 2, &key.resource_type, schema, used.closest_names),
        (Repetition::Count(_) | Repetition::ForEach(_), None) => Ok(()),
    }
}

/// Returns the error about an attribute of a block with instances, with advice how to select one.
fn missing_key(
    reference: &Reference<'_>,
    used: UsedResource<'_>,
    argument: &str,
    advice: &InstanceAdvice<'_>,
) -> Box<Diagnostic> {
    let UsedResource { key, step, .. } = used;
    let resource = key.object(InstanceKey::None);
    let detail = format!("`{resource}` has `{argument}`, so its attributes belong to its instances.");
    let span = Span::new(reference.span.start, step_end(reference, step));
    let rest = reference.tree.slice(Span::new(span.end, reference.span.end));
    let hint = advice.hint(reference.tree.slice(span), rest);
    Box::new(at(reference, span, ids::MISSING_INSTANCE_KEY, detail).hint(hint))
}

/// How to select instances of a block.
enum InstanceAdvice<'e> {
    /// The reference is in the block itself. `this`: whether the place allows `self`.
    Own { this: Option<ResourceId> },
    /// The block has this `count`. `is_in_count`: the reference is in a block with `count`, too.
    Count { count: &'e Expression, is_in_count: bool },
    /// The block has this `for_each`. `is_in_each`: the reference is in a block with `for_each`, too.
    ForEach { for_each: &'e Expression, is_in_each: bool },
}

impl InstanceAdvice<'_> {
    /// Returns the hint for a reference that begins with `block` and continues with `rest`.
    fn hint(&self, block: &str, rest: &str) -> String {
        match self {
            InstanceAdvice::Own { this: Some(_) } => format!("Write `self{rest}` for the instance itself."),
            InstanceAdvice::Own { this: None } => {
                "An argument of a resource cannot refer to the resource itself. Remove the reference."
                    .to_owned()
            }
            InstanceAdvice::Count { count, .. } if is_zero(count) => {
                format!("`count` is 0, so there is no instance. `{block}[*]{rest}` is an empty list.")
            }
            InstanceAdvice::Count { is_in_count, .. } => {
                let own =
                    if *is_in_count { format!(", `{block}[count.index]{rest}`") } else { String::new() };
                format!(
                    "Write `{block}[0]{rest}` for one instance{own}, or `{block}[*]{rest}` for a list of all."
                )
            }
            InstanceAdvice::ForEach { for_each, is_in_each } => {
                let own = if *is_in_each { format!(", `{block}[each.key]{rest}`") } else { String::new() };
                let key = first_key(for_each).unwrap_or("KEY");
                format!(
                    "Write `{block}[{key:?}]{rest}` for one instance{own}, or `values({block})[*]{rest}` for a list of all."
                )
            }
        }
    }
}

/// Whether a `count` is written as the number 0.
fn is_zero(count: &Expression) -> bool {
    let (inner, expr) = count.tree.inside_parentheses(count.id);
    matches!(expr, Expr::Literal(Literal::Number)) && count.tree.expr_text(inner) == "0"
}

/// Returns the first literal key in a `for_each`: `{ a = … }`, `toset(["a"])`.
fn first_key(for_each: &Expression) -> Option<&str> {
    let tree = &for_each.tree;
    let literal = |id: ExprId| {
        let Expr::Literal(Literal::String(text)) = tree.expr(id) else { return None };
        Some(tree.text(text))
    };
    let (_, inner) = tree.inside_parentheses(for_each.id);
    if let Expr::Object(items) = inner {
        let key = tree.list(items).first()?.key;
        return tree.plain_key(key).or_else(|| literal(key));
    }
    let Expr::Call(id) = inner else { return None };
    let Expr::Tuple(elements) = tree.expr(*tree.list(tree.call(id).arguments).first()?) else { return None };
    literal(*tree.list(elements).first()?)
}

/// Adds the most similar declared name to the mistake.
fn with_hint(diagnostic: Box<Diagnostic>, named: ResourceName<'_>, names: &Declared<'_>) -> Box<Diagnostic> {
    let ResourceName { mode, resource_type, name, .. } = named;
    let wanted = format!("{resource_type}.{name}");
    let declared = names.module.resources.keys().filter(|key| key.mode == mode);
    let declared = declared.map(|key| format!("{}.{}", key.resource_type, key.name));
    match names.closest(&wanted, declared) {
        Some(nearest) => {
            let prefix = match mode {
                ResourceMode::Managed => "",
                ResourceMode::Data => "data.",
                ResourceMode::Ephemeral => "ephemeral.",
                ResourceMode::Action => "action.",
            };
            let (given, meant) = (format!("{prefix}{wanted}"), format!("{prefix}{nearest}"));
            Box::new(diagnostic.suggest_code(&given, Some(&meant)))
        }
        None => match namespace_near(named, names.module) {
            Some(root) => {
                let meant = format!("{root}.{name}");
                Box::new(diagnostic.suggest_code(&wanted, Some(&meant)))
            }
            None => diagnostic,
        },
    }
}

/// Whether a misspelt name of the namespace reads as the type of a resource.
fn is_misspelt(namespace: Namespace) -> bool {
    match namespace {
        Namespace::Variable
        | Namespace::Local
        | Namespace::Module
        | Namespace::Path
        | Namespace::Terraform
        | Namespace::Each
        | Namespace::Count => true,
        Namespace::Resource(_)
        | Namespace::Tofu
        | Namespace::Itself
        | Namespace::Reserved
        | Namespace::Type => false,
    }
}

/// Returns the namespace that a resource type probably misspells, if the namespace has the name after it.
fn namespace_near(named: ResourceName<'_>, module: &Module) -> Option<&'static str> {
    if named.mode != ResourceMode::Managed {
        return None;
    }
    let root = closest_name(named.resource_type, Namespace::names(is_misspelt))?;
    let name = named.name;
    let has_name = match Namespace::of(root) {
        Namespace::Variable => module.variables.contains_key(name),
        Namespace::Local => module.locals.contains_key(name),
        Namespace::Module => module.calls.contains_key(name),
        namespace @ (Namespace::Path | Namespace::Each | Namespace::Count) => {
            namespace.attributes().contains(&name)
        }
        Namespace::Terraform => name == "workspace",
        Namespace::Resource(_)
        | Namespace::Tofu
        | Namespace::Itself
        | Namespace::Reserved
        | Namespace::Type => false,
    };
    has_name.then_some(root)
}
