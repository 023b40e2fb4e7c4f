//! Dependents of objects.

use terrane_source::MemoryFiles;

use crate::Project;

/// The lines of the dependents of an object, without places.
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
