//! What is true of a value and everything inside it: kept with each value, so that size and depth are limited
//! where values are made.

use crate::unknown::Refusal;
use crate::{Known, SmolStr, Type, Unknown, Value};

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
    /// Of a value with these elements, that has the type `ty` where it has none.
    pub(crate) fn of<'v>(children: impl Iterator<Item = &'v Value>, ty: Option<&Type>) -> Summary {
        let mut summary = Summary { depth: 1, ..Summary::default() };
        let (mut primitives, mut text) = (0_usize, 0_usize);
        for child in children {
            match child.primitive_bytes() {
                Some(bytes) => {
                    primitives += 1;
                    text = text.saturating_add(bytes);
                }
                None => summary.add(child.summary()),
            }
        }
        summary.elements = summary.elements.saturating_add(u32::try_from(primitives).unwrap_or(u32::MAX));
        summary.text = summary.text.saturating_add(Summary::of_text(text).text);
        match ty {
            Some(ty) if summary.elements == 0 => Summary::of_type(ty),
            Some(_) | None => summary,
        }
    }

    fn add(&mut self, child: Summary) {
        self.elements = self.elements.saturating_add(child.elements).saturating_add(1);
        self.text = self.text.saturating_add(child.text);
        self.depth = self.depth.max(child.depth.saturating_add(1));
        self.has_marks |= child.has_marks;
        self.has_unknowns |= child.has_unknowns;
    }

    /// Of a known string of so many bytes.
    pub(crate) fn of_text(bytes: usize) -> Summary {
        Summary { text: u32::try_from(bytes).unwrap_or(u32::MAX), ..Summary::default() }
    }

    /// The same with the keys of the elements.
    pub(crate) fn with_keys<'k>(mut self, keys: impl Iterator<Item = &'k SmolStr>) -> Summary {
        let bytes = keys.fold(0_usize, |sum, key| sum.saturating_add(key.len()));
        self.text = self.text.saturating_add(Summary::of_text(bytes).text);
        self
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
            Known::Object(entries) => Summary::of(entries.values(), None).with_keys(entries.keys()),
            Known::Sequence(elements) => Summary::of(elements.iter(), None),
        };
        Summary { has_unknowns: true, ..known }
    }

    /// Why there must be no such value, if so.
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
