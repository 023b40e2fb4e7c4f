//! Evaluates a root module in several environments, and compares the values: the query behind `terrane eval --matrix`.

mod differences;
mod evaluated;
mod json;
mod rows;
mod selected;
mod text;

use std::collections::HashMap;
use std::io;

use terrane_source::{Diagnostic, Diagnostics, Files};

use crate::document::Document;
use crate::environment::Environment;
use crate::json::text::{to_text, write_text};
use crate::project::Project;
use crate::report::Report;
use crate::secrets::Secrets;
use crate::workspace::{Stopped, Workspace};

pub use differences::Difference;
use evaluated::EvaluatedEnvironment;

/// A root module evaluated in several environments.
///
/// Directories are parsed once. An evaluation takes over the values of the previous environment that do not depend on variables
/// of the environment.
///
/// ```
/// use terrane::{Environment, Matrix, MemoryFiles, Project, Secrets};
///
/// let files = MemoryFiles::from_iter([
///     ("main.tf", "variable \"size\" {}\noutput \"size\" { value = var.size }\noutput \"same\" { value = 1 }\n"),
///     ("dev.tfvars", "size = \"small\"\n"),
///     ("prod.tfvars", "size = \"large\"\n"),
/// ]);
/// let environment = |name: &str| Environment {
///     name: name.to_owned(),
///     variable_files: vec![format!("{name}.tfvars").into()],
///     ..Environment::default()
/// };
/// let matrix = Matrix::evaluate(Project::new("."), ["dev", "prod"].map(environment), files)?;
/// let table = matrix.to_text(Secrets::Hidden);
/// assert_eq!(
///     table,
///     "             dev      prod\noutput.size  \"small\"  \"large\"\nvar.size     \"small\"  \"large\"\n"
/// );
/// # Ok::<(), terrane::Stopped>(())
/// ```
#[derive(Debug)]
pub struct Matrix {
    environments: Vec<EvaluatedEnvironment>,
}

impl Matrix {
    /// Evaluates the root module of `project` in each environment. Each has limits of its own, except for the limit on memory:
    /// the environments are in memory together, so each one has the memory that the earlier ones leave.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the flag to cancel in the limits of `project` was set.
    pub fn evaluate(
        project: Project,
        environments: impl IntoIterator<Item = Environment>,
        files: impl Files + 'static,
    ) -> Result<Matrix, Stopped> {
        let mut workspace = Workspace::new(files);
        let mut left = project.request().limits.memory;
        let base = workspace.add(project);
        let (mut last, mut evaluated) = (base, Vec::new());
        for environment in environments {
            workspace.limit_memory(base, left);
            let root = workspace.add_environment(base, last, &environment).ok_or(Stopped)?;
            let report = workspace.evaluate(root, None)?;
            // The environments share the trees of the configuration.
            left = left.saturating_sub(match evaluated.is_empty() {
                true => report.memory_in_use(),
                false => report.evaluation().memory_besides_trees(),
            });
            evaluated.push(EvaluatedEnvironment { environment, report, not_known: Vec::new() });
            last = root;
        }
        Ok(Matrix { environments: evaluated })
    }

    /// Returns the environments with their reports.
    pub fn environments(&self) -> impl Iterator<Item = (&Environment, &Report)> {
        self.environments.iter().map(|evaluated| (&evaluated.environment, &*evaluated.report))
    }

    /// Returns the errors and warnings of all environments, each once. A diagnostic that only some environments have names
    /// these environments.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut found: Vec<(Diagnostic, Vec<&str>)> = Vec::new();
        let mut positions: HashMap<String, usize> = HashMap::new();
        for EvaluatedEnvironment { environment, report, .. } in &self.environments {
            for diagnostic in report.diagnostics() {
                let position = *positions.entry(format!("{diagnostic:?}")).or_insert(found.len());
                match found.get_mut(position) {
                    // Validation and plan of an environment may report the same diagnostic.
                    Some((_, names)) if names.last() == Some(&&*environment.name) => {}
                    Some((_, names)) => names.push(&environment.name),
                    None => found.push((diagnostic.clone(), vec![&environment.name])),
                }
            }
        }
        let in_environments = |(diagnostic, names): (Diagnostic, Vec<&str>)| {
            let place = match names.as_slice() {
                all if all.len() == self.environments.len() => return diagnostic,
                [name] => format!("environment {name}"),
                several => format!("environments {}", several.join(", ")),
            };
            Diagnostic { detail: format!("In {place}: {}", diagnostic.detail), ..diagnostic }
        };
        let mut all: Diagnostics = found.into_iter().map(in_environments).collect();
        all.sort();
        all
    }

    /// Records why values that must be known in an environment are unknown: `reasons` has a list of sentences for each
    /// environment. [`Matrix::to_json`] writes them.
    #[must_use]
    pub fn with_not_known(mut self, reasons: impl IntoIterator<Item = Vec<String>>) -> Matrix {
        for (evaluated, reasons) in self.environments.iter_mut().zip(reasons) {
            evaluated.not_known = reasons;
        }
        self
    }

    /// Returns the values that differ between the environments, in the order of the listing of `terrane eval`.
    pub fn differences(&self, secrets: Secrets) -> Vec<Difference> {
        differences::of(&self.documents(secrets))
    }

    /// Returns a table of the values that differ, with a column for each environment.
    pub fn to_text(&self, secrets: Secrets) -> String {
        let names: Vec<&str> = self.environments().map(|(environment, _)| &*environment.name).collect();
        self.partial_notes() + &text::table(&names, &self.differences(secrets))
    }

    /// Returns a comment for each reason why values are partial, with the names of its environments unless it is the reason of all.
    fn partial_notes(&self) -> String {
        let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
        for (environment, report) in self.environments() {
            let Some(note) = report.partial_note() else { continue };
            match notes.iter_mut().find(|(found, _)| *found == note) {
                Some((_, names)) => names.push(&environment.name),
                None => notes.push((note, vec![&environment.name])),
            }
        }
        let count = self.environments().count();
        let lines = notes.into_iter().map(|(note, names)| match names.len() == count {
            true => format!("# {note}\n"),
            false => format!("# {}: {note}\n", names.join(", ")),
        });
        lines.collect()
    }

    /// Returns all values of all environments as JSON, and the addresses of the values that differ.
    pub fn to_json(&self, secrets: Secrets) -> String {
        let documents = self.documents(secrets);
        let differences = differences::of(&documents);
        to_text(&json::document(&self.environments, &documents, json::addressed(&differences)))
    }

    /// Writes the text of [`Matrix::to_json`] piece by piece, so that it is never in memory as a whole.
    pub fn write_json(&self, secrets: Secrets, out: &mut dyn io::Write) -> io::Result<()> {
        let documents = self.documents(secrets);
        let differences = differences::of(&documents);
        write_text(&json::document(&self.environments, &documents, json::addressed(&differences)), out)
    }

    fn documents(&self, secrets: Secrets) -> Vec<Document> {
        self.environments().map(|(_, report)| report.document(secrets)).collect()
    }
}
