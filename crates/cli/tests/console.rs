//! The console with piped input.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Standard output, standard error and the exit code.
fn console(directory: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.current_dir(directory).arg("console").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // A command that ends at once, because the configuration is wrong, does not read its input.
    let written = child.stdin.take().expect("its input").write_all(input.as_ref());
    assert!(written.is_ok() || written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe));
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_directory_without_configuration_has_no_names_but_all_functions() {
    let directory = tempfile::tempdir().expect("a directory");
    let (stdout, stderr, code) = console(directory.path(), &[], "upper(\"a\")\nvar.a\n1\n");
    assert_eq!((stdout.as_str(), code), ("\"A\"\n", Some(1)));
    assert!(stderr.contains("Reference to undeclared input variable"), "{stderr}");
    let (_, stderr, code) = console(directory.path(), &["."], "1\n");
    assert_eq!(code, Some(1), "a directory that is asked for must be a module");
    assert!(stderr.contains("no-configuration"), "{stderr}");
}

#[test]
fn input_with_wrong_encoding_is_an_error_with_its_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let (stdout, stderr, code) = console(directory.path(), &[], b"1 + 1\r\n\"\xff\"\n3\n");
    assert_eq!((stdout.as_str(), code), ("2\n", Some(1)));
    assert!(stderr.contains("Invalid character encoding") && stderr.contains("input line 2"), "{stderr}");
}

#[test]
fn inputs_take_as_many_lines_as_they_need() {
    let directory = tempfile::tempdir().expect("a directory");
    let input = "[1,\n2]\n<<EOT\n  a\n\nb\nEOT\n:type {a = 1}\ntype(\"x\")\nhelp\nexit\n3\n";
    let (stdout, _, code) = console(directory.path(), &[], input);
    let (results, help) = stdout.split_once("Type an expression").expect("the help");
    let wanted = "[\n  1,\n  2,\n]\n<<EOT\n  a\n\nb\n\nEOT\nobject({\n    a: number,\n})\nstring\n";
    assert_eq!((results, code), (wanted, Some(0)));
    assert!(!help.contains("\n3"), "`exit` is the end");
}

#[test]
fn incomplete_input_at_the_end_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    let (stdout, stderr, code) = console(directory.path(), &[], "1\n(2\n");
    assert_eq!((stdout.as_str(), code), ("1\n", Some(1)));
    assert!(stderr.contains("opened here"), "{stderr}");
}

#[test]
fn sensitive_values_are_shown_only_on_demand() {
    let directory = tempfile::tempdir().expect("a directory");
    let scope = r#"{"vars": {"key": {"type": "string", "value": "k"}}, "sensitive": ["key"]}"#;
    fs::write(directory.path().join("scope.json"), scope).expect("a file");
    let shown = |arguments: &[&str]| console(directory.path(), arguments, "[var.key]\n").0;
    assert_eq!(shown(&["--scope", "scope.json"]), "[\n  (sensitive value),\n]\n");
    assert_eq!(shown(&["--scope", "scope.json", "--show-sensitive"]), "[\n  \"k\",\n]\n");
    let (stdout, stderr, code) = console(directory.path(), &["--scope", "none.json"], "1\n");
    assert_eq!((stdout.as_str(), code), ("", Some(1)));
    assert!(stderr.contains("none.json"), "{stderr}");
}

#[test]
fn resources_are_evaluated_as_before_creation() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("main.tf"), "resource \"terraform_data\" \"x\" {}").expect("a file");
    let (stdout, _, code) =
        console(directory.path(), &[], "type(terraform_data.x.output)\nterraform_data.x.id == null\n");
    assert_eq!((stdout.as_str(), code), ("dynamic\n(known after apply)\n", Some(0)));
}
