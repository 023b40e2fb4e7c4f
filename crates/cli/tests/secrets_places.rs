//! Tests that no output shows a secret in places that steer the product itself: identifiers of imports, triggers of
//! replacements, provider configurations, data sources and messages of `check` blocks, paths and passphrases.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/computed.rs"]
mod computed;
#[path = "support/directory.rs"]
mod directory;
#[path = "support/markers.rs"]
mod markers;

use self::computed::through_data_source;
use self::directory::directory;
use self::markers::{scan, terrane};

const MAIN: &str = r#"
terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
    demo      = { source = "acme/demo" }
  }
}
variable "secret" {
  sensitive = true
  default   = "Mrk7A1"
}
variable "ids" {
  type      = map(string)
  sensitive = true
  default   = { Mrk7A2 = "Mrk7A3" }
}
variable "once" {
  ephemeral = true
  default   = "Mrk7A4"
}
variable "from_file" { sensitive = true }
variable "from_command" { sensitive = true }
variable "from_environment" { sensitive = true }
provider "demo" {
  token = var.secret
  tags  = { (var.secret) = var.ids }
  assume {
    role = "role-${var.secret}"
  }
}
provider "demo" {
  alias  = "other"
  token  = var.once
  region = "eu-${var.from_file}"
}
import {
  to = terraform_data.imported
  id = "id-${var.secret}"
}
import {
  to = demo_box.imported
  id = var.from_command
}
import {
  to       = demo_box.by_identity
  identity = { number = 7, name = var.secret }
}
import {
  for_each = toset(["open", var.secret])
  to       = demo_box.each[each.key]
  id       = each.key
}
resource "demo_box" "each" { for_each = toset(["open"]) }
resource "terraform_data" "imported" { input = "open" }
resource "demo_box" "imported" {
  provider = demo.other
  name     = var.from_file
}
resource "demo_box" "by_identity" { name = "open" }
resource "terraform_data" "trigger" { input = { text = var.secret, list = [var.from_command] } }
resource "terraform_data" "triggered" {
  input = "open"
  lifecycle {
    replace_triggered_by = [terraform_data.trigger.input, terraform_data.trigger]
  }
}
resource "terraform_data" "replaced" {
  triggers_replace = { (var.secret) = [var.from_environment] }
  lifecycle {
    create_before_destroy = true
    postcondition {
      condition     = self.triggers_replace == var.secret
      error_message = "It is ${jsonencode(self.triggers_replace)}."
    }
  }
}
ephemeral "demo_token" "t" { name = var.secret }
check "data" {
  data "terraform_remote_state" "r" {
    backend = "local"
    config  = { path = "./${var.secret}.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.r.outputs.x == var.secret
    error_message = "It is ${var.secret}, not ${data.terraform_remote_state.r.outputs.x}."
  }
}
check "broken" {
  data "terraform_remote_state" "b" {
    backend   = "local"
    config    = { path = "broken.tfstate" }
    workspace = var.from_command
  }
  assert {
    condition     = var.ids == { a = var.from_file }
    error_message = "They are ${jsonencode(var.ids)}."
  }
}
check "messages" {
  assert {
    condition     = var.from_environment == "other"
    error_message = var.from_environment
  }
}
locals {
  encoded = provider::terraform::encode_tfvars({ a = var.secret })
  wrong   = provider::terraform::decode_tfvars(var.secret)
  written = provider::terraform::encode_expr(var.ids)
}
output "checked" {
  sensitive = true
  value     = local.encoded
  precondition {
    condition     = var.secret == "other"
    error_message = "It is ${var.secret}."
  }
}
output "id" { value = terraform_data.imported.id }
output "read" {
  sensitive = true
  value     = [local.written, terraform_data.replaced, demo_box.imported.name]
}
"#;

const STATE: &str = r#"{
  "version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {"read": {"value": "Mrk7S1", "type": "string"}},
  "resources": [
    {"mode": "managed", "type": "terraform_data", "name": "trigger", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "t-1", "input": {"value": {"text": "Mrk7S2", "list": ["Mrk7S3"]},
       "type": ["object", {"text": "string", "list": ["tuple", ["string"]]}]}, "output": {"value": "Mrk7S4", "type": "string"},
       "triggers_replace": null}}]},
    {"mode": "managed", "type": "terraform_data", "name": "triggered", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "t-2", "input": {"value": "open", "type": "string"},
       "output": {"value": "open", "type": "string"}, "triggers_replace": null}}]},
    {"mode": "managed", "type": "terraform_data", "name": "replaced", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "t-3", "input": null, "output": null,
       "triggers_replace": {"value": {"Mrk7S5": ["Mrk7S6"]}, "type": ["object", {"Mrk7S5": ["tuple", ["string"]]}]}}}]}
  ]}"#;

const FILES: [(&str, &str); 4] = [
    ("main.tf", MAIN),
    ("terraform.tfvars", "from_file = \"Mrk7F1\"\n"),
    ("s.tfstate", STATE),
    ("broken.tfstate", "no state"),
];

/// The arguments of a command that evaluates the configuration.
const GIVEN: [&str; 2] = ["-var", "from_command=Mrk7V1"];

#[test]
fn places_that_steer_the_product_are_hidden() {
    scan_places(MAIN);
    scan_places(&through_data_source(MAIN, &[]).0);
}

fn scan_places(main: &str) {
    let root = directory(&FILES);
    std::fs::write(root.path().join("main.tf"), main).expect("a file");
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["eval", "--keep-going"],
        vec!["eval", "--json", "--keep-going"],
        vec!["eval", "--keep-going", ".", "*.*", "data.*.*", "ephemeral.*.*"],
        vec!["plan"],
        vec!["plan", "--json"],
        vec!["plan", "--json", "--pretty"],
        vec!["plan", "--require-known"],
        vec!["plan", "-destroy"],
        vec!["plan", "-destroy", "--json"],
        vec!["plan", "-replace=terraform_data.replaced"],
        vec!["plan", "-replace=terraform_data.replaced", "--json"],
        vec!["diff"],
        vec!["diff", "--format", "markdown"],
        vec!["diff", "--format", "json"],
    ];
    for format in ["dot", "svg", "html", "mermaid", "json"] {
        commands.push(vec!["graph", "--format", format]);
    }
    for format in ["human", "compact", "json", "github", "sarif", "junit"] {
        commands.push(vec!["eval", "--require-known", "--format", format]);
    }
    for address in [
        "terraform_data.imported",
        "terraform_data.imported.id",
        "demo_box.imported",
        "demo_box.by_identity",
        "terraform_data.triggered",
        "terraform_data.replaced",
        "terraform_data.replaced.triggers_replace",
        "local.encoded",
        "local.wrong",
        "output.id",
        "output.read",
        "var.from_command",
        "var.from_environment",
    ] {
        for format in [&[][..], &["--json"], &["--html"], &["--reverse"], &["--reverse", "--json"]] {
            commands.push([&["explain", address][..], format].concat());
        }
    }
    let lines: Vec<String> = (1..=main.lines().count()).map(|line| format!("main.tf:{line}")).collect();
    for line in &lines {
        commands.push(vec!["explain", line, "--html"]);
    }
    let runs = commands.iter().flat_map(|command| {
        let states: &[&[&str]] = match command.first() {
            Some(&"diff") => &[&["--state", "s.tfstate"]],
            _ => &[&[], &["--state", "s.tfstate"]],
        };
        states.iter().map(|state| [&command[..], &GIVEN, *state].concat())
    });
    scan(root.path(), &runs.collect::<Vec<_>>());
}

#[test]
fn secrets_are_shown_on_request() {
    let root = directory(&FILES);
    let arguments = [&["plan", "--show-sensitive", "--state", "s.tfstate"][..], &GIVEN].concat();
    let shown = terrane(root.path(), &arguments);
    for secret in ["Mrk7A1", "Mrk7S2", "Mrk7S6"] {
        assert!(shown.contains(secret), "{secret} is in the plan: {shown}");
    }
    // A secret `id` is an error in OpenTofu.
    let shown = terrane(root.path(), &[&arguments[..], &["--dialect", "terraform"]].concat());
    assert!(shown.contains("Mrk7F1"), "{shown}");
}

const IMPORTS: &str = r#"
variable "key" {
  sensitive = true
  default   = "Mrk7A1"
}
variable "ids" {
  type      = map(string)
  sensitive = true
  default   = { Mrk7A2 = "Mrk7A3" }
}
resource "terraform_data" "one" { for_each = toset(["open"]) }
resource "terraform_data" "all" { for_each = toset(["open"]) }
resource "terraform_data" "single" {}
import {
  to = terraform_data.one[var.key]
  id = "open"
}
import {
  for_each = var.ids
  to       = terraform_data.all[each.key]
  id       = each.value
}
import {
  for_each = var.ids
  to       = terraform_data.single[each.key]
  id       = "open"
}
import {
  for_each = var.ids
  to       = terraform_data.single
  id       = each.value
}
"#;

/// A key in the address of an import is computed in OpenTofu; Terraform computes it only with `for_each`, and takes
/// a sensitive `for_each`.
#[test]
fn keys_of_imports_are_hidden() {
    let root = directory(&[("main.tf", IMPORTS)]);
    let mut runs = Vec::new();
    for dialect in [&[][..], &["--dialect", "terraform"], &["--dialect", "opentofu"]] {
        for format in ["human", "compact", "json", "github", "sarif", "junit"] {
            runs.push([&["eval", "--require-known", "--format", format], dialect].concat());
        }
        for command in [&["plan"][..], &["plan", "--json"], &["check"], &["check", "--format", "json"]] {
            runs.push([command, dialect].concat());
        }
    }
    scan(root.path(), &runs);
    std::fs::write(root.path().join("main.tf"), IMPORTS.replace("one[var.key]", "one[\"open\"]"))
        .expect("a file");
    scan(root.path(), &runs);
    let shown = terrane(root.path(), &["plan", "--dialect", "terraform"]);
    assert!(
        shown.contains("`terraform_data.all` does not exist: the resource has other instances"),
        "{shown}"
    );
}

const COMPUTED: &str = r#"
variable "secret" {
  sensitive = true
  default   = "Mrk7A1"
}
data "aws_iam_policy_document" "p" {
  statement {
    actions   = ["s3:GetObject"]
    resources = ["arn:aws:s3:::${var.secret}/*"]
  }
}
data "local_file" "f" { filename = "${path.root}/${var.secret}.txt" }
data "local_file" "none" { filename = "${path.root}/${var.secret}.none" }
data "template_file" "t" {
  template = "$${a} $${b}"
  vars     = { a = var.secret, b = "b" }
}
locals { first = jsondecode(data.aws_iam_policy_document.p.json).Statement[0].Resource }
resource "demo_bucket" "b" {
  policy = data.aws_iam_policy_document.p.json
  name   = length(local.first)
}
resource "demo_key" "k" { for_each = toset([data.template_file.t.rendered]) }
output "json" { value = data.aws_iam_policy_document.p.json }
output "file" { value = data.local_file.f.content }
output "text" { value = data.template_file.t.rendered }
output "is_sensitive" { value = issensitive(data.aws_iam_policy_document.p.json) }
"#;

/// The results of a data source with a sensitive argument are computed, but not shown. The language does not treat them as
/// sensitive.
#[test]
fn results_of_sensitive_arguments_are_hidden() {
    let root = directory(&[("main.tf", COMPUTED), ("Mrk7A1.txt", "Mrk7T1")]);
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["eval"],
        vec!["eval", "--json"],
        vec!["eval", ".", "*.*", "data.*.*"],
        vec!["eval", "--require-known"],
        vec!["eval", ".", "data.local_file.none.content", "--require-known"],
        vec!["plan"],
        vec!["plan", "--json"],
        vec!["graph", "--format", "html"],
    ];
    for address in [
        "demo_key.k",
        "output.json",
        "local.first",
        "demo_bucket.b",
        "data.local_file.f",
        "data.local_file.none.id",
        "data.template_file.t.rendered",
    ] {
        for format in [&[][..], &["--json"], &["--html"]] {
            commands.push([&["explain", address][..], format].concat());
        }
    }
    scan(root.path(), &commands);
    let shown = terrane(root.path(), &["eval", ".", "output.json", "output.is_sensitive", "output.file"]);
    let hidden = "output.json = (sensitive value) # reads computed-data\noutput.is_sensitive = false # reads computed-data\n";
    assert!(shown.starts_with(hidden), "{shown}");
    let listing = terrane(root.path(), &["eval"]);
    let reason = "# number of instances unknown: the addresses of the instances would show a value that is computed from a secret";
    assert!(listing.contains(reason), "{listing}");
    assert!(!shown.contains("error"), "{shown}");
    let shown =
        terrane(root.path(), &["eval", ".", "local.first", "output.file", "output.text", "--show-sensitive"]);
    for value in
        ["local.first = \"arn:aws:s3:::Mrk7A1/*\"", "output.file = \"Mrk7T1\"", "output.text = \"Mrk7A1 b\""]
    {
        assert!(shown.contains(value), "{shown}");
    }
}
