//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use terrane::config::Assignment;
use terrane::{Dialect, Files, OsFiles, Schemas, schemas_from_json};

use crate::check::Check;
use crate::decode::Decode;
use crate::fmt::Fmt;
use crate::functions::Functions;
use crate::graph::Graph;
use crate::switch::Switch;

/// Evaluate Terraform, OpenTofu and Packer configuration offline: no init, no plugins, no credentials.
#[derive(Parser, Debug)]
#[command(name = "terrane", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,

    /// Use no colours, as Terraform writes it; also written `-no-color`.
    #[arg(long, global = true, value_name = "BOOL", require_equals = true)]
    pub(crate) no_color: Option<Option<Switch>>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  terrane eval examples/network                      everything that is known
  terrane eval examples/network output.subnets       one value
  terrane eval . --json -var environment=dev         the outputs for a script
  echo 'length(var.zones)' | terrane console .       an expression

Exit codes: 0 done, 1 errors in the configuration, 2 wrong arguments.
Run 'terrane help eval' or 'terrane help console' for more.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Print the values of a configuration.
    ///
    /// Without addresses: the outputs, locals, variables and module calls of the root module, and the resources of
    /// all modules. Values that only a provider can know are shown with what makes them unknown; sensitive values
    /// are not shown. A summary goes to standard error.
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(Eval),

    /// Evaluate expressions in the root module: at a terminal, from standard input, or as a server.
    ///
    /// At a terminal there are a history, completion and the commands that `help` lists. Otherwise each input is
    /// evaluated and its value printed; the first mistake ends the session with exit code 1. An expression
    /// may go on over several lines while a bracket or a heredoc is open. Of resources, nothing is known but their
    /// configuration. With --json every request gets an answer, right or wrong, until the input ends.
    #[command(after_help = CONSOLE_EXAMPLES)]
    Console(Console),

    /// Write configuration files in canonical layout, as `terraform fmt` does.
    ///
    /// A file that does not parse is left as it is; a file is replaced in one step.
    #[command(after_help = FMT_EXAMPLES)]
    Fmt(Fmt),

    /// Report every mistake in modules and files, without providers.
    ///
    /// In a directory with configuration of Terraform or OpenTofu everything is checked that can be told without
    /// providers and for any values of the variables, as `terraform validate` does but without init; also in the modules
    /// that it calls. In a directory with a Packer template, and of a template file given by name, everything is checked
    /// that `packer validate` can tell without plugins. Of other files the syntax is checked.
    ///
    /// Reads the files that Terraform, OpenTofu, Packer, Nomad and others name: .tf, .tofu, .tfvars, .hcl
    /// (.tftest.hcl, .pkr.hcl, .pkrvars.hcl) and .nomad, and in JSON syntax .tf.json, .tfvars.json, .pkr.json and
    /// their like. Messages go to standard output, a summary to standard error.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),

    /// Print what depends on what, as a graph.
    ///
    /// The objects are variables, locals, outputs, module calls, resources, actions, checks, provider configurations and
    /// imports of all modules, by block; of a Packer template variables, locals, data sources, sources and builds. Cycles
    /// are reported and shown; the exit code is then 1.
    #[command(after_help = GRAPH_EXAMPLES)]
    Graph(Graph),

    /// Make a value of HCL files, as a spec file says, and print it as JSON.
    ///
    /// The language of spec files is that of the `hcldec` tool; `dynamic` blocks are expanded. All mistakes in the files
    /// are reported in one run.
    #[command(after_help = DECODE_EXAMPLES)]
    Decode(Decode),

    /// List the functions of the language, or explain one.
    #[command(after_help = FUNCTIONS_EXAMPLES)]
    Functions(Functions),
}

const EVAL_EXAMPLES: &str = "\
Examples:
  terrane eval
  terrane eval modules/vpc -var-file test.tfvars
  terrane eval . local.tags 'module.subnets[\"web\"]' aws_vpc.main.tags
  terrane eval . --json | jq .outputs.vpc_range.value
  terrane eval images -only '*.ubuntu'                   the builds of a Packer template

Variables take their values from, in this order, later ones over earlier ones: TF_VAR_name in the
environment, terraform.tfvars, *.auto.tfvars, then -var and -var-file as they are given.
Modules that `terraform init` has installed are found; --module 'hashicorp/consul/aws=../consul' gives any other.
With --schemas FILE, written by `terraform providers schema -json`, resources have the types of their providers.";

const CONSOLE_EXAMPLES: &str = "\
Examples:
  echo 'cidrsubnet(\"10.0.0.0/16\", 8, 2)' | terrane console
  terrane console examples/network < expressions.txt
  echo 'legacy_isotime()' | terrane console --dialect packer
  echo '{\"id\": 1, \"expr\": \"keys(var.tags)\", \"type\": \"set(string)\"}' | terrane console . --json
  terrane console --json --scope variables.json < requests.jsonl > answers.jsonl";

const FMT_EXAMPLES: &str = "\
Examples:
  terrane fmt                          the files of the current directory
  terrane fmt -check -diff -recursive  what is not formatted, anywhere below
  terrane fmt a.tf b.pkr.hcl           these files
  terrane fmt - < main.tf              standard input to standard output

Exit codes: 0 done, 2 a file could not be read, parsed or written, 3 with -check: a file is not formatted.";

const DECODE_EXAMPLES: &str = "\
Examples:
  terrane decode --spec app.hcldec app.hcl
  terrane decode -s app.hcldec -V '{\"zone\": \"a\"}' app.hcl more.hcl.json

Exit codes: 0 done, 1 something could not be read or written, 2 the files, the spec or the arguments are wrong.";

const FUNCTIONS_EXAMPLES: &str = "\
Examples:
  terrane functions                     all functions
  terrane functions cidrsubnet          one of them, with examples
  terrane functions --dialect packer    those that Packer has
  terrane functions --json | jq '.function_signatures | keys'";

const GRAPH_EXAMPLES: &str = "\
Examples:
  terrane graph | dot -Tsvg > graph.svg
  terrane graph modules/vpc --format json | jq '.edges[] | select(.from == \"output.id\")'";

const CHECK_EXAMPLES: &str = "\
Examples:
  terrane check                              the files of the current directory
  terrane check -recursive --format compact  a line for each mistake, anywhere below
  terrane check main.tf job.nomad --format json
  terrane check . --schemas providers.json   resources, too, against their providers
  terrane check -recursive --format sarif > terrane.sarif
  terrane check images -var-file prod.pkrvars.hcl    a Packer template, as `packer validate`

Exit codes: 0 no errors, 1 errors, 2 a file or directory could not be read.";

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The directory of the root module or of a Packer template, or a single template file.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) dir: PathBuf,

    /// What to print, such as `output.name`, `local.tags` or `module.a.aws_vpc.main`; everything if absent.
    #[arg(value_name = "ADDRESS")]
    pub(crate) addresses: Vec<String>,

    /// Read no file outside of this directory, whatever the configuration says.
    #[arg(long, value_name = "DIR")]
    pub(crate) sandbox: Option<PathBuf>,

    /// Print JSON, its `outputs` in the shape of `terraform output -json`.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show sensitive and ephemeral values.
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// Print what is known also where there are errors; the exit code stays 1.
    #[arg(long)]
    pub(crate) keep_going: bool,

    /// Say nothing of what was evaluated and how long it took.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Of a Packer template, keep only the builds whose names match, such as `*.docker.*`; also written `-only`.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Of a Packer template, leave out builds and post-processors whose names match; also written `-except`.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) except: Vec<String>,

    /// Of a Packer template, warn about values in variable files for variables that are not declared; also written
    /// `-warn-on-undeclared-var`.
    #[arg(long)]
    pub(crate) warn_on_undeclared_var: bool,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

#[derive(Args, Debug)]
pub(crate) struct Console {
    /// The directory of the root module; without it the current directory, which need not be one.
    pub(crate) dir: Option<PathBuf>,

    /// Answer requests: a JSON object on each line of standard input, such as {"id":1,"expr":"1 + 1"}.
    #[arg(long)]
    pub(crate) json: bool,

    /// Read no file outside of this directory, whatever the expressions and the configuration say.
    #[arg(long, value_name = "DIR")]
    pub(crate) sandbox: Option<PathBuf>,

    /// Evaluate in an instance of a called module, such as 'module.a["k"]', instead of the root module.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "scope")]
    pub(crate) module_instance: Option<String>,

    /// Evaluate over the variables that a JSON file describes, as `var`, and not in a module.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dir", "var", "var_file", "modules", "schemas", "strict_inputs", "workspace"])]
    pub(crate) scope: Option<PathBuf>,

    /// Show sensitive and ephemeral values.
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// Which configuration is meant, and the values of its variables.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    #[command(flatten)]
    pub(crate) values: Values,

    /// Select a workspace, the value of `terraform.workspace`.
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,

    /// Treat a variable that has neither a value nor a default as an error, as a plan does.
    #[arg(long)]
    pub(crate) strict_inputs: bool,

    /// Read the module with this source from a directory; may be repeated.
    #[arg(long = "module", value_name = "SOURCE=DIR", value_parser = stand_in)]
    pub(crate) modules: Vec<(String, String)>,

    /// Read what providers have from a file, which `terraform providers schema -json` writes: their resources then have
    /// types, and what they do not have is an error. May be repeated.
    #[arg(long, value_name = "FILE", value_parser = schemas)]
    pub(crate) schemas: Vec<Schemas>,

    /// The product, with an edition behind a dash: `packer`, `terraform-1.11`, `opentofu`, or `modules`. Without it,
    /// the files of the directory tell.
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<Dialect>,
}

/// Values for variables. The order among both options counts, so they are read by [`in_order`].
#[derive(Args, Debug)]
pub(crate) struct Values {
    /// Set a variable; also written `-var`.
    #[arg(long = "var", value_name = "NAME=VALUE")]
    var: Vec<String>,

    /// Set variables from a file; also written `-var-file`.
    #[arg(long = "var-file", value_name = "FILE")]
    var_file: Vec<PathBuf>,

    /// Both, in the order of the command line.
    #[arg(skip)]
    pub(crate) assignments: Vec<Assignment>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// The arguments of the program, its name first.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let matches = Arguments::command().try_get_matches_from(long_options(arguments))?;
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    if let Some((_, matches)) = matches.subcommand() {
        let values = match &mut arguments.command {
            Command::Eval(eval) => &mut eval.inputs.values,
            Command::Console(console) => &mut console.inputs.values,
            Command::Graph(graph) => &mut graph.inputs.values,
            Command::Check(check) => &mut check.values,
            Command::Fmt(_) | Command::Decode(_) | Command::Functions(_) => {
                return Ok(arguments);
            }
        };
        values.assignments = in_order(values, matches).map_err(|reason| {
            // The title that the products give it.
            let text = format!("Invalid -var option\n\n{reason}");
            Arguments::command().error(clap::error::ErrorKind::ValueValidation, text)
        })?;
    }
    Ok(arguments)
}

/// Options with one dash and several letters, as Terraform writes them, with two dashes.
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

/// The schemas in a file.
pub(crate) fn schemas(path: &str) -> Result<Schemas, String> {
    let bytes = OsFiles.read(Path::new(path)).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    schemas_from_json(&text).map_err(|error| error.to_string())
}

/// A source and a directory. There may be more equals signs in the source, as in `?ref=v1`.
pub(crate) fn stand_in(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((source, directory)) if !source.is_empty() => Ok((source.to_owned(), directory.to_owned())),
        Some(_) | None => Err("write it as SOURCE=DIR".to_owned()),
    }
}

fn assignment(text: &str) -> Result<Assignment, String> {
    match text.split_once('=') {
        Some((name, _)) if name.trim().is_empty() => {
            Err(format!("There is nothing before the `=` of {text:?}: write it as NAME=VALUE."))
        }
        Some((name, _)) if name.ends_with(char::is_whitespace) => {
            Err(format!("There is a space before the `=` of {text:?}: write it as NAME=VALUE."))
        }
        Some((name, value)) => Ok(Assignment::Variable(name.to_owned(), value.to_owned())),
        None => Err(format!("There is no `=` in {text:?}: write it as NAME=VALUE.")),
    }
}

fn in_order(values: &Values, matches: &clap::ArgMatches) -> Result<Vec<Assignment>, String> {
    let positions = |name| matches.indices_of(name).into_iter().flatten();
    let variables = values.var.iter().map(|text| assignment(text)).collect::<Result<Vec<_>, _>>()?;
    let files = values.var_file.iter().map(|file| Assignment::File(file.clone()));
    let mut all: Vec<(usize, Assignment)> =
        positions("var").zip(variables).chain(positions("var_file").zip(files)).collect();
    all.sort_by_key(|(position, _)| *position);
    Ok(all.into_iter().map(|(_, assignment)| assignment).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Arguments, clap::Error> {
        parse(line.split(' ').map(OsString::from))
    }

    fn eval(line: &str) -> Eval {
        match parsed(line).expect("valid arguments").command {
            Command::Eval(eval) => eval,
            Command::Console(_)
            | Command::Graph(_)
            | Command::Fmt(_)
            | Command::Check(_)
            | Command::Decode(_)
            | Command::Functions(_) => {
                panic!("`eval` was given")
            }
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn one_dash_is_enough_and_the_order_is_kept() {
        let eval = eval("terrane eval dir -var a=1 --var-file=x.tfvars -json -var=b==2 -var-file y output.c");
        assert!(eval.json);
        assert_eq!((eval.dir, eval.addresses), (PathBuf::from("dir"), vec!["output.c".to_owned()]));
        let variable = |name: &str, value: &str| Assignment::Variable(name.to_owned(), value.to_owned());
        assert_eq!(
            eval.inputs.values.assignments,
            [
                variable("a", "1"),
                Assignment::File("x.tfvars".into()),
                variable("b", "=2"),
                Assignment::File("y".into()),
            ]
        );
    }

    #[test]
    fn behind_two_dashes_nothing_is_an_option() {
        let eval = eval("terrane eval . -- -var");
        assert_eq!(eval.addresses, ["-var"]);
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
