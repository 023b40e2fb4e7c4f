//! Hostile inputs in which one large value, type, module or file occurs in many places.

use crate::cases::{Case, numbered};

const EVAL: &[&str] = &["eval", "."];
const EVAL_JSON: &[&str] = &["eval", ".", "--json"];
const PLAN: &[&str] = &["plan", "."];
const PLAN_JSON: &[&str] = &["plan", ".", "--json"];
const GRAPH: &[&str] = &["graph", "."];
const GRAPH_JSON: &[&str] = &["graph", ".", "--format", "json"];

/// The levels of module calls below which there are 32,768 modules, if each module has two calls.
const LEVELS: usize = 15;

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = types();
    cases.extend(values());
    cases.extend(modules());
    cases.extend(files());
    cases
}

/// Returns a type of objects with 100,000 optional attributes.
fn wide() -> String {
    let attributes = numbered(100_000, |i| format!("a{i}=optional(string,\"x\"),"));
    format!("list(object({{{attributes}}}))")
}

fn types() -> Vec<Case> {
    let name = |command: &str| format!("a type of 100,000 attributes and 26 objects, {command}");
    let module = |command: &str, arguments: &[&'static str]| {
        let text =
            || format!("variable \"v\" {{\n  type = {}\n}}\noutput \"o\" {{ value = var.v }}\n", wide());
        Case::module(name(command), arguments, text)
            .file("terraform.tfvars", || format!("v = [{}]\n", "{},".repeat(26)))
    };
    let request =
        || format!("{}\n", serde_json::json!({ "expr": "[for i in range(26) : {}]", "type": wide() }));
    vec![
        module("eval", EVAL),
        module("plan", PLAN),
        module("plan --json", PLAN_JSON),
        Case::new(name("request"), &["console", "--json"]).stdin(request),
    ]
}

/// A local value with a million elements.
const MILLION: &str = "locals {\n  l = flatten([for i in range(1000) : range(1000)])\n}\n";

/// A local value with 300,000 elements.
const MANY: &str = "locals {\n  l = flatten([for i in range(300) : range(1000)])\n}\n";

fn values() -> Vec<Case> {
    let instances =
        || format!("{MILLION}resource \"terraform_data\" \"a\" {{\n  count = 1000\n  input = local.l\n}}\n");
    let resources = || {
        let resource = |i| format!("resource \"terraform_data\" \"a{i}\" {{\n  input = local.l\n}}\n");
        format!("{MILLION}{}", numbered(1000, resource))
    };
    let outputs =
        || format!("{MILLION}{}", numbered(1000, |i| format!("output \"a{i}\" {{ value = local.l }}\n")));
    let unknown = || {
        let list = "[for i in range(300) : [for j in range(1000) : terraform_data.x.id]]";
        format!(
            "resource \"terraform_data\" \"x\" {{}}\nlocals {{\n  m = flatten({list})\n}}\n\
             resource \"terraform_data\" \"a\" {{\n  count = 1000\n  input = local.m\n}}\n"
        )
    };
    let blocks = || {
        let block =
            "resource \"a_b\" \"c\" {\n  dynamic \"x\" {\n    for_each = local.l\n    content {}\n  }\n}\n";
        format!("{MANY}{block}{}", numbered(1000, |i| format!("output \"a{i}\" {{ value = a_b.c.x }}\n")))
    };
    let mut cases = Vec::new();
    for (command, arguments) in [("plan", PLAN), ("plan --json", PLAN_JSON)] {
        cases.push(Case::module(
            format!("a million elements in 1,000 instances, {command}"),
            arguments,
            instances,
        ));
        cases.push(Case::module(
            format!("a million elements in 1,000 resources, {command}"),
            arguments,
            resources,
        ));
        cases.push(Case::module(
            format!("300,000 unknown elements in 1,000 instances, {command}"),
            arguments,
            unknown,
        ));
    }
    for (command, arguments) in [("eval", EVAL), ("eval --json", EVAL_JSON), ("plan", PLAN)] {
        cases.push(Case::module(
            format!("a million elements in 1,000 outputs, {command}"),
            arguments,
            outputs,
        ));
        cases.push(Case::module(format!("300,000 blocks in 1,000 outputs, {command}"), arguments, blocks));
    }
    cases
}

/// Returns a case with `LEVELS` levels of modules. Each module has the calls in `calls`, in which `@` stands for the path of the
/// next module.
fn nested(name: String, arguments: &[&'static str], calls: &'static str) -> Case {
    let case = Case::module(name, arguments, move || calls.replace('@', "./m1"));
    let case = (1..LEVELS).fold(case, |case, level| {
        case.file(format!("m{level}/main.tf"), move || calls.replace('@', &format!("../m{}", level + 1)))
    });
    case.file(format!("m{LEVELS}/main.tf"), || {
        "resource \"terraform_data\" \"x\" {}\noutput \"o\" { value = terraform_data.x.id }\n".to_owned()
    })
}

fn modules() -> Vec<Case> {
    let mut cases = Vec::new();
    for (command, arguments) in
        [("eval --json", EVAL_JSON), ("plan", PLAN), ("plan --json", PLAN_JSON), ("graph json", GRAPH_JSON)]
    {
        let two = "module \"a\" {\n  source = \"@\"\n}\nmodule \"b\" {\n  source = \"@\"\n}\n";
        cases.push(nested(format!("32,768 modules by calls, {command}"), arguments, two));
        let count = "module \"a\" {\n  source = \"@\"\n  count = 2\n}\n";
        cases.push(nested(format!("32,768 modules by `count`, {command}"), arguments, count));
    }
    let kinds: [(&str, fn() -> String); 3] = [
        ("500 outputs", || {
            numbered(500, |i| format!("output \"a{i}\" {{ value = \"${{var.x}}${{var.x}}\" }}\n"))
        }),
        ("500 resources", || numbered(500, |i| format!("resource \"a_b\" \"c{i}\" {{\n  x = var.x\n}}\n"))),
        ("500 variables", || numbered(500, |i| format!("variable \"a{i}\" {{ default = 1 }}\n"))),
    ];
    for (command, arguments) in [
        ("eval --json", EVAL_JSON),
        ("plan", PLAN),
        ("plan --json", PLAN_JSON),
        ("graph", GRAPH),
        ("graph json", GRAPH_JSON),
    ] {
        for (kind, text) in kinds {
            let calls =
                || numbered(2000, |i| format!("module \"m{i}\" {{\n  source = \"./m\"\n  count = 0\n}}\n"));
            cases.push(
                Case::module(format!("2,000 calls of a module of {kind}, {command}"), arguments, calls)
                    .file("m/main.tf", move || format!("variable \"x\" {{ default = 1 }}\n{}", text())),
            );
        }
        let calls =
            || numbered(4000, |i| format!("module \"m{i}\" {{\n  source = \"./m\"\n  count = 0\n}}\n"));
        cases.push(
            Case::module(format!("4,000 calls of a module with a long text, {command}"), arguments, calls)
                .file("m/main.tf", || {
                    format!("variable \"d\" {{ default = \"{}\" }}\n", "x".repeat(500_000))
                }),
        );
    }
    cases
}

fn files() -> Vec<Case> {
    let remote = |file: fn(usize) -> usize| {
        move || {
            numbered(100, |i| {
                let config = format!("config = {{ path = \"s{}.json\" }}", file(i));
                format!(
                    "data \"terraform_remote_state\" \"a{i}\" {{\n  backend = \"local\"\n  {config}\n}}\n"
                )
            })
        }
    };
    let state = || {
        let output = serde_json::json!({ "value": "x".repeat(42_000_000), "type": "string" });
        let state = serde_json::json!({ "version": 4, "outputs": { "a": output }, "resources": [] });
        format!("{state}\n")
    };
    let different = Case::module("100 remote states of 10 files of 42 MB", EVAL, remote(|i| i % 10));
    let template = || {
        let provisioner = "  provisioner \"shell\" {\n    inline = local.l\n    only = local.l\n  }\n";
        format!(
            "{MILLION}source \"null\" \"s\" {{\n  communicator = \"none\"\n}}\nbuild {{\n  sources = [\"null.s\"]\n{}}}\n",
            provisioner.repeat(500)
        )
    };
    vec![
        Case::module("100 remote states of one file of 42 MB", EVAL, remote(|_| 0)).file("s0.json", state),
        (0..10).fold(different, |case, i| case.file(format!("s{i}.json"), state)),
        Case::new("Packer: a million numbers in 1,000 arguments of texts", EVAL).file("a.pkr.hcl", template),
    ]
}
