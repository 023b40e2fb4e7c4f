//! Sorted maps, made without code of their own for each type.

use std::collections::BTreeMap;

/// Returns a map with these entries. If two have the same key, the later one remains. They are inserted one by one, because
/// `collect` sorts them first, with code that is compiled for each kind of iterator and takes 4 to 7 kB of the command.
pub fn sorted_map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}
