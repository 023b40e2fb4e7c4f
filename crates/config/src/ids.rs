//! Typed ids, and the containers that they index.
//!
//! An id is made by the container that it indexes, so indexing with it always finds something: an index out of range
//! is a bug of the crate that made it, and panics instead of passing silently.

use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::slice;

use indexmap::{Equivalent, IndexMap};
use terrane_value::SmolStr;

/// An index of one kind of object.
pub trait Id: Copy {
    /// The id of the object at a position.
    fn from_index(index: usize) -> Self;

    /// The position of the object.
    fn index(self) -> usize;
}

/// Declares types of ids, each with its documentation.
#[macro_export]
macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(u32);

        impl $crate::ids::Id for $name {
            // Sources hold fewer objects than `u32` can count, and `MAX_OBJECTS` bounds the instances.
            fn from_index(index: usize) -> $name {
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

/// Values by id.
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    values: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Arena<I, T> {
        Arena { values: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds a value.
    pub fn push(&mut self, value: T) -> I {
        self.values.push(value);
        I::from_index(self.values.len() - 1)
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.len()).map(I::from_index)
    }

    /// The values with their ids, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.values.iter().enumerate().map(|(index, value)| (I::from_index(index), value))
    }

    /// The values, in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.values.iter()
    }

    /// The values, in order.
    pub fn iter_mut(&mut self) -> slice::IterMut<'_, T> {
        self.values.iter_mut()
    }

    /// The values, in order.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }
}

impl<I, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<V: IntoIterator<Item = T>>(values: V) -> Arena<I, T> {
        Arena { values: values.into_iter().collect(), id: PhantomData }
    }
}

impl<'a, I, T> IntoIterator for &'a Arena<I, T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> slice::Iter<'a, T> {
        self.values.iter()
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "the arena makes its ids while values are added, and removes none"
)]
impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.values[id.index()]
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "the arena makes its ids while values are added, and removes none"
)]
impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.values[id.index()]
    }
}

/// Declarations of one kind in a module, by id and by name: a map that keeps the order of the source.
#[derive(Debug)]
pub struct Declarations<I, T, K = SmolStr> {
    map: IndexMap<K, T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I, T, K> Default for Declarations<I, T, K> {
    fn default() -> Declarations<I, T, K> {
        Declarations { map: IndexMap::new(), id: PhantomData }
    }
}

impl<I: Id, T, K: Hash + Eq> Declarations<I, T, K> {
    /// The id of the declaration with a name.
    pub fn id_of<Q: Hash + Equivalent<K> + ?Sized>(&self, name: &Q) -> Option<I> {
        self.map.get_index_of(name).map(I::from_index)
    }

    /// The declaration with a name, and its id.
    pub fn find<Q: Hash + Equivalent<K> + ?Sized>(&self, name: &Q) -> Option<(I, &T)> {
        let (index, _, found) = self.map.get_full(name)?;
        Some((I::from_index(index), found))
    }

    /// The declaration with an id.
    pub fn at(&self, id: I) -> &T {
        self.entry_of(id).1
    }

    /// The name of a declaration, and the declaration.
    #[expect(
        clippy::expect_used,
        reason = "ids come from this map, which loses no declaration once it has ids"
    )]
    pub fn entry_of(&self, id: I) -> (&K, &T) {
        self.map.get_index(id.index()).expect("an id of this map")
    }

    /// The ids, in source order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T, K> {
        (0..self.map.len()).map(I::from_index)
    }

    /// The declarations with their ids, in source order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.map.values().enumerate().map(|(index, found)| (I::from_index(index), found))
    }
}

impl<I, T, K: Hash + Eq> FromIterator<(K, T)> for Declarations<I, T, K> {
    fn from_iter<V: IntoIterator<Item = (K, T)>>(declarations: V) -> Declarations<I, T, K> {
        Declarations { map: declarations.into_iter().collect(), id: PhantomData }
    }
}

impl<I, T, K> Deref for Declarations<I, T, K> {
    type Target = IndexMap<K, T>;

    fn deref(&self) -> &IndexMap<K, T> {
        &self.map
    }
}

impl<I, T, K> DerefMut for Declarations<I, T, K> {
    fn deref_mut(&mut self) -> &mut IndexMap<K, T> {
        &mut self.map
    }
}

impl<'a, I, T, K> IntoIterator for &'a Declarations<I, T, K> {
    type Item = (&'a K, &'a T);
    type IntoIter = indexmap::map::Iter<'a, K, T>;

    fn into_iter(self) -> indexmap::map::Iter<'a, K, T> {
        self.map.iter()
    }
}
