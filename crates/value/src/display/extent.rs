//! Estimates the length of displayed values.
//!
//! Writers ask before they write, and refuse values whose text would exhaust the memory.

use std::borrow::Borrow;

use crate::{Known, Number, Type, Unknown, Value, ValueKind};

/// The bytes and the work that are left for writing.
struct Room {
    left: usize,
}

/// The position of a part in a value.
#[derive(Clone, Copy, Default)]
struct At {
    /// The indentation.
    indent: usize,
    /// The length of the path to the part, which JSON documents write for each part that is unknown or marked.
    path: usize,
}

impl At {
    /// Returns the position inside a value, at a key of `key` bytes.
    fn inside(self, key: usize) -> At {
        At { indent: self.indent + 2, path: self.path.saturating_add(key).saturating_add(PART) }
    }
}

/// Bytes of a part besides its text: a comma, a line, names of types.
const PART: usize = 24;

/// Bytes of an unknown value with its origins.
const REASONS: usize = 128;

/// This many digits, of a number with this many digits, are one step: the time for all digits grows with a
/// power of one and a half.
const DIGITS: usize = 32;

/// Whether the values can be written, as text or as JSON, in less than about `most` bytes and as many nanoseconds. A
/// small value may have a long text, because repeated parts are stored once.
pub fn can_be_written(values: impl IntoIterator<Item = impl Borrow<Value>>, most: usize) -> bool {
    let mut room = Room { left: most };
    values.into_iter().all(|value| room.takes_value(value.borrow(), At::default()).is_some())
}

/// Does the same as [`can_be_written`], for a type.
pub fn type_can_be_written(ty: &Type, most: usize) -> bool {
    Room { left: most }.takes_type(ty, 0).is_some()
}

impl Room {
    fn take(&mut self, units: usize) -> Option<()> {
        self.left = self.left.checked_sub(units)?;
        Some(())
    }

    /// The depth is bounded by the depth of values.
    fn takes_value(&mut self, value: &Value, at: At) -> Option<()> {
        self.take(PART + at.indent)?;
        // The number of elements alone exceeds the limit.
        if value.size().saturating_mul(PART + at.indent) > self.left {
            return None;
        }
        if value.is_marked() {
            self.take(at.path)?;
        }
        match value.unmarked().kind() {
            ValueKind::Number(number) => self.takes_number(number),
            ValueKind::String(text) => self.takes_string(text, at.indent),
            ValueKind::Bool(_) => Some(()),
            ValueKind::Null(ty) => self.takes_type(ty, at.indent),
            ValueKind::List(elements) | ValueKind::Set(elements) if elements.is_empty() => {
                self.takes_type(&value.ty(), at.indent)
            }
            ValueKind::Map(entries) if entries.is_empty() => self.takes_type(&value.ty(), at.indent),
            ValueKind::Tuple(elements) | ValueKind::List(elements) | ValueKind::Set(elements) => {
                elements.iter().try_for_each(|element| self.takes_value(element, at.inside(0)))
            }
            ValueKind::Object(entries) | ValueKind::Map(entries) => {
                entries.iter().try_for_each(|(key, value)| self.takes_entry(key, value, at))
            }
            ValueKind::Unknown(unknown) => self.takes_unknown(unknown, at),
            // The value was unmarked above.
            ValueKind::Marked(..) => Some(()),
        }
    }

    fn takes_entry(&mut self, key: &str, value: &Value, at: At) -> Option<()> {
        self.take(key.len())?;
        self.takes_value(value, at.inside(key.len()))
    }

    fn takes_unknown(&mut self, unknown: &Unknown, at: At) -> Option<()> {
        self.take(REASONS + at.path)?;
        self.takes_type(&unknown.ty, at.indent)?;
        // Each origin is written as a reason and as an origin.
        unknown.origins.as_slice().iter().try_for_each(|origin| self.take(2 * origin.subject.len()))?;
        match &unknown.known {
            Known::Nothing => Some(()),
            Known::Object(entries) => {
                entries.iter().try_for_each(|(key, value)| self.takes_entry(key, value, at))
            }
            Known::Sequence(elements) => {
                elements.iter().try_for_each(|element| self.takes_value(element, at.inside(0)))
            }
        }
    }

    fn takes_number(&mut self, number: &Number) -> Option<()> {
        let digits = number.text_bytes();
        self.take(digits.saturating_add(digits.saturating_mul(digits.isqrt()) / DIGITS))
    }

    fn takes_string(&mut self, text: &str, indent: usize) -> Option<()> {
        self.take(text.len())?;
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        self.take(lines.saturating_mul(indent))
    }

    fn takes_type(&mut self, ty: &Type, indent: usize) -> Option<()> {
        self.take(PART + indent)?;
        match ty {
            Type::Bool | Type::Number | Type::String | Type::Dynamic => Some(()),
            Type::List(element) | Type::Set(element) | Type::Map(element) => self.takes_type(element, indent),
            Type::Tuple(elements) => {
                elements.iter().try_for_each(|element| self.takes_type(element, indent + 4))
            }
            Type::Object(object) => object.attributes().iter().try_for_each(|(name, ty)| {
                self.take(name.len())?;
                self.takes_type(ty, indent + 4)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OriginKind, Origins};

    #[test]
    fn shared_parts_count_each_time_they_are_written() {
        let line = Value::from("x".repeat(100));
        assert!(can_be_written([&line], 200) && !can_be_written([&line, &line], 200));
        let mut value = line;
        for _ in 0..20 {
            value = Value::tuple([value.clone(), value]);
        }
        assert!(!can_be_written([&value], 100_000_000) && can_be_written([&value], 1_000_000_000));
        assert!(
            !type_can_be_written(&value.ty(), 10_000_000) && type_can_be_written(&value.ty(), 1_000_000_000)
        );
    }

    #[test]
    fn paths_of_unknown_parts_count_in_json() {
        let unknown =
            |subject: &str, ty: Type| Value::unknown_from(ty, Origins::one(OriginKind::Variable, subject));
        let many = Value::tuple((0..1000).map(|_| unknown("var.a", Type::String)));
        let behind = |key: &str| Value::object([(key.into(), many.clone())]);
        let (short, long) = (behind("k"), behind(&"k".repeat(100_000)));
        assert!(can_be_written([&short], 1_000_000) && !can_be_written([&long], 10_000_000));
        let wide = |depth: usize| (0..depth).fold(Type::String, |ty, _| Type::tuple([ty.clone(), ty]));
        assert!(!can_be_written([&unknown("var.a", wide(20))], 10_000_000));
        assert!(!can_be_written([&Value::list(wide(20), [])], 10_000_000));
        assert!(!can_be_written([&unknown(&"a".repeat(100_000), Type::String)], 100_000));
    }

    #[test]
    fn long_numbers_and_deep_indentation_count() {
        let long = Value::number(Number::parse("1e600000").unwrap());
        assert!(can_be_written([&long], 20_000_000) && !can_be_written([&long], 1_000_000));
        let text = Value::from("x\n".repeat(100));
        let deep = (0..100).fold(text.clone(), |value, _| Value::tuple([value]));
        assert!(can_be_written([&text], 500) && !can_be_written([&deep], 20_000));
    }
}
