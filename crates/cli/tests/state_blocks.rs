//! Blocks whose values come from a state or are given by hand, in `terrane eval`, `plan` and `explain`.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

const STATE: &str = r#"{"version": 4, "resources": [{
  "mode": "managed", "type": "demo_host", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
  "instances": [{"attributes": {
    "id": "h-1", "image": "i",
    "disk": [{"device": "sdb", "volume": "vol-B", "size": 2}, {"device": "sda", "volume": "vol-A", "size": 1}],
    "rules": [{"port": 2, "name": "two"}, {"port": 1, "name": "one"}],
    "timeouts": {"create": "5m", "delete": null}
  }}]
}]}"#;

/// Returns the text of the plan of a `demo_host` with these arguments.
fn plan(arguments: &str) -> String {
    let main = format!("resource \"demo_host\" \"a\" {{\n{arguments}\n}}\n");
    let files = [("main.tf", main.as_str()), ("s.tfstate", STATE)];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    stdout
}

const BLOCKS: &str = "disk { device = \"sda\" }\ndisk { device = \"sdb\" }\nrules = [{ port = 1 }, { port = 2 }]\n\
                      timeouts { create = \"5m\" }";

#[test]
fn blocks_in_another_order_are_no_change() {
    let text = plan(&format!("image = \"i\"\n{BLOCKS}"));
    assert!(!text.contains("demo_host") && !text.contains("update"), "{text}");
}

#[test]
fn a_changed_object_shows_equal_blocks_as_unchanged() {
    let text = plan(&format!("image = \"j\"\n{BLOCKS}"));
    assert!(text.contains("      ~ image = \"i\" -> \"j\"\n"), "{text}");
    assert!(
        text.contains("        # (1 unchanged attribute hidden)\n\n        # (3 unchanged blocks hidden)\n"),
        "{text}"
    );
}

#[test]
fn a_changed_block_is_shown_beside_the_one_that_it_replaces() {
    let text = plan("image = \"i\"\ndisk { device = \"sda\" }\ndisk {\n  device = \"sdb\"\n  size = 3\n}");
    assert!(
        text.contains(
            "      ~ disk {\n          ~ size   = 2 -> 3\n            # (2 unchanged attributes hidden)\n"
        ),
        "{text}"
    );
    assert!(text.contains("        # (1 unchanged block hidden)\n"), "{text}");
}

/// Equal blocks stand together in any order, each with a partner of its own, and the remaining blocks beside each other.
#[test]
fn a_doubled_block_is_one_more_block() {
    let doubled = "disk { device = \"sda\" }\n".repeat(2);
    let text =
        plan(&format!("image = \"i\"\n{doubled}disk {{ device = \"sdb\" }}\ntimeouts {{ create = \"5m\" }}"));
    assert!(
        text.contains("      + disk {\n          + device = \"sda\"\n        }\n\n        # (3 unchanged blocks hidden)\n"),
        "{text}"
    );
    let text = plan(&format!("image = \"i\"\n{doubled}timeouts {{ create = \"5m\" }}"));
    assert!(
        text.contains(
            "      ~ disk {\n          ~ device = \"sdb\" -> \"sda\"\n            # (2 unchanged attributes hidden)\n        }\n\n        \
             # (2 unchanged blocks hidden)\n"
        ),
        "{text}"
    );
    // The recorded disks with the same device are the partners of the doubled block, and the other two stand together.
    let state = STATE.replace("\"sdb\"", "\"sda\"");
    let state = state.replace("\"size\": 1}", "\"size\": 1}, {\"device\": \"sdx\", \"volume\": \"vol-X\"}");
    let main =
        format!("resource \"demo_host\" \"a\" {{\nimage = \"i\"\ndisk {{ device = \"sdy\" }}\n{doubled}}}\n");
    let files = [("main.tf", &*main), ("s.tfstate", &*state)];
    let (_, text, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert!(text.contains("\n          ~ device = \"sdx\" -> \"sdy\"\n"), "{text}{stderr}");
    assert!(text.contains("        # (2 unchanged blocks hidden)\n") && !text.contains("\"sda\""), "{text}");

    let files = [
        (
            "main.tf",
            &*format!(
                "resource \"demo_host\" \"a\" {{\nimage = \"i\"\n{doubled}disk {{ device = \"sdb\" }}\n}}\n"
            ),
        ),
        ("s.tfstate", STATE),
    ];
    let (_, stdout, stderr) = support::terrane(&files, &["diff", ".", "--state", "s.tfstate"]);
    assert!(stdout.contains("\n+     disk[1] = { device = \"sda\", ... }\n"), "{stdout}{stderr}");
    assert_eq!(stdout.matches("disk").count(), 1, "{stdout}");
}

#[test]
fn hints_name_an_address_that_takes_a_value() {
    let main = "resource \"demo_host\" \"a\" {\n  disk { device = \"sda\" }\n}\n\
                output \"one\" { value = demo_host.a.disk[0].volume }\noutput \"two\" { value = demo_host.a.disk[0].volume }\n";
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/demo": {"resource_schemas":
        {"demo_host": {"version": 0, "block": {"block_types": {"disk": {"nesting_mode": "list", "block": {"attributes": {
        "device": {"type": "string", "required": true}, "volume": {"type": "string", "computed": true}}}}}}}}}}}"#;
    let files = [("main.tf", main), ("schemas.json", schemas)];
    for schemas in [&[][..], &["--schemas", "schemas.json"]] {
        let terrane = |arguments: &[&str]| support::terrane(&files, &[arguments, schemas].concat());
        let option = "--set 'demo_host.a.disk.volume=VALUE'";
        let (_, _, stderr) = terrane(&["eval", "."]);
        assert!(stderr.contains(&format!("help: `{option}` gives a value")), "{stderr}");
        let (_, _, stderr) = terrane(&["eval", ".", "output.one", "--require-known"]);
        assert!(stderr.contains(&format!("It is known with: {option}.")), "{stderr}");
        let (code, stdout, stderr) =
            terrane(&["eval", ".", "output.one", "--set", "demo_host.a.disk.volume=\"v\""]);
        assert_eq!((code, &*stdout), (Some(0), "output.one = \"v\" # reads given\n"), "{stderr}");
    }
}

#[test]
fn parts_inside_of_blocks_have_their_origin() {
    let main = "resource \"demo_host\" \"a\" {\n  disk { device = \"sda\" }\n  disk { device = \"sdb\" }\n  timeouts { create = \"5m\" }\n}\n\
                output \"volume\" { value = demo_host.a.disk[0].volume }\n";
    let files = [("main.tf", main), ("s.tfstate", STATE)];
    let terrane = |arguments: &[&str]| support::terrane(&files, arguments);
    let (_, stdout, stderr) = terrane(&["eval", ".", "--state", "s.tfstate"]);
    assert!(stdout.contains("  # reads state: volume\n"), "{stdout}");
    assert!(!stdout.contains("# reads state: disk"), "{stdout}");
    assert!(stdout.contains("disk[*].size, disk[*].volume"), "{stdout}");
    assert!(stderr.contains("outside of the configuration: 7 state\n"), "{stderr}");
    let (_, stdout, _) = terrane(&["explain", "output.volume", "--state", "s.tfstate"]);
    assert!(stdout.contains("recorded in the state") && !stdout.contains("computed from"), "{stdout}");
    let set = ["--set", "demo_host.a.disk.volume=\"v\""];
    let (_, stdout, _) = terrane(&[&["eval", ".", "--json"][..], &set].concat());
    let sources = r#""part_sources":[{"path":".disk[0].volume","origin":"given"},{"path":".disk[1].volume","origin":"given"}]"#;
    assert!(stdout.contains(sources), "{stdout}");
    let (_, stdout, _) = terrane(&[&["explain", "output.volume"][..], &set].concat());
    assert!(stdout.contains("option --set demo_host.a.disk.volume"), "{stdout}");
}

#[test]
fn a_single_block_has_the_shape_of_the_recorded_one() {
    let main = "resource \"demo_host\" \"a\" {\n  image = \"j\"\n  disk { device = \"sda\" }\n  timeouts { create = \"5m\" }\n}\n";
    let files = [("main.tf", main), ("s.tfstate", STATE)];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--json", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let change = &document["resource_changes"][0]["change"];
    assert_eq!(change["after"]["timeouts"], serde_json::json!({"create": "5m"}));
    assert_eq!(change["after"]["disk"], serde_json::json!([{"device": "sda"}]));
    let paths: Vec<&serde_json::Value> = document["terrane"]["instances"]["demo_host.a"]["blocks"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|block| &block["path"])
        .collect();
    assert_eq!(paths, [".disk[0]", ".timeouts"]);
}

/// An object that cannot be read does not affect the other objects.
#[test]
fn an_object_of_an_old_form_is_unknown() {
    let provider = "\"provider\": \"provider[\\\"registry.terraform.io/hashicorp/aws\\\"]\"";
    let resource = |name: &str, attributes: &str| {
        format!(
            "{{\"mode\": \"managed\", \"type\": \"aws_vpc\", \"name\": \"{name}\", {provider}, \"instances\": [{{{attributes}}}]}}"
        )
    };
    let state = format!(
        "{{\"version\": 4, \"resources\": [{}, {}, {}]}}",
        resource("a", r#""attributes_flat": {"id": "old"}"#),
        resource("b", r#""attributes": {"id": "new"}"#),
        resource("gone", r#""attributes_flat": {"id": "old"}"#),
    );
    let main = "resource \"aws_vpc\" \"a\" {}\nresource \"aws_vpc\" \"b\" {}\n\
                output \"ids\" {\n  value = [aws_vpc.a.id, aws_vpc.b.id]\n}\n";
    let files = [("main.tf", main), ("s.tfstate", state.as_str())];
    let (code, stdout, stderr) =
        support::terrane(&files, &["eval", ".", "output.ids", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("\"new\"") && !stdout.contains("\"old\""), "{stdout}");
    assert!(stderr.contains("warning[core:unreadable-state-object]"), "{stderr}");
    assert!(
        stderr.contains(
            "`aws_vpc.a` in a form that cannot be read: It is from before Terraform 0.12, so only a schema"
        ),
        "{stderr}"
    );
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("# aws_vpc.gone will be destroyed"), "{stdout}");
    assert!(stderr.contains("The plan has no attributes of `aws_vpc.gone`"), "{stderr}");
    let schema = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aws": {"resource_schemas": {
        "aws_vpc": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}}}}}}}}"#;
    let files = [("main.tf", main), ("s.tfstate", state.as_str()), ("schemas.json", schema)];
    let arguments = ["--state", "s.tfstate", "--schemas", "schemas.json"];
    let (_, stdout, stderr) =
        support::terrane(&files, &[&["eval", ".", "output.ids"][..], &arguments].concat());
    assert!(stdout.starts_with("output.ids = [\"old\", \"new\"]"), "{stdout}");
    assert!(!stderr.contains("unreadable-state-object"), "{stderr}");
    let (_, stdout, stderr) = support::terrane(&files, &[&["plan"][..], &arguments].concat());
    assert!(stdout.contains("- id = \"old\" -> null"), "{stdout}");
    assert!(!stderr.contains("unreadable-state-object"), "{stderr}");
}

/// A state from before Terraform 0.12 has no keys for absent blocks.
#[test]
fn absent_blocks_of_an_old_form_are_no_change() {
    let main = "resource \"demo_host\" \"a\" {\n  image = \"i\"\n}\n";
    let state = STATE.split_once("[{\"attributes\"").map(|(start, _)| start).unwrap_or_default();
    let state = format!(
        "{state}[{{\"schema_version\": 0, \"attributes_flat\": {{\"id\": \"h-1\", \"image\": \"i\"}}}}]}}]}}"
    );
    let block = |nesting: &str| {
        format!(
            "{{\"nesting_mode\": \"{nesting}\", \"block\": {{\"attributes\": {{\"create\": {{\"type\": \"string\", \"optional\": true}}}}}}}}"
        )
    };
    let blocks =
        ["single", "group", "list", "set"].map(|nesting| format!("\"{nesting}\": {}", block(nesting)));
    let schemas = format!(
        r#"{{"format_version": "1.0", "provider_schemas": {{"registry.terraform.io/hashicorp/demo": {{"resource_schemas": {{
        "demo_host": {{"version": 0, "block": {{"attributes": {{"id": {{"type": "string", "computed": true}},
        "image": {{"type": "string", "required": true}}}}, "block_types": {{{}}}}}}}}}}}}}}}"#,
        blocks.join(", ")
    );
    let files = [("main.tf", main), ("s.tfstate", state.as_str()), ("schemas.json", schemas.as_str())];
    let (code, stdout, stderr) =
        support::terrane(&files, &["plan", "--state", "s.tfstate", "--schemas", "schemas.json"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("No changes") && !stderr.contains("unreadable"), "{stdout} {stderr}");
}

#[test]
fn members_stand_in_the_order_of_the_products() {
    let main = "module \"n\" { source = \"./n\" }\nmoved {\n  from = module.m\n  to   = module.n\n}\noutput \"o\" { value = 1 }\n";
    let state = r#"{"version": 4, "serial": 1, "lineage": "a", "resources": [{"module": "module.m", "mode": "managed",
        "type": "demo_disk", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
        "instances": [{"attributes": {"id": "d-1"}}]}]}"#;
    let files = [("main.tf", main), ("n/main.tf", "resource \"demo_disk\" \"a\" {}\n"), ("s.tfstate", state)];
    let (_, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate", "--json"]);
    let change = r#""address":"module.n.demo_disk.a","previous_address":"module.m.demo_disk.a","module_address":"module.n""#;
    assert!(stdout.contains(change), "{stdout} {stderr}");
    let prior = stdout.split_once("\"prior_state\"").map(|(_, prior)| prior).unwrap_or_default();
    assert!(prior.contains(r#""outputs":{"o":{"sensitive":false,"value":1,"type":"number"}}"#), "{stdout}");
}

const SECRET_SCHEMA: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/random": {
  "resource_schemas": {"random_password": {"version": 3, "block": {"attributes": {
    "id": {"type": "string", "computed": true}, "length": {"type": "number", "required": true},
    "result": {"type": "string", "computed": true, "sensitive": true}
  }}}}
}}}"#;

/// The instances share one value, whose secret attributes are unknown parts with a mark.
#[test]
fn every_instance_has_its_recorded_secret() {
    let main = "resource \"random_password\" \"p\" {\n  count  = 2\n  length = 16\n}\n\
                output \"secrets\" {\n  value     = random_password.p[*].result\n  sensitive = true\n}\n";
    let instance = |index: u8| {
        format!(
            r#"{{"index_key": {index}, "schema_version": 3, "attributes": {{"id": "none", "length": 16, "result": "secret-{index}"}},
               "sensitive_attributes": [[{{"type": "get_attr", "value": "result"}}]]}}"#
        )
    };
    let state = format!(
        r#"{{"version": 4, "resources": [{{"mode": "managed", "type": "random_password", "name": "p",
           "provider": "provider[\"registry.terraform.io/hashicorp/random\"]", "instances": [{}, {}]}}]}}"#,
        instance(0),
        instance(1)
    );
    let files = [("main.tf", main), ("s.tfstate", &*state), ("schemas.json", SECRET_SCHEMA)];
    let only_resource = [("main.tf", main.split("output").next().unwrap_or_default()), files[1], files[2]];
    for files in [files, only_resource] {
        let (code, stdout, stderr) =
            support::terrane(&files, &["plan", "--state", "s.tfstate", "--schemas", "schemas.json"]);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(!stdout.contains("random_password.p"), "{stdout}");
    }
    let arguments = ["eval", "--state", "s.tfstate", "--schemas", "schemas.json", "--show-sensitive"];
    let (_, stdout, stderr) = support::terrane(&only_resource, &arguments);
    assert!(stdout.contains("secret-0") && stdout.contains("secret-1"), "{stdout}{stderr}");
    let given =
        ["eval", "--schemas", "schemas.json", "--set", "random_password.p.result=\"x\"", "--show-sensitive"];
    let (code, stdout, stderr) = support::terrane(&only_resource, &given);
    assert_eq!((code, stdout.matches("\"x\"").count()), (Some(0), 2), "{stdout}{stderr}");
}
