use std::path::PathBuf;

use terrane_config::{Assignment, Dialect, Moment, Request, inputs};
use terrane_function::Function;
use terrane_source::{Diagnostics, Files};

use crate::Report;

/// A module directory with the values of its variables: what to evaluate.
#[derive(Clone, Debug)]
pub struct Project {
    request: Request,
    environment: Vec<(String, String)>,
    assignments: Vec<Assignment>,
}

impl Project {
    /// The module in `directory`, with the values in its `terraform.tfvars` and `*.auto.tfvars`.
    pub fn new(directory: impl Into<PathBuf>) -> Project {
        Project { request: Request::new(directory), environment: Vec::new(), assignments: Vec::new() }
    }

    /// Sets a variable, as `-var name=value` does: for variables of a primitive type or without a type, `text` is
    /// the value; for others it is an expression. Later calls count over earlier ones.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, text: impl Into<String>) -> Project {
        self.assignments.push(Assignment::Variable(name.into(), text.into()));
        self
    }

    /// Reads values of variables from a file, as `-var-file path` does.
    #[must_use]
    pub fn variable_file(mut self, path: impl Into<PathBuf>) -> Project {
        self.assignments.push(Assignment::File(path.into()));
        self
    }

    /// The environment: names that begin with `TF_VAR_` set variables, others are not looked at.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Project {
        self.environment.extend(variables);
        self
    }

    /// The value of `terraform.workspace`, which is `default` otherwise.
    #[must_use]
    pub fn workspace(mut self, name: impl Into<String>) -> Project {
        self.request.workspace = name.into();
        self
    }

    /// Of which moment the values of resources are; that of a plan otherwise.
    #[must_use]
    pub fn moment(mut self, moment: Moment) -> Project {
        self.request.moment = moment;
        self
    }

    /// The product and edition that the configuration is written for.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Project {
        self.request.dialect = dialect;
        self
    }

    /// The home directory of the user, for paths that begin with `~`; unknown otherwise.
    #[must_use]
    pub fn home(mut self, directory: impl Into<PathBuf>) -> Project {
        self.request.home = Some(directory.into());
        self
    }

    /// Adds functions, such as those of a provider, which are called `provider::name::function`. Functions of
    /// providers that are not added give unknown values.
    #[must_use]
    pub fn functions(mut self, functions: impl IntoIterator<Item = Function>) -> Project {
        self.request.functions.extend(functions);
        self
    }

    /// Loads and evaluates everything, reading through `files`.
    ///
    /// This never fails: what is wrong is in [`Report::diagnostics`].
    pub fn evaluate(&self, files: &dyn Files) -> Report {
        let loaded = terrane_config::load(self.request.clone(), files);
        let mut diagnostics = loaded.diagnostics;
        let root = &loaded.config.node(terrane_config::NodeId::ROOT).module;
        let inputs = inputs::collect(root, files, &self.environment, &self.assignments, &mut diagnostics);
        let mut evaluation = terrane_config::evaluate(loaded.config, &inputs, files);
        if loaded.damaged {
            // After a syntax error parts are missing, so what evaluation finds may be due to that.
            evaluation.diagnostics = Diagnostics::new();
        }
        Report::new(evaluation, diagnostics)
    }
}
