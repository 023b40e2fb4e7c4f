//! Secrets in files that several roots read.

use std::collections::BTreeSet;

use terrane_module::inputs::without_text;
use terrane_source::{Diagnostic, Diagnostics, FileId, Subject};
use terrane_value::SmolStr;

use crate::report::Report;

impl Report {
    /// Returns the names of the variables of the root module whose values are sensitive or ephemeral.
    pub fn secret_variables(&self) -> BTreeSet<SmolStr> {
        let variables = self.evaluation().config.root().module.variables.iter();
        let secret = variables.filter(|(_, variable)| variable.sensitive || variable.ephemeral);
        let mut names = BTreeSet::new();
        names.extend(secret.map(|(name, _)| name.clone()));
        names
    }
}

/// Returns the diagnostics of one of several roots that read the same variable files. A diagnostic shows no text of a file
/// that has the value of a variable which is secret in another root.
///
/// `configuration` has the configuration files of the root, and `secrets` the [secret variables](Report::secret_variables) of all roots.
pub fn without_secrets_of_others(
    diagnostics: &Diagnostics,
    configuration: &[FileId],
    secrets: &BTreeSet<SmolStr>,
) -> Diagnostics {
    let has_secret = |Subject { file, .. }: &&Subject| {
        !configuration.contains(file.id()) && secrets.iter().any(|name| file.text().contains(&**name))
    };
    let shown = |diagnostic: &Diagnostic| match diagnostic.subject.as_ref().filter(has_secret) {
        Some(subject) => without_text(diagnostic.clone(), &subject.file.id().to_string()),
        None => diagnostic.clone(),
    };
    diagnostics.as_slice().iter().map(shown).collect()
}
