//! The request: which configuration to load, in which dialect and phase, with which inputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_config::state::{State, StoredPlan};
use terrane_config::{Address, InputSources};
use terrane_eval::FunctionTable;
use terrane_function::{Dialect, Function, Host, Limits};

use crate::model::executor::{Executor, InPlace};
use crate::model::given::{GivenText, RemoteOutputs};
use crate::model::module_map::ModuleMap;
use crate::model::schemas::Schemas;
use crate::rules::phase::Phase;
use terrane_source::paths::join;

/// A configuration to load, and how to read it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The directory of the root module, as the user gives it.
    pub directory: PathBuf,
    /// The directory without links, which the load finds if a link leads to `directory`: `..` in a path is the directory above it.
    pub real_directory: Option<PathBuf>,
    /// The product and edition for which the configuration is written.
    pub dialect: Dialect,
    /// The value of `terraform.workspace`; `None` for the workspace that is selected in the directory.
    pub workspace: Option<String>,
    /// The directory with the installed modules and the selected workspace; `None` for `.terraform` in the root module.
    pub data_directory: Option<PathBuf>,
    /// Phase being simulated.
    pub phase: Phase,
    /// Facts about the machine and the run that functions may read. Callers usually give only the home directory:
    /// values that a plan cannot know are unknown.
    pub host: Host,
    /// Limits on time, memory and depth.
    pub limits: Limits,
    /// Functions in addition to the library, such as provider functions: `provider::time::rfc3339_parse`.
    pub functions: Vec<Function>,
    /// The local names of providers whose functions are all in `functions`: any other function of them is an error.
    pub known_providers: BTreeSet<String>,
    /// The sources of values for the root variables.
    pub inputs: InputSources,
    /// Values for attributes that providers set, and for outputs of modules that are not on disk. If two have the same
    /// address, the later one counts; a value for an instance has precedence over a value for all instances.
    pub given: Vec<GivenText>,
    /// Mock files, and directories of them: their `mock_provider` and `override_` blocks give values for the same
    /// objects. The values of `given` have precedence.
    pub mocks: Vec<PathBuf>,
    /// Outputs for data sources of the type `terraform_remote_state`. Other data sources of the type read only
    /// states of the local backend.
    pub remote_states: Vec<RemoteOutputs>,
    /// The state with which the evaluation begins: attributes that providers have set get their values from it.
    pub state: Option<Arc<State>>,
    /// Whether recorded values are used even for objects that change.
    pub uses_prior_values: bool,
    /// The instances whose objects a plan replaces although nothing about them changes.
    pub replaced: BTreeSet<Address>,
    /// Whether the plan destroys everything. Errors that depend on a value then count only if a provider configuration reads the
    /// value.
    pub destroys: bool,
    /// The plan of the configuration, with the values that providers have planned.
    pub plan: Option<Arc<StoredPlan>>,
    /// Whether data sources that follow from their arguments are computed.
    pub computes_data: bool,
    /// Whether to keep the values of parts of expressions that take many steps, for queries about
    /// the finished evaluation.
    pub keeps_parts: bool,
    /// Directories to read instead of modules that are not local, by the source or its package: `hashicorp/consul/aws`.
    /// They are relative to the working directory.
    pub modules: Vec<(String, PathBuf)>,
    /// Further directories, for sources that match patterns. The directories in `modules` have precedence.
    pub module_map: ModuleMap,
    /// Whether to read an installed module, with a warning, although the call now asks for another source or version.
    /// Otherwise that is an error, as in Terraform and OpenTofu.
    pub allows_changed_modules: bool,
    /// Schemas of providers. Resources of a provider without schemas are open: their configured attributes are
    /// known, all others unknown.
    pub schemas: Schemas,
    /// The threads that evaluate steps independent of each other. The values are the same for any number of threads.
    pub executor: Arc<dyn Executor>,
}

impl Request {
    /// Returns a request for the module in `directory`, in the default dialect and the default workspace.
    pub fn new(directory: impl Into<PathBuf>) -> Request {
        let dialect = Dialect::default();
        Request {
            directory: directory.into(),
            real_directory: None,
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
            replaced: BTreeSet::new(),
            destroys: false,
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

    /// Returns the directory that relative paths in the configuration start at.
    pub(crate) fn base_directory(&self) -> &Path {
        self.real_directory.as_deref().unwrap_or(&self.directory)
    }

    /// Returns the directory with the installed modules and the selected workspace.
    pub fn data_directory(&self) -> PathBuf {
        self.data_directory.clone().unwrap_or_else(|| join(&self.directory, ".terraform"))
    }

    /// Returns the functions that expressions may call: added functions, and library functions
    /// that they do not replace.
    pub(crate) fn function_table(&self) -> FunctionTable {
        let rows = self.functions.iter().cloned().chain(terrane_stdlib::functions());
        FunctionTable::of(self.dialect, rows.collect())
    }
}

/// The characters in names of workspaces besides letters and digits.
pub(crate) const WORKSPACE_CHARACTERS: &str = "-_.~$&+=:@";

/// Whether a text can be the name of a workspace: not empty, and only characters that need no
/// escape in a segment of a URL.
pub fn is_workspace_name(name: &str) -> bool {
    let is_allowed =
        |character: char| character.is_ascii_alphanumeric() || WORKSPACE_CHARACTERS.contains(character);
    !name.is_empty() && name.chars().all(is_allowed)
}
