//! Directories that the user gives for modules which are not local.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::closest_name;

use crate::model::paths::{join, tidy};
use crate::model::source::ModuleSource;

/// How many sources a message names.
const MOST_SOURCES: usize = 5;

/// What became of [`Request::modules`](crate::Request::modules) in one load or, [`merged`](StandIns::merge), in several.
#[derive(Clone, Default, Debug)]
pub struct StandIns {
    /// Those that a call had.
    used: BTreeSet<String>,
    /// The sources of the calls of modules that are not local.
    sources: BTreeSet<String>,
    /// Whether there may be calls that were not seen, because of a mistake elsewhere.
    is_incomplete: bool,
}

impl StandIns {
    /// The directory given for the source of a call.
    pub(crate) fn find(
        &mut self,
        modules: &[(String, PathBuf)],
        written: &str,
        source: &ModuleSource,
    ) -> Option<PathBuf> {
        if modules.is_empty() {
            return None;
        }
        if !self.sources.contains(written) {
            self.sources.insert(written.to_owned());
        }
        let given = |wanted: &str| modules.iter().rev().find(|(source, _)| source == wanted);
        let (package, subdirectory) = source.package();
        let whole = given(written).or_else(|| given(&source.to_string()));
        let (name, directory) = match whole {
            Some((name, directory)) => (name, tidy(directory)),
            None => {
                let (name, directory) = given(package)?;
                (name, join(directory, subdirectory.unwrap_or(".")))
            }
        };
        if !self.used.contains(name) {
            self.used.insert(name.clone());
        }
        Some(directory)
    }

    /// That parts of the configuration are missing, so that not every call was seen.
    pub(crate) fn set_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// Adds what became of them in another load.
    pub fn merge(&mut self, other: StandIns) {
        self.used.extend(other.used);
        self.sources.extend(other.sources);
        self.is_incomplete |= other.is_incomplete;
    }

    /// Reports directories that are not there and those that stand in for nothing. One that is used and not there is
    /// reported at the call.
    pub fn mistakes(&self, modules: &[(String, PathBuf)], files: &dyn Files) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        for (source, directory) in modules.iter().filter(|(source, _)| !self.used.contains(source)) {
            if let Err(error) = files.list(&tidy(directory)) {
                let detail =
                    format!("The directory given for the module \"{source}\" cannot be read: {error}.");
                diagnostics.push(Diagnostic::error(ids::UNREADABLE_MODULE, detail));
            } else if !self.is_incomplete {
                diagnostics.push(self.unused(source, directory));
            }
        }
        diagnostics
    }

    fn unused(&self, source: &str, directory: &Path) -> Diagnostic {
        let mut names: Vec<&str> = self.sources.iter().take(MOST_SOURCES).map(String::as_str).collect();
        let more = format!("{} more", self.sources.len() - names.len());
        if self.sources.len() > names.len() {
            names.push(&more);
        }
        let there = if names.is_empty() {
            "There is no call of a module that is not a local directory.".to_owned()
        } else {
            format!("Those of modules that are not local directories are: {}.", names.join(", "))
        };
        let detail = format!(
            "No module call has the source \"{source}\", so {} stands in for nothing. {there}",
            directory.display()
        );
        let diagnostic = Diagnostic::warning(ids::UNUSED_MODULE_DIRECTORY, detail);
        match closest_name(source, &self.sources) {
            Some(near) => diagnostic.hint(format!("Did you mean \"{near}\"?")),
            None => diagnostic,
        }
    }
}
