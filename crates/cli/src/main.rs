//! The command `terrane`: arguments, output and exit codes.
//!
//! `args` assembles the command line from the options of each command; a command is a file or folder with a function `run`
//! that returns the exit code. The library `terrane` evaluates; the files here read arguments and print.

mod args;
mod check;
mod colors;
mod console;
mod count;
mod decode;
mod diff;
mod eval;
mod evaluated;
mod exit;
mod explain;
mod fmt;
mod functions;
mod git_directory;
mod graph;
mod host;
mod input;
mod interrupt;
mod limits;
mod nearby;
mod options;
mod pager;
mod pipe;
mod plan;
mod prior_state;
mod progress;
mod project;
mod provider_functions;
mod provider_program;
mod read_inputs;
mod report_format;
mod revision;
mod schemas;
mod select;
mod source_root;
mod stack;
mod switch;
mod terminal;
mod timer;
mod unknown_values;
mod writes;
mod wrong_arguments;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::args::{Arguments, ReadCommand};
use crate::exit::FAILURE;
use crate::options::Color;
use crate::terminal::Terminal;

/// Evaluation allocates very many small values. This allocator keeps them close together.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[expect(clippy::disallowed_methods, reason = "the command reads its arguments")]
fn main() -> ExitCode {
    writes::refuse_large_files();
    let given: Vec<OsString> = std::env::args_os().collect();
    let color = args::asks_for_color(&given);
    let usage = |error: &clap::Error| ExitCode::from(pipe::usage(error, color, FAILURE));
    let (arguments, matches) = match args::parse(given.into_iter()) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error),
    };
    let command = match args::read(&arguments, &matches) {
        Ok(command) => command,
        Err(error) => return usage(&error),
    };
    ExitCode::from(stack::on_large_stack(|| run(&arguments, &command), FAILURE))
}

fn run(arguments: &Arguments, command: &ReadCommand<'_>) -> u8 {
    let no_color = switch::is_on(arguments.no_color, false);
    let color = if no_color { Color::Never } else { arguments.color };
    let mut terminal = Terminal::new(color, !arguments.no_pager);
    arguments.limits.start();
    let limits = arguments.limits.limits();
    if let Some(note) = command.state_note()
        && let Err(error) = terminal.note(note)
    {
        return pipe::failed(&error, FAILURE);
    }
    let terminal = &mut terminal;
    let result = match command {
        ReadCommand::Eval(eval, inputs) => eval::run(eval, inputs, &limits, terminal),
        ReadCommand::Console(console, inputs) => console::run(console, inputs, &limits, terminal),
        ReadCommand::Fmt(fmt) => fmt::run(fmt, &limits, terminal),
        ReadCommand::Functions(functions) => functions::run(functions, terminal),
        ReadCommand::Schemas(schemas) => schemas::run(schemas, &arguments.limits, terminal),
        ReadCommand::Graph(graph, inputs) => graph::run(graph, inputs, limits, terminal),
        ReadCommand::Plan { plan, replaced, inputs } => plan::run(plan, replaced, inputs, limits, terminal),
        ReadCommand::Diff(diff, inputs) => diff::run(diff, inputs, limits, terminal),
        ReadCommand::Explain(explain, inputs) => explain::run(explain, inputs, limits, terminal),
        ReadCommand::Check(check, sources) => check::run(check, sources, limits, terminal),
        ReadCommand::Decode(decode) => decode::run(decode, &limits, terminal.has_message_color()),
    };
    result.unwrap_or_else(|error| pipe::failed(&error, FAILURE))
}
