//! `terrane plan --state` of objects whose block and provider configuration are gone.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::{Value, json};

/// Returns the name of a configuration of the built-in provider in a state.
fn built_in(before: &str, after: &str) -> String {
    format!("{before}provider[\"terraform.io/builtin/terraform\"]{after}")
}

/// Returns a state with one resource, in this module and with this provider configuration.
fn state(module: Option<&str>, resource: (&str, &str), configuration: &str, instances: &Value) -> String {
    let (mode, resource_type) = resource;
    let object = json!({"module": module, "mode": mode, "type": resource_type, "name": "gone", "provider": configuration, "instances": instances});
    json!({"version": 4, "serial": 1, "lineage": "a", "resources": [object]}).to_string()
}

/// Runs `terrane plan` and returns the exit code, the number of errors about provider configurations, and all output.
fn plan(files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, usize, String) {
    let arguments = [&["plan", "--state", "s.tfstate"], arguments].concat();
    let (code, stdout, stderr) = support::terrane(files, &arguments);
    let errors =
        stderr.matches("error[core:provider-not-present]: Provider configuration not present").count();
    (code, errors, format!("{stdout}{stderr}"))
}

const MANAGED: (&str, &str) = ("managed", "terraform_data");

#[test]
fn an_object_without_block_and_provider_configuration_is_an_error() {
    let kept = "resource \"terraform_data\" \"kept\" {}\n";
    let forgotten = "removed {\n  from = terraform_data.gone\n  lifecycle {\n    destroy = false\n  }\n}\n";
    let module = "module \"x\" {\n  source = \"./m\"\n}\n";
    let inherits = "output \"o\" {\n  value = 1\n}\n";
    let current = json!([{"attributes": {"id": "g"}}]);
    let deposed = json!([{"attributes": {"id": "g"}, "deposed": "aaaaaaaa"}, {"index_key": 0, "attributes": {"id": "h"}}]);
    for (main, inner, within, configuration, instances, expected) in [
        (kept, inherits, None, built_in("", ".west"), &current, 1),
        (kept, inherits, None, built_in("module.x.", ""), &current, 1),
        (kept, inherits, Some("module.x"), built_in("module.x.", ""), &current, 1),
        (module, inherits, Some("module.x"), built_in("module.x.", ""), &current, 1),
        (forgotten, inherits, None, built_in("", ".west"), &current, 1),
        (kept, inherits, None, built_in("", ".west"), &deposed, 2),
        // Each of these is another configuration.
        (
            "provider \"terraform\" {\n  alias = \"east\"\n}\n",
            inherits,
            None,
            built_in("", ".west"),
            &current,
            1,
        ),
        ("provider \"other\" {\n  alias = \"west\"\n}\n", inherits, None, built_in("", ".west"), &current, 1),
    ] {
        let state = state(within, MANAGED, &configuration, instances);
        let files = [("main.tf", main), ("m/main.tf", inner), ("s.tfstate", &*state)];
        for option in [&[][..], &["-destroy"]] {
            let (code, errors, output) = plan(&files, option);
            assert_eq!((code, errors), (Some(1), expected), "{main} {configuration} {option:?}: {output}");
            assert!(output.contains(&configuration) && !output.contains("will be destroyed"), "{output}");
        }
    }
}

#[test]
fn a_provider_configuration_that_exists_is_no_error() {
    let kept = "resource \"terraform_data\" \"kept\" {}\n";
    let aliased = "provider \"terraform\" {\n  alias = \"west\"\n}\n";
    let declared = "resource \"terraform_data\" \"gone\" {\n  count = 1\n}\n";
    let passes = "terraform {\n  required_providers {\n    terraform = {\n      source = \"terraform.io/builtin/terraform\"\n    }\n  }\n}\n\
                  provider \"terraform\" {\n  alias = \"east\"\n}\n\
                  module \"x\" {\n  source    = \"./m\"\n  providers = { terraform.west = terraform.east }\n}\n";
    let takes = "terraform {\n  required_providers {\n    terraform = {\n      source = \"terraform.io/builtin/terraform\"\n      \
                 configuration_aliases = [terraform.west]\n    }\n  }\n}\n";
    let module = "module \"x\" {\n  source = \"./m\"\n}\n";
    let absent = "module \"x\" {\n  source = \"acme/x/demo\"\n}\n";
    for (main, inner, within, configuration) in [
        (kept, "", None, built_in("", "")),
        (kept, "", Some("module.x"), built_in("", "")),
        (aliased, "", None, built_in("", ".west")),
        (aliased, "", None, built_in("", ".west[\"k\"]")),
        // The block names the provider.
        (declared, "", None, built_in("", ".west")),
        (module, aliased, Some("module.x"), built_in("module.x.", ".west")),
        (module, aliased, Some("module.x[\"k\"]"), built_in("module.x.", ".west")),
        (passes, takes, Some("module.x"), built_in("module.x.", ".west")),
        (absent, "", Some("module.x"), built_in("module.x.", ".west")),
        (absent, "", None, built_in("module.x.", ".west")),
        (kept, "", None, "provider.terraform".to_owned()),
    ] {
        let state =
            state(within, MANAGED, &configuration, &json!([{"index_key": 7, "attributes": {"id": "g"}}]));
        let files = [("main.tf", main), ("m/main.tf", inner), ("s.tfstate", &*state)];
        for option in [&[][..], &["-destroy"]] {
            let (_, errors, output) = plan(&files, option);
            assert_eq!(errors, 0, "{main} {configuration} {option:?}: {output}");
        }
    }
}

#[test]
fn only_a_plan_to_destroy_everything_needs_the_providers_of_data_sources() {
    let instances = json!([{"attributes": {"backend": "local"}}]);
    let state = state(None, ("data", "terraform_remote_state"), &built_in("", ".west"), &instances);
    let files = [("main.tf", ""), ("s.tfstate", &*state)];
    assert_eq!(plan(&files, &[]).1, 0);
    let (code, errors, output) = plan(&files, &["-destroy"]);
    assert_eq!((code, errors), (Some(1), 1), "{output}");
}

#[test]
fn the_document_keeps_the_object_in_the_state_only() {
    let state = state(None, MANAGED, &built_in("", ".west"), &json!([{"attributes": {"id": "g"}}]));
    let files = [("main.tf", "output \"o\" {\n  value = 1\n}\n"), ("s.tfstate", &*state)];
    for option in [&["--json"][..], &["--json", "-destroy"]] {
        let arguments = [&["plan", "--state", "s.tfstate"], option].concat();
        let (code, stdout, stderr) = support::terrane(&files, &arguments);
        assert_eq!(code, Some(1), "{stderr}");
        let document: Value = serde_json::from_str(&stdout).expect(&stderr);
        assert_eq!(document["errored"], true);
        assert_eq!(document["resource_changes"], Value::Null);
        let before = &document["prior_state"]["values"]["root_module"]["resources"][0];
        assert_eq!(before["address"], "terraform_data.gone");
    }
}

/// Unreadable text may declare the block or the provider configuration.
#[test]
fn a_damaged_configuration_may_have_the_provider_configuration() {
    let state = state(None, MANAGED, &built_in("", ".west"), &json!([{"attributes": {"id": "g"}}]));
    let files = [("main.tf", "provider \"terraform\" {\n  alias = \"west\n}\n"), ("s.tfstate", &*state)];
    assert_eq!(plan(&files, &[]).1, 0);
}
