//! Differences as text and Markdown.

use terrane_source::MemoryFiles;

use crate::{Differences, Project, Secrets};

fn difference(before: &str, after: &str) -> Differences {
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
