//! Keeps the identifiers and identities under which `import` blocks import the instances of resources. They are
//! computed once for each resource, because a block may have as many elements as the resource has module instances.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_source::Diagnostic;
use terrane_value::Value;

use crate::model::ids::{ImportId, NodeId};
use crate::model::module::ResourceKey;
use crate::model::tree::Config;

/// The identifiers under which the instances of a resource are imported, by module instance and key. Mistakes in the
/// blocks are reported elsewhere; such blocks import nothing here.
#[derive(Default, Debug)]
pub struct ImportIds {
    pub(crate) ids: HashMap<(ModulePath, InstanceKey), Value>,
    /// Whether a block has an error: then no instance of the resource is planned.
    pub(crate) has_error: bool,
    /// The limit that ended the computation.
    pub(crate) exceeded: Option<Diagnostic>,
}

/// The empty identifiers of a resource that is not imported, shared because most resources are not.
static NONE: LazyLock<Arc<ImportIds>> = LazyLock::new(Arc::default);

impl ImportIds {
    /// Returns the identifiers of a resource that is not imported.
    pub(crate) fn none() -> Arc<ImportIds> {
        Arc::clone(&NONE)
    }

    /// Whether a block has an error. Errors about an instance that the configuration does not make are not included.
    pub fn has_error(&self) -> bool {
        self.has_error
    }

    /// Returns the module instances and keys of the instances that are imported.
    pub fn targets(&self) -> impl Iterator<Item = &(ModulePath, InstanceKey)> {
        let mut all: Vec<&(ModulePath, InstanceKey)> = Vec::new();
        if !self.ids.is_empty() {
            all.extend(self.ids.keys());
            all.sort_unstable();
        }
        all.into_iter()
    }

    /// Returns the identifier of an instance, a string, or its identity, an object. Either may be sensitive.
    pub fn get(&self, module: &ModulePath, key: &InstanceKey) -> Option<&Value> {
        // Most resources are not imported.
        if self.ids.is_empty() { None } else { self.ids.get(&(module.clone(), key.clone())) }
    }
}

/// A resource that an `import` block names. The module need not declare it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ImportedResource {
    module: NodeId,
    key: ResourceKey,
}

/// The identifiers of the resources that have been asked for.
#[derive(Default, Debug)]
pub(crate) struct KnownImports {
    /// The blocks about each resource, found in one pass, because there may be many of both.
    blocks: OnceLock<HashMap<ImportedResource, Vec<ImportId>>>,
    ids: Mutex<HashMap<ImportedResource, Arc<ImportIds>>>,
}

impl KnownImports {
    /// Returns the `import` blocks of the root module about a resource of the module `node`.
    pub(crate) fn blocks(&self, config: &Config, node: NodeId, key: &ResourceKey) -> &[ImportId] {
        if !config.has_imports() {
            return &[];
        }
        let blocks = self.blocks.get_or_init(|| blocks_by_resource(config));
        blocks.get(&ImportedResource { module: node, key: key.clone() }).map_or(&[], Vec::as_slice)
    }

    /// Returns the identifiers of a resource of the module `node`. `compute` is called the first time.
    pub(crate) fn of(
        &self,
        node: NodeId,
        key: &ResourceKey,
        compute: impl FnOnce() -> ImportIds,
    ) -> Arc<ImportIds> {
        let lock = || self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let name = ImportedResource { module: node, key: key.clone() };
        if let Some(computed) = lock().get(&name) {
            return Arc::clone(computed);
        }
        // The computation evaluates expressions, so the lock is not held meanwhile.
        let ids = Arc::new(compute());
        Arc::clone(lock().entry(name).or_insert(ids))
    }
}

fn blocks_by_resource(config: &Config) -> HashMap<ImportedResource, Vec<ImportId>> {
    let mut blocks: HashMap<_, Vec<ImportId>> = HashMap::new();
    let (root, node) = (NodeId::ROOT, config.root());
    for (id, import) in node.module.imports.enumerate() {
        let owner = config.module_at(root, &import.to.module);
        if let Some((module, key)) = owner.zip(import.to.resource.clone()) {
            blocks.entry(ImportedResource { module, key }).or_default().push(id);
        }
    }
    blocks
}
