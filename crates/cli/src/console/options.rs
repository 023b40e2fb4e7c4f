//! The options of `terrane console`.

use std::path::PathBuf;

use clap::Args;
use terrane::Secrets;

use crate::options::Inputs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  echo 'cidrsubnet(\"10.0.0.0/16\", 8, 2)' | terrane console
  terrane console examples/network < expressions.txt
  echo 'legacy_isotime()' | terrane console --dialect packer
  echo '{\"id\": 1, \"expr\": \"keys(var.tags)\", \"type\": \"set(string)\"}' | terrane console . --json
  terrane console --json --scope variables.json < requests.jsonl > answers.jsonl";

#[derive(Args, Debug)]
pub(crate) struct Console {
    /// The directory of the root module; without it the current directory, which need not be one.
    pub(crate) dir: Option<PathBuf>,

    /// Answer requests: a JSON object on each line of standard input, such as {"id":1,"expr":"1 + 1"}.
    #[arg(long)]
    pub(crate) json: bool,

    /// Read no file outside this directory, even where an expression or the configuration refers to one.
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

impl Console {
    /// Whether sensitive values are printed.
    pub(super) fn secrets(&self) -> Secrets {
        if self.show_sensitive { Secrets::Shown } else { Secrets::Hidden }
    }
}
