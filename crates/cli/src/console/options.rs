//! The options of `terrane console`.

use std::path::{Path, PathBuf};

use clap::Args;
use terrane::Secrets;

use crate::options::{Inputs, local_path};
use crate::provider_functions::ProviderFunctions;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane console examples/network
  terrane console --state terraform.tfstate                the objects of a state
  terrane console --state terraform.tfstate --planned      the values of its next plan
  echo 'cidrsubnet(\"10.0.0.0/16\", 8, 2)' | terrane console
  terrane console examples/network < expressions.txt
  echo 'legacy_isotime()' | terrane console --dialect packer
  echo '{\"id\": 1, \"expr\": \"keys(var.tags)\", \"type\": \"set(string)\"}' | terrane console . --json
  terrane console --json --scope variables.json < requests.jsonl > answers.jsonl

Exit codes: 0 no errors, 1 errors in the configuration, or without --json in an expression,
2 wrong arguments.";

#[derive(Args, Debug)]
pub(crate) struct Console {
    /// The directory of a root module or Packer template. Without it, the current directory, which may be empty.
    #[arg(value_parser = local_path())]
    pub(crate) dir: Option<PathBuf>,

    /// Answer requests: one JSON object per line of standard input, such as {"id":1,"expr":"1 + 1"}.
    #[arg(long)]
    pub(crate) json: bool,

    /// Read no file outside of this directory, even if an expression or the configuration refers to one.
    #[arg(long, value_name = "DIR")]
    pub(crate) sandbox: Option<PathBuf>,

    /// Evaluate in an instance of a called module, such as 'module.a["k"]', instead of the root module.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "scope")]
    pub(crate) module_instance: Option<String>,

    /// Evaluate with the variables of a JSON file, as `var.name`, instead of a module.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dir", "var", "var_file", "directories", "map_files", "allow_changed_modules", "given", "mocks", "provider_functions", "remote_state_paths", "schemas", "state", "plan_file", "strict_inputs", "workspace"])]
    pub(crate) scope: Option<PathBuf>,

    /// Print sensitive and ephemeral values.
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// With --state: evaluate as in a plan that begins with the state, like `terraform console -plan`.
    #[arg(long, requires = "state")]
    pub(crate) planned: bool,

    #[command(flatten)]
    pub(crate) provider_functions: ProviderFunctions,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

impl Console {
    /// Returns the files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let files = [self.dir.as_deref(), self.scope.as_deref()];
        self.inputs.paths().chain(files.into_iter().flatten())
    }

    /// Whether sensitive values are printed.
    pub(super) fn secrets(&self) -> Secrets {
        if self.show_sensitive { Secrets::Shown } else { Secrets::Hidden }
    }
}
