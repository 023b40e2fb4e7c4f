//! Completes errors about arguments: the usage line of the command, the right order, and advice for users of other tools.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use terrane::Files;
use terrane::value::{ClosestNames, closest_name};

use crate::terminal::Terminal;

/// Advice for a command or an option that Terrane does not have.
struct Advice {
    /// The commands or options, by the names in their tools.
    names: &'static [&'static str],
    text: &'static str,
}

impl Advice {
    /// Returns the advice for a name in a table.
    fn find(table: &[Advice], name: &str) -> Option<String> {
        table.iter().find(|advice| advice.names.contains(&name)).map(|advice| advice.text.to_owned())
    }

    /// Returns the advice for the name in a table that is probably meant.
    fn find_similar(table: &[Advice], name: &str) -> Option<String> {
        let names = table.iter().flat_map(|advice| advice.names).copied();
        closest_name(name, names).and_then(|meant| Advice::find(table, meant))
    }
}

const COMMANDS: &[Advice] = &[
    Advice {
        names: &["validate", "lint"],
        text: "`terrane check` reports the errors that `terraform validate` and `packer validate` find",
    },
    Advice { names: &["version"], text: "`terrane --version` prints the version" },
    Advice {
        names: &["completion", "completions", "autocomplete"],
        text: "Terrane has no completion scripts for shells; `terrane help` lists the commands",
    },
    Advice {
        names: &["init", "get"],
        text: "Terrane needs no `init`: `terrane eval` works at once, and reads modules that `terraform init` installed",
    },
    Advice {
        names: &["refresh"],
        text: "Terrane runs no provider; `terrane plan --state FILE` prints the changes of the objects in a state",
    },
    Advice {
        names: &["apply", "destroy", "import", "taint", "untaint", "force-unlock", "build"],
        text: "Terrane changes no infrastructure; `terrane eval` prints values, `terrane check` reports errors",
    },
    Advice {
        names: &["output", "outputs"],
        text: "`terrane eval . output.NAME` prints an output; with --json, `terrane eval` prints all of them",
    },
    Advice {
        names: &["show", "inspect", "state"],
        text: "`terrane console --state FILE` evaluates expressions over the objects of a state; `terrane eval` prints the values of a configuration",
    },
    Advice { names: &["format", "hclfmt"], text: "`terrane fmt` rewrites files in canonical layout" },
    Advice { names: &["hcldec"], text: "`terrane decode` decodes files with a spec file" },
    Advice { names: &["repl"], text: "`terrane console` evaluates expressions" },
    Advice {
        names: &["metadata"],
        text: "`terrane functions --json` prints the document of `terraform metadata functions -json`",
    },
    Advice {
        names: &["workspace"],
        text: "`terrane eval --workspace NAME` evaluates with the name of a workspace",
    },
    Advice {
        names: &["modules", "providers"],
        text: "`terrane eval --json` prints the modules, and the provider of each resource",
    },
    Advice {
        names: &["test", "login", "logout", "plugin", "plugins", "cloud", "stacks", "query"],
        text: "Terrane has no command for this; `terrane help` lists the commands",
    },
];

const OPTIONS: &[Advice] = &[
    Advice {
        names: &["json"],
        text: "`terrane eval --json`, `terrane plan --json` and `terrane check --format json` print JSON",
    },
    Advice { names: &["v", "version"], text: "`terrane --version` prints the version" },
    Advice {
        names: &["out"],
        text: "Terrane writes no plan file; `terrane plan --json` prints the document of `terraform show -json`",
    },
    Advice {
        names: &["target", "target-file", "exclude", "exclude-file"],
        text: "Terrane evaluates the whole module; `terrane eval DIR ADDRESS` prints the values of single objects",
    },
    Advice {
        names: &["refresh", "refresh-only"],
        text: "Terrane asks no provider, so nothing is refreshed; `--state FILE` gives the recorded values",
    },
    Advice {
        names: &["input"],
        text: "Terrane never asks for input; `-var NAME=VALUE` and `-var-file FILE` set variables",
    },
    Advice {
        names: &["lock", "lock-timeout", "state-out", "backup", "auto-approve"],
        text: "Terrane changes and locks no state, so nothing takes the place of this option",
    },
    Advice {
        names: &["backend", "backend-config", "reconfigure", "migrate-state", "upgrade", "plugin-dir"],
        text: "Terrane uses no backend and no plugins, so nothing takes the place of this option",
    },
    Advice {
        names: &["parallelism"],
        text: "Terrane evaluates on all cores; `--timeout`, `--max-memory` and `--max-steps` limit the work",
    },
    Advice {
        names: &["detailed-exitcode"],
        text: "`terrane plan` ends with 0 with and without changes; `terrane plan --json` lists them",
    },
    Advice {
        names: &["generate-config-out"],
        text: "Terrane plans `import` blocks, but writes no configuration for them",
    },
    Advice {
        names: &["compact-warnings", "machine-readable"],
        text: "`--format compact` of `terrane check` and `terrane eval` prints one line for each message",
    },
    Advice {
        names: &["no-tests", "test-directory"],
        text: "Terrane runs no tests; `terrane check` checks only the syntax of test files",
    },
    Advice {
        names: &["draw-cycles", "module-depth", "type"],
        text: "`terrane graph` prints the dependencies of the configuration; `--focus ADDRESS` selects a part of them",
    },
    Advice {
        names: &["evaluate-datasources", "syntax-only"],
        text: "`terrane check` runs no plugin, so nothing takes the place of this option",
    },
];

/// Returns the error about `arguments` with the usage line of their command, and with advice if the parser has none.
pub(crate) fn completed(
    mut error: clap::Error,
    program: &clap::Command,
    arguments: &[OsString],
) -> clap::Error {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return error;
    }
    let command = command(program.clone(), arguments);
    let advice = match (error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::InvalidArg)) {
        (Some(ContextValue::String(given)), _) => {
            advice(given, error.get(ContextKind::SuggestedSubcommand).is_some())
        }
        (_, Some(ContextValue::String(given))) if error.kind() == ErrorKind::UnknownArgument => {
            let advice = command.as_ref().and_then(|command| advice_about_option(given, command, program));
            // The suggestions of the parser have little in common with the option, or take it for a value.
            error.remove(ContextKind::SuggestedArg);
            error.remove(ContextKind::Suggested);
            advice
        }
        _ => None,
    };
    if let Some(advice) = advice {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
    }
    if let Some(mut command) = command {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    error
}

/// Returns the command in `arguments`, or the program if they have no command.
fn command(mut program: clap::Command, arguments: &[OsString]) -> Option<clap::Command> {
    let matches = program.clone().ignore_errors(true).try_get_matches_from(arguments).ok()?;
    program.build();
    let mut command = &mut program;
    let mut matches = &matches;
    while let Some((name, inner)) = matches.subcommand() {
        command = command.find_subcommand_mut(name)?;
        matches = inner;
    }
    Some(command.clone())
}

/// Returns advice for a command that Terrane does not have: a command of another tool, or a misspelt command unless Terrane has
/// a similar one.
fn advice(command: &str, has_similar: bool) -> Option<String> {
    let similar = || if has_similar { None } else { Advice::find_similar(COMMANDS, command) };
    Advice::find(COMMANDS, command).or_else(similar)
}

/// Returns advice for an option that the command does not have: a global option that stands behind the command, the name of a
/// format, an option of another tool, or a misspelt option.
fn advice_about_option(given: &str, command: &clap::Command, program: &clap::Command) -> Option<String> {
    let given = given.trim_start_matches('-');
    let is_named = |option: &&clap::Arg| option.get_long() == Some(given);
    if let Some(option) = program.get_opts().find(|option| !option.is_global_set() && is_named(option)) {
        let (name, program) = (option.get_long()?, program.get_name());
        return Some(format!("-{name} stands before the command: `{program} -{name}=DIR COMMAND`"));
    }
    let has_value =
        |option: &&clap::Arg| option.get_possible_values().iter().any(|value| value.get_name() == given);
    if let Some(name) = command.get_opts().find(has_value).and_then(clap::Arg::get_long) {
        return Some(format!("write `--{name} {given}`"));
    }
    if let Some(advice) = Advice::find(OPTIONS, given) {
        return Some(advice);
    }
    let own = command.get_arguments().filter(|option| !option.is_hide_set()).filter_map(clap::Arg::get_long);
    match ClosestNames::default().of(given, own) {
        Some(similar) => Some(format!("a similar argument exists: '--{similar}'")),
        None => Advice::find_similar(OPTIONS, given),
    }
}

/// Prints how to order the arguments, if the directory does not exist but looks like an address. `command` returns the right
/// arguments.
pub(crate) fn help_with_order(
    directory: &Path,
    command: impl FnOnce(&str) -> String,
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<bool> {
    let is_address = |text: &&str| text.contains('.') && !text.contains(['/', '\\']);
    let address = directory.to_str().filter(is_address).filter(|_| files.metadata(directory).is_err());
    if let Some(address) = address {
        let command = command(address);
        terminal.help(&format!("for a value in the current directory, write: terrane {command}"))?;
    }
    Ok(address.is_some())
}
