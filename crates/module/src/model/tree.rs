//! The tree of modules: the root module and every module that it calls, before evaluation.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use terrane_config::address::ModulePath;
use terrane_stdlib::DataSource;
use terrane_value::Origins;

use crate::model::computed_data::{Computability, LockedVersions, computable};
use crate::model::doubt::ModuleDoubt;
use crate::model::encryption::Encryption;
use crate::model::given::GivenValues;
use crate::model::ids::{Arena, CallId, CallInModule, DirectoryId, MissingModuleId, NodeId, ResourceId};
use crate::model::module::{Import, Module};
use crate::model::prior::PriorState;
use crate::model::provider::ProviderAddress;
use crate::model::refused_rows::RefusedRows;
use crate::model::request::Request;
use crate::rules::Rules;

/// A root module and the modules that it calls, before evaluation.
#[derive(Debug)]
pub struct Config {
    /// The modules; a caller comes before the modules that it calls.
    pub(crate) nodes: Arena<NodeId, ModuleNode>,
    /// The value of `terraform.workspace`.
    pub workspace: String,
    /// The calls of modules that are not on disk.
    pub missing_modules: Arena<MissingModuleId, MissingModule>,
    /// The ids of these calls by path.
    pub(crate) missing_by_path: HashMap<ModulePath, MissingModuleId>,
    /// The request for which the configuration was loaded.
    pub request: Request,
    /// The values given by hand, by their objects.
    pub(crate) given: GivenValues,
    /// The objects of a state and of a plan.
    pub(crate) recorded: Recordings,
    /// The versions of providers in the lock file; empty if no data source is computed according to them.
    pub(crate) locked: LockedVersions,
    /// The rows of data sources that the version constraints of the modules refuse. Computed on first use.
    pub(crate) refused: OnceLock<RefusedRows>,
    /// The rules of its dialect.
    pub(crate) rules: Rules,
    /// Set as soon as the secret arguments are hidden in their files.
    pub(crate) hidden_secrets: OnceLock<()>,
}

/// The objects of a state and of a plan, and how to decrypt further states.
#[derive(Clone, Default, Debug)]
pub(crate) struct Recordings {
    /// The state that the evaluation begins with.
    pub(crate) prior: Option<Arc<PriorState>>,
    /// The objects that a plan has for the configuration.
    pub(crate) planned: Option<Arc<PriorState>>,
    /// How to decrypt the states that the configuration reads.
    pub(crate) encryption: Encryption,
}

impl Recordings {
    /// Whether there are objects of a state or a plan.
    pub(crate) fn has_objects(&self) -> bool {
        self.prior.is_some() || self.planned.is_some()
    }

    /// Whether both have the same state, the same plan and the same encryption.
    pub(crate) fn is_same(&self, other: &Recordings) -> bool {
        let is_same = |one: &Option<Arc<PriorState>>, other: &Option<Arc<PriorState>>| match (one, other) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_same(&self.prior, &other.prior)
            && is_same(&self.planned, &other.planned)
            && self.encryption == other.encryption
    }
}

/// A call of a module that is not on disk or could not be read, so that its outputs are unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingModule {
    /// The calls that lead to it.
    pub path: ModulePath,
    /// Its source; `None` if that is not known.
    pub source: Option<String>,
    /// The reason why the source is unknown, or the error for which the module is not read. Empty if the module is not on disk.
    pub causes: Origins,
    /// The reason why the module is not on disk, in words, if any is known.
    pub reason: Origins,
    /// Whether the module is on disk, but from another source or in another version than the call asks for.
    /// [`Request::allows_changed_modules`](crate::Request) reads it.
    pub is_changed: bool,
}

impl Config {
    /// Whether the root module has `import` blocks.
    pub(crate) fn has_imports(&self) -> bool {
        !self.root().module.imports.is_empty()
    }

    /// Whether the module at a path, or a module that it is called from, is not on disk.
    pub fn is_missing_module(&self, path: &ModulePath) -> bool {
        let mut node = self.root();
        for (before, step) in path.steps().iter().enumerate() {
            let Some(call) = node.module.calls.id_of(&step.name) else { return false };
            match node.called[call] {
                Some(called) => node = self.node(called),
                None => return self.missing_by_path.contains_key(&path.beginning(before + 1).without_keys()),
            }
        }
        false
    }

    /// Returns the missing module at a path.
    pub(crate) fn missing_module_at(&self, path: &ModulePath) -> Option<&MissingModule> {
        Some(&self.missing_modules[*self.missing_by_path.get(path)?])
    }

    /// Returns the providers that resources and provider configurations of any module use.
    pub fn providers_in_use(&self) -> HashSet<ProviderAddress> {
        let of_module = |module: &Module| {
            let resources = module.resources.iter();
            let locals = resources.map(|(key, resource)| resource.local_provider(&key.resource_type));
            let configured = module.providers.values().map(|provider| &*provider.name);
            locals.chain(configured).map(|local| module.provider_address(local)).collect::<Vec<_>>()
        };
        self.nodes.iter().flat_map(|node| of_module(&node.module)).collect()
    }

    /// Returns the state with which the evaluation begins.
    pub fn prior(&self) -> Option<&PriorState> {
        self.recorded.prior.as_deref()
    }

    /// Returns the root module.
    pub fn root(&self) -> &ModuleNode {
        self.node(NodeId::ROOT)
    }

    /// Returns all modules; a caller comes before the modules that it calls.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &ModuleNode)> {
        self.nodes.enumerate()
    }

    /// Returns the row that computes a data source of `module`; `None` if it is not computed.
    pub(crate) fn computable(&self, module: &Module, id: ResourceId) -> Option<&'static DataSource> {
        match self.computability(module, id)? {
            Computability::Computed(row) => Some(row),
            Computability::Uncertain(..) => None,
        }
    }

    /// Returns whether a data source of `module` is computed; `None` if there is no row for it.
    pub(crate) fn computability(&self, module: &Module, id: ResourceId) -> Option<Computability> {
        if !self.request.computes_data {
            return None;
        }
        let (key, resource) = module.resources.entry_of(id);
        computable(module, key, resource, |row, provider| match self.locked.decide(row, provider) {
            Some(decided) => decided.err(),
            None => self.refused_by_constraints(row, provider),
        })
    }

    /// Returns the reason why the version constraints of all modules exclude the provider versions that compute as the
    /// row does; `None` if they do not. Terraform and OpenTofu install the newest allowed version.
    fn refused_by_constraints(&self, row: &DataSource, provider: &ProviderAddress) -> Option<String> {
        self.refused
            .get_or_init(|| RefusedRows::of(self.nodes.iter().map(|node| &*node.module)))
            .reason(row, provider)
            .cloned()
    }

    /// Returns the module that a path leads to from `node`, ignoring instance keys.
    pub(crate) fn module_at(&self, node: NodeId, path: &ModulePath) -> Option<NodeId> {
        path.steps().iter().try_fold(node, |node, step| {
            let caller = self.node(node);
            caller.called[caller.module.calls.id_of(&step.name)?]
        })
    }

    /// Returns the resource that an `import` block of the module at `node` imports, with its module.
    pub(crate) fn imported(&self, node: NodeId, import: &Import) -> Option<(NodeId, ResourceId)> {
        let owner = self.module_at(node, &import.to.module)?;
        let resource = self.node(owner).module.resources.id_of(import.to.resource.as_ref()?)?;
        Some((owner, resource))
    }

    /// Returns the module at `id`, which must come from this configuration.
    pub fn node(&self, id: NodeId) -> &ModuleNode {
        &self.nodes[id]
    }
}

/// How the directory of a called module was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundBy {
    /// By the source of the call, which is a path.
    Source,
    /// By a [directory](Request::modules) that the request gives for the source.
    Given,
    /// By a [line of a map](Request::module_map).
    Map,
    /// By the manifest: `init` has installed the module.
    Installation,
    /// By the manifest, although `init` has installed another source or version than the call asks for, which
    /// [`Request::allows_changed_modules`] accepts.
    OtherInstallation,
    /// By the work tree of the repository that contains the root module: the source is this repository.
    Repository,
}

impl FoundBy {
    /// Returns the name in documents, such as `other-installation`.
    pub fn name(self) -> &'static str {
        match self {
            FoundBy::Source => "source",
            FoundBy::Given => "given",
            FoundBy::Map => "map",
            FoundBy::Installation => "installation",
            FoundBy::OtherInstallation => "other-installation",
            FoundBy::Repository => "repository",
        }
    }
}

/// A module in the tree of calls.
#[derive(Debug)]
pub struct ModuleNode {
    /// The calls that lead to it, without instance keys.
    pub path: ModulePath,
    /// The declarations of its directory.
    pub module: Arc<Module>,
    /// The directory, which other calls may share; `None` for a root module that could not be read.
    pub(crate) directory: Option<DirectoryId>,
    /// The value of `path.module`: the directory, relative to the root module.
    pub module_dir: String,
    /// The module call of this module; `None` for the root module.
    pub caller: Option<CallInModule>,
    /// How its directory was found; `None` for the root module.
    pub found: Option<FoundBy>,
    /// The called module of each call in [`Module::calls`]; `None` if it is not on disk.
    pub called: Arena<CallId, Option<NodeId>>,
}

impl ModuleNode {
    /// Returns the doubt about the module.
    pub(crate) fn doubt(&self) -> ModuleDoubt<'_> {
        let Module { directory, doubt, .. } = &*self.module;
        ModuleDoubt { directory, is_root: self.caller.is_none(), doubt }
    }
}
