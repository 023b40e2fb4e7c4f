//! Tests that no output shows a secret that only the schema of a provider declares, that is given by hand, or that is in a
//! variable file of an environment. Markers stand for secrets in literals of both syntaxes, with and without errors.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;
#[path = "support/markers.rs"]
mod markers;

use self::directory::directory;
use self::markers::terrane;

const MAIN: &str = r#"terraform {
  required_providers { acme = { source = "acme/acme" } }
}
variable "pw" { sensitive = true }
variable "obj" {
  sensitive = true
  type      = object({ n = number, s = string })
}
variable "checked" {
  sensitive = true
  validation {
    condition     = length(var.checked) > 100
    error_message = "Too short: ${var.checked}"
  }
}
provider "acme" {
  token = "Mrk7P1"
  assume {
    pin  = "Mrk7P2"
    keys = ["Mrk7P3"]
  }
}
provider "acme" {
  alias = "b"
  token = ["Mrk7P4"]
}
resource "acme_box" "b" {
  name  = "open"
  key   = "Mrk7B1"
  once  = "Mrk7B2"
  login = { user = "u", password = "Mrk7B3" }
  auth { pass = "Mrk7B4" }
  item "a" { pin = "Mrk7B5" }
  dynamic "item" {
    for_each = { k = "Mrk7B6" }
    labels   = [item.key]
    content { pin = item.value }
  }
}
resource "acme_box" "wrong" {
  key   = ["Mrk7W1"]
  once  = { a = "Mrk7W2" }
  login = { user = "u", password = ["Mrk7W3"] }
  auth { pass = ["Mrk7W4"] }
  item "a" { pin = ["Mrk7W5"] }
}
data "acme_secret" "d" {
  name = "open"
  key  = "Mrk7D1"
}
data "acme_secret" "given" { name = "g" }
module "m" {
  source = "./m"
  pw     = "Mrk7M1"
  obj    = { s = "Mrk7M2", n = "Mrk7M3" }
}
module "far" {
  source = "a/b/c"
  pw     = sensitive("Mrk7M4")
}
locals {
  read  = data.acme_secret.given.value
  far   = module.far.secret
  box   = acme_box.b.key
  key   = "${acme_box.b.key}-x"
  file  = try(file(var.pw), "none")
}
output "o" {
  sensitive = true
  value     = [local.read, local.far, local.key, acme_box.b]
}
output "bad" {
  value = acme_box.b.item
}
check "c" {
  assert {
    condition     = acme_box.b.key == "x"
    error_message = "It is ${acme_box.b.key}"
  }
}
"#;

const MODULE: &str = r#"variable "pw" { sensitive = true }
variable "obj" {
  sensitive = true
  type = object({ n = number, s = string })
}
resource "acme_box" "in" { key = var.pw }
output "s" {
  sensitive = true
  value = var.pw
}
"#;

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/acme": {
  "provider": {"version": 0, "block": {"attributes": {"token": {"type": "string", "optional": true, "sensitive": true}},
     "block_types": {"assume": {"nesting_mode": "list", "block": {"attributes": {"pin": {"type": "string", "optional": true, "sensitive": true}, "keys": {"type": ["list","string"], "optional": true, "sensitive": true}}}}}}},
  "data_source_schemas": {"acme_secret": {"version": 0, "block": {"attributes": {"name": {"type":"string","optional":true}, "key": {"type":"string","optional":true,"sensitive":true}, "value": {"type": "string", "computed": true, "sensitive": true}}}}},
  "resource_schemas": {"acme_box": {"version": 0, "block": {
    "attributes": {
      "name": {"type": "string", "optional": true},
      "key": {"type": "string", "optional": true, "sensitive": true},
      "once": {"type": "string", "optional": true, "write_only": true},
      "login": {"optional": true, "nested_type": {"nesting_mode": "single", "attributes": {
        "user": {"type": "string", "optional": true}, "password": {"type": "string", "optional": true, "sensitive": true}}}}
    },
    "block_types": {
      "auth": {"nesting_mode": "single", "block": {"attributes": {"pass": {"type": "string", "optional": true, "write_only": true}}}},
      "item": {"nesting_mode": "map", "block": {"attributes": {"pin": {"type": "string", "optional": true, "sensitive": true}}}}
    }
  }}}
}}}
"#;

const MOCKS: &str = r#"mock_provider "acme" {
  mock_resource "acme_box" {
    defaults = { key = "Mrk7K1", name = "n" }
  }
  mock_data "acme_secret" {
    defaults = { value = "Mrk7K2" }
  }
}
override_data {
  target = data.acme_secret.given
  values = { value = "Mrk7K3" }
}
override_module {
  target  = module.m
  outputs = { s = "Mrk7K4" }
}
override_resource {
  target = acme_box.wrong
  values = { key = ["Mrk7K5"] }
}
"#;

const FILES: [(&str, &str); 10] = [
    ("main.tf", MAIN),
    ("m/main.tf", MODULE),
    ("schemas.json", SCHEMAS),
    ("mocks.tftest.hcl", MOCKS),
    (
        "j.tf.json",
        r#"{"resource": {"acme_box": {"j": {"key": "Mrk7J1", "once": "${\"Mrk7J2\"}", "login": {"password": "Mrk7J3"},
  "auth": {"pass": "Mrk7J4"}, "item": {"a": {"pin": "Mrk7J5"}}},
  "jw": {"key": ["Mrk7J6"], "auth": {"pass": ["Mrk7J7"]}}}},
 "output": {"j": {"sensitive": true, "value": "Mrk7J8"}}}
"#,
    ),
    (
        "terraform.tfvars",
        r#"pw = "Mrk7T1"
checked = "Mrk7T2"
obj = { n = "Mrk7T3", s = "Mrk7T4" }
"#,
    ),
    (
        "broken.tfvars",
        r#"pw = "Mrk7X1" "Mrk7X2"
obj = { "Mrk7X3"
"#,
    ),
    (
        "env/one.tfvars",
        r#"pw = "Mrk7E1"
obj = { n = 1, s = "Mrk7E2" }
"#,
    ),
    (
        "env/two.tfvars",
        r#"pw = "Mrk7E3"
obj = { n = "Mrk7E4", s = [ "Mrk7E5" ] }
"#,
    ),
    (
        "env/three.tfvars.json",
        r#"{"pw": "Mrk7E6", "checked": ["Mrk7E7"]}
"#,
    ),
];

/// Further arguments of a command: options that give values, some of a wrong type.
const GIVEN: [&[&str]; 5] = [
    &[],
    &["--mocks", "mocks.tftest.hcl"],
    &["--set", "data.acme_secret.given.value=\"Mrk7G1\"", "-var", "checked=Mrk7G2"],
    &["-var-file", "broken.tfvars"],
    &["-var", "obj={n=\"Mrk7G3\""],
];

/// Runs the commands with the schemas, with each of these further arguments.
fn scan<'c>(commands: &[Vec<&'c str>], given: &[&[&'c str]]) {
    let root = directory(&FILES);
    let with = |command: &Vec<&'c str>| {
        let run = |given: &&[&'c str]| [&command[..], &["--schemas", "schemas.json"], *given].concat();
        given.iter().map(run).collect::<Vec<_>>()
    };
    markers::scan(root.path(), &commands.iter().flat_map(with).collect::<Vec<_>>());
}

#[test]
fn values_and_pictures_are_hidden() {
    let mut commands = vec![
        vec!["eval"],
        vec!["eval", "--keep-going", ".", "*.*", "*.*.*", "*.*.*.*"],
        vec!["eval", "--json", "--keep-going"],
        vec!["plan"],
        vec!["plan", "--json"],
        vec!["diff", ".", "m"],
        vec!["diff", "m", ".", "--format", "markdown"],
        vec!["diff", ".", "m", "--format", "json"],
        vec!["graph", "--format", "html"],
    ];
    for format in ["dot", "svg", "mermaid", "json"] {
        commands.push(vec!["graph", "--format", format]);
    }
    scan(&commands, &GIVEN);
}

#[test]
fn diagnostics_are_hidden_in_every_format() {
    let mut commands = Vec::new();
    for format in ["human", "compact", "json", "github", "sarif", "junit"] {
        commands.push(vec!["eval", "--require-known", "--keep-going", "--format", format]);
    }
    scan(&commands, &GIVEN);
    let checks = ["human", "compact", "json", "github", "sarif", "junit"];
    scan(&checks.map(|format| vec!["check", "--format", format]), &[&[]]);
}

#[test]
fn environments_are_hidden() {
    let mut commands = vec![
        vec!["eval", "--matrix", "env/*", "--keep-going"],
        vec!["eval", "--matrix", "env/*", "--keep-going", "--json"],
        vec!["eval", "--matrix", "env/*", "--keep-going", "--require-known"],
    ];
    for format in ["human", "json", "sarif"] {
        commands.push(vec!["eval", "--matrix", "env/*", "--format", format]);
    }
    scan(&commands, &[&[], &["--mocks", "mocks.tftest.hcl"]]);
}

#[test]
fn explanations_are_hidden() {
    let mut addresses: Vec<String> =
        (1..=MAIN.lines().count()).map(|line| format!("main.tf:{line}")).collect();
    addresses.extend((1..=4).map(|line| format!("j.tf.json:{line}")));
    for address in [
        "acme_box.b",
        "acme_box.b.item",
        "acme_box.wrong.key",
        "acme_box.j.key",
        "data.acme_secret.given",
        "local.key",
        "local.read",
        "module.m.s",
        "output.o",
        "output.bad",
        "var.obj",
    ] {
        addresses.push(address.to_owned());
    }
    let commands: Vec<Vec<&str>> =
        addresses.iter().map(|address| vec!["explain", address.as_str(), "--html"]).collect();
    scan(&commands, &[&[]]);
    let of_objects: Vec<Vec<&str>> =
        addresses.iter().rev().take(11).map(|address| vec!["explain", address.as_str()]).collect();
    scan(&of_objects, &GIVEN);
}

#[test]
fn secrets_are_shown_on_request() {
    let root = directory(&FILES);
    let shown = terrane(root.path(), &["plan", "--json", "--show-sensitive", "--schemas", "schemas.json"]);
    for secret in ["Mrk7P1", "Mrk7B1", "Mrk7B3", "Mrk7J1"] {
        assert!(shown.contains(secret), "{secret} is in the plan: {shown}");
    }
}
