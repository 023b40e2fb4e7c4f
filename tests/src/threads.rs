//! Evaluations on several threads: they must say what an evaluation on one thread says.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use libtest_mimic::{Failed, Trial};
use terrane::function::Limits;
use terrane::{Executor, MemoryFiles, Phase, Project};

use crate::edits::{equal, trees};

/// Threads that take part in every evaluation, however small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EagerThreads(pub(crate) usize);

impl Executor for EagerThreads {
    fn threads(&self) -> usize {
        self.0
    }

    fn least_cost(&self) -> u64 {
        0
    }

    fn run(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for _ in 1..self.0 {
                scope.spawn(help);
            }
            lead();
        });
    }
}

/// Counts how often it is asked to run.
#[derive(Clone, Debug)]
struct Counting {
    threads: usize,
    runs: Arc<AtomicUsize>,
}

impl Executor for Counting {
    fn threads(&self) -> usize {
        self.threads
    }

    fn run(&self, lead: &mut dyn FnMut(), _help: &(dyn Fn() + Sync)) {
        self.runs.fetch_add(1, Ordering::Relaxed);
        lead();
    }
}

/// A trial for each tree of the repository, and for generated ones.
pub fn trials() -> Vec<Trial> {
    let of_trees = trees()
        .into_iter()
        .map(|tree| Trial::test(format!("trees::{}", tree.name), move || same(&tree.files.iter().collect())));
    let mut trials: Vec<Trial> = of_trees.collect();
    trials.push(Trial::test("fifty_modules", || same(&fifty_modules(5))));
    trials.push(Trial::test("outputs_are_read_one_by_one", outputs_are_read_one_by_one));
    trials.push(Trial::test("limits_are_met_at_the_same_step", limits_are_met_at_the_same_step));
    trials.push(Trial::test("too_many_objects", too_many_objects));
    trials.push(Trial::test("the_same_of_too_many_errors_are_listed", || same(&many_errors(9_000))));
    trials.push(Trial::test("only_large_trees_have_threads", only_large_trees_have_threads));
    trials
}

/// Compares one thread with several, in each phase.
fn same(files: &MemoryFiles) -> Result<(), Failed> {
    for phase in [Phase::Plan, Phase::Validate, Phase::Console] {
        let project = Project::new(".").phase(phase);
        let one = project.evaluate(files);
        for threads in [2, 8] {
            let several = project.clone().executor(EagerThreads(threads)).evaluate(files);
            equal(&several, &one)
                .map_err(|difference| format!("{phase:?}, {threads} threads: {difference}"))?;
            let usual = project.clone().threads(threads).evaluate(files);
            equal(&usual, &one)
                .map_err(|difference| format!("{phase:?}, {threads} usual threads: {difference}"))?;
        }
    }
    Ok(())
}

/// A tree of 50 module instances, by blocks and by `for_each`, with errors and warnings in many of them. The work of each grows with
/// `size`.
fn fifty_modules(size: usize) -> MemoryFiles {
    let mut root = String::from("locals {\n  sizes = { for n in range(20) : \"s${n}\" => n }\n}\n");
    for n in 0..30 {
        let before = if n > 20 { format!("module.m{}.total", n - 20) } else { n.to_string() };
        _ = writeln!(root, "module \"m{n}\" {{\n  source = \"./m\"\n  number = {before}\n}}");
    }
    root.push_str(
        "module \"each\" {\n  source = \"./m\"\n  for_each = local.sizes\n  number = each.value\n}\n",
    );
    root.push_str("output \"all\" {\n  value = [for m in module.each : m.total]\n}\n");
    let module = format!(
        r#"
        variable "number" {{
          type = number
          validation {{
            condition     = var.number % 9 != 4
            error_message = "The number ${{var.number}} is refused."
          }}
        }}
        locals {{
          squares = [for n in range({size} * 10) : n * n + var.number]
          names   = {{ for n in local.squares : "n${{n}}" => sha256("${{n}}") }}
          failing = var.number % 7 == 3 ? file("missing-${{var.number}}") : "none"
        }}
        resource "terraform_data" "one" {{
          count = 3
          input = [var.number, count.index, local.failing]
        }}
        data "demo_image" "late" {{
          depends_on = [terraform_data.one]
          name       = local.names["n${{local.squares[0]}}"]
        }}
        module "inner" {{
          source = "./inner"
          count  = 2
          value  = terraform_data.one[count.index].input
        }}
        output "total" {{ value = sum(local.squares) % 1000 }}
        output "late" {{ value = data.demo_image.late.id }}
        output "inner" {{ value = module.inner[*].value }}
        check "small" {{
          assert {{
            condition     = var.number < 15
            error_message = "The number ${{var.number}} is large."
          }}
        }}
        "#
    );
    let inner = "variable \"value\" {}\nresource \"demo_a\" \"b\" {\n  v = var.value\n}\noutput \"value\" {\n  value = demo_a.b.v\n}\n";
    MemoryFiles::from_iter([("main.tf", &*root), ("m/main.tf", &*module), ("m/inner/main.tf", inner)])
}

/// A reference to an output of a missing instance is evaluated before the other outputs; they stay known.
fn outputs_are_read_one_by_one() -> Result<(), Failed> {
    let root = "module \"m\" {\n  source = \"./m\"\n  count  = 2\n}\n\
                output \"third\" { value = try(module.m[2].v, \"none\") }\n\
                resource \"terraform_data\" \"x\" { for_each = toset(module.m[*].w) }\n";
    let module = "output \"v\" { value = 1 }\noutput \"w\" { value = \"k\" }\n";
    let files = MemoryFiles::from_iter([("main.tf", root), ("m/main.tf", module)]);
    same(&files)?;
    for threads in [1, 2, 8] {
        let report = Project::new(".").executor(EagerThreads(threads)).evaluate(&files);
        let instances: Vec<usize> =
            report.evaluation().root().resources.iter().map(|instances| instances.expansion.len()).collect();
        if instances != [1] {
            return Err(format!("{threads} threads: {instances:?} instances").into());
        }
    }
    Ok(())
}

/// For limits below and above the need of a tree.
fn limits_are_met_at_the_same_step() -> Result<(), Failed> {
    let files = fifty_modules(1);
    let of_steps = [10, 1000, 3000, 6000, 12_000, 24_000];
    let of_steps = of_steps.map(|steps| Limits { steps, ..Limits::default() });
    let of_memory = [1000, 30_000, 100_000, 300_000, 1_000_000];
    let of_memory = of_memory.map(|memory| Limits { memory, ..Limits::default() });
    let mut met = 0;
    for limits in of_steps.into_iter().chain(of_memory) {
        let project = Project::new(".").limits(limits.clone());
        let one = project.evaluate(&files);
        let found = one.diagnostics().as_slice().iter();
        met += found.filter(|found| found.title() == "Limit exceeded").count();
        let several = project.executor(EagerThreads(3)).evaluate(&files);
        equal(&several, &one).map_err(|difference| format!("{limits:?}: {difference}"))?;
    }
    match met {
        0..6 => Err(format!("only {met} limits are met").into()),
        _ => Ok(()),
    }
}

/// Returns a root module with errors of two kinds in local values. Those that read `z` are evaluated after the others, but stand
/// between them in the order.
fn many_errors(count: usize) -> MemoryFiles {
    let mut text = "locals {\n  z = 1\n".to_owned();
    let values = ["\"\" + 1", "local.z + \"b\"", "nothing(1)", "[local.z][1]"];
    for (i, value) in values.into_iter().cycle().take(count).enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  a{i} = {value}");
    }
    text.push_str("}\n");
    MemoryFiles::from_iter([("main.tf", text)])
}

/// The second block would have too many instances, and the third one fits again.
fn too_many_objects() -> Result<(), Failed> {
    let block =
        |(name, count): (&str, u32)| format!("resource \"demo_a\" \"{name}\" {{\n  count = {count}\n}}\n");
    let text: String = [("a", 250_001), ("b", 250_000), ("c", 5)].into_iter().map(block).collect();
    let files = MemoryFiles::from_iter([("main.tf", &*text)]);
    let project = Project::new(".");
    let (one, several) = (project.evaluate(&files), project.executor(EagerThreads(4)).evaluate(&files));
    for report in [one, several] {
        let resources = &report.evaluation().root().resources;
        let counts: Vec<usize> = resources.iter().map(|instances| instances.expansion.len()).collect();
        if counts != [250_001, 0, 5] || report.diagnostics().len() != 1 {
            return Err(format!("{counts:?} instances, {:?}", report.diagnostics()).into());
        }
    }
    Ok(())
}

fn only_large_trees_have_threads() -> Result<(), Failed> {
    for (files, wanted) in
        [(fifty_modules(50), true), (MemoryFiles::from_iter([("main.tf", "locals {\n  a = 1\n}\n")]), false)]
    {
        for (threads, wanted) in [(1, false), (2, wanted)] {
            let runs = Arc::new(AtomicUsize::new(0));
            let executor = Counting { threads, runs: Arc::clone(&runs) };
            Project::new(".").executor(executor).evaluate(&files);
            let has_run = runs.load(Ordering::Relaxed) > 0;
            if has_run != wanted {
                return Err(format!("{threads} threads of a tree, started: {has_run}").into());
            }
        }
    }
    Ok(())
}
