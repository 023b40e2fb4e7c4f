//! Facts that a value has through its parts: the causes of unknown ones, and marks. A part that occurs many times, in one
//! value or in several, is looked at once.

use std::collections::{HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

use super::{Repr, Value};
use crate::{Known, Marks, Origins, Unknown};

/// The elements of a collection that is looked at again each time, because remembering it costs as much.
const FEW_ELEMENTS: usize = 8;

/// The identity of a collection with many elements, while it lives: a part that occurs many times in values has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SharedPart {
    /// The address of the elements.
    address: usize,
    /// A list and a tuple may have the same elements.
    kind: Discriminant<Repr>,
}

/// A fact about values that the facts about their parts add up to.
trait DeepFact: Clone + Default {
    /// Whether the fact may hold for the value or a part of it. Takes constant time.
    fn may_hold(value: &Value) -> bool;

    /// Returns the fact about a value besides its parts.
    fn of_itself(value: &Value) -> Self;

    /// Returns the parts that have the fact too.
    fn parts(value: &Value) -> &[Value];

    #[must_use]
    fn union(&self, other: &Self) -> Self;
}

/// The facts about collections that were looked at, by the addresses of their elements.
#[derive(Debug)]
struct Memory<F> {
    found: HashMap<usize, F>,
    /// The values with these elements, so that no other value gets an address in the table.
    kept: Vec<Value>,
}

impl<F: DeepFact> Memory<F> {
    fn new() -> Memory<F> {
        Memory { found: HashMap::new(), kept: Vec::new() }
    }

    /// Returns the fact about a value and its parts, which are remembered.
    fn of(&mut self, value: &Value) -> F {
        let before = self.found.len();
        let fact = self.of_borrowed(value);
        if self.found.len() > before {
            self.kept.push(value.clone());
        }
        fact
    }

    /// The value has to live as long as the memory. The depth is bounded by the depth of values.
    fn of_borrowed(&mut self, value: &Value) -> F {
        if !F::may_hold(value) {
            return F::default();
        }
        let own = F::of_itself(value);
        let parts = F::parts(value);
        if parts.is_empty() { own } else { own.union(&self.of_parts(value, parts)) }
    }

    fn of_parts(&mut self, value: &Value, parts: &[Value]) -> F {
        let is_remembered = value.size() > FEW_ELEMENTS;
        let address = parts.as_ptr().addr();
        if is_remembered && let Some(found) = self.found.get(&address) {
            return found.clone();
        }
        let fact = parts.iter().fold(F::default(), |all, part| all.union(&self.of_borrowed(part)));
        if is_remembered {
            self.found.insert(address, fact.clone());
        }
        fact
    }
}

impl DeepFact for Origins {
    fn may_hold(value: &Value) -> bool {
        !value.is_wholly_known()
    }

    fn of_itself(value: &Value) -> Origins {
        value.origins().clone()
    }

    fn parts(value: &Value) -> &[Value] {
        match value.as_unknown() {
            Some(_) => &[],
            None => value.known_parts(),
        }
    }

    fn union(&self, other: &Origins) -> Origins {
        Origins::union(self, other)
    }
}

/// The causes of unknown parts, where the parts of an open value count instead of the value.
#[derive(Clone, Default, Debug)]
struct OriginsOfParts(Origins);

impl DeepFact for OriginsOfParts {
    fn may_hold(value: &Value) -> bool {
        !value.is_wholly_known()
    }

    fn of_itself(value: &Value) -> OriginsOfParts {
        OriginsOfParts(match value.as_unknown().map(|unknown| &unknown.known) {
            Some(Known::Nothing) => value.origins().clone(),
            Some(Known::Object(_) | Known::Sequence(_)) | None => Origins::NONE,
        })
    }

    fn parts(value: &Value) -> &[Value] {
        value.known_parts()
    }

    fn union(&self, other: &OriginsOfParts) -> OriginsOfParts {
        OriginsOfParts(self.0.union(&other.0))
    }
}

impl DeepFact for Marks {
    fn may_hold(value: &Value) -> bool {
        value.contains_marked()
    }

    fn of_itself(value: &Value) -> Marks {
        value.marks().clone()
    }

    fn parts(value: &Value) -> &[Value] {
        value.known_parts()
    }

    fn union(&self, other: &Marks) -> Marks {
        Marks::union(self, other)
    }
}

/// The causes of the unknown parts of many values, which share parts. The memory keeps the values alive.
///
/// ```
/// use terrane_value::{OriginKind, Origins, OriginsMemory, Type, Value};
///
/// let unknown = Value::unknown_from(Type::String, Origins::one(OriginKind::Variable, "var.a"));
/// let wide = (0..23).fold(unknown, |part, _| Value::tuple([part.clone(), part]));
/// let mut memory = OriginsMemory::new();
/// for _ in 0..100 {
///     assert_eq!(memory.origins_deep(&wide).as_slice()[0].subject, "var.a");
/// }
/// ```
#[derive(Debug)]
pub struct OriginsMemory(Memory<Origins>);

impl OriginsMemory {
    /// Returns a memory without values.
    pub fn new() -> OriginsMemory {
        OriginsMemory(Memory::new())
    }

    /// Returns the reasons why the value or anything inside it is unknown, as [`Value::origins_deep`] does.
    pub fn origins_deep(&mut self, value: &Value) -> Origins {
        self.0.of(value)
    }
}

impl Default for OriginsMemory {
    fn default() -> OriginsMemory {
        OriginsMemory::new()
    }
}

/// The causes of the unknown parts of many values, where a value that is open for further attributes or elements is no cause.
#[derive(Debug)]
pub struct PartOriginsMemory(Memory<OriginsOfParts>);

impl PartOriginsMemory {
    /// Returns a memory without values.
    pub fn new() -> PartOriginsMemory {
        PartOriginsMemory(Memory::new())
    }

    /// Returns the reasons why parts of the value are unknown.
    pub fn origins_of_parts(&mut self, value: &Value) -> Origins {
        self.0.of(value).0
    }
}

impl Default for PartOriginsMemory {
    fn default() -> PartOriginsMemory {
        PartOriginsMemory::new()
    }
}

impl Value {
    /// Returns the reasons why the value or anything inside it is unknown. A part that occurs many times is looked at once;
    /// [`OriginsMemory`] does so for many values.
    pub fn origins_deep(&self) -> Origins {
        Memory::new().of_borrowed(self)
    }

    /// Returns the reasons why parts of the value are unknown. A value that is open for further attributes or elements is no
    /// reason.
    pub fn origins_of_parts(&self) -> Origins {
        Memory::<OriginsOfParts>::new().of_borrowed(self).0
    }

    /// Whether the value is unknown and meets a condition, or an unknown element inside it does. The known parts of an unknown
    /// value do not count. A part that occurs many times is looked at once.
    pub fn has_unknown_part(&self, is_met: &dyn Fn(&Unknown) -> bool) -> bool {
        self.has_other_unknown_part(is_met, &mut HashSet::new())
    }

    /// Returns the identity of a collection, to look at it once wherever it occurs. `None` for a collection of few elements, because
    /// remembering it costs as much, and for unknown and marked values, which may share their parts with different ones.
    pub fn shared_part(&self) -> Option<SharedPart> {
        if self.size() <= FEW_ELEMENTS || self.is_marked() || self.as_unknown().is_some() {
            return None;
        }
        Some(SharedPart { address: self.known_parts().as_ptr().addr(), kind: discriminant(&self.0) })
    }

    /// `seen` has the collections without such a part.
    fn has_other_unknown_part(
        &self,
        is_met: &dyn Fn(&Unknown) -> bool,
        seen: &mut HashSet<SharedPart>,
    ) -> bool {
        if self.is_wholly_known() {
            return false;
        }
        if let Some(unknown) = self.as_unknown() {
            return is_met(unknown);
        }
        let is_new = self.unmarked().shared_part().is_none_or(|part| seen.insert(part));
        is_new && self.known_parts().iter().any(|part| part.has_other_unknown_part(is_met, seen))
    }

    /// Returns the value without any mark, and all marks of it and of everything inside it. The result shares the parts that the
    /// value shares.
    pub fn unmark_deep(&self) -> (Value, Marks) {
        match self.contains_marked() {
            true => (self.without_marks(&mut HashMap::new()), self.marks_deep()),
            false => (self.clone(), Marks::NONE),
        }
    }

    /// `done` has the results for collections in the value.
    fn without_marks(&self, done: &mut HashMap<SharedPart, Value>) -> Value {
        if !self.contains_marked() {
            return self.clone();
        }
        let inner = self.unmarked();
        let shared = inner.shared_part();
        if let Some(done) = shared.and_then(|shared| done.get(&shared)) {
            return done.clone();
        }
        let unmarked = inner.map_children(&mut |part| part.without_marks(done));
        if let Some(shared) = shared {
            done.insert(shared, unmarked.clone());
        }
        unmarked
    }

    /// Returns all marks of the value and of everything inside it, also of the known parts of unknown values.
    pub fn marks_deep(&self) -> Marks {
        Memory::new().of_borrowed(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OriginKind, Type};

    /// Returns a value in which a part occurs eight million times. Looking at each occurrence would take seconds each time.
    fn wide(part: Value) -> Value {
        (0..23).fold(part, |part, _| Value::tuple([part.clone(), part]))
    }

    fn unknown(subject: &str) -> Value {
        Value::unknown_from(Type::String, Origins::one(OriginKind::Variable, subject))
    }

    #[test]
    fn a_part_that_occurs_many_times_is_looked_at_once() {
        let (unknown, secret) =
            (wide(unknown("var.a")), wide(Value::from("x").with_marks(&Marks::sensitive())));
        for _ in 0..100 {
            assert_eq!(unknown.origins_deep().as_slice().len(), 1);
            assert_eq!(unknown.origins_of_parts().as_slice().len(), 1);
            assert!(!unknown.has_known_parts());
            assert!(!unknown.has_unknown_part(&|unknown| unknown.ty != Type::String));
            assert!(unknown.has_unknown_part(&|unknown| unknown.ty == Type::String));
            let (plain, marks) = secret.unmark_deep();
            assert!(marks.is_secret() && !plain.contains_marked() && secret.marks_deep().is_secret());
            assert_eq!(plain.size(), secret.size());
        }
    }

    #[test]
    fn a_list_that_many_values_share_is_looked_at_once() {
        let list = Value::tuple((0..10_000).map(|index| unknown(&format!("var.a{index}"))));
        let mut memory = OriginsMemory::new();
        let expected = list.origins_deep();
        assert_eq!((expected.as_slice().len(), expected.omitted()), (Origins::CAP, 10_000 - Origins::CAP));
        // Reading the list each time would take minutes.
        for index in 0..100_000 {
            let other = Value::tuple([unknown(&format!("var.b{index}")), list.clone()]);
            let found = memory.origins_deep(&other);
            assert_eq!(found.as_slice()[0].subject, format!("var.b{index}"));
            assert_eq!(found.as_slice()[1], expected.as_slice()[0]);
        }
        assert_eq!(memory.origins_deep(&list), expected);
    }

    #[test]
    fn the_addresses_of_dropped_values_are_not_taken_for_others() {
        let mut memory = OriginsMemory::new();
        for index in 0..1000 {
            let subject = format!("var.a{index}");
            let value = Value::tuple(vec![unknown(&subject); FEW_ELEMENTS + 1]);
            assert_eq!(memory.origins_deep(&value).as_slice()[0].subject, subject);
        }
    }

    #[test]
    fn an_open_value_is_a_reason_unless_its_parts_are_asked_for() {
        let entries = [("known".into(), Value::TRUE), ("unknown".into(), unknown("var.a"))];
        let origins = Origins::one(OriginKind::ResourceAttribute, "a.b");
        let open = Value::tuple([Value::open_object(entries.into_iter().collect(), origins)]);
        let subjects = |origins: &Origins| -> Vec<String> {
            origins.as_slice().iter().map(|origin| origin.subject.to_string()).collect()
        };
        assert_eq!(subjects(&open.origins_deep()), ["a.b"]);
        assert_eq!(subjects(&open.origins_of_parts()), ["var.a"]);
        assert_eq!(subjects(&PartOriginsMemory::new().origins_of_parts(&open)), ["var.a"]);
        assert!(!open.has_known_parts());
    }

    #[test]
    fn a_list_and_a_tuple_of_the_same_elements_stay_apart() {
        let secret = Value::from("x").with_marks(&Marks::sensitive());
        let elements = || vec![secret.clone(); FEW_ELEMENTS + 1];
        let (list, tuple) = (Value::list(Type::String, elements()), Value::tuple(elements()));
        let both = Value::tuple([list.clone(), tuple, list]).unmark_deep().0;
        let types: Vec<String> =
            both.as_sequence().unwrap().iter().map(|part| part.ty().to_string()).collect();
        assert!(types[0].starts_with("list") && types[1].starts_with("tuple") && types[2] == types[0]);
    }
}
