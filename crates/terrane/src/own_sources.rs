//! Sources outside of the configuration that directly set values of resources and module calls. The sources of all other values
//! follow from these.

use std::collections::{BTreeSet, HashMap};

use terrane_module::{CallId, InstanceId, ResourceId};
use terrane_value::SmolStr;

use crate::part_source::SourceKind;

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
    pub(crate) fn add(&mut self, parts: impl Iterator<Item = (Vec<SmolStr>, SourceKind)>) {
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
pub(crate) struct OwnSources {
    pub(crate) resources: HashMap<(InstanceId, ResourceId), InstanceSources>,
    pub(crate) calls: HashMap<(InstanceId, CallId), InstanceSources>,
}

impl OwnSources {
    /// Whether all values come from the configuration.
    pub(crate) fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.calls.is_empty()
    }
}
