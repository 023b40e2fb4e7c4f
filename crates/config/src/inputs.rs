//! Sources of the values of root variables: environment, command line, files that the user names, and the calling program.

use std::path::PathBuf;

use terrane_source::Subject;
use terrane_value::Value;

/// The sources of values for the root variables, in addition to the files in the directory of the root module.
#[derive(Clone, Default, Debug)]
pub struct InputSources {
    /// The environment: names that begin with `TF_VAR_` set variables, other names are ignored.
    pub environment: Vec<(String, String)>,
    /// Names in the environment whose values are not UTF-8 text.
    pub unreadable: Vec<String>,
    /// Options of the command line and values of the calling program, in order.
    pub assignments: Vec<Assignment>,
    /// Whether a variable that has neither a value nor a default is an error, as in a plan.
    /// Otherwise its value is unknown.
    pub strict: bool,
}

/// An option of the command line that sets variables, or a value of the calling program.
#[derive(Clone, Debug)]
pub enum Assignment {
    /// `-var name=value`.
    Variable(String, String),
    /// `-var-file path`.
    File(PathBuf),
    /// A value of the calling program.
    Value(InputValue),
}

/// A value that the calling program gives for a variable. It may be unknown, with its reasons, and have marks.
#[derive(Clone, Debug)]
pub struct InputValue {
    /// The name of the variable.
    pub name: String,
    /// The value, not yet converted to the type of the variable.
    pub value: Value,
    /// The source of the value, for messages: `the block "variables" of the run "small"`.
    pub origin: String,
    /// The place of the value, if it is written in a file. Messages about the value show this place.
    pub place: Option<Subject>,
}

impl InputValue {
    /// Returns a value without a place, whose origin is the calling program.
    pub fn new(name: impl Into<String>, value: impl Into<Value>) -> InputValue {
        let origin = "the calling program".to_owned();
        InputValue { name: name.into(), value: value.into(), origin, place: None }
    }
}
