//! The command line: assembles the options of all commands and parses the arguments.

use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use terrane::Files;
use terrane::config::{Address, Assignment};
use terrane::function::Limits;
use terrane::render::visible_text;

use crate::check::{self, Check};
use crate::console::{self, Console};
use crate::decode::{self, Decode};
use crate::diff::{self, Diff};
use crate::eval::{self, Eval};
use crate::explain::{self, Explain};
use crate::fmt::{self, Fmt};
use crate::functions::{self, Functions};
use crate::graph::{self, Graph};
use crate::host::readable;
use crate::limits::LimitOptions;
use crate::options::{Color, Inputs, Values, enter, in_order};
use crate::plan::{self, Plan};
use crate::prior_state::StateReader;
use crate::read_inputs::{ReadInputs, ReadSources};
use crate::schemas::{self, Schemas};
use crate::switch::{Switch, is_on};
use crate::wrong_arguments;

/// Evaluate Terraform, OpenTofu and Packer configuration offline: no init, no plugins, no credentials.
#[derive(Parser, Debug)]
#[command(name = "terrane", version, disable_version_flag = true, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Change to this directory first: paths in arguments and messages are relative to it. Also written `-chdir=DIR`.
    #[arg(long, value_name = "DIR", require_equals = true)]
    chdir: Option<PathBuf>,

    /// When to print colours; `auto` prints them at a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,

    /// Print no colours, like `--color never`; also written `-no-color`.
    #[arg(long, global = true, value_name = "BOOL", require_equals = true)]
    pub(crate) no_color: Option<Option<Switch>>,

    /// Print long output to a terminal at once. Without it, TERRANE_PAGER, PAGER or `less` shows it page by page.
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,

    /// Print the version. Also written `-v`.
    #[arg(short = 'V', short_alias = 'v', long, action = ArgAction::Version)]
    version: Option<bool>,

    #[command(flatten)]
    pub(crate) limits: LimitOptions,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  terrane eval examples/network                      print every value
  terrane eval examples/network output.subnets       print one value
  terrane eval . --json -var environment=dev         print JSON for a script
  echo 'length(var.zones)' | terrane console .       evaluate an expression
  terrane check                                      report errors, as `terraform validate` does

Exit codes: 0 no errors, 1 errors in the configuration, 2 wrong arguments; `check`, `fmt` and
`decode` differ. 'terrane help COMMAND' has the options, examples and exit codes of a command.";

/// The options of a command are built once it is known to be the one to run.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Print the values of a configuration.
    ///
    /// Without addresses, prints the outputs, locals, variables and module calls of the root module, and the resources of
    /// all modules. A value that only a provider can set is printed as unknown, with the reason. Sensitive values are
    /// hidden. If the configuration has errors, no value is printed. Messages and a summary go to standard error.
    #[command(after_help = eval::EXAMPLES)]
    Eval(Eval),

    /// Evaluate expressions in the root module: at a terminal, from standard input, or as a server.
    ///
    /// At a terminal, the console has a history, completion and the commands that `help` lists. From standard input, it
    /// prints the value of each expression and stops at the first error; input that is not UTF-8 is an error as well, but
    /// the next input is read. With --json it is a server: it answers each request, also after an error, until the input
    /// ends. An expression continues over several lines while a bracket or a heredoc is open. The configured values of
    /// resources are known; the values that a provider sets are unknown. With --state, resources are the objects of a state,
    /// as in `terraform console`, and with --planned those of its next plan.
    #[command(after_help = console::EXAMPLES)]
    Console(Console),

    /// Rewrite configuration files in canonical layout, as `terraform fmt` does.
    ///
    /// Prints the names of the files that change. A file that does not parse is reported and stays as it is. Each file is
    /// replaced in one step.
    #[command(after_help = fmt::EXAMPLES)]
    Fmt(Fmt),

    /// Report errors in modules, templates and files, as `terraform validate` does.
    ///
    /// In a directory with Terraform or OpenTofu configuration, reports the errors that `terraform validate` finds without
    /// providers, for any values of the variables, in the module and in all modules it calls. In a directory with a Packer
    /// template, or in one template file, reports the errors that `packer validate` finds without plugins. In other files,
    /// checks the syntax. `terraform init` is not needed.
    ///
    /// Reads .tf, .tofu, .tfvars, .hcl (also .tftest.hcl, .pkr.hcl, .pkrvars.hcl) and .nomad files, and the JSON syntax:
    /// .tf.json, .tofu.json, .tfvars.json, .pkr.json. Messages go to standard output, a summary to standard error.
    #[command(after_help = check::EXAMPLES)]
    Check(Check),

    /// Print the plan, as `terraform plan` does, without providers.
    ///
    /// Without a state, nothing is read but the configuration: every resource is created, and values that only a provider sets
    /// are known after the apply. With --state, the plan has the changes of the objects in the state. With --json, prints the
    /// plan document that policy tools read. Data sources are not read, except those that are computed from the configuration
    /// alone.
    #[command(after_help = plan::EXAMPLES)]
    Plan(Plan),

    /// Explain how a value came to be: its inputs, as a tree.
    ///
    /// Follows the part that the address names: through conditionals, `merge`, `try` and loops to the branch, argument or
    /// element that gives the value, through locals, variables, outputs and module calls, to constants, files and options. For
    /// an unknown value, prints the causes and how it becomes known; for a sensitive one, the declarations that
    /// mark it. Sensitive values are hidden.
    #[command(after_help = explain::EXAMPLES)]
    Explain(Explain),

    /// Print how two configurations differ, instance by instance, with values.
    ///
    /// Compares the resources, data sources and outputs of two directories, of two git revisions, of one directory with two
    /// variable files, or of a state and its configuration. `moved` blocks relate addresses. Nothing is checked out, and no
    /// provider runs.
    #[command(after_help = diff::EXAMPLES)]
    Diff(Diff),

    /// Print the dependencies between objects as a graph.
    ///
    /// Each object is a block: a variable, local, output, module call, resource, action, check, provider configuration or
    /// import of any module; in a Packer template, a variable, local, data source, source or build. An edge leads from an
    /// object to one it depends on. Cycles are reported, and the graph is printed anyway.
    #[command(after_help = graph::EXAMPLES)]
    Graph(Graph),

    /// Decode HCL files with a spec file, and print the value as JSON.
    ///
    /// Spec files use the language of the `hcldec` tool. `dynamic` blocks are expanded. All errors of the files are reported
    /// in one run.
    #[command(after_help = decode::EXAMPLES)]
    Decode(Decode),

    /// List the functions of the language, or explain one.
    ///
    /// The page of a function has its signature, a description, the editions that have it, and examples.
    #[command(after_help = functions::EXAMPLES)]
    Functions(Functions),

    /// Keep the schemas of providers, so that every evaluation knows them.
    ///
    /// The schemas of a provider are written once, by version, and found by the versions in `.terraform.lock.hcl`. Resources then
    /// have the types of their providers, and their arguments are checked, without an option.
    #[command(after_help = schemas::EXAMPLES)]
    Schemas(Schemas),
}

/// The arguments of the program, its name first, and where they stand on the command line.
pub(crate) fn parse(
    arguments: impl Iterator<Item = OsString>,
) -> Result<(Arguments, ArgMatches), clap::Error> {
    let given = long_options(arguments);
    let matches = Arguments::command()
        .try_get_matches_from(&given)
        .map_err(|error| wrong_arguments::completed(error, &Arguments::command(), &given))?;
    let arguments = Arguments::from_arg_matches(&matches)?;
    if let Some(directory) = &arguments.chdir {
        enter(directory).map_err(|reason| {
            let text = format!("invalid value '{}' for '--chdir=<DIR>': {reason}", directory.display());
            Arguments::command().error(ErrorKind::ValueValidation, text)
        })?;
    }
    Ok((arguments, matches))
}

/// A command with the content of the files that its options name.
pub(crate) enum ReadCommand<'c> {
    Eval(&'c Eval, ReadInputs<'c>),
    Console(&'c Console, ReadInputs<'c>),
    Fmt(&'c Fmt),
    Check(&'c Check, ReadSources),
    Plan {
        plan: &'c Plan,
        /// The instances whose objects are replaced on request.
        replaced: Vec<Address>,
        inputs: ReadInputs<'c>,
    },
    Explain(&'c Explain, ReadInputs<'c>),
    Diff(&'c Diff, ReadInputs<'c>),
    Graph(&'c Graph, ReadInputs<'c>),
    Decode(&'c Decode),
    Functions(&'c Functions),
    Schemas(&'c Schemas),
}

/// Reads the files that the options of the command name.
pub(crate) fn read<'c>(
    arguments: &'c Arguments,
    matches: &ArgMatches,
) -> Result<ReadCommand<'c>, clap::Error> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Arguments::command().error(ErrorKind::MissingSubcommand, "a command is missing"));
    };
    if let Command::Plan(plan) = &arguments.command
        && let Some(reason) = plan.refused()
    {
        return Err(subcommand(name).error(ErrorKind::ArgumentConflict, reason));
    }
    let reader = InputReader { matches, limits: arguments.limits.limits() };
    // The reason may quote files, so it is made visible before colours are added.
    reader
        .command(&arguments.command)
        .map_err(|reason| subcommand(name).error(ErrorKind::ValueValidation, visible_text(&reason)))
}

/// Reads the files that the options of a command name. An error is a text for the user.
struct InputReader<'m> {
    matches: &'m ArgMatches,
    limits: Limits,
}

impl InputReader<'_> {
    fn command<'c>(&self, command: &'c Command) -> Result<ReadCommand<'c>, String> {
        Ok(match command {
            Command::Eval(eval) => {
                let has_environments = eval.has_environments();
                let module = EvaluatedModule { has_environments, ..EvaluatedModule::at(&eval.dir) };
                let files = opened(eval.sandbox.as_deref(), eval.paths())?;
                ReadCommand::Eval(eval, self.inputs(&eval.inputs, module, files)?)
            }
            Command::Console(console) => {
                let directory = console.dir.as_deref().unwrap_or(Path::new("."));
                let module = EvaluatedModule { is_console: true, ..EvaluatedModule::at(directory) };
                let files = opened(console.sandbox.as_deref(), console.paths())?;
                ReadCommand::Console(console, self.inputs(&console.inputs, module, files)?)
            }
            Command::Plan(plan) => {
                let replaced = plan.replaced()?;
                let files = opened(plan.sandbox.as_deref(), plan.paths())?;
                let inputs = self.inputs(&plan.inputs, EvaluatedModule::at(&plan.dir), files)?;
                ReadCommand::Plan { plan, replaced, inputs }
            }
            Command::Explain(explain) => {
                let files = opened(explain.sandbox.as_deref(), explain.paths())?;
                ReadCommand::Explain(
                    explain,
                    self.inputs(&explain.inputs, EvaluatedModule::at(&explain.dir), files)?,
                )
            }
            Command::Diff(diff) => {
                let files = opened(diff.sandbox.as_deref(), diff.paths())?;
                ReadCommand::Diff(
                    diff,
                    self.inputs(&diff.inputs, EvaluatedModule::at(diff.directory()), files)?,
                )
            }
            Command::Graph(graph) => {
                let files = opened(graph.sandbox.as_deref(), graph.paths())?;
                ReadCommand::Graph(graph, self.inputs(&graph.inputs, EvaluatedModule::at(&graph.dir), files)?)
            }
            Command::Check(check) => {
                let files = opened(check.sandbox.as_deref(), check.paths())?;
                let assignments = self.assignments(&check.values)?;
                let most = self.limits.bytes as u64;
                let sources =
                    ReadSources::read(&check.modules, &check.schema_files, assignments, files, most)?;
                ReadCommand::Check(check, sources)
            }
            Command::Fmt(fmt) => ReadCommand::Fmt(fmt),
            Command::Decode(decode) => ReadCommand::Decode(decode),
            Command::Functions(functions) => ReadCommand::Functions(functions),
            Command::Schemas(schemas) => ReadCommand::Schemas(schemas),
        })
    }

    /// Reads the files of a command that evaluates a module.
    fn inputs<'c>(
        &self,
        inputs: &'c Inputs,
        module: EvaluatedModule<'_>,
        files: &'static dyn Files,
    ) -> Result<ReadInputs<'c>, String> {
        let assignments = self.assignments(&inputs.values)?;
        let most = self.limits.bytes as u64;
        let sources = ReadSources::read(&inputs.modules, &inputs.schema_files, assignments, files, most)?;
        let EvaluatedModule { directory, is_console, has_environments } = module;
        let steps = &Cell::new(self.limits.steps);
        let limits = &self.limits;
        StateReader { files, limits, steps, directory, is_console, has_environments }.read(inputs, sources)
    }

    fn assignments(&self, values: &Values) -> Result<Vec<Assignment>, String> {
        // The title that the products give it.
        in_order(values, self.matches).map_err(|reason| format!("Invalid -var option\n\n{reason}"))
    }
}

/// The root module that a command evaluates.
#[derive(Clone, Copy)]
struct EvaluatedModule<'c> {
    directory: &'c Path,
    /// Whether the directory of a state stands for the file that the consoles of the products read.
    is_console: bool,
    /// Whether the module is evaluated in several environments.
    has_environments: bool,
}

impl EvaluatedModule<'_> {
    fn at(directory: &Path) -> EvaluatedModule<'_> {
        EvaluatedModule { directory, is_console: false, has_environments: false }
    }
}

/// Returns the files that the command may read, for as long as it runs.
fn opened<'p>(
    sandbox: Option<&Path>,
    paths: impl Iterator<Item = &'p Path>,
) -> Result<&'static dyn Files, String> {
    let files = readable(sandbox, paths).map_err(|error| format!("the sandbox cannot be used: {error}"))?;
    Ok(Box::leak(files))
}

impl ReadCommand<'_> {
    /// Returns a note about the state that the options name.
    pub(crate) fn state_note(&self) -> Option<&str> {
        match self {
            ReadCommand::Eval(_, inputs)
            | ReadCommand::Console(_, inputs)
            | ReadCommand::Plan { inputs, .. }
            | ReadCommand::Explain(_, inputs)
            | ReadCommand::Diff(_, inputs)
            | ReadCommand::Graph(_, inputs) => inputs.state.note.as_deref(),
            ReadCommand::Fmt(_)
            | ReadCommand::Check(..)
            | ReadCommand::Decode(_)
            | ReadCommand::Functions(_)
            | ReadCommand::Schemas(_) => None,
        }
    }
}

/// Returns a command in the form in which the usage lines of errors name it.
fn subcommand(name: &str) -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    command.find_subcommand(name).cloned().unwrap_or(command)
}

/// Whether the options ask for colours (`true`) or for no colours (`false`). Needed before the options are parsed, because the
/// parser prints help and errors about arguments.
pub(crate) fn asks_for_color(arguments: &[OsString]) -> Option<bool> {
    let mut asked = None;
    let options = arguments.iter().take_while(|argument| *argument != "--");
    let mut options = options.map(|argument| argument.to_str().unwrap_or_default());
    while let Some(option) = options.next() {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        match name {
            "--color" | "-color" => match value.or_else(|| options.next()) {
                Some("always") => asked = Some(true),
                Some("never") => asked = Some(false),
                // A wrong value is an error.
                Some(_) | None => asked = None,
            },
            "--no-color" | "-no-color" => {
                let value = value.map(|value| value.parse().ok());
                if is_on(Some(value.flatten()), false) {
                    return Some(false);
                }
            }
            _ => {}
        }
    }
    asked
}

/// Returns the arguments with options of one dash and several letters, as Terraform writes them, in the form with two dashes.
fn long_options(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut options = true;
    arguments
        .map(|argument| {
            options &= argument != "--";
            let is_long = |text: &str| {
                text.strip_prefix('-')
                    .is_some_and(|name| name.len() > 1 && name.starts_with(|c: char| c.is_ascii_lowercase()))
            };
            if options && argument.to_str().is_some_and(is_long) {
                let mut long = OsString::from("-");
                long.push(argument);
                return long;
            }
            argument
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<(Arguments, ArgMatches), clap::Error> {
        parse(line.split(' ').map(OsString::from))
    }

    fn eval<T>(line: &str, check: impl Fn(&Eval, &ReadInputs<'_>) -> T) -> T {
        let (arguments, matches) = parsed(line).expect("valid arguments");
        match read(&arguments, &matches).expect("readable files") {
            ReadCommand::Eval(eval, inputs) => check(eval, &inputs),
            ReadCommand::Console(..)
            | ReadCommand::Graph(..)
            | ReadCommand::Plan { .. }
            | ReadCommand::Explain(..)
            | ReadCommand::Diff(..)
            | ReadCommand::Fmt(_)
            | ReadCommand::Check(..)
            | ReadCommand::Decode(_)
            | ReadCommand::Functions(_)
            | ReadCommand::Schemas(_) => {
                panic!("`eval` was given")
            }
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    /// The options of a command are set after its description, which a doc comment on the struct of options would replace.
    #[test]
    fn options_keep_the_description_of_a_command() {
        let descriptions = |command: &clap::Command| -> Vec<_> {
            let of =
                |command: &clap::Command| (command.get_about().cloned(), command.get_long_about().cloned());
            command.get_subcommands().filter(|command| command.get_name() != "help").map(of).collect()
        };
        let mut command = Arguments::command();
        let before = descriptions(&command);
        command.build();
        assert_eq!(descriptions(&command), before);
    }

    #[test]
    fn one_dash_is_enough_and_the_order_is_kept() {
        let line = "terrane eval dir -var a=1 --var-file=x.tfvars -json -var=b==2 -var-file y output.c";
        eval(line, |eval, inputs| {
            assert!(eval.json);
            assert_eq!((&*eval.dir, &*eval.addresses), (Path::new("dir"), &["output.c".to_owned()][..]));
            let given = inputs.sources.assignments.iter().map(|given| match given {
                Assignment::Variable(name, value) => format!("-var {name} {value}"),
                Assignment::File(path) => format!("-var-file {}", path.display()),
                Assignment::Value(given) => given.name.clone(),
            });
            assert!(given.eq(["-var a 1", "-var-file x.tfvars", "-var b =2", "-var-file y"]));
        });
    }

    #[test]
    fn arguments_after_two_dashes_are_not_options() {
        eval("terrane eval . -- -var", |eval, _| assert_eq!(eval.addresses, ["-var"]));
    }

    #[test]
    fn colours_are_asked_for_before_the_arguments_are_parsed() {
        for (line, expected) in [
            ("terrane --help", None),
            ("terrane --color always --help", Some(true)),
            ("terrane eval -color=never -nope", Some(false)),
            ("terrane --color auto --help", None),
            ("terrane --color", None),
            ("terrane --color always -no-color --help", Some(false)),
            ("terrane --no-color=false --color always", Some(true)),
            ("terrane eval . -- --color always", None),
        ] {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(asks_for_color(&arguments), expected, "{line}");
        }
    }

    #[test]
    fn wrong_arguments_have_exit_code_2() {
        for line in [
            "terrane eval --module a",
            "terrane eval --nope",
            "terrane",
            "terrane evil",
            "terrane --color red",
        ] {
            assert_eq!(parsed(line).expect_err(line).exit_code(), 2, "{line}");
        }
        let (arguments, matches) = parsed("terrane eval -var a").expect("valid arguments");
        assert_eq!(read(&arguments, &matches).err().map(|error| error.exit_code()), Some(2));
        assert_eq!(parsed("terrane --help").expect_err("help").exit_code(), 0);
    }
}
