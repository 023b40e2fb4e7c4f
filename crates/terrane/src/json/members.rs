//! Members of JSON objects, sorted by name.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// Returns the members of a JSON object, sorted by name. If two have the same name, the later one remains. They are inserted
/// one by one, because `collect` sorts with code that is compiled for each type of member, which adds 7 kB to the command each
/// time.
pub(crate) fn members<K: Ord, V>(all: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut members = BTreeMap::new();
    members.extend(all);
    members
}

/// Members in the order of the list, serialized as a JSON object.
pub(crate) struct ByName<T>(pub(crate) Vec<(String, T)>);

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
