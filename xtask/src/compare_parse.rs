//! Compares which files Terrane and the reference can parse: `cargo xtask compare-parse DIR...`.
//!
//! `terraform fmt` refuses files that do not parse. It is given copies of all files, with their numbers as names, and its
//! messages are compared with the messages of the parser.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use terrane_source::{Diagnostic, Diagnostics, FileId};
use terrane_syntax::{decode_native, is_hcl_file, parse_body};

/// The number of files that one process of the reference reads.
const BATCH: usize = 4000;

/// The first message about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Message {
    title: String,
    line: u32,
}

pub(crate) fn run(directories: &[&str]) -> ExitCode {
    if Command::new("terraform").arg("version").env_remove("TF_CLI_CONFIG_FILE").output().is_err() {
        println!("skipped: there is no terraform on PATH to compare with");
        return ExitCode::SUCCESS;
    }
    let mut files = Vec::new();
    for directory in directories {
        if let Err(error) = collect(Path::new(directory), &mut files) {
            eprintln!("{directory}: {error}");
            return ExitCode::FAILURE;
        }
    }
    let scratch = std::env::temp_dir().join(format!("terrane-compare-parse-{}", std::process::id()));
    let mut comparison = Comparison::default();
    for batch in files.chunks(BATCH) {
        match reference(&scratch, batch) {
            Ok(messages) => comparison.add(batch, &messages),
            Err(error) => {
                eprintln!("{}: {error}", scratch.display());
                return ExitCode::FAILURE;
            }
        }
    }
    comparison.print();
    if comparison.disagreed == 0 && comparison.files > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Adds the files below `directory` whose names are names of HCL files. Symbolic links are left out.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), files)?;
        } else if kind.is_file() && entry.file_name().to_str().is_some_and(is_hcl_file) {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Returns the first message of `terraform fmt` about each file that it refuses, by the index of the file.
fn reference(scratch: &Path, files: &[PathBuf]) -> std::io::Result<BTreeMap<usize, Message>> {
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    fs::create_dir_all(scratch)?;
    for (index, file) in files.iter().enumerate() {
        fs::copy(file, scratch.join(format!("{index}.tf")))?;
    }
    let mut command = Command::new("terraform");
    command.current_dir(scratch).env_remove("TF_CLI_CONFIG_FILE");
    let output = command.args(["fmt", "-no-color", "-check", "-list=false", "-write=false", "."]).output()?;
    fs::remove_dir_all(scratch)?;
    let text = String::from_utf8_lossy(&output.stderr);
    // The codes mean no errors, errors, and files that are not formatted. With any other code, the command has given no answer.
    if !matches!(output.status.code(), Some(0 | 2 | 3)) {
        return Err(std::io::Error::other(format!("terraform {}: {text}", output.status)));
    }
    Ok(messages(&text))
}

/// Reads the messages in the output of the reference: a line `Error: TITLE`, then a line `  on INDEX.tf line LINE`.
fn messages(output: &str) -> BTreeMap<usize, Message> {
    let mut messages = BTreeMap::new();
    let mut title = "";
    for line in output.lines() {
        if let Some(text) = line.strip_prefix("Error: ") {
            title = text;
        } else if let Some((file, line)) =
            line.strip_prefix("  on ").and_then(|on| on.split_once(".tf line "))
        {
            let line = line.split([',', ':']).next().and_then(|line| line.parse().ok());
            if let (Ok(index), Some(line)) = (file.parse(), line) {
                messages.entry(index).or_insert(Message { title: title.to_owned(), line });
            }
        }
    }
    messages
}

/// Returns the first message of the parser about the file at `path`; `None` if it parses.
fn ours(path: &Path) -> std::io::Result<Option<Message>> {
    let source = match decode_native(FileId::new(path), fs::read(path)?) {
        Ok(source) => source,
        Err(diagnostic) => return Ok(Some(message(&diagnostic))),
    };
    // The reference's command sorts its messages, too.
    let mut diagnostics: Diagnostics = parse_body(&source).diagnostics.into_iter().collect();
    diagnostics.sort();
    Ok(diagnostics.as_slice().first().map(message))
}

fn message(diagnostic: &Diagnostic) -> Message {
    let line = diagnostic.subject.as_ref().map(|subject| subject.file.line(subject.span.start));
    Message { title: diagnostic.title().to_owned(), line: line.unwrap_or(0) }
}

#[derive(Default)]
struct Comparison {
    files: usize,
    refused: usize,
    disagreed: usize,
    same_title: usize,
    same_line: usize,
}

impl Comparison {
    fn add(&mut self, files: &[PathBuf], reference: &BTreeMap<usize, Message>) {
        for (index, path) in files.iter().enumerate() {
            let ours = match ours(path) {
                Ok(message) => message,
                Err(error) => Some(Message { title: error.to_string(), line: 0 }),
            };
            self.files += 1;
            match (ours, reference.get(&index)) {
                (None, None) => {}
                (Some(ours), Some(theirs)) => {
                    self.refused += 1;
                    self.same_title += usize::from(ours.title == theirs.title);
                    self.same_line += usize::from(ours.line == theirs.line);
                    if ours != *theirs {
                        println!("{}: {ours:?}, the reference {theirs:?}", path.display());
                    }
                }
                (ours, theirs) => {
                    self.disagreed += 1;
                    println!("DISAGREED {}: {ours:?}, the reference {theirs:?}", path.display());
                }
            }
        }
    }

    fn print(&self) {
        println!(
            "{} files: {} are accepted or refused alike, {} are not",
            self.files,
            self.files - self.disagreed,
            self.disagreed
        );
        println!(
            "{} are refused by both: {} with the same first title, {} with the same line",
            self.refused, self.same_title, self.same_line
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_message_about_each_file_is_found() {
        let output = "\nError: Missing item separator\n\n  on 3.tf line 1, in a:\n   1: a = [1 2]\n\n\
                      Expected a comma.\n\nError: Second\n\n  on 3.tf line 9:\n\nError: Other\n\n  on 12.tf line 7:\n";
        let message = |title: &str, line| Message { title: title.to_owned(), line };
        let wanted = [(3, message("Missing item separator", 1)), (12, message("Other", 7))];
        assert_eq!(messages(output), BTreeMap::from(wanted));
    }
}
