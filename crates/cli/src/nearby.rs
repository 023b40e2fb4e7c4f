//! Finds variable files: files that match a pattern, and unused files near a module.

use std::io;
use std::path::{Path, PathBuf};

use terrane::module::automatic_source;
use terrane::value::{OriginKind, OriginsMemory};
use terrane::{Engine, Files, Report, Variables};

use crate::terminal::Terminal;

/// The endings of variable files.
const ENDINGS: [&str; 2] = [".tfvars", ".tfvars.json"];

/// Whether a file is a variable file, by its name.
pub(crate) fn is_variable_file(path: &Path) -> bool {
    name_of(path).is_some()
}

/// Returns the name of a variable file without its ending, or the name of a directory.
pub(crate) fn name_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))
}

/// Returns the files that match a pattern of the function `fileset`, sorted.
pub(crate) fn matching(pattern: &str, files: &'static dyn Files) -> Vec<PathBuf> {
    let base = if pattern.starts_with('/') { "/" } else { "." };
    let names = Variables::new().with("base", base).with("pattern", pattern.trim_start_matches('/'));
    let engine = Engine::new().files(files, "");
    let Ok(found) = engine.evaluate_text("fileset(base, pattern)", &names).ok() else { return Vec::new() };
    let paths = found.as_sequence().unwrap_or_default().iter().filter_map(|path| path.as_str());
    paths.map(|path| if base == "/" { Path::new(base).join(path) } else { PathBuf::from(path) }).collect()
}

/// The most files that a hint names.
const MAX_NAMES: usize = 4;

/// Whether a variable of the root module has no value.
pub(crate) fn has_unset_variables(report: &Report) -> bool {
    let variables = report.evaluation().root().variables.iter();
    let mut unknown = variables.filter(|value| !value.is_wholly_known());
    let is_of_variable = |kind: OriginKind| kind == OriginKind::Variable;
    let mut memory = OriginsMemory::new();
    unknown
        .any(|value| memory.origins_deep(value).as_slice().iter().any(|origin| is_of_variable(origin.kind)))
}

/// Prints a hint with the variable files near a module that are neither loaded automatically nor in `used`, the files of the
/// command line.
pub(crate) fn help_with_unused<'p>(
    directory: &Path,
    used: impl Iterator<Item = &'p Path>,
    files: &'static dyn Files,
    terminal: &mut Terminal,
) -> io::Result<()> {
    let found = unused(directory, used, files);
    let names: Vec<String> = found.iter().take(MAX_NAMES).map(|path| path.display().to_string()).collect();
    let Some(first) = names.first() else { return Ok(()) };
    let more = match found.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let several = match found.len() {
        1 => String::new(),
        _ => "; `terrane eval --matrix PATTERN` compares the values of several".to_owned(),
    };
    terminal.help(&format!(
        "variable files nearby are not read: {}{more}; `-var-file {first}` reads one{several}",
        names.join(", ")
    ))
}

/// Returns the variable files in the directory of a module and two levels below it that are neither loaded automatically nor in
/// `used`.
fn unused<'p>(
    directory: &Path,
    used: impl Iterator<Item = &'p Path>,
    files: &'static dyn Files,
) -> Vec<PathBuf> {
    let Some(directory) = directory.to_str() else { return Vec::new() };
    let patterns = ["*", "*/*", "*/*/*"].map(|depth| match directory {
        "." => format!("{depth}{{.tfvars,.tfvars.json}}"),
        directory => format!("{}/{depth}{{.tfvars,.tfvars.json}}", directory.trim_end_matches('/')),
    });
    let is_automatic = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| automatic_source(name).is_some())
    };
    // The command line may write the path of a file in another way.
    let real = |path: &Path| files.canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let used: Vec<PathBuf> = used.map(real).collect();
    let all = patterns.iter().flat_map(|pattern| matching(pattern, files));
    all.filter(|path| !is_automatic(path) && !used.contains(&real(path))).collect()
}
