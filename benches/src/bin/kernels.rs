//! Kernels of expressions against `starlark`, the crate with a bytecode machine: `cargo run --release --bin kernels`.
//!
//! Each kernel does the same work in both languages. `starlark` calls a function of a frozen module, and Terrane evaluates a
//! program that is compiled once; parsing and compiling are not counted. The variables of both are the same JSON document, and
//! `starlark` gets them as arguments of the function. Both make the whole result and drop it, with the allocator of the
//! command. Before anything is counted, the results are compared as JSON.
//!
//! The table counts instructions with `valgrind`. `--run PEER KERNEL COUNT` evaluates one kernel `COUNT` times, for a profiler.

use std::hint::black_box;
use std::process::Command;

use starlark::environment::{FrozenModule, Globals, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::{OwnedFrozenValue, Value as StarlarkValue};
use terrane::value::{Type, Value, json};
use terrane::{Engine, Program, Variables};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of elements in the larger collections.
const SIZE: usize = 1_000;

/// The number of evaluations whose instructions are counted.
const RUNS: usize = 20;

/// One piece of work, written in both languages.
struct Kernel {
    name: &'static str,
    ours: &'static str,
    /// The body of a `starlark` function whose parameters are [`NAMES`].
    theirs: &'static str,
}

const fn kernel(name: &'static str, ours: &'static str, theirs: &'static str) -> Kernel {
    Kernel { name, ours, theirs }
}

const KERNELS: &[Kernel] = &[
    kernel(
        "conditional",
        r#"[for x in ls : x == "s-17" ? "a" : "b"]"#,
        r#"return ["a" if x == "s-17" else "b" for x in ls]"#,
    ),
    kernel(
        "merge per element",
        "[for o in os : merge(o, {on = true})]",
        r#"return [o | {"on": True} for o in os]"#,
    ),
    kernel(
        "nested for",
        "[for a in grid : [for b in a : b.n]]",
        r#"return [[b["n"] for b in a] for a in grid]"#,
    ),
    kernel("splat", "os[*].id", r#"return [o["id"] for o in os]"#),
    kernel(
        "objects",
        r#"[for i, x in ls : {id = x, index = i, on = true, tag = "t"}]"#,
        r#"return [{"id": x, "index": i, "on": True, "tag": "t"} for i, x in enumerate(ls)]"#,
    ),
    kernel("flatten", "flatten(grid)", "return [b for a in grid for b in a]"),
    kernel(
        "filter",
        "[for o in os : o.id if o.n % 2 == 0]",
        r#"return [o["id"] for o in os if o["n"] % 2 == 0]"#,
    ),
    kernel("call", "[for x in ls : upper(x)]", "return [x.upper() for x in ls]"),
    kernel("merge of all", "merge(maps...)", "r = {}\n    for m in maps:\n        r.update(m)\n    return r"),
    kernel("join", r#"join(",", ls)"#, r#"return ",".join(ls)"#),
    kernel(
        "template",
        r#"[for x in ls : "name-${x}-${n}"]"#,
        r#"return ["name-%s-%s" % (x, n) for x in ls]"#,
    ),
    kernel("maps", "{for o in os : o.id => o.n}", r#"return {o["id"]: o["n"] for o in os}"#),
    kernel("maps, unordered", "{for i, x in ls : x => i}", "return {x: i for i, x in enumerate(ls)}"),
];

/// The variables, in the order in which functions of `starlark` take them.
const NAMES: [&str; 5] = ["n", "ls", "os", "grid", "maps"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["--run", peer, name, count] = arguments[..] {
        let kernel = KERNELS.iter().find(|kernel| kernel.name == name).expect("the name of a kernel");
        let count = count.parse().expect("a number");
        return match peer {
            "terrane" => Ours::new(kernel).run(count),
            _ => Theirs::new(kernel).run(count),
        };
    }
    KERNELS.iter().for_each(compare_results);
    println!("{:18} {:>12} {:>12} {:>8}", "kernel", "terrane", "starlark", "ratio");
    let mut logarithms = 0.0;
    for kernel in KERNELS {
        let [ours, theirs] = ["terrane", "starlark"].map(|peer| instructions(peer, kernel.name));
        logarithms += (theirs / ours).ln();
        println!("{:18} {ours:>12.0} {theirs:>12.0} {:>8.2}", kernel.name, theirs / ours);
    }
    let mean = (logarithms / KERNELS.len() as f64).exp();
    println!("{:18} {:>12} {:>12} {mean:>8.2}", "geometric mean", "", "");
}

/// Returns the number of instructions of one evaluation. The setup costs the same for any number of evaluations.
fn instructions(peer: &str, name: &str) -> f64 {
    let this = std::env::current_exe().expect("the path of this program");
    let count = |runs: usize| {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&this);
        let output = valgrind.args(["--run", peer, name, &runs.to_string()]).output().expect("valgrind");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let (_, count) = text.split_once("Collected : ").expect("a count of instructions");
        count.lines().next().unwrap_or_default().trim().parse::<f64>().expect("a number")
    };
    // The first evaluations make room on the heap, which later ones use again.
    (count(RUNS + 3) - count(3)) / RUNS as f64
}

/// Fails unless both results are the same JSON, in which objects have their keys in order.
fn compare_results(kernel: &Kernel) {
    let ours = json::encode(&Ours::new(kernel).evaluate()).expect("a known value");
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let theirs = Theirs::new(kernel).evaluate(|value| value.to_json().expect("JSON"));
    assert_eq!(parsed(&ours), parsed(&theirs), "{}", kernel.name);
}

struct Ours {
    engine: Engine,
    program: Program,
    names: Variables,
}

impl Ours {
    fn new(kernel: &Kernel) -> Ours {
        let engine = Engine::new();
        let program = engine.parse(kernel.ours).expect("an expression");
        let names = documents().into_iter().map(|(name, text)| {
            let value = json::decode_as(&text, &type_of(name)).expect("a value");
            (name.to_owned(), value)
        });
        Ours { engine, program, names: names.collect() }
    }

    fn evaluate(&self) -> Value {
        self.engine.evaluate(&self.program, &self.names).ok().expect("a value")
    }

    #[inline(never)]
    fn run(&self, count: usize) {
        (0..count).for_each(|_| drop(black_box(self.evaluate())));
    }
}

struct Theirs {
    /// The module to which the function and its arguments belong.
    module: FrozenModule,
}

impl Theirs {
    fn new(kernel: &Kernel) -> Theirs {
        let variables: String =
            documents().into_iter().map(|(name, text)| format!("{name} = {text}\n")).collect();
        let text = format!("{variables}\ndef kernel({}):\n    {}\n", NAMES.join(", "), kernel.theirs);
        let parsed = AstModule::parse("kernel.star", text, &Dialect::Standard).expect("a module");
        let module = Module::with_temp_heap(|module| {
            Evaluator::new(&module).eval_module(parsed, &Globals::standard()).expect("a module");
            module.freeze().expect("a frozen module")
        });
        Theirs { module }
    }

    fn get(&self, name: &str) -> OwnedFrozenValue {
        self.module.get(name).expect("a name of the module")
    }

    fn evaluate<T>(&self, read: impl FnOnce(StarlarkValue<'_>) -> T) -> T {
        let function = self.get("kernel");
        let arguments = NAMES.map(|name| self.get(name));
        call(&function, &arguments, read)
    }

    #[inline(never)]
    fn run(&self, count: usize) {
        let function = self.get("kernel");
        let arguments = NAMES.map(|name| self.get(name));
        for _ in 0..count {
            call(&function, &arguments, |value| {
                black_box(value);
            });
        }
    }
}

/// Calls a function on a heap of its own, which is dropped together with the result.
fn call<T>(
    function: &OwnedFrozenValue,
    arguments: &[OwnedFrozenValue; NAMES.len()],
    read: impl FnOnce(StarlarkValue<'_>) -> T,
) -> T {
    Module::with_temp_heap(|module| {
        let heap = module.heap();
        let function = heap.access_owned_frozen_value(function);
        let arguments = arguments.each_ref().map(|argument| heap.access_owned_frozen_value(argument));
        let value = Evaluator::new(&module).eval_function(function, &arguments, &[]);
        read(value.expect("a value"))
    })
}

/// Returns the variables as JSON, which is also the syntax of `starlark` for these values.
fn documents() -> Vec<(&'static str, String)> {
    NAMES
        .into_iter()
        .map(|name| {
            let text = match name {
                "n" => "7".to_owned(),
                "ls" => array(0..SIZE, |index| format!("\"s-{index}\"")),
                "os" => array(0..SIZE, item),
                "grid" => array(0..30, |_| array(0..30, item)),
                _ => array(0..30, |map| object(30 * map..30 * (map + 1))),
            };
            (name, text)
        })
        .collect()
}

/// Returns the type that a module gives the variable.
fn type_of(name: &str) -> Type {
    let item = || Type::object([("id".into(), Type::String), ("n".into(), Type::Number)]);
    match name {
        "n" => Type::Number,
        "ls" => Type::list(Type::String),
        "os" => Type::list(item()),
        "grid" => Type::list(Type::list(item())),
        _ => Type::list(Type::map(Type::Number)),
    }
}

fn item(index: usize) -> String {
    format!(r#"{{"id": "id-{index:05}", "n": {index}}}"#)
}

fn array(indexes: std::ops::Range<usize>, element: impl Fn(usize) -> String) -> String {
    let elements: Vec<String> = indexes.map(element).collect();
    format!("[{}]", elements.join(","))
}

fn object(indexes: std::ops::Range<usize>) -> String {
    let entries: Vec<String> = indexes.map(|index| format!("\"k{index:05}\": {index}")).collect();
    format!("{{{}}}", entries.join(","))
}
