//! References of a resource to itself: in its repetition, and from its arguments to its own instances.

use terrane_config::address::InstanceKey;
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::expansion::{Expansion, RepetitionData};
use crate::model::ids::{InstanceId, ResourceId};
use crate::model::module::{Module, Repetition};
use crate::model::references::{FileUses, Referrer, SelfReference, Target, Use, Via};
use crate::state::context::Context;
use crate::state::instance_value::InstanceValue;

/// The effect of a reference of a resource to itself.
pub(super) enum SelfReferenceOutcome {
    /// There is no such reference.
    None,
    /// The resource reads itself as a resource without instances.
    Reads(Expansion<InstanceValue>),
    /// The resource has no value, because of an error that was reported.
    Error,
}

/// Handles a repetition that depends on the resource itself. OpenTofu then reads the resource as one without instances;
/// a validation does not report it.
pub(super) fn in_repetition(
    context: &mut Context<'_>,
    instance: InstanceId,
    id: ResourceId,
) -> SelfReferenceOutcome {
    let evaluation = context.evaluation;
    let module = evaluation.scope(instance).module();
    let resource = module.resources.at(id);
    let none = match &resource.repetition {
        Repetition::Once => return SelfReferenceOutcome::None,
        Repetition::Count(_) => Expansion::Count(Vec::new()),
        Repetition::ForEach(_) => Expansion::ForEach(Vec::new()),
        Repetition::Enabled(_) => Expansion::Absent,
    };
    let is_circular = module.references.resources[id].repetition.contains(&Target::Resource(id));
    if !is_circular || !evaluation.phase().reports_self_references() {
        return SelfReferenceOutcome::None;
    }
    if evaluation.config.rules.refuses_self_repetition {
        let reason = "the number of its instances depends on the resource itself";
        let is_meant = |via| matches!(via, Via::Count | Via::ForEach | Via::Enabled);
        report(module, id, reason, is_meant, context.diagnostics);
        return SelfReferenceOutcome::Error;
    }
    SelfReferenceOutcome::Reads(none)
}

/// Handles arguments that refer to their own resource. Instances on a cycle, and arguments that depend on themselves,
/// are errors. In its own arguments, the only instance of a resource does not exist yet. A validation reports nothing.
pub(super) fn in_arguments(
    context: &mut Context<'_>,
    instance: InstanceId,
    id: ResourceId,
    expansion: &Expansion<RepetitionData>,
) -> SelfReferenceOutcome {
    let evaluation = context.evaluation;
    let module = evaluation.scope(instance).module();
    let resource = module.resources.at(id);
    // If the number of instances is unknown, there may be no error.
    let count = expansion.len();
    let itself = &module.references.resources[id].itself;
    if itself.is_empty() || count == 0 || !evaluation.phase().reports_self_references() {
        return SelfReferenceOutcome::None;
    }
    // A constant key without an instance counts as any instance.
    let there = |reference: &SelfReference| reference.key.clone().filter(|key| expansion.has(key));
    let chosen: Vec<Option<InstanceKey>> = itself.iter().map(there).collect();
    let is_cycle = chosen.iter().any(Option::is_none) || chosen.iter().any(|key| Some(key) != chosen.first());
    if count > 1 && is_cycle {
        let detail = "The instances of the resource refer to each other in a cycle, so none has a value. \
                      Remove the reference to the resource.";
        let declaration = &resource.declaration;
        context.report(Diagnostic::error(ids::CYCLE, detail).at(&declaration.file, declaration.span));
        return SelfReferenceOutcome::Error;
    }
    let is_itself = |reference: &SelfReference| {
        reference.in_config && (reference.key.is_none() || there(reference).is_some())
    };
    if itself.iter().any(is_itself) {
        let reason = "one of its arguments refers to the resource itself";
        report(module, id, reason, |via| via == Via::Expression, context.diagnostics);
        return SelfReferenceOutcome::Error;
    }
    match expansion {
        Expansion::Count(_) => SelfReferenceOutcome::Reads(Expansion::Count(Vec::new())),
        Expansion::ForEach(_) => SelfReferenceOutcome::Reads(Expansion::ForEach(Vec::new())),
        Expansion::Once(_) | Expansion::Absent | Expansion::Unknown { .. } => SelfReferenceOutcome::None,
    }
}

/// Reports each reference of a resource to itself in the parts of its block that `is_meant` selects.
fn report(
    module: &Module,
    id: ResourceId,
    reason: &str,
    is_meant: fn(Via) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let detail = format!("The resource has no value, because {reason}. Remove the reference.");
    let (itself, owner) = (Target::Resource(id), Referrer::Resource(id));
    let is_own = |found: &&Use| {
        let origin = found.origin.as_ref().filter(|origin| origin.referrer == owner && is_meant(origin.via));
        origin.is_some() && found.target() == Some(&itself)
    };
    for FileUses { file, uses } in module.references.uses().files() {
        for found in uses.iter().filter(is_own) {
            diagnostics.push(Diagnostic::error(ids::SELF_REFERENCE, detail.clone()).at(file, found.span));
        }
    }
}
