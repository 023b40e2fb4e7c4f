//! The evaluation server as a program meets it: every row of the conformance tables as a request.
#![expect(clippy::disallowed_methods, reason = "tests run the command and read its tables")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]
#![expect(clippy::indexing_slicing, reason = "what an answer lacks is null in serde_json")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Map, Value, json};

fn table(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance").join(name)
}

fn rows(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(table(name)).expect("a table");
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

/// Returns the answers to `requests`, one line each.
fn answers(arguments: &[&str], requests: &[impl AsRef<[u8]> + Sync]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrane"))
        .env("TERRANE_CACHE_DIR", "/nonexistent")
        .args(["console", "--json", "--scope"])
        .arg(table("world.json"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("its input");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    let answers = thread::scope(|scope| {
        scope.spawn(move || {
            for request in requests {
                input.write_all(request.as_ref()).and_then(|()| input.write_all(b"\n")).expect("it reads");
            }
        });
        let parse =
            |line: std::io::Result<String>| serde_json::from_str(&line.expect("UTF-8")).expect("JSON");
        output.lines().map(parse).collect()
    });
    assert!(child.wait().expect("it ends").success());
    answers
}

/// Returns the value in the form of the tables: numbers are 64-bit floating point, as some are in the tables, and members that
/// the tables do not have are left out.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().map(|number| number + 0.0)),
        Value::Array(elements) => elements.iter().map(comparable).collect(),
        Value::Object(properties) => {
            let properties = properties.iter().filter(|(name, _)| *name != "origins");
            Value::Object(properties.map(|(name, value)| (name.clone(), comparable(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

fn by_path(value: Option<&Value>) -> BTreeMap<String, Value> {
    let parts = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    parts.iter().map(|part| (part["path"].to_string(), comparable(part))).collect()
}

/// Returns the first property of `row` that `answer` does not have or has with another value.
fn difference(row: &Value, answer: &Value) -> Option<&'static str> {
    let differs = |name: &&str| comparable(&row[*name]) != comparable(&answer[*name]);
    let fields: &[&str] = if row["ok"] == true {
        &["id", "ok", "value", "sensitive_paths", "console"]
    } else {
        &["id", "ok", "phase", "error_bytes", "in", "title"]
    };
    if let Some(name) = fields.iter().copied().find(differs) {
        let is_optional = name == "in" && row.get("in").is_none();
        let among = name == "title" && summaries(answer).any(|title| *title == row["title"]);
        return (!is_optional && !among).then_some(name);
    }
    if row["ok"] == true && without_optional(&row["type"]) != answer["type"] {
        return Some("type");
    }
    if row["ok"] == true && unknowns(row) != unknowns(answer) {
        return Some("unknowns");
    }
    let range = &answer["diagnostics"][0]["range"];
    let bytes = json!([range["start"]["byte"], range["end"]["byte"]]);
    (row["ok"] == false && !answer["error_bytes"].is_null() && bytes.is_null()).then_some("range")
}

fn summaries(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["diagnostics"].as_array().into_iter().flatten().map(|diagnostic| &diagnostic["summary"])
}

/// Returns a type without optional attributes, which the tables name in a third part.
fn without_optional(ty: &Value) -> Value {
    match ty {
        Value::Array(parts) => {
            let count = if parts.first().is_some_and(|kind| kind == "object") { 2 } else { parts.len() };
            parts.iter().take(count).map(without_optional).collect()
        }
        Value::Object(attributes) => {
            let attributes = attributes.iter().map(|(name, ty)| (name.clone(), without_optional(ty)));
            Value::Object(attributes.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => ty.clone(),
    }
}

fn unknowns(value: &Value) -> BTreeMap<String, Value> {
    let mut parts = by_path(value.get("unknowns"));
    for part in parts.values_mut() {
        part["type"] = without_optional(&part["type"]);
    }
    parts
}

fn check(rows: &[Value], request: impl Fn(&Value) -> Value) {
    let requests: Vec<String> = rows.iter().map(|row| request(row).to_string()).collect();
    let answers = answers(&["--show-sensitive"], &requests);
    assert_eq!(answers.len(), rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .zip(&answers)
        .filter_map(|(row, answer)| Some(format!("{}: {row}\n    {answer}", difference(row, answer)?)))
        .collect();
    let shown: Vec<&str> = wrong.iter().take(10).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {} answers differ:\n{}", wrong.len(), rows.len(), shown.join("\n"));
}

#[test]
fn every_expression_of_the_tables_has_its_answer() {
    check(&rows("expressions.jsonl"), |row| json!({"id": row["id"], "expr": row["expr"]}));
}

#[test]
fn every_conversion_of_the_tables_has_its_answer() {
    check(
        &rows("typeconv.jsonl"),
        |row| json!({"id": row["id"], "expr": row["input_expr"], "type": row["type_expr"]}),
    );
}

#[test]
fn every_body_of_the_tables_has_its_answer() {
    let schemas = fs::read_to_string(table("schemas.json")).expect("the schemas");
    let schemas: Value = serde_json::from_str(&schemas).expect("JSON");
    let request = |row: &Value| {
        let schema = &schemas[row["schema_name"].as_str().unwrap_or_default()];
        json!({"id": row["id"], "body": row["src"], "json_body": row["json_body"], "schema": schema})
    };
    check(&rows("schema.jsonl"), request);
}

#[test]
fn every_request_is_answered_in_order() {
    let deep = format!("{{\"id\":4,\"expr\":\"{}\"}}", "[".repeat(50_000));
    let requests = [
        "",
        "not JSON",
        "[1]",
        "{\"id\":{\"a\":1}}",
        "{\"id\":3,\"expr\":7}",
        &deep,
        "{\"expr\":\"var.secret\"}",
        "{\"id\":5,\"body\":\"a = 1\"}",
        "{\"id\":6,\"body\":\"a = 1\",\"schema\":{\"attributes\":{\"a\":{}}}}",
        "{\"id\":7,\"body\":\"a = 1\",\"expr\":\"1\",\"schema\":{}}",
        "{\"id\":8,\"body\":\"a = 1\",\"json_body\":1,\"schema\":{}}",
    ];
    let answers = answers(&[], &requests.map(str::to_owned));
    let found: Vec<(&Value, &Value, &Value)> =
        answers.iter().map(|answer| (&answer["id"], &answer["ok"], &answer["phase"])).collect();
    assert_eq!(
        json!(found),
        json!([
            [null, false, "request"],
            [null, false, "request"],
            [{"a": 1}, false, "request"],
            [3, false, "request"],
            [4, false, "parse"],
            [null, true, null],
            [5, false, "request"],
            [6, false, "request"],
            [7, false, "request"],
            [8, false, "request"],
        ])
    );
    assert_eq!(answers[5]["value"], json!({"__sensitive__": true}));
}

#[test]
fn a_request_with_wrong_encoding_is_refused() {
    let requests: [&[u8]; 2] = [b"{\"id\":1,\"expr\":\"\xff\"}", b"{\"id\":2,\"expr\":\"var.u_str\"}"];
    let answers = answers(&[], &requests);
    assert_eq!(answers[0]["phase"], "request");
    assert_eq!(answers[1]["unknowns"][0]["origins"][0]["subject"], "var.u_str", "{}", answers[1]);
}

#[test]
fn a_byte_order_mark_before_the_first_request_is_passed_over() {
    let answers = answers(&[], &["\u{feff}{\"id\":1,\"expr\":\"1 + 1\"}"]);
    assert_eq!(answers[0]["value"], 2, "{}", answers[0]);
}

#[test]
fn too_many_errors_are_counted() {
    let request = json!({"expr": format!("[{}]", "var.nope, ".repeat(5000))}).to_string();
    let answers = answers(&[], &[request]);
    let diagnostics = answers[0]["diagnostics"].as_array().expect("diagnostics");
    assert_eq!((answers.len(), diagnostics.len()), (1, 1000));
    let last = diagnostics[999]["detail"].as_str().expect("a detail");
    assert!(last.ends_with(" 4000 more errors of this kind are not listed."), "{last}");
}
