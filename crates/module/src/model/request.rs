//! The request: which configuration to load, in which dialect and phase, with which inputs.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use terrane_config::InputSources;
use terrane_config::state::{State, StoredPlan};
use terrane_eval::FunctionTable;
use terrane_function::{Dialect, Function, Host, Limits};

use crate::model::executor::{Executor, InPlace};
use crate::model::given::{GivenText, RemoteOutputs};
use crate::model::module_map::ModuleMap;
use crate::model::paths::join;
use crate::model::schemas::Schemas;
use crate::rules::phase::Phase;

/// A configuration to load, and how to read it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The directory of the root module, as the user names it.
    pub directory: PathBuf,
    /// The product and edition that the configuration is written for.
    pub dialect: Dialect,
    /// The value of `terraform.workspace`; without it, the workspace that is selected in the directory.
    pub workspace: Option<String>,
    /// Directory with the installed modules and the selected workspace; `.terraform` in the directory without it.
    pub data_directory: Option<PathBuf>,
    /// Phase being simulated.
    pub phase: Phase,
    /// Facts about the machine and the run that functions may read. The home directory is the usual one: values that a
    /// plan cannot know are unknown.
    pub host: Host,
    /// Limits on time, memory and depth.
    pub limits: Limits,
    /// Functions beside those of the library, such as the ones of providers: `provider::time::rfc3339_parse`.
    pub functions: Vec<Function>,
    /// The local names of providers whose functions are all among `functions`: any other one is an error.
    pub known_providers: BTreeSet<String>,
    /// Where the variables of the root module get their values.
    pub inputs: InputSources,
    /// Values for attributes that providers set, and for outputs of modules that are not on disk. Of two for the same address
    /// the later one counts, and one for an instance counts before one for all instances.
    pub given: Vec<GivenText>,
    /// Files in the syntax of tests, and directories of them, with values for the same: `mock_provider` and `override_` blocks. The
    /// values of `given` count first.
    pub mocks: Vec<PathBuf>,
    /// Outputs for data sources of the type `terraform_remote_state`. Without them, only states of the local backend are read.
    pub remote_states: Vec<RemoteOutputs>,
    /// The state that the evaluation begins with: attributes that providers have set are known from it.
    pub state: Option<Arc<State>>,
    /// Whether recorded values count also where something about the object changes.
    pub uses_prior_values: bool,
    /// The plan of the configuration, which has the values that providers have planned.
    pub plan: Option<Arc<StoredPlan>>,
    /// Whether data sources that follow from their arguments are computed.
    pub computes_data: bool,
    /// Whether the values of parts of expressions that take many steps are kept, for a reader of the finished evaluation that asks for them.
    pub keeps_parts: bool,
    /// Directories to read instead of modules that are not local, by the source or the package of the source:
    /// `hashicorp/consul/aws`. They are relative to the working directory.
    pub modules: Vec<(String, PathBuf)>,
    /// More directories, for sources that match patterns. Those of `modules` count first.
    pub module_map: ModuleMap,
    /// Whether an installed module is read although the call now asks for another source or version, with a warning.
    /// Otherwise that is an error, as in the products.
    pub allows_changed_modules: bool,
    /// Schemas of providers. Resources of other providers are open: their configured attributes are known, the rest is
    /// unknown.
    pub schemas: Schemas,
    /// The threads that evaluate steps which do not depend on each other. The values are the same with any number of threads.
    pub executor: Arc<dyn Executor>,
}

impl Request {
    /// The module in `directory`, in the default dialect and the default workspace.
    pub fn new(directory: impl Into<PathBuf>) -> Request {
        let dialect = Dialect::default();
        Request {
            directory: directory.into(),
            dialect,
            workspace: None,
            data_directory: None,
            phase: Phase::default(),
            host: Host::default(),
            limits: Limits::default(),
            functions: Vec::new(),
            known_providers: BTreeSet::new(),
            inputs: InputSources::default(),
            given: Vec::new(),
            mocks: Vec::new(),
            remote_states: Vec::new(),
            state: None,
            uses_prior_values: false,
            plan: None,
            computes_data: true,
            keeps_parts: false,
            modules: Vec::new(),
            module_map: ModuleMap::default(),
            allows_changed_modules: false,
            schemas: Schemas::default(),
            executor: Arc::new(InPlace),
        }
    }

    /// The directory with the installed modules and the selected workspace.
    pub(crate) fn data_directory(&self) -> PathBuf {
        self.data_directory.clone().unwrap_or_else(|| join(&self.directory, ".terraform"))
    }

    /// The functions that expressions may call: added functions, and library functions with other names.
    pub(crate) fn function_table(&self) -> FunctionTable {
        let rows = self.functions.iter().cloned().chain(terrane_stdlib::functions());
        FunctionTable::of(self.dialect, rows.collect())
    }
}

/// The characters in names of workspaces besides letters and digits.
pub(crate) const WORKSPACE_CHARACTERS: &str = "-_.~$&+=:@";

/// Whether a workspace can have this name: not empty, and only characters that a segment of a URL has unescaped.
pub fn is_workspace_name(name: &str) -> bool {
    let is_allowed =
        |character: char| character.is_ascii_alphanumeric() || WORKSPACE_CHARACTERS.contains(character);
    !name.is_empty() && name.chars().all(is_allowed)
}
