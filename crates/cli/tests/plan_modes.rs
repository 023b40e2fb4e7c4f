//! `terrane plan -replace` and `-destroy`.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/changed_disks.rs"]
mod changed_disks;
mod support;

use serde_json::Value;

use self::changed_disks::{MODULE, STATE, plan};

#[test]
fn an_object_is_replaced_on_request() {
    let (code, stdout, stderr) = plan(&["-replace=demo_disk.same"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stdout.contains(
            "  # demo_disk.same will be replaced, as requested\n-/+ resource \"demo_disk\" \"same\" {\n"
        ),
        "{stdout}"
    );
    assert!(stdout.contains("Plan: 2 to add, 1 to change, 2 to destroy.\n"), "{stdout}");
    // The output depends on the replaced object.
    assert!(stdout.contains("  ~ id = \"d-0\" -> (known after apply)\n"), "{stdout}");
    let (_, stdout, stderr) =
        plan(&["--json", "--replace", "demo_disk.same", "--replace", "demo_disk.created"]);
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    let changes = document["resource_changes"].as_array().expect("a list");
    let of = |name: &str| changes.iter().find(|change| change["name"] == name).expect("it is there");
    assert_eq!(of("same")["change"]["actions"], serde_json::json!(["delete", "create"]));
    assert_eq!(of("same")["action_reason"], "replace_by_request");
    assert_eq!(of("created")["change"]["actions"], serde_json::json!(["create"]));
    assert_eq!(of("created")["action_reason"], Value::Null);
}

#[test]
fn an_address_to_replace_names_an_instance() {
    for (address, said) in [
        ("demo_disk.same[0]", "instances with other keys: `-replace='demo_disk.same'`"),
        ("module.m.demo_disk.same", "nothing is replaced for this address"),
        ("demo_disk.gone", "nothing is replaced for this address"),
    ] {
        let (code, stdout, stderr) = plan(&["--replace", address]);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stderr.contains("Incompletely-matched force-replace resource instance"), "{stderr}");
        assert!(stderr.contains(said) && !stdout.contains("as requested"), "{address}: {stderr}");
    }
    for address in ["module.m", "data.demo_zones.gone", "demo_disk.same.id", "local.x", ""] {
        let (code, _, stderr) = plan(&["--replace", address]);
        assert_eq!(code, Some(2), "{address}: {stderr}");
        let title = format!("error: Invalid force-replace address \"{address}\"\n\n");
        assert!(stderr.starts_with(&title), "{address}: {stderr}");
    }
}

/// A failed block, or one with an unknown number of instances, may have the instance.
#[test]
fn an_address_to_replace_may_name_an_instance_of_an_undecided_block() {
    let main = "variable \"n\" { type = number }\n\
                resource \"demo_disk\" \"failed\" { size = 1 + \"x\" }\n\
                resource \"demo_disk\" \"behind\" { size = demo_disk.failed.size }\n\
                resource \"demo_disk\" \"some\" { count = var.n }\n\
                module \"m\" {\n  source = \"./m\"\n  count  = var.n\n}\n";
    let files = [("main.tf", main), ("m/main.tf", "resource \"demo_disk\" \"inner\" {}\n")];
    for (address, is_unmatched) in [
        ("demo_disk.failed", false),
        ("demo_disk.behind", false),
        ("demo_disk.some[0]", false),
        ("module.m[0].demo_disk.inner", false),
        ("demo_disk.none", true),
        ("module.n[0].demo_disk.inner", true),
    ] {
        let (_, _, stderr) = support::terrane(&files, &["plan", "--replace", address]);
        let said = stderr.contains("Incompletely-matched force-replace resource instance");
        assert_eq!(said, is_unmatched, "{address}: {stderr}");
    }
}

#[test]
fn everything_is_destroyed() {
    let (code, stdout, stderr) = plan(&["-destroy"]);
    assert_eq!(code, Some(0), "{stderr}");
    for expected in [
        "  # demo_disk.gone will be destroyed\n  - resource \"demo_disk\" \"gone\" {\n",
        "      - token = (sensitive value) -> null\n",
        "  # demo_disk.new_name will be destroyed\n  # (moved from demo_disk.old_name)\n",
        "Plan: 0 to add, 0 to change, 3 to destroy.\n\nChanges to Outputs:\n  - id = \"d-0\" -> null\n",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}");
    }
    assert!(!stdout.contains("hunter2") && !stdout.contains("created"), "{stdout}");
    let (_, stdout, stderr) = plan(&["-destroy", "--json"]);
    assert!(!stdout.contains("hunter2"), "{stdout}");
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    assert_eq!(document["planned_values"], serde_json::json!({"root_module": {}}));
    let (code, ..) = plan(&["-destroy", "--replace", "demo_disk.same"]);
    assert_eq!(code, Some(2));

    let (code, stdout, stderr) = support::terrane(
        &[("main.tf", "locals { n = 1 + \"x\" }\n"), ("s.tfstate", STATE)],
        &["plan", "--state", "s.tfstate", "-destroy", "--json"],
    );
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    assert_eq!((code, &document["errored"], &document["applyable"]), (Some(1), &true.into(), &false.into()));
    assert_eq!(document["resource_changes"].as_array().map(Vec::len), Some(3));

    // Values are evaluated for provider configurations only.
    let values = "variable \"v\" { default = \"x\" }\nlocals { n = 1 + var.v }\nresource \"demo_disk\" \"same\" {\n  count = local.n\n}\n";
    let import = "import {\n  to = demo_disk.fresh\n  id = substr(var.v, 1, 1)\n}\nresource \"demo_disk\" \"fresh\" {}\n";
    let trigger = "resource \"demo_disk\" \"new_name\" {\n  lifecycle {\n    replace_triggered_by = [demo_disk.two[7]]\n  }\n}\nresource \"demo_disk\" \"two\" { count = 2 }\n";
    for (provider, expected) in [
        ("", (0, false)),
        (import, (0, false)),
        (trigger, (0, false)),
        ("provider \"demo\" { n = local.n }\n", (1, true)),
    ] {
        let main = format!("{values}{provider}");
        let (code, stdout, stderr) = support::terrane(
            &[("main.tf", &*main), ("s.tfstate", STATE)],
            &["plan", "--state", "s.tfstate", "-destroy", "--json"],
        );
        let document: Value = serde_json::from_str(&stdout).expect(&stderr);
        assert_eq!((code, &document["errored"]), (Some(expected.0), &expected.1.into()), "{stderr}");
        assert_eq!(document["resource_changes"].as_array().map(Vec::len), Some(3));
    }

    // Neither failed conditions nor missing modules count.
    let main = "resource \"demo_disk\" \"same\" {\n  lifecycle {\n    precondition {\n      condition     = terraform.workspace == \"x\"\n      \
                error_message = \"No.\"\n    }\n  }\n}\nmodule \"gone\" {\n  source = \"acme/gone/demo\"\n}\n";
    let files = [("main.tf", main), ("s.tfstate", STATE)];
    let (code, stdout, stderr) = support::terrane(&files, &["plan", "--state", "s.tfstate", "-destroy"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stdout.starts_with("Resource actions:\n  - destroy\n") && !stderr.contains("No."),
        "{stdout}{stderr}"
    );
    let (code, stdout, _) = support::terrane(&[("main.tf", MODULE)], &["plan", "-destroy"]);
    assert_eq!((code, stdout.as_str()), (Some(0), "No changes. No objects need to be destroyed.\n"));
}

#[test]
fn an_infinite_number_is_an_error_of_the_plan() {
    let main = [("main.tf", "resource \"terraform_data\" \"a\" {\n  input = 1 / 0\n}\n")];
    let (code, stdout, stderr) = support::terrane(&main, &["plan", "--json"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.contains("error[core:not-json]") && stderr.contains("main.tf:1:1"), "{stderr}");
    let (code, stdout, stderr) = support::terrane(&main, &["plan"]);
    assert!(stdout.contains("Plan: 1 to add") && stderr.contains("error[core:not-json]"), "{stdout}{stderr}");
    assert_eq!(code, Some(1));

    // Only the document has to express an output.
    let main = [("main.tf", "output \"x\" {\n  value = [-1 / 0]\n}\n")];
    let (code, stdout, stderr) = support::terrane(&main, &["plan", "--json"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.contains("error[core:not-json]") && stderr.contains("main.tf:1:1"), "{stderr}");
    let (code, _, stderr) = support::terrane(&main, &["plan"]);
    assert_eq!(code, Some(0), "{stderr}");
}

#[test]
fn an_object_of_a_newer_provider_is_an_error() {
    let main = "resource \"terraform_data\" \"a\" { input = \"x\" }\n\
                resource \"terraform_data\" \"b\" { input = terraform_data.a.id }\n\
                resource \"terraform_data\" \"c\" {}\n";
    let object = |name: &str, version: u64, dependencies: &str| {
        format!(
            r#"{{"mode": "managed", "type": "terraform_data", "name": "{name}", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{{"schema_version": {version}, "attributes": {{"id": "{name}-1"}}, "dependencies": [{dependencies}]}}]}}"#
        )
    };
    let objects = [
        object("a", 3, r#""terraform_data.gone""#),
        object("b", 0, r#""terraform_data.a", "terraform_data.gone""#),
        object("c", 0, ""),
        object("gone", 0, ""),
    ];
    let state = format!(r#"{{"version": 4, "resources": [{}]}}"#, objects.join(","));
    let files = [("main.tf", main), ("s.tfstate", &*state)];
    for (mode, changed) in [(None, ["c", "gone"]), (Some("-destroy"), ["b", "c"])] {
        let arguments = ["plan", "--json", "--state", "s.tfstate"].into_iter().chain(mode);
        let (code, stdout, stderr) = support::terrane(&files, &arguments.collect::<Vec<_>>());
        let title = "error[core:newer-state-object]: Resource instance managed by newer provider version\n";
        assert!(stderr.contains(title) && !stderr.contains("warning["), "{stderr}");
        let document: Value = serde_json::from_str(&stdout).expect(&stderr);
        assert_eq!((code, &document["errored"]), (Some(1), &true.into()));
        let changes = document["resource_changes"].as_array().expect("a list").iter();
        assert_eq!(changes.map(|change| &change["name"]).collect::<Vec<_>>(), changed, "{mode:?}");
    }
}

#[test]
fn destroyed_objects_that_wait_for_each_other_are_an_error() {
    let object = |name: &str, member: &str, dependencies: &str| {
        format!("{{{member}\"attributes\": {{\"id\": \"{name}\"}}, \"dependencies\": [{dependencies}]}}")
    };
    let resource = |name: &str, dependency: &str, is_deposed: bool| {
        let mut instances = vec![object(name, "", &format!("\"terraform_data.{dependency}\""))];
        if is_deposed {
            instances.push(object(name, &format!("\"deposed\": \"0{name}\", "), ""));
        }
        format!(
            "{{\"mode\": \"managed\", \"type\": \"terraform_data\", \"name\": \"{name}\", \
             \"provider\": \"provider[\\\"terraform.io/builtin/terraform\\\"]\", \"instances\": [{}]}}",
            instances.join(", "),
        )
    };
    let state = |is_deposed| {
        let resources = [resource("a", "b", is_deposed), resource("b", "a", is_deposed)];
        format!("{{\"version\": 4, \"resources\": [{}]}}", resources.join(", "))
    };
    let blocks = "resource \"terraform_data\" \"a\" {}\nresource \"terraform_data\" \"b\" {}\n";
    let deposed =
        "destroy `terraform_data.a` (deposed object 0a), destroy `terraform_data.b` (deposed object 0b).";
    let current = "destroy `terraform_data.a`, destroy `terraform_data.b`.";
    let none: &[&str] = &[];
    for (main, is_deposed, options, expected) in [
        (blocks, true, none, Some(deposed)),
        (blocks, true, &["-destroy"], Some(deposed)),
        ("", false, &["-destroy"], Some(current)),
        // After a refresh, these objects have the dependencies of their blocks.
        (blocks, false, &["-destroy"], None),
    ] {
        let files = [("main.tf", main), ("s.tfstate", &state(is_deposed))];
        let options: Vec<&str> = ["plan", "--state", "s.tfstate"].iter().chain(options).copied().collect();
        let (code, _, stderr) = support::terrane(&files, &options);
        assert_eq!(code, Some(i32::from(expected.is_some())), "{stderr}");
        assert!(expected.is_none_or(|expected| stderr.contains(expected)), "{stderr}");
    }
}
