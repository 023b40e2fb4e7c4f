//! Dependents of objects.

use std::collections::BTreeSet;

use terrane_config::ids::Arena;
use terrane_source::MemoryFiles;

use crate::{ObjectId, Project};

/// Returns the lines of the dependents of an object, without places.
fn dependents(text: &str, address: &str) -> Vec<String> {
    let files = MemoryFiles::from_iter([("main.tf", text), ("m/main.tf", "resource \"x_y\" \"r\" {}\n")]);
    let found = Project::new(".").evaluate(&files).dependents(address, &files).expect("it exists");
    let line = |line: &str| line.split_once(" # ").map_or(line, |(left, _)| left).trim_end().to_owned();
    found.to_text().lines().skip(1).map(line).collect()
}

#[test]
fn an_imported_resource_depends_on_the_id() {
    let text = r#"
variable "region" { default = "eu" }
resource "x_y" "i" {}
import {
  to = x_y.i
  id = "id-${var.region}"
}
module "m" {
  source   = "./m"
  for_each = toset(["a"])
}
import {
  to = module.m["a"].x_y.r
  id = var.region
}
output "o" { value = x_y.i.id }
"#;
    let expected = [
        "var.region",
        "  import.x_y.i",
        "    x_y.i",
        "      output.o",
        "  import.module.m.x_y.r",
        "    module.m.x_y.r",
    ];
    assert_eq!(dependents(text, "var.region"), expected);
    assert_eq!(dependents(text, "import.x_y.i"), ["import.x_y.i", "  x_y.i", "    output.o"]);
}

#[test]
fn depends_on_of_a_module_has_the_same_dependents_as_in_the_graph() {
    let main = r#"
variable "n" { default = 2 }
module "m" { source = "./m" }
module "empty" {
  source = "./empty"
  count  = var.n
}
module "later" {
  source     = "./m/n"
  depends_on = [module.m]
}
resource "x_y" "after" { depends_on = [module.m, module.empty] }
output "o" {
  value      = 1
  depends_on = [module.m]
}
output "id" { value = module.m.id }
locals { whole = module.m }
"#;
    let inner = r#"
variable "unused" { default = 1 }
locals { l = 2 }
resource "x_y" "r" { a = local.l }
module "n" { source = "./n" }
check "c" {
  assert {
    condition     = local.l > 1
    error_message = "no"
  }
}
output "id" { value = x_y.r.id }
"#;
    let innermost = "resource \"x_y\" \"r\" {}\noutput \"v\" { value = 3 }\n";
    let files = [
        ("main.tf", main),
        ("m/main.tf", inner),
        ("m/n/main.tf", innermost),
        ("empty/main.tf", "terraform {}\n"),
    ];
    let files = MemoryFiles::from_iter(files);
    let report = Project::new(".").evaluate(&files);
    let graph = Project::new(".").outline(&files).graph;
    let edges = graph.edges().filter(|(from, _)| from.to_string() == "x_y.after");
    assert_eq!(edges.count(), 2, "one for each call");
    for object in graph.objects() {
        let name = object.address.to_string();
        let names = graph.objects().iter().map(|object| object.address.to_string());
        let needed: BTreeSet<String> = names.filter(|other| needs(&graph, other, &name)).collect();
        let found = report.dependents(&name, &files).expect("it exists").found;
        let found: BTreeSet<String> = found.iter().map(|found| found.address.to_string()).collect();
        // If a call has one instance, the objects of its module have no edge to the call.
        match object.kind() == "module" {
            true => assert!(needed.is_subset(&found), "{name}: {needed:?} {found:?}"),
            false => assert_eq!(needed, found, "{name}"),
        }
        let around = graph.focused(&name, None).expect("it exists");
        let around: BTreeSet<String> =
            around.objects().iter().map(|object| object.address.to_string()).collect();
        assert!(found.is_subset(&around), "{name}: {found:?} {around:?}");
    }
}

/// Whether an object depends on another one, through plain edges or edges to whole modules.
fn needs(graph: &crate::Graph, from: &str, to: &str) -> bool {
    let names: Arena<ObjectId, String> =
        graph.objects().iter().map(|object| object.address.to_string()).collect();
    let mut reached = BTreeSet::from([from]);
    let mut left = vec![from];
    while let Some(at) = left.pop() {
        for edge in graph.dependencies().filter(|edge| names[edge.from] == at) {
            let call = format!("{}.", names[edge.to]);
            let is_met = |name: &&String| {
                **name == names[edge.to] || edge.is_on_whole_module && name.starts_with(&call)
            };
            left.extend(names.iter().filter(is_met).map(String::as_str).filter(|name| reached.insert(name)));
        }
    }
    from != to && reached.contains(to)
}

#[test]
fn an_import_with_a_constant_id_has_dependents() {
    let text = "import {\n  to = x_y.i\n  id = \"i\"\n}\nresource \"x_y\" \"i\" {}\n";
    assert_eq!(dependents(text, "import.x_y.i"), ["import.x_y.i", "  x_y.i"]);
}

#[test]
fn the_outputs_of_a_module_that_is_not_on_disk_depend_on_its_arguments() {
    let text = r#"
variable "x" { default = "a" }
module "m" {
  source = "acme/x/y"
  a      = var.x
}
output "o" { value = module.m.id }
resource "x_y" "v" { name = module.m.id }
resource "x_y" "w" { depends_on = [module.m] }
"#;
    let expected = ["var.x", "  module.m", "    output.o", "    x_y.v", "    x_y.w"];
    assert_eq!(dependents(text, "var.x"), expected);
    assert_eq!(dependents(text, "module.m"), ["module.m", "  output.o", "  x_y.v", "  x_y.w"]);
}

#[test]
fn resources_depend_on_a_provider_configuration_of_constants() {
    let text = r#"
provider "x" { region = "eu" }
resource "x_y" "v" {}
output "o" { value = x_y.v.id }
"#;
    assert_eq!(dependents(text, "provider.x"), ["provider.x", "  x_y.v", "    output.o"]);
}

#[test]
fn notes_are_not_aligned_with_a_very_long_name() {
    let long = "x".repeat(70_000);
    let text = format!("locals {{\n  a = 1\n  {long} = local.a\n  b = local.a\n}}\n");
    let files = MemoryFiles::from_iter([("main.tf", text.as_str())]);
    let found = Project::new(".").evaluate(&files).dependents("local.a", &files).expect("it exists");
    let lines: Vec<String> = found.to_text().lines().map(|line| line.replace(&long, "long")).collect();
    assert_eq!(
        lines,
        [
            "# 2 dependents of local.a: 2 local values (0 resource instances)",
            "local.a",
            "  local.long  # main.tf:3:70006",
            "  local.b  # main.tf:4:7",
        ]
    );
}

#[test]
fn a_check_without_references_has_no_dependents() {
    let text = "check \"c\" {\n  assert {\n    condition     = 1 > 0\n    error_message = \"no\"\n  }\n}\n\
                module \"m\" { source = \"./m\" }\n";
    assert_eq!(dependents(text, "check.c"), ["check.c"]);
}

#[test]
fn the_resources_of_all_modules_depend_on_a_provider_configuration_in_the_order_of_modules() {
    let text = r#"
locals { region = "eu" }
provider "x" { region = local.region }
module "m" {
  source = "./m"
  count  = local.region == "eu" ? 1 : 0
}
resource "x_y" "v" { name = module.m[0].id }
output "o" { value = x_y.v.id }
"#;
    let expected =
        ["local.region", "  provider.x", "    x_y.v", "      output.o", "    module.m.x_y.r", "  module.m"];
    assert_eq!(dependents(text, "local.region"), expected);
}
