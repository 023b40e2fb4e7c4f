//! Planned outputs against ours.

use std::collections::BTreeMap;
use std::path::Path;

use terrane_module::Request;
use terrane_source::OsFiles;
use terrane_value::{Mark, Value};

use super::terraform::{PlannedOutput, TestedOutput};
use crate::conformance::compare::{is_value, parse_type};
use crate::module::{EvaluatedModule, evaluate_module};
use crate::notation;

/// Evaluates the module and compares its root outputs.
///
/// # Errors
///
/// Every difference, one on a line.
pub fn outputs(module: &Path, planned: &BTreeMap<String, PlannedOutput>) -> Result<(), String> {
    of_module(&evaluate_module(Request::new(module), &OsFiles), planned)
}

/// Compares the root outputs of an evaluated module.
///
/// # Errors
///
/// Every difference, one on a line.
pub fn of_module(
    evaluated: &EvaluatedModule,
    planned: &BTreeMap<String, PlannedOutput>,
) -> Result<(), String> {
    let errors = evaluated.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let mut differences: Vec<String> =
        errors.map(|error| format!("error: {}: {}", error.title(), error.detail)).collect();
    let ours: BTreeMap<&str, &Value> = evaluated.outputs().into_iter().collect();
    for (name, wanted) in planned {
        match ours.get(name.as_str()) {
            Some(value) => differences.extend(difference(name, value, wanted)),
            None => differences.push(format!("{name} is missing")),
        }
    }
    // A plan does not mention an output whose value is null before and after it.
    let surplus = ours.iter().filter(|(name, value)| !planned.contains_key(**name) && !value.is_null());
    differences.extend(
        surplus.map(|(name, value)| format!("{name} = {} is not planned", notation::one_line(value))),
    );
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// Compares the root outputs of an evaluated module with those in the plan of a test, which have no types.
///
/// # Errors
///
/// Every difference, one on a line.
pub fn with_test(evaluated: &EvaluatedModule, tested: &BTreeMap<String, TestedOutput>) -> Result<(), String> {
    let mut differences = Vec::new();
    for (name, value) in evaluated.outputs() {
        let (plain, _) = value.unmark_deep();
        let found = notation::one_line(&plain);
        match tested.get(name) {
            None if plain.is_null() => {}
            None => differences.push(format!("{name} = {found} is not planned")),
            Some(wanted) if wanted.after_unknown.get() == "false" => {
                if !is_value(&plain, wanted.after.as_deref()) {
                    let wanted = wanted.after.as_ref().map_or("null", |raw| raw.get());
                    differences.push(format!("{name} = {found}, wanted {wanted}"));
                }
            }
            Some(_) if plain.is_wholly_known() => {
                differences.push(format!("{name} = {found}, but it is not known yet"));
            }
            Some(_) => {}
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

fn difference(name: &str, value: &Value, wanted: &PlannedOutput) -> Option<String> {
    let (plain, _) = value.unmark_deep();
    let found = notation::one_line(&plain);
    if value.has_mark(&Mark::Sensitive) != wanted.sensitive {
        return Some(format!("{name} is sensitive on one side only, ours is {found}"));
    }
    let Some(wanted_type) = &wanted.r#type else {
        return plain.is_wholly_known().then(|| format!("{name} = {found}, but it is not known yet"));
    };
    if !is_value(&plain, wanted.value.as_deref()) {
        let wanted = wanted.value.as_ref().map_or("null", |raw| raw.get());
        return Some(format!("{name} = {found}, wanted {wanted}"));
    }
    if plain.is_null() {
        // A plan does not give the type of a null.
        return None;
    }
    let wanted_type = parse_type(wanted_type).ok()?;
    let ty = plain.ty().without_optional();
    (ty != wanted_type).then(|| format!("{name} is of type {ty}, wanted {wanted_type}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::below_tests;

    fn compare(planned: &str) -> String {
        let planned = serde_json::from_str(planned).unwrap();
        outputs(&below_tests("modules/names"), &planned).err().unwrap_or_default()
    }

    #[test]
    fn every_difference_is_named() {
        let planned = r#"{
            "ids": {"sensitive": false, "type": ["object", {"dev": "string", "prod": "string"}], "value": {"dev": "x"}},
            "tags": {"sensitive": true, "type": "dynamic"},
            "secret": {"sensitive": true},
            "other": {"sensitive": false, "type": "bool", "value": true}
        }"#;
        let differences = compare(planned);
        let starts: Vec<_> = differences.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(starts, ["ids", "other", "secret", "tags", "all"], "{differences}");
    }
}
