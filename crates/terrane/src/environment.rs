//! The environment of a root module, such as `dev` or `prod`: one column of the matrix of `terrane eval --matrix`.

use std::path::PathBuf;
use std::sync::Arc;

use terrane_config::recorder::Accesses;
use terrane_config::state::State;

/// An environment of a root module: values of variables, a workspace and a state.
#[derive(Clone, Default, Debug)]
pub struct Environment {
    /// The name in tables and documents.
    pub name: String,
    /// Variable files. Options of the project take precedence over them.
    pub variable_files: Vec<PathBuf>,
    /// The selected workspace. Without it, the workspace of the project is used.
    pub workspace: Option<String>,
    /// The state that the evaluation begins with. Without it, the state of the project is used.
    pub state: Option<EnvironmentState>,
}

/// The state of an environment.
#[derive(Clone, Debug)]
pub struct EnvironmentState {
    /// The state.
    pub state: Arc<State>,
    /// The files that the state was read from, which documents list.
    pub files: Accesses,
}
