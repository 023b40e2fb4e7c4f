//! Finds the changes of a plan that no apply can put in order.
//!
//! An apply creates and changes an object after the objects that its block refers to. It destroys an object before the objects
//! that it depended on, and an object that depended on a destroyed object changes after the destruction.
//! `create_before_destroy` reverses the order of the destruction and the changes. If references have changed since the last
//! apply, these rules can contradict each other.

mod graph;
mod objects;

use terrane_config::address::ResourceMode;
use terrane_module::{Config, DestroyedObject};
use terrane_source::{Diagnostic, Diagnostics, ids};

use self::graph::{ApplyGraph, ApplyStep, StepKind};
use self::objects::AppliedObject;
use super::create_first::Dependencies;
use super::resources::PlannedResource;

/// Limit on the changes that an error names.
const MOST_SHOWN: usize = 10;

/// Returns an error for each group of changes that wait for each other.
pub(super) fn contradictions(
    config: &Config,
    resources: &[PlannedResource<'_>],
    destroyed: &[DestroyedObject],
) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let is_destroyed = |resource: &PlannedResource<'_>| resource.action.is_replacement();
    if !resources.iter().any(is_destroyed) && destroyed.iter().all(|object| object.is_forgotten) {
        return diagnostics;
    }
    let mut dependencies = Dependencies::of(config, destroyed.iter());
    let managed = resources.iter().filter(|resource| resource.resource.mode == ResourceMode::Managed);
    let changed = managed.map(|resource| AppliedObject::of_resource(resource, &mut dependencies));
    let mut objects: Vec<AppliedObject<'_>> = changed.collect();
    let gone = destroyed.iter().filter(|object| !object.is_forgotten);
    objects.extend(gone.map(AppliedObject::of_destroyed));
    if !objects.iter().any(|object| object.destruction.is_some() && !object.dependencies.is_empty()) {
        return diagnostics;
    }
    for cycle in ApplyGraph::of(config, &objects).cycles() {
        diagnostics.push(contradiction(&objects, &cycle));
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
        Some(format!("{verb} `{}`", object.address))
    };
    let mut names: Vec<String> = cycle.iter().take(MOST_SHOWN).filter_map(name).collect();
    if cycle.len() > MOST_SHOWN {
        names.push(format!("and {} more", cycle.len() - MOST_SHOWN));
    }
    let detail = format!(
        "No apply can make these changes, because each of them waits for another one: {}. The order follows from the references of \
         the configuration, from the dependencies in the state, and from `create_before_destroy`.",
        names.join(", ")
    );
    let hint = "Make the changes in several applies: change the references and `create_before_destroy` in one, and replace or \
                destroy objects in another.";
    let diagnostic = Diagnostic::error(ids::CYCLE, detail).hint(hint);
    let place = cycle.iter().find_map(|step| objects.get(step.object)?.change.as_ref());
    match place {
        Some(change) => diagnostic.at(&change.declaration.file, change.declaration.span),
        None => diagnostic,
    }
}
