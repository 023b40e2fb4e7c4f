//! Sources of the values of root variables: environment, command line and files that the user names.

use std::path::PathBuf;

/// The sources of values for the root variables, in addition to the files in the directory of the root module.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct InputSources {
    /// The environment: names that begin with `TF_VAR_` set variables, other names are ignored.
    pub environment: Vec<(String, String)>,
    /// Names in the environment whose values are not UTF-8 text.
    pub unreadable: Vec<String>,
    /// Options of the command line, in order.
    pub assignments: Vec<Assignment>,
    /// Whether a variable that has neither a value nor a default is an error, as in a plan.
    /// Otherwise its value is unknown.
    pub strict: bool,
}

/// An option of the command line that sets variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assignment {
    /// `-var name=value`.
    Variable(String, String),
    /// `-var-file path`.
    File(PathBuf),
}
