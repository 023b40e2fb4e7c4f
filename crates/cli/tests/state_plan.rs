//! `terrane plan --state FILE`.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/changed_disks.rs"]
mod changed_disks;
mod support;

use serde_json::Value;

use self::changed_disks::{MODULE, STATE, plan};

#[test]
fn text_shows_the_changes() {
    let (code, stdout, stderr) = plan(&[]);
    assert_eq!(code, Some(0), "{stderr}");
    for expected in [
        "  # demo_disk.created will be created\n  + resource \"demo_disk\" \"created\" {\n      + size = 3\n",
        "  # demo_disk.new_name will be updated in-place\n  # (moved from demo_disk.old_name)\n  \
         # (or replaced: only the provider knows which changes replace an object)\n  ~ resource",
        "      ~ size = 1 -> 2\n",
        "  # demo_disk.gone will be destroyed\n  # (because demo_disk.gone is not in configuration)\n  - resource",
        "      - token = (sensitive value) -> null\n",
        "Plan: 1 to add, 1 to change, 1 to destroy.\n",
        "  ~ id = \"d-0\" -> \"d-1\"\n",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}");
    }
    assert!(!stdout.contains("hunter2") && !stdout.contains("demo_disk.same "), "{stdout}");
}

#[test]
fn the_document_has_the_changes() {
    let (_, stdout, stderr) = plan(&["--json"]);
    assert!(!stdout.contains("hunter2"), "{stdout}");
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    let changes = document["resource_changes"].as_array().expect("a list");
    let found = |change: &Value| {
        format!("{} {}", change["address"].as_str().unwrap_or_default(), change["change"]["actions"])
    };
    assert_eq!(
        changes.iter().map(found).collect::<Vec<_>>(),
        [
            "demo_disk.created [\"create\"]",
            "demo_disk.gone [\"delete\"]",
            "demo_disk.new_name [\"update\"]",
            "demo_disk.same [\"no-op\"]",
        ]
    );
    let [_, gone, moved, same] = changes.as_slice() else { panic!("four changes") };
    assert_eq!(gone["action_reason"], "delete_because_no_resource_config");
    assert_eq!((&gone["change"]["before"]["id"], &gone["change"]["after"]), (&"d-3".into(), &Value::Null));
    assert_eq!(gone["change"]["before_sensitive"]["token"], true);
    assert_eq!(moved["previous_address"], "demo_disk.old_name");
    assert_eq!(moved["change"]["before"]["list"], serde_json::json!([1]));
    assert_eq!(same["change"]["after"]["id"], "d-1");
    let extension = &document["terrane"]["instances"];
    assert_eq!(extension["demo_disk.new_name"]["may_replace"], true);
    assert_eq!(extension["demo_disk.same"]["may_replace"], Value::Null);
    let prior = document["prior_state"]["values"]["root_module"]["resources"].as_array().expect("a list");
    let tainted = prior.iter().find(|resource| resource["address"] == "demo_disk.gone").expect("it is there");
    assert_eq!(tainted["tainted"], true);
    let moved =
        prior.iter().find(|resource| resource["address"] == "demo_disk.new_name").expect("it is there");
    assert_eq!(moved["depends_on"][0], "demo_disk.same");
    let id = &document["output_changes"]["id"];
    assert_eq!((&id["actions"][0], &id["before"]), (&"update".into(), &"d-0".into()));
}

#[test]
fn an_evaluation_names_the_state() {
    let files = [("main.tf", MODULE), ("s.tfstate", STATE), ("old.json", "{\"format_version\": \"1.0\"}")];
    let (_, stdout, stderr) = support::terrane(&files, &["eval", "--state", "s.tfstate", "--json"]);
    assert!(stderr.contains("\nstate: serial 1, lineage a\n"), "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    assert_eq!(document["state"], serde_json::json!({"serial": 1, "lineage": "a"}));
    let (_, stdout, stderr) = support::terrane(&files, &["eval", "--state", "old.json", "--json"]);
    assert!(stderr.contains("\nstate: no serial, lineage or version\n"), "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    assert_eq!(document["state"], serde_json::json!({}));
    let (_, stdout, _) = support::terrane(&files, &["eval", "--json"]);
    assert!(!stdout.contains("\"lineage\""), "{stdout}");
}

#[test]
fn a_state_that_cannot_be_read_is_a_wrong_argument() {
    let files = [("main.tf", MODULE), ("s.tfstate", "{\"version\": 9}")];
    let (code, _, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("the version is 9"), "{stderr}");
}

#[test]
fn objects_of_a_module_that_is_not_on_disk_stay() {
    let state = r#"{"version": 4, "resources": [
        {"module": "module.far", "mode": "managed", "type": "x_y", "name": "a",
         "provider": "provider[\"registry.terraform.io/hashicorp/x\"]", "instances": [{"attributes": {"id": "i"}}]}]}"#;
    let files = [("main.tf", "module \"far\" {\n  source = \"acme/far/x\"\n}\n"), ("s.tfstate", state)];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "# module.far: not on disk\n\nNo resources.\n");
}

/// A state only says that the input is sensitive.
#[test]
fn a_secret_input_hides_the_output_of_an_object_that_is_destroyed() {
    let state = r#"{"version": 4, "resources": [
        {"mode": "managed", "type": "terraform_data", "name": "a",
         "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{
           "attributes": {"id": "i", "input": {"value": {"k": "hunter2"}, "type": ["object", {"k": "string"}]},
                          "output": {"value": {"k": "hunter2"}, "type": ["object", {"k": "string"}]}, "triggers_replace": null},
           "sensitive_attributes": [[{"type": "get_attr", "value": "input"}, {"type": "get_attr", "value": "k"}]]}]}]}"#;
    for arguments in [&[][..], &["--json"]] {
        let files = [("main.tf", ""), ("s.tfstate", state)];
        let (code, stdout, stderr) =
            support::terrane(&files, &[&["plan", "--state", "s.tfstate"], arguments].concat());
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.contains("terraform_data.a") && !stdout.contains("hunter2"), "{stdout}");
    }
}

const PLAN: &str = r#"{"format_version": "1.2", "variables": {"secret": {"value": "hunter2"}}, "resource_changes": [
    {"mode": "managed", "type": "demo_disk", "name": "d", "provider_name": "registry.terraform.io/hashicorp/demo",
     "change": {"actions": ["create"], "after": {"path": "/dev/a", "key": "hunter3"}, "after_unknown": {"id": true},
                "after_sensitive": {"key": true}}}]}"#;

const PLANNED: &str = "variable \"secret\" { sensitive = true }\nresource \"demo_disk\" \"d\" {}\n\
                       output \"path\" { value = demo_disk.d.path }\n";

#[test]
fn values_of_a_plan_have_their_origin() {
    let files = [("main.tf", PLANNED), ("plan.json", PLAN)];
    let arguments = ["eval", ".", "--plan", "plan.json", "-var", "secret=hunter2"];
    let (code, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("path = \"/dev/a\"\n") && stdout.contains("  # plan: "), "{stdout}");
    assert!(!stdout.contains("hunter"), "{stdout}");
    assert!(stderr.contains("outside of the configuration: 2 plan\n"), "{stderr}");
    let (_, stdout, _) = support::terrane(&files, &[&arguments[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&stdout).expect("a document");
    assert_eq!(document["values"]["demo_disk.d"]["part_sources"][0]["origin"], "plan");
}

/// The state that the plan begins with is the side before.
#[test]
fn a_plan_is_compared_with_its_configuration() {
    let plan = r#"{"format_version": "1.2", "prior_state": {"format_version": "1.0", "values": {"root_module": {"resources": [
        {"address": "demo_disk.d", "mode": "managed", "type": "demo_disk", "name": "d",
         "provider_name": "registry.terraform.io/hashicorp/demo", "values": {"id": "i", "size": 1}}]}}},
        "resource_changes": [
        {"mode": "managed", "type": "demo_disk", "name": "d", "provider_name": "registry.terraform.io/hashicorp/demo",
         "change": {"actions": ["update"], "before": {"id": "i", "size": 1}, "after": {"id": "i", "size": 2}, "after_unknown": {}}}]}"#;
    let files = [("main.tf", "resource \"demo_disk\" \"d\" { size = 2 }\n"), ("plan.json", plan)];
    for directory in [&[][..], &["."]] {
        let arguments = [&["diff", "--plan", "plan.json", "--exit-code"], directory].concat();
        let (code, stdout, stderr) = support::terrane(&files, &arguments);
        assert_eq!(code, Some(2), "{stderr}");
        assert_eq!(stdout, "~ demo_disk.d  # main.tf:1\n~     size = 1 -> 2\n\nResources: 1 changed.\n");
    }
}

/// A schema tells which attributes are secrets, even if a recorded object does not fit the schema.
#[test]
fn secrets_of_the_schema_are_hidden_in_objects_that_do_not_fit() {
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/demo": {"resource_schemas":
        {"demo_disk": {"version": 1, "block": {"attributes": {"size": {"type": "number", "optional": true},
         "conn": {"type": "string", "computed": true, "sensitive": true}}}}}}}}"#;
    let object = |name: &str| {
        format!(
            r#"{{"mode": "managed", "type": "demo_disk", "name": "{name}", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
               "instances": [{{"schema_version": 0, "attributes": {{"size": "large", "conn": "hunter2"}}}}]}}"#
        )
    };
    let state = format!(r#"{{"version": 4, "resources": [{}, {}]}}"#, object("gone"), object("kept"));
    let files = [
        ("main.tf", "resource \"demo_disk\" \"kept\" {}\n"),
        ("s.tfstate", &state),
        ("schemas.json", schemas),
    ];
    for arguments in [&["plan"][..], &["plan", "--json"]] {
        let options = ["--state", "s.tfstate", "--schemas", "schemas.json"];
        let (code, stdout, stderr) = support::terrane(&files, &[arguments, &options].concat());
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.contains("large") && !(stdout + &stderr).contains("hunter2"), "{arguments:?}");
    }
}

#[test]
fn another_value_of_a_variable_refuses_the_plan_without_showing_it() {
    let files = [("main.tf", PLANNED), ("plan.json", PLAN)];
    let arguments = ["eval", ".", "--plan", "plan.json", "-var", "secret=other"];
    let (code, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!((code, &*stdout), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("another value of the variable `secret`"), "{stderr}");
    assert!(!stderr.contains("hunter"), "{stderr}");
}

#[test]
fn files_that_are_no_plan_document_say_what_they_are() {
    for (text, words) in [
        ("PK\u{3}\u{4}planned", "binary plan file; `terraform show -json plan.json` writes the document"),
        ("{\"version\": 4}", "this is a state, not the document of a plan; the option --state reads it"),
        ("", "the file is empty"),
        (
            "{\"format_version\": \"1.2\", \"resource_changes\": [{}]}",
            "it is not the document of a plan: `mode` is missing at line 1",
        ),
    ] {
        let files = [("main.tf", PLANNED), ("plan.json", text)];
        let (code, _, stderr) = support::terrane(&files, &["eval", ".", "--plan", "plan.json"]);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
    let files = [("main.tf", PLANNED), ("s.tfstate", PLAN)];
    let (code, _, stderr) = support::terrane(&files, &["eval", ".", "--state", "s.tfstate"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("the option --plan reads it"), "{stderr}");
}

/// The products do not treat the output as a secret, so a reference to it is no error.
#[test]
fn the_recorded_output_of_a_secret_input_is_not_printed() {
    let state = r#"{"version": 4, "resources": [{"mode": "managed", "type": "terraform_data", "name": "a",
        "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{
          "attributes": {"id": "i", "input": {"value": "hunter2", "type": "string"},
                         "output": {"value": "hunter2", "type": "string"}, "triggers_replace": null},
          "sensitive_attributes": [[{"type": "get_attr", "value": "input"}]]}]}]}"#;
    let module = "variable \"pw\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n\
                  resource \"terraform_data\" \"a\" { input = var.pw }\n\
                  output \"length\" { value = length(terraform_data.a.output) }\n";
    let files = [("main.tf", module), ("s.tfstate", state)];
    for command in [
        &["eval", "."][..],
        &["eval", ".", "--json"],
        &["eval", ".", "terraform_data.a.output"],
        &["explain", "terraform_data.a.output"],
        &["explain", "terraform_data.a"],
        &["plan", "."],
        &["plan", ".", "--json"],
    ] {
        let (code, stdout, stderr) = support::terrane(&files, &[command, &["--state", "s.tfstate"]].concat());
        assert_eq!(code, Some(0), "{stderr}");
        assert!(!stdout.is_empty() && !stdout.contains("hunter"), "{command:?}: {stdout}");
    }
    let shown = ["eval", ".", "terraform_data.a.output", "--show-sensitive", "--state", "s.tfstate"];
    assert!(support::terrane(&files, &shown).1.contains("hunter2"));
}

/// Neither option has the values of a plan from the configuration and a state.
#[test]
fn options_with_other_values_than_the_planned_ones_are_refused() {
    let files = [("main.tf", PLANNED), ("plan.json", PLAN), ("s.tfstate", STATE)];
    for (options, words) in [
        (&["--plan", "plan.json"][..], "the document is the plan already"),
        (&["--state", "s.tfstate", "--state-values", "prior"], "a prior value need not be the planned one"),
    ] {
        let (code, stdout, stderr) = support::terrane(&files, &[&["plan", "."], options].concat());
        assert_eq!((code, &*stdout), (Some(2), ""), "{stderr}");
        assert!(stderr.contains(words) && stderr.contains("tip: `terrane eval`"), "{stderr}");
    }
    let (_, help, _) = support::terrane(&files, &["plan", "--help"]);
    assert!(
        help.contains("--state ") && !help.contains("--state-values") && !help.contains("--plan "),
        "{help}"
    );
}

#[test]
fn a_plan_with_errors_is_refused() {
    let plan = PLAN.replacen('{', "{\"errored\": true, ", 1);
    let files = [("main.tf", PLANNED), ("plan.json", plan.as_str())];
    let (code, stdout, stderr) = support::terrane(&files, &["eval", ".", "--plan", "plan.json"]);
    assert_eq!((code, &*stdout), (Some(2), ""), "{stderr}");
    assert!(stderr.contains("invalid value 'plan.json'") && stderr.contains("ended with errors"), "{stderr}");
}

/// A recorded secret stays hidden where it is used, but not where the configuration contains the same value openly.
#[test]
fn a_configured_value_is_not_secret_because_it_was_when_it_was_recorded() {
    let state = r#"{"version": 4, "resources": [{"mode": "managed", "type": "demo_disk", "name": "d",
        "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]", "instances": [{
          "attributes": {"id": "d-1", "label": "open", "key": "hunter2", "parts": [{"name": "open", "key": "hunter3"}]},
          "sensitive_attributes": [[{"type": "get_attr", "value": "label"}], [{"type": "get_attr", "value": "key"}],
            [{"type": "get_attr", "value": "parts"}]]}]}]}"#;
    let module = "variable \"label\" { default = \"open\" }\n\
                  resource \"demo_disk\" \"d\" {\n  label = var.label\n  parts { name = var.label }\n}\n\
                  output \"label\" { value = [demo_disk.d.label, demo_disk.d.parts[0].name, demo_disk.d.id] }\n";
    let files = [("main.tf", module), ("s.tfstate", state)];
    let (code, stdout, stderr) = support::terrane(&files, &["eval", ".", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("label = [\"open\", \"open\", \"d-1\"]"), "{stdout}");
    assert!(stdout.contains("(sensitive value)") && !stdout.contains("hunter"), "{stdout}");
    let key = ["eval", ".", "demo_disk.d.parts[0].key", "demo_disk.d.key", "--state", "s.tfstate"];
    let (_, stdout, _) = support::terrane(&files, &key);
    assert!(!stdout.contains("hunter"), "{stdout}");
}

/// Values of objects that change are used with a label. Secrets among them stay hidden.
#[test]
fn prior_values_are_used_on_request() {
    let module = "resource \"demo_disk\" \"same\" { size = 2 }\n\
                  resource \"terraform_data\" \"t\" { input = sensitive(\"hunter3\") }\n\
                  output \"id\" { value = demo_disk.same.id }\n";
    let state = STATE.replace(
        "\"resources\": [",
        r#""resources": [{"mode": "managed", "type": "terraform_data", "name": "t",
            "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"attributes": {
              "id": "t-1", "input": {"value": "hunter2", "type": "string"}, "output": {"value": "hunter2", "type": "string"}}}]},"#,
    );
    let files = [("main.tf", module), ("s.tfstate", state.as_str())];
    let eval = ["eval", ".", "--state", "s.tfstate"];
    let (code, stdout, stderr) = support::terrane(&files, &eval);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("  id = (known after apply)"), "{stdout}");
    let (code, stdout, stderr) =
        support::terrane(&files, &[&eval[..], &["--state-values", "prior"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("  id = \"d-1\"\n") && stdout.contains("  # prior: id, password\n"), "{stdout}");
    assert!(stdout.contains("output = (sensitive value)") && !stdout.contains("hunter"), "{stdout}");
    assert!(stderr.contains(" prior\n"), "{stderr}");
    let (code, _, stderr) = support::terrane(&files, &["eval", ".", "--state-values", "prior"]);
    assert_eq!(code, Some(2), "{stderr}");
}

/// `--state DIR` with a local backend, in the default workspace and in another workspace.
#[test]
fn a_directory_stands_for_its_state_file() {
    let module = "terraform {\n  backend \"local\" {\n    path = \"own.tfstate\"\n  }\n}\nresource \"terraform_data\" \"a\" { input = \"x\" }\noutput \"id\" { value = terraform_data.a.id }\n";
    let state = |id: &str| {
        format!(
            r#"{{"version": 4, "resources": [{{"mode": "managed", "type": "terraform_data", "name": "a",
                "provider": "provider[\"terraform.io/builtin/terraform\"]",
                "instances": [{{"attributes": {{"id": "{id}", "input": {{"value": "x", "type": "string"}}}}}}]}}]}}"#
        )
    };
    let (own, ws, plain) = (state("own"), state("ws"), state("plain"));
    let init = r#"{"version": 3, "backend": {"type": "local", "config": {"path": "own.tfstate"}}}"#;
    let other = init.replace("local", "s3");
    let files = [
        ("m/main.tf", module),
        ("m/own.tfstate", &own),
        ("m/terraform.tfstate.d/ws/terraform.tfstate", &ws),
        ("m/terraform.tfstate", &plain),
        ("m/.terraform/terraform.tfstate", init),
        ("s3/main.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        ("cloud/main.tf", "terraform {\n  cloud {}\n}\n"),
        ("changed/main.tf", module),
        ("changed/.terraform/terraform.tfstate", &other),
    ];
    let run = |arguments: &[&str]| support::terrane(&files, arguments);
    for (arguments, expected) in [
        (&["m", "output.id", "--state", "m"][..], "output.id = \"own\" # reads state\n"),
        (&["m", "output.id", "--state", "m", "--workspace", "ws"], "output.id = \"ws\" # reads state\n"),
        (&["m", "output.id", "--state", "m", "--sandbox", "m"], "output.id = \"own\" # reads state\n"),
    ] {
        let (code, stdout, stderr) = run(&[&["eval"], arguments].concat());
        assert_eq!((code, &*stdout), (Some(0), expected), "{arguments:?}: {stderr}");
    }
    let (_, _, stderr) = run(&["eval", "m", "--state", "m", "--workspace", "none"]);
    let note = "there is no state file m/terraform.tfstate.d/none/terraform.tfstate: no object exists yet\n";
    assert!(stderr.contains(note), "{stderr}");
    let (_, _, stderr) = run(&["console", "m", "--state", "m"]);
    let note =
        "as in `terraform console`, the state is m/terraform.tfstate; the plan begins with m/own.tfstate\n";
    assert!(stderr.contains(note), "{stderr}");
    for (arguments, words) in [
        (
            &["--state", "s3"][..],
            "is in the backend \"s3\", which is not asked; `terraform state pull` writes it",
        ),
        (&["--state", "cloud"], "is in the backend \"cloud\""),
        (
            &["--state", "changed"],
            "`terraform init` has set up the backend \"s3\", and the configuration has another one",
        ),
    ] {
        let (code, _, stderr) = run(&[&["eval", "m"], arguments].concat());
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
    let (code, _, stderr) = run(&["plan", "m", "--state", "m", "--workspace", "a,b"]);
    assert_eq!((code, stderr.contains("--workspace names several workspaces")), (Some(2), true), "{stderr}");
}

#[test]
fn json_has_prior_values_of_unknown_attributes() {
    let module = "resource \"demo_disk\" \"a\" { size = 2 }\nresource \"demo_disk\" \"same\" { size = 1 }\nresource \"demo_disk\" \"new\" {}\n\
                  resource \"terraform_data\" \"d\" { input = \"new\" }\n";
    let state = r#"{"version": 4, "resources": [
      {"mode": "managed", "type": "demo_disk", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
       "instances": [{"attributes": {"id": "d-1", "size": 1, "password": "hunter2", "none": null}}]},
      {"mode": "managed", "type": "demo_disk", "name": "same", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
       "instances": [{"attributes": {"id": "d-2", "size": 1}}]},
      {"mode": "managed", "type": "terraform_data", "name": "d", "provider": "provider[\"terraform.io/builtin/terraform\"]",
       "instances": [{"attributes": {"id": "t-1", "input": {"value": "old", "type": "string"}, "output": {"value": "old", "type": "string"}}}]}
    ]}"#;
    let files = [("main.tf", module), ("s.tfstate", state)];
    let (code, stdout, stderr) = support::terrane(&files, &["eval", ".", "--json", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let prior = |address: &str| document["values"][address]["prior"].clone();
    assert_eq!(prior("demo_disk.a")["value"], serde_json::json!({"id": "d-1"}), "{stdout}");
    assert_eq!(prior("demo_disk.a")["sensitive_paths"], serde_json::json!([".password"]), "{stdout}");
    assert_eq!(prior("terraform_data.d")["value"], serde_json::json!({"output": "old"}), "{stdout}");
    for address in ["demo_disk.same", "demo_disk.new"] {
        assert_eq!(prior(address), Value::Null, "{address}: {stdout}");
    }
    assert!(!stdout.contains("hunter2"), "{stdout}");
}

#[test]
fn a_plan_can_require_known_values() {
    let (code, stdout, _) = plan(&["--require-known"]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("Plan: 1 to add"), "{stdout}");
    let (code, stdout, stderr) = plan(&["--require-known=demo_disk.created.id"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stdout.contains("Plan: 1 to add"), "{stdout}");
    assert!(
        stderr.contains("`demo_disk.created.id` is unknown: demo_disk.created.id is set by the provider"),
        "{stderr}"
    );
    let (code, _, stderr) = plan(&["--require-known=output.none"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("output.none"), "{stderr}");
}

/// The key of an instance, the value of its `triggers_replace`, and more members.
type Instance<'t> = (&'t str, &'t str, &'t str);

/// Returns a state of `terraform_data` objects.
fn data_state(resources: &[(&str, &[Instance<'_>])]) -> String {
    let instance = |(key, trigger, more): &Instance<'_>| {
        let trigger = format!("{{\"value\": {trigger}, \"type\": \"number\"}}");
        let attributes =
            format!("{{\"id\": \"i\", \"input\": null, \"output\": null, \"triggers_replace\": {trigger}}}");
        format!("{{{key}{more}\"attributes\": {attributes}}}")
    };
    let resource = |(name, instances): &(&str, &[Instance<'_>])| {
        let instances: Vec<String> = instances.iter().map(instance).collect();
        format!(
            "{{\"mode\": \"managed\", \"type\": \"terraform_data\", \"name\": \"{name}\", \
             \"provider\": \"provider[\\\"terraform.io/builtin/terraform\\\"]\", \"instances\": [{}]}}",
            instances.join(", ")
        )
    };
    let resources: Vec<String> = resources.iter().map(resource).collect();
    format!("{{\"version\": 4, \"resources\": [{}]}}", resources.join(", "))
}

#[test]
fn a_replacement_is_created_first_where_a_dependent_asks_for_it() {
    let configuration = "resource \"terraform_data\" \"base\" { triggers_replace = 2 }\n\
                         resource \"terraform_data\" \"first\" {\n  triggers_replace = 1\n  input = terraform_data.base.id\n  \
                         lifecycle { create_before_destroy = true }\n}\n\
                         resource \"terraform_data\" \"other\" { triggers_replace = 2 }\n";
    let instances: &[Instance<'_>] = &[("", "1", "")];
    let left: &[Instance<'_>] = &[("", "1", ""), ("", "1", "\"deposed\": \"0a\", ")];
    let state = data_state(&[("base", instances), ("first", instances), ("other", left)]);
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    for expected in [
        "-/+ destroy and then create replacement\n+/- create replacement and then destroy\n",
        "  # terraform_data.base must be replaced\n+/- resource \"terraform_data\" \"base\" {\n",
        "  # terraform_data.other must be replaced\n-/+ resource \"terraform_data\" \"other\" {\n",
        "  # terraform_data.other (deposed object 0a) will be destroyed\n  # (left over from a partially-failed replacement",
        "Plan: 2 to add, 1 to change, 3 to destroy.\n",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}");
    }
}

#[test]
fn an_object_with_prevent_destroy_is_not_destroyed() {
    let configuration = "resource \"terraform_data\" \"kept\" {\n  count = 1\n  triggers_replace = 2\n  \
                         lifecycle { prevent_destroy = true }\n}\n\
                         resource \"terraform_data\" \"reader\" { input = terraform_data.kept[0].id }\n\
                         resource \"terraform_data\" \"other\" {}\n";
    let instances: &[Instance<'_>] = &[("\"index_key\": 0, ", "1", ""), ("\"index_key\": 1, ", "2", "")];
    let state = data_state(&[("kept", instances)]);
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(1), "{stdout}");
    for address in ["terraform_data.kept[0]", "terraform_data.kept[1]"] {
        assert!(stderr.contains(&format!("The plan destroys `{address}`, but its block has")), "{stderr}");
    }
    assert!(stdout.contains("terraform_data.other will be created"), "{stdout}");
    assert!(!stdout.contains("terraform_data.reader"), "{stdout}");
}

/// A validation refers to its own variable, which is no cycle of an apply.
#[test]
fn a_validation_is_no_cycle_of_an_apply() {
    let configuration = "variable \"size\" {\n  default = 2\n  validation {\n    condition     = var.size > 0\n    \
                         error_message = \"E.\"\n  }\n}\n\
                         resource \"terraform_data\" \"a\" { input = var.size }\n\
                         resource \"terraform_data\" \"b\" {\n  input = terraform_data.a.id\n  \
                         triggers_replace = var.size\n}\n";
    let dependent = "\"dependencies\": [\"terraform_data.a\"], ";
    let state = data_state(&[("a", &[("", "null", "")]), ("b", &[("", "1", dependent)])]);
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("terraform_data.b must be replaced"), "{stdout}");
}

/// OpenTofu lets `prevent_destroy` be any expression, so a plan reads the files that it names.
#[test]
fn a_plan_evaluates_prevent_destroy_over_the_files_of_the_module() {
    let configuration = "resource \"terraform_data\" \"kept\" {\n  triggers_replace = 2\n  \
                         lifecycle { prevent_destroy = fileexists(\"lock.txt\") }\n}\n";
    let state = data_state(&[("kept", &[("", "1", "")])]);
    let files = [("main.tofu", configuration), ("s.tfstate", state.as_str()), ("lock.txt", "")];
    for arguments in [&["plan", "--state", "s.tfstate"][..], &["plan", "-destroy", "--state", "s.tfstate"]] {
        let (code, stdout, stderr) = support::terrane(&files, arguments);
        assert_eq!(code, Some(1), "{stdout}{stderr}");
        assert!(stderr.contains("The plan destroys `terraform_data.kept`, but its block has"), "{stderr}");
        let (code, stdout, stderr) = support::terrane(&files[..2], arguments);
        assert_eq!(code, Some(0), "{stdout}{stderr}");
    }
}

/// Each of 2,000 instances names all 2,000 others. Comparing them for each instance took minutes.
#[test]
fn triggers_are_compared_with_the_state_once() {
    let keys: Vec<String> = (0..2000).map(|index| format!("\"index_key\": {index}, ")).collect();
    let instances: Vec<Instance<'_>> = keys.iter().map(|key| (key.as_str(), "1", "")).collect();
    let state = data_state(&[("source", &instances), ("triggered", &instances)]);
    let configuration = "resource \"terraform_data\" \"source\" {\n  count = 2000\n  triggers_replace = 1\n}\n\
                         resource \"terraform_data\" \"triggered\" {\n  count = 2000\n  triggers_replace = 1\n  \
                         lifecycle { replace_triggered_by = [terraform_data.source] }\n}\n";
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let start = std::time::Instant::now();
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(
        (code, stdout.as_str()),
        (Some(0), "No changes. The state matches the configuration.\n"),
        "{stderr}"
    );
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn a_sensitive_path_of_a_backend_is_refused() {
    let text = "variable \"p\" {\n  sensitive = true\n  default   = \"Mrk8P1/x.tfstate\"\n}\n\
                terraform {\n  backend \"local\" { path = var.p }\n}\n";
    let (code, out, err) = support::terrane(&[("main.tf", text)], &["plan", ".", "--state", "."]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("`path` of the backend \"local\" is sensitive"), "{err}");
    assert!(!out.contains("Mrk8P1") && !err.contains("Mrk8P1"), "{out}{err}");
}

#[test]
fn parts_of_values_that_become_sensitive_are_shown_as_changes() {
    let configuration = "variable \"pw\" {\n  sensitive = true\n  default   = \"x\"\n}\n\
                         resource \"terraform_data\" \"a\" {\n  input = { k = var.pw, list = [\"a\", sensitive(\"b\")], same = 1 }\n}\n";
    let object = r#"{"k": "x", "list": ["a", "b"], "same": 1}"#;
    let ty = r#"["object", {"k": "string", "list": ["tuple", ["string", "string"]], "same": "number"}]"#;
    let value = format!(r#"{{"value": {object}, "type": {ty}}}"#);
    let state = format!(
        r#"{{"version": 4, "serial": 1, "lineage": "a", "resources": [{{"mode": "managed", "type": "terraform_data", "name": "a",
        "provider": "provider[\"terraform.io/builtin/terraform\"]",
        "instances": [{{"attributes": {{"id": "i", "input": {value}, "output": {value}, "triggers_replace": null}}}}]}}]}}"#
    );
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let warning =
        "# Warning: this value becomes sensitive: it is not shown after the apply. It stays the same.";
    let hidden = format!(
        "      ~ input  = {{
          {warning}
          ~ k    = (sensitive value)
          ~ list = [
                \"a\",
              {warning}
              ~ (sensitive value),
            ]
            # (1 unchanged attribute hidden)
        }}
        # (1 unchanged attribute hidden)
"
    );
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert!(code == Some(0) && stdout.contains(&hidden), "{stdout}{stderr}");
    let (_, shown, _) = support::terrane(&files, &["plan", "--state", "s.tfstate", "--show-sensitive"]);
    assert!(
        shown.contains(
            &hidden.replacen("(sensitive value)", "\"x\"", 1).replace("(sensitive value)", "\"b\"")
        ),
        "{shown}"
    );
}

/// Returns a state of `terraform_data` objects with these inputs, their types and the members of their instances.
fn input_state(outputs: &str, objects: &[(&str, &str, &str)]) -> String {
    let object = |(name, value, more): &(&str, &str, &str)| {
        format!(
            r#"{{"mode": "managed", "type": "terraform_data", "name": "{name}",
            "provider": "provider[\"terraform.io/builtin/terraform\"]",
            "instances": [{{{more}"attributes": {{"id": "i", "input": {value}, "output": {value}, "triggers_replace": null}}}}]}}"#
        )
    };
    let objects: Vec<String> = objects.iter().map(object).collect();
    format!(r#"{{"version": 4, "outputs": {{{outputs}}}, "resources": [{}]}}"#, objects.join(", "))
}

/// The signs are the same as in Terraform 1.11.4, which compares an empty secret text like null.
#[test]
fn an_empty_secret_has_the_sign_of_null() {
    let text = |text: &str| format!(r#"{{"value": "{text}", "type": "string", "sensitive": true}}"#);
    let outputs = format!(r#""emptied": {}, "filled": {}, "gone": {}"#, text("x"), text(""), text(""));
    let secret = r#""sensitive_attributes": [[{"type": "get_attr", "value": "input"}]], "#;
    let value = |text: &str| format!(r#"{{"value": "{text}", "type": "string"}}"#);
    let (full, empty) = (value("x"), value(""));
    let state = input_state(&outputs, &[("emptied", &full, secret), ("filled", &empty, secret)]);
    let configuration = "\
resource \"terraform_data\" \"emptied\" { input = sensitive(\"\") }
resource \"terraform_data\" \"filled\" { input = sensitive(\"x\") }
resource \"terraform_data\" \"new\" { input = sensitive(\"\") }
output \"emptied\" {
  sensitive = true
  value     = \"\"
}
output \"filled\" {
  sensitive = true
  value     = \"x\"
}
output \"new\" {
  sensitive = true
  value     = \"\"
}
";
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let (_, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    let signs: Vec<&str> = stdout.lines().filter(|line| line.contains("= (sensitive value)")).collect();
    assert_eq!(
        signs,
        [
            "      - input  = (sensitive value) -> null",
            "      ~ output = (sensitive value) -> (known after apply)",
            "      + input  = (sensitive value)",
            "      ~ output = (sensitive value) -> (known after apply)",
            "      ~ input  = (sensitive value)",
            "  - emptied = (sensitive value) -> null",
            "  + filled  = (sensitive value)",
        ],
        "{stdout}{stderr}"
    );
}

#[test]
fn a_planned_value_of_another_kind_than_the_recorded_one_is_shown_by_its_parts() {
    let text = r#"{"value": "Mrk8K1", "type": "string"}"#;
    let object = r#"{"value": {"Mrk8K2": "Mrk8K3"}, "type": ["object", {"Mrk8K2": "string"}]}"#;
    let state = input_state("", &[("text", text, ""), ("object", object, "")]);
    let configuration = "\
resource \"terraform_data\" \"object\" { input = [sensitive(\"Mrk8K4\"), 1] }
resource \"terraform_data\" \"text\" {
  input = {
    k = sensitive(\"Mrk8K5\")
    n = 2
  }
}
";
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let (_, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    for expected in [
        "      ~ input  = (sensitive value) -> [
          + (sensitive value),
          + 1,
        ]
      ~ output = (sensitive value) -> (known after apply)
",
        "      ~ input  = (sensitive value) -> {
          + k = (sensitive value)
          + n = 2
        }
",
    ] {
        assert!(stdout.contains(expected), "{stdout}{stderr}");
    }
    assert!(!stdout.contains("Mrk8K"), "{stdout}");
}

#[test]
fn objects_that_are_forgotten_are_a_warning() {
    let configuration = "removed {\n  from = terraform_data.many\n  lifecycle { destroy = false }\n}\n";
    let keys: Vec<String> = (0..22).map(|index| format!("\"index_key\": {index}, ")).collect();
    let instances: Vec<Instance<'_>> = keys.iter().map(|key| (key.as_str(), "1", "")).collect();
    let state = data_state(&[("many", &instances)]);
    let files = [("main.tf", configuration), ("s.tfstate", state.as_str())];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("Plan: 0 to add, 0 to change, 0 to destroy.\n"), "{stdout}");
    assert!(stdout.starts_with("Resource actions:\n\n"), "{stdout}");
    let as_opentofu = ["plan", "--state", "s.tfstate", "--dialect", "opentofu"];
    let (_, of_opentofu, warnings_of_opentofu) = support::terrane(&files, &as_opentofu);
    assert!(warnings_of_opentofu.contains("]: Objects are no longer managed\n"), "{warnings_of_opentofu}");
    assert!(of_opentofu.starts_with("Resource actions:\n  . forget\n"), "{of_opentofu}");
    for expected in [
        "warning[core:forgotten-objects]: Some objects will no longer be managed by Terraform",
        "An apply removes `terraform_data.many[0]`, `terraform_data.many[1]`, ",
        "`terraform_data.many[19]` and 2 more from the state and does not destroy them.",
    ] {
        assert!(stderr.contains(expected), "{expected}\n{stderr}");
    }
}

/// The moves are the same as in the warning of Terraform 1.11.
#[test]
fn moves_that_other_objects_prevent_are_a_warning() {
    let moved = |from: &str, to: &str| format!("moved {{\n  from = {from}\n  to   = {to}\n}}\n");
    let blocks = "resource \"terraform_data\" \"b\" {}\nresource \"terraform_data\" \"c\" { count = 1 }\n\
                  resource \"terraform_data\" \"d\" { count = 1 }\nresource \"terraform_data\" \"free\" {}\n\
                  resource \"terraform_data\" \"w\" { count = 2 }\n";
    let moves = [
        moved("terraform_data.a", "terraform_data.b"),
        moved("terraform_data.c[2]", "terraform_data.c[0]"),
        moved("terraform_data.v", "terraform_data.w"),
        moved("terraform_data.taken", "terraform_data.free"),
        moved("terraform_data.none", "terraform_data.never"),
    ];
    let configuration = format!("{blocks}{}", moves.concat());
    let [none, first, second, third] =
        ["", "\"index_key\": 0, ", "\"index_key\": 1, ", "\"index_key\": 2, "].map(|key| (key, "1", ""));
    let state = data_state(&[
        ("a", &[none]),
        ("b", &[none]),
        ("c", &[third, first]),
        ("d", &[none, first]),
        ("taken", &[none]),
        ("v", &[first, second]),
        ("w", &[second]),
    ]);
    let files = [("main.tf", configuration.as_str()), ("s.tfstate", state.as_str())];
    let state = ["--state", "s.tfstate"];
    for command in
        [&["plan"][..], &["eval", "."], &["explain", "terraform_data.b"], &["console", "--planned"]]
    {
        let (code, _, stderr) = support::terrane(&files, &[command, &state].concat());
        assert_eq!(code, Some(0), "{command:?} {stderr}");
        let expected = "warning[core:blocked-moves]: Unresolved resource instance address changes";
        assert_eq!(stderr.matches(expected).count(), 1, "{command:?} {stderr}");
    }
    let (_, _, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    let expected = "Other objects prevent the move of `terraform_data.a` to `terraform_data.b`, `terraform_data.c[2]` to \
                    `terraform_data.c[0]`, `terraform_data.d` to `terraform_data.d[0]`, `terraform_data.v` to `terraform_data.w`, \
                    because";
    assert!(stderr.split_whitespace().collect::<Vec<_>>().join(" ").contains(expected), "{stderr}");
}

#[test]
fn a_module_that_another_one_prevents_from_moving_is_a_warning() {
    let call = "module \"n\" { source = \"./m\" }\nmoved {\n  from = module.o\n  to   = module.n\n}\n";
    let state = r#"{"version": 4, "resources": [
        {"module": "module.o", "mode": "managed", "type": "terraform_data", "name": "x",
         "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"attributes": {"id": "1"}}]},
        {"module": "module.n", "mode": "managed", "type": "terraform_data", "name": "x",
         "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"attributes": {"id": "2"}}]}]}"#;
    let child = "resource \"terraform_data\" \"x\" {}\n";
    let files = [("main.tf", call), ("m/main.tf", child), ("s.tfstate", state)];
    let (_, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate"]);
    assert!(stdout.contains("# module.o.terraform_data.x will be destroyed"), "{stdout}");
    assert!(stderr.contains("the move of `module.o` to `module.n`, because"), "{stderr}");
}

/// A release build reads a state of this size in a tenth of a second; a build of the tests needs a few.
#[test]
fn a_state_of_50_000_instances_is_read_in_time() {
    let resource = |number: usize| {
        let instance = |key: usize| {
            format!(
                r#"{{"index_key": {key}, "schema_version": 0, "attributes": {{"id": "id-{number}-{key}",
                "input": {{"value": "x", "type": "string"}}, "output": {{"value": "x", "type": "string"}}, "triggers_replace": null}}}}"#
            )
        };
        let instances: Vec<String> = (0..1000).map(instance).collect();
        format!(
            r#"{{"mode": "managed", "type": "terraform_data", "name": "r{number}",
            "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{}]}}"#,
            instances.join(",")
        )
    };
    let resources: Vec<String> = (0..50).map(resource).collect();
    let state = format!(r#"{{"version": 4, "resources": [{}]}}"#, resources.join(","));
    let module = "resource \"terraform_data\" \"r7\" {\n  count = 1000\n  input = \"x\"\n}\n\
                  output \"id\" {\n  value = terraform_data.r7[5].id\n}\n";
    let files = [("main.tf", module), ("s.tfstate", state.as_str())];
    let arguments = ["eval", ".", "output.id", "--state", "s.tfstate", "--timeout", "30"];
    let (code, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "output.id = \"id-7-5\" # reads state\n");
    assert!(stderr.contains("49000 objects only in the state"), "{stderr}");
    let cut = state.get(..state.len() / 2).unwrap_or_default();
    let (code, _, stderr) = support::terrane(&[("main.tf", module), ("s.tfstate", cut)], &arguments);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("the file is cut off: its JSON text ends at line"), "{stderr}");
}
