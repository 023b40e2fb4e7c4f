//! Executables that do not behave like providers. Each must be a clear error in bounded time, and leave no process behind.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::root::Root;
use crate::schemas::passed;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("a_provider_that_is_silent", || passed(silent)),
        Trial::test("a_provider_that_takes_a_call_and_is_silent", || passed(hanging)),
        Trial::test("a_provider_that_is_killed_on_a_signal", || passed(signal)),
        Trial::test("a_provider_whose_asker_has_ended", || passed(input_ends)),
        Trial::test("a_provider_that_takes_much_memory", || passed(memory)),
        Trial::test("providers_with_other_output", || passed(output)),
        Trial::test("providers_with_broken_answers", || passed(answers)),
        Trial::test("packages_with_another_hash", || passed(hashes)),
        Trial::test("packages_that_are_not_installed", || passed(missing)),
    ]
}

/// Waits until the processes whose ids are in a file of the root module have ended.
fn assert_ended(root: &Root, file: &str) {
    let ids = root.read(file);
    assert!(!ids.trim().is_empty(), "the script has started");
    let end = Instant::now() + Duration::from_secs(5);
    for id in ids.split_whitespace() {
        let is_running = || {
            let status = fs::read_to_string(Path::new("/proc").join(id).join("status")).unwrap_or_default();
            // A zombie waits for the process that reaps orphans.
            !status.is_empty() && !status.contains("State:\tZ")
        };
        while is_running() {
            assert!(Instant::now() < end, "process {id} is still there");
            sleep(Duration::from_millis(10));
        }
    }
}

/// Installs a script that starts another process and never prints a line.
fn sleeper(root: &Root) {
    let pids = root.path().join("pids");
    let script = format!("#!/bin/sh\nsleep 1000 &\necho $$ $! > '{}'\nwait\n", pids.display());
    root.install("acme/tree", &script);
}

fn silent() {
    let root = Root::new();
    sleeper(&root);
    let ended = root.ask(&["--timeout", "1"]);
    assert_eq!(ended.code, Some(1));
    let wanted = "error: acme/tree 1.2.0: the provider did not answer within 1.0 s\nhelp: `--timeout` gives it more time\n";
    assert_eq!(ended.err, wanted);
    assert_ended(&root, "pids");
}

fn hanging() {
    let ended = Root::with_behaviour("hangs").ask(&["--timeout", "1.5"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("the provider did not answer within 1.5 s"), "{}", ended.err);
}

fn signal() {
    stopped(|child| {
        let killed = Command::new("kill").arg(child.id().to_string()).status().expect("a signal");
        assert!(killed.success());
    });
}

fn input_ends() {
    stopped(|child| drop(child.stdin.take()));
}

/// Starts the command, and stops it while it waits for a provider.
fn stopped(stop: impl FnOnce(&mut Child)) {
    let root = Root::new();
    sleeper(&root);
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane-providers"));
    command.args(["schemas", "--end-with-input"]).arg(root.path()).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    let end = Instant::now() + Duration::from_secs(20);
    while root.read("pids").trim().is_empty() {
        assert!(Instant::now() < end, "the script has not started");
        sleep(Duration::from_millis(10));
    }
    stop(&mut child);
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    assert_ended(&root, "pids");
}

fn memory() {
    let root = Root::with_behaviour("memory");
    let ended = root.ask(&["--max-memory", "500000000"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("the provider ended by signal 6 before it said where"), "{}", ended.err);
    assert!(ended.err.contains("memory allocation of 2147483648 bytes failed"), "{}", ended.err);
}

fn output() {
    for (script, message) in [
        ("exit 3", "the provider ended with exit code 3 before it said where it listens"),
        ("kill -9 $$", "the provider ended by signal 9 before it said where it listens"),
        ("exec >&-; sleep 1000", "the provider ended before it said where it listens"),
        ("echo; sleep 1000", "the executable printed \"\" where a provider says where it listens"),
        (r"printf '\033[2Jhello\n'; sleep 1000", r#"the executable printed "␛[2Jhello" where"#),
        ("yes | tr -d '\\n'", "the first line of the provider has no end: \"yyyy"),
        (r"printf '\376\377\001\200|\377\n'; sleep 1000", "where a provider says where it listens"),
        ("echo '1|6|unix|/nonexistent/socket|grpc'; sleep 1000", "the provider cannot be reached"),
        ("echo '1|6|tcp|127.0.0.1:1|grpc'; sleep 1000", "the provider cannot be reached"),
        ("echo '1|4|tcp|127.0.0.1:1|grpc'; sleep 1000", "the protocol version \"4\""),
        ("exec /nonexistent", "the provider ended with exit code 127 before"),
    ] {
        let ended = Root::with_script(script).ask(&["--timeout", "20"]);
        assert_eq!(ended.code, Some(1), "{script}");
        assert!(ended.err.contains(message), "{script}: {}", ended.err);
        assert!(!ended.err.contains('\u{1b}'), "{script}");
    }
    let root = Root::new();
    root.install("acme/tree", "\u{0}");
    let ended = root.ask(&[]);
    assert!(ended.err.contains("terraform-provider-tree_v1.2.0 cannot be started: "), "{}", ended.err);
}

fn answers() {
    for (behaviour, message) in [
        ("huge", "the provider did not answer the call GetProviderSchema: its answer has more than 64 MiB"),
        ("error", r#"the provider reports the error "No ␛[31mtrees: None grow.""#),
        ("broken-type", "resource tree_oak: attribute age: the type \"[\"list\"\" is not JSON"),
        ("broken-nesting", "resource tree_oak: block leaf: the protocol has no nesting mode 9"),
    ] {
        let ended = Root::with_behaviour(behaviour).ask(&[]);
        assert_eq!(ended.code, Some(1), "{behaviour}");
        assert!(ended.err.contains(message), "{behaviour}: {}", ended.err);
        assert!(ended.err.ends_with("\n  serving\n"), "{behaviour}: {}", ended.err);
    }
    // Another program listens there, such as a web server.
    let script = "echo '1|6|unix|'$PLUGIN_UNIX_SOCKET_DIR'/s|grpc'; sleep 1000";
    assert_eq!(Root::with_script(script).ask(&[]).code, Some(1));
}

fn hashes() {
    let marker = "touch \"$0.ran\"; exit 0";
    let root = Root::with_script(marker);
    root.write(".terraform.lock.hcl", "");
    root.lock("acme/tree", "h1:AAAA=");
    let ended = root.ask(&[]);
    assert_eq!(ended.code, Some(1));
    let start = "error: acme/tree 1.2.0: the package is not the one in the lock file, so its executable is not started: ";
    assert!(ended.err.starts_with(start), "{}", ended.err);
    assert!(
        ended.err.contains(" has the hash h1:") && ended.err.contains("but the lock file has h1:AAAA=\n"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("help: remove the package and run `terraform init`"), "{}", ended.err);

    root.write(".terraform.lock.hcl", "");
    root.lock("acme/tree", "zh:11");
    let ended = root.ask(&[]);
    assert!(ended.err.contains("the lock file has no hash h1 of the provider"), "{}", ended.err);
    assert!(ended.err.contains("help: `terraform providers lock -platform="), "{}", ended.err);

    // A file beside the executable counts, too.
    let root = Root::with_behaviour("v6");
    fs::write(root.package("acme/tree").join("more"), "").expect("a file");
    assert!(root.ask(&[]).err.contains("the package is not the one in the lock file"));
    assert!(!root.package("acme/tree").join("terraform-provider-tree_v1.2.0.ran").exists());
}

fn missing() {
    let root = Root::new();
    root.lock("acme/tree", "h1:AAAA=");
    let ended = root.ask(&[]);
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.err.contains("acme/tree 1.2.0: the provider is not installed: there is no directory "),
        "{}",
        ended.err
    );
    fs::create_dir_all(root.package("acme/tree")).expect("a directory");
    assert!(root.ask(&[]).err.contains(" has no file terraform-provider-tree\n"));
    fs::remove_file(root.path().join(".terraform.lock.hcl")).expect("a lock file");
    let ended = root.ask(&[]);
    assert!(
        ended.err.contains("has no lock file .terraform.lock.hcl\nhelp: run `terraform init`"),
        "{}",
        ended.err
    );
    let root = Root::new();
    root.write(".terraform.lock.hcl", "provider \"../a/b\" {\n  version = \"1.2.0\"\n}\n");
    assert!(root.ask(&[]).err.contains("\"../a/b\" in the lock file is not the address of a provider"));
}
