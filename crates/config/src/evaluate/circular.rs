use terrane_function::Product;
use terrane_source::{Diagnostic, Diagnostics, ids};

use super::{Evaluation, Expansion, Instances, RepetitionData};
use crate::load::Moment;
use crate::module::{Repetition, Resource};
use crate::reference::Target;

/// Whether the instances of the resource at `index` can be told, where their number depends on the resource itself. OpenTofu
/// takes it for a resource without instances then; a validation does not look.
pub(super) fn begin(
    evaluation: &mut Evaluation,
    instance: usize,
    (index, resource): (usize, &Resource),
    diagnostics: &mut Diagnostics,
) -> bool {
    let none = match &resource.repetition {
        Repetition::Once => return true,
        Repetition::Count(_) => Expansion::Count(Vec::new()),
        Repetition::ForEach(_) => Expansion::ForEach(Vec::new()),
        Repetition::Enabled(_) => Expansion::Absent,
    };
    let is_circular = resource.repetition.targets().contains(&Target::Resource(index));
    if !is_circular || evaluation.moment() == Moment::Validate {
        return true;
    }
    if evaluation.config.request.dialect.product() == Some(Product::Terraform) {
        let reason = "how many instances it has depends on the resource itself";
        report(resource, reason, diagnostics);
        return false;
    }
    if let Some(slot) =
        evaluation.instances.get_mut(instance).and_then(|state| state.resources.get_mut(index))
    {
        *slot = Instances::new(none);
    }
    true
}

/// Whether there is an instance of the resource at `index` with arguments that are made of the resource itself, which has been
/// reported. A validation does not look.
pub(super) fn is_endless(
    evaluation: &Evaluation,
    (index, resource): (usize, &Resource),
    expansion: &Expansion<RepetitionData>,
    diagnostics: &mut Diagnostics,
) -> bool {
    let is_circular = resource.targets.contains(&Target::Resource(index));
    // Where it is not known whether there is an instance, there is perhaps no mistake.
    let found = is_circular && expansion.count() > 0 && evaluation.moment() != Moment::Validate;
    if found {
        report(resource, "an argument of it is made of the resource itself", diagnostics);
    }
    found
}

fn report(resource: &Resource, reason: &str, diagnostics: &mut Diagnostics) {
    let detail = format!("The resource has no value, because {reason}. Remove the reference.");
    let declaration = &resource.declaration;
    diagnostics.push(Diagnostic::error(ids::SELF_REFERENCE, detail).at(&declaration.file, declaration.span));
}
