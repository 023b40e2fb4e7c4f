//! The sources outside of the configuration that values of resources and module calls have themselves. Other values follow from them.

use std::collections::{BTreeSet, HashMap};

use terrane_module::{CallId, InstanceId, ResourceId};
use terrane_value::SmolStr;

use crate::part_source::SourceKind;

/// Sources, each with the names in the path of its part.
pub(crate) type Sources = BTreeSet<(Vec<SmolStr>, SourceKind)>;

/// The sources of parts of resources and calls, by the names in their paths.
#[derive(Clone, Default, Debug)]
pub(crate) struct Beginnings {
    pub(crate) resources: HashMap<(InstanceId, ResourceId), Sources>,
    pub(crate) calls: HashMap<(InstanceId, CallId), Sources>,
}

impl Beginnings {
    /// Whether all values come from the configuration.
    pub(crate) fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.calls.is_empty()
    }
}
