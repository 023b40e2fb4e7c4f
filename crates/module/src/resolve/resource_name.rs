//! References to resources: the resource must be declared, and used as its repetition and schema allow.

use terrane_config::address::ResourceMode;
use terrane_eval::Reference;
use terrane_source::{Diagnostic, Span, ids};
use terrane_syntax::tree::Step;
use terrane_value::closest_name;

use crate::model::module::{Module, Repetition, Resource};
use crate::model::references::Target;
use crate::model::schemas::BlockSchema;
use crate::resolve::attribute_path;
use crate::resolve::error::{Found, at};
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::root::{ResourceName, Root, is_literal, step_end};

/// The target of the name of a resource.
pub(crate) fn declared(
    reference: &Reference<'_>,
    named: ResourceName<'_>,
    block: BlockNames<'_>,
    names: &Declared<'_>,
) -> Found<Target> {
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
    // The instances of an action are looked at when everything is planned.
    if mode != ResourceMode::Action {
        check_use(reference, named, resource, names.block_schema(id))?;
    }
    Ok(Target::Resource(id))
}

/// Checks that the steps behind the name of a resource fit its repetition and schema.
fn check_use(
    reference: &Reference<'_>,
    named: ResourceName<'_>,
    resource: &Resource,
    schema: Option<&BlockSchema>,
) -> Found<()> {
    let ResourceName { resource_type, name, step, .. } = named;
    let next = reference.steps.get(step + 1);
    match (&resource.repetition, next) {
        // A computed key may be the name of an attribute. It is checked during the evaluation, as in the reference.
        (_, Some(Step::Index { key, .. })) if !is_literal(reference, *key) => Ok(()),
        (
            Repetition::Once | Repetition::Enabled(_),
            Some(step @ (Step::Index { .. } | Step::LegacyIndex { .. })),
        ) => {
            let detail = format!(
                "`{resource_type}.{name}` has neither `count` nor `for_each`, so it has no instances to choose from \
                 with brackets. Remove the index; to read an attribute, write it after a dot."
            );
            Err(at(reference, step.span(), ids::UNEXPECTED_INSTANCE_KEY, detail))
        }
        (Repetition::Once | Repetition::Enabled(_), Some(Step::Attr { .. }) | None) => {
            attribute_path::check(reference, step + 1, resource_type, schema)
        }
        (Repetition::Count(_), Some(Step::Attr { .. })) => {
            Err(missing_key(reference, named, "count", "[count.index]"))
        }
        (Repetition::ForEach(_), Some(Step::Attr { .. })) => {
            Err(missing_key(reference, named, "for_each", "[each.key]"))
        }
        (
            Repetition::Count(_) | Repetition::ForEach(_),
            Some(Step::Index { .. } | Step::LegacyIndex { .. }),
        ) => attribute_path::check(reference, step + 2, resource_type, schema),
        (Repetition::Count(_) | Repetition::ForEach(_), None) => Ok(()),
    }
}

fn missing_key(
    reference: &Reference<'_>,
    named: ResourceName<'_>,
    argument: &str,
    example: &str,
) -> Box<Diagnostic> {
    let ResourceName { resource_type, name, step, .. } = named;
    let detail = format!(
        "`{resource_type}.{name}` has `{argument}`, so its attributes belong to its instances. Choose one \
         with brackets, such as `{resource_type}.{name}{example}`."
    );
    let span = Span::new(reference.span.start, step_end(reference, step));
    at(reference, span, ids::MISSING_INSTANCE_KEY, detail)
}

/// Adds the nearest declared name to the mistake.
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
            Box::new(diagnostic.hint(format!("Did you mean `{prefix}{nearest}`?")))
        }
        None => match namespace_near(named, names.module) {
            Some(root) => Box::new(diagnostic.hint(format!("Did you mean `{root}.{name}`?"))),
            None => diagnostic,
        },
    }
}

/// The namespace that a misspelt one in the place of the type of a resource probably means, where it has the name.
fn namespace_near(named: ResourceName<'_>, module: &Module) -> Option<&'static str> {
    if named.mode != ResourceMode::Managed {
        return None;
    }
    let namespaces = ["var", "local", "module", "path", "terraform", "each", "count"];
    let root = closest_name(named.resource_type, namespaces)?;
    let name = named.name;
    let has_name = match Root::of(root) {
        Root::Variable => module.variables.contains_key(name),
        Root::Local => module.locals.contains_key(name),
        Root::Module => module.calls.contains_key(name),
        Root::Path => ["cwd", "module", "root"].contains(&name),
        Root::Terraform => name == "workspace",
        Root::Each => ["key", "value"].contains(&name),
        Root::Count => name == "index",
        Root::Resource(_) | Root::Tofu | Root::Itself | Root::Reserved | Root::Type => false,
    };
    has_name.then_some(root)
}
