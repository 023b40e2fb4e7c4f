//! Names of commands that other tools have, each with the command of Terrane for the same purpose.

/// Advice for a command that Terrane does not have.
struct Advice {
    /// The commands, as their tools name them.
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
        text: "Terrane reads no state and runs no provider; `terrane plan` prints the plan of creating everything",
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

/// Advice for users of another tool who try one of its commands.
pub(crate) fn advice(command: &str) -> Option<&'static str> {
    ADVICE.iter().find(|advice| advice.commands.contains(&command)).map(|advice| advice.text)
}
