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
