//! The options of `terrane eval`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::options::{Inputs, Sandbox, local_path};
use crate::provider_functions::ProviderFunctions;
use crate::report_format::ReportFormat;
use crate::switch::{Switch, is_on};

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane eval                                               every value of the current directory
  terrane eval modules/vpc -var-file test.tfvars             a module with values for its variables
  terrane eval . local.tags 'module.subnets[\"web\"]'          some values
  terrane eval . 'module.*.output' 'aws_subnet.web[*].id'     all values that match
  terrane eval . '{for k, v in module.x : k => v.id}'        an expression
  terrane eval . --raw output.vpc_range                      a string without quotes
  terrane eval . --json | jq .outputs.vpc_range.value        one value for a script
  terrane eval . --require-known=output.ids                  exit code 1 if a value is unknown
  terrane eval -recursive                                    every root module below
  terrane eval -recursive . output.region                    a value of all roots that have it
  terrane eval -recursive --format github                    errors as annotations of GitHub
  terrane eval . --matrix 'env/*.tfvars'                     values that differ between environments
  terrane eval . --matrix 'env/*.tfvars' output.ids          a value in each environment
  terrane eval images -only '*.ubuntu'                       some builds of a Packer template

Variables: TF_VAR_name in the environment, terraform.tfvars, *.auto.tfvars, then -var and
-var-file in the order given. Later values override earlier ones. A Packer template reads
PKR_VAR_name and *.auto.pkrvars.hcl instead.
SOURCE_DATE_EPOCH in the environment, in seconds since 1970, is the time of plantimestamp().
Modules: the directories of local modules, and the modules that `terraform init` has installed.
--module adds others. The outputs of a missing module are unknown.

Exit codes: 0 no errors, 1 errors in the configuration, an address that names nothing, or an
unknown value that --require-known asks for, 2 wrong arguments.";

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The directory of a root module or Packer template, or one template file. Without it, the current directory.
    #[arg(default_value = ".", hide_default_value = true, value_parser = local_path())]
    pub(crate) dir: PathBuf,

    /// Addresses of values to print, such as `output.name`, `module.a.aws_vpc.main`, or with `*` `module.*.id`; or expressions such
    /// as '{for k, v in module.x : k => v.id}'. Without any, all values.
    #[arg(value_name = "ADDRESS")]
    pub(crate) addresses: Vec<String>,

    #[command(flatten)]
    pub(crate) sandbox: Sandbox,

    /// Print JSON: all values, with `outputs` in the shape of `terraform output -json`.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the text of one value, such as a string, without quotes and without a line break, as `terraform output -raw`.
    #[arg(long, requires = "addresses", conflicts_with = "json")]
    pub(crate) raw: bool,

    /// Print errors and warnings in place of values, in this format, to standard output; with --require-known also the values
    /// that are not known.
    #[arg(long, value_enum, conflicts_with_all = ["json", "raw"])]
    pub(crate) format: Option<ReportFormat>,

    /// Evaluate every root module in the directory and below it. Also written `-recursive`.
    #[arg(long, value_name = "BOOL", require_equals = true, conflicts_with_all = ["raw", "matrix", "provider_functions"])]
    pub(crate) recursive: Option<Option<Switch>>,

    /// With --recursive, evaluate also modules that nothing calls, examples and tests.
    #[arg(long, requires = "recursive")]
    pub(crate) all: bool,

    /// Print sensitive and ephemeral values.
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// Print the known values even if the configuration has errors; the exit code stays 1.
    #[arg(long)]
    pub(crate) keep_going: bool,

    /// Fail with the reasons unless the value of this address is known; may be repeated. Without ADDRESS, this holds for the
    /// addresses to print or, if there are none, for all outputs of the root module.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) require_known: Vec<String>,

    /// Evaluate the module once for each variable file that matches, such as 'env/*.tfvars', and print the values that differ
    /// in a table, or the values of the addresses; may be repeated. A directory stands for all variable files in it together.
    /// With several names, separated by commas, --workspace does the same for workspaces.
    #[arg(long, value_name = "PATTERN", conflicts_with = "raw")]
    pub(crate) matrix: Vec<String>,

    /// Omit the summary: the number of objects, the duration and the unknown values.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Packer: evaluate only the builds whose names match, such as `*.docker.*`; may be repeated. Also written `-only`.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Packer: leave out builds and post-processors whose names match; may be repeated. Also written `-except`.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) except: Vec<String>,

    /// Packer: warn about values in variable files for undeclared variables. Also written `-warn-on-undeclared-var`.
    #[arg(long)]
    pub(crate) warn_on_undeclared_var: bool,

    #[command(flatten)]
    pub(crate) provider_functions: ProviderFunctions,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

impl Eval {
    /// Returns the files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.paths().chain([self.dir.as_path()])
    }

    /// Whether the command line asks for several environments of one root module.
    pub(crate) fn has_environments(&self) -> bool {
        !is_on(self.recursive, false) && (!self.matrix.is_empty() || self.workspaces().len() > 1)
    }

    /// Returns the names of workspaces on the command line.
    pub(super) fn workspaces(&self) -> Vec<&str> {
        let names = self.inputs.workspace.iter().flat_map(|names| names.split(','));
        names.filter(|name| !name.is_empty()).collect()
    }
}
