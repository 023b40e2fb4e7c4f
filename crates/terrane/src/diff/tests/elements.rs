//! Comparisons of attributes inside the elements of collections.

use super::{from_state, lines, with_schemas};
use crate::schemas_from_json;

/// Returns the instance of a `terraform_data` in a state file. `ty` is the type of the input.
fn data(input: &str, ty: &str) -> String {
    let input = format!(r#"{{"value": {input}, "type": {ty}}}"#);
    format!(r#"{{"attributes": {{"id": "i", "input": {input}, "output": {input}}}}}"#)
}

/// The built-in provider stores exactly the configured values, so an attribute that an element loses is a difference.
#[test]
fn attributes_that_elements_of_terraform_data_lose_are_differences() {
    let object = r#"["object", {"a": "number", "b": "number"}]"#;
    let (one, list) = (r#"{"a": 1, "b": 2}"#, r#"[{"a": 1, "b": 2}]"#);
    let tuple = format!(r#"["tuple", [{object}]]"#);
    let objects = [
        ("terraform_data.changed", data(list, &tuple)),
        (
            "terraform_data.inside",
            data(&format!(r#"{{"x": {list}}}"#), &format!(r#"["object", {{"x": {tuple}}}]"#)),
        ),
        ("terraform_data.lists", data(&format!("[{list}]"), &format!(r#"["tuple", [{tuple}]]"#))),
        ("terraform_data.map", data(list, r#"["tuple", [["map", "number"]]]"#)),
        ("terraform_data.object", data(one, object)),
        ("terraform_data.same", data(list, &tuple)),
        ("terraform_data.tuple", data(list, &tuple)),
        ("terraform_data.typed", data(list, &format!(r#"["list", {object}]"#))),
    ];
    let objects: Vec<(&str, &str)> = objects.iter().map(|(address, object)| (*address, &**object)).collect();
    let configuration = r#"
resource "terraform_data" "changed" { input = [{ a = 1, c = 4 }] }
resource "terraform_data" "inside" { input = { x = [{ a = 1 }] } }
resource "terraform_data" "lists" { input = [[{ a = 1 }]] }
resource "terraform_data" "map" { input = [tomap({ a = 1 })] }
resource "terraform_data" "object" { input = { a = 1 } }
resource "terraform_data" "same" { input = [{ a = 1, b = 2 }] }
resource "terraform_data" "tuple" { input = [{ a = 1 }] }
resource "terraform_data" "typed" { input = tolist([{ a = 1 }]) }
"#;
    assert_eq!(
        from_state(&objects, "", configuration),
        [
            "~ terraform_data.changed",
            "-     input[0].b = 2",
            "+     input[0].c = 4",
            "~ terraform_data.inside",
            "-     input.x[0].b = 2",
            "~ terraform_data.lists",
            "-     input[0][0].b = 2",
            "~ terraform_data.map",
            "-     input[0].b = 2",
            "~ terraform_data.object",
            "-     input.b = 2",
            "~ terraform_data.tuple",
            "-     input[0].b = 2",
            "~ terraform_data.typed",
            "-     input[0].b = 2",
            "",
            "Resources: 7 changed.",
        ]
    );
}

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas":
    {"x_y": {"version": 0, "block": {"attributes": {
        "id": {"type": "string", "computed": true}, "maps": {"type": ["list", ["map", "string"]], "optional": true},
        "objects": {"type": ["list", ["object", {"a": "string", "b": "string"}]], "optional": true},
        "any": {"type": "dynamic", "optional": true}},
      "block_types": {"disk": {"nesting_mode": "list", "block": {"attributes": {
        "size": {"type": "number", "optional": true}, "id": {"type": "string", "computed": true}}}}}}}}}}}"#;

const ELEMENTS: &str = r#"
resource "x_y" "a" {
  maps    = [tomap({ a = "1" })]
  objects = [{ a = "1", b = null }]
  any     = [{ a = "1" }]
  disk { size = 1 }
}
"#;

/// Without a schema, an object in a list may be a block, and its provider may have set further attributes.
#[test]
fn attributes_that_elements_lose_are_differences_by_their_types() {
    let list = r#"[{"a": "1", "b": "2"}]"#;
    let any =
        format!(r#"{{"value": {list}, "type": ["tuple", [["object", {{"a": "string", "b": "string"}}]]]}}"#);
    let disk = r#"[{"size": 1, "id": "d"}]"#;
    let attributes = |lists: &str, any: &str| {
        format!(
            r#"{{"attributes": {{"id": "i", "maps": {lists}, "objects": {lists}, "any": {any}, "disk": {disk}}}}}"#
        )
    };
    let object = attributes(list, &any);
    let objects = [("x_y.a", &*object)];
    let schemas = schemas_from_json(SCHEMAS).expect("schemas");
    let found = with_schemas(&objects, "", ELEMENTS, &schemas).to_text().unwrap();
    let found: Vec<&str> = found.lines().map(|line| line.split("  #").next().unwrap_or_default()).collect();
    assert_eq!(
        found,
        [
            "~ x_y.a",
            "-     any[0].b = \"2\"",
            "-     maps[0].b = \"2\"",
            "~     objects[0].b = \"2\" -> null",
            "",
            "Resources: 1 changed.",
        ]
    );
    let without = ["~ x_y.a", "-     maps[0].b = \"2\"", "", "Resources: 1 changed."];
    assert_eq!(from_state(&objects, "", ELEMENTS), without);
}

/// Without a schema, a list and a set look the same.
#[test]
fn elements_without_a_schema_are_compared_in_any_order_if_the_common_ones_keep_theirs() {
    let set = |value: &str| format!("resource \"x_y\" \"a\" {{ v = {value} }}\n");
    for (before, after, expected) in [
        ("toset([\"a\", \"y\"])", "toset([\"a\", \"w\", \"y\"])", &["+     v[1] = \"w\""][..]),
        ("[1, 2, 3]", "[2, 3]", &["-     v[0] = 1"]),
        ("[1, 2, 3]", "[1, 4, 3]", &["~     v[1] = 2 -> 4"]),
        ("[1, 2]", "[2, 1]", &["~     v[0] = 1 -> 2", "~     v[1] = 2 -> 1"]),
        ("[1, 2, 3]", "[3, 2]", &["~     v[0] = 1 -> 3", "-     v[2] = 3"]),
    ] {
        let found = lines(&set(before), &set(after));
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        let all = [&["~ x_y.a"][..], expected, &["", "Resources: 1 changed."]].concat();
        assert_eq!(found, all, "{before} -> {after}");
    }
}

#[test]
fn the_path_of_a_key_is_written_as_in_the_language() {
    let output = |number: i32| format!("output \"o\" {{ value = [{{ \"c$${{d}}\" = {number} }}] }}\n");
    assert_eq!(lines(&output(1), &output(2))[2], "~     [0][\"c$${d}\"] = 1 -> 2");
}
