//! Keys of loops, unknown instances, and long chains in explanations.

use terrane_source::MemoryFiles;

use super::explained;
use crate::Project;

#[test]
fn the_key_of_a_for_is_an_input() {
    let text = "variable \"p\" { default = \"x\" }\nlocals {\n  ids = { for k in [\"a\", \"b\"] : \"${var.p}-${k}\" => upper(k) }\n}\n";
    let found = explained(text, "local.ids[\"x-b\"]");
    assert!(
        found.contains("element 2 of 2") && found.contains("key: \"${var.p}-${k}\" is \"x-b\""),
        "{found}"
    );
    assert!(found.contains("var.p = \"x\""), "{found}");
    let text = "variable \"p\" {}\nlocals {\n  ids = { for k in [\"a\"] : var.p => k }\n}\n";
    let found = explained(text, "local.ids");
    assert!(found.contains("#   way: local.ids <- var.p"), "{found}");
}

#[test]
fn a_long_chain_of_dependents_has_a_bounded_indentation() {
    let local = |index: usize| format!("  l{} = local.l{index}\n", index + 1);
    let text = format!("locals {{\n  l0 = 1\n{}}}\n", (0..3000).map(local).collect::<String>());
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let found =
        Project::new(".").evaluate(&files).dependents("local.l0", &files).expect("it exists").to_text();
    assert!(
        found.contains("local.l3000  # main.tf:3002:11  distance 3000"),
        "{}",
        &found[found.len() - 200..]
    );
    assert!(found.len() < 1_000_000, "{}", found.len());
}

#[test]
fn an_unknown_number_of_instances_has_its_cause_and_the_way() {
    let text = r#"
variable "n" { type = number }
variable "names" { type = set(string) }
resource "a_b" "c" {
  count = var.n
  name  = "x"
}
resource "a_b" "d" {
  dynamic "rule" {
    for_each = var.names
    content { port = rule.value }
  }
}
output "c" { value = a_b.c[*].name }
output "d" { value = a_b.d.rule }
"#;
    let known = "# unknown: var.n has no value\n#   known with: -var n=VALUE\n";
    for (address, way) in [("a_b.c", "a_b.c <- var.n"), ("output.c", "output.c <- a_b.c <- var.n")] {
        let found = explained(text, address);
        assert!(found.starts_with(&format!("{known}#   way: {way}\n")), "{found}");
    }
    for (address, way) in
        [("a_b.d.rule", "a_b.d.rule <- var.names"), ("output.d", "output.d <- a_b.d.rule <- var.names")]
    {
        let found = explained(text, address);
        assert!(found.contains(&format!("#   way: {way}\n")), "{found}");
        assert!(found.contains("instances: var.names = (not set)"), "{found}");
    }
}
