//! Finds the root modules below a directory, and evaluates them on all cores.
//!
//! A repository has many modules, and most of them are called by others. [`Roots::find`] tells root modules from libraries,
//! examples and tests by what stands in their directories; [`Roots::evaluate`] evaluates each root by itself, so that a
//! broken one changes no other.

mod ignored;
mod json;
mod walk;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use terrane_body::constant::constant_string;
use terrane_config::Dialect;
use terrane_function::Product;
use terrane_module::{Cache, Inputs, Module, Request, evaluate};
use terrane_source::{Diagnostic, Diagnostics, FileEntry, Files};

#[cfg(feature = "json-schema")]
pub use self::json::roots_schema;
pub use self::json::{EvaluatedRoot, RootStatus};
use self::walk::{Walked, walk};
use crate::dialect_at::{LOCK_FILE, dialect_at};
use crate::project::Project;
use crate::report::Report;
use crate::search::{parallel, shortest};

/// Names of directories whose modules are examples or tests.
const EXAMPLES: [&str; 7] = ["example", "examples", "fixtures", "sample", "samples", "test", "tests"];

/// The root modules below a directory, and the directories that are none.
///
/// ```
/// use std::path::Path;
///
/// use terrane::{MemoryFiles, Project, RootOptions, Roots};
///
/// let files = MemoryFiles::from_iter([
///     ("live/eu/main.tf", "provider \"aws\" {}\nmodule \"net\" { source = \"../../modules/net\" }\n"),
///     ("live/us/main.tf", "terraform {\n  backend \"s3\" {}\n}\noutput \"zone\" { value = \"us-1\" }\n"),
///     ("modules/net/main.tf", "output \"id\" { value = 1 }\n"),
///     ("modules/old/main.tf", ""),
/// ]);
/// let roots = Roots::find(Path::new("."), RootOptions::default(), &files);
/// let directories: Vec<&Path> = roots.roots.iter().map(|root| root.directory.as_path()).collect();
/// assert_eq!(directories, [Path::new("live/eu"), Path::new("live/us")]);
/// assert_eq!(roots.libraries, [Path::new("modules/old")]);
///
/// let project = |root: &terrane::FoundRoot| Project::new(&root.directory);
/// let outputs = roots.evaluate(&files, project, |_, report| report.outputs().count());
/// assert_eq!(outputs, [0, 1]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Roots {
    /// The root modules, sorted by directory.
    pub roots: Vec<FoundRoot>,
    /// Modules without a sign of a root that no other module calls.
    pub libraries: Vec<PathBuf>,
    /// Root modules and libraries in directories for examples or tests.
    pub examples: Vec<PathBuf>,
    /// Directories whose modules another program configures: those with a `terragrunt.hcl`.
    pub terragrunt: Vec<PathBuf>,
    /// Directories with Packer templates.
    pub templates: Vec<PathBuf>,
    /// Errors about directories that could not be read.
    pub diagnostics: Diagnostics,
    cache: Cache,
}

/// A root module that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FoundRoot {
    /// Its directory.
    pub directory: PathBuf,
    /// The product and edition that it is written for.
    pub dialect: Dialect,
    /// Why it is a root; at least one sign.
    pub found_by: Vec<RootSign>,
}

/// A sign that a directory is a root module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RootSign {
    /// A `backend` block.
    Backend,
    /// A `cloud` block.
    Cloud,
    /// A `.terraform.lock.hcl`.
    LockFile,
    /// A `provider` block, in a module that no other calls.
    Provider,
    /// A `terraform.tfvars` or `*.auto.tfvars`, in a module that no other calls.
    VariableFile,
    /// No module calls it. This counts only where libraries are asked for.
    NotCalled,
}

impl RootSign {
    /// The name in JSON documents.
    pub const fn name(self) -> &'static str {
        match self {
            RootSign::Backend => "backend",
            RootSign::Cloud => "cloud",
            RootSign::LockFile => "lock-file",
            RootSign::Provider => "provider",
            RootSign::VariableFile => "variable-file",
            RootSign::NotCalled => "not-called",
        }
    }

    /// Whether the sign counts also in a module that another calls.
    const fn is_certain(self) -> bool {
        match self {
            RootSign::Backend | RootSign::Cloud | RootSign::LockFile => true,
            RootSign::Provider | RootSign::VariableFile | RootSign::NotCalled => false,
        }
    }
}

/// Options of [`Roots::find`].
#[derive(Clone, Copy, Default, Debug)]
#[non_exhaustive]
pub struct RootOptions {
    /// Whether modules that nothing calls are roots in any case, and examples and tests are too.
    pub all: bool,
    /// The product and edition of all roots; if none, it depends on the files of each directory.
    pub dialect: Option<Dialect>,
}

/// A module of the tree of directories.
struct FoundModule {
    directory: PathBuf,
    dialect: Dialect,
    signs: Vec<RootSign>,
    /// The directories of the local modules that it calls.
    calls: Vec<PathBuf>,
}

impl Roots {
    /// Finds the root modules in a directory and below it. Hidden directories, links to directories, and those that a
    /// `.gitignore` or `.terraneignore` names are left out.
    ///
    /// | a directory with | is |
    /// |---|---|
    /// | a `backend` or `cloud` block, or a `.terraform.lock.hcl` | a root |
    /// | a `provider` block, a `terraform.tfvars` or `*.auto.tfvars` | a root, unless a module of the tree calls it |
    /// | a `terragrunt.hcl` | no root: another program gives its inputs |
    /// | none of these | a library; with [`RootOptions::all`] a root, unless a module of the tree calls it |
    ///
    /// A directory below one named `examples`, `tests` or the like is left out without [`RootOptions::all`], unless
    /// `directory` itself lies there.
    pub fn find(directory: &Path, options: RootOptions, files: &dyn Files) -> Roots {
        let directory = shortest(directory);
        let Walked { modules, terragrunt, templates, diagnostics } = walk(&directory, options, files);
        let cache = Cache::default();
        let read =
            |(path, entries): &(PathBuf, Vec<FileEntry>)| module(path, entries, options, &cache, files);
        let found = parallel::in_turn(&modules, read);
        let mut roots = Roots {
            roots: Vec::new(),
            libraries: Vec::new(),
            examples: Vec::new(),
            terragrunt,
            templates,
            diagnostics,
            cache,
        };
        let mut modules = Vec::new();
        for result in found {
            match result {
                Ok(module) => modules.push(module),
                Err(diagnostic) => roots.diagnostics.push(*diagnostic),
            }
        }
        let called: BTreeSet<&PathBuf> = modules.iter().flat_map(|module| &module.calls).collect();
        for module in &modules {
            let is_called = called.contains(&terrane_module::tidy(&module.directory));
            roots.add(module, is_called, options, &directory);
        }
        roots
    }

    fn add(&mut self, module: &FoundModule, is_called: bool, options: RootOptions, top: &Path) {
        let directory = module.directory.clone();
        let signs = module.signs.iter().copied();
        let mut found_by: Vec<RootSign> = signs.filter(|sign| !is_called || sign.is_certain()).collect();
        let is_library = found_by.is_empty();
        if is_library && is_called {
            return;
        }
        if is_library {
            found_by.push(RootSign::NotCalled);
        }
        if !options.all && is_example(&directory, top) {
            self.examples.push(directory);
        } else if !options.all && is_library {
            self.libraries.push(directory);
        } else {
            self.roots.push(FoundRoot { directory, dialect: module.dialect, found_by });
        }
    }

    /// Evaluates each root with the inputs of `project`, on all cores, and calls `work` with its report. The results are in
    /// the order of the roots. Directories are read once for all roots.
    pub fn evaluate<R: Send>(
        &self,
        files: &dyn Files,
        project: impl Fn(&FoundRoot) -> Project + Sync,
        work: impl Fn(&FoundRoot, Report) -> R + Sync,
    ) -> Vec<R> {
        // A single root is divided among the cores; several are evaluated side by side.
        let threads = if self.roots.len() == 1 { 0 } else { 1 };
        parallel::in_turn(&self.roots, |root| {
            let project = project(root).threads(threads);
            let evaluate = |config, inputs: &Inputs, files: &dyn Files| evaluate(config, inputs, files);
            work(root, project.evaluate_request(project.request().clone(), files, &self.cache, evaluate))
        })
    }
}

/// What a directory tells about its module.
fn module(
    directory: &Path,
    entries: &[FileEntry],
    options: RootOptions,
    cache: &Cache,
    files: &dyn Files,
) -> Result<FoundModule, Box<Diagnostic>> {
    let dialect = dialect_at(directory, options.dialect, files)?;
    let request = Request { dialect, ..Request::new(directory) };
    let read = cache.directory(directory, &request, files).map_err(|error| {
        Box::new(Diagnostic::error(terrane_source::ids::UNREADABLE_DIRECTORY, format!("{error}.")))
    })?;
    let module: &Module = &read.module;
    let has = |is_wanted: fn(&str) -> bool| entries.iter().any(|entry| is_wanted(&entry.name));
    let signs = [
        (module.backend.is_some(), RootSign::Backend),
        (module.cloud.is_some(), RootSign::Cloud),
        (has(|name| name == LOCK_FILE), RootSign::LockFile),
        (!module.providers.is_empty(), RootSign::Provider),
        (has(is_automatic), RootSign::VariableFile),
    ];
    let sources = module.calls.values().filter_map(|call| call.source.as_ref());
    let sources = sources.filter_map(|source| constant_string(source, &mut Diagnostics::new()));
    let local = sources.map(|source| source.replace('\\', "/"));
    let local = local.filter(|source| source.starts_with("./") || source.starts_with("../"));
    Ok(FoundModule {
        directory: directory.to_owned(),
        dialect,
        signs: signs.into_iter().filter_map(|(is_there, sign)| is_there.then_some(sign)).collect(),
        calls: local.map(|source| terrane_module::tidy(&directory.join(source))).collect(),
    })
}

/// Whether a file with values is read without being named.
fn is_automatic(name: &str) -> bool {
    let name = name.strip_suffix(".json").unwrap_or(name);
    name == "terraform.tfvars" || name.ends_with(".auto.tfvars")
}

/// Whether the way from `top` to a directory leads through one for examples or tests.
fn is_example(directory: &Path, top: &Path) -> bool {
    let below = directory.strip_prefix(top).unwrap_or(directory);
    below.components().any(|part| EXAMPLES.iter().any(|name| part.as_os_str() == *name))
}

/// Whether a directory is written for Packer.
fn is_packer(dialect: Option<Dialect>) -> bool {
    dialect.is_some_and(|dialect| dialect.product() == Some(Product::Packer))
}

#[cfg(test)]
mod tests;
