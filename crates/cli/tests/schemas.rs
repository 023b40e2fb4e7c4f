//! `terrane schemas`: the store of provider schemas.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const DOCUMENT: &str = r#"{"format_version": "1.0", "provider_schemas": {
    "registry.terraform.io/acme/tree": {
        "resource_schemas": {"tree_oak": {"version": 0, "block": {"attributes": {
            "id": {"type": "string", "computed": true},
            "age": {"type": "number", "optional": true, "description": "In years."}
        }}}},
        "data_source_schemas": {"tree_oak": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}}}}}
    },
    "terraform.io/builtin/terraform": {"resource_schemas": {}}
}}"#;

const LOCK: &str = "provider \"registry.terraform.io/acme/tree\" {\n  version = \"1.2.0\"\n}\n";

/// Runs the command with its own cache directory. Returns the exit code, standard output and standard error.
fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    run_with_input(directory, arguments, Stdio::null())
}

fn run_with_input(directory: &Path, arguments: &[&str], input: Stdio) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.current_dir(directory).args(arguments).stdin(input);
    let output =
        command.env("TERRANE_CACHE_DIR", directory.join("cache")).output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = TempDir::new().expect("a temporary directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    directory
}

#[test]
fn schemas_are_imported_listed_shown_and_removed() {
    let directory = directory(&[("p.json", DOCUMENT), (".terraform.lock.hcl", LOCK)]);
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let (code, out, err) = run(&["schemas", "list"]);
    assert_eq!((code, out.as_str()), (Some(0), ""));
    assert!(err.contains("cache/schemas has no schemas"), "{err}");

    let (code, out, err) = run(&["schemas", "import", "p.json"]);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    assert!(err.starts_with("stored acme/tree 1.2.0: 2 resource types, "), "{err}");
    let file = directory.path().join("cache/schemas/registry.terraform.io/acme/tree/1.2.0.tfschema");
    assert!(file.is_file());

    let newer = ["schemas", "import", "p.json", "--provider-version", "acme/tree=1.10.0"];
    assert_eq!(run(&newer).0, Some(0));
    assert_eq!(run(&["schemas", "list"]).1, "acme/tree  1.2.0\nacme/tree  1.10.0\n");

    let (code, out, _) = run(&["schemas", "show", "acme/tree"]);
    assert_eq!(code, Some(0));
    assert!(
        out.starts_with("# acme/tree 1.10.0\n# from terraform providers schema -json, SHA-256 "),
        "{out}"
    );
    assert!(out.ends_with("\ntree_oak\ndata.tree_oak\n"), "{out}");
    let (_, out, _) = run(&["schemas", "show", "acme/tree@1.2.0", "tree_oak"]);
    let managed =
        "resource \"tree_oak\" {\n  # In years.\n  age = number # optional\n  id = string # computed\n}\n";
    let data = "data \"tree_oak\" {\n  id = string # computed\n}\n";
    assert_eq!(out, format!("{managed}\n{data}"));
    assert_eq!(run(&["schemas", "show", "acme/tree", "data.tree_oak"]).1, data);
    for (arguments, message) in [
        (
            &["acme/tree", "tree_ok"][..],
            "error: acme/tree 1.10.0 has no resource type tree_ok; did you mean tree_oak?\n",
        ),
        (&["acme/tree@2.0.0"], "error: {store} has no version 2.0.0 of acme/tree; the newest is 1.10.0\n"),
        (&["acme/trees"], "error: {store} has no schemas of acme/trees; did you mean acme/tree?\n"),
    ] {
        let (code, out, err) = run(&[&["schemas", "show"], arguments].concat());
        let store = directory.path().join("cache/schemas").display().to_string();
        assert_eq!((code, out.as_str(), err), (Some(1), "", message.replace("{store}", &store)));
    }

    assert_eq!(run(&["schemas", "remove", "acme/tree@1.2.0"]).2, "removed acme/tree 1.2.0\n");
    assert_eq!(run(&["schemas", "list"]).1, "acme/tree  1.10.0\n");
    assert_eq!(run(&["schemas", "remove", "acme/tree@1.2.0"]).0, Some(1));
}

#[test]
fn a_stored_file_is_read_like_the_document_it_was_made_from() {
    let main = "terraform {\n  required_providers { tree = { source = \"acme/tree\" } }\n}\n\
                resource \"tree_oak\" \"a\" { age = \"7\" }\noutput \"a\" { value = [tree_oak.a.age + 1, tree_oak.a.id] }\n";
    let directory = directory(&[("main.tf", main), ("p.json", DOCUMENT)]);
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let import = ["schemas", "import", "p.json", "--store", "s", "--provider-version", "acme/tree=1.0.0"];
    assert_eq!(run(&import).0, Some(0));
    let file = "s/registry.terraform.io/acme/tree/1.0.0.tfschema";
    let stored = run(&["eval", ".", "--schemas", file]);
    let read = run(&["eval", ".", "--schemas", "p.json"]);
    assert_eq!((stored.0, &stored.1), (Some(0), &read.1));
    assert!(stored.1.contains("age = 7"), "{}", stored.1);
    fs::write(directory.path().join("cut"), &fs::read(directory.path().join(file)).expect("the file")[..99])
        .expect("a file");
    let (code, _, err) = run(&["check", ".", "--schemas", "cut"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("invalid value 'cut' for '--schemas <FILE>': it has 99 bytes in place of "),
        "{err}"
    );
}

#[test]
fn the_versions_come_from_options_or_a_lock_file() {
    let other = LOCK.replace("1.2.0", "2.0.0");
    let files = [
        ("p.json", DOCUMENT),
        ("a/p.json", DOCUMENT),
        ("a/.terraform.lock.hcl", LOCK),
        ("other.hcl", &other),
    ];
    let directory = directory(&files);
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let (code, _, err) = run(&["schemas", "import", "p.json"]);
    assert_eq!(code, Some(1));
    let expected = "error: p.json: the versions of these providers are not known: acme/tree\n\
                    help: pass `--lock-file .terraform.lock.hcl` of the configuration, or `--provider-version acme/tree=VERSION`\n";
    assert_eq!(err, expected);
    assert!(run(&["schemas", "import", "a/p.json"]).2.starts_with("stored acme/tree 1.2.0"));
    assert!(
        run(&["schemas", "import", "a/p.json", "--lock-file", "other.hcl"])
            .2
            .starts_with("stored acme/tree 2.0.0")
    );
    let both =
        ["schemas", "import", "p.json", "--lock-file", "other.hcl", "--provider-version", "acme/tree=3.0.0"];
    assert!(run(&both).2.starts_with("stored acme/tree 3.0.0"));

    let input = fs::File::open(directory.path().join("p.json")).expect("the file");
    let piped = run_with_input(
        &directory.path().join("a"),
        &["schemas", "import", "-", "--store", "s"],
        input.into(),
    );
    assert!(piped.2.starts_with("stored acme/tree 1.2.0"), "{}", piped.2);
    assert!(directory.path().join("a/s/registry.terraform.io/acme/tree/1.2.0.tfschema").is_file());
    assert_eq!(run(&["schemas", "import", "p.json", "--provider-version", "acme/tree=1"]).0, Some(2));
}

/// Shells and editors of Windows write byte order marks, and some write UTF-16.
#[test]
fn a_byte_order_mark_is_no_part_of_the_document() {
    let marked = format!("\u{feff}{DOCUMENT}");
    let directory = directory(&[("p.json", &marked), (".terraform.lock.hcl", LOCK), ("main.tf", ROOT)]);
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let (code, _, err) = run(&["schemas", "import", "p.json"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.starts_with("stored acme/tree 1.2.0: 2 resource types, "), "{err}");
    let (code, out, err) = run(&["eval", ".", "output.next", "--no-schema-store", "--schemas", "p.json"]);
    assert_eq!((code, &*out), (Some(0), "output.next = 8\n"), "{err}");

    for (name, mark, unit) in [
        ("little.json", [0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("big.json", [0xfe, 0xff], u16::to_be_bytes),
    ] {
        let text = DOCUMENT.encode_utf16().flat_map(unit);
        let bytes: Vec<u8> = mark.into_iter().chain(text).collect();
        fs::write(directory.path().join(name), bytes).expect("a file");
        let (code, _, err) = run(&["schemas", "import", name]);
        assert_eq!((code, err), (Some(1), format!("error: {name} is UTF-16 text; save it as UTF-8\n")));
        let (code, _, err) = run(&["eval", ".", "--schemas", name]);
        assert_eq!(code, Some(2));
        assert!(
            err.contains(&format!("'{name}' for '--schemas <FILE>': it is UTF-16 text; save it as UTF-8")),
            "{err}"
        );
    }
}

#[test]
fn files_that_are_no_schemas_are_errors() {
    let directory = directory(&[
        ("a.json", "{"),
        ("b.json", r#"{"format_version": "9.0"}"#),
        ("c.json", r#"{"format_version": "1.0"}"#),
        ("list.json", "[]"),
        ("number.json", r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/a/b": 5}}"#),
        ("text.json", "schemas"),
    ]);
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let (code, _, err) = run(&["schemas", "import", "a.json", "b.json", "c.json", "d.json"]);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines[0], "error: a.json: the file is cut off: its JSON text ends at line 1, column 1");
    assert!(
        lines[1].starts_with("error: b.json: format_version: the format version 9.0 is not supported"),
        "{err}"
    );
    assert_eq!(lines[2], "c.json has no schemas of providers");
    assert_eq!(lines[3], "error: there is no file or directory at d.json");
    let (_, _, err) = run(&["schemas", "import", "list.json", "number.json", "text.json"]);
    let expected = "error: list.json: an object is expected, not a list, at line 1, column 2\n\
                    error: number.json: an object is expected, not a number, at line 1, column 77\n\
                    error: text.json: it is not JSON: expected value at line 1 column 1\n";
    assert_eq!(err, expected);

    let file = "s/registry.terraform.io/acme/tree/1.0.0.tfschema";
    fs::create_dir_all(directory.path().join(file).parent().expect("a parent")).expect("a directory");
    fs::write(directory.path().join(file), "not a schema").expect("a file");
    let (code, _, err) = run(&["schemas", "show", "acme/tree", "--store", "s"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        err,
        format!("error: {file} cannot be used: it is not a schema file of `terrane schemas import`\n")
    );
}

const ROOT: &str = "terraform {\n  required_providers { tree = { source = \"acme/tree\" } }\n}\n\
                    resource \"tree_oak\" \"a\" { age = \"7\" }\noutput \"next\" { value = tree_oak.a.age + 1 }\n";

/// Returns a module with a lock file that selects version 1.2.0, beside the document.
fn module() -> TempDir {
    directory(&[("main.tf", ROOT), (".terraform.lock.hcl", LOCK), ("p.json", DOCUMENT)])
}

#[test]
fn evaluations_find_the_schema_of_the_locked_version() {
    let directory = module();
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    assert!(!run(&["eval", ".", "--json"]).1.contains("provider_schemas"));
    let without = run(&["eval", ".", "--json", "--no-schema-store"]).1;
    assert_eq!(run(&["schemas", "import", "p.json"]).0, Some(0));
    assert_eq!(run(&["schemas", "import", "p.json", "--provider-version", "acme/tree=1.9.0"]).0, Some(0));

    let (code, out, err) = run(&["eval", ".", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let path = directory.path().join("cache/schemas/registry.terraform.io/acme/tree/1.2.0.tfschema");
    let expected = serde_json::json!([
        {"provider": "acme/tree", "version": "1.2.0", "locked_version": "1.2.0", "path": path}
    ]);
    assert_eq!(document["provider_schemas"], expected);
    let role = |name: &str| {
        let mut files = document["files"].as_array().expect("files").iter();
        files
            .find(|file| file["path"].as_str().is_some_and(|path| path.ends_with(name)))
            .map(|file| file["role"].clone())
    };
    assert_eq!(
        (role("1.2.0.tfschema"), role(".terraform.lock.hcl")),
        (Some("schema".into()), Some("lock".into()))
    );
    assert_eq!(document["values"]["tree_oak.a"]["value"]["age"], 7);
    assert!(document["values"]["tree_oak.a"]["unknowns"][0]["path"] == ".id", "{document}");

    let unlike = |arguments: &[&str]| {
        let with = run(arguments);
        (with.0, with.1 != run(&[arguments, &["--no-schema-store"]].concat()).1)
    };
    assert_eq!(unlike(&["eval", "."]), (Some(0), true));
    assert_eq!(unlike(&["plan", ".", "--json"]), (Some(0), true));
    assert_eq!(run(&["eval", ".", "--json", "--no-schema-store"]).1, without);
    let explicit = run(&["eval", ".", "--json", "--schemas", "p.json"]).1;
    let explicit: serde_json::Value = serde_json::from_str(&explicit).expect("JSON");
    assert_eq!(
        explicit["provider_schemas"],
        serde_json::json!([{"provider": "acme/tree", "path": "p.json"}])
    );

    fs::write(directory.path().join("main.tf"), ROOT.replace("a.age", "a.ago")).expect("a file");
    for command in ["eval", "check", "graph", "plan"] {
        let (code, out, err) = run(&[command, "."]);
        assert_eq!(code, Some(1), "{command}: {out}{err}");
        assert!((out + &err).contains("ago"), "{command}");
    }
    assert_eq!(run(&["check", ".", "--no-schema-store"]).0, Some(0));
}

#[test]
fn the_nearest_version_is_used_with_a_warning() {
    let directory = module();
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let import = |version: &str| {
        let version = format!("acme/tree={version}");
        assert_eq!(run(&["schemas", "import", "p.json", "--provider-version", &version]).0, Some(0));
    };
    let warning = || {
        let (code, _, err) = run(&["eval", "."]);
        assert_eq!(code, Some(0));
        err
    };
    import("2.0.0");
    let text = warning();
    assert!(text.contains("warning[core:schema-of-other-version]"), "{text}");
    assert!(
        text.replace("\n  = ", " ").contains("of other major versions (2.0.0), so none is used"),
        "{text}"
    );
    for (version, used) in [("1.3.0", "1.3.0"), ("1.4.0", "1.3.0"), ("1.0.0", "1.0.0"), ("1.1.0", "1.1.0")] {
        import(version);
        assert!(
            warning().contains(&format!("the schema of version {used} is used")),
            "{used}: {}",
            warning()
        );
    }
    import("1.2.0");
    assert!(!warning().contains("warning"), "{}", warning());
}

#[test]
fn schemas_in_the_data_directory_count_first_and_are_in_a_sandbox() {
    let directory = module();
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let version = |arguments: &[&str]| {
        let document: serde_json::Value = serde_json::from_str(&run(arguments).1).expect("JSON");
        document["provider_schemas"][0]["path"].as_str().map(str::to_owned)
    };
    assert_eq!(run(&["schemas", "import", "p.json"]).0, Some(0));
    fs::create_dir(directory.path().join("m")).expect("a directory");
    fs::rename(directory.path().join("main.tf"), directory.path().join("m/main.tf")).expect("a file");
    fs::rename(directory.path().join(".terraform.lock.hcl"), directory.path().join("m/.terraform.lock.hcl"))
        .expect("a file");
    assert!(version(&["eval", "m", "--json"]).is_some_and(|path| path.contains("cache/schemas")));
    assert_eq!(version(&["eval", "m", "--json", "--sandbox", "m"]), None);
    let local = [
        "schemas",
        "import",
        "p.json",
        "--lock-file",
        "m/.terraform.lock.hcl",
        "--store",
        "m/.terraform/terrane/schemas",
    ];
    assert_eq!(run(&local).0, Some(0));
    let path = Some("m/.terraform/terrane/schemas/registry.terraform.io/acme/tree/1.2.0.tfschema".to_owned());
    assert_eq!(version(&["eval", "m", "--json"]), path);
    assert_eq!(version(&["eval", "m", "--json", "--sandbox", "m"]), path);
}

#[test]
fn a_stored_file_that_is_none_is_a_warning() {
    let directory = module();
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    assert_eq!(run(&["schemas", "import", "p.json"]).0, Some(0));
    let store = directory.path().join("cache/schemas/registry.terraform.io/acme/tree");
    fs::rename(store.join("1.2.0.tfschema"), store.join("1.0.0.tfschema")).expect("a file");
    let text = run(&["eval", "."]).2;
    assert!(text.contains("it has the schemas of acme/tree 1.2.0"), "{text}");
    fs::write(store.join("1.2.0.tfschema"), "\u{1b}[31mnone").expect("a file");
    let (code, _, text) = run(&["eval", "."]);
    assert_eq!(code, Some(0));
    assert!(text.contains("warning[core:unreadable-schema]: Unreadable provider schema"), "{text}");
    assert!(text.contains("it is not a schema file of `terrane schemas import`"), "{text}");
    // Unused schemas are not opened.
    fs::write(directory.path().join("main.tf"), "output \"a\" { value = 1 }\n").expect("a file");
    let (code, out, text) = run(&["eval", ".", "--json"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("warning") && !out.contains("provider_schemas"), "{text}{out}");
    assert_eq!(run(&["check", "."]).0, Some(0));
}
