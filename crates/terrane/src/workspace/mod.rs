//! Evaluates root modules again and again while files change.
//!
//! [`Workspace`] keeps the files with their unsaved texts, the parsed directories, and for each root the last report
//! and the names in its files.

mod kept;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use terrane_function::Limits;
use terrane_module::symbols::Symbols;
use terrane_module::{Directory, Record, Request};
use terrane_source::{Files, OverlayFiles};

use crate::caches::Caches;
use crate::environment::Environment;
use crate::load::add_stored_schemas;
use crate::project::Project;
use crate::report::Report;
use crate::workspace::kept::{Kept, KeptSymbols};

/// The memory of a [`Workspace`] unless [`Workspace::set_memory`] sets another.
const DEFAULT_MEMORY: usize = 1 << 30;

/// The estimated bytes of a directory in memory for each byte of its sources: texts, tokens, trees and declarations.
const BYTES_OF_SOURCE: usize = 12;

/// Files that change, and root modules that are evaluated after each change: the engine of an editor or a watcher.
///
/// - Files are read through other [`Files`], such as those on disk. A file can have an unsaved text
///   ([`Workspace::set_overlay`]) or count as deleted ([`Workspace::delete`]). [`Workspace::files_changed`] notes changes
///   below.
/// - A root module is a [`Project`]; [`Workspace::evaluate`] returns its [`Report`] for the files as they are. Only changed files
///   are parsed again, and without a change the last report is returned.
/// - The report is the same as the report of [`Project::evaluate`] over the same files.
///
/// ```
/// use terrane::{MemoryFiles, Project, Workspace};
///
/// let files = MemoryFiles::from_iter([
///     ("main.tf", "module \"net\" { source = \"./net\" }\noutput \"name\" { value = module.net.name }\n"),
///     ("net/main.tf", "output \"name\" { value = \"blue\" }\n"),
/// ]);
/// let mut workspace = Workspace::new(files);
/// let root = workspace.add(Project::new("."));
/// let name = |report: &terrane::Report| report.output("name")?.as_str().map(str::to_owned);
/// let report = workspace.evaluate(root, None)?;
/// assert_eq!(name(&report).as_deref(), Some("blue"));
///
/// // The text of an editor, which is not saved.
/// workspace.set_overlay("net/main.tf", "output \"name\" { value = upper(\"green\") }\n");
/// let report = workspace.evaluate(root, None)?;
/// assert_eq!(name(&report).as_deref(), Some("GREEN"));
/// assert_eq!(workspace.parsed_files(), 3, "two at first, and one after the edit");
/// # Ok::<(), terrane::Stopped>(())
/// ```
///
/// Evaluations borrow the workspace, and changes borrow it mutably. So a program with several threads puts it into a
/// `RwLock`: roots are evaluated in parallel, and a thread with a change first stops the evaluations that run.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// use terrane::{MemoryFiles, Project, Stopped, Workspace};
///
/// let mut workspace = Workspace::new(MemoryFiles::from_iter([("main.tf", "locals { a = 1 }\n")]));
/// let root = workspace.add(Project::new("."));
/// let cancel = Arc::new(AtomicBool::new(false));
/// cancel.store(true, Ordering::Relaxed);
/// assert_eq!(workspace.evaluate(root, Some(&cancel)).err(), Some(Stopped));
/// ```
pub struct Workspace {
    files: OverlayFiles<Arc<dyn Files>>,
    caches: Caches,
    roots: BTreeMap<RootId, WorkspaceRoot>,
    /// The number of roots that were added.
    added: u64,
    /// The number of changes.
    revision: u64,
    /// The number of requests for reports and names, for the order of use.
    requests: AtomicU64,
    memory: usize,
}

/// The id of a root module in a [`Workspace`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RootId(u64);

/// The evaluation was stopped, or the workspace has no such root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the evaluation was stopped")
    }
}

impl std::error::Error for Stopped {}

/// A root module with its last evaluation.
struct WorkspaceRoot {
    project: Project,
    /// A root with the same project except for values of variables. The first evaluation takes over its results.
    like: Option<RootId>,
    kept: Mutex<Option<Kept>>,
    symbols: Mutex<Option<KeptSymbols>>,
}

impl WorkspaceRoot {
    fn new(project: Project) -> WorkspaceRoot {
        WorkspaceRoot { project, like: None, kept: Mutex::default(), symbols: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn symbols(&self) -> MutexGuard<'_, Option<KeptSymbols>> {
        self.symbols.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace")
            .field("roots", &self.roots.keys())
            .field("revision", &self.revision)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl Workspace {
    /// Returns a workspace over these files, without roots.
    pub fn new(files: impl Files + 'static) -> Workspace {
        let files: Arc<dyn Files> = Arc::new(files);
        Workspace {
            files: OverlayFiles::new(files),
            caches: Caches::default(),
            roots: BTreeMap::new(),
            added: 0,
            revision: 0,
            requests: AtomicU64::new(0),
            memory: DEFAULT_MEMORY,
        }
    }

    /// Limits the memory that the workspace keeps between evaluations, in approximate bytes. The default is one gibibyte.
    /// Beyond it, the workspace drops the least recently used reports, names and directories, and the schema files of stores, and
    /// reads or builds them again on demand.
    pub fn set_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    /// Returns the files with their overlays, for functions of the library that take [`Files`].
    pub fn files(&self) -> &dyn Files {
        &self.files
    }

    /// Sets the unsaved text of a file, which counts until [`Workspace::remove_overlay`].
    pub fn set_overlay(&mut self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        self.files.set(&path, text);
        self.files_changed([path]);
    }

    /// Makes a file count as deleted until [`Workspace::remove_overlay`].
    pub fn delete(&mut self, path: impl AsRef<Path>) {
        // While its target exists, the path of a link still leads to the link.
        self.files_changed([&path]);
        self.files.delete(&path);
    }

    /// Drops the unsaved text or the deletion of a file.
    pub fn remove_overlay(&mut self, path: impl AsRef<Path>) {
        if self.files.remove(&path) {
            self.files_changed([path]);
        }
    }

    /// Records that files or directories below the overlays have changed, appeared or disappeared. A lock file and the files of
    /// [`SchemaStores`](crate::SchemaStores) count too.
    pub fn files_changed<P: AsRef<Path>>(&mut self, paths: impl IntoIterator<Item = P>) {
        let changed: Vec<_> = paths.into_iter().map(|path| self.files.key(path.as_ref())).collect();
        self.caches.forget(&changed, &self.files);
        self.revision += 1;
    }

    /// Adds a root module.
    pub fn add(&mut self, project: Project) -> RootId {
        self.added += 1;
        let id = RootId(self.added);
        self.roots.insert(id, WorkspaceRoot::new(project));
        id
    }

    /// Adds the root module `base` in another environment. Its first evaluation takes over results of the last evaluation of
    /// `like`, if they do not depend on the environment. `like` is `base` or an environment of it. `None` if there is no root
    /// `base`.
    pub fn add_environment(
        &mut self,
        base: RootId,
        like: RootId,
        environment: &Environment,
    ) -> Option<RootId> {
        let project = self.roots.get(&base)?.project.clone().in_environment(environment);
        let id = self.add(project);
        if let Some(root) = self.roots.get_mut(&id) {
            root.like = Some(like);
        }
        Some(id)
    }

    /// Replaces the inputs of a root module.
    pub fn set_project(&mut self, id: RootId, project: Project) {
        if let Some(root) = self.roots.get_mut(&id) {
            *root = WorkspaceRoot::new(project);
        }
    }

    /// Sets the limit on memory of a root module.
    pub(crate) fn limit_memory(&mut self, id: RootId, bytes: u64) {
        if let Some(root) = self.roots.get_mut(&id) {
            let limits = Limits { memory: bytes, ..root.project.request().limits.clone() };
            *root = WorkspaceRoot::new(root.project.clone().limits(limits));
        }
    }

    /// Removes a root module.
    pub fn remove(&mut self, id: RootId) {
        self.roots.remove(&id);
    }

    /// Returns the root modules with their inputs, in the order in which they were added.
    pub fn roots(&self) -> impl Iterator<Item = (RootId, &Project)> {
        self.roots.iter().map(|(id, root)| (*id, &root.project))
    }

    /// Returns the report of a root module for the current files. The evaluation stops when `cancel` is set, which takes the
    /// place of the flag in the limits of the [`Project`] during the evaluation. Queries on the report do not depend on `cancel`.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `cancel` or the flag of the project was set during the evaluation, or the root was removed. An evaluation
    /// beyond its time has a report with the values that were known by then; the next call evaluates again.
    pub fn evaluate(&self, id: RootId, cancel: Option<&Arc<AtomicBool>>) -> Result<Arc<Report>, Stopped> {
        let root = self.roots.get(&id).ok_or(Stopped)?;
        let used = self.requests.fetch_add(1, Ordering::Relaxed);
        let report = {
            let mut kept = root.kept();
            match kept.as_mut().filter(|kept| kept.revision == self.revision) {
                Some(kept) => {
                    kept.used = used;
                    return Ok(Arc::clone(&kept.report));
                }
                None => {
                    let like = root.like.and_then(|like| self.roots.get(&like)).filter(|_| kept.is_none());
                    // A root waits only for an older root, which never waits for a newer one.
                    let like = like.map(WorkspaceRoot::kept);
                    let like = like.as_ref().and_then(|like| like.as_ref());
                    let earlier = kept.as_ref().or(like).and_then(|kept| kept.record.as_ref());
                    let (report, record) = self.evaluated(root, earlier, cancel)?;
                    if !root.project.request().limits.is_out_of_time() {
                        *kept = Some(Kept::new(&report, record, self.revision, used));
                    }
                    report
                }
            }
        };
        self.drop_unused(used);
        Ok(report)
    }

    fn evaluated(
        &self,
        root: &WorkspaceRoot,
        earlier: Option<&Record>,
        cancel: Option<&Arc<AtomicBool>>,
    ) -> Result<(Arc<Report>, Option<Record>), Stopped> {
        let mut request: Request = root.project.request().clone();
        let of_project = request.limits.cancel.clone();
        if let Some(cancel) = cancel {
            request.limits.cancel = Some(Arc::clone(cancel));
        }
        let mut record = None;
        let report =
            root.project.evaluate_request(request, &self.files, &self.caches, |config, inputs, files| {
                let (mut evaluation, made) = terrane_module::evaluate_again(config, inputs, files, earlier);
                // Queries on the report are runs of their own, which the flag of this evaluation must not stop.
                evaluation.config.request.limits.cancel.clone_from(&of_project);
                record = made;
                evaluation
            });
        let is_stopped = cancel.into_iter().chain(&of_project).any(|cancel| cancel.load(Ordering::Relaxed));
        if is_stopped { Err(Stopped) } else { Ok((Arc::new(report), record)) }
    }

    /// Drops reports, names, directories and schema files beyond the limit of memory, except the reports and names of the request
    /// `last`.
    fn drop_unused(&self, last: u64) {
        self.caches.directories.shrink_to(self.memory / 2 / BYTES_OF_SOURCE);
        // The lock of a root that is being evaluated is taken, so the root is in use.
        let reports = || self.roots.values().filter_map(|root| root.kept.try_lock().ok());
        let symbols = || self.roots.values().filter_map(|root| root.symbols.try_lock().ok());
        let of_reports = reports().filter_map(|kept| kept.as_ref().map(|kept| (kept.used, kept.size)));
        let of_symbols =
            symbols().filter_map(|kept| kept.as_ref().map(|kept| (kept.used, kept.symbols.bytes())));
        let mut sizes: Vec<(u64, usize)> = of_reports.chain(of_symbols).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        let mut sum = self.caches.schemas.bytes();
        if sum > self.memory / 2 {
            self.caches.schemas.clear();
            sum = 0;
        }
        let first_dropped = sizes.into_iter().find(|(used, size)| {
            sum = sum.saturating_add(*size);
            sum > self.memory / 2 && *used < last
        });
        let Some((oldest, _)) = first_dropped else { return };
        for mut kept in reports() {
            if kept.as_ref().is_some_and(|kept| kept.used <= oldest) {
                *kept = None;
            }
        }
        for mut kept in symbols() {
            if kept.as_ref().is_some_and(|kept| kept.used <= oldest) {
                *kept = None;
            }
        }
    }

    /// Returns the request of a root module with the stored schemas, like the request of its evaluations.
    fn request(&self, root: &WorkspaceRoot) -> Request {
        let mut request = root.project.request().clone();
        let (stores, files) = (root.project.stores(), &self.files);
        add_stored_schemas(&mut request, stores, files, files, &self.caches.schemas);
        request
    }

    /// Returns the content of a directory as the root module `id` reads it: declarations, and the files with trees, tokens and
    /// errors. `None` if there is no such root or directory.
    pub fn directory(&self, id: RootId, path: impl AsRef<Path>) -> Option<Arc<Directory>> {
        let request = self.request(self.roots.get(&id)?);
        self.caches.directories.directory(path.as_ref(), &request, &self.files).ok()
    }

    /// Returns the names in the files of the root module `id`, like [`Project::symbols`], with the unsaved texts. Only changed
    /// files are parsed again, and without a change the names are the same as before. `None` if there is no such root.
    ///
    /// ```
    /// use terrane::source::FileId;
    /// use terrane::{MemoryFiles, Project, Workspace};
    ///
    /// let mut workspace = Workspace::new(MemoryFiles::from_iter([("main.tf", "variable \"region\" {}\n")]));
    /// let root = workspace.add(Project::new("."));
    /// workspace.set_overlay("place.tf", "output \"place\" { value = var.region }\n");
    /// let symbols = workspace.symbols(root).expect("a root of the workspace");
    /// let variable = &symbols.at(&FileId::new("main.tf"), 10).expect("the name of the variable").symbol;
    /// let files: Vec<String> = symbols.occurrences(variable).map(|name| name.subject.file.id().to_string()).collect();
    /// assert_eq!(files, ["main.tf", "place.tf"]);
    /// ```
    pub fn symbols(&self, id: RootId) -> Option<Arc<Symbols>> {
        let root = self.roots.get(&id)?;
        let used = self.requests.fetch_add(1, Ordering::Relaxed);
        let symbols = {
            let mut kept = root.symbols();
            match kept.as_mut().filter(|kept| kept.revision == self.revision) {
                Some(kept) => {
                    kept.used = used;
                    return Some(Arc::clone(&kept.symbols));
                }
                None => {
                    let symbols = Arc::new(self.caches.symbols(self.request(root), &self.files));
                    let revision = self.revision;
                    *kept = Some(KeptSymbols { symbols: Arc::clone(&symbols), revision, used });
                    symbols
                }
            }
        };
        self.drop_unused(used);
        Some(symbols)
    }

    /// Returns how often the workspace has parsed files of configuration, variables and tests.
    pub fn parsed_files(&self) -> u64 {
        self.caches.directories.parsed()
    }
}
