//! Summaries of values: size, depth and other facts about a value and its content.
//!
//! Each collection stores its summary, so that limits are checked in constant time when values are made.

use crate::unknown::Refusal;
use crate::{Known, Type, Unknown, Value};

/// How deeply values may be nested. Building a deeper one gives an unknown value whose origin is an error. The
/// type of a null, of an unknown and of an empty collection counts like a value of that type.
pub const MAX_DEPTH: u16 = 500;

/// How many elements a value may hold at all levels together, those of a part that occurs twice counted twice:
/// parts are shared in memory, so that a few lines could make a value that no one could walk through. Building
/// a larger one gives an unknown value whose origin is an error. Types count as for [`MAX_DEPTH`].
pub const MAX_ELEMENTS: u32 = 1 << 24;

/// How many bytes the strings and keys of a collection may have together, those of a part that occurs twice counted
/// twice, for the same reason: a long string that is an element a million times takes no memory, but no one could
/// compare or print it. Building a longer one gives an unknown value whose origin is an error.
pub const MAX_TEXT: u32 = 1 << 30;

#[derive(Clone, Copy, Default)]
pub(crate) struct Summary {
    /// How many elements there are inside, at all levels.
    pub(crate) elements: u32,
    /// How many bytes strings, keys and long numbers have, at all levels.
    pub(crate) text: u32,
    pub(crate) depth: u16,
    pub(crate) has_marks: bool,
    pub(crate) has_unknowns: bool,
}

impl Summary {
    /// Of a value with these elements, whose keys have so many bytes, that has the type `ty` where it has none.
    pub(crate) fn of(elements: &[Value], keys: u64, ty: Option<&Type>) -> Summary {
        if let (Some(ty), []) = (ty, elements) {
            return Summary::of_type(ty);
        }
        // Sums of lengths of data in memory cannot overflow.
        let (mut count, mut text, mut parts) = (elements.len() as u64, keys, Summary::default());
        for element in elements {
            if let Some(bytes) = element.primitive_bytes() {
                text += bytes as u64;
            } else {
                let part = element.summary();
                count += u64::from(part.elements);
                text += u64::from(part.text);
                parts.depth = parts.depth.max(part.depth);
                parts.has_marks |= part.has_marks;
                parts.has_unknowns |= part.has_unknowns;
            }
        }
        Summary {
            elements: u32::try_from(count).unwrap_or(u32::MAX),
            text: u32::try_from(text).unwrap_or(u32::MAX),
            depth: parts.depth.saturating_add(1),
            ..parts
        }
    }

    /// Of a known string of so many bytes.
    pub(crate) fn of_text(bytes: usize) -> Summary {
        Summary { text: u32::try_from(bytes).unwrap_or(u32::MAX), ..Summary::default() }
    }

    /// Of a null of type `ty`.
    pub(crate) fn of_type(ty: &Type) -> Summary {
        let mut summary = Summary::default();
        summary.add_type(ty, 0);
        summary
    }

    fn add_type(&mut self, ty: &Type, depth: u16) {
        self.depth = self.depth.max(depth);
        if self.refusal().is_some() {
            return;
        }
        match ty {
            Type::Bool | Type::Number | Type::String | Type::Dynamic => {}
            Type::List(element) | Type::Set(element) | Type::Map(element) => self.add_part(element, depth),
            Type::Tuple(elements) => {
                self.depth = self.depth.max(depth + 1);
                elements.iter().for_each(|element| self.add_part(element, depth));
            }
            Type::Object(object) => {
                self.depth = self.depth.max(depth + 1);
                object.attributes().iter().for_each(|(_, ty)| self.add_part(ty, depth));
            }
        }
    }

    fn add_part(&mut self, part: &Type, depth: u16) {
        self.elements = self.elements.saturating_add(1);
        self.add_type(part, depth + 1);
    }

    pub(crate) fn of_unknown(unknown: &Unknown) -> Summary {
        let known = match &unknown.known {
            Known::Nothing => Summary::of_type(&unknown.ty),
            Known::Object(entries) => entries.summary(),
            Known::Sequence(elements) => Summary::of(elements, 0, None),
        };
        // Its own memory counts like text, as that of long numbers does.
        let text = known.text.saturating_add(u32::try_from(size_of::<Unknown>()).unwrap_or(u32::MAX));
        Summary { has_unknowns: true, text, ..known }
    }

    /// Whether there are only nulls and primitive values inside, with too few shared texts to be worth a search.
    #[inline]
    pub(crate) fn is_shallow(self) -> bool {
        const FEW: u32 = 2048;
        self.depth == 1 && self.text <= FEW && !self.has_unknowns
    }

    /// Why there must be no such value, if so.
    #[inline]
    pub(crate) fn refusal(self) -> Option<Refusal> {
        if self.depth > MAX_DEPTH {
            Some(Refusal::TooDeep)
        } else if self.elements > MAX_ELEMENTS {
            Some(Refusal::TooLarge)
        } else if self.text > MAX_TEXT {
            Some(Refusal::TooLong)
        } else {
            None
        }
    }
}
