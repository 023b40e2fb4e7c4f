//! [`Merge`]: the result of merging two shapes. A thread remembers it, because a loop often merges
//! objects of the same two shapes.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use crate::SmolStr;
use crate::shape::Shape;

/// The number of merges that a thread remembers.
const REMEMBERED: usize = 8;

/// How two objects are merged: the shape of the result and the source of each of its values.
pub(crate) struct Merge {
    /// The numbers of the two shapes.
    of: [u64; 2],
    pub(crate) shape: Shape,
    pub(crate) sources: Vec<Source>,
}

/// The position of a value in one of the two objects.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    First(u32),
    Second(u32),
}

thread_local! {
    /// The most recent merges, each at an index that depends on its shapes.
    static RECENT: RefCell<[Option<Rc<Merge>>; REMEMBERED]> = const { RefCell::new([const { None }; REMEMBERED]) };
}

impl Merge {
    /// Returns the merge of two shapes, in which the second one takes precedence, and whether the
    /// shape of the result is new.
    #[inline]
    pub(crate) fn of(first: &Shape, second: &Shape) -> (Rc<Merge>, bool) {
        let of = [first.number(), second.number()];
        let place = (of[0] ^ of[1].rotate_left(1)) as usize % REMEMBERED;
        // While a thread ends, nothing is remembered.
        let recent = RECENT.try_with(|recent| recent.borrow().get(place).cloned().flatten());
        if let Some(merge) = recent.ok().flatten().filter(|merge| merge.of == of) {
            return (merge, false);
        }
        Merge::remembered(first, second, place)
    }

    #[inline(never)]
    fn remembered(first: &Shape, second: &Shape, place: usize) -> (Rc<Merge>, bool) {
        let (merge, is_new_shape) = Merge::made(first, second);
        let merge = Rc::new(merge);
        if merge.shape.is_small() {
            let remember = |recent: &RefCell<[Option<Rc<Merge>>; REMEMBERED]>| {
                recent.borrow_mut().get_mut(place).map(|last| last.replace(merge.clone()))
            };
            drop(RECENT.try_with(remember));
        }
        (merge, is_new_shape)
    }

    fn made(first: &Shape, second: &Shape) -> (Merge, bool) {
        let mut keys: Vec<(&SmolStr, Source)> = Vec::with_capacity(first.keys().len() + second.keys().len());
        let mut left = (0..).map(Source::First).zip(first.keys()).peekable();
        for (source, key) in (0..).map(Source::Second).zip(second.keys()) {
            while let Some((source, other)) = left.next_if(|(_, other)| *other <= key) {
                if other.cmp(key) == Ordering::Less {
                    keys.push((other, source));
                }
            }
            keys.push((key, source));
        }
        keys.extend(left.map(|(source, key)| (key, source)));
        let (shape, is_new_shape) = Shape::of(keys.iter().map(|(key, _)| *key));
        let sources = keys.iter().map(|(_, source)| *source).collect();
        (Merge { of: [first.number(), second.number()], shape, sources }, is_new_shape)
    }
}
