use terrane_config::address::InstanceKey;
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::evaluate::{Evaluation, Expansion, Instances, RepetitionData};
use crate::model::ids::{InstanceId, ResourceId};
use crate::model::module::{Repetition, Resource};
use crate::model::references::{ResourceReferences, SelfReference, Target};
use crate::rules::phase::Phase;

/// Whether the instances of a resource can be told, where their number depends on the resource itself. OpenTofu
/// takes it for a resource without instances then; a validation does not look.
pub(crate) fn begin(
    evaluation: &mut Evaluation,
    instance: InstanceId,
    (id, resource): (ResourceId, &Resource),
    diagnostics: &mut Diagnostics,
) -> bool {
    let none = match &resource.repetition {
        Repetition::Once => return true,
        Repetition::Count(_) => Expansion::Count(Vec::new()),
        Repetition::ForEach(_) => Expansion::ForEach(Vec::new()),
        Repetition::Enabled(_) => Expansion::Absent,
    };
    let is_circular = references(evaluation, instance, id).repetition.contains(&Target::Resource(id));
    if !is_circular || evaluation.phase() == Phase::Validate {
        return true;
    }
    if evaluation.config.rules.refuses_self_repetition {
        let reason = "how many instances it has depends on the resource itself";
        report(resource, reason, diagnostics);
        return false;
    }
    evaluation.instances[instance].resources[id] = Instances::new(none);
    true
}

/// Whether instances of a resource wait for each other, or have arguments that are made of themselves, which is
/// reported. Of a resource with one instance, that one is not there yet for its own arguments. A validation does not look.
pub(crate) fn is_endless(
    evaluation: &mut Evaluation,
    instance: InstanceId,
    (id, resource): (ResourceId, &Resource),
    expansion: &Expansion<RepetitionData>,
    diagnostics: &mut Diagnostics,
) -> bool {
    // Where it is not known whether there is an instance, there is perhaps no mistake.
    let count = expansion.count();
    let itself = &references(evaluation, instance, id).itself;
    if itself.is_empty() || count == 0 || evaluation.phase() == Phase::Validate {
        return false;
    }
    // A constant that chooses no instance is taken for any, in what waits.
    let there = |reference: &SelfReference| reference.key.clone().filter(|key| expansion.has(key));
    let chosen: Vec<Option<InstanceKey>> = itself.iter().map(there).collect();
    let is_cycle = chosen.iter().any(Option::is_none) || chosen.iter().any(|key| Some(key) != chosen.first());
    if count > 1 && is_cycle {
        let detail = "Each of the instances of the resource waits for another one of them, so none has a value. Remove the \
                      reference to the resource.";
        let declaration = &resource.declaration;
        diagnostics.push(Diagnostic::error(ids::CYCLE, detail).at(&declaration.file, declaration.span));
        return true;
    }
    let is_itself = |reference: &SelfReference| {
        reference.in_config && (reference.key.is_none() || there(reference).is_some())
    };
    if itself.iter().any(is_itself) {
        report(resource, "an argument of it is made of the resource itself", diagnostics);
        return true;
    }
    let none = match expansion {
        Expansion::Count(_) => Expansion::Count(Vec::new()),
        Expansion::ForEach(_) => Expansion::ForEach(Vec::new()),
        Expansion::Once(_) | Expansion::Absent | Expansion::Unknown { .. } => return false,
    };
    evaluation.instances[instance].resources[id] = Instances::new(none);
    false
}

/// The references of a resource.
fn references(evaluation: &Evaluation, instance: InstanceId, id: ResourceId) -> &ResourceReferences {
    &evaluation.config.node(evaluation.instances[instance].node).module.references.resources[id]
}

fn report(resource: &Resource, reason: &str, diagnostics: &mut Diagnostics) {
    let detail = format!("The resource has no value, because {reason}. Remove the reference.");
    let declaration = &resource.declaration;
    diagnostics.push(Diagnostic::error(ids::SELF_REFERENCE, detail).at(&declaration.file, declaration.span));
}
