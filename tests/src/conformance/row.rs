//! The rows of the tables, as they are in the files.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use terrane_source::{Files as _, OsFiles};

/// A row of `expressions.jsonl`, `typeconv.jsonl` or `schema.jsonl`.
#[derive(Deserialize)]
pub struct Row {
    /// Names the row.
    pub id: String,
    /// The category of the row.
    pub cat: String,
    /// The expression, in `expressions.jsonl`.
    #[serde(default)]
    pub expr: String,
    /// The type constraint, in `typeconv.jsonl`.
    #[serde(default)]
    pub type_expr: String,
    /// The expression to convert, in `typeconv.jsonl`.
    #[serde(default)]
    pub input_expr: String,
    /// The name of the schema, in `schema.jsonl`.
    #[serde(default)]
    pub schema_name: String,
    /// The body, in `schema.jsonl`.
    #[serde(default)]
    pub src: String,
    /// Whether the body is JSON.
    #[serde(default)]
    pub json_body: bool,
    /// Whether there is a result.
    pub ok: bool,
    /// The type of the result.
    pub r#type: Option<Box<RawValue>>,
    /// The result. Null and absent are the same.
    pub value: Option<Box<RawValue>>,
    /// The refinements of each unknown value in the result.
    #[serde(default)]
    pub unknowns: Vec<UnknownPart>,
    /// The parts of the result that are marked sensitive.
    #[serde(default)]
    pub sensitive_paths: Vec<String>,
    /// The result as the console prints it.
    pub console: Option<String>,
    /// The step that failed.
    #[serde(default)]
    pub phase: String,
    /// The bytes of the first error.
    pub error_bytes: Option<(u32, u32)>,
    /// Which of two texts `error_bytes` is about.
    #[serde(default, rename = "in")]
    pub text: String,
    /// The title of the first error.
    #[serde(default)]
    pub title: String,
}

/// An unknown value inside a result.
#[derive(Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnknownPart {
    /// Where it is; empty for the whole result.
    pub path: String,
    /// Whether it is certainly not null.
    #[serde(default)]
    pub not_null: bool,
    /// How a string certainly begins.
    pub prefix: Option<String>,
    /// The fewest elements of a collection.
    #[serde(default)]
    pub len_min: u64,
    /// The most elements of a collection.
    pub len_max: Option<u64>,
    /// The lower bound of a number.
    #[serde(default, deserialize_with = "number_text")]
    pub min: Option<String>,
    /// Whether a number can be at its lower bound.
    #[serde(default)]
    pub min_inclusive: bool,
    /// The upper bound of a number.
    #[serde(default, deserialize_with = "number_text")]
    pub max: Option<String>,
    /// Whether a number can be at its upper bound.
    #[serde(default)]
    pub max_inclusive: bool,
}

/// The exact text of a number.
fn number_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(Some(super::compare::canonical_number(raw.get()).unwrap_or_else(|| raw.get().to_owned())))
}

/// `world.json`: the variables that expressions refer to.
#[derive(Deserialize)]
pub struct World {
    /// Known variables.
    pub vars: BTreeMap<String, Typed>,
    /// The types of unknown variables.
    pub unknown: BTreeMap<String, Box<RawValue>>,
    /// The names of the sensitive ones.
    pub sensitive: Vec<String>,
}

/// A value with its type.
#[derive(Deserialize)]
pub struct Typed {
    /// The type.
    pub r#type: Box<RawValue>,
    /// The value. Null and absent are the same.
    pub value: Option<Box<RawValue>>,
}

/// A row of `behaviour.jsonl`.
#[derive(Deserialize)]
pub struct BehaviourRow {
    /// Names the row.
    pub id: String,
    /// How the row is run.
    pub mode: String,
    /// A text, or the files of a module.
    input: Box<RawValue>,
    /// The files of a module.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The expression to evaluate in the module.
    pub expr: Option<String>,
    /// The text before the input.
    #[serde(default)]
    pub prelude: String,
    /// Options.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The answer of the newest release.
    pub want: Option<Answer>,
    /// The answer of Terraform 1.11 where it differs.
    pub want_terraform: Option<Answer>,
}

impl BehaviourRow {
    /// The input where it is a text.
    pub fn text(&self) -> String {
        serde_json::from_str(self.input.get()).unwrap_or_default()
    }

    /// The input on one line, for people.
    pub fn summary(&self) -> String {
        let expr = self.expr.as_ref().map_or(String::new(), |expr| format!("{expr} in "));
        let files = self.files.iter().map(|(name, text)| format!("{name}: {text} "));
        format!("{expr}{}{}{}", self.prelude, files.collect::<String>(), self.text())
    }
}

/// The answer of a command.
#[derive(Deserialize)]
pub struct Answer {
    /// Whether there is no error.
    pub ok: bool,
    /// The printed text.
    pub text: Option<String>,
    /// The planned root outputs.
    pub outputs: Option<BTreeMap<String, PlannedOutput>>,
    /// The titles of its warnings.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The titles of its errors.
    #[serde(default)]
    pub titles: Vec<String>,
}

/// A root output of a plan.
#[derive(Deserialize)]
pub struct PlannedOutput {
    /// The value; absent where it is not wholly known.
    #[serde(default, deserialize_with = "even_null")]
    pub value: Option<Box<RawValue>>,
}

/// A value that is there, be it null.
fn even_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// A row of `functions.json`.
#[derive(Deserialize)]
pub struct SignatureRow {
    /// The name of the function.
    pub name: String,
    /// The parameters that every call gives.
    pub params: Vec<ParameterRow>,
    /// The parameter for any further arguments.
    pub var_param: Option<ParameterRow>,
}

/// A parameter of a function.
#[derive(Deserialize)]
pub struct ParameterRow {
    /// The type.
    pub r#type: Box<RawValue>,
}

/// Reads a file of one JSON object per line.
///
/// # Errors
///
/// Where the file cannot be read or a line is not such an object.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = read_text(path)?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            serde_json::from_str(line).map_err(|error| format!("{}:{number}: {error}", path.display()))
        })
        .collect()
}

/// Reads a JSON file.
///
/// # Errors
///
/// Where the file cannot be read or is not of that form.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    serde_json::from_str(&read_text(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a text file.
///
/// # Errors
///
/// Where the file cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = OsFiles.read(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| format!("{}: {error}", path.display()))
}
