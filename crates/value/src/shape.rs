//! [`Shape`]: the sorted keys of a map or object, shared by values with the same keys, such as the rows of a table.
//!
//! Each thread remembers its most recent shapes, so that a loop does not allocate keys for each object.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use triomphe::{Arc, HeaderWithLength, ThinArc};

use crate::SmolStr;
use crate::allocation::allocated;

/// Keys in order, all different. Cheap to clone.
#[derive(Clone)]
pub struct Shape(ThinArc<Facts, SmolStr>);

/// Facts about all keys together.
#[derive(Clone, Copy)]
struct Facts {
    /// The number of bytes of all keys.
    text: u64,
    /// The number of the shape, which no other shape of the process ever has.
    number: u64,
}

/// The number of shapes that a thread remembers.
const REMEMBERED: usize = 16;

/// Shapes with more keys are not remembered, because comparing them takes as long as making them.
const MAX_KEYS: usize = 16;

/// Shapes with more text are not remembered either: the cache stays in memory, beyond all limits of a run.
const MAX_TEXT: u64 = 1024;

thread_local! {
    /// The most recent shapes, each at an index that depends on its keys.
    static RECENT: RefCell<[Option<Shape>; REMEMBERED]> = const { RefCell::new([const { None }; REMEMBERED]) };
}

impl Shape {
    /// Returns the shape with these keys, which are sorted and all different, and whether it is new.
    pub(crate) fn of<'k, K>(keys: K) -> (Shape, bool)
    where
        K: ExactSizeIterator<Item = &'k SmolStr> + Clone,
    {
        match Shape::recent(keys.clone()) {
            Some(shape) => (shape, false),
            None => (Shape::in_order(keys.cloned()), true),
        }
    }

    /// Does the same as [`Shape::of`], for owned keys, which a new shape takes over without a copy.
    pub(crate) fn of_owned<K>(keys: K) -> (Shape, bool)
    where
        K: AsRef<[SmolStr]> + IntoIterator<Item = SmolStr, IntoIter: ExactSizeIterator>,
    {
        match Shape::recent(keys.as_ref().iter()) {
            Some(shape) => (shape, false),
            None => (Shape::in_order(keys.into_iter()), true),
        }
    }

    /// Returns the shape with these keys if one was made recently.
    fn recent<'k>(mut keys: impl ExactSizeIterator<Item = &'k SmolStr> + Clone) -> Option<Shape> {
        let place = place_of(keys.len(), keys.clone().next())?;
        // While a thread ends, nothing is remembered.
        let found = RECENT.try_with(|recent| {
            let recent = recent.borrow();
            let shape = recent.get(place)?.as_ref()?;
            let is_same =
                shape.keys().len() == keys.len() && shape.keys().iter().all(|key| keys.next() == Some(key));
            is_same.then(|| shape.clone())
        });
        found.ok().flatten()
    }

    /// Forgets the recent shapes of this thread. From then on, the bytes that
    /// [`Value::own_bytes`](crate::Value::own_bytes) counts do not depend on earlier work of the thread.
    pub fn forget_recent() {
        // A thread that ends has nothing to forget.
        RECENT.try_with(|recent| recent.borrow_mut().fill(None)).unwrap_or_default();
    }

    /// Makes a shape of these keys, which are sorted and all different.
    pub(crate) fn in_order(keys: impl ExactSizeIterator<Item = SmolStr>) -> Shape {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let facts = Facts { text: 0, number: NUMBERS.fetch_add(1, Relaxed) };
        let mut inner = Arc::from_header_and_iter(HeaderWithLength::new(facts, keys.len()), keys);
        debug_assert!(inner.slice.is_sorted_by(|a, b| a < b), "the keys are in order");
        if let Some(inner) = Arc::get_mut(&mut inner) {
            inner.header.header.text = inner.slice.iter().map(|key| key.len() as u64).sum();
        }
        let shape = Shape(Arc::into_thin(inner));
        if let Some(place) = place_of(shape.keys().len(), shape.keys().first())
            && shape.text() <= MAX_TEXT
        {
            let remember = |recent: &RefCell<[Option<Shape>; REMEMBERED]>| {
                recent.borrow_mut().get_mut(place).map(|last| last.replace(shape.clone()))
            };
            drop(RECENT.try_with(remember));
        }
        shape
    }

    /// Returns the keys in order.
    #[inline]
    pub fn keys(&self) -> &[SmolStr] {
        &self.0.slice
    }

    /// Returns the bytes of memory of the keys, without their texts.
    pub(crate) fn bytes(&self) -> usize {
        allocated(size_of::<usize>() + size_of::<HeaderWithLength<Facts>>() + size_of_val(&self.0.slice))
    }

    /// Returns the number of bytes of all keys together.
    #[inline]
    pub(crate) fn text(&self) -> u64 {
        self.0.header.header.text
    }

    /// Returns the number of the shape, by which callers remember positions in it.
    #[inline]
    pub(crate) fn number(&self) -> u64 {
        self.0.header.header.number
    }

    /// Whether the thread remembers shapes of this size.
    pub(crate) fn is_small(&self) -> bool {
        self.keys().len() <= MAX_KEYS && self.text() <= MAX_TEXT
    }

    /// Whether both are the same in memory. Two different shapes may have the same keys.
    #[inline]
    pub(crate) fn is(&self, other: &Shape) -> bool {
        self.number() == other.number()
    }

    /// Returns the position of a key.
    #[inline]
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        // With so few attributes, as most objects have, comparing each is faster: most names differ in their lengths.
        const MAX_LOOKED_AT: usize = 8;
        if self.keys().len() <= MAX_LOOKED_AT {
            return self.keys().iter().position(|name| **name == *key);
        }
        self.keys().binary_search_by(|name| (**name).cmp(key)).ok()
    }
}

/// Returns the index at which a shape with `count` keys is remembered; `None` if it is not.
#[inline]
fn place_of(count: usize, first: Option<&SmolStr>) -> Option<usize> {
    let first = first.map_or(0, |key| key.len());
    (count <= MAX_KEYS).then_some((first + count * 5) % REMEMBERED)
}

/// Collects keys in any order, without duplicates.
impl FromIterator<SmolStr> for Shape {
    fn from_iter<I: IntoIterator<Item = SmolStr>>(keys: I) -> Shape {
        let keys: BTreeSet<SmolStr> = keys.into_iter().collect();
        Shape::in_order(keys.into_iter())
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys()).finish()
    }
}
