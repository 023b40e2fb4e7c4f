//! Finds the providers whose functions a configuration can call.

use std::collections::BTreeMap;

use terrane_module::Cache;
use terrane_module::provider::ProviderAddress;
use terrane_source::Files;
use terrane_syntax::is_identifier;

use crate::project::Project;

/// A provider that a module requires, by its local name in the module.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RequiredProvider {
    /// The local name: `time` in `provider::time::rfc3339_parse`.
    pub name: String,
    /// The addresses of the providers. Modules may give the same local name to several providers.
    pub addresses: Vec<ProviderAddress>,
    /// Whether the text of a module names a function of the provider.
    pub is_called: bool,
}

impl Project {
    /// Returns the providers that the modules require, by their local names, without the built-in provider. A program that can
    /// call their functions adds them with [`Project::function`].
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let text = r#"
    ///     terraform {
    ///       required_providers {
    ///         time = { source = "hashicorp/time" }
    ///       }
    ///     }
    ///     output "year" { value = provider::time::rfc3339_parse("2024-01-01T00:00:00Z").year }
    /// "#;
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let required = Project::new(".").required_providers(&files);
    /// assert_eq!((&*required[0].name, required[0].addresses[0].to_string()), ("time", "hashicorp/time".to_owned()));
    /// assert!(required[0].is_called);
    /// ```
    pub fn required_providers(&self, files: &dyn Files) -> Vec<RequiredProvider> {
        let loaded = terrane_module::load(self.request().clone(), files, &Cache::default());
        let mut found: BTreeMap<String, RequiredProvider> = BTreeMap::new();
        for (_, node) in loaded.config.nodes() {
            let called: Vec<&str> =
                node.module.sources.iter().flat_map(|source| called_providers(source.text())).collect();
            for (name, required) in &node.module.requirements {
                if required.provider.is_built_in() {
                    continue;
                }
                let provider = found.entry(name.to_string()).or_insert_with(|| RequiredProvider {
                    name: name.to_string(),
                    addresses: Vec::new(),
                    is_called: false,
                });
                if !provider.addresses.contains(&required.provider) {
                    provider.addresses.push(required.provider.clone());
                }
                provider.is_called |= called.contains(&name.as_str());
            }
        }
        found.into_values().collect()
    }
}

/// Returns the local names in each `provider::NAME::` of a text, also in comments.
fn called_providers(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("provider").filter_map(|(start, word)| {
        let rest = text.get(start + word.len()..)?.trim_start().strip_prefix("::")?.trim_start();
        let end = rest.find(|character: char| character == ':' || character.is_whitespace())?;
        let (name, behind) = rest.split_at_checked(end)?;
        (is_identifier(name) && behind.trim_start().starts_with("::")).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_called_providers_are_found() {
        let text = "a = provider::x::f() + provider :: y_1 :: g(1) # provider::::h provider \"z\" provider:: provider";
        let found: Vec<&str> = called_providers(text).collect();
        assert_eq!(found, ["x", "y_1"]);
    }
}
