//! Checking whole modules: what the reference finds without providers.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use terrane_config::{Cache, Dialect, Moment, Request, Schemas, is_module};
use terrane_source::{Diagnostic, EntryKind, FileId, Files};

use crate::check::{SyntaxCheck, check_syntax};
use crate::search::parallel;

/// How to check.
#[derive(Clone, Default, Debug)]
pub struct CheckOptions {
    /// Whether to go into the directories below.
    pub recursive: bool,
    /// The product and edition that the configuration is written for.
    pub dialect: Dialect,
    /// Directories that stand in for modules which are not local, by source.
    pub modules: Vec<(String, PathBuf)>,
    /// What providers have, so that what belongs to them is checked, too.
    pub schemas: Schemas,
}

/// Checks what `paths` name: the syntax of files, and of directories with configuration all that can be told without
/// providers, for any values of the variables: types, references, arguments and blocks, also in the modules that are
/// called from there. With `recursive` every directory below is checked in the same way.
pub fn check<P: AsRef<Path>>(paths: &[P], options: &CheckOptions, files: &dyn Files) -> SyntaxCheck {
    let mut outcome = check_syntax(paths, options.recursive, files);
    let mut directories = BTreeSet::new();
    for path in paths {
        let path = path.as_ref();
        if matches!(files.metadata(path), Ok(EntryKind::Directory)) {
            find_modules(path, options, files, &mut directories);
        }
    }
    let cache = Cache::default();
    let mut read: BTreeSet<FileId> = outcome.files.iter().cloned().collect();
    let tasks = directories.into_iter().collect();
    let work = |directory: PathBuf, _: &mut Vec<PathBuf>| {
        let validated = validate(&directory, options, files, &cache);
        Some((directory, validated))
    };
    let mut validated = parallel::run(tasks, work);
    validated.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (_, Validated { files, diagnostics, absent }) in validated {
        outcome.absent.extend(absent);
        for file in files {
            if read.insert(file.clone()) {
                outcome.files.push(file);
            }
        }
        outcome.diagnostics.extend(diagnostics);
    }
    let mut known = HashSet::new();
    outcome.diagnostics = std::mem::take(&mut outcome.diagnostics)
        .into_iter()
        .filter(|diagnostic| {
            let place = diagnostic.subject.as_ref().map(|subject| (subject.file.id().clone(), subject.span));
            known.insert((diagnostic.id.as_str(), place, diagnostic.detail.clone()))
        })
        .collect();
    outcome.diagnostics.sort();
    let of_errors = outcome.diagnostics.as_slice().iter().filter(|diagnostic| diagnostic.is_error());
    let with_errors: HashSet<&FileId> =
        of_errors.filter_map(|diagnostic| Some(diagnostic.subject.as_ref()?.file.id())).collect();
    outcome.files_with_errors = with_errors.len();
    outcome
}

/// The directories with configuration. What is hidden, such as installed modules, is left out, and so are links, which
/// may lead around in a circle.
fn find_modules(path: &Path, options: &CheckOptions, files: &dyn Files, found: &mut BTreeSet<PathBuf>) {
    let mut pending = vec![path.to_owned()];
    while let Some(directory) = pending.pop() {
        // What cannot be listed was reported with the syntax.
        let Ok(entries) = files.list(&directory) else { continue };
        if is_module(&entries, options.dialect) {
            found.insert(directory.clone());
        }
        if options.recursive {
            let below = entries.iter().filter(|entry| {
                entry.kind == EntryKind::Directory && !entry.is_link && !entry.name.starts_with('.')
            });
            pending.extend(below.map(|entry| directory.join(&entry.name)));
        }
    }
}

/// A module that was looked into.
struct Validated {
    files: Vec<FileId>,
    diagnostics: Vec<Diagnostic>,
    absent: Vec<String>,
}

/// The files of a module and everything that is wrong with it.
fn validate(directory: &Path, options: &CheckOptions, files: &dyn Files, cache: &Cache) -> Validated {
    let request = Request {
        dialect: options.dialect,
        moment: Moment::Validate,
        modules: options.modules.clone(),
        schemas: options.schemas.clone(),
        ..Request::new(directory)
    };
    let loaded = terrane_config::load_with(request, files, cache);
    let absent = loaded.config.absent.iter().filter_map(|absent| absent.source.clone()).collect();
    let mut diagnostics: Vec<Diagnostic> = loaded.diagnostics.into_iter().collect();
    // After a syntax error parts are missing, so what evaluation finds may be due to that.
    if !loaded.damaged {
        let evaluation = terrane_config::evaluate(loaded.config, &loaded.inputs, files);
        diagnostics.extend(evaluation.diagnostics);
    }
    Validated { files: loaded.files, diagnostics, absent }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    fn checked(paths: &[&str], recursive: bool) -> Vec<String> {
        let files: MemoryFiles = [
            ("main.tf", "module \"m\" {\n  source = \"./m\"\n  v = \"x\"\n}\nlocals { a = var.nope }\n"),
            ("m/main.tf", "variable \"v\" { type = number }\nlocals { b = [] + 1 }\n"),
            ("other/main.tf", "variable \"n\" { default = 0 }\noutput \"o\" { value = 1 / var.n }\n"),
            ("other/below/a.tf", "resource \"a_b\" \"c\" {\n  count = 0\n  x = 1 + []\n}\n"),
            ("broken/a.tf", "locals {\n"),
            ("broken/b.tf", "output \"o\" { value = local.gone }\n"),
        ]
        .into_iter()
        .collect();
        let options = CheckOptions { recursive, ..CheckOptions::default() };
        let outcome = check(paths, &options, &files);
        let line = |diagnostic: &Diagnostic| match &diagnostic.subject {
            Some(subject) => format!("{}:{} {}", subject.file.id(), subject.span.start, diagnostic.title()),
            None => diagnostic.title().to_owned(),
        };
        outcome.diagnostics.as_slice().iter().map(line).collect()
    }

    #[test]
    fn a_module_is_checked_with_what_it_calls() {
        let expected = [
            "main.tf:36 Invalid value for input variable",
            "main.tf:55 Reference to undeclared input variable",
            "m/main.tf:44 Invalid operand",
        ];
        assert_eq!(checked(&["."], false), expected);
        assert_eq!(checked(&["main.tf"], false), [""; 0], "a file by its name is checked for its syntax");
    }

    #[test]
    fn values_of_variables_do_not_count_and_every_block_is_looked_into() {
        assert_eq!(checked(&["other"], true), ["other/below/a.tf:43 Invalid operand"]);
    }

    #[test]
    fn a_syntax_error_is_the_only_one() {
        assert_eq!(checked(&["broken"], false), ["broken/a.tf:7 Unclosed configuration block"]);
    }
}
