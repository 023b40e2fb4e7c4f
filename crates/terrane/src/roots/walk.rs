//! Lists the directories with modules below a directory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use terrane_config::Dialect;
use terrane_module::is_module;
use terrane_source::paths::tidy;
use terrane_source::{Diagnostic, Diagnostics, FileEntry, Files, ids, sorted_map};

use super::model::{RootOptions, RootSign};
use super::named::{NamedRoot, read_lists};
use super::stacks::{is_skipped, is_stack};
use crate::dialect_at::has_template;
use crate::search::ignored::{Ignored, repository_above};

/// The file in which Terragrunt keeps the inputs of a module.
const TERRAGRUNT: &str = "terragrunt.hcl";

/// The directories of a tree by their content, each list sorted.
#[derive(Default)]
pub(super) struct Walked {
    /// Directories with modules, and their entries.
    pub(super) modules: Vec<(PathBuf, Vec<FileEntry>)>,
    pub(super) terragrunt: Vec<PathBuf>,
    pub(super) templates: Vec<PathBuf>,
    /// The signs of roots that are written for other programs: names in lists of roots, and stacks.
    pub(super) signs: BTreeMap<PathBuf, BTreeSet<RootSign>>,
    pub(super) diagnostics: Diagnostics,
}

/// A directory that was not listed yet.
struct Below {
    directory: PathBuf,
    ignored: Ignored,
    /// Whether Terramate leaves out the directory.
    is_skipped: bool,
}

/// Limit on the comparisons of directories with patterns of lists, all patterns together. They take about a second.
const MAX_COMPARED: usize = 4_000_000;

fn too_many_patterns() -> Diagnostic {
    let detail = format!(
        "The patterns of the lists of root modules are compared with more than {MAX_COMPARED} directories, all patterns together. \
         The rest of the lists is left out. Name directories without stars."
    );
    Diagnostic::error(ids::INVALID_ROOT_LIST, detail)
}

/// Lists a directory and its subdirectories.
pub(super) fn walk(top: &Path, options: RootOptions, files: &dyn Files) -> Walked {
    let mut walked = Walked::default();
    let places = RootPaths { working_directory: files.working_directory(), top };
    let mut named = places.lists_above(files, &mut walked.diagnostics);
    let mut queue =
        vec![Below { directory: top.to_owned(), ignored: Ignored::above(top, files), is_skipped: false }];
    while let Some(Below { directory, ignored, is_skipped: mut skipped }) = queue.pop() {
        let entries = match files.list(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                let detail = format!("{error}.");
                walked.diagnostics.push(Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail));
                continue;
            }
        };
        skipped |= is_skipped(&entries);
        let below = ignored.below(&directory, &entries, files).into_iter();
        queue.extend(below.map(|(directory, ignored)| Below { directory, ignored, is_skipped: skipped }));
        let base = places.absolute(&directory);
        named.extend(read_lists(&directory, &base, &entries, files, &mut walked.diagnostics));
        if !skipped && is_stack(&directory, &entries, files, &mut walked.diagnostics) {
            walked.signs.entry(directory.clone()).or_default().insert(RootSign::Stack);
        }
        walked.add(directory, entries, options);
    }
    walked.add_names(&named, &places, options, files);
    walked.modules.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    walked.terragrunt.sort_unstable();
    walked.templates.sort_unstable();
    walked
}

impl Walked {
    fn add(&mut self, directory: PathBuf, entries: Vec<FileEntry>, options: RootOptions) {
        if entries.iter().any(|entry| entry.name == TERRAGRUNT) {
            self.terragrunt.push(directory);
            return;
        }
        // If a dialect is given, only files of that dialect count.
        let dialect = options.dialect.unwrap_or_default();
        let has_module = !options.dialect.is_some_and(Dialect::is_packer) && is_module(&entries, dialect);
        let has_template = has_template(&entries)
            && (options.dialect.is_none() || options.dialect.is_some_and(Dialect::is_packer));
        if has_module {
            self.modules.push((directory, entries));
        } else if has_template {
            self.templates.push(directory);
        }
    }

    /// Adds the signs of named roots to the directories that match the names.
    fn add_names(
        &mut self,
        named: &[NamedRoot],
        places: &RootPaths<'_>,
        options: RootOptions,
        files: &dyn Files,
    ) {
        let top = places.absolute(places.top);
        let mut all = self.by_absolute_path(places);
        // A hidden or ignored directory is listed if a file names it.
        let directories = named.iter().filter_map(NamedRoot::directory);
        for directory in directories.filter(|directory| directory.starts_with(&top)) {
            let shown = places.shown(&directory, &top);
            if !all.contains_key(&directory)
                && let Ok(entries) = files.list(&shown)
            {
                self.add(shown.clone(), entries, options);
                all.insert(directory, shown);
            }
        }
        let mut compared = 0_usize;
        for named in named {
            if named.is_pattern() {
                compared = compared.saturating_add(all.len());
                if compared > MAX_COMPARED {
                    self.diagnostics.push(too_many_patterns());
                    break;
                }
            }
            let found = named.matching(&all);
            // Directories outside of the top are not known here.
            let is_below = named.directory().is_none_or(|directory| directory.starts_with(&top));
            if found.is_empty() && is_below && (!named.is_pattern() || named.base().starts_with(&top)) {
                self.diagnostics.push(named.not_found());
            }
            for directory in found {
                self.signs.entry(directory).or_default().insert(named.sign);
            }
        }
    }

    /// Returns the directories of all kinds by their absolute paths.
    fn by_absolute_path(&self, places: &RootPaths<'_>) -> BTreeMap<PathBuf, PathBuf> {
        let modules = self.modules.iter().map(|(directory, _)| directory);
        let all = modules.chain(&self.terragrunt).chain(&self.templates);
        sorted_map(all.map(|directory| (places.absolute(directory), directory.clone())))
    }
}

/// Converts paths of directories to absolute paths and back.
struct RootPaths<'t> {
    working_directory: PathBuf,
    /// The directory that is searched for roots.
    top: &'t Path,
}

impl RootPaths<'_> {
    fn absolute(&self, directory: &Path) -> PathBuf {
        tidy(&self.working_directory.join(directory))
    }

    /// Returns an absolute directory at or below `top`, the absolute path of the top, in the form in which the walk writes
    /// paths.
    fn shown(&self, directory: &Path, top: &Path) -> PathBuf {
        let below = directory.strip_prefix(top).unwrap_or(directory);
        match (below.as_os_str().is_empty(), self.top == Path::new(".")) {
            (true, _) => self.top.to_owned(),
            (false, true) => below.to_owned(),
            (false, false) => self.top.join(below),
        }
    }

    /// Returns the names in the lists of the repository above the top.
    fn lists_above(&self, files: &dyn Files, diagnostics: &mut Diagnostics) -> Vec<NamedRoot> {
        let mut named = Vec::new();
        for base in repository_above(&self.absolute(self.top), files) {
            // The directory may be outside of a sandbox.
            let Ok(entries) = files.list(&base) else { continue };
            let below = base.strip_prefix(&self.working_directory).unwrap_or(&base);
            named.extend(read_lists(below, &base, &entries, files, diagnostics));
        }
        named
    }
}
