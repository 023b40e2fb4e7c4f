//! `terrane fmt`: formats files in the layout of `terraform fmt` and `packer fmt`.

mod diff;
mod encoding;
mod targets;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use terrane::function::{Limits, RAISE_TIME};
use terrane::render::{visible_name, visible_text, without_commands};
use terrane::source::ids;
use terrane::syntax::FormatStyle;
use terrane::{
    Diagnostic, Diagnostics, Files, FoundFile, OsFiles, Search, SourceReader, Sources, Visit, format,
    visit_files,
};

use self::encoding::Decoded;
use self::targets::{Named, found_style, unknown};
use crate::colors::colored_diff;
use crate::exit::USAGE;
use crate::input::{self, STDIN};
use crate::options::local_path;
use crate::switch::{Switch, is_on};
use crate::terminal::Terminal;
use crate::writes;

/// The exit code with `-check` if a file is not formatted.
const NEEDS_FORMATTING: u8 = 3;
/// The exit code if a file could not be read, parsed or written.
const FAILURE: u8 = 2;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane fmt                          format the files of the current directory
  terrane fmt -check -diff -recursive  show unformatted files, in all directories below
  terrane fmt a.tf b.pkr.hcl           format these files
  terrane fmt - < main.tf              format standard input to standard output

Options take one dash or two, and a value after `=`, as in `-check=false`.

Exit codes: 0 done, 2 a file could not be read, parsed or written, or wrong arguments,
3 with -check: a file is not formatted.";

#[derive(Args, Debug)]
#[command(args_override_self = true)]
pub(crate) struct Fmt {
    /// Files and directories to format, or `-` for standard input. Without any, the current directory.
    #[arg(value_name = "TARGET", default_value = ".", hide_default_value = true, value_parser = local_path())]
    targets: Vec<PathBuf>,

    /// Write nothing; exit with code 3 if a file is not formatted.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    check: Option<Option<Switch>>,

    /// Print the changes, as `diff -u` does.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    diff: Option<Option<Switch>>,

    /// Print the names of the files that were not formatted. The default is true.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    list: Option<Option<Switch>>,

    /// Write the files. The default is true, but false with -check.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    write: Option<Option<Switch>>,

    /// Also format the directories below.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    recursive: Option<Option<Switch>>,

    /// Also format files outside of a directory that symbolic links in it lead to.
    #[arg(long, value_name = "BOOL", require_equals = true)]
    follow_links: Option<Option<Switch>>,
}

/// The actions on a file that is not formatted.
#[derive(Clone, Copy)]
struct Actions<'a> {
    /// Whether diffs have colours.
    has_color: bool,
    check: bool,
    diff: bool,
    list: bool,
    write: bool,
    limits: &'a Limits,
    follow_links: bool,
}

pub(crate) fn run(fmt: &Fmt, limits: &Limits, terminal: &mut Terminal) -> io::Result<u8> {
    let check = is_on(fmt.check, false);
    let actions = Actions {
        has_color: terminal.has_color(),
        check,
        diff: is_on(fmt.diff, false),
        list: is_on(fmt.list, true),
        write: is_on(fmt.write, true) && !check,
        limits,
        follow_links: is_on(fmt.follow_links, false),
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
    let sources = Sources::new(&OsFiles, limits);
    let mut search = Search::new(&OsFiles, |name| found_style(name).is_some());
    search.recursive = is_on(fmt.recursive, false);
    let mut changes = Vec::new();
    let mut is_changed = false;
    for visit in visit_files(&fmt.targets, search, |found| file(found, actions, &sources)) {
        match visit {
            Visit::File(Ok(None)) => {}
            Visit::File(Ok(Some(change))) => {
                is_changed = true;
                changes.extend(change);
            }
            Visit::File(Err(errors)) => diagnostics.extend(errors),
            Visit::Unreadable(error) => {
                let detail = format!("The directory cannot be listed: {error}.");
                diagnostics.push(Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail));
            }
        }
    }
    terminal.data(&changes)?;
    terminal.diagnostics(&diagnostics)?;
    Ok(exit_code(actions, &diagnostics, is_changed))
}

fn exit_code(actions: Actions<'_>, diagnostics: &Diagnostics, is_changed: bool) -> u8 {
    if diagnostics.has_errors() {
        FAILURE
    } else if actions.check && is_changed {
        NEEDS_FORMATTING
    } else {
        0
    }
}

fn standard_input(actions: Actions<'_>, terminal: &mut Terminal) -> io::Result<u8> {
    let path = Path::new(STDIN);
    let mut diagnostics = Diagnostics::new();
    let mut is_changed = false;
    let bytes = input::standard_input(&SourceReader::new(&OsFiles, actions.limits))?;
    let bytes = bytes.map_err(|diagnostic| vec![*diagnostic]);
    match bytes.and_then(|bytes| formatted(path, FormatStyle::Terraform, bytes)) {
        Ok(texts) => {
            is_changed = texts.is_changed();
            if actions.diff {
                terminal.result(&texts.diff(path, actions))?;
            } else if !actions.check {
                terminal.data(&whole_lines(texts.new_bytes()))?;
            }
        }
        Err(errors) => diagnostics.extend(errors),
    }
    terminal.diagnostics(&diagnostics)?;
    Ok(exit_code(actions, &diagnostics, is_changed))
}

/// Returns the text with a line break at its end, as the reference writes a text to standard output.
fn whole_lines(mut text: Vec<u8>) -> Vec<u8> {
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    text
}

/// Formats one file. Returns the bytes to print, if any.
fn file(
    found: FoundFile<'_>,
    actions: Actions<'_>,
    sources: &Sources<'_>,
) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let path = found.path;
    if actions.limits.is_out_of_time() {
        let detail = format!("The time is over before {} is formatted. It is as it was.", path.display());
        return Err(vec![Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_TIME)]);
    }
    // A path on the command line may name something other than a regular file.
    let style = match Named::of(path) {
        Named::Style(_) if !actions.follow_links && found.leads_out(&OsFiles) => {
            return Err(vec![outside(path)]);
        }
        Named::Style(style) => Ok(style),
        Named::LockFile => return Ok(None),
        Named::Unknown => Err(vec![Diagnostic::error(ids::UNKNOWN_FILE_TYPE, unknown(path))]),
    };
    let format = |bytes| style.and_then(|style| content(path, style, bytes, actions));
    sources.work(path, format).unwrap_or_else(|diagnostic| Err(vec![*diagnostic]))
}

/// Formats the content of a file. Returns the bytes to print, if any.
fn content(
    path: &Path,
    style: FormatStyle,
    bytes: Vec<u8>,
    actions: Actions<'_>,
) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let texts = formatted(path, style, bytes)?;
    // As in the reference, the text is printed if no option asks for anything else.
    if !(actions.check || actions.write || actions.list || actions.diff) {
        return Ok(Some(whole_lines(texts.new_bytes())));
    }
    if !texts.is_changed() {
        return Ok(None);
    }
    if actions.write {
        let (old, new) = (texts.old_bytes(), texts.new_bytes());
        let is_replaced = writes::hold_back(|| OsFiles.replace(path, &old, &new)).map_err(|cause| {
            let detail = format!("The formatted file cannot be written: {cause}. It is as it was.");
            vec![Diagnostic::error(ids::UNWRITABLE_FILE, detail)]
        })?;
        if !is_replaced {
            let detail = format!(
                "Another program has changed {} since it was read, so it is left as it is. Format it again.",
                path.display()
            );
            return Err(vec![Diagnostic::error(ids::UNWRITABLE_FILE, detail)]);
        }
    }
    let mut report = String::new();
    if actions.list {
        report.push_str(&format!("{}\n", visible_name(&path.display().to_string())));
    }
    if actions.diff {
        report.push_str(&texts.diff(path, actions));
    }
    // A diff is for people, unlike the text of a file.
    Ok(Some(without_commands(&report).into_owned().into_bytes()))
}

/// Returns the warning about a link that is not followed.
fn outside(path: &Path) -> Diagnostic {
    let detail = format!(
        "The symbolic link {} leads out of the directory to format, so its file is left as it is. Format the file by its \
         path, or pass -follow-links.",
        path.display()
    );
    Diagnostic::warning(ids::LINK_LEADS_OUT, detail)
}

/// The text of a file before and after formatting.
struct Texts {
    old: Decoded,
    new: String,
}

impl Texts {
    fn is_changed(&self) -> bool {
        self.old.source.byte_order_mark_len() > 0 || self.old.source.text() != self.new
    }

    /// Returns the text with its byte order mark.
    fn old_text(&self) -> String {
        let mark = if self.old.source.byte_order_mark_len() > 0 { "\u{feff}" } else { "" };
        format!("{mark}{}", self.old.source.text())
    }

    fn old_bytes(&self) -> Vec<u8> {
        self.old.encode(&self.old_text())
    }

    fn new_bytes(&self) -> Vec<u8> {
        self.old.encode(&self.new)
    }

    fn diff(&self, path: &Path, actions: Actions<'_>) -> String {
        let diff = diff::unified(&visible_name(&path.display().to_string()), &self.old_text(), &self.new);
        let bytes = self.old.encode(&diff);
        let diff = String::from_utf8_lossy(&bytes);
        // A diff is for people, so text is made visible before colours are added.
        let diff = visible_text(&diff);
        if actions.has_color { colored_diff(&diff) } else { diff.into_owned() }
    }
}

fn formatted(path: &Path, style: FormatStyle, bytes: Vec<u8>) -> Result<Texts, Vec<Diagnostic>> {
    let old = Decoded::of(path, bytes).map_err(|error| vec![error])?;
    let new = format(&old.source, style)?;
    Ok(Texts { old, new })
}
