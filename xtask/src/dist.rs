//! `cargo xtask dist`: a release build of the programs that is small, and without paths of the machine that builds it.
//!
//! Panics hold the paths of their source files, so a plain build holds the home directory of its user some hundred times, and
//! other bytes on each machine. This build gives the compiler names for the directories instead, and lets the linker keep only
//! one of several functions with the same instructions.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The directory of the build. It is separate from other builds, which have other flags.
const TARGET: &str = "target/dist";

/// The packages and their programs.
const PROGRAMS: [(&str, &str); 2] = [("terrane-cli", "terrane"), ("terrane-providers", "terrane-providers")];

/// The character between two flags in Cargo's variable for flags.
const SEPARATOR: &str = "\u{1f}";

/// The flags for smaller programs, if the linker that the compiler brings along understands them. Only one of several equal
/// functions is kept, as no code compares the addresses of functions. Tables for unwinding are left out, because a panic does
/// not unwind; the build script of `terrane-cli` does the same in every release build, also for the standard library.
const SMALLER: &[&str] = if cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
    &["-Clink-arg=-Wl,--icf=all", "-Cforce-unwind-tables=no"]
} else {
    &[]
};

/// Builds the programs and looks for local directories in them.
pub(crate) fn run(root: &Path) -> ExitCode {
    match build(root) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn build(root: &Path) -> Result<String, String> {
    let places = Places::of(root)?;
    let mut report = Vec::new();
    for (package, program) in PROGRAMS {
        let mut cargo = Command::new(program_of("CARGO", "cargo"));
        cargo.current_dir(root).stdin(Stdio::null());
        cargo.args(["build", "--release", "--locked", "--package", package, "--bin", program]);
        // With a target, the flags do not apply to build scripts, which unwind.
        cargo.args(["--target-dir", TARGET, "--target", &places.host]);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", places.rust_flags()).env("CFLAGS", places.c_flags());
        // Sources in C may hold the time of their compilation.
        cargo.env("SOURCE_DATE_EPOCH", "0");
        let status = cargo.status().map_err(|error| format!("cargo did not start: {error}"))?;
        if !status.success() {
            return Err(format!("the build of {program} failed"));
        }
        let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        let path = root.join(TARGET).join(&places.host).join("release").join(file);
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let found = local_paths(&bytes, &places.local());
        if !found.is_empty() {
            let paths: Vec<String> = found.into_iter().collect();
            return Err(format!("{} holds paths of this machine:\n  {}", path.display(), paths.join("\n  ")));
        }
        report.push(format!("{}: {} bytes, no path of this machine", path.display(), bytes.len()));
    }
    Ok(report.join("\n"))
}

/// Directories of this machine whose files are compiled.
struct Places {
    root: PathBuf,
    home: Option<PathBuf>,
    cargo_home: PathBuf,
    /// The source directory of each registry that packages come from.
    registries: Vec<PathBuf>,
    sysroot: PathBuf,
    /// The platform of this machine, for which the programs are built.
    host: String,
}

impl Places {
    fn of(root: &Path) -> Result<Places, String> {
        let home = std::env::home_dir();
        let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let cargo_home = cargo_home.or_else(|| home.as_ref().map(|home| home.join(".cargo")));
        let cargo_home = cargo_home.ok_or("there is no home directory")?;
        let sources = std::fs::read_dir(cargo_home.join("registry").join("src"));
        let mut registries: Vec<PathBuf> =
            sources.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        registries.sort();
        let printed = |what: &str| {
            let mut rustc = Command::new(program_of("RUSTC", "rustc"));
            let output = rustc.current_dir(root).args(["--print", what]).output();
            let output = output.map_err(|error| format!("rustc did not start: {error}"))?;
            Ok::<_, String>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let (sysroot, host) = (printed("sysroot")?.into(), printed("host-tuple")?);
        Ok(Places { root: root.to_owned(), home, cargo_home, registries, sysroot, host })
    }

    /// Returns each directory with its name in the build. If one directory is in another, the compiler uses the later one in
    /// this order.
    fn names(&self) -> Vec<(&Path, &'static str)> {
        let mut names =
            vec![(&*self.cargo_home, "/cargo"), (&*self.sysroot, "/rust"), (&*self.root, "/terrane")];
        names.extend(self.registries.iter().map(|registry| (&**registry, "/registry")));
        names
    }

    fn rust_flags(&self) -> OsString {
        let mut flags = OsString::from(SMALLER.join(SEPARATOR));
        for (directory, name) in self.names() {
            if !flags.is_empty() {
                flags.push(SEPARATOR);
            }
            flags.push("--remap-path-prefix=");
            flags.push(directory);
            flags.push("=");
            flags.push(name);
        }
        flags
    }

    /// Returns the flags for packages with sources in C.
    fn c_flags(&self) -> OsString {
        let mut flags = OsString::new();
        for (directory, name) in self.names() {
            // The variable has no way to write a path with a space in it; the search in the finished program finds such a path.
            flags.push("-ffile-prefix-map=");
            flags.push(directory);
            flags.push("=");
            flags.push(name);
            flags.push(" ");
        }
        flags
    }

    /// Returns the directories that the finished program must not contain.
    fn local(&self) -> Vec<String> {
        let all = self.names().into_iter().map(|(directory, _)| directory).chain(self.home.as_deref());
        let all: BTreeSet<String> = all.map(|directory| directory.to_string_lossy().into_owned()).collect();
        // The path of a home directory such as `/` says nothing about the machine.
        all.into_iter().filter(|directory| directory.len() > 1).collect()
    }
}

/// Returns the program that Cargo has named in a variable, or `name` on `PATH`.
fn program_of(variable: &str, name: &str) -> OsString {
    std::env::var_os(variable).unwrap_or_else(|| name.into())
}

/// Returns the printable texts of a file that begin with one of the directories.
fn local_paths(bytes: &[u8], directories: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let is_text = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    for text in bytes.chunk_by(|a, b| is_text(a) == is_text(b)) {
        let text = String::from_utf8_lossy(text);
        for directory in directories {
            if let Some((_, rest)) = text.split_once(&format!("{directory}/")) {
                found.insert(format!("{directory}/{rest}"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_paths_are_found_between_other_bytes() {
        let bytes = b"\0ELF/home/a/.cargo/b.rs\0\x01 of /home/a\0/home/abc/d.rs\0/registry/c.rs";
        let directories = ["/home/a".to_owned(), "/home/a/.cargo".to_owned()];
        let wanted = ["/home/a/.cargo/b.rs".to_owned()];
        assert_eq!(local_paths(bytes, &directories), BTreeSet::from(wanted));
        assert!(local_paths(b"/registry/c.rs", &directories).is_empty());
    }

    #[test]
    fn inner_directories_are_named_last() {
        let places = Places {
            root: "/w".into(),
            home: Some("/".into()),
            cargo_home: "/c".into(),
            registries: vec!["/c/registry/src/i-1".into()],
            sysroot: "/s".into(),
            host: "h".to_owned(),
        };
        let flags = places.rust_flags().into_string().unwrap();
        assert!(flags.contains("--remap-path-prefix=/c=/cargo\u{1f}"), "{flags}");
        assert!(flags.ends_with("\u{1f}--remap-path-prefix=/c/registry/src/i-1=/registry"), "{flags}");
        assert_eq!(places.local(), ["/c", "/c/registry/src/i-1", "/s", "/w"]);
    }
}
