//! `terrane diff`: directories, git revisions, variable files, formats and exit codes.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), files);
    directory
}

fn write(directory: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
}

fn diff(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.current_dir(directory).arg("diff").args(arguments).output().expect("the command runs")
}

fn git(directory: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
    let mut command = Command::new("git");
    let output = command.current_dir(directory).args(identity).args(arguments).output().expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const OLD: &str =
    "resource \"x_y\" \"a\" {\n  size = 1\n}\noutput \"root\" {\n  value = basename(path.cwd)\n}\n";
const NEW: &str = "resource \"x_y\" \"a\" {\n  size = module.m.size\n}\nmodule \"m\" {\n  source = \"../m\"\n}\n\
                   output \"root\" {\n  value = basename(path.cwd)\n}\n";
const MODULE: &str = "output \"size\" {\n  value = file(\"${path.module}/size\")\n}\n";

#[test]
fn two_directories_differ_and_the_code_says_so() {
    let root = directory(&[("a/main.tf", OLD), ("b/main.tf", &OLD.replace("size = 1", "size = 2"))]);
    let output = diff(root.path(), &["a", "b"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = "~ x_y.a  # b/main.tf:1\n~     size = 1 -> 2\n\nOutputs:\n~ output.root  # b/main.tf:4\n\
                    ~     value = \"a\" -> \"b\"\n\nResources: 1 changed; outputs: 1 changed.\n";
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(diff(root.path(), &["a", "b", "--exit-code"]).status.code(), Some(2));
    assert_eq!(diff(root.path(), &["a", "a", "--exit-code"]).status.code(), Some(0));
    let colored = text(&diff(root.path(), &["a", "b", "--color", "always"]).stdout);
    assert!(colored.starts_with("\u{1b}[33m~ x_y.a"), "{colored}");
    let json: serde_json::Value =
        serde_json::from_slice(&diff(root.path(), &["a", "b", "--json"]).stdout).expect("JSON");
    assert_eq!(json["resources"][0]["parts"][0]["after"]["value"], 2);
    let markdown = text(&diff(root.path(), &["a", "b", "--format", "markdown"]).stdout);
    assert!(markdown.contains("```diff\n! x_y.a\n-     size = 1\n+     size = 2\n"), "{markdown}");
}

#[test]
fn revisions_are_read_without_a_checkout() {
    let root = directory(&[("infra/main.tf", OLD)]);
    git(root.path(), &["init", "-q"]);
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "-qm", "one"]);
    write(root.path(), &[("infra/main.tf", NEW), ("m/main.tf", MODULE), ("m/size", "7")]);
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "-qm", "two"]);
    write(root.path(), &[("m/size", "8")]);
    let expected = |before: &str, after: &str| {
        format!("~ x_y.a  # main.tf:1\n~     size = {before} -> {after}\n\nResources: 1 changed.\n")
    };
    let infra = root.path().join("infra");
    // `path.cwd` is the same on both sides.
    let output = diff(&infra, &["--git", "HEAD~1..HEAD"]);
    assert_eq!(text(&output.stdout), expected("1", "\"7\""), "{}", text(&output.stderr));
    let output = diff(&infra, &["--git", "HEAD", "--exit-code"]);
    assert_eq!((text(&output.stdout), output.status.code()), (expected("\"7\"", "\"8\""), Some(2)));
    let output = diff(root.path(), &["--git", "HEAD~1..HEAD", "infra"]);
    assert_eq!(text(&output.stdout), expected("1", "\"7\"").replace("main.tf", "infra/main.tf"));
    let output = diff(&infra, &["--git", "nope..HEAD"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!text(&output.stderr).is_empty());
    // A revision is no option of git.
    let output = diff(&infra, &["--git=--help..HEAD"]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), true), "{}", text(&output.stdout));
}

#[test]
fn two_variable_files_are_two_sides() {
    let module = "variable \"n\" {}\nresource \"x_y\" \"a\" {\n  count = var.n\n  i = count.index\n}\n";
    let root = directory(&[("r/main.tf", module), ("dev.tfvars", "n = 1\n"), ("prod.tfvars", "n = 2\n")]);
    let output = diff(root.path(), &["dev.tfvars", "prod.tfvars", "r"]);
    let expected = "+ x_y.a[1]  # r/main.tf:2\n+     i = 1\n\nResources: 1 added.\n";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
    for arguments in [&["r"][..], &[], &["r", "dev.tfvars", "prod.tfvars"], &["--git", "a..b", "r", "s"]] {
        assert_eq!(diff(root.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}
