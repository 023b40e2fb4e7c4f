//! Tests that no output shows a sensitive value. Distinct markers stand for secrets in every kind of place, every command runs
//! in every format, and no marker may be in standard output or standard error.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/computed.rs"]
mod computed;
#[path = "support/directory.rs"]
mod directory;
#[path = "support/explanations.rs"]
mod explanations;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use self::computed::through_data_source;
use self::directory::directory;
use self::explanations::explanations;

/// The beginning of every secret text.
const MARKER: &str = "Mrk7";

/// The names of files that options read.
const SPEC: &str = "body.hcldec";
const SCHEMAS: &str = "schemas.json";

/// The digits of every secret number.
const NUMBER: &str = "71727374";

/// Returns standard output and standard error together.
fn terrane(directory: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrane"))
        .env("TERRANE_CACHE_DIR", "/nonexistent")
        .current_dir(directory)
        .args(arguments)
        .env("TF_VAR_of_environment", format!("{{ a = [\"{MARKER}E1\" }}"))
        .env("TF_VAR_number_of_environment", format!("{MARKER}E2"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command without input may have ended already.
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the command runs");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat()
}

/// Returns the lines with a secret that the case named `of` printed.
fn leaks(of: &str, output: &str) -> Vec<String> {
    assert!(!output.is_empty(), "{of} printed nothing");
    let has_secret = |line: &&str| line.contains(MARKER) || line.contains(NUMBER);
    output.lines().filter(has_secret).map(|line| format!("{of}: {line}")).collect()
}

/// Scans files as they are, and with the secrets of `main.tf` as results of a data source.
fn scan(files: &[(&str, &str)], expressions: &[&str]) {
    scan_files(files, expressions);
    let Some((("main.tf", main), others)) = files.split_first() else { return };
    let (computed, expressions) = through_data_source(main, expressions);
    let files = [&[("main.tf", computed.as_str())], others].concat();
    scan_files(&files, &expressions.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Runs every command that reads a directory, in every format, and the console with `expressions`.
fn scan_files(files: &[(&str, &str)], expressions: &[&str]) {
    let root = directory(files);
    let names = files.iter().map(|(name, _)| *name).filter(|name| name.contains('.'));
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["eval"],
        vec!["eval", "--keep-going"],
        vec!["eval", "--json"],
        vec!["eval", "--json", "--keep-going"],
        vec!["plan"],
        vec!["plan", "--json"],
        vec!["plan", "--json", "--pretty"],
        vec!["eval", "-recursive", "--all", "--keep-going"],
        vec!["eval", "-recursive", "--all", "--keep-going", "--json"],
        vec!["eval", "--keep-going", ".", "*.*", "*.*.*", "*.*.*.*"],
        vec!["eval", "--keep-going", "--json", ".", "*.*", "*.*.*"],
        vec!["fmt", "-check"],
    ];
    for format in ["dot", "svg", "html", "mermaid", "json"] {
        commands.push(vec!["graph", "--format", format]);
    }
    for format in ["human", "compact", "json", "github", "sarif", "junit"] {
        commands.push(vec!["eval", "--format", format, "--require-known"]);
        commands.push(vec!["eval", "-recursive", "--all", "--format", format]);
        commands.push(vec!["check", "--format", format]);
        commands.push(vec!["check", "--recursive", "--format", format]);
    }
    for name in names {
        commands.push(vec!["check", name]);
        commands.push(vec!["fmt", "-check", name]);
        // Only commands for modules read the override in another file that declares a variable sensitive.
        if !files.iter().any(|(name, _)| name.contains("override")) {
            commands.push(vec!["decode", "--spec", SPEC, name]);
            commands.push(vec!["decode", "--spec", SPEC, "--diags", "json", name]);
        }
    }
    fs::write(root.path().join(SPEC), "object {\n  attr \"nothing\" { type = number }\n}\n").expect("a file");
    let mut found = Vec::new();
    for (name, text) in files {
        for arguments in [&["fmt", "-check", "-"][..], &["check", "-"], &["check", "--format", "json", "-"]] {
            let of = format!("{} < {name}", arguments.join(" "));
            found.extend(leaks(&of, &format!("{of}\n{}", terrane(root.path(), arguments, text))));
        }
    }
    for command in &commands {
        let of = format!("{} in {}", command.join(" "), files.first().map_or("", |(name, _)| name));
        let output = format!("{of}\n{}", terrane(root.path(), command, ""));
        found.extend(leaks(&of, &output));
    }
    for expression in expressions {
        let request = json!({"id": 1, "expr": expression}).to_string();
        found.extend(leaks(&request, &terrane(root.path(), &["console", "--json"], &request)));
        found.extend(leaks(expression, &terrane(root.path(), &["console"], expression)));
        let evaluated = terrane(root.path(), &["eval", "--keep-going", ".", &format!("({expression})")], "");
        found.extend(leaks(expression, &evaluated));
    }
    let environment = ("TF_VAR_of_environment".to_owned(), format!("{{ a = [\"{MARKER}E1\" }}"));
    for output in explanations(root.path(), environment) {
        found.extend(leaks("explanation", &output));
    }
    assert!(found.is_empty(), "{} lines show secrets:\n{}", found.len(), found.join("\n"));
}

const VALUES: &str = r#"
variable "text" {
  sensitive = true
  default   = "Mrk7A1\nMrk7A2\"Mrk7A3"
}
variable "name" {
  sensitive = true
  default   = "Mrk7A4"
}
variable "number" {
  type      = number
  sensitive = true
  default   = 71727374
}
variable "map" {
  type      = map(string)
  sensitive = true
  default   = { Mrk7A5 = "Mrk7A6" }
}
variable "template" {
  sensitive = true
  default   = "$${Mrk7A7} $${Mrk7A8(1)} %%{ if }"
}
variable "temporary" {
  ephemeral = true
  default   = "Mrk7A9"
}
locals {
  keys = { (var.name) = 1 }
  path = "${path.module}/${var.name}"
}
output "map" {
  sensitive = true
  value     = { (var.name) = var.map }
}
"#;

const EXPRESSIONS: &[&str] = &[
    "var.text",
    "var.map",
    "var",
    "local.keys",
    "{ (var.name) = 1 }",
    "[{ (var.name) = 1 }]",
    "tolist([{ (var.name) = 1 }])",
    "tomap({ a = { (var.name) = 1 } })",
    "type({ (var.name) = 1 })",
    "type([{ (var.name) = 1 }])",
    "type(var.map)",
    "{ for key in [var.name] : key => key }",
    "merge({ (var.name) = 1 }, { a = 1 })",
    "jsondecode(jsonencode({ (var.name) = 1 }))",
    "true ? { (var.name) = 1 } : []",
    "{ (var.name) = 1 }.other",
    "{ a = 1 }[var.name]",
    "lookup({ a = 1 }, var.name)",
    "tonumber(var.name)",
    "1 + { (var.name) = 1 }",
    "jsondecode(var.name)",
    "yamldecode(var.text)",
    "regex(var.name, var.text)",
    "file(var.name)",
    "file(local.path)",
    "fileset(var.name, var.name)",
    "templatefile(var.name, {})",
    "templatestring(var.template, {})",
    "templatestring(var.template, { Mrk = 1 })",
    "formatdate(var.name, var.name)",
    "parseint(var.name, 10)",
    "cidrsubnet(var.name, 1, var.number)",
    "element([], var.number)",
    "[1][var.number]",
    "substr(var.name, var.number, var.number)",
    "format(var.template, 1)",
    "format(\"%d\", var.name)",
    "keys(var.map)",
    "toset([var.name])",
    "jsonencode(var.text)",
    "nonsensitive(1)",
    "var.temporary",
];

#[test]
fn values_are_hidden() {
    scan(&[("main.tf", VALUES)], EXPRESSIONS);
}

/// A secret in every kind of place of a configuration.
const PLACES: &str = r#"
variable "secret" {
  sensitive = true
  default   = "Mrk7P1"
}
variable "checked" {
  sensitive = true
  default   = "Mrk7P2"
  validation {
    condition     = length(var.checked) > 0
    error_message = "It is ${var.checked}."
  }
}
variable "optional" {
  type      = object({ a = string, b = optional(string, "open") })
  sensitive = true
  default   = { a = "Mrk7P3" }
}
provider "demo" {
  token = var.secret
}
data "demo_zone" "z" {
  name = "${var.secret}-zone"
}
resource "terraform_data" "a" {
  for_each         = toset(["x", "y"])
  input            = { text = var.secret, list = [var.secret, each.key], map = { (each.key) = var.secret } }
  triggers_replace = [var.secret]
  lifecycle {
    precondition {
      condition     = var.secret != ""
      error_message = "It is ${var.secret}."
    }
    postcondition {
      condition     = self.input.text != ""
      error_message = "It is ${self.input.text}."
    }
  }
  provisioner "local-exec" {
    command     = "echo ${var.secret}"
    environment = { TOKEN = var.secret }
  }
}
resource "demo_server" "s" {
  count = var.secret == "" ? 0 : 2
  name  = "web-${var.secret}"
  disk {
    key = var.secret
  }
  dynamic "rule" {
    for_each = { open = 1, closed = var.secret }
    content {
      value = rule.value
    }
  }
  connection {
    password = var.secret
  }
}
locals {
  nested      = { deep = [{ token = var.secret }], open = "open" }
  conditional = var.secret != "other" ? "yes-${var.secret}" : "no"
  looped      = { for index, part in ["a", var.secret] : index => "${part}!" }
  encoded     = jsonencode({ token = var.secret })
  reached     = terraform_data.a["x"].input.map
}
module "m" {
  source   = "./m"
  for_each = { one = var.optional.b }
  token    = var.secret
  options  = local.nested
}
check "c" {
  assert {
    condition     = local.conditional != ""
    error_message = "It is ${local.conditional}."
  }
}
output "o" {
  sensitive = true
  value     = { direct = var.secret, module = module.m["one"].token, shaped = [for s in demo_server.s : s.name] }
}
"#;

const MODULE: &str = r#"
variable "token" {}
variable "options" {}
resource "terraform_data" "inner" {
  input = [var.token, var.options.deep[0].token]
}
output "token" {
  sensitive = true
  value     = "${var.token} ${terraform_data.inner.id}"
}
"#;

#[test]
fn every_kind_of_place_is_hidden() {
    let given = "secret = \"Mrk7P4\"\n";
    let files = [("main.tf", PLACES), ("m/main.tf", MODULE), ("terraform.tfvars", given)];
    scan(
        &files,
        &["local.nested", "local.looped", "local.encoded", "terraform_data.a", "module.m", "demo_server.s"],
    );
    let root = directory(&files);
    for arguments in [
        &["explain", "output.o"][..],
        &["explain", "output.o", "--json"],
        &["explain", "output.o", "--html"],
        &["explain", "main.tf:29"],
        &["explain", "var.secret", "--reverse"],
        &["diff", ".", "m"],
        &["diff", "m", ".", "--json"],
        &["diff", ".", "m", "--format", "markdown"],
        &["graph", "--format", "html", "--focus", "module.m"],
    ] {
        let found = leaks(&arguments.join(" "), &terrane(root.path(), arguments, ""));
        assert!(found.is_empty(), "{found:?}");
    }
    let shown = terrane(root.path(), &["plan", "--show-sensitive"], "");
    assert!(shown.contains("Mrk7P4"), "the secrets are there: {shown}");
}

#[test]
fn failing_objects_are_hidden() {
    let text = r#"
variable "name" {
  sensitive = true
  default   = "Mrk7B1"
  validation {
    condition     = var.name == "x"
    error_message = "Bad: ${var.name}"
  }
}
variable "template" {
  sensitive = true
  default   = "$${Mrk7B2} $${Mrk7B3(1)}"
}
resource "a_b" "c" {
  for_each = { (var.name) = 1 }
  x        = file(var.name)
  lifecycle {
    precondition {
      condition     = var.name == "y"
      error_message = "Bad: ${var.name}"
    }
  }
}
resource "a_b" "d" {
  for_each = toset([var.name])
}
check "e" {
  assert {
    condition     = local.keys == var.name
    error_message = var.name
  }
}
locals {
  keys     = { (var.name) = 1 }
  missing  = local.keys.missing
  number   = tonumber(var.name)
  rendered = templatestring(var.template, {})
  file     = templatefile(var.name, {})
}
output "open" {
  value = var.name
}
"#;
    scan(&[("main.tf", text)], &[]);
}

#[test]
fn wrong_defaults_are_hidden() {
    let text = r#"
variable "number" {
  type      = number
  default   = "Mrk7C1"
  sensitive = true
}
variable "object" {
  sensitive = true
  type      = object({ a = number })
  default   = { a = "Mrk7C2" }
}
variable "reference" {
  sensitive = true
  default   = Mrk7C3
}
variable "call" {
  ephemeral = true
  default   = upper("Mrk7C4")
}
variable "lines" {
  sensitive = true
  default   = [
    "Mrk7C5",
    unknown.Mrk7C6, "Mrk7C7"
  ]
}
variable "keys" {
  sensitive = true
  type      = map(object({ n = number }))
  default   = { Mrk7CA = { n = "x" } }
}
variable "ephemeral_keys" {
  ephemeral = true
  type      = map(map(number))
  default   = { Mrk7CB = { Mrk7CC = "x" } }
}
variable "more_attributes" {
  sensitive = true
  type      = object({})
  default   = { Mrk7CD = 1 }
}
"#;
    scan(&[("main.tf", text)], &["1"]);
    scan(&[("main.tofu", text)], &["1"]);
    let overridden =
        "variable \"keys\" {\n  type = map(number)\n  default = { Mrk7CE = 1 }\n  sensitive = true\n}\n";
    scan(
        &[("main.tf", overridden), ("x_override.tf", "variable \"keys\" {\n  type = map(list(string))\n}\n")],
        &["1"],
    );
    let packer =
        "variable \"keys\" {\n  type = map(number)\n  default = { Mrk7CF = \"x\" }\n  sensitive = true\n}\n";
    scan(&[("main.pkr.hcl", packer), ("a.auto.pkrvars.hcl", "keys = { Mrk7CG = \"x\" }\n")], &[]);
    let in_json = json!({"variable": {
        "number": {"type": "number", "default": "Mrk7C8", "sensitive": true},
        "extra": {"sensitive": true, "default": "Mrk7C9", "nope": 1},
    }});
    scan(&[("main.tf.json", &in_json.to_string())], &["1"]);
}

#[test]
fn secrets_in_paths_are_hidden() {
    let text = r#"
variable "name" {
  default   = "Mrk7K1"
  sensitive = true
}
variable "once" {
  default   = "Mrk7K2"
  ephemeral = true
}
locals {
  text      = file("./${var.name}.txt")
  exists    = fileexists("${var.once}/a")
  names     = fileset("${var.name}", "*")
  found     = fileset(".", "${var.name}*")
  hash      = filesha256(var.name)
  rendered  = templatefile("${var.name}.tftpl", {})
}
data "terraform_remote_state" "file" {
  backend = "local"
  config  = { path = "${var.name}.tfstate" }
}
data "terraform_remote_state" "broken" {
  backend   = "local"
  config    = { path = "broken.tfstate", workspace_dir = var.name }
  workspace = var.name
}
data "terraform_remote_state" "backend" {
  backend = var.name
  config  = { (var.name) = var.name }
}
data "terraform_remote_state" "defaults" {
  backend  = "local"
  config   = { path = "open.tfstate" }
  defaults = { (var.name) = 1, a = var.name }
}
data "local_file" "file" { filename = var.name }
output "outputs" {
  value = [data.terraform_remote_state.file.outputs.a, data.terraform_remote_state.broken.outputs.a]
}
"#;
    let open = r#"{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": []}"#;
    let files = [("main.tf", text), ("broken.tfstate", "{\"version\": 5}"), ("open.tfstate", open)];
    scan(
        &files,
        &["file(var.name)", "fileset(\".\", \"${var.name}/*\")", "data.terraform_remote_state.file"],
    );
}

/// The declaration of a variable and the override that makes it sensitive may be in two files.
#[test]
fn secrets_of_override_files_are_hidden() {
    let base = r#"
variable "wrong" {
  type    = number
  default = "Mrk7J1"
}
variable "right" {
  default = "Mrk7J2"
}
variable "broken" {
  default = ["Mrk7J3", unknown.Mrk7J4]
}
variable "replaced" {
  ephemeral = true
}
locals {
  number = tonumber(var.right)
}
output "right" {
  value = var.right
}
"#;
    let over = r#"
variable "wrong" {
  sensitive = true
}
variable "right" {
  sensitive = true
}
variable "broken" {
  ephemeral = true
}
variable "replaced" {
  default = ["Mrk7J5", unknown.Mrk7J6]
}
"#;
    scan(&[("main.tf", base), ("main_override.tf", over)], &["var.right", "var.wrong", "local.number"]);
    let base = json!({"variable": {"wrong": {"type": "number", "default": "Mrk7J7"}}}).to_string();
    let over = json!({"variable": {"wrong": {"sensitive": true}}}).to_string();
    scan(&[("main.tf.json", &base), ("main_override.tf.json", &over)], &["var.wrong"]);
}

#[test]
fn sensitive_attributes_of_schemas_are_hidden() {
    let schemas = json!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/safe": {
        "resource_schemas": {"safe_box": {"version": 0, "block": {
            "attributes": {
                "key": {"type": "string", "optional": true, "sensitive": true},
                "size": {"type": "number", "optional": true},
            },
            "block_types": {"lock": {"nesting_mode": "list", "block": {"attributes": {
                "pin": {"type": "string", "optional": true, "sensitive": true},
            }}}},
        }}},
    }}});
    let text = r#"
terraform {
  required_providers {
    safe = { source = "acme/safe" }
  }
}
locals {
  key = "Mrk7"
}
resource "safe_box" "a" {
  key  = "${local.key}K1"
  size = tonumber(safe_box.b.key)
  lock {
    pin = "${local.key}K2"
  }
}
resource "safe_box" "b" {
  key = "${local.key}K3"
}
output "a" {
  sensitive = true
  value     = [safe_box.a, safe_box.b.key]
}
"#;
    let root = directory(&[("main.tf", text), (SCHEMAS, &schemas.to_string())]);
    let request = json!({"expr": "[safe_box.a, safe_box.b.key]"}).to_string();
    for (arguments, input) in [
        (&["eval", "--keep-going"][..], ""),
        (&["eval", "--json", "--keep-going"], ""),
        (&["check"], ""),
        (&["check", "--format", "sarif"], ""),
        (&["graph"], ""),
        (&["console"], "[safe_box.a, safe_box.b.key]"),
        (&["console", "--json"], &request),
    ] {
        let output = terrane(root.path(), &[arguments, &["--schemas", SCHEMAS]].concat(), input);
        assert!(!output.is_empty() && !output.contains("Mrk7K"), "{arguments:?}: {output}");
    }
}

#[test]
fn lines_of_declared_secrets_are_hidden() {
    let secret = json!({"type": "string", "optional": true, "sensitive": true});
    let plain = json!({"type": "string", "optional": true});
    let login = json!({"optional": true, "nested_type": {"nesting_mode": "map", "attributes": {
        "pin": secret, "name": plain,
    }}});
    let block = json!({"nesting_mode": "list", "block": {"attributes": {"pin": secret, "name": plain}}});
    let body = json!({
        "attributes": {"key": secret, "size": plain, "logins": login, "login": login,
            "once": {"type": "string", "optional": true, "write_only": true}},
        "block_types": {"lock": block},
    });
    let schemas = json!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/safe": {
        "provider": {"version": 0, "block": body},
        "resource_schemas": {"safe_box": {"version": 0, "block": body}},
    }}});
    let content = "  key  = \"Mrk7K1\"\n  once = \"Mrk7K2\"\n  size = \"open1\"\n  logins = {\n    a = {\n      \
                   pin = \"Mrk7K3\"\n      name = \"open2\"\n    }\n    \"b\" = { \"pin\" = \"Mrk7K4\" }\n    \
                   c = {\n      (\"pin\") = \"Mrk7K5\"\n    }\n  }\n  lock {\n    pin  = \"Mrk7K6\"\n    \
                   name = \"open3\"\n  }\n  dynamic \"lock\" {\n    for_each = [1]\n    content {\n      \
                   pin  = \"Mrk7K7\"\n      name = \"open4\"\n    }\n  }\n";
    let requirements = "terraform {\n  required_providers {\n    safe = { source = \"acme/safe\" }\n  }\n  encryption {\n    \
                        key_provider \"pbkdf2\" \"k\" {\n      passphrase = \"Mrk7K8\"\n    }\n  }\n}\n";
    let text = format!(
        "{requirements}provider \"safe\" {{\n{content}}}\nprovider \"safe\" {{\n  alias = \"b\"\n{content}}}\n\
         resource \"safe_box\" \"a\" {{\n{content}}}\n"
    );
    let root = directory(&[("main.tf", &text), (SCHEMAS, &schemas.to_string())]);
    let (mut found, mut shown) = (Vec::new(), String::new());
    for line in 1..=text.lines().count() {
        let address = format!("main.tf:{line}");
        for format in [&[][..], &["--json"], &["--html"]] {
            let arguments = [&["explain", &address, "--schemas", SCHEMAS], format].concat();
            let output = terrane(root.path(), &arguments, "");
            found.extend(leaks(&arguments.join(" "), &output));
            shown.push_str(&output);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    for open in ["open1", "open2", "open3", "open4"] {
        assert!(shown.contains(open), "{open}: {shown}");
    }
    assert!(shown.contains("provider.safe.b, main.tf:"), "{shown}");
}

#[test]
fn literals_of_sensitive_outputs_are_hidden() {
    let text = "variable \"v\" { default = \"open\" }\noutput \"sum\" {\n  value     = \"Mrk7O1\" + 1\n  sensitive = true\n}\n\
                output \"list\" {\n  value     = upper([\"Mrk7O2-${var.v}\", { Mrk7O3 = 71727374 }])\n  sensitive = true\n}\n";
    scan(&[("main.tf", text)], &["1"]);
    let json = r#"{"output": {"o": {"value": "Mrk7O4 ${1 + \"a\"}", "sensitive": true}}}"#;
    scan(&[("main.tf.json", json)], &["1"]);
}

#[test]
fn the_only_element_of_a_secret_is_hidden() {
    let text = "variable \"users\" {\n  sensitive = true\n}\nlocals {\n  lines = [\n    for name, value in var.users :\n    \
                \"${name}=${value}\"\n  ]\n}\nresource \"demo_thing\" \"t\" {\n  dynamic \"rule\" {\n    for_each = var.users\n    \
                content {\n      name  = rule.key\n      value = rule.value\n    }\n  }\n}\nmodule \"m\" {\n  source = \"./m\"\n  \
                users  = var.users\n}\n";
    let module = "variable \"users\" {}\noutput \"o\" {\n  sensitive = true\n  value = {\n    for name, value in var.users :\n    name =>\n    \
                  value\n  }\n}\n";
    let variables = "users = { \"Mrk7U1@b.example\" = \"Mrk7U2\" }\n";
    scan(&[("main.tf", text), ("m/main.tf", module), ("terraform.tfvars", variables)], &["1"]);
}

#[test]
fn broken_files_are_hidden() {
    let open = "variable \"a\" {\n  default = \"Mrk7D1\n  sensitive = true\n}\nlocals {\n  a = 1\n}\n";
    scan(&[("main.tf", open)], &["1"]);
    let missing = "variable \"a\" {\n  sensitive = true\n  default = [\"Mrk7D2\" \"Mrk7D3\"]\n}\n";
    scan(&[("main.tf", missing)], &["1"]);
    let in_json = "{\"variable\": {\"a\": {\"sensitive\": true, \"default\": \"Mrk7D4\" \"Mrk7D5\"}}}";
    scan(&[("main.tf.json", in_json)], &["1"]);
}

#[test]
fn variable_files_are_hidden() {
    let declared = "variable \"a\" {\n  sensitive = true\n  type = number\n}\n\
                    variable \"of_environment\" {\n  sensitive = true\n  type = list(string)\n}\n\
                    variable \"number_of_environment\" {\n  sensitive = true\n  type = number\n}\n";
    for (name, text) in [
        ("terraform.tfvars", "a = \"Mrk7F1\n"),
        ("terraform.tfvars", "a = \"Mrk7F2\"\n"),
        ("terraform.tfvars", "a = Mrk7F3\nother = 1\n"),
        ("terraform.tfvars", "a = [\n  \"Mrk7F4\" 1,\n]\n"),
        ("x.auto.tfvars", "a = \"Mrk7F5\"\na = \"Mrk7F6\"\n"),
        ("x.auto.tfvars", "a { b = \"Mrk7FA\" }\n"),
        ("terraform.tfvars.json", "{\"a\": \"Mrk7F7\", \"a\": \"Mrk7F8\"}"),
        ("terraform.tfvars.json", "{\"a\": \"Mrk7F9\""),
    ] {
        scan(&[("main.tf", declared), (name, text)], &[]);
    }
    let keys = "variable \"a\" {\n  ephemeral = true\n  type = object({ a = map(number) })\n}\n";
    scan(&[("main.tf", keys), ("terraform.tfvars", "a = { a = { Mrk7FB = \"x\" } }\n")], &["1"]);
    // Nothing declares the variables of these files.
    scan(&[("alone.tfvars", "a = \"Mrk7G1\n")], &[]);
    scan(&[("alone.pkrvars.hcl", "a = \"Mrk7G2\n")], &[]);
}

/// Packer finds secrets by their text, so a short secret is only hidden as a word of its own.
#[test]
fn short_secrets_of_packer_are_hidden() {
    let text = r#"
variable "pin" {
  type      = number
  default   = 73
  sensitive = true
}
variable "pins" {
  type      = map(number)
  default   = { z9q = 1 }
  sensitive = true
}
locals {
  text = "The pin ${var.pin} of ${keys(var.pins)[0]}, -${var.pin}-"
  json = jsonencode({ key = keys(var.pins), pin = var.pin, pins = var.pins })
  list = ["a ${var.pin}", { (keys(var.pins)[0]) = var.pin }]
}
"#;
    let root = directory(&[("a.pkr.hcl", text)]);
    let expressions = "local.text\nlocal.json\nlocal.list\n\"${var.pin}\\n\"\n{ (\"pin ${var.pin}\") = 1 }\n";
    for (arguments, input) in [
        (&["eval"][..], ""),
        (&["eval", "--json"], ""),
        (&["console"], expressions),
        (&["console", "--json"], "{\"expr\": \"local.text\"}\n{\"expr\": \"[local.list, local.json]\"}\n"),
    ] {
        let output = terrane(root.path(), arguments, input);
        assert!(output.contains("sensitive"), "{output}");
        let words: Vec<&str> = output.split(|c: char| !c.is_alphanumeric()).collect();
        for secret in ["73", "z9q"] {
            assert!(!words.contains(&secret), "{arguments:?} shows {secret}: {output}");
        }
    }
}

#[test]
fn secrets_of_packer_are_hidden() {
    let text = r#"
variable "text" {
  type      = string
  default   = "Mrk7H1\nMrk7H2\"q"
  sensitive = true
}
variable "number" {
  type      = number
  default   = 71727374
  sensitive = true
}
variable "map" {
  type      = map(string)
  default   = { Mrk7H3 = "Mrk7H4" }
  sensitive = true
}
local "made" {
  expression = "Mrk7H5${var.number}"
  sensitive  = true
}
locals {
  plain  = "${var.text}-y"
  number = var.number
  nested = { (var.text) = var.map, list = [var.number] }
  json   = jsonencode(var.text)
}
source "null" "a" {
  communicator = "none"
}
build {
  sources = ["null.a"]
  provisioner "shell-local" {
    inline = [var.text, "${var.number}", jsonencode(var.map), local.made]
  }
}
"#;
    let expressions = [
        "var.text",
        "[var.text]",
        "var.number",
        "[var.number]",
        "var.map",
        "local.nested",
        "keys(var.map)",
        "{ (var.number) = 1 }",
        "jsonencode(var.text)",
        "jsonencode([var.number])",
        "local.made",
        "variables",
        "upper(1, var.text)",
        "file(var.text)",
        "var.map.missing",
        "regex(var.text, 1)",
    ];
    scan(&[("a.pkr.hcl", text)], &expressions);
    let wrong = "variable \"a\" {\n  type = number\n  default = \"Mrk7H6\"\n  sensitive = true\n}\n";
    scan(&[("a.pkr.hcl", wrong)], &["1"]);
}
