//! Explanations of values that are unknown because it is not known which objects exist.

use super::{check, explained};

const COUNTED: &str = r#"
variable "n" { type = number }
variable "l" { type = list(string) }
resource "aws_i" "u" {
  count = var.n
  name  = "n"
}
resource "aws_i" "k" {}
module "gone" { source = "git::https://example.com/x.git" }
locals {
  names = aws_i.u[*].name
}
output "one" { value = one(aws_i.u[*].name) }
output "coalesce" { value = coalesce(one(aws_i.u[*].name), "z") }
output "try" { value = try(aws_i.u[0].name, "d") }
output "can" { value = can(aws_i.u[0].name) }
output "part" { value = try({ a = 1, b = var.n }, null).a }
output "element" { value = local.names[0] }
output "flat" { value = flatten([aws_i.u[*].name, "x"])[1] }
output "first" { value = flatten([["a"], var.l, ["b"]])[0] }
output "member" { value = tolist(toset([aws_i.k.id, "a"]))[0] }
resource "aws_i" "e" { for_each = toset(["x", "y"]) }
output "arns" { value = [for k, v in aws_i.e : v.arn] }
output "module" { value = try(module.gone.list[0].x, "d") }
output "lookup" { value = lookup(module.gone.map, "q", "dflt") }
"#;

/// A known value is no cause of an unknown one: the instance that has it may not exist.
#[test]
fn an_unknown_value_leads_to_its_cause() {
    for (output, way) in [
        ("one", "aws_i.u <- var.n"),
        ("coalesce", "aws_i.u <- var.n"),
        ("try", "aws_i.u <- var.n"),
        ("can", "aws_i.u <- var.n"),
        ("part", "var.n"),
        ("element", "local.names[0] <- aws_i.u <- var.n"),
        ("flat", "aws_i.u <- var.n"),
        ("first", "var.l"),
        ("member", "aws_i.k.id"),
        ("module", "module.gone.list[0].x"),
    ] {
        let found = explained(COUNTED, &format!("output.{output}"));
        let way = format!("#   way: output.{output} <- {way}\n");
        assert!(found.contains(&way), "{found}");
    }
}

/// The known parts of an object that is open for attributes of its provider do not have the causes of the other parts.
#[test]
fn each_element_of_a_loop_leads_to_its_cause() {
    let found = explained(COUNTED, "output.arns");
    for key in ["x", "y"] {
        let way = format!("#   way: output.arns <- aws_i.e[\"{key}\"].arn\n");
        assert!(found.contains(&way), "{found}");
    }
}

#[test]
fn a_block_whose_existence_is_asked_for_is_an_input() {
    check(
        COUNTED,
        "output.try",
        r#"
# unknown: var.n has no value
#   known with: -var n=VALUE
#   way: output.try <- aws_i.u <- var.n
output.try = (not set)
  try(aws_i.u[0].name, "d") # argument 1 of 2
    argument 1: aws_i.u[0].name = "n"
    collection: aws_i.u = { name = "n", ... } # all instances
      instances: var.n = (not set) # no value is given, and there is no default
      name: "n"
"#,
    );
    for output in ["flat", "first", "member"] {
        let found = explained(COUNTED, &format!("output.{output}"));
        assert!(!found.contains("argument 1: \""), "{found}");
    }
}

#[test]
fn an_unknown_map_is_not_said_to_have_a_key() {
    let found = explained(COUNTED, "output.lookup");
    assert!(!found.contains("the map has"), "{found}");
    assert!(found.contains("#   way: output.lookup <- module.gone.map\n"), "{found}");
}

/// The arguments hold for any instance.
#[test]
fn all_instances_of_an_unknown_number_have_their_arguments() {
    let text = r#"
variable "zones" { type = set(string) }
module "gone" { source = "git::https://example.com/x.git" }
resource "aws_i" "u" {
  for_each = var.zones
  name     = each.key
  dynamic "b" {
    for_each = module.gone.list
    content { v = b.value }
  }
}
"#;
    let found = explained(text, "aws_i.u");
    assert!(found.contains("\n  instances: var.zones = (not set)"), "{found}");
    assert!(found.contains("\n  name: each.key = (not set)"), "{found}");
    assert!(found.contains("#   way: aws_i.u <- module.gone.list\n"), "{found}");
    assert!(found.contains("--set 'module.gone.list=VALUE'"), "{found}");
    assert_eq!(found.matches("\n  instances: ").count(), 1, "{found}");
}

#[test]
fn a_part_that_no_argument_sets_may_be_set_by_the_provider() {
    let text = "resource \"aws_x\" \"y\" {\n  tags = merge({ B = 1 })\n  more = { B = 1 }\n}\n";
    for argument in ["tags", "more"] {
        check(
            text,
            &format!("aws_x.y.{argument}.NOPE"),
            &format!(
                "# unknown: aws_x.y.{argument}.NOPE is set by the provider\n\
                 #   known with: --set 'aws_x.y.{argument}.NOPE=VALUE'\n\
                 aws_x.y.{argument}.NOPE = (known after apply)\n  \
                   provider = (known after apply) # set by the provider\n"
            ),
        );
    }
}

#[test]
fn an_element_of_a_set_is_named_by_its_value() {
    let text = "locals {\n  a = toset([\"x\", \"y\"])\n  n = toset([1, 5])\n  \
                s = toset([sensitive(\"x\")])\n}\noutput \"o\" { value = [for x in local.a : upper(x)][1] }\n";
    assert!(explained(text, "output.o").contains("local.a[\"y\"] = \"y\""));
    for (address, value) in [("local.a[\"y\"]", "\"y\""), ("local.n[1]", "1"), ("local.n[5]", "5")] {
        let found = explained(text, address);
        assert!(found.starts_with(&format!("{address} = {value}\n")), "{found}");
    }
    for address in ["local.a[\"z\"]", "local.s[\"x\"]", "local.n[7]"] {
        let found = explained(text, address);
        assert!(found.contains("has no part"), "{found}");
    }
}

#[test]
fn keys_are_written_as_in_the_language() {
    let text = "locals {\n  a = [{ \"c$${d}\" = upper(\"x\") }]\n}\n";
    let found = explained(text, "local.a[0][\"c$${d}\"]");
    assert!(found.starts_with("local.a[0][\"c$${d}\"] = \"X\"\n"), "{found}");
}

#[test]
fn the_way_leads_through_the_number_of_instances() {
    let text = r#"
variable "zones" { type = list(string) }
locals { number = length(var.zones) }
resource "a_b" "c" {
  count = local.number
  zone  = var.zones[0]
}
output "o" { value = a_b.c[*].id }
"#;
    let found = explained(text, "output.o");
    assert!(found.contains("#   way: output.o <- a_b.c <- local.number <- var.zones\n"), "{found}");
}

#[test]
fn a_name_that_a_loop_binds_is_no_block() {
    let hides = r#"
output "bound" { value = [for aws_i in [{ u = ["x"] }] : concat(aws_i.u, [var.n])] }
resource "aws_y" "dynamic" {
  dynamic "aws_i" {
    for_each = [["x"]]
    content { list = concat(aws_i.value, [var.n]) }
  }
}
resource "aws_i" "value" { count = var.n }
"#;
    let text = format!("{COUNTED}{hides}");
    for (target, block) in [("output.bound[0]", "aws_i.u"), ("aws_y.dynamic.aws_i", "aws_i.value")] {
        let found = explained(&text, target);
        assert!(found.contains("var.n") && !found.contains(&format!("<- {block}")), "{found}");
    }
}
