//! The values of the instances of a resource. Instances whose values differ only in their address share one value.
//!
//! A block with `count = 1000000` then has one value in memory, and the value of an instance is made when it is read.
//! Only blocks that no expression reads share values: an expression may read an instance many times, and must not make
//! its value each time.

use std::borrow::Cow;
use std::sync::Arc;

use terrane_config::address::InstanceKey;
use terrane_value::{Origin, Value, steps_behind};

use crate::expansion::Expansion;

/// The value of an instance of a resource.
#[derive(Clone, Debug)]
pub struct InstanceValue(Repr);

#[derive(Clone, Debug)]
enum Repr {
    Own(Value),
    Shared(Arc<ValueOfBlock>),
}

/// The value that all instances of a block share.
#[derive(Debug)]
pub(crate) struct ValueOfBlock {
    /// The address of the block.
    pub(crate) block: String,
    pub(crate) value: SharedValue,
    /// The bytes that the value of an instance takes.
    pub(crate) bytes: u64,
}

/// A value that the instances of a block share, apart from the address in its origins.
#[derive(Debug)]
pub(crate) struct SharedValue {
    /// The address of the instance in the origins of `value`.
    pub(crate) address: String,
    pub(crate) value: Value,
}

impl ValueOfBlock {
    /// Whether the origins in the value name the instance at `address`.
    fn is_of(&self, address: &str) -> bool {
        self.value.address == address
    }
}

impl SharedValue {
    /// Returns the value with origins that name the instance at `address`.
    pub(crate) fn at(&self, address: &str) -> Value {
        self.value.map_origins(&|origin| {
            let steps = steps_behind(&origin.subject, &self.address)?;
            let subject = if steps.is_empty() { address.into() } else { format!("{address}{steps}").into() };
            Some(Origin { subject, ..origin.clone() })
        })
    }
}

impl From<Value> for InstanceValue {
    fn from(value: Value) -> InstanceValue {
        InstanceValue(Repr::Own(value))
    }
}

impl InstanceValue {
    pub(crate) fn of_block(value: &Arc<ValueOfBlock>) -> InstanceValue {
        InstanceValue(Repr::Shared(Arc::clone(value)))
    }

    /// Whether other instances of the block have the same value. No part of such a value is given by
    /// hand, computed or recorded.
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Repr::Shared(_))
    }

    /// Returns the value of the instance, which has the key `key`.
    pub fn value(&self, key: &InstanceKey) -> Cow<'_, Value> {
        match &self.0 {
            Repr::Own(value) => Cow::Borrowed(value),
            Repr::Shared(one) => {
                let address = key.address_in(&one.block);
                match one.is_of(&address) {
                    true => Cow::Borrowed(&one.value.value),
                    false => Cow::Owned(one.value.at(&address)),
                }
            }
        }
    }

    /// Returns the number of parts at all levels of the value.
    pub fn size(&self) -> usize {
        self.without_address().size()
    }

    /// Whether two instances have the same value, apart from the origins of unknown parts.
    pub fn same(&self, other: &InstanceValue) -> bool {
        self.without_address().same(other.without_address())
    }

    /// Returns the value with origins that may name another instance.
    fn without_address(&self) -> &Value {
        match &self.0 {
            Repr::Own(value) => value,
            Repr::Shared(all) => &all.value.value,
        }
    }

    /// Returns the approximate bytes that [`InstanceValue::value`] makes for the instance with the key `key`.
    pub fn bytes_to_make(&self, key: &InstanceKey) -> u64 {
        match &self.0 {
            Repr::Own(_) => 0,
            Repr::Shared(one) if one.is_of(&key.address_in(&one.block)) => 0,
            Repr::Shared(one) => one.bytes,
        }
    }

    /// Whether two instances with the same key have identical values.
    pub(crate) fn is_identical(&self, other: &InstanceValue) -> bool {
        match (&self.0, &other.0) {
            (Repr::Own(one), Repr::Own(other)) => one.is_identical(other),
            (Repr::Shared(one), Repr::Shared(other)) => {
                let (one_value, other_value) = (&one.value, &other.value);
                Arc::ptr_eq(one, other)
                    || (one_value.address == other_value.address
                        && one_value.value.is_identical(&other_value.value))
            }
            (Repr::Own(_) | Repr::Shared(_), _) => false,
        }
    }
}

impl Expansion<InstanceValue> {
    /// Returns the known instances with their keys and values.
    pub fn values(&self) -> impl Iterator<Item = (InstanceKey, Cow<'_, Value>)> {
        self.iter().map(|(key, one)| {
            let value = one.value(&key);
            (key, value)
        })
    }

    /// Returns the value of the instance with a key.
    pub fn value(&self, key: &InstanceKey) -> Option<Cow<'_, Value>> {
        self.get(key).map(|one| one.value(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_takes_no_more_than_a_value() {
        assert_eq!(size_of::<InstanceValue>(), size_of::<Value>());
    }
}
