//! Writes the licences of the packages that the commands contain, as Cargo and the packages themselves state them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The path of the file.
pub(crate) const PATH: &str = "THIRD-PARTY.md";

/// The packages that have the commands.
const COMMANDS: [&str; 2] = ["terrane-cli", "terrane-providers"];

/// The platform whose packages are listed.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

const PREFACE: &str = "\
# Third-party licences

The commands `terrane` and `terrane-providers` contain the packages below, by their authors and under their licences. Packages under a choice of
licences that offers MIT are used under MIT. The list is that of builds for Linux on x86-64; `cargo xtask third-party`
writes it from the lock file, and a test keeps it up to date.

";

/// The licence that is chosen if a package offers several.
const PREFERRED: &str = "MIT";

/// The names of files with licences and notices begin with one of these words.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "UNLICENSE", "NOTICE"];

/// Packages that include the sources of another project, with the path of its licence.
const INNER: [(&str, &str); 1] = [("libmimalloc-sys", "c_src/mimalloc/v3/LICENSE")];

/// Returns the whole file.
pub(crate) fn page(root: &Path) -> Result<String, String> {
    let packages = packages(root)?;
    let mut page = PREFACE.to_owned();
    page.push_str("| package | version | licence |\n| --- | --- | --- |\n");
    for package in &packages {
        page.push_str(&format!("| {} | {} | {} |\n", package.name, package.version, package.licence));
    }
    page.push_str("\n## Texts\n");
    let mut users: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for package in &packages {
        for text in &package.texts {
            users.entry(text.clone()).or_default().push(&package.name);
        }
    }
    let mut texts: Vec<(Vec<&str>, String)> = users.into_iter().map(|(text, users)| (users, text)).collect();
    texts.sort();
    for (users, text) in texts {
        page.push_str(&format!("\n### {}\n\n````text\n{text}\n````\n", users.join(", ")));
    }
    Ok(page)
}

struct Package {
    name: String,
    version: String,
    licence: String,
    repository: String,
    texts: BTreeSet<String>,
}

/// Returns the packages that the commands are linked with and that are not in this repository, sorted by name.
fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let metadata = metadata(root)?;
    let linked = linked(&metadata);
    let all = list(&metadata, "/packages");
    let others = all
        .iter()
        .filter(|package| linked.contains(text(package, "/id")) && !text(package, "/source").is_empty());
    let mut packages = others.map(package).collect::<Result<Vec<Package>, String>>()?;
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    // Some repositories state the licence of all their packages in only one of them.
    let stated: Vec<(String, BTreeSet<String>)> =
        packages.iter().map(|package| (package.repository.clone(), package.texts.clone())).collect();
    for package in packages.iter_mut().filter(|package| package.texts.is_empty()) {
        let siblings = stated.iter().filter(|(repository, _)| *repository == package.repository);
        package.texts = siblings.flat_map(|(_, texts)| texts.iter().cloned()).collect();
    }
    Ok(packages)
}

fn metadata(root: &Path) -> Result<Value, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output =
        cargo.args(["metadata", "--locked", "--format-version=1", "--filter-platform", PLATFORM]).output();
    let output = output.map_err(|error| format!("cargo did not start: {error}"))?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("`cargo metadata` failed: {error}"))
}

/// Returns the ids of the packages that are part of the commands. Packages that only tests, builds or macros use are not.
fn linked(metadata: &Value) -> BTreeSet<&str> {
    let mut dependencies: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for node in list(metadata, "/resolve/nodes") {
        let is_normal = |kind: &Value| text(kind, "/kind").is_empty();
        let linked =
            list(node, "/deps").iter().filter(|found| list(found, "/dep_kinds").iter().any(is_normal));
        dependencies.insert(text(node, "/id"), linked.map(|found| text(found, "/pkg")).collect());
    }
    let packages = list(metadata, "/packages");
    let has_kind = |package: &Value, kind: &str| {
        list(package, "/targets").iter().any(|target| list(target, "/kind").iter().any(|found| found == kind))
    };
    let macros = packages.iter().filter(|package| has_kind(package, "proc-macro"));
    let macros: BTreeSet<&str> = macros.map(|package| text(package, "/id")).collect();
    let commands = packages.iter().filter(|package| COMMANDS.contains(&text(package, "/name")));
    let mut open: Vec<&str> = commands.map(|package| text(package, "/id")).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !macros.contains(id) && found.insert(id) {
            open.extend(dependencies.get(id).into_iter().flatten());
        }
    }
    found
}

fn package(package: &Value) -> Result<Package, String> {
    let name = text(package, "/name").to_owned();
    let licence = text(package, "/license").replace('/', " OR ").replace("  ", " ");
    let directory = Path::new(text(package, "/manifest_path")).parent().unwrap_or(Path::new(""));
    let mut files: Vec<String> = std::fs::read_dir(directory)
        .map_err(|error| format!("{name}: {error}"))?
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|file| NAMES.iter().any(|start| file.to_uppercase().starts_with(start)))
        .collect();
    if is_offered(&licence, PREFERRED) && files.iter().any(|file| is_of(file, PREFERRED)) {
        files.retain(|file| is_of(file, PREFERRED) || file.to_uppercase().starts_with("NOTICE"));
    }
    files.extend(INNER.iter().filter(|(owner, _)| *owner == name).map(|(_, file)| (*file).to_owned()));
    let read = |file: &String| match std::fs::read(directory.join(file)) {
        Ok(bytes) => Ok(tidy(&String::from_utf8_lossy(&bytes))),
        Err(error) => Err(format!("{name}: {file}: {error}")),
    };
    let texts = files.iter().map(read).collect::<Result<BTreeSet<String>, String>>()?;
    let repository = text(package, "/repository").to_owned();
    Ok(Package { version: text(package, "/version").to_owned(), name, licence, repository, texts })
}

/// Whether `licence` alone satisfies an expression of licences.
fn is_offered(expression: &str, licence: &str) -> bool {
    !expression.contains(" AND ") && expression.split(" OR ").any(|choice| choice.trim() == licence)
}

fn is_of(file: &str, licence: &str) -> bool {
    file.to_uppercase().contains(licence)
}

/// Returns the text without differences of white space at the ends of lines.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// Returns the elements of the list that a JSON pointer leads to.
fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_up_to_date() {
        let written = std::fs::read_to_string(crate::root().join(PATH)).unwrap_or_default();
        let page = page(crate::root()).unwrap();
        assert!(written == page, "{PATH} is out of date: run `cargo xtask third-party`");
    }

    #[test]
    fn each_package_has_a_licence_and_a_text() {
        let packages = packages(crate::root()).unwrap();
        assert!(packages.len() > 50);
        let without: Vec<&str> = packages
            .iter()
            .filter(|package| package.licence.is_empty() || package.texts.is_empty())
            .map(|package| &*package.name)
            .collect();
        assert_eq!(without, [""; 0]);
    }

    #[test]
    fn a_licence_is_offered_alone() {
        assert!(is_offered("MIT", "MIT") && is_offered("MIT OR Apache-2.0", "MIT"));
        assert!(!is_offered("(MIT OR Apache-2.0) AND Unicode-3.0", "MIT") && !is_offered("MIT-0", "MIT"));
    }
}
