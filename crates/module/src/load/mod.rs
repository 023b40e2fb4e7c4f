//! Reading a directory and all modules that it calls.

pub(crate) mod calls;
pub(crate) mod directory;
mod manifest;
mod stand_ins;

use std::path::PathBuf;
use std::sync::Arc;

use terrane_config::InputSources;
use terrane_config::address::ModulePath;
use terrane_eval::FunctionTable;
use terrane_function::{Dialect, Function, Host, Limits};
use terrane_source::{Diagnostic, Diagnostics, FileError, FileId, Files, ids};
use terrane_value::Origins;

use crate::graph::used_providers::UsedProviders;
use crate::inputs;
use crate::inputs::Inputs;
use crate::load::calls::Loader;
pub use crate::load::directory::{Cache, Directory, is_module};
pub use crate::load::stand_ins::StandIns;
use crate::model::ids::{Arena, CallId, Id, NodeId};
use crate::model::module::Module;
use crate::model::schemas::Schemas;
pub use crate::model::source::ModuleSource;
use crate::rules::Rules;
use crate::rules::phase::Phase;
use crate::static_value::Fixed;

/// How many modules a configuration may have, each counted as often as it is called.
const MAX_MODULES: usize = 100_000;

/// What to load and how to read it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The directory of the root module, as the user names it.
    pub directory: PathBuf,
    /// The product and edition that the configuration is written for.
    pub dialect: Dialect,
    /// The value of `terraform.workspace`; where nothing is given, the one that was selected in the directory.
    pub workspace: Option<String>,
    /// Where the product keeps what it has installed and selected; `.terraform` in the directory where nothing is given.
    pub data_directory: Option<PathBuf>,
    /// Phase being simulated.
    pub phase: Phase,
    /// What functions may see that differs from user to user and from run to run. Nothing but the home directory is
    /// usual: what a plan cannot know is unknown.
    pub host: Host,
    /// Bounds on what the evaluation may use up.
    pub limits: Limits,
    /// Functions beside those of the library, such as the ones of providers: `provider::time::rfc3339_parse`.
    pub functions: Vec<Function>,
    /// Where the variables of the root module get their values.
    pub inputs: InputSources,
    /// Directories that stand in for modules which are not local, by the source or the package of the source:
    /// `hashicorp/consul/aws`. They are relative to the working directory.
    pub modules: Vec<(String, PathBuf)>,
    /// What providers have. Resources of others are open: what is configured is known, the rest is unknown.
    pub schemas: Schemas,
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
            inputs: InputSources::default(),
            modules: Vec::new(),
            schemas: Schemas::default(),
        }
    }

    /// The functions that expressions may call: those that were added, and those of the library whose names are free.
    pub(crate) fn function_table(&self) -> FunctionTable {
        let rows = self.functions.iter().cloned().chain(terrane_stdlib::functions());
        FunctionTable::of(self.dialect, rows.collect())
    }
}

/// A root module and everything it calls, not yet evaluated.
#[derive(Debug)]
pub struct Config {
    /// The modules by [`NodeId`]; a caller comes before what it calls.
    pub(crate) nodes: Vec<ModuleNode>,
    /// The value of `terraform.workspace`.
    pub workspace: String,
    /// The calls of modules that are not on disk.
    pub absent: Vec<AbsentModule>,
    /// What was asked for.
    pub request: Request,
    /// The rules of its dialect.
    pub(crate) rules: Rules,
    /// The provider configurations that are evaluated.
    pub(crate) used_providers: UsedProviders,
}

/// A call of a module that is not on disk, so that its outputs are unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbsentModule {
    /// The calls that lead there.
    pub path: ModulePath,
    /// Its source; nothing where the source itself is not known.
    pub source: Option<String>,
    /// Why the source is not known, where it is not.
    pub causes: Origins,
}

impl Config {
    /// All modules; a caller comes before what it calls.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &ModuleNode)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::from_index(index), node))
    }

    /// The configuration that the module at `id` means by the name of a provider and an alias: where it is declared.
    pub(crate) fn provider_configuration(
        &self,
        id: NodeId,
        name: &str,
        alias: Option<&str>,
    ) -> Option<(NodeId, usize)> {
        crate::graph::used_providers::meant(&self.nodes, id, name, alias)
            .last()
            .map(|(owner, index, _)| (*owner, *index))
    }

    /// The module at `id`, which must come from this configuration.
    #[expect(clippy::indexing_slicing, reason = "ids are made only while the nodes are added")]
    pub fn node(&self, id: NodeId) -> &ModuleNode {
        &self.nodes[id.index()]
    }
}

/// A module at its place in the tree of calls.
#[derive(Debug)]
pub struct ModuleNode {
    /// The calls that lead here, without instance keys.
    pub path: ModulePath,
    /// What its directory declares.
    pub module: Arc<Module>,
    /// The value of `path.module`: the directory, as seen from the root module.
    pub module_dir: String,
    /// Who calls it, and which of the caller's calls it is; nothing for the root module.
    pub caller: Option<(NodeId, CallId)>,
    /// The called module for each call of [`Module::calls`], where it is on disk.
    pub called: Arena<CallId, Option<NodeId>>,
}

/// The outcome of [`load()`].
#[derive(Debug)]
pub struct Loaded {
    /// The configuration; empty where the directory could not be read.
    pub config: Config,
    /// The values of the variables of the root module.
    pub inputs: Inputs,
    /// The files of all modules, each once.
    pub files: Vec<FileId>,
    /// Everything that is wrong with it so far.
    pub diagnostics: Diagnostics,
    /// Whether a file could not be parsed, or loading was stopped: then parts are missing, and further errors may be due
    /// to that.
    pub damaged: bool,
    /// What became of the directories that stand in for modules.
    pub stand_ins: StandIns,
}

/// Reads the directory of the root module, every module called from there that is on disk, and the values of the
/// variables of the root module.
pub fn load(request: Request, files: &dyn Files) -> Loaded {
    let mut loaded = load_with(request, files, &Cache::default());
    loaded.diagnostics.extend(loaded.stand_ins.mistakes(&loaded.config.request.modules, files));
    loaded
}

/// As [`load()`], without reading again what is in `cache`. Whether the directories that stand in for modules are used is
/// not reported: [`StandIns`] tells it for all loads together.
pub fn load_with(request: Request, files: &dyn Files, cache: &Cache) -> Loaded {
    let mut loader = Loader::new(&request, files, cache);
    let rules = loader.rules;
    let root = if !rules.has_modules {
        let detail =
            "A Packer template is not a module. Evaluate it as a template, not as a directory of modules.";
        loader.diagnostics.push(Diagnostic::error(ids::NOT_SUPPORTED, detail));
        Arc::new(Module::default())
    } else {
        loader.root()
    };
    let mut found = Diagnostics::new();
    // Beside mistakes of other kinds, too, so that all is known at once. Where a declaration may not have been read to its end,
    // it is not known what is missing.
    let strict = request.inputs.strict && !loader.damaged;
    let sources = InputSources { strict, ..request.inputs.clone() };
    let collect = match request.phase {
        Phase::Validate => inputs::collect_for_validation,
        Phase::Plan | Phase::Console => inputs::collect,
    };
    loader.inputs = collect(&root, files, &sources, &mut found);
    let nodes = loader.tree(root);
    Fixed::new(&mut loader, &nodes).providers();
    Fixed::new(&mut loader, &nodes).storage();
    let mut diagnostics = loader.diagnostics;
    diagnostics.extend(found);
    let workspace = loader.workspace;
    let (inputs, absent, files, damaged) = (loader.inputs, loader.absent, loader.seen, loader.damaged);
    let mut stand_ins = loader.stand_ins;
    if damaged || diagnostics.has_errors() {
        stand_ins.set_incomplete();
    } else {
        crate::check::providers::check(&nodes, &request, &mut diagnostics);
    }
    let used_providers = UsedProviders::of(&nodes);
    diagnostics.extend(used_providers.mistakes(&nodes));
    let config = Config { nodes, workspace, absent, request, rules, used_providers };
    // Several calls of one module say the same.
    let diagnostics = rules.titled(diagnostics.distinct());
    Loaded { config, inputs, files: files.into_iter().collect(), diagnostics, damaged, stand_ins }
}

/// What to say where the root directory cannot be read.
fn unreadable_root(error: &FileError) -> Diagnostic {
    let detail = format!("{} Give the path of a directory with `.tf` files.", error.sentence());
    Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail)
}
