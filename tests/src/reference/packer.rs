//! Compares Packer templates with the answers of a `packer` binary.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use libtest_mimic::Trial;
use terrane::{Diagnostic, Dialect, PackerTemplate, Secrets, Session};
use terrane_source::{FileKind, Files as _, OsFiles};

use super::terraform;
use crate::conformance::row::read_text;
use crate::settings::below_tests;

/// Expressions for the console, one on a line.
const CONSOLE: &str = "console.txt";

/// One trial for each directory of `templates/`; ignored ones where there is no binary.
///
/// # Errors
///
/// Where a directory cannot be listed.
pub fn trials() -> Result<Vec<Trial>, String> {
    let directory = below_tests("templates");
    let mut trials = Vec::new();
    for entry in OsFiles.list(&directory).map_err(|error| error.to_string())? {
        if entry.kind != FileKind::Directory {
            continue;
        }
        let name = format!("templates::{}", entry.name);
        let template = directory.join(&entry.name);
        trials.push(match terraform::find("packer") {
            Some(binary) => Trial::test(name, move || Ok(compare(&binary, &template)?)),
            None => {
                Trial::test(name, || Ok(())).with_kind("skipped: no packer on PATH").with_ignored_flag(true)
            }
        });
    }
    Ok(trials)
}

fn compare(binary: &Path, template: &Path) -> Result<(), String> {
    let copy = tempfile::tempdir().map_err(|error| error.to_string())?;
    terraform::copy(template, copy.path())?;
    let directory = copy.path().to_string_lossy().into_owned();
    let dialect = edition(&run(binary, &["version"], "")?)?;
    let ours = PackerTemplate::new(copy.path()).dialect(dialect).validating().evaluate(&OsFiles);
    let errors = ours.diagnostics().as_slice().iter().filter(|found| found.is_error());
    let errors: Vec<&str> = errors.map(Diagnostic::title).collect();
    let theirs = run(binary, &["validate", &directory], "")?;
    match (theirs.status.success(), first_title(&theirs)) {
        (true, _) if !errors.is_empty() => return Err(format!("packer accepts it, here {errors:?}")),
        (false, title) if !errors.contains(&title.as_str()) => {
            return Err(format!("packer says {title:?}, here {errors:?}"));
        }
        _ => {}
    }
    let session = Session::of_template(PackerTemplate::new(copy.path()).dialect(dialect).evaluate(&OsFiles));
    let expressions = read_text(&template.join(CONSOLE)).unwrap_or_default();
    let differences: Vec<String> = expressions
        .lines()
        .filter_map(|expression| difference(binary, &directory, &session, expression).transpose())
        .collect::<Result<_, _>>()?;
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// How the answers to an expression differ, if they do.
fn difference(
    binary: &Path,
    directory: &str,
    session: &Session,
    expression: &str,
) -> Result<Option<String>, String> {
    let theirs = run(binary, &["console", directory], &format!("{expression}\n"))?;
    let answered = session.evaluate(expression, &OsFiles);
    let errors = answered.diagnostics.as_slice().iter().filter(|found| found.is_error());
    let errors: Vec<&str> = errors.map(Diagnostic::title).collect();
    // The oldest editions exit with 0 also after an error.
    let title = first_title(&theirs);
    if !title.is_empty() || !errors.is_empty() {
        let same = errors.contains(&title.as_str());
        return Ok((!same).then(|| format!("{expression}: packer says {title:?}, here {errors:?}")));
    }
    let wanted = String::from_utf8_lossy(&theirs.stdout).trim_end().to_owned();
    let found = session.text(&answered, Secrets::Hidden).trim_end().to_owned();
    Ok((wanted != found).then(|| format!("{expression}: packer prints {wanted:?}, here {found:?}")))
}

fn run(binary: &Path, arguments: &[&str], input: &str) -> Result<Output, String> {
    let home = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = Command::new(binary);
    command.args(arguments).env("CHECKPOINT_DISABLE", "1").env("PACKER_CONFIG_DIR", home.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(|error| error.to_string())?;
    }
    child.wait_with_output().map_err(|error| error.to_string())
}

/// The dialect of the binary: `Packer v1.9.5` is `packer-1.9`.
fn edition(output: &Output) -> Result<Dialect, String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split('v').nth(1).unwrap_or_default().split('.');
    let name =
        format!("packer-{}.{}", numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    name.parse().map_err(|error| format!("{text:?}: {error}"))
}

/// The title of the first error: a line `Error: TITLE`.
fn first_title(output: &Output) -> String {
    let all = [&output.stderr, &output.stdout].map(|text| String::from_utf8_lossy(text).into_owned());
    let mut titles = all.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("Error: "));
    titles.next().unwrap_or_default().to_owned()
}
