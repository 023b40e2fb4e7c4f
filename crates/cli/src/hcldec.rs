//! The command `terrane-hcldec`: `terrane decode` with the command line of the `hcldec` tool, to take its place in the
//! runner of HCL's specification suite.

mod decode;

mod input;

mod pipe;

mod stack;

mod switch;

mod writes;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use clap::Parser;
use terrane::function::Limits;

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

#[expect(clippy::disallowed_methods, reason = "the command reads its arguments")]
fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            return ExitCode::from(pipe::usage(&error, None, FAILURE));
        }
    };
    ExitCode::from(stack::on_large_stack(|| run(&arguments), FAILURE))
}

fn run(arguments: &Arguments) -> u8 {
    let result = if arguments.version {
        pipe::text(concat!(env!("CARGO_PKG_VERSION"), "\n")).map(|_| 0)
    } else {
        decode::run(&arguments.decode, &Limits::default(), io::stderr().is_terminal())
    };
    result.unwrap_or_else(|error| pipe::failed(&error, FAILURE))
}
