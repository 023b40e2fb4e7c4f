//! Tests of the SARIF document.

use std::sync::Arc;

use serde_json::{Value, json};
use terrane_source::{FileId, ids};

use super::*;

fn run(diagnostics: &[Diagnostic]) -> Value {
    let document: Value = serde_json::from_str(&sarif(diagnostics, &Path::to_owned)).unwrap();
    assert_eq!(document["version"], "2.1.0");
    document["runs"][0].clone()
}

fn file(path: &str, text: &str) -> Arc<SourceFile> {
    SourceFile::new(FileId::new(path), text)
}

fn at(file: &Arc<SourceFile>, text: &str) -> Span {
    let start = u32::try_from(file.text().find(text).unwrap()).unwrap();
    Span::new(start, start + u32::try_from(text.len()).unwrap())
}

#[test]
fn a_result_has_fixes_and_places_in_other_files() {
    let [one, other] = ["a.tf", "b.tf"].map(|path| file(path, "x = nmae\n"));
    let error = Diagnostic::error(ids::UNKNOWN_VARIABLE, "There is no variable \"nmae\".")
        .at(&one, at(&one, "nmae"))
        .rename("nmae", "name")
        .label_in(&other, at(&other, "x"), "there");
    let result = &run(&[error])["results"][0];
    assert_eq!(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"], "b.tf");
    assert_eq!(
        result["fixes"],
        json!([{
            "description": {"text": "Replace `nmae` with `name`"},
            "artifactChanges": [{
                "artifactLocation": {"uri": "a.tf", "uriBaseId": "%SRCROOT%"},
                "replacements": [{
                    "deletedRegion": {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 9},
                    "insertedContent": {"text": "name"},
                }],
            }],
        }])
    );
}

#[test]
fn a_result_has_a_rule_and_a_place() {
    let file = file("a/ü b.tf", "# x\n\"😀é\" = nope\n}\n");
    let error = Diagnostic::error(ids::UNKNOWN_VARIABLE, "There is no variable \"nope\".")
        .at(&file, at(&file, "nope"))
        .within(at(&file, "\"😀é\" = nope"))
        .label(at(&file, "}"), "the end")
        .hint("Did you mean \"rope\"?")
        .value("var.a is 1")
        .about("module.a.local.b");
    let run = run(&[error]);
    assert_eq!(
        run["results"][0],
        json!({
            "ruleId": "core:unknown-variable",
            "ruleIndex": 0,
            "level": "error",
            "message": {
                "text": "Unknown variable: There is no variable \"nope\". Did you mean \"rope\"?\nvar.a is 1"
            },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": {"uri": "a/%C3%BC%20b.tf", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 13},
                    "contextRegion": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 13},
                },
                "logicalLocations": [{"fullyQualifiedName": "module.a.local.b"}],
            }],
            "relatedLocations": [{
                "id": 1,
                "physicalLocation": {
                    "artifactLocation": {"uri": "a/%C3%BC%20b.tf", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 2},
                },
                "message": {"text": "the end"},
            }],
            "partialFingerprints": {"ruleAndLine/v1": run["results"][0]["partialFingerprints"]["ruleAndLine/v1"]},
        })
    );
    let rule = &run["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "core:unknown-variable");
    assert_eq!(rule["shortDescription"]["text"], "Unknown variable");
    assert_eq!(rule["fullDescription"]["text"], ids::UNKNOWN_VARIABLE.meaning());
    assert_eq!(run["columnKind"], "utf16CodeUnits");
}

#[test]
fn every_rule_is_listed_once() {
    let file = file("a.tf", "a\n");
    let message = |id| Diagnostic::warning(id, "").at(&file, Span::new(0, 1));
    let run =
        run(&[message(ids::INVALID_INDEX), message(ids::UNKNOWN_VARIABLE), message(ids::INVALID_INDEX)]);
    let indexes: Vec<_> =
        run["results"].as_array().unwrap().iter().map(|result| &result["ruleIndex"]).collect();
    assert_eq!(indexes, [0, 1, 0]);
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 2);
    assert_eq!(run["results"][0]["level"], "warning");
}

#[test]
fn a_message_without_a_place_is_a_notification() {
    let run = run(&[Diagnostic::error(ids::UNREADABLE_FILE, "There is no\u{1b} file.")]);
    assert_eq!(
        run["invocations"],
        json!([{
            "executionSuccessful": false,
            "toolExecutionNotifications": [{
                "descriptor": {"id": "core:unreadable-file"},
                "level": "error",
                "message": {"text": "Failed to read file: There is no␛ file."},
            }],
        }])
    );
    assert_eq!(run["results"], json!([]));
    assert_eq!(self::run(&[])["invocations"], json!([{"executionSuccessful": true}]));
}

/// Returns the fingerprints of an error on every line with `nope`.
fn fingerprints(text: &str) -> Vec<String> {
    let file = file("a.tf", text);
    let places = text.match_indices("nope").map(|(start, _)| u32::try_from(start).unwrap());
    let errors: Vec<_> = places
        .map(|start| Diagnostic::error(ids::UNKNOWN_VARIABLE, "").at(&file, Span::new(start, start + 4)))
        .collect();
    let run = run(&errors);
    let results = run["results"].as_array().unwrap().iter();
    results
        .map(|result| result["partialFingerprints"]["ruleAndLine/v1"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let before = fingerprints("a = nope\nb = nope\na = nope\n");
    assert_eq!(before[0].split(':').next(), before[2].split(':').next());
    assert!(before[0] != before[1] && before[1] != before[2] && before[0] != before[2], "{before:?}");
    assert_eq!(fingerprints("# a remark\n\n  a  = nope\nx = 1\nb = nope\n\n a = nope\n"), before);
    // The value is part of the format: if it changed, every known result would count as new.
    assert_eq!(before[0], "1b4e7f4dd87b6709:1");
}

#[test]
fn paths_become_uris() {
    let uri_of = |path: &str| uri(Path::new(path));
    assert_eq!(uri_of("./modules/a#1/x y.tf"), ("modules/a%231/x%20y.tf".to_owned(), true));
    assert_eq!(uri_of("../a:b?%.tf"), ("../a%3Ab%3F%25.tf".to_owned(), true));
    assert_eq!(uri_of("/etc/a.tf"), ("file:///etc/a.tf".to_owned(), false));
}

#[test]
fn the_rules_of_other_programs_have_no_page_of_the_engine() {
    let id = DiagnosticId::new("lint:unused-local", "Unused local value", "Nothing refers to it.").unwrap();
    let file = SourceFile::new(FileId::new("a.tf"), "locals {}\n");
    let note = Diagnostic::note(id, "Remove it.").at(&file, Span::new(0, 6));
    let document: Value = serde_json::from_str(&sarif([&note], &|path| path.to_owned())).unwrap();
    let run = &document["runs"][0];
    assert_eq!(run["results"][0]["level"], "note");
    let rule = &run["tool"]["driver"]["rules"][0];
    assert_eq!((&rule["help"]["text"], rule.get("helpUri")), (&"Nothing refers to it.".into(), None));
}
