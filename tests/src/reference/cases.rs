//! Compares the suite cases that say so with the plan of a `terraform` binary: the outputs, or the titles of the errors. A case with
//! mock files is a test, whose `run` block prints the plan.

use std::path::Path;

use libtest_mimic::Trial;
use tempfile::TempDir;
use terrane_source::{Files as _, OsFiles};

use super::terraform::{Place, Plan};
use super::{compare, states, terraform};
use crate::conformance::row::read_text;
use crate::settings::below_tests;
use crate::suite::case::{self, Case};
use crate::suite::inputs::Given;
use crate::suite::{markdown, modules};

/// The directory with the cases.
const SUITE: &str = "suite/modules";

/// One trial for each case with `--compare`; ignored ones where there is no binary.
///
/// # Errors
///
/// Where a file cannot be read or is not well-formed.
pub fn trials() -> Result<Vec<Trial>, String> {
    let binary = terraform::find("terraform");
    let mut trials = Vec::new();
    for entry in OsFiles.list(&below_tests(SUITE)).map_err(|error| error.to_string())? {
        let text = read_text(&below_tests(SUITE).join(&entry.name))?;
        for case in case::cases(&markdown::sections(&text))? {
            if case.is_template() || !Given::read(&case.inputs)?.is_compared {
                continue;
            }
            let name = format!("cases::{}::{}", entry.name.trim_end_matches(".md"), case.name);
            trials.push(match binary.clone() {
                Some(binary) => Trial::test(name, move || Ok(run(&binary, &case)?)),
                None => Trial::test(name, || Ok(()))
                    .with_kind("skipped: no terraform on PATH")
                    .with_ignored_flag(true),
            });
        }
    }
    Ok(trials)
}

fn run(binary: &Path, case: &Case) -> Result<(), String> {
    let given = Given::read(&case.inputs)?;
    let copy = CaseDirectory::new(case, &given)?;
    let place = copy.place(binary);
    let evaluated = modules::evaluated(case)?;
    if !given.mocks.is_empty() {
        copy.init(&place)?;
        let lines = place.run(&["test", "-verbose", "-json"], "")?;
        let lines = String::from_utf8_lossy(&lines.stdout).into_owned();
        return compare::with_test(&evaluated, &terraform::tested_outputs(&lines)?);
    }
    let errors = evaluated.diagnostics.iter().filter(|found| found.is_error());
    let mut ours: Vec<String> = errors.map(|error| error.title().to_owned()).collect();
    let planned = copy.init(&place).and_then(|()| {
        let mut arguments = vec!["plan", "-refresh=false", "-out=planned", "-no-color", "-input=false"];
        let variables: Vec<String> = states::variables(&given).collect();
        arguments.extend(variables.iter().map(String::as_str));
        place.succeed(&arguments)
    });
    let theirs = match planned {
        Ok(_) => {
            return compare::of_module(
                &evaluated,
                &Plan::outputs(&place.succeed(&["show", "-json", "planned"])?)?,
            );
        }
        Err(error) => states::without_colors(error.as_bytes()),
    };
    let titles = theirs
        .lines()
        .filter_map(|line| line.split_once("Error: ").map(|(_, title)| title.trim().to_owned()));
    let mut titles: Vec<String> = titles.collect();
    // The binary reports errors of one kind more than once.
    for titles in [&mut ours, &mut titles] {
        titles.sort_unstable();
        titles.dedup();
    }
    if ours == titles {
        Ok(())
    } else {
        Err(format!("terraform says {titles:?}, we say {ours:?}:\n{theirs}"))
    }
}

/// A directory with the files of a case.
pub struct CaseDirectory<'c> {
    directory: TempDir,
    case: &'c Case,
    environment: Vec<(String, String)>,
}

impl CaseDirectory<'_> {
    /// A new directory, still without `terraform.tfstate`: `init` would offer to move it.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn new<'c>(case: &'c Case, given: &Given) -> Result<CaseDirectory<'c>, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let workspace = given.workspace.iter().map(|name| ("TF_WORKSPACE".to_owned(), name.clone()));
        let environment = given.environment.iter().cloned().chain(workspace).collect();
        let copy = CaseDirectory { directory, case, environment };
        copy.write(false)?;
        Ok(copy)
    }

    /// The directory as a place in which the binary runs.
    pub fn place<'p>(&'p self, binary: &'p Path) -> Place<'p> {
        Place { binary, directory: self.directory.path(), environment: &self.environment }
    }

    /// Initializes the directory, then writes `terraform.tfstate`.
    ///
    /// # Errors
    ///
    /// The errors of the binary, or if a file cannot be written.
    pub fn init(&self, place: &Place<'_>) -> Result<(), String> {
        place.succeed(&["init", "-no-color", "-input=false"])?;
        self.write(true)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the files of a case are written into directories of their own"
    )]
    fn write(&self, is_state: bool) -> Result<(), String> {
        for file in self.case.files.iter().filter(|file| (file.title == "terraform.tfstate") == is_state) {
            let path = self.directory.path().join(&file.title);
            let parent = path.parent().unwrap_or(self.directory.path());
            std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
            OsFiles.write_atomic(&path, file.text().as_bytes()).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
