//! Follows the calls of modules from the root module on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexSet;
use terrane_body::SourceReader;
use terrane_config::address::{InstanceKey, MAX_MODULE_DEPTH, ModulePath};
use terrane_config::damaged_values::DamagedFile;
use terrane_config::{Declaration, InputSources, limits};
use terrane_function::Meter;
use terrane_source::{Diagnostic, Diagnostics, FileError, FileErrorKind, FileId, Files, Subject, Title, ids};
use terrane_value::{Origins, SmolStr};

use crate::inputs::{self, InputFiles, Inputs};
use crate::load::arguments;
use crate::load::cache::Cache;
use crate::load::directory::Directory;
use crate::load::locate::{Located, Location, Locator, WrittenSource};
use crate::model::ids::{AbsentModuleId, Arena, CallId, CallInModule, Declarations, DirectoryId, NodeId};
use crate::model::module::{Module, ModuleCall};
use crate::model::paths::{join, tidy};
use crate::model::request::{Request, WORKSPACE_CHARACTERS, is_workspace_name};
use crate::model::source::ModuleSource;
use crate::model::tree::{AbsentModule, FoundBy, ModuleNode};
use crate::rules::Rules;
use crate::static_value::{StaticInputs, StaticValues};

/// Limit on the module calls of a configuration, each counted as often as its module is called.
const MAX_CALLS: usize = 100_000;

/// Returns a place for the called module of each call, all empty.
fn no_calls(module: &Module) -> Arena<CallId, Option<NodeId>> {
    module.calls.ids().map(|_| None).collect()
}

/// Returns the root module, without the modules that it calls.
pub(crate) fn root_node(directory: Option<DirectoryId>, module: Arc<Module>) -> ModuleNode {
    ModuleNode {
        path: ModulePath::ROOT,
        module_dir: ".".to_owned(),
        caller: None,
        found: None,
        called: no_calls(&module),
        directory,
        module,
    }
}

/// Reads a configuration, module by module.
pub(crate) struct Loader<'l> {
    pub(crate) request: &'l Request,
    pub(crate) rules: Rules,
    pub(crate) files: &'l dyn Files,
    /// Reads the files with configuration.
    pub(crate) sources: SourceReader<'l>,
    pub(crate) cache: &'l Cache,
    /// The directories of this load.
    directories: Declarations<DirectoryId, Arc<Directory>, PathBuf>,
    pub(crate) locator: Locator<'l>,
    /// The facts that determine the sources and versions of modules.
    pub(crate) static_inputs: StaticInputs<'l>,
    /// Values that the sources and versions of modules need.
    pub(crate) statics: StaticValues,
    /// The absolute directories of the modules.
    canonical: Arena<NodeId, PathBuf>,
    pub(crate) absent_modules: Arena<AbsentModuleId, AbsentModule>,
    /// The files that were read.
    pub(crate) seen: IndexSet<FileId>,
    pub(crate) diagnostics: Diagnostics,
    /// The number of errors about text that cannot be read.
    pub(crate) syntax_errors: usize,
    /// The number of errors in declarations.
    pub(crate) declaration_errors: usize,
    /// The number of errors in references and in arguments of calls, which do not touch the configurations of providers.
    reference_errors: usize,
    /// Files with syntax errors, and files that cannot be read.
    pub(crate) damaged: IndexSet<DamagedFile>,
    /// Whether loading was stopped, or a module is not for this version of the product.
    pub(crate) is_stopped: bool,
    /// The number of calls of all modules in the tree so far.
    calls: usize,
}

/// A call of a module, in the tree that has been read so far.
#[derive(Clone, Copy)]
struct CallSite<'c> {
    nodes: &'c Arena<NodeId, ModuleNode>,
    /// The module with the call.
    caller: NodeId,
    id: CallId,
    name: &'c SmolStr,
    call: &'c ModuleCall,
}

impl CallSite<'_> {
    /// Returns the path of the called module.
    fn path(self) -> ModulePath {
        self.nodes[self.caller].path.child(self.name, InstanceKey::None)
    }
}

/// The maximum size of the file with the selected workspace.
const MOST_WORKSPACE_BYTES: u64 = 4096;

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
    pub(crate) fn new(request: &'l Request, files: &'l dyn Files, cache: &'l Cache) -> Loader<'l> {
        let rules = Rules::of(request.dialect);
        let (workspace, diagnostics) = match workspace(request, files) {
            Ok(name) if is_workspace_name(&name) => (name, None),
            Ok(name) => {
                let diagnostic = invalid_workspace(&name);
                (name, Some(diagnostic))
            }
            Err(diagnostic) => (DEFAULT_WORKSPACE.to_owned(), Some(diagnostic)),
        };
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
            canonical: Arena::default(),
            absent_modules: Arena::new(),
            seen: IndexSet::new(),
            diagnostics: diagnostics.into_iter().collect(),
            syntax_errors: 0,
            declaration_errors: 0,
            reference_errors: 0,
            damaged: IndexSet::new(),
            is_stopped: false,
            calls: 0,
        }
    }

    /// Returns the root module; an empty one if its directory cannot be read, which is reported.
    pub(crate) fn root(&mut self) -> (Option<DirectoryId>, Arc<Module>) {
        let directory = &self.request.directory;
        match self.find(directory) {
            Ok((id, read)) => {
                if read.files.is_empty() && read.damaged.is_empty() {
                    let detail = format!(
                        "The directory {} has no files whose names end in `.tf`, `.tofu` or `.pkr.hcl`.",
                        directory.display()
                    );
                    let hint = "Name the directory of a module or template, as in `terrane eval DIR`.";
                    self.diagnostics.push(Diagnostic::error(ids::NO_CONFIGURATION, detail).hint(hint));
                }
                (Some(id), self.take(&read))
            }
            Err(error) => {
                self.diagnostics.push(unreadable_root(&error));
                (None, Arc::new(Module::default()))
            }
        }
    }

    /// Reads the values of the root variables. Reports missing values together with errors of other kinds.
    pub(crate) fn read_inputs(&mut self, root: &Module, diagnostics: &mut Diagnostics) {
        let given = &self.request.inputs;
        let sources = InputSources { strict: given.strict && !self.is_stopped, ..given.clone() };
        let files = InputFiles { sources: &self.sources, parsed: self.cache.variable_files() };
        self.static_inputs.variables =
            inputs::collect_in_phase(self.request.phase, root, files, &sources, diagnostics);
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

    /// Takes over the module of a directory and its diagnostics.
    fn take(&mut self, directory: &Directory) -> Arc<Module> {
        self.diagnostics.extend(directory.diagnostics.as_slice().iter().cloned());
        self.is_stopped |= directory.is_refused;
        self.syntax_errors += directory.syntax_errors;
        self.declaration_errors += directory.declaration_errors;
        self.reference_errors += directory.reference_errors;
        self.damaged.extend(directory.damaged.iter().cloned());
        self.seen.extend(directory.files.iter().cloned());
        Arc::clone(&directory.module)
    }

    /// Adds the diagnostics about the arguments of a call in the module `caller`.
    fn add_of_arguments(&mut self, caller: &Module, found: Diagnostics) {
        let found: Diagnostics = found.into_iter().filter(|found| !caller.doubt.silences(found)).collect();
        self.reference_errors += found.errors();
        self.diagnostics.extend(found);
    }

    /// Whether declarations or calls have errors, or reading them was stopped: then the configurations of providers may
    /// be wrong for that reason.
    pub(crate) fn has_failed(&self) -> bool {
        let errors = self.syntax_errors + self.reference_errors;
        self.is_stopped || self.diagnostics.errors() > errors
    }

    /// Returns the tree of modules below `root`, with each caller before the modules that it calls.
    pub(crate) fn tree(
        &mut self,
        directory: Option<DirectoryId>,
        root: Arc<Module>,
    ) -> Arena<NodeId, ModuleNode> {
        self.canonical.push(self.files.canonicalize(&self.request.directory).unwrap_or_default());
        self.calls = root.calls.len();
        let mut nodes = Arena::default();
        let root = nodes.push(root_node(directory, root));
        let mut next = Some(root);
        while let Some(caller) = next {
            let module = Arc::clone(&nodes[caller].module);
            if limits::is_over(&self.request.limits, &self.static_inputs.meter, &mut self.diagnostics) {
                self.is_stopped = true;
                break;
            }
            let mut called = Arena::default();
            for (id, (name, call)) in module.calls.ids().zip(&module.calls) {
                let before = self.diagnostics.mark();
                let site = CallSite { nodes: &nodes, caller, id, name, call };
                let absent_before = self.absent_modules.len();
                let child = self.called(site);
                if child.is_none() && self.absent_modules.len() == absent_before {
                    let path = site.path();
                    let causes = Origins::error_of(&path.to_string());
                    self.absent_modules.push(AbsentModule {
                        path,
                        source: None,
                        causes,
                        reason: Origins::NONE,
                    });
                }
                let module_of_call = child.as_ref().map(|child| &*child.module);
                let mut of_arguments = Diagnostics::new();
                arguments::check_overridden(&module, id, module_of_call, &mut of_arguments);
                self.add_of_arguments(&module, of_arguments);
                if !module.doubt.is_none() {
                    let found = self.diagnostics.split_off(before).into_iter();
                    self.diagnostics.extend(found.filter(|found| !module.doubt.silences(found)));
                }
                called.push(child.map(|child| nodes.push(child)));
            }
            nodes[caller].called = called;
            next = nodes.after(caller);
        }
        nodes
    }

    /// Returns the module that a call loads; `None` if it is not on disk or cannot be read.
    fn called(&mut self, site: CallSite<'_>) -> Option<ModuleNode> {
        let path = site.path();
        let written = self.source(site, &path)?;
        let location = self.location(site, &path, &written)?;
        if self.is_too_deep(&path, &written.subject) || self.is_in_ring(site, &location, &written.subject) {
            return None;
        }
        let (id, directory) = match self.find(&location.directory) {
            Ok(found) => found,
            Err(error) => {
                self.unreadable(error, &location.directory, &written.subject);
                return None;
            }
        };
        if self.has_too_many_calls(&directory.module, &written.subject) {
            return None;
        }
        let module = self.take(&directory);
        self.only_in_root(&module, &path);
        if !directory.is_refused {
            let mut of_arguments = Diagnostics::new();
            arguments::check(site.name, site.call, &module, &mut of_arguments);
            self.add_of_arguments(&site.nodes[site.caller].module, of_arguments);
        }
        self.canonical.push(location.canonical);
        Some(ModuleNode {
            path,
            module_dir: location.from_root.display().to_string(),
            caller: Some(CallInModule { module: site.caller, call: site.id }),
            found: Some(location.found),
            called: no_calls(&module),
            directory: Some(id),
            module,
        })
    }

    /// Returns the source of a call; `None` if it is unknown or wrong.
    fn source(&mut self, site: CallSite<'_>, path: &ModulePath) -> Option<WrittenSource> {
        let CallSite { nodes, caller, name, call, .. } = site;
        let (text, span) = match self
            .statics
            .over(&self.static_inputs, nodes, &mut self.diagnostics)
            .source(caller, name, call)
        {
            Ok(source) => source?,
            Err(causes) => {
                let (path, reason) = (path.clone(), Origins::NONE);
                self.absent_modules.push(AbsentModule { path, source: None, causes, reason });
                return None;
            }
        };
        let file = call.source.as_ref().map_or(&call.declaration.file, |source| source.source());
        let subject = Subject { file: Arc::clone(file), span };
        let version =
            self.statics.over(&self.static_inputs, nodes, &mut self.diagnostics).version(caller, name, call);
        match parsed(&text, version.is_some(), &self.rules) {
            Ok(source) => {
                let version = version.and_then(|version| version.constraint);
                Some(WrittenSource { text, source, version, subject })
            }
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic.at(&subject.file, span));
                None
            }
        }
    }

    /// Returns the directory that a source leads to; `None` if it is not on disk or cannot be read.
    fn location(
        &mut self,
        site: CallSite<'_>,
        path: &ModulePath,
        written: &WrittenSource,
    ) -> Option<FoundLocation> {
        let WrittenSource { text, source, subject, .. } = written;
        let located = self.locator.locate(&site.nodes[site.caller], path, written, &self.sources);
        self.diagnostics.extend(std::mem::take(&mut self.locator.diagnostics));
        let location = match located {
            Ok(Located::At(location)) => location,
            Ok(Located::Absent(reason)) => {
                let (path, source) = (path.clone(), Some(text.clone()));
                self.absent_modules.push(AbsentModule { path, source, causes: Origins::NONE, reason });
                return None;
            }
            Err(changed) => {
                self.diagnostics.push(changed.diagnostic(path, false).at(&subject.file, subject.span));
                return None;
            }
        };
        let canonical = match self.files.canonicalize(&location.directory) {
            Ok(canonical) => canonical,
            Err(error) => {
                self.unreadable(error, &location.directory, subject);
                return None;
            }
        };
        let Location { directory, from_root, found } = match source {
            ModuleSource::Local(relative) => {
                let plain = join(&self.canonical[site.caller], relative);
                self.locator.behind_links(location, &plain, &canonical)
            }
            ModuleSource::Registry(_) | ModuleSource::Remote(_) => location,
        };
        Some(FoundLocation { directory, from_root, found, canonical })
    }

    /// Whether the called module is one of the modules that lead to the call. Reports that.
    fn is_in_ring(&mut self, site: CallSite<'_>, location: &FoundLocation, call: &Subject) -> bool {
        let Some(ring) = self.ring(site, &location.canonical) else { return false };
        let detail = format!(
            "The module in {} calls itself, through {ring}. Remove one of these calls.",
            location.directory.display()
        );
        self.diagnostics.push(Diagnostic::error(ids::MODULE_CYCLE, detail).at(&call.file, call.span));
        true
    }

    /// Whether a module is called too deeply. Reports that.
    fn is_too_deep(&mut self, path: &ModulePath, call: &Subject) -> bool {
        let is_too_deep = path.steps().len() > MAX_MODULE_DEPTH;
        if is_too_deep {
            let detail = format!(
                "Module calls are nested more than {MAX_MODULE_DEPTH} levels deep. This call is left out."
            );
            self.diagnostics.push(Diagnostic::error(ids::TOO_DEEP, detail).at(&call.file, call.span));
        }
        is_too_deep
    }

    /// Counts the calls of `module`. Returns whether the configuration has too many of them, which is reported.
    fn has_too_many_calls(&mut self, module: &Module, call: &Subject) -> bool {
        let calls = self.calls.saturating_add(module.calls.len());
        if calls > MAX_CALLS {
            let detail = format!(
                "The configuration has more than {MAX_CALLS} module calls, each counted as often as its module is \
                 called. This call is left out."
            );
            self.diagnostics.push(Diagnostic::error(ids::LIMIT_EXCEEDED, detail).at(&call.file, call.span));
            return true;
        }
        self.calls = calls;
        false
    }

    /// Reports `import` blocks in a called module, which are errors, and backends there, which have no effect.
    fn only_in_root(&mut self, module: &Module, path: &ModulePath) {
        if let Some(Declaration { file, span }) = module.backend.as_ref().map(|backend| &backend.declaration)
        {
            let detail = format!(
                "Only the root module configures the backend, so this block in {path} has no effect."
            );
            let diagnostic = Diagnostic::warning(ids::BACKEND_IGNORED, detail);
            self.diagnostics.push(diagnostic.at(file, *span));
        }
        if let Some(import) = module.imports.iter().next() {
            let detail = format!("Only the root module can have `import` blocks, not {path}. Move it there.");
            let declaration = &import.declaration;
            let diagnostic = Diagnostic::error(ids::IMPORT_IN_MODULE, detail);
            let diagnostic = diagnostic.at(&declaration.file, declaration.span);
            self.diagnostics.extend(Some(diagnostic).filter(|found| !module.doubt.silences(found)));
        }
    }

    /// Reports a directory that must exist and cannot be read. If it cannot even be listed, the diagnostic says so.
    fn unreadable(&mut self, error: FileError, directory: &Path, call: &Subject) {
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
        self.diagnostics.push(diagnostic.at(&call.file, call.span));
    }

    /// Returns the calls that lead from the module in the directory `wanted` down to the call;
    /// `None` if there are none.
    fn ring(&self, site: CallSite<'_>, wanted: &Path) -> Option<String> {
        let path = &site.nodes[site.caller].path;
        let mut next = Some(site.caller);
        while let Some(current) = next {
            if self.canonical[current] == wanted {
                return Some(if path.is_root() { "the root module".to_owned() } else { path.to_string() });
            }
            next = site.nodes[current].caller.map(|caller| caller.module);
        }
        None
    }
}

/// Returns the error about a root directory that cannot be read.
fn unreadable_root(error: &FileError) -> Diagnostic {
    let detail = format!("{} Give the path of a directory with `.tf` files.", error.sentence());
    Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail)
}

/// Returns the workspace of the request, the selected workspace, or `default`; an error if the file with the selected one is too
/// large.
fn workspace(request: &Request, files: &dyn Files) -> Result<String, Diagnostic> {
    if let Some(name) = &request.workspace {
        return Ok(name.clone());
    }
    let path = join(&request.data_directory(), "environment");
    let text = match files.read_within(&path, MOST_WORKSPACE_BYTES) {
        Ok(text) => String::from_utf8(text).unwrap_or_default(),
        Err(FileError { kind: FileErrorKind::TooLarge { .. }, .. }) => {
            let detail = format!(
                "`{}` has more than {MOST_WORKSPACE_BYTES} bytes, too many for the name of a workspace. The option --workspace or \
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
