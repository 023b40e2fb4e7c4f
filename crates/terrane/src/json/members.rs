//! Members of JSON objects, sorted by name.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// The members of a JSON object, sorted by name; of two with one name, the later one. They are inserted one by one, since
/// `collect` sorts with code that is compiled for each type of member, 7 kB of the command each.
pub(crate) fn members<K: Ord, V>(all: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut members = BTreeMap::new();
    members.extend(all);
    members
}

/// Members in the order of a list.
pub(crate) struct ByName<T>(pub(crate) Vec<(String, T)>);

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
