//! Members of JSON objects.

use serde::{Serialize, Serializer};

/// Members in the order of the list, serialized as a JSON object.
pub(crate) struct ByName<T>(pub(crate) Vec<(String, T)>);

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
