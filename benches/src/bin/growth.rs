//! How time and memory of an evaluation grow with the configuration: `cargo run --release --bin growth`. Each measurement
//! runs in its own process: within one process, a small configuration reuses memory of the run before, and a large one
//! requests it from the system again. `once CASE NUMBER` runs a single evaluation, to
//! count its instructions.

use std::fmt::Write as _;
use std::process::Command;

use cpu_time::ThreadTime;
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use terrane::{MemoryFiles, Project, Secrets};

/// A configuration of any size.
struct Case {
    name: &'static str,
    /// The number of objects in the smaller configuration; the larger one has ten times as many.
    number: usize,
    make: fn(usize) -> Vec<(String, String)>,
}

const CASES: &[Case] = &[
    Case { name: "modules", number: 1_000, make: modules },
    Case { name: "module-instances", number: 1_000, make: module_instances },
    Case { name: "resource-instances", number: 10_000, make: resource_instances },
    Case { name: "variables", number: 5_000, make: variables },
    Case { name: "chained-locals", number: 10_000, make: chained_locals },
    Case { name: "references", number: 500, make: references },
];

/// The number of measurements. The best one counts, because other programs can only add time.
const RUNS: usize = 7;

/// The cost of an evaluation.
#[derive(Clone, Copy)]
struct Cost {
    nanoseconds: u64,
    /// The peak of memory in use, minus the memory in use before.
    kilobytes: u64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["once", name, number] => return once(name, number.parse().expect("a number")),
        names => {
            println!(
                "{:20} {:>8} {:>10} {:>10} {:>8} {:>8}",
                "case", "number", "time", "memory", "time", "memory"
            );
            CASES.iter().filter(|case| names.is_empty() || names.contains(&case.name)).for_each(grow);
        }
    }
}

fn grow(case: &Case) {
    let numbers = [case.number, case.number * 10];
    let mut best: [Option<Cost>; 2] = [None; 2];
    for _ in 0..RUNS {
        for (best, number) in best.iter_mut().zip(numbers) {
            let cost = in_new_process(case.name, number);
            *best = Some(best.map_or(cost, |best| Cost {
                nanoseconds: best.nanoseconds.min(cost.nanoseconds),
                kilobytes: best.kilobytes.min(cost.kilobytes),
            }));
        }
    }
    let [Some(small), Some(large)] = best else { return };
    let ratio = |small: u64, large: u64| large as f64 / small.max(1) as f64;
    println!(
        "{:20} {:>8} {:>7.1} ms {:>7.1} MB {:>7.1}x {:>7.1}x",
        case.name,
        case.number * 10,
        large.nanoseconds as f64 / 1e6,
        large.kilobytes as f64 / 1e3,
        ratio(small.nanoseconds, large.nanoseconds),
        ratio(small.kilobytes, large.kilobytes),
    );
}

fn in_new_process(name: &str, number: usize) -> Cost {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program).args(["once", name, &number.to_string()]).output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut numbers = text.split_whitespace().map(|number| number.parse().expect("a number"));
    let mut next = || numbers.next().expect("two numbers");
    Cost { nanoseconds: next(), kilobytes: next() }
}

/// Evaluates once and prints the nanoseconds and kilobytes, from the text of the files to the document of all values.
fn once(name: &str, number: usize) {
    let case = CASES.iter().find(|case| case.name == name).expect("the name of a case");
    let files: MemoryFiles = (case.make)(number).into_iter().collect();
    let before = peak();
    let start = ThreadTime::now();
    let report = Project::new(".").evaluate(&files);
    let time = start.elapsed();
    let after = peak();
    assert!(!report.has_errors(), "{:?}", report.diagnostics().as_slice().first());
    assert!(report.document(Secrets::Hidden).to_json().len() > number, "every object is in the document");
    println!("{} {}", time.as_nanos(), after - before);
}

/// Returns the maximum memory that the process has had, in kilobytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

fn main_file(text: String) -> Vec<(String, String)> {
    vec![("main.tf".to_owned(), text)]
}

fn repeated(number: usize, write: impl Fn(&mut String, usize)) -> String {
    let mut text = String::new();
    (0..number).for_each(|index| write(&mut text, index));
    text
}

const CHILD: &str = "
variable \"name\" { type = string }
locals { upper = upper(var.name) }
resource \"example_thing\" \"this\" { name = local.upper }
output \"name\" { value = example_thing.this.name }
";

/// Calls of `number` modules, each in a directory of its own.
fn modules(number: usize) -> Vec<(String, String)> {
    let calls = repeated(number, |text, index| {
        writeln!(text, "module \"m{index}\" {{\n  source = \"./m{index}\"\n  name   = \"n{index}\"\n}}")
            .expect("a string");
    });
    let children = (0..number).map(|index| (format!("m{index}/main.tf"), CHILD.to_owned()));
    children.chain(main_file(calls)).collect()
}

fn module_instances(number: usize) -> Vec<(String, String)> {
    let main = format!(
        "module \"m\" {{\n  source = \"./m\"\n  count  = {number}\n  name   = \"n${{count.index}}\"\n}}\n\
         output \"names\" {{ value = module.m[*].name }}\n"
    );
    main_file(main).into_iter().chain([("m/main.tf".to_owned(), CHILD.to_owned())]).collect()
}

fn resource_instances(number: usize) -> Vec<(String, String)> {
    main_file(format!(
        "resource \"example_thing\" \"all\" {{\n  count = {number}\n  name  = \"n${{count.index}}\"\n  tags  = {{ index = count.index }}\n\
         \x20 disk {{ size = count.index + 1 }}\n}}\noutput \"names\" {{ value = example_thing.all[*].name }}\n"
    ))
}

fn variables(number: usize) -> Vec<(String, String)> {
    main_file(repeated(number, |text, index| {
        writeln!(
            text,
            "variable \"v{index}\" {{\n  type    = object({{ name = string, port = optional(number, 80) }})\n  default = {{ name = \"n{index}\" }}\n}}\n\
             output \"o{index}\" {{ value = var.v{index}.port }}"
        )
        .expect("a string");
    }))
}

fn chained_locals(number: usize) -> Vec<(String, String)> {
    let locals = repeated(number, |text, index| {
        writeln!(text, "  l{} = local.l{index} + 1", index + 1).expect("a string");
    });
    main_file(format!("locals {{\n  l0 = 0\n{locals}}}\noutput \"last\" {{ value = local.l{number} }}\n"))
}

/// `number` references to one attribute of a resource with `number` instances.
fn references(number: usize) -> Vec<(String, String)> {
    let references = repeated(number, |text, index| {
        writeln!(
            text,
            "  r{index} = example_thing.all[{index}].name\n  s{index} = example_thing.all[local.zero].name"
        )
        .expect("a string");
    });
    main_file(format!(
        "resource \"example_thing\" \"all\" {{\n  count = {number}\n  name  = \"n${{count.index}}\"\n}}\nlocals {{\n  zero = 0\n{references}}}\n"
    ))
}
