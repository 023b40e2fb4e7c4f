//! Functions of the library on large collections: `cargo run --release --bin functions`. The time for ten times as
//! many elements shows functions that do not grow in proportion. `--instructions` counts instructions with `valgrind`
//! instead; neither other programs nor the size of the cache change the count.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use cpu_time::ThreadTime;
use terrane_function::{CallEnv, Function, Limits, call};
use terrane_source::MemoryFiles;
use terrane_value::{Number, SmolStr, Type, Value, json};

const SIZES: [usize; 2] = [10_000, 100_000];
const RUNS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let rows = terrane_stdlib::functions();
    let row = |name: &str| rows.iter().find(|row| row.name == name).expect("a function of the library");
    match arguments[..] {
        ["--instructions"] => return instructions(),
        ["--run", name, size, runs] => {
            let (_, arguments) = cases().into_iter().find(|(case, _)| *case == name).expect("a case");
            let arguments = arguments(size.parse().expect("a size"));
            // The first call fills caches, such as the cache of compiled patterns.
            return (0..=runs.parse::<u32>().expect("a number of runs"))
                .for_each(|_| run(row(name), &arguments));
        }
        _ => {}
    }
    println!("{:24} {:>12} {:>12} {:>8}", "call", SIZES[0], SIZES[1], "growth");
    for (name, arguments) in cases() {
        let [small, large] = SIZES.map(|size| measure(row(name), &arguments(size)));
        line(name, small, large);
    }
    println!();
    let [encode, decode] = against_serde(SIZES[1], row("jsonencode"), row("jsondecode"));
    println!("jsonencode against serde_json: {encode:.2}x the time");
    println!("jsondecode against serde_json: {decode:.2}x the time");
}

type Arguments = fn(usize) -> Vec<Value>;

fn cases() -> Vec<(&'static str, Arguments)> {
    vec![
        ("distinct", |size| vec![names(size)]),
        ("toset", |size| vec![names(size)]),
        ("setunion", |size| vec![set(0..size), set(size / 2..size + size / 2)]),
        ("setintersection", |size| vec![set(0..size), set(size / 2..size + size / 2)]),
        ("setsubtract", |size| vec![set(0..size), set(size / 2..size + size / 2)]),
        ("merge", |size| vec![map(0..size), map(size / 2..size + size / 2)]),
        ("concat", |size| vec![names(size), names(size)]),
        ("flatten", |size| vec![Value::tuple((0..size).map(|at| Value::tuple([text(at), number(at)])))]),
        ("zipmap", |size| vec![names(size), Value::tuple((0..size).map(number))]),
        ("keys", |size| vec![map(0..size)]),
        ("values", |size| vec![map(0..size)]),
        ("sort", |size| vec![names(size)]),
        ("reverse", |size| vec![names(size)]),
        ("compact", |size| vec![names(size)]),
        ("contains", |size| vec![names(size), "none".into()]),
        ("index", |size| vec![names(size), text(size - 1)]),
        ("matchkeys", |size| vec![names(size), names(size), names(size / 100)]),
        ("transpose", |size| {
            let entry = |at: usize| (key(at), Value::list(Type::String, [text(at % 100)]));
            vec![Value::map(Type::list(Type::String), (0..size).map(entry))]
        }),
        ("chunklist", |size| vec![names(size), number(7)]),
        ("sum", |size| vec![Value::list(Type::Number, (0..size).map(number))]),
        ("join", |size| vec![",".into(), names(size)]),
        ("split", |size| vec![",".into(), "abc,".repeat(size).into()]),
        ("formatlist", |size| vec!["%s-%d".into(), names(size), Value::tuple((0..size).map(number))]),
        ("regexall", |size| vec!["[a-z]+".into(), "abc 123 ".repeat(size).into()]),
        ("replace", |size| vec!["abc 123 ".repeat(size).into(), "/[a-z]+/".into(), "<$0>".into()]),
        ("jsonencode", |size| vec![records(size)]),
        ("jsondecode", |size| vec![json::encode(&records(size)).expect("known").into()]),
        ("yamlencode", |size| vec![records(size)]),
        ("yamldecode", |size| {
            let record = |at: usize| format!("- name: item-{at}\n  number: {at}\n  tags: [a, b]\n");
            vec![(0..size).map(record).collect::<String>().into()]
        }),
        ("csvdecode", |size| {
            let record = |at: usize| format!("{at},item-{at},x\n");
            vec![format!("id,name,tag\n{}", (0..size).map(record).collect::<String>()).into()]
        }),
    ]
}

fn key(at: usize) -> SmolStr {
    format!("item-{at}").into()
}

fn text(at: usize) -> Value {
    Value::string(key(at))
}

fn number(at: usize) -> Value {
    Value::number(Number::counted(at as i64))
}

fn names(size: usize) -> Value {
    Value::list(Type::String, (0..size).map(text))
}

fn set(range: std::ops::Range<usize>) -> Value {
    Value::set(Type::String, range.map(text))
}

fn map(range: std::ops::Range<usize>) -> Value {
    Value::map(Type::Number, range.map(|at| (key(at), number(at))))
}

fn records(size: usize) -> Value {
    let record = |at: usize| {
        Value::object([
            ("name".into(), text(at)),
            ("number".into(), number(at)),
            ("tags".into(), Value::tuple(["a".into(), "b".into()])),
        ])
    };
    Value::tuple((0..size).map(record))
}

fn measure(function: &Function, arguments: &[Value]) -> Duration {
    median((0..RUNS).map(|_| time(|| run(function, arguments))).collect())
}

fn run(function: &Function, arguments: &[Value]) {
    let (files, limits) = (MemoryFiles::new(), Limits::default());
    let env = CallEnv::new(&files, Path::new("."), &limits);
    black_box(call(function, arguments.to_vec(), &env).expect("a result"));
}

/// Prints how many instructions one call of each case takes.
fn instructions() {
    let this = std::env::current_exe().expect("the path of this program");
    let collected = |name: &str, size: usize, runs: usize| {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&this);
        valgrind.args(["--run", name, &size.to_string(), &runs.to_string()]);
        let output = valgrind.output().expect("valgrind");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let (_, count) = text.split_once("Collected : ").expect("a count of instructions");
        count.lines().next().unwrap_or_default().trim().parse::<f64>().expect("a number")
    };
    println!("{:24} {:>14} {:>14} {:>8}", "call", SIZES[0], SIZES[1], "growth");
    for (name, _) in cases() {
        let [small, large] = SIZES.map(|size| collected(name, size, 1) - collected(name, size, 0));
        println!("{name:24} {small:>14.0} {large:>14.0} {:>7.1}x", large / small);
    }
}

/// Returns how many times as long as `serde_json` encoding and decoding take, for the same content.
fn against_serde(size: usize, encode: &Function, decode: &Function) -> [f64; 2] {
    let value = records(size);
    let document = json::encode(&value).expect("known");
    let parsed: serde_json::Value = serde_json::from_str(&document).expect("valid");
    let theirs = |work: &dyn Fn()| median((0..RUNS).map(|_| time(work)).collect());
    let their_encode = theirs(&|| {
        black_box(serde_json::to_string(&parsed).expect("valid"));
    });
    let their_decode = theirs(&|| {
        black_box(serde_json::from_str::<serde_json::Value>(&document).expect("valid"));
    });
    let encode = measure(encode, &[value]);
    let decode = measure(decode, &[document.as_str().into()]);
    [encode.as_secs_f64() / their_encode.as_secs_f64(), decode.as_secs_f64() / their_decode.as_secs_f64()]
}

fn line(name: &str, small: Duration, large: Duration) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let growth = large.as_secs_f64() / small.as_secs_f64();
    println!("{name:24} {:>9.3} ms {:>9.3} ms {growth:>7.1}x", milliseconds(small), milliseconds(large));
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    // Processor time, because the clock includes other programs.
    let start = ThreadTime::now();
    black_box(work());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
