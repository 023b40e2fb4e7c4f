//! The console with piped input.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::{ErrorKind, Read as _, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Returns standard output, standard error and the exit code.
fn console(directory: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory).arg("console").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // If the configuration has errors, the command ends at once and does not read its input.
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
fn a_syntax_error_leaves_the_values_that_do_not_depend_on_it() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("main.tf"), "locals {\n  a = 1\n  b = \n}\n").expect("a file");
    let (stdout, stderr, code) = console(directory.path(), &[], "1 + 1\nlocal.a\nlocal.b\n");
    assert_eq!((stdout.as_str(), code), ("2\n1\n(known after apply)\n", Some(0)));
    let note =
        "partial values: 1 syntax error in main.tf; values that depend on the unreadable text are unknown";
    let end = format!("{note}\n1 value unknown or partly unknown (errors reported above: local.b)\n");
    assert!(stderr.contains("Invalid expression") && stderr.ends_with(&end), "{stderr}");
    let (stdout, stderr, code) = console(directory.path(), &["--json"], "{\"expr\": \"local.a\"}\n");
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("\"value\":1") && stderr.trim_end().ends_with(note), "{stdout}{stderr}");
}

#[test]
fn unset_variables_missing_modules_and_errors_are_called_what_they_are() {
    let directory = tempfile::tempdir().expect("a directory");
    let main =
        "variable \"r\" {}\nmodule \"x\" { source = \"acme/net/aws\" }\nlocals { e = tonumber(\"x\") }\n";
    fs::write(directory.path().join("main.tf"), main).expect("a file");
    let cases = [
        ("var.r", "no value for var.r", "`-var r=VALUE` or a file with `-var-file FILE` sets variables"),
        (
            "module.x.id",
            "not on disk: module.x",
            "`--module 'acme/net/aws=DIR'` reads the module from a directory; `--set 'module.x.OUTPUT=VALUE'` gives one output",
        ),
        ("local.e", "errors reported above: local.e", ""),
    ];
    for (expression, reason, help) in cases {
        let (stdout, stderr, code) = console(directory.path(), &[], format!("{expression}\n"));
        assert_eq!((stdout.as_str(), code), ("(known after apply)\n", Some(0)), "{stderr}");
        let reasons = format!("1 value unknown or partly unknown ({reason})");
        let lines =
            if help.is_empty() { format!("\n{reasons}\n") } else { format!("\n{reasons}\nhelp: {help}\n") };
        assert!(stderr.ends_with(&lines), "{stderr}");
        let request = format!("{{\"expr\": \"{expression}\"}}\n");
        let (stdout, ..) = console(directory.path(), &["--json"], &request);
        let answer: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
        assert_eq!(answer["why_unknown"], serde_json::json!(reasons));
        assert_eq!(answer["help"][0].as_str().unwrap_or_default(), help);
        assert_eq!(answer["console"], "(known after apply)");
    }
}

#[test]
fn values_that_no_apply_makes_known_have_a_reason() {
    let directory = tempfile::tempdir().expect("a directory");
    let main = "variable \"later\" {}\nresource \"terraform_data\" \"a\" {}\n";
    fs::write(directory.path().join("main.tf"), main).expect("a file");
    let input = "terraform_data.a.id\n[var.later]\n";
    let (stdout, stderr, code) = console(directory.path(), &[], input);
    assert_eq!(
        (stdout.as_str(), code),
        ("(known after apply)\n[\n  (known after apply),\n]\n", Some(0)),
        "{stderr}"
    );
    assert_eq!(
        stderr,
        "1 value unknown or partly unknown (no value for var.later)\n\
         help: `-var later=VALUE` or a file with `-var-file FILE` sets variables\n"
    );
}

/// Errors in values affect no other values.
#[test]
fn errors_in_declarations_stop_the_values_of_a_plan() {
    let state =
        r#"{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "resources": []}"#;
    let resource = "resource \"terraform_data\" \"a\" {}\n";
    let moved = format!("{resource}moved {{\n  from = terraform_data.a\n  to   = terraform_data.a\n}}\n");
    let removed = format!("{resource}removed {{\n  from = terraform_data.a\n}}\n");
    let imported = format!("{resource}import {{\n  to = terraform_data.a\n  id = \"i\"\n}}\n");
    let imported = format!("{imported}{}", &imported[resource.len()..]);
    for (text, is_stopped) in [
        (moved.as_str(), true),
        (&removed, true),
        (&imported, true),
        ("locals {\n  a = local.b\n  b = local.a\n}\n", true),
        ("locals {\n  a = local.none\n}\n", false),
        ("resource \"terraform_data\" \"a\" {\n  none = 1\n}\n", false),
        ("variable \"v\" {}\n", false),
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("main.tf"), format!("{text}locals {{\n  x = 5\n}}\n"))
            .expect("a file");
        fs::write(directory.path().join("s.tfstate"), state).expect("a file");
        let arguments = ["--state", "s.tfstate", "--planned"];
        let (stdout, stderr, code) = console(directory.path(), &arguments, "local.x\n");
        let expected = if is_stopped { ("", Some(1)) } else { ("5\n", Some(0)) };
        assert_eq!((stdout.as_str(), code), expected, "{text} {stderr}");
        let (stdout, _, _) = console(directory.path(), &arguments[..2], "local.x\n");
        assert_eq!(stdout, "5\n", "{text}");
    }
}

/// Without a schema, the names of attributes decide which are hidden. A state that cannot be read is a wrong argument.
#[test]
fn the_objects_of_a_state_are_read_and_its_secrets_hidden() {
    let directory = tempfile::tempdir().expect("a directory");
    let state = r#"{"version": 4, "resources": [{
        "mode": "managed", "type": "demo_db", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
        "instances": [{"attributes": {"id": "x1", "master_password": "hunter2", "zones": ["b", "a"]}}]
    }]}"#;
    for (name, text) in
        [("main.tf", "resource \"demo_db\" \"a\" {}\n"), ("s.tfstate", state), ("cut.tfstate", &state[..150])]
    {
        fs::write(directory.path().join(name), text).expect("a file");
    }
    let input = "demo_db.a.id\ndemo_db.a.master_password\ndemo_db.a.zones[0]\ndemo_db.a\n";
    let (stdout, stderr, code) = console(directory.path(), &["--state", "s.tfstate"], input);
    assert_eq!(
        (code, stdout.contains("\"x1\"\n(sensitive value)\n\"b\"\n")),
        (Some(0), true),
        "{stdout}{stderr}"
    );
    assert!(!stdout.contains("hunter2"), "{stdout}");
    let arguments = ["--state", "s.tfstate", "--planned"];
    let (stdout, _, code) =
        console(directory.path(), &arguments, "demo_db.a.id\ndemo_db.a.master_password\n");
    assert_eq!((stdout.as_str(), code), ("\"x1\"\n(sensitive value)\n", Some(0)));
    let arguments = ["--state", "s.tfstate", "--show-sensitive"];
    let (stdout, _, _) = console(directory.path(), &arguments, "demo_db.a.master_password\n");
    assert_eq!(stdout, "\"hunter2\"\n");
    let (stdout, stderr, code) = console(directory.path(), &["--state", "cut.tfstate"], input);
    assert_eq!((stdout.as_str(), code), ("", Some(2)));
    assert!(stderr.contains("--state <FILE|DIR>': the file is cut off"), "{stderr}");
}

/// Without a plan, the console of a plan answers nothing, as in `terraform console -plan`.
#[test]
fn the_console_of_a_plan_stops_at_errors_in_declarations() {
    let directory = tempfile::tempdir().expect("a directory");
    let module = "resource \"terraform_data\" \"a\" {}\n\
                  moved {\n  from = terraform_data.a\n  to   = terraform_data.a\n}\n";
    let state = r#"{"version": 4, "resources": []}"#;
    let plan = r#"{"format_version": "1.2", "resource_changes": []}"#;
    for (name, text) in [("main.tf", module), ("s.tfstate", state), ("plan.json", plan)] {
        fs::write(directory.path().join(name), text).expect("a file");
    }
    for arguments in [&["--state", "s.tfstate", "--planned"][..], &["--plan", "plan.json"]] {
        let (stdout, stderr, code) = console(directory.path(), arguments, "1 + 1\n");
        assert_eq!((stdout.as_str(), code), ("", Some(1)), "{arguments:?}: {stderr}");
        assert!(stderr.contains("Redundant move statement"), "{stderr}");
    }
    let (stdout, _, code) = console(directory.path(), &["--state", "s.tfstate"], "1 + 1\n");
    assert_eq!((stdout.as_str(), code), ("2\n", Some(0)));
}

/// As in Terraform, nothing is known about a resource that the state does not have. A missing instance of a recorded resource
/// has the type of the schema.
#[test]
fn a_resource_that_is_not_in_the_state_has_no_type() {
    let directory = tempfile::tempdir().expect("a directory");
    let module =
        "resource \"terraform_data\" \"new\" {}\nresource \"terraform_data\" \"gap\" {\n  count = 1\n}\n";
    let state = r#"{"version": 4, "resources": [{
        "mode": "managed", "type": "terraform_data", "name": "gap",
        "provider": "provider[\"terraform.io/builtin/terraform\"]",
        "instances": [{"index_key": 1, "attributes": {"id": "b"}}]}]}"#;
    for (name, text) in [("main.tf", module), ("s.tfstate", state)] {
        fs::write(directory.path().join(name), text).expect("a file");
    }
    let input = "type(terraform_data.new)\ntype(terraform_data.new.id)\ntype(terraform_data.gap[0].id)\n";
    let (stdout, stderr, code) = console(directory.path(), &["--state", "s.tfstate"], input);
    assert_eq!((stdout.as_str(), code), ("dynamic\ndynamic\nstring\n", Some(0)), "{stderr}");
}

/// An option without effect is an error.
#[test]
fn a_given_value_beside_a_state_needs_a_plan() {
    let directory = tempfile::tempdir().expect("a directory");
    let state =
        r#"{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "resources": []}"#;
    let module = "resource \"terraform_data\" \"a\" {}\n";
    for (name, text) in [("main.tf", module), ("s.tfstate", state)] {
        fs::write(directory.path().join(name), text).expect("a file");
    }
    let arguments = ["--set", "terraform_data.a.id=\"i\"", "--state", "s.tfstate", "--planned"];
    let (stdout, stderr, code) = console(directory.path(), &arguments, "terraform_data.a.id\n");
    assert_eq!((stdout.as_str(), code), ("\"i\"\n", Some(0)), "{stderr}");
    let (stdout, stderr, code) = console(directory.path(), &arguments[..4], "terraform_data.a.id\n");
    assert_eq!((stdout.as_str(), code), ("", Some(1)), "{stderr}");
    assert!(stderr.contains("With `--planned`"), "{stderr}");
}

#[test]
fn input_with_wrong_encoding_is_an_error_with_its_line_and_not_the_end() {
    let directory = tempfile::tempdir().expect("a directory");
    let input = b"1 + 1\r\n\"\xff\"\n3\n[4,\n\"\xe9\"\n]\n5\n";
    let (stdout, stderr, code) = console(directory.path(), &[], input);
    assert_eq!((stdout.as_str(), code), ("2\n3\n5\n", Some(1)));
    assert_eq!(stderr.matches("Invalid character encoding").count(), 2, "{stderr}");
    assert!(stderr.contains("input line 2") && stderr.contains("input line 5"), "{stderr}");
}

/// Like the test above, at a terminal.
#[cfg(target_os = "linux")]
#[test]
fn wrong_encoding_at_a_terminal_is_not_the_end() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let directory = tempfile::tempdir().expect("a directory");
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&controller).and_then(|()| unlockpt(&controller)).expect("a terminal for this user");
    let name = ptsname(&controller, Vec::new()).expect("its name").into_string().expect("UTF-8");
    let side = || fs::OpenOptions::new().read(true).write(true).open(&name).expect("the other side");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory.path()).args(["--no-color", "console"]).env("TERM", "xterm");
    let mut child = command.stdin(side()).stdout(side()).stderr(side()).spawn().expect("the command starts");
    drop(command);
    let mut keyboard = fs::File::from(controller);
    let mut screen = keyboard.try_clone().expect("a second handle");
    let (sender, shown) = mpsc::channel();
    // The thread ends when the other side closes.
    thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(length) = screen.read(&mut buffer) {
            let _ = sender.send(String::from_utf8_lossy(&buffer[..length]).into_owned());
        }
    });
    // The bytes that follow each text on the screen.
    let typed =
        [("> ", &b"\xff"[..]), ("bytes that are not UTF-8", b""), ("> ", b"40 + 2\r"), ("\n42\r", b"exit\r")];
    let mut text = String::new();
    for (wanted, bytes) in typed {
        while !text.contains(wanted) {
            let Ok(more) = shown.recv_timeout(Duration::from_secs(60)) else {
                child.kill().expect("it runs");
                panic!("{wanted} is not shown, but {text:?}");
            };
            text.push_str(&more);
        }
        text = text.split_once(wanted).map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        keyboard.write_all(bytes).expect("it is typed");
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
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
fn piped_answers_have_colours_on_request() {
    let directory = tempfile::tempdir().expect("a directory");
    let (stdout, _, code) = console(directory.path(), &["--color", "always"], "1 + 1\n");
    assert_eq!((stdout.as_str(), code), ("\u{1b}[36m2\u{1b}[0m\n", Some(0)));
}

#[test]
fn resources_are_evaluated_as_before_creation() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("main.tf"), "resource \"terraform_data\" \"x\" {}").expect("a file");
    let (stdout, _, code) =
        console(directory.path(), &[], "type(terraform_data.x.output)\nterraform_data.x.id == null\n");
    assert_eq!((stdout.as_str(), code), ("dynamic\n(known after apply)\n", Some(0)));
}

/// A console over a state only has the recorded objects, so configured attributes are recorded ones, too.
#[test]
fn answers_about_a_state_name_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let state = r#"{"version": 4, "resources": [{"mode": "managed", "type": "demo_disk", "name": "d",
        "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]", "instances": [{"attributes": {"id": "i-1", "name": "old"}}]}]}"#;
    fs::write(directory.path().join("s.tfstate"), state).expect("a file");
    fs::write(directory.path().join("main.tf"), "resource \"demo_disk\" \"d\" {\n  name = \"new\"\n}\n")
        .expect("a file");
    let requests = "{\"expr\": \"demo_disk.d.name\"}\n{\"expr\": \"upper(demo_disk.d.id)\"}\n";
    let (stdout, stderr, _) = console(directory.path(), &["--json", "--state", "s.tfstate"], requests);
    let parts = r#""value":"old","part_sources":[{"path":"","origin":"state"}],"#;
    assert!(stdout.contains(parts), "{stdout}{stderr}");
    assert!(stdout.contains(r#""value":"I-1","follows_from":["state"],"#), "{stdout}");
    let arguments = ["--json", "--state", "s.tfstate", "--planned"];
    let (stdout, _, _) = console(directory.path(), &arguments, "{\"expr\": \"demo_disk.d.name\"}\n");
    assert!(stdout.contains(r#""value":"new","console""#), "{stdout}");
}
