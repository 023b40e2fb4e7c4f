//! Requirements of the provider that is built into the products.

use terrane_source::{Diagnostic, Subject, ids};

use crate::model::provider::ProviderAddress;

/// A provider that is built in has the version of the product, and there is only one.
pub(crate) fn check(
    provider: &ProviderAddress,
    has_version: bool,
    declaration: &Subject,
) -> Option<Diagnostic> {
    let detail = match (provider.is_built_in(), &*provider.name) {
        (true, "terraform") if has_version => {
            format!("{provider} is built in, so it has no version of its own. Remove `version`.")
        }
        (true, "terraform") | (false, _) => return None,
        (true, _) => {
            format!("There is no provider {provider}: the only built-in provider is \"terraform\".")
        }
    };
    Some(Diagnostic::error(ids::BUILT_IN_DEPENDENCY, detail).at(&declaration.file, declaration.span))
}
