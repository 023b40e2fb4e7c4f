//! Values and messages beside text that cannot be read.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::{Value, json};

#[test]
fn values_without_a_variable_file_that_cannot_be_read_are_partial() {
    let files = [("main.tf", "variable \"a\" {\n  default = 1\n}\nlocals {\n  b = 2\n}\n")];
    let arguments = ["eval", "--keep-going", "-var-file=no.tfvars"];
    let (_, stdout, _) = support::terrane(&files, &arguments);
    let note =
        "# partial values: no.tfvars cannot be read; values that depend on the unreadable text are unknown\n";
    assert!(stdout.starts_with(note), "{stdout}");
    let (_, stdout, _) = support::terrane(&files, &[&arguments[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&stdout).unwrap();
    let values = &document["values"];
    assert_eq!((&document["partial"], &values["local.b"]["value"]), (&json!(true), &json!(2)));
    assert_eq!(values["var.a"]["state"], "unknown");
}

#[test]
fn a_missing_sign_puts_only_its_argument_in_doubt() {
    let ids = |text: &str| {
        let text = format!("{text}\noutput \"z\" {{\n  value = local.nope\n}}\n");
        let files = [("main.tf", &*text), ("m/main.tf", "variable \"a\" {}\n")];
        let (_, stdout, _) = support::terrane(&files, &["check", "--format", "compact"]);
        let id = |line: &str| line.rsplit_once("[core:").map(|(_, id)| id.trim_end_matches(']').to_owned());
        stdout.lines().filter_map(id).collect::<Vec<_>>()
    };
    let one = ["argument-required", "undeclared-local"];
    assert_eq!(
        ids("locals {\n  a = merge\n    { b = 1 },\n  )\n  c = 1\n}"),
        ["item-required", "item-required", "undeclared-local"]
    );
    assert_eq!(ids("locals {\n  a  { for k in [1] : k => k }\n}"), one);
    let call = "module \"m\" {\n  source = \"./m\"\n  for_each  { for k, v in { x = 1 } : k => v }\n  a = each.key\n}";
    assert_eq!(ids(call), one);
    assert_eq!(
        ids("module \"m\" {var.\n  source = \"./m\"\n  a = 1\n}"),
        ["item-required", "undeclared-local"]
    );
    let lost = "locals {var.\n  a = 1\n}\noutput \"a\" {\n  value = local.a\n}";
    assert_eq!(ids(lost), ["item-required", "undeclared-local"]);
    assert_eq!(
        ids("output \"o\" { value = } { a = 1, b = try(1, 2) } }"),
        ["invalid-expression", "undeclared-local"]
    );
}
