//! Loops: lines within them, keys and groups.

use super::{check, explained};

const LOOPS: &str = r#"locals {
  env = lower("DEV")
  all = [
    for z in ["a", "b", "c"] :
    "${local.env}-${z}"
    if z != "b"
  ]
  text = <<-EOT
    %{for a in ["x", "y"]}%{for b in [a]}
    ${a}-${b}
    %{endfor}%{endfor}
  EOT
  none = [
    for z in [] :
    upper(z)
  ]
}
resource "x_y" "d" {
  dynamic "rule" {
    for_each = { for i, v in local.all : v => i }
    content {
      name = rule.key
    }
  }
}
resource "x_y" "e" {
  for_each = toset([])
  name = each.key
}
module "w" {
  source = "./child"
  count  = 0
  names  = [count.index]
}
"#;

#[test]
fn a_line_in_a_loop_is_explained_for_each_element_that_reaches_it() {
    let body = "# local.all, main.tf:5, element [0]\n\"${local.env}-${z}\" is \"dev-a\"\n  local.env = \"dev\"\n    lower(\"DEV\")\n  \
                \"a\"\n\n# local.all, main.tf:5, element [2]\n\"${local.env}-${z}\" is \"dev-c\"\n  local.env = \"dev\"\n    lower(\"DEV\")\n  \
                \"c\"\n";
    check(LOOPS, "main.tf:5", body);
    let condition = explained(LOOPS, "main.tf:6");
    for line in ["element [1]\nz != \"b\" is false\n", "element [2]\nz != \"b\" is true\n"] {
        assert!(condition.contains(line), "{condition}");
    }
    let template = explained(LOOPS, "main.tf:10");
    assert!(template.contains("# local.text, main.tf:10, element [1]\n"), "{template}");
    assert!(!template.contains("known after apply"), "{template}");
    let content = explained(LOOPS, "main.tf:22");
    assert!(content.contains("# x_y.d, main.tf:22, element [\"dev-c\"]\nrule.key = \"dev-c\""), "{content}");
}

#[test]
fn a_line_that_nothing_reaches_says_why() {
    for (line, expected) in [
        (15, "`main.tf:15` is in a loop without elements, or with a condition that none of them fulfils."),
        (28, "`main.tf:28` is in `x_y.e`, which has no instances."),
        (33, "`main.tf:33` is in `module.w`, which has no instances."),
    ] {
        assert_eq!(explained(LOOPS, &format!("main.tf:{line}")), expected);
    }
    assert_eq!(
        explained(LOOPS, "child/main.tf:4"),
        "`child/main.tf:4` is in `module.w`, which has no instances."
    );
    check(LOOPS, "module.w", "module.w = []\n  instances: 0\n");
    check(LOOPS, "x_y.e", "x_y.e = {} # all instances\n  instances: toset([]) is []\n");
}

#[test]
fn a_key_leads_to_the_expression_that_computes_it() {
    let rule = "x_y.d.rule[1].name = \"dev-c\"\n  rule.key = \"dev-c\" # of element [\"dev-c\"]\n    \
                .dev-c of { for i, v in local.all : v => i } is 1 # element [1] of 2\n      \
                key: local.all[1] = \"dev-c\"\n";
    let found = explained(LOOPS, "x_y.d.rule[1].name");
    assert!(found.starts_with(rule), "{found}");
    let text =
        "locals {\n  up   = { for k in [\"a\"] : upper(k) => 1 }\n  keys = [for k, v in local.up : k]\n}\n";
    let expected = "local.keys[0] = \"A\"\n  [for k, v in local.up : k] # element [\"A\"] of 1\n    \
                    k = \"A\" # of element [\"A\"]\n      local.up.A = 1\n        \
                    { for k in [\"a\"] : upper(k) => 1 } # element [0] of 1\n          key: upper(k) is \"A\"\n            \
                    \"a\"\n";
    check(text, "local.keys[0]", expected);
}

#[test]
fn a_key_of_instances_comes_from_their_block() {
    let text = "variable \"z\" { default = [\"k\"] }\nmodule \"m\" {\n  source   = \"./child\"\n  for_each = toset(var.z)\n  names    = [each.key]\n}\n\
                resource \"x_y\" \"r\" {\n  for_each = toset(var.z)\n  name     = upper(each.key)\n}\n\
                locals {\n  calls = module.m\n  of_m  = { for k, v in local.calls : k => v.all }\n  \
                of_r  = { for k, v in x_y.r : k => 1 }\n  of_o  = { for k, v in { one = module.m, (upper(\"a\")) = 2 } : k => k }\n}\n";
    let instances = "    key: k = \"k\" # of element [\"k\"]\n      instances: toset(var.z) is [\"k\"]\n        \
                     argument 1: var.z = [\"k\"]\n          default = [\"k\"]";
    for (address, value) in [("local.of_m.k", "\n    local.calls.k.all = [\"k\"]\n"), ("local.of_r.k", "")] {
        let found = explained(text, address);
        assert!(found.contains(&format!("{instances}{value}")), "{found}");
        assert!(!found.contains("output.first"), "{found}");
    }
    let found = explained(text, "local.of_o.one");
    assert!(!found.contains("module.m["), "{found}");
    let found = explained(text, "local.of_o.A");
    assert!(found.contains("key: upper(\"a\")"), "{found}");
}

#[test]
fn a_key_of_an_unknown_collection_has_its_cause() {
    let text = "variable \"v\" { type = map(string) }\nlocals {\n  a = [\n    for k, v in var.v :\n    upper(k)\n  ]\n}\n";
    let found = explained(text, "main.tf:5");
    assert!(found.contains("# unknown: ") && found.contains("known with: -var"), "{found}");
}

#[test]
fn a_group_comes_from_each_of_its_elements() {
    let text = "locals {\n  all = [{ k = \"x\", v = lower(\"A\") }, { k = \"y\", v = 2 }, { k = \"x\", v = lower(\"B\") }]\n  \
                by  = { for o in local.all : o.k => o.v... }\n}\n";
    let expected = "local.by.x = [\"a\", \"b\"]\n  { for o in local.all : o.k => o.v... } # 2 of 3 elements\n    \
                    key: local.all[0].k = \"x\"\n      \"x\"\n    local.all[0].v = \"a\"\n      lower(\"A\")\n    \
                    key: local.all[2].k = \"x\"\n      \"x\"\n    local.all[2].v = \"b\"\n      lower(\"B\")\n";
    check(text, "local.by.x", expected);
}

#[test]
fn a_value_without_secrets_has_no_marks() {
    let text = "variable \"s\" {\n  sensitive = true\n  default = \"q\"\n}\nlocals {\n  \
                a = nonsensitive(var.s)\n  b = [for k, v in { x = var.s } : k]\n  c = var.s\n}\n";
    for (line, is_secret) in [(6, false), (7, false), (8, true)] {
        let found = explained(text, &format!("main.tf:{line}"));
        assert_eq!(found.contains("# sensitive: var.s"), is_secret, "{found}");
    }
}

#[test]
fn a_whole_resource_has_the_content_of_its_dynamic_blocks() {
    let found = explained(LOOPS, "x_y.d");
    for line in [
        "  rule: { for i, v in local.all : v => i }",
        "  rule[0].name: rule.key = \"dev-a\"",
        "  rule[1].name: rule.key",
    ] {
        assert!(found.contains(line), "{found}");
    }
}

#[test]
fn objects_in_modules_of_unknown_number_have_addresses() {
    let text = "variable \"z\" { type = set(string) }\nmodule \"m\" {\n  source   = \"./child\"\n  for_each = var.z\n  names    = [\"a\"]\n}\n\
                resource \"x_y\" \"open\" {}\n";
    check(text, "module.m.var.size", "module.m.var.size = 3\n  default = 3\n");
    check(text, "module.m[\"k\"].var.size", "module.m.var.size = 3\n  default = 3\n");
    for address in ["module.m.output.all", "module.m.all"] {
        assert!(explained(text, address).starts_with("module.m.output.all = [\"a\"]\n"), "{address}");
    }
    for address in ["module.m.all[0]", "module.m[\"k\"].all[0]"] {
        assert!(explained(text, address).starts_with("module.m.output.all[0] = \"a\"\n"), "{address}");
    }
    assert_eq!(explained(text, "x_y.open"), "x_y.open = { ... }\n");
}

#[test]
fn a_reference_with_a_bound_name_in_brackets_has_no_value_outside_of_its_loop() {
    let text = r#"
locals {
  m = { a = 1 }
  n = "a"
  each = [for k in ["a"] : upper(local.m[k])]
  choice = [for n in [1] : [for b in ["b"] : local.m[n == 1 ? local.n : b]]]
  free = [for k in ["x"] : local.m[local.n]]
}
"#;
    check(
        text,
        "local.each",
        "local.each = [\"1\"]\n  [for k in [\"a\"] : upper(local.m[k])]\n    local.m = { a = 1 }\n",
    );
    let choice = "local.choice = [[1]]\n  [for n in [1] : [for b in [\"b\"] : local.m[n == 1 ? local.n : b]]]\n    \
                  local.m = { a = 1 }\n    local.n = \"a\"\n";
    check(text, "local.choice", choice);
    let free = explained(text, "local.free");
    assert!(free.contains("    local.m.a = 1\n"), "{free}");
}
