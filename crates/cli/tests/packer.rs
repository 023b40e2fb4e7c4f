//! Tests of commands on Packer templates.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns standard output, standard error and the exit code.
fn terrane(directory: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    let output = command.current_dir(directory).args(arguments).output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        fs::write(directory.path().join(name), text).expect("a file");
    }
    directory
}

const SOURCE: &str = "source \"null\" \"x\" {\n  communicator = \"none\"\n}\n";

/// The language page describes this expansion of `dynamic`.
#[test]
fn dynamic_blocks_are_expanded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (stdout, stderr, code) = terrane(&root, &["eval", "examples/image"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.starts_with("evaluated 1 build and "), "{stderr}");
    assert!(stderr.contains("(running builds)"), "{stderr}");
    assert_eq!(terrane(&root, &["eval", "examples/image", "--quiet"]).1, "");
    let tag = |key: &str, value: &str| {
        format!("    tag {{\n      key = \"{key}\"\n      value = \"{value}\"\n    }}\n")
    };
    let tags =
        [tag("Name", "web"), tag("Component", "user-service"), tag("Environment", "production")].concat();
    assert!(stdout.contains(&tags), "{stdout}");
    assert!(!stdout.contains("correct horse"), "a sensitive value is shown");
}

#[test]
fn builds_are_chosen_by_their_names() {
    let build =
        "build {\n  name = \"a\"\n  sources = [\"null.x\"]\n}\nbuild {\n  sources = [\"source.null.x\"]\n}\n";
    let text = format!("{SOURCE}{build}");
    let template = directory(&[("a.pkr.hcl", &text)]);
    let builds = |arguments: &[&str]| {
        let (stdout, stderr, code) = terrane(template.path(), &[&["eval", "."], arguments].concat());
        assert_eq!(code, Some(0), "{stderr}");
        stdout.lines().filter(|line| line.starts_with("build ")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(builds(&[]), "build \"a.null.x\" { build \"null.x\" {");
    assert_eq!(builds(&["-only=a.*"]), "build \"a.null.x\" {");
    assert_eq!(builds(&["-except", "a.*"]), "build \"null.x\" {");
    assert_eq!(terrane(template.path(), &["eval", "a.pkr.hcl"]).2, Some(0), "a single file is a template");
}

#[test]
fn values_of_expressions_are_printed_as_text_and_as_json() {
    let text = format!("{SOURCE}locals {{ a = [1, \"b\"] }}\n");
    let template = directory(&[("a.pkr.hcl", &text)]);
    let (stdout, _, code) = terrane(template.path(), &["eval", ".", "local.a[1]", "keys(local)"]);
    assert_eq!((stdout.as_str(), code), ("local.a[1] = \"b\"\nkeys(local) = [\"a\"]\n", Some(0)));
    let (stdout, _, _) = terrane(template.path(), &["eval", ".", "local.a[1]", "--json"]);
    assert!(stdout.contains(r#""local.a[1]":{"#) && stdout.contains(r#""value":"b""#), "{stdout}");
}

#[test]
fn check_reports_the_errors_of_packer_validate() {
    let text = format!("{SOURCE}variable \"v\" {{}}\nbuild {{\n  sources = [\"null.y\"]\n}}\n");
    let template = directory(&[("a.pkr.hcl", &text), ("b.pkrvars.hcl", "v = 1\nw = 2\n")]);
    let check = |arguments: &[&str]| terrane(template.path(), &[&["check"], arguments].concat());
    let (stdout, stderr, code) = check(&["--format", "compact"]);
    assert_eq!((stderr.as_str(), code), ("2 files checked: 2 errors in 1 file\n", Some(1)));
    let titles: Vec<_> = stdout.lines().filter_map(|line| line.split(": ").nth(2)).collect();
    assert_eq!(titles, ["Unset variable \"v\"", "Unknown source null.y"], "{stdout}");
    for format in ["human", "compact", "json", "sarif", "junit", "github"] {
        let (stdout, _, code) = check(&["a.pkr.hcl", "-var-file=b.pkrvars.hcl", "--format", format]);
        assert_eq!(code, Some(1), "{format}");
        assert!(stdout.contains("Unknown source null.y"), "{format}: {stdout}");
        assert!(stdout.contains("Undefined variable"), "{format}: {stdout}");
        assert!(!stdout.contains("Unset variable"), "{format}: {stdout}");
    }
    let warning = "Undefined variable";
    let eval = |arguments: &[&str]| {
        terrane(template.path(), &[&["eval", ".", "-var-file=b.pkrvars.hcl"], arguments].concat()).1
    };
    assert!(eval(&["-warn-on-undeclared-var"]).contains(warning) && !eval(&[]).contains(warning));
    let (_, stderr, code) = check(&["b.pkrvars.hcl", "."]);
    assert_eq!((stderr.as_str(), code), ("2 files checked: 2 errors in 1 file\n", Some(1)));
    let empty = directory(&[("a.pkr.hcl", SOURCE)]);
    let (_, stderr, code) = terrane(empty.path(), &["check"]);
    assert_eq!((stderr.as_str(), code), ("1 file checked: 1 error\n", Some(1)));
    assert!(check(&["--except", "null.z", "-var", "v=1"]).0.contains("Unknown source null.y"));
}

#[test]
fn check_shows_lines_of_variable_files_without_sensitive_variables() {
    let declared = |more: &str| format!("{SOURCE}variable \"n\" {{\n  type = number\n{more}}}\n");
    for (more, is_shown) in [("", true), ("  sensitive = true\n", false)] {
        let template =
            directory(&[("a.pkr.hcl", &declared(more)), ("a.auto.pkrvars.hcl", "n = \"hunter2\"\n")]);
        let (stdout, _, code) = terrane(template.path(), &["check"]);
        assert_eq!((stdout.contains("hunter2"), code), (is_shown, Some(1)), "{stdout}");
    }
}

#[test]
fn messages_about_variable_files_with_secrets_have_places_without_text() {
    let secret = format!("{SOURCE}variable \"s\" {{\n  sensitive = true\n}}\n");
    let values = "s = \"hunter2\"\nt = \"hunter2\"\n";
    let template = directory(&[("a.pkr.hcl", &secret), ("a.auto.pkrvars.hcl", values)]);
    let (stdout, stderr, _) = terrane(template.path(), &["check", "--format", "compact"]);
    assert!(stdout.contains("a.auto.pkrvars.hcl:2:1: warning: Undefined variable"), "{stdout}{stderr}");
    let (stdout, stderr, _) = terrane(template.path(), &["check"]);
    assert!(stdout.contains("--> a.auto.pkrvars.hcl:2:1"), "{stdout}{stderr}");
    assert!(!stdout.contains("hunter2"), "{stdout}");
}

#[test]
fn a_missing_file_below_path_root_is_explained() {
    let template = directory(&[]);
    fs::create_dir(template.path().join("images")).expect("a directory");
    let text = "locals { a = file(\"${path.root}/a.txt\") }\n";
    for (name, text) in [("a.pkr.hcl", text), ("a.txt", "text")] {
        fs::write(template.path().join("images").join(name), text).expect("a file");
    }
    let (_, stderr, code) = terrane(template.path(), &["eval", "images"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("Run the command there"), "{stderr}");
    assert_eq!(terrane(&template.path().join("images"), &["eval", "."]).2, Some(0));
}

#[test]
fn a_graph_leads_from_builds_to_sources_and_variables() {
    let text =
        "variable \"v\" {}\nsource \"null\" \"x\" { ssh_host = var.v }\nbuild { sources = [\"null.x\"] }\n";
    let template = directory(&[("a.pkr.hcl", text)]);
    let (dot, stderr, code) = terrane(template.path(), &["graph"]);
    assert_eq!((stderr.as_str(), code), ("", Some(0)));
    for line in ["\"build.0\" -> \"source.null.x\"", "\"source.null.x\" -> \"var.v\""] {
        assert!(dot.contains(line), "{line}\n{dot}");
    }
    let (json, _, _) = terrane(template.path(), &["graph", "a.pkr.hcl", "--format", "json"]);
    assert!(json.contains(r#"{"from":"build.0","to":"source.null.x"}"#), "{json}");
}

#[test]
fn a_directory_with_module_and_template_needs_a_dialect() {
    let text = format!("{SOURCE}build {{\n  sources = [\"null.x\"]\n}}\n");
    let both = directory(&[("a.pkr.hcl", &text), ("main.tf", "output \"o\" { value = 1 }\n")]);
    let (_, stderr, code) = terrane(both.path(), &["eval", "."]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("--dialect packer"), "{stderr}");
    assert!(terrane(both.path(), &["check"]).0.contains("--dialect packer"));
    assert!(terrane(both.path(), &["graph"]).1.contains("--dialect packer"));
    assert_eq!(terrane(both.path(), &["check", "--dialect", "packer"]).2, Some(0));
    let (stdout, _, _) = terrane(both.path(), &["eval", ".", "--dialect", "packer"]);
    assert!(stdout.contains("build \"null.x\""), "{stdout}");
    let (stdout, _, _) = terrane(both.path(), &["eval", ".", "--dialect", "modules"]);
    assert!(stdout.contains("o = 1"), "{stdout}");
}

#[test]
fn a_broken_variable_file_costs_the_values_that_the_error_touches() {
    let template =
        "variable \"a\" {\n  default = \"default\"\n}\nvariable \"b\" {\n  default = \"default\"\n}\n";
    let files = [("x.pkr.hcl", template), ("x.auto.pkrvars.hcl", "a = \"one\nb = \"two\"\n")];
    let directory = directory(&files);
    let (stdout, _, code) = terrane(directory.path(), &["eval", "--keep-going"]);
    let note = "# partial values: 1 syntax error in x.auto.pkrvars.hcl; values that depend on the unreadable text are unknown\n";
    assert!(stdout.starts_with(note), "{stdout}");
    assert!(stdout.contains("b = \"two\"") && !stdout.contains("default"), "{stdout}");
    assert_eq!(code, Some(1));
    let (stdout, _, _) = terrane(directory.path(), &["eval", "--keep-going", "--json"]);
    assert!(stdout.contains(r#""partial":true,"#), "{stdout}");
}

#[test]
fn a_variable_file_that_cannot_be_read_may_set_any_variable() {
    let template = "variable \"a\" {\n  default = \"default\"\n}\nlocals {\n  b = 1\n}\n";
    let directory = directory(&[("x.pkr.hcl", template), ("two.pkrvars.hcl", "a = \"two\"\n")]);
    let listed = |files: &[&str]| {
        let options = files.iter().map(|file| format!("-var-file={file}"));
        let options: Vec<String> =
            ["eval", "--keep-going"].map(str::to_owned).into_iter().chain(options).collect();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        terrane(directory.path(), &options).0
    };
    let stdout = listed(&["no.pkrvars.hcl"]);
    assert!(stdout.starts_with("# partial values: no.pkrvars.hcl cannot be read;"), "{stdout}");
    assert!(stdout.contains("a = (error)") && stdout.contains("b = 1"), "{stdout}");
    // A later file has precedence.
    let stdout = listed(&["no.pkrvars.hcl", "two.pkrvars.hcl"]);
    assert!(stdout.contains("a = \"two\""), "{stdout}");
}

/// A sensitive value is hidden as the key of an object and of a map, in every output.
#[test]
fn keys_of_objects_hide_secrets() {
    let template = "variable \"s\" {\n  default = \"mark\\\"7\\nend\"\n  sensitive = true\n}\nvariable \"n\" {\n  default = 77123\n  \
                    type = number\n  sensitive = true\n}\nvariable \"m\" {\n  type = map(string)\n  default = { mark8 = \"x\" }\n  sensitive = true\n}\n\
                    locals {\n  o = { (var.s) = 1, \"x-${var.s}\" = { (var.n) = 2 } }\n  k = keys({ (var.s) = 1, (var.n) = 2 })\n  \
                    json = jsonencode({ (var.s) = var.m })\n  attribute = { (var.s) = 1 }.nokey\n  index = { (var.n) = 1 }[\"q\"]\n  \
                    merged = merge({ (var.s) = 1 }, 3)\n  loop = { for k in [var.s, var.s] : k => 1 }\n  m = var.m\n  bad = var.m.nokey\n}\n\
                    source \"null\" \"x\" {\n  communicator = \"none\"\n  metadata = { (var.s) = 1 }\n}\n\
                    build {\n  sources = [\"null.x\"]\n  provisioner \"shell-local\" {\n    env = { (var.s) = \"1\" }\n    \
                    inline = [for k, v in local.o : \"${k}=${v}\"]\n  }\n}\n";
    let directory = directory(&[("x.pkr.hcl", template)]);
    let scan = |arguments: &[&str]| {
        let (stdout, stderr, _) = terrane(directory.path(), arguments);
        for secret in ["mark", "7\\nend", "77123"] {
            assert!(
                !stdout.contains(secret) && !stderr.contains(secret),
                "{arguments:?}\n{stdout}\n{stderr}"
            );
        }
        stdout.len() + stderr.len()
    };
    for format in ["human", "compact", "json", "sarif", "junit", "github"] {
        assert!(scan(&["check", "--format", format]) > 0);
    }
    assert!(scan(&["eval", "--keep-going"]) > 0 && scan(&["eval", "--keep-going", "--json"]) > 0);
    for selected in
        ["local.o", "local.k", "local.json", "local.m", "var.s", "var.m", "keys(local.o)", "local.o.nokey"]
    {
        assert!(scan(&["eval", "--keep-going", ".", selected]) > 0);
        assert!(scan(&["eval", "--keep-going", ".", selected, "--json"]) > 0);
    }
    assert!(scan(&["graph"]) > 0);
}

#[test]
fn the_listing_of_a_broken_template_says_so() {
    let directory = directory(&[("x.pkr.hcl", "locals {\n  a = [1,\n}\n")]);
    let (stdout, _, _) = terrane(directory.path(), &["eval", "--keep-going"]);
    assert!(stdout.starts_with("# partial values: 1 syntax error in x.pkr.hcl"), "{stdout}");
}

#[test]
fn addresses_beside_an_error_have_the_values_that_do_not_depend_on_it() {
    let template = "locals {\n  bad = upper(1, 2)\n  dep = \"${local.bad}-x\"\n  ok  = \"fine\"\n}\n";
    let directory = directory(&[("x.pkr.hcl", template)]);
    let eval = |address: &str| terrane(directory.path(), &["eval", "--keep-going", ".", address]);
    for (address, printed, errors) in [
        ("local.ok", "local.ok = \"fine\"\n", 1),
        ("local.dep", "local.dep = (error) # an error that is reported above\n", 1),
        ("local.nope", "", 2),
    ] {
        let (stdout, stderr, code) = eval(address);
        assert_eq!(
            (&*stdout, stderr.matches("error[").count(), code),
            (printed, errors, Some(1)),
            "{stderr}"
        );
    }
}

#[test]
fn a_syntax_error_of_a_template_hides_only_what_it_touches() {
    let template = |broken: &str| {
        format!(
            "variable \"a\" {{\n  default = \"one\"\n}}\nvariable \"b\" {{\n  default = \"two\"\n  # variable\n}}\n\
             variables {{\n  c = \"three\"\n}}\nlocals {{\n  d = \"${{var.a}}-x\"\n  e = \"${{var.b}}-x\"\n  f = \"${{var.c}}-x\"\n  # local\n}}\n\
             local \"g\" {{\n  expression = local.d\n  # one\n}}\nlocals {{\n  h = local.nope\n}}\n{broken}"
        )
    };
    // The names whose values are not known, and whether a name that nothing declares may be in the unreadable text.
    for (place, broken, unknown, hides) in [
        ("# local", "i = = 1", "h", false),
        ("# variable", "sensi tive = true", "b e h", false),
        ("d = ", "d = = ", "d g h", false),
        ("# one", "expr ession = 1", "g h", false),
        ("  # local\n", "  no\npe = 1\n", "d e f g h", true),
        ("# local", "}\n}", "d e f g h", true),
        ("variable \"a\" {", "vari able \"a\" {", "d g h", true),
        ("variable \"a\" {", "variable \"a {", "d g h", true),
        ("variables {", "variables", "c f h", true),
    ] {
        let text = template("").replacen(place, broken, 1);
        let directory = directory(&[("x.pkr.hcl", &text)]);
        let (stdout, stderr, code) = terrane(directory.path(), &["eval", "--keep-going", "--json"]);
        let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
        let is_known = |kind: &str, name: &str| document[kind][name]["value"].is_string();
        let variables = ["a", "b", "c"].into_iter().filter(|name| {
            let is_declared = !document["variables"][*name].is_null();
            is_declared && !is_known("variables", name)
        });
        let locals = ["d", "e", "f", "g", "h"].into_iter().filter(|name| !is_known("locals", name));
        let found: Vec<&str> = variables.chain(locals).collect();
        let is_reported = stderr.contains("no attribute \"nope\"");
        assert_eq!((&*found.join(" "), is_reported, code), (unknown, !hides, Some(1)), "{broken}: {stderr}");
    }
}
