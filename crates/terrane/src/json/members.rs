//! Members of JSON objects.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// Members in the order of the list, serialized as a JSON object. An object of one member takes a tenth of the memory of a map.
pub(crate) struct ByName<T, N = String>(pub(crate) Vec<(N, T)>);

impl<T, N> ByName<T, N> {
    /// Whether there are no members.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T, N> Default for ByName<T, N> {
    fn default() -> ByName<T, N> {
        ByName(Vec::new())
    }
}

impl<T, N> From<BTreeMap<N, T>> for ByName<T, N> {
    fn from(members: BTreeMap<N, T>) -> ByName<T, N> {
        ByName(members.into_iter().collect())
    }
}

impl<T: Serialize, N: AsRef<str>> Serialize for ByName<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name.as_ref(), value)))
    }
}
