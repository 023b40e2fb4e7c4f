//! [`OpenElements`]: the known elements of an open sequence.

use std::ops::Deref;
use std::slice;
use std::sync::Arc;

use crate::Value;
use crate::allocation::{COUNTERS, allocated};
use crate::value::summary::Summary;

/// The elements of an open sequence. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OpenElements(Arc<Stored>);

/// The elements with their summary: many values may share a sequence of a million blocks.
#[derive(Debug)]
struct Stored {
    elements: Vec<Value>,
    summary: Summary,
}

impl OpenElements {
    /// Returns the elements.
    pub fn as_slice(&self) -> &[Value] {
        &self.0.elements
    }

    pub(crate) fn summary(&self) -> Summary {
        self.0.summary
    }

    /// Returns the bytes of memory of the elements that no other value shares, without their content.
    pub(crate) fn own_bytes(&self) -> usize {
        match Arc::strong_count(&self.0) {
            1 => {
                allocated(COUNTERS + size_of::<Stored>())
                    + allocated(size_of::<Value>() * self.0.elements.capacity())
            }
            _ => 0,
        }
    }

    /// Takes out the elements if no other value has them.
    pub(crate) fn take(self) -> Option<Vec<Value>> {
        Arc::into_inner(self.0).map(|stored| stored.elements)
    }
}

impl From<Vec<Value>> for OpenElements {
    fn from(elements: Vec<Value>) -> OpenElements {
        let summary = Summary::of(&elements, 0, None);
        OpenElements(Arc::new(Stored { elements, summary }))
    }
}

impl FromIterator<Value> for OpenElements {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> OpenElements {
        OpenElements::from(Vec::from_iter(elements))
    }
}

impl Deref for OpenElements {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.as_slice()
    }
}

impl<'e> IntoIterator for &'e OpenElements {
    type Item = &'e Value;
    type IntoIter = slice::Iter<'e, Value>;

    fn into_iter(self) -> slice::Iter<'e, Value> {
        self.as_slice().iter()
    }
}
