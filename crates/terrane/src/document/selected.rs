//! The value that an address selects.

use terrane_value::{Origins, Value};

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
