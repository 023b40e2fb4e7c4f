//! Compares evaluation with `hcl-rs` and the reference, and measures its growth: `cargo run --release --bin evaluate`.
//!
//! `--instructions` counts the instructions of one evaluation with `valgrind`; other programs on the machine do not change the
//! count. `--run CASE ELEMENTS COUNT` evaluates one case `COUNT` times, for a profiler.

use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use cpu_time::ProcessTime;
use hcl::eval::{Context, Evaluate, FuncArgs, FuncDef, ParamType};
use terrane::value::{Number, Type, Value, json};
use terrane::{Engine, Variables};

/// A case: its name, its expression, and the maximum time in microseconds, if it has one.
struct Case {
    name: &'static str,
    text: &'static str,
    /// The time of the reference, in microseconds.
    reference: Option<f64>,
    /// Whether `hcl-rs` can evaluate it.
    peer: bool,
}

const fn case(name: &'static str, text: &'static str, reference: Option<f64>, peer: bool) -> Case {
    Case { name, text, reference, peer }
}

const CASES: &[Case] = &[
    case("arithmetic", "1 + 2 * n", Some(5.0), true),
    case("for", "[for i, x in ls : upper(x) if i % 2 == 0]", Some(9_000.0), true),
    case("merge", "{for k, v in m : v.id => merge(v, {name = \"${k}-${v.n}\"})}", Some(14_000.0), false),
    case(
        "flatten",
        "flatten([for a in grid : [for b in a : {id = b.id, name = \"x-${b.n}\"}]])",
        Some(27_000.0),
        false,
    ),
    case("toset", "toset([for x in ls : substr(x, 0, 6)])", Some(27_000.0), false),
    case("template", "[for x in ls : \"name-${x}-${n}\"]", None, true),
    case("conditional", "[for x in ls : x == \"s-17\" ? \"a\" : \"b\"]", None, true),
    case("object", "[for i, x in ls : {id = x, index = i, on = true, tag = \"t\"}]", None, true),
    case("splat", "os[*].id", None, true),
    case("attribute", "big.a500", None, true),
    case("call", "upper(\"a\")", None, true),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["--instructions"] => return instructions(),
        ["--run", name, size, count] => {
            let [size, count] = [size, count].map(|number| number.parse().expect("a number"));
            return run(&Scope::new(size), name, count);
        }
        _ => {}
    }
    let scope = Scope::new(1_000);
    let mut compared: Vec<(f64, f64)> = Vec::new();
    println!("{:12} {:>12} {:>12} {:>8} {:>10}", "case", "terrane", "hcl-rs", "ratio", "reference");
    for case in CASES {
        let ours = scope.ours(case.text);
        let peer = case.peer.then(|| scope.peer(case.text));
        compared.extend(peer.map(|peer| (micros(ours), micros(peer))));
        let ratio = |other: f64| other / micros(ours);
        println!(
            "{:12} {:>9.2} us {:>12} {:>8} {:>10}",
            case.name,
            micros(ours),
            peer.map_or(String::new(), |peer| format!("{:.2} us", micros(peer))),
            peer.map_or(String::new(), |peer| format!("{:.1}x", ratio(micros(peer)))),
            case.reference.map_or(String::new(), |reference| format!("{:.0}x", ratio(reference))),
        );
    }
    let (ours, peer) = compared.iter().fold((0.0, 0.0), |sum, case| (sum.0 + case.0, sum.1 + case.1));
    let logarithms: f64 = compared.iter().map(|(ours, peer)| (peer / ours).ln()).sum();
    let mean = (logarithms / compared.len() as f64).exp();
    println!(
        "\nall that hcl-rs evaluates: {ours:.0} us, hcl-rs {peer:.0} us, {:.1}x; mean ratio {mean:.1}x",
        peer / ours
    );
    println!("\ngrowth: 10 times the elements");
    for case in CASES {
        let [small, large] = [1_000, 10_000].map(|size| micros(Scope::new(size).ours(case.text)));
        println!("{:12} {small:>9.2} us {large:>9.2} us {:>6.2}x", case.name, large / small);
    }
}

/// Prints how many instructions one evaluation of each case takes.
fn instructions() {
    let this = std::env::current_exe().expect("the path of this program");
    let count = |name: &str, size: &str, runs: u32| {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&this);
        let output = valgrind.args(["--run", name, size, &runs.to_string()]).output().expect("valgrind");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let (_, count) = text.split_once("Collected : ").expect("a count of instructions");
        count.lines().next().unwrap_or_default().trim().parse::<f64>().expect("a number")
    };
    // The setup costs about the same for any number of evaluations, provided there are enough of them.
    let taken = |name: &str, size: &str| {
        let taken = |runs: u32| (count(name, size, runs + 1) - count(name, size, 1)) / f64::from(runs);
        Some(taken(10)).filter(|taken| *taken > 100_000.0).unwrap_or_else(|| taken(2_000))
    };
    println!("{:12} {:>14} {:>14} {:>8}", "case", "instructions", "of 10,000", "growth");
    for case in CASES {
        let [small, large] = ["1000", "10000"].map(|size| taken(case.name, size));
        println!("{:12} {small:>14.0} {large:>14.0} {:>7.2}x", case.name, large / small);
    }
}

#[inline(never)]
fn run(scope: &Scope, name: &str, count: usize) {
    let case = CASES.iter().find(|case| case.name == name).expect("the name of a case");
    let expression = scope.engine.parse(case.text).expect("an expression");
    for _ in 0..count {
        let _ = black_box(scope.engine.evaluate(&expression, &scope.names));
    }
}

/// The variables of the cases, in the form of each evaluator.
struct Scope {
    engine: Engine,
    names: Variables,
    context: Context<'static>,
}

impl Scope {
    fn new(size: usize) -> Scope {
        let document = format!(
            r#"{{"n": 7, "ls": {}, "m": {}, "os": {}, "grid": {}, "big": {}}}"#,
            array(size, |index| format!("\"s-{index}\"")),
            object(size, |index| (format!("k{index:05}"), item(index))),
            array(size, item),
            array(30, |_| array(size.isqrt() - 1, item)),
            object(size, |index| (format!("a{index}"), index.to_string())),
        );
        let plain: serde_json::Value = serde_json::from_str(&document).expect("JSON");
        let mut names = Variables::new();
        let mut context = Context::new();
        for (name, value) in plain.as_object().expect("an object") {
            names = names.with(name, variable(name, &value.to_string()));
            context.declare_var(name.as_str(), hcl::to_value(value).expect("a value"));
        }
        let upper = |args: FuncArgs| match args.first().and_then(hcl::Value::as_str) {
            Some(text) => Ok(hcl::Value::from(text.to_uppercase())),
            None => Err("a string is needed".to_owned()),
        };
        context.declare_func("upper", FuncDef::builder().param(ParamType::String).build(upper));
        Scope { engine: Engine::new(), names, context }
    }

    fn ours(&self, text: &str) -> Duration {
        let expression = self.engine.parse(text).expect("an expression");
        assert!(self.engine.evaluate(&expression, &self.names).ok().is_ok(), "{text}");
        time(|| drop(black_box(self.engine.evaluate(&expression, &self.names))))
    }

    fn peer(&self, text: &str) -> Duration {
        let expression: hcl::Expression = text.parse().expect("an expression");
        expression.evaluate(&self.context).expect("a value");
        time(|| drop(black_box(expression.evaluate(&self.context))))
    }
}

/// Returns lists and maps as a module has them, with their types.
fn variable(name: &str, text: &str) -> Value {
    let item = || Type::object([("id".into(), Type::String), ("n".into(), Type::Number)]);
    let ty = match name {
        "ls" => Type::list(Type::String),
        "m" => Type::map(item()),
        "os" => Type::list(item()),
        "grid" => Type::list(Type::list(item())),
        _ => Type::Dynamic,
    };
    json::decode_as(text, &ty).unwrap_or_else(|_| Value::number(Number::literal(0)))
}

fn item(index: usize) -> String {
    format!(r#"{{"id": "id-{index:05}", "n": {index}}}"#)
}

fn array(size: usize, element: impl Fn(usize) -> String) -> String {
    let elements: Vec<String> = (0..size).map(element).collect();
    format!("[{}]", elements.join(","))
}

fn object(size: usize, entry: impl Fn(usize) -> (String, String)) -> String {
    let entries: Vec<String> = (0..size)
        .map(|index| {
            let (key, value) = entry(index);
            format!("\"{key}\":{value}")
        })
        .collect();
    format!("{{{}}}", entries.join(","))
}

/// Returns the shortest processor time of one run, measured over batches of at least two milliseconds: other work of the
/// machine affects it only through the caches.
fn time(mut work: impl FnMut()) -> Duration {
    let start = ProcessTime::now();
    work();
    let once = start.elapsed().max(Duration::from_nanos(50));
    let batch = (Duration::from_millis(2).as_nanos() / once.as_nanos()).clamp(1, 100_000) as u32;
    let mut times: Vec<Duration> = (0..15)
        .map(|_| {
            let start = ProcessTime::now();
            (0..batch).for_each(|_| work());
            start.elapsed() / batch
        })
        .collect();
    times.sort();
    times[0]
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}
