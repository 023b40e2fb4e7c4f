//! The configuration files of one directory.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use terrane_body::{Body, read_source};
use terrane_function::Dialect;
use terrane_source::{Diagnostic, Diagnostics, EntryKind, FileEntry, FileError, FileId, Files, ids};
use terrane_syntax::is_hidden_or_backup;

use crate::decode::{File, FileSet};
use crate::model::ids::{Declarations, DirectoryId};
use crate::model::module::Module;
use crate::model::paths::tidy;
use crate::model::request::Request;
use crate::rules::Rules;
use crate::{decode, resolve};

/// The content of a directory.
#[derive(Debug)]
pub struct Directory {
    /// Its declarations.
    pub module: Arc<Module>,
    /// Its files, in the order of their names.
    pub files: Vec<FileId>,
    /// Errors and warnings that do not depend on the call.
    pub diagnostics: Diagnostics,
    /// Whether a file could not be parsed: then parts are missing, and further errors may be due to that.
    pub is_partial: bool,
}

/// Keeps directories that have been read, for loads with common modules, the same dialect and the same schemas. Several
/// threads may use it.
#[derive(Default, Debug)]
pub struct Cache {
    directories: Mutex<Declarations<DirectoryId, Arc<Directory>, PathBuf>>,
}

impl Cache {
    /// The content of a directory, which is read if it is not in the cache.
    ///
    /// # Errors
    ///
    /// An error if the directory cannot be listed.
    pub fn directory(
        &self,
        path: &Path,
        request: &Request,
        files: &dyn Files,
    ) -> Result<Arc<Directory>, FileError> {
        self.find(path, &Rules::of(request.dialect), request, files).map(|(_, directory)| directory)
    }

    /// As [`Cache::directory`], with the id of the directory, which all its calls have in common.
    pub(crate) fn find(
        &self,
        path: &Path,
        rules: &Rules,
        request: &Request,
        files: &dyn Files,
    ) -> Result<(DirectoryId, Arc<Directory>), FileError> {
        let path = tidy(path);
        if let Some((id, directory)) = self.directories().find(&path) {
            return Ok((id, Arc::clone(directory)));
        }
        let entries = files.list(&path)?;
        let read = Arc::new(read(&path, entries, rules, request, files));
        let mut directories = self.directories();
        // Another thread may have read it meanwhile.
        if let Some((id, directory)) = directories.find(&path) {
            return Ok((id, Arc::clone(directory)));
        }
        Ok((directories.insert(path, Arc::clone(&read)), read))
    }

    fn directories(&self) -> MutexGuard<'_, Declarations<DirectoryId, Arc<Directory>, PathBuf>> {
        self.directories.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether one of the entries of a directory is configuration.
pub fn is_module(entries: &[FileEntry], dialect: Dialect) -> bool {
    let rules = Rules::of(dialect);
    entries
        .iter()
        .any(|entry| entry.kind != EntryKind::Directory && FileName::of(&entry.name, &rules).is_some())
}

/// A file name of configuration.
struct FileName<'n> {
    /// The name up to its ending.
    stem: &'n str,
    json: bool,
    tofu: bool,
}

impl FileName<'_> {
    fn of<'n>(name: &'n str, rules: &Rules) -> Option<FileName<'n>> {
        if is_hidden_or_backup(name) {
            return None;
        }
        let endings = [
            (".tf", false, false),
            (".tf.json", true, false),
            (".tofu", false, true),
            (".tofu.json", true, true),
        ];
        endings.into_iter().find_map(|(ending, json, tofu)| {
            let stem = name.strip_suffix(ending)?;
            (!tofu || rules.reads_tofu_files).then_some(FileName { stem, json, tofu })
        })
    }

    fn is_override(&self) -> bool {
        self.stem == "override" || self.stem.ends_with("_override")
    }
}

fn read(
    path: &Path,
    mut entries: Vec<FileEntry>,
    rules: &Rules,
    request: &Request,
    files: &dyn Files,
) -> Directory {
    entries.retain(|entry| entry.kind != EntryKind::Directory);
    let names: Vec<(&str, FileName<'_>)> = entries
        .iter()
        .filter_map(|entry| Some((entry.name.as_str(), FileName::of(&entry.name, rules)?)))
        .collect();
    // `a.tofu` replaces `a.tf`.
    let replaced: HashSet<(&str, bool)> =
        names.iter().filter(|(_, name)| name.tofu).map(|(_, name)| (name.stem, name.json)).collect();
    let mut reader =
        FileReader { files, ids: Vec::new(), diagnostics: Diagnostics::new(), broken: HashSet::new() };
    let mut parsed_files = FileSet::default();
    for (file, name) in &names {
        if !name.tofu && replaced.contains(&(name.stem, name.json)) {
            continue;
        }
        if let Some(parsed) = reader.file(&tidy(&path.join(file)), name) {
            let set =
                if name.is_override() { &mut parsed_files.overrides } else { &mut parsed_files.primary };
            set.push(parsed);
        }
    }
    parsed_files.is_whole = reader.broken.is_empty();
    let mut of_module = Diagnostics::new();
    let mut module = decode::module(path, &parsed_files, rules, request, &mut of_module);
    let mut of_references = Diagnostics::new();
    module.references = resolve::module::module(&module, &request.schemas, &mut of_references);
    if parsed_files.is_whole {
        of_module.extend(of_references);
    } else {
        // A declaration may be in the file that could not be parsed.
        module.references.forget_mistakes_in_calls();
    }
    // A syntax error may be the reason that a declaration is missing.
    let is_sound = |diagnostic: &Diagnostic| {
        diagnostic.subject.as_ref().is_none_or(|subject| !reader.broken.contains(subject.file.id()))
    };
    reader.diagnostics.extend(of_module.into_iter().filter(is_sound));
    // The other errors may be due to the version.
    let is_refusal = |diagnostic: &Diagnostic| {
        diagnostic.id == ids::INCOMPATIBLE_MODULE && rules.version_error_hides_others
    };
    let is_refused = reader.diagnostics.as_slice().iter().any(is_refusal);
    let diagnostics = match is_refused {
        true => reader.diagnostics.into_iter().filter(is_refusal).collect(),
        false => reader.diagnostics,
    };
    let is_partial = is_refused || !reader.broken.is_empty();
    Directory { module: Arc::new(module), files: reader.ids, diagnostics, is_partial }
}

struct FileReader<'r> {
    files: &'r dyn Files,
    ids: Vec<FileId>,
    diagnostics: Diagnostics,
    /// The files that could not be read or parsed.
    broken: HashSet<FileId>,
}

impl FileReader<'_> {
    fn file(&mut self, path: &Path, name: &FileName<'_>) -> Option<File> {
        let source = match read_source(self.files, path) {
            Ok(source) => source,
            Err(diagnostic) => {
                // A file that is not text has been read nevertheless.
                if diagnostic.id != ids::UNREADABLE_FILE {
                    self.ids.push(FileId::new(path));
                }
                self.broken.insert(FileId::new(path));
                self.diagnostics.push(*diagnostic);
                return None;
            }
        };
        self.ids.push(FileId::new(path));
        let (body, diagnostics) = if name.json {
            let document = terrane_syntax::parse_json(&source);
            (Body::json(&document.tree, document.root), document.diagnostics)
        } else {
            let parsed = terrane_syntax::parse_body(&source);
            (Body::native(&parsed.tree, parsed.root), parsed.diagnostics)
        };
        if diagnostics.iter().any(Diagnostic::is_error) {
            self.broken.insert(FileId::new(path));
        }
        self.diagnostics.extend(diagnostics);
        Some(File { body, tofu: name.tofu })
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    #[test]
    fn configuration_files_are_found_by_name() {
        let all = ["a.tf", "a.tofu", "b.tf", ".h.tf", "c.tf~", "#d.tf#", "e.tf.bak", "f.hcl", "g.tftest.hcl"];
        let files: MemoryFiles = all.into_iter().map(|name| (name, "")).collect();
        let read = |dialect: &str| {
            let request = Request { dialect: dialect.parse().unwrap(), ..Request::new(".") };
            let directory = Cache::default().directory(Path::new("."), &request, &files);
            let names: Vec<String> = directory.unwrap().files.iter().map(ToString::to_string).collect();
            names.join(" ")
        };
        assert_eq!(read("modules"), "a.tofu b.tf");
        assert_eq!(read("terraform"), "a.tf b.tf");
    }
}
