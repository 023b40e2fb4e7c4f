//! Follows the calls of modules from the root module on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_body::SourceReader;
use terrane_config::address::{InstanceKey, MAX_MODULE_DEPTH, ModulePath};
use terrane_config::{InputSources, limits};
use terrane_function::{Meter, RAISE_MEMORY};
use terrane_source::{Diagnostic, Diagnostics, FileError, FileErrorKind, Files, Subject, Title, ids};
use terrane_value::{Origins, SmolStr};

use crate::inputs::{self, InputFiles, Inputs};
use crate::load::arguments;
use crate::load::cache::Cache;
use crate::load::directory::Directory;
use crate::load::loaded::{CalledModule, FollowedCall, LoadedModules, RootDirectory, no_calls};
use crate::load::locate::{LocalCaller, Located, Location, Locator, WrittenSource};
use crate::model::ids::{Arena, CallId, CallInModule, Declarations, DirectoryId, NodeId};
use crate::model::module::{Module, ModuleCall};
use crate::model::request::{Request, WORKSPACE_CHARACTERS, is_workspace_name};
use crate::model::source::ModuleSource;
use crate::model::tree::{FoundBy, MissingModule, ModuleNode};
use crate::rules::Rules;
use crate::static_value::{StaticInputs, StaticValues};
use terrane_source::paths::{join, tidy};

/// Reads the modules of a configuration one by one. A step returns its result; [`Loader::follow_calls`] stores all results in
/// [`LoadedModules`].
pub(crate) struct Loader<'l> {
    request: &'l Request,
    pub(crate) rules: Rules,
    pub(crate) files: &'l dyn Files,
    /// Reads the files with configuration.
    pub(crate) sources: SourceReader<'l>,
    cache: &'l Cache,
    /// The directories of this load.
    directories: Declarations<DirectoryId, Arc<Directory>, PathBuf>,
    pub(crate) locator: Locator<'l>,
    /// The facts that determine the sources and versions of modules.
    pub(crate) static_inputs: StaticInputs<'l>,
    /// Values that the sources and versions of modules need.
    pub(crate) statics: StaticValues,
}

/// A call whose module is to be loaded, and everything that has been loaded so far.
#[derive(Clone, Copy)]
struct CallToFollow<'c> {
    loaded: &'c LoadedModules,
    /// The module with the call.
    caller: NodeId,
    id: CallId,
    name: &'c SmolStr,
    call: &'c ModuleCall,
}

impl<'c> CallToFollow<'c> {
    /// Returns the path of the called module.
    fn path(self) -> ModulePath {
        self.node().path.child(self.name, InstanceKey::None)
    }

    /// Returns the module with the call.
    fn node(self) -> &'c ModuleNode {
        &self.loaded.nodes[self.caller]
    }

    /// Returns the called module in case of an error, which has been reported.
    fn failed(self) -> Box<MissingModule> {
        let path = self.path();
        let causes = Origins::error_of(&path.to_string());
        Box::new(MissingModule { path, source: None, causes, reason: Origins::NONE, is_changed: false })
    }
}

/// The maximum size of the file with the selected workspace.
const MAX_WORKSPACE_BYTES: u64 = 4096;

/// The workspace if no other is selected.
const DEFAULT_WORKSPACE: &str = "default";

/// The directory of a called module, which exists.
struct FoundLocation {
    /// The path from the working directory.
    directory: PathBuf,
    /// The path from the root module.
    from_root: PathBuf,
    found: FoundBy,
    /// The absolute path, without links.
    canonical: PathBuf,
}

impl<'l> Loader<'l> {
    /// Returns the loader for a request. Reports a wrong workspace.
    pub(crate) fn new(
        request: &'l Request,
        files: &'l dyn Files,
        cache: &'l Cache,
        diagnostics: &mut Diagnostics,
    ) -> Loader<'l> {
        let rules = Rules::of(request.dialect);
        let workspace = workspace(request, files).unwrap_or_else(|diagnostic| {
            diagnostics.push(diagnostic);
            DEFAULT_WORKSPACE.to_owned()
        });
        if !is_workspace_name(&workspace) {
            diagnostics.push(invalid_workspace(&workspace));
        }
        Loader {
            request,
            rules,
            files,
            sources: SourceReader::new(files, &request.limits),
            cache,
            directories: Declarations::default(),
            locator: Locator::new(request, files),
            static_inputs: StaticInputs {
                request,
                rules,
                files,
                workspace,
                variables: Inputs::default(),
                meter: Meter::default(),
            },
            statics: StaticValues::default(),
        }
    }

    /// Reads the root module and the values of its variables. Without a root module, no variable is known to be undeclared.
    pub(crate) fn read_root(&mut self, loaded: &mut LoadedModules, diagnostics: &mut Diagnostics) {
        let found = self.root();
        let is_read = found.read.is_some();
        let root = loaded.add_root(found);
        if is_read {
            self.static_inputs.variables = self.inputs(&root, !loaded.is_stopped, diagnostics);
        }
    }

    /// Returns the directory of the root module.
    fn root(&mut self) -> RootDirectory {
        if !self.rules.has_modules {
            return RootDirectory::without_module(no_modules());
        }
        let directory = &self.request.directory;
        match self.find(directory) {
            Ok((_, read)) if read.module.bytes_of_root() > self.request.limits.memory => {
                RootDirectory::without_module(too_large_root(&read.module, self.request.limits.memory))
            }
            Ok((id, read)) => {
                let is_empty = read.files.is_empty() && read.damaged.is_empty();
                let diagnostic = is_empty.then(|| {
                    let detail = format!(
                        "The directory {} has no files whose names end in `.tf`, `.tofu` or `.pkr.hcl`.",
                        directory.display()
                    );
                    let hint = "Name the directory of a module or template, as in `terrane eval DIR`.";
                    Diagnostic::error(ids::NO_CONFIGURATION, detail).hint(hint)
                });
                RootDirectory { read: Some((id, read)), diagnostic }
            }
            Err(error) => RootDirectory::without_module(unreadable_root(&error)),
        }
    }

    /// Returns the values of the root variables. Missing values are only reported if all declarations `are_read`.
    fn inputs(&self, root: &Module, are_read: bool, diagnostics: &mut Diagnostics) -> Inputs {
        let given = &self.request.inputs;
        let sources = InputSources { strict: given.strict && are_read, ..given.clone() };
        let files = InputFiles { sources: &self.sources, parsed: self.cache.variable_files() };
        inputs::collect_in_phase(self.request.phase, root, files, &sources, diagnostics)
    }

    /// Returns a directory, which is read once for all its calls.
    fn find(&mut self, directory: &Path) -> Result<(DirectoryId, Arc<Directory>), FileError> {
        let path = tidy(directory);
        if let Some((id, directory)) = self.directories.find(&path) {
            return Ok((id, Arc::clone(directory)));
        }
        let directory = self.cache.find(&path, &self.rules, self.request, &self.sources)?;
        Ok((self.directories.insert(path, Arc::clone(&directory)), directory))
    }

    /// Reads all modules below the root module, and adds each of them behind its caller.
    pub(crate) fn follow_calls(&mut self, loaded: &mut LoadedModules) {
        loaded.canonical.push(self.files.canonicalize(&self.request.directory).unwrap_or_default());
        let mut next = Some(NodeId::ROOT);
        while let Some(caller) = next {
            let module = Arc::clone(&loaded.nodes[caller].module);
            if limits::is_over(&self.request.limits, &self.static_inputs.meter, &mut loaded.diagnostics) {
                loaded.is_stopped = true;
                break;
            }
            let mut called = Arena::default();
            for (id, (name, call)) in module.calls.ids().zip(&module.calls) {
                let followed = self.follow(CallToFollow { loaded, caller, id, name, call });
                called.push(loaded.add_called(&module, followed));
            }
            loaded.nodes[caller].called = called;
            next = loaded.nodes.after(caller);
        }
    }

    /// Returns the module that a call leads to, and everything that is wrong with the call.
    fn follow(&mut self, to_follow: CallToFollow<'_>) -> FollowedCall {
        let mut diagnostics = Diagnostics::new();
        let called = self.called(to_follow, &mut diagnostics);
        let caller = &*to_follow.node().module;
        let mut of_arguments = Diagnostics::new();
        if let Ok(called) = &called
            && !called.directory.is_refused
        {
            let module = &called.node.module;
            let closest_names = self.sources.closest_names();
            arguments::check(to_follow.name, to_follow.call, module, closest_names, &mut of_arguments);
        }
        let module = called.as_ref().ok().map(|called| &*called.node.module);
        arguments::check_overridden(caller, to_follow.id, module, &mut of_arguments);
        FollowedCall { called, diagnostics, of_arguments }
    }

    /// Returns the module that a call loads.
    ///
    /// # Errors
    ///
    /// If the module is not on disk or cannot be read.
    fn called(
        &mut self,
        to_follow: CallToFollow<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<CalledModule, Box<MissingModule>> {
        let written = self.source(to_follow, diagnostics)?;
        let location = self.location(to_follow, &written, diagnostics)?;
        let WrittenSource { path, subject, .. } = written;
        if let Some(diagnostic) = too_deep(&path).or_else(|| in_ring(to_follow, &location)) {
            diagnostics.push(diagnostic.at(&subject.file, subject.span));
            return Err(to_follow.failed());
        }
        let (id, directory) = self.find(&location.directory).map_err(|error| {
            diagnostics.push(self.unreadable(error, &location.directory, &subject));
            to_follow.failed()
        })?;
        if let Some(diagnostic) = to_follow.loaded.too_large(&directory.module, self.request.limits.memory) {
            diagnostics.push(diagnostic.at(&subject.file, subject.span));
            return Err(to_follow.failed());
        }
        let module = Arc::clone(&directory.module);
        diagnostics.extend(only_in_root(&module, &path));
        let node = ModuleNode {
            path,
            module_dir: location.from_root.display().to_string(),
            caller: Some(CallInModule { module: to_follow.caller, call: to_follow.id }),
            found: Some(location.found),
            called: no_calls(&module),
            directory: Some(id),
            module,
        };
        Ok(CalledModule { node, directory, canonical: location.canonical })
    }

    /// Returns the source of a call.
    ///
    /// # Errors
    ///
    /// If the source is unknown or wrong.
    fn source(
        &mut self,
        to_follow: CallToFollow<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<WrittenSource, Box<MissingModule>> {
        let CallToFollow { loaded, caller, name, call, .. } = to_follow;
        let path = to_follow.path();
        let mut statics = self.statics.over(&self.static_inputs, &loaded.nodes, diagnostics);
        let (text, span) = match statics.source(caller, name, call) {
            Ok(source) => source.ok_or_else(|| to_follow.failed())?,
            Err(causes) => {
                let reason = Origins::NONE;
                return Err(Box::new(MissingModule {
                    path,
                    source: None,
                    causes,
                    reason,
                    is_changed: false,
                }));
            }
        };
        let file = call.source.as_ref().map_or(&call.declaration.file, |source| source.source());
        let subject = Subject { file: Arc::clone(file), span };
        let version = statics.version(caller, name, call);
        match parsed(&text, version.is_some(), &self.rules) {
            Ok(source) => {
                let version = version.and_then(|version| version.constraint);
                Ok(WrittenSource { path, text, source, version, subject })
            }
            Err(diagnostic) => {
                diagnostics.push(diagnostic.at(&subject.file, span));
                Err(to_follow.failed())
            }
        }
    }

    /// Returns the directory that a source leads to.
    ///
    /// # Errors
    ///
    /// If the directory is not on disk or cannot be read.
    fn location(
        &mut self,
        to_follow: CallToFollow<'_>,
        written: &WrittenSource,
        diagnostics: &mut Diagnostics,
    ) -> Result<FoundLocation, Box<MissingModule>> {
        let WrittenSource { path, text, source, subject, .. } = written;
        let location = match self.locator.locate(to_follow.node(), written, &self.sources, diagnostics) {
            Ok(Located::At(location)) => location,
            Ok(Located::Missing(reason)) => {
                let (path, source) = (path.clone(), Some(text.clone()));
                let causes = Origins::NONE;
                return Err(Box::new(MissingModule { path, source, causes, reason, is_changed: false }));
            }
            Err(changed) => {
                diagnostics.push(changed.diagnostic(path, false).at(&subject.file, subject.span));
                let failed = to_follow.failed();
                let causes = failed.causes.because(&changed.reason());
                return Err(Box::new(MissingModule { causes, is_changed: true, ..*failed }));
            }
        };
        let caller = LocalCaller {
            directory: &to_follow.node().module.directory,
            canonical: &to_follow.loaded.canonical[to_follow.caller],
        };
        let plain = match source {
            ModuleSource::Local(relative) => Some(join(caller.canonical, relative)),
            ModuleSource::Registry(_) | ModuleSource::Remote(_) => None,
        };
        let location = match &plain {
            Some(plain) => self.locator.beside(caller, location, plain),
            None => location,
        };
        let canonical = self.files.canonicalize(&location.directory).map_err(|error| {
            diagnostics.push(self.unreadable(error, &location.directory, subject));
            to_follow.failed()
        })?;
        let Location { directory, from_root, found } = match &plain {
            Some(plain) => self.locator.behind_links(location, plain, &canonical),
            None => location,
        };
        Ok(FoundLocation { directory, from_root, found, canonical })
    }

    /// Returns the diagnostic about a directory that must exist and cannot be read. If it cannot even be listed, the diagnostic
    /// says so.
    fn unreadable(&self, error: FileError, directory: &Path, call: &Subject) -> Diagnostic {
        let error = self.files.list(directory).err().unwrap_or(error);
        let detail = format!("The source of this module cannot be read: {error}.");
        let is_wrong_path = match error.kind {
            FileErrorKind::NotFound | FileErrorKind::NotDirectory | FileErrorKind::Confined => true,
            FileErrorKind::IsDirectory
            | FileErrorKind::NotRegular
            | FileErrorKind::PermissionDenied
            | FileErrorKind::TooLarge { .. }
            | FileErrorKind::Other(_) => false,
        };
        // If the path is right, a module was skipped and the rest may be incomplete.
        let id = if is_wrong_path { ids::UNREADABLE_MODULE } else { ids::UNREADABLE_DIRECTORY };
        let diagnostic = Diagnostic::error(id, detail).titled(Title::of(ids::UNREADABLE_MODULE));
        diagnostic.at(&call.file, call.span)
    }
}

/// Returns the error about a module that is one of the modules that lead to its call.
fn in_ring(to_follow: CallToFollow<'_>, location: &FoundLocation) -> Option<Diagnostic> {
    let ring = ring(to_follow, &location.canonical)?;
    let detail = format!(
        "The module in {} calls itself, through {ring}. Remove one of these calls.",
        location.directory.display()
    );
    Some(Diagnostic::error(ids::MODULE_CYCLE, detail))
}

/// Returns the calls that lead from the module in the directory `wanted` down to the call;
/// `None` if there are none.
fn ring(to_follow: CallToFollow<'_>, wanted: &Path) -> Option<String> {
    let path = &to_follow.node().path;
    let mut next = Some(to_follow.caller);
    while let Some(current) = next {
        if to_follow.loaded.canonical[current] == wanted {
            return Some(if path.is_root() { "the root module".to_owned() } else { path.to_string() });
        }
        next = to_follow.loaded.nodes[current].caller.map(|caller| caller.module);
    }
    None
}

/// Returns the error about a module that is called too deeply.
fn too_deep(path: &ModulePath) -> Option<Diagnostic> {
    (path.steps().len() > MAX_MODULE_DEPTH).then(|| {
        let detail = format!(
            "Module calls are nested more than {MAX_MODULE_DEPTH} levels deep. This call is left out."
        );
        Diagnostic::error(ids::TOO_DEEP, detail)
    })
}

/// Returns diagnostics about `import` blocks in a called module, which are errors, and about a backend there, which has no
/// effect.
fn only_in_root(module: &Module, path: &ModulePath) -> impl Iterator<Item = Diagnostic> {
    let of_backend = module.backend.as_ref().map(|backend| {
        let Subject { file, span } = &backend.declaration;
        let detail =
            format!("Only the root module configures the backend, so this block in {path} has no effect.");
        Diagnostic::warning(ids::BACKEND_IGNORED, detail).at(file, *span)
    });
    let of_import = module.imports.iter().next().map(|import| {
        let detail = format!("Only the root module can have `import` blocks, not {path}. Move it there.");
        let declaration = &import.declaration;
        Diagnostic::error(ids::IMPORT_IN_MODULE, detail).at(&declaration.file, declaration.span)
    });
    of_backend.into_iter().chain(of_import.filter(|found| !module.doubt.silences(found)))
}

/// Returns the error about a dialect without modules.
fn no_modules() -> Diagnostic {
    let detail =
        "A Packer template is not a module. Evaluate it as a template, not as a directory of modules.";
    Diagnostic::error(ids::NOT_SUPPORTED, detail)
}

/// Returns the error about a root directory that cannot be read.
fn unreadable_root(error: &FileError) -> Diagnostic {
    let detail = format!("{} Give the path of a directory with `.tf` files.", error.sentence());
    Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail)
}

/// Returns the error about a root module whose declarations would take more than `most` bytes.
fn too_large_root(module: &Module, most: u64) -> Diagnostic {
    let detail = format!(
        "The {} declarations of the root module would take more than {most} bytes of memory. The module is left out.",
        module.declarations()
    );
    Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_MEMORY)
}

/// Returns the workspace of the request, the selected workspace, or `default`; an error if the file with the selected one is too
/// large.
fn workspace(request: &Request, files: &dyn Files) -> Result<String, Diagnostic> {
    if let Some(name) = &request.workspace {
        return Ok(name.clone());
    }
    let path = join(&request.data_directory(), "environment");
    let text = match files.read_within(&path, MAX_WORKSPACE_BYTES) {
        Ok(text) => String::from_utf8(text).unwrap_or_default(),
        Err(FileError { kind: FileErrorKind::TooLarge { .. }, .. }) => {
            let detail = format!(
                "`{}` has more than {MAX_WORKSPACE_BYTES} bytes, too many for the name of a workspace. The option --workspace or \
                 the variable TF_WORKSPACE gives the name instead.",
                path.display()
            );
            return Err(Diagnostic::error(ids::FILE_TOO_LARGE, detail));
        }
        Err(_) => String::new(),
    };
    let name = text.trim();
    Ok(if name.is_empty() { DEFAULT_WORKSPACE.to_owned() } else { name.to_owned() })
}

/// Returns the error about a workspace name that neither Terraform nor OpenTofu can select.
fn invalid_workspace(name: &str) -> Diagnostic {
    let detail = format!(
        "There can be no workspace \"{name}\": a name consists of letters, digits and the characters `{WORKSPACE_CHARACTERS}`. The \
         option --workspace, the variable TF_WORKSPACE or the file `environment` in the data directory gives it."
    );
    Diagnostic::error(ids::INVALID_WORKSPACE_NAME, detail)
}

/// Returns the parsed source of a module. With `reads_sources_by_block`, decoding has checked it
/// together with the version.
fn parsed(text: &str, versioned: bool, rules: &Rules) -> Result<ModuleSource, Diagnostic> {
    let by_block = rules.reads_sources_by_block();
    let source = ModuleSource::parse(text, versioned && !by_block).map_err(|error| error.diagnostic(text))?;
    if versioned && !matches!(source, ModuleSource::Registry(_)) {
        let detail = format!(
            "`version` applies only to modules in a registry, but the source \"{text}\" is not in one. An \
             override file sets one of the two arguments."
        );
        return Err(Diagnostic::error(ids::INVALID_VERSION_CONSTRAINT, detail));
    }
    Ok(source)
}
