//! Finds the changes of a plan that no apply can put in order.
//!
//! An apply creates and changes an object after the objects that its block refers to. It destroys an object before the objects
//! that it depended on, and an object that depended on a destroyed object changes after the destruction.
//! `create_before_destroy` reverses the order of the destruction and the changes. If references have changed since the last
//! apply, these rules can contradict each other.

mod graph;
mod objects;

use std::collections::HashSet;

use terrane_config::Address;
use terrane_config::address::ResourceMode;
use terrane_module::{Config, DestroyedObject};
use terrane_source::{Diagnostic, Diagnostics, ids};

use self::graph::{ApplyGraph, ApplyStep, StepKind};
use self::objects::{AppliedObject, ChangeKind, CurrentDependencies, is_read_for_check};
use super::dependencies::Dependencies;
use super::resources::PlannedResource;

/// Limit on the changes that an error names.
const MAX_SHOWN: usize = 10;

/// Returns an error for each group of changes that wait for each other.
pub(super) fn contradictions(
    config: &Config,
    resources: &[PlannedResource<'_>],
    destroyed: &[DestroyedObject],
) -> Diagnostics {
    let is_destroyed = |resource: &PlannedResource<'_>| resource.action.is_replacement();
    let is_read = |resource: &PlannedResource<'_>| is_read_for_check(config, resource);
    let checks = resources.iter().any(is_read);
    if !checks && !resources.iter().any(is_destroyed) && destroyed.iter().all(|object| object.is_forgotten) {
        return Diagnostics::new();
    }
    let found = of_deposed(config, resources, destroyed);
    if !found.is_empty() {
        return found;
    }
    let mut dependencies = Dependencies::of(config, destroyed.iter());
    let current = CurrentDependencies::of(&with_deposed(destroyed), resources, destroyed, |resource| {
        dependencies.recorded(resource)
    });
    let applied = resources
        .iter()
        .filter(|resource| resource.resource.mode == ResourceMode::Managed || is_read(resource))
        .map(|resource| AppliedObject::of_resource(config, resource, &mut dependencies));
    let mut objects: Vec<AppliedObject<'_>> = applied.collect();
    let gone = destroyed.iter().filter(|object| !object.is_forgotten);
    objects.extend(gone.map(|object| AppliedObject::of_destroyed(object, &current)));
    exceeded(&dependencies).unwrap_or_else(|| cycles(config, &objects))
}

/// Returns an error for each group of objects that wait for each other when all objects are destroyed.
pub(super) fn contradictions_of_destruction(
    config: &Config,
    resources: &[PlannedResource<'_>],
    destroyed: &[DestroyedObject],
) -> Diagnostics {
    let found = of_deposed(config, resources, destroyed);
    if !found.is_empty() {
        return found;
    }
    let mut dependencies = Dependencies::of(config, destroyed.iter());
    let instances = destroyed.iter().map(DestroyedObject::address).collect();
    let current =
        CurrentDependencies::of(&instances, resources, destroyed, |resource| dependencies.recorded(resource));
    let objects: Vec<AppliedObject<'_>> =
        destroyed.iter().map(|object| AppliedObject::of_destroyed(object, &current)).collect();
    exceeded(&dependencies).unwrap_or_else(|| cycles(config, &objects))
}

/// Returns the error about too many dependencies. `None` if all were found.
fn exceeded(dependencies: &Dependencies<'_>) -> Option<Diagnostics> {
    dependencies.exceeded().map(|diagnostic| Diagnostics::from_iter([diagnostic]))
}

/// Returns an error for each group of deposed objects that wait for each other. A plan already puts their destructions in order,
/// by the dependencies in the state before a refresh.
fn of_deposed(
    config: &Config,
    resources: &[PlannedResource<'_>],
    destroyed: &[DestroyedObject],
) -> Diagnostics {
    let stored = CurrentDependencies::of(&with_deposed(destroyed), resources, destroyed, |resource| {
        resource.stored_dependencies()
    });
    let deposed = destroyed.iter().filter(|object| object.deposed.is_some());
    let deposed: Vec<AppliedObject<'_>> =
        deposed.map(|object| AppliedObject::of_destroyed(object, &stored)).collect();
    cycles(config, &deposed)
}

/// Returns the instances with deposed objects.
fn with_deposed(destroyed: &[DestroyedObject]) -> HashSet<Address> {
    destroyed.iter().filter(|object| object.deposed.is_some()).map(DestroyedObject::address).collect()
}

/// Returns an error for each group of steps that wait for each other.
fn cycles(config: &Config, objects: &[AppliedObject<'_>]) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let waits = |object: &AppliedObject<'_>| match &object.change {
        Some(change) if change.kind == ChangeKind::ReadForCheck => true,
        Some(_) | None => object.destruction.is_some() && !object.dependencies.is_empty(),
    };
    if !objects.iter().any(waits) {
        return diagnostics;
    }
    for cycle in ApplyGraph::of(config, objects).cycles() {
        diagnostics.push(contradiction(objects, &cycle));
    }
    diagnostics.sort();
    diagnostics
}

fn contradiction(objects: &[AppliedObject<'_>], cycle: &[ApplyStep]) -> Diagnostic {
    let name = |step: &ApplyStep| {
        let object = objects.get(step.object)?;
        let verb = match (step.kind, &object.change) {
            (StepKind::Change, Some(change)) => change.verb,
            (StepKind::Change, None) | (StepKind::Destruction, _) => "destroy",
        };
        let deposed = object.deposed.map(|key| format!(" (deposed object {key})")).unwrap_or_default();
        Some(format!("{verb} `{}`{deposed}", object.address))
    };
    let mut names: Vec<String> = cycle.iter().take(MAX_SHOWN).filter_map(name).collect();
    if cycle.len() > MAX_SHOWN {
        names.push(format!("and {} more", cycle.len() - MAX_SHOWN));
    }
    let steps = names.join(", ");
    let mut changes = cycle.iter().filter_map(|step| objects.get(step.object)?.change.as_ref());
    let (order, hint) = match changes.any(|change| change.kind == ChangeKind::ReadForCheck) {
        true => (
            "A data source of a `check` block is read after all other changes.",
            "Refer to outputs of the module with the check instead of `depends_on`, or move the check to another module.",
        ),
        false => (
            "The order follows from the references of the configuration, from the dependencies in the state, and from \
             `create_before_destroy`.",
            "Make the changes in several applies: change the references and `create_before_destroy` in one, and replace or \
             destroy objects in another.",
        ),
    };
    let detail = format!(
        "No apply can make these changes, because each of them waits for another one: {steps}. {order}"
    );
    let diagnostic = Diagnostic::error(ids::CYCLE, detail).hint(hint);
    let place = cycle.iter().find_map(|step| objects.get(step.object)?.change.as_ref());
    match place {
        Some(change) => diagnostic.at(&change.declaration.file, change.declaration.span),
        None => diagnostic,
    }
}
