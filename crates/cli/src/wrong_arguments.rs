//! Completes errors about arguments: the usage line of the command, and advice for users of other tools.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use terrane::value::closest_name;

/// Advice for a command that Terrane does not have.
struct Advice {
    /// The commands, by the names in their tools.
    commands: &'static [&'static str],
    text: &'static str,
}

const ADVICE: &[Advice] = &[
    Advice {
        commands: &["validate", "lint"],
        text: "`terrane check` reports the errors that `terraform validate` and `packer validate` find",
    },
    Advice { commands: &["version"], text: "`terrane --version` prints the version" },
    Advice {
        commands: &["completion", "completions", "autocomplete"],
        text: "Terrane has no completion scripts for shells; `terrane help` lists the commands",
    },
    Advice {
        commands: &["init", "get"],
        text: "Terrane needs no `init`: `terrane eval` works at once, and reads modules that `terraform init` installed",
    },
    Advice {
        commands: &["refresh"],
        text: "Terrane runs no provider; `terrane plan --state FILE` prints the changes of the objects in a state",
    },
    Advice {
        commands: &["apply", "destroy", "import", "taint", "untaint", "force-unlock", "build"],
        text: "Terrane changes no infrastructure; `terrane eval` prints values, `terrane check` reports errors",
    },
    Advice {
        commands: &["output", "outputs"],
        text: "`terrane eval . output.NAME` prints an output; with --json, `terrane eval` prints all of them",
    },
    Advice {
        commands: &["show", "inspect", "state"],
        text: "`terrane console --state FILE` evaluates expressions over the objects of a state; `terrane eval` prints the values of a configuration",
    },
    Advice { commands: &["format", "hclfmt"], text: "`terrane fmt` rewrites files in canonical layout" },
    Advice { commands: &["hcldec"], text: "`terrane decode` decodes files with a spec file" },
    Advice { commands: &["repl"], text: "`terrane console` evaluates expressions" },
    Advice {
        commands: &["metadata"],
        text: "`terrane functions --json` prints the document of `terraform metadata functions -json`",
    },
    Advice {
        commands: &["workspace"],
        text: "`terrane eval --workspace NAME` evaluates with the name of a workspace",
    },
    Advice {
        commands: &["modules", "providers"],
        text: "`terrane eval --json` prints the modules, and the provider of each resource",
    },
    Advice {
        commands: &["test", "login", "logout", "plugin", "plugins", "cloud", "stacks", "query"],
        text: "Terrane has no command for this; `terrane help` lists the commands",
    },
];

/// Returns the error about `arguments` with the usage line of their command, and with advice if the parser has none.
pub(crate) fn completed(
    mut error: clap::Error,
    program: clap::Command,
    arguments: &[OsString],
) -> clap::Error {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return error;
    }
    let advice = match (error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::InvalidArg)) {
        (Some(ContextValue::String(given)), _) => {
            advice(given, error.get(ContextKind::SuggestedSubcommand).is_some())
        }
        (_, Some(ContextValue::String(given))) if error.kind() == ErrorKind::UnknownArgument => {
            advice_about_option(given, &program)
        }
        _ => None,
    };
    if let Some(advice) = advice {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
    }
    if let Some(usage) = usage(program, arguments) {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    }
    error
}

/// Returns the usage line of the command in `arguments`, or of the program if they have no command.
fn usage(mut program: clap::Command, arguments: &[OsString]) -> Option<StyledStr> {
    let matches = program.clone().ignore_errors(true).try_get_matches_from(arguments).ok()?;
    program.build();
    let mut command = &mut program;
    let mut matches = &matches;
    while let Some((name, inner)) = matches.subcommand() {
        command = command.find_subcommand_mut(name)?;
        matches = inner;
    }
    Some(command.render_usage())
}

/// Returns advice for a command that Terrane does not have: a command of another tool, or a misspelt command unless Terrane has
/// a similar one.
fn advice(command: &str, has_similar: bool) -> Option<String> {
    let all = || ADVICE.iter().flat_map(|advice| advice.commands);
    let meant = all().copied().find(|name| *name == command);
    let meant = meant.or_else(|| closest_name(command, all().copied()).filter(|_| !has_similar))?;
    ADVICE.iter().find(|advice| advice.commands.contains(&meant)).map(|advice| advice.text.to_owned())
}

/// Returns advice for a global option that stands behind the command.
fn advice_about_option(given: &str, program: &clap::Command) -> Option<String> {
    let option = program.get_opts().find(|option| {
        !option.is_global_set()
            && option.get_long().is_some_and(|long| given.strip_prefix("--") == Some(long))
    })?;
    let name = option.get_long()?;
    Some(format!("-{name} stands before the command: `{} -{name}=DIR COMMAND`", program.get_name()))
}
