//! Evaluates a Packer template with its inputs.
//!
//! [`PackerTemplate`] collects the inputs; [`PackerTemplate::evaluate`] returns a [`TemplateReport`].

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use terrane_config::recorder::{AccessLog, Accesses, Recorder};
use terrane_config::{Assignment, Dialect, InputSources, InputValue};
use terrane_function::{Clock, Function, Host, Limits, Product};
use terrane_module::Gaps;
use terrane_packer::inputs::TemplateInputs;
use terrane_packer::{LoadedTemplate, ResolvedBuild, TemplateEvaluation, TemplateRequest};
use terrane_source::{Diagnostics, Files};
use terrane_value::{OriginKind, Origins, Type, Value, ValueKind, display};

use crate::library::add_function;
use crate::report::missing_text;
use crate::secrets::Secrets;

/// A Packer template and the inputs of its evaluation: values of variables, edition, selected builds and limits.
///
/// ```
/// use terrane::{MemoryFiles, PackerTemplate};
///
/// let files: MemoryFiles = [(
///     "image.pkr.hcl",
///     r#"
///         variable "release" { default = "24.04" }
///         source "docker" "ubuntu" { image = "ubuntu:${var.release}" }
///         build { sources = ["source.docker.ubuntu"] }
///     "#,
/// )]
/// .into_iter()
/// .collect();
///
/// let report = PackerTemplate::new(".").evaluate(&files);
/// assert!(!report.has_errors());
/// let run = &report.runs()[0];
/// assert_eq!(run.name(), "docker.ubuntu");
/// assert_eq!(run.source.arguments[0].value.as_str(), Some("ubuntu:24.04"));
/// ```
#[derive(Clone, Debug)]
pub struct PackerTemplate {
    request: TemplateRequest,
}

impl PackerTemplate {
    /// Returns the template in a directory or in a single file, with the values in its `*.auto.pkrvars.hcl`.
    pub fn new(path: impl Into<PathBuf>) -> PackerTemplate {
        PackerTemplate { request: TemplateRequest::new(path) }
    }

    /// Sets a variable, as `-var name=value` does. It overrides all variable files, in any order of calls.
    #[must_use]
    pub fn variable(self, name: impl Into<String>, text: impl Into<String>) -> PackerTemplate {
        self.assign(Assignment::Variable(name.into(), text.into()))
    }

    /// Sets a variable to a typed value of the program, without HCL text. It overrides all variable files, in any order of calls.
    ///
    /// ```
    /// use terrane::{MemoryFiles, PackerTemplate, Value};
    ///
    /// let text = "variable \"ports\" { type = list(number) }\n\
    ///             source \"null\" \"a\" {\n  communicator = \"none\"\n  ssh_port     = var.ports[0]\n}\n\
    ///             build { sources = [\"source.null.a\"] }\n";
    /// let files = MemoryFiles::from_iter([("a.pkr.hcl", text)]);
    /// let ports = Value::tuple([Value::from(22), Value::from(80)]);
    /// let report = PackerTemplate::new(".").variable_value("ports", ports).evaluate(&files);
    /// assert_eq!(report.runs()[0].source.arguments[1].value.as_number().and_then(|port| port.to_i64()), Some(22));
    /// ```
    #[must_use]
    pub fn variable_value(self, name: impl Into<String>, value: impl Into<Value>) -> PackerTemplate {
        self.assign(Assignment::Value(InputValue::new(name, value)))
    }

    /// Reads values of variables from a file, as `-var-file path` does.
    #[must_use]
    pub fn variable_file(self, path: impl Into<PathBuf>) -> PackerTemplate {
        self.assign(Assignment::File(path.into()))
    }

    /// Adds an assignment of variables, as [`Project::assign`](crate::Project::assign) does.
    #[must_use]
    pub fn assign(mut self, assignment: Assignment) -> PackerTemplate {
        self.request.inputs.assignments.push(assignment);
        self
    }

    /// Sets the environment variables. Names that begin with `PKR_VAR_` set variables; defaults of variables may read any name.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> PackerTemplate {
        self.request.inputs.environment.extend(variables);
        self
    }

    /// Sets all sources of variable values at once. Replaces the sources that were set before.
    #[must_use]
    pub fn inputs(mut self, inputs: InputSources) -> PackerTemplate {
        self.request.inputs = inputs;
        self
    }

    /// Makes a variable without a value and a default an error.
    #[must_use]
    pub fn strict_inputs(mut self, strict: bool) -> PackerTemplate {
        self.request.inputs.strict = strict;
        self
    }

    /// Makes a missing build an error, and a missing file that a built-in component of Packer needs.
    #[must_use]
    pub fn complete(mut self, complete: bool) -> PackerTemplate {
        self.request.complete = complete;
        self
    }

    /// Warns about values for variables that are not declared, as `packer build -warn-on-undeclared-var` does.
    #[must_use]
    pub fn warn_on_undeclared_variables(mut self, warn: bool) -> PackerTemplate {
        self.request.warn_undeclared = warn;
        self
    }

    /// Requires everything that `packer validate` requires: a build, a value for every variable, and a variable for every
    /// value.
    #[must_use]
    pub fn validating(self) -> PackerTemplate {
        self.strict_inputs(true).complete(true).warn_on_undeclared_variables(true)
    }

    /// Sets the edition of Packer. Dialects of other products are ignored.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> PackerTemplate {
        if let Dialect::Product(Product::Packer, edition) = dialect {
            self.request.edition = edition;
        }
        self
    }

    /// Keeps only the builds whose names match one of the patterns.
    #[must_use]
    pub fn only(mut self, patterns: impl IntoIterator<Item = String>) -> PackerTemplate {
        self.request.only.extend(patterns);
        self
    }

    /// Skips builds and post-processors whose names match one of the patterns.
    #[must_use]
    pub fn except(mut self, patterns: impl IntoIterator<Item = String>) -> PackerTemplate {
        self.request.except.extend(patterns);
        self
    }

    /// Sets the host of functions: time, random numbers, the home directory and the environment. Results that need a missing
    /// part of the host are unknown.
    #[must_use]
    pub fn host(mut self, host: Host) -> PackerTemplate {
        self.request.host = host;
        self
    }

    pub(crate) fn request(&self) -> &TemplateRequest {
        &self.request
    }

    /// Sets the clock for functions of time. Without a clock their results are unknown.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> PackerTemplate {
        self.request.host.clock = Some(Arc::new(clock));
        self
    }

    /// Sets the home directory of the user, for paths that begin with `~`. Without it such paths are unknown.
    #[must_use]
    pub fn home(mut self, directory: impl Into<PathBuf>) -> PackerTemplate {
        self.request.host.home = Some(directory.into());
        self
    }

    /// Sets the limits on time, memory and depth of the whole evaluation. Another thread can stop the evaluation through the
    /// cancellation flag of the limits; every value that is not computed yet is then an error.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> PackerTemplate {
        self.request.limits = limits;
        self
    }

    /// Adds a function. It replaces a function of Packer with the same name.
    #[must_use]
    pub fn function(mut self, function: Function) -> PackerTemplate {
        add_function(&mut self.request.functions, function);
        self
    }

    /// Loads and evaluates everything, reading through `files`.
    ///
    /// Errors are in [`TemplateReport::diagnostics`].
    pub fn evaluate(&self, files: &dyn Files) -> TemplateReport {
        let log = AccessLog::default();
        let files = &Recorder::new(files, &log).keeping_listings();
        let mut loaded = terrane_packer::load(&self.request, files);
        let mut gaps = gaps(&loaded);
        let inputs = loaded.inputs.clone();
        let loading = std::mem::take(&mut loaded.diagnostics);
        if loading.has_errors() {
            loaded.diagnostics = loading.clone();
        }
        let mut evaluation = terrane_packer::evaluate(loaded, self.request.clone(), files);
        let found = std::mem::take(&mut evaluation.diagnostics);
        let loaded = loading.len();
        let mut diagnostics = loading;
        diagnostics.extend(found);
        gaps.add_broken_strings(diagnostics.as_slice());
        TemplateReport { evaluation, diagnostics, loaded, gaps, accesses: log.take(), inputs }
    }
}

/// The outcome of evaluating a [`PackerTemplate`].
pub struct TemplateReport {
    evaluation: TemplateEvaluation,
    diagnostics: Diagnostics,
    /// The number of diagnostics about files, variables and their values. They are the first diagnostics.
    loaded: usize,
    gaps: Gaps,
    accesses: Accesses,
    /// The values that were given for variables.
    inputs: TemplateInputs,
}

/// Returns the parts of a template and its variable files that could not be read.
pub(crate) fn gaps(loaded: &LoadedTemplate) -> Gaps {
    Gaps { files: loaded.damaged.clone(), ..Gaps::default() }
}

impl fmt::Debug for TemplateReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemplateReport")
            .field("path", &self.evaluation.request.path)
            .field("runs", &self.evaluation.builds.len())
            .field("diagnostics", &self.diagnostics)
            .finish_non_exhaustive()
    }
}

impl TemplateReport {
    /// Returns errors and warnings, in the order in which they were found.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns the diagnostics about files, variables and their values. If these have errors, a console cannot be used either.
    pub fn loading_diagnostics(&self) -> Diagnostics {
        self.diagnostics.as_slice().iter().take(self.loaded).cloned().collect()
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Whether a file could not be read in full, so that values are missing or unknown.
    pub fn is_partial(&self) -> bool {
        !self.gaps.is_none()
    }

    /// Returns the parts that could not be read, in words.
    pub(crate) fn missing(&self) -> Option<String> {
        missing_text(&self.gaps)
    }

    /// Returns the values that were given for variables.
    pub(crate) fn inputs(&self) -> &TemplateInputs {
        &self.inputs
    }

    /// Returns the files that were read or looked for.
    pub(crate) fn accesses(&self) -> &Accesses {
        &self.accesses
    }

    /// Returns the evaluated template.
    pub fn evaluation(&self) -> &TemplateEvaluation {
        &self.evaluation
    }

    /// Returns every build for each of its sources. Their values show secrets; see [`TemplateReport::as_written`].
    pub fn runs(&self) -> &[ResolvedBuild] {
        &self.evaluation.builds
    }

    /// Returns the value as a template writes it: lists, sets and maps become tuples and objects. With [`Secrets::Hidden`], the
    /// texts of sensitive variables and local values are removed.
    pub fn as_written(&self, value: &Value, secrets: Secrets) -> Value {
        let value = as_written(value);
        match secrets {
            Secrets::Hidden => self.evaluation.secrets.hide_in(&value),
            Secrets::Shown => value,
        }
    }

    /// Returns a line for each value of an address, as `terrane eval` prints it.
    pub fn selected_to_text(&self, selected: &[(String, Value)]) -> String {
        let line =
            |(address, value): &(String, Value)| format!("{address} = {}\n", display::annotated(value));
        partial_line(self.missing().as_deref()) + &selected.iter().map(line).collect::<String>()
    }

    /// Returns the text that the console prints for a value.
    pub(crate) fn console_text(&self, value: &Value) -> String {
        self.evaluation.secrets.hide(&display::packer(&self.evaluation.secrets.hide_in(value))).into_owned()
    }

    /// Returns the answer to the command `variables` of the console.
    pub fn variables_text(&self) -> String {
        let evaluation = &self.evaluation;
        let mut text = String::from("> input-variables:\n\n");
        let line = |kind: &str, name: &str, value: &Value| {
            let shown = self.console_text(value);
            format!("{kind}.{name}: {}\n", display::quote(&shown))
        };
        let mut variables: Vec<_> = evaluation.template.variables.keys().zip(&evaluation.variables).collect();
        variables.sort_unstable_by_key(|(name, _)| *name);
        text.extend(variables.into_iter().map(|(name, value)| line("var", name, value)));
        text.push_str("\n> local-variables:\n\n");
        let unknown = Value::unknown_from(Type::Dynamic, Origins::one(OriginKind::Error, ""));
        let mut locals: Vec<_> = evaluation.template.locals.keys().zip(&evaluation.locals).collect();
        locals.sort_unstable_by_key(|(name, _)| *name);
        text.extend(
            locals.into_iter().map(|(name, value)| line("local", name, value.as_ref().unwrap_or(&unknown))),
        );
        text
    }

    /// Returns the names that expressions may use, for completion.
    pub(crate) fn names(&self) -> Vec<String> {
        let template = &self.evaluation.template;
        let built_in = ["packer.version", "path.cwd", "path.root", "source.name", "source.type"];
        let mut names: Vec<String> = built_in.into_iter().map(str::to_owned).collect();
        names.extend(template.variables.keys().map(|name| format!("var.{name}")));
        names.extend(template.locals.keys().map(|name| format!("local.{name}")));
        names.sort_unstable();
        names
    }
}

/// Returns the first line of a listing of values if parts of the template could not be read; otherwise an empty text.
pub(crate) fn partial_line(missing: Option<&str>) -> String {
    let note = missing.map(|reason| {
        format!("# partial values: {reason}; values that depend on the unreadable text are unknown\n")
    });
    note.unwrap_or_default()
}

/// Returns the value with tuples and objects in place of lists, sets and maps.
pub(crate) fn as_written(value: &Value) -> Value {
    let all = |values: &[Value]| values.iter().map(as_written).collect::<Vec<_>>();
    match value.kind() {
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            Value::tuple(all(elements))
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            Value::object(entries.iter().map(|(name, value)| (name.clone(), as_written(value))))
        }
        ValueKind::Null(_) => Value::NULL,
        ValueKind::Marked(inner, marks) => as_written(inner).with_marks(marks),
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Unknown(_) => {
            value.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    /// Builds share values in memory, but the limit counts the text of each build.
    #[test]
    fn the_builds_of_a_template_have_a_limit_together() {
        let template = "locals { one = range(1000) }\nlocals { all = [for i in local.one : local.one] }\n\
                        source \"docker\" \"x\" { image = local.all }\n\
                        build { sources = [for i in local.one : \"docker.x\"] }\n";
        let files = MemoryFiles::from_iter([("a.pkr.hcl", template)]);
        let report = PackerTemplate::new(".").evaluate(&files);
        let titles: Vec<&str> = report.diagnostics().as_slice().iter().map(|found| found.title()).collect();
        assert_eq!(titles, ["Limit exceeded"]);
        assert_eq!(report.runs().len(), 11);
    }
}
