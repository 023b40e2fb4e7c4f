//! `terrane functions` and `--sandbox` as a user meets them.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Returns the exit code, standard output and standard error of the command.
fn run(directory: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.current_dir(directory).args(arguments).env("HOME", "/home/ada");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // A command with wrong arguments ends without reading.
    if let Err(error) = child.stdin.take().expect("its input").write_all(input.as_bytes()) {
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    }
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn functions(arguments: &[&str]) -> (Option<i32>, String, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let all: Vec<&str> = ["functions"].iter().chain(arguments).copied().collect();
    run(directory.path(), &all, "")
}

#[test]
fn a_page_has_signature_and_description() {
    let (code, page, _) = functions(&["parseint"]);
    assert_eq!(code, Some(0));
    assert!(page.starts_with("parseint(number any, base number) any\n"), "{page}");
    assert!(page.contains("\nSince Terraform 0.12, OpenTofu 1.6, Packer 1.5.\n"), "{page}");
    assert!(page.contains("\n  parseint(\"ff\", 16)\n  => 255\n"), "{page}");
}

#[test]
fn a_dialect_has_its_own_functions() {
    let names = |dialect| {
        let (_, table, _) = functions(&["--dialect", dialect]);
        table.lines().filter_map(|line| line.split(' ').next().map(str::to_owned)).collect::<Vec<_>>()
    };
    let has = |dialect, name: &str| names(dialect).iter().any(|found| found == name);
    assert!(has("packer", "regex_replace") && !has("packer", "tolist"));
    assert!(has("terraform", "tolist") && !has("terraform", "cidrcontains"));
    assert!(has("opentofu-1.7", "cidrcontains") && !has("opentofu-1.6", "cidrcontains"));
    assert!(has("modules", "convert") && !has("modules", "vault"));
    let (code, _, message) = functions(&["cidrcontains", "--dialect", "terraform"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("it was added in OpenTofu 1.7"), "{message}");
    assert_eq!(functions(&["--dialect", "pulumi"]).0, Some(2));
}

#[test]
fn a_named_function_has_a_signature_even_if_the_list_omits_it() {
    let (_, all, _) = functions(&["--json"]);
    for name in ["type", "provider::terraform::encode_tfvars"] {
        let (code, signature, _) = functions(&[name, "--json"]);
        let key = format!("\"{name}\":{{\"description\"");
        assert!(code == Some(0) && signature.contains(&key), "{signature}");
        assert!(!all.contains(&key), "{name} is listed");
    }
}

#[test]
fn an_unknown_name_has_a_suggestion() {
    let (code, output, message) = functions(&["lenght"]);
    assert_eq!((code, output.as_str()), (Some(1), ""));
    assert!(message.contains("did you mean length?"), "{message}");
    let (code, _, message) = functions(&["provider::aws::arn_parse"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("is a function of a provider"), "{message}");
}

#[test]
fn json_has_the_signatures() {
    let (_, json, _) = functions(&["--json", "chomp"]);
    assert!(json.starts_with("{\"format_version\":\"1.0\",\"function_signatures\":{\"chomp\":{"), "{json}");
    assert!(json.contains("\"parameters\":[{\"name\":\"str\",\"type\":\"string\"}]"), "{json}");
    let (_, all, _) = functions(&["--json"]);
    assert_eq!(all.matches("\"lookup\":{").count(), 1);
}

/// Returns a directory `in` with a module, beside a file that the module may not read.
fn beside_a_secret(module: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::create_dir(directory.path().join("in")).expect("a directory");
    for (name, content) in [("secret", "hidden"), ("in/hello", "Hello"), ("in/main.tf", module)] {
        fs::write(directory.path().join(name), content).expect("a file");
    }
    directory
}

#[test]
fn a_sandbox_confines_reading() {
    let directory = beside_a_secret("output \"a\" { value = file(\"hello\") }\n");
    let console = |expression: &str| run(directory.path(), &["console", "in", "--sandbox", "in"], expression);
    assert_eq!(console("file(\"hello\")").1, "\"Hello\"\n");
    for call in [
        "file(\"../secret\")",
        "file(\"./../in/../secret\")",
        "fileset(\"..\", \"*\")",
        "templatefile(\"../secret\", {})",
    ] {
        let (code, output, message) = console(call);
        assert_eq!((code, output.as_str()), (Some(1), ""), "{call}");
        assert!(message.contains("outside of the directory that may be read"), "{call}: {message}");
    }
    let eval = |sandbox| run(directory.path(), &["eval", "in", "output.a", "--sandbox", sandbox], "");
    assert_eq!(eval("in").1, "output.a = \"Hello\"\n");
    assert_eq!(eval("none").0, Some(2));
    assert_eq!(eval("secret").0, Some(2));
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_a_sandbox() {
    let directory = beside_a_secret("module \"m\" { source = \"./out\" }\n");
    std::os::unix::fs::symlink("../secret", directory.path().join("in/link")).expect("a link");
    std::os::unix::fs::symlink("..", directory.path().join("in/out")).expect("a link");
    let (code, _, message) = run(directory.path(), &["eval", "in", "--sandbox", "in"], "");
    assert_eq!(code, Some(1));
    assert!(message.contains("outside of the directory"), "{message}");
    fs::write(directory.path().join("in/main.tf"), "locals { a = 1 }\n").expect("a file");
    let (_, output, message) = run(directory.path(), &["console", "in", "--sandbox", "in"], "file(\"link\")");
    assert_eq!(output, "");
    assert!(message.contains("outside of the directory"), "{message}");
    let console = |call: &str| run(directory.path(), &["console", "in", "--sandbox", "in"], call);
    // Entries that the pattern does not visit have no effect.
    assert_eq!(console("fileset(\".\", \"*.tf\")").1, "toset([\n  \"main.tf\",\n])\n");
    for pattern in ["link", "out/*", "out/secret", "**", "*", "*/*", "*/secret"] {
        let message = console(&format!("fileset(\".\", \"{pattern}\")")).2;
        assert!(message.contains("outside of the directory"), "{pattern}: {message}");
    }
}

/// Links to a file and to nothing, relative and absolute, and through a directory.
#[cfg(unix)]
#[test]
fn what_is_outside_of_a_sandbox_cannot_be_told_from_nothing() {
    let module = "locals {\n  a = 1\n}\n";
    let directory = beside_a_secret(module);
    let absolute = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    for [there, missing] in [
        ["../secret".to_owned(), "../none".to_owned()],
        [absolute("secret"), absolute("none")],
        ["../in/../secret".to_owned(), "../none/../none".to_owned()],
    ] {
        let link = directory.path().join("in/link");
        let answers = [there, missing].map(|target| {
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(target, &link).expect("a link");
            let calls = [
                "fileexists(\"link\")",
                "file(\"link\")",
                "filemd5(\"link\")",
                "filebase64(\"link\")",
                "templatefile(\"link\", {})",
                "fileset(\".\", \"*\")",
                "fileset(\".\", \"link\")",
                "fileset(\".\", \"*/x\")",
                "fileset(\".\", \"**/x\")",
                "fileset(\"link\", \"*\")",
            ];
            let console = |call: &str| run(directory.path(), &["console", "in", "--sandbox", "in"], call);
            let answers = calls.map(console);
            for ((code, _, message), call) in answers.iter().zip(calls) {
                assert_eq!(*code, Some(1), "{call}");
                assert!(message.contains("outside of the directory"), "{call}: {message}");
            }
            fs::write(directory.path().join("in/main.tf"), "module \"m\" {\n  source = \"./link\"\n}\n")
                .expect("a file");
            let module_call = run(directory.path(), &["eval", "in", "--sandbox", "in"], "");
            assert!(module_call.2.contains("outside of the directory"), "{}", module_call.2);
            fs::write(directory.path().join("in/main.tf"), module).expect("a file");
            let options = ["--schemas", "--scope"]
                .map(|option| run(directory.path(), &["console", option, "in/link", "--sandbox", "in"], "1"));
            for (code, _, message) in &options {
                assert_ne!(*code, Some(0));
                assert!(message.contains("outside of the directory"), "{message}");
            }
            (answers, module_call, options)
        });
        assert_eq!(answers[0], answers[1]);
    }
}

#[test]
fn files_of_options_are_read_through_the_sandbox() {
    let directory = beside_a_secret("locals {\n  a = 1\n}\n");
    for (name, content) in [
        ("in/scope.json", "{\"vars\": {\"a\": {\"type\": \"number\", \"value\": 2}}}"),
        ("in/schemas.json", "{\"format_version\": \"1.0\"}"),
    ] {
        fs::write(directory.path().join(name), content).expect("a file");
        fs::copy(directory.path().join(name), directory.path().join(&name[3..])).expect("a file");
    }
    let with_scope: &[&str] = &["--scope"];
    for (options, name, expression) in
        [(with_scope, "scope.json", "var.a"), (&["in", "--schemas"], "schemas.json", "1 + 1")]
    {
        let console = |path: &str| {
            let command = [&["console", "--sandbox", "in"], options, &[path]].concat();
            run(directory.path(), &command, expression)
        };
        assert_eq!(console(&format!("in/{name}")).1, "2\n");
        let (code, output, message) = console(name);
        assert_ne!(code, Some(0));
        assert_eq!(output, "");
        assert!(message.contains("outside of the directory that may be read"), "{message}");
    }
}

#[test]
fn the_console_knows_the_time_and_the_home_directory() {
    let directory = beside_a_secret("locals { now = timestamp() }\n");
    let console = |expression: &str| run(directory.path(), &["console", "in"], expression).1;
    assert_eq!(console("pathexpand(\"~/x\")"), "\"/home/ada/x\"\n");
    assert_eq!(console("timecmp(timestamp(), \"2020-01-01T00:00:00Z\")"), "1\n");
    assert_eq!(console("uuid() == uuid()"), "false\n");
    assert_eq!(console("substr(bcrypt(\"a\", 4), 0, 7)"), "\"$2a$04$\"\n");
    assert_eq!(console("local.now"), "(known after apply)\n");
}
