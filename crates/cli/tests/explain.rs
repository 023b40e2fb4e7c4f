//! `terrane explain`: formats, places, and the ways out of errors.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use std::process::{Command, Output};

const CONFIGURATION: &str = r#"
variable "live" {
  type    = bool
  default = false
}
variable "zone" {}
variable "password" {
  sensitive = true
  default   = "hunter2"
}
locals {
  env = var.live ? "prod" : "dev"
}
output "env" {
  value = "${local.env}-${var.zone}"
}
output "login" {
  value     = "admin:${var.password}"
  sensitive = true
}
"#;

fn explain(arguments: &[&str]) -> Output {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("main.tf"), CONFIGURATION).expect("a file");
    std::fs::write(directory.path().join("terraform.tfvars"), "live = true\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    let command = command.current_dir(directory.path()).env("TF_VAR_zone", "a");
    command.arg("explain").args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_tree_leads_to_the_places_that_give_the_values() {
    let output = explain(&["output.env"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = r#"output.env = "prod-a"                # main.tf:14:1
  "${local.env}-${var.zone}"         # main.tf:15:11
    local.env = "prod"               # main.tf:12:3
      var.live ? "prod" : "dev"      # main.tf:12:9  first branch; the second is "dev"
        condition: var.live = true   # main.tf:2:1
          variable file = true       # terraform.tfvars:1:8
          not used: default = false  # main.tf:4:13
    var.zone = "a"                   # main.tf:6:1
      environment variable TF_VAR_zone = "a"
"#;
    let found = text(&output.stdout);
    let words = |text: &str| {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(words(&found), words(expected), "{found}");
}

#[test]
fn the_depth_is_limited_and_colours_are_on_request() {
    let output = explain(&["output.env", "--depth", "2"]);
    let found = text(&output.stdout);
    assert!(found.contains("(--depth shows more)") && !found.contains("var.live"), "{found}");
    assert!(!found.contains('\u{1b}'));
    let output = explain(&["output.env", "--color", "always"]);
    assert!(text(&output.stdout).contains("\u{1b}[32mprod-a"), "{}", text(&output.stdout));
}

#[test]
fn json_is_a_graph_and_secrets_are_hidden() {
    let output = explain(&["output.login", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["targets"][0]["marked_by"][1]["text"], "var.password is declared sensitive");
    assert_eq!(document["targets"][0]["marked_by"][1]["path"], serde_json::json!([0, 1, 2]));
    assert_eq!(document["nodes"][2]["address"], "var.password");
    assert!(!text(&output.stdout).contains("hunter2"));
    let output = explain(&["output.login", "--show-sensitive"]);
    assert!(text(&output.stdout).contains("admin:hunter2"), "{}", text(&output.stdout));
}

#[test]
fn a_line_of_a_file_is_an_address_too() {
    let output = explain(&["main.tf:12"]);
    assert!(
        text(&output.stdout).starts_with("var.live ? \"prod\" : \"dev\" is \"prod\""),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn wrong_addresses_are_errors() {
    let output = explain(&["output.emv"]);
    assert_eq!(output.status.code(), Some(1));
    let found = text(&output.stderr);
    assert!(found.contains("There is no output `emv`") && found.contains("Did you mean `env`?"), "{found}");
    assert!(output.stdout.is_empty());
    assert_eq!(explain(&[]).status.code(), Some(2));
}

#[test]
fn messages_of_two_runs_are_printed_once_with_the_run_that_has_them() {
    let directory = tempfile::tempdir().expect("a directory");
    let configuration = r#"
variable "n" { default = 1 }
output "wrong" { value = nope.a }
output "o" {
  value = var.n
  precondition {
    condition     = var.n < 2
    error_message = "Too many."
  }
}
resource "x_y" "one" { count = var.n }
"#;
    std::fs::write(directory.path().join("main.tf"), configuration).expect("a file");
    let explain = |address: &str, variable: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.env("TERRANE_CACHE_DIR", "/nonexistent").current_dir(directory.path());
        let arguments = ["explain", address, "--diff", "-var", variable];
        command.args(arguments).output().expect("the command runs")
    };
    let (without, with) = ("Without the options -var:\n", "With the options -var:\n");
    let output = explain("output.o", "n=3");
    assert_eq!(output.status.code(), Some(1));
    let found = text(&output.stderr);
    assert_eq!(found.matches("main.tf:3:").count(), 1, "{found}");
    let (common, of_second) = found.split_once(with).expect("a message of the second run");
    assert!(common.contains("nope") && !common.contains("Too many."), "{found}");
    assert!(of_second.contains("Too many.") && !found.contains(without), "{found}");
    let found = text(&explain("x_y.nope", "n=2").stderr);
    assert_eq!(found.matches("no resource `x_y.nope`").count(), 1, "{found}");
    let found = text(&explain("x_y.one[0]", "n=0").stderr);
    assert!(found.contains(with) && !found.contains(without), "{found}");
}

#[test]
fn two_runs_part_at_the_variable_of_the_option() {
    let output = explain(&["output.env", "--diff", "-var", "live=false"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let found = text(&output.stdout);
    let lines: Vec<&str> =
        found.lines().map(|line| line.split("  # ").next().unwrap_or_default().trim()).collect();
    let expected = [
        "output.env = \"prod-a\" -> \"dev-a\"",
        "\"${local.env}-${var.zone}\"",
        "local.env = \"prod\" -> \"dev\"",
        "var.live ? \"prod\" : \"dev\"",
        "condition: var.live = true -> false",
        "- variable file = true",
        "+ option -var live=... = \"false\"",
    ];
    assert_eq!(lines, expected, "{found}");
    let same = explain(&["output.env", "--diff", "-var", "live=true"]);
    assert_eq!(text(&same.stdout), "No differences.\n");
    let secret = explain(&["output.login", "--diff", "-var", "password=hunter3"]);
    assert!(!text(&secret.stdout).contains("hunter"), "{}", text(&secret.stdout));
    assert_eq!(explain(&["output.env", "--diff"]).status.code(), Some(2));
}

#[test]
fn dependents_are_listed_in_reverse() {
    let output = explain(&["local.env", "--reverse"]);
    let expected = "# 1 dependent of local.env: 1 output (0 resource instances)\nlocal.env\n  output.env  # main.tf:15:14\n";
    assert_eq!(text(&output.stdout), expected);
    let output = explain(&["var.live", "--reverse", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let addresses = document["dependents"].as_array().expect("a list").iter().map(|found| &found["address"]);
    assert_eq!(addresses.collect::<Vec<_>>(), ["local.env", "output.env"]);
}

#[test]
fn html_is_one_page_on_standard_output() {
    let page = text(&explain(&["output.login", "--html"]).stdout);
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("var.password is declared sensitive"),
        "{page}"
    );
    assert!(!page.contains("hunter2") && !page.contains("src=") && !page.contains("href="));
    assert_eq!(explain(&["output.login", "--html", "--json"]).status.code(), Some(2));
    let page = text(&explain(&["var.password", "--reverse", "--html"]).stdout);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("\"refers_to\":\"var.password\""), "{page}");
}

#[test]
fn the_id_of_an_imported_object_leads_to_its_import() {
    let directory = tempfile::tempdir().expect("a directory");
    let module =
        "import {\n  to = terraform_data.a\n  id = \"a-1\"\n}\nresource \"terraform_data\" \"a\" {}\n";
    std::fs::write(directory.path().join("main.tf"), module).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    let command = command.env("TERRANE_CACHE_DIR", "/nonexistent").current_dir(directory.path());
    let output = command.args(["explain", "terraform_data.a.id"]).output().expect("the command runs");
    let stdout = text(&output.stdout);
    assert!(stdout.contains("terraform_data.a.id = \"a-1\"") && stdout.contains("imported"), "{stdout}");
    assert!(stdout.contains("# main.tf:1:1  the `id` of the `import` block"), "{stdout}");
}

#[test]
fn nodes_have_the_origin_of_values_from_elsewhere() {
    let files = [(
        "main.tf",
        "data \"demo_ami\" \"a\" {}\ndata \"null_data_source\" \"b\" {\n  inputs = { id = data.demo_ami.a.id }\n}\noutput \"o\" {\n  value = data.null_data_source.b.outputs\n}\n",
    )];
    let arguments = ["explain", "output.o", ".", "--json", "--set", "data.demo_ami.a.id=\"x\""];
    let (code, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let nodes = document["nodes"].as_array().expect("a list");
    let origins: Vec<_> = nodes.iter().filter_map(|node| node["origin"].as_str()).collect();
    assert_eq!(origins, ["computed-data"], "{stdout}");
    let arguments = ["explain", "data.demo_ami.a.id", ".", "--json", "--set", "data.demo_ami.a.id=\"x\""];
    let (_, stdout, _) = support::terrane(&files, &arguments);
    assert!(stdout.contains("\"origin\":\"given\""), "{stdout}");
}

/// The source of a value given inside of a block is its option, whether or not the address has the position of the only block.
#[test]
fn a_given_part_of_a_block_names_its_option() {
    let module = "resource \"demo_host\" \"a\" {\n  disk { size = 1 }\n}\n";
    let files = [("main.tf", module)];
    for given in ["demo_host.a.disk.volume.id=\"v\"", "demo_host.a.disk[0].volume.id=\"v\""] {
        let option = given.split('=').next().unwrap_or_default();
        for asked in ["demo_host.a.disk.volume.id", "demo_host.a.disk[0].volume.id"] {
            let (code, stdout, stderr) = support::terrane(&files, &["explain", asked, ".", "--set", given]);
            assert_eq!(code, Some(0), "{stderr}");
            assert!(stdout.contains(&format!("option --set {option} = \"v\"")), "{asked}: {stdout}");
            assert!(!stdout.contains("computed"), "{asked}: {stdout}");
        }
        let (_, stdout, _) = support::terrane(&files, &["eval", ".", "demo_host.a", "--set", given]);
        assert!(stdout.starts_with("# given: disk[0].volume.id\n"), "{stdout}");
    }
}
