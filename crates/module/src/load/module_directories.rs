//! Directories that the request gives for modules which are not local, and their use.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::closest_name;

use crate::model::paths::{join, tidy};
use crate::model::source::ModuleSource;

/// Limit on the sources that a diagnostic names.
const MOST_SOURCES: usize = 5;

/// Use of [`Request::modules`](crate::Request::modules) in one load or, [`merged`](ModuleDirectories::merge), in several.
#[derive(Clone, Default, Debug)]
pub struct ModuleDirectories {
    /// The sources with a directory that a call had.
    used: BTreeSet<String>,
    /// The sources of the calls of modules that are not local.
    sources: BTreeSet<String>,
    /// Whether an error elsewhere may have hidden calls.
    is_incomplete: bool,
}

impl ModuleDirectories {
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

    /// Notes that parts of the configuration are missing, and calls with them.
    pub(crate) fn set_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// Adds the use in another load.
    pub fn merge(&mut self, other: ModuleDirectories) {
        self.used.extend(other.used);
        self.sources.extend(other.sources);
        self.is_incomplete |= other.is_incomplete;
    }

    /// Reports directories that do not exist and directories that no call uses. A missing directory that a call uses is
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
            "All module calls have local sources.".to_owned()
        } else {
            format!("The sources that are not local are: {}.", names.join(", "))
        };
        let detail = format!(
            "No module call has the source \"{source}\", so the directory {} is not used. {there}",
            directory.display()
        );
        let diagnostic = Diagnostic::warning(ids::UNUSED_MODULE_DIRECTORY, detail);
        match closest_name(source, &self.sources) {
            Some(near) => diagnostic.hint(format!("Did you mean \"{near}\"?")),
            None => diagnostic,
        }
    }
}
