//! The literate suites: Markdown files in `suite/` whose headings name cases and whose fences are the case.
//! `tests/README.md` describes the notation.
//!
//! Reading order: [`markdown`] (headings and fences), [`case`] (the meaning of the fences), [`statement`]
//! (expressions with their assertions), [`inputs`] (how a configuration is called), [`expressions`], [`modules`] and
//! [`templates`] (how the three kinds of case run), [`update`] (rewriting expectations).

pub mod markdown;

pub mod case;

pub mod statement;

pub mod expressions;

pub mod inputs;

pub mod modules;

pub mod templates;

pub mod update;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use terrane_source::{FileKind, Files as _, OsFiles};

use crate::conformance::row::read_text;
use case::Case;
use update::Updates;

/// One trial for each case of each file below `directory`, named `file::heading`.
///
/// # Errors
///
/// Where a file cannot be read or is not well-formed.
pub fn trials(directory: &Path, updates: &Arc<Updates>) -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for path in markdown_files(directory)? {
        let name = path.strip_prefix(directory).unwrap_or(&path).with_extension("");
        let text = read_text(&path)?;
        let sections = markdown::sections(&text);
        let cases = case::cases(&sections).map_err(|error| format!("{}:{error}", path.display()))?;
        for case in cases {
            let (path, updates) = (path.clone(), Arc::clone(updates));
            let trial_name = format!("{}::{}", name.display(), case.name);
            trials.push(Trial::test(trial_name, move || run(&case, &path, &updates)));
        }
    }
    Ok(trials)
}

fn run(case: &Case, path: &Path, updates: &Updates) -> Result<(), Failed> {
    let edits = match case {
        Case { files, .. } if files.is_empty() => expressions::run(case),
        case if case.is_template() => templates::run(case),
        case => modules::run(case),
    };
    let edits = edits.map_err(|message| format!("{}:{message}", path.display()))?;
    if edits.is_empty() {
        return Ok(());
    }
    if updates.wanted() {
        updates.add(path, edits);
        return Ok(());
    }
    let messages: Vec<String> = edits.iter().map(|edit| edit.describe(path)).collect();
    Err(messages.join("\n").into())
}

fn markdown_files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in OsFiles.list(&directory).map_err(|error| error.to_string())? {
            let path = directory.join(&entry.name);
            match entry.kind {
                FileKind::Directory => directories.push(path),
                FileKind::File if entry.name.ends_with(".md") => files.push(path),
                FileKind::File | FileKind::Other => {}
            }
        }
    }
    files.sort();
    Ok(files)
}
