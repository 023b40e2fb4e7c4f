//! `terrane eval --require-known`, and the sources of values in the summary.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const MODULE: &str = "\
variable \"name\" {}
data \"aws_iam_policy_document\" \"a\" {
  statement { resources = [\"*\"] }
}
data \"aws_ami\" \"a\" {}
resource \"aws_vpc\" \"a\" { count = var.name == \"\" ? 0 : 1 }
output \"known\" { value = data.aws_iam_policy_document.a.minified_json }
output \"part\" { value = [1, data.aws_ami.a.id, var.name] }
";

/// Returns the exit code, standard output and standard error of `terrane eval .` with these arguments.
fn eval(arguments: &[&str]) -> (Option<i32>, String, String) {
    eval_files(&[("main.tf", MODULE)], arguments)
}

/// Runs like [`eval`], for a module with these files.
fn eval_files(files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let directory = TempDir::new().expect("a temporary directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory.path()).args(["eval", "."]).args(arguments).stdin(Stdio::null());
    let output = command.env_remove("NO_COLOR").env_remove("TERM").output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn all_outputs_must_be_known() {
    let (code, stdout, stderr) = eval(&["--require-known"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("aws_iam_policy_document"), "{stdout}");
    let message = "error[core:not-known]: Value not known";
    assert_eq!(stderr.matches(message).count(), 1, "{stderr}");
    let detail =
        "`output.part` is partly unknown: data.aws_ami.a.id is read by the provider; var.name has no value.";
    assert!(stderr.replace("\n    = ", " ").contains(detail), "{stderr}");
    assert!(stderr.contains("main.tf:8:1"), "{stderr}");
}

#[test]
fn chosen_values_must_be_known() {
    let cases: [(&[&str], i32, &str); 12] = [
        (&["--require-known=output.known"], 0, ""),
        (&["output.known", "--require-known"], 0, ""),
        (&["output.part", "--require-known"], 1, "`output.part` is partly unknown"),
        (&["output.part", "--require-known=output.known"], 0, ""),
        (
            &["--require-known=output.known", "--require-known=output.part"],
            1,
            "`output.part` is partly unknown",
        ),
        (&["--require-known=output.part[0]"], 0, ""),
        (&["--require-known=output.part[1]"], 1, "`output.part[1]` is unknown: data.aws_ami.a.id is read"),
        (&["--require-known=output.part[1]"], 1, "main.tf:8:1"),
        (&["--require-known=data.aws_iam_policy_document.a.statement"], 1, "main.tf:3:3"),
        (&["--require-known=data.aws_ami.*.id"], 1, "main.tf:5:1"),
        (&["--require-known=output.none"], 1, "output.none"),
        (
            &["--require-known=aws_vpc.a"],
            1,
            "`aws_vpc.a` stands for an unknown number of instances: var.name has no value",
        ),
    ];
    for (arguments, expected, message) in cases {
        let (code, _, stderr) = eval(arguments);
        assert_eq!(code, Some(expected), "{arguments:?}: {stderr}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
        assert!(expected == 1 || !stderr.contains("core:not-known"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn the_summary_counts_values_by_their_source() {
    let (_, _, stderr) = eval(&["--set", "data.aws_ami.a.id=\"ami-1\"", "-var", "name=a"]);
    let line = "values from outside of the configuration: 1 given, 3 computed-data\n";
    assert!(stderr.contains(line), "{stderr}");
    let (_, _, stderr) = eval(&["--no-computed-data"]);
    assert!(!stderr.contains("outside of the configuration"), "{stderr}");
}

#[test]
fn options_that_make_a_value_known_are_named() {
    let named = |address: &str| {
        let (_, _, stderr) = eval(&[&format!("--require-known={address}")]);
        let lines: Vec<&str> = stderr
            .lines()
            .filter_map(|line| line.split_once("It is known with: "))
            .map(|(_, rest)| rest)
            .collect();
        (lines.join("|"), stderr)
    };
    let (options, stderr) = named("output.part");
    assert_eq!(options, "--set 'data.aws_ami.a.id=VALUE'; -var name=VALUE.", "{stderr}");
    for address in ["aws_vpc.a", "aws_vpc.a[0].id", "length(aws_vpc.a)", "aws_vpc.a[*].id"] {
        let (options, stderr) = named(address);
        assert!(options.contains("-var name=VALUE"), "{address}: {stderr}");
    }
    let (_, _, stderr) = eval(&[]);
    let line = "help: `-var name=VALUE` decides the number of instances of aws_vpc.a\n";
    assert!(stderr.contains(line), "{stderr}");
}

#[test]
fn each_block_with_an_unknown_number_has_an_option() {
    let module = "data \"demo_zones\" \"z\" {}\n\
                  resource \"demo_x\" \"a\" {\n  count = length(data.demo_zones.z.names)\n}\n\
                  data \"demo_y\" \"b\" {\n  for_each = toset(data.demo_zones.z.names)\n}\n\
                  module \"m\" {\n  source   = \"./m\"\n  for_each = data.demo_zones.z.map\n}\n\
                  output \"o\" {\n  value = module.m[\"k\"].o\n}\n";
    let directory = TempDir::new().expect("a temporary directory");
    fs::create_dir(directory.path().join("m")).expect("a directory");
    fs::write(directory.path().join("main.tf"), module).expect("a file");
    fs::write(directory.path().join("m/main.tf"), "output \"o\" {\n  value = 1\n}\n").expect("a file");
    for arguments in [["eval", "."], ["plan", "."]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.env("TERRANE_CACHE_DIR", "/nonexistent").current_dir(directory.path()).args(arguments);
        let output = command.stdin(Stdio::null()).output().expect("the command runs");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        let expected = "help: `--set 'data.demo_zones.z.map=VALUE'` decides the number of instances of module.m\n\
                      help: `--set 'data.demo_zones.z.names=VALUE'` decides the number of instances of demo_x.a, data.demo_y.b\n";
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

/// `plan` leaves out such a module as a whole.
#[test]
fn a_block_in_a_module_without_a_number_of_instances_has_a_hint() {
    let files = [
        (
            "main.tf",
            "data \"demo_z\" \"z\" {}\nmodule \"m\" {\n  source = \"./m\"\n  count  = data.demo_z.z.n\n}\n",
        ),
        (
            "m/main.tf",
            "data \"demo_z\" \"own\" {}\nresource \"demo_x\" \"a\" {\n  for_each = data.demo_z.own.map\n}\n",
        ),
    ];
    let of_module = "`--set 'data.demo_z.z.n=VALUE'` decides the number of instances of module.m\n";
    let of_block =
        "`--set 'module.m.data.demo_z.own.map=VALUE'` decides the number of instances of module.m.demo_x.a\n";
    for (command, has_block) in [("eval", true), ("plan", false)] {
        let (_, _, stderr) = support::terrane(&files, &[command, "."]);
        assert!(stderr.contains(of_module), "{command}: {stderr}");
        assert_eq!(stderr.contains(of_block), has_block, "{command}: {stderr}");
    }
}

/// A state with a declared object and an orphan.
const STATE_OF_TWO: &str = r#"{"version": 4, "resources": [{"mode": "managed", "type": "aws_vpc", "name": "v",
        "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
        "instances": [{"attributes": {"id": "vpc-1", "cidr_block": "10.0.0.0/16"}}]},
        {"mode": "managed", "type": "aws_vpc", "name": "gone",
        "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]", "instances": [{"attributes": {"id": "vpc-0"}}]}]}"#;

/// Local values, loops, counted resources, blocks, calls and their variables.
const FOLLOWED: &str = r#"
data "aws_availability_zones" "z" {}
data "aws_iam_policy_document" "p" {
  statement { resources = [aws_vpc.v.id] }
}
locals { zones = slice(data.aws_availability_zones.z.names, 0, 1) }
resource "aws_vpc" "v" {
  cidr_block = "10.0.0.0/16"
}
resource "aws_subnet" "s" {
  count  = 1
  zone   = local.zones[count.index]
  vpc_id = aws_vpc.v.id
  policy { json = data.aws_iam_policy_document.p.json }
  dynamic "tag" {
    for_each = local.zones
    content { x = tag.value }
  }
}
module "m" {
  source   = "./m"
  for_each = toset(local.zones)
  name     = each.key
  id       = aws_vpc.v.id
}
output "zones" { value = local.zones }
output "zone" { value = aws_subnet.s[0].zone }
output "vpc" { value = aws_subnet.s[*].vpc_id }
output "cidr" { value = aws_vpc.v.cidr_block }
output "policy" { value = aws_subnet.s[0].policy[0].json }
output "tag" { value = aws_subnet.s[0].tag[0].x }
output "name" { value = module.m["a"].name }
output "ids" { value = { for key, called in module.m : key => called.id } }
output "unknown" { value = aws_vpc.v.arn }
"#;

const FOLLOWED_CALLED: &str = "variable \"name\" {}\nvariable \"id\" {}\n\
                               output \"name\" { value = var.name }\noutput \"id\" { value = var.id }\noutput \"one\" { value = 1 }\n";

const FOLLOWED_JSON: &str = r#"{"output": {"json": {"value": "${aws_subnet.s[0].zone}"}}}"#;

const FOLLOWED_FILES: [(&str, &str); 4] = [
    ("main.tf", FOLLOWED),
    ("other.tf.json", FOLLOWED_JSON),
    ("m/main.tf", FOLLOWED_CALLED),
    ("s.tfstate", STATE_OF_TWO),
];

const FOLLOWED_INPUTS: [&str; 4] =
    ["--state", "s.tfstate", "--set", "data.aws_availability_zones.z.names=[\"a\", \"b\"]"];

#[test]
fn outputs_say_which_sources_they_follow_from() {
    let (code, stdout, stderr) = eval_files(&FOLLOWED_FILES, &FOLLOWED_INPUTS);
    assert_eq!(code, Some(0), "{stderr}");
    let notes = "outputs {\n  # reads given: zones, zone, tag, name, ids, json\n  # reads computed-data: policy\n  \
                 # reads state: vpc, policy, ids\n";
    assert!(stdout.starts_with(notes), "{stdout}");
    assert!(stdout.contains("locals {\n  # reads given: zones\n"), "{stdout}");
    assert!(stdout.contains("  outputs {\n    # reads given: name\n    # reads state: id\n"), "{stdout}");
    let call = "module \"m\" {\n  # reads given: name\n  # reads state: id\n  # number of instances reads given\n  id";
    assert!(stdout.contains(call), "{stdout}");
    let subnet = "resource \"aws_subnet\" \"s\" {\n  # reads given: tag, zone\n  # reads computed-data: policy\n  # reads state: policy, vpc_id\n";
    assert!(stdout.contains(subnet), "{stdout}");
    let (_, stdout, _) = eval_files(&FOLLOWED_FILES, &[&FOLLOWED_INPUTS[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(document["sources"], serde_json::json!({"given": 1, "computed-data": 3, "state": 1}));
    assert_eq!(document["orphans"], serde_json::json!(["aws_vpc.gone"]));
    for (address, expected) in [
        ("output.ids", r#"["given","state"]"#),
        ("output.policy", r#"["computed-data","state"]"#),
        ("module.m[\"a\"].output.id", r#"["state"]"#),
        ("module.m[\"a\"].output.one", "null"),
    ] {
        assert_eq!(document["values"][address]["follows_from"].to_string(), expected, "{address}");
    }
}

#[test]
fn arguments_say_which_sources_they_follow_from() {
    let (_, stdout, _) = eval_files(&FOLLOWED_FILES, &[&FOLLOWED_INPUTS[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    for (address, expected) in
        [("module.m[\"a\"].var.id", r#"["state"]"#), ("module.m[\"a\"].var.name", r#"["given"]"#)]
    {
        assert_eq!(document["values"][address]["follows_from"].to_string(), expected, "{address}");
    }
    let subnet =
        r#"{"policy":["computed-data","state"],"tag":["given"],"vpc_id":["state"],"zone":["given"]}"#;
    for (address, expected) in [
        ("aws_subnet.s[0]", subnet),
        ("module.m[\"a\"]", r#"{"id":["state"],"name":["given"]}"#),
        ("aws_vpc.v", "null"),
    ] {
        assert_eq!(document["values"][address]["arguments_follow_from"].to_string(), expected, "{address}");
    }
}

/// Local values. The names of the local values that do not depend on the given value begin with `no_`.
const DECIDED: &str = r#"
data "aws_availability_zones" "z" {}
variable "live" { default = true }
variable "secret" {
  default   = true
  sensitive = true
}
locals {
  given       = data.aws_availability_zones.z.names[0]
  no_taken    = var.live ? "a" : local.given
  no_through  = upper(local.no_taken)
  no_nested   = { a = [var.live ? (var.live ? "a" : local.given) : local.given] }
  other       = var.live ? local.given : "a"
  condition   = local.given == "a" ? 1 : 2
  secret      = var.secret ? "a" : local.given
  no_and      = !var.live && local.given == "a"
  no_or       = var.live || local.given == "a"
  both        = var.live && local.given == "a"
  no_try      = try("a", local.given)
  failed      = try(local.given.x, "a")
  later       = try({}.x, local.given)
  no_coalesce = coalesce("", null, "a", local.given)
  first       = coalesce("", local.given)
  no_list     = coalescelist([], ["a"], [local.given])
  no_template = "%{ if var.live }a%{ else }${local.given}%{ endif }"
  template    = "%{ if var.live }${local.given}%{ endif }"
  element     = [for x in [true, false] : x ? "a" : local.given]
  no_element  = [for x in [true] : var.live ? x : local.given]
  file        = fileexists("main.tf") ? "a" : local.given
  number      = length(aws_subnet.n)
  names       = aws_subnet.n[*].name
  no_one      = aws_subnet.n[0].name
}
resource "aws_subnet" "n" {
  count = length(data.aws_availability_zones.z.names)
  name  = "fixed"
}
resource "aws_subnet" "s" {
  count = 1
  zone  = var.live ? "a" : local.given
  key   = count.index == 0 ? "a" : local.given
  dynamic "tag" {
    for_each = var.live ? ["a"] : [local.given]
    content { x = tag.value == "a" ? "a" : local.given }
  }
}
module "m" {
  source = "./m"
  name   = var.live ? "a" : local.given
  id     = local.given
}
"#;

#[test]
fn parts_that_do_not_decide_a_value_do_not_count() {
    let json = r#"{"locals": {"no_json": "${var.live ? \"a\" : local.given}"}}"#;
    let files = [("main.tf", DECIDED), ("other.tf.json", json), ("m/main.tf", FOLLOWED_CALLED)];
    let given = "data.aws_availability_zones.z.names=[\"a\"]";
    let (_, stdout, stderr) = eval_files(&files, &["--json", "--show-sensitive", "--set", given]);
    let document: serde_json::Value = serde_json::from_str(&stdout).expect(&stderr);
    let values = document["values"].as_object().expect("an object");
    let locals: Vec<(&str, bool)> = values
        .iter()
        .filter_map(|(address, value)| {
            Some((address.strip_prefix("local.")?, value.get("follows_from").is_some()))
        })
        .collect();
    assert_eq!(locals.len(), 25, "{locals:?}");
    for (name, is_followed) in locals {
        assert_eq!(is_followed, !name.starts_with("no_"), "{name}");
    }
    for (address, expected) in
        [("aws_subnet.s[0]", r#"{"key":["given"],"tag":["given"]}"#), ("module.m", r#"{"id":["given"]}"#)]
    {
        assert_eq!(values[address]["arguments_follow_from"].to_string(), expected, "{address}");
    }
}

#[test]
fn selected_values_say_where_they_come_from() {
    let addresses = [
        "output.vpc",
        "output.cidr",
        "local.zones[0]",
        "output.ids.a",
        "data.aws_availability_zones.z.names",
        "aws_vpc.v.id",
        "aws_vpc.v.cidr_block",
        "aws_subnet.s[0].vpc_id",
        "module.m[\"a\"].id",
        "module.m.*.name",
        "aws_subnet.s[*].zone",
        "data.aws_iam_policy_document.p.id",
        "length(local.zones)",
        "output.ids[output.name]",
    ];
    let selected =
        |options: &[&str]| eval_files(&FOLLOWED_FILES, &[&addresses, &FOLLOWED_INPUTS[..], options].concat());
    let (code, stdout, stderr) = selected(&[]);
    assert_eq!(code, Some(0), "{stderr}");
    let expected = r#"output.vpc = ["vpc-1"] # reads state
output.cidr = "10.0.0.0/16"
local.zones[0] = "a" # reads given
output.ids.a = "vpc-1" # reads given, state
data.aws_availability_zones.z.names = ["a", "b"] # given
aws_vpc.v.id = "vpc-1" # state
aws_vpc.v.cidr_block = "10.0.0.0/16"
aws_subnet.s[0].vpc_id = "vpc-1" # reads state
module.m["a"].id = "vpc-1" # reads state
module.m["a"].name = "a" # reads given
aws_subnet.s[0].zone = "a" # reads given
data.aws_iam_policy_document.p.id = "3765062901" # computed-data; reads state
length(local.zones) = 1 # reads given
output.ids[output.name] = "vpc-1" # reads given, state
"#;
    assert_eq!(stdout, expected);
    let (_, stdout, _) = selected(&["--json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let values = &document["values"];
    assert_eq!(values["aws_vpc.v.id"]["part_sources"], serde_json::json!([{"path": "", "origin": "state"}]));
    assert_eq!(values["output.ids.a"]["follows_from"], serde_json::json!(["given", "state"]));
    assert_eq!(values["aws_vpc.v.cidr_block"].get("part_sources"), None);
    assert!(document["state"].is_object(), "as in the whole document");
    assert_eq!(document["sources"]["given"], 1);
    assert_eq!(values["aws_vpc.v.cidr_block"]["source"]["filename"], "main.tf");
}

#[test]
fn a_given_object_is_the_source_of_its_attributes_alone() {
    let given = ["--state", "s.tfstate", "--set", "aws_vpc.v={ id = \"Q\" }"];
    let (_, stdout, stderr) = eval_files(&FOLLOWED_FILES, &[&["aws_vpc.v"], &given[..]].concat());
    assert!(stdout.starts_with("# given: id\naws_vpc.v = {\n"), "{stdout}{stderr}");
    let (_, stdout, _) = eval_files(&FOLLOWED_FILES, &[&["aws_vpc.v.cidr_block"], &given[..]].concat());
    assert_eq!(stdout, "aws_vpc.v.cidr_block = \"10.0.0.0/16\"\n");
    let other = ["--set", "aws_vpc.v[1]={ id = \"Q\", arn = \"R\" }"];
    let (_, _, stderr) = eval_files(&FOLLOWED_FILES, &other);
    assert_eq!(stderr.matches("is not used").count(), 1, "{stderr}");
}

#[test]
fn the_sources_of_longer_values_are_above_them() {
    let addresses = ["output.ids", "module.m[\"a\"]", "aws_subnet.s[0]"];
    let (_, stdout, stderr) = eval_files(&FOLLOWED_FILES, &[&addresses, &FOLLOWED_INPUTS[..]].concat());
    assert!(stdout.starts_with("# reads given, state\noutput.ids = {\n"), "{stdout}{stderr}");
    assert!(stdout.contains("# reads given: name\n# reads state: id\nmodule.m[\"a\"] = {\n"), "{stdout}");
    let subnet = "# reads given: tag, zone\n# reads computed-data: policy\n# reads state: policy, vpc_id\naws_subnet.s[0] = {\n";
    assert!(stdout.contains(subnet), "{stdout}");
    let (_, stdout, _) =
        eval_files(&FOLLOWED_FILES, &[&["aws_vpc.v.id", "--raw"], &FOLLOWED_INPUTS[..]].concat());
    assert_eq!(stdout, "vpc-1");
}

/// Without a schema, any attribute may be recorded. With a schema, an attribute that only the configuration sets is not
/// recorded.
#[test]
fn a_recorded_null_has_an_origin() {
    let state = r#"{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "resources": [
        {"mode": "managed", "type": "aws_vpc", "name": "v",
        "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
        "instances": [{"attributes": {"id": "vpc-1", "ipam": null, "name": null}}]},
        {"mode": "managed", "type": "terraform_data", "name": "t", "provider": "provider[\"terraform.io/builtin/terraform\"]",
        "instances": [{"attributes": {"id": "i", "input": null, "output": null, "triggers_replace": null}}]}]}"#;
    let main = "resource \"aws_vpc\" \"v\" {\n  name = null\n}\nresource \"terraform_data\" \"t\" {}\n\
                output \"ipam\" {\n  value = aws_vpc.v.ipam\n}\n";
    let files = [("main.tf", main), ("s.tfstate", state)];
    let (_, stdout, _) = eval_files(&files, &["--state", "s.tfstate", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    for (address, expected) in
        [("aws_vpc.v", &[".id", ".ipam"][..]), ("terraform_data.t", &[".id", ".output"])]
    {
        let parts = document["values"][address]["part_sources"].as_array().expect("parts");
        let paths: Vec<&str> = parts.iter().filter_map(|part| part["path"].as_str()).collect();
        assert_eq!(paths, expected, "{address}");
    }
    assert_eq!(document["values"]["output.ipam"]["follows_from"].to_string(), r#"["state"]"#);
}

#[test]
fn hints_name_the_option_that_decides_a_number_of_instances() {
    let main = r#"
module "m" { source = "example/m/aws" }
resource "aws_x" "keys" { for_each = toset(["it's"]) }
resource "aws_x" "a" { count = module.m.count }
resource "aws_x" "b" { count = aws_x.keys["it's"].n }
"#;
    let (_, _, stderr) = eval_files(&[("main.tf", main)], &[]);
    for hint in [
        r#"`--set 'aws_x.keys["it'\''s"].n=VALUE'` decides the number of instances of aws_x.b"#,
        "`--set 'module.m.OUTPUT=VALUE'` decides the number of instances of aws_x.a",
    ] {
        assert!(stderr.contains(hint), "{stderr}");
    }
}

/// If several values decide a number together, one of them is not enough.
#[test]
fn hints_name_all_options_that_decide_a_number_together() {
    let main = r#"
terraform {
  required_providers { a = { source = "example/a" } }
}
variable "q" {}
resource "aws_vpc" "v" { count = 2 }
resource "aws_x" "u" { for_each = toset(aws_vpc.v[*].id) }
resource "aws_x" "w" { for_each = toset([aws_vpc.v[0].id, var.q, provider::a::b()]) }
"#;
    let (_, _, stderr) = eval_files(&[("main.tf", main)], &["--require-known=aws_x.u"]);
    for hint in [
        "It is known with: --set 'aws_vpc.v[0].id=VALUE'; --set 'aws_vpc.v[1].id=VALUE'.",
        "help: `--set 'aws_vpc.v[0].id=VALUE'`, `--set 'aws_vpc.v[1].id=VALUE'` decide together the number of instances of aws_x.u\n",
    ] {
        assert!(stderr.contains(hint), "{stderr}");
    }
    let hint = "help: `--set 'aws_vpc.v[0].id=VALUE'`, `-var q=VALUE` decide together with values that no option gives the \
                number of instances of aws_x.w\n";
    assert!(stderr.contains(hint), "{stderr}");
}

/// Without a schema, the kind of a written argument is not known, and no value can be given for it.
#[test]
fn a_written_argument_of_unknown_kind_needs_a_schema() {
    let main = "resource \"a_b\" \"c\" {\n  list = [\"x\"]\n  map  = { k = 1 }\n}\n";
    for (address, state) in [
        ("a_b.c.list", "`a_b.c.list` is written, but may be a list, a set or blocks: "),
        ("a_b.c.map", "`a_b.c.map` is written, but may have further parts: "),
    ] {
        let required = format!("--require-known={address}");
        let (code, _, stderr) = eval_files(&[("main.tf", main)], &[&required]);
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(state) && stderr.contains("It is known with: --schemas FILE."), "{stderr}");
    }
}

/// A prior value may differ from the value after the apply, so it does not count as known.
#[test]
fn prior_values_are_not_known() {
    let module = "resource \"aws_vpc\" \"v\" { name = \"new\" }\nlocals { id = aws_vpc.v.id }\n\
                  module \"m\" {\n  source = \"./m\"\n  id     = local.id\n}\n\
                  output \"id\" { value = aws_vpc.v.id }\noutput \"own\" { value = aws_vpc.v.name }\n";
    let called = "variable \"id\" {}\noutput \"id\" { value = var.id }\n";
    let files = [("main.tf", module), ("m/main.tf", called), ("s.tfstate", STATE_OF_TWO)];
    let prior = ["--state", "s.tfstate", "--state-values", "prior"];
    for address in ["output.id", "aws_vpc.v.id", "local.id", "module.m", "module.m.id", "upper(local.id)"] {
        let required = format!("--require-known={address}");
        let (code, _, stderr) = eval_files(&files, &[&prior[..], &[&required]].concat());
        let expected = format!(
            "`{address}` follows from prior values of the state, which need not be the values after an apply."
        );
        assert_eq!((code, stderr.contains(&expected)), (Some(1), true), "{address}: {stderr}");
        assert!(stderr.contains("= help: Without `--state-values prior`"), "{stderr}");
    }
    let (code, _, stderr) = eval_files(&files, &[&prior[..], &["--require-known=output.own"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
}

/// If another output of the module was given, the origin names the missing output.
#[test]
fn the_option_for_an_output_beside_given_ones_names_it() {
    let module = "module \"z\" {\n  source = \"acme/z/demo\"\n}\nresource \"demo_x\" \"x\" {\n  count = module.z.n\n}\noutput \"id\" { value = module.z.id }\n";
    let help = |given: &[&str]| eval_files(&[("main.tf", module)], given).2;
    assert!(help(&[]).contains("`--set 'module.z.OUTPUT=VALUE'` decides"), "{}", help(&[]));
    let given = help(&["--set", "module.z.id=1"]);
    assert!(
        given.contains("`--set 'module.z.n=VALUE'` decides the number of instances of demo_x.x"),
        "{given}"
    );
}

/// The names of the outputs of a module that is not on disk are not known, so the option has a stand-in for the name.
#[test]
fn an_output_of_a_missing_module_can_be_given() {
    let main = "module \"gone\" { source = \"acme/gone/aws\" }\noutput \"id\" { value = module.gone.id }\n";
    let (code, _, stderr) = eval_files(&[("main.tf", main)], &["--require-known"]);
    assert_eq!(code, Some(1));
    let help =
        "It is known with: terraform init, or --module SOURCE=DIR, or --set 'module.gone.OUTPUT=VALUE'.";
    assert!(stderr.contains(help), "{stderr}");
}
