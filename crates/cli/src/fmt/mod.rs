//! `terrane fmt`.

mod diff;
mod parallel;
mod targets;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use terrane::source::{FileId, SourceFile, ids};
use terrane::syntax::{FormatStyle, format};
use terrane::{Diagnostic, Diagnostics, Files, OsFiles};

use self::targets::Target;
use crate::USAGE;
use crate::terminal::Terminal;

/// With `-check`: a file is not formatted.
const NEEDS_FORMATTING: u8 = 3;
/// A file could not be read, parsed or written.
const FAILURE: u8 = 2;

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// Files and directories; `-` alone is standard input.
    #[arg(value_name = "TARGET", default_value = ".", hide_default_value = true)]
    targets: Vec<PathBuf>,

    /// Write nothing; exit with code 3 where a file is not formatted.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    check: Option<Option<Switch>>,

    /// Show what changes.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    diff: Option<Option<Switch>>,

    /// Whether to print the names of files that were not formatted; it does unless told otherwise.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    list: Option<Option<Switch>>,

    /// Whether to write the files; it does unless told otherwise.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    write: Option<Option<Switch>>,

    /// Go into the directories below the given ones.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    recursive: Option<Option<Switch>>,
}

/// True or false, in the forms that Terraform's options take.
#[derive(Clone, Copy, Debug)]
struct Switch(bool);

impl FromStr for Switch {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Switch, &'static str> {
        match text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Switch(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Switch(false)),
            _ => Err("write true or false"),
        }
    }
}

/// Whether an option is on; without a value it is.
fn is_on(option: Option<Option<Switch>>, default: bool) -> bool {
    option.map_or(default, |value| value.is_none_or(|value| value.0))
}

/// What to do with a file that is not formatted.
#[derive(Clone, Copy)]
struct Actions {
    check: bool,
    diff: bool,
    list: bool,
    write: bool,
}

pub(crate) fn run(fmt: &Fmt, terminal: &mut Terminal) -> io::Result<u8> {
    let check = is_on(fmt.check, false);
    let actions = Actions {
        check,
        diff: is_on(fmt.diff, false),
        list: is_on(fmt.list, true),
        write: is_on(fmt.write, true) && !check,
    };
    let stdin = Path::new("-");
    if fmt.targets == [stdin] {
        return standard_input(actions, terminal);
    }
    if fmt.targets.iter().any(|target| target == stdin) {
        terminal.error("standard input (-) is formatted alone, not together with files")?;
        return Ok(USAGE);
    }
    let mut diagnostics = Diagnostics::new();
    let targets = targets::find(&fmt.targets, is_on(fmt.recursive, false), &OsFiles, &mut diagnostics);
    let mut changes = String::new();
    let mut is_changed = false;
    for outcome in parallel::map(&targets, |target| file(target, actions, &OsFiles)) {
        match outcome {
            Ok(None) => {}
            Ok(Some(change)) => {
                is_changed = true;
                changes.push_str(&change);
            }
            Err(errors) => diagnostics.extend(errors),
        }
    }
    terminal.result(&changes)?;
    terminal.diagnostics(&diagnostics)?;
    Ok(exit_code(actions, &diagnostics, is_changed))
}

fn exit_code(actions: Actions, diagnostics: &Diagnostics, is_changed: bool) -> u8 {
    if diagnostics.has_errors() {
        FAILURE
    } else if actions.check && is_changed {
        NEEDS_FORMATTING
    } else {
        0
    }
}

fn standard_input(actions: Actions, terminal: &mut Terminal) -> io::Result<u8> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    let path = Path::new("<stdin>");
    let mut diagnostics = Diagnostics::new();
    let mut is_changed = false;
    match formatted(path, FormatStyle::Terraform, bytes) {
        Ok(texts) => {
            is_changed = texts.is_changed();
            if actions.diff {
                terminal.result(&texts.diff(path))?;
            } else if !actions.check {
                terminal.result(&texts.new)?;
            }
        }
        Err(errors) => diagnostics.extend(errors),
    }
    terminal.diagnostics(&diagnostics)?;
    Ok(exit_code(actions, &diagnostics, is_changed))
}

/// Formats one file; gives what to print if that changes it.
fn file(target: &Target, actions: Actions, files: &dyn Files) -> Result<Option<String>, Vec<Diagnostic>> {
    let path = target.path.as_path();
    let bytes = files.read(path).map_err(|error| {
        let detail = format!("The file cannot be formatted: {error}.");
        vec![Diagnostic::error(ids::UNREADABLE_FILE, detail)]
    })?;
    let texts = formatted(path, target.style, bytes)?;
    if !texts.is_changed() {
        return Ok(None);
    }
    if actions.write {
        files.write_atomic(path, texts.new.as_bytes()).map_err(|error| {
            let detail = format!("The formatted file cannot be written: {error}. It is as it was.");
            vec![Diagnostic::error(ids::UNWRITABLE_FILE, detail)]
        })?;
    }
    let mut report = String::new();
    if actions.list {
        report.push_str(&format!("{}\n", path.display()));
    }
    if actions.diff {
        report.push_str(&texts.diff(path));
    }
    Ok(Some(report))
}

/// The text of a file before and after formatting.
struct Texts {
    old: Arc<SourceFile>,
    new: String,
}

impl Texts {
    fn is_changed(&self) -> bool {
        self.old.byte_order_mark_len() > 0 || self.old.text() != self.new
    }

    fn diff(&self, path: &Path) -> String {
        let mark = if self.old.byte_order_mark_len() > 0 { "\u{feff}" } else { "" };
        diff::unified(&path.display().to_string(), &format!("{mark}{}", self.old.text()), &self.new)
    }
}

fn formatted(path: &Path, style: FormatStyle, bytes: Vec<u8>) -> Result<Texts, Vec<Diagnostic>> {
    let old = SourceFile::from_bytes(FileId::new(path), bytes).map_err(|error| vec![error])?;
    let new = format(&old, style)?;
    Ok(Texts { old, new })
}
