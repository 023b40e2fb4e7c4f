//! Typed ids, and the containers that they index.
//!
//! Only a container makes an id, for a value that it has, and no container removes a value. So an id leads to a value of its
//! container, and of a table with a row for each value. The types keep ids of different kinds apart. Ids of the same kind
//! from two containers are not told apart, and to mix them is an error of the program, which no input
//! can provoke: it reads another value, or panics.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::slice;

use foldhash::fast::RandomState;
use terrane_value::SmolStr;

/// The position of a value in its container. Only the container makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position(u32);

impl Position {
    /// The position of the first value.
    pub const FIRST: Position = Position(0);

    // Sources contain fewer objects than `u32` can count, and `MAX_OBJECTS` bounds the instances.
    fn new(index: usize) -> Position {
        Position(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// The name of one value in a container, typed by the kind of value.
pub trait Id: Copy {
    /// Returns the id of the value at a position.
    fn at(position: Position) -> Self;

    /// Returns the position of the value.
    fn position(self) -> Position;

    /// Returns the number of values before it.
    fn index(self) -> usize {
        self.position().0 as usize
    }
}

/// Declares types of ids, each with its documentation.
#[macro_export]
macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name($crate::ids::Position);

        impl $crate::ids::Id for $name {
            fn at(position: $crate::ids::Position) -> $name {
                $name(position)
            }

            fn position(self) -> $crate::ids::Position {
                self.0
            }
        }
    )+};
}

/// Values by id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arena<I, T> {
    values: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Arena<I, T> {
        Arena { values: Vec::new(), id: PhantomData }
    }
}

impl<I, T> Arena<I, T> {
    /// Returns an arena without values.
    pub const fn new() -> Arena<I, T> {
        Arena { values: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds a value.
    pub fn push(&mut self, value: T) -> I {
        let id = I::at(Position::new(self.values.len()));
        self.values.push(value);
        id
    }

    /// Reserves memory for exactly `count` more values.
    pub fn reserve(&mut self, count: usize) {
        self.values.reserve_exact(count);
    }

    /// Frees the memory reserved for more values.
    pub fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.len()).map(|index| I::at(Position::new(index)))
    }

    /// Returns the id of the value that was added after another one.
    pub fn after(&self, id: I) -> Option<I> {
        let next = id.index() + 1;
        (next < self.len()).then(|| I::at(Position::new(next)))
    }

    /// Returns the values with their ids, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.values.iter().enumerate().map(|(index, value)| (I::at(Position::new(index)), value))
    }

    /// Returns the values, in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.values.iter()
    }

    /// Returns the values, in order.
    pub fn iter_mut(&mut self) -> slice::IterMut<'_, T> {
        self.values.iter_mut()
    }

    /// Returns the values, in order.
    pub fn into_values(self) -> impl Iterator<Item = T> {
        self.values.into_iter()
    }

    /// Returns the values, in order.
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

#[expect(clippy::indexing_slicing, reason = "the arena makes an id for each of its values, and removes none")]
impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.values[id.index()]
    }
}

#[expect(clippy::indexing_slicing, reason = "the arena makes an id for each of its values, and removes none")]
impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.values[id.index()]
    }
}

/// A declaration with its name.
#[derive(Debug)]
struct Declared<K, T> {
    name: K,
    declaration: T,
}

/// Declarations of one kind in a module, by id and by name, in the order of the source.
pub struct Declarations<I, T, K = SmolStr> {
    declared: Arena<I, Declared<K, T>>,
    by_name: HashMap<K, I, RandomState>,
}

impl<I, T, K> Default for Declarations<I, T, K> {
    fn default() -> Declarations<I, T, K> {
        Declarations { declared: Arena::default(), by_name: HashMap::default() }
    }
}

impl<I, T: fmt::Debug, K: fmt::Debug> fmt::Debug for Declarations<I, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<I: Id, T, K: Hash + Eq + Clone> Declarations<I, T, K> {
    /// Adds a declaration. It replaces an earlier one with the same name.
    pub fn insert(&mut self, name: K, declaration: T) -> I {
        match self.by_name.entry(name) {
            Entry::Occupied(found) => {
                let id = *found.get();
                self.declared[id].declaration = declaration;
                id
            }
            Entry::Vacant(free) => {
                let id = self.declared.push(Declared { name: free.key().clone(), declaration });
                *free.insert(id)
            }
        }
    }

    /// Frees the memory reserved for more declarations.
    pub fn shrink_to_fit(&mut self) {
        self.declared.shrink_to_fit();
    }

    /// Returns the id of the declaration with a name.
    pub fn id_of<Q: Hash + Eq + ?Sized>(&self, name: &Q) -> Option<I>
    where
        K: Borrow<Q>,
    {
        self.by_name.get(name).copied()
    }

    /// Returns the declaration with a name, and its id.
    pub fn find<Q: Hash + Eq + ?Sized>(&self, name: &Q) -> Option<(I, &T)>
    where
        K: Borrow<Q>,
    {
        let id = self.id_of(name)?;
        Some((id, self.at(id)))
    }

    /// Returns the declaration with a name.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, name: &Q) -> Option<&T>
    where
        K: Borrow<Q>,
    {
        self.id_of(name).map(|id| self.at(id))
    }

    /// Returns the name as declared, and the declaration with it.
    pub fn get_key_value<Q: Hash + Eq + ?Sized>(&self, name: &Q) -> Option<(&K, &T)>
    where
        K: Borrow<Q>,
    {
        self.id_of(name).map(|id| self.entry_of(id))
    }

    /// Returns the declaration with a name.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, name: &Q) -> Option<&mut T>
    where
        K: Borrow<Q>,
    {
        self.id_of(name).map(|id| &mut self.declared[id].declaration)
    }

    /// Whether there is a declaration with a name.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, name: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.by_name.contains_key(name)
    }

    /// Returns the declaration with an id.
    pub fn at(&self, id: I) -> &T {
        &self.declared[id].declaration
    }

    /// Returns the name of a declaration, and the declaration.
    pub fn entry_of(&self, id: I) -> (&K, &T) {
        let Declared { name, declaration } = &self.declared[id];
        (name, declaration)
    }

    /// Returns the declarations with their ids, in source order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.declared.enumerate().map(|(id, declared)| (id, &declared.declaration))
    }

    /// Returns the ids, in source order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T, K> {
        self.declared.ids()
    }

    /// Returns the number of declarations.
    pub fn len(&self) -> usize {
        self.declared.len()
    }

    /// Whether there are no declarations.
    pub fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }
}

impl<I, T, K> Declarations<I, T, K> {
    /// Returns the names and declarations, in source order.
    pub fn iter(&self) -> Iter<'_, K, T> {
        Iter(self.declared.values.iter())
    }

    /// Returns the names, in source order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.declared.values.iter().map(|declared| &declared.name)
    }

    /// Returns the declarations, in source order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.declared.values.iter().map(|declared| &declared.declaration)
    }

    /// The declarations, in source order.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        self.declared.values.iter_mut().map(|declared| &mut declared.declaration)
    }
}

impl<I: Id, T, K: Hash + Eq + Clone> FromIterator<(K, T)> for Declarations<I, T, K> {
    fn from_iter<V: IntoIterator<Item = (K, T)>>(declarations: V) -> Declarations<I, T, K> {
        let mut all = Declarations::default();
        for (name, declaration) in declarations {
            all.insert(name, declaration);
        }
        all
    }
}

impl<'a, I, T, K> IntoIterator for &'a Declarations<I, T, K> {
    type Item = (&'a K, &'a T);
    type IntoIter = Iter<'a, K, T>;

    fn into_iter(self) -> Iter<'a, K, T> {
        self.iter()
    }
}

/// The names and declarations of [`Declarations`], in source order.
#[derive(Debug)]
pub struct Iter<'a, K, T>(slice::Iter<'a, Declared<K, T>>);

impl<'a, K, T> Iterator for Iter<'a, K, T> {
    type Item = (&'a K, &'a T);

    fn next(&mut self) -> Option<(&'a K, &'a T)> {
        self.0.next().map(|Declared { name, declaration }| (name, declaration))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}
