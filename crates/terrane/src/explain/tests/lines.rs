//! Lines of files in explanations, in both syntaxes.

use std::path::Path;

use terrane_source::MemoryFiles;

use crate::{Project, Secrets};

const NATIVE: &str = r#"
locals {
  env  = "prod"
  list = [
    for name in ["a", "b"] :
    upper(name)
  ]
  text = <<-EOT
    first
    second ${local.env}
  EOT
}
variable "size" {
  type    = number
  default = 3
  validation {
    condition     = var.size > 2
    error_message = "too small"
  }
}
provider "aws" {
  region = local.env
}
provider "aws" {
  alias = "east"
  assume_role {
    role = "r-${local.env}"
  }
}
resource "aws_x" "a" {
  count    = 2
  provider = aws.east
  name     = "n${count.index}"
  tags     = { Env = local.env
    Size           = var.size
  }
  lifecycle {
    precondition {
      condition     = local.env != ""
      error_message = "no env"
    }
    ignore_changes = [name]
  }
  dynamic "rule" {
    for_each = ["p", "q"]
    iterator = it
    content {
      port = it.value
    }
  }
}
module "m" {
  source = "./m"
  v      = local.env
}
check "c" {
  data "aws_y" "d" {
    filter = upper(local.env)
  }
  assert {
    condition     = length(local.list) == 2
    error_message = "count"
  }
}
output "o" {
  value = module.m.v
}
"#;

const JSON: &str = r#"{
  "locals": {
    "env": "prod",
    "text": "second ${local.env}",
    "object": {
      "inner": [
        "${var.size}",
        "x"
      ]
    }
  },
  "variable": {
    "size": {
      "default": 3
    }
  },
  "provider": {
    "aws": [
      { "region": "${local.env}" },
      {
        "alias": "east",
        "endpoint": "e-${local.env}"
      }
    ]
  },
  "resource": {
    "aws_x": {
      "a": {
        "count": 2,
        "provider": "aws.east",
        "name": "n${count.index}",
        "lifecycle": {
          "precondition": [
            {
              "condition": "${local.env != \"\"}",
              "error_message": "no env"
            }
          ]
        },
        "dynamic": {
          "rule": {
            "for_each": ["p"],
            "content": { "port": "${rule.value}" }
          }
        }
      }
    }
  },
  "module": {
    "m": {
      "source": "./m",
      "v": "v-${local.env}"
    }
  },
  "check": {
    "c": {
      "assert": {
        "condition": "${length(local.text) > 2}",
        "error_message": "count"
      }
    }
  },
  "output": {
    "o": {
      "value": "${module.m.v}"
    }
  }
}
"#;

fn files(name: &str, text: &str) -> MemoryFiles {
    let module = "variable \"v\" {}\noutput \"v\" { value = var.v }\n";
    let values = "# sizes\nsize = 7\n";
    MemoryFiles::from_iter([
        (format!("/root/{name}").as_str(), text),
        ("/root/m/main.tf", module),
        ("/root/a.auto.tfvars", values),
        ("/root/b.auto.tfvars.json", "{\n  \"size\": 8\n}\n"),
    ])
}

/// Returns the targets of the line that contains a text: the object around each, and the expression or address of its node.
fn targets(name: &str, text: &str, fragment: &str) -> Vec<String> {
    let line = text.lines().position(|line| line.contains(fragment)).expect(fragment) + 1;
    explained(&files(name, text), &format!("{name}:{line}"))
}

fn explained(files: &MemoryFiles, address: &str) -> Vec<String> {
    let report = Project::new("/root").evaluate(files);
    match report.explain(address, Secrets::Hidden, files) {
        Ok(found) => {
            let target = |target: &crate::ExplainedTarget| {
                let owner = target.address.split_once(", ").map_or("", |(owner, _)| owner);
                let node = &found.nodes[target.node];
                let shown = node.address.as_ref().or(node.text.as_ref()).map_or("", |text| text);
                format!("{owner}: {shown}")
            };
            found.targets.iter().map(target).collect()
        }
        Err(errors) => errors.as_slice().iter().map(|error| error.detail.clone()).collect(),
    }
}

fn check(name: &str, text: &str, wanted: &[(&str, &[&str])]) {
    for (fragment, wanted) in wanted {
        assert_eq!(&targets(name, text, fragment), wanted, "{fragment}");
    }
}

#[test]
fn lines_in_native_syntax_name_their_objects() {
    let rule =
        ["aws_x.a[0]: it.value", "aws_x.a[0]: it.value", "aws_x.a[1]: it.value", "aws_x.a[1]: it.value"];
    check(
        "main.tf",
        NATIVE,
        &[
            ("env  =", &["local.env: \"prod\""]),
            ("for name", &["local.list: [\n    for name in [\"a\", \"b\"] :\n    upper(name)\n  ]"]),
            ("    first", &["local.text: <<-EOT\n    first\n    second ${local.env}\n  EOT"]),
            ("second", &["local.text: local.env"]),
            ("variable \"size\"", &["var.size: var.size"]),
            ("default =", &["var.size: var.size"]),
            ("condition     = var.size", &["var.size: var.size > 2"]),
            ("\"too small\"", &["var.size: \"too small\""]),
            ("provider \"aws\" {", &["provider.aws: local.env"]),
            ("region =", &["provider.aws: local.env"]),
            ("alias =", &["provider.aws.east: \"east\""]),
            ("assume_role {", &["provider.aws.east: \"r-${local.env}\""]),
            ("role =", &["provider.aws.east: \"r-${local.env}\""]),
            ("resource \"aws_x\"", &["aws_x.a[0]: aws_x.a[0]", "aws_x.a[1]: aws_x.a[1]"]),
            ("provider = aws", &["aws_x.a[0]: aws_x.a[0]", "aws_x.a[1]: aws_x.a[1]"]),
            ("count    = 2", &["aws_x.a: 2"]),
            ("name     =", &["aws_x.a[0]: \"n${count.index}\"", "aws_x.a[1]: \"n${count.index}\""]),
            ("    Size  ", &["aws_x.a[0]: var.size", "aws_x.a[1]: var.size"]),
            ("!= \"\"", &["aws_x.a[0]: local.env != \"\"", "aws_x.a[1]: local.env != \"\""]),
            ("ignore_changes", &["aws_x.a[0]: aws_x.a[0]", "aws_x.a[1]: aws_x.a[1]"]),
            ("for_each = [\"p\"", &["aws_x.a[0]: [\"p\", \"q\"]", "aws_x.a[1]: [\"p\", \"q\"]"]),
            ("port =", &rule),
            ("content {", &rule),
            ("v      =", &["module.m: local.env"]),
            ("source =", &["module.m: \"./m\""]),
            (
                "check \"c\" {",
                &["data.aws_y.d: upper(local.env)", "check.c: length(local.list) == 2", "check.c: \"count\""],
            ),
            ("filter =", &["data.aws_y.d: upper(local.env)"]),
            ("length(local.list)", &["check.c: length(local.list) == 2"]),
            ("value = module", &["output.o: module.m.output.v"]),
        ],
    );
}

#[test]
fn lines_in_json_syntax_name_their_objects() {
    let name = ["aws_x.a[0]: n${count.index}", "aws_x.a[1]: n${count.index}"];
    check(
        "main.tf.json",
        JSON,
        &[
            ("\"env\"", &["local.env: \"prod\""]),
            ("\"text\"", &["local.text: second ${local.env}"]),
            ("\"default\"", &["var.size: var.size"]),
            ("\"region\"", &["provider.aws: local.env"]),
            ("\"endpoint\"", &["provider.aws.east: e-${local.env}"]),
            ("\"a\": {", &["aws_x.a[0]: aws_x.a[0]", "aws_x.a[1]: aws_x.a[1]"]),
            ("\"provider\": \"aws", &["aws_x.a[0]: aws_x.a[0]", "aws_x.a[1]: aws_x.a[1]"]),
            ("\"name\"", &name),
            ("!= ", &["aws_x.a[0]: local.env != \\\"\\\"", "aws_x.a[1]: local.env != \\\"\\\""]),
            ("\"port\"", &["aws_x.a[0]: \"${rule.value}\"", "aws_x.a[1]: \"${rule.value}\""]),
            ("\"x\"", &["local.object: \"x\""]),
            ("\"v\"", &["module.m: v-${local.env}"]),
            ("length(", &["check.c: length(local.text) > 2"]),
            ("\"value\"", &["output.o: module.m.output.v"]),
            ("\"aws_x\": {", &["No expression, and no block that has a value, is at `main.tf.json:27`."]),
        ],
    );
}

#[test]
fn every_path_of_a_file_names_it() {
    let files = files("main.tf", NATIVE);
    for path in ["main.tf", "./main.tf", "m/../main.tf", "/root/main.tf", "/root/./m/../main.tf"] {
        assert_eq!(explained(&files, &format!("{path}:3")), ["local.env: \"prod\""], "{path}");
    }
    let error = "No expression, and no block that has a value, is at `main.tf:1`.";
    assert_eq!(explained(&files, "main.tf:1"), [error]);
    let error = "No file of the configuration has the place `other.tf:3`.";
    assert_eq!(explained(&files, "other.tf:3"), [error]);
}

#[test]
fn a_line_of_a_variable_file_names_its_variable() {
    let files = files("main.tf", NATIVE);
    for line in ["a.auto.tfvars:2", "/root/a.auto.tfvars:2", "b.auto.tfvars.json:2"] {
        assert_eq!(explained(&files, line), ["var.size: var.size"], "{line}");
    }
    let error = "No expression, and no block that has a value, is at `a.auto.tfvars:1`.";
    assert_eq!(explained(&files, "a.auto.tfvars:1"), [error]);
}

#[test]
fn the_dependents_of_a_line_are_those_of_its_object() {
    let files = files("main.tf", NATIVE);
    let report = Project::new(Path::new("/root")).evaluate(&files);
    let line = |fragment: &str| NATIVE.lines().position(|line| line.contains(fragment)).expect(fragment) + 1;
    let dependents = |line: usize| report.dependents(&format!("main.tf:{line}"), &files);
    let env = dependents(line("env  =")).expect("a local value");
    assert_eq!(env.address.to_string(), "local.env");
    assert!(env.found.iter().any(|found| found.address.to_string() == "module.m.var.v"));
    let provider = dependents(line("alias =")).expect("a provider");
    assert_eq!(provider.address.to_string(), "provider.aws.east");
    assert!(provider.found.iter().any(|found| found.address.to_string() == "aws_x.a"));
    assert_eq!(dependents(line("role =")).expect("a provider").address.to_string(), "provider.aws.east");
    let error = dependents(line("locals {")).expect_err("several");
    let detail = &error.as_slice()[0].detail;
    assert!(detail.contains("is in several objects: `local.env`, `local.list`, `local.text`"), "{detail}");
}

#[test]
fn a_column_chooses_the_expression_that_begins_there() {
    let text =
        "locals {\n  a = lower(\"X\")\n  b = \"${local.a}-${local.c}\"\n  c = 1\n}\nvariable \"size\" {}\n";
    let files = files("main.tf", text);
    for (place, expected) in [
        ("main.tf:3:3", "local.b: \"${local.a}-${local.c}\""),
        ("main.tf:3:10", "local.b: local.a"),
        ("main.tf:3:21", "local.b: local.c"),
        ("a.auto.tfvars:2:1", "var.size: var.size"),
    ] {
        assert_eq!(explained(&files, place), [expected], "{place}");
    }
    let error = "No expression, and no block that has a value, is at `main.tf:3:99`.";
    assert_eq!(explained(&files, "main.tf:3:99"), [error]);
}

#[test]
fn a_column_within_an_expression_chooses_the_innermost() {
    let loops = "{ for i, o in local.list : o.n => max(o.s, i) if o.s > 4 }";
    let text = format!(
        "locals {{\n  list = [{{ n = \"a\", s = 1 }}, {{ n = \"b\", s = 5 }}]\n  m = {loops}\n  o = {{ key = 1 + length(local.list) }}\n}}\n"
    );
    let files = files("main.tf", &text);
    let at = |fragment: &str, within: usize| {
        let (line, column) = text
            .lines()
            .enumerate()
            .find_map(|(line, text)| Some((line + 1, text.find(fragment)? + within + 1)))
            .expect(fragment);
        explained(&files, &format!("main.tf:{line}:{column}"))
    };
    assert_eq!(at("for i", 0), [format!("local.m: {loops}")]);
    assert_eq!(at("local.list :", 6), ["local.m: local.list"]);
    assert_eq!(at("max(", 0), ["local.m: max(o.s, i)"]);
    assert_eq!(at("max(", 2), ["local.m: max(o.s, i)"]);
    assert_eq!(at("o.s, i", 1), ["local.m: local.list"]);
    assert_eq!(at("o.n =>", 1), ["local.m: local.list"]);
    assert_eq!(at("o.s > 4", 0), ["local.m: o.s > 4", "local.m: o.s > 4"]);
    assert_eq!(at("key =", 1), ["local.o: 1 + length(local.list)"]);
    assert_eq!(at("length(", 2), ["local.o: length(local.list)"]);
}

#[test]
fn objects_in_lists_of_references_are_explained() {
    let native = r#"resource "x_y" "new" {
  count      = 2
  depends_on = [module.m, x_y.other]
  lifecycle {
    replace_triggered_by = [
      x_y.other[count.index].n,
    ]
  }
}
resource "x_y" "other" {
  count = 2
  n     = "n${count.index}"
}
module "m" {
  source     = "./m"
  depends_on = [
    "x_y.other",
    local.a,
  ]
}
output "o" {
  value      = 1
  depends_on = [module.m]
}
locals {
  a = lower("A")
}
"#;
    let files = MemoryFiles::from_iter([
        ("/root/main.tf", native),
        ("/root/m/main.tf", "output \"o\" { value = 2 }\n"),
    ]);
    for (line, expected) in [
        (3, &["x_y.new[0]: [module.m, x_y.other]", "x_y.new[1]: [module.m, x_y.other]"][..]),
        (6, &["x_y.new[0]: x_y.other[count.index].n", "x_y.new[1]: x_y.other[count.index].n"]),
        (17, &["x_y.other: x_y.other"]),
        (18, &["module.m: local.a"]),
        (23, &["output.o: [module.m]"]),
    ] {
        assert_eq!(explained(&files, &format!("main.tf:{line}")), expected, "{line}");
    }
    let json = r#"{"resource": {"x_y": {"new": {
"count": 1,
"depends_on": ["x_y.other"],
"lifecycle": {"replace_triggered_by": [
"x_y.other[count.index].n"
]}
}, "other": {"count": 1, "n": "a"}}}}"#;
    for (line, expected) in [(3, "x_y.new[0]: [\"x_y.other\"]"), (5, "x_y.new[0]: x_y.other[count.index].n")]
    {
        assert_eq!(
            explained(&self::files("main.tf.json", json), &format!("main.tf.json:{line}")),
            [expected]
        );
    }
}

#[test]
fn addresses_in_json_are_their_objects() {
    let text = "{\"resource\": {\"x_y\": {\"new\": {}}}, \"moved\": {\n\"from\": \"x_y.old\",\n\"to\": \"x_y.new\"}}\n";
    assert_eq!(explained(&files("main.tf.json", text), "main.tf.json:3"), ["x_y.new: x_y.new"]);
}

#[test]
fn addresses_of_other_blocks_are_their_objects() {
    let text = r#"resource "x_y" "new" {
  lifecycle {
    replace_triggered_by = [x_y.other[0].n]
  }
}
resource "x_y" "other" {
  count = 1
  n     = "a"
}
moved {
  from = x_y.old
  to   = x_y.new
}
import {
  to = x_y.other[0]
  id = "i"
}
removed {
  from = x_y.gone
}
"#;
    let files = files("main.tf", text);
    for (line, expected) in [
        (3, "x_y.new: [x_y.other[0].n]"),
        (12, "x_y.new: x_y.new"),
        (15, "x_y.other[0]: x_y.other[0]"),
        (11, "No expression, and no block that has a value, is at `main.tf:11`."),
        (19, "No expression, and no block that has a value, is at `main.tf:19`."),
    ] {
        assert_eq!(explained(&files, &format!("main.tf:{line}")), [expected], "{line}");
    }
}

#[test]
fn an_argument_of_a_module_call_may_have_the_name_of_one_of_resources() {
    let files = MemoryFiles::from_iter([
        ("main.tf", "module \"m\" {\n  source   = \"./m\"\n  provider = upper(\"a\")\n}\n"),
        ("m/main.tf", "variable \"provider\" {}\n"),
    ]);
    let report = Project::new(".").evaluate(&files);
    let found = report.explain("main.tf:3", Secrets::Hidden, &files).unwrap().to_text(10);
    assert!(found.contains("\"A\""), "{found}");
}
