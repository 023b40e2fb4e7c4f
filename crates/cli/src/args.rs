//! The command line: assembles the options of all commands and parses the arguments.

use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use terrane::Files;
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
use crate::host::{readable, source_date};
use crate::limits::LimitOptions;
use crate::options::{Color, Inputs, ModuleSources, Values, enter, in_order, read_schemas};
use crate::plan::{self, Plan};
use crate::prior_state::StateReader;
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

    /// A note about the state that the options name.
    #[arg(skip)]
    pub(crate) state_note: Option<String>,
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

/// The arguments of the program, its name first.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let given = long_options(arguments);
    let matches = Arguments::command()
        .try_get_matches_from(&given)
        .map_err(|error| wrong_arguments::completed(error, &Arguments::command(), &given))?;
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    if let Some(directory) = &arguments.chdir {
        enter(directory).map_err(|reason| {
            let text = format!("invalid value '{}' for '--chdir=<DIR>': {reason}", directory.display());
            Arguments::command().error(ErrorKind::ValueValidation, text)
        })?;
    }
    let Some((name, matches)) = matches.subcommand() else { return Ok(arguments) };
    // The reason may quote files, so it is made visible before colours are added.
    let invalid = |reason: String| subcommand(name).error(ErrorKind::ValueValidation, visible_text(&reason));
    if let Command::Plan(plan) = &mut arguments.command {
        plan.refused()
            .map_or(Ok(()), |reason| Err(subcommand(name).error(ErrorKind::ArgumentConflict, reason)))?;
        plan.read_addresses().map_err(invalid)?;
    }
    let limits = arguments.limits.limits();
    let most = limits.bytes as u64;
    let files = arguments.command.files();
    if let Some(files) = &files {
        read_files(&mut arguments.command, files.as_ref(), most).map_err(invalid)?;
    }
    if let Some(values) = arguments.command.values() {
        // The title that the products give it.
        values.assignments = in_order(values, matches)
            .map_err(|reason| invalid(format!("Invalid -var option\n\n{reason}")))?;
    }
    // A state may be encrypted with a passphrase that a variable holds, so the values of variables are read first.
    if let Some(files) = &files {
        arguments.state_note =
            read_states(&mut arguments.command, files.as_ref(), &limits).map_err(invalid)?;
    }
    Ok(arguments)
}

/// Reads the files of `--module-map` and `--schemas`.
fn read_files(command: &mut Command, files: &dyn Files, most: u64) -> Result<(), String> {
    if let Some(modules) = command.modules() {
        modules.read_maps(files, most)?;
    }
    if let Command::Check(check) = command {
        check.schemas = read_schemas(&check.schema_files, files, most)?;
    } else if let Some(inputs) = command.inputs() {
        inputs.plan_time = source_date()?;
        inputs.schemas = read_schemas(&inputs.schema_files, files, most)?;
    }
    Ok(())
}

/// Reads the files of `--state`, `--plan` and `--remote-state`. Returns a note about the state, if there is one.
fn read_states(command: &mut Command, files: &dyn Files, limits: &Limits) -> Result<Option<String>, String> {
    let Some(directory) = command.directory().map(Path::to_owned) else { return Ok(None) };
    let is_console = matches!(command, Command::Console(_));
    let steps = Cell::new(limits.steps);
    let has_environments = matches!(command, Command::Eval(eval) if eval.has_environments());
    let reader =
        StateReader { files, limits, steps: &steps, directory: &directory, is_console, has_environments };
    command.inputs().map_or(Ok(None), |inputs| reader.read(inputs))
}

impl Command {
    /// Returns the files that the options name, through the sandbox if there is one. `None` for a command without such options,
    /// or if the sandbox cannot be used, which the command reports.
    fn files(&self) -> Option<Box<dyn Files>> {
        match self {
            Command::Eval(eval) => readable(eval.sandbox.as_deref(), eval.paths()),
            Command::Console(console) => readable(console.sandbox.as_deref(), console.paths()),
            Command::Graph(graph) => readable(graph.sandbox.as_deref(), graph.paths()),
            Command::Plan(plan) => readable(plan.sandbox.as_deref(), plan.paths()),
            Command::Explain(explain) => readable(explain.sandbox.as_deref(), explain.paths()),
            Command::Diff(diff) => readable(diff.sandbox.as_deref(), diff.paths()),
            Command::Check(check) => readable(check.sandbox.as_deref(), check.paths()),
            Command::Fmt(_) | Command::Decode(_) | Command::Functions(_) | Command::Schemas(_) => {
                return None;
            }
        }
        .ok()
    }

    /// Returns the directory of the root module that the command evaluates.
    fn directory(&self) -> Option<&Path> {
        match self {
            Command::Eval(eval) => Some(&eval.dir),
            Command::Console(console) => Some(console.dir.as_deref().unwrap_or(Path::new("."))),
            Command::Graph(graph) => Some(&graph.dir),
            Command::Plan(plan) => Some(&plan.dir),
            Command::Explain(explain) => Some(&explain.dir),
            Command::Diff(diff) => Some(diff.directory()),
            Command::Check(_)
            | Command::Fmt(_)
            | Command::Decode(_)
            | Command::Functions(_)
            | Command::Schemas(_) => None,
        }
    }

    /// Returns the options of a command that evaluates a module.
    fn inputs(&mut self) -> Option<&mut Inputs> {
        match self {
            Command::Eval(eval) => Some(&mut eval.inputs),
            Command::Console(console) => Some(&mut console.inputs),
            Command::Graph(graph) => Some(&mut graph.inputs),
            Command::Plan(plan) => Some(&mut plan.inputs),
            Command::Explain(explain) => Some(&mut explain.inputs),
            Command::Diff(diff) => Some(&mut diff.inputs),
            Command::Check(_)
            | Command::Fmt(_)
            | Command::Decode(_)
            | Command::Functions(_)
            | Command::Schemas(_) => None,
        }
    }

    /// Returns the options about directories of modules.
    fn modules(&mut self) -> Option<&mut ModuleSources> {
        if let Command::Check(check) = self {
            return Some(&mut check.modules);
        }
        self.inputs().map(|inputs| &mut inputs.modules)
    }

    /// Returns the options that set variables.
    fn values(&mut self) -> Option<&mut Values> {
        if let Command::Check(check) = self {
            return Some(&mut check.values);
        }
        self.inputs().map(|inputs| &mut inputs.values)
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
    use std::path::PathBuf;

    use terrane::config::Assignment;

    use super::*;

    fn parsed(line: &str) -> Result<Arguments, clap::Error> {
        parse(line.split(' ').map(OsString::from))
    }

    fn eval(line: &str) -> Eval {
        match parsed(line).expect("valid arguments").command {
            Command::Eval(eval) => eval,
            Command::Console(_)
            | Command::Graph(_)
            | Command::Plan(_)
            | Command::Explain(_)
            | Command::Diff(_)
            | Command::Fmt(_)
            | Command::Check(_)
            | Command::Decode(_)
            | Command::Functions(_)
            | Command::Schemas(_) => {
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
        let eval = eval("terrane eval dir -var a=1 --var-file=x.tfvars -json -var=b==2 -var-file y output.c");
        assert!(eval.json);
        assert_eq!((eval.dir, eval.addresses), (PathBuf::from("dir"), vec!["output.c".to_owned()]));
        let given = eval.inputs.values.assignments.iter().map(|given| match given {
            Assignment::Variable(name, value) => format!("-var {name} {value}"),
            Assignment::File(path) => format!("-var-file {}", path.display()),
            Assignment::Value(given) => given.name.clone(),
        });
        assert!(given.eq(["-var a 1", "-var-file x.tfvars", "-var b =2", "-var-file y"]));
    }

    #[test]
    fn arguments_after_two_dashes_are_not_options() {
        let eval = eval("terrane eval . -- -var");
        assert_eq!(eval.addresses, ["-var"]);
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
            "terrane eval -var a",
            "terrane eval --module a",
            "terrane eval --nope",
            "terrane",
            "terrane evil",
            "terrane --color red",
        ] {
            assert_eq!(parsed(line).expect_err(line).exit_code(), 2, "{line}");
        }
        assert_eq!(parsed("terrane --help").expect_err("help").exit_code(), 0);
    }
}
