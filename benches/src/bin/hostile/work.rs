//! Small hostile inputs that cause much work: defaults inside of defaults, conversions in modules, patterns and merged documents.

use crate::cases::{Case, numbered};

const EVAL: &[&str] = &["eval", "."];

/// The directories of the cases with many directories.
const DIRECTORIES: usize = 100;

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = defaults();
    cases.extend(conversions());
    cases.extend(patterns());
    cases.extend(documents());
    cases.extend(computed());
    cases.extend(texts());
    cases.push(
        Case::new("decode: a million references", &["decode", "--spec=s.hcldec", "--var-refs", "a.hcl"])
            .file("s.hcldec", || "attr {\n  name = \"a\"\n  type = any\n}\n".to_owned())
            .file("a.hcl", || format!("a = [{}]\n", "v.a,".repeat(1_000_000))),
    );
    cases.push(Case::module(
        "fmt -diff: 4 MB of heredocs",
        &["fmt", "-diff", "-write=false", "main.tf"],
        || numbered(240_000, |i| format!("b{i}=<<-E\nx\nE\n")),
    ));
    cases.push(
        Case::module("100 MB in .terraform/environment", EVAL, || "output \"o\" { value = 1 }\n".to_owned())
            .file(".terraform/environment", || "x".repeat(100_000_000)),
    );
    cases
}

/// Returns a type of nested maps, in which the default of each level has `keys` keys.
fn nested(levels: usize, keys: usize) -> String {
    let default = format!("{{{}}}", numbered(keys, |i| format!("k{i}={{}},")));
    (0..levels).fold("string".to_owned(), |ty, level| {
        let default = if level == 0 { "\"x\"" } else { &default };
        format!("map(object({{a=optional({ty},{default})}}))")
    })
}

fn defaults() -> Vec<Case> {
    let server: &[&str] = &["console", "--json"];
    let mut cases = Vec::new();
    for (name, levels, keys) in [("24 levels of 2 keys", 24, 2), ("3 levels of 300 keys", 3, 300)] {
        let declared = move || nested(levels, keys);
        cases.push(Case::module(format!("defaults of defaults: {name}"), EVAL, move || {
            format!("variable \"x\" {{\n  type = {}\n  default = {{ x = {{}} }}\n}}\n", declared())
        }));
        cases.push(
            Case::module(format!("defaults of defaults: {name}, given"), EVAL, move || {
                format!("variable \"x\" {{\n  type = {}\n}}\n", declared())
            })
            .file("terraform.tfvars", || "x = { x = {} }\n".to_owned()),
        );
        cases.push(
            Case::new(format!("request: defaults of defaults: {name}"), server)
                .stdin(move || format!("{}\n", serde_json::json!({ "expr": "{x={}}", "type": declared() }))),
        );
    }
    cases.push(Case::new("request: 100,000 optional attributes, 1,000 objects", server).stdin(|| {
        let attributes = numbered(100_000, |i| format!("a{i}=optional(string,\"x\"),"));
        let ty = format!("list(object({{{attributes}}}))");
        format!("{}\n", serde_json::json!({ "expr": "[for i in range(1000) : {}]", "type": ty }))
    }));
    cases
}

fn conversions() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, ty, list) in [
        ("300,000 numbers as strings", "list(string)", "flatten([for i in range(300) : range(1000)])"),
        (
            "100,000 objects in maps",
            "list(map(object({a=optional(string,\"x\"),b=optional(number,1)})))",
            "flatten([for i in range(100) : [for j in range(1000) : { a = {} }]])",
        ),
    ] {
        cases.push(
            Case::module(format!("100 modules that convert {name}"), EVAL, move || {
                format!(
                    "locals {{ l = {list} }}\nmodule \"m\" {{\n  source = \"./m\"\n  count = 100\n  l = local.l\n}}\n"
                )
            })
            .file("m/main.tf", move || format!("variable \"l\" {{ type = {ty} }}\n")),
        );
    }
    cases
}

fn patterns() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, part, count) in [("20,000 `**/`", "**/", 20_000), ("100 `**/d/`", "**/d/", 100)] {
        let pattern =
            move || format!("output \"o\" {{ value = fileset(\".\", \"{}x\") }}\n", part.repeat(count));
        cases.push(
            Case::module(format!("fileset: {name} in 100 nested directories"), EVAL, pattern)
                .file(format!("{}y", "d/".repeat(DIRECTORIES)), String::new),
        );
    }
    let case =
        Case::module("100 directories with patterns", &["check", "-recursive"], || "locals {}\n".to_owned());
    let case = case.file(".git/config", String::new);
    cases.push((0..DIRECTORIES).fold(case, |case, i| {
        case.file(format!("d{i}/.gitignore"), || numbered(4000, |j| format!("a{j}*b*c\n")))
            .file(format!("d{i}/s/main.tf"), || "locals {}\n".to_owned())
    }));
    cases
}

fn documents() -> Vec<Case> {
    let chain = || {
        let first = "data \"aws_iam_policy_document\" \"a0\" {\n  statement {\n    actions = [\"s3:*\"]\n    \
                     resources = [\"*\"]\n  }\n}\n";
        let next = |i: usize| {
            let below = format!("data.aws_iam_policy_document.a{i}.json");
            format!(
                "data \"aws_iam_policy_document\" \"a{}\" {{\n  source_policy_documents = [{below}, {below}]\n}}\n",
                i + 1
            )
        };
        format!("{first}{}", numbered(18, next))
    };
    let statements = "{ Effect = \"Allow\", Action = \"s3:a${i}\", Resource = \"*\" }";
    let many = move || {
        format!(
            "locals {{ d = jsonencode({{ Version = \"2012-10-17\", Statement = [for i in range(1000) : {statements}] }}) }}\n\
             data \"aws_iam_policy_document\" \"a\" {{\n  count = 100\n  \
             source_policy_documents = [for i in range(100) : local.d]\n}}\n"
        )
    };
    vec![
        Case::module("policy documents: each merges the one below twice", EVAL, chain),
        Case::module("policy documents: 100 instances merge 100,000 statements", EVAL, many),
    ]
}

/// Returns cases in which a text of 500 KB becomes a bool, a number or an index, or is the argument of a function that fails.
fn texts() -> Vec<Case> {
    const WIDE: fn() -> String = || "é".repeat(250_000);
    const DIGITS: fn() -> String = || "1".repeat(500_000);
    const SCHEMAS: &[&str] = &["eval", ".", "--schemas", "s.json"];
    let schemas = |ty: &'static str| {
        move || {
            format!(
                "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":{{\
                 \"resource_schemas\":{{\"a_b\":{{\"version\":0,\"block\":{{\"attributes\":{{\"n\":{{\"type\":{ty},\
                 \"optional\":true}}}}}}}}}}}}}}}}"
            )
        }
    };
    let case = |name: String, arguments: &[&'static str], text: fn() -> String, rest: String| {
        Case::module(name, arguments, move || format!("locals {{\n  x = file(\"x\")\n}}\n{rest}"))
            .file("x", text)
    };
    let mut cases = Vec::new();
    for (kind, text) in [("wide letters", WIDE), ("digits", DIGITS)] {
        for body in [
            "can(local.x ? 1 : 2)",
            "can(local.x && true)",
            "can(!local.x)",
            "can(tobool(local.x))",
            "can(\"%{if local.x}a%{endif}\")",
            "can(local.x + 1)",
            "try([1][local.x], 0)",
            "can(templatefile(local.x, {}))",
            "can(templatestring(local.x, {}))",
            "can(uuidv5(local.x, \"a\"))",
            "can(timeadd(local.x, \"1h\"))",
        ] {
            let output =
                format!("output \"o\" {{ value = [for i in range(1000): [for j in range(10): {body}]] }}\n");
            cases.push(case(format!("500 KB of {kind}, 10,000 times {body}"), EVAL, text, output));
        }
        for (place, ty, value) in [
            ("bool", "bool", "local.x"),
            ("number", "number", "local.x"),
            ("list(number)", "[\"list\",\"number\"]", "[for i in range(1000): local.x]"),
        ] {
            let call = format!("module \"m\" {{\n  source = \"./m\"\n  count = 3000\n  x = {value}\n}}\n");
            let name = format!("500 KB of {kind} as {place} of 3,000 modules");
            let called = move || format!("variable \"x\" {{ type = {place} }}\n");
            cases.push(case(name, EVAL, text, call).file("m/main.tf", called));
            let resource = format!("resource \"a_b\" \"c\" {{\n  count = 3000\n  n = {value}\n}}\n");
            let name = format!("500 KB of {kind} as {place} of 3,000 resources");
            let ty = if ty.starts_with('[') { ty.to_owned() } else { format!("\"{ty}\"") };
            cases.push(case(name, SCHEMAS, text, resource).file("s.json", schemas(ty.leak())));
        }
        let condition = "resource \"a_b\" \"c\" {\n  count = 3000\n  lifecycle {\n    precondition {\n      condition = local.x\n      \
                         error_message = \"a\"\n    }\n  }\n}\n";
        cases.push(case(format!("500 KB of {kind} as 3,000 conditions"), EVAL, text, condition.to_owned()));
    }
    cases
}

/// Returns cases with many instances of a data source that the command computes, or leaves unknown for a reason.
fn computed() -> Vec<Case> {
    const COMMANDS: [(&str, &[&str]); 3] =
        [("eval", &["eval", "."]), ("plan", &["plan", "."]), ("plan --json", &["plan", ".", "--json"])];
    let of = |argument: &'static str| {
        move || {
            format!(
                "resource \"a_b\" \"c\" {{}}\nlocals {{\n t = format(\"%10000s\", \"\")\n}}\n\
                 data \"aws_arn\" \"x\" {{\n count = 250000\n {argument}\n}}\n"
            )
        }
    };
    let arguments = [
        ("with an unknown argument", "arn = a_b.c.arn"),
        ("read after a resource", "arn = \"arn:${count.index}\"\n depends_on = [a_b.c]"),
        ("with a text of 10 KB", "arn = \"arn:aws:s3:::${local.t}\""),
    ];
    let mut cases = Vec::new();
    for (kind, argument) in arguments {
        for (name, command) in COMMANDS {
            let name = format!("250,000 instances of a computed data source {kind}, {name}");
            cases.push(Case::module(name, command, of(argument)));
        }
        let name = format!("250,000 instances of a computed data source {kind}, diff");
        let sides = ["a/main.tf", "b/main.tf"];
        let case = Case::new(name, &["diff", "a", "b"]).runs(2);
        cases.push(sides.into_iter().fold(case, |case, side| case.file(side, of(argument))));
    }
    cases
}
