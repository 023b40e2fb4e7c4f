//! Tests that no command leaves out a variable file because it is a link out of the sandbox.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use self::directory::directory;

/// Returns the sentence about a path outside of the sandbox in the output of a command, which must fail.
fn failure(root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command
        .current_dir(root)
        .args(arguments)
        .args(["--sandbox", "."])
        .env("TERRANE_CACHE_DIR", "/nonexistent");
    let output = command.output().expect("the command runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat();
    let sentence = text.lines().find(|line| line.contains("is outside of the directory that may be read"));
    assert!(!output.status.success() && sentence.is_some(), "{arguments:?}: {text}");
    sentence.unwrap_or_default().to_owned()
}

#[test]
fn a_variable_file_that_is_a_link_out_of_the_sandbox_is_an_error() {
    let main = "variable \"a\" {\n  default = 1\n}\noutput \"o\" {\n  value = var.a\n}\n";
    let files = [
        ("in/main.tf", main),
        ("in/packer/main.pkr.hcl", "variable \"a\" {\n  default = 1\n}\n"),
        ("x", "a = 2\n"),
    ];
    for name in ["terraform.tfvars", "terraform.tfvars.json", "x.auto.tfvars"] {
        let commands: [&[&str]; 5] =
            [&["check", "."], &["eval", "."], &["plan", "."], &["graph", "."], &["explain", "output.o"]];
        for command in commands {
            // The answer does not tell whether there is a target.
            let answers = ["../x", "../nothing"].map(|target| {
                let root = directory(&files);
                symlink(target, root.path().join("in").join(name)).expect("a link");
                failure(&root.path().join("in"), command)
            });
            assert_eq!(answers[0], answers[1], "{command:?}");
        }
    }
    for command in ["check", "eval", "graph"] {
        let answers = ["../../x", "../../nothing"].map(|target| {
            let root = directory(&files);
            symlink(target, root.path().join("in/packer/x.auto.pkrvars.hcl")).expect("a link");
            failure(&root.path().join("in"), &[command, "packer"])
        });
        assert_eq!(answers[0], answers[1], "{command}");
    }
}
