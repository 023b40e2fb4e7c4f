//! Small hostile inputs that cause much work: defaults inside of defaults, conversions in modules, patterns and merged documents.

use crate::cases::{Case, numbered};

const EVAL: &[&str] = &["eval", "."];

/// The directories of the cases with many directories.
const DIRECTORIES: usize = 100;

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = defaults();
    cases.extend(conversions());
    cases.extend(converted());
    cases.extend(misspelt());
    cases.extend(large_schemas());
    cases.extend(patterns());
    cases.extend(documents());
    cases.extend(computed());
    cases.extend(texts());
    cases.extend(decoding());
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

/// Returns cases in which `convert` reads large types, or makes sets.
fn converted() -> Vec<Case> {
    let attributes = |count| numbered(count, |i| format!("a{i}=optional(string),"));
    let large = move || format!("can(convert({{}}, object({{{}}})))", attributes(10_000));
    let objects = || "convert(local.l, set(object({a=string,b=optional(string,\"x\")})))".to_owned();
    let tuples = || "convert(local.m, set(tuple([string])))".to_owned();
    let texts = || "convert(local.l, list(map(string)))".to_owned();
    let rows: [(&str, usize, Box<dyn Fn() -> String>); 4] = [
        ("1,000 conversions to 10,000 optional attributes", 1000, Box::new(large)),
        ("60 conversions of 60,000 objects to a set", 60, Box::new(objects)),
        ("a conversion of a million tuples to a set", 1, Box::new(tuples)),
        ("100 conversions of 60,000 objects to maps", 100, Box::new(texts)),
    ];
    let case = |(name, count, expression): (&str, usize, Box<dyn Fn() -> String>)| {
        Case::module(format!("convert: {name}"), EVAL, move || {
            format!(
                "locals {{\n  l = [for i in range(60000) : {{ a = i }}]\n  m = [for i in range(1000000) : [i]]\n}}\n\
                 output \"o\" {{ value = length([for i in range({count}) : {}]) }}\n",
                expression()
            )
        })
    };
    rows.into_iter().map(case).collect()
}

/// Returns the schemas of a provider with the resource type `a_b`, and others.
fn schemas(block: &str, others: &str) -> String {
    format!(
        "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":{{\"resource_schemas\":{{\
         {others}\"a_b\":{{\"version\":0,\"block\":{{{block}}}}}}}}}}}}}"
    )
}

/// The number of names in a large schema.
const MANY: usize = 20_000;

/// Returns the schemas of a resource type with [`MANY`] types of blocks.
fn blocks() -> String {
    let types = numbered(MANY, |i| format!("\"block{i}\":{{\"nesting_mode\":\"list\",\"block\":{{}}}},"));
    schemas(&format!("\"block_types\":{{{}}}", types.trim_end_matches(',')), "")
}

/// Returns cases with many resources of a type with a large schema.
fn large_schemas() -> Vec<Case> {
    let commands: [(&str, &[&str]); 3] = [
        ("eval", &["eval", ".", "--schemas", "s.json"]),
        ("check", &["check", "--schemas", "s.json"]),
        ("plan --json", &["plan", ".", "--json", "--schemas", "s.json"]),
    ];
    let case = |(name, arguments): (&str, &[&'static str])| {
        Case::module(
            format!("200 resources of a type with 20,000 types of blocks, {name}"),
            arguments,
            || numbered(200, |i| format!("resource \"a_b\" \"r{i}\" {{\n  count = 100\n}}\n")),
        )
        .file("s.json", blocks)
    };
    commands.into_iter().map(case).collect()
}

/// Returns cases with 20,000 misspelt names beside 20,000 names.
fn misspelt() -> Vec<Case> {
    let check: &[&str] = &["check", "--schemas", "s.json"];
    let attributes = || {
        let names = numbered(MANY, |i| format!("\"name{i}\":{{\"type\":\"string\",\"computed\":true}},"));
        schemas(&format!("\"attributes\":{{{}}}", names.trim_end_matches(',')), "")
    };
    let types =
        || schemas("", &numbered(MANY, |i| format!("\"a_type{i}\":{{\"version\":0,\"block\":{{}}}},")));
    let module = || {
        let variables = numbered(700, |i| format!("variable \"name{i}\" {{\n  default = 1\n}}\n"));
        format!("{variables}locals {{\n{}}}\n", numbered(700, |i| format!("  l{i} = var.nxme{i}\n")))
    };
    let calls = || numbered(100, |i| format!("module \"m{i}\" {{\n  source = \"./m{i}\"\n}}\n"));
    let modules = Case::module("misspelt variables of 100 modules", &["check"], calls);
    vec![
        Case::module("misspelt labels of dynamic blocks", check, || {
            let dynamic =
                |i| format!("  dynamic \"blxck{i}\" {{\n    for_each = []\n    content {{}}\n  }}\n");
            format!("resource \"a_b\" \"c\" {{\n{}}}\n", numbered(MANY, dynamic))
        })
        .file("s.json", blocks),
        Case::module("misspelt resource types", check, || {
            numbered(MANY, |i| format!("resource \"a_txpe{i}\" \"c\" {{}}\n"))
        })
        .file("s.json", types),
        Case::module("misspelt attributes of a resource", check, || {
            let locals = numbered(MANY, |i| format!("  l{i} = a_b.c.nxme{i}\n"));
            format!("resource \"a_b\" \"c\" {{}}\nlocals {{\n{locals}}}\n")
        })
        .file("s.json", attributes),
        Case::module("misspelt outputs of a module", EVAL, || {
            let locals = numbered(2 * MANY, |i| format!("  l{i} = module.m.nxme{i}\n"));
            format!("module \"m\" {{\n  source = \"./m\"\n}}\nlocals {{\n{locals}}}\n")
        })
        .file("m/main.tf", || numbered(MANY, |i| format!("output \"name{i}\" {{ value = 1 }}\n"))),
        (0..100).fold(modules, |case, i| case.file(format!("m{i}/main.tf"), module)),
        Case::new("decode: misspelt functions", &["decode", "-s", "s.hcldec", "a.hcl"])
            .file("s.hcldec", || {
                let function = |i| format!("function \"name{i}\" {{\n  params = [x]\n  result = x\n}}\n");
                format!("attr {{\n  name = \"a\"\n  type = any\n}}\n{}", numbered(MANY, function))
            })
            .file("a.hcl", || format!("a = [{}]\n", numbered(MANY, |i| format!("nxme{i}(1),")))),
    ]
}

/// Returns cases in which many specs read one body, or many blocks have one literal.
fn decoding() -> Vec<Case> {
    let references: &[&str] = &["decode", "-s", "s.hcldec", "--var-refs", "a.hcl"];
    let values: &[&str] = &["decode", "-s", "s.hcldec", "a.hcl"];
    let attribute = |i| format!("attr \"x{i}\" {{\n  name = \"a\"\n  type = any\n}}\n");
    let blocks = |i| {
        format!(
            "block_list \"x{i}\" {{\n  block_type = \"b\"\n  attr {{\n    name = \"a\"\n    type = any\n  }}\n}}\n"
        )
    };
    let literal = |kind: &'static str, count: usize| {
        move || {
            format!(
                "{kind} {{\n  block_type = \"b\"\n  literal {{\n    value = [{}]\n  }}\n}}\n",
                "1,".repeat(count)
            )
        }
    };
    vec![
        Case::new("decode: references of 2,000 specs", references)
            .file("s.hcldec", move || format!("object {{\n{}}}\n", numbered(2000, attribute)))
            .file("a.hcl", || format!("a = [{}]\n", "v.a,".repeat(200_000))),
        Case::new("decode: blocks of 2,000 specs", references)
            .file("s.hcldec", move || format!("object {{\n{}}}\n", numbered(2000, blocks)))
            .file("a.hcl", || "b {\n  a = v.x\n}\n".repeat(100_000)),
        Case::new("decode: a literal of 400,000 numbers in a list", values)
            .file("s.hcldec", literal("block_list", 400_000))
            .file("a.hcl", || "b {\n}\n".repeat(100_000)),
        Case::new("decode: a literal of 400,000 numbers in a set", values)
            .file("s.hcldec", literal("block_set", 400_000))
            .file("a.hcl", || "b {\n}\n".repeat(20_000)),
    ]
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
    let of = |count: usize, argument: &'static str| {
        move || {
            format!(
                "resource \"a_b\" \"c\" {{}}\nlocals {{\n t = format(\"%10000s\", \"\")\n}}\n\
                 data \"aws_arn\" \"x\" {{\n count = {count}\n {argument}\n}}\n"
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
            cases.push(Case::module(name, command, of(250_000, argument)));
        }
        let name = format!("110,000 instances of a computed data source {kind}, diff");
        let sides = ["a/main.tf", "b/main.tf"];
        let case = Case::new(name, &["diff", "a", "b"]).runs(2);
        cases.push(sides.into_iter().fold(case, |case, side| case.file(side, of(110_000, argument))));
    }
    cases
}
