//! Secrets in variable files that several roots read.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use terrane_module::inputs::{is_about_values, place_without_text};
use terrane_source::{Diagnostic, Diagnostics, FileId, Subject, ids};
use terrane_syntax::is_part_of_name;
use terrane_value::SmolStr;

use crate::report::Report;

/// The names of the variables of a root module.
#[derive(Clone, Default, Debug)]
pub struct RootVariables {
    /// Variables whose values are sensitive or ephemeral.
    pub secret: BTreeSet<SmolStr>,
    /// The other ones.
    pub plain: BTreeSet<SmolStr>,
}

impl Report {
    /// Returns the names of the variables of the root module.
    pub fn root_variables(&self) -> RootVariables {
        let mut names = RootVariables::default();
        for (name, variable) in &self.evaluation().config.root().module.variables {
            let of_kind = if variable.is_secret() { &mut names.secret } else { &mut names.plain };
            of_kind.insert(name.clone());
        }
        names
    }
}

impl RootVariables {
    /// Returns the diagnostics of the root. Beside `secrets`, the names of secret variables of all roots that read the `shared`
    /// files, those about these files show no text that may be the value of one.
    pub fn without_secrets_of_others(
        &self,
        diagnostics: &Diagnostics,
        shared: &[&Path],
        secrets: &BTreeSet<SmolStr>,
    ) -> Diagnostics {
        let mut with_secrets: HashMap<FileId, bool> = HashMap::new();
        // Beside a syntax error, a name may be a part of a secret.
        let damaged: HashSet<&FileId> = diagnostics
            .into_iter()
            .filter(|found| found.is_error())
            .filter_map(|found| Some(found.subject.as_ref()?.file.id()))
            .collect();
        let is_certain_name = |diagnostic: &Diagnostic, file: &FileId| {
            diagnostic.id != ids::UNDECLARED_VALUE || !damaged.contains(file)
        };
        let mut may_show = |diagnostic: &Diagnostic| {
            let labels = diagnostic.labels.iter().map(|label| &label.place);
            let places = diagnostic.subject.iter().chain(labels);
            let places: Vec<&Subject> =
                places.filter(|place| shared.contains(&place.file.id().path())).collect();
            let is_plain = |name: &str| self.plain.contains(name) && !secrets.contains(name);
            let mut has_secrets = |Subject { file, .. }: &Subject| {
                let words = || file.text().split(|found| !is_part_of_name(found)).collect::<HashSet<_>>();
                let has_any = || {
                    let words = words();
                    secrets.iter().any(|name| words.contains(&**name))
                };
                *with_secrets.entry(file.id().clone()).or_insert_with(has_any)
            };
            let is_uncertain = |place: &&Subject| place.file.is_blanked();
            places.is_empty()
                || !places.iter().any(is_uncertain)
                    && !places.iter().any(|place| has_secrets(place))
                    && is_about_values(diagnostic, &is_plain)
        };
        let shown = |diagnostic: &Diagnostic| match &diagnostic.subject {
            Some(Subject { file, .. }) if file.is_blanked() && is_certain_name(diagnostic, file.id()) => {
                diagnostic.clone()
            }
            Some(subject) if !secrets.is_empty() && !may_show(diagnostic) => {
                place_without_text(diagnostic.clone(), &subject.file.id().to_string())
            }
            Some(_) | None => diagnostic.clone(),
        };
        diagnostics.as_slice().iter().map(shown).collect()
    }
}
