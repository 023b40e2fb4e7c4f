//! `terrane plan`: the text, the document, and the ways out of errors.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::path::Path;
use std::process::{Command, Output};

const CONFIGURATION: &str = r#"
variable "zones" {
  default = ["a", "b"]
}
variable "password" {
  sensitive = true
  default   = "hunter2"
}
resource "terraform_data" "subnet" {
  for_each = toset(var.zones)
  input    = { zone = each.key, password = var.password }
}
resource "x_server" "web" {
  name = "web"
  disk {
    size = 3
  }
}
output "ids" {
  value = [for subnet in terraform_data.subnet : subnet.id]
}
"#;

fn plan(files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(directory.path())).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    run(directory.path(), arguments)
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory).arg("plan").args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_text_has_the_layout_of_the_product() {
    let output = plan(&[("main.tf", CONFIGURATION)], &[]);
    assert_eq!(output.status.code(), Some(0));
    let expected = r#"Resource actions:
  + create

  # terraform_data.subnet["a"] will be created
  + resource "terraform_data" "subnet" {
      + id     = (known after apply)
      + input  = {
          + password = (sensitive value)
          + zone     = "a"
        }
      + output = (known after apply)
    }

  # terraform_data.subnet["b"] will be created
  + resource "terraform_data" "subnet" {
      + id     = (known after apply)
      + input  = {
          + password = (sensitive value)
          + zone     = "b"
        }
      + output = (known after apply)
    }

  # x_server.web will be created
  + resource "x_server" "web" {
      + name = "web"

      + disk {
          + size = 3
        }
    }

Plan: 3 to add, 0 to change, 0 to destroy.

Changes to Outputs:
  + ids = [
      + (known after apply),
      + (known after apply),
    ]
"#;
    assert_eq!(text(&output.stdout), expected);
    let note = text(&output.stderr);
    assert!(note.contains("1 resource type has no schema: x_server"), "{note}");
}

#[test]
fn a_note_names_the_resource_types_without_a_schema() {
    let note = |types: usize| {
        let block = |number| format!("resource \"x_r{number}\" \"a\" {{}}\n");
        let main: String = (1..=types).map(block).collect();
        text(&plan(&[("main.tf", &main)], &[]).stderr)
    };
    assert!(note(2).contains("2 resource types have no schema: x_r1, x_r2; "), "{}", note(2));
    let expected = "7 resource types have no schema: x_r1, x_r2, x_r3, x_r4, x_r5 and 2 more; ";
    assert!(note(7).contains(expected), "{}", note(7));
}

#[test]
fn nested_blocks_are_blocks_without_a_schema() {
    let main = r#"resource "x_server" "web" {
  list = [{ a = 1 }]
  rule {
    cidr { block = "a" }
    cidr { block = "b" }
  }
  dynamic "extra" {
    for_each = ["a"]
    content {
      v = extra.value
      dynamic "inner" {
        for_each = [1]
        content { w = inner.value }
      }
    }
  }
}
"#;
    let stdout = text(&plan(&[("main.tf", main)], &[]).stdout);
    let expected = r#"
      + list = [
          + {
              + a = 1
            },
        ]

      + extra {
          + v = "a"

          + inner {
              + w = 1
            }
        }

      + rule {
          + cidr {
              + block = "a"
            }
          + cidr {
              + block = "b"
            }
        }
    }
"#;
    assert!(stdout.contains(expected), "{stdout}");
}

#[test]
fn installed_providers_can_be_asked_for_their_schemas() {
    let main = "terraform {\n  required_providers {\n    x = { source = \"acme/x\" }\n  }\n}\nresource \"x_server\" \"web\" {}\n";
    let lock = "provider \"registry.terraform.io/acme/x\" {\n  version = \"1.2.0\"\n}\n";
    let package = ".terraform/providers/registry.terraform.io/acme/x/1.2.0/linux_amd64/terraform-provider-x";
    let files = [("main.tf", main), (".terraform.lock.hcl", lock), (package, "")];
    let stderr = text(&plan(&files, &[]).stderr);
    assert!(
        stderr.contains("help: `terrane schemas fetch .` asks the installed providers and stores them"),
        "{stderr}"
    );
    let stderr = text(&plan(&files[..2], &[]).stderr);
    assert!(stderr.contains("`--schemas FILE` reads that output") && !stderr.contains("fetch"), "{stderr}");
}

#[test]
fn the_document_is_the_same_on_one_line_and_indented() {
    let [line, pretty] = [&["--json"][..], &["--json", "--pretty"]].map(|arguments| {
        let output = plan(&[("main.tf", CONFIGURATION)], arguments);
        assert_eq!(output.status.code(), Some(0));
        text(&output.stdout)
    });
    assert_eq!(line.lines().count(), 1);
    assert!(pretty.lines().count() > 100, "{pretty}");
    let [one, other]: [serde_json::Value; 2] =
        [&line, &pretty].map(|text| serde_json::from_str(text).expect("JSON"));
    assert_eq!(one, other);
}

#[test]
fn secrets_are_in_the_document_only_if_they_are_asked_for() {
    let hidden = text(&plan(&[("main.tf", CONFIGURATION)], &["--json"]).stdout);
    assert!(!hidden.contains("hunter2"), "{hidden}");
    assert!(hidden.contains(r#""after_sensitive":{"input":{"password":true},"output":{}}"#), "{hidden}");
    let shown = text(&plan(&[("main.tf", CONFIGURATION)], &["--json", "--show-sensitive"]).stdout);
    assert!(shown.contains(r#""password":{"value":"hunter2"}"#), "{shown}");
}

#[test]
fn expressions_of_secret_blocks_are_not_quoted() {
    let configuration = "resource \"x_y\" \"a\" {\n  dynamic \"disk\" {\n    for_each = sensitive([\"hunter2\"])\n\
                         content {\n      key = disk.value\n    }\n  }\n  key = sensitive(\"hunter2\")\n}\n";
    let output = plan(&[("main.tf", configuration)], &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let document = text(&output.stdout);
    assert!(document.contains(r#""dynamic":[{"block":"disk""#), "{document}");
    assert!(!document.contains("hunter2"), "{document}");
}

#[test]
fn a_plan_with_errors_has_the_objects_without_them() {
    let configuration = "resource \"terraform_data\" \"good\" {}\n\
                         resource \"terraform_data\" \"bad\" {\n  input = 1 + \"x\"\n}\n";
    let output = plan(&[("main.tf", configuration)], &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let changes = document["resource_changes"].as_array().expect("changes");
    let addresses: Vec<&str> = changes.iter().filter_map(|change| change["address"].as_str()).collect();
    assert_eq!(addresses, ["terraform_data.good"]);
    assert_eq!(document["errored"], true);
    assert!(text(&output.stderr).contains("Invalid operand"), "{}", text(&output.stderr));
}

#[test]
fn a_failed_plan_without_changes_says_so() {
    let configuration = "resource \"terraform_data\" \"bad\" {\n  input = 1 + \"x\"\n}\n";
    let output = plan(&[("main.tf", configuration)], &[]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "# objects that have an error or depend on one are missing\n\nPlanning failed. The configuration has errors, and \
                    the rest of it plans no action.\n";
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn a_resource_with_too_few_or_too_many_blocks_is_not_planned() {
    let configuration = r#"
resource "x_box" "few" {
  dynamic "lid" {
    for_each = []
    content {}
  }
}
resource "x_box" "many" {
  dynamic "lid" {
    for_each = [1, 2, 3]
    content {}
  }
}
resource "x_box" "good" {
  lid {}
}
"#;
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {
        "resource_schemas": {"x_box": {"version": 0, "block": {"block_types": {
            "lid": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {}}}}}}}}}"#;
    let files = [("main.tf", configuration), ("schemas.json", schemas)];
    let output = plan(&files, &["--schemas", "schemas.json", "--dialect", "terraform"]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.code() == Some(1) && stdout.contains("Plan: 1 to add,"), "{stdout}{stderr}");
    assert!(stdout.contains("# x_box.good will be created"), "{stdout}");
    for title in ["Insufficient lid blocks", "Too many lid blocks"] {
        assert!(stderr.contains(title), "{stderr}");
    }
}

#[test]
fn a_resource_with_wrong_blocks_of_any_nesting_is_not_planned() {
    let dynamic = |block: &str, each: &str, labels: &str| {
        format!("  dynamic \"{block}\" {{\n    for_each = {each}\n{labels}    content {{}}\n  }}\n")
    };
    let (both, none) = (dynamic("lid", "[1, 2]", ""), dynamic("base", "[]", ""));
    let base = "  base {}\n";
    let labels = dynamic("side", "[1, 2]", "    labels = [\"same\"]\n");
    let resource =
        |name: &str, parts: &[&str]| format!("resource \"x_box\" \"{name}\" {{\n{}}}\n", parts.concat());
    let configuration = [
        resource("duplicate", &[base, &both]),
        resource("missing", &[&none]),
        resource("labels", &[base, &labels]),
        resource("good", &[base]),
    ];
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {
        "resource_schemas": {"x_box": {"version": 0, "block": {"block_types": {
            "lid": {"nesting_mode": "single", "block": {}},
            "base": {"nesting_mode": "single", "min_items": 1, "max_items": 1, "block": {}},
            "side": {"nesting_mode": "map", "block": {}}}}}}}}}"#;
    let files = [("main.tf", &*configuration.concat()), ("schemas.json", schemas)];
    let output = plan(&files, &["--schemas", "schemas.json", "--dialect", "terraform"]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.code() == Some(1) && stdout.contains("Plan: 1 to add,"), "{stdout}{stderr}");
    assert!(stdout.contains("# x_box.good will be created"), "{stdout}");
    for title in ["Duplicate lid block", "Missing base block", "Duplicate side block"] {
        assert!(stderr.contains(title), "{title} {stderr}");
    }
}

#[test]
fn the_target_of_an_import_with_an_error_is_not_planned() {
    let configuration = |id: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{}}\nresource \"terraform_data\" \"b\" {{}}\nvariable \"names\" {{\n  default = [\"n\"]\n}}\n\
             import {{\n  to = terraform_data.a\n  id = {id}\n}}\noutput \"a\" {{\n  value = terraform_data.a.id\n}}\n"
        )
    };
    for id in ["terraform_data.a.id", "terraform_data.b.id", "var.names", "var.names.other", "null"] {
        let output = plan(&[("main.tf", &configuration(id))], &[]);
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{id} {stdout}");
        assert!(stdout.contains("# terraform_data.b will be created"), "{id} {stdout}");
        assert!(stdout.contains("Plan: 1 to add,") && !stdout.contains("terraform_data.a"), "{id} {stdout}");
    }
}

#[test]
fn the_environment_gives_the_time_of_the_plan() {
    let directory = tempfile::tempdir().expect("a directory");
    let configuration = "output \"a\" {\n  value = [plantimestamp(), timestamp()]\n}\n";
    std::fs::write(directory.path().join("main.tf"), configuration).expect("a file");
    let plan = |time: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.env("TERRANE_CACHE_DIR", "/nonexistent").env("SOURCE_DATE_EPOCH", time);
        command.current_dir(directory.path()).args(["plan", "--json"]).output().expect("the command runs")
    };
    let document: serde_json::Value = serde_json::from_slice(&plan("1700000000").stdout).expect("JSON");
    assert_eq!(document["timestamp"], "2023-11-14T22:13:20Z");
    let change = &document["output_changes"]["a"];
    assert_eq!(change["after"], serde_json::json!(["2023-11-14T22:13:20Z", null]));
    let document: serde_json::Value = serde_json::from_slice(&plan("").stdout).expect("JSON");
    assert!(document.get("timestamp").is_none(), "{document}");
    for wrong in ["yesterday", "-1", "99999999999999999999", "253402300800"] {
        let output = plan(wrong);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("SOURCE_DATE_EPOCH") && stderr.contains(wrong), "{stderr}");
    }
}

#[test]
fn an_unreadable_state_in_a_check_block_is_a_warning() {
    let data = "data \"terraform_remote_state\" \"r\" {\n  backend = \"local\"\n  config = { path = \"s.tfstate\" }\n}\n";
    let check = format!(
        "check \"c\" {{\n{data}assert {{\n  condition = data.terraform_remote_state.r.outputs.x == 1\n  \
         error_message = \"No.\"\n}}\n}}\n"
    );
    for (configuration, code) in [(check.as_str(), 0), (data, 1)] {
        let output = plan(&[("main.tf", configuration), ("s.tfstate", "no state")], &["--json"]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains("[core:unreadable-remote-state]"), "{stderr}");
        assert_eq!(stderr.contains("error["), code == 1, "{stderr}");
    }
}

#[test]
fn a_directory_without_a_module_has_no_plan() {
    let output = plan(&[("image.pkr.hcl", "source \"null\" \"a\" {}\n")], &[]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
    assert!(text(&output.stderr).contains("Packer templates have no plan"), "{}", text(&output.stderr));
    let output = plan(&[], &["--json"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
    assert!(!output.stderr.is_empty());
}

#[test]
fn a_plan_without_changes_cannot_be_applied() {
    for (configuration, applyable) in [
        ("output \"nothing\" { value = null }\n", false),
        ("locals { a = 1 }\n", false),
        ("output \"one\" { value = 1 }\n", true),
        ("resource \"terraform_data\" \"one\" {}\n", true),
    ] {
        let output = plan(&[("main.tf", configuration)], &["--json", "--dialect", "terraform"]);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["applyable"], applyable, "{configuration}");
    }
}

#[test]
fn a_default_from_an_override_file_is_written_without_defaults_of_attributes() {
    let files = [
        ("main.tf", "variable \"v\" {\n  type    = object({ p = optional(number, 1) })\n  default = {}\n}\n"),
        ("a_override.tf", "variable \"v\" {\n  default = {}\n}\n"),
    ];
    let document = |files: &[(&str, &str)]| {
        let output = plan(files, &["--json"]);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        document["configuration"]["root_module"]["variables"]["v"]["default"].to_string()
    };
    assert_eq!(document(&files[..1]), r#"{"p":1}"#);
    assert_eq!(document(&files), r#"{"p":null}"#);
}

#[test]
fn a_data_source_that_follows_from_its_arguments_is_no_change() {
    let configuration = "data \"null_data_source\" \"values\" {\n  inputs = { a = \"x\" }\n}\n\
                         resource \"terraform_data\" \"use\" {\n  input = data.null_data_source.values.outputs[\"a\"]\n}\n";
    let schemas = serde_json::json!({"format_version": "1.0", "provider_schemas": {
        "registry.terraform.io/hashicorp/null": {"data_source_schemas": {"null_data_source": {"version": 0, "block": {
            "attributes": {
                "inputs": {"type": ["map", "string"], "optional": true},
                "outputs": {"type": ["map", "string"], "computed": true},
                "has_computed_default": {"type": "string", "optional": true, "computed": true},
                "id": {"type": "string", "computed": true},
                "random": {"type": "string", "computed": true},
            }
        }}}}
    }});
    let schemas = schemas.to_string();
    let known = schemas.replace(r#","random":{"computed":true,"type":"string"}"#, "");
    for (schemas, is_change) in [(&known, false), (&schemas, true)] {
        let files = [("main.tf", configuration), ("schemas.json", schemas.as_str())];
        let output = plan(&files, &["--json", "--schemas", "schemas.json"]);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let has = |list: &serde_json::Value| {
            let rows = list.as_array().into_iter().flatten();
            rows.into_iter().any(|row| row["address"] == "data.null_data_source.values")
        };
        assert_eq!(has(&document["resource_changes"]), is_change, "{document}");
        let read = &document["prior_state"]["values"]["root_module"]["resources"];
        assert_eq!(has(read), !is_change, "{document}");
        let input = &document["terrane"]["instances"]["terraform_data.use"]["attributes"]["input"];
        assert!(input["unknown"].is_null(), "{document}");
    }
}

#[test]
fn the_plan_says_what_it_leaves_out() {
    let configuration = r#"
variable "n" {}
resource "terraform_data" "b" {
  count = var.n
}
resource "terraform_data" "c" {}
module "far" {
  source = "a/b/c"
}
"#;
    let output = plan(&[("main.tf", configuration)], &[]);
    assert_eq!(output.status.code(), Some(0));
    let expected = "# no value for var.n: dependent values stay unknown until -var or -var-file sets all variables\n\
                    # terraform_data.b: number of instances unknown: var.n has no value\n\
                    # module.far: not on disk\n\n\
                    Resource actions:\n";
    assert!(text(&output.stdout).starts_with(expected), "{}", text(&output.stdout));

    let output = plan(&[("main.tf", configuration)], &["--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["complete"], false);
    let unexpanded = &document["terrane"]["unexpanded"]["terraform_data.b"]["unknown"];
    assert_eq!(unexpanded[0]["subject"], "var.n");

    let broken = "resource \"terraform_data\" \"b\" {\n  count = 2 +\n}\n";
    let output = plan(&[("main.tf", broken)], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("# partial values: 1 syntax error in main.tf;"));
}

#[test]
fn colours_are_those_of_the_product_and_every_command_has_them() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("main.tf"), CONFIGURATION).expect("a file");
    std::fs::write(directory.path().join("bad.tf"), "output \"bad\" { value = local.gone }\n")
        .expect("a file");
    std::fs::write(directory.path().join("a.tfvars"), "zones = [\"a\"]\n").expect("a file");
    std::fs::write(directory.path().join("b.tfvars"), "zones = [\"b\"]\n").expect("a file");
    let printed = |arguments: &[&str], color: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.current_dir(directory.path()).args(arguments).args(["--color", color]);
        let output = command.env("NO_COLOR", "1").output().expect("the command runs");
        text(&output.stdout) + &text(&output.stderr)
    };
    let plan = printed(&["plan"], "always");
    assert!(plan.contains("  \u{1b}[32m+\u{1b}[0m resource \"x_server\" \"web\" {\n"), "{plan}");
    assert!(plan.contains("  \u{1b}[1m# x_server.web\u{1b}[0m will be created\n"), "{plan}");
    for arguments in [
        &["plan"][..],
        &["eval", "--keep-going"],
        &["eval", "-recursive", "--all"],
        &["eval", "--matrix", "*.tfvars", "--keep-going"],
        &["eval", "--format", "human"],
        &["explain", "output.ids"],
        &["explain", "var.zones", "--reverse"],
        &["diff", "a.tfvars", "b.tfvars"],
        &["check"],
        &["functions", "upper"],
    ] {
        let (always, never) = (printed(arguments, "always"), printed(arguments, "never"));
        assert!(always.contains("\u{1b}["), "{arguments:?}: {always}");
        assert!(
            !never.contains('\u{1b}') && !printed(arguments, "auto").contains('\u{1b}'),
            "{arguments:?}: {never}"
        );
    }
}

const IMPORTS: &str = r#"
variable "id" {
  sensitive = true
  default   = "hunter2"
}
import {
  to = terraform_data.kept
  id = "kept-1"
}
import {
  to = terraform_data.replaced
  id = "replaced-1"
}
import {
  to = x_server.web
  id = "web-1"
}
import {
  to = x_server.secret
  id = var.id
}
import {
  to = terraform_data.secret
  id = var.id
}
resource "terraform_data" "kept" {}
resource "terraform_data" "secret" {}
resource "terraform_data" "replaced" { triggers_replace = 1 }
resource "x_server" "web" { name = "web" }
resource "x_server" "secret" {}
output "id" { value = terraform_data.secret.id }
"#;

#[test]
fn imported_objects_are_not_created() {
    let output = plan(&[("main.tf", IMPORTS)], &["--dialect", "terraform"]);
    let stdout = text(&output.stdout);
    for expected in [
        "  # terraform_data.kept will be imported\n    resource \"terraform_data\" \"kept\" {\n        id = \"kept-1\"\n    }\n",
        "  # terraform_data.replaced must be replaced\n  # (imported from \"replaced-1\")\n  \
         # Warning: this will destroy the imported resource\n-/+ resource",
        "  # x_server.web will be imported\n  # (imported from \"web-1\")\n  \
         # (and updated or replaced, if its provider has other values for it)\n  ~ resource",
        "  # terraform_data.secret will be imported\n    resource \"terraform_data\" \"secret\" {\n        id = (sensitive value)\n    }\n",
        "  # (imported from (sensitive value))\n",
        "Plan: 5 to import, 1 to add, 2 to change, 1 to destroy.\n",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}{}", text(&output.stderr));
    }
    assert!(!stdout.contains("hunter2"), "{stdout}");
}

#[test]
fn an_import_by_identity_is_no_creation() {
    let module = "variable \"key\" {\n  sensitive = true\n  default   = \"hunter2\"\n}\n\
                  import {\n  to = x_server.a\n  identity = { region = \"eu\", number = 7 }\n}\n\
                  import {\n  to = x_server.b\n  identity = { key = var.key }\n}\n\
                  resource \"x_server\" \"a\" { name = \"a\" }\nresource \"x_server\" \"b\" {}\n";
    let output = plan(&[("main.tf", module)], &["--dialect", "terraform"]);
    let stdout = text(&output.stdout);
    for expected in [
        "  # x_server.a will be imported\n  # (imported by its identity { number = 7, region = \"eu\" })\n",
        "  # (imported by its identity (sensitive value))\n",
        "Plan: 2 to import, 0 to add, 2 to change, 0 to destroy.\n",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}{}", text(&output.stderr));
    }
    let output = plan(&[("main.tf", module)], &["--json", "--dialect", "terraform"]);
    let document = text(&output.stdout);
    assert!(!document.contains("hunter2") && !stdout.contains("hunter2"), "{document}");
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    let importing = |at: usize| document["resource_changes"][at]["change"]["importing"].clone();
    assert_eq!(importing(0), serde_json::json!({"identity": {"region": "eu", "number": 7}}));
    assert_eq!(importing(1), serde_json::json!({}));
}

#[test]
fn the_document_has_imports() {
    let output = plan(&[("main.tf", IMPORTS)], &["--json", "--dialect", "terraform"]);
    let stdout = text(&output.stdout);
    assert!(!stdout.contains("hunter2"), "{stdout}");
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let change = |address: &str| {
        let changes = document["resource_changes"].as_array().expect("a list");
        changes.iter().find(|change| change["address"] == address).expect("a change")["change"].clone()
    };
    let server = change("x_server.web");
    assert_eq!(
        (&server["actions"], &server["before"]),
        (&serde_json::json!(["update"]), &serde_json::json!({}))
    );
    assert_eq!(server["importing"], serde_json::json!({"id": "web-1"}));
    assert_eq!(document["terrane"]["instances"]["x_server.web"]["import_id"], "web-1");
    assert_eq!(change("x_server.secret")["importing"], serde_json::json!({}));
    let secret = change("terraform_data.secret");
    assert_eq!((&secret["actions"][0], &secret["after_sensitive"]["id"]), (&"no-op".into(), &true.into()));
    assert_eq!(change("terraform_data.kept")["actions"], serde_json::json!(["no-op"]));
}

#[test]
fn the_id_of_an_import_may_come_from_a_file() {
    let import = "import {\n  to = x_server.web\n  id = trimspace(file(\"id\"))\n}\nresource \"x_server\" \"web\" {}\n";
    let wrong = "output \"o\" {\n  value = tonumber(\"x\")\n}\n";
    for text in [import.to_owned(), format!("{import}{wrong}")] {
        let printed = self::text(&plan(&[("main.tf", &text), ("id", "web-1\n")], &[]).stdout);
        assert!(
            printed.contains("x_server.web will be imported\n  # (imported from \"web-1\")"),
            "{printed}"
        );
    }
}

#[test]
fn values_from_elsewhere_have_their_origin() {
    const MODULE: &str = "data \"aws_region\" \"r\" {}\n\
        data \"aws_iam_policy_document\" \"p\" {\n  statement { resources = [\"*\"] }\n}\n\
        resource \"demo_disk\" \"d\" {\n  zone = data.aws_region.r.description\n}\n\
        resource \"terraform_data\" \"t\" {\n  input = data.aws_iam_policy_document.p.json\n}\n\
        output \"o\" {\n  value = data.aws_region.r.description\n}\n";
    const STATE: &str = r#"{"version": 4, "resources": [{"mode": "managed", "type": "terraform_data", "name": "t",
        "provider": "provider[\"terraform.io/builtin/terraform\"]",
        "instances": [{"schema_version": 0, "attributes": {"id": "i", "input": null, "output": null, "triggers_replace": null}}]}]}"#;
    const MOCKS: &str = "override_resource {\n  target = demo_disk.d\n  values = { id = \"disk\" }\n}\n";
    let files = [("main.tf", MODULE), ("s.tfstate", STATE), ("m.tftest.hcl", MOCKS)];
    let arguments = [
        "--state",
        "s.tfstate",
        "--mocks",
        "m.tftest.hcl",
        "--set",
        "data.aws_region.r.description=\"Paris\"",
    ];
    let output = plan(&files, &arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let expected = "  # demo_disk.d will be created\n  # (given: id (m.tftest.hcl:3))\n";
    assert!(out.contains(expected), "{out}");
    // Parts from the state have no comment.
    assert!(out.contains("  # terraform_data.t will be updated in-place\n  ~ resource"), "{out}");
    let line = "values from outside of the configuration: 2 given, 3 computed-data, 1 state\n";
    assert!(err.contains(line), "{err}");

    let output = plan(&files, &[&arguments[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let sources = &document["terrane"]["part_sources"];
    assert_eq!(
        sources["data.aws_region.r"][0],
        serde_json::json!({"path": ".description", "origin": "given"})
    );
    assert_eq!(sources["demo_disk.d"][0]["source"]["start"]["line"], 3);
    let origins: Vec<_> = sources["data.aws_iam_policy_document.p"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|part| &part["origin"])
        .collect();
    assert_eq!(origins, ["computed-data"; 3]);
    assert_eq!(sources["terraform_data.t"][0], serde_json::json!({"path": ".id", "origin": "state"}));
    let followed = &document["terrane"]["follows_from"];
    assert_eq!(*followed, serde_json::json!({"output.o": ["given"]}));
    let followed = &document["terrane"]["arguments_follow_from"];
    assert_eq!(followed["demo_disk.d"], serde_json::json!({"zone": ["given"]}));
    assert_eq!(followed["terraform_data.t"], serde_json::json!({"input": ["computed-data"]}));
}

#[test]
fn a_module_without_a_number_of_instances_leaves_out_its_objects() {
    let module = "variable \"n\" {}\nmodule \"m\" {\n  source = \"./m\"\n  count  = var.n\n}\n";
    let files = [("main.tf", module), ("m/main.tf", "resource \"terraform_data\" \"x\" {}\n")];
    let stdout = text(&plan(&files, &[]).stdout);
    let expected =
        "# module.m: number of instances unknown, so the objects in them are left out: var.n has no value\n";
    assert!(stdout.contains(expected), "{stdout}");
}

#[test]
fn outputs_that_change_alone_have_a_note() {
    const STATE: &str = r#"{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l",
        "outputs": {"a": {"value": "x", "type": "string"}}, "resources": []}"#;
    let changed = "Changes to Outputs:\n  + b = 1\n\nYou can apply this plan to save these new output values to the \
                   Terraform\nstate, without changing any real infrastructure.\n";
    let outputs = "output \"a\" { value = \"x\" }\noutput \"b\" { value = 1 }\n";
    let object = "resource \"terraform_data\" \"d\" {}\n";
    let with_object = [outputs, object].concat();
    let kept = "output \"a\" { value = \"x\" }\n";
    let of = |main: &str| {
        text(&plan(&[("main.tf", main), ("s.tfstate", STATE)], &["--state", "s.tfstate"]).stdout)
    };
    assert_eq!(of(outputs), changed);
    assert!(of(&with_object).ends_with("Changes to Outputs:\n  + b = 1\n"));
    assert_eq!(of(kept), "No changes. The state matches the configuration.\n");
}

/// As in Terraform 1.11.
#[test]
fn a_plan_with_an_error_does_not_warn_of_moves_that_other_objects_prevent() {
    let configuration = "resource \"terraform_data\" \"b\" {}\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n\
                         resource \"terraform_data\" \"kept\" {\n  triggers_replace = 2\n  lifecycle { prevent_destroy = true }\n}\n";
    let object = |name: &str| {
        format!(
            r#"{{"mode": "managed", "type": "terraform_data", "name": "{name}",
            "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{{"attributes": {{"id": "{name}"}}}}]}}"#
        )
    };
    let objects = ["a", "b", "kept"].map(object).join(",");
    let state = format!(r#"{{"version": 4, "resources": [{objects}]}}"#);
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let output = plan(&files, &["--state", "s.tfstate"]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("error[core:prevented-destruction]"), "{stderr}");
    assert!(!stderr.contains("core:blocked-moves"), "{stderr}");
    let without = configuration.replace("prevent_destroy = true", "prevent_destroy = false");
    let files = [("main.tf", without.as_str()), ("s.tfstate", state.as_str())];
    let stderr = text(&plan(&files, &["--state", "s.tfstate"]).stderr);
    assert!(stderr.contains("core:blocked-moves"), "{stderr}");
}

#[test]
fn columns_of_names_have_any_width() {
    let long = "b".repeat(70_000);
    let main = format!(
        "output \"a\" {{ value = 1 }}\noutput \"{long}\" {{ value = {{ {long} = 2, c = 3 }} }}\n\
         resource \"terraform_data\" \"d\" {{ input = {{ (join(\"\", [\"{long}\"])) = 1, e = 2 }} }}\n"
    );
    let output = plan(&[("main.tf", &main)], &[]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stdout.contains(&format!("\n  + a{} = 1\n", " ".repeat(69_999))), "{}", stdout.len());
    assert!(stdout.contains(&format!("+ {long} = 2\n")), "{}", stdout.len());
}
