//! Lists the directories with modules below a directory.

use std::path::{Path, PathBuf};

use terrane_config::Dialect;
use terrane_function::Product;
use terrane_module::is_module;
use terrane_source::{Diagnostic, Diagnostics, EntryKind, FileEntry, Files, ids};

use super::ignored::Ignored;
use super::model::RootOptions;
use crate::dialect_at::has_template;

/// The file in which Terragrunt keeps the inputs of a module.
const TERRAGRUNT: &str = "terragrunt.hcl";

/// The directories of a tree by what they contain, each list sorted.
#[derive(Default)]
pub(super) struct Walked {
    /// Directories with modules, and their entries.
    pub(super) modules: Vec<(PathBuf, Vec<FileEntry>)>,
    pub(super) terragrunt: Vec<PathBuf>,
    pub(super) templates: Vec<PathBuf>,
    pub(super) diagnostics: Diagnostics,
}

/// Lists a directory and those below it.
pub(super) fn walk(top: &Path, options: RootOptions, files: &dyn Files) -> Walked {
    let mut walked = Walked::default();
    let mut queue = vec![(top.to_owned(), Ignored::above(top, files))];
    while let Some((directory, ignored)) = queue.pop() {
        let entries = match files.list(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                let detail = format!("{error}.");
                walked.diagnostics.push(Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail));
                continue;
            }
        };
        let ignored = ignored.with(&directory, &entries, files);
        for entry in &entries {
            let is_hidden = entry.name.starts_with('.');
            if entry.kind != EntryKind::Directory || entry.is_link || is_hidden {
                continue;
            }
            let is_here = directory == Path::new(".");
            let below = if is_here { PathBuf::from(&entry.name) } else { directory.join(&entry.name) };
            if !ignored.has(&below) {
                queue.push((below, ignored.clone()));
            }
        }
        walked.add(directory, entries, options);
    }
    walked.modules.sort_by(|(one, _), (other, _)| one.cmp(other));
    walked.terragrunt.sort();
    walked.templates.sort();
    walked
}

impl Walked {
    fn add(&mut self, directory: PathBuf, entries: Vec<FileEntry>, options: RootOptions) {
        if entries.iter().any(|entry| entry.name == TERRAGRUNT) {
            self.terragrunt.push(directory);
            return;
        }
        // With a dialect, only its files count.
        let dialect = options.dialect.unwrap_or_default();
        let has_module = !is_packer(options.dialect) && is_module(&entries, dialect);
        let has_template =
            has_template(&entries) && (options.dialect.is_none() || is_packer(options.dialect));
        if has_module {
            self.modules.push((directory, entries));
        } else if has_template {
            self.templates.push(directory);
        }
    }
}

/// Whether a directory is written for Packer.
fn is_packer(dialect: Option<Dialect>) -> bool {
    dialect.is_some_and(|dialect| dialect.product() == Some(Product::Packer))
}
