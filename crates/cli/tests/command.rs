//! The command as a user meets it: arguments, output, exit codes.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Returns a directory with files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("a file");
    }
    directory
}

/// Returns the command, without environment variables that would change its output.
fn terrane(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory).args(arguments).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env_remove("TERM");
    command
}

struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn outcome(output: &Output) -> Outcome {
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout.clone()).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr.clone()).expect("UTF-8"),
    }
}

fn run(directory: &Path, arguments: &[&str]) -> Outcome {
    outcome(&terrane(directory, arguments).output().expect("the command runs"))
}

fn console(directory: &Path, arguments: &[&str], input: &str) -> Outcome {
    let mut command = terrane(directory, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // A command with wrong arguments ends without reading.
    if let Err(error) = child.stdin.take().expect("its input").write_all(input.as_bytes()) {
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    }
    outcome(&child.wait_with_output().expect("it ends"))
}

#[track_caller]
fn fails(outcome: &Outcome, code: i32, message: &str) {
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "", "nothing that looks like a result");
    assert_eq!(outcome.code, Some(code));
}

const MODULE: &str = r#"
variable "name" {
  type = string
}

variable "password" {
  default   = "hunter2"
  sensitive = true
}

locals {
  tags = { Name = upper(var.name), Size = 3 }
}

resource "aws_vpc" "main" {
  count      = 2
  cidr_block = "10.${count.index}.0.0/16"
}

output "tags" {
  value = local.tags
}

output "id" {
  value = aws_vpc.main[0].id
}

output "login" {
  value     = "admin:${var.password}"
  sensitive = true
}
"#;

/// A plan that begins with a state is refused rather than printed without it.
#[test]
fn values_of_a_state_are_listed_with_their_origin() {
    let directory = directory(&[
        ("main.tf", "resource \"demo_db\" \"a\" {\n  size = 5\n}\noutput \"id\" { value = demo_db.a.id }\n"),
        (
            "s.tfstate",
            r#"{"version": 4, "resources": [
                {"mode": "managed", "type": "demo_db", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
                 "instances": [{"attributes": {"id": "x1", "size": 5, "password": "hunter2"}}]},
                {"mode": "managed", "type": "demo_db", "name": "gone", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
                 "instances": [{"index_key": 1, "attributes": {"id": "x2"}}]}
            ]}"#,
        ),
    ]);
    let Outcome { code, stdout, stderr } = run(directory.path(), &["eval", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("id = \"x1\"") && stdout.contains("# state: id, password"), "{stdout}");
    assert!(!stdout.contains("hunter2"), "{stdout}");
    assert!(stderr.contains("1 object only in the state: demo_db.gone[1]"), "{stderr}");
    let Outcome { stdout, .. } = run(directory.path(), &["eval", "--state", "s.tfstate", "--json"]);
    assert!(stdout.contains(r#"{"path":".id","origin":"state"}"#) && !stdout.contains("hunter2"), "{stdout}");
    let Outcome { code, stdout, stderr } = run(directory.path(), &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stdout.contains("# demo_db.gone[1] will be destroyed") && !stdout.contains("hunter2"),
        "{stdout}"
    );
}

#[test]
fn eval_prints_the_root_module() {
    let directory = directory(&[("main.tf", MODULE)]);
    let outcome = run(directory.path(), &["eval", "-var", "name=a", "--quiet"]);
    assert_eq!(outcome.stderr, "");
    assert_eq!(
        outcome.stdout,
        r#"outputs {
  id    = (known after apply) # aws_vpc.main[0].id is set by the provider
  login = (sensitive value)
  tags = {
    Name = "A"
    Size = 3
  }
}

locals {
  tags = {
    Name = "A"
    Size = 3
  }
}

variables {
  name     = "a"
  password = (sensitive value)
}

# aws_vpc.main[0]
resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
  # other attributes are unknown: aws_vpc.main[0] is set by the provider
}

# aws_vpc.main[1]
resource "aws_vpc" "main" {
  cidr_block = "10.1.0.0/16"
  # other attributes are unknown: aws_vpc.main[1] is set by the provider
}
"#
    );
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn eval_prints_addresses() {
    let directory = directory(&[("main.tf", MODULE)]);
    let arguments = ["eval", ".", "local.tags.Name", "output.tags", "aws_vpc.main", "-var", "name=a"];
    let outcome = run(directory.path(), &arguments);
    let summary = "evaluated 1 module, 2 resources and 6 values in ";
    assert!(outcome.stderr.starts_with(summary), "{}", outcome.stderr);
    let unknown = "\n1 value unknown or partly unknown (1 attribute is set by providers)\n";
    assert!(outcome.stderr.ends_with(unknown), "{}", outcome.stderr);
    assert_eq!(
        outcome.stdout,
        r#"local.tags.Name = "A"
output.tags = {
  Name = "A"
  Size = 3
}
aws_vpc.main[0] = {
  cidr_block = "10.0.0.0/16"
  # other attributes are unknown: aws_vpc.main[0] is set by the provider
}
aws_vpc.main[1] = {
  cidr_block = "10.1.0.0/16"
  # other attributes are unknown: aws_vpc.main[1] is set by the provider
}
"#
    );
}

#[test]
fn eval_prints_json() {
    let directory = directory(&[("main.tf", MODULE)]);
    let outcome = run(directory.path(), &["eval", ".", "--json", "-var", "name=a"]);
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.stdout.starts_with(r#"{"format_version":"1.2","#), "{}", outcome.stdout);
    let tags = r#""tags":{"sensitive":false,"type":["object",{"Name":"string","Size":"number"}],"value":{"Name":"A","Size":3}}"#;
    assert!(outcome.stdout.contains(tags), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("hunter2"));
    let outcome = run(directory.path(), &["eval", ".", "var.name", "-json", "-var", "name=a"]);
    let value = concat!(
        r#"{"format_version":"1.2","values":{"var.name":{"kind":"variable","state":"known","sensitive":false,"#,
        r#""type":"string","value":"a","source":{"filename":"main.tf","start":{"line":2,"column":1,"byte":1},"#,
        r#""end":{"line":2,"column":16,"byte":16}}}}}"#,
    );
    assert_eq!(outcome.stdout, format!("{value}\n"));
}

#[test]
fn json_has_modules_variables_places_and_diagnostics() {
    let main = "variable \"n\" {\n  type = number\n  default = 1\n  description = \"Count\"\n}\n\
                module \"m\" {\n  source = \"./m\"\n}\n\
                module \"far\" {\n  source = \"acme/x/y\"\n  version = \"~> 2.0\"\n}\n\
                resource \"demo_disk\" \"d\" {\n  for_each = toset([\"a\"])\n  size = var.n\n  name = demo_disk.e.id\n  tag {}\n}\n\
                resource \"demo_disk\" \"e\" {}\noutput \"o\" { value = \"x-${demo_disk.e.id}\" }\n\
                check \"c\" {\n  assert {\n    condition = var.n > 1\n    error_message = \"Too few.\"\n  }\n}\n";
    let directory = directory(&[("main.tf", main), ("m/main.tf", "variable \"v\" { default = \"s\" }\n")]);
    let outcome = run(directory.path(), &["eval", "--json"]);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(document["root"]["directory"], ".");
    assert_eq!(document["modules"][1]["module"], "module.m");
    assert_eq!(document["modules"][1]["directory"], "m");
    let far = &document["module_calls"][1];
    assert_eq!(far["address"], "module.far");
    assert_eq!(far["source"], "acme/x/y");
    assert_eq!(far["version"], "~> 2.0");
    assert!(far.get("directory").is_none(), "{far}");
    let variable = &document["variables"][0];
    assert_eq!(variable["type"], "number");
    assert_eq!(variable["default"], 1);
    assert_eq!(variable["description"], "Count");
    assert_eq!(document["variables"][1]["address"], "module.m.var.v");
    let disk = &document["values"]["demo_disk.d[\"a\"]"];
    assert_eq!(disk["resource"]["index"], "a");
    assert_eq!(disk["resource"]["mode"], "managed");
    assert_eq!(disk["resource"]["provider"], "hashicorp/demo");
    assert_eq!(disk["attributes"]["size"]["state"], "known");
    assert_eq!(disk["attributes"]["name"]["state"], "unknown");
    assert_eq!(disk["attributes"]["size"]["source"]["start"]["line"], 15);
    assert_eq!(disk["attributes"]["tag"]["source"]["start"]["line"], 17);
    assert_eq!(document["outputs"]["o"]["unknowns"][0]["prefix"], "x-");
    let warning = &document["diagnostics"][0];
    assert_eq!(warning["severity"], "warning");
    assert_eq!(warning["detail"], "Too few.");
    let files = document["files"].as_array().unwrap();
    let files: Vec<String> =
        files.iter().map(|file| format!("{} {}", file["path"], file["role"]).replace('"', "")).collect();
    let configuration = ["main.tf config", "m/main.tf config"];
    let others =
        [". listing", ".terraform/environment absent", ".terraform/modules/modules.json absent", "m listing"];
    assert_eq!(files, [&configuration[..], &others].concat());
    assert_eq!(document["partial"], false);
}

#[test]
fn json_has_every_assignment_of_a_variable() {
    let main = "variable \"n\" { type = number }\nvariable \"d\" { default = \"a\" }\nvariable \"s\" {\n  type = string\n  sensitive = true\n}\noutput \"n\" { value = var.n }\n";
    let files = [
        ("main.tf", main),
        ("terraform.tfvars", "n = 1\ns = \"hunter2\"\n"),
        ("b.auto.tfvars", "n = 2\nstray = \"hunter2\"\n"),
        ("x_override.tf", "variable \"d\" { default = \"b\" }\n"),
    ];
    let directory = directory(&files);
    let outcome = run(directory.path(), &["eval", "--json", "-var", "n=3"]);
    assert!(!outcome.stdout.contains("hunter2"), "{}", outcome.stdout);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let given = |variable: usize| {
        let assignments = document["variables"][variable]["assignments"].as_array().unwrap();
        let one = |given: &Value| format!("{} {} {}", given["source_kind"], given["value"], given["wins"]);
        assignments.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(given(0), ["\"terraform.tfvars\" 1 false", "\"auto.tfvars\" 2 false", "\"var\" \"3\" true"]);
    assert_eq!(given(1), ["\"default\" \"a\" false", "\"default\" \"b\" true"]);
    assert_eq!(given(2), ["\"terraform.tfvars\" null true"]);
    let place = |variable: usize, row: usize| {
        &document["variables"][variable]["assignments"][row]["source"]["filename"]
    };
    assert_eq!(place(0, 1), "b.auto.tfvars");
    assert_eq!((place(1, 0), place(1, 1)), (&"main.tf".into(), &"x_override.tf".into()));
    assert_eq!(document["undeclared"][0]["name"], "stray");
    assert_eq!(document["undeclared"][0]["wins"], false);
    assert_eq!(document["outputs"]["n"]["value"], 3);
}

#[test]
fn sensitive_parts_are_shown_on_request_only() {
    let directory = directory(&[("main.tf", MODULE)]);
    let hidden = run(directory.path(), &["eval", ".", "--json", "-var", "name=a"]).stdout;
    assert!(hidden.contains(r#""login":{"sensitive":true,"type":"string"}"#), "{hidden}");
    let sensitive = r#""output.login":{"kind":"output","state":"sensitive","sensitive":true,"type":"string","sensitive_paths":[""]"#;
    assert!(hidden.contains(sensitive), "{hidden}");
    let shown = run(directory.path(), &["eval", ".", "--json", "--show-sensitive", "-var", "name=a"]).stdout;
    let login = r#""login":{"sensitive":true,"type":"string","value":"admin:hunter2"}"#;
    assert!(shown.contains(login), "{shown}");
    let text = run(directory.path(), &["eval", ".", "output.login", "--show-sensitive", "-var", "name=a"]);
    assert_eq!(text.stdout, "output.login = \"admin:hunter2\"\n");
}

#[test]
fn keep_going_prints_known_values_beside_errors() {
    let module = "locals { a = 1 }\noutput \"b\" { value = local.nope }\n";
    let directory = directory(&[("main.tf", module)]);
    fails(&run(directory.path(), &["eval"]), 1, "local.nope");
    let outcome = run(directory.path(), &["eval", "--keep-going"]);
    let reason = "  b = (error) # output.b has an error that is reported above\n";
    assert!(outcome.stdout.contains(reason), "{}", outcome.stdout);
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn every_listing_of_partial_values_begins_with_the_broken_files() {
    let broken = "locals {\n  a = 1\n  b = [1,\n}\noutput \"x\" { value = local.a }\n";
    let note = "# partial values: 1 syntax error in main.tf; values that depend on the unreadable text are unknown\n";
    let directory = directory(&[("main.tf", broken)]);
    let outcome = run(directory.path(), &["eval", "--keep-going"]);
    assert!(outcome.stdout.starts_with(note), "{}", outcome.stdout);
    let outcome = run(directory.path(), &["eval", "--keep-going", ".", "local.a", "output.x"]);
    assert_eq!(outcome.stdout, format!("{note}local.a = 1\noutput.x = 1\n"));
    assert_eq!(outcome.code, Some(1));
    let outcome = run(directory.path(), &["eval", "--keep-going", "--json", ".", "local.a"]);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&document["partial"], &document["values"]["local.a"]["value"]), (&json!(true), &json!(1)));
    fs::write(directory.path().join("main.tf"), "locals { a = 1 }\n").unwrap();
    let outcome = run(directory.path(), &["eval", "--json", ".", "local.a"]);
    assert!(outcome.stdout.starts_with(r#"{"format_version":"1.2","values":{"#), "{}", outcome.stdout);
}

#[test]
fn the_note_on_partial_values_names_each_file_once_with_its_trouble() {
    let call = |name: &str| format!("module \"{name}\" {{ source = \"./m\" }}\n");
    let broken = "locals {\n  a = 1\n  b = [1,\n}\n";
    let directory = directory(&[("main.tf", &(call("a") + &call("b"))), ("m/main.tf", broken)]);
    let note = |reason: &str| {
        let outcome = run(directory.path(), &["eval", "--keep-going"]);
        let note =
            format!("# partial values: {reason}; values that depend on the unreadable text are unknown\n");
        assert!(outcome.stdout.starts_with(&note), "{}", outcome.stdout);
    };
    note("1 syntax error in m/main.tf");
    fs::write(directory.path().join("bytes.tf.json"), b"{\"locals\": {\"x\": \"\xff\"}}\n").unwrap();
    note("1 syntax error in m/main.tf, and bytes.tf.json cannot be read");
    fs::write(directory.path().join("m/main.tf"), "locals { a = 1 }\n").unwrap();
    note("bytes.tf.json cannot be read");
}

#[test]
fn a_provider_that_unreadable_text_may_name_is_left_out() {
    let requirements = |of_acme: &str| {
        let aws = "    aws = {\n      source = \"hashicorp/aws\"\n    }\n";
        let required =
            format!("terraform {{\n  required_providers {{\n{aws}    acme = {of_acme}\n  }}\n}}\n");
        required + "resource \"acme_a\" \"a\" {}\nresource \"aws_b\" \"b\" {}\nresource \"demo_c\" \"c\" {}\n"
    };
    let providers = |text: &str| {
        let directory = directory(&[("main.tf", text)]);
        let outcome = run(directory.path(), &["eval", "--keep-going", "--json"]);
        let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
        ["acme_a.a", "aws_b.b", "demo_c.c"]
            .map(|address| document["values"][address]["resource"]["provider"].clone())
    };
    assert_eq!(
        providers(&requirements("{\n      source = \"acme/acme\"\n    }")),
        [json!("acme/acme"), json!("hashicorp/aws"), json!("hashicorp/demo")]
    );
    let broken = "{\n      source = = \"acme/acme\"\n    }";
    // The unreadable text has no letters of the other name without a requirement.
    let expected = [json!(null), json!("hashicorp/aws"), json!("hashicorp/demo")];
    assert_eq!(providers(&requirements(broken)), expected);
}

#[test]
fn the_graph_of_a_broken_configuration_has_the_readable_objects() {
    let broken = "locals {\n  a = 1\n  b = [1,\n}\noutput \"x\" { value = local.a }\n";
    let directory = directory(&[("main.tf", broken)]);
    let outcome = run(directory.path(), &["graph"]);
    let note =
        "// partial graph: 1 syntax error in main.tf; objects in the unreadable text are missing\ndigraph";
    assert!(outcome.stdout.starts_with(note), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\"output.x\" -> \"local.a\""), "{}", outcome.stdout);
    assert_eq!(outcome.code, Some(1));
    let outcome = run(directory.path(), &["graph", "--format", "json"]);
    let graph: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(graph["partial"], true);
    fs::write(directory.path().join("main.tf"), "locals { a = 1 }\n").unwrap();
    let outcome = run(directory.path(), &["graph", "--format", "json"]);
    assert!(!outcome.stdout.contains("partial"), "{}", outcome.stdout);
}

#[test]
fn the_schemas_are_among_the_files_that_were_read() {
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {}}"#;
    let directory = directory(&[("main.tf", "locals { a = 1 }\n"), ("s.json", schemas)]);
    let outcome = run(directory.path(), &["eval", "--json", "--schemas", "s.json"]);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let files = document["files"].as_array().unwrap();
    let schema = files.iter().find(|file| file["role"] == "schema").unwrap();
    assert_eq!((&schema["path"], &schema["bytes"]), (&json!("s.json"), &json!(schemas.len())));
}

#[test]
fn blocks_without_instances_and_with_an_unknown_number_are_listed() {
    let module = "variable \"n\" {}\nresource \"x_y\" \"none\" {\n  count = 0\n}\n\
                  resource \"x_y\" \"some\" {\n  count = var.n\n  a = \"b\"\n  c = count.index\n}\n\
                  output \"a\" { value = x_y.some[0].a }\n";
    let directory = directory(&[("main.tf", module)]);
    assert_eq!(
        run(directory.path(), &["eval"]).stdout,
        r#"outputs {
  a = "b"
}

variables {
  n = (not set) # var.n has no value
}

resource "x_y" "some" {
  # number of instances unknown: var.n has no value
  a = "b"
  c = (not set) # var.n has no value
  # other attributes are unknown: x_y.some is set by the provider
}

# without instances:
#   x_y.none
"#
    );
    assert_eq!(run(directory.path(), &["eval", ".", "x_y.none"]).stdout, "x_y.none = []\n");
    let wrong = run(directory.path(), &["eval", ".", "x_y.nine"]);
    fails(&wrong, 1, "Did you mean `x_y.none`?");
    fails(&run(directory.path(), &["eval", ".", "x_y.none[0]"]), 1, "it has no instances");
}

#[test]
fn a_mistake_in_a_module_names_the_instance() {
    let root = "module \"six\" {\n  source = \"./m\"\n  for_each = { a = 6, b = 7 }\n  n = each.value\n}\n\
                module \"nine\" {\n  source = \"./m\"\n  n = 9\n}\n";
    let child = "variable \"n\" {}\noutput \"o\" { value = [6, var.n][var.n - 6] }\n";
    let directory = directory(&[("main.tf", root), ("m/main.tf", child)]);
    let outcome = run(directory.path(), &["eval"]);
    assert!(outcome.stderr.contains("= in: module.nine\n"), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("error[").count(), 1, "{}", outcome.stderr);
}

#[test]
fn infinity_cannot_be_json() {
    let directory = directory(&[("main.tf", "output \"x\" { value = [1 / 0] }\n")]);
    fails(&run(directory.path(), &["eval", ".", "--json"]), 1, "`output.x` contains an infinite number");
    assert_eq!(run(directory.path(), &["eval", "-q"]).stdout, "outputs {\n  x = [1/0]\n}\n");
}

#[test]
fn too_long_values_are_not_printed() {
    let long =
        "[for a in [range(1000)] : [for b in [[for i in range(100) : a]] : [for i in range(100) : b]]]";
    let module =
        directory(&[("main.tf", &format!("locals {{\n  a = {long}\n  b = local.a[0][0][0][0]\n}}\n"))]);
    for arguments in [["eval", "-q"], ["eval", "--json"]] {
        fails(&run(module.path(), &arguments), 1, "too large to be printed");
    }
    fails(&run(module.path(), &["eval", ".", "local.a"]), 1, "too large to be printed");
    assert_eq!(run(module.path(), &["eval", "-q", ".", "local.b[7]"]).stdout, "local.b[7] = 7\n");
    let template = directory(&[("a.pkr.hcl", &format!("locals {{\n  a = {long}\n}}\n"))]);
    for arguments in [["eval", "."], ["eval", "--json"]] {
        fails(&run(template.path(), &arguments), 1, "too large to be printed");
    }
}

#[test]
fn the_graph_is_printed_for_graphviz_and_for_programs() {
    let directory = directory(&[("main.tf", "locals { a = 1 }\noutput \"o\" { value = local.a }\n")]);
    let dot = run(directory.path(), &["graph"]);
    assert!(dot.stdout.contains("  \"output.o\" -> \"local.a\"\n"), "{}", dot.stdout);
    let json = run(directory.path(), &["graph", ".", "--format", "json"]);
    let edges = r#""edges":[{"from":"output.o","to":"local.a"}]}"#;
    assert!(json.stdout.ends_with(&format!("{edges}\n")), "{}", json.stdout);
    assert_eq!((dot.code, json.code), (Some(0), Some(0)));
}

#[test]
fn a_graph_has_the_objects_around_a_focus() {
    let text = "variable \"v\" {}\nlocals {\n  a = var.v\n  b = local.a\n  c = 1\n}\noutput \"o\" { value = local.b }\n";
    let directory = directory(&[("main.tf", text)]);
    let around = ["graph", ".", "--format", "mermaid", "--focus", "local.a", "--depth", "1"];
    let mermaid = run(directory.path(), &around);
    let expected =
        "flowchart RL\n  n0[\"var.v\"]\n  n1[\"local.a\"]\n  n2[\"local.b\"]\n  n1 --> n0\n  n2 --> n1\n";
    assert_eq!((mermaid.stdout.as_str(), mermaid.code), (expected, Some(0)));
    fails(
        &run(directory.path(), &["graph", ".", "--focus", "local.d"]),
        1,
        "no object with the address `local.d`",
    );
    fails(&run(directory.path(), &["graph", ".", "--depth", "1"]), 2, "--focus <ADDRESS>");
}

#[test]
fn pictures_of_graphs_have_values_only_in_the_page() {
    let text = "variable \"v\" { default = \"hidden-value\" }\noutput \"o\" {\n  value = [sensitive(var.v), \"plain-value\"]\n  \
                sensitive = true\n}\nlocals { a = sensitive(\"marker-5e\") }\n";
    let directory = directory(&[("main.tf", text)]);
    let svg = run(directory.path(), &["graph", ".", "--format", "svg"]);
    assert!(svg.stdout.starts_with("<svg ") && svg.stdout.contains(">local.a</text>"), "{}", svg.stdout);
    assert!(!svg.stdout.contains("hidden-value") && svg.code == Some(0), "{}", svg.stdout);
    let page = run(directory.path(), &["graph", ".", "--format", "html"]);
    assert!(page.stdout.contains("hidden-value") && page.stdout.contains("local.a"), "{}", page.stdout);
    assert!(!page.stdout.contains("marker-5e"), "{}", page.stdout);
    let shown =
        run(directory.path(), &["graph", ".", "--format", "html", "--show-sensitive", "--focus", "local.a"]);
    assert!(shown.stdout.contains("marker-5e") && !shown.stdout.contains("hidden-value"), "{}", shown.stdout);
    let many: String = (0..2001).map(|n| format!("  l{n} = 1\n")).collect();
    fs::write(directory.path().join("many.tf"), format!("locals {{\n{many}}}\n")).unwrap();
    let refused = run(directory.path(), &["graph", ".", "--format", "svg"]);
    fails(&refused, 1, "the graph has 2004 objects, but a picture has at most 2000");
    assert!(refused.stderr.contains("--focus"), "{}", refused.stderr);
}

#[test]
fn one_value_is_printed_raw() {
    let text = "variable \"v\" {}\nlocals {\n  text = \"a\\n\\\"b\\\"\"\n  number = 1.50\n  yes = true\n  list = [1]\n  none = null\n}\n\
                output \"secret\" {\n  value = \"hunter2\"\n  sensitive = true\n}\nresource \"terraform_data\" \"many\" { count = 2 }\n";
    let directory = directory(&[("main.tf", text)]);
    let raw = |address: &str, more: &[&str]| {
        let arguments = [&["eval", "-q", ".", "--raw", address], more].concat();
        run(directory.path(), &arguments)
    };
    for (address, expected) in
        [("local.text", "a\n\"b\""), ("local.number", "1.5"), ("local.yes", "true"), ("local.list[0]", "1")]
    {
        assert_eq!(raw(address, &[]).stdout, expected, "{address}");
    }
    fails(&raw("output.secret", &[]), 1, "`output.secret` is secret: `--show-sensitive` prints it");
    assert_eq!(raw("output.secret", &["--show-sensitive"]).stdout, "hunter2");
    fails(&raw("var.v", &[]), 1, "`var.v` is unknown, so it has no text: var.v has no value");
    fails(&raw("local.none", &[]), 1, "`local.none` is null");
    fails(&raw("local.list", &[]), 1, "strings, numbers and bools, but `local.list` is");
    fails(&raw("terraform_data.many", &[]), 1, "prints one value, but the address selects 2");
    fails(&run(directory.path(), &["eval", ".", "--raw"]), 2, "<ADDRESS>");
}

#[test]
fn the_console_works_in_a_module_instance_and_beside_mistakes() {
    let root = "module \"m\" {\n  source = \"./m\"\n  for_each = { a = 1, b = 2 }\n  n = each.value\n}\n\
                output \"x\" { value = [1][5] }\n";
    let child = "variable \"n\" {}\nmodule \"inner\" {\n  source = \"./inner\"\n  count = 2\n}\n";
    let directory = directory(&[("main.tf", root), ("m/main.tf", child), ("m/inner/main.tf", "")]);
    let in_b = ["console", ".", "--module-instance", "module.m[\"b\"]"];
    let outcome = console(directory.path(), &in_b, "var.n\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), "2\n"));
    assert!(outcome.stderr.contains("Invalid index"), "{}", outcome.stderr);
    let nowhere = ["console", ".", "--module-instance", "module.m[\"c\"]"];
    fails(&console(directory.path(), &nowhere, "var.n\n"), 1, "there is module.m[\"a\"], module.m[\"b\"]");
    for (address, there) in [
        (
            "module.m[\"a\"].module.inner",
            "there is module.m[\"a\"].module.inner[0], module.m[\"a\"].module.inner[1]",
        ),
        ("module.m[\"a\"].module.iner", "Did you mean module.m[\"a\"].module.inner?"),
    ] {
        let nowhere = ["console", ".", "--module-instance", address];
        fails(&console(directory.path(), &nowhere, "var.n\n"), 1, there);
    }
}

#[test]
fn modules_show_their_arguments_outputs_and_resources() {
    let child = "variable \"v\" {}\nvariable \"w\" { default = 1 }\nresource \"x_y\" \"r\" { a = var.v }\n\
                 output \"o\" { value = upper(var.v) }\n";
    let root =
        "module \"m\" {\n  source   = \"./m\"\n  for_each = toset([\"k\"])\n  v        = each.key\n}\n";
    let directory = directory(&[("main.tf", root), ("m/main.tf", child)]);
    assert_eq!(
        run(directory.path(), &["eval"]).stdout,
        r#"# module.m["k"]
module "m" {
  v = "k"

  outputs {
    o = "K"
  }
}

# module.m["k"].x_y.r
resource "x_y" "r" {
  a = "k"
  # other attributes are unknown: module.m["k"].x_y.r is set by the provider
}
"#
    );
    let part = run(directory.path(), &["eval", ".", "module.m[\"k\"].output.o", "module.m[\"k\"].o"]);
    assert_eq!(part.stdout, "module.m[\"k\"].output.o = \"K\"\nmodule.m[\"k\"].o = \"K\"\n");
}

#[test]
fn a_missing_module_shows_its_arguments() {
    let root = "variable \"v\" {}\nmodule \"m\" {\n  source = \"example/away/aws\"\n  count  = 1\n  a      = upper(\"x${count.index}\")\n  \
                b      = var.v\n}\nmodule \"n\" { source = \"example/away/aws\" }\n";
    let directory = directory(&[("main.tf", root)]);
    let text = run(directory.path(), &["eval", "-var", "v=1"]).stdout;
    let wanted = "# module.m[0]\nmodule \"m\" {\n  a = \"X0\"\n  b = \"1\"\n  # outputs unknown: module.m[0] is not on \
                  disk\n}\n\nmodule \"n\" {\n  # outputs unknown: module.n is not on disk\n}\n";
    assert!(text.ends_with(wanted), "{text}");
    let json = run(directory.path(), &["eval", ".", "--json", "module.m[0]"]).stdout;
    assert!(json.contains(r#""arguments":{"sensitive":false,"type":["object",{"a":"string","b":"dynamic"}],"value":{"a":"X0"}"#), "{json}");
}

#[test]
fn variables_come_from_everywhere_in_order() {
    let files = [
        (
            "main.tf",
            "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\noutput \"all\" { value = [var.a, var.b, var.c] }",
        ),
        ("terraform.tfvars", "a = \"file\"\nb = \"file\""),
        ("late.tfvars", "b = \"late\"\nc = \"late\""),
    ];
    let directory = directory(&files);
    let mut command =
        terrane(directory.path(), &["eval", ".", "output.all", "-var=c=x", "-var-file=late.tfvars"]);
    let output = command.env("TF_VAR_a", "env").env("TF_VAR_c", "env").output().expect("the command runs");
    assert_eq!(outcome(&output).stdout, "output.all = [\"file\", \"late\", \"late\"]\n");
}

#[test]
fn a_mistake_ends_with_code_1_and_no_result() {
    let broken = directory(&[("main.tf", "output \"a\" {\n  value = [1,\n}\noutput \"b\" { value = 1 }\n")]);
    fails(&run(broken.path(), &["eval"]), 1, "main.tf:");
    fails(&run(broken.path(), &["eval", "--json"]), 1, "main.tf:");
    fails(&run(broken.path(), &["eval", "nowhere"]), 1, "nowhere");
    let module = directory(&[("main.tf", MODULE)]);
    fails(&run(module.path(), &["eval", "-var", "nmae=x", "-var", "name=x"]), 1, "nmae");
}

#[test]
fn values_on_a_cycle_name_the_cycle() {
    let text = "resource \"terraform_data\" \"a\" { input = local.b }\nlocals { b = terraform_data.a.id }\n";
    let directory = directory(&[("main.tf", text)]);
    assert_eq!(
        run(directory.path(), &["eval", "--keep-going"]).stdout,
        "locals {\n  b = (error) # a cycle that is reported above\n}\n\n\
         resource \"terraform_data\" \"a\" {\n  # unknown: a cycle that is reported above\n}\n"
    );
}

#[test]
fn wrong_arguments_end_with_code_2() {
    let directory = directory(&[("main.tf", MODULE)]);
    fails(&run(directory.path(), &["eval", "--nope"]), 2, "--nope");
    fails(&run(directory.path(), &["eval", "-var", "name"]), 2, "NAME=VALUE");
    fails(
        &run(directory.path(), &["eval", "-var", "name = a"]),
        2,
        "Invalid -var option\n\nThere is a space before the `=`",
    );
    let unknown = ["eval", ".", "output.nope", "local.tags.Name", "-var", "name=a"];
    fails(&run(directory.path(), &unknown), 1, "no object with the address `output.nope`");
    fails(&run(directory.path(), &["eval", "local.tags"]), 1, "write: terrane eval . local.tags");
    let part = ["eval", ".", "local.tags.Nope", "-var", "name=a"];
    fails(&run(directory.path(), &part), 1, "Unsupported attribute");
}

#[test]
fn console_prints_a_value_for_each_expression() {
    let directory = directory(&[("main.tf", MODULE)]);
    let input = "upper(\"x\")\nlocal.tags\n[\n  1,\n]\nvar.password\naws_vpc.main[0].id\n";
    let outcome = console(directory.path(), &["console", "-var", "name=a"], input);
    assert_eq!(outcome.stderr, "");
    assert_eq!(
        outcome.stdout,
        "\"X\"\n{\n  \"Name\" = \"A\"\n  \"Size\" = 3\n}\n[\n  1,\n]\n(sensitive value)\n(known after apply)\n"
    );
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn console_stops_at_the_first_mistake() {
    let directory = directory(&[("main.tf", MODULE)]);
    let outcome = console(directory.path(), &["console", "-var", "name=a"], "1 + 1\nnope\n3\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), "2\n"));
    assert!(outcome.stderr.contains("error["), "{}", outcome.stderr);
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let directory = directory(&[("main.tf", "a = \n")]);
    assert!(!run(directory.path(), &["eval"]).stderr.contains('\u{1b}'));
    assert!(run(directory.path(), &["eval", "--color", "always"]).stderr.contains('\u{1b}'));
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let directory = directory(&[("main.tf", "output \"a\" { value = range(1000) }\n")]);
    let mut command = terrane(directory.path(), &["eval", "-q"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    drop(child.stdout.take());
    let outcome = outcome(&child.wait_with_output().expect("it ends"));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
}

#[test]
fn help_lists_the_commands() {
    let outcome = run(Path::new("."), &["--help"]);
    for word in ["eval", "console", "Examples:", "Exit codes:", "--color"] {
        assert!(outcome.stdout.contains(word), "{word}: {}", outcome.stdout);
    }
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for arguments in [&["--help"][..], &["--version"], &["eval", "--help"], &["fmt", "-h"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let mut command = terrane(Path::new("."), arguments);
        let outcome = outcome(&command.stdout(full).output().expect("the command runs"));
        assert_eq!(outcome.code, Some(1), "{arguments:?}");
        assert!(outcome.stderr.contains("input or output failed"), "{}", outcome.stderr);
    }
}

/// Returns the exit code of a command whose output nobody reads, as behind `| head -0`.
fn unread(directory: &Path, arguments: &[&str]) -> Option<i32> {
    let pipe = || std::io::pipe().expect("a pipe");
    let (input, mut writer) = pipe();
    writer.write_all(b"a =\n").expect("it has room for a line");
    drop(writer);
    let closed = || pipe().1;
    let mut command = terrane(directory, arguments);
    command.stdin(input).stdout(closed()).stderr(closed());
    command.status().expect("the command runs").code()
}

#[test]
fn errors_set_the_exit_code_even_if_nobody_reads_them() {
    let directory = directory(&[("bad.tf", "locals {\n  a = local.b\n}\n"), ("long.tf", "locals {}\n   \n")]);
    for (arguments, code) in [
        (&["eval"][..], 1),
        (&["eval", "--json"], 1),
        (&["check"], 1),
        (&["check", "--format", "json"], 1),
        (&["check", "absent"], 2),
        (&["graph"], 1),
        (&["console"], 1),
        (&["functions", "nope"], 1),
        (&["functions", "upper"], 0),
        (&["fmt", "-check"], 3),
        (&["decode"], 1),
        (&["no-such-command"], 2),
    ] {
        assert_eq!(unread(directory.path(), arguments), Some(code), "{arguments:?}");
    }
    assert_eq!(unread(directory.path(), &["fmt"]), Some(0));
    let text = fs::read_to_string(directory.path().join("long.tf")).expect("a file");
    assert_eq!(text, "locals {}\n\n", "all files are formatted");
}

#[test]
fn help_and_wrong_arguments_are_coloured_if_options_say_so() {
    let root = directory(&[]);
    for (arguments, is_colored) in [
        (&["--color", "always", "--help"][..], true),
        (&["eval", "--help", "-color=always"], true),
        (&["eval", "--nope", "--color", "always"], true),
        (&["--color", "always", "-no-color", "--help"], false),
        (&["--color", "never", "--help"], false),
        (&["--help"], false),
    ] {
        let output = terrane(root.path(), arguments).output().expect("the command runs");
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(text.contains('\u{1b}'), is_colored, "{arguments:?}: {text}");
        assert!(text.contains("Usage"), "{arguments:?}: {text}");
    }
}
