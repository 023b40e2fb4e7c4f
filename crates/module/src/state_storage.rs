//! Finds out where the root module keeps its state, and how OpenTofu encrypts it. Only the root module is read.

use std::path::PathBuf;
use std::sync::Arc;

use terrane_config::state_file::{InitializedBackend, initialized_backend};
use terrane_source::{Diagnostics, FileErrorKind, Files};
use terrane_value::{Type, Value, convert};

use crate::load::cache::Cache;
use crate::load::calls::Loader;
use crate::load::encryption;
use crate::load::loaded::LoadedModules;
use crate::model::encryption::Encryption;
use crate::model::ids::{Arena, NodeId};
use crate::model::module::Storage;
use crate::model::request::Request;
use crate::model::tree::ModuleNode;
use crate::rules::backends::{self, LocalBackend};
use terrane_source::paths::join;

/// The state file of a root module whose backend is local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateFile {
    /// The file of the selected workspace, which a plan begins with.
    pub of_plan: PathBuf,
    /// The file that the consoles of Terraform and OpenTofu read for every workspace and backend path: `terraform.tfstate`
    /// in the directory.
    pub of_console: PathBuf,
}

/// Returns how the states of the root module of a request are encrypted.
pub fn encryption(request: &Request, files: &dyn Files) -> Encryption {
    RootModule::read(request, files, |root| {
        encryption::encryption(
            request,
            &mut root.loader.statics.over(&root.loader.static_inputs, &root.nodes, &mut Diagnostics::new()),
        )
    })
}

/// Returns the state file of the root module of a request, as its local backend names it. The file need not exist.
///
/// # Errors
///
/// If the state is not in a file: the module has another backend, or the backend is not the one that `init` has set up.
pub fn state_file(request: &Request, files: &dyn Files) -> Result<StateFile, String> {
    RootModule::read(request, files, |root| root.state_file())
}

/// A root module, loaded without the modules that it calls.
struct RootModule<'r, 'f> {
    request: &'r Request,
    loader: &'f mut Loader<'r>,
    nodes: Arena<NodeId, ModuleNode>,
}

impl RootModule<'_, '_> {
    fn read<R>(request: &Request, files: &dyn Files, then: impl FnOnce(&mut RootModule<'_, '_>) -> R) -> R {
        let cache = Cache::default();
        let mut loaded = LoadedModules::default();
        let mut loader = Loader::new(request, files, &cache, &mut loaded.diagnostics);
        loader.read_root(&mut loaded, &mut Diagnostics::new());
        then(&mut RootModule { request, loader: &mut loader, nodes: loaded.nodes })
    }

    fn state_file(&mut self) -> Result<StateFile, String> {
        let root = Arc::clone(&self.nodes[NodeId::ROOT].module);
        let declared = root.backend.as_ref().or(root.cloud.as_ref());
        let initialized = self.initialized()?;
        let kind = declared.map_or("local", |backend| &*backend.kind);
        if !backends::is_local(kind) {
            return Err(format!(
                "the state of the configuration is in the backend {kind:?}, which is not asked; `terraform state pull` writes it"
            ));
        }
        let own = declared.map(|backend| self.written(backend)).transpose()?.unwrap_or_default();
        let local = match initialized {
            None => own,
            Some(found) => {
                let is_other = |name: &str, own: &Option<String>| {
                    own.as_ref().is_some_and(|own| found.texts.get(name) != Some(own))
                };
                if declared.is_none()
                    || !backends::is_local(&found.kind)
                    || is_other("path", &own.path)
                    || is_other("workspace_dir", &own.workspace_dir)
                {
                    return Err(format!(
                        "`terraform init` has set up the backend {:?}, and the configuration has another one since; run \
                         `terraform init` again, or name the file",
                        found.kind
                    ));
                }
                let text = |name: &str| found.texts.get(name).cloned();
                LocalBackend { path: text("path"), workspace_dir: text("workspace_dir") }
            }
        };
        let directory = &self.request.directory;
        Ok(StateFile {
            of_plan: join(directory, &local.state_path(Some(&self.loader.static_inputs.workspace))),
            of_console: join(directory, &LocalBackend::default().state_path(None)),
        })
    }

    /// Returns the backend that `init` has set up, if `init` has run.
    fn initialized(&self) -> Result<Option<InitializedBackend>, String> {
        let path = join(&self.request.data_directory(), "terraform.tfstate");
        let bytes = match self.loader.files.read_within(&path, self.request.limits.source) {
            Ok(bytes) => bytes,
            Err(error) if error.kind == FileErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.sentence().trim_end_matches('.').to_owned()),
        };
        let wrong = |problem: String| format!("{}: {problem}", path.display());
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text".to_owned()))?;
        initialized_backend(&text).map_err(|error| wrong(error.to_string()))
    }

    /// Returns the arguments of a `local` backend.
    fn written(&mut self, backend: &Storage) -> Result<LocalBackend, String> {
        let content = backend.config.open_content(&mut Diagnostics::new());
        let mut text = |name: &str| -> Result<Option<String>, String> {
            let Some(attribute) = content.attribute(name) else { return Ok(None) };
            let mut unreported = Diagnostics::new();
            let expression = attribute.expression(&mut unreported);
            let mut statics =
                self.loader.statics.over(&self.loader.static_inputs, &self.nodes, &mut unreported);
            let value = statics.value(NodeId::ROOT, &expression, "backend");
            let value = value.filter(Value::is_wholly_known).ok_or_else(|| {
                format!("`{name}` of the backend \"local\" is not known; name the file of the state")
            })?;
            let (value, marks) = value.unmark_deep();
            if marks.is_secret() {
                return Err(format!(
                    "`{name}` of the backend \"local\" is sensitive, which a backend cannot be"
                ));
            }
            let value = convert(&value, &Type::String).ok();
            Ok(value.and_then(|text| text.as_str().filter(|text| !text.is_empty()).map(str::to_owned)))
        };
        Ok(LocalBackend { path: text("path")?, workspace_dir: text("workspace_dir")? })
    }
}
