//! The modules that a load has read so far, and everything that was found about them.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexSet;
use terrane_config::address::ModulePath;
use terrane_config::damaged_values::DamagedFile;
use terrane_function::RAISE_MEMORY;
use terrane_source::{Diagnostic, Diagnostics, FileId, ids};

use crate::load::directory::Directory;
use crate::model::ids::{Arena, CallId, DirectoryId, MissingModuleId, NodeId};
use crate::model::module::Module;
use crate::model::tree::{MissingModule, ModuleNode};

/// Limit on the module calls of a configuration, each counted as often as its module is called.
const MAX_CALLS: usize = 100_000;

/// The modules that a load has read so far.
#[derive(Default)]
pub(crate) struct LoadedModules {
    /// The modules; a caller comes before the modules that it calls.
    pub(crate) nodes: Arena<NodeId, ModuleNode>,
    /// The absolute directories of the modules.
    pub(super) canonical: Arena<NodeId, PathBuf>,
    pub(crate) missing_modules: Arena<MissingModuleId, MissingModule>,
    /// The files that were read.
    pub(crate) files: IndexSet<FileId>,
    pub(crate) diagnostics: Diagnostics,
    /// The number of errors about text that cannot be read.
    pub(crate) syntax_errors: usize,
    /// The number of errors in declarations.
    pub(crate) declaration_errors: usize,
    /// Files with syntax errors, and files that cannot be read.
    pub(crate) damaged: IndexSet<DamagedFile>,
    /// Whether loading was stopped, or a module is not for this version of the product.
    pub(crate) is_stopped: bool,
    /// The number of calls of all modules so far.
    calls: usize,
    /// The memory of the declarations, references and texts of all called modules so far.
    bytes: u64,
}

/// The directory of the root module.
pub(super) struct RootDirectory {
    /// The directory, if it can be read.
    pub(super) read: Option<(DirectoryId, Arc<Directory>)>,
    /// An error about the directory as a whole.
    pub(super) diagnostic: Option<Diagnostic>,
}

impl RootDirectory {
    /// Returns the directory in case of an error, without a module.
    pub(super) fn without_module(error: Diagnostic) -> RootDirectory {
        RootDirectory { read: None, diagnostic: Some(error) }
    }
}

/// A module that a call leads to.
pub(super) struct CalledModule {
    pub(super) node: ModuleNode,
    pub(super) directory: Arc<Directory>,
    /// The absolute path of the directory, without links.
    pub(super) canonical: PathBuf,
}

/// The outcome of following a call.
pub(super) struct FollowedCall {
    /// The called module, or the reason why it cannot be read.
    pub(super) called: Result<CalledModule, Box<MissingModule>>,
    /// Errors and warnings about the call, apart from the arguments and from the directory of the called module.
    pub(super) diagnostics: Diagnostics,
    /// Errors and warnings about the arguments of the call.
    pub(super) of_arguments: Diagnostics,
}

impl LoadedModules {
    /// Adds the root module, and returns it; an empty one if its directory cannot be read.
    pub(super) fn add_root(&mut self, root: RootDirectory) -> Arc<Module> {
        self.diagnostics.extend(root.diagnostic);
        let (directory, module) = match root.read {
            Some((id, directory)) => {
                self.add_directory(&directory);
                (Some(id), Arc::clone(&directory.module))
            }
            None => (None, Arc::default()),
        };
        self.calls = module.calls.len();
        self.nodes.push(ModuleNode {
            path: ModulePath::ROOT,
            module_dir: ".".to_owned(),
            caller: None,
            found: None,
            called: no_calls(&module),
            directory,
            module: Arc::clone(&module),
        });
        module
    }

    /// Adds the outcome of following a call in the module `caller`. Returns the called module, if it could be read.
    pub(super) fn add_called(&mut self, caller: &Module, followed: FollowedCall) -> Option<NodeId> {
        let FollowedCall { called, diagnostics, of_arguments } = followed;
        let is_sound = |found: &Diagnostic| !caller.doubt.silences(found);
        self.diagnostics.extend(diagnostics.into_iter().filter(is_sound));
        if let Ok(called) = &called {
            self.add_directory(&called.directory);
        }
        self.diagnostics.extend(of_arguments.into_iter().filter(is_sound));
        match called {
            Ok(CalledModule { node, canonical, .. }) => {
                self.calls = self.calls.saturating_add(node.module.calls.len());
                self.bytes = self.bytes.saturating_add(node.module.bytes_of_call());
                self.canonical.push(canonical);
                Some(self.nodes.push(node))
            }
            Err(missing) => {
                self.missing_modules.push(*missing);
                None
            }
        }
    }

    /// Adds the diagnostics of a directory, which the doubt about its own module has sifted, and counts its files and errors.
    fn add_directory(&mut self, directory: &Directory) {
        self.diagnostics.extend(directory.diagnostics.as_slice().iter().cloned());
        self.is_stopped |= directory.is_refused;
        self.syntax_errors += directory.syntax_errors;
        self.declaration_errors += directory.declaration_errors;
        self.damaged.extend(directory.damaged.iter().cloned());
        self.files.extend(directory.files.iter().cloned());
    }

    /// Returns the error about a called module with which the configuration has too many calls, or its declarations, references and
    /// texts take more than `most` bytes.
    pub(super) fn too_large(&self, module: &Module, most: u64) -> Option<Diagnostic> {
        if self.calls.saturating_add(module.calls.len()) > MAX_CALLS {
            let detail = format!(
                "The configuration has more than {MAX_CALLS} module calls, each counted as often as its module is \
                 called. This call is left out."
            );
            return Some(Diagnostic::error(ids::LIMIT_EXCEEDED, detail));
        }
        (self.bytes.saturating_add(module.bytes_of_call()) > most).then(|| {
            let detail = format!(
                "The declarations of all called modules, each counted as often as its module is called, would take more \
                 than {most} bytes of memory. This call is left out."
            );
            Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_MEMORY)
        })
    }

    /// Whether errors were found other than syntax errors.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_stopped || self.diagnostics.errors() > self.syntax_errors
    }
}

/// Returns a place for the called module of each call, all empty.
pub(super) fn no_calls(module: &Module) -> Arena<CallId, Option<NodeId>> {
    module.calls.ids().map(|_| None).collect()
}
