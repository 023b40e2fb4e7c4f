//! Checks the syntax of files and directories.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use terrane_function::Limits;
use terrane_module::{Cache, InputSource, automatic_source};
use terrane_source::{BROKEN_LINK, Diagnostic, Diagnostics, FileErrorKind, FileId, Files, SourceFile, ids};
use terrane_syntax::{ParsedSource, Syntax, is_for_opentofu, is_hcl_file, is_json_file};

use crate::search::sources::Sources;
use crate::search::{FoundFile, Search, Visit, visit_files};
use crate::variable_text::{hide_test_file, hide_values, is_no_file};

/// The outcome of [`check`](crate::check()) or [`check_syntax`].
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct CheckOutcome {
    /// The messages, sorted by place.
    pub diagnostics: Diagnostics,
    /// The files that were read and parsed.
    pub files: Vec<FileId>,
    /// The number of `files` with errors.
    pub files_with_errors: usize,
    /// The number of files and directories that were not checked: they could not be read, or their kind is unknown. `files`
    /// does not contain them.
    pub not_checked: usize,
    /// The sources of called modules that were not checked, because they are not on disk.
    pub missing_modules: BTreeSet<String>,
}

/// Checks the syntax of the files in `paths` and of the configuration files in its directories; with `recursive`, also in
/// their subdirectories.
///
/// [`is_hcl_file`] and [`is_json_file`] recognise the configuration files of a directory by their names. A file whose name
/// ends in `.json` is read as JSON; its strings are not parsed as templates, because that depends on the schema. Hidden files and directories, copies that editors keep, and links to directories are left out, as
/// `terraform fmt` does.
pub fn check_syntax<P: AsRef<Path>>(paths: &[P], recursive: bool, files: &dyn Files) -> CheckOutcome {
    let search = Search { recursive, ..Search::new(files, is_configuration) };
    check_files(paths, search, &Limits::default(), &Cache::default())
}

/// Whether a file of this name is configuration of any product.
pub(crate) fn is_configuration(name: &str) -> bool {
    is_hcl_file(name) || is_json_file(name)
}

/// Like [`is_configuration`], without the files that only OpenTofu reads.
pub(crate) fn is_configuration_without_tofu(name: &str) -> bool {
    is_configuration(name) && !is_for_opentofu(name)
}

/// Like [`check_syntax`], for the files that `search` selects. Files of directories in `cache` are not parsed again.
pub(crate) fn check_files<P: AsRef<Path>>(
    paths: &[P],
    search: Search<'_>,
    limits: &Limits,
    cache: &Cache,
) -> CheckOutcome {
    let sources = Sources::new(search.files, limits);
    let mut check = CheckOutcome::default();
    let read = |found: FoundFile<'_>| {
        file(found.path, &sources, cache).map_err(|error| match is_broken_link(found, search.files) {
            true => broken_link(found, *error),
            false => error,
        })
    };
    for visit in visit_files(paths, search, read) {
        match visit {
            Visit::File(Ok((id, diagnostics))) => {
                check.files.push(id);
                check.files_with_errors += usize::from(diagnostics.iter().any(Diagnostic::is_error));
                check.diagnostics.extend(diagnostics);
            }
            Visit::File(Err(diagnostic)) if diagnostic.is_error() => check.not_checked(*diagnostic),
            Visit::File(Err(diagnostic)) => check.diagnostics.push(*diagnostic),
            Visit::Unreadable(error) => {
                check.not_checked(Diagnostic::error(ids::UNREADABLE_DIRECTORY, error.sentence()));
            }
        }
    }
    check.diagnostics.sort();
    check
}

impl CheckOutcome {
    /// Records a file or directory that was not checked.
    pub fn not_checked(&mut self, diagnostic: Diagnostic) {
        self.not_checked += 1;
        self.diagnostics.push(diagnostic);
    }

    /// Reports a file whose name does not tell how to read it.
    pub(crate) fn unknown_kind(&mut self, path: &Path) {
        self.not_checked += 1;
        let detail = format!(
            "The name of {} does not tell its kind. Names of configuration end in .tf, .tofu, .tfvars, .hcl, \
             .nomad or .json.",
            path.display()
        );
        let hint = "`terrane check -` checks the syntax of standard input.";
        self.diagnostics.push(Diagnostic::error(ids::UNKNOWN_FILE_TYPE, detail).hint(hint));
    }

    /// Checks the syntax of a text without a file: as JSON if it begins with a brace, otherwise as native syntax.
    pub fn add_text(&mut self, name: &str, bytes: Vec<u8>) {
        let id = FileId::new(name);
        let syntax = Syntax::of_text(&bytes);
        let diagnostics = errors(&id, bytes, syntax, |source| {
            let diagnostics = ParsedSource::in_syntax(source, syntax).into_diagnostics();
            if is_no_file(source) && !diagnostics.is_empty() {
                hide_values(source);
            }
            diagnostics
        });
        self.files.push(id);
        self.files_with_errors += usize::from(diagnostics.iter().any(Diagnostic::is_error));
        self.diagnostics.extend(diagnostics);
        self.diagnostics.sort();
    }
}

/// Whether a directory lists a file that is not there.
fn is_broken_link(found: FoundFile<'_>, files: &dyn Files) -> bool {
    !found.is_named && files.metadata(found.path).is_err_and(|error| error.kind == FileErrorKind::NotFound)
}

/// Returns the message about a broken link. In the place of `terraform.tfvars` it is a warning, because such a link counts as a missing
/// file.
fn broken_link(found: FoundFile<'_>, error: Diagnostic) -> Box<Diagnostic> {
    let name = found.path.file_name().unwrap_or_default();
    if automatic_source(&name.to_string_lossy()) == Some(InputSource::Terraform) {
        let detail = "is a link to a file that does not exist. It sets no variables, as if there were no link. \
                      Correct the link, or remove it.";
        Box::new(Diagnostic::warning(ids::UNREADABLE_FILE, format!("{} {detail}", found.path.display())))
    } else {
        Box::new(error.hint(BROKEN_LINK))
    }
}

/// Returns the syntax errors of one file.
fn file(
    path: &Path,
    sources: &Sources<'_>,
    cache: &Cache,
) -> Result<(FileId, Vec<Diagnostic>), Box<Diagnostic>> {
    let id = FileId::new(path);
    let syntax = Syntax::of_file(&id);
    let syntax_errors = |source: &Arc<SourceFile>| {
        let found = cache.syntax_errors(source);
        if !found.is_empty() {
            hide_test_file(source);
        }
        found
    };
    let diagnostics = sources.work(path, |bytes| errors(&id, bytes, syntax, syntax_errors))?;
    Ok((id, diagnostics))
}

/// Returns the errors in the encoding and in the syntax, which `parse` finds.
fn errors(
    id: &FileId,
    bytes: Vec<u8>,
    syntax: Syntax,
    parse: impl FnOnce(&Arc<SourceFile>) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    match syntax.decode(id.clone(), bytes) {
        Ok(source) => parse(&source),
        Err(diagnostic) => vec![diagnostic],
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    fn files() -> MemoryFiles {
        [
            ("a.tf", "a = 1\n"),
            ("b.tf.json", "["),
            ("c.txt", "c = [1 2]\n"),
            ("e.json", "{\"a\": 1,}"),
            ("d.nomad", "d = [1 2]\ne = [3 4]\n"),
            (".hidden.tf", "["),
            ("f.tf~", "["),
            ("#g.tf#", "["),
            ("m/h.tofu", "block \"x\" {\n  h = [1 2]\n}\n"),
            ("m/n/i.pkr.hcl", "i = '1'\n"),
            ("m/.terraform/j.tf", "["),
        ]
        .into_iter()
        .collect()
    }

    /// The position of each diagnostic, then the counts of files, of files with errors, and of unchecked files.
    fn checked(paths: &[&str], recursive: bool) -> (Vec<String>, [usize; 3]) {
        let check = check_syntax(paths, recursive, &files());
        let place = |diagnostic: &Diagnostic| match &diagnostic.subject {
            Some(subject) => format!("{}:{}", subject.file.id(), subject.span.start),
            None => diagnostic.detail.clone(),
        };
        let places = check.diagnostics.into_iter().map(|diagnostic| place(&diagnostic)).collect();
        (places, [check.files.len(), check.files_with_errors, check.not_checked])
    }

    #[test]
    fn subdirectories_are_checked_on_request() {
        let (places, counts) = checked(&["."], false);
        assert_eq!((places.join(" ").as_str(), counts), ("b.tf.json:1 d.nomad:7 d.nomad:17", [3, 2, 0]));
        let (places, counts) = checked(&["./m/.."], true);
        assert_eq!(places.len(), 5, "{places:?}");
        assert_eq!(counts, [5, 4, 0]);
        let (places, counts) = checked(&["./m/."], true);
        assert_eq!((places.join(" ").as_str(), counts), ("m/h.tofu:21 m/n/i.pkr.hcl:4", [2, 2, 0]));
    }

    #[test]
    fn a_named_file_is_checked_once_with_any_name() {
        let (places, counts) = checked(&["c.txt", "./c.txt", ".hidden.tf", "e.json"], false);
        assert_eq!((places.join(" ").as_str(), counts), (".hidden.tf:0 c.txt:7 e.json:7", [3, 3, 0]));
    }

    #[test]
    fn unreadable_files_are_reported() {
        let (places, counts) = checked(&["no.tf", "a.tf"], false);
        assert_eq!(places, ["There is no file or directory at no.tf."]);
        assert_eq!(counts, [1, 0, 1]);
    }
}
