//! Values of selected addresses, and their writers.

use terrane_value::{Origins, Value};

use crate::document::Document;
use crate::document::json::document::{EntryJson, values_json};
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
    /// Why the number of instances is unknown that have the value, of an object or of its module. None if it is known.
    pub unknown_instances: Option<Origins>,
}

impl Document {
    /// The document of `terrane eval --json ADDRESS...`: the values by address, on one line.
    pub fn selected_to_json<'d>(&self, selected: &'d [Selected<'d>]) -> String {
        let value = |one: &'d Selected<'d>| {
            let entry = match one.entry {
                Some(entry) => EntryJson::selected(entry, &one.value, self.secrets()),
                None => EntryJson::of_part(&one.value, one.unknown_instances.as_ref(), self.secrets()),
            };
            (one.address.clone(), entry)
        };
        values_json(selected.iter().map(value), self.is_partial())
    }
}
