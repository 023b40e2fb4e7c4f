//! Values in which one part occurs millions of times, or in thousands of values. Each part is looked at once, and a document that
//! would repeat it is refused.
#[path = "support/many.rs"]
mod many;

use self::many::{many, run};

/// The commands that look at all values of a configuration.
const COMMANDS: [&[&str]; 9] = [
    &["eval"],
    &["eval", "--json"],
    &["eval", "--require-known"],
    &["eval", "local.l5"],
    &["explain", "local.l5"],
    &["plan"],
    &["plan", "--json"],
    &["graph", "--format", "json"],
    &["graph", "--format", "html"],
];

/// Returns local values in which `first` occurs four million times, and many copies of the last one.
fn wide(first: &str, copies: usize) -> String {
    let doubled = (1..=22).map(|level| format!("u{level} = [local.u{0}, local.u{0}]\n", level - 1));
    let copies = (0..copies).map(|number| format!("l{number} = local.u22\n"));
    format!("locals {{\nu0 = {first}\n{}{}}}\n", doubled.collect::<String>(), copies.collect::<String>())
}

#[test]
fn unknown_parts_of_wide_values() {
    for first in ["a.b.x", "a.b"] {
        let text = format!("resource \"a\" \"b\" {{\ny = 1\n}}\n{}", wide(first, 300));
        for command in COMMANDS {
            assert!(!run(&[("main.tf", &text)], command).is_empty());
        }
    }
}

#[test]
fn secret_parts_of_wide_values() {
    let outputs: String = (0..300)
        .map(|number| format!("output \"o{number}\" {{\nsensitive = true\nvalue = local.u22\n}}\n"))
        .collect();
    let given = "variable \"a\" {\nsensitive = true\ndefault = \"hunter2\"\n}\n";
    let text = format!("{given}{}{outputs}", wide("var.a", 300));
    for command in COMMANDS {
        let output = run(&[("main.tf", &text)], command);
        assert!(!output.contains("hunter2"), "{command:?}");
    }
}

#[test]
fn unknown_parts_of_a_list_that_many_values_share() {
    let list = many(|number| format!("a.b.x{number}, "));
    let locals = many(|number| format!("l{number} = local.u\n"));
    let text = format!("resource \"a\" \"b\" {{}}\nlocals {{\nu = [{list}]\n{locals}}}\n");
    for command in [&["eval"][..], &["eval", "--require-known=local.l5"], &["plan", "--json"]] {
        let output = run(&[("main.tf", &text)], command);
        assert!(output.contains("error[core:limit-exceeded]"), "{command:?}: {output}");
    }
    let outputs = many(|number| format!("output \"o{number}\" {{\nvalue = local.u\n}}\n"));
    let text = format!("resource \"a\" \"b\" {{}}\nlocals {{\nu = [{list}]\n}}\n{outputs}");
    let output = run(&[("main.tf", &text)], &["eval", "--require-known"]);
    assert!(output.contains("core:not-known"), "{output}");
}

/// Each conditional compares the types of its results, and so do functions that need a common type.
#[test]
fn common_types_of_wide_values() {
    let locals = |value: &str| -> String {
        (0..300).map(|number| format!("locals {{\nm{number} = {value}\n}}\n")).collect()
    };
    for value in ["true ? local.u22 : [1]", "var.c ? local.u22 : a.b.y", "coalesce(local.u22, 1)"] {
        for first in ["a.b.x", "var.c"] {
            let text = format!(
                "resource \"a\" \"b\" {{}}\nvariable \"c\" {{}}\n{}{}",
                wide(first, 0),
                locals(value)
            );
            for command in [&["eval"][..], &["plan", "--json"]] {
                assert!(!run(&[("main.tf", &text)], command).is_empty());
            }
        }
    }
}

#[test]
fn wide_values_are_compared() {
    let wide = wide("1 / 3", 0);
    for value in ["local.u22 == local.u22", "local.u22 == local.v22"] {
        let locals: String = (0..300).map(|number| format!("m{number} = {value}\n")).collect();
        let text = format!("{wide}{}locals {{\n{locals}}}\n", wide.replace('u', "v"));
        assert!(!run(&[("main.tf", &text)], &["eval", "local.m5"]).is_empty());
    }
}

/// The names in a secret value stay secret in the output of a `terraform_data`.
#[test]
fn wide_secrets_of_resources() {
    let resources: String = (0..300)
        .map(|number| format!("resource \"terraform_data\" \"d{number}\" {{\ninput = local.u22\n}}\n"))
        .collect();
    for first in ["sensitive(1 / 3)", "sensitive({ a = 1 })"] {
        let text = format!("{}{resources}", wide(first, 0));
        assert!(!run(&[("main.tf", &text)], &["eval", "terraform_data.d5.id"]).is_empty());
    }
}

/// Secret texts are collected from all secret values of a template, and hidden in all others.
#[test]
fn secrets_of_templates_with_wide_values() {
    let local = |name: &str, value: &str| {
        format!("local \"{name}\" {{\nexpression = {value}\nsensitive = true\n}}\n")
    };
    let doubled = |prefix: &str| -> Vec<(String, String)> {
        let of_level = |level: usize| {
            (format!("{prefix}{level}"), format!("[local.{prefix}{0}, local.{prefix}{0}]", level - 1))
        };
        (1..=22).map(of_level).collect()
    };
    let mut text = local("u0", "\"hunter2\"");
    text.extend(doubled("u").iter().map(|(name, value)| local(name, value)));
    text.extend((0..100).map(|number| local(&format!("l{number}"), "local.u22")));
    let shown = doubled("v").into_iter().map(|(name, value)| format!("{name} = {value}\n"));
    text.push_str(&format!("locals {{\nv0 = \"a hunter2\"\n{}}}\n", shown.collect::<String>()));
    text.push_str("source \"null\" \"n\" {}\nbuild {\nsources = [\"null.n\"]\n}\n");
    for command in [&["eval"][..], &["eval", "--json"], &["eval", "local.v3"]] {
        let output = run(&[("a.pkr.hcl", &text)], command);
        assert!(!output.is_empty() && !output.contains("hunter2"), "{command:?}: {output}");
    }
}

#[test]
fn a_plan_document_counts_local_values_and_outputs_of_modules() {
    let exceeds = |files: &[(&str, &str)]| {
        let output = run(files, &["plan", "--json"]);
        assert!(output.starts_with("error[core:limit-exceeded]"), "{output}");
    };
    exceeds(&[("main.tf", &wide("[]", 300))]);
    exceeds(&[("main.tf", &wide("\"text\"", 300))]);
    let call = "module \"m\" {\nsource = \"./m\"\ncount = 100\n}\n";
    let output = format!("{}output \"o\" {{\nvalue = local.u22\n}}\n", wide("\"text\"", 0));
    exceeds(&[("main.tf", call), ("m/main.tf", &output)]);
    // The values of the module are short, the text of its declarations is not.
    let calls: String =
        (0..1500).map(|number| format!("module \"m{number}\" {{\nsource = \"./m\"\n}}\n")).collect();
    let output = format!("output \"o\" {{\nvalue = length(\"{}\")\n}}\n", "x".repeat(150_000));
    exceeds(&[("main.tf", &calls), ("m/main.tf", &output)]);
}
