//! Variables by name, for expressions outside of a module.

use std::collections::BTreeMap;

use terrane_value::Value;

use crate::names::scope::{Lookup, Names, Reference};

/// Variables by name: as in plain HCL, the first name of a reference is a variable.
#[derive(Clone, Default, Debug)]
pub struct Variables {
    /// The variables, in the order of their names.
    values: Vec<(String, Value)>,
}

impl Variables {
    /// Returns an empty set of variables.
    pub fn new() -> Variables {
        Variables::default()
    }

    /// Adds a variable; it replaces an earlier one of the same name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Variables {
        self.insert(name.into(), value.into());
        self
    }

    /// Adds a variable; it replaces an earlier one of the same name.
    pub fn insert(&mut self, name: String, value: Value) {
        match self.values.binary_search_by(|(other, _)| other.cmp(&name)) {
            Ok(place) => {
                if let Some((_, current)) = self.values.get_mut(place) {
                    *current = value;
                }
            }
            Err(place) => self.values.insert(place, (name, value)),
        }
    }

    /// Returns the value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        // For a few variables, a linear search is faster, because most names differ in length.
        const FEW: usize = 16;
        if self.values.len() <= FEW {
            return self.values.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        }
        let place = self.values.binary_search_by(|(other, _)| (**other).cmp(name)).ok()?;
        self.values.get(place).map(|(_, value)| value)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| &**name)
    }
}

/// If names are equal, the last variable counts.
impl FromIterator<(String, Value)> for Variables {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(values: I) -> Variables {
        let values: BTreeMap<String, Value> = values.into_iter().collect();
        Variables { values: values.into_iter().collect() }
    }
}

impl Extend<(String, Value)> for Variables {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, values: I) {
        *self = std::mem::take(&mut self.values).into_iter().chain(values).collect();
    }
}

impl IntoIterator for Variables {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

impl Names for Variables {
    fn stored(&self, root: &str) -> Option<&Value> {
        self.get(root)
    }

    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        match self.get(reference.root) {
            Some(value) => Lookup::Found { value: value.clone(), consumed: 0 },
            None => Lookup::Undeclared,
        }
    }

    fn visible(&self) -> Vec<String> {
        self.names().map(str::to_owned).collect()
    }
}
