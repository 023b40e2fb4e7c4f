//! Finds variable files: those that match a pattern, and those near a module that nothing reads.

use std::path::{Path, PathBuf};

use terrane::{Engine, Files, Variables};

/// The endings of variable files.
const ENDINGS: [&str; 2] = [".tfvars", ".tfvars.json"];

/// Whether a file has values of variables, by its name.
pub(super) fn is_variable_file(path: &Path) -> bool {
    name_of(path).is_some()
}

/// The name of a variable file without its ending, or of a directory.
pub(super) fn name_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))
}

/// The files that match a pattern of the function `fileset`, sorted.
pub(super) fn matching(pattern: &str, files: &'static dyn Files) -> Vec<PathBuf> {
    let base = if pattern.starts_with('/') { "/" } else { "." };
    let names = Variables::new().with("base", base).with("pattern", pattern.trim_start_matches('/'));
    let engine = Engine::new().files(files, "");
    let Ok(found) = engine.evaluate_text("fileset(base, pattern)", &names).ok() else { return Vec::new() };
    let paths = found.as_sequence().unwrap_or_default().iter().filter_map(|path| path.as_str());
    paths.map(|path| if base == "/" { Path::new(base).join(path) } else { PathBuf::from(path) }).collect()
}

/// The variable files in the directory of a module and two levels below it that are not loaded automatically and are not
/// among `used`.
pub(super) fn unused(directory: &Path, used: &[&Path], files: &'static dyn Files) -> Vec<PathBuf> {
    let Some(directory) = directory.to_str() else { return Vec::new() };
    let patterns = ["*", "*/*", "*/*/*"].map(|depth| match directory {
        "." => format!("{depth}{{.tfvars,.tfvars.json}}"),
        directory => format!("{}/{depth}{{.tfvars,.tfvars.json}}", directory.trim_end_matches('/')),
    });
    let is_automatic = |path: &Path| {
        let name = name_of(path).unwrap_or_default();
        name == "terraform" || name.ends_with(".auto")
    };
    let all = patterns.iter().flat_map(|pattern| matching(pattern, files));
    all.filter(|path| !is_automatic(path) && !used.contains(&path.as_path())).collect()
}
