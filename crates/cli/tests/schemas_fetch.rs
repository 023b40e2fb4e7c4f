//! `terrane schemas fetch` with scripts in place of the program `terrane-providers`, whose own tests start real providers.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const LOCK: &str = "provider \"registry.terraform.io/acme/tree\" {\n  version = \"1.2.0\"\n}\n\
                    provider \"registry.opentofu.org/acme/bush\" {\n  version = \"2.0.0\"\n}\n";

/// Prints the document of one provider.
const ANSWER: &str = r#"echo '{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/tree": {
  "resource_schemas": {"tree_oak": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}}}}}}}}'"#;

/// Returns a root module, and a folder with a script in place of `terrane-providers`.
fn root(script: &str) -> TempDir {
    let directory = TempDir::new().expect("a temporary directory");
    fs::create_dir(directory.path().join("bin")).expect("a directory");
    let program = directory.path().join("bin/terrane-providers");
    fs::write(
        &program,
        format!("#!/bin/sh\necho \"$@\" >> '{}/asked'\n{script}\n", directory.path().display()),
    )
    .expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
    fs::write(directory.path().join(".terraform.lock.hcl"), LOCK).expect("a file");
    // The command has no other program beside it.
    fs::hard_link(env!("CARGO_BIN_EXE_terrane"), directory.path().join("bin/terrane"))
        .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_terrane"), directory.path().join("bin/terrane")).map(drop))
        .expect("a copy of the command");
    directory
}

/// Runs `terrane schemas` and returns the exit code and standard error.
fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(directory.join("bin/terrane"));
    command.arg("schemas").args(arguments).current_dir(directory).stdin(Stdio::null());
    command.env("TERRANE_CACHE_DIR", directory.join("cache")).env("PATH", "/usr/bin:/bin");
    let output = command.output().expect("the command runs");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn asked(directory: &Path) -> String {
    fs::read_to_string(directory.join("asked")).unwrap_or_default()
}

#[test]
fn schemas_are_stored_and_not_asked_for_twice() {
    let directory = root(ANSWER);
    let path = directory.path();
    let (code, err) = run(path, &["fetch", "--provider", "acme/tree"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.starts_with("stored acme/tree 1.2.0: 1 resource type, "), "{err}");
    assert_eq!(asked(path), "schemas --provider acme/tree --end-with-input -- .\n");

    let (code, err) = run(path, &["fetch", "--provider", "acme/tree"]);
    assert_eq!(code, Some(0));
    assert_eq!(err, "acme/tree 1.2.0 is stored already; --again asks the provider again\n");
    let (code, err) = run(path, &["fetch", "--timeout", "2s", "--provider-memory", "64MiB"]);
    assert_eq!(code, Some(0), "{err}");
    let (code, _) = run(path, &["fetch", "--again", "."]);
    assert_eq!(code, Some(0));
    assert_eq!(
        asked(path),
        "schemas --provider acme/tree --end-with-input -- .\n\
         schemas --provider acme/bush --timeout 2 --max-memory 67108864 --end-with-input -- .\n\
         schemas --provider acme/tree --provider acme/bush --end-with-input -- .\n"
    );
}

#[test]
fn the_schemas_of_other_providers_are_stored_beside_an_error() {
    let directory = root(&format!("echo 'error: acme/bush 2.0.0: it burns' >&2\n{ANSWER}\nexit 1"));
    let (code, err) = run(directory.path(), &["fetch"]);
    assert_eq!(code, Some(1));
    assert!(err.starts_with("error: acme/bush 2.0.0: it burns\nstored acme/tree 1.2.0: "), "{err}");
}

#[test]
fn a_program_that_fails_is_an_error() {
    for (script, message) in [
        ("exit 0", "error: terrane-providers ended without an answer: exit status: 0"),
        ("exit 2", "error: terrane-providers ended without an answer: exit status: 2"),
        ("kill -9 $$", "error: terrane-providers ended without an answer: signal: 9"),
        ("echo '{'", "error: terrane-providers: "),
        ("printf '\\377'", "error: terrane-providers is not UTF-8 text"),
    ] {
        let directory = root(script);
        let (code, err) = run(directory.path(), &["fetch"]);
        assert_eq!(code, Some(1), "{script}");
        assert!(err.starts_with(message), "{script}: {err}");
    }
}

#[test]
fn a_missing_program_and_a_missing_lock_file_are_errors_with_advice() {
    let directory = root(ANSWER);
    let path = directory.path();
    fs::remove_file(path.join("bin/terrane-providers")).expect("the program");
    let (code, err) = run(path, &["fetch"]);
    assert_eq!(code, Some(1));
    let wanted = "error: terrane-providers is not installed: it is neither beside `terrane` nor on PATH\n\
                  help: `cargo install --locked --path crates/providers` in a checkout of Terrane installs it; or import the output of \
                  `terraform providers schema -json`\n";
    assert_eq!(err, wanted);

    let (code, err) = run(path, &["fetch", "--provider", "acme/grass"]);
    assert_eq!((code, err.as_str()), (Some(1), "error: acme/grass is not in the lock file of .\n"));
    let (code, err) = run(path, &["fetch", "bin"]);
    assert_eq!(code, Some(1));
    assert!(
        err.starts_with("error: bin has no lock file .terraform.lock.hcl\nhelp: run `terraform init`"),
        "{err}"
    );

    fs::write(path.join(".terraform.lock.hcl"), "# no provider\n").expect("a lock file");
    let (code, err) = run(path, &["fetch"]);
    assert_eq!(code, Some(1));
    let wanted = "error: the lock file ./.terraform.lock.hcl has no provider\n\
                  help: `terraform init` or `tofu init` writes the providers that the module requires into it\n";
    assert_eq!(err, wanted);
}
