//! Providers that answer: their document is compared with the document of `terraform providers schema -json`.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use terrane_providers::platform;

use crate::root::{Ended, REQUIRED, Root, Server, TREE, make_executable, provider};

pub(crate) fn trials() -> Vec<Trial> {
    let terraform = terraform();
    let terrane = terrane();
    let mut trials = vec![
        Trial::test("schemas_of_version_6", || passed(version_6)),
        Trial::test("schemas_of_version_5", || passed(version_5)),
        Trial::test("the_environment_is_empty", || passed(environment)),
        Trial::test("one_broken_provider_does_not_keep_the_others", || passed(others)),
        Trial::test("one_of_the_providers_is_asked", || passed(chosen)),
        Trial::test("a_package_may_be_a_link", || passed(link)),
    ];
    for (name, behaviour, protocol) in [("5", "v5-unix", 5), ("6", "no-identities", 6)] {
        let terraform = terraform.clone();
        let is_skipped = terraform.is_none();
        let trial = Trial::test(format!("terraform_reads_the_same_of_version_{name}"), move || {
            as_terraform(&terraform.expect("a terraform"), behaviour, protocol);
            Ok(())
        });
        trials.push(trial.with_ignored_flag(is_skipped));
    }
    let is_skipped = terraform.is_none();
    let init = Trial::test("terraform_locks_the_same_hash", move || {
        as_init(&terraform.expect("a terraform"));
        Ok(())
    });
    trials.push(init.with_ignored_flag(is_skipped));
    let is_skipped = terrane.is_none();
    let fetch = Trial::test("terrane_fetches_schemas", move || {
        fetch(&terrane.expect("a terrane"));
        Ok(())
    });
    trials.push(fetch.with_ignored_flag(is_skipped));
    trials
}

#[expect(clippy::unnecessary_wraps, reason = "a trial returns a result")]
pub(crate) fn passed(test: fn()) -> Result<(), Failed> {
    test();
    Ok(())
}

/// Returns the command `terraform` on PATH, if there is one.
pub(crate) fn terraform() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join("terraform")).find(|path| path.is_file())
}

/// Returns the command `terrane` of the same build. Tests of this crate alone do not build it.
pub(crate) fn terrane() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_BIN_EXE_terrane-providers")).with_file_name("terrane");
    path.is_file().then_some(path)
}

fn string(name: &str, flag: &str) -> (String, Value) {
    (name.to_owned(), json!({"type": "string", "description_kind": "plain", flag: true}))
}

fn version_6() {
    let ended = Root::with_behaviour("v6").ask(&[]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let id: serde_json::Map<String, Value> = [string("id", "computed")].into_iter().collect();
    let wanted = json!({"format_version": "1.0", "provider_schemas": {TREE: {
        "provider": {"version": 0, "block": {
            "attributes": {"forest": {"type": "string", "description_kind": "plain", "optional": true}},
            "description_kind": "plain"
        }},
        "resource_schemas": {"tree_oak": {"version": 3, "block": {
            "attributes": {
                "id": {"type": "string", "description_kind": "plain", "computed": true},
                "rings": {"type": ["map", ["list", "number"]], "description": "Rings by *year*.", "description_kind": "markdown", "optional": true},
                "old": {"type": "string", "description_kind": "plain", "deprecated": true, "optional": true},
                "token": {"type": "string", "description_kind": "plain", "optional": true, "write_only": true},
                "roots": {
                    "nested_type": {"nesting_mode": "list", "attributes": {
                        "depth": {"type": "number", "description_kind": "plain", "required": true},
                        "secret": {"type": "string", "description_kind": "plain", "optional": true, "sensitive": true}
                    }},
                    "description_kind": "plain", "optional": true
                }
            },
            "block_types": {"leaf": {
                "nesting_mode": "set", "min_items": 1, "max_items": 5,
                "block": {"attributes": {"colour": {"type": "string", "description_kind": "plain", "required": true}}, "description_kind": "plain"}
            }},
            "description": "An oak.", "description_kind": "plain"
        }}},
        "data_source_schemas": {"tree_oak": {"version": 0, "block": {"attributes": id, "description_kind": "plain"}}},
        "ephemeral_resource_schemas": {"tree_fruit": {"version": 0, "block": {"attributes": id, "description_kind": "plain"}}},
        "functions": {"grow": {
            "summary": "Grows a tree", "description": "Heights by year.", "return_type": ["list", "number"],
            "parameters": [{"name": "tree", "description": "Its name.", "is_nullable": true, "type": "string"}],
            "variadic_parameter": {"name": "years", "type": "number"}
        }},
        "resource_identity_schemas": {"tree_oak": {"version": 1, "attributes": {"id": {"type": "string", "required_for_import": true}}}}
    }}});
    assert_eq!(ended.document(), wanted);
}

fn version_5() {
    let ended = Root::with_behaviour("v5").ask(&[]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let document = ended.document();
    let oak =
        document.pointer("/provider_schemas/registry.terraform.io~1acme~1tree/resource_schemas/tree_oak");
    let attributes: serde_json::Map<String, Value> = [
        string("id", "computed"),
        ("token".to_owned(), json!({"type": "string", "description_kind": "plain", "optional": true, "write_only": true})),
        (
            "secret".to_owned(),
            json!({"type": "string", "description_kind": "plain", "optional": true, "sensitive": true, "deprecated": true}),
        ),
    ]
    .into_iter()
    .collect();
    let leaf = json!({"nesting_mode": "list", "block": {
        "attributes": {"colour": {"type": "string", "description_kind": "plain", "required": true}}, "description_kind": "plain"
    }});
    let block = json!({"attributes": attributes, "block_types": {"leaf": leaf}, "description_kind": "plain"});
    assert_eq!(oak, Some(&json!({"version": 1, "block": block})));
}

fn environment() {
    let document = Root::with_behaviour("environment").ask(&[]).document();
    let names =
        document.pointer("/provider_schemas/registry.terraform.io~1acme~1tree/provider/block/description");
    // The shell that runs the script adds its own variables.
    let names = names.and_then(Value::as_str).expect("names").split(',');
    let names: Vec<&str> = names.filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name)).collect();
    let wanted =
        ["HOME", "PLUGIN_PROTOCOL_VERSIONS", "PLUGIN_UNIX_SOCKET_DIR", "TF_PLUGIN_MAGIC_COOKIE", "TMPDIR"];
    assert_eq!(names, wanted);
}

fn providers(ended: &Ended) -> Vec<String> {
    let document = ended.document();
    let found = document.get("provider_schemas").and_then(Value::as_object).expect("providers");
    found.keys().cloned().collect()
}

fn others() {
    let root = Root::with_script("echo no such forest >&2; exit 3");
    root.install("acme/bush", &provider("v6"));
    let ended = root.ask(&[]);
    assert_eq!(ended.code, Some(1));
    assert_eq!(providers(&ended), ["registry.terraform.io/acme/bush"]);
    let wanted = "error: acme/tree 1.2.0: the provider ended with exit code 3 before it said where it listens\n  no such forest\n";
    assert_eq!(ended.err, wanted);
}

fn chosen() {
    let root = Root::with_script("exit 3");
    root.install("acme/bush", &provider("v6"));
    let ended = root.ask(&["--provider", "acme/bush"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert_eq!(providers(&ended), ["registry.terraform.io/acme/bush"]);
    let ended = root.ask(&["--provider", "acme/grass"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.starts_with("error: acme/grass is not in the lock file of "), "{}", ended.err);
}

fn link() {
    let root = Root::with_behaviour("v6");
    let package = root.package("acme/tree");
    let cache = root.path().join("cache-of-packages");
    std::fs::rename(&package, &cache).expect("a package that moves");
    std::os::unix::fs::symlink(&cache, &package).expect("a link");
    assert_eq!(providers(&root.ask(&[])), [TREE]);
}

/// Compares the document with the document of Terraform, which asks the same provider.
fn as_terraform(terraform: &Path, behaviour: &str, protocol: u32) {
    let root = Root::with_behaviour(behaviour);
    let ours = root.ask(&[]);
    assert_eq!((ours.code, ours.err.as_str()), (Some(0), ""));
    root.write("main.tf", REQUIRED);
    let server = Server::start(&root, behaviour);
    let init = server.terraform(terraform, protocol, &["init", "-no-color"], "");
    assert_eq!(init.code, Some(0), "{}", init.err);
    let schema = server.terraform(terraform, protocol, &["providers", "schema", "-json"], "");
    assert_eq!(schema.code, Some(0), "{}", schema.err);
    assert_eq!(ours.document(), schema.document());
}

/// Starts a provider that Terraform has installed, and whose hash Terraform has written into the lock file.
fn as_init(terraform: &Path) {
    let root = Root::new();
    std::fs::remove_file(root.path().join(".terraform.lock.hcl")).expect("a lock file");
    let package = format!("mirror/{TREE}/1.2.0/{}", platform());
    root.write(&format!("{package}/LICENSE"), "Free.\n");
    let executable = format!("{package}/terraform-provider-tree_v1.2.0");
    root.write(&executable, &provider("v6"));
    make_executable(&root.path().join(executable));
    let mirror = root.path().join("mirror");
    let installation = format!(
        "provider_installation {{\n  filesystem_mirror {{\n    path = \"{}\"\n  }}\n}}\n",
        mirror.display()
    );
    root.write("terraform.rc", &installation);
    root.write("main.tf", REQUIRED);
    let mut init = Command::new(terraform);
    init.args(["init", "-no-color"]).env("TF_CLI_CONFIG_FILE", root.path().join("terraform.rc"));
    let init = root.run(init.env("CHECKPOINT_DISABLE", "1"));
    assert_eq!(init.code, Some(0), "{}", init.err);
    assert!(root.read(".terraform.lock.hcl").contains("h1:"));
    let ended = root.ask(&[]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert_eq!(providers(&ended), [TREE]);
}

/// `terrane schemas fetch` stores the schemas, and the next evaluation uses them.
fn fetch(terrane: &Path) {
    let root = Root::with_behaviour("v6");
    let run = |arguments: &[&str]| root.run(Command::new(terrane).args(arguments));
    let ended = run(&["schemas", "fetch"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""), "{}", ended.err);
    assert!(ended.err.starts_with("stored acme/tree 1.2.0: 3 resource types, "), "{}", ended.err);
    root.write("main.tf", &format!("{REQUIRED}resource \"tree_oak\" \"a\" {{\n  aeg = 1\n}}\n"));
    let ended = run(&["check", "--format", "compact"]);
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.out.contains("There is no argument named \"aeg\" in resource \"tree_oak\" \"a\""),
        "{}",
        ended.out
    );
}
