//! Throughput of the formatter, and how its time grows: `cargo run --release --bin format`.
//!
//! The reference formats about 3 MB of such text a second.

#![expect(clippy::disallowed_methods, reason = "the bench measures time")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use benches::generate;
use cpu_time::ThreadTime;
use terrane_source::{FileId, SourceFile};
use terrane_syntax::{FormatStyle, format, format_part, join_parts, parse_body, parts_of};

const BYTES: usize = 10_000_000;
const RUNS: usize = 9;

fn main() {
    let text = generate::generate(BYTES).native;
    // Quadratic work would show in one long line and in one run of aligned lines.
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
    for bytes in [BYTES, 3 * BYTES] {
        in_parts(bytes);
    }
}

/// Compares one thread with two, in turns, by their best times, since threads show no gain while other processes have the
/// cores. Also measures the processor time on the longest way, which does not depend on other processes.
fn in_parts(bytes: usize) {
    let source = SourceFile::new(FileId::new("bench.tf"), generate::generate(bytes).native);
    let style = FormatStyle::Terraform;
    let mut best = [Duration::MAX; 4];
    for _ in 0..5 * RUNS {
        let wall = [time(|| format(&source, style)), time(|| terrane::format(&source, style))];
        let whole = processor_time(|| format(&source, style));
        let mut formatted = Vec::new();
        let mut longest = Duration::ZERO;
        for part in parts_of(source.text(), 2) {
            let time = processor_time(|| formatted.push(format_part(source.id(), part, style)));
            longest = longest.max(time);
        }
        let joined = processor_time(|| join_parts(formatted).expect("items"));
        for (best, time) in best.iter_mut().zip([wall[0], wall[1], whole, longest + joined]) {
            *best = time.min(*best);
        }
    }
    let [one, all, whole, longest] = best.map(|time| time.as_secs_f64() * 1e3);
    println!(
        "{:3} MB: one thread {one:7.2} ms, all cores {all:7.2} ms, {:.2}x",
        bytes / 1_000_000,
        one / all
    );
    println!(
        "        processor time {whole:7.2} ms, longest of two parts {longest:7.2} ms, {:.2}x",
        whole / longest
    );
}

fn processor_time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    black_box(work());
    start.elapsed()
}

fn time<T>(work: impl Fn() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn median<T>(work: impl Fn() -> T) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS).map(|_| time(&work)).collect();
    times.sort();
    times[times.len() / 2]
}
