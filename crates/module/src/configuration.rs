//! Loads a configuration: reads its modules and inputs, then checks everything that needs no evaluation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use terrane_body::SourceReader;
use terrane_config::damaged_values::DamagedFile;
use terrane_config::limits;
use terrane_function::{CallEnv, Meter};
use terrane_source::{Diagnostic, Diagnostics, FileId, Files, Span};

use crate::check;
use crate::graph::used_providers;
use crate::inputs::Inputs;
use crate::load::cache::Cache;
use crate::load::calls::Loader;
use crate::load::loaded::LoadedModules;
use crate::load::lock_file::LockFile;
use crate::load::mocks::Modules;
use crate::load::module_directories::ModuleDirectories;
use crate::load::{encryption, given, locate, mock_files, mocks, prior};
use crate::model::computed_data::{LockedVersions, has_rows};
use crate::model::doubt::Doubts;
use crate::model::given::{GivenInOrder, GivenValues};
use crate::model::ids::{Arena, NodeId};
use crate::model::prior::PriorState;
use crate::model::request::Request;
use crate::model::tree::{Config, ModuleNode, Recordings};
use crate::rules::Rules;
use crate::static_value::StaticInputs;

/// The outcome of [`load()`].
#[derive(Debug)]
pub struct Loaded {
    /// The configuration; empty if the directory could not be read.
    pub config: Config,
    /// The values of the variables of the root module.
    pub inputs: Inputs,
    /// The files of all modules, without duplicates.
    pub files: Vec<FileId>,
    /// Errors and warnings about the files, the calls of modules and the inputs.
    pub diagnostics: Diagnostics,
    /// The number of errors in declarations.
    pub declaration_errors: usize,
    /// The parts of the configuration that are missing.
    pub gaps: Gaps,
    /// How the load has used the directories that the request gives for modules.
    pub module_directories: ModuleDirectories,
}

/// The parts of a configuration that could not be read.
#[derive(Clone, Default, Debug)]
pub struct Gaps {
    /// Whether loading was stopped, or a module is not for this version of the product: then that may be the
    /// cause of any further error.
    pub is_stopped: bool,
    /// Files with syntax errors, and files that cannot be read. Values that depend on the unreadable text are unknown;
    /// [`Module::doubt`](crate::Module::doubt) has the declarations in question.
    pub files: Vec<DamagedFile>,
    /// The number of blocks with an unknown type or a wrong number of labels in each file that has any. The names that they
    /// may declare are unknown.
    pub wrong_headers: BTreeMap<FileId, usize>,
}

impl Gaps {
    /// Collects the gaps in the modules that a loader has read, and in the sources of the inputs.
    fn of(
        is_stopped: bool,
        damaged: impl IntoIterator<Item = DamagedFile>,
        nodes: &Arena<NodeId, ModuleNode>,
        inputs: &Inputs,
    ) -> Gaps {
        let of_inputs = inputs.gaps().iter().map(|gap| gap.damaged.clone());
        let headers = nodes.iter().flat_map(|node| node.module.doubt.wrong_headers());
        Gaps {
            is_stopped,
            files: damaged.into_iter().chain(of_inputs).collect(),
            wrong_headers: headers.map(|(file, count)| (file.clone(), *count)).collect(),
        }
    }

    /// Adds the syntax errors in strings of JSON files, which are reported when the strings are read.
    pub fn add_broken_strings<'d>(&mut self, found: impl IntoIterator<Item = &'d Diagnostic>) {
        let errors = found.into_iter().filter(|found| found.is_error());
        let places: BTreeSet<(&FileId, Span)> = errors
            .filter_map(|found| found.subject.as_ref())
            .filter(|place| place.file.has_broken_string_in(place.span))
            .map(|place| (place.file.id(), place.span))
            .collect();
        for (file, _) in places {
            match self.files.iter_mut().rev().find(|damaged| damaged.file == *file) {
                Some(damaged) => damaged.syntax_errors += 1,
                None => self.files.push(DamagedFile { file: file.clone(), syntax_errors: 1 }),
            }
        }
    }

    /// Whether no part is missing.
    pub fn is_none(&self) -> bool {
        !self.is_stopped && self.files.is_empty() && self.wrong_headers.is_empty()
    }
}

impl Loaded {
    /// Adds reports about unused entries of [`Request::modules`] and [`Request::module_map`], for a configuration that is not one of
    /// several that share them.
    #[must_use]
    pub fn with_unused_modules(mut self, files: &dyn Files) -> Loaded {
        let request = &self.config.request;
        let mistakes = self.module_directories.mistakes(&request.modules, &request.module_map, files);
        self.diagnostics.extend(mistakes);
        self
    }
}

/// Reads the directory of the root module, every module called from there that is on disk, and the values of the variables of the root
/// module. Directories in `cache` are not read again.
///
/// Unused entries of [`Request::modules`] and [`Request::module_map`] are not reported: the caller does it for all loads that share
/// them, from [`ModuleDirectories`], or for a single load with [`Loaded::with_unused_modules`].
pub fn load(mut request: Request, files: &dyn Files, cache: &Cache) -> Loaded {
    locate::resolve_links(&mut request, files);
    let mut loaded = LoadedModules::default();
    let mut loader = Loader::new(&request, files, cache, &mut loaded.diagnostics);
    let rules = loader.rules;
    let mut of_inputs = Diagnostics::new();
    loader.read_root(&mut loaded, &mut of_inputs);
    loader.follow_calls(&mut loaded);
    let nodes = std::mem::take(&mut loaded.nodes);
    let doubts = Doubts::of(nodes.iter().map(ModuleNode::doubt));
    let mut found = Diagnostics::new();
    let mut statics = loader.statics.over(&loader.static_inputs, &nodes, &mut found);
    check::static_arguments::check(&mut statics);
    let encryption = encryption::encryption(&request, &mut statics);
    found.extend(of_inputs);
    loaded.diagnostics.extend(doubts.sound(found));
    let (mut module_directories, declaration_errors) = (loader.locator.given, loaded.declaration_errors);
    let is_refused = loaded.is_refused();
    if is_refused || loaded.syntax_errors > 0 {
        module_directories.set_incomplete();
    }
    let mut diagnostics = loaded.diagnostics;
    let mut found = Diagnostics::new();
    // The version of the product may be the cause of anything.
    if !loaded.is_stopped {
        check::providers::check(&nodes, &rules, request.phase, &mut found);
        check::providers::check_root(&nodes, request.phase, &mut found);
    }
    found.extend(used_providers::mistakes(&nodes));
    diagnostics.extend(doubts.sound(found));
    let StaticInputs { workspace, variables: inputs, meter, .. } = loader.static_inputs;
    let (missing_modules, seen) = (loaded.missing_modules, loaded.files.into_iter().collect());
    let mut gaps = Gaps::of(loaded.is_stopped, loaded.damaged, &nodes, &inputs);
    let sources = GivenSources { request: &request, rules: &rules, files: &loader.sources, meter: &meter };
    let given = sources.values(&nodes, &mut gaps, &mut diagnostics);
    let recorded = Recordings { encryption, ..sources.recorded(&nodes, &mut diagnostics) };
    if !request.phase.reads_state_alone() && !is_refused {
        check::recorded::check(&recorded, &nodes, &mut diagnostics);
    }
    let missing_by_path =
        missing_modules.enumerate().map(|(id, missing)| (missing.path.clone(), id)).collect();
    let config = Config {
        locked: locked(&request, &nodes, files),
        refused: OnceLock::new(),
        nodes,
        workspace,
        missing_modules,
        missing_by_path,
        request,
        given,
        recorded,
        rules,
        hidden_secrets: OnceLock::new(),
    };
    // Several calls of one module report the same errors.
    let diagnostics = rules.titles.apply(diagnostics.distinct());
    let diagnostics = config.without_secrets(diagnostics, Diagnostics::new());
    Loaded { config, inputs, files: seen, diagnostics, declaration_errors, gaps, module_directories }
}

/// Returns the versions in the lock file, if a data source is computed as one of them does;
/// otherwise the file is not read.
fn locked(request: &Request, nodes: &Arena<NodeId, ModuleNode>, files: &dyn Files) -> LockedVersions {
    if !request.computes_data || !nodes.iter().any(|node| has_rows(&node.module)) {
        return LockedVersions::Read(Vec::new());
    }
    match LockFile::of(&request.directory, files) {
        Ok(lock) => {
            let providers = lock.unwrap_or_default().providers.into_iter();
            LockedVersions::Read(providers.map(|locked| (locked.address, locked.version)).collect())
        }
        Err(_) => LockedVersions::Unreadable,
    }
}

/// The options and mock files that give values.
struct GivenSources<'g> {
    request: &'g Request,
    rules: &'g Rules,
    files: &'g SourceReader<'g>,
    meter: &'g Meter,
}

impl GivenSources<'_> {
    /// Returns the objects of the state and of the plan that the request has.
    fn recorded(&self, nodes: &Arena<NodeId, ModuleNode>, diagnostics: &mut Diagnostics) -> Recordings {
        let GivenSources { request, meter, .. } = *self;
        let is_alone = request.phase.reads_state_alone();
        let takes = |steps: usize| {
            meter.count(steps as u64);
            meter.steps() <= request.limits.steps
        };
        let prior = request.state.clone().map(|state| match is_alone {
            true => PriorState::new(state),
            false => prior::placed(state, nodes, &takes),
        });
        limits::stop_if_exceeded(&request.limits, meter, |diagnostic| diagnostics.push(diagnostic));
        let planned = request.plan.as_ref().filter(|_| !is_alone);
        let planned = planned.map(|plan| PriorState::new(Arc::clone(&plan.planned)));
        let (prior, planned) = (prior.map(Arc::new), planned.map(Arc::new));
        Recordings { prior, planned, ..Recordings::default() }
    }

    /// Returns the given values by their objects in the modules `nodes`. The configuration gets a
    /// gap if they exceed a limit.
    fn values(
        &self,
        nodes: &Arena<NodeId, ModuleNode>,
        gaps: &mut Gaps,
        diagnostics: &mut Diagnostics,
    ) -> GivenValues {
        let GivenSources { request, rules, files, meter } = *self;
        let mut values = GivenInOrder::default();
        let mocks = mock_files::read(request, rules.files, files, diagnostics);
        let env = CallEnv::new(files.files(), request.base_directory(), &request.limits);
        let env = CallEnv { meter: Some(meter), ..env };
        mocks::bind(&mocks, Modules { nodes, is_complete: gaps.is_none() }, &env, &mut values, diagnostics);
        given::bind(request, nodes, gaps.is_none(), &mut values, diagnostics);
        gaps.is_stopped |= meter.is_stopped();
        values.sorted()
    }
}
