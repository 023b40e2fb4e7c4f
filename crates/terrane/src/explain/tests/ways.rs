//! Keys of loops, unknown instances, and long chains in explanations.

use terrane_function::Limits;
use terrane_source::MemoryFiles;

use super::{check, explained};
use crate::{Project, Secrets};

#[test]
fn the_key_of_a_for_is_an_input() {
    let text = "variable \"p\" { default = \"x\" }\nlocals {\n  ids = { for k in [\"a\", \"b\"] : \"${var.p}-${k}\" => upper(k) }\n}\n";
    let found = explained(text, "local.ids[\"x-b\"]");
    assert!(
        found.contains("element [1] of 2") && found.contains("key: \"${var.p}-${k}\" is \"x-b\""),
        "{found}"
    );
    assert!(found.contains("var.p = \"x\""), "{found}");
    let text = "variable \"p\" {}\nlocals {\n  ids = { for k in [\"a\"] : var.p => k }\n}\n";
    let found = explained(text, "local.ids");
    assert!(found.contains("#   way: local.ids <- var.p"), "{found}");
}

#[test]
fn a_long_chain_of_dependents_has_a_bounded_indentation() {
    let local = |index: usize| format!("  l{} = local.l{index}\n", index + 1);
    let text = format!("locals {{\n  l0 = 1\n{}}}\n", (0..3000).map(local).collect::<String>());
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let found =
        Project::new(".").evaluate(&files).dependents("local.l0", &files).expect("it exists").to_text();
    assert!(
        found.contains("local.l3000  # main.tf:3002:11  distance 3000"),
        "{}",
        &found[found.len() - 200..]
    );
    assert!(found.len() < 1_000_000, "{}", found.len());
}

#[test]
fn an_unknown_number_of_instances_has_its_cause_and_the_way() {
    let text = r#"
variable "n" { type = number }
variable "names" { type = set(string) }
resource "a_b" "c" {
  count = var.n
  name  = "x"
}
resource "a_b" "d" {
  dynamic "rule" {
    for_each = var.names
    content { port = rule.value }
  }
}
output "c" { value = a_b.c[*].name }
output "d" { value = a_b.d.rule }
"#;
    let known = "# unknown: var.n has no value\n#   known with: -var n=VALUE\n";
    for (address, way) in [("a_b.c", "a_b.c <- var.n"), ("output.c", "output.c <- a_b.c <- var.n")] {
        let found = explained(text, address);
        assert!(found.starts_with(&format!("{known}#   way: {way}\n")), "{found}");
    }
    for (address, way) in
        [("a_b.d.rule", "a_b.d.rule <- var.names"), ("output.d", "output.d <- a_b.d.rule <- var.names")]
    {
        let found = explained(text, address);
        assert!(found.contains(&format!("#   way: {way}\n")), "{found}");
        assert!(found.contains("instances: var.names = (not set)"), "{found}");
    }
}

#[test]
fn an_unknown_for_each_has_instances_with_keys() {
    let text = r#"
variable "zones" { type = set(string) }
resource "terraform_data" "fe" {
  for_each = var.zones
  input    = "in-${each.key}"
}
resource "aws_i" "a" {
  for_each = var.zones
  name     = "n-${each.key}"
}
module "child" {
  source   = "./child"
  for_each = var.zones
  names    = [each.key]
}
output "a" { value = terraform_data.fe["q"].input }
output "b" { value = module.child["q"].first }
"#;
    for address in [
        "output.a",
        "output.b",
        "terraform_data.fe[\"q\"].input",
        "aws_i.a[\"q\"].name",
        "module.child[\"q\"].first",
        "module.child[\"q\"].var.names",
    ] {
        let found = explained(text, address);
        let known = "# unknown: var.zones has no value\n#   known with: -var zones=VALUE\n#   way: ";
        assert!(found.starts_with(known), "{address}: {found}");
        assert!(!found.contains("(error)") && found.contains(" <- var.zones\n"), "{address}: {found}");
    }
}

#[test]
fn the_key_of_an_instance_has_brackets() {
    let text = r#"
variable "zones" { type = set(string) }
resource "terraform_data" "fe" {
  for_each = var.zones
  input    = "in"
}
resource "terraform_data" "known" {
  for_each = toset(["a"])
  input    = "in"
}
module "child" {
  source   = "./child"
  for_each = var.zones
  names    = ["n"]
}
"#;
    for (address, expected) in [
        ("terraform_data.fe.input", "terraform_data.fe.input = \"in\"\n"),
        ("terraform_data.fe[\"input\"].input", "terraform_data.fe[\"input\"].input = \"in\"\n"),
        ("terraform_data.fe.input.input", "`terraform_data.fe` has no part `.input.input`."),
        ("terraform_data.known[\"a\"].input", "terraform_data.known[\"a\"].input = \"in\"\n"),
        ("terraform_data.known.a.input", "`terraform_data.known.a.input` names no instance of its block."),
    ] {
        assert_eq!(explained(text, address), expected);
    }
    for address in ["module.child.first", "module.child[\"first\"].first"] {
        assert!(explained(text, address).starts_with("module.child.output.first = \"N\"\n"), "{address}");
    }
}

#[test]
fn computed_constants_are_explained() {
    let text = r#"
locals {
  filt   = [for s in ["q", "w"] : s if s != "q"]
  e3     = local.filt[0]
  cond   = true ? "a" : "b"
  keyed  = { for i, s in ["q", "w"] : i => s }
  nested = [for a in ["x", "y"] : [for b in ["1", "2"] : "${a}${b}"]]
  deep   = local.nested[1][0]
  hour   = 60 * 60
  plain  = { a = [-1, "b"] }
}
"#;
    let found = explained(text, "local.e3");
    assert!(
        found.contains("# element [1] of 2") && found.contains("condition: s != \"q\" is true"),
        "{found}"
    );
    let found = explained(text, "local.cond");
    assert!(found.contains("true ? \"a\" : \"b\" # first branch; the second is \"b\""), "{found}");
    assert!(explained(text, "local.keyed[\"1\"]").contains("element [1] of 2"));
    let found = explained(text, "local.deep");
    assert_eq!(found.matches("# element").count(), 2, "{found}");
    assert!(explained(text, "local.hour").contains("\n  60 * 60\n"));
    assert_eq!(explained(text, "local.plain").lines().count(), 1);
}

#[test]
fn many_instances_are_cut_with_a_note() {
    let text = "variable \"x\" {}\nresource \"aws_x\" \"a\" {\n  count = 60\n  input = \"x${var.x}\"\n}\nlocals { a = [for a in aws_x.a : a.id] }\n";
    let found = explained(text, "aws_x.a");
    assert!(found.contains("# the first 20 of 60 instances"), "{found}");
    assert!(found.contains("\n# there is more"), "{found}");
    assert!(found.contains("aws_x.a[19].input") || found.contains("aws_x.a[19] = "), "{found}");
    let found = explained(text, "local.a");
    assert!(found.contains("# unknown for 54 more causes"), "{found}");
    assert!(found.contains("[19] = "), "{found}");
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let json = report.explain("local.a", Secrets::Hidden, &files).expect("it exists").to_json();
    assert!(json.contains("\"omitted_causes\":44") && json.contains("\"truncated\":true"), "{json}");
}

#[test]
fn all_blocks_of_a_type_are_explained() {
    let text = r#"
variable "x" { default = ["a", "b"] }
resource "aws_x" "o" {}
resource "aws_x" "g" {
  lit { z = var.x[0] }
  lit { z = aws_x.o.id }
  dynamic "gen" {
    for_each = var.x
    content { v = gen.value }
  }
}
"#;
    let found = explained(text, "aws_x.g.lit");
    assert!(found.contains("#   way: aws_x.g.lit <- aws_x.o.id"), "{found}");
    assert!(found.contains("[0].z: var.x[0] = \"a\"") && found.contains("[1].z: aws_x.o.id = "), "{found}");
    let found = explained(text, "aws_x.g.gen");
    assert!(
        found.contains("[0].v: var.x[0] = \"a\"") && found.contains("[1].v: var.x[1] = \"b\""),
        "{found}"
    );
    let found = explained(text, "aws_x.g");
    assert!(found.contains("lit[0].z: ") && found.contains("lit[1].z: "), "{found}");
    assert!(explained(text, "aws_x.g.lit[1].z").contains("aws_x.o.id = "));
}

#[test]
fn a_part_of_an_expression_is_named_as_one() {
    let text = "variable \"s\" { default = \"g1.x\" }\nlocals { k = { (split(\".\", var.s)[0]) = 1 } }\noutput \"o\" { value = values({ a = { d = var.s } })[*].d }\n";
    let found = explained(text, "local.k");
    assert!(found.contains("key: [0] of split(\".\", var.s) is \"g1\""), "{found}");
    let found = explained(text, "output.o");
    assert!(found.contains("[0].d of values({ a = { d = var.s } }) is \"g1.x\""), "{found}");
}

#[test]
fn the_id_of_an_import_is_followed() {
    let text = r#"
variable "r" { default = "eu" }
resource "terraform_data" "i" { for_each = toset(["k-eu", "other"]) }
import {
  to = terraform_data.i["other"]
  id = "o-${var.r}"
}
import {
  to = terraform_data.i["k-${var.r}"]
  id = "id-${var.r}"
}
"#;
    let id = explained(text, "terraform_data.i[\"k-eu\"].id");
    assert!(id.contains("\n  \"id-${var.r}\"\n    var.r = \"eu\"\n"), "{id}");
    let other = explained(text, "terraform_data.i[\"other\"].id");
    assert!(other.contains("\n  \"o-${var.r}\"\n"), "{other}");
    let whole = explained(text, "terraform_data.i[\"k-eu\"]");
    assert!(whole.contains("id: \"id-${var.r}\" is \"id-eu\""), "{whole}");
}

#[test]
fn dependents_are_asked_for_by_the_addresses_that_dependents_have() {
    let text = "locals { a = \"w\" }\nmodule \"m\" {\n  source = \"./m\"\n  for_each = toset([\"x\"])\n  w = local.a\n}\n\
                module \"none\" {\n  source = \"./m\"\n  count = 0\n  w = local.a\n}\n\
                check \"c\" {\n  assert {\n    condition = local.a == \"w\"\n    error_message = \"no\"\n  }\n}\n";
    let child = "variable \"w\" {}\nresource \"x_y\" \"r\" {\n  count = 2\n  w = var.w\n}\noutput \"o\" { value = x_y.r[0].w }\n";
    let files = MemoryFiles::from_iter([("main.tf", text), ("m/main.tf", child)]);
    let report = Project::new(".").evaluate(&files);
    let all = report.dependents("local.a", &files).expect("it exists").found;
    assert_eq!(all.len(), 7);
    for dependent in all {
        let address = dependent.address.to_string();
        let found = report.dependents(&address, &files).map(|found| found.address);
        assert_eq!(found.ok(), Some((*dependent.address).clone()), "{address}");
    }
    assert!(report.dependents("module.m.var.other", &files).is_err());
}

#[test]
fn an_element_of_a_dynamic_block_in_json_is_followed() {
    let text = r#"{"variable": {"x": {"default": ["a", "b"]}}, "resource": {"aws_sg": {"g": {"dynamic": {"extra": {
        "for_each": "${var.x}", "iterator": "it", "content": {"v": "${it.value}"}}}}}}}"#;
    let files = MemoryFiles::from_iter([("main.tf.json", text)]);
    let report = Project::new(".").evaluate(&files);
    let found =
        report.explain("aws_sg.g.extra[1].v", Secrets::Hidden, &files).expect("it exists").to_text(10);
    assert!(
        found.starts_with("aws_sg.g.extra[1].v = \"b\"") && found.contains("\n  var.x[1] = \"b\""),
        "{found}"
    );
}

#[test]
fn an_output_of_a_missing_module_can_be_given() {
    let text = "module \"m\" { source = \"a/b/c\" }\noutput \"o\" { value = module.m.out.id }\n";
    let found = explained(text, "output.o");
    let known = "#   known with: terraform init, or --module SOURCE=DIR, or --set 'module.m.out.id=VALUE'\n";
    assert!(found.contains(known), "{found}");
}

#[test]
fn the_text_of_an_unknown_value_is_that_of_eval() {
    let text =
        "variable \"v\" {}\nresource \"a_b\" \"c\" {}\noutput \"o\" { value = \"${var.v}-${a_b.c.id}\" }\n";
    let found = explained(text, "output.o");
    assert!(found.contains("\noutput.o = (known after apply)\n"), "{found}");
}

#[test]
fn lines_of_imports_lead_to_their_keys_and_ids() {
    let text = "variable \"r\" { default = \"eu\" }\nlocals { ids = { a = \"id-1\", b = \"id-2\" } }\n\
                import {\n  to = terraform_data.i[\"k-${var.r}\"]\n  id = \"id-${var.r}\"\n}\n\
                resource \"terraform_data\" \"i\" { for_each = toset([\"k-eu\"]) }\n\
                import {\n  for_each = local.ids\n  to = terraform_data.j[each.key]\n  id = each.value\n}\n\
                resource \"terraform_data\" \"j\" { for_each = local.ids }\n";
    let key = explained(text, "main.tf:4");
    assert_eq!(key, "\"k-${var.r}\" is \"k-eu\"\n  var.r = \"eu\"\n    default = \"eu\"\n");
    let id = explained(text, "terraform_data.j[\"b\"].id");
    assert_eq!(id, "terraform_data.j[\"b\"].id = \"id-2\" # imported\n  local.ids.b = \"id-2\"\n");
    let lines = explained(text, "main.tf:11");
    assert!(lines.contains("local.ids.a = \"id-1\"") && lines.contains("local.ids.b = \"id-2\""), "{lines}");
}

/// Returns a module with a list in brackets. Each pair of brackets is a part that contains everything inside.
fn nested(levels: usize, elements: &str) -> MemoryFiles {
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    let text = format!("locals {{\n  b = 1\n  a = {open}{elements}local.b{close}\n}}\n");
    MemoryFiles::from_iter([("main.tf", text)])
}

#[test]
fn the_parts_of_an_explanation_are_evaluated_within_a_quarter_of_the_limits() {
    let files = nested(200, &"1,".repeat(40_000));
    let report = Project::new(".").limits(Limits::default().with_steps(4_000_000)).evaluate(&files);
    assert!(!report.has_errors());
    let found = report.explain("local.a", Secrets::Hidden, &files).expect("it exists");
    assert!(found.is_truncated);
    let few = nested(20, "1,");
    let report = Project::new(".").evaluate(&few);
    assert!(!report.explain("local.a", Secrets::Hidden, &few).expect("it exists").is_truncated);
}

#[test]
fn the_texts_of_an_explanation_have_a_limit() {
    let files = nested(100, &format!("\"{}\",", "x".repeat(400_000)));
    let report = Project::new(".").evaluate(&files);
    let found = report.explain("local.a", Secrets::Hidden, &files).expect("it exists");
    let texts: Vec<usize> = found.nodes.iter().filter_map(|node| Some(node.text.as_ref()?.len())).collect();
    assert!(texts.iter().sum::<usize>() <= 16 << 20 && texts.iter().max() > Some(&400_000), "{texts:?}");
}

#[test]
fn a_list_of_many_references_to_one_object_takes_no_longer_for_each() {
    let files = nested(1, &"local.b,".repeat(60_000));
    let report = Project::new(".").evaluate(&files);
    let found = report.explain("local.a", Secrets::Hidden, &files).expect("it exists");
    assert!(found.nodes.len() < 10 && found.nodes.iter().any(|node| node.inputs.len() == 60_001));
}

#[test]
fn the_remedy_for_a_module_that_is_not_on_disk_names_the_part_that_is_read() {
    let text = r#"
module "m" { source = "acme/x/y" }
output "a" { value = module.m.account.name }
output "b" { value = module.m.role.arns[0].name }
"#;
    let set = |address: &str| format!("or --set '{address}=VALUE'\n");
    let found = explained(text, "output.a");
    assert!(found.contains(&set("module.m.account.name")), "{found}");
    // An element of a list of unknown length cannot be given alone.
    let found = explained(text, "output.b");
    assert!(found.contains(&set("module.m.role.arns")), "{found}");
}

#[test]
fn a_part_of_a_given_value_has_its_path_behind_the_option() {
    let text = r#"
resource "demo_host" "a" {
  disk {
    size = 1
  }
}
output "a" { value = demo_host.a.config[0].host }
output "b" { value = demo_host.a.disk[0].volume.id }
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let given = Project::new(".")
        .set("demo_host.a.config", "[{ host = \"x\" }]")
        .set("demo_host.a.disk.volume", "{ id = \"y\" }");
    let report = given.evaluate(&files);
    let last = |address: &str| {
        let found = report.explain(address, Secrets::Hidden, &files).expect("it exists").to_text(5);
        found.lines().last().and_then(|line| line.split(" # ").next()).map(|line| line.trim().to_owned())
    };
    let line = |line: &str| Some(line.to_owned());
    assert_eq!(last("output.a"), line("option --set demo_host.a.config[0].host = \"x\""));
    assert_eq!(last("output.b"), line("option --set demo_host.a.disk.volume.id = \"y\""));
}

#[test]
fn the_remedy_for_outputs_of_a_remote_state_is_its_file() {
    let text = "data \"terraform_remote_state\" \"s\" {\n  backend = \"s3\"\n  config = {\n    bucket = \"b\"\n    key = \"k\"\n    region = \"r\"\n  }\n}\noutput \"o\" { \
                value = data.terraform_remote_state.s.outputs.vpc.id }\n";
    let found = explained(text, "output.o");
    let known = "#   known with: --remote-state 'data.terraform_remote_state.s=FILE'\n";
    assert!(found.contains(known), "{found}");
}

#[test]
fn an_operand_with_another_operator_has_its_value() {
    let text = r#"
variable "a" { default = "x" }
variable "n" { default = 3 }
locals {
  both = var.a == "y" && var.n > 100
  sum  = var.n * 2 + 1 + var.n
}
"#;
    let both = "local.both = false\n  var.a == \"y\" && var.n > 100\n    var.a == \"y\"\n      var.a = \"x\"\n        \
                default = \"x\"\n    var.n > 100\n      var.n = 3\n        default = 3\n";
    check(text, "local.both", both);
    let sum = "local.sum = 10\n  var.n * 2 + 1 + var.n\n    var.n * 2 is 6\n      var.n = 3\n        default = 3\n    var.n = 3 # (shown above)\n";
    check(text, "local.sum", sum);
}

#[test]
fn a_hidden_argument_of_merge_need_not_have_the_whole_path() {
    let text = "variable \"x\" { default = 1 }\nlocals { m = merge({ a = { x = var.x } }, { a = { y = var.x } }) }\n";
    let found = explained(text, "local.m.a.y");
    assert!(found.contains("hidden, argument 1: ") && !found.contains("(error)"), "{found}");
}

#[test]
fn an_instance_has_its_given_attributes_beside_its_arguments() {
    let text = "resource \"demo_host\" \"a\" {\n  count = 1\n  name = upper(\"x\")\n}\n\
                locals {\n  ids = [for host in demo_host.a : host.id]\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let given = Project::new(".").set("demo_host.a[0].id", "\"i\"").set("demo_host.a", "{ arn = \"n\" }");
    let report = given.evaluate(&files);
    let found =
        |address: &str| report.explain(address, Secrets::Hidden, &files).expect("it exists").to_text(9);
    let of_instance = found("demo_host.a[0]");
    for line in [
        "  name: upper(\"x\") is \"X\"",
        "  arn: demo_host.a[0].arn = \"n\"",
        "  id: demo_host.a[0].id = \"i\"",
    ] {
        assert!(of_instance.contains(line), "{line}: {of_instance}");
    }
    let of_loop = found("local.ids");
    assert!(of_loop.contains("option --set demo_host.a[0].id = \"i\""), "{of_loop}");
}

const ITEMS: &str = r#"
  type = list(object({
    name = string
    x = optional(object({
      y = optional(string, "deep")
      z = optional(string, "zed")
    }), { z = "own" })
  }))
"#;

#[test]
fn a_default_of_an_optional_attribute_has_its_place_in_the_type() {
    let main = format!(
        "variable \"given\" {{{ITEMS}}}\nvariable \"unset\" {{{ITEMS}  default = [{{ name = \"q\", x = null }}]\n}}\n\
         module \"m\" {{\n  source = \"./m\"\n  items = [{{ name = \"a\" }}]\n}}\n\
         output \"given\" {{ value = var.given[0].x.y }}\noutput \"unset\" {{ value = var.unset[0].x.z }}\n\
         output \"called\" {{ value = module.m.y }}\n"
    );
    let module = format!("variable \"items\" {{{ITEMS}}}\noutput \"y\" {{ value = var.items[0].x.y }}\n");
    let files = MemoryFiles::from_iter([
        ("main.tf", main),
        ("m/variables.tf", module),
        ("terraform.tfvars", "given = [{ name = \"t\" }]\n".to_owned()),
    ]);
    let report = Project::new(".").evaluate(&files);
    let text =
        |address: &str| report.explain(address, Secrets::Hidden, &files).expect("it exists").to_text(9);
    let given = text("output.given");
    assert!(given.contains("default of the optional attribute = \"deep\"  # main.tf:5:28\n"), "{given}");
    assert!(given.contains("\n    variable file[0] = { name = \"t\" }  "), "{given}");
    assert!(given.contains("has no value for .x"), "{given}");
    let unset = text("output.unset");
    assert!(unset.contains("# main.tf:16:15\n"), "{unset}");
    assert!(unset.contains("\n    default[0] = { name = \"q\", x = null }  "), "{unset}");
    let called = text("output.called");
    assert!(called.contains("the type of the variable, not the argument"), "{called}");
    assert!(called.contains("= \"deep\"  # m/variables.tf:5:28\n"), "{called}");
}

#[test]
fn assignments_stand_in_the_order_of_precedence() {
    let files = MemoryFiles::from_iter([
        ("main.tf", "variable \"a\" { default = 0 }\noutput \"a\" { value = var.a }\n"),
        ("terraform.tfvars", "a = 1\n"),
        ("x.auto.tfvars", "a = 2\n"),
    ]);
    let report = Project::new(".").variable("a", "3").evaluate(&files);
    let text = report.explain("var.a", Secrets::Hidden, &files).expect("it exists").to_text(9);
    let values: Vec<&str> =
        text.lines().skip(1).map(|line| line.split("  #").next().unwrap_or(line).trim_end()).collect();
    let expected = ["= \"3\"", "variable file = 2", "variable file = 1", "default = 0"];
    assert!(
        values.len() == 4 && values.iter().zip(expected).all(|(line, end)| line.ends_with(end)),
        "{text}"
    );
}

#[test]
fn a_refused_value_is_shown_with_its_condition() {
    let found = explained(
        "variable \"n\" {\n  default = 5\n  validation {\n    condition = var.n > 10\n    error_message = \"No.\"\n  }\n}\n",
        "var.n",
    );
    assert!(found.contains("var.n > 10 is false"), "{found}");
    assert!(found.contains("default = 5"), "{found}");
}

#[test]
fn strings_keep_their_blanks() {
    let text = "locals {\n  ws = \"x    y\\n\\n  z\"\n  m = merge({}, { a = \"p  q\" })\n}\n";
    assert!(explained(text, "local.ws").starts_with("local.ws = \"x    y\\n\\n  z\"\n"));
    let found = explained(text, "local.m.a");
    assert!(found.ends_with("    argument 2: \"p  q\"\n"), "{found}");
}

#[test]
fn constant_arguments_have_a_line_with_their_place() {
    let text = r#"
variable "env" { default = "e" }
import {
  to = terraform_data.imp
  id = "i-${var.env}"
}
resource "terraform_data" "imp" {
  input = 1
}
locals {
  merged = merge({ A = { n = 1 } }, { X = { n = 3 } }, { Y = { n = var.env } })
  looked = lookup({ a = "b" }, "a", "c")
}
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let found = |address: &str| report.explain(address, Secrets::Hidden, &files).expect(address).to_text(9);
    let imported = found("terraform_data.imp");
    assert!(imported.contains("\n  input: 1") && imported.contains("# main.tf:8:11\n"), "{imported}");
    assert!(imported.contains("\n  id: \"i-${var.env}\" is \"i-e\""), "{imported}");
    let merged = found("local.merged.X.n");
    assert!(merged.contains("\n    argument 2: 3") && merged.ends_with("# main.tf:11:49\n"), "{merged}");
    let looked = found("local.looked");
    assert!(looked.contains("\n    \"b\"") && looked.ends_with("# main.tf:12:25\n"), "{looked}");
}

#[test]
fn an_argument_with_a_possible_default_names_its_provider() {
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas": {"x_y": {
        "version": 0, "block": {"attributes": {"id": {"type": "string", "optional": true, "computed": true},
        "dns": {"type": "bool", "optional": true}}}}}}}}"#;
    let main = "resource \"x_y\" \"a\" {}\noutput \"o\" {\n  value = x_y.a.dns ? \"on\" : \"off\"\n}\n";
    let schemas = crate::schemas_from_json(schemas).expect("schemas");
    let files = MemoryFiles::from_iter([("main.tf", main)]);
    let report = Project::new(".").schemas(&schemas).evaluate(&files);
    let text = report.explain("output.o", Secrets::Hidden, &files).expect("an output").to_text(10);
    assert!(
        text.contains("# unknown: x_y.a.dns is not configured, and its provider may have a default"),
        "{text}"
    );
    assert!(text.contains("not configured, and the provider may have a default"), "{text}");
}
