//! Comparisons as text and Markdown.

mod elements;

use terrane_source::MemoryFiles;

use crate::{Change, Comparison, Project, Schemas, Secrets, schemas_from_json, state_from_json};

fn difference(before: &str, after: &str) -> Comparison {
    let report = |text: &str| {
        let child = "variable \"n\" {}\nresource \"x_y\" \"in\" {\n  count = var.n\n  i = count.index\n}\n";
        let files = MemoryFiles::from_iter([("main.tf", text), ("child/main.tf", child)]);
        Project::new(".").evaluate(&files)
    };
    report(before).diff(&report(after), Secrets::Hidden)
}

/// Returns the lines without places.
fn lines(before: &str, after: &str) -> Vec<String> {
    let text = difference(before, after).to_text().unwrap();
    text.lines().map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
}

/// Of many instances, only those that differ are compared.
#[test]
fn instances_of_large_blocks_differ_one_by_one() {
    let text = |count: usize, argument: &str| {
        format!("resource \"a_b\" \"c\" {{\n  count = {count}\n  {argument}\n}}\n")
    };
    let by_index = "x = count.index";
    assert_eq!(lines(&text(20, by_index), &text(20, by_index)), ["No differences."]);
    assert_eq!(lines(&text(20, "x = plantimestamp()"), &text(20, "x = plantimestamp()")).len(), 1);
    let changed = lines(&text(20, by_index), &text(20, "x = count.index == 7 ? 70 : count.index"));
    assert_eq!(changed, ["~ a_b.c[7]", "~     x = 7 -> 70", "", "Resources: 1 changed."]);
    let fewer = lines(&text(20, by_index), &text(19, by_index));
    assert_eq!(fewer.first().map(String::as_str), Some("- a_b.c[19]"));
    let of_module = |count: &str| {
        format!(
            "module \"m\" {{\n  source = \"./child\"\n  count = {count}\n  n = 20\n}}\nvariable \"v\" {{}}\n"
        )
    };
    // The number of modules is unknown on one side, so the same instances may differ.
    let uncertain = difference(&of_module("1"), &of_module("var.v"));
    assert!(uncertain.resources.iter().all(|object| object.change == Change::Uncertain));
    assert_eq!(uncertain.resources.len(), 20);
}

/// Without the note, a side with errors would look like a side without differences or objects.
#[test]
fn a_side_with_errors_makes_a_comparison_incomplete() {
    let (text, broken) = ("output \"o\" { value = 1 }\n", "output \"o\" { value = 1 }\nlocals { x = \n");
    let note = "# incomplete: after: 1 syntax error in main.tf; differences may be missing or wrong";
    assert_eq!(lines(text, broken), [note, "Incomplete, no differences found."]);
    let found = difference(text, broken);
    assert!(found.to_json().contains(
        "\"summary\":\"incomplete, no differences found\",\"incomplete\":{\"after\":\"1 syntax error in main.tf\"}"
    ));
    assert_eq!(
        found.to_markdown(),
        "**terrane diff**: incomplete, no differences found\n\n```diff\n! incomplete: after: 1 syntax error in main.tf; \
         differences may be missing or wrong\n```\n"
    );
    let failing = "output \"o\" { value = nothing(1) }\noutput \"p\" { value = [][1] }\n";
    let note = "# incomplete: before: 2 errors; after: 1 syntax error in main.tf; differences may be missing or wrong";
    assert_eq!(lines(failing, broken).first().map(String::as_str), Some(note));
    assert!(!difference(text, text).to_json().contains("incomplete"));
}

#[test]
fn instances_are_added_removed_and_changed() {
    let before = r#"
resource "x_y" "a" {
  count = 2
  size  = 1
  tags  = { k = "v", old = 1 }
}
resource "x_y" "gone" { name = "n" }
output "o" { value = { a = [1, 2] } }
output "same" { value = 1 }
"#;
    let after = r#"
resource "x_y" "a" {
  count = 3
  size  = count.index == 1 ? 2 : 1
  tags  = { k = count.index == 0 ? "w" : "v", "a b" = 2 }
}
output "o" { value = { a = [1, 3, 4] } }
output "same" { value = 1 }
output "new" { value = "x" }
"#;
    assert_eq!(
        lines(before, after),
        [
            "~ x_y.a[0]",
            "+     tags[\"a b\"] = 2",
            "~     tags.k = \"v\" -> \"w\"",
            "-     tags.old = 1",
            "~ x_y.a[1]",
            "~     size = 1 -> 2",
            "+     tags[\"a b\"] = 2",
            "-     tags.old = 1",
            "+ x_y.a[2]",
            "+     size = 1",
            "+     tags = { \"a b\" = 2, k = \"v\", ... }",
            "- x_y.gone",
            "-     name = \"n\"",
            "",
            "Outputs:",
            "+ output.new",
            "+     value = \"x\"",
            "~ output.o",
            "~     a[1] = 2 -> 3",
            "+     a[2] = 4",
            "",
            "Resources: 1 added, 1 removed, 2 changed; outputs: 1 added, 1 changed.",
        ]
    );
    assert_eq!(lines(after, after), ["No differences."]);
}

#[test]
fn an_empty_output_has_its_value() {
    let text = "output \"e\" { value = {} }\noutput \"m\" { value = tomap({}) }\n";
    let added = [
        "Outputs:",
        "+ output.e",
        "+     value = {}",
        "+ output.m",
        "+     value = {}",
        "",
        "Outputs: 2 added.",
    ];
    assert_eq!(lines("", text), added);
    let removed = difference(text, "");
    assert!(removed.outputs.iter().all(|output| output.parts.len() == 1), "{removed:?}");
}

#[test]
fn elements_of_sets_are_added_and_removed() {
    let output = |names: &str| format!("output \"o\" {{ value = {{ all = toset([{names}]) }} }}\n");
    let (before, after) = (output(r#""a", "b""#), output(r#""b", "c""#));
    assert_eq!(
        lines(&before, &after)[..4],
        ["Outputs:", "~ output.o", "-     all, element = \"a\"", "+     all, element = \"c\""]
    );
}

#[test]
fn moved_blocks_relate_addresses() {
    let before = r#"
resource "x_y" "a" { size = 1 }
resource "x_y" "k" {
  for_each = toset(["p", "q"])
  name     = each.key
}
module "m" {
  source = "./child"
  n      = 1
}
resource "x_y" "single" { size = 5 }
"#;
    let after = r#"
resource "x_y" "b" { size = 2 }
resource "x_y" "l" {
  for_each = toset(["p", "q"])
  name     = each.key
}
module "n" {
  source = "./child"
  count  = 1
  n      = 1
}
resource "x_y" "single" {
  count = 1
  size  = 5
}
moved {
  from = x_y.a
  to   = x_y.mid
}
moved {
  from = x_y.mid
  to   = x_y.b
}
moved {
  from = x_y.k
  to   = x_y.l
}
moved {
  from = module.m
  to   = module.n[0]
}
"#;
    assert_eq!(
        lines(before, after),
        [
            "> x_y.b (moved from x_y.a)",
            "~     size = 1 -> 2",
            "> x_y.l[\"p\"] (moved from x_y.k[\"p\"])",
            "> x_y.l[\"q\"] (moved from x_y.k[\"q\"])",
            "> x_y.single[0] (moved from x_y.single)",
            "> module.n[0].x_y.in[0] (moved from module.m.x_y.in[0])",
            "",
            "Resources: 5 moved.",
        ]
    );
    // Without the `moved` blocks, the objects are unrelated.
    let unrelated = after.split("moved {").next().unwrap_or_default();
    assert!(lines(before, unrelated).contains(&"- x_y.a".to_owned()));
}

#[test]
fn an_unknown_number_of_instances_is_no_change() {
    let block = |count: &str| {
        format!("variable \"n\" {{}}\nresource \"x_y\" \"a\" {{\n  count = {count}\n  size = 1\n}}\n")
    };
    let unknown = block("var.n");
    let found = |side: &str| format!("? x_y.a[0] (unknown number of instances {side})");
    assert_eq!(lines(&unknown, &block("1")), [&*found("before"), "", "Resources: 1 uncertain."]);
    assert_eq!(lines(&block("1"), &unknown), [&*found("after"), "", "Resources: 1 uncertain."]);
    let larger = block("2").replace("size = 1", "size = count.index + 1");
    assert_eq!(
        lines(&unknown, &larger),
        [
            &*found("before"),
            &found("before").replace("[0]", "[1]"),
            "~     size = 1 -> 2",
            "",
            "Resources: 2 uncertain."
        ]
    );
    // The instance of a block without `count` has the address of the block.
    let single = block("1").replace("  count = 1\n", "");
    assert_eq!(
        lines(&unknown, &single),
        ["? x_y.a (unknown number of instances before)", "", "Resources: 1 uncertain."]
    );
    assert_eq!(lines(&unknown, &unknown), ["No differences."]);
    let size = unknown.replace("size = 1", "size = 2");
    assert_eq!(lines(&unknown, &size)[..2], ["~ x_y.a (unknown number of instances)", "~     size = 1 -> 2"]);
    assert_eq!(lines("", &unknown)[0], "+ x_y.a (unknown number of instances)");
    let json = difference(&unknown, &block("1")).to_json();
    assert!(json.contains("\"change\":\"uncertain\",\"unknown_number\":\"before\""), "{json}");
}

#[test]
fn instances_of_an_unknown_number_of_modules_are_neither_added_nor_removed() {
    let call = |count: &str| {
        let call = format!("  source = \"./child\"\n  count = {count}\n  n = 1\n");
        format!("variable \"n\" {{}}\nmodule \"m\" {{\n{call}}}\n")
    };
    let found = |side: &str| format!("? module.m[0].x_y.in[0] (unknown number of instances {side})");
    assert_eq!(lines(&call("var.n"), &call("1")), [&*found("before"), "", "Resources: 1 uncertain."]);
    assert_eq!(lines(&call("1"), &call("var.n")), [&*found("after"), "", "Resources: 1 uncertain."]);
    // A `moved` block leads to the renamed call.
    let renamed = call("1").replace("\"m\"", "\"o\"") + "moved {\n  from = module.m\n  to = module.o\n}\n";
    assert_eq!(lines(&call("var.n"), &renamed)[0], found("before").replace(".m[", ".o["));
}

#[test]
fn unknown_and_sensitive_values_are_compared_and_not_shown() {
    let text = |default: &str, sensitive: bool| {
        format!(
            "variable \"s\" {{\n  default = \"{default}\"\n  sensitive = {sensitive}\n}}\nvariable \"u\" {{}}\n\
             resource \"x_y\" \"a\" {{\n  s = var.s\n  u = var.u\n  id2 = x_z.o.id\n}}\nresource \"x_z\" \"o\" {{}}\n"
        )
    };
    assert_eq!(lines(&text("Mrk1", true), &text("Mrk1", true)), ["No differences."]);
    let found = lines(&text("Mrk1", true), &text("Mrk2", true));
    assert_eq!(found[..2], ["~ x_y.a", "~     s = (sensitive value) -> (sensitive value)"]);
    let found = lines(&text("Mrk1", false), &text("Mrk1", true));
    assert_eq!(found[1], "~     s = (sensitive value) -> (sensitive value)");
    let found = difference(&text("Mrk1", false), &text("Mrk1", true)).to_text().unwrap();
    assert!(found.contains("(sensitive value)  # now sensitive\n"), "{found}");
    let unknown = |ty: &str| format!("variable \"u\" {{ type = {ty} }}\noutput \"o\" {{ value = var.u }}\n");
    let found = difference(&unknown("string"), &unknown("number")).to_text().unwrap();
    assert!(found.contains(" -> (not set)  # type string -> number\n"), "{found}");
    // A secret on one side hides the other side, too.
    let difference = difference(&text("Mrk1", false), &text("Mrk1", true));
    let all = difference.to_text().unwrap() + &difference.to_markdown() + &difference.to_json();
    assert!(!all.contains("Mrk1") && all.contains("(sensitive value)"), "{all}");
}

#[test]
fn long_strings_are_shown_where_they_differ() {
    let resource = |lines: &str, long: &str| {
        let long = "a".repeat(300) + long;
        format!("resource \"x_y\" \"z\" {{\n  lines = \"{lines}\"\n  long = \"{long}\"\n}}\n")
    };
    let many: String = (0..100).map(|line| format!("line {line}\\n")).collect();
    let changed = many.replace("line 50\\n", "fifty\\n").replace("line 99\\n", "");
    let difference = difference(&resource(&many, "-old"), &resource(&changed, "-new"));
    let text = difference.to_text().unwrap();
    let lines = "~     lines, lines:\n-         line 50\n+         fifty\n-         line 99\n";
    assert!(text.contains(lines), "{text}");
    let same = "a".repeat(19);
    assert!(text.contains(&format!("~     long = ...\"{same}-old\" -> ...\"{same}-new\"\n")), "{text}");
    let markdown = difference.to_markdown();
    assert!(markdown.contains(&lines.replace('~', "!")), "{markdown}");
    assert!(markdown.contains(&format!("-     long = ...\"{same}-old\"\n+     long = ")), "{markdown}");
    let other: String = (0..100).map(|line| format!("other {line}\\n")).collect();
    let text = self::difference(&resource(&many, ""), &resource(&other, "")).to_text().unwrap();
    assert!(text.contains("~         (160 more lines)\n"), "{text}");
}

#[test]
fn markdown_is_a_block_that_its_content_cannot_end() {
    let text = |value: &str| format!("output \"o\" {{\n  value = \"{value}\"\n}}\n");
    let difference = difference(&text("a"), &text("```` | <b>"));
    assert_eq!(
        difference.to_markdown(),
        "**terrane diff**: outputs: 1 changed\n\n`````diff\n! output.o\n-     value = \"a\"\n+     value = \"```` | <b>\"\n`````\n"
    );
}

/// Returns the differences between a state and its configuration, without places. `resources` are objects of the provider
/// `hashicorp/x`.
fn from_state(resources: &[(&str, &str)], outputs: &str, configuration: &str) -> Vec<String> {
    let text = state_difference(resources, outputs, configuration).to_text().unwrap();
    text.lines().map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
}

fn state_difference(resources: &[(&str, &str)], outputs: &str, configuration: &str) -> Comparison {
    with_schemas(resources, outputs, configuration, &Schemas::default())
}

/// `resources` are the addresses of resources and their instances.
fn with_schemas(
    resources: &[(&str, &str)],
    outputs: &str,
    configuration: &str,
    schemas: &Schemas,
) -> Comparison {
    let resource = |(address, instances): &(&str, &str)| {
        let (module, address) = match address.strip_prefix("module.") {
            Some(inner) => {
                let (module, address) = inner.split_once('.').expect("a module");
                (format!("\"module\": \"module.{module}\", "), address)
            }
            None => (String::new(), *address),
        };
        let (mode, address) = match address.strip_prefix("data.") {
            Some(address) => ("data", address),
            None => ("managed", address),
        };
        let (resource_type, name) = address.split_once('.').expect("a type");
        let provider = match resource_type {
            "terraform_data" => "terraform.io/builtin/terraform",
            _ => "registry.terraform.io/hashicorp/x",
        };
        format!(
            "{{{module}\"mode\": \"{mode}\", \"type\": \"{resource_type}\", \"name\": \"{name}\", \
             \"provider\": \"provider[\\\"{provider}\\\"]\", \"instances\": [{instances}]}}"
        )
    };
    let resources: Vec<String> = resources.iter().map(resource).collect();
    let state =
        format!("{{\"version\": 4, \"outputs\": {{{outputs}}}, \"resources\": [{}]}}", resources.join(", "));
    let state = state_from_json(&state).expect("a state");
    let files = MemoryFiles::from_iter([("main.tf", configuration)]);
    let report = Project::new(".").state(state).schemas(schemas).evaluate(&files);
    report.diff_with_state(Secrets::Hidden).expect("a state")
}

const DESCRIBED: &str = r#"
resource "x_y" "same" {
  size = "1"
  on   = false
  tags = {}
}
resource "x_y" "changed" {
  size = 2
  tags = { a = 1, b = 2 }
  disk { size = 1 }
  disk { size = 2 }
}
resource "x_y" "new" { size = 3 }
resource "x_y" "moved" { size = 4 }
moved {
  from = x_y.old
  to   = x_y.moved
}
resource "x_y" "counted" { count = 1 }
resource "x_y" "ignored" {
  size = 5
  lifecycle { ignore_changes = [size] }
}
data "x_z" "read" { name = "b" }
output "same" { value = x_y.same.id }
output "changed" { value = "new" }
output "null" { value = null }
"#;

#[test]
fn a_state_is_compared_with_its_configuration() {
    let resources = [
        ("x_y.same", r#"{"attributes": {"id": "i", "size": 1, "on": null, "tags": null}}"#),
        (
            "x_y.changed",
            r#"{"attributes": {"id": "i", "size": 1, "tags": {"a": "1", "c": "3"},
                "disk": [{"size": 2, "id": "p"}, {"size": 3, "id": "q"}]}}"#,
        ),
        ("x_y.old", r#"{"attributes": {"id": "i", "size": 4}}"#),
        ("x_y.gone", r#"{"attributes": {"id": "i", "size": 1, "none": null}}"#),
        ("x_y.counted", r#"{"attributes": {"id": "i"}}"#),
        ("x_y.ignored", r#"{"attributes": {"id": "i", "size": 1}}"#),
        ("data.x_z.read", r#"{"attributes": {"id": "i", "name": "a"}}"#),
    ];
    let outputs = r#""same": {"value": "i", "type": "string"}, "changed": {"value": "old", "type": "string"},
                     "gone": {"value": 1, "type": "number"}"#;
    assert_eq!(
        from_state(&resources, outputs, DESCRIBED),
        [
            "~ x_y.changed",
            "~     disk[0].size = 3 -> 1",
            "~     size = 1 -> 2",
            "+     tags.b = 2",
            "-     tags.c = \"3\"",
            "> x_y.counted[0] (moved from x_y.counted)",
            "- x_y.gone",
            "-     id = \"i\"",
            "-     size = 1",
            "> x_y.moved (moved from x_y.old)",
            "+ x_y.new",
            "+     size = 3",
            "~ data.x_z.read",
            "~     name = \"a\" -> \"b\"",
            "",
            "Outputs:",
            "~ output.changed",
            "~     value = \"old\" -> \"new\"",
            "- output.gone",
            "-     value = 1",
            "",
            "Resources: 1 added, 1 removed, 2 changed, 2 moved; outputs: 1 removed, 1 changed.",
        ]
    );
}

#[test]
fn unknown_values_beside_a_state_are_uncertain() {
    let configuration = r#"
variable "n" {}
resource "x_y" "new" {}
resource "x_y" "user" { ref = x_y.new.id }
resource "x_y" "both" {
  size = 2
  ref  = x_y.new.id
}
resource "x_y" "counted" {
  count = var.n
  size  = 1
}
module "far" { source = "acme/far/x" }
output "o" { value = x_y.new.id }
"#;
    let resources = [
        ("x_y.user", r#"{"attributes": {"id": "i", "ref": "r"}}"#),
        ("x_y.both", r#"{"attributes": {"id": "i", "ref": "r", "size": 1}}"#),
        ("x_y.counted", r#"{"index_key": 0, "attributes": {"id": "i", "size": 1}}"#),
        ("module.far.x_y.inside", r#"{"attributes": {"id": "i"}}"#),
    ];
    let outputs = r#""o": {"value": "i", "type": "string"}"#;
    assert_eq!(
        from_state(&resources, outputs, configuration),
        [
            "~ x_y.both",
            "?     ref = \"r\" -> (known after apply)",
            "~     size = 1 -> 2",
            "? x_y.counted[0] (unknown number of instances after)",
            "+ x_y.new",
            "? x_y.user",
            "?     ref = \"r\" -> (known after apply)",
            "? module.far.x_y.inside (unknown number of instances after)",
            "",
            "Outputs:",
            "? output.o",
            "?     value = \"i\" -> (known after apply)",
            "",
            "Resources: 1 added, 1 changed, 3 uncertain; outputs: 1 uncertain.",
        ]
    );
    let difference = state_difference(&resources, outputs, configuration);
    let json: serde_json::Value = serde_json::from_str(&difference.to_json()).expect("JSON");
    assert_eq!(json["outputs"][0]["parts"][0]["uncertain"], true);
    assert!(difference.to_markdown().contains("!     ref = \"r\" -> (known after apply)\n"));
}

/// Terraform stores values of dynamic type with their types, and equal texts of JSON documents are equal for providers.
#[test]
fn recorded_forms_of_values_are_no_differences() {
    let configuration = r#"
resource "x_y" "a" {
  manifest = { kind = "x", spec = { n = 1 } }
  policy   = jsonencode({ a = 1, b = 2 })
  zones    = ["b", "a"]
}
resource "terraform_data" "d" { input = [1, "x"] }
"#;
    let object = |n: i64| {
        let spec = r#""spec": ["object", {"n": "number"}]"#;
        format!(
            r#"{{"attributes": {{"id": "i", "zones": ["a", "b"], "policy": "{{\"b\": 2, \"a\": 1}}",
               "manifest": {{"value": {{"kind": "x", "spec": {{"n": {n}}}}}, "type": ["object", {{"kind": "string", {spec}}}]}}}}}}"#
        )
    };
    let data = |n: &str| {
        format!(
            r#"{{"attributes": {{"id": "i", "triggers_replace": null, "input": {{"value": [{n}, "x"], "type": ["tuple", ["number", "string"]]}},
               "output": {{"value": [{n}, "x"], "type": ["tuple", ["number", "string"]]}}}}}}"#
        )
    };
    let found = |n: i64| {
        from_state(&[("x_y.a", &object(n)), ("terraform_data.d", &data(&n.to_string()))], "", configuration)
    };
    assert_eq!(found(1), ["No differences."]);
    let expected = [
        "~ terraform_data.d",
        "~     input[0] = 2 -> 1",
        "~ x_y.a",
        "~     manifest.spec.n = 2 -> 1",
        "",
        "Resources: 2 changed.",
    ];
    assert_eq!(found(2), expected);
}

#[test]
fn secrets_of_either_side_are_hidden_beside_a_state() {
    let configuration = r#"
variable "s" {
  default   = "Mrk2"
  sensitive = true
}
resource "x_y" "now" { text = var.s }
resource "x_y" "before" { text = "Mrk4" }
resource "x_y" "named" { password = "Mrk6" }
output "now" {
  value     = "Mrk8"
  sensitive = true
}
output "before" { value = "Mrk9" }
"#;
    let marked =
        |name: &str| format!(r#""sensitive_attributes": [[{{"type": "get_attr", "value": "{name}"}}]]"#);
    let before = format!(r#"{{"attributes": {{"text": "Mrk3"}}, {}}}"#, marked("text"));
    let gone = format!(
        r#"{{"attributes": {{"id": "i", "input": {{"value": "Mrk0", "type": "string"}}, "output": {{"value": "Mrk0", "type": "string"}}}}, {}}}"#,
        marked("input")
    );
    let resources = [
        ("x_y.now", r#"{"attributes": {"text": "Mrk1"}}"#),
        ("x_y.before", before.as_str()),
        ("x_y.named", r#"{"attributes": {"password": "Mrk5"}}"#),
        ("terraform_data.gone", gone.as_str()),
    ];
    let outputs = r#""now": {"value": "Mrk7", "type": "string"},
                     "before": {"value": "Mrk9", "type": "string", "sensitive": true}"#;
    let difference = state_difference(&resources, outputs, configuration);
    let changes: Vec<Change> = difference.resources.iter().map(|object| object.change).collect();
    assert_eq!(changes, [Change::Removed, Change::Changed, Change::Changed, Change::Changed]);
    assert_eq!(difference.outputs.len(), 2);
    let all = difference.to_text().unwrap() + &difference.to_markdown() + &difference.to_json();
    assert!(!all.contains("Mrk") && all.contains("(sensitive value)"), "{all}");
}

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas":
    {"x_y": {"version": 1, "block": {
      "attributes": {"id": {"type": "string", "computed": true}, "size": {"type": "number", "optional": true},
        "list": {"type": ["list", "string"], "optional": true}, "set": {"type": ["set", "string"], "optional": true},
        "conn": {"type": "string", "computed": true, "sensitive": true}},
      "block_types": {"disk": {"nesting_mode": "list", "block": {"attributes": {
        "size": {"type": "number", "optional": true}, "id": {"type": "string", "computed": true},
        "pin": {"type": "string", "computed": true, "sensitive": true}}}}}}}}}}}"#;

const ELEMENTS: &str = r#"
resource "x_y" "list" { list = ["a"] }
resource "x_y" "set" { set = toset(["a"]) }
resource "x_y" "disk" {
  disk { size = 1 }
}
resource "x_y" "none" { size = 1 }
resource "x_y" "more" { list = ["a", ""] }
resource "terraform_data" "d" { input = ["a"] }
"#;

/// Elements and nested blocks that only the state or only the configuration has are not values that the provider filled in.
#[test]
fn elements_of_one_side_are_differences() {
    let input = r#"{"value": ["a", "b"], "type": ["tuple", ["string", "string"]]}"#;
    let data = format!(r#"{{"attributes": {{"id": "i", "input": {input}, "output": {input}}}}}"#);
    let object = |attributes: &str| {
        format!(r#"{{"schema_version": 1, "attributes": {{"id": "i", "conn": "c", {attributes}}}}}"#)
    };
    let objects = [
        ("x_y.list", object(r#""list": ["a", "b"]"#)),
        ("x_y.set", object(r#""set": ["a", "b"]"#)),
        ("x_y.disk", object(r#""disk": [{"size": 1, "id": "p"}, {"size": 2}]"#)),
        ("x_y.none", object(r#""size": 1, "disk": [{"size": 3}]"#)),
        ("x_y.more", object(r#""list": ["a"]"#)),
        ("terraform_data.d", data),
    ];
    let objects: Vec<(&str, &str)> = objects.iter().map(|(address, object)| (*address, &**object)).collect();
    let data = ["~ terraform_data.d", "-     input[1] = \"b\""];
    let without = [
        &data[..],
        &["~ x_y.disk", "-     disk[1] = { size = 2 }", "~ x_y.list", "-     list[1] = \"b\""],
        &[
            "~ x_y.more",
            "+     list[1] = \"\"",
            "~ x_y.set",
            "-     set[1] = \"b\"",
            "",
            "Resources: 5 changed.",
        ],
    ];
    assert_eq!(from_state(&objects, "", ELEMENTS), without.concat());
    let schemas = schemas_from_json(SCHEMAS).expect("schemas");
    let found = with_schemas(&objects, "", ELEMENTS, &schemas).to_text().unwrap();
    let found: Vec<&str> = found.lines().map(|line| line.split("  #").next().unwrap_or_default()).collect();
    let with = [
        &data[..],
        &[
            "~ x_y.disk",
            "-     disk[1] = (sensitive value)",
            "~ x_y.list",
            "-     list[1] = \"b\"",
            "~ x_y.more",
            "+     list[1] = \"\"",
        ],
        &[
            "~ x_y.none",
            "-     disk[0] = (sensitive value)",
            "~ x_y.set",
            "-     set, element = \"b\"",
            "",
            "Resources: 6 changed.",
        ],
    ];
    assert_eq!(found, with.concat());
}

/// Comparing lists in lists in any order would take the fourth power of their length. After a bounded number of comparisons the
/// elements are compared in their own order, so equal lists may differ.
#[test]
fn nested_lists_in_another_order_are_compared_in_bounded_time() {
    let found = |length: u32, rows: &mut dyn Iterator<Item = u32>| {
        let range = format!("range({length})");
        let list = format!("[for i in {range} : concat({range}, [1000 + i])]");
        let row = |last: u32| {
            let numbers = (0..length).rev().chain([last]);
            numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
        };
        let rows: Vec<String> = rows.map(|last| format!("[{}]", row(last))).collect();
        let object = format!(r#"{{"attributes": {{"list": [{}]}}}}"#, rows.join(", "));
        from_state(&[("x_y.a", &object)], "", &format!("resource \"x_y\" \"a\" {{ list = {list} }}\n"))
    };
    assert_eq!(found(10, &mut (1000..1010).rev()), ["No differences."]);
    assert_eq!(found(80, &mut (1000..1080)), ["No differences."]);
    assert_eq!(found(80, &mut (1000..1080).rev()).last().map(String::as_str), Some("Resources: 1 changed."));
    let other = found(80, &mut (2000..2080));
    assert!(other.iter().any(|line| line == "~     list[79][80] = 2079 -> 1079"), "{other:?}");
}

#[test]
fn secrets_of_the_schema_are_hidden_where_the_object_does_not_fit() {
    let schemas = schemas_from_json(SCHEMAS).expect("schemas");
    let object = r#"{"schema_version": 0, "attributes": {"id": "i", "size": "large", "conn": "Mrk1",
        "disk": [{"size": 1, "pin": "Mrk2"}]}}"#;
    let present = r#"{"schema_version": 0, "attributes": {"id": "i", "size": 1, "conn": "Mrk3"}}"#;
    let resources = [("x_y.gone", object), ("x_y.a", object), ("x_y.b", present)];
    let configuration = "resource \"x_y\" \"a\" {}\nresource \"x_y\" \"b\" {}\n";
    let difference = with_schemas(&resources, "", configuration, &schemas);
    let text = difference.to_text().unwrap();
    assert!(text.contains("-     conn = (sensitive value)\n") && text.contains("size = \"large\""), "{text}");
    let all = text + &difference.to_markdown() + &difference.to_json();
    assert!(!all.contains("Mrk"), "{all}");
}

#[test]
fn a_text_that_loses_its_last_newline_says_so() {
    let output = |text: &str| format!("output \"o\" {{\n  value = \"{text}\"\n}}\n");
    let found = lines(&output("a\\nb\\n"), &output("a\\nb"));
    assert_eq!(found[2..5], ["~     value, lines:", "-         b", "+         b (no newline at the end)"]);
}

#[test]
fn a_long_document_is_not_written() {
    let text = "locals {\n  a = join(\"\", [for i in range(1000) : \"0123456789012345678901234567890123456789\"])\n  \
                b = join(\"\", [for i in range(25) : local.a])\n}\nresource \"a_b\" \"c\" {\n  count = 200\n  v = local.b\n}\n";
    let long = difference("", text);
    assert_eq!(long.check_json().unwrap_err().title(), "Limit exceeded");
    // The text shortens long values.
    assert!(long.to_text().unwrap().len() < 100_000);
}

#[test]
fn a_difference_of_types_alone_is_named() {
    let output = |value: &str| format!("output \"o\" {{ value = {value} }}\n");
    let text =
        |before: &str, after: &str| difference(&output(before), &output(after)).to_text().expect("a text");
    let found = text("{ k = tostring(null) }", "{ k = null }");
    assert!(found.contains("k = null -> null  # type string -> any\n"), "{found}");
    let found = text("{ k = tomap({ a = 1 }) }", "{ k = { a = 1 } }");
    assert!(found.contains("  # type map(number) -> object"), "{found}");
    let found = text("[\"a\"]", "tolist([\"a\"])");
    assert!(
        found.contains("value = [\"a\"] -> [\"a\"]  # type tuple([string]) -> list(string)\n"),
        "{found}"
    );
}

#[test]
fn strings_that_differ_only_in_blanks_and_control_characters_look_different() {
    let output = |text: &str| format!("output \"o\" {{\n  value = \"{text}\"\n}}\n");
    let found = |before: &str, after: &str| lines(&output(before), &output(after));
    assert_eq!(found("a   b", "a b")[2], "~     value = \"a   b\" -> \"a b\"");
    assert_eq!(
        found("a\\r\\nb\\tc", "a\\nb\\tc")[2..5],
        ["~     value, lines:", "-         a\\r", "+         a"]
    );
    let markdown = difference(&output("a   b"), &output("a b")).to_markdown();
    assert!(markdown.contains("-     value = \"a   b\"\n+     value = \"a b\"\n"), "{markdown}");
    let element = |text: &str| format!("output \"o\" {{\n  value = toset([\"{text}\"])\n}}\n");
    let found = lines(&element("p  q"), &element("p q"));
    assert_eq!(found[2..4], ["-     value, element = \"p  q\"", "+     value, element = \"p q\""]);
}

#[test]
fn added_parts_with_unknown_values_beside_a_state_are_certain() {
    let configuration = r#"
resource "terraform_data" "n" {}
resource "terraform_data" "list" { input = [1, terraform_data.n.id] }
resource "terraform_data" "map" { input = { k = 1, z = terraform_data.n.id } }
resource "terraform_data" "known" { input = [terraform_data.n.id] }
output "o" { value = [1, terraform_data.n.id] }
output "set" { value = toset(["a", terraform_data.n.id]) }
output "wider" { value = toset(["a", terraform_data.n.id]) }
"#;
    let data = |input: &str, ty: &str| {
        format!(
            r#"{{"attributes": {{"id": "i", "input": {{"value": {input}, "type": {ty}}}, "output": null}}}}"#
        )
    };
    let list = data("[1]", r#"["tuple", ["number"]]"#);
    let map = data(r#"{"k": 1}"#, r#"["object", {"k": "number"}]"#);
    let resources = [
        ("terraform_data.list", list.as_str()),
        ("terraform_data.map", map.as_str()),
        ("terraform_data.known", list.as_str()),
    ];
    let outputs = r#""o": {"value": [1], "type": ["tuple", ["number"]]}, "set": {"value": ["a", "b"], "type": ["set", "string"]},
        "wider": {"value": ["a"], "type": ["set", "string"]}"#;
    assert_eq!(
        from_state(&resources, outputs, configuration),
        [
            "? terraform_data.known",
            "?     input[0] = 1 -> (known after apply)",
            "~ terraform_data.list",
            "+     input[1] = (known after apply)",
            "~ terraform_data.map",
            "+     input.z = (known after apply)",
            "+ terraform_data.n",
            "",
            "Outputs:",
            "~ output.o",
            "+     [1] = (known after apply)",
            "? output.set",
            "?     value, element = \"b\" -> (known after apply)",
            "~ output.wider",
            "+     value, element = (known after apply)",
            "",
            "Resources: 1 added, 2 changed, 1 uncertain; outputs: 2 changed, 1 uncertain.",
        ]
    );
}

#[test]
fn a_removed_object_names_its_address_in_the_state() {
    let configuration = r#"
module "n" {
  source = "./child"
  n      = 0
}
moved {
  from = module.m
  to   = module.n
}
"#;
    let state = r#"{"version": 4, "resources": [{"module": "module.m", "mode": "managed", "type": "x_y", "name": "gone",
        "provider": "provider[\"registry.terraform.io/hashicorp/x\"]", "instances": [{"attributes": {"id": "i"}}]}]}"#;
    let child = "variable \"n\" {}\nresource \"x_y\" \"in\" {\n  count = var.n\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", configuration), ("child/main.tf", child)]);
    let report = Project::new(".").state(state_from_json(state).expect("a state")).evaluate(&files);
    let found = report.diff_with_state(Secrets::Hidden).expect("a state");
    let text = found.to_text().expect("a text");
    assert!(text.starts_with("- module.n.x_y.gone (moved from module.m.x_y.gone)\n"), "{text}");
    let json = found.to_json();
    assert!(json.contains(r#""previous_address":"module.m.x_y.gone""#), "{json}");
}
