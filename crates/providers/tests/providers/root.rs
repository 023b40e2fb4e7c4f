//! Root modules with installed providers, and runs of commands in them.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use terrane_providers::{package_hash, platform};

/// The address of the provider, with its registry.
pub(crate) const TREE: &str = "registry.terraform.io/acme/tree";

/// The block of a configuration that requires the provider.
pub(crate) const REQUIRED: &str =
    "terraform {\n  required_providers {\n    tree = { source = \"acme/tree\" }\n  }\n}\n";

/// The time after which a test fails because the command does not end. Runs take a few seconds.
const LONGEST: Duration = Duration::from_secs(60);

/// The end of a run of a command: exit code and output.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

/// A root module in a directory of its own.
pub(crate) struct Root {
    directory: TempDir,
}

impl Root {
    /// Returns a root module with the provider `acme/tree` 1.2.0, which has this behaviour.
    pub(crate) fn with_behaviour(name: &str) -> Root {
        let root = Root::new();
        root.install("acme/tree", &provider(name));
        root
    }

    /// Returns a root module with the provider `acme/tree` 1.2.0, whose executable is this script.
    pub(crate) fn with_script(script: &str) -> Root {
        let root = Root::new();
        root.install("acme/tree", &format!("#!/bin/sh\n{script}\n"));
        root
    }

    pub(crate) fn new() -> Root {
        let root = Root { directory: TempDir::new().expect("a temporary directory") };
        root.write(".terraform.lock.hcl", "");
        root
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// Returns the directory of the package of a provider in version 1.2.0.
    pub(crate) fn package(&self, address: &str) -> PathBuf {
        let providers = self.path().join(".terraform/providers/registry.terraform.io");
        providers.join(address).join("1.2.0").join(platform())
    }

    /// Installs a provider in version 1.2.0 and locks it.
    pub(crate) fn install(&self, address: &str, script: &str) {
        let (_, name) = address.split_once('/').expect("an address");
        let executable = self.package(address).join(format!("terraform-provider-{name}_v1.2.0"));
        fs::create_dir_all(self.package(address)).expect("a directory");
        fs::write(&executable, script).expect("a file");
        make_executable(&executable);
        self.lock(address, &package_hash(&self.package(address)).expect("a hash"));
    }

    /// Adds a provider to the lock file.
    pub(crate) fn lock(&self, address: &str, hash: &str) {
        let lock = self.read(".terraform.lock.hcl");
        let block = format!(
            "provider \"registry.terraform.io/{address}\" {{\n  version = \"1.2.0\"\n  hashes = [\"{hash}\", \"zh:00\"]\n}}\n"
        );
        self.write(".terraform.lock.hcl", &(lock + &block));
    }

    /// Runs `terrane-providers schemas` with these arguments.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane-providers"));
        command.arg("schemas").args(arguments).arg(self.path());
        self.run(&mut command)
    }

    /// Runs a command in the directory, with a variable that no provider may see.
    pub(crate) fn run(&self, command: &mut Command) -> Ended {
        self.run_with_input(command, "")
    }

    /// Runs like [`Root::run`], with a short text as standard input.
    pub(crate) fn run_with_input(&self, command: &mut Command, input: &str) -> Ended {
        let command = command.current_dir(self.path()).stdin(Stdio::piped());
        command.env("TF_TOKEN_example_com", "secret").env_remove("TF_DATA_DIR");
        command.env("TERRANE_CACHE_DIR", self.path().join("cache"));
        let start = Instant::now();
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        // A command that does not read has ended, or closed its input.
        let _ = child.stdin.take().expect("an input").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the command ends");
        let took = start.elapsed();
        assert!(took < LONGEST, "it took {took:?}");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

/// A provider that was started separately, so that Terraform can connect to it.
pub(crate) struct Server<'r> {
    root: &'r Root,
    child: Child,
    socket: String,
}

impl Server<'_> {
    pub(crate) fn start<'r>(root: &'r Root, behaviour: &str) -> Server<'r> {
        let mut command = Command::new(std::env::current_exe().expect("the path of this program"));
        command.arg(format!("provider:{behaviour}")).env("PLUGIN_UNIX_SOCKET_DIR", root.path());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the provider starts");
        let mut output = BufReader::new(child.stdout.take().expect("an output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        // The reader ends with the provider.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let socket = line.split('|').nth(3).expect("an address").to_owned();
        Server { root, child, socket }
    }

    /// Runs Terraform, which asks the provider.
    pub(crate) fn terraform(&self, program: &Path, protocol: u32, arguments: &[&str], input: &str) -> Ended {
        let reattach = json!({TREE: {
            "Protocol": "grpc", "ProtocolVersion": protocol, "Pid": self.child.id(), "Test": true,
            "Addr": {"Network": "unix", "String": self.socket}
        }});
        let mut command = Command::new(program);
        command.args(arguments).env("TF_REATTACH_PROVIDERS", reattach.to_string());
        command.env_remove("TF_CLI_CONFIG_FILE").env("CHECKPOINT_DISABLE", "1");
        self.root.run_with_input(&mut command, input)
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.child.kill().and_then(|()| self.child.wait()).expect("the provider ends");
    }
}

/// Makes a file executable.
pub(crate) fn make_executable(file: &Path) {
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("a mode");
}

/// Returns the script that starts this program as a provider.
pub(crate) fn provider(name: &str) -> String {
    let program = std::env::current_exe().expect("the path of this program");
    format!("#!/bin/sh\nexec '{}' 'provider:{name}'\n", program.display())
}
