//! Measures values: bytes of text, bytes of memory, and the work to write or convert them.
//!
//! The evaluator counts these figures against its limits on memory and time.

use std::sync::Arc;

use super::{Marked, Repr, Sequence, Value};
use crate::allocation::{COUNTERS, allocated, text_bytes};
use crate::value::collection::{ENTRY_BYTES, HEAD_BYTES};
use crate::value::summary::Summary;
use crate::{Entries, Known, Origin, Origins, SmolStr, Type, Unknown};

/// The average unused bytes of the two allocations of a sequence, measured by the benchmark `hostile`.
const UNUSED_BYTES: usize = 16;

/// The bytes of a list, set or tuple besides its elements.
const SEQUENCE_BYTES: usize = allocated(COUNTERS + size_of::<Sequence>()) + UNUSED_BYTES;

/// The bytes that marks add to a value, without the marks themselves.
const MARKED_BYTES: usize = allocated(COUNTERS + size_of::<Marked>());

/// The bytes of an unknown value besides its reasons and known parts.
const UNKNOWN_BYTES: usize = allocated(COUNTERS + size_of::<Unknown>());

impl Value {
    /// Returns the bytes of the string, or of the strings and keys inside; a part that occurs twice counts twice.
    /// Numbers that are not small and whole count their size in memory, or the work to write them if that is more.
    pub fn text_bytes(&self) -> usize {
        self.summary().text as usize
    }

    /// Returns the work to write the numbers inside as text, in the unit of
    /// [`Number::work_of_text`](crate::Number::work_of_text).
    pub fn work_to_write_numbers(&self) -> usize {
        /// Values with less text contain no number that takes work.
        const SHORT: usize = 16;
        if let Some(number) = self.unmarked().as_number() {
            return number.work_of_text();
        }
        let mut work: usize = 0;
        if self.as_str().is_none() && self.text_bytes() >= SHORT {
            self.for_each_child(&mut |child| work = work.saturating_add(child.work_to_write_numbers()));
        }
        work
    }

    /// Returns the bytes of the text of a known primitive value without marks; `None` for other values.
    #[inline(always)]
    pub(crate) fn primitive_bytes(&self) -> Option<usize> {
        // Comparisons are faster than a table of all kinds.
        if let Repr::String(text) = &self.0 {
            Some(text.len())
        } else if let Repr::Number(number) = &self.0 {
            Some(number.weight())
        } else if let Repr::Bool(_) = &self.0 {
            Some(0)
        } else {
            None
        }
    }

    /// Returns the number of elements, as [`Value::size`] counts them, and the bytes of [`Value::text_bytes`].
    #[inline]
    pub fn extent(&self) -> (usize, usize) {
        if let Some(text) = self.plain_text() { (0, text.len()) } else { self.extent_of_other() }
    }

    #[inline(never)]
    fn extent_of_other(&self) -> (usize, usize) {
        if let Some(entries) = self.plain_object() {
            let summary = entries.summary();
            return (summary.elements as usize, summary.text as usize);
        }
        match self.primitive_bytes() {
            Some(bytes) => (0, bytes),
            None => {
                let summary = self.summary();
                (summary.elements as usize, summary.text as usize)
            }
        }
    }

    /// Returns the most bytes of memory that this value can take up with all its content: as if no part were shared,
    /// and each part were an object.
    pub fn bytes(&self) -> usize {
        let (elements, text) = self.extent();
        let parts = elements + usize::from(!self.is_primitive());
        text.saturating_add((ENTRY_BYTES + HEAD_BYTES) * parts)
    }

    /// Returns the approximate bytes of memory of this value and its content that no other value shares; for a small
    /// value, of all its content.
    #[inline]
    pub fn own_bytes(&self) -> usize {
        // Most values have no memory of their own.
        if let Some(text) = self.plain_text() {
            own_text(text)
        } else if let Some(entries) = self.plain_object() {
            // Elements of a result are often elements of an argument.
            if entries.is_alone() { self.own_bytes_of_object(entries) } else { 0 }
        } else {
            self.own_bytes_of_compound()
        }
    }

    #[inline(never)]
    fn own_bytes_of_object(&self, entries: &Entries) -> usize {
        // Most objects contain only such values.
        if entries.summary().is_shallow() {
            let texts = own_texts(entries.values().as_slice(), entries.summary());
            entries.bytes() + texts + entries.own_key_texts()
        } else {
            self.own_bytes_with_parts()
        }
    }

    #[inline(never)]
    fn own_bytes_of_compound(&self) -> usize {
        match &self.0 {
            Repr::Unknown(unknown) => own_unknown_with_parts(unknown),
            Repr::Bool(_) | Repr::Null(_) => 0,
            Repr::Number(_)
            | Repr::String(_)
            | Repr::List(_)
            | Repr::Set(_)
            | Repr::Map(_)
            | Repr::Tuple(_)
            | Repr::Object(_)
            | Repr::Marked(_) => self.own_bytes_with_parts(),
        }
    }

    /// Returns the bytes that are freed when the value is dropped after a result has been made of it, even if the
    /// result has taken over its texts: for a string or number, the bytes that no other value shares; for other values,
    /// [`Value::own_bytes`] without strings, keys and numbers.
    pub fn freed_bytes(&self) -> usize {
        match &self.0 {
            Repr::String(_) | Repr::Number(_) | Repr::Bool(_) | Repr::Null(_) => self.own_bytes(),
            Repr::List(_)
            | Repr::Set(_)
            | Repr::Tuple(_)
            | Repr::Map(_)
            | Repr::Object(_)
            | Repr::Marked(_)
            | Repr::Unknown(_) => self.own_structure_bytes(),
        }
    }

    fn own_structure_bytes(&self) -> usize {
        if self.is_primitive() {
            return 0;
        }
        let outer = self.outer_bytes();
        if outer == 0 || self.summary().is_shallow() {
            return outer;
        }
        let mut bytes = outer;
        self.for_each_child(&mut |child| bytes = bytes.saturating_add(child.own_structure_bytes()));
        bytes
    }

    #[inline(never)]
    fn own_bytes_with_parts(&self) -> usize {
        let outer = self.outer_bytes();
        if outer == 0 || self.is_primitive() {
            return outer;
        }
        let bytes = outer + self.as_entries().map_or(0, Entries::own_key_texts);
        let summary = self.summary();
        let parts = self
            .as_entries()
            .map_or_else(|| self.as_sequence().unwrap_or_default(), |entries| entries.values().as_slice());
        if summary.is_shallow() {
            return bytes + own_texts(parts, summary);
        }
        // Many collections consist of parts of other values.
        let is_shared = |part: &&Value| part.plain_object().is_some_and(|entries| !entries.is_alone());
        let borrowed = parts.iter().take_while(is_shared).count();
        let own = parts.iter().skip(borrowed).filter(|part| part.as_small().is_none());
        own.fold(bytes, |bytes, part| bytes.saturating_add(part.own_bytes()))
    }

    /// Returns the bytes of the value, counted as by [`Value::own_bytes`], without the elements of a
    /// collection and their keys.
    #[inline]
    pub fn outer_bytes(&self) -> usize {
        match &self.0 {
            Repr::String(text) => own_text(text),
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence)
                if Arc::strong_count(sequence) == 1 =>
            {
                SEQUENCE_BYTES + allocated(size_of::<Value>() * sequence.elements.capacity())
            }
            Repr::Map(entries) | Repr::Object(entries) if entries.is_alone() => entries.bytes(),
            Repr::Marked(marked) if Arc::strong_count(marked) == 1 => {
                MARKED_BYTES + marked.marks.own_bytes() + marked.value.outer_bytes()
            }
            Repr::Number(number) => number.own_bytes(),
            Repr::Bool(_)
            | Repr::Marked(_)
            | Repr::List(_)
            | Repr::Set(_)
            | Repr::Tuple(_)
            | Repr::Map(_)
            | Repr::Object(_)
            | Repr::Null(_) => 0,
            Repr::Unknown(unknown) => own_unknown(unknown),
        }
    }
}

impl Value {
    /// Returns the approximate bytes of the type of a collection, tuple or object, if it is in memory. The type of a
    /// tuple or object is made on first use.
    pub fn type_bytes(&self) -> usize {
        let ty = match &self.0 {
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence) => sequence.ty.get(),
            Repr::Map(entries) | Repr::Object(entries) => entries.made_type(),
            Repr::Bool(_)
            | Repr::Number(_)
            | Repr::String(_)
            | Repr::Null(_)
            | Repr::Unknown(_)
            | Repr::Marked(_) => None,
        };
        ty.map_or(0, Type::own_bytes)
    }
}

/// Returns the approximate bytes of an unknown value that no other value shares, without the
/// content of its known parts.
#[inline]
fn own_unknown(unknown: &Arc<Unknown>) -> usize {
    if Arc::strong_count(unknown) > 1 {
        return 0;
    }
    let parts = match &unknown.known {
        Known::Object(entries) if entries.is_alone() => entries.bytes(),
        Known::Sequence(elements) => elements.own_bytes(),
        Known::Nothing | Known::Object(_) => 0,
    };
    UNKNOWN_BYTES + own_origins(&unknown.origins) + unknown.refinement.own_bytes() + parts
}

/// Returns the approximate bytes of a list of causes that no other value shares, without further causes.
fn own_origins(origins: &Origins) -> usize {
    if !origins.is_alone() {
        return 0;
    }
    let texts = origins.as_slice().iter().map(|origin: &Origin| own_text(&origin.subject));
    origins.bytes() + texts.sum::<usize>()
}

/// Does the same as [`own_unknown`], including the content of its known parts.
fn own_unknown_with_parts(unknown: &Arc<Unknown>) -> usize {
    let outer = own_unknown(unknown);
    if outer == 0 {
        return 0;
    }
    let sum = |elements: &[Value]| elements.iter().map(Value::own_bytes).sum::<usize>();
    match &unknown.known {
        Known::Nothing => outer,
        Known::Object(entries) => outer + sum(entries.values().as_slice()),
        Known::Sequence(elements) => outer + sum(elements),
    }
}

/// Returns about the bytes that a text takes up in addition to the value, if no other value shares it.
#[inline]
fn own_text(text: &SmolStr) -> usize {
    if text.is_heap_allocated() { own_long_text(text) } else { 0 }
}

fn own_long_text(text: &SmolStr) -> usize {
    // This reference counts, too.
    let handle: Arc<str> = text.clone().into();
    if Arc::strong_count(&handle) == 2 { text_bytes(text) } else { 0 }
}

/// Returns about the bytes that the strings in these values take up in addition to the values, as if no
/// other value shared them.
#[inline]
fn own_texts(values: &[Value], summary: Summary) -> usize {
    // Then no text or number has memory of its own.
    if summary.text as usize <= SmolStr::INLINE_CAP {
        return 0;
    }
    let of_value = |value: &Value| {
        if let Repr::String(text) = &value.0 {
            if text.is_heap_allocated() { text_bytes(text) } else { 0 }
        } else if let Repr::Number(number) = &value.0 {
            number.own_bytes()
        } else {
            0
        }
    };
    values.iter().map(of_value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Number, Refusal};

    #[test]
    fn long_texts_of_numbers_count() {
        let number = Number::parse("1e500000").map(Value::number).expect("a number");
        let work = number.work_to_write_numbers();
        assert!((3_000_000..5_000_000).contains(&work));
        assert_eq!(number.text_bytes(), work);
        assert_eq!(
            Value::tuple([Value::from("x".repeat(2000)), number.clone()]).work_to_write_numbers(),
            work
        );
        let list = Value::tuple(std::iter::repeat_n(number, 400));
        assert_eq!(list.refused(), Some(Refusal::TooLong));
        let small = Number::parse("0.1").map(Value::number).expect("a number");
        assert!(small.text_bytes() < 200 && small.work_to_write_numbers() < 2000);
        assert_eq!(Number::parse("12.5").map(|half| half.work_of_text()), Some(0));
    }

    #[test]
    fn an_unknown_value_takes_little_memory() {
        let id = Value::unknown_from(Type::String, Origins::one(crate::OriginKind::Computed, "a_b.c[7].id"));
        assert_eq!((UNKNOWN_BYTES, id.own_bytes()), (80, 144));
        let set = id.clone().not_null();
        assert_eq!((set.own_bytes(), id.own_bytes()), (80, 80));
        let bounded = Value::unknown(Type::String).with_full_prefix("ab");
        assert!((160..240).contains(&bounded.own_bytes()), "{}", bounded.own_bytes());
    }

    #[test]
    fn shared_parts_take_no_memory() {
        let text = Value::from("x".repeat(1000));
        assert!((1000..1100).contains(&text.own_bytes()));
        let list = Value::tuple([text.clone(), text.clone(), Value::from("y".repeat(100))]);
        assert!((150..400).contains(&list.own_bytes()), "{}", list.own_bytes());
        let object = Value::object([("k".repeat(1500).into(), text.clone())]);
        assert!((1500..1900).contains(&object.own_bytes()), "{}", object.own_bytes());
        let other = list.clone();
        assert_eq!((list.own_bytes(), other.own_bytes(), text.own_bytes()), (0, 0, 0));
        assert!(list.bytes() > 1100 && Value::TRUE.own_bytes() == 0);
    }
}
