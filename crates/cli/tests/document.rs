//! The document of `terrane eval --json`: places, assignments, functions and providers.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::{Value, json};

fn document(files: &[(&str, &str)]) -> Value {
    let (code, stdout, stderr) = support::terrane(files, &["eval", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("a document")
}

#[test]
fn json_has_the_places_of_nested_parts_and_of_arguments_of_calls() {
    let main = "module \"m\" {\n  source = \"./m\"\n  v = 1\n}\n\
                resource \"demo_net\" \"n\" {\n  rule {\n    port = 80\n    to {\n      host = \"a\"\n    }\n  }\n  \
                dynamic \"rule\" {\n    for_each = []\n    content {\n      port = 81\n    }\n  }\n}\n";
    let child = "variable \"v\" { default = 0 }\nvariable \"w\" { default = 0 }\n";
    let document = document(&[("main.tf", main), ("m/main.tf", child)]);
    let line = |part: &Value| part["source"]["start"]["line"].as_u64().unwrap();
    let rule = &document["values"]["demo_net.n"]["attributes"]["rule"];
    assert_eq!(line(rule), 6);
    let [block, dynamic] = [0, 1].map(|position| &rule["blocks"][position]);
    assert_eq!([line(block), line(&block["attributes"]["port"])], [6, 7]);
    assert_eq!(line(&block["attributes"]["to"]["blocks"][0]["attributes"]["host"]), 9);
    assert_eq!((line(dynamic), &dynamic["dynamic"]), (12, &json!(true)));
    assert_eq!(line(&dynamic["attributes"]["port"]), 15);
    assert!(block.get("dynamic").is_none() && rule["state"].is_string(), "{rule}");
    assert_eq!(line(&document["module_calls"][0]["arguments"]["v"]), 3);
    let assignments = |variable: usize| {
        let rows = document["variables"][variable]["assignments"].as_array().unwrap();
        let row = |row: &Value| {
            let file = row["source"]["filename"].as_str().unwrap();
            format!("{} {file}:{} {}", row["source_kind"].as_str().unwrap(), line(row), row["wins"])
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(document["variables"][0]["address"], "module.m.var.v");
    assert_eq!(assignments(0), ["default m/main.tf:1 false", "argument main.tf:3 true"]);
    assert_eq!(assignments(1), ["default m/main.tf:2 true"]);
}

#[test]
fn a_module_call_refers_to_the_providers_that_it_passes() {
    let main = "provider \"aws\" {\n  alias = \"x\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  providers = {\n    aws = aws.x\n  }\n}\n";
    let child = "module \"n\" {\n  source = \"./n\"\n  providers = { aws = aws }\n}\n";
    let leaf = "resource \"aws_a\" \"a\" {}\n";
    let document = document(&[("main.tf", main), ("m/main.tf", child), ("m/n/main.tf", leaf)]);
    let row = |row: &Value| {
        let [from, to, via] = ["from", "to", "via"].map(|key| row[key].as_str().unwrap());
        let (file, start) = (row["source"]["filename"].as_str().unwrap(), &row["source"]["start"]);
        format!("{from} {to} {via} {file}:{}:{}", start["line"], start["column"])
    };
    let references: Vec<_> = document["references"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(
        references,
        [
            "module.m.module.n.aws_a.a provider.aws.x provider m/n/main.tf:1:10",
            "module.m provider.aws.x provider main.tf:7:11",
            "module.m.module.n provider.aws.x provider m/main.tf:3:23",
        ]
    );
}

#[test]
fn json_has_called_functions_and_used_providers() {
    let main = "terraform {\n  required_providers {\n    aws = {\n      source = \"acme/aws\"\n      version = \"~> 5.0\"\n      \
                configuration_aliases = [aws.west]\n    }\n  }\n}\n\
                resource \"aws_a\" \"a\" {\n  x = upper(lower(core::upper(\"a\")))\n}\n\
                resource \"demo_b\" \"b\" {}\nresource \"terraform_data\" \"c\" {}\n\
                module \"m\" { source = \"./m\" }\nmodule \"n\" { source = \"./m\" }\n\
                provider \"aws\" { alias = \"west\" }\n";
    let child = "output \"o\" { value = [upper(\"b\"), timestamp()] }\n";
    let document = document(&[("main.tf", main), ("m/main.tf", child)]);
    let function = |row: &Value| {
        let source = &row["source"];
        let place = format!("{}:{}", source["filename"].as_str().unwrap(), source["start"]["column"]);
        format!("{} {} {place}", row["name"].as_str().unwrap(), row["uses"])
    };
    let functions: Vec<_> = document["functions_used"].as_array().unwrap().iter().map(function).collect();
    let of_child = ["timestamp 1 m/main.tf:35", "upper 1 m/main.tf:23"];
    assert_eq!(functions, [&of_child[..], &["lower 1 main.tf:13", "upper 2 main.tf:7"]].concat());
    let [aws, demo] = [0, 1].map(|row| &document["providers"][row]);
    assert_eq!(
        (&aws["module"], &aws["local_name"], &aws["provider"]),
        (&json!(""), &json!("aws"), &json!("acme/aws"))
    );
    assert_eq!((&aws["version_constraint"], &aws["aliases"]), (&json!("~> 5.0"), &json!(["aws.west"])));
    assert_eq!(aws["source"]["start"]["line"], 3);
    assert_eq!(demo, &json!({"module": "", "local_name": "demo", "provider": "hashicorp/demo"}));
    assert_eq!(document["providers"].as_array().unwrap().len(), 2);
}

#[test]
fn each_local_name_of_a_provider_has_its_own_constraint() {
    let required =
        |name: &str, version: &str| format!("    {name} = {{ source = \"a/x\", version = \"{version}\" }}\n");
    let main = format!(
        "terraform {{\n  required_providers {{\n{}{}  }}\n}}\nprovider \"y\" {{ version = \"< 3.0\" }}\n",
        required("x", ">= 1.0"),
        required("y", ">= 2.0")
    );
    let document = document(&[("main.tf", &main)]);
    let constraints = [0, 1].map(|row| &document["providers"][row]["version_constraint"]);
    assert_eq!(constraints, [&json!(">= 1.0.0"), &json!(">= 2.0.0, < 3.0.0")]);
}

#[test]
fn parts_of_several_contents_have_one_member() {
    let main = "resource \"demo_net\" \"n\" {\n  dynamic \"rule\" {\n    for_each = [1]\n    content {\n      port = 1\n    }\n    \
                content {\n      port = 2\n      to = 3\n    }\n  }\n}\n";
    let (code, stdout, stderr) = support::terrane(&[("main.tf", main)], &["eval", "--json", "--keep-going"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert_eq!(stdout.matches("\"port\":{\"state\":\"unknown\",\"source\"").count(), 1, "{stdout}");
    assert_eq!(stdout.matches("\"to\":{\"state\":\"unknown\",\"source\"").count(), 1, "{stdout}");
}

#[test]
fn assignments_of_called_modules_show_no_secret() {
    let main = "module \"m\" {\n  source = \"./m\"\n  given = \"marker-argument\"\n}\n";
    let child = "variable \"given\" {\n  sensitive = true\n}\nvariable \"own\" {\n  sensitive = true\n  default = \"marker-default\"\n}\n";
    let (code, stdout, stderr) =
        support::terrane(&[("main.tf", main), ("m/main.tf", child)], &["eval", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("\"argument\"") && !stdout.contains("marker-"), "{stdout}");
}

#[test]
fn json_has_the_places_of_members_and_the_states_of_parts_in_blocks() {
    let main = "variable \"p\" {}\nresource \"demo_net\" \"n\" {\n  tags = {\n    Name  = \"a\"\n    \"b c\" = { deep = var.p }\n    \
                (var.p) = 1\n  }\n  rule {\n    port = var.p\n    to {\n      host = \"a\"\n    }\n  }\n  rule {\n    port = 1\n  }\n}\n\
                module \"m\" {\n  source = \"./m\"\n  open = { a = 1 }\n  safe = { b = 1 }\n}\n";
    let child = "variable \"open\" {}\nvariable \"safe\" {\n  sensitive = true\n}\n";
    let document = document(&[("main.tf", main), ("m/main.tf", child)]);
    let line = |part: &Value| part["source"]["start"]["line"].as_u64().unwrap();
    let parts = &document["values"]["demo_net.n"]["attributes"];
    let tags = &parts["tags"]["attributes"];
    assert_eq!(tags.as_object().unwrap().keys().collect::<Vec<_>>(), ["Name", "b c"]);
    assert_eq!((line(&tags["Name"]), line(&tags["b c"]["attributes"]["deep"])), (4, 5));
    let blocks = &parts["rule"]["blocks"];
    let state = |part: &Value| part["state"].as_str().unwrap_or_default().to_owned();
    assert_eq!(state(&blocks[0]["attributes"]["port"]), "unknown");
    assert_eq!(state(&blocks[0]["attributes"]["to"]["blocks"][0]["attributes"]["host"]), "known");
    assert_eq!(state(&blocks[1]["attributes"]["port"]), "known");
    let arguments = &document["module_calls"][0]["arguments"];
    assert_eq!(arguments["open"]["attributes"]["a"]["source"]["start"]["column"], 12);
    assert!(arguments["safe"].get("attributes").is_none(), "{arguments}");
}

/// A plan has null in the place of a value that is only written, but the configuration has an ephemeral value.
#[test]
fn json_says_that_a_written_value_is_ephemeral_and_shows_no_names_of_secrets() {
    let attribute = |kind: &str| json!({"type": ["map", "number"], "optional": true, kind: true});
    let block = json!({"block_types": {"login": {"nesting_mode": "set", "block": {"attributes": {"safe": attribute("sensitive")}}},
        "one": {"nesting_mode": "single", "block": {"attributes": {"once": attribute("write_only")}}}},
        "attributes": {"once": attribute("write_only"), "safe": attribute("sensitive"), "open": attribute("computed")}});
    let schemas = json!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/demo":
        {"resource_schemas": {"demo_net": {"version": 0, "block": block}}}}});
    let main = "resource \"demo_net\" \"n\" {\n  once = { mark1 = 1 }\n  safe = { mark2 = 2 }\n  open = { shown = 3 }\n  \
                login {\n    safe = { mark3 = 3 }\n  }\n  one {\n    once = { mark4 = 4 }\n  }\n}\n";
    let files = [("main.tf", main), ("s.json", &*schemas.to_string())];
    let (code, stdout, stderr) = support::terrane(&files, &["eval", "--json", ".", "--schemas", "s.json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("a document");
    let parts = &document["values"]["demo_net.n"]["attributes"];
    let states = ["once", "safe", "open"].map(|name| parts[name]["state"].as_str().unwrap());
    assert_eq!(states, ["ephemeral", "sensitive", "known"]);
    assert_eq!(parts["one"]["blocks"][0]["attributes"]["once"]["state"], "ephemeral");
    assert_eq!(parts["open"]["attributes"]["shown"]["state"], "known");
    assert!(!stdout.contains("mark"), "{stdout}");
}

#[test]
fn json_has_the_locked_versions_of_providers() {
    let main = "resource \"aws_a\" \"a\" {}\nresource \"demo_b\" \"b\" {}\n";
    let lock = "provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.31.0\"\n}\n";
    let document = document(&[("main.tf", main), (".terraform.lock.hcl", lock)]);
    let versions = [0, 1].map(|row| document["providers"][row].get("locked_version"));
    assert_eq!(versions, [Some(&json!("5.31.0")), None]);
    let roles = document["files"].as_array().unwrap().iter().map(|file| file["role"].as_str().unwrap());
    assert_eq!(roles.filter(|role| *role == "lock").count(), 1);
}

/// Conditions and triggers that break a rule about references are not evaluated, but they are in the text.
#[test]
fn json_has_functions_in_rejected_conditions() {
    let main = "variable \"v\" {\n  default = 1\n  validation {\n    condition     = length(\"a\") > 0\n    error_message = upper(\"No.\")\n  \
                }\n}\nresource \"terraform_data\" \"a\" {\n  lifecycle {\n    replace_triggered_by = [lower(\"a\")]\n  }\n}\n";
    let (code, stdout, stderr) = support::terrane(&[("main.tf", main)], &["eval", "--json", "--keep-going"]);
    assert_eq!(code, Some(1), "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("a document");
    let names = document["functions_used"].as_array().unwrap().iter().map(|row| row["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["length", "lower", "upper"]);
}

/// A body that an override file changes is read as a whole, and its replaced text too.
#[test]
fn a_call_beside_an_override_counts_once() {
    let main = "resource \"terraform_data\" \"t\" {\n  input = lower(\"A\")\n}\n";
    let over = "resource \"terraform_data\" \"t\" {\n  triggers_replace = lower(\"B\")\n}\n";
    let document = document(&[("main.tf", main), ("a_override.tf", over)]);
    let uses = document["functions_used"].as_array().unwrap().iter().map(|row| row["uses"].clone());
    assert_eq!(uses.collect::<Vec<_>>(), [json!(1), json!(1)]);
}

#[test]
fn a_value_in_a_json_variable_file_begins_at_the_quote_of_its_name() {
    let values = "{\n  \"m\": 5\n}\n";
    let document = document(&[("main.tf", "variable \"m\" {}\n"), ("terraform.tfvars.json", values)]);
    let source = &document["variables"][0]["assignments"][0]["source"];
    let byte = |end: &str| usize::try_from(source[end]["byte"].as_u64().unwrap()).unwrap();
    assert_eq!(&values[byte("start")..byte("end")], "\"m\": 5");
}

/// The error says that the reference lacks a key; the resource is named all the same.
#[test]
fn a_reference_without_its_key_is_a_reference() {
    let main = "resource \"demo_net\" \"n\" { count = 1 }\nresource \"demo_net\" \"m\" {\n  name = demo_net.n.id\n}\n\
                resource \"demo_net\" \"o\" {\n  depends_on = [\"demo_net.n.id\"]\n}\n";
    let (_, stdout, stderr) =
        support::terrane(&[("main.tf", main)], &["eval", "--json", "--keep-going", "-q"]);
    assert_eq!(stderr.matches("core:missing-instance-key").count(), 2, "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("a document");
    let edges = document["references"].as_array().unwrap();
    let edge = |edge: &Value| format!("{} {}", edge["from"].as_str().unwrap(), edge["to"].as_str().unwrap());
    assert_eq!(
        edges.iter().map(edge).collect::<Vec<_>>(),
        ["demo_net.m demo_net.n", "demo_net.o demo_net.n"]
    );
}

#[test]
fn the_first_declaration_of_a_variable_wins() {
    let assignments = |main: &str, over: &str| {
        let files = [("main.tf", main), ("x_override.tf", over)];
        let (_, stdout, _) = support::terrane(&files, &["eval", "--json", "--keep-going"]);
        let document: Value = serde_json::from_str(&stdout).expect("a document");
        let row =
            |row: &Value| format!("{} {} {}", row["source"]["start"]["line"], row["value"], row["wins"]);
        let rows = document["variables"][0]["assignments"].as_array().unwrap();
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let twice = "variable \"a\" { default = 1 }\nvariable \"a\" { default = 2 }\n";
    assert_eq!(assignments(twice, ""), ["2 2 false", "1 1 true"]);
    let over = "variable \"a\" { default = 3 }\n";
    assert_eq!(assignments(twice, over), ["2 2 false", "1 1 false", "1 3 true"]);
    let without = "variable \"a\" {}\nvariable \"a\" { default = 2 }\n";
    assert_eq!(assignments(without, ""), ["2 2 false"]);
    let secret = "variable \"a\" {\n  default = 1\n  sensitive = true\n}\n";
    let open = "variable \"a\" {\n  default = 3\n  sensitive = false\n}\n";
    assert_eq!(assignments(secret, over), ["2 null false", "1 null true"]);
    assert_eq!(assignments(secret, open), ["2 null false", "2 3 true"]);
    let plain = "variable \"a\" { default = 1 }\n";
    let closed = "variable \"a\" { sensitive = true }\n";
    assert_eq!(assignments(plain, closed), ["1 null true"]);
}
