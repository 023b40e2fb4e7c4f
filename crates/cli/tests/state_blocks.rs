//! Blocks whose values come from a state or are given by hand, in `terrane eval`, `plan` and `explain`.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]

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

/// The text of the plan of a `demo_host` with these arguments.
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
