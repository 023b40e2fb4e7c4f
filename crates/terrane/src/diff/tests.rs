//! Comparisons as text and Markdown.

use terrane_source::MemoryFiles;

use crate::{Comparison, Project, Secrets};

fn difference(before: &str, after: &str) -> Comparison {
    let report = |text: &str| {
        let child = "variable \"n\" {}\nresource \"x_y\" \"in\" {\n  count = var.n\n  i = count.index\n}\n";
        let files = MemoryFiles::from_iter([("main.tf", text), ("child/main.tf", child)]);
        Project::new(".").evaluate(&files)
    };
    report(before).diff(&report(after), Secrets::Hidden)
}

/// The lines without places.
fn lines(before: &str, after: &str) -> Vec<String> {
    let text = difference(before, after).to_text();
    text.lines().map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn instances_are_added_removed_and_changed() {
    let before = r#"
resource "x_y" "a" {
  count = 2
  size  = 1
  tags  = { k = "v", old = 1 }
}
resource "x_y" "gone" { name = "n" }
output "o" { value = { a = [1, 2] } }
output "same" { value = 1 }
"#;
    let after = r#"
resource "x_y" "a" {
  count = 3
  size  = count.index == 1 ? 2 : 1
  tags  = { k = count.index == 0 ? "w" : "v", "a b" = 2 }
}
output "o" { value = { a = [1, 3, 4] } }
output "same" { value = 1 }
output "new" { value = "x" }
"#;
    assert_eq!(
        lines(before, after),
        [
            "~ x_y.a[0]",
            "+     tags[\"a b\"] = 2",
            "~     tags.k = \"v\" -> \"w\"",
            "-     tags.old = 1",
            "~ x_y.a[1]",
            "~     size = 1 -> 2",
            "+     tags[\"a b\"] = 2",
            "-     tags.old = 1",
            "+ x_y.a[2]",
            "+     size = 1",
            "+     tags = { \"a b\" = 2, k = \"v\", ... }",
            "- x_y.gone",
            "-     name = \"n\"",
            "",
            "Outputs:",
            "+ output.new",
            "+     value = \"x\"",
            "~ output.o",
            "~     a[1] = 2 -> 3",
            "+     a[2] = 4",
            "",
            "Resources: 1 added, 1 removed, 2 changed; outputs: 1 added, 1 changed.",
        ]
    );
    assert_eq!(lines(after, after), ["No differences."]);
}

#[test]
fn moved_blocks_relate_addresses() {
    let before = r#"
resource "x_y" "a" { size = 1 }
resource "x_y" "k" {
  for_each = toset(["p", "q"])
  name     = each.key
}
module "m" {
  source = "./child"
  n      = 1
}
resource "x_y" "single" { size = 5 }
"#;
    let after = r#"
resource "x_y" "b" { size = 2 }
resource "x_y" "l" {
  for_each = toset(["p", "q"])
  name     = each.key
}
module "n" {
  source = "./child"
  count  = 1
  n      = 1
}
resource "x_y" "single" {
  count = 1
  size  = 5
}
moved {
  from = x_y.a
  to   = x_y.mid
}
moved {
  from = x_y.mid
  to   = x_y.b
}
moved {
  from = x_y.k
  to   = x_y.l
}
moved {
  from = module.m
  to   = module.n[0]
}
"#;
    assert_eq!(
        lines(before, after),
        [
            "> x_y.b (moved from x_y.a)",
            "~     size = 1 -> 2",
            "> x_y.l[\"p\"] (moved from x_y.k[\"p\"])",
            "> x_y.l[\"q\"] (moved from x_y.k[\"q\"])",
            "> x_y.single[0] (moved from x_y.single)",
            "> module.n[0].x_y.in[0] (moved from module.m.x_y.in[0])",
            "",
            "Resources: 5 moved.",
        ]
    );
    // Without the blocks they are other objects.
    let unrelated = after.split("moved {").next().unwrap_or_default();
    assert!(lines(before, unrelated).contains(&"- x_y.a".to_owned()));
}

#[test]
fn an_unknown_number_of_instances_is_no_change() {
    let block = |count: &str| {
        format!("variable \"n\" {{}}\nresource \"x_y\" \"a\" {{\n  count = {count}\n  size = 1\n}}\n")
    };
    let unknown = block("var.n");
    let found = |side: &str| format!("? x_y.a[0] (unknown number of instances {side})");
    assert_eq!(lines(&unknown, &block("1")), [&*found("before"), "", "Resources: 1 uncertain."]);
    assert_eq!(lines(&block("1"), &unknown), [&*found("after"), "", "Resources: 1 uncertain."]);
    let larger = block("2").replace("size = 1", "size = count.index + 1");
    assert_eq!(
        lines(&unknown, &larger),
        [
            &*found("before"),
            &found("before").replace("[0]", "[1]"),
            "~     size = 1 -> 2",
            "",
            "Resources: 2 uncertain."
        ]
    );
    // A block without `count` has the same address.
    let single = block("1").replace("  count = 1\n", "");
    assert_eq!(
        lines(&unknown, &single),
        ["? x_y.a (unknown number of instances before)", "", "Resources: 1 uncertain."]
    );
    assert_eq!(lines(&unknown, &unknown), ["No differences."]);
    let size = unknown.replace("size = 1", "size = 2");
    assert_eq!(lines(&unknown, &size)[..2], ["~ x_y.a (unknown number of instances)", "~     size = 1 -> 2"]);
    assert_eq!(lines("", &unknown)[0], "+ x_y.a (unknown number of instances)");
    let json = difference(&unknown, &block("1")).to_json();
    assert!(json.contains("\"change\":\"uncertain\",\"unknown_number\":\"before\""), "{json}");
}

#[test]
fn instances_of_an_unknown_number_of_modules_are_neither_added_nor_removed() {
    let call = |count: &str| {
        let call = format!("  source = \"./child\"\n  count = {count}\n  n = 1\n");
        format!("variable \"n\" {{}}\nmodule \"m\" {{\n{call}}}\n")
    };
    let found = |side: &str| format!("? module.m[0].x_y.in[0] (unknown number of instances {side})");
    assert_eq!(lines(&call("var.n"), &call("1")), [&*found("before"), "", "Resources: 1 uncertain."]);
    assert_eq!(lines(&call("1"), &call("var.n")), [&*found("after"), "", "Resources: 1 uncertain."]);
    // A `moved` block leads to the other block.
    let renamed = call("1").replace("\"m\"", "\"o\"") + "moved {\n  from = module.m\n  to = module.o\n}\n";
    assert_eq!(lines(&call("var.n"), &renamed)[0], found("before").replace(".m[", ".o["));
}

#[test]
fn unknown_and_sensitive_values_are_compared_and_not_shown() {
    let text = |default: &str, sensitive: bool| {
        format!(
            "variable \"s\" {{\n  default = \"{default}\"\n  sensitive = {sensitive}\n}}\nvariable \"u\" {{}}\n\
             resource \"x_y\" \"a\" {{\n  s = var.s\n  u = var.u\n  id2 = x_z.o.id\n}}\nresource \"x_z\" \"o\" {{}}\n"
        )
    };
    assert_eq!(lines(&text("Mrk1", true), &text("Mrk1", true)), ["No differences."]);
    let found = lines(&text("Mrk1", true), &text("Mrk2", true));
    assert_eq!(found[..2], ["~ x_y.a", "~     s = (sensitive value) -> (sensitive value)"]);
    // One side is secret, so the other is not shown either.
    let difference = difference(&text("Mrk1", false), &text("Mrk1", true));
    let all = difference.to_text() + &difference.to_markdown() + &difference.to_json();
    assert!(!all.contains("Mrk1") && all.contains("(sensitive value)"), "{all}");
}

#[test]
fn markdown_is_a_block_that_its_content_cannot_end() {
    let text = |value: &str| format!("output \"o\" {{\n  value = \"{value}\"\n}}\n");
    let difference = difference(&text("a"), &text("```` | <b>"));
    assert_eq!(
        difference.to_markdown(),
        "**terrane diff**: outputs: 1 changed\n\n`````diff\n! output.o\n-     value = \"a\"\n+     value = \"```` | <b>\"\n`````\n"
    );
}
