use smallvec::SmallVec;

use crate::types::sort_last_first;
use crate::{SmolStr, Value};

/// As many entries as most objects have take no memory of their own: making an object is mostly the allocator's work.
const FEW: usize = 4;

/// Values by string key, in key order: the content of a map or object.
#[derive(Clone, Default, Debug)]
pub struct Entries(SmallVec<[(SmolStr, Value); FEW]>);

impl Entries {
    /// Of keys that are in order and all different.
    pub(crate) fn in_order(entries: impl Iterator<Item = (SmolStr, Value)>) -> Entries {
        let entries: SmallVec<[(SmolStr, Value); FEW]> = entries.collect();
        debug_assert!(entries.is_sorted_by(|(a, _), (b, _)| a < b), "the keys are in order");
        Entries(entries)
    }

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        // Most objects have so few attributes that looking at each is quicker: most names differ in their lengths.
        const MOST_LOOKED_AT: usize = 8;
        if self.0.len() <= MOST_LOOKED_AT {
            return self.0.iter().find(|(name, _)| **name == *key).map(|(_, value)| value);
        }
        let index = self.0.binary_search_by(|(name, _)| (**name).cmp(key)).ok()?;
        self.0.get(index).map(|(_, value)| value)
    }

    /// The key and the value at a position in key order.
    pub fn nth(&self, position: usize) -> Option<&(SmolStr, Value)> {
        self.0.get(position)
    }

    /// Keys and values in key order.
    pub fn iter(&self) -> std::slice::Iter<'_, (SmolStr, Value)> {
        self.0.iter()
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &SmolStr> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values in key order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values in key order, without their keys.
    pub(crate) fn into_values(self) -> impl Iterator<Item = Value> {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// The values in key order, to be changed in place.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// How many bytes of memory the entries take up beside these words, their texts and what is inside of their values aside.
    pub(crate) fn bytes(&self) -> usize {
        if self.0.spilled() { size_of::<(SmolStr, Value)>() * self.0.capacity() } else { 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Of entries with the same key the last one counts. Keys are taken as they are: normalise them with
/// [`Value::normalize`] where they come from the user.
impl FromIterator<(SmolStr, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (SmolStr, Value)>>(iter: I) -> Entries {
        let mut entries: SmallVec<[(SmolStr, Value); FEW]> = iter.into_iter().collect();
        if sort_last_first(&mut entries) {
            entries.dedup_by(|(later, _), (earlier, _)| later == earlier);
        }
        Entries(entries)
    }
}

impl<'a> IntoIterator for &'a Entries {
    type Item = &'a (SmolStr, Value);
    type IntoIter = std::slice::Iter<'a, (SmolStr, Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Collects the attributes of an object value.
#[derive(Default, Debug)]
pub struct ObjectBuilder(Vec<(SmolStr, Value)>);

impl ObjectBuilder {
    /// No attributes.
    pub fn new() -> ObjectBuilder {
        ObjectBuilder::default()
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with(mut self, name: impl Into<SmolStr>, value: impl Into<Value>) -> ObjectBuilder {
        self.0.push((name.into(), value.into()));
        self
    }

    /// Adds an attribute in place.
    pub fn insert(&mut self, name: impl Into<SmolStr>, value: impl Into<Value>) {
        self.0.push((name.into(), value.into()));
    }

    /// The object.
    pub fn build(self) -> Value {
        Value::object(self.0)
    }
}
