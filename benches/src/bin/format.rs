//! Throughput of the formatter, and how its time grows: `cargo run --release --bin format`.
//!
//! The reference formats about 3 MB of such text a second.

#![expect(clippy::disallowed_methods, reason = "time is what is measured")]

#[path = "../generate.rs"]
mod generate;

use std::hint::black_box;
use std::time::{Duration, Instant};

use terrane_source::{FileId, SourceFile};
use terrane_syntax::{FormatStyle, format, parse_body};

const BYTES: usize = 10_000_000;
const RUNS: usize = 9;

fn main() {
    let text = generate::generate(BYTES).native;
    // One line and one run of aligned lines are where quadratic work would show.
    let one_line = |items: usize| format!("a=[{}]\n", "b+1,".repeat(items));
    let aligned =
        |lines: usize| (0..lines).map(|line| format!("a{line}=\"${{b}}\"# c\n")).collect::<String>();
    let cases = [
        ("generated configuration", text.clone()),
        ("without indentation", text.lines().map(|line| format!("{}\n", line.trim_start())).collect()),
        ("one line, 1 MB", one_line(250_000)),
        ("one line, 10 MB", one_line(2_500_000)),
        ("aligned lines, 1 MB", aligned(50_000)),
        ("aligned lines, 10 MB", aligned(500_000)),
    ];
    for (name, text) in cases {
        let source = SourceFile::new(FileId::new("bench.tf"), text);
        let parsing = median(|| parse_body(&source));
        let formatting = median(|| format(&source, FormatStyle::Terraform).expect("valid"));
        let speed = source.text().len() as f64 / 1e6 / formatting.as_secs_f64();
        println!(
            "{name:24} {:8.2} ms {speed:8.1} MB/s, of which parsing {:3.0}%",
            formatting.as_secs_f64() * 1e3,
            100.0 * parsing.as_secs_f64() / formatting.as_secs_f64()
        );
    }
}

fn median<T>(work: impl Fn() -> T) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}
