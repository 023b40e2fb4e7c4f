//! Tests that no message shows a part of an expression that sets a secret argument: of a schema, or of a sensitive variable of a
//! called module. Markers stand for secrets in expressions that fail, are set twice, or have a syntax error, in both syntaxes.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;
#[path = "support/markers.rs"]
mod markers;

use self::directory::directory;
use self::markers::{scan, terrane};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/acme": {
  "provider": {"version": 0, "block": {"attributes": {"key": {"type": "string", "optional": true, "sensitive": true}}}},
  "resource_schemas": {"acme_box": {"version": 0, "block": {
    "attributes": {
      "name": {"type": "string", "optional": true},
      "key": {"type": "string", "optional": true, "sensitive": true},
      "size": {"type": "number", "optional": true, "write_only": true},
      "map": {"type": ["map", "number"], "optional": true, "sensitive": true},
      "list": {"type": ["list", ["object", {"key": "string"}]], "optional": true, "sensitive": true}
    },
    "block_types": {"item": {"nesting_mode": "list", "block": {"attributes": {
      "key": {"type": "string", "optional": true, "sensitive": true},
      "map": {"type": ["map", "number"], "optional": true, "sensitive": true}}}}}
  }}}
}}}
"#;

const MODULE: &str =
    "variable \"key\" {\n  type = string\n  sensitive = true\n}\nvariable \"open\" {\n  default = 1\n}\n";

/// Expressions that fail.
const WRONG: [&str; 18] = [
    "tonumber(\"Mrk7a\")",
    "timeadd(\"Mrk7a\", \"Mrk7b\")",
    "{}[\"Mrk7a\"]",
    "parseint(\"Mrk7a\", 10)",
    "lookup({}, \"Mrk7a\")",
    "\"Mrk7a\" + 1",
    "\"Mrk7a${local.nope}\"",
    "\"Mrk7a${nope}\"",
    "cidrhost(\"Mrk7a\", 1)",
    "jsondecode(\"Mrk7a\")",
    "regex(\"(\", \"Mrk7a\")",
    "upper(1, \"Mrk7a\")",
    "format(\"%d\", \"Mrk7a\")",
    "templatestring(\"$${nope} Mrk7a\", {})",
    "{ Mrk7a = \"Mrk7b\" }",
    "[\"Mrk7a\"]",
    "{ Mrk7a = 1, Mrk7a = 2 }",
    "provider::acme::nope(\"Mrk7a\")",
];

/// Values with a syntax error, or set twice.
const BROKEN: [&str; 7] = [
    "\"Mrk7a\"\n  NAME = \"Mrk7b\"",
    "\"Mrk7a\" \"Mrk7b\"",
    "\"Mrk7a${foo\"",
    "\"Mrk7a",
    "[\"Mrk7a\", \"Mrk7b\"",
    "] \"Mrk7a\"",
    "\"Mrk7a\" # Mrk7b\n  \"Mrk7c\"",
];

/// Names of arguments, and blocks that set them.
const PLACES: [(&str, &str); 9] = [
    ("b", "output \"b\" {\n  sensitive = true\n  value = sensitive(VALUE)\n}\n"),
    ("key", "resource \"acme_box\" \"b\" {\n  key = VALUE\n}\n"),
    ("map", "resource \"acme_box\" \"b\" {\n  map = VALUE\n}\n"),
    ("size", "resource \"acme_box\" \"b\" {\n  size = VALUE\n}\n"),
    ("key", "resource \"acme_box\" \"b\" {\n  item {\n    key = VALUE\n  }\n}\n"),
    ("key", "resource \"acme_box\" \"b\" {\n  list {\n    key = VALUE\n  }\n}\n"),
    (
        "for_each",
        "resource \"acme_box\" \"b\" {\n  dynamic \"item\" {\n    for_each = VALUE\n    content {}\n  }\n}\n",
    ),
    (
        "map",
        "resource \"acme_box\" \"b\" {\n  dynamic \"item\" {\n    for_each = [1]\n    content {\n      map = VALUE\n    }\n  }\n}\n",
    ),
    ("key", "module \"b\" {\n  source = \"./m\"\n  key = VALUE\n}\n"),
];

fn commands() -> Vec<Vec<&'static str>> {
    let mut commands = vec![
        vec!["check"],
        vec!["eval"],
        vec!["eval", "--keep-going"],
        vec!["eval", "--json", "--keep-going"],
        vec!["plan", "--json"],
        vec!["graph", "--format", "html"],
    ];
    for format in ["compact", "json", "github", "sarif", "junit"] {
        commands.push(vec!["check", "--format", format]);
    }
    commands.iter_mut().for_each(|command| command.extend(["--schemas", "schemas.json"]));
    commands
}

fn scan_main(name: &str, main: &str, commands: &[Vec<&str>]) {
    let root = directory(&[(name, main), ("m/main.tf", MODULE), ("schemas.json", SCHEMAS)]);
    scan(root.path(), commands);
}

#[test]
fn expressions_that_fail_are_hidden() {
    let places = PLACES.iter().enumerate();
    let blocks = places.flat_map(|(place, (_, text))| {
        WRONG.iter().enumerate().map(move |(wrong, value)| {
            text.replace("\"b\"", &format!("\"b{place}_{wrong}\"")).replace("VALUE", value)
        })
    });
    scan_main("main.tf", &blocks.collect::<String>(), &commands());
}

#[test]
fn expressions_that_fail_are_hidden_in_json() {
    let values =
        ["\"${tonumber(\\\"Mrk7a\\\")}\"", "{\"Mrk7a\": \"Mrk7b\"}", "\"Mrk7a${nope}\"", "[\"Mrk7a\"]"];
    let broken = ["\"Mrk7a${nope\"", "\"Mrk7a\", \"key\": \"Mrk7b\"", "\"Mrk7a\" \"Mrk7b\"", "\"Mrk7a"];
    let places = [
        "{\"resource\": {\"acme_box\": {\"b\": {\"key\": VALUE, \"name\": \"${nope.x}\"}}}}",
        "{\"resource\": {\"acme_box\": {\"b\": {\"map\": VALUE}}}}",
        "{\"resource\": {\"acme_box\": {\"b\": {\"item\": [{\"key\": VALUE}]}}}}",
        "{\"module\": {\"b\": {\"source\": \"./m\", \"key\": VALUE, \"open\": \"${nope.x}\"}}}",
        "{\"provider\": {\"acme\": {\"key\": VALUE}}}",
    ];
    let checks = [vec!["check", "--schemas", "schemas.json"], vec!["eval", "--schemas", "schemas.json"]];
    for value in values.iter().chain(&broken) {
        for place in places {
            scan_main("main.tf.json", &place.replace("VALUE", value), &checks);
        }
    }
}

#[test]
fn values_with_a_syntax_error_are_hidden() {
    let checks =
        ["human", "json"].map(|format| vec!["check", "--format", format, "--schemas", "schemas.json"]);
    // A syntax error may lose the call of `sensitive`.
    for (name, place) in PLACES.into_iter().skip(1) {
        for value in BROKEN {
            let other = "locals {\n  a = local.nope\n}\n";
            let main = place.replace("VALUE", value).replace("NAME", name);
            scan_main("main.tf", &format!("{main}{other}"), &checks);
        }
    }
}

#[test]
fn other_arguments_and_references_are_described() {
    let main = "resource \"acme_box\" \"b\" {\n  name = tonumber(\"open\")\n  key = local.nope\n}\n";
    let root = directory(&[("main.tf", main), ("schemas.json", SCHEMAS)]);
    let output = terrane(root.path(), &["check", "--schemas", "schemas.json"]);
    for text in ["\"open\" cannot be converted to number", "No local value named \"nope\""] {
        assert!(output.contains(text), "{text}: {output}");
    }
}

#[test]
fn a_mistake_in_a_secret_names_its_argument() {
    let main = "resource \"acme_box\" \"b\" {\n  key = tonumber(\"Mrk7a\")\n}\n";
    let root = directory(&[("main.tf", main), ("schemas.json", SCHEMAS)]);
    let output = terrane(root.path(), &["check", "--schemas", "schemas.json"]);
    let said =
        "There is a mistake in the value of \"key\". It is not described, because the value is sensitive.";
    assert!(output.contains("Invalid function argument") && output.contains(said), "{output}");
}

#[test]
fn test_files_with_a_syntax_error_are_hidden() {
    let variables = "variables {\n  key = \"Mrk7a\" \"x\"\n}\n";
    let mocks = "mock_provider \"acme\" {\n  mock_resource \"acme_box\" {\n    defaults = { key = \"Mrk7a\" \"b\" }\n  }\n}\n";
    for (name, text) in [("a.tftest.hcl", variables), ("a.tftest.hcl", mocks), ("b.tfmock.hcl", mocks)] {
        let root = directory(&[("main.tf", MODULE), (name, text)]);
        let path = format!("./{name}");
        scan(root.path(), &[vec!["check"], vec!["check", "--format", "json"], vec!["check", &path]]);
    }
}

#[test]
fn declarations_with_mistakes_are_hidden() {
    let commands =
        [vec!["eval", "--keep-going"], vec!["plan", "--json"], vec!["explain", "var.s"], vec!["check"]];
    let secret = "variable \"s\" {\n  sensitive = true\n}\n";
    let twice = [("main.tf", secret), ("b.tf", "variable \"s\" {\n  default = \"Mrk7a\"\n}\n")];
    scan(directory(&twice).path(), &commands);
    let misspelt = "variable \"s\" {\n  sensitive = true\n  defualt = \"Mrk7a\"\n}\n";
    scan(directory(&[("main.tf", misspelt)]).path(), &commands);
    let json = "{\"variable\": {\"s\": {\"sensitive\": true, \"defualt\": \"Mrk7a\"}}}";
    scan(directory(&[("main.tf.json", json)]).path(), &commands);
    let options = ["sMrk7a", "=Mrk7a", "s =Mrk7a"].map(|value| vec!["eval", "-var", value]);
    scan(directory(&[("main.tf", secret)]).path(), &options);
}

#[test]
fn the_reason_of_a_failure_tells_nothing_about_another_argument() {
    let main = "variable \"n\" {\n  sensitive = true\n  default = 5\n}\nvariable \"s\" {\n  sensitive = true\n  default = \"a\"\n}\n\
                locals {\n  a = range(var.n, 1, 2)\n  b = format(var.s, \"x\")\n}\n";
    let root = directory(&[("main.tf", main)]);
    let output = terrane(root.path(), &["eval"]);
    assert!(!output.contains("points away") && !output.contains("no verbs"), "{output}");
}
