//! Refinements of unknown values: reading and narrowing.
//!
//! A refinement bounds the values that an unknown may take. Operations and functions narrow it here.

use std::cmp::Ordering;
use std::iter;

use unicode_normalization::char::{canonical_combining_class, compose};
use unicode_normalization::{IsNormalized, is_nfc_quick, is_nfd_quick};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::{Bound, Number, Refinement, Type, Unknown, Value, ValueKind, ops};

/// Limit on the unknown elements that are made for a list of known length; longer lists stay wholly unknown.
const MAX_UNKNOWN_ELEMENTS: u64 = 100_000;

/// The last character of Unicode that is composed with a preceding one.
const LAST_COMBINING: char = '\u{11930}';

impl Value {
    /// Returns the refinement of any value, ignoring marks: both bounds of a known number, the whole of a known string
    /// as prefix, and the bounds of the length of a collection. A null has none.
    pub fn range(&self) -> Refinement {
        let value = self.unmarked();
        match value.kind() {
            ValueKind::Unknown(unknown) => Refinement::clone(&unknown.refinement),
            ValueKind::Null(_) => Refinement::NONE,
            ValueKind::Number(number) => {
                let bound = Some(Bound::inclusive(number.clone()));
                Refinement { min: bound.clone(), max: bound, ..Refinement::NOT_NULL }
            }
            ValueKind::String(text) => Refinement { prefix: Some(text.clone()), ..Refinement::NOT_NULL },
            ValueKind::List(_) | ValueKind::Map(_) => {
                let length = ops::element_count(value);
                Refinement { length_min: length, length_max: Some(length), ..Refinement::NOT_NULL }
            }
            ValueKind::Set(elements) => {
                // Unknown elements may turn out to be equal to others, and then the length is not bounded here.
                if elements.len() == 1 || value.is_wholly_known() {
                    let length = ops::element_count(value);
                    Refinement { length_min: length, length_max: Some(length), ..Refinement::NOT_NULL }
                } else {
                    Refinement::NOT_NULL
                }
            }
            ValueKind::Bool(_) | ValueKind::Tuple(_) | ValueKind::Object(_) => Refinement::NOT_NULL,
            ValueKind::Marked(value, _) => value.range(),
        }
    }

    /// Refines an unknown string to begin with `prefix`, as far as following characters cannot change its last one.
    /// Returns any other value as it is.
    #[must_use]
    pub fn with_prefix(self, prefix: &str) -> Value {
        let prefix = safe_prefix(&Value::normalize(prefix)).to_owned();
        self.with_full_prefix(&prefix)
    }

    /// Refines an unknown string to begin with the whole of `prefix`, for a caller that knows that the following text
    /// does not combine with its end. Returns any other value as it is.
    #[must_use]
    pub fn with_full_prefix(self, prefix: &str) -> Value {
        if self.ty() != Type::String {
            return self;
        }
        let prefix = Value::normalize(prefix);
        self.refine(|refinement| {
            if prefix.len() > refinement.prefix.as_ref().map_or(0, |prefix| prefix.len()) {
                refinement.prefix = Some(prefix.into());
            }
        })
    }

    /// Refines an unknown number with a lower bound. Returns any other value as it is.
    #[must_use]
    pub fn with_lower_bound(self, min: Bound) -> Value {
        if self.ty() != Type::Number || min.number == Number::infinity(true) {
            return self;
        }
        self.refine(|refinement| {
            if is_narrower(&min, refinement.min.as_ref(), Ordering::Greater) {
                refinement.min = Some(min);
            }
        })
    }

    /// Refines an unknown number with an upper bound. Returns any other value as it is.
    #[must_use]
    pub fn with_upper_bound(self, max: Bound) -> Value {
        if self.ty() != Type::Number || max.number == Number::infinity(false) {
            return self;
        }
        self.refine(|refinement| {
            if is_narrower(&max, refinement.max.as_ref(), Ordering::Less) {
                refinement.max = Some(max);
            }
        })
    }

    /// Refines an unknown list, set or map to at least `min` and at most `max` elements. Returns
    /// any other value as it is.
    #[must_use]
    pub fn with_length_bounds(self, min: u64, max: Option<u64>) -> Value {
        if !self.ty().is_collection() {
            return self;
        }
        self.refine(|refinement| {
            refinement.length_min = refinement.length_min.max(min);
            refinement.length_max = match (refinement.length_max, max) {
                (Some(known), Some(max)) => Some(known.min(max)),
                (known, max) => known.or(max),
            };
        })
    }
}

/// Whether a bound is narrower than the known one: it lies further in the direction `inwards`, or is
/// exclusive at the same place.
fn is_narrower(bound: &Bound, known: Option<&Bound>, inwards: Ordering) -> bool {
    let Some(known) = known else { return true };
    match bound.number.compare(&known.number) {
        Ordering::Equal => known.is_inclusive || !bound.is_inclusive,
        order @ (Ordering::Less | Ordering::Greater) => order == inwards,
    }
}

impl Unknown {
    /// Returns the only value that the refinement allows; `None` if it allows several.
    pub(crate) fn only_value(&self) -> Option<Value> {
        if !self.refinement.has_bounds() || !self.refinement.not_null {
            return None;
        }
        let refinement = &self.refinement;
        if let (Some(min), Some(max)) = (&refinement.min, &refinement.max)
            && min.is_inclusive
            && min == max
        {
            return Some(Value::number(min.number.clone()));
        }
        let length = refinement.length_max.filter(|max| *max == refinement.length_min)?;
        let unknown = |element: &Type| Value::unknown_from(element.clone(), self.origins.clone());
        match &self.ty {
            Type::List(element) if length <= MAX_UNKNOWN_ELEMENTS => {
                let elements = (0..length).map(|_| unknown(element));
                Some(Value::list_of((**element).clone(), elements))
            }
            Type::Set(element) if length <= 1 => {
                Some(Value::set_of((**element).clone(), (0..length).map(|_| unknown(element))))
            }
            Type::Map(element) if length == 0 => Some(Value::map_of((**element).clone(), [])),
            Type::List(_)
            | Type::Set(_)
            | Type::Map(_)
            | Type::Bool
            | Type::Number
            | Type::String
            | Type::Dynamic
            | Type::Tuple(_)
            | Type::Object(_) => None,
        }
    }
}

/// Returns the longest prefix of a string that no following text changes: without the last character, which a combining
/// mark could change, unless no mark combines with it.
///
/// If no character can be composed with the last one, the reference continues to look for the ends of characters, and
/// finds none at a line break that is not `\r\n`: its known prefix ends there.
fn safe_prefix(prefix: &str) -> &str {
    let Some((start, last)) = prefix.grapheme_indices(true).next_back() else { return prefix };
    if let Some(line) = first_line(prefix)
        && !prefix.ends_with(composes)
    {
        return line;
    }
    let mut chars = last.chars();
    let ends_character = match (chars.next(), chars.next()) {
        (Some(only), None) => "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'".contains(only),
        (None, _) | (Some(_), Some(_)) => false,
    };
    if ends_character { prefix } else { prefix.get(..start).unwrap_or_default() }
}

/// Returns the text before the first `\n` or `\r` that is not part of a `\r\n`, if any.
fn first_line(text: &str) -> Option<&str> {
    let (at, _) = text.grapheme_indices(true).find(|(_, character)| matches!(*character, "\n" | "\r"))?;
    text.get(..at)
}

/// Whether normal form C changes `character`, or can change it depending on the next character.
fn composes(character: char) -> bool {
    let marks = '\u{300}'..=if character.is_ascii() { '\u{345}' } else { LAST_COMBINING };
    let alone = || iter::once(character);
    canonical_combining_class(character) != 0
        || is_nfc_quick(alone()) != IsNormalized::Yes
        || is_nfd_quick(alone()) != IsNormalized::Yes
        || marks.into_iter().any(|mark| compose(character, mark).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OriginKind, Origins};

    #[test]
    fn the_end_of_a_prefix_that_could_combine_is_left_out() {
        let cases = [
            ("", ""),
            ("a", ""),
            ("boo", "bo"),
            ("boop\r", "boop"),
            ("hello \u{ac00}", "hello "),
            ("hello \u{1f937}\u{1f3fd}\u{200d}\u{2642}\u{fe0f}", "hello "),
            ("hello \u{1f937} ", "hello \u{1f937} "),
            ("hello \u{1f1e6}\u{1f1e6}", "hello "),
            ("ami-", "ami-"),
            ("{\"foo\":", "{\"foo\":"),
            ("a=", "a"),
            // A line break ends the known prefix, unless the last character may be composed.
            ("\t\u{e9}\n    ", "\t\u{e9}"),
            ("a\nb-", "a"),
            ("a\nb", "a\n"),
            ("a\nbq", "a"),
            ("-\n-", "-"),
            ("ab\n", "ab"),
            ("a\rb-", "a"),
            ("a\r\nb-", "a\r\nb-"),
            ("a\n\u{ac00}", "a\n"),
            ("a\n\u{1f937}", "a"),
        ];
        for (prefix, safe) in cases {
            assert_eq!(safe_prefix(prefix), safe, "{prefix:?}");
        }
    }

    #[test]
    fn a_value_that_is_the_only_one_left_is_known() {
        let five = || Number::literal(5);
        let number = Value::unknown(Type::Number).not_null();
        let number =
            number.with_lower_bound(Bound::inclusive(five())).with_upper_bound(Bound::inclusive(five()));
        assert_eq!(number.as_number(), Some(&five()));

        let origins = Origins::one(OriginKind::Variable, "var.a");
        let list = Value::unknown_from(Type::list(Type::String), origins).not_null();
        let list = list.with_length_bounds(2, Some(2));
        assert_eq!(list.as_sequence().map(<[Value]>::len), Some(2));
        assert_eq!(list.origins_deep().as_slice().len(), 1);

        let set = Value::unknown(Type::set(Type::String)).not_null().with_length_bounds(2, Some(2));
        assert!(!set.is_known());
        let map = Value::unknown(Type::map(Type::String)).with_length_bounds(0, Some(0));
        assert!(!map.is_known(), "it may still be null");
        assert!(map.not_null().is_known());
    }

    #[test]
    fn only_the_narrower_bound_is_kept() {
        let number = Value::unknown(Type::Number)
            .with_lower_bound(Bound::inclusive(Number::literal(1)))
            .with_lower_bound(Bound::inclusive(Number::literal(0)))
            .with_lower_bound(Bound::exclusive(Number::literal(1)))
            .with_lower_bound(Bound::inclusive(Number::literal(1)));
        assert_eq!(number.range().min, Some(Bound::exclusive(Number::literal(1))));
        let string = Value::unknown(Type::String).with_prefix("abc-").with_prefix("a-");
        assert_eq!(string.range().prefix.as_deref(), Some("abc-"));
    }

    #[test]
    fn an_unknown_of_unknown_type_has_no_refinement() {
        let value = Value::unknown(Type::Dynamic).not_null().with_prefix("a-");
        assert!(!value.is_never_null());
        assert!(value.range().is_none());
    }
}
