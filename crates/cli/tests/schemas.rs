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

/// Runs the command with a cache directory of its own. Returns the exit code, standard output and standard error.
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

#[test]
fn files_that_are_no_schemas_are_errors() {
    let directory = directory(&[
        ("a.json", "{"),
        ("b.json", r#"{"format_version": "9.0"}"#),
        ("c.json", r#"{"format_version": "1.0"}"#),
    ]);
    let run = |arguments: &[&str]| run(directory.path(), arguments);
    let (code, _, err) = run(&["schemas", "import", "a.json", "b.json", "c.json", "d.json"]);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].starts_with("error: a.json: EOF while parsing"), "{err}");
    assert!(
        lines[1].starts_with("error: b.json: format_version: the format version 9.0 is not supported"),
        "{err}"
    );
    assert_eq!(lines[2], "c.json has no schemas of providers");
    assert_eq!(lines[3], "error: there is no file or directory at d.json");

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
