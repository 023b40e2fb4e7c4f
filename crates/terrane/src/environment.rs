//! The environment of a root module, such as `dev` or `prod`.

use std::path::PathBuf;

/// An environment of a root module: values of variables and a workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    /// The name in tables and documents.
    pub name: String,
    /// Files that set variables. Options of the project count over them.
    pub variable_files: Vec<PathBuf>,
    /// The selected workspace; without it that of the project.
    pub workspace: Option<String>,
}
