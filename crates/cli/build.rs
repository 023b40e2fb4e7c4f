//! Leaves the tables for unwinding out of release builds, 7 % of the program.
//!
//! A panic of a release build ends the program at once, so nothing reads these tables. Cargo has no setting for them, and the
//! compiler's own flag would apply to tests and build scripts, too, which unwind.

#![expect(
    clippy::disallowed_methods,
    reason = "Cargo gives its settings to build scripts in the environment"
)]

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Parts of flags that choose another linker. Some, such as `mold`, read no linker scripts.
const LINKER_FLAGS: [&str; 2] = ["linker", "fuse-ld"];

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "cargo::rerun-if-changed=no_unwind_tables.ld")?;
    if leaves_tables_out() {
        // Cargo corrects paths below this directory if the checkout is moved with its builds.
        let script = Path::new(&variable("OUT_DIR")).join("no_unwind_tables.ld");
        fs::copy("no_unwind_tables.ld", &script)?;
        writeln!(out, "cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr")?;
        writeln!(out, "cargo::rustc-link-arg-bins=-Wl,-T,{}", script.display())?;
    }
    Ok(())
}

/// Whether this is a build for users, without information for debuggers, and the linker is the usual one of Linux.
fn leaves_tables_out() -> bool {
    let is_for_users = variable("PROFILE") == "release" && variable("DEBUG") == "false";
    let is_linux = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let has_usual_linker =
        env::var_os("RUSTC_LINKER").is_none() && !LINKER_FLAGS.iter().any(|part| flags.contains(part));
    is_for_users && is_linux && has_usual_linker
}

/// Returns a variable that Cargo sets for build scripts.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
