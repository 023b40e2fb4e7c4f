//! Root modules that a symbolic link leads to: `..` is the directory above the target of the link, as if the command ran there.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Returns a repository with a root module, and links to it and to the directory above it.
fn linked() -> TempDir {
    let directory = directory::directory(&[
        (
            "repo/live/eu/main.tf",
            r#"module "a" { source = "../../mods/a" }
output "paths" { value = [path.module, module.a.paths] }
output "files" { value = [file("../x.txt"), fileset("..", "*.txt"), templatefile("../x.txt", {})] }
"#,
        ),
        ("repo/live/x.txt", "x"),
        ("repo/mods/y.txt", "y"),
        (
            "repo/mods/a/main.tf",
            r#"module "b" { source = "../b" }
output "paths" { value = [path.module, path.root, module.b.path, file("${path.module}/../y.txt")] }
"#,
        ),
        ("repo/mods/b/main.tf", "output \"path\" { value = path.module }\n"),
    ]);
    symlink("repo/live", directory.path().join("above")).expect("a link");
    symlink("repo/live/eu", directory.path().join("root")).expect("a link");
    directory
}

/// Returns the exit code and everything that the command prints, apart from its summary.
fn terrane(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent").current_dir(directory).args(arguments);
    let output = command.output().expect("the command runs");
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).expect("UTF-8");
    let lines = printed.lines().filter(|line| !line.starts_with("evaluated "));
    (output.status.code(), lines.map(|line| format!("{line}\n")).collect())
}

#[test]
fn a_root_behind_a_link_has_the_values_of_its_target() {
    let directory = linked();
    let absolute = directory.path().join("above/eu").display().to_string();
    let there = terrane(directory.path(), &["-chdir=root", "eval"]);
    assert_eq!(there.0, Some(0), "{}", there.1);
    assert!(there.1.contains("\"../../mods/b\", \"y\""), "{}", there.1);
    for root in ["repo/live/eu", "above/eu", "root", "above/eu/../eu", "root/../eu", &absolute] {
        assert_eq!(terrane(directory.path(), &["eval", root]), there, "{root}");
        assert_eq!(terrane(directory.path(), &["eval", "--sandbox", ".", root]), there, "{root}");
    }
    assert_eq!(terrane(directory.path(), &["eval", "--sandbox", "repo", "root"]), there);
    for arguments in
        [&["check", "above/eu"][..], &["check", "root/main.tf"], &["plan", "root"], &["graph", "above/eu"]]
    {
        let (code, printed) = terrane(directory.path(), arguments);
        assert_eq!(code, Some(0), "{printed}");
    }
}

#[test]
fn messages_about_a_root_behind_a_link_name_files_as_given_or_as_they_are() {
    let directory = linked();
    let write = |path: &str, text: &str| {
        std::fs::write(directory.path().join(path), text).expect("a written file");
    };
    write(
        "repo/live/eu/main.tf",
        "module \"a\" { source = \"../../mods/a\" }\nmodule \"b\" { source = \"../none\" }\n",
    );
    write("repo/mods/a/main.tf", "output \"a\" { value = var.none }\n");
    let (code, printed) = terrane(directory.path(), &["check", "--format", "compact", "above/eu"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("above/eu/main.tf:2:23"), "{printed}");
    assert!(printed.contains("no file or directory at repo/live/none"), "{printed}");
    assert!(printed.contains("repo/mods/a/main.tf:1:22"), "{printed}");
}

#[test]
fn a_file_whose_path_has_parents_is_checked_once() {
    let directory = directory::directory(&[("a/b/x.tf", ""), ("m/main.tf", "locals {\n  a = (\n}\n")]);
    symlink("a/b", directory.path().join("link")).expect("a link");
    for (path, shown) in [
        ("a/../m", "m/main.tf:3:1"),
        ("a/../m/main.tf", "m/main.tf:3:1"),
        ("link/../../m", "m/main.tf:3:1"),
        ("link/../../m/main.tf", "m/main.tf:3:1"),
    ] {
        let (code, printed) = terrane(directory.path(), &["check", "--format", "compact", path]);
        assert_eq!(code, Some(1), "{printed}");
        assert!(printed.starts_with(shown), "{path}: {printed}");
        assert!(printed.ends_with("1 file checked: 1 error in 1 file\n"), "{path}: {printed}");
    }
}

#[test]
fn a_sandbox_around_a_linked_root_keeps_everything_else_out() {
    let directory = linked();
    for sandbox in ["root", "repo/live/eu"] {
        let arguments = ["eval", "--keep-going", "--sandbox", sandbox, "root"];
        let (code, printed) = terrane(directory.path(), &arguments);
        assert_eq!(code, Some(1), "{printed}");
        assert!(
            printed.contains("the path repo/mods/a is outside of the directory that may be read"),
            "{printed}"
        );
        assert!(printed.contains("\"../x.txt\" is outside of the directory that may be read"), "{printed}");
    }
}
