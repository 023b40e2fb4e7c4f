//! Tests that no output shows a sensitive value of a state, of a plan, of another revision or of a variable file. Markers stand
//! for secrets in each of them.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;
#[path = "support/markers.rs"]
mod markers;

use std::fs;
use std::process::Command;

use self::directory::directory;
use self::markers::{MARKER, scan, terrane};

const MAIN: &str = r#"
variable "secret" {
  sensitive = true
  default   = "Mrk7C1"
}
variable "map" {
  type      = map(string)
  sensitive = true
  default   = { Mrk7C2 = "Mrk7C3" }
}
resource "terraform_data" "kept" { input = "open" }
resource "terraform_data" "a" { input = var.secret }
resource "terraform_data" "b" {
  input            = { open = 1, closed = var.map }
  triggers_replace = [var.secret]
}
resource "demo_db" "c" {
  size = 2
  name = var.secret
  rule {
    label = var.secret
  }
}
resource "demo_db" "each" {
  for_each = { x = 1 }
  size     = each.value
}
module "m" {
  source = "./m"
  secret = var.secret
}
locals { joined = "${var.secret}-${terraform_data.a.id}" }
output "secret" {
  sensitive = true
  value     = [local.joined, terraform_data.a.output, demo_db.c]
}
output "becomes_secret" {
  sensitive = true
  value     = "Mrk7C4"
}
output "password" {
  sensitive = true
  value     = demo_db.c.password
}
output "id" { value = terraform_data.kept.id }
"#;

const MODULE: &str = r#"
variable "secret" {}
resource "terraform_data" "in" { input = var.secret }
output "secret" {
  sensitive = true
  value     = var.secret
}
"#;

/// Objects that are kept, changed, replaced, tainted, deposed and orphaned. Their secrets are marked by the state, are marked
/// by the configuration now, or are only known by the names of attributes.
const STATE: &str = r#"{
  "version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l",
  "outputs": {
    "secret": {"value": ["Mrk7S1"], "type": ["tuple", ["string"]], "sensitive": true},
    "gone": {"value": {"Mrk7S2": "Mrk7S3"}, "type": ["object", {"Mrk7S2": "string"}], "sensitive": true},
    "becomes_secret": {"value": "Mrk7S4", "type": "string"}
  },
  "resources": [
    {"mode": "managed", "type": "terraform_data", "name": "kept", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "kept-1", "input": {"value": "open", "type": "string"},
       "output": {"value": "open", "type": "string"}, "triggers_replace": null}}]},
    {"mode": "managed", "type": "terraform_data", "name": "a", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "a-1", "input": {"value": "Mrk7S5", "type": "string"},
       "output": {"value": "Mrk7S5", "type": "string"}, "triggers_replace": null}, "private": "Mrk7S6"}]},
    {"mode": "managed", "type": "terraform_data", "name": "b", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "b-1", "input": {"value": "Mrk7S7", "type": "string"},
       "output": {"value": "Mrk7S7", "type": "string"}, "triggers_replace": {"value": ["Mrk7S8"], "type": ["tuple", ["string"]]}},
       "sensitive_attributes": [[{"type": "get_attr", "value": "input"}], [{"type": "get_attr", "value": "triggers_replace"}]]}]},
    {"mode": "managed", "type": "terraform_data", "name": "gone", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"status": "tainted", "attributes": {"id": "gone-1", "input": {"value": "Mrk7S9", "type": "string"},
       "output": {"value": "Mrk7S9", "type": "string"}, "triggers_replace": null},
       "sensitive_attributes": [[{"type": "get_attr", "value": "input"}]]}]},
    {"mode": "managed", "type": "demo_db", "name": "c", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
     "instances": [
       {"attributes": {"id": "c-1", "size": 1, "name": "Mrk7T1", "password": "Mrk7T2", "nested": {"api_token": "Mrk7T3"},
         "list": ["Mrk7T4"], "rule": [{"label": "Mrk7T5"}]},
        "sensitive_attributes": [[{"type": "get_attr", "value": "list"}]]},
       {"deposed": "0a1b2c3d", "attributes": {"id": "c-0", "size": 1, "password": "Mrk7T6"}}]},
    {"mode": "managed", "type": "demo_db", "name": "gone", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
     "instances": [{"attributes": {"id": "g-1", "secret_key": "Mrk7T7", "open": "Mrk7T8"},
       "sensitive_attributes": [[{"type": "get_attr", "value": "open"}]]}]},
    {"mode": "managed", "type": "demo_db", "name": "each", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
     "instances": [{"index_key": "x", "status": "tainted", "attributes": {"id": "x-1", "size": 1, "password": "Mrk7T9"}}]}
  ]}"#;

/// Returns the commands that print values, in every format, with further arguments.
fn commands<'c>(with: &[&'c str]) -> Vec<Vec<&'c str>> {
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["eval"],
        vec!["eval", "--json"],
        vec!["eval", "--keep-going", ".", "*.*", "*.*.*", "module.*.output", "module.*.*"],
        vec!["eval", "--json", ".", "*.*"],
        vec!["eval", "--matrix", "env/*.tfvars"],
        vec!["eval", "--matrix", "env/*.tfvars", "--json"],
        vec!["eval", "--matrix", "env/*.tfvars", ".", "*.*", "*.*.*"],
        vec!["eval", "--matrix", "env/*.tfvars", "--json", ".", "*.*", "*.*.*"],
    ];
    for format in ["human", "compact", "json", "github", "sarif", "junit"] {
        commands.push(vec!["eval", "--require-known", "--format", format]);
    }
    for format in ["dot", "svg", "html", "mermaid", "json"] {
        commands.push(vec!["graph", "--format", format]);
        commands.push(vec!["graph", "--format", format, "--focus", "terraform_data.a", "--depth", "2"]);
    }
    let addresses = [
        "output.secret",
        "output.password",
        "output.becomes_secret",
        "terraform_data.a",
        "terraform_data.a.output",
        "terraform_data.b",
        "demo_db.c",
        "demo_db.c.password",
        "demo_db.each[\"x\"]",
        "module.m.secret",
        "local.joined",
        "var.map",
        "main.tf:12",
    ];
    for address in addresses {
        for format in [&[][..], &["--json"], &["--html"], &["--reverse"], &["--reverse", "--json"]] {
            commands.push([&["explain", address][..], format].concat());
        }
    }
    commands.into_iter().map(|command| [command, with.to_vec()].concat()).collect()
}

const VARIABLES: [(&str, &str); 2] = [
    ("env/one.tfvars", "secret = \"Mrk7V1\"\nmap    = { a = \"Mrk7V2\" }\n"),
    ("env/two.tfvars", "secret = \"Mrk7V3\"\nmap    = { Mrk7V4 = \"Mrk7V5\" }\n"),
];

fn files() -> Vec<(&'static str, &'static str)> {
    [&[("main.tf", MAIN), ("m/main.tf", MODULE), ("s.tfstate", STATE)], &VARIABLES[..]].concat()
}

#[test]
fn states_are_hidden() {
    let root = directory(&files());
    let state = ["--state", "s.tfstate"];
    let mut all = commands(&state);
    all.extend(commands(&["--state", "s.tfstate", "--state-values", "prior"]));
    for arguments in
        [&["plan"][..], &["plan", "--json"], &["plan", "--json", "--pretty"], &["plan", "--require-known"]]
    {
        all.push([arguments, &state].concat());
    }
    for format in ["text", "markdown", "json"] {
        all.push([&["diff", "--format", format], &state[..]].concat());
    }
    scan(root.path(), &all);
}

#[test]
fn plans_are_hidden() {
    let root = directory(&files());
    for arguments in [
        &["plan", "--json", "--show-sensitive"][..],
        &["plan", "--json", "--show-sensitive", "--state", "s.tfstate"],
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_terrane")).current_dir(root.path()).args(arguments).output();
        let document = output.expect("the command runs").stdout;
        assert!(String::from_utf8_lossy(&document).contains(MARKER), "secrets are shown on request");
        fs::write(root.path().join("plan.json"), document).expect("a file");
        let mut all = commands(&["--plan", "plan.json"]);
        // A plan only exists for one set of values.
        all.retain(|command| !command.contains(&"--matrix"));
        for format in ["text", "markdown", "json"] {
            all.push(vec!["diff", "--format", format, "--plan", "plan.json"]);
        }
        scan(root.path(), &all);
    }
}

#[test]
fn differences_are_hidden() {
    let root = directory(&files());
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").current_dir(root.path()).args(identity).args(arguments).output();
        assert!(output.expect("git").status.success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    let changed =
        MAIN.replace(MARKER, "Mrk7Other").replace("\"kept\"", "\"renamed\"").replace("size = 2", "size = 3");
    let changed = changed.replace("terraform_data.kept", "terraform_data.renamed");
    fs::write(root.path().join("main.tf"), &changed).expect("a file");
    git(&["commit", "-qam", "two"]);
    fs::write(root.path().join("main.tf"), changed.replace("Other", "Third").replace("size = 3", "size = 4"))
        .expect("a file");
    for (name, text) in [("other/main.tf", changed.as_str()), ("other/m/main.tf", MODULE)] {
        fs::create_dir_all(root.path().join("other/m")).expect("a directory");
        fs::write(root.path().join(name), text).expect("a file");
    }
    let mut all = Vec::new();
    for format in ["text", "markdown", "json"] {
        let with = ["--format", format];
        for pair in [
            &["diff", "--git", "HEAD~1..HEAD"][..],
            &["diff", "--git", "HEAD"],
            &["diff", ".", "other"],
            &["diff", "env/one.tfvars", "env/two.tfvars", "."],
        ] {
            all.push([pair, &with].concat());
        }
    }
    scan(root.path(), &all);
    assert!(
        terrane(root.path(), &["diff", "--git", "HEAD~1..HEAD"]).contains("renamed"),
        "there are differences"
    );
}

#[test]
fn many_roots_are_hidden() {
    let [one, two] = VARIABLES;
    let root = directory(&[
        ("fleet.toml", "[[root]]\npath = \"a\"\n[[root]]\npath = \"b\"\n[[root]]\npath = \"c\"\n"),
        ("a/main.tf", MAIN),
        ("a/m/main.tf", MODULE),
        ("a/terraform.tfvars", one.1),
        ("b/main.tf", MAIN),
        ("b/m/main.tf", MODULE),
        ("b/x.auto.tfvars", two.1),
        (
            "c/main.tf",
            "variable \"secret\" {\n  sensitive = true\n  default = \"Mrk7R1\"\n}\noutput \"o\" { value = tonumber(var.secret) }\n",
        ),
    ]);
    let mut all: Vec<Vec<&str>> = Vec::new();
    for arguments in [
        &["eval", "-recursive", "--keep-going"][..],
        &["eval", "-recursive", "--keep-going", "--json"],
        &["eval", "-recursive", "--keep-going", ".", "output.secret", "*.*", "upper(var.secret)"],
        &["eval", "-recursive", "--keep-going", "--json", ".", "output.secret", "*.*", "upper(var.secret)"],
        &["eval", "-recursive", "--require-known=output.secret", "--require-known=upper(var.secret)"],
        &["check", "-recursive"],
    ] {
        all.push(arguments.to_vec());
    }
    for format in ["human", "compact", "json", "github", "sarif", "junit"] {
        all.push(vec!["eval", "-recursive", "--format", format, ".", "tonumber(var.secret)"]);
    }
    scan(root.path(), &all);
}

/// Nothing tells which attributes of an object are secret if the number of instances of its block is unknown.
#[test]
fn destroyed_objects_without_a_known_instance_are_hidden() {
    let root = directory(&[
        (
            "main.tf",
            "variable \"n\" {}\nvariable \"secret\" {\n  sensitive = true\n  default   = \"x\"\n}\n\
             resource \"demo_db\" \"a\" {\n  count = var.n\n  field = var.secret\n}\n\
             module \"m\" {\n  source = \"./m\"\n  count  = var.n\n  secret = var.secret\n}\n",
        ),
        ("m/main.tf", "variable \"secret\" {}\nresource \"demo_db\" \"b\" {\n  field = var.secret\n}\n"),
        (
            "s.tfstate",
            r#"{"version": 4, "resources": [
              {"mode": "managed", "type": "demo_db", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
                "instances": [{"index_key": 0, "attributes": {"id": "1", "field": "Mrk7E1"}}]},
              {"module": "module.m[0]", "mode": "managed", "type": "demo_db", "name": "b",
                "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
                "instances": [{"attributes": {"id": "2", "field": "Mrk7E2"}}]}
            ]}"#,
        ),
    ]);
    let all = [
        &["plan", "-destroy", "--state", "s.tfstate"][..],
        &["plan", "-destroy", "--state", "s.tfstate", "--json"],
    ]
    .map(<[&str]>::to_vec);
    scan(root.path(), &all);
}
