//! `--mocks FILE|DIR`: values from files in the syntax of tests.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::Value;

const MODULE: &str = "\
data \"demo_zones\" \"all\" {}
module \"m\" { source = \"./m\" }
resource \"demo_net\" \"n\" {
  for_each = toset(data.demo_zones.all.names)
  zone     = each.key
}
output \"zones\" { value = data.demo_zones.all.names }
output \"m\" { value = module.m.id }
";

const INNER: &str = "\
resource \"demo_disk\" \"d\" {}
output \"id\" { value = demo_disk.d.id }
";

const MOCKS: &str = "\
mock_provider \"demo\" {
  mock_resource \"demo_net\" {
    defaults = { id = \"net-1\" }
  }
}
override_data {
  target = data.demo_zones.all
  values = { names = [\"a\"] }
}
override_module {
  target  = module.m
  outputs = { id = \"m-1\" }
}
";

const FILES: [(&str, &str); 6] = [
    ("root/main.tf", MODULE),
    ("root/m/main.tf", INNER),
    ("mocks/a.tftest.hcl", MOCKS),
    ("root/dev.tfvars", ""),
    ("other/main.tf", MODULE),
    ("other/m/main.tf", INNER),
];

fn terrane(arguments: &[&str]) -> (Option<i32>, String, String) {
    support::terrane(&FILES, arguments)
}

#[test]
fn text_names_the_place_of_a_given_value() {
    let (code, stdout, stderr) = terrane(&["eval", "root", "--mocks", "mocks"]);
    assert_eq!(code, Some(0), "{stderr}");
    for line in [
        "# given: names (mocks/a.tftest.hcl:8)\n",
        "# given: id (mocks/a.tftest.hcl:3)\n",
        "# given: id (mocks/a.tftest.hcl:12)\n",
        "zones = [\"a\"]\n",
    ] {
        assert!(stdout.contains(line), "{stdout}");
    }
    assert!(
        stderr.contains("outside of the configuration: 3 given; instances that follow from them: 1 given\n"),
        "{stderr}"
    );
    let address = "data.demo_zones.all.names";
    let (_, stdout, stderr) = terrane(&["eval", "root", address, "--mocks", "mocks"]);
    assert_eq!(stdout, format!("{address} = [\"a\"] # given (mocks/a.tftest.hcl:8)\n"), "{stderr}");
}

#[test]
fn the_document_has_the_origin_and_the_file() {
    let (_, stdout, stderr) = terrane(&["eval", "root", "--json", "--mocks", "mocks/a.tftest.hcl"]);
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    let sources = &document["values"]["data.demo_zones.all"]["part_sources"];
    assert_eq!((&sources[0]["path"], &sources[0]["origin"]), (&".names".into(), &"given".into()));
    let source = &sources[0]["source"];
    assert_eq!((&source["filename"], &source["start"]["line"]), (&"mocks/a.tftest.hcl".into(), &8.into()));
    let files = document["files"].as_array().expect("a list");
    let mocks = files.iter().find(|file| file["path"] == "mocks/a.tftest.hcl").expect("it was read");
    assert_eq!(mocks["role"], "mocks");
}

/// The schema of a type with sensitive attributes at the top, in a nested attribute and in a block.
const SECRET_SCHEMA: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/demo": {
    "resource_schemas": {"demo_db": {"version": 0, "block": {
        "attributes": {
            "id": {"type": "string", "computed": true},
            "pin": {"type": "string", "optional": true, "computed": true, "sensitive": true},
            "nest": {"optional": true, "computed": true, "nested_type": {"nesting_mode": "list", "attributes": {
                "a": {"type": "string", "optional": true, "computed": true},
                "key": {"type": "string", "computed": true, "sensitive": true}}}},
            "one": {"optional": true, "computed": true, "nested_type": {"nesting_mode": "single", "attributes": {
                "a": {"type": "string", "optional": true, "computed": true},
                "key": {"type": "string", "computed": true, "sensitive": true}}}}},
        "block_types": {"user": {"nesting_mode": "set", "block": {"attributes": {
            "name": {"type": "string", "required": true},
            "pin": {"type": "string", "computed": true, "sensitive": true}}}}}}}}}}}"#;

const SECRETS: &str = "resource \"demo_db\" \"a\" {\n  user {\n    name = \"u\"\n  }\n}\n";

#[test]
fn given_parts_that_the_schema_calls_sensitive_stay_hidden() {
    let mocks = "mock_resource \"demo_db\" {\n  defaults = { nest = [{ a = \"1\", key = \"HUNT\" }] }\n}\n";
    let files = [("main.tf", SECRETS), ("s.json", SECRET_SCHEMA), ("m.tfmock.hcl", mocks)];
    for given in [
        ["--set", "demo_db.a.pin=\"HUNT\""],
        ["--set", "demo_db.a.nest=[{ a = \"1\", key = \"HUNT\" }]"],
        ["--set", "demo_db.a={ nest = [{ a = \"1\", key = \"HUNT\" }] }"],
        ["--set", "demo_db.a.one={ a = \"1\", key = \"HUNT\" }"],
        ["--set", "demo_db.a.one.key=\"HUNT\""],
        ["--set", "demo_db.a.user.pin=\"HUNT\""],
        ["--mocks", "m.tfmock.hcl"],
    ] {
        for command in [&["eval", "."][..], &["eval", ".", "demo_db.a", "--json"], &["plan", ".", "--json"]] {
            let arguments = [command, &["--schemas", "s.json"], &given].concat();
            let (code, stdout, stderr) = support::terrane(&files, &arguments);
            assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
            assert!(!stdout.contains("HUNT") && !stderr.contains("HUNT"), "{arguments:?}: {stdout}{stderr}");
        }
    }
}

/// The text of a value that cannot be read may be the secret.
#[test]
fn a_mistake_in_a_secret_value_shows_no_text() {
    let files = [("main.tf", SECRETS), ("s.json", SECRET_SCHEMA)];
    for address in
        ["demo_db.a.pin", "demo_db.a.nest", "demo_db.a.one.key", "demo_db.a.user[0].pin", "demo_db.a"]
    {
        for value in ["HUNT", "\"HUNT", "[HUNT]", "{ pin = HUNT }", "\"${HUNT}\"", "upper(\"HUNT\")"] {
            let given = format!("{address}={value}");
            let (code, stdout, stderr) =
                support::terrane(&files, &["eval", ".", "--schemas", "s.json", "--set", &given]);
            assert_eq!(code, Some(1), "{given}");
            assert!(!stdout.contains("HUNT") && !stderr.contains("HUNT"), "{given}: {stdout}{stderr}");
            let message =
                format!("There is a mistake in the value of `--set {address}`, line 1. Neither the text");
            assert_eq!(stderr.matches(&message).count(), 1, "{given}: {stderr}");
        }
    }
    let (_, _, stderr) =
        support::terrane(&files, &["eval", ".", "--schemas", "s.json", "--set", "demo_db.a.id=HUNT"]);
    assert!(stderr.contains("'demo_db.a.id=\"HUNT\"'"), "{stderr}");
}

#[test]
fn secrets_of_a_provider_in_doubt_stay_hidden() {
    let state = r#"{"version": 4, "resources": [{"mode": "managed", "type": "demo_db", "name": "a",
        "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]", "instances": [{"schema_version": 0, "attributes": {
            "id": "i", "pin": "HUNT", "one": {"key": "HUNT"}, "nest": [{"key": "HUNT"}], "user": [{"name": "u", "pin": "HUNT"}]}}]}]}"#;
    let broken = "terraform {\n  required_version =\n}\n";
    let files =
        [("main.tf", SECRETS), ("broken.tf", broken), ("s.json", SECRET_SCHEMA), ("t.tfstate", state)];
    for command in [
        &["eval", ".", "--keep-going"][..],
        &["eval", ".", "--keep-going", "--json"],
        &["explain", "demo_db.a", "."],
        &["plan", "."],
        &["plan", ".", "--json"],
        &["diff", "."],
    ] {
        let arguments = [command, &["--schemas", "s.json", "--state", "t.tfstate"]].concat();
        let (_, stdout, stderr) = support::terrane(&files, &arguments);
        assert!(!stdout.contains("HUNT") && !stderr.contains("HUNT"), "{arguments:?}: {stdout}{stderr}");
        // A plan of a configuration with errors has no actions.
        let is_shown = ["plan", "diff"].contains(&command[0])
            || stdout.contains("(sensitive value)")
            || stdout.contains("sensitive\":true");
        assert!(is_shown, "{arguments:?}: {stdout}{stderr}");
    }
}

#[test]
fn every_command_that_evaluates_takes_mocks() {
    let cases: [(&[&str], &str); 5] = [
        (&["plan", "root"], "# demo_net.n[\"a\"] will be created"),
        (&["explain", "output.zones", "root"], "override of data.demo_zones.all"),
        (&["explain", "output.m", "root"], "override of module.m"),
        (&["graph", "root"], "demo_net.n"),
        (&["diff", "root", "other"], "No differences"),
    ];
    for (arguments, expected) in cases {
        let (code, stdout, stderr) = terrane(&[arguments, &["--mocks", "mocks"]].concat());
        assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
        assert!((stdout.clone() + &stderr).contains(expected), "{arguments:?}: {stdout}{stderr}");
    }
    let (_, stdout, stderr) =
        terrane(&["eval", "root", "--matrix", "root/dev.tfvars", "--json", "--mocks", "mocks"]);
    assert!(stdout.contains("net-1"), "{stdout}{stderr}");
}

#[test]
fn a_plan_with_missing_blocks_says_which_value_helps() {
    let (_, stdout, stderr) = terrane(&["plan", "root"]);
    assert!(stdout.contains("# demo_net.n: number of instances unknown"), "{stdout}");
    assert!(stderr.contains("help: `--set 'data.demo_zones.all.names=VALUE'`"), "{stderr}");
}

#[test]
fn a_sandbox_holds_for_mock_files() {
    let mut files = FILES.to_vec();
    files.push(("root/b.tftest.hcl", "mock_provider \"demo\" {\n  source = \"../mocks\"\n}\n"));
    for mocks in ["mocks/a.tftest.hcl", "mocks", "root/b.tftest.hcl"] {
        let arguments = ["eval", "root", "output.zones", "--sandbox", "root", "--mocks", mocks];
        let (code, _, stderr) = support::terrane(&files, &arguments);
        assert_eq!(code, Some(1), "{mocks}: {stderr}");
        assert!(stderr.contains("outside of the directory that may be read"), "{mocks}: {stderr}");
    }
}

/// The time must grow with the number of values, not with its square. Half a minute is many times as long as needed.
#[test]
fn many_values_take_little_time() {
    const MANY: usize = 20_000;
    let values: String = (0..MANY).map(|number| format!("    x{number} = {number}\n")).collect();
    let one = format!("override_data {{\n  target = data.a_b.c\n  values = {{\n{values}  }}\n}}\n");
    let each: String = (0..MANY)
        .map(|number| {
            format!(
                "override_data {{\n  target = data.a_b.c{number}\n  values = {{ x{number} = {number} }}\n}}\n"
            )
        })
        .collect();
    let defaults = format!(
        "mock_provider \"a\" {{\n  mock_data \"a_b\" {{\n    defaults = {{\n{values}    }}\n  }}\n}}\n"
    );
    let last = format!("data \"a_b\" \"c\" {{}}\noutput \"last\" {{ value = data.a_b.c.x{} }}\n", MANY - 1);
    let all: String = (0..MANY).map(|number| format!("data \"a_b\" \"c{number}\" {{}}\n")).collect();
    let last_of_all = format!("{all}output \"last\" {{ value = data.a_b.c{0}.x{0} }}\n", MANY - 1);
    for (main, text) in [(&last, &one), (&last_of_all, &each), (&last, &defaults)] {
        let files = [("main.tf", main.as_str()), ("m.tftest.hcl", text.as_str())];
        let arguments = ["eval", ".", "output.last", "--mocks", "m.tftest.hcl", "--timeout", "30"];
        let (code, stdout, stderr) = support::terrane(&files, &arguments);
        assert_eq!(code, Some(0), "{stderr}");
        assert_eq!(stdout, format!("output.last = {} # reads given\n", MANY - 1), "{stderr}");
    }
}

#[test]
fn defaults_of_many_resources_meet_the_limit_on_memory() {
    let resources: String = (0..1000).map(|number| format!("data \"a_b\" \"c{number}\" {{}}\n")).collect();
    let values: String = (0..1000).map(|number| format!("    x{number} = {number}\n")).collect();
    let defaults = format!(
        "mock_provider \"a\" {{\n  mock_data \"a_b\" {{\n    defaults = {{\n{values}    }}\n  }}\n}}\n"
    );
    let files = [("main.tf", resources.as_str()), ("m.tftest.hcl", defaults.as_str())];
    let arguments = ["eval", ".", "--mocks", "m.tftest.hcl", "--max-memory", "10M"];
    let (code, _, stderr) = support::terrane(&files, &arguments);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("more than 10000000 bytes of memory"), "{stderr}");
}

/// As for a variable file, the message shows neither the value nor the rest of its line.
#[test]
fn a_message_about_a_value_shows_its_name_alone() {
    let main = "resource \"demo_disk\" \"d\" { size = 1 }\n";
    let json =
        r#"{"override_resource": {"target": "demo_disk.d", "values": {"size": 2, "token": "hunter2"}}}"#;
    let native =
        "override_resource {\n  target = demo_disk.d\n  values = { size = 2, token = \"hunter2\" }\n}\n";
    for (file, text) in [("a.tftest.hcl", native), ("a.tftest.json", json)] {
        let (_, _, stderr) =
            support::terrane(&[("main.tf", main), (file, text)], &["eval", ".", "--mocks", file]);
        assert!(stderr.contains("The configuration sets `demo_disk.d.size`"), "{file}: {stderr}");
        let shown = stderr.lines().find(|line| line.contains(" | ") && line.contains("size"));
        let shown = shown.unwrap_or_default().rsplit("values").next().unwrap_or_default();
        assert!(!shown.contains(['=', '{', '2']), "{file}: {stderr}");
        assert!(!stderr.contains("hunter2"), "{file}: {stderr}");
    }
}

/// Nothing tells the values of an unreadable file from its other text.
#[test]
fn a_syntax_error_shows_no_text() {
    let main = "resource \"demo_disk\" \"d\" {}\n";
    let json = r#"{"override_resource": {"target": "demo_disk.d", "values": {"token": "hunter2" 1}}}"#;
    for (file, text) in [
        (
            "a.tftest.hcl",
            "override_resource {\n  target = demo_disk.d\n  values = { token = \"hunter2\" 1 }\n}\n",
        ),
        ("a.tfmock.hcl", "mock_resource \"demo_disk\" {\n  defaults = {\n    token = \"hunter2\n  }\n}\n"),
        ("a.tfmock.hcl", "mock_resource \"demo_disk\" {\n  defaults = { token = \"hunter2\"\n}\n"),
        ("a.tftest.json", json),
    ] {
        let (code, stdout, stderr) =
            support::terrane(&[("main.tf", main), (file, text)], &["eval", ".", "--mocks", file]);
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(&format!("--> {file}:")), "{stderr}");
        assert!(!stderr.contains("hunter2") && !stdout.contains("hunter2"), "{stderr}");
    }
}
