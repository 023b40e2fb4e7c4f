//! Sources outside of the configuration that directly set values of resources and module calls. The sources of all other values
//! follow from these.

use std::collections::{BTreeSet, HashMap};

use terrane_module::{CallId, InstanceId, ResourceId};
use terrane_value::SmolStr;

use crate::part_source::SourceKind;

/// A resource or a module call in one instance of its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BlockOfInstance {
    pub(crate) instance: InstanceId,
    pub(crate) block: RepeatedBlock,
}

/// A block that may have several instances: a resource or a module call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RepeatedBlock {
    Resource(ResourceId),
    Call(CallId),
}

/// The sources of parts of the instances of a resource or call.
#[derive(Clone, Default, Debug)]
pub(crate) struct InstanceSources {
    /// Sources, each with the names in the path of its part.
    parts: BTreeSet<(Vec<SmolStr>, SourceKind)>,
    /// Whether instances have different sources.
    differ: bool,
}

impl InstanceSources {
    /// Adds the sources of an instance.
    fn add(&mut self, parts: impl Iterator<Item = (Vec<SmolStr>, SourceKind)>) {
        let parts: BTreeSet<(Vec<SmolStr>, SourceKind)> = parts.collect();
        self.differ |= !self.parts.is_empty() && self.parts != parts;
        self.parts.extend(parts);
    }

    /// Returns the sources of the part at a path. If several sources are of parts around it, only the innermost one has set the
    /// part, unless instances differ.
    pub(crate) fn of(&self, path: &[SmolStr]) -> impl Iterator<Item = SourceKind> {
        // One of the parts contains the other, or both are equal.
        let overlaps = move |own: &[SmolStr]| own.iter().zip(path).all(|(own, name)| own == name);
        let contains = |own: &[SmolStr]| own.len() <= path.len() && overlaps(own);
        let around = self
            .parts
            .iter()
            .filter(|(own, kind)| contains(own) && *kind != SourceKind::ChangedModule && !self.differ);
        let innermost = around.map(|(own, _)| own.len()).max().unwrap_or_default();
        let counts = move |(own, kind): &&(Vec<SmolStr>, SourceKind)| {
            overlaps(own) && (own.len() >= innermost || *kind == SourceKind::ChangedModule)
        };
        self.parts.iter().filter(counts).map(|(_, kind)| *kind)
    }
}

/// The sources of parts of resources and calls, by the names in their paths.
#[derive(Clone, Default, Debug)]
pub(crate) struct OwnSources(HashMap<BlockOfInstance, InstanceSources>);

impl OwnSources {
    /// Whether all values come from the configuration.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the sources of the parts of a block. `None` if all of them come from the configuration.
    pub(crate) fn of(&self, block: BlockOfInstance) -> Option<&InstanceSources> {
        self.0.get(&block)
    }

    /// Adds the sources of an instance of a block.
    pub(crate) fn add(
        &mut self,
        block: BlockOfInstance,
        parts: impl Iterator<Item = (Vec<SmolStr>, SourceKind)>,
    ) {
        self.0.entry(block).or_default().add(parts);
    }
}
