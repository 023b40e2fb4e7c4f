//! The steps of a written path into a value, which distinguish `.name` from `["name"]`.

use terrane_config::address::InstanceKey;
use terrane_value::SmolStr;

/// A step from a value to a part of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PartStep {
    /// `.name`.
    Attribute(SmolStr),
    /// `[0]`, or `.0`.
    Index(usize),
    /// `["key"]`.
    Key(SmolStr),
}

impl PartStep {
    /// Returns the step for a key in brackets.
    pub(crate) fn of_key(key: InstanceKey) -> Option<PartStep> {
        match key {
            InstanceKey::Key(key) => Some(PartStep::Key(key)),
            InstanceKey::Index(index) => Some(PartStep::Index(usize::try_from(index).ok()?)),
            InstanceKey::None => None,
        }
    }
}
