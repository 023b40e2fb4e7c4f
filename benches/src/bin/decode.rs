//! Measures how the time for decoding grows with the number of blocks, and compares `dynamic` blocks with written ones:
//! `cargo run --release --bin decode`.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use terrane::body::{BodySpec, Spec};
use terrane::{Engine, Type, Variables};

const BLOCKS: usize = 100_000;
const RUNS: usize = 5;

fn main() {
    let port = Spec::object([
        ("number", Spec::attribute("number", Type::Number)),
        ("name", Spec::attribute("name", Type::String)),
    ]);
    let spec = BodySpec::new(Spec::object([("ports", Spec::block_list("port", port))]));
    let block = |index: usize| format!("port {{\n  number = {index}\n  name = \"p-${{{index}}}\"\n}}\n");
    let mut last = None;
    for count in [BLOCKS / 100, BLOCKS / 10, BLOCKS] {
        let text: String = (0..count).map(block).collect();
        let time = time(&spec, "a.hcl", &text);
        let each = time.as_secs_f64() * 1e9 / count as f64;
        println!("{count:7} written blocks: {:8.1} ms, {each:6.0} ns each", time.as_secs_f64() * 1e3);
        last = Some(time);
    }
    let json: Vec<String> =
        (0..BLOCKS).map(|index| format!("{{\"number\": {index}, \"name\": \"p-${{{index}}}\"}}")).collect();
    let json = time(&spec, "a.json", &format!("{{\"port\": [{}]}}", json.join(",")));
    println!("{BLOCKS:7} blocks of JSON:  {:8.1} ms", json.as_secs_f64() * 1e3);
    let names: String = (0..BLOCKS).map(|index| format!("{index},")).collect();
    let dynamic = format!(
        "dynamic \"port\" {{\n  for_each = [{names}]\n  content {{\n    number = port.key\n    name = \"p-${{port.value}}\"\n  }}\n}}\n"
    );
    let dynamic = time(&spec, "a.hcl", &dynamic);
    let written = last.unwrap_or_default();
    println!(
        "{BLOCKS:7} dynamic blocks: {:8.1} ms, {:.2} times the written ones",
        dynamic.as_secs_f64() * 1e3,
        dynamic.as_secs_f64() / written.as_secs_f64()
    );
}

/// Returns the median time for decoding a parsed body.
fn time(spec: &BodySpec, name: &str, text: &str) -> Duration {
    let engine = Engine::new();
    let body = engine.parse_body(name, text).expect("valid");
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = ThreadTime::now();
            let decoded = engine.decode(&body, spec, &Variables::new());
            assert!(decoded.diagnostics.is_empty());
            black_box(decoded.value);
            start.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}
