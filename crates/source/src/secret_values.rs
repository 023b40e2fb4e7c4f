//! The places in a file that set arguments to secrets.

use std::collections::{BTreeMap, BTreeSet};

use crate::Span;

/// A text that sets an argument to a secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SecretValue {
    /// The place of the value, with the text behind it that may belong to it.
    span: Span,
    /// The name of the argument.
    pub(crate) name: Box<str>,
    /// Whether the place has no syntax error.
    pub(crate) is_whole: bool,
}

/// The secret values of a file. They are added in any order, and a file may have many.
#[derive(Default)]
pub(crate) struct SecretValues {
    /// The values by their starts, without overlaps.
    values: BTreeMap<u32, SecretValue>,
    /// The starts of syntax errors.
    errors: BTreeSet<u32>,
}

impl SecretValues {
    /// Adds the places of syntax errors.
    pub(crate) fn add_errors(&mut self, errors: impl Iterator<Item = Span>) {
        self.errors.extend(errors.map(|error| error.start));
    }

    /// Adds a value. Returns whether it has no syntax error.
    pub(crate) fn add(&mut self, name: &str, span: Span) -> bool {
        let is_whole = !self.has_error_in(span);
        let mut joined = SecretValue { span, name: name.into(), is_whole };
        let before = self.values.range(..span.end).rev().take_while(|(_, value)| span.start < value.span.end);
        let touched: Vec<u32> = before.map(|(start, _)| *start).collect();
        for value in touched.into_iter().filter_map(|start| self.values.remove(&start)) {
            // The name of the value around another one stays.
            if value.span.start <= span.start && span.end <= value.span.end {
                joined.name = value.name;
            }
            joined.span = joined.span.to(value.span);
            joined.is_whole &= value.is_whole;
        }
        self.values.insert(joined.span.start, joined);
        is_whole
    }

    /// Whether a syntax error begins in a part.
    pub(crate) fn has_error_in(&self, span: Span) -> bool {
        span.start < span.end && self.errors.range(span.start..span.end).next().is_some()
    }

    /// Returns the value at a place.
    pub(crate) fn at(&self, place: u32) -> Option<&SecretValue> {
        let (_, value) = self.values.range(..=place).next_back()?;
        Some(value).filter(|value| place < value.span.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_whatever_the_order_in_which_they_are_added() {
        let mut values = SecretValues::default();
        values.add_errors([Span::new(25, 26), Span::new(3, 4)].into_iter());
        for (name, start, end) in
            [("d", 40, 50), ("c", 20, 30), ("b", 10, 20), ("inner", 42, 44), ("e", 48, 60)]
        {
            values.add(name, Span::new(start, end));
        }
        let found = |place| values.at(place).map(|value| (&*value.name, value.is_whole));
        assert_eq!([9, 10, 19].map(found), [None, Some(("b", true)), Some(("b", true))]);
        assert_eq!([20, 29, 30].map(found), [Some(("c", false)), Some(("c", false)), None]);
        // Values that overlap are one.
        assert_eq!([43, 59, 60].map(found), [Some(("e", true)), Some(("e", true)), None]);
    }
}
