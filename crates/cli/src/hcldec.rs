//! The command `terrane-hcldec`: `terrane decode` with the command line of the `hcldec` tool, to take its place in the
//! runner of HCL's specification suite.

mod decode;

mod pipe;

mod stack;

mod switch;

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::Parser;

use crate::decode::Decode;

/// Decode HCL files with a spec file, and print the value as JSON.
#[derive(Parser, Debug)]
#[command(name = "terrane-hcldec", disable_version_flag = true)]
struct Arguments {
    /// Print the version.
    #[arg(short, long)]
    version: bool,

    #[command(flatten)]
    decode: Decode,
}

/// Input or output failed.
const FAILURE: u8 = 1;
/// Arguments that make no sense.
const USAGE: u8 = 2;

#[expect(clippy::disallowed_methods, reason = "the command reads its arguments")]
fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // If this cannot be written either, only the exit code tells.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE));
        }
    };
    ExitCode::from(stack::on_large_stack(|| run(&arguments).unwrap_or(FAILURE), FAILURE))
}

fn run(arguments: &Arguments) -> io::Result<u8> {
    if arguments.version {
        pipe::unless_closed(writeln!(io::stdout(), "{}", env!("CARGO_PKG_VERSION")))?;
        return Ok(0);
    }
    decode::run(&arguments.decode, io::stderr().is_terminal())
}
