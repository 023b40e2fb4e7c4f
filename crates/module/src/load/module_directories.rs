//! Finds the directories that the request gives for modules which are not local, and records which of them calls use.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::ClosestNames;

use crate::model::ids::MapLineId;
use crate::model::module_map::ModuleMap;
use crate::model::source_names::{SourceName, forms_of_option};
use terrane_source::paths::{join, tidy};

/// Limit on the sources that a diagnostic names.
const MAX_SOURCES: usize = 5;

/// [`Request::modules`](crate::Request::modules) by each form of their sources. If several have a
/// form, the last one counts.
#[derive(Default)]
pub(crate) struct GivenDirectories<'r>(HashMap<String, &'r (String, PathBuf)>);

impl<'r> GivenDirectories<'r> {
    pub(crate) fn of(modules: &'r [(String, PathBuf)]) -> GivenDirectories<'r> {
        let forms = |given: &'r (String, PathBuf)| {
            forms_of_option(&given.0).into_iter().map(move |form| (form, given))
        };
        GivenDirectories(modules.iter().flat_map(forms).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How calls use [`Request::modules`](crate::Request::modules) in one load or,
/// [`merged`](ModuleDirectories::merge), in several.
#[derive(Clone, Default, Debug)]
pub struct ModuleDirectories {
    /// The given sources that a call has used.
    used: BTreeSet<String>,
    /// The numbers of the lines of [`Request::module_map`](crate::Request::module_map) that gave a directory.
    used_lines: BTreeSet<MapLineId>,
    /// The sources of the calls of modules that are not local.
    sources: BTreeSet<String>,
    /// Whether an error elsewhere may have hidden calls.
    is_incomplete: bool,
}

impl ModuleDirectories {
    /// Returns the directory given for the source of a call, which has these names.
    pub(crate) fn find(&mut self, given: &GivenDirectories<'_>, names: &[SourceName]) -> Option<PathBuf> {
        let (found, (name, directory)) =
            names.iter().find_map(|name| Some((name, *given.0.get(&name.text)?)))?;
        let directory =
            found.inside.as_deref().map_or_else(|| tidy(directory), |inside| join(directory, inside));
        if !self.used.contains(name) {
            self.used.insert(name.clone());
        }
        Some(directory)
    }

    /// Records the source of a call.
    pub(crate) fn note_source(&mut self, written: &str) {
        if !self.sources.contains(written) {
            self.sources.insert(written.to_owned());
        }
    }

    /// Records that a line of the map gave the directory of a call.
    pub(crate) fn use_line(&mut self, line: MapLineId) {
        self.used_lines.insert(line);
    }

    /// Records that parts of the configuration are missing, which may contain calls.
    pub(crate) fn set_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// Adds the record of another load.
    pub fn merge(&mut self, other: ModuleDirectories) {
        self.used.extend(other.used);
        self.used_lines.extend(other.used_lines);
        self.sources.extend(other.sources);
        self.is_incomplete |= other.is_incomplete;
    }

    /// Reports directories that do not exist, directories that no call uses, and lines of the map that gave no
    /// directory. A missing directory that a call uses is reported at the call.
    pub fn mistakes(&self, modules: &[(String, PathBuf)], map: &ModuleMap, files: &dyn Files) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let closest_names = ClosestNames::default();
        for (source, directory) in modules.iter().filter(|(source, _)| !self.used.contains(source)) {
            if let Err(error) = files.list(&tidy(directory)) {
                let detail =
                    format!("The directory given for the module \"{source}\" cannot be read: {error}.");
                diagnostics.push(Diagnostic::error(ids::UNREADABLE_MODULE, detail));
            } else if !self.is_incomplete {
                diagnostics.push(self.unused(source, directory, &closest_names));
            }
        }
        if !self.is_incomplete {
            diagnostics.extend(self.unused_lines(map));
        }
        diagnostics
    }

    /// Returns the warning about lines of the map that gave no directory.
    fn unused_lines(&self, map: &ModuleMap) -> Option<Diagnostic> {
        let unused = ListedTexts::of(map.lines_besides(|line| self.used_lines.contains(&line)));
        if unused.count == 0 {
            return None;
        }
        let detail = format!(
            "No module call gets its directory from {} of the module map: {}. {}",
            if unused.count == 1 { "this line" } else { "these lines" },
            unused.text(),
            self.sources_in_words(),
        );
        let hint = "A line is used for a call if no line above it fits the call, if the `version` of the call allows its version, and if \
                    the directory of its pattern exists.";
        Some(Diagnostic::warning(ids::UNUSED_MODULE_DIRECTORY, detail).hint(hint))
    }

    /// Returns a sentence about the sources of the calls.
    fn sources_in_words(&self) -> String {
        if self.sources.is_empty() {
            return "All module calls have local sources.".to_owned();
        }
        format!("The sources that are not local are: {}.", ListedTexts::of(&self.sources).text())
    }

    fn unused(&self, source: &str, directory: &Path, closest_names: &ClosestNames) -> Diagnostic {
        let detail = format!(
            "No module call has the source \"{source}\", so the directory {} is not used. {}",
            directory.display(),
            self.sources_in_words(),
        );
        let diagnostic = Diagnostic::warning(ids::UNUSED_MODULE_DIRECTORY, detail);
        match closest_names.of(source, &self.sources) {
            Some(near) => diagnostic.hint(format!("Did you mean \"{near}\"?")),
            None => diagnostic,
        }
    }
}

/// The first texts of a list that a diagnostic names.
struct ListedTexts {
    first: Vec<String>,
    /// The number of all texts.
    count: usize,
}

impl ListedTexts {
    fn of<T: Display>(texts: impl IntoIterator<Item = T>) -> ListedTexts {
        let mut named = ListedTexts { first: Vec::new(), count: 0 };
        for text in texts {
            named.count += 1;
            if named.count <= MAX_SOURCES {
                named.first.push(text.to_string());
            }
        }
        named
    }

    /// Returns the first texts, and the number of the others.
    fn text(&self) -> String {
        let unlisted = self.count - self.first.len();
        let more = (unlisted > 0).then(|| format!("{unlisted} more"));
        let all: Vec<&str> = self.first.iter().chain(&more).map(String::as_str).collect();
        all.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::source::ModuleSource;
    use crate::model::source_names::names_of_call;

    #[test]
    fn the_last_directory_with_a_form_is_used() {
        let modules = [
            ("github.com/o/r", "first"),
            ("git::https://github.com/o/r.git", "second"),
            ("github.com/o/r//m", "nested"),
            ("a/b/c", "registry"),
        ]
        .map(|(source, directory)| (source.to_owned(), PathBuf::from(directory)));
        let given = GivenDirectories::of(&modules);
        let mut used = ModuleDirectories::default();
        for (call, expected) in [
            ("git@github.com:o/r.git", Some("second")),
            ("git::https://GitHub.com/o/r//x", Some("second/x")),
            ("github.com/o/r//m?ref=v1", Some("nested")),
            ("registry.terraform.io/a/b/c//d", Some("registry/d")),
            ("a/b/d", None),
        ] {
            let source = ModuleSource::parse(call, false).expect("an address");
            let found = used.find(&given, &names_of_call(call, &source));
            assert_eq!(found, expected.map(PathBuf::from), "{call}");
        }
        let is_used = |source: &str| used.used.contains(source);
        assert!(!is_used("github.com/o/r") && is_used("git::https://github.com/o/r.git") && is_used("a/b/c"));
        assert!(GivenDirectories::of(&[]).is_empty());
    }
}
