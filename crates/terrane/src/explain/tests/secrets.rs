//! Secrets in explanations: values, keys and types stay hidden.

use terrane_source::MemoryFiles;

use crate::{Project, Secrets};

#[test]
fn parts_of_secrets_are_hidden() {
    let text = r#"
variable "pw" {
  sensitive = true
  default   = "s"
}
variable "shape" {
  type      = object({ p = optional(string, "MARKER") })
  sensitive = true
  default   = {}
}
locals {
  parts = sensitive(split(",", "MARKER,b"))
  whole = sensitive(join("-", ["MARKER", path.module]))
}
output "a" {
  value     = "postgres://admin:MARKER@${var.pw}"
  sensitive = true
}
output "b" {
  value     = join("/", ["MARKER", var.pw])
  sensitive = true
}
output "c" {
  value     = module.m.o
  sensitive = true
}
module "m" {
  source = "./m"
  v      = "MARKER-${var.pw}"
}
"#;
    let called = "variable \"v\" {\n  sensitive = true\n}\noutput \"o\" {\n  value     = var.v\n  sensitive = true\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text), ("m/main.tf", called)]);
    let report = Project::new(".").evaluate(&files);
    for address in [
        "local.parts",
        "local.parts[0]",
        "local.whole",
        "output.a",
        "output.b",
        "output.c",
        "var.shape.p",
        "module.m.var.v",
    ] {
        let explanation = report.explain(address, Secrets::Hidden, &files).expect(address);
        let all = explanation.to_text(usize::MAX) + &explanation.to_json() + &explanation.to_html();
        assert!(!all.contains("MARKER"), "{address}: {all}");
    }
}

#[test]
fn the_only_element_of_a_secret_has_no_key_on_a_line() {
    let text = r#"
variable "users" {
  sensitive = true
  default   = { MARKERUSER = "MARKERVALUE" }
}
locals {
  lines = [
    for name, value in var.users :
    "${name}=${value}"
  ]
}
resource "demo_thing" "t" {
  dynamic "rule" {
    for_each = var.users
    labels   = [rule.key]
    content {
      name  = rule.key
      value = rule.value
    }
  }
}
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    for line in [9, 15, 17, 18] {
        let address = format!("main.tf:{line}");
        let explanation = report.explain(&address, Secrets::Hidden, &files).expect(&address);
        let all = explanation.to_text(usize::MAX) + &explanation.to_json() + &explanation.to_html();
        assert!(!all.contains("MARKER"), "{address}: {all}");
        let shown = report.explain(&address, Secrets::Shown, &files).expect(&address);
        assert!(shown.to_text(usize::MAX).contains("MARKERUSER"), "{address}");
    }
}

#[test]
fn keys_of_secrets_are_hidden_in_types_and_texts() {
    let text = r#"
variable "users" {
  sensitive = true
  default   = { MARKERUSER = "x" }
}
resource "terraform_data" "a" { input = var.users }
resource "terraform_data" "b" { input = { s = var.users, l = [var.users], o = 1 } }
locals {
  a = sensitive({ MARKERBARE = "x", "MARKERQUOTED" = "y" })
  k = keys(terraform_data.a.output)
}
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    for address in [
        "terraform_data.a",
        "terraform_data.a.output",
        "terraform_data.b",
        "terraform_data.b.output",
        "local.a",
        "local.k",
        "main.tf:9",
    ] {
        let explanation = report.explain(address, Secrets::Hidden, &files).expect(address);
        let all = explanation.to_text(usize::MAX) + &explanation.to_json() + &explanation.to_html();
        assert!(!all.contains("MARKER"), "{address}: {all}");
    }
    let explanation = report.explain("terraform_data.b.output", Secrets::Hidden, &files).expect("it exists");
    assert!(explanation.to_json().contains(r#""type":"dynamic""#), "{}", explanation.to_json());
    let hidden = report.explain("local.k", Secrets::Hidden, &files).expect("it exists").to_text(10);
    let cause = "# sensitive: terraform_data.a.output has names of attributes in a secret input\n";
    assert!(hidden.starts_with(cause), "{hidden}");
    let shown = report.explain("local.k", Secrets::Shown, &files).expect("it exists").to_json();
    assert!(shown.contains(r#""value":["MARKERUSER"]"#), "{shown}");
}

/// Returns the texts of the explanations of the line that contains a fragment.
fn line(text: &str, fragment: &str) -> String {
    let line = text.lines().position(|line| line.contains(fragment)).expect(fragment) + 1;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    report.explain(&format!("main.tf:{line}"), Secrets::Hidden, &files).expect(fragment).to_text(10)
}

#[test]
fn the_neighbours_of_secrets_are_shown_on_their_lines() {
    let text = r#"
variable "pw" {
  sensitive = true
  default   = "MARKER"
}
variable "n" { default = "plain" }
resource "terraform_data" "r" {
  for_each = { k = 1 }
  input = {
    name = each.key
    size = 1 + length(path.module)
    lit  = "abc"
    pw   = var.pw
    list = ["x",
      "y-${var.pw}"]
  }
}
output "o" {
  sensitive   = true
  description = "text"
  value = {
    host = "HOSTMARKER"
  }
  precondition {
    condition     = var.n == "plain"
    error_message = "not plain"
  }
}
"#;
    for (fragment, shown) in [
        ("name = each.key", "each.key = \"k\""),
        ("size = 1", "1 + length(path.module) is 2"),
        ("lit  =", "\"abc\""),
        ("sensitive   =", "true"),
        ("description", "\"text\""),
        ("condition ", "var.n == \"plain\" is true"),
        ("error_message", "\"not plain\""),
        ("list =", "\"x\","),
    ] {
        let found = line(text, fragment);
        assert!(found.contains(shown), "{fragment}: {found}");
        assert!(!found.contains("MARKER"), "{fragment}: {found}");
    }
    let found = line(text, "pw   =");
    assert!(found.starts_with("# sensitive: var.pw is declared sensitive\n"), "{found}");
    let found = line(text, "host =");
    assert!(found.starts_with("# sensitive: output.o is declared sensitive\n"), "{found}");
    assert!(found.contains("(sensitive expression) is (sensitive value)"), "{found}");
}

#[test]
fn the_schema_that_marks_a_value_is_named() {
    let schemas = r#"{"format_version":"1.0","provider_schemas":{"registry.terraform.io/hashicorp/demo":{"resource_schemas":{
        "demo_thing":{"version":0,"block":{"attributes":{
            "secret":{"type":"string","optional":true,"sensitive":true},
            "token":{"type":"string","computed":true,"sensitive":true},
            "name":{"type":"string","optional":true}}}}}}}}"#;
    let text = "resource \"demo_thing\" \"t\" {\n  secret = \"MARKER\"\n  name   = \"n\"\n}\noutput \"s\" {\n  sensitive = true\n  value     = demo_thing.t.secret\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let schemas = crate::schemas_from_json(schemas).expect("schemas");
    let report = Project::new(".").schemas(&schemas).evaluate(&files);
    let secret = "# sensitive: the schema of demo_thing declares `secret` sensitive\n";
    let token = "# sensitive: the schema of demo_thing declares `token` sensitive\n";
    for (address, reason) in [
        ("demo_thing.t.secret", secret),
        ("demo_thing.t.token", token),
        ("demo_thing.t", "# sensitive: the schema of demo_thing declares `secret`, `token` sensitive\n"),
        ("output.s", secret),
        ("main.tf:2", "# sensitive: the schema of demo_thing.t declares `secret` sensitive\n"),
    ] {
        let found = report.explain(address, Secrets::Hidden, &files).expect(address).to_text(9);
        assert!(found.contains(reason) && !found.contains("MARKER"), "{address}: {found}");
    }
}

#[test]
fn an_ephemeral_resource_hides_its_arguments_and_is_named_as_the_origin_of_the_mark() {
    let text = r#"
ephemeral "aws_e" "e" {
  name = "MARKER"
}
variable "token" {
  ephemeral = true
  default   = "MARKER"
}
locals {
  l = ephemeral.aws_e.e.name
  t = var.token
}
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    for (address, origin) in [
        ("local.l", "# sensitive: ephemeral.aws_e.e is ephemeral"),
        ("ephemeral.aws_e.e", "# sensitive: ephemeral.aws_e.e is ephemeral"),
        ("local.t", "# sensitive: var.token is declared ephemeral"),
    ] {
        let explanation = report.explain(address, Secrets::Hidden, &files).expect(address);
        let all = explanation.to_text(9) + &explanation.to_json() + &explanation.to_html();
        assert!(all.starts_with(origin) && !all.contains("MARKER"), "{all}");
    }
    let found = report.explain("local.t", Secrets::Hidden, &files).expect("a local value").to_text(9);
    assert!(found.contains("default = (ephemeral value)"), "{found}");
}

const DECLARED: &str = r#"
variable "p" {
  default   = "pp"
  sensitive = true
}
variable "q" {
  default   = "qq"
  sensitive = true
}
variable "key" { default = "b" }
locals {
  map = { a = var.p, b = "plain" }
  lst = [var.p, "plain"]
}
module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  v        = each.key == "a" ? var.p : each.key
}
output "index" {
  value     = local.map["b"]
  sensitive = true
}
output "computed" {
  value     = local.map[var.key]
  sensitive = true
}
output "module" {
  value     = module.m["b"].v
  sensitive = true
}
output "tuple" {
  value     = [local.lst[1]]
  sensitive = true
}
output "merged" {
  value     = merge({ a = var.p }, { a = "z" })
  sensitive = true
}
output "branch" {
  value     = true ? "c" : var.p
  sensitive = true
}
output "template" {
  value     = "${local.map["b"]}-${var.q}"
  sensitive = true
}
output "half" {
  value     = merge({ a = var.p, c = 1 }, { a = "z" }, { b = var.q })
  sensitive = true
}
"#;

#[test]
fn a_declared_secret_names_only_the_inputs_that_taint_it() {
    let called = "variable \"v\" {}\noutput \"v\" {\n  value = var.v\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", DECLARED), ("m/main.tf", called)]);
    let report = Project::new(".").evaluate(&files);
    let taints = |name: &str| {
        let address = format!("output.{name}");
        let explanation = report.explain(&address, Secrets::Hidden, &files).expect("it exists");
        let text = explanation.to_text(9);
        let found = text.lines().filter_map(|line| line.strip_prefix("# sensitive: "));
        (found.map(str::to_owned).collect::<Vec<_>>(), text)
    };
    for name in ["index", "computed", "module", "tuple", "merged", "branch"] {
        let (found, text) = taints(name);
        assert_eq!(found, [format!("output.{name} is declared sensitive")], "{text}");
        assert!(!text.contains("not known"), "{text}");
    }
    for name in ["template", "half"] {
        let (found, text) = taints(name);
        let expected =
            [format!("output.{name} is declared sensitive"), "var.q is declared sensitive".to_owned()];
        assert_eq!(found, expected, "{text}");
    }
    let (_, text) = taints("index");
    assert!(text.contains("local.map.b = \"plain\""), "{text}");
}

const WRITE_ONLY: &str = r#"
resource "demo_net" "n" {
  wo   = upper("marker")
  conn = { host = "HOST", ws = "MARKER" }
  list = [{ ws = "MARKER" }]
  made = merge({ host = "HOST", ws = "MARKER" }, {})
  name = "NAME"
  dynamic "blk" {
    for_each = ["MARKER"]
    content {
      ws = blk.value
    }
  }
  one {
    note = "NOTE"
    ws   = "MARKER"
  }
  open = {
    host = "OPEN"
    ws   = "MARKER"
  }
}
"#;

/// Returns schemas with the write-only attribute `ws` in nested attributes and blocks.
fn write_only_schemas() -> String {
    let nested = |nesting: &str| {
        format!(
            r#"{{"optional":true,"nested_type":{{"nesting_mode":"{nesting}","attributes":{{
            "host":{{"type":"string","optional":true}},
            "ws":{{"type":"string","optional":true,"write_only":true}}}}}}}}"#
        )
    };
    let block = |nesting: &str| {
        format!(
            r#"{{"nesting_mode":"{nesting}","block":{{"attributes":{{
            "note":{{"type":"string","optional":true}},
            "ws":{{"type":"string","optional":true,"write_only":true}}}}}}}}"#
        )
    };
    let (single, list) = (nested("single"), nested("list"));
    format!(
        r#"{{"format_version":"1.0","provider_schemas":{{"registry.terraform.io/hashicorp/demo":{{"resource_schemas":{{
        "demo_net":{{"version":0,"block":{{"attributes":{{
            "name":{{"type":"string","optional":true}},
            "wo":{{"type":"string","optional":true,"write_only":true}},
            "conn":{single},"made":{single},"open":{single},"list":{list}}},
            "block_types":{{"blk":{},"one":{}}}}}}}}}}}}}}}"#,
        block("list"),
        block("single")
    )
}

#[test]
fn write_only_arguments_are_hidden_at_any_depth() {
    let files = MemoryFiles::from_iter([("main.tf", WRITE_ONLY)]);
    let schemas = crate::schemas_from_json(&write_only_schemas()).expect("schemas");
    let report = Project::new(".").schemas(&schemas).evaluate(&files);
    let parts = [
        "",
        ".wo",
        ".conn",
        ".conn.host",
        ".conn.ws",
        ".list",
        ".list[0]",
        ".list[0].ws",
        ".made",
        ".made.host",
        ".blk",
        ".blk[0].ws",
        ".one",
        ".one.ws",
        ".open",
    ];
    let parts = parts.map(|part| format!("demo_net.n{part}"));
    let lines = (2..=WRITE_ONLY.lines().count()).map(|line| format!("main.tf:{line}"));
    let mut shown = String::new();
    for address in parts.into_iter().chain(lines) {
        let Ok(explanation) = report.explain(&address, Secrets::Hidden, &files) else { continue };
        let text = explanation.to_text(usize::MAX);
        let all = text.clone() + &explanation.to_json() + &explanation.to_html();
        assert!(!all.contains("MARKER") && !all.contains("marker"), "{address}: {text}");
        shown += &format!("{address}:\n{text}\n");
    }
    for visible in [
        "\"NAME\"",
        "\"NOTE\"",
        "host = \"HOST\"",
        "\"OPEN\"",
        "wo: (sensitive expression)",
        "blk: (sensitive expression)",
    ] {
        assert!(shown.contains(visible), "{visible}: {shown}");
    }
}

#[test]
fn the_keys_in_declared_secrets_choose_the_way_and_are_hidden() {
    let text = r#"
variable "v" { default = "plain" }
output "found" {
  value     = lookup({ MARKER = var.v }, "MARKER")
  sensitive = true
}
output "missing" {
  value     = lookup({ a = "x" }, "MARKER", var.v)
  sensitive = true
}
output "loop" {
  value     = { for x in ["MARKER"] : x => x }["MARKER"]
  sensitive = true
}
output "object" {
  value     = { MARKER = var.v }
  sensitive = true
}
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    for (name, how) in [
        ("found", "the map has the key"),
        ("missing", "the default, because the map has no key"),
        ("loop", ""),
        ("object", "var.v = \"plain\""),
    ] {
        let address = format!("output.{name}");
        let explanation = report.explain(&address, Secrets::Hidden, &files).expect(&address);
        let text = explanation.to_text(usize::MAX);
        let all = text.clone() + &explanation.to_json() + &explanation.to_html();
        assert!(!all.contains("MARKER") && text.contains(how), "{address}: {all}");
        let shown = report.explain(&address, Secrets::Shown, &files).expect(&address);
        assert!(shown.to_json().contains("MARKER"), "{address}");
    }
}
