//! The golden plans of `plans/`: the plan document of a configuration against that of the reference.

use std::collections::BTreeMap;
use std::path::Path;

use libtest_mimic::Trial;
use serde::Deserialize;
use serde_json::value::RawValue;
use terrane::{
    Dialect, Files as _, OsFiles, Plan, Project, Report, Secrets, managed_instance, schemas_from_json,
    state_from_json,
};
use terrane_source::FileKind;

use crate::settings::below_tests;

/// Members that the reference draws from the time, from its version or from providers.
const NOT_COMPARED: [&str; 2] = ["timestamp", "terraform_version"];
/// Our own member.
const EXTENSION: &str = "terrane";
/// Our comment on an update, as only a provider knows whether it replaces the object.
const UPDATE_COMMENT: &str = "  # (or replaced: only the provider knows which changes replace an object)\n";
/// The note behind outputs that change alone, which the stored texts do not have.
const OUTPUTS_NOTE: &str = "\nYou can apply this plan to save these new output values to the Terraform\n\
                            state, without changing any real infrastructure.\n";
/// The members that need no provider.
const WITHOUT_PROVIDERS: [&str; 3] = ["format_version", "variables", "configuration"];

/// `case.json`.
#[derive(Deserialize)]
struct Case {
    args: Vec<String>,
    schemas: Option<String>,
    /// The state that the plan begins with.
    state: Option<String>,
    #[serde(default)]
    exit_code: i32,
    /// Whether answers of a provider or of a state are in the document, which nothing can compute offline.
    #[serde(default)]
    needs_provider: bool,
    /// Why there is no text to compare.
    no_text: Option<String>,
}

/// One trial for each directory of `plans/`.
///
/// # Errors
///
/// Where the directory cannot be listed.
pub fn trials() -> Result<Vec<Trial>, String> {
    let plans = below_tests("plans");
    let entries = OsFiles.list(&plans).map_err(|error| error.to_string())?;
    let directories = entries.into_iter().filter(|entry| entry.kind == FileKind::Directory);
    let trial = |name: String| {
        let directory = plans.join(&name);
        Trial::test(format!("plans::{name}"), move || Ok(compare(&directory)?))
    };
    Ok(directories.map(|entry| trial(entry.name)).collect())
}

/// A golden plan beside ours for the same configuration.
pub struct Pair {
    /// Our document, with sensitive values.
    pub ours: String,
    /// The document of the reference.
    pub theirs: String,
    /// Our text, without its first lines, if there is one of the reference.
    text: Option<String>,
    /// The text of the reference.
    their_text: Option<String>,
    /// Whether answers of a provider or of a state are in the document of the reference.
    pub needs_provider: bool,
    /// The errors of the evaluation, if there should be none, or none where there should be some.
    unexpected: Option<String>,
}

/// The pairs of documents by name.
///
/// # Errors
///
/// Where a file cannot be read.
pub fn pairs() -> Result<BTreeMap<String, Pair>, String> {
    let plans = below_tests("plans");
    let entries = OsFiles.list(&plans).map_err(|error| error.to_string())?;
    let directories = entries.into_iter().filter(|entry| entry.kind == FileKind::Directory);
    directories.map(|entry| Ok((entry.name.clone(), pair(&plans.join(entry.name))?))).collect()
}

fn pair(directory: &Path) -> Result<Pair, String> {
    let case: Case =
        serde_json::from_str(&read(&directory.join("case.json"))?).map_err(|error| error.to_string())?;
    let dialect: Dialect = "terraform".parse().map_err(|_| "no such dialect")?;
    let mut project = Project::new(directory.join("config")).dialect(dialect);
    if let Some(schemas) = &case.schemas {
        let text = read(&below_tests("plans").join(schemas))?;
        project = project.schemas(&schemas_from_json(&text).map_err(|error| error.to_string())?);
    }
    if let Some(state) = &case.state {
        let text = read(&directory.join(state))?;
        project = project.state(state_from_json(&text).map_err(|error| error.to_string())?);
    }
    let is_destruction = case.args.iter().any(|option| option == "-destroy");
    let mut arguments = case.args.iter().filter(|option| *option != "-destroy");
    while let Some(option) = arguments.next() {
        let value = arguments.next().map(String::as_str).unwrap_or_default();
        project = match (option.as_str(), value.split_once('=')) {
            ("-var", Some((name, value))) => project.variable(name, value),
            ("-replace", _) => project.replace(managed_instance(value)?),
            _ => return Err(format!("the option {option} is not known here")),
        };
    }
    let report = project.destroys(is_destruction).evaluate(&OsFiles);
    let their_text = match &case.no_text {
        None => Some(read(&directory.join("plan.txt"))?),
        Some(_) if OsFiles.read(&directory.join("plan.txt")).is_ok() => {
            return Err("there is a plan.txt, but case.json has `no_text`".to_owned());
        }
        Some(_) => None,
    };
    let text = match &their_text {
        Some(_) => {
            let plan = plan_of(&report, is_destruction, Secrets::Hidden)?;
            Some(plan.to_text().map_err(|error| error.detail.clone())?)
        }
        None => None,
    };
    let plan = plan_of(&report, is_destruction, Secrets::Shown)?;
    let is_unexpected = plan.has_errors() != (case.exit_code == 1);
    let found = || report.diagnostics().as_slice().iter().chain(plan.diagnostics().as_slice());
    Ok(Pair {
        ours: plan.to_json(),
        theirs: read(&directory.join("plan.json"))?,
        text: text.map(|text| objects_of(&text)),
        their_text,
        needs_provider: case.needs_provider,
        unexpected: is_unexpected.then(|| format!("errors: {:?}", found().collect::<Vec<_>>())),
    })
}

fn plan_of(report: &Report, is_destruction: bool, secrets: Secrets) -> Result<Plan<'_>, String> {
    let plan = match is_destruction {
        true => report.destroy_plan(secrets, &OsFiles),
        false => report.plan(secrets, &OsFiles),
    };
    plan.map_err(|reason| reason.to_string())
}

fn compare(directory: &Path) -> Result<(), String> {
    let pair = pair(directory)?;
    let (mut ours, mut theirs) = (Json::of(&pair.ours)?, Json::of(&pair.theirs)?);
    let mut differences = Vec::new();
    for document in [&mut ours, &mut theirs] {
        document.prepare(pair.needs_provider);
    }
    ours.compare(&theirs, "", &mut differences);
    differences.extend(pair.unexpected);
    if pair.text != pair.their_text {
        let [ours, theirs] = [pair.text, pair.their_text].map(Option::unwrap_or_default);
        differences.push(format!("the text is\n{ours}\ninstead of\n{theirs}"));
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// The text of a plan without the signs that it begins with, without its last note, and without our comment on updates, which a
/// reference does not need.
fn objects_of(text: &str) -> String {
    let rest = text.strip_prefix("Resource actions:").and_then(|text| text.split_once("\n\n"));
    let text = rest.map_or(text, |(_, rest)| rest);
    text.strip_suffix(OUTPUTS_NOTE).unwrap_or(text).replace(UPDATE_COMMENT, "")
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let bytes = OsFiles.read(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A JSON value. Numbers are compared as they are written.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Json {
    Leaf(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    fn of(text: &str) -> Result<Json, String> {
        let invalid = |error: serde_json::Error| format!("{error}: {text}");
        match text.trim_start().chars().next() {
            Some('{') => {
                let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(invalid)?;
                let members = members.into_iter().map(|(name, value)| Ok((name, Json::of(value.get())?)));
                Ok(Json::Object(members.collect::<Result<_, String>>()?))
            }
            Some('[') => {
                let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(invalid)?;
                Ok(Json::Array(
                    elements.into_iter().map(|value| Json::of(value.get())).collect::<Result<_, _>>()?,
                ))
            }
            Some('"') => {
                let text: String = serde_json::from_str(text).map_err(invalid)?;
                Ok(Json::Leaf(format!("{text:?}")))
            }
            _ => Ok(Json::Leaf(text.trim().to_owned())),
        }
    }

    /// Removes the members that are not compared.
    fn prepare(&mut self, needs_provider: bool) {
        let Json::Object(members) = self else { return };
        members.retain(|name, _| {
            let is_ignored = NOT_COMPARED.contains(&name.as_str()) || name == EXTENSION;
            !is_ignored && (!needs_provider || WITHOUT_PROVIDERS.contains(&name.as_str()))
        });
        if let Some(Json::Object(state)) = members.get_mut("prior_state") {
            state.remove("terraform_version");
        }
        // They have no order.
        if let Some(Json::Array(relevant)) = members.get_mut("relevant_attributes") {
            relevant.sort();
        }
    }

    fn compare(&self, theirs: &Json, path: &str, differences: &mut Vec<String>) {
        match (self, theirs) {
            (Json::Object(ours), Json::Object(theirs)) => {
                for (name, value) in ours {
                    match theirs.get(name) {
                        Some(other) => value.compare(other, &format!("{path}.{name}"), differences),
                        None => differences.push(format!("{path}.{name}: only here: {value:?}")),
                    }
                }
                let missing = theirs.iter().filter(|(name, _)| !ours.contains_key(*name));
                differences.extend(missing.map(|(name, value)| format!("{path}.{name}: missing: {value:?}")));
            }
            (Json::Array(ours), Json::Array(theirs)) if ours.len() == theirs.len() => {
                for (index, (one, other)) in ours.iter().zip(theirs).enumerate() {
                    one.compare(other, &format!("{path}[{index}]"), differences);
                }
            }
            _ if self == theirs => {}
            _ => differences.push(format!("{path}: {self:?} instead of {theirs:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found() {
        let found = |ours: &str, theirs: &str| {
            let mut differences = Vec::new();
            Json::of(ours).unwrap().compare(&Json::of(theirs).unwrap(), "", &mut differences);
            differences
        };
        assert!(found(r#"{"a": [1, "x", {}]}"#, r#"{"a":[1,"x",{ }]}"#).is_empty());
        assert_eq!(found(r#"{"a": 1.0}"#, r#"{"a": 1}"#), [".a: Leaf(\"1.0\") instead of Leaf(\"1\")"]);
        assert_eq!(found(r#"{"a": 1}"#, r#"{"b": 1}"#).len(), 2);
        assert_eq!(found("[1]", "[1, 2]").len(), 1);
    }
}
