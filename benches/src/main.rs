//! Compares throughput and memory of the parser with its peers: `cargo run --release`. `growth` measures only the growth of
//! the time; `once PARSER BYTES` runs a single parse, to count its instructions.

mod counting;
mod layout;

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use benches::generate;
use cpu_time::ThreadTime;
use terrane_source::{FileId, SourceFile};
use terrane_syntax::parse_body;

use crate::counting::{Counts, count};

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

const BYTES: usize = 10_000_000;
const RUNS: usize = 9;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["growth"] => return growth(),
        ["once", parser, bytes] => return once(parser, bytes.parse().expect("a number of bytes")),
        _ => {}
    }
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

    speed(&source, json);
    growth();
    memory(&source, json);
    layout::measure(&parsed.tree, parsed.root, native.len());
}

/// Runs every parser on the same content, in turns, so that other load on the machine slows all of them down alike.
fn speed(source: &Arc<SourceFile>, json: &str) {
    let native = source.text();
    let mut times: [Vec<Duration>; 5] = Default::default();
    for _ in 0..RUNS {
        times[0].push(time(|| terrane_syntax::lex(source, terrane_syntax::LexMode::Normal)));
        times[1].push(time(|| parse_body(source)));
        times[2].push(time(|| hcl_edit::parser::parse_body(native).expect("valid")));
        times[3].push(time(|| hcl::parse(native).expect("valid")));
        times[4].push(time(|| serde_json::from_str::<serde_json::Value>(json).expect("valid")));
    }
    let [lexer, ours, hcl_edit, hcl_rs, serde_json] = times.map(median);
    let row = |name: &str, time: Duration, bytes: usize| {
        let speed = bytes as f64 / 1e6 / time.as_secs_f64();
        println!("{name:32} {:8.2} ms {speed:8.1} MB/s", time.as_secs_f64() * 1e3);
        speed
    };
    row("terrane-syntax lex", lexer, native.len());
    let speed = row("terrane-syntax parse_body", ours, native.len());
    let edit_speed = row("hcl-edit parse_body", hcl_edit, native.len());
    let rs_speed = row("hcl-rs parse", hcl_rs, native.len());
    let json_speed = row("serde_json Value, same content", serde_json, json.len());
    println!("  lexing is {:.0}% of parsing", 100.0 * lexer.as_secs_f64() / ours.as_secs_f64());
    println!("  against hcl-edit: {:.1}x the speed", speed / edit_speed);
    println!("  against hcl-rs: {:.1}x the speed", speed / rs_speed);
    println!(
        "  against serde_json: {:.2}x the bytes per second, {:.2}x the content per second\n",
        speed / json_speed,
        serde_json.as_secs_f64() / ours.as_secs_f64()
    );
}

/// Prints the time for ten times as much text. Each measurement is the first parse of its own process: within one process, a
/// small text reuses memory of the run before, and a large one requests it from the system again.
fn growth() {
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..RUNS {
        for (times, bytes) in times.iter_mut().zip([BYTES / 10, BYTES, BYTES * 10]) {
            times.push(in_new_process(bytes));
        }
    }
    // The best time of each size counts, because other programs can only add time.
    let best = |times: Vec<Duration>| times.into_iter().min().map_or(0.0, |best| best.as_secs_f64());
    let [small, middle, large] = times.map(best);
    println!(
        "growth: 1 MB to 10 MB {:.1}x, 10 MB to 100 MB {:.1}x the time\n",
        middle / small,
        large / middle
    );
}

fn in_new_process(bytes: usize) -> Duration {
    let program = std::env::current_exe().expect("the path of this program");
    let output =
        Command::new(program).args(["once", "parse", &bytes.to_string()]).output().expect("it starts");
    let nanos = String::from_utf8(output.stdout).ok().and_then(|text| text.trim().parse().ok());
    Duration::from_nanos(nanos.expect("a number"))
}

/// Prints the nanoseconds of one parse. The parser `none` parses nothing: its instructions have to be subtracted from the
/// instructions of the other parsers.
fn once(parser: &str, bytes: usize) {
    let part = generate::generate(BYTES / 10);
    let times = (10 * bytes / BYTES).max(1);
    let source = SourceFile::new(FileId::new("generated.tf"), part.native.repeat(times));
    let json = format!("[{}]", vec![part.json; times].join(","));
    let native = source.text();
    let time = match parser {
        "none" => Duration::ZERO,
        "lex" => time(|| terrane_syntax::lex(&source, terrane_syntax::LexMode::Normal)),
        "parse" => time(|| parse_body(&source)),
        "hcl-edit" => time(|| hcl_edit::parser::parse_body(native).expect("valid")),
        "hcl-rs" => time(|| hcl::parse(native).expect("valid")),
        "serde_json" => time(|| serde_json::from_str::<serde_json::Value>(&json).expect("valid")),
        _ => panic!("no parser {parser}"),
    };
    println!("{}", time.as_nanos());
}

fn memory(source: &Arc<SourceFile>, json: &str) {
    let native = source.text();
    let row = |name: &str, counts: &Counts, bytes: usize| {
        let of_source = |part: usize| part as f64 / bytes as f64;
        println!(
            "{name:32} keeps {:6.2}x, at most {:6.2}x the source, {:9} allocations",
            of_source(counts.bytes),
            of_source(counts.peak),
            counts.allocations
        );
    };
    let (parsed, counts) = count(|| parse_body(source));
    row("terrane-syntax parse_body", &counts, native.len());
    let (_, counts) = count(|| hcl_edit::parser::parse_body(native).expect("valid"));
    row("hcl-edit parse_body", &counts, native.len());
    let (_, counts) = count(|| hcl::parse(native).expect("valid"));
    row("hcl-rs parse", &counts, native.len());
    let (_, counts) = count(|| serde_json::from_str::<serde_json::Value>(json).expect("valid"));
    row("serde_json Value, same content", &counts, json.len());
    println!(
        "  of ours the tokens: {:.2}x\n",
        size_of_val(parsed.tokens.as_slice()) as f64 / native.len() as f64
    );
}

/// Returns the processor time of `work`, without the time of other programs.
fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    black_box(work());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
