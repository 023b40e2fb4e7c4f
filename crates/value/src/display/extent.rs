use crate::{Known, Number, Type, Unknown, Value, ValueKind};

/// How much there may be to write.
struct Room {
    left: usize,
}

/// What a part takes besides its text: a comma, a line, names of types.
const PART: usize = 24;

/// What an unknown value takes with its reasons.
const REASONS: usize = 128;

/// So many digits of a number of that many digits are one step: the time for all of them grows with a power of one and a
/// half.
const DIGITS: usize = 32;

/// Whether the values can be written, as text or as JSON, in less than about `most` bytes and as many nanoseconds. A small
/// value may stand for a long text, since what is in it many times is stored once.
pub fn can_be_written<'v>(values: impl IntoIterator<Item = &'v Value>, most: usize) -> bool {
    let mut room = Room { left: most };
    values.into_iter().all(|value| room.has_value(value, 0).is_some())
}

/// As [`can_be_written`], of a type.
pub fn type_can_be_written(ty: &Type, most: usize) -> bool {
    Room { left: most }.has_type(ty, 0).is_some()
}

impl Room {
    fn take(&mut self, units: usize) -> Option<()> {
        self.left = self.left.checked_sub(units)?;
        Some(())
    }

    /// The depth is bounded by that of values.
    fn has_value(&mut self, value: &Value, indent: usize) -> Option<()> {
        self.take(PART + indent)?;
        // There is no need to look at what is too much anyway.
        if value.size().saturating_mul(PART + indent) > self.left {
            return None;
        }
        match value.unmarked().kind() {
            ValueKind::Number(number) => self.has_number(number),
            ValueKind::String(text) => self.has_string(text, indent),
            ValueKind::Bool(_) => Some(()),
            ValueKind::Null(ty) => self.has_type(ty, indent),
            ValueKind::Tuple(elements) | ValueKind::List(elements) | ValueKind::Set(elements) => {
                elements.iter().try_for_each(|element| self.has_value(element, indent + 2))
            }
            ValueKind::Object(entries) | ValueKind::Map(entries) => {
                entries.iter().try_for_each(|(key, value)| self.has_entry(key, value, indent + 2))
            }
            ValueKind::Unknown(unknown) => self.has_unknown(unknown, indent),
            // The value was unmarked above.
            ValueKind::Marked(..) => Some(()),
        }
    }

    fn has_entry(&mut self, key: &str, value: &Value, indent: usize) -> Option<()> {
        self.take(key.len())?;
        self.has_value(value, indent)
    }

    fn has_unknown(&mut self, unknown: &Unknown, indent: usize) -> Option<()> {
        self.take(REASONS)?;
        match &unknown.known {
            Known::Nothing => Some(()),
            Known::Object(entries) => {
                entries.iter().try_for_each(|(key, value)| self.has_entry(key, value, indent + 2))
            }
            Known::Sequence(elements) => {
                elements.iter().try_for_each(|element| self.has_value(element, indent + 2))
            }
        }
    }

    fn has_number(&mut self, number: &Number) -> Option<()> {
        let digits = number.text_bytes();
        self.take(digits.saturating_add(digits.saturating_mul(digits.isqrt()) / DIGITS))
    }

    fn has_string(&mut self, text: &str, indent: usize) -> Option<()> {
        self.take(text.len())?;
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        self.take(lines.saturating_mul(indent))
    }

    fn has_type(&mut self, ty: &Type, indent: usize) -> Option<()> {
        self.take(PART + indent)?;
        match ty {
            Type::Bool | Type::Number | Type::String | Type::Dynamic => Some(()),
            Type::List(element) | Type::Set(element) | Type::Map(element) => self.has_type(element, indent),
            Type::Tuple(elements) => {
                elements.iter().try_for_each(|element| self.has_type(element, indent + 4))
            }
            Type::Object(object) => object.attributes().iter().try_for_each(|(name, ty)| {
                self.take(name.len())?;
                self.has_type(ty, indent + 4)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_counts_as_often_as_it_is_written() {
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
    fn long_numbers_and_deep_indentation_count() {
        let long = Value::number(Number::parse("1e600000").unwrap());
        assert!(can_be_written([&long], 20_000_000) && !can_be_written([&long], 1_000_000));
        let text = Value::from("x\n".repeat(100));
        let deep = (0..100).fold(text.clone(), |value, _| Value::tuple([value]));
        assert!(can_be_written([&text], 500) && !can_be_written([&deep], 20_000));
    }
}
