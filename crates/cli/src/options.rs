//! Options that several commands share: values of variables, schemas, stand-ins for modules, colours.
//!
//! A documentation comment on a struct of options would replace the description of each command with these options, so the
//! structs have ordinary comments.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Args, Command, ValueEnum};
use terrane::config::Assignment;
use terrane::{Dialect, GivenText, is_workspace_name};

// The directory that confines the files to read.
#[derive(Args, Debug)]
pub(crate) struct Sandbox {
    /// Read no file outside of this directory, even if the configuration refers to one.
    #[arg(id = "sandbox", long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Sandbox {
    pub(crate) fn as_deref(&self) -> Option<&Path> {
        self.directory.as_deref()
    }
}

// Options that select a configuration and set its variables.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    #[command(flatten)]
    pub(crate) values: Values,

    /// Select a workspace: the value of `terraform.workspace`. Without it: `TF_WORKSPACE`, then the workspace selected in
    /// the data directory, then `default`.
    #[arg(long, value_name = "NAME", value_parser = workspaces)]
    pub(crate) workspace: Option<String>,

    /// Report an error for each variable that has neither a value nor a default. Without it, such a variable is unknown.
    #[arg(long)]
    pub(crate) strict_inputs: bool,

    #[command(flatten)]
    pub(crate) modules: ModuleSources,

    /// Give a value for an attribute that a provider sets, or an output of a module that is not on disk, such as
    /// `data.aws_region.here.name="eu-west-1"`; may be repeated. Without instance keys, it applies to all instances.
    #[arg(long = "set", value_name = "ADDRESS=VALUE", value_parser = GivenParser)]
    pub(crate) given: Vec<GivenText>,

    /// Give values as in tests: a file such as `zones.tftest.hcl` or `aws.tfmock.hcl`, or a directory of them, with `mock_provider`
    /// and `override_` blocks; may be repeated. --set takes precedence.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) mocks: Vec<PathBuf>,

    /// Give the outputs of a `terraform_remote_state` data source: from a state, the output of `terraform output -json` or
    /// `terraform show -json`, or from another root module, which is evaluated, such as
    /// `data.terraform_remote_state.network=../network`; may be repeated.
    #[arg(long = "remote-state", value_name = "ADDRESS=FILE|DIR", value_parser = remote_state)]
    pub(crate) remote_state_paths: Vec<GivenText>,

    /// Leave data sources unknown that can be computed from their arguments, such as `aws_iam_policy_document`.
    #[arg(long)]
    pub(crate) no_computed_data: bool,

    /// Read provider schemas from a file: the output of `terraform providers schema -json`, or a file of `terrane schemas
    /// import`; may be repeated. Resources then have the types of their providers, and their arguments are checked.
    #[arg(id = "schemas", long = "schemas", value_name = "FILE")]
    pub(crate) schema_files: Vec<PathBuf>,

    /// Look for no schemas in the store of `terrane schemas`. Without it, those of the versions in `.terraform.lock.hcl` are used.
    #[arg(long)]
    pub(crate) no_schema_store: bool,

    #[command(flatten)]
    pub(crate) state: PriorState,

    /// Select product and edition: `terraform`, `opentofu`, `packer`, with an edition as in `terraform-1.11`, or `modules`
    /// for Terraform and OpenTofu together. Without it, `packer` for a template, the product of the registry in
    /// `.terraform.lock.hcl`, and `modules` otherwise.
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<Dialect>,
}

// Options for the directories of modules whose sources are not local.
#[derive(Args, Debug)]
pub(crate) struct ModuleSources {
    /// Read the module with this source from a directory, such as `hashicorp/consul/aws=../consul`; may be repeated.
    #[arg(long = "module", value_name = "SOURCE=DIR", value_parser = stand_in, action = ArgAction::Append)]
    pub(crate) directories: Vec<(String, String)>,

    /// Read modules from directories that a file lists, with lines such as `terraform-aws-modules/*/aws = vendor/*`; may be
    /// repeated. --module takes precedence.
    #[arg(long = "module-map", value_name = "FILE")]
    pub(crate) map_files: Vec<PathBuf>,

    /// Read an installed module even if its call now asks for another source or version, with a warning.
    #[arg(long)]
    pub(crate) allow_changed_modules: bool,
}

// Values for variables. The order across both options counts: [`in_order`].
#[derive(Args, Debug)]
pub(crate) struct Values {
    /// Set a variable; may be repeated. Also written `-var`.
    #[arg(long = "var", value_name = "NAME=VALUE")]
    var: Vec<String>,

    /// Set variables from a file; may be repeated. Also written `-var-file`.
    #[arg(long = "var-file", value_name = "FILE")]
    var_file: Vec<PathBuf>,
}

/// The values of a state that are used.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum StateValues {
    Unchanged,
    Prior,
}

// The state that an evaluation begins with.
#[derive(Args, Debug)]
pub(crate) struct PriorState {
    /// Read the state that the evaluation begins with from a file: a state file, or the output of `terraform show -json`; or
    /// from the state file that the local backend of a root module has, given its directory, with several workspaces a file for
    /// each. Attributes that providers have set are then known where nothing about the resource changes. `-` is standard input.
    #[arg(id = "state", long = "state", value_name = "FILE|DIR")]
    pub(crate) file: Option<PathBuf>,

    /// Read the plan of the configuration from a file: the output of `terraform show -json PLANFILE`. Attributes then have the
    /// values that the providers have planned. `-` is standard input.
    #[arg(id = "plan_file", long = "plan", value_name = "FILE", conflicts_with = "state")]
    pub(crate) plan_file: Option<PathBuf>,

    /// The values of the state to use for attributes that providers set: `unchanged`, those of objects about which nothing
    /// changes, or `prior`, those of all objects. A prior value need not be the one after an apply.
    #[arg(long = "state-values", value_name = "WHICH", requires = "state")]
    pub(crate) values: Option<StateValues>,
}

impl PriorState {
    /// Returns the files of the options.
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.file.iter().chain(&self.plan_file)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Inputs {
    /// Returns the files and directories that the options name.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let files =
            self.schema_files.iter().chain(self.state.paths()).chain(&self.mocks).map(PathBuf::as_path);
        let files = files.chain(self.remote_state_paths.iter().map(|given| Path::new(&given.value)));
        self.modules.paths().chain(files).chain(self.values.paths())
    }
}

impl ModuleSources {
    /// Returns the directories and files that the options name.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let directories = self.directories.iter().map(|(_, directory)| Path::new(directory));
        directories.chain(self.map_files.iter().map(PathBuf::as_path))
    }
}

impl Values {
    /// Returns the files with values.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.var_file.iter().map(PathBuf::as_path)
    }
}

/// Reads the name of a workspace, or several names separated by commas.
fn workspaces(names: &str) -> Result<String, String> {
    if !names.split(',').all(is_workspace_name) {
        let rule = "the name of a workspace consists of letters, digits and the characters -_.~$&+=:@";
        return Err(rule.to_owned());
    }
    let mut met = HashSet::new();
    match names.split(',').find(|name| !met.insert(*name)) {
        Some(twice) => Err(format!("it names the workspace {twice} twice")),
        None => Ok(names.to_owned()),
    }
}

/// Makes a directory the working directory.
pub(crate) fn enter(directory: &Path) -> Result<(), String> {
    std::env::set_current_dir(directory).map_err(|error| {
        let is_missing = error.kind() == ErrorKind::NotFound;
        if is_missing { "there is no such directory".to_owned() } else { error.to_string() }
    })
}

/// Reads paths of files and directories, and refuses URLs.
pub(crate) fn local_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_str() {
        Some(text) if is_remote(text) => Err("Terrane downloads nothing: give the path of a local copy"),
        _ => Ok(path),
    })
}

/// Whether a text is a URL, or the address of a repository as `ssh` writes it: `git@github.com:acme/net.git`.
fn is_remote(text: &str) -> bool {
    let is_host = |host: &str| host.contains('@') && !host.contains(['/', '\\']);
    text.contains("://") || text.split_once(':').is_some_and(|(host, _)| is_host(host))
}

/// Reads the value for an address. An error does not show the text, which may be a secret.
#[derive(Clone)]
struct GivenParser;

impl TypedValueParser for GivenParser {
    type Value = GivenText;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<GivenText, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        text.parse().map_err(|reason: String| {
            let text = format!("invalid value for '--set <ADDRESS=VALUE>': {reason}\n");
            clap::Error::raw(clap::error::ErrorKind::ValueValidation, text).with_cmd(command)
        })
    }
}

/// Reads the address of a data source and a path.
fn remote_state(text: &str) -> Result<GivenText, &'static str> {
    text.parse().map_err(|_: String| {
        "write it as ADDRESS=FILE or ADDRESS=DIR, such as data.terraform_remote_state.network=network.json"
    })
}

/// Reads a source and a directory. The source may contain further equals signs, as in `?ref=v1`.
fn stand_in(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((source, directory)) if !source.is_empty() => Ok((source.to_owned(), directory.to_owned())),
        Some(_) | None => Err("write it as SOURCE=DIR".to_owned()),
    }
}

/// Reads the value of a variable. An error does not show the text, which may be a secret.
fn assignment(text: &str) -> Result<Assignment, String> {
    match text.split_once('=') {
        Some((name, _)) if name.trim().is_empty() => {
            Err("There is nothing before the `=`: write it as NAME=VALUE.".to_owned())
        }
        Some((name, _)) if name.ends_with(char::is_whitespace) => {
            Err(format!("There is a space before the `=`, after the name {name:?}: write it as NAME=VALUE."))
        }
        Some((name, value)) => Ok(Assignment::Variable(name.to_owned(), value.to_owned())),
        None => Err("There is no `=` in it: write it as NAME=VALUE.".to_owned()),
    }
}

/// Returns the assignments in the order of the command line.
pub(crate) fn in_order(values: &Values, matches: &clap::ArgMatches) -> Result<Vec<Assignment>, String> {
    let positions = |name| matches.indices_of(name).into_iter().flatten();
    let variables = values.var.iter().map(|text| assignment(text)).collect::<Result<Vec<_>, _>>()?;
    let files = values.var_file.iter().map(|file| Assignment::File(file.clone()));
    let mut all: Vec<(usize, Assignment)> =
        positions("var").zip(variables).chain(positions("var_file").zip(files)).collect();
    all.sort_unstable_by_key(|(position, _)| *position);
    Ok(all.into_iter().map(|(_, assignment)| assignment).collect())
}
