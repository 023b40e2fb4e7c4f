//! Makes maps and objects: sorts and shares keys, merges, and converts elements to one type.

use std::mem;

use super::{Repr, Value, has_type_from_start};
use crate::merge::{Merge, Source};
use crate::shape::Shape;
use crate::text_order::{distinct_text_order, text_order};
use crate::value::collection::{Gathered, Made, gathered};
use crate::{Entries, Refusal, SmolStr, Type};

impl Value {
    /// Returns a map with the element type `element`, as in [`Value::list`]. If keys are equal, the last one counts.
    pub fn map(element: Type, entries: impl IntoIterator<Item = (SmolStr, Value)>) -> Value {
        let (element, entries) = Value::adopting(element, entries);
        if entries.iter().all(|(_, value)| value.is_of(&element)) {
            Value::mapping(Some(Type::map(element)), entries.into_iter(), Repr::Map)
        } else {
            let object = Value::mapping(None, entries.into_iter(), Repr::Object);
            Value::converted_elements(&object, Type::map(element))
        }
    }

    /// Returns a map of elements that are known to be of type `element`.
    pub(crate) fn map_of(element: Type, entries: impl IntoIterator<Item = (SmolStr, Value)>) -> Value {
        let (element, entries) = Value::adopting(element, entries);
        Value::mapping(Some(Type::map(element)), entries.into_iter(), Repr::Map)
    }

    /// Returns the entries of a map, and its element type, which elements without a type get.
    fn adopting(declared: Type, entries: impl IntoIterator<Item = (SmolStr, Value)>) -> (Type, Gathered) {
        let mut entries = gathered(entries);
        let element = Value::element_type(declared, entries.iter().map(|(_, value)| value));
        entries.iter_mut().for_each(|(_, value)| value.adopt_type(&element));
        (element, entries)
    }

    /// Returns an object. If names are equal, the last one counts.
    pub fn object(attributes: impl IntoIterator<Item = (SmolStr, Value)>) -> Value {
        Value::mapping(None, gathered(attributes).into_iter(), Repr::Object)
    }

    /// Returns an object with the attributes of both maps or objects. The second one takes precedence.
    pub fn object_of_both(first: &Entries, second: &Entries) -> Value {
        let (merge, is_new_shape) = Merge::of(first.shape(), second.shape());
        let make = |source: &Source| match *source {
            Source::First(index) => first.value_at(index),
            Source::Second(index) => second.value_at(index),
        };
        let values = Made { parts: merge.sources.iter(), make };
        let entries = Entries::with_shape(None, merge.shape.clone(), is_new_shape, values);
        Value::of_entries(entries, Repr::Object)
    }

    /// Returns the map of type `ty` with the elements of all maps, which are of that type. If keys are equal, the last
    /// one counts. For the library only: the types are not checked.
    #[doc(hidden)]
    pub fn map_of_all(ty: &Type, maps: &[&Entries]) -> Value {
        let count = maps.iter().map(|map| map.len()).sum();
        let mut entries: Vec<(&SmolStr, &Value)> = Vec::with_capacity(count);
        let mut are_in_order = true;
        for map in maps {
            // The keys of each map are sorted.
            let (last, first) = (entries.last(), map.nth(0));
            are_in_order &= last.zip(first).is_none_or(|((last, _), (first, _))| *last < first);
            entries.extend(map.iter());
        }
        if !are_in_order {
            let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
            // The order of equal keys is reversed, and the first one is kept.
            let order = text_order(&keys).into_iter().rev();
            entries = order.filter_map(|position| entries.get(position).copied()).collect();
            entries.dedup_by(|(earlier, _), (later, _)| earlier == later);
            entries.reverse();
        }
        let (shape, is_new) = Shape::of(entries.iter().map(|(key, _)| *key));
        let values = entries.iter().map(|(_, value)| (*value).clone());
        Value::of_entries(Entries::with_shape(Some(ty.clone()), shape, is_new, values), Repr::Map)
    }

    /// Returns an object with the names of `shape` and as many values, in their order, or the reason if it would be too
    /// large. For the evaluator only, like [`Value::object_in_order`]: the number of values is not checked, and an
    /// iterator that is longer or shorter than it says causes a panic.
    #[doc(hidden)]
    #[inline]
    pub fn object_of_shape(
        shape: Shape,
        values: impl ExactSizeIterator<Item = Value>,
    ) -> Result<Value, Refusal> {
        Value::allowed(Entries::with_shape(None, shape, false, values), Repr::Object)
    }

    /// Returns an object of names, which are sorted and all different, and their values. A name without a value, or a
    /// value without a name, is left out. The order is not checked, because that would cost as much as making the
    /// object; in a wrong order, names are not found. So this is for the evaluator only; use [`Value::object`].
    #[doc(hidden)]
    pub fn object_in_order(mut names: Vec<SmolStr>, mut values: Vec<Value>) -> Value {
        names.truncate(values.len());
        values.truncate(names.len());
        let (shape, is_new) = Shape::of_owned(names);
        Value::of_entries(Entries::with_shape(None, shape, is_new, values.into_iter()), Repr::Object)
    }

    /// Returns an object of these names in any order, each with its value; `None` if two names are equal. For the
    /// evaluator only, like [`Value::object_in_order`].
    #[doc(hidden)]
    pub fn object_of_distinct(mut names: Vec<SmolStr>, mut values: Vec<Value>) -> Option<Value> {
        names.truncate(values.len());
        let texts: Vec<&str> = names.iter().map(SmolStr::as_str).collect();
        let order = distinct_text_order(&texts)?;
        put_in_order(order, &mut names, &mut values);
        Some(Value::object_in_order(names, values))
    }

    #[inline]
    fn mapping(
        ty: Option<Type>,
        entries: impl ExactSizeIterator<Item = (SmolStr, Value)>,
        repr: fn(Entries) -> Repr,
    ) -> Value {
        Value::of_entries(Entries::in_order(ty, entries), repr)
    }

    #[inline]
    pub(super) fn of_entries(entries: Entries, repr: fn(Entries) -> Repr) -> Value {
        Value::allowed(entries, repr).unwrap_or_else(Value::refuse)
    }

    /// Returns the map or object with these entries, or the reason why it is too large.
    #[inline]
    fn allowed(entries: Entries, repr: fn(Entries) -> Repr) -> Result<Value, Refusal> {
        if let Some(refusal) = entries.summary().refusal() {
            return Err(refusal);
        }
        if has_type_from_start(entries.summary()) {
            entries.ty();
        }
        Ok(Value(repr(entries)))
    }
}

/// Moves each name and each value to its place: `order` has, for each place, the present
/// position of its name and value.
fn put_in_order(mut order: Vec<usize>, names: &mut [SmolStr], values: &mut [Value]) {
    for start in 0..order.len() {
        let mut place = start;
        while let Some(source) = order.get_mut(place).map(|source| mem::replace(source, place))
            && source != start
        {
            names.swap(place, source);
            values.swap(place, source);
            place = source;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_of_one_type_are_joined_in_order() {
        let map = |entries: &[(&str, i64)]| {
            let entries = entries.iter().map(|(key, number)| (SmolStr::new(key), Value::from(*number)));
            Value::map(Type::Number, entries)
        };
        let joined = |maps: &[Value]| {
            let entries: Vec<&Entries> = maps.iter().filter_map(Value::as_entries).collect();
            Value::map_of_all(&Type::map(Type::Number), &entries)
        };
        let in_order = joined(&[map(&[("a", 1)]), map(&[]), map(&[("b", 2), ("c", 3)])]);
        assert!(in_order.same(&map(&[("a", 1), ("b", 2), ("c", 3)])), "{in_order:?}");
        let mixed = joined(&[map(&[("b", 1), ("c", 1)]), map(&[("a", 2), ("c", 2)]), map(&[("c", 3)])]);
        assert!(mixed.same(&map(&[("a", 2), ("b", 1), ("c", 3)])), "{mixed:?}");
        assert!(joined(&[map(&[])]).same(&map(&[])));
    }

    #[test]
    fn objects_of_the_same_shapes_are_merged_alike() {
        let object = |names: &[&str], text: &str| {
            Value::object(names.iter().map(|name| (SmolStr::new(name), Value::from(text))))
        };
        let merged = |first: &Value, second: &Value| {
            Value::object_of_both(first.as_entries().unwrap(), second.as_entries().unwrap())
        };
        let names = [["a", "b"].as_slice(), &["b", "c"], &["c"], &[]];
        for _ in 0..3 {
            for first in names {
                for second in names {
                    let all = first.iter().filter(|name| !second.contains(name)).map(|name| (name, "1"));
                    let all = all.chain(second.iter().map(|name| (name, "2")));
                    let all = Value::object(all.map(|(name, text)| (SmolStr::new(name), Value::from(text))));
                    let both = merged(&object(first, "1"), &object(second, "2"));
                    assert!(both.same(&all), "{first:?} {second:?}: {both:?}");
                }
            }
        }
    }

    #[test]
    fn names_of_an_object_are_distinct() {
        let object = |names: &[&str]| {
            let values = names.iter().map(|name| Value::from(*name)).collect();
            Value::object_of_distinct(names.iter().map(SmolStr::new).collect(), values)
        };
        let expected = Value::object(["a", "b", "c"].map(|name| (SmolStr::new(name), Value::from(name))));
        assert!(object(&["c", "a", "b"]).is_some_and(|object| object.same(&expected)));
        assert!(object(&["b", "a", "b"]).is_none());
    }

    #[test]
    fn names_and_values_without_each_other_are_left_out() {
        let names = |count: usize| ["a", "b"].iter().take(count).map(SmolStr::new).collect();
        let values = |count| vec![Value::TRUE; count];
        for (some, others) in [(1, 1), (1, 2), (2, 1)] {
            let object = Value::object_in_order(names(some), values(others));
            assert!(object.same(&Value::object([(SmolStr::new("a"), Value::TRUE)])), "{object:?}");
        }
    }
}
