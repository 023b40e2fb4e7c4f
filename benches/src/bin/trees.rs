//! Measures trees of modules and resources: two threads against one, an edit against the first evaluation, and the JSON document.
//!
//! Run it with `cargo run --release --locked --bin trees`. Times are wall-clock times, the shortest of many runs in turns, so they
//! need two idle cores; `valgrind` counts instructions. `--run TASK` runs one task, for a profiler.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use terrane::{MemoryFiles, Project, Report, Secrets, Workspace};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MODULES: usize = 50;
const RESOURCES: usize = 300;
const RUNS: usize = 40;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--run", task] => run(task),
        [] => tables(),
        _ => println!("usage: trees [--run load|first|edited|read|evaluated|json]"),
    }
}

fn tables() {
    let [one, two] = fastest([1, 2]).map(|time| time.as_secs_f64() * 1000.0);
    println!("{MODULES} module instances: {one:.1} ms on one thread, {two:.1} ms on two, {:.2}x", one / two);
    let [load, first, edited] = ["load", "first", "edited"].map(instructions);
    let (evaluation, edit) = (first - load, edited - first);
    println!(
        "first evaluation: {evaluation:.1} million instructions; after an edit: {edit:.1}, {:.3}x",
        edit / evaluation
    );
    let [read, evaluated, json] = ["read", "evaluated", "json"].map(instructions);
    let bytes = evaluate_resources().document(Secrets::Hidden).to_json().len();
    println!(
        "{RESOURCES} resources: {:.1} million instructions to evaluate, {:.1} for {bytes} bytes of JSON",
        evaluated - read,
        json - evaluated
    );
}

fn run(task: &str) {
    match task {
        "load" => drop(black_box(workspace())),
        "first" => drop(black_box(evaluated_workspace())),
        "edited" => {
            let (mut workspace, root) = evaluated_workspace();
            let text = module("other");
            workspace.set_overlay("modules/m25/main.tf", text);
            drop(black_box(workspace.evaluate(root, None)));
        }
        "read" => drop(black_box(resources())),
        "evaluated" => drop(black_box(evaluate_resources())),
        "json" => drop(black_box(evaluate_resources().document(Secrets::Hidden).to_json())),
        _ => println!("no task of this name"),
    }
}

/// Returns the shortest times of an evaluation with these numbers of threads, measured in turns.
fn fastest(threads: [usize; 2]) -> [Duration; 2] {
    let files = modules();
    let projects = threads.map(|count| Project::new(".").threads(count));
    let mut shortest = [Duration::MAX; 2];
    for _ in 0..RUNS {
        for (project, shortest) in projects.iter().zip(&mut shortest) {
            let start = Instant::now();
            let report = project.evaluate(&files);
            *shortest = start.elapsed().min(*shortest);
            assert!(!report.has_errors(), "{:?}", report.diagnostics());
        }
    }
    shortest
}

/// Returns the millions of instructions of a task, with the start of the program.
fn instructions(task: &str) -> f64 {
    let this = std::env::current_exe().expect("the path of this program");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&this);
    let output = valgrind.args(["--run", task]).output().expect("valgrind");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, count) = text.split_once("Collected : ").expect("a count of instructions");
    count.lines().next().unwrap_or_default().trim().parse::<f64>().expect("a number") / 1e6
}

fn workspace() -> (Workspace, terrane::RootId) {
    let mut workspace = Workspace::new(modules());
    let root = workspace.add(Project::new(".").threads(1));
    (workspace, root)
}

fn evaluated_workspace() -> (Workspace, terrane::RootId) {
    let (workspace, root) = workspace();
    let report = workspace.evaluate(root, None).expect("nothing stops it");
    assert!(!report.has_errors(), "{:?}", report.diagnostics());
    drop(report);
    (workspace, root)
}

/// Returns a root module that calls many modules, each in a directory of its own.
fn modules() -> MemoryFiles {
    let mut root = String::from("variable \"zones\" { default = [\"a\", \"b\", \"c\"] }\n");
    let files = MemoryFiles::default();
    for number in 0..MODULES {
        let call = format!(
            "module \"m{number}\" {{\n  source = \"./modules/m{number}\"\n  name   = \"net-{number}\"\n  zones  = var.zones\n}}\n\
             output \"m{number}\" {{ value = module.m{number}.subnets }}\n"
        );
        root.write_str(&call).expect("a string takes all");
        files.insert(format!("modules/m{number}/main.tf"), module("net"));
    }
    files.insert("main.tf", root);
    files
}

/// Returns a module with resources, loops and functions.
fn module(prefix: &str) -> String {
    let mut text = String::from(
        "variable \"name\" { type = string }\nvariable \"zones\" { type = list(string) }\n\
         locals {\n  all = { for pair in setproduct(var.zones, range(40)) : \"${pair[0]}-${pair[1]}\" => {\n    \
         cidr = cidrsubnet(\"10.0.0.0/8\", 12, pair[1])\n    name = \"PREFIX-${var.name}-${upper(pair[0])}\"\n  } }\n}\n\
         output \"subnets\" { value = { for key, subnet in local.all : key => subnet.cidr if endswith(key, \"1\") } }\n",
    );
    for number in 0..10 {
        let resource = format!(
            "resource \"aws_subnet\" \"s{number}\" {{\n  for_each   = local.all\n  cidr_block = each.value.cidr\n  \
             tags       = {{ Name = each.value.name, Number = {number} }}\n}}\n"
        );
        text.write_str(&resource).expect("a string takes all");
    }
    text.replace("PREFIX", prefix)
}

/// Returns a root module of many resources that refer to each other.
fn resources() -> MemoryFiles {
    let mut root = String::from(
        "variable \"region\" { default = \"eu-west-1\" }\nlocals { tags = { Team = \"core\" } }\n",
    );
    for number in 0..RESOURCES {
        let resource = format!(
            "resource \"aws_instance\" \"i{number}\" {{\n  ami       = \"ami-{number}\"\n  subnet_id = aws_instance.i{}.subnet_id\n  \
             zone      = \"${{var.region}}a\"\n  tags      = merge(local.tags, {{ Name = \"i-{number}\" }})\n  \
             ebs_block_device {{\n    size = {number}\n    type = \"gp3\"\n  }}\n}}\n",
            number + 1
        );
        root.write_str(&resource).expect("a string takes all");
    }
    let last = format!("resource \"aws_instance\" \"i{RESOURCES}\" {{}}\n");
    root.write_str(&last).expect("a string takes all");
    MemoryFiles::from_iter([("main.tf", root)])
}

fn evaluate_resources() -> Report {
    let report = Project::new(".").threads(1).evaluate(&resources());
    assert!(!report.has_errors(), "{:?}", report.diagnostics());
    report
}
