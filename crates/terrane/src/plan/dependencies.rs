//! The dependencies of resources, as a plan records them in the state.

use std::collections::HashMap;

use terrane_config::Address;
use terrane_config::address::ResourceMode;
use terrane_function::RAISE_STEPS;
use terrane_module::{Config, DestroyedObject};
use terrane_source::{Diagnostic, ids};
use terrane_value::SmolStr;

use super::dependency_search::{DependencySearch, NameId};
use super::resources::{PlannedAction, PlannedResource, sorted};

/// Finds the dependencies of resources.
pub(super) struct Dependencies<'c> {
    config: &'c Config,
    /// The blocks of the objects in the state that no block of the configuration declares.
    removed: Vec<Address>,
    /// The visits of objects that are left for all searches.
    visits: u64,
    found: FoundDependencies,
}

/// The dependencies that were found so far.
pub(super) struct FoundDependencies {
    /// The references of the configuration. Built for the first resource that is in the state.
    search: Option<DependencySearch>,
    /// The dependencies by the block of the resource.
    by_block: HashMap<Address, BlockDependencies>,
    /// The most visits of all searches.
    most: u64,
    is_over: bool,
}

/// The characters around the text of a dependency in JSON.
const BYTES_AROUND_NAME: usize = 3;

/// The dependencies of the resources of a block.
struct BlockDependencies {
    /// The resources, in the order of their texts.
    resources: Vec<NameId>,
    /// The length of their texts in JSON.
    bytes: usize,
}

/// Returns the most visits of objects in a search.
pub(super) fn most_visits(config: &Config) -> u64 {
    const STEPS_OF_VISIT: u64 = 4;
    config.request.limits.steps / STEPS_OF_VISIT
}

/// Returns the error about a search with more visits.
pub(super) fn too_many_visits(most: u64) -> Diagnostic {
    let detail = format!(
        "The search for everything that the resources of the plan depend on, directly or through other objects, visits more than \
         {most} objects."
    );
    Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_STEPS)
}

impl<'c> Dependencies<'c> {
    /// The visits that a dependency in a result counts.
    const VISITS_OF_RESULT: u64 = 4;

    /// Prepares a plan that destroys or forgets `destroyed`.
    pub(super) fn of<'d>(
        config: &'c Config,
        destroyed: impl Iterator<Item = &'d DestroyedObject>,
    ) -> Dependencies<'c> {
        let removed = destroyed.map(|one| one.address().without_keys()).collect();
        let most = most_visits(config);
        let found = FoundDependencies { search: None, by_block: HashMap::new(), most, is_over: false };
        Dependencies { config, removed, visits: most, found }
    }

    /// Returns the dependencies of a resource instance in the state that the plan begins with.
    pub(super) fn recorded(&mut self, resource: &PlannedResource<'_>) -> Vec<SmolStr> {
        self.find(resource);
        self.found.of(resource)
    }

    /// Finds the dependencies of a resource in the configuration, if they count.
    pub(super) fn find(&mut self, resource: &PlannedResource<'_>) {
        if self.found.is_over || !is_configured(resource) {
            return;
        }
        let block = resource.address().without_keys();
        if self.found.by_block.contains_key(&block) {
            return;
        }
        let search =
            self.found.search.get_or_insert_with(|| DependencySearch::of(self.config, &self.removed));
        let Some(mut behind) = search.resources_behind([&block], &mut self.visits) else {
            self.found.is_over = true;
            return;
        };
        let own = search.name_of(&block);
        behind.retain(|found| Some(*found) != own);
        behind.sort_unstable();
        let results = Self::VISITS_OF_RESULT.saturating_mul(behind.len() as u64);
        self.found.is_over = results > self.visits;
        self.visits = self.visits.saturating_sub(results);
        let bytes = behind.iter().map(|found| search.name(*found).len() + BYTES_AROUND_NAME).sum();
        self.found.by_block.insert(block, BlockDependencies { resources: behind, bytes });
    }

    /// Returns everything that was found.
    pub(super) fn into_found(self) -> FoundDependencies {
        self.found
    }

    /// Does the same as [`FoundDependencies::exceeded`].
    pub(super) fn exceeded(&self) -> Option<Diagnostic> {
        self.found.exceeded()
    }
}

impl FoundDependencies {
    /// Returns the error about resources that have too many dependencies.
    pub(super) fn exceeded(&self) -> Option<Diagnostic> {
        self.is_over.then(|| too_many_visits(self.most))
    }

    /// Returns the dependencies of a resource instance in the state that the plan begins with. After a refresh the state has
    /// the recorded dependencies and the dependencies in the configuration; for an object that does not change, it has only the
    /// dependencies in the configuration. An import adds no dependencies.
    pub(super) fn of(&self, resource: &PlannedResource<'_>) -> Vec<SmolStr> {
        let stored = resource.stored_dependencies();
        if !is_configured(resource) {
            return stored;
        }
        let configured = self.configured(resource);
        match stored.is_empty() || resource.action == PlannedAction::NoOp {
            true => configured.cloned().collect(),
            false => sorted(stored.iter().chain(configured)),
        }
    }

    /// Returns the length of the texts of the dependencies in JSON.
    pub(super) fn bytes(&self, resource: &PlannedResource<'_>) -> usize {
        self.by_block.get(&resource.address().without_keys()).map_or(0, |found| found.bytes)
    }

    /// Returns the addresses of the resources that the block of a resource depends on: sorted, without instance keys.
    fn configured(&self, resource: &PlannedResource<'_>) -> impl Iterator<Item = &SmolStr> {
        let block = resource.address().without_keys();
        let found = self.by_block.get(&block).map_or(&[][..], |found| found.resources.as_slice());
        self.search.iter().flat_map(|search| found.iter().map(|id| search.name(*id)))
    }
}

/// Whether the dependencies in the configuration count.
fn is_configured(resource: &PlannedResource<'_>) -> bool {
    let is_imported = resource.import_id.is_some() && resource.action != PlannedAction::NoOp;
    resource.resource.mode == ResourceMode::Managed && !is_imported
}
