//! Options of the linker.

#![expect(clippy::disallowed_methods, reason = "Cargo tells a build script everything in the environment")]

use std::env;
use std::io::{self, Write as _};

/// A panic ends the released command, so nothing looks up how to unwind its stack. The index for that takes 100 KB. Debuggers
/// need only the table itself, which stays.
fn main() -> io::Result<()> {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let mut cargo = io::stdout();
    writeln!(cargo, "cargo::rerun-if-changed=build.rs")?;
    if is("CARGO_CFG_TARGET_OS", "linux") && is("PROFILE", "release") {
        writeln!(cargo, "cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr")?;
    }
    Ok(())
}
