//! The options of `terrane eval`.

use std::path::PathBuf;

use clap::Args;

use crate::options::Inputs;

pub(crate) const EXAMPLES: &str = "\
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

#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The directory of the root module or of a Packer template, or a single template file.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) dir: PathBuf,

    /// Addresses to print, such as `output.name`, `local.tags` or `module.a.aws_vpc.main`; all values if absent.
    #[arg(value_name = "ADDRESS")]
    pub(crate) addresses: Vec<String>,

    /// Read no file outside this directory, even where the configuration refers to one.
    #[arg(long, value_name = "DIR")]
    pub(crate) sandbox: Option<PathBuf>,

    /// Print JSON, its `outputs` in the shape of `terraform output -json`.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show sensitive and ephemeral values.
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// Print the known values even if there are errors; the exit code stays 1.
    #[arg(long)]
    pub(crate) keep_going: bool,

    /// Print no summary of counts and duration.
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
