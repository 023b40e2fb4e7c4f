//! Runs suites in the format of HCL's specification suite, with `terrane-hcldec` in place of `hcldec`: our suite, and the
//! public suite if it is found.
#![expect(clippy::disallowed_methods, reason = "tests run the command and read its cases")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]
#![expect(clippy::indexing_slicing, reason = "what an answer lacks is null in serde_json")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;
use terrane::body::{Attribute, Block, BodySchema, Content};
use terrane::eval::strict_type_constraint;
use terrane::value::{convert, display, json};
use terrane::{Body, Diagnostics, Engine, Program, Type, Value, Variables};

/// The variable with the directory of the public suite, unless it is beside the repository.
const SUITE: &str = "TERRANE_SPECSUITE";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the cases below a directory, without the ending of their files.
fn cases(directory: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            cases(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "t") {
            found.push(path.with_extension(""));
        }
    }
}

fn hcldec(case: &Path, input: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terrane-hcldec"))
        .arg(format!("--spec={}", case.with_extension("hcldec").display()))
        .arg("--diags=json")
        .args(arguments)
        .arg(input)
        .output()
        .expect("the command starts")
}

/// The expected results of a case.
struct Expected {
    content: Content,
    ty: Type,
}

impl Expected {
    fn read(case: &Path) -> Expected {
        let path = case.with_extension("t");
        let text = fs::read_to_string(&path).expect("a case");
        let body = Engine::new().parse_body("case.t", &text).expect("a case that parses");
        let schema = BodySchema::new().all_optional(&["result", "result_type"]);
        let content = read(&body, &schema.block("traversals", &[]).block("diagnostics", &[]));
        let ty = content.attribute("result_type").map_or(Type::Dynamic, |attribute| {
            strict_type_constraint(&attribute.reference(), &mut Diagnostics::new()).ty
        });
        Expected { content, ty }
    }

    fn result(&self) -> Option<Value> {
        let value = evaluate(self.content.attribute("result")?);
        Some(convert(&value, &self.ty).expect("a result of the type"))
    }

    /// Returns severity and bytes of each expected message.
    fn diagnostics(&self) -> BTreeSet<(String, u64, u64)> {
        let schema = BodySchema::new().block("error", &[]).block("warning", &[]);
        let blocks =
            self.content.blocks_of("diagnostics").flat_map(|block| read(&block.body, &schema).blocks);
        blocks.map(|block| (block.block_type.to_string(), byte(&block, "from"), byte(&block, "to"))).collect()
    }

    /// Returns the text and bytes of each expected reference.
    fn traversals(&self) -> Option<BTreeSet<(String, u64, u64)>> {
        let traversals = self.content.blocks_of("traversals").next()?;
        let expect = BodySchema::new().block("expect", &[]);
        let found = read(&traversals.body, &expect).blocks.into_iter().map(|block| {
            let (content, _) =
                block.body.partial_content(&BodySchema::new().required("ref"), &mut Diagnostics::new());
            let reference = content.attribute("ref").expect("a reference").reference();
            let text = reference.tree.expr_text(reference.id).to_owned();
            (text, byte(&block, "from"), byte(&block, "to"))
        });
        Some(found.collect())
    }
}

fn read(body: &Body, schema: &BodySchema) -> Content {
    let mut diagnostics = Diagnostics::new();
    let content = body.content(schema, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    content
}

fn evaluate(attribute: &Attribute) -> Value {
    let engine = Engine::new();
    let program = Program::new(attribute.expression(&mut Diagnostics::new()), engine.functions());
    engine.evaluate(&program, &Variables::new()).ok().expect("a value")
}

/// Returns the `byte` of a place in the block: of its start, or of its end.
fn byte(block: &Block, place: &str) -> u64 {
    let schema = BodySchema::new().block("from", &[]).block("to", &[]).optional("ref");
    let content = read(&block.body, &schema);
    let place = content.blocks_of(place).next().expect("a place");
    let position = read(&place.body, &BodySchema::new().all_optional(&["line", "column", "byte"]));
    let byte = evaluate(position.attribute("byte").expect("a byte"));
    byte.as_number().and_then(|number| number.to_u64()).expect("a number")
}

/// Returns the value that the command printed. If the type is unknown, the value has its type beside it, except for a null
/// without a type.
fn decoded(json: &Json, ty: &Type) -> Value {
    if *ty == Type::Dynamic {
        if json.is_null() {
            return Value::NULL;
        }
        let ty = json::decode_type(&json["type"].to_string()).expect("a type");
        return if json["value"].is_null() { Value::null(ty) } else { decoded(&json["value"], &ty) };
    }
    match (ty, json) {
        (Type::Object(object), Json::Object(properties)) => Value::object(
            object.attributes().iter().map(|(name, ty)| (name.clone(), decoded(&properties[&**name], ty))),
        ),
        (Type::Tuple(types), Json::Array(elements)) => {
            Value::tuple(elements.iter().zip(&**types).map(|(element, ty)| decoded(element, ty)))
        }
        _ => json::decode_as(&json.to_string(), ty).expect("a value of the type"),
    }
}

/// Returns the difference between the expected and the actual answer to one input of a case. `None` if they agree.
fn difference(case: &Path, input: &Path, expected: &Expected) -> Option<String> {
    if let Some(wanted) = expected.traversals() {
        let output = hcldec(case, input, &["--var-refs"]);
        let found: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        let text = fs::read_to_string(input).expect("the input");
        let found = found.as_array().expect("an array").iter().map(|reference| {
            let place = |name: &str| reference["range"][name]["byte"].as_u64().expect("a byte");
            let (start, end) = (place("start"), place("end"));
            let slice = usize::try_from(start).expect("small")..usize::try_from(end).expect("small");
            (text[slice].to_owned(), start, end)
        });
        let found: BTreeSet<_> = found.collect();
        if found != wanted {
            return Some(format!("references {found:?}, not {wanted:?}"));
        }
    }
    let output = hcldec(case, input, &["--with-type", "--keep-nulls"]);
    let wanted = expected.diagnostics();
    if !output.status.success() || !wanted.is_empty() {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let Ok(found) = serde_json::from_str::<Json>(&errors) else { return Some(errors) };
        let found = found["diagnostics"].as_array().expect("an array").iter().map(|message| {
            let place = |name: &str| message["subject"][name]["byte"].as_u64().expect("a byte");
            (message["severity"].as_str().expect("a text").to_owned(), place("start"), place("end"))
        });
        let found: BTreeSet<_> = found.collect();
        return (found != wanted).then(|| format!("messages at {found:?}, not {wanted:?}: {errors}"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let value = decoded(&serde_json::from_str(&text).expect("JSON"), &Type::Dynamic);
    let converted = convert(&value, &expected.ty);
    if !converted.is_ok_and(|converted| converted.ty() == value.ty()) {
        return Some(format!("the type {}, not {}", value.ty(), expected.ty));
    }
    let wanted = expected.result()?;
    let (found, wanted) = (display::console(&value), display::console(&wanted));
    (found != wanted).then(|| format!("{found}, not {wanted}"))
}

/// Runs the cases below a directory. Returns their number.
fn run(directory: &Path) -> usize {
    let mut found = Vec::new();
    cases(directory, &mut found);
    let mut wrong = Vec::new();
    for case in &found {
        let expected = Expected::read(case);
        for ending in ["hcl", "hcl.json"] {
            let input = case.with_extension(ending);
            if !input.exists() {
                continue;
            }
            if let Some(difference) = difference(case, &input, &expected) {
                wrong.push(format!("{}: {difference}", input.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} inputs are wrong:\n{}", wrong.len(), wrong.join("\n"));
    found.len()
}

#[test]
fn our_suite_passes() {
    let count = run(&repository().join("tests/specsuite"));
    assert!(count >= 60, "{count} cases");
}

#[test]
fn the_public_suite_passes() {
    let directory =
        std::env::var_os(SUITE).map_or_else(|| repository().join("../shared/specsuite/tests"), PathBuf::from);
    let mut stderr = std::io::stderr();
    if directory.is_dir() {
        let count = run(&directory);
        writeln!(stderr, "{count} cases of the specification suite pass").expect("it is written");
    } else {
        writeln!(stderr, "skipped: the specification suite is not there; {SUITE} names its directory")
            .expect("it is written");
    }
}
