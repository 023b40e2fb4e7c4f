//! Compares whether templates are accepted with the expectations of Packer's own tests: `cargo xtask compare-packer CHECKOUT`.
//!
//! `CHECKOUT` is a checkout of `hashicorp/packer`. Its tests in Go name the fixtures, the values of variables and the verdict;
//! nothing of Packer is run. The tests replace Packer's components by others, so arguments that the real components do not have
//! are counted separately.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use terrane::source::{DiagnosticId, ids};
use terrane::{Diagnostic, OsFiles, PackerTemplate};

/// The directory of the tests, which also has their fixtures.
const TESTS: &str = "hcl2template";

/// Diagnostics that only the real components report.
const OF_COMPONENTS: [DiagnosticId; 5] = [
    ids::PREPARE_FAILED,
    ids::EXTRANEOUS_PROPERTY,
    ids::UNSUPPORTED_ARGUMENT,
    ids::UNSUPPORTED_BLOCK,
    ids::INCORRECT_VALUE_TYPE,
];

/// A template in a test, and whether it has errors.
struct Fixture {
    path: String,
    variables: Vec<(String, String)>,
    files: Vec<String>,
    fails: bool,
}

pub(crate) fn run(checkout: &str) -> ExitCode {
    let directory = Path::new(checkout).join(TESTS);
    let fixtures = match read(&directory) {
        Ok(fixtures) => fixtures,
        Err(error) => {
            eprintln!("{}: {error}", directory.display());
            return ExitCode::FAILURE;
        }
    };
    let (mut alike, mut components, mut disagreed) = (0, 0, 0);
    for fixture in &fixtures {
        let errors = errors(fixture, &directory);
        let own = errors.iter().filter(|error| !OF_COMPONENTS.contains(&error.id)).count();
        match (fixture.fails, errors.is_empty(), own) {
            (true, false, _) | (false, true, _) => alike += 1,
            (false, false, 0) => components += 1,
            _ => {
                disagreed += 1;
                let titles: Vec<&str> = errors.iter().map(Diagnostic::title).collect();
                println!("DISAGREED {}: expected to fail: {}; here {titles:?}", fixture.path, fixture.fails);
            }
        }
    }
    println!(
        "{} fixtures: {alike} are accepted or refused alike, {components} are refused for arguments of components that the \
         tests replace, {disagreed} disagree",
        fixtures.len()
    );
    if disagreed == 0 && !fixtures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn errors(fixture: &Fixture, directory: &Path) -> Vec<Diagnostic> {
    let template = PackerTemplate::new(directory.join(&fixture.path)).strict_inputs(true);
    let template = fixture
        .variables
        .iter()
        .fold(template, |template, (name, value)| template.variable(name.as_str(), value.as_str()));
    let files = fixture.files.iter().map(|file| directory.join(file));
    let report = files.fold(template, PackerTemplate::variable_file).evaluate(&OsFiles);
    report.diagnostics().as_slice().iter().filter(|found| found.is_error()).cloned().collect()
}

fn read(directory: &Path) -> std::io::Result<Vec<Fixture>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.to_string_lossy().ends_with("_test.go"));
    paths.sort();
    let mut fixtures = Vec::new();
    for path in paths {
        fixtures.extend(in_test(&fs::read_to_string(path)?));
    }
    Ok(fixtures)
}

/// Returns the fixtures of a test: `parseTestArgs{"path", variables, files}`, then a line with two bools. The second bool is
/// true if the fixture has errors; the registry may have errors too.
fn in_test(text: &str) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for part in text.split("parseTestArgs{").skip(1) {
        let arguments = balanced(part);
        let mut strings = strings(arguments).into_iter();
        let verdict = part.lines().find_map(|line| match line.trim() {
            "true, true," => Some(true),
            "false, false," | "true, false," => Some(false),
            _ => None,
        });
        let registry = part.contains("wantDiagHasError: true");
        let verdict = verdict.map(|fails| fails || registry);
        let (Some(path), Some(fails)) = (strings.next(), verdict) else { continue };
        let list = |start: &str| {
            let rest = arguments.split_once(start).map(|(_, rest)| balanced(rest));
            rest.map(self::strings).unwrap_or_default()
        };
        let pairs = list("map[string]string{");
        let variables = pairs.chunks_exact(2).filter_map(|pair| match pair {
            [name, value] => Some((name.clone(), value.clone())),
            _ => None,
        });
        fixtures.push(Fixture { path, variables: variables.collect(), files: list("[]string{"), fails });
    }
    fixtures
}

/// Returns the text up to the brace that closes the brace before it.
fn balanced(text: &str) -> &str {
    let mut depth = 1;
    for (index, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(..index).unwrap_or(text);
        }
    }
    text
}

/// Returns the strings in double quotes. The strings in the tests have no escapes.
fn strings(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixtures_are_found_in_tests() {
        let text = "{\"a\",\n parser,\n parseTestArgs{\"testdata/a\", map[string]string{\"k\": \"v\"}, \
                    []string{\"f.hcl\"}},\n &Config{},\n true, true,\n nil,\n},\n\
                    {\"b\",\n parseTestArgs{\"testdata/b\", nil, nil},\n nil,\n false, false,\n}";
        let found = in_test(text);
        assert_eq!(found.len(), 2);
        let Fixture { path, variables, files, fails } = &found[0];
        assert_eq!((path.as_str(), *fails), ("testdata/a", true));
        assert_eq!(variables, &[("k".to_owned(), "v".to_owned())]);
        assert_eq!(files, &["f.hcl"]);
        assert!(!found[1].fails && found[1].files.is_empty());
    }
}
