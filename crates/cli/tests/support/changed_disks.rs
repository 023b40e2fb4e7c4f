//! A module and a state of it: an object is unchanged, one changes and moves, one is new, and two are gone.

use crate::support;

pub(crate) const MODULE: &str = "\
resource \"demo_disk\" \"same\" { size = 1 }
resource \"demo_disk\" \"new_name\" { size = 2 }
resource \"demo_disk\" \"created\" { size = 3 }
moved {
  from = demo_disk.old_name
  to   = demo_disk.new_name
}
output \"id\" { value = demo_disk.same.id }
";

pub(crate) const STATE: &str = r#"{
  "version": 4, "serial": 1, "lineage": "a",
  "outputs": {"id": {"value": "d-0", "type": "string"}},
  "resources": [
    {"mode": "managed", "type": "demo_disk", "name": "same", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
     "instances": [{"attributes": {"id": "d-1", "size": 1, "password": "hunter2"}}]},
    {"mode": "managed", "type": "demo_disk", "name": "old_name", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
     "instances": [{"attributes": {"id": "d-2", "size": 1, "list": [1]}, "dependencies": ["demo_disk.same"]}]},
    {"mode": "managed", "type": "demo_disk", "name": "gone", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
     "instances": [{"attributes": {"id": "d-3", "token": "hunter2"}, "status": "tainted"}]},
    {"mode": "data", "type": "demo_zones", "name": "gone", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
     "instances": [{"attributes": {"id": "z"}}]}
  ]}"#;

/// Runs `terrane plan` for the module and the state with these arguments.
pub(crate) fn plan(arguments: &[&str]) -> (Option<i32>, String, String) {
    let files = [("main.tf", MODULE), ("s.tfstate", STATE)];
    support::terrane(&files, &[&["plan", "--state", "s.tfstate"], arguments].concat())
}
