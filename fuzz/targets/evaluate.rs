//! Evaluates any text as an expression over variables of every kind: nothing panics, limits hold, and the text of a known
//! value evaluates to that value.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use terrane::function::Limits;
use terrane::value::display;
use terrane::{Engine, MemoryFiles, RequestOptions, Secrets, Session, Variables, variables_from_json};
use terrane_fuzz::printable;

/// Far below the defaults, so that a run is short.
fn limits() -> Limits {
    Limits { depth: 100, elements: 10_000, bytes: 1 << 20, steps: 100_000, ..Limits::default() }
}

static WORLD: LazyLock<(Engine, Variables, Session)> = LazyLock::new(|| {
    let names = variables_from_json(include_str!("../../tests/conformance/world.json")).expect("variables");
    let engine = Engine::new().limits(limits());
    (engine.clone(), names.clone(), Session::of_variables(engine, names))
});

fuzz_target!(|text: &str| {
    let (engine, names, session) = &*WORLD;
    let evaluated = engine.evaluate_text(text, names);
    let value = &evaluated.value;
    assert!(display::console(value).len() < 1 << 28);
    let request = format!("{{\"expr\":{}}}", serde_json::Value::from(text));
    let mut options = RequestOptions::default();
    options.secrets = Secrets::Shown;
    let answer = session.request(&request, &MemoryFiles::new(), options);
    serde_json::from_str::<&serde_json::value::RawValue>(&answer).expect("an answer is JSON");
    if !evaluated.diagnostics.has_errors() {
        printable::reads_back(value);
    }
});
