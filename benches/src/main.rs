//! Throughput and memory of the parser against its peers: `cargo run --release`.

#![expect(clippy::disallowed_methods, reason = "time is what is measured")]

mod counting;
mod generate;
mod layout;

use std::hint::black_box;
use std::time::{Duration, Instant};

use terrane_source::{FileId, SourceFile};
use terrane_syntax::parse_body;

use crate::counting::count;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

const BYTES: usize = 10_000_000;
const RUNS: usize = 9;

fn main() {
    let generated = generate::generate(BYTES);
    let source = SourceFile::new(FileId::new("generated.tf"), generated.native.clone());
    let parsed = parse_body(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics.first());
    let (native, json) = (generated.native.as_str(), generated.json.as_str());
    println!(
        "native syntax: {} bytes, {} tokens, {} expressions",
        native.len(),
        parsed.tokens.len(),
        parsed.tree.expr_count()
    );
    println!("as JSON: {} bytes\n", json.len());

    // Interleaved, so that whatever slows the machine down slows all of them down.
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..RUNS {
        times[0].push(time(|| terrane_syntax::lex(&source, terrane_syntax::LexMode::Normal)));
        times[1].push(time(|| parse_body(&source)));
        times[2].push(time(|| hcl_edit::parser::parse_body(native).expect("valid")));
        times[3].push(time(|| serde_json::from_str::<serde_json::Value>(json).expect("valid")));
    }
    let [lexer, ours, hcl_edit, serde_json] = times.map(median);
    let row = |name: &str, time: Duration, bytes: usize| {
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!("{name:32} {:8.2} ms {speed:8.1} MB/s", time.as_secs_f64() * 1e3);
        speed
    };
    row("terrane-syntax lex", lexer, native.len());
    let speed = row("terrane-syntax parse_body", ours, native.len());
    let edit_speed = row("hcl-edit parse_body", hcl_edit, native.len());
    let json_speed = row("serde_json Value, same content", serde_json, json.len());
    println!("  against hcl-edit: {:.1}x the speed", speed / edit_speed);
    println!(
        "  against serde_json: {:.2}x the bytes per second, {:.2}x the content per second\n",
        speed / json_speed,
        serde_json.as_secs_f64() / ours.as_secs_f64()
    );

    let (parsed, bytes, allocations) = count(|| parse_body(&source));
    println!(
        "memory after parsing: {:.2}x the source ({} allocations)",
        bytes as f64 / native.len() as f64,
        allocations
    );
    println!("  tokens: {:.2}x", size_of_val(parsed.tokens.as_slice()) as f64 / native.len() as f64);
    println!("  with the text itself: {:.2}x\n", 1.0 + bytes as f64 / native.len() as f64);

    layout::measure(&parsed.tree, parsed.root, native.len());
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
