//! Measures the cost of values and numbers.
//!
//! `cargo run --release --bin values` measures time; `-- WORDS` selects the rows whose names contain the words. `cargo run
//! --release --bin values -- --instructions [WORDS]` counts instructions with the help of `valgrind` instead; other work of the
//! machine does not change this count.

#![expect(clippy::disallowed_methods, reason = "the bench measures time")]

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use terrane_value::{MAX_DEPTH, Number, SmolStr, Type, Value, convert, display, json};

/// The minimum time that a row runs.
const ENOUGH: Duration = Duration::from_millis(300);

/// The measurement to run.
enum Mode {
    /// Measures the time of one run of each row whose name contains these words.
    Time(String),
    /// Prints the name of each row.
    List,
    /// Runs the row of this name this many times, for `--instructions`.
    Run(String, u32),
}

impl Mode {
    fn runs(&self, name: &str) -> bool {
        match self {
            Mode::Time(words) => name.contains(words.as_str()),
            Mode::List => false,
            Mode::Run(row, _) => row == name,
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mode = match arguments[..] {
        ["--instructions"] => return instructions(""),
        ["--instructions", words] => return instructions(words),
        ["--list"] => Mode::List,
        ["--run", name, runs] => Mode::Run(name.to_owned(), runs.parse().expect("a number of runs")),
        _ => Mode::Time(arguments.join(" ")),
    };
    numbers(&mode);
    collections(&mode);
    deep(&mode);
}

/// Prints how many instructions one run of each row takes.
fn instructions(words: &str) {
    let this = std::env::current_exe().expect("the path of this program");
    let list = Command::new(&this).arg("--list").output().expect("the names of the rows");
    let mut last: Option<(String, f64)> = None;
    for name in String::from_utf8_lossy(&list.stdout).lines().filter(|name| name.contains(words)) {
        let count = |runs: u32| {
            let mut valgrind = Command::new("valgrind");
            valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&this);
            let output = valgrind.args(["--run", name, &runs.to_string()]).output().expect("valgrind");
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let (_, count) = text.split_once("Collected : ").expect("a count of instructions");
            count.lines().next().unwrap_or_default().trim().parse::<f64>().expect("a number")
        };
        // The content of a row costs the same however often the row is run.
        let is_small = name.starts_with("number") && !name.contains("digits");
        let runs = if is_small { 1000 } else { 1 };
        let taken = (count(runs) - count(0)) / f64::from(runs);
        println!("{name:56} {taken:14.0}");
        // If two rows differ only in the sizes at the end of their names, the second size is ten times the first.
        let sized = name.rsplit_once(", ").filter(|(_, size)| size.bytes().all(|byte| byte.is_ascii_digit()));
        let Some((stem, _)) = sized else { continue };
        match last.take() {
            Some((before, small)) if before == stem => println!("{TEN_TIMES:56} {:12.1} x", taken / small),
            _ => last = Some((stem.to_owned(), taken)),
        }
    }
}

/// Runs `work` as the mode says. Returns the time of one run if the mode measures it.
fn row(mode: &Mode, name: &str, mut work: impl FnMut()) -> Option<f64> {
    match mode {
        Mode::List => println!("{name}"),
        Mode::Run(_, runs) if mode.runs(name) => (0..*runs).for_each(|_| work()),
        Mode::Time(_) | Mode::Run(..) => {}
    }
    if !matches!(mode, Mode::Time(_)) || !mode.runs(name) {
        return None;
    }
    work();
    let (mut runs, mut best) = (1_u32, f64::MAX);
    let begin = Instant::now();
    while begin.elapsed() < ENOUGH {
        let start = Instant::now();
        (0..runs).for_each(|_| work());
        let taken = start.elapsed();
        best = best.min(taken.as_secs_f64() / f64::from(runs));
        if taken < ENOUGH / 20 {
            runs *= 2;
        }
    }
    println!("{name:56} {}", shown(best));
    Some(best)
}

const TEN_TIMES: &str = "    ten times the content takes";

fn shown(seconds: f64) -> String {
    if seconds < 1e-6 {
        format!("{:9.1} ns", seconds * 1e9)
    } else if seconds < 1e-3 {
        format!("{:9.2} us", seconds * 1e6)
    } else {
        format!("{:9.2} ms", seconds * 1e3)
    }
}

/// Measures `work` on content of two sizes, the second ten times the first.
fn growth<T>(mode: &Mode, name: &str, sizes: [usize; 2], make: impl Fn(usize) -> T, work: impl Fn(&T)) {
    let times = sizes.map(|size| {
        let name = format!("{name}, {size}");
        // The content is made only for a row that is run.
        let content = mode.runs(&name).then(|| make(size));
        row(mode, &name, || content.iter().for_each(&work))
    });
    if let [Some(small), Some(large)] = times {
        println!("{TEN_TIMES:56} {:9.1} x", large / small);
    }
}

fn numbers(mode: &Mode) {
    let parse = |text: &str| Number::parse(text).expect("a number");
    let wide_text = format!("{}.{}", "9876543210".repeat(8), "0123456789".repeat(7));
    let wide = parse(&wide_text);
    let third = Number::literal(1).divide(&Number::literal(3)).expect("a third");
    let sets = [
        ("small", "12345", parse("12345"), parse("678")),
        ("fraction", "3.14159", parse("3.14159"), parse("0.25")),
        ("512 bits", &wide_text, wide, third),
    ];
    for (kind, text, left, right) in &sets {
        let (left, right) = (black_box(left), black_box(right));
        row(mode, &format!("number add, {kind}"), || drop(black_box(left.add(right))));
        row(mode, &format!("number multiply, {kind}"), || drop(black_box(left.multiply(right))));
        row(mode, &format!("number divide, {kind}"), || drop(black_box(left.divide(right))));
        row(mode, &format!("number compare, {kind}"), || {
            black_box(left.compare(right));
        });
        row(mode, &format!("number equal, {kind}"), || {
            black_box(left == right);
        });
        row(mode, &format!("number parse, {kind}"), || drop(black_box(Number::parse(black_box(text)))));
        row(mode, &format!("number print, {kind}"), || drop(black_box(left.to_string())));
    }
    let third = &sets[2].3;
    row(mode, "number print, a third", || drop(black_box(third.to_string())));
    growth(
        mode,
        "number parse and print, digits",
        [10_000, 100_000],
        |digits| "7".repeat(digits),
        |text| drop(black_box(Number::parse(text).expect("a number").to_string())),
    );
}

fn strings(count: usize) -> Vec<Value> {
    // The words are neither in order nor all different.
    let word = |index: usize| Value::from(format!("element-{}", index * 7919 % (count - count / 10)));
    (0..count).map(word).collect()
}

fn objects(count: usize) -> Vec<Value> {
    let object = |index: usize| {
        let index = index * 7919 % (count - count / 10);
        Value::object([
            (SmolStr::from("name"), Value::from(format!("server-{index}"))),
            (SmolStr::from("port"), Value::number(Number::literal(index as i64))),
            (SmolStr::from("tags"), Value::tuple([Value::from("a"), Value::TRUE])),
        ])
    };
    (0..count).map(object).collect()
}

fn json_text(objects: usize) -> String {
    json::encode(&Value::tuple(self::objects(objects))).expect("plain values")
}

fn collections(mode: &Mode) {
    let number = |index: usize| Value::number(Number::counted(index as i64));
    growth(mode, "set of strings", [10_000, 100_000], strings, |elements| {
        drop(black_box(Value::set(Type::String, elements.iter().cloned())));
    });
    growth(mode, "set of objects", [1000, 10_000], objects, |elements| {
        drop(black_box(Value::set(Type::Dynamic, elements.iter().cloned())));
    });
    growth(
        mode,
        "tuple of strings to list",
        [10_000, 100_000],
        |count| Value::tuple(strings(count)),
        |tuple| drop(black_box(convert(tuple, &Type::list(Type::Dynamic)))),
    );
    growth(
        mode,
        "tuple of numbers and strings to list of string",
        [10_000, 100_000],
        |count| Value::tuple((0..count).map(|i| if i % 2 == 0 { number(i) } else { Value::from("a") })),
        |tuple| drop(black_box(convert(tuple, &Type::list(Type::String)))),
    );
    growth(
        mode,
        "tuple of objects to list",
        [1000, 10_000],
        |count| Value::tuple(objects(count)),
        |tuple| drop(black_box(convert(tuple, &Type::list(Type::Dynamic)))),
    );
    let pair = |count: usize| (Value::tuple(objects(count)), Value::tuple(objects(count)));
    growth(mode, "equality of tuples of objects", [1000, 10_000], pair, |(left, right)| {
        assert_eq!(left.equals(right), Some(true));
    });
    growth(
        mode,
        "clone of a tuple",
        [10_000, 100_000],
        |count| Value::tuple(strings(count)),
        |tuple| drop(black_box(tuple.clone())),
    );
    growth(
        mode,
        "console text of objects",
        [1000, 10_000],
        |count| Value::tuple(objects(count)),
        |tuple| drop(black_box(display::console(tuple))),
    );
    growth(
        mode,
        "JSON text of objects",
        [1000, 10_000],
        |count| Value::tuple(objects(count)),
        |tuple| drop(black_box(json::encode(tuple))),
    );
    growth(mode, "JSON decode of objects", [1000, 10_000], json_text, |text| {
        drop(black_box(json::decode(text)));
    });
    json_speed(mode);
}

fn json_speed(mode: &Mode) {
    let names = ["JSON decode, 20,000 objects", "serde_json to its Value, the same"];
    let text = if names.iter().any(|name| mode.runs(name)) { json_text(20_000) } else { String::new() };
    let megabytes = text.len() as f64 / 1e6;
    let [ours, theirs] = names;
    let ours = row(mode, ours, || drop(black_box(json::decode(&text))));
    let theirs = row(mode, theirs, || {
        drop(black_box(serde_json::from_str::<serde_json::Value>(&text)));
    });
    if let (Some(ours), Some(theirs)) = (ours, theirs) {
        println!("    {:.1} MB/s, serde_json {:.1} MB/s", megabytes / ours, megabytes / theirs);
    }
}

/// Returns a tuple in a tuple in a tuple, with a few strings at each level.
fn nested(depth: usize) -> Value {
    let wrap = |inner: Value, _| Value::tuple([Value::from("a"), inner, Value::from("b")]);
    (0..depth).fold(Value::from("innermost"), wrap)
}

fn deep(mode: &Mode) {
    let limit = usize::from(MAX_DEPTH);
    let sizes = [limit / 10, limit];
    growth(mode, "nested value made and dropped", sizes, |depth| depth, |depth| drop(nested(*depth)));
    let pair = |depth: usize| (nested(depth), nested(depth));
    growth(mode, "nested value compared", sizes, pair, |(left, right)| {
        assert_eq!(left.equals(right), Some(true));
    });
    growth(mode, "nested value printed", sizes, nested, |value| drop(black_box(display::console(value))));
    growth(mode, "nested value annotated", sizes, nested, |value| {
        drop(black_box(display::annotated(value)));
    });
    growth(mode, "nested value to JSON", sizes, nested, |value| drop(black_box(json::encode(value))));
    let unknown = |depth: usize| {
        let wrap = |inner: Value, _| Value::tuple([Value::from("a"), inner]);
        let make = || (0..depth).fold(Value::unknown(Type::String), wrap);
        (make(), make())
    };
    growth(mode, "nested value with an unknown compared", sizes, unknown, |(left, right)| {
        assert_eq!(left.equals(right), None);
    });
    let wide = |depth: usize| {
        let numbers = || (0..200).map(|index| Value::number(Number::counted(index)));
        let make = || (0..depth).fold(Value::TRUE, |inner, _| Value::tuple(numbers().chain([inner])));
        (make(), make())
    };
    growth(mode, "wide nested value compared", sizes, wide, |(left, right)| {
        assert_eq!(left.equals(right), Some(true));
    });
    let list = |depth: usize| (0..depth).fold(Type::String, |inner, _| Type::list(inner));
    let tuple = |depth: usize| (0..depth).fold(Value::from("a"), |inner, _| Value::tuple([inner]));
    growth(
        mode,
        "nested tuple to lists",
        sizes,
        |depth| (tuple(depth), list(depth)),
        |(value, want)| {
            drop(black_box(convert(value, want)));
        },
    );
}
