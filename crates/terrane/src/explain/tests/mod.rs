//! Explanations as text.

mod differences;
mod doubts;
mod lines;
mod loops;
mod many;
mod reverse;
mod secrets;
mod ways;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use terrane_function::{Function, Parameter, ResultType};
use terrane_source::MemoryFiles;
use terrane_value::Type;

use crate::{Project, Secrets};

/// Returns the explanation of an address in a module with this text, without places.
fn explained(text: &str, address: &str) -> String {
    let explained = explained_by(&Project::new("."), text, address);
    // The option `keeps_parts` must not change the explanation.
    assert_eq!(explained_by(&Project::new(".").keeps_parts(true), text, address), explained);
    explained
}

fn explained_by(project: &Project, text: &str, address: &str) -> String {
    let files = MemoryFiles::from_iter([("main.tf", text), ("child/main.tf", CHILD)]);
    let report = project.evaluate(&files);
    let text = match report.explain(address, Secrets::Hidden, &files) {
        Ok(explanation) => explanation.to_text(10),
        Err(errors) => return errors.as_slice().iter().map(|error| error.detail.clone()).collect(),
    };
    let without_place = |line: &str| {
        let Some((left, right)) = line.split_once("  # ") else { return line.to_owned() };
        let how = right.split_once("  ").map_or("", |(_, how)| how);
        format!("{} # {how}", left.trim_end()).trim_end_matches([' ', '#']).to_owned()
    };
    text.lines().map(|line| without_place(line) + "\n").collect()
}

const CHILD: &str = r#"
variable "names" { type = set(string) }
variable "size" { default = 3 }
output "first" { value = [for name in var.names : upper(name)][0] }
output "all" { value = var.names }
"#;

#[test]
fn a_text_decides_a_conditional_as_the_truth_value_does() {
    let text = "locals {\n  on = \"true\"\n  v  = local.on ? upper(\"a\") : \"b\"\n}\n";
    let expected = "local.v = \"A\"\n  local.on ? upper(\"a\") : \"b\" # first branch; the second is \"b\"\n    \
                    condition: local.on = \"true\"\n    upper(\"a\")\n";
    check(text, "local.v", expected);
}

#[test]
fn an_optional_attribute_comes_from_the_type_of_the_variable() {
    let files = MemoryFiles::from_iter([
        ("main.tf", "module \"m\" {\n  source = \"./m\"\n  rules  = { a = { size = 2 } }\n}\n"),
        (
            "m/main.tf",
            "variable \"rules\" {\n  type = map(object({\n    size = number\n    mode = optional(string, \"x\")\n  }))\n}\n\
             locals {\n  mode = var.rules[\"a\"].mode\n  size = var.rules[\"a\"].size\n}\n",
        ),
    ]);
    let report = Project::new(".").evaluate(&files);
    let text = |address: &str| {
        let explanation = report.explain(address, Secrets::Hidden, &files).expect("it exists");
        explanation.to_text(10)
    };
    let mode = text("module.m.local.mode");
    assert!(
        mode.contains("= \"x\"            # m/main.tf:1:1  the type of the variable, not")
            && mode.contains("default of the optional attribute = \"x\"  # m/main.tf:4:29\n"),
        "{mode}"
    );
    let size = text("module.m.local.size");
    assert!(size.contains("# main.tf:3:27  argument of the module call"), "{size}");
}

#[track_caller]
fn check(text: &str, address: &str, expected: &str) {
    let found = explained(text, address);
    assert_eq!(found.trim(), expected.trim(), "{found}");
}

#[test]
fn a_conditional_goes_on_into_the_branch_taken() {
    let text = r#"
variable "live" { default = true }
variable "a" { default = "x" }
locals { v = var.live ? "${var.a}1" : "b" }
"#;
    check(
        text,
        "local.v",
        r#"
local.v = "x1"
  var.live ? "${var.a}1" : "b" # first branch; the second is "b"
    condition: var.live = true
      default = true
    "${var.a}1"
      var.a = "x"
        default = "x"
"#,
    );
}

#[test]
fn merge_shows_the_argument_that_hides_others() {
    let text = r#"
variable "tags" { default = { Name = "b" } }
locals { t = merge({ Name = "a", Team = "t" }, var.tags, { Env = "e" }) }
"#;
    check(
        text,
        "local.t.Name",
        r#"
local.t.Name = "b"
  merge({ Name = "a", Team = "t" }, var.tags, { Env = "e" }) # argument 2 of 3 has the key
    argument 2: var.tags.Name = "b"
      default.Name = "b"
    hidden, argument 1: "a"
"#,
    );
    check(
        text,
        "local.t.Env",
        r#"
local.t.Env = "e"
  merge({ Name = "a", Team = "t" }, var.tags, { Env = "e" }) # argument 3 of 3 has the key
    argument 3: "e"
"#,
    );
}

#[test]
fn try_and_coalesce_say_why_arguments_are_passed_over() {
    let text = r#"
variable "none" { default = null }
variable "o" { default = {} }
locals {
  a = coalesce(var.none, "", var.b)
  b = try(var.o.x, var.b)
}
variable "b" { default = "c" }
"#;
    check(
        text,
        "local.a",
        r#"
local.a = "c"
  coalesce(var.none, "", var.b) # argument 3 of 3; argument 1 is null; argument 2 is empty
    argument 3: var.b = "c"
      default = "c"
    passed over, argument 1: var.none = null
      default = null
"#,
    );
    let found = explained(text, "local.b");
    let error = "argument 1 has an error: This object has no attribute \"x\"";
    assert!(found.contains(&format!("# argument 2 of 2; {error}\n    argument 2: var.b")), "{found}");
}

#[test]
fn an_element_of_a_for_is_followed_with_its_names() {
    let text = r#"
variable "n" { default = { a = 1, b = 2 } }
locals {
  list = [for k, v in var.n : "${k}${v}" if v > 1]
  map  = { for k, v in var.n : upper(k) => v }
  both = { for k, v in var.n : "x" => v... }
}
"#;
    check(
        text,
        "local.list[0]",
        r#"
local.list[0] = "b2"
  [for k, v in var.n : "${k}${v}" if v > 1] # element ["b"] of 2
    condition: v > 1 is true
      var.n.b = 2
        default.b = 2
    "${k}${v}"
      k = "b" # of element ["b"]
        var.n.b = 2 # (shown above)
      var.n.b = 2 # (shown above)
"#,
    );
    check(
        text,
        "local.map.B",
        r#"
local.map.B = 2
  { for k, v in var.n : upper(k) => v } # element ["b"] of 2
    key: upper(k) is "B"
      k = "b" # of element ["b"]
        var.n.b = 2
          default.b = 2
    var.n.b = 2 # (shown above)
"#,
    );
    let found = explained(text, "local.both.x[1]");
    assert!(found.contains("# element [\"b\"] of 2\n    var.n.b = 2"), "{found}");
}

#[test]
fn modules_resources_and_dynamic_blocks_lead_to_their_arguments() {
    let text = r#"
variable "zones" { default = ["p", "q"] }
module "m" {
  source   = "./child"
  for_each = toset(var.zones)
  names    = [each.value, "k"]
}
resource "aws_x" "y" {
  for_each = { for zone in var.zones : zone => module.m[zone].first }
  name     = each.value
  dynamic "rule" {
    for_each = var.zones
    content { port = "${rule.value}-${rule.key}" }
  }
}
output "names" { value = [aws_x.y["q"].name, aws_x.y["q"].id] }
"#;
    let found = explained(text, "output.names[0]");
    for part in [
        "aws_x.y[\"q\"].name = \"K\"",
        "element [1] of 2",
        "module.m[\"q\"].output.first = \"K\"",
        "module.m[\"q\"].var.names",
    ] {
        assert!(found.contains(part), "{part} in {found}");
    }
    check(
        text,
        "aws_x.y[\"p\"].rule[1].port",
        r#"
aws_x.y["p"].rule[1].port = "q-1"
  "${rule.value}-${rule.key}"
    var.zones[1] = "q"
      default[1] = "q"
    rule.key = 1 # of element [1]
"#,
    );
    check(
        text,
        "output.names[1]",
        r#"
# unknown: aws_x.y["q"].id is set by the provider
#   known with: --set 'aws_x.y["q"].id=VALUE'
#   way: output.names[1] <- aws_x.y["q"].id
output.names[1] = (known after apply)
  aws_x.y["q"].id = (known after apply)
    provider = (known after apply) # set by the provider
"#,
    );
    check(
        text,
        "module.m[\"p\"].var.size",
        r#"
module.m["p"].var.size = 3
  default = 3
"#,
    );
}

#[test]
fn secrets_hide_their_value_and_the_choices_that_they_make() {
    let text = r#"
variable "pw" {
  sensitive = true
  default   = "Mrk1"
}
locals {
  url    = "u-${var.pw}"
  choice = var.pw == "Mrk1" ? "Yes9" : "No9"
  open   = nonsensitive(local.choice)
  made   = sensitive("Mrk2")
}
"#;
    check(
        text,
        "local.url",
        r#"
# sensitive: var.pw is declared sensitive
#   way: local.url <- var.pw
local.url = (sensitive value)
  "u-${var.pw}"
    var.pw = (sensitive value) # var.pw is declared sensitive
      default = (sensitive value)
"#,
    );
    let found = explained(text, "local.choice");
    assert!(found.contains("the branch is not known"), "{found}");
    let found = explained(text, "local.open");
    assert!(found.contains("local.open = \"Yes9\"") && found.contains("nonsensitive() ends"), "{found}");
    let found = explained(text, "local.made");
    assert!(found.contains("sensitive() marks the value") && !found.contains("Mrk2"), "{found}");
}

#[test]
fn an_argument_of_a_sensitive_variable_is_hidden_where_it_is_written() {
    let files = MemoryFiles::from_iter([
        ("main.tf", "module \"m\" {\n  source = \"./m\"\n  pw = { a = upper(\"Mrk3\") }\n}\n"),
        (
            "m/main.tf",
            "variable \"pw\" { sensitive = true }\noutput \"o\" {\n  value = var.pw.a\n  sensitive = true\n}\n",
        ),
    ]);
    let report = Project::new(".").evaluate(&files);
    for address in ["module.m.var.pw", "module.m.var.pw.a", "module.m.output.o", "module.m.o"] {
        let explanation = report.explain(address, Secrets::Hidden, &files).expect("it exists");
        let found = explanation.to_text(9) + &explanation.to_json();
        assert!(!found.to_lowercase().contains("mrk3"), "{address}: {found}");
        let shown = report.explain(address, Secrets::Shown, &files).expect("it exists").to_text(9);
        assert!(shown.contains("MRK3"), "{address}: {shown}");
    }
}

#[test]
fn addresses_that_name_nothing_are_errors() {
    let text = "locals { zone = [1] }\nresource \"a_b\" \"c\" { count = 2 }\n\
                module \"m\" {\n  source = \"./child\"\n  names = []\n}\n";
    for (address, expected) in [
        ("local.zome", "There is no local value `zome`."),
        ("local.zone[3]", "`local.zone` has no part `[3]`."),
        ("a_b.c.id", "`a_b.c.id` names no instance of its block."),
        ("a_b.d", "There is no resource `a_b.d`."),
        ("1 + 1", "`1 + 1` is not an address."),
        ("each.key", "`each.key` is a built-in value, which has no address."),
        ("local.zone more", "`local.zone more` is not an address."),
        ("module.x.y", "There is no module call `x`."),
        ("module.m.idd", "There is no output `idd` in `module.m`."),
        ("module.m.local.y", "There is no local value `y` in `module.m`."),
        ("data.x", "`data.x` is not the address of an object."),
        ("main.tf", "`main.tf` names a file without a line."),
        ("data.x.y", "There is no data source `data.x.y`."),
        ("resource.a_b.d", "There is no resource `a_b.d`."),
        ("check.c", "`check.c` is the address of a check, which has no value."),
        ("import.a_b.c", "`import.a_b.c` is the address of an import, which has no value."),
        ("provider.aws", "`provider.aws` is the address of a provider, which has no value."),
        ("main.tf:9", "No expression, and no block that has a value, is at `main.tf:9`."),
    ] {
        assert_eq!(explained(text, address), expected);
    }
}

#[test]
fn the_way_to_an_unknown_element_of_a_loop_goes_through_it() {
    let text = r#"
resource "aws_instance" "w" {
  for_each = { a = 1 }
}
locals {
  all  = [for w in aws_instance.w : w.arn]
  text = join(",", local.all)
}
"#;
    let found = explained(text, "local.text");
    assert!(found.contains("#   way: local.text <- local.all <- aws_instance.w[\"a\"].arn\n"), "{found}");
}

#[test]
fn a_block_on_one_line_has_its_expression_there() {
    let text = "locals { a = \"x\" }\noutput \"o\" { value = upper(local.a) }\n";
    for line in ["main.tf:2", "./main.tf:2"] {
        let found = explained(text, line);
        assert!(found.contains("upper(local.a)") && found.contains("\"X\""), "{line}: {found}");
    }
}

#[test]
fn a_line_of_a_file_is_its_expression_in_each_instance() {
    let text = "resource \"a_b\" \"c\" {\n  count = 2\n  tags = {\n    Name = \"n${count.index}\"\n  }\n}\n";
    check(
        text,
        "main.tf:4",
        r#"
# a_b.c[0], main.tf:4
"n${count.index}" is "n0"
  count.index = 0 # from count

# a_b.c[1], main.tf:4
"n${count.index}" is "n1"
  count.index = 1 # from count
"#,
    );
}

#[test]
fn assignments_that_lose_are_named() {
    let files = MemoryFiles::from_iter([
        ("main.tf", "variable \"n\" {\n  type    = number\n  default = 1\n}\n"),
        ("terraform.tfvars", "n = \"2\"\n"),
    ]);
    let report = Project::new(".").variable("n", "3").evaluate(&files);
    let explanation = report.explain("var.n", Secrets::Hidden, &files).expect("it exists");
    let expected = r#"
var.n = 3                   # main.tf:1:1
  option -var n=... = "3"        # converted to number
  not used: variable file = "2"  # terraform.tfvars:1:5
  not used: default = 1     # main.tf:3:13
"#;
    let found = explanation.to_text(5);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&found), words(expected), "{found}");
}

#[test]
fn dependents_are_found_across_modules() {
    let text = r#"
variable "a" { default = 1 }
locals { b = var.a }
module "m" {
  source = "./child"
  names  = [tostring(local.b)]
  count  = 2
}
module "n" {
  source     = "./child"
  names      = []
  depends_on = [module.m]
}
output "first" { value = module.m[0].first }
output "m" { value = module.m }
resource "x_y" "z" {
  for_each = toset([for m in module.m : m.first])
  tags     = { a = 1 }
}
"#;
    let files = MemoryFiles::from_iter([("main.tf", text), ("child/main.tf", CHILD)]);
    let report = Project::new(".").evaluate(&files);
    let found = |address: &str| report.dependents(address, &files).expect("it exists");
    let text = found("var.a").to_text();
    let lines: Vec<&str> =
        text.lines().map(|line| line.split("  #").next().unwrap_or_default().trim_end()).collect();
    assert_eq!(
        lines,
        [
            "# 12 dependents of var.a: 1 local value, 1 module call, 6 outputs, 1 resource, 3 variables (1 resource instance)",
            "var.a",
            "  local.b",
            "    module.m.var.names",
            "      module.m.output.first",
            "        output.first",
            "        output.m",
            "        x_y.z",
            "      module.m.output.all",
            "      module.n",
            "        module.n.var.names",
            "        module.n.var.size",
            "        module.n.output.first",
            "        module.n.output.all",
        ],
        "{text}"
    );
    assert_eq!(found("output.m").summary(), "nothing depends on output.m");
    // The number of instances of a call affects all objects of its module.
    let of_call = found("module.m").found;
    assert!(
        of_call.iter().any(|found| found.address.to_string() == "module.m.var.size" && found.via.is_none())
    );
}

#[test]
fn the_page_has_the_document_as_data() {
    let text = "locals {\n  a = \"</script><b>\"\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let explanation =
        Project::new(".").evaluate(&files).explain("local.a", Secrets::Hidden, &files).expect("it exists");
    let page = explanation.to_html();
    assert!(page.contains(&explanation.to_json()) && !page.contains("@DATA@"), "{page}");
    // The data must not end the script early: only the elements of the page have end tags.
    assert_eq!(page.matches("</script>").count(), 2);
}

#[test]
fn a_value_given_for_an_attribute_concerns_no_attribute_with_a_longer_name() {
    let text = "resource \"aws_x\" \"y\" {\n  id_token = upper(\"tok\")\n}\nmodule \"gone\" {\n  source = \"./gone\"\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let given = Project::new(".").set("aws_x.y.id", "\"i\"").set("module.gone.o", "\"p\"");
    let report = given.evaluate(&files);
    let found =
        |address: &str| report.explain(address, Secrets::Hidden, &files).expect("it exists").to_text(5);
    assert!(found("aws_x.y.id_token").contains("upper(\"tok\")"), "{}", found("aws_x.y.id_token"));
    assert!(found("aws_x.y.id").contains("option --set aws_x.y.id"), "{}", found("aws_x.y.id"));
    assert!(
        found("module.gone.o").contains("the output.o is given by option --set module.gone.o"),
        "{}",
        found("module.gone.o")
    );
    assert!(
        found("module.gone.o2").contains("the module is not read: module.gone has an error"),
        "{}",
        found("module.gone.o2")
    );
}

#[test]
fn an_element_of_a_sorted_set_is_found_in_the_list_that_the_set_is_of() {
    let text = r#"
locals {
  src  = ["bb", "aa"]
  list = tolist(toset(local.src))[0]
  cut  = slice(tolist(toset(local.src)), 1, 2)[0]
  join = concat(["x"], tolist(toset(local.src)))[1]
  one  = one(toset([upper(local.src[0])]))
}
"#;
    for (address, element) in [
        ("local.list", "src[1] = \"aa\""),
        ("local.cut", "src[0] = \"bb\""),
        ("local.join", "src[1] = \"aa\""),
    ] {
        let found = explained(text, address);
        assert!(found.contains(element), "{address}: {found}");
    }
    assert!(explained(text, "local.one").contains("src[0] = \"bb\""), "{}", explained(text, "local.one"));
}

#[test]
fn members_of_secret_sets_are_hidden_in_paths() {
    let text = r#"
variable "pw" {
  sensitive = true
  default   = ["Mrk1", "Mrk2"]
}
locals {
  set  = toset(var.pw)
  list = tolist(toset(var.pw))[0]
}
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    for address in ["local.set[0]", "local.list", "var.pw[0]"] {
        let explanation = report.explain(address, Secrets::Hidden, &files).expect("it exists");
        let found = explanation.to_text(9) + &explanation.to_json();
        assert!(found.contains("(sensitive value)") && !found.contains("Mrk"), "{address}: {found}");
    }
}

#[test]
fn a_line_in_a_loop_or_provisioner_has_the_value_of_its_names() {
    let text = r#"locals {
  one = [
    for v in [{ q = "only" }] :
      v.q
  ]
  many = [
    for v in [{ q = "a" }, { q = "b" }] :
      v.q
  ]
}
resource "x_y" "z" {
  a = "x"
  dynamic "blk" {
    for_each = ["u"]
    content {
      z = blk.value
    }
  }
  provisioner "local-exec" {
    command = self.a
  }
}
"#;
    for (line, expected) in [
        (4, "v.q is \"only\""),
        (8, "# local.many, main.tf:8, element [1]\nv.q is \"b\"\n  \"b\""),
        (16, "blk.value is \"u\""),
        (20, "self.a is \"x\""),
    ] {
        let found = explained(text, &format!("main.tf:{line}"));
        assert!(found.contains(expected), "{line}: {found}");
    }
}

#[test]
fn an_address_may_begin_with_the_kind_of_block() {
    let text = "resource \"a_b\" \"c\" {\n  count = 2\n  n = upper(\"n${count.index}\")\n}\n";
    check(
        text,
        "resource.a_b.c[1].n",
        r#"
a_b.c[1].n = "N1"
  upper("n${count.index}")
    "n${count.index}" is "n1"
      count.index = 1 # from count
"#,
    );
}

#[test]
fn computed_keys_of_an_object_are_inputs() {
    let text = r#"
variable "pw" {
  sensitive = true
  default   = "Mrk1"
}
locals { k = { (var.pw) = 1, plain = 2 } }
"#;
    check(
        text,
        "local.k",
        r#"
# sensitive: var.pw is declared sensitive
#   way: local.k <- var.pw
local.k = (sensitive value)
  { (var.pw) = 1, plain = 2 }
    key: var.pw = (sensitive value) # var.pw is declared sensitive
      default = (sensitive value)
"#,
    );
}

#[test]
fn a_computed_key_is_an_input_beside_the_element() {
    let text = r#"
variable "rules" { default = { a = [1, "x"], b = [2, "y"] } }
variable "names" { default = ["b", "a"] }
locals {
  i    = 1
  pick = "k"
  p    = var.rules[var.names[local.i]][0]
  q    = { k = var.names }[local.pick][local.i]
  r    = [for n in var.names : var.rules[n][1]]
}
"#;
    check(
        text,
        "local.p",
        r#"
local.p = 1
  var.rules[var.names[local.i]][0]
    var.rules.a[0] = 1
      default.a[0] = 1
    key: var.names[local.i] is "a"
      var.names[1] = "a"
        default[1] = "a"
      key: local.i = 1
"#,
    );
    check(
        text,
        "local.q",
        r#"
local.q = "a"
  { k = var.names }[local.pick][local.i]
    var.names[1] = "a"
      default[1] = "a"
    key: local.pick = "k"
    key: local.i = 1
"#,
    );
    check(
        text,
        "local.r[1]",
        r#"
local.r[1] = "x"
  [for n in var.names : var.rules[n][1]] # element [1] of 2
    var.rules[n][1]
      var.rules.a[1] = "x"
        default.a[1] = "x"
      key: var.names[1] = "a"
        default[1] = "a"
"#,
    );
}

#[test]
fn a_part_that_an_object_does_not_have_has_no_provider() {
    let text = "resource \"terraform_data\" \"a\" { input = { x = 1 } }\noutput \"o\" { value = try(terraform_data.a.output.nope, \"d\") }\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let shown = report.explain("output.o", Secrets::Hidden, &files).expect("it exists").to_text(6);
    let last = "    passed over, argument 1: terraform_data.a.output.nope = (error)  # main.tf:1:1  there is no such part\n";
    assert!(shown.ends_with(last), "{shown}");
}

#[test]
fn kept_costly_parts_are_not_evaluated_again() {
    let text = r#"
locals {
  names = merge({ for n in range(100) : n => slow(n) }, { b = 2 })
  all   = keys(local.names)
}
resource "x_y" "r" {
  count = 2
  a     = sum([for n in range(100) : slow(n)]) + count.index
}
"#;
    let calls = |address: &str, keeps: bool| {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let slow = Function::new("slow", "Counts its calls.", ResultType::Fixed(Type::Number), move |call| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(call.argument(0).clone())
        });
        let slow = slow.parameter(Parameter::new("value", Type::Number));
        let project = Project::new(".").function(slow).keeps_parts(keeps);
        let files = MemoryFiles::from_iter([("main.tf", text)]);
        let report = project.evaluate(&files);
        let before = calls.load(Ordering::Relaxed);
        report.explain(address, Secrets::Hidden, &files).expect("it exists");
        calls.load(Ordering::Relaxed) - before
    };
    for address in ["local.all", "x_y.r[1].a"] {
        assert_eq!(calls(address, true), 0, "{address}");
        assert!(calls(address, false) > 0, "without it they are: {address}");
    }
}

#[test]
fn a_recorded_attribute_names_the_state() {
    let recorded = r#"{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": [{
        "mode": "managed", "type": "x_y", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/x\"]",
        "instances": [{"schema_version": 0, "attributes": {"id": "i-1", "name": "n"}}]}]}"#;
    let state = crate::state_from_json(recorded).expect("a state");
    let files = MemoryFiles::from_iter([("main.tf", "resource \"x_y\" \"a\" { name = \"n\" }\n")]);
    let report = Project::new(".").state(state).evaluate(&files);
    let explanation = report.explain("x_y.a.id", Secrets::Hidden, &files).expect("it exists");
    let wanted = "x_y.a.id = \"i-1\"    # main.tf:1:1  of the given state\n  \
                  provider = \"i-1\"  # main.tf:1:1  recorded in the state\n";
    assert_eq!(explanation.to_text(10), wanted);
}

#[test]
fn a_dense_graph_has_a_bounded_number_of_lines() {
    let local = |at: usize| {
        let terms: String = (0..at).map(|one| format!(" + local.l{one}")).collect();
        format!("l{at} = 1{terms}\n")
    };
    let text = format!("locals {{\n{}}}\n", (0..60).map(local).collect::<String>());
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let explanation = report.explain("local.l59", Secrets::Hidden, &files).expect("it exists");
    let shown = explanation.to_text(usize::MAX);
    assert!(shown.lines().count() < 60 * 12, "{shown}");
    for name in 0..60 {
        assert!(shown.contains(&format!("local.l{name} = ")), "{name}: {shown}");
    }
    assert!(shown.contains("... 49 more (shown above)\n"), "{shown}");
}

#[test]
fn shared_parts_of_a_value_are_searched_once() {
    // Each list contains all earlier lists, so the number of parts doubles with each. The limit on parts stops the last ones.
    let local = |at: usize| {
        let all: String = (0..at).map(|one| format!("local.l{one},")).collect();
        format!("l{at} = [{all} var.x]\n")
    };
    let text = format!("variable \"x\" {{}}\nlocals {{\n{}}}\n", (0..60).map(local).collect::<String>());
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let explanation = report.explain("local.l20", Secrets::Hidden, &files).expect("it exists");
    assert!(explanation.to_text(3).contains("var.x"));
}

#[test]
fn nodes_behind_the_depth_have_a_bounded_number_of_lines() {
    // The last local comes first, so that the depth cuts before most of the other locals are shown.
    let local = |at: usize| {
        let terms: String = (0..at).rev().map(|one| format!(" + local.l{one}")).collect();
        format!("l{at} = 1{terms}\n")
    };
    let text = format!("locals {{\n{}}}\n", (0..60).map(local).collect::<String>());
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let explanation = report.explain("local.l59", Secrets::Hidden, &files).expect("it exists");
    let shown = explanation.to_text(6);
    assert!(shown.lines().count() < 60 * 12, "{} lines", shown.lines().count());
}

#[test]
fn the_dialect_decides_whether_a_first_name_is_a_type() {
    let text = "resource \"tofu\" \"main\" {\n  size = 1\n}\n";
    let found = |dialect: &str| {
        explained_by(&Project::new(".").dialect(dialect.parse().unwrap()), text, "tofu.main.size")
    };
    let (terraform, opentofu) = (found("terraform-1.14"), found("opentofu-1.10"));
    assert!(terraform.starts_with("tofu.main.size = 1\n"), "{terraform}");
    assert!(opentofu.starts_with("`tofu.main` is a built-in value"), "{opentofu}");
}
