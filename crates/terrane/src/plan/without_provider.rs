//! Errors about objects of the state that no plan can destroy, because their provider configuration is gone.

use std::collections::HashSet;

use terrane_module::{DestroyedObject, Evaluation, ObjectWithoutProvider, objects_without_provider};
use terrane_source::{Diagnostic, Diagnostics, ids};

/// The objects without a provider configuration, and an error for each.
#[derive(Default)]
pub(super) struct WithoutProvider {
    pub(super) objects: Vec<DestroyedObject>,
    pub(super) diagnostics: Diagnostics,
}

impl WithoutProvider {
    /// Takes the objects out of the destroyed ones. A plan to destroy everything needs the providers of data sources, too.
    pub(super) fn take_from(
        destroyed: &mut Vec<DestroyedObject>,
        evaluation: &Evaluation,
        is_destruction: bool,
    ) -> WithoutProvider {
        let found = objects_without_provider(evaluation, is_destruction);
        if found.is_empty() {
            return WithoutProvider::default();
        }
        let without: HashSet<_> = found.iter().map(|one| (&one.address, one.deposed.as_ref())).collect();
        let is_without =
            |one: &mut DestroyedObject| without.contains(&(&one.address(), one.deposed.as_ref()));
        WithoutProvider {
            objects: destroyed.extract_if(.., is_without).collect(),
            diagnostics: found.iter().map(error).collect(),
        }
    }
}

fn error(object: &ObjectWithoutProvider) -> Diagnostic {
    let ObjectWithoutProvider { address, deposed, configuration } = object;
    let deposed = deposed.as_ref().map_or(String::new(), |key| format!(" (deposed object {key})"));
    let detail = format!(
        "The state has `{address}`{deposed}, which the configuration does not declare. Its provider configuration \
         `{configuration}` is gone as well, so no plan can remove the object. Declare the provider configuration again until the \
         object is removed."
    );
    Diagnostic::error(ids::PROVIDER_NOT_PRESENT, detail)
}
