//! Handles results that differ from the expectations of a file: a failure, or with `UPDATE_EXPECT` the new content of the
//! file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use terrane_source::{Files as _, OsFiles};

use crate::conformance::row::read_text;

/// Lines of a file, and their replacement.
#[derive(Debug, PartialEq, Eq)]
pub struct Edit {
    /// The number of the first line, from 1.
    pub line: usize,
    /// The lines that are there.
    pub old: Vec<String>,
    /// The lines for the present answer.
    pub new: Vec<String>,
}

impl Edit {
    /// The difference, as a test that fails shows it.
    pub fn describe(&self, path: &Path) -> String {
        let lines = |sign: char, lines: &[String]| -> String {
            lines.iter().map(|line| format!("\n  {sign} {line}")).collect()
        };
        let (wanted, found) = (lines('-', &self.old), lines('+', &self.new));
        format!("{}:{}: expected (-) and found (+):{wanted}{found}", path.display(), self.line)
    }
}

/// The edits of a run.
pub struct Updates {
    wanted: bool,
    edits: Mutex<BTreeMap<PathBuf, Vec<Edit>>>,
}

impl Updates {
    /// No edits yet; `wanted` says whether they are to be written.
    pub fn new(wanted: bool) -> Updates {
        Updates { wanted, edits: Mutex::default() }
    }

    /// Whether files are to be rewritten.
    pub fn wanted(&self) -> bool {
        self.wanted
    }

    /// Keeps edits of a file for [`Updates::write`].
    pub fn add(&self, path: &Path, edits: Vec<Edit>) {
        let mut all = self.edits.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(path.to_owned()).or_default().extend(edits);
    }

    /// Rewrites the files and returns how many changed.
    ///
    /// # Errors
    ///
    /// Where a file cannot be read or written.
    pub fn write(&self) -> Result<usize, String> {
        let all = std::mem::take(&mut *self.edits.lock().unwrap_or_else(PoisonError::into_inner));
        let count = all.len();
        for (path, edits) in all {
            let text = apply(&read_text(&path)?, edits);
            OsFiles.write_atomic(&path, text.as_bytes()).map_err(|error| error.to_string())?;
        }
        Ok(count)
    }
}

/// The text with its edits made, last line first so that the line numbers hold.
fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.line));
    for edit in edits {
        let start = (edit.line - 1).min(lines.len());
        let end = (start + edit.old.len()).min(lines.len());
        lines.splice(start..end, edit.new);
    }
    lines.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_do_not_move_each_other() {
        let edit = |line, old: &[&str], new: &[&str]| Edit {
            line,
            old: old.iter().map(ToString::to_string).collect(),
            new: new.iter().map(ToString::to_string).collect(),
        };
        let edits = vec![edit(1, &["a"], &["A", "B"]), edit(3, &["c"], &[])];
        assert_eq!(apply("a\nb\nc\n", edits), "A\nB\nb\n");
    }
}
