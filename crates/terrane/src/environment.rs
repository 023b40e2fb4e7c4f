//! The environment of a root module, such as `dev` or `prod`: one column of the matrix of `terrane eval --matrix`.

use std::path::PathBuf;

/// An environment of a root module: values of variables and a workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    /// The name in tables and documents.
    pub name: String,
    /// Variable files. Options of the project take precedence over them.
    pub variable_files: Vec<PathBuf>,
    /// The selected workspace. Without it, the workspace of the project is used.
    pub workspace: Option<String>,
}
