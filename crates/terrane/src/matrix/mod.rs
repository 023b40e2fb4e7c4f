//! Evaluates a root module in several environments, and compares the values: the query behind `terrane eval --matrix`.

mod differences;
mod evaluated;
mod json;
mod rows;
mod selected;
mod text;

use std::collections::HashMap;
use std::io;
use std::sync::OnceLock;

use serde::{Serialize, Serializer};
use terrane_function::RAISE_MEMORY;
use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::counted;

use crate::document::Document;
use crate::environment::Environment;
use crate::json::text::write_text;
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
/// let table = matrix.to_text(Secrets::Hidden).expect("a short table");
/// assert_eq!(
///     table,
///     "             dev      prod\noutput.size  \"small\"  \"large\"\nvar.size     \"small\"  \"large\"\n"
/// );
/// # Ok::<(), terrane::Stopped>(())
/// ```
#[derive(Debug)]
pub struct Matrix {
    environments: Vec<EvaluatedEnvironment>,
    /// The error about environments that are not evaluated.
    exceeded: Option<Diagnostic>,
    /// The differences, found at the first request for them: with hidden and with shown secrets.
    differences: [OnceLock<Result<Vec<Difference>, Box<Diagnostic>>>; 2],
}

impl Matrix {
    /// Evaluates the root module of `project` in each environment. Each has limits of its own, except for the limit on memory:
    /// the environments are in memory together, so each one has the memory that the earlier ones leave. Where nothing is left, the further
    /// environments are not evaluated, which is an error.
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
        let most = project.request().limits.memory;
        let (mut left, mut exceeded) = (most, None);
        let base = workspace.add(project);
        let (mut last, mut evaluated) = (base, Vec::new());
        let mut environments = environments.into_iter();
        while let Some(environment) = environments.next() {
            workspace.limit_memory(base, left);
            let root = workspace.add_environment(base, last, &environment).ok_or(Stopped)?;
            let report = workspace.evaluate(root, None)?;
            let is_over = left < most && is_out_of_memory(&report);
            // The environments share the trees of the configuration.
            left = left.saturating_sub(match evaluated.is_empty() {
                true => report.memory_in_use(),
                false => report.evaluation().memory_besides_trees(),
            });
            left = left.saturating_sub(report.named_values().bytes() as u64);
            evaluated.push(EvaluatedEnvironment { environment, report, not_known: Vec::new() });
            // The next environment takes over values only from this one.
            let earlier = std::mem::replace(&mut last, root);
            if earlier != base {
                workspace.remove(earlier);
            }
            if left == 0 || is_over {
                exceeded = limit_exceeded(evaluated.len(), environments.count(), most);
                break;
            }
        }
        let differences = [const { OnceLock::new() }; 2];
        Ok(Matrix { environments: evaluated, exceeded, differences })
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
        let mut all: Diagnostics =
            found.into_iter().map(in_environments).chain(self.exceeded.clone()).collect();
        all.sort();
        all
    }

    /// Records why values that must be known in an environment are unknown: `reasons` has a list of sentences for each
    /// environment. [`Matrix::write_json`] writes them.
    #[must_use]
    pub fn with_not_known(mut self, reasons: impl IntoIterator<Item = Vec<String>>) -> Matrix {
        for (evaluated, reasons) in self.environments.iter_mut().zip(reasons) {
            evaluated.not_known = reasons;
        }
        self
    }

    /// Returns the values that differ between the environments, in the order of the listing of `terrane eval`.
    ///
    /// # Errors
    ///
    /// `Limit exceeded` if their texts would be longer than about 96 MiB.
    pub fn differences(&self, secrets: Secrets) -> Result<&[Difference], Box<Diagnostic>> {
        let [hidden, shown] = &self.differences;
        let found = match secrets {
            Secrets::Hidden => hidden,
            Secrets::Shown => shown,
        };
        let found = found.get_or_init(|| {
            let documents: Vec<Document> =
                self.environments().map(|(_, report)| report.document_of_values(secrets)).collect();
            differences::of(&documents)
        });
        found.as_deref().map_err(Clone::clone)
    }

    /// Returns a table of the values that differ, with a column for each environment.
    ///
    /// # Errors
    ///
    /// As for [`Matrix::differences`].
    pub fn to_text(&self, secrets: Secrets) -> Result<String, Box<Diagnostic>> {
        let names: Vec<&str> = self.environments().map(|(environment, _)| &*environment.name).collect();
        Ok(self.partial_notes() + &text::table(&names, self.differences(secrets)?))
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

    /// Writes all values of all environments as JSON, and the addresses of the values that differ, piece by piece, so that the text is
    /// never in memory as a whole.
    ///
    /// # Errors
    ///
    /// If writing fails, or as for [`Matrix::differences`].
    pub fn write_json(&self, secrets: Secrets, out: &mut dyn io::Write) -> io::Result<()> {
        let differences =
            self.differences(secrets).map_err(|error| io::Error::other(error.detail.clone()))?;
        let documents = self.environments().map(|(_, report)| WrittenReport { report, secrets });
        write_text(&json::document(&self.environments, documents, json::addressed(differences)), out)
    }
}

/// Whether an evaluation ended because its values took too much memory.
fn is_out_of_memory(report: &Report) -> bool {
    let is_such = |found: &Diagnostic| found.hints.iter().any(|hint| hint == RAISE_MEMORY);
    report.diagnostics().as_slice().iter().any(is_such)
}

/// Returns the error about `missing` environments that are not evaluated, because the first ones use the limit on memory.
fn limit_exceeded(evaluated: usize, missing: usize, most: u64) -> Option<Diagnostic> {
    let detail = format!(
        "The first {} take more than {most} bytes of memory together. {} not evaluated.",
        counted(evaluated, "environment"),
        match missing {
            1 => "The last one is".to_owned(),
            _ => format!("The last {missing} are"),
        }
    );
    let diagnostic = || Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_MEMORY);
    (missing > 0).then(diagnostic)
}

/// The document of an environment, which is made when it is written.
struct WrittenReport<'r> {
    report: &'r Report,
    secrets: Secrets,
}

impl Serialize for WrittenReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.report.document(self.secrets).serialize(serializer)
    }
}
