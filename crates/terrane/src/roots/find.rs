//! Finds and evaluates root modules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use terrane_body::constant::constant_string;
use terrane_config::Dialect;
use terrane_module::{Cache, Inputs, LOCK_FILE, Module, Request, automatic_source, evaluate};
use terrane_source::paths::shortest;
use terrane_source::{Diagnostic, Diagnostics, FileEntry, Files, ids};

use super::model::{FoundRoot, RootOptions, RootSign, Roots};
use super::walk::{Walked, walk};
use crate::caches::Caches;
use crate::dialect_at::dialect_at;
use crate::project::Project;
use crate::report::Report;
use crate::search::parallel;

/// Names of directories whose modules are examples or tests.
const EXAMPLES: [&str; 7] = ["example", "examples", "fixtures", "sample", "samples", "test", "tests"];

/// A module in the tree of directories.
struct FoundModule {
    directory: PathBuf,
    dialect: Dialect,
    signs: Vec<RootSign>,
    /// The directories of the local modules that the module calls.
    calls: Vec<PathBuf>,
}

impl Roots {
    /// Finds the root modules in a directory and below it. Hidden directories, links to directories, and directories that a
    /// `.gitignore` or `.terraneignore` names are left out.
    ///
    /// | a directory with | is |
    /// |---|---|
    /// | its name in a `fleet.toml` or `atlantis.yaml`, or a `stack` block of Terramate | a root |
    /// | a `backend` or `cloud` block, or a `.terraform.lock.hcl` | a root |
    /// | a `provider` block, a `terraform.tfvars` or `*.auto.tfvars`, syntax errors | a root, unless a module of the tree calls it |
    /// | a `terragrunt.hcl` | a root that is skipped: another program gives its inputs |
    /// | none of these | a library; with [`RootOptions::all`] a root, unless a module of the tree calls it |
    ///
    /// Without [`RootOptions::all`], directories named `example`, `examples`, `fixtures`, `sample`, `samples`, `test` or `tests`
    /// are left out with everything below them, unless `directory` itself is there, or a file names them. Directories that a file names are found even if they are hidden or ignored.
    pub fn find(directory: &Path, options: RootOptions, files: &dyn Files) -> Roots {
        let directory = shortest(directory);
        let Walked { modules, terragrunt, templates, mut signs, diagnostics } =
            walk(&directory, options, files);
        let caches = Caches::default();
        let read = |(path, entries): &(PathBuf, Vec<FileEntry>)| {
            module(path, entries, options, &caches.directories, files)
        };
        let found = parallel::in_turn(&modules, read);
        let mut roots = Roots {
            roots: Vec::new(),
            libraries: Vec::new(),
            examples: Vec::new(),
            terragrunt,
            templates,
            diagnostics,
            caches,
        };
        let mut modules = Vec::new();
        for result in found {
            match result {
                Ok(mut module) => {
                    let told = signs.remove(&module.directory).unwrap_or_default();
                    module.signs.splice(0..0, told);
                    modules.push(module);
                }
                Err(diagnostic) => roots.diagnostics.push(*diagnostic),
            }
        }
        let called: BTreeSet<&PathBuf> = modules.iter().flat_map(|module| &module.calls).collect();
        for module in &modules {
            let is_called = called.contains(&terrane_source::paths::tidy(&module.directory));
            roots.add(module, is_called, options, &directory);
        }
        roots
    }

    fn add(&mut self, module: &FoundModule, is_called: bool, options: RootOptions, top: &Path) {
        let directory = module.directory.clone();
        let signs = module.signs.iter().copied();
        let mut found_by: Vec<RootSign> = signs.filter(|sign| !is_called || sign.is_certain()).collect();
        let is_library = found_by.is_empty();
        let is_named = found_by.iter().any(|sign| sign.is_name());
        if is_library && is_called {
            return;
        }
        if is_library {
            found_by.push(RootSign::NotCalled);
        }
        if !options.all && !is_named && is_example(&directory, top) {
            self.examples.push(directory);
        } else if !options.all && is_library {
            self.libraries.push(directory);
        } else {
            self.roots.push(FoundRoot { directory, dialect: module.dialect, found_by });
        }
    }

    /// Evaluates each root with the inputs of `project`, on all cores, and calls `work` with its report. Returns the results in
    /// the order of the roots. Directories are read once for all roots.
    pub fn evaluate<R: Send>(
        &self,
        files: &dyn Files,
        project: impl Fn(&FoundRoot) -> Project + Sync,
        work: impl Fn(&FoundRoot, Report) -> R + Sync,
    ) -> Vec<R> {
        // The threads evaluate a single root together; several roots are evaluated side by side.
        let threads = if self.roots.len() == 1 { 0 } else { 1 };
        parallel::in_turn(&self.roots, |root| {
            let project = project(root).threads(threads);
            let evaluate = |config, inputs: &Inputs, files: &dyn Files| evaluate(config, inputs, files);
            work(root, project.evaluate_request(project.request().clone(), files, &self.caches, evaluate))
        })
    }
}

/// Returns the signs of a root module in a directory, and its module calls.
fn module(
    directory: &Path,
    entries: &[FileEntry],
    options: RootOptions,
    cache: &Cache,
    files: &dyn Files,
) -> Result<FoundModule, Box<Diagnostic>> {
    let dialect = dialect_at(directory, options.dialect, files)?;
    let request = Request { dialect, ..Request::new(directory) };
    let read = cache
        .directory(directory, &request, files)
        .map_err(|error| Box::new(Diagnostic::error(ids::UNREADABLE_DIRECTORY, format!("{error}."))))?;
    let module: &Module = &read.module;
    let has = |is_wanted: fn(&str) -> bool| entries.iter().any(|entry| is_wanted(&entry.name));
    let signs = [
        (module.backend.is_some(), RootSign::Backend),
        (module.cloud.is_some(), RootSign::Cloud),
        (has(|name| name == LOCK_FILE), RootSign::LockFile),
        (!module.providers.is_empty(), RootSign::Provider),
        (has(|name| automatic_source(name).is_some()), RootSign::VariableFile),
        (!module.doubt.is_none(), RootSign::SyntaxErrors),
    ];
    let sources = module.calls.values().filter_map(|call| call.source.as_ref());
    let sources = sources.filter_map(|source| constant_string(source, &mut Diagnostics::new()));
    let local = sources.map(|source| source.replace('\\', "/"));
    let local = local.filter(|source| source.starts_with("./") || source.starts_with("../"));
    Ok(FoundModule {
        directory: directory.to_owned(),
        dialect,
        signs: signs.into_iter().filter_map(|(is_there, sign)| is_there.then_some(sign)).collect(),
        calls: local.map(|source| terrane_source::paths::tidy(&directory.join(source))).collect(),
    })
}

/// Whether the path from `top` to a directory leads through a directory of examples or tests.
fn is_example(directory: &Path, top: &Path) -> bool {
    let below = directory.strip_prefix(top).unwrap_or(directory);
    below.components().any(|part| EXAMPLES.iter().any(|name| part.as_os_str() == *name))
}
