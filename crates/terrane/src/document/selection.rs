//! Values of selected addresses, and their writers.

use terrane_value::Value;

use crate::document::Document;
use crate::document::json::document::values_json;
use crate::report::Entry;

/// The value that an address of the command line selects.
#[derive(Clone, Debug)]
pub struct Selected<'d> {
    /// The address as it was given.
    pub address: String,
    /// The value: that of the entry, or a part of it.
    pub value: Value,
    /// The entry that has the value.
    pub entry: Option<&'d Entry>,
    /// Whether the address selects one of an unknown number of instances.
    pub is_one: bool,
}

impl Document {
    /// The document of `terrane eval --json ADDRESS...`: the values by address, on one line.
    pub fn selected_to_json(&self, selected: &[Selected<'_>]) -> String {
        let values = selected.iter().map(|one| (one.address.as_str(), &one.value, one.entry));
        values_json(values, self.secrets(), self.is_partial())
    }
}
