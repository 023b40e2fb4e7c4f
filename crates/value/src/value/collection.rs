//! Sorted entries of maps and objects, and elements of open sequences.
//!
//! [`Entries`] stores values in one allocation and shares its keys, the shape, with similar objects. [`OpenElements`] are the
//! known elements of an open sequence.

use std::fmt;
use std::iter::Zip;
use std::mem;
use std::ops::Deref;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{self, OnceLock};

use smallvec::SmallVec;
use triomphe::{Arc, HeaderSlice};

use crate::allocation::{COUNTERS, allocated, text_bytes};
use crate::shape::Shape;
use crate::types::sort_last_first;
use crate::value::summary::{Summary, Unknowns};
use crate::{SmolStr, Type, Value};

/// Room on the stack for the entries of most objects while they are sorted.
const FEW: usize = 4;

/// Entries that are being collected.
pub(crate) type Gathered = SmallVec<[(SmolStr, Value); FEW]>;

/// Values by string key, in key order: the content of a map or object. Cheap to clone.
///
/// One allocation contains all values, and objects made in the same way share their keys.
#[derive(Clone)]
pub struct Entries(Arc<HeaderSlice<Head, [Value]>>);

/// The shape and the position at which a key was last found.
#[doc(hidden)]
#[derive(Default, Debug)]
pub struct LastPlace(AtomicU64);

impl LastPlace {
    /// The number of bits for the position.
    const BITS: u32 = 16;
    /// The last position that can be remembered.
    const MOST: u64 = (1 << LastPlace::BITS) - 1;
}

/// Facts about all entries together.
struct Head {
    shape: Shape,
    /// Whether no other value had the shape before.
    is_own_shape: bool,
    /// The type of the map or object; for an object, it is made on first use.
    ty: OnceLock<Type>,
    summary: Summary,
}

/// The bytes that an entry takes up.
pub(crate) const ENTRY_BYTES: usize = size_of::<(SmolStr, Value)>();

/// The bytes of a map or object without entries, including its reference counter.
pub(crate) const HEAD_BYTES: usize = size_of::<Head>() + size_of::<usize>();

impl Shape {
    /// Returns the bytes of memory of the entries of a map or object of this shape, without keys, texts and
    /// the content of the values.
    #[doc(hidden)]
    #[inline]
    pub fn bytes_of_values(&self) -> usize {
        allocated(HEAD_BYTES + size_of::<Value>() * self.keys().len())
    }
}

/// Keys and values by position in key order.
pub type EntriesIter<'e> = Zip<slice::Iter<'e, SmolStr>, slice::Iter<'e, Value>>;

/// Collects entries. If keys are equal, only the last entry is kept.
pub(crate) fn gathered(entries: impl IntoIterator<Item = (SmolStr, Value)>) -> Gathered {
    let mut entries: Gathered = entries.into_iter().collect();
    if sort_last_first(&mut entries) {
        entries.dedup_by(|(later, _), (earlier, _)| later == earlier);
    }
    entries
}

impl Entries {
    /// Makes entries whose keys are sorted and all different. `ty` is the type of the map that contains them.
    #[inline]
    pub(crate) fn in_order(
        ty: Option<Type>,
        entries: impl ExactSizeIterator<Item = (SmolStr, Value)>,
    ) -> Entries {
        let (keys, values): (SmallVec<[SmolStr; FEW]>, SmallVec<[Value; FEW]>) = entries.unzip();
        let (shape, is_new) = Shape::of_owned(keys);
        Entries::with_shape(ty, shape, is_new, values.into_iter())
    }

    /// Makes entries of these keys and as many values.
    #[inline]
    pub(crate) fn with_shape(
        ty: Option<Type>,
        shape: Shape,
        is_own_shape: bool,
        values: impl ExactSizeIterator<Item = Value>,
    ) -> Entries {
        let head = Head { shape, is_own_shape, ty: OnceLock::new(), summary: Summary::default() };
        let mut inner = Arc::from_header_and_iter(head, values);
        debug_assert_eq!(inner.slice.len(), inner.header.shape.keys().len(), "a value for each key");
        if let Some(inner) = Arc::get_mut(&mut inner) {
            inner.header.summary = Summary::of(&inner.slice, inner.header.shape.text(), ty.as_ref());
            if let Some(ty) = ty {
                inner.header.ty = OnceLock::from(ty);
            }
        }
        Entries(inner)
    }

    /// Returns other values with the same keys.
    pub(crate) fn with_values(
        &self,
        ty: Option<Type>,
        values: impl ExactSizeIterator<Item = Value>,
    ) -> Entries {
        Entries::with_shape(ty, self.shape().clone(), false, values)
    }

    /// Returns the keys of the entries, for objects that are made in the same way.
    #[inline]
    pub(crate) fn shape(&self) -> &Shape {
        &self.0.header.shape
    }

    /// Returns the type of the map or object with these entries.
    pub(crate) fn ty(&self) -> &Type {
        let attributes = || self.iter().map(|(key, value)| (key.clone(), value.ty()));
        self.0.header.ty.get_or_init(|| Type::object(attributes()))
    }

    /// Returns the type of the map or object, if [`Entries::ty`] has computed it.
    pub(crate) fn made_type(&self) -> Option<&Type> {
        self.0.header.ty.get()
    }

    #[inline]
    pub(crate) fn summary(&self) -> Summary {
        self.0.header.summary
    }

    /// Returns the number of elements and the bytes of text, at all levels; `None` if a part is unknown or marked.
    #[doc(hidden)]
    #[inline]
    pub fn plain_extent(&self) -> Option<(usize, usize)> {
        let summary = self.summary();
        let is_plain = !summary.has_marks() && summary.unknowns == Unknowns::None;
        is_plain.then_some((summary.elements as usize, summary.text as usize))
    }

    /// Whether no other value has the same entries in memory.
    #[inline]
    pub(crate) fn is_alone(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    /// Takes out the type and the values if no other value has them, and leaves nulls.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = Value> {
        let inner = Arc::get_mut(&mut self.0).map(|inner| {
            drop(inner.header.ty.take());
            // No deep value is left.
            inner.header.summary = Summary::default();
            inner.slice.iter_mut().map(|value| mem::replace(value, Value::NULL))
        });
        inner.into_iter().flatten()
    }

    /// Returns the value of `key`.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.slice.get(self.shape().position(key)?)
    }

    /// Returns the value of `key`. Looks first at `position`, where another object of the same kind has the key.
    pub fn get_from(&self, key: &str, position: usize) -> Option<&Value> {
        match self.nth(position) {
            Some((name, value)) if *name == *key => Some(value),
            Some(_) | None => self.get(key),
        }
    }

    /// Returns the value of `key`. Looks first where the key was last found: objects of one type have
    /// it at the same position.
    #[doc(hidden)]
    #[inline]
    pub fn get_near(&self, key: &str, place: &LastPlace) -> Option<&Value> {
        let last = place.0.load(Relaxed);
        if last >> LastPlace::BITS == self.shape().number() {
            return self.0.slice.get((last & LastPlace::MOST) as usize);
        }
        self.find(key, place)
    }

    #[inline(never)]
    fn find(&self, key: &str, place: &LastPlace) -> Option<&Value> {
        let index = self.shape().position(key)?;
        if index as u64 <= LastPlace::MOST {
            place.0.store(self.shape().number() << LastPlace::BITS | index as u64, Relaxed);
        }
        self.0.slice.get(index)
    }

    /// Returns a copy of the value at a position; null if there is none.
    #[inline(never)]
    pub(crate) fn value_at(&self, position: u32) -> Option<Value> {
        match self.0.slice.get(position as usize) {
            Some(value) => Some(value.clone()),
            None => Some(Value::NULL),
        }
    }

    /// Returns the key and the value at a position in key order.
    #[inline]
    pub fn nth(&self, position: usize) -> Option<(&SmolStr, &Value)> {
        self.shape().keys().get(position).zip(self.0.slice.get(position))
    }

    /// Keys and values in key order.
    #[inline]
    pub fn iter(&self) -> EntriesIter<'_> {
        self.shape().keys().iter().zip(self.0.slice.iter())
    }

    /// Copies of keys and values in key order.
    pub fn cloned(&self) -> impl ExactSizeIterator<Item = (SmolStr, Value)> {
        self.iter().map(|(key, value)| (key.clone(), value.clone()))
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> slice::Iter<'_, SmolStr> {
        self.shape().keys().iter()
    }

    /// Returns the values in key order.
    pub fn values(&self) -> slice::Iter<'_, Value> {
        self.0.slice.iter()
    }

    /// Size of the entries in bytes of memory, without their texts and the content of their values.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        let keys = if self.0.header.is_own_shape { self.shape().bytes() } else { 0 };
        self.shape().bytes_of_values() + keys
    }

    /// Returns the bytes that the texts of the keys take up, if the keys were made for these entries.
    #[inline]
    pub(crate) fn own_key_texts(&self) -> usize {
        if !self.0.header.is_own_shape {
            return 0;
        }
        self.keys().filter(|key| key.is_heap_allocated()).map(text_bytes).sum()
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.slice.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.slice.is_empty()
    }
}

/// If two entries have the same key, the last one counts. Keys are taken as they are: normalise keys from the user
/// with [`Value::normalize`].
impl FromIterator<(SmolStr, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (SmolStr, Value)>>(iter: I) -> Entries {
        Entries::in_order(None, gathered(iter).into_iter())
    }
}

impl Default for Entries {
    fn default() -> Entries {
        Entries::in_order(None, std::iter::empty())
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a Entries {
    type Item = (&'a SmolStr, &'a Value);
    type IntoIter = EntriesIter<'a>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The elements of an open sequence. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OpenElements(sync::Arc<StoredElements>);

/// The elements with their summary: many values may share a sequence of a million blocks.
#[derive(Debug)]
struct StoredElements {
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
        match sync::Arc::strong_count(&self.0) {
            1 => {
                allocated(COUNTERS + size_of::<StoredElements>())
                    + allocated(size_of::<Value>() * self.0.elements.capacity())
            }
            _ => 0,
        }
    }

    /// Takes out the elements if no other value has them.
    pub(crate) fn take(self) -> Option<Vec<Value>> {
        sync::Arc::into_inner(self.0).map(|stored| stored.elements)
    }
}

impl From<Vec<Value>> for OpenElements {
    fn from(elements: Vec<Value>) -> OpenElements {
        let summary = Summary::of(&elements, 0, None);
        OpenElements(sync::Arc::new(StoredElements { elements, summary }))
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

/// An iterator over the results of `make` for `parts`, which always returns a value. It is like [`Iterator::map`], but
/// a value is not copied between the call that makes it and its place.
#[doc(hidden)]
pub struct Made<I, F> {
    pub parts: I,
    pub make: F,
}

impl<I: Iterator, F: FnMut(I::Item) -> Option<Value>> Iterator for Made<I, F> {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        (self.make)(self.parts.next()?)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.parts.size_hint()
    }
}

impl<I: ExactSizeIterator, F: FnMut(I::Item) -> Option<Value>> ExactSizeIterator for Made<I, F> {}

/// Builds an object value attribute by attribute.
#[derive(Default, Debug)]
pub struct ObjectBuilder(Vec<(SmolStr, Value)>);

impl ObjectBuilder {
    /// Returns a builder without attributes.
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

    /// Returns the object.
    pub fn build(self) -> Value {
        Value::object(self.0)
    }
}
