//! Reading a directory and all modules that it calls.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, EntryKind, FileError, FileId, Files, SourceFile, Span, ids};
use terrane_syntax::Tree;
use terrane_syntax::tree::BodyId;

use crate::address::{InstanceKey, ModulePath};
use crate::decode;
use crate::dialect;
use crate::module::{Module, ModuleCall};
use terrane_eval::closest_name;
use terrane_function::{Dialect, Function};

/// How deeply modules may call modules.
const MAX_MODULE_DEPTH: usize = 100;

/// What to load and how to read it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The directory of the root module, as the user names it.
    pub directory: PathBuf,
    /// The product and edition that the configuration is written for.
    pub dialect: Dialect,
    /// The value of `terraform.workspace`.
    pub workspace: String,
    /// Of which moment the values of resources are.
    pub moment: Moment,
    /// The home directory of the user, for paths that begin with `~`.
    pub home: Option<PathBuf>,
    /// Functions beside those of the library, such as the ones of providers: `provider::time::rfc3339_parse`.
    pub functions: Vec<Function>,
}

/// Of which moment the values of resources are: attributes that only the resource itself can set differ.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Moment {
    /// The plan to create everything.
    #[default]
    Plan,
    /// The console before anything is created. Of what the resource itself sets, nothing at all is known, not even
    /// that it will not be null.
    Console,
}

impl Request {
    /// The module in `directory`, in the default dialect and the default workspace.
    pub fn new(directory: impl Into<PathBuf>) -> Request {
        let workspace = "default".to_owned();
        let dialect = Dialect::default();
        Request {
            directory: directory.into(),
            dialect,
            workspace,
            moment: Moment::default(),
            home: None,
            functions: Vec::new(),
        }
    }
}

/// Names a module in the tree of a [`Config`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root module.
    pub const ROOT: NodeId = NodeId(0);

    pub(crate) fn from_index(index: usize) -> NodeId {
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A root module and everything it calls, not yet evaluated.
#[derive(Debug)]
pub struct Config {
    /// The modules by [`NodeId`]; a caller comes before what it calls.
    pub(crate) nodes: Vec<ModuleNode>,
    /// What was asked for.
    pub request: Request,
}

impl Config {
    /// All modules; a caller comes before what it calls.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &ModuleNode)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::from_index(index), node))
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
    pub caller: Option<(NodeId, usize)>,
    /// The called module for each call of [`Module::calls`], where it is on disk.
    pub called: Vec<Option<NodeId>>,
}

/// The outcome of [`load()`].
#[derive(Debug)]
pub struct Loaded {
    /// The configuration; empty where the directory could not be read.
    pub config: Config,
    /// Everything that is wrong with it so far.
    pub diagnostics: Diagnostics,
    /// Whether a file could not be parsed: then parts are missing, and further errors may be due to that.
    pub damaged: bool,
}

/// Whether the dialect cannot be loaded yet.
fn is_unsupported(dialect: Dialect) -> bool {
    dialect.product() == Some(terrane_function::Product::Packer)
}

/// Reads the directory of the root module and, through local sources, every module called from there.
pub fn load(request: Request, files: &dyn Files) -> Loaded {
    let mut loader =
        Loader { files, modules: HashMap::new(), diagnostics: Diagnostics::new(), damaged: false };
    if is_unsupported(request.dialect) {
        let detail =
            "This version of Terrane does not read Packer templates, only their functions are known.";
        loader.diagnostics.push(Diagnostic::error(ids::NOT_SUPPORTED, detail));
    }
    let root = if is_unsupported(request.dialect) {
        Arc::new(Module::default())
    } else {
        loader.directory(&request.directory, None)
    };
    let mut nodes = vec![ModuleNode {
        path: ModulePath::ROOT,
        module: root,
        module_dir: ".".to_owned(),
        caller: None,
        called: Vec::new(),
    }];
    let mut next = 0;
    while let Some(node) = nodes.get(next) {
        let id = NodeId::from_index(next);
        let module = Arc::clone(&node.module);
        let mut called = Vec::with_capacity(module.calls.len());
        for (index, (name, call)) in module.calls.iter().enumerate() {
            let child = nodes.get(next).and_then(|caller| loader.called(&nodes, caller, name, call));
            called.push(child.map(|child| {
                nodes.push(ModuleNode { caller: Some((id, index)), ..child });
                NodeId::from_index(nodes.len() - 1)
            }));
        }
        if let Some(node) = nodes.get_mut(next) {
            node.called = called;
        }
        next += 1;
    }
    Loaded { config: Config { nodes, request }, diagnostics: loader.diagnostics, damaged: loader.damaged }
}

struct Loader<'l> {
    files: &'l dyn Files,
    /// Modules by canonical directory, so that each is read once however often it is called.
    modules: HashMap<PathBuf, Arc<Module>>,
    diagnostics: Diagnostics,
    /// Whether a file could not be parsed.
    damaged: bool,
}

impl Loader<'_> {
    /// The module behind a call, at its place below `caller`; nothing where it is not on disk or cannot be read.
    fn called(
        &mut self,
        nodes: &[ModuleNode],
        caller: &ModuleNode,
        name: &Arc<str>,
        call: &ModuleCall,
    ) -> Option<ModuleNode> {
        let (source, span) = call.source.as_ref()?;
        let file = &call.declaration.file;
        if !is_local(source) {
            self.check_remote(source, file, *span);
            return None;
        }
        let directory = join(&caller.module.directory, source);
        if let Some(ring) = self.ring(nodes, caller, &directory) {
            let detail = format!(
                "The module in {} calls itself, through {ring}. Remove one of these calls.",
                directory.display()
            );
            self.diagnostics.push(Diagnostic::error(ids::MODULE_CYCLE, detail).at(file, *span));
            return None;
        }
        let known = self.diagnostics.len();
        let module = self.directory(&directory, Some((file, *span)));
        if self.diagnostics.len() > known && module.directory.as_os_str().is_empty() {
            return None;
        }
        check_arguments(name, call, &module, &mut self.diagnostics);
        let module_dir = join(Path::new(&caller.module_dir), source).display().to_string();
        let path = caller.path.child(name, InstanceKey::None);
        Some(ModuleNode { path, module, module_dir, caller: None, called: Vec::new() })
    }

    /// A module that is not in a local directory cannot be read here, but its address can be wrong.
    fn check_remote(&mut self, source: &str, file: &Arc<SourceFile>, span: Span) {
        if source.is_empty() || !source.contains(['/', ':']) {
            let detail = format!(
                "\"{source}\" is not the address of a module. For a directory beside this one, begin with \"./\" or \
                 \"../\": \"./{source}\"."
            );
            self.diagnostics.push(Diagnostic::error(ids::INVALID_MODULE_SOURCE, detail).at(file, span));
        }
    }

    /// The calls from the module in `directory` down to `caller`, where there are such.
    fn ring(&self, nodes: &[ModuleNode], caller: &ModuleNode, directory: &Path) -> Option<String> {
        let wanted = self.files.canonicalize(directory).ok()?;
        let mut node = Some(caller);
        let mut depth = 0;
        while let Some(current) = node {
            depth += 1;
            let same = self.files.canonicalize(&current.module.directory).is_ok_and(|found| found == wanted);
            if same || depth > MAX_MODULE_DEPTH {
                let path = if caller.path.is_root() {
                    "the root module".to_owned()
                } else {
                    caller.path.to_string()
                };
                return Some(path);
            }
            node = current.caller.and_then(|(id, _)| nodes.get(id.index()));
        }
        None
    }

    /// Reads one directory. A directory that cannot be read is reported and gives an empty module without a
    /// directory.
    fn directory(&mut self, directory: &Path, call: Option<(&Arc<SourceFile>, Span)>) -> Arc<Module> {
        let canonical = match self.files.canonicalize(directory) {
            Ok(canonical) => canonical,
            Err(error) => return self.unreadable(&error, call),
        };
        if let Some(module) = self.modules.get(&canonical) {
            return Arc::clone(module);
        }
        let entries = match self.files.list(directory) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(&error, call),
        };
        let extension = dialect::EXTENSION;
        let mut trees = Vec::new();
        let mut found = false;
        for entry in entries {
            if is_ignored(&entry.name) || entry.kind == EntryKind::Directory {
                continue;
            }
            let path = tidy(&directory.join(&entry.name));
            if is_not_supported_yet(&entry.name) {
                found = true;
                let detail = format!(
                    "{} is a part of this module, but this version of Terrane reads neither JSON configuration, nor \
                     override files, nor `.tofu` files. Its values would be missing from the result.",
                    path.display()
                );
                self.diagnostics.push(Diagnostic::error(ids::NOT_SUPPORTED, detail));
            } else if entry.name.ends_with(extension) {
                found = true;
                trees.extend(self.file(&path));
            }
        }
        if !found {
            self.no_configuration(directory, call);
            return Arc::new(Module { directory: directory.to_owned(), ..Module::default() });
        }
        let mut found = Diagnostics::new();
        let module = Arc::new(decode::module(directory, &trees, &mut found));
        // What is missing because of a syntax error is not reported as missing.
        if !self.damaged {
            self.diagnostics.extend(found);
        }
        self.modules.insert(canonical, Arc::clone(&module));
        module
    }

    fn file(&mut self, path: &Path) -> Option<(Arc<Tree>, BodyId)> {
        let source = match read_source(self.files, path) {
            Ok(source) => source,
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                return None;
            }
        };
        let parsed = terrane_syntax::parse_body(&source);
        self.damaged |= parsed.diagnostics.iter().any(Diagnostic::is_error);
        self.diagnostics.extend(parsed.diagnostics);
        Some((parsed.tree, parsed.root))
    }

    fn unreadable(&mut self, error: &FileError, call: Option<(&Arc<SourceFile>, Span)>) -> Arc<Module> {
        let diagnostic = match call {
            Some((file, span)) => {
                let detail = format!("The source of this module cannot be read: {error}.");
                Diagnostic::error(ids::UNREADABLE_MODULE, detail).at(file, span)
            }
            None => {
                let detail = format!("{error}. Give the path of a directory with `.tf` files.");
                Diagnostic::error(ids::UNREADABLE_DIRECTORY, capitalised(&detail))
            }
        };
        self.diagnostics.push(diagnostic);
        Arc::new(Module::default())
    }

    fn no_configuration(&mut self, directory: &Path, call: Option<(&Arc<SourceFile>, Span)>) {
        let detail = format!(
            "The directory {} has no files whose names end in `{}`.",
            directory.display(),
            dialect::EXTENSION
        );
        let diagnostic = Diagnostic::error(ids::NO_CONFIGURATION, detail);
        self.diagnostics.push(match call {
            Some((file, span)) => diagnostic.at(file, span),
            None => {
                diagnostic.hint("Name the directory of a Terraform or OpenTofu module: `terrane eval DIR`.")
            }
        });
    }
}

/// Reads a file as text.
pub(crate) fn read_source(files: &dyn Files, path: &Path) -> Result<Arc<SourceFile>, Box<Diagnostic>> {
    match files.read(path) {
        Ok(bytes) => SourceFile::from_bytes(FileId::new(path), bytes).map_err(Box::new),
        Err(error) => {
            let detail = capitalised(&format!("{error}."));
            Err(Box::new(Diagnostic::error(ids::UNREADABLE_FILE, detail)))
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Hidden files and the backups of editors are not configuration.
fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

fn is_not_supported_yet(name: &str) -> bool {
    let unread = [".tf.json", ".tofu", ".tofu.json", "_override.tf"];
    name == "override.tf" || unread.iter().any(|end| name.ends_with(end))
}

fn is_local(source: &str) -> bool {
    ["./", "../"].iter().any(|prefix| source.starts_with(prefix)) || matches!(source, "." | "..")
}

/// Reports arguments for variables that the called module does not have, and required ones that are missing.
fn check_arguments(name: &str, call: &ModuleCall, module: &Module, diagnostics: &mut Diagnostics) {
    for (argument, (span, _)) in &call.arguments {
        if module.variables.contains_key(argument) {
            continue;
        }
        let detail = format!(
            "The module \"{name}\" has no variable \"{argument}\". Remove the argument, or declare the variable in {}.",
            module.directory.display()
        );
        let mut diagnostic =
            Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, detail).at(&call.declaration.file, *span);
        if let Some(nearest) = closest_name(argument, module.variables.keys().map(|known| &**known)) {
            diagnostic = diagnostic.hint(format!("Did you mean \"{nearest}\"?"));
        }
        diagnostics.push(diagnostic);
    }
    for (variable, declared) in &module.variables {
        if declared.default.is_none() && !call.arguments.contains_key(variable) {
            let detail = format!(
                "The module \"{name}\" needs a value for its variable \"{variable}\", which has no default: add \
                 `{variable} = …`."
            );
            let declaration = &call.declaration;
            diagnostics.push(
                Diagnostic::error(ids::MISSING_ARGUMENT, detail).at(&declaration.file, declaration.span),
            );
        }
    }
}

/// `base/relative` without `.` and, where the parent is a name, without `..`.
fn join(base: &Path, relative: &str) -> PathBuf {
    tidy(&base.join(relative))
}

fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(tidy.components().next_back(), Some(Component::Normal(_))) {
                    tidy.pop();
                } else if !matches!(tidy.components().next_back(), Some(Component::RootDir)) {
                    tidy.push("..");
                }
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => tidy.push(component),
        }
    }
    if tidy.as_os_str().is_empty() { PathBuf::from(".") } else { tidy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_tidied() {
        for (path, tidied) in [
            (".", "."),
            ("./a/../b", "b"),
            ("../a", "../a"),
            ("a/..", "."),
            ("/..", "/"),
            ("../../x/./y", "../../x/y"),
        ] {
            assert_eq!(tidy(Path::new(path)), Path::new(tidied), "{path}");
        }
    }

    #[test]
    fn local_sources_begin_with_a_dot() {
        assert!(is_local("./a") && is_local("../..") && is_local(".."));
        assert!(!is_local("a") && !is_local("hashicorp/consul/aws") && !is_local(".hidden"));
    }
}
