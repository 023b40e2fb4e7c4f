//! The speed of values and numbers: `cargo run --release --bin values`.
//!
//! A word after `--` runs only the rows whose name contains it, once for each size: under
//! `valgrind --tool=callgrind` that gives instructions.

#![expect(clippy::disallowed_methods, reason = "time is what is measured")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_value::{MAX_DEPTH, Number, Type, Value, convert, display, json};

/// How long a row runs.
const ENOUGH: Duration = Duration::from_millis(300);

fn main() {
    let filter = std::env::args().nth(1);
    numbers(filter.as_deref());
    collections(filter.as_deref());
    deep(filter.as_deref());
}

/// Runs `work` often and prints the time of one run.
fn row(filter: Option<&str>, name: &str, mut work: impl FnMut()) -> Option<f64> {
    if let Some(filter) = filter {
        if name.contains(filter) {
            work();
        }
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
    println!("{name:48} {}", shown(best));
    Some(best)
}

fn shown(seconds: f64) -> String {
    if seconds < 1e-6 {
        format!("{:9.1} ns", seconds * 1e9)
    } else if seconds < 1e-3 {
        format!("{:9.2} us", seconds * 1e6)
    } else {
        format!("{:9.2} ms", seconds * 1e3)
    }
}

/// The same work on content of two sizes, the second ten times the first.
fn growth<T>(
    filter: Option<&str>,
    name: &str,
    sizes: [usize; 2],
    make: impl Fn(usize) -> T,
    work: impl Fn(&T),
) {
    let times = sizes.map(|size| {
        let content = make(size);
        row(filter, &format!("{name}, {size}"), || work(&content))
    });
    if let [Some(small), Some(large)] = times {
        println!("{:48} {:9.1} x", "    ten times the content takes", large / small);
    }
}

fn numbers(filter: Option<&str>) {
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
        row(filter, &format!("number add, {kind}"), || drop(black_box(left.add(right))));
        row(filter, &format!("number multiply, {kind}"), || drop(black_box(left.multiply(right))));
        row(filter, &format!("number divide, {kind}"), || drop(black_box(left.divide(right))));
        row(filter, &format!("number compare, {kind}"), || {
            black_box(left.compare(right));
        });
        row(filter, &format!("number equal, {kind}"), || {
            black_box(left == right);
        });
        row(filter, &format!("number parse, {kind}"), || drop(black_box(Number::parse(black_box(text)))));
        row(filter, &format!("number print, {kind}"), || drop(black_box(left.to_string())));
    }
    let third = &sets[2].3;
    row(filter, "number print, a third", || drop(black_box(third.to_string())));
    growth(
        filter,
        "number parse and print, digits",
        [10_000, 100_000],
        |digits| "7".repeat(digits),
        |text| drop(black_box(Number::parse(text).expect("a number").to_string())),
    );
}

fn strings(count: usize) -> Vec<Value> {
    // Neither in order nor all different.
    let word = |index: usize| Value::from(format!("element-{}", index * 7919 % (count - count / 10)));
    (0..count).map(word).collect()
}

fn objects(count: usize) -> Vec<Value> {
    let object = |index: usize| {
        let index = index * 7919 % (count - count / 10);
        Value::object([
            (Arc::from("name"), Value::from(format!("server-{index}"))),
            (Arc::from("port"), Value::number(Number::literal(index as i64))),
            (Arc::from("tags"), Value::tuple([Value::from("a"), Value::TRUE])),
        ])
    };
    (0..count).map(object).collect()
}

fn json_text(objects: usize) -> String {
    json::encode(&Value::tuple(self::objects(objects))).expect("plain values")
}

fn collections(filter: Option<&str>) {
    let number = |index: usize| Value::number(Number::counted(index as i64));
    growth(filter, "set of strings", [10_000, 100_000], strings, |elements| {
        drop(black_box(Value::set(Type::String, elements.iter().cloned())));
    });
    growth(filter, "set of objects", [1000, 10_000], objects, |elements| {
        drop(black_box(Value::set(Type::Dynamic, elements.iter().cloned())));
    });
    growth(
        filter,
        "tuple of strings to list",
        [10_000, 100_000],
        |count| Value::tuple(strings(count)),
        |tuple| drop(black_box(convert(tuple, &Type::list(Type::Dynamic)))),
    );
    growth(
        filter,
        "tuple of numbers and strings to list of string",
        [10_000, 100_000],
        |count| Value::tuple((0..count).map(|i| if i % 2 == 0 { number(i) } else { Value::from("a") })),
        |tuple| drop(black_box(convert(tuple, &Type::list(Type::String)))),
    );
    growth(
        filter,
        "tuple of objects to list",
        [1000, 10_000],
        |count| Value::tuple(objects(count)),
        |tuple| drop(black_box(convert(tuple, &Type::list(Type::Dynamic)))),
    );
    let pair = |count: usize| (Value::tuple(objects(count)), Value::tuple(objects(count)));
    growth(filter, "equality of tuples of objects", [1000, 10_000], pair, |(left, right)| {
        assert_eq!(left.equals(right), Some(true));
    });
    growth(
        filter,
        "clone of a tuple",
        [10_000, 100_000],
        |count| Value::tuple(strings(count)),
        |tuple| drop(black_box(tuple.clone())),
    );
    growth(
        filter,
        "console text of objects",
        [1000, 10_000],
        |count| Value::tuple(objects(count)),
        |tuple| drop(black_box(display::console(tuple))),
    );
    growth(
        filter,
        "JSON text of objects",
        [1000, 10_000],
        |count| Value::tuple(objects(count)),
        |tuple| drop(black_box(json::encode(tuple))),
    );
    growth(filter, "JSON decode of objects", [1000, 10_000], json_text, |text| {
        drop(black_box(json::decode(text)));
    });
    json_speed(filter);
}

fn json_speed(filter: Option<&str>) {
    let text = json_text(20_000);
    let megabytes = text.len() as f64 / 1e6;
    let ours = row(filter, "JSON decode, 20,000 objects", || drop(black_box(json::decode(&text))));
    let theirs = row(filter, "serde_json to its Value, the same", || {
        drop(black_box(serde_json::from_str::<serde_json::Value>(&text)));
    });
    if let (Some(ours), Some(theirs)) = (ours, theirs) {
        println!("    {:.1} MB/s, serde_json {:.1} MB/s", megabytes / ours, megabytes / theirs);
    }
}

/// A tuple in a tuple in a tuple, with a few strings at each level.
fn nested(depth: usize) -> Value {
    let wrap = |inner: Value, _| Value::tuple([Value::from("a"), inner, Value::from("b")]);
    (0..depth).fold(Value::from("innermost"), wrap)
}

fn deep(filter: Option<&str>) {
    let limit = usize::from(MAX_DEPTH);
    let sizes = [limit / 10, limit];
    growth(filter, "nested value made and dropped", sizes, |depth| depth, |depth| drop(nested(*depth)));
    let pair = |depth: usize| (nested(depth), nested(depth));
    growth(filter, "nested value compared", sizes, pair, |(left, right)| {
        assert_eq!(left.equals(right), Some(true));
    });
    growth(filter, "nested value printed", sizes, nested, |value| drop(black_box(display::console(value))));
    growth(filter, "nested value annotated", sizes, nested, |value| {
        drop(black_box(display::annotated(value)));
    });
    growth(filter, "nested value to JSON", sizes, nested, |value| drop(black_box(json::encode(value))));
    let unknown = |depth: usize| {
        let wrap = |inner: Value, _| Value::tuple([Value::from("a"), inner]);
        let make = || (0..depth).fold(Value::unknown(Type::String), wrap);
        (make(), make())
    };
    growth(filter, "nested value with an unknown compared", sizes, unknown, |(left, right)| {
        assert_eq!(left.equals(right), None);
    });
    let wide = |depth: usize| {
        let numbers = || (0..200).map(|index| Value::number(Number::counted(index)));
        let make = || (0..depth).fold(Value::TRUE, |inner, _| Value::tuple(numbers().chain([inner])));
        (make(), make())
    };
    growth(filter, "wide nested value compared", sizes, wide, |(left, right)| {
        assert_eq!(left.equals(right), Some(true));
    });
    let list = |depth: usize| (0..depth).fold(Type::String, |inner, _| Type::list(inner));
    let tuple = |depth: usize| (0..depth).fold(Value::from("a"), |inner, _| Value::tuple([inner]));
    growth(
        filter,
        "nested tuple to lists",
        sizes,
        |depth| (tuple(depth), list(depth)),
        |(value, want)| {
            drop(black_box(convert(value, want)));
        },
    );
}
