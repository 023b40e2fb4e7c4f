//! The formats of `terrane check` for continuous integration.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns standard output and the exit code.
fn check(directory: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    let output =
        command.current_dir(directory).arg("check").args(arguments).output().expect("the command runs");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code())
}

#[test]
fn every_format_has_a_report_without_errors() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("a.tf.json"), "{}\n").expect("a file");
    let report = |format| check(directory.path(), &["--format", format]);
    assert_eq!(report("github"), (String::new(), Some(0)));
    let (sarif, code) = report("sarif");
    assert!(sarif.contains("\"results\": []") && code == Some(0), "{sarif}");
    let (junit, code) = report("junit");
    assert!(junit.contains("name=\"a.tf.json\" file=\"a.tf.json\"/>") && code == Some(0), "{junit}");
}

#[test]
fn unreadable_files_are_in_every_report() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (format, expected) in [
        ("github", "::error title=Failed to read file"),
        ("sarif", "\"executionSuccessful\": false"),
        ("junit", "<failure message=\"Failed to read file\""),
    ] {
        let (report, code) = check(directory.path(), &["no.tf", "--format", format]);
        assert!(report.contains(expected) && code == Some(2), "{format}: {report}");
    }
}

#[test]
fn annotations_name_files_from_the_root_of_the_repository() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let root = directory.path().join("envs/prod");
    let module = directory.path().join("modules/m");
    for path in [&root, &module, &directory.path().join(".git")] {
        fs::create_dir_all(path).expect("a directory");
    }
    fs::write(root.join("main.tf"), "module \"m\" {\n  source = \"../../modules/m\"\n}\n").expect("a file");
    fs::write(module.join("main.tf"), "output \"x\" { value = upper() }\n").expect("a file");
    let (checked, _) = check(&root, &["--format", "github"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent").current_dir(&root);
    let evaluated = command.args(["eval", "--format", "github"]).output().expect("the command runs");
    for report in [checked, String::from_utf8(evaluated.stdout).expect("UTF-8")] {
        assert!(report.starts_with("::error file=modules/m/main.tf,line=1,"), "{report}");
    }
}

#[test]
fn a_report_from_outside_of_the_repository_names_files_from_its_root() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for path in ["one/.git", "one/net", "two/.git", "two/net"] {
        fs::create_dir_all(directory.path().join(path)).expect("a directory");
    }
    for repository in ["one", "two"] {
        let file = directory.path().join(repository).join("net/a.tf");
        fs::write(file, "output \"x\" { value = upper() }\n").expect("a file");
    }
    let names = |command: &[&str], expected: &[&str]| {
        for (format, before) in [("sarif", "\"uri\": \""), ("github", "file="), ("junit", " file=\"")] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_terrane"));
            program.env("TERRANE_CACHE_DIR", "/nonexistent").current_dir(directory.path());
            let output = program.args(command).args(["--format", format]).output().expect("the command runs");
            let report = String::from_utf8(output.stdout).expect("UTF-8");
            for name in expected {
                assert!(report.contains(&format!("{before}{name}")), "{command:?} {name} {format}: {report}");
            }
        }
    };
    names(&["check", "one/net"], &["net/a.tf"]);
    names(&["check", "one/net/a.tf"], &["net/a.tf"]);
    names(&["eval", "one/net"], &["net/a.tf"]);
    names(&["eval", "-recursive", "--all", "one"], &["net/a.tf"]);
    // Two repositories have one root only in the working directory.
    names(&["check", "one/net", "two/net"], &["one/net/a.tf", "two/net/a.tf"]);
}
