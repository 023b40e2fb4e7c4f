//! The member `terrane` of `terrane plan --json`: places, texts, nested blocks and `dynamic` blocks of both syntaxes, without secrets.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use self::directory::directory;

const NATIVE: &str = r#"variable "ports" { default = [80, 443] }
variable "later" {}
resource "acme_box" "b" {
  count = 1
  name  = "box-${var.later}"
  rule { port = 1 }
  dynamic "rule" {
    for_each = var.ports
    iterator = it
    labels   = []
    content {
      port = it.value
      dynamic "inner" {
        for_each = [it.key]
        content { n = inner.value }
      }
    }
  }
  rule {
    port = 2
    peer { name = var.later }
  }
}
"#;

const JSON: &str = r#"{
  "variable": { "ports": { "default": [80, 443] }, "later": {} },
  "resource": { "acme_box": { "b": {
    "count": 1,
    "name": "box-${var.later}",
    "rule": [{ "port": 1 }],
    "dynamic": { "rule": {
      "for_each": "${var.ports}",
      "iterator": "it",
      "content": {
        "port": "${it.value}",
        "dynamic": { "inner": { "for_each": ["${it.key}"], "content": { "n": "${inner.value}" } } }
      }
    } }
  } } }
}
"#;

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/acme": {
  "provider": {"version": 0, "block": {"attributes": {"token": {"type": "string", "optional": true, "sensitive": true}}}},
  "resource_schemas": {"acme_box": {"version": 0, "block": {
    "attributes": {
      "name": {"type": "string", "optional": true},
      "key": {"type": "string", "optional": true, "sensitive": true},
      "once": {"type": "string", "optional": true, "write_only": true},
      "login": {"optional": true, "nested_type": {"nesting_mode": "single", "attributes": {
        "user": {"type": "string", "optional": true}, "password": {"type": "string", "optional": true, "sensitive": true}}}}
    },
    "block_types": {
      "rule": {"nesting_mode": "list", "block": {"attributes": {"port": {"type": "number", "optional": true}},
        "block_types": {"inner": {"nesting_mode": "set", "block": {"attributes": {"n": {"type": "number", "optional": true}}}}}}},
      "auth": {"nesting_mode": "single", "block": {"attributes": {"pass": {"type": "string", "optional": true, "write_only": true}}}},
      "item": {"nesting_mode": "map", "block": {"attributes": {"pin": {"type": "string", "optional": true, "sensitive": true}}}}
    }
  }}}
}}}"#;

fn plan(files: &[(&str, &str)], arguments: &[&str]) -> (String, Value) {
    let root = directory(files);
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent").current_dir(root.path());
    let output = command.args(["plan", "--json"]).args(arguments).output().expect("the command runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let document = serde_json::from_str(&text).expect("a document");
    (text, document)
}

/// Returns the document with places as `main.tf:1:2-3:4`.
fn short(value: &Value) -> Value {
    if let (Some(file), Some(start), Some(end)) =
        (value.get("filename"), value.get("start"), value.get("end"))
    {
        let at = |place: &Value| {
            let number = |unit| place.get(unit).and_then(Value::as_u64).unwrap_or_default();
            format!("{}:{}", number("line"), number("column"))
        };
        return json!(format!("{}:{}-{}", file.as_str().unwrap_or_default(), at(start), at(end)));
    }
    match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), short(value))).collect(),
        Value::Array(elements) => elements.iter().map(short).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[test]
fn nested_and_dynamic_blocks_have_places_and_texts() {
    let (_, document) = plan(&[("main.tf", NATIVE)], &[]);
    let instance = short(&document["terrane"]["instances"]["acme_box.b[0]"]);
    let later = json!([{"kind": "variable", "subject": "var.later"}]);
    assert_eq!(
        instance["attributes"]["name"],
        json!({"source": "main.tf:5:3-5:29", "text": "\"box-${var.later}\"", "unknown": later})
    );
    assert_eq!(
        instance["blocks"],
        json!([
            {"block": "rule", "path": ".rule[0]", "source": "main.tf:6:3-6:7",
             "attributes": {"port": {"source": "main.tf:6:10-6:18", "text": "1"}}},
            {"block": "rule", "path": ".rule[3]", "source": "main.tf:19:3-19:7",
             "attributes": {"port": {"source": "main.tf:20:5-20:13", "text": "2"}},
             "blocks": [{"block": "peer", "path": ".rule[3].peer[0]", "source": "main.tf:21:5-21:9",
               "attributes": {"name": {"source": "main.tf:21:12-21:28", "text": "var.later", "unknown": later}}}]},
        ])
    );
    assert_eq!(
        instance["dynamic"],
        json!([{
            "block": "rule", "source": "main.tf:7:3-7:17", "iterator": "it", "count": 2,
            "for_each": {"source": "main.tf:8:16-8:25", "text": "var.ports", "references": ["var.ports"]},
            "labels": {"source": "main.tf:10:16-10:18", "text": "[]", "constant_value": []},
            "content": {
                "attributes": {"port": {"source": "main.tf:12:7-12:22", "text": "it.value"}},
                "dynamic": [{
                    "block": "inner", "source": "main.tf:13:7-13:22", "iterator": "inner",
                    "for_each": {"source": "main.tf:14:20-14:28", "text": "[it.key]", "references": ["it.key"]},
                    "content": {"attributes": {"n": {"source": "main.tf:15:19-15:34", "text": "inner.value"}}},
                }],
            },
        }])
    );
    // A block is never an attribute, whether it is written or generated.
    let names: Vec<&String> =
        instance["attributes"].as_object().into_iter().flat_map(|all| all.keys()).collect();
    assert_eq!(names, ["name"]);
    let declared = short(&document["terrane"]["declarations"]["acme_box.b"]);
    assert_eq!(declared["count"], json!({"source": "main.tf:4:11-4:12", "text": "1", "constant_value": 1}));
}

#[test]
fn json_syntax_has_the_same_members() {
    let (_, document) = plan(&[("main.tf.json", JSON)], &[]);
    let instance = short(&document["terrane"]["instances"]["acme_box.b[0]"]);
    // Without a schema, a property is an argument.
    assert_eq!(instance["attributes"]["rule"]["text"], "[{ \"port\": 1 }]");
    let name = &instance["attributes"]["name"];
    assert_eq!(name["source"], "main.tf.json:5:5-5:31");
    assert_eq!(name["text"], "\"box-${var.later}\"");
    let dynamic = &instance["dynamic"][0];
    assert_eq!(dynamic["iterator"], "it");
    assert_eq!(dynamic["for_each"]["source"], "main.tf.json:8:19-8:33");
    assert_eq!(dynamic["content"]["attributes"]["port"]["text"], "\"${it.value}\"");
    assert_eq!(dynamic["content"]["dynamic"][0]["block"], "inner");

    // With a schema, a property may be a block.
    let files = [("main.tf.json", JSON), ("s.json", SCHEMAS)];
    let (_, document) = plan(&files, &["--schemas", "s.json"]);
    let instance = short(&document["terrane"]["instances"]["acme_box.b[0]"]);
    assert_eq!(
        instance["blocks"],
        json!([{"block": "rule", "path": ".rule[0]", "source": "main.tf.json:6:13-6:14",
                "attributes": {"port": {"source": "main.tf.json:6:16-6:25", "text": "1"}}}])
    );
    assert_eq!(instance["dynamic"][0]["count"], 2);
}

const SECRETS: &str = r#"
variable "pw" {
  sensitive = true
  default   = "Mrk7"
}
locals { s = sensitive("Mrk7") }
provider "acme" { token = "Mrk7" }
module "c" {
  source = "./c"
  pw     = "Mrk7"
  kept   = issensitive(sensitive("Mrk7"))
}
resource "acme_box" "b" {
  name  = issensitive(sensitive("Mrk7")) ? "a" : "b"
  key   = "Mrk7"
  once  = "Mrk7"
  login = { user = "u", password = "Mrk7" }
  auth { pass = "Mrk7" }
  item "a" { pin = "Mrk7" }
  dynamic "item" {
    for_each = { k = "Mrk7" }
    labels   = [item.key]
    content { pin = item.value }
  }
}
resource "other_box" "b" {
  rule {
    open = var.pw == "" ? "Mrk7" : "shown"
    port = 1
  }
  dynamic "rule" {
    for_each = [sensitive("Mrk7")]
    content { pw = rule.value }
  }
  dynamic "port" {
    for_each = sensitive(["Mrk7"])
    content {
      port = "Mrk7"
      inner { pw = "Mrk7" }
    }
  }
}
output "o" {
  sensitive = true
  value     = "Mrk7"
}
"#;

const SECRETS_JSON: &str = r#"{"resource": {"acme_box": {"j": {
  "name": "${issensitive(sensitive(\"Mrk7\"))}", "key": "Mrk7", "once": "Mrk7", "login": {"user": "u", "password": "Mrk7"},
  "auth": {"pass": "Mrk7"}, "item": {"a": {"pin": "Mrk7"}},
  "dynamic": {"item": {"for_each": {"k": "Mrk7"}, "labels": ["${item.key}"], "content": {"pin": "${item.value}"}}}}},
  "other_box": {"j": {"name": "${sensitive(\"Mrk7\")}", "count_of": "${issensitive(sensitive(\"Mrk7\"))}",
    "rule": [{"pw": "${sensitive(\"Mrk7\")}"}],
    "dynamic": {"rule": {"for_each": "${sensitive([\"Mrk7\"])}", "content": {"pw": "Mrk7"}}}}}}}
"#;

#[test]
fn no_text_is_a_secret() {
    let child = "variable \"pw\" { sensitive = true }\nvariable \"kept\" {}\n";
    let files =
        [("main.tf", SECRETS), ("j.tf.json", SECRETS_JSON), ("c/main.tf", child), ("s.json", SCHEMAS)];
    let (text, document) = plan(&files, &["--schemas", "s.json"]);
    let at = text.match_indices("Mrk7").map(|(at, _)| text.get(at.saturating_sub(120)..at + 4));
    assert_eq!(at.collect::<Vec<_>>(), [], "{document:#}");
    assert!(document["errored"] == false, "{document:#}");
    let instances = &document["terrane"]["instances"];
    assert_eq!(instances["other_box.b"]["blocks"][0]["attributes"]["port"]["text"], "1");
    assert_eq!(instances["acme_box.b"]["blocks"][1]["path"], ".item[\"a\"]");
    let name = &instances["acme_box.b"]["attributes"]["name"]["text"];
    assert_eq!(name, "issensitive(sensitive(...)) ? \"a\" : \"b\"");

    let (text, _) = plan(&files, &["--schemas", "s.json", "--show-sensitive"]);
    assert!(text.matches("Mrk7").count() > 20, "{text}");
}

#[test]
fn a_resource_has_its_lifecycle_connection_and_provisioners() {
    let main = r#"resource "acme_box" "b" {
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [name]
    precondition {
      condition     = path.module == "."
      error_message = "No."
    }
  }
  connection {
    host     = "h"
    password = "hunter2"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id}"
  }
}
"#;
    let (text, document) = plan(&[("main.tf", main)], &[]);
    assert!(!text.contains("hunter2"), "{text}");
    let declared = short(&document["terrane"]["declarations"]["acme_box.b"]);
    let lifecycle = &declared["lifecycle"];
    assert_eq!(
        lifecycle["attributes"]["ignore_changes"],
        json!({"source": "main.tf:4:5-4:35", "text": "[name]"})
    );
    assert_eq!(lifecycle["blocks"][0]["attributes"]["condition"]["text"], "path.module == \".\"");
    assert_eq!(declared["connection"]["attributes"]["host"]["text"], "\"h\"");
    assert_eq!(
        declared["provisioners"],
        json!([{"type": "local-exec", "source": "main.tf:14:3-14:27", "destroy": true,
                "attributes": {"command": {"source": "main.tf:16:5-16:32", "text": "\"echo ${self.id}\""}}}])
    );
}

#[test]
fn the_messages_of_the_command_are_in_the_document() {
    let text = "variable \"p\" {\n  sensitive = true\n  default = \"planted\"\n}\n\
                check \"c\" {\n  assert {\n    condition = var.p == \"x\"\n    error_message = \"wrong\"\n  }\n}\n";
    let (printed, document) = plan(&[("main.tf", text)], &[]);
    let found = &document["terrane"]["diagnostics"];
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found[0]["severity"], "warning");
    assert_eq!(found[0]["source"]["start"]["line"], 7);
    assert!(!printed.contains("planted"), "{printed}");
    let (_, document) = plan(&[("main.tf", "locals {\n  a = 1\n}\n")], &[]);
    assert_eq!(document["terrane"].get("diagnostics"), None);
}

/// Runs `terrane plan --lines-of plan.json` with findings about this document.
fn lines_of(document: &[u8], findings: &[u8]) -> Output {
    let root = directory(&[]);
    std::fs::write(root.path().join("plan.json"), document).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.args(["plan", "--lines-of", "plan.json"]).current_dir(root.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    // A command that refuses the document does not read the findings.
    _ = child.stdin.take().expect("a pipe").write_all(findings);
    child.wait_with_output().expect("the command ends")
}

#[test]
fn lines_need_a_document_with_lines_and_text() {
    let files = [("main.tf", "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n")];
    let (line, _) = plan(&files, &[]);
    let (lines, _) = plan(&files, &["--pretty"]);
    let number = lines.lines().position(|line| line.contains("\"input\": 1")).expect("the attribute") + 1;
    let findings = format!("plan.json:{number}\n");
    let output = lines_of(lines.as_bytes(), findings.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "main.tf:2\n");
    let utf16: Vec<u8> =
        [0xfeff].into_iter().chain(findings.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let rows: [(&[u8], &[u8], &str); 4] = [
        (line.as_bytes(), findings.as_bytes(), "`terrane plan --json --pretty`"),
        (lines.as_bytes(), &utf16, "standard input is UTF-16 text; save it as UTF-8"),
        (lines.as_bytes(), b"plan.json:1 \xff", "standard input is not UTF-8 text"),
        (b"{\xff}", findings.as_bytes(), "plan.json is not UTF-8 text"),
    ];
    for (document, findings, expected) in rows {
        let output = lines_of(document, findings);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(expected), "{message}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    }
}
