//! Summaries of values: size, depth and other facts about a value and its content.
//!
//! Each collection stores its summary, so that limits are checked in constant time when values are made.

use crate::value::unknown::Refusal;
use crate::{Known, Number, SmolStr, Type, Unknown, Value};

/// Limit on the nesting of values. Building a deeper value gives an unknown value with an error as its origin. The type
/// of a null, of an unknown value and of an empty collection counts like a value of that type.
pub const MAX_DEPTH: u16 = 500;

/// Limit on the elements of a value at all levels together; a part that occurs twice counts twice. Parts are shared in
/// memory, so a few lines could make a value that is too large to walk through. Building a larger value gives an
/// unknown value with an error as its origin. Types count as for [`MAX_DEPTH`].
pub const MAX_ELEMENTS: u32 = 1 << 24;

/// Limit on the bytes of all strings and keys in a collection; a part that occurs twice counts twice. A long string
/// that is an element a million times takes no memory, but comparing or printing it would take too long. Building a
/// larger collection gives an unknown value with an error as its origin.
pub const MAX_TEXT: u32 = 1 << 30;

/// The sum of the summaries of some elements. Lengths of data in memory cannot overflow.
#[derive(Default)]
pub(crate) struct Total {
    elements: u64,
    text: u64,
    depth: u16,
    parts: Parts,
    unknowns: Unknowns,
    /// Whether an element may have memory of its own: it is more than a short text, a small number or a bool.
    pub(crate) has_memory: bool,
}

/// The kinds of parts that a value has at all levels.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Parts(u8);

impl Parts {
    const NONE: Parts = Parts(0);
    /// A part is marked.
    const MARKED: Parts = Parts(1);
    /// A part is an infinite number.
    const INFINITE: Parts = Parts(2);
    /// A part is unknown, and nothing of it is known.
    const WHOLLY_UNKNOWN: Parts = Parts(4);
    /// A part is unknown because of an error.
    const FAILED: Parts = Parts(8);

    #[inline(always)]
    fn union(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }

    /// Returns the kinds that are in both.
    fn intersection(self, other: Parts) -> Parts {
        Parts(self.0 & other.0)
    }

    #[inline]
    fn has(self, other: Parts) -> bool {
        self.0 & other.0 != 0
    }
}

/// The unknown parts of a value at all levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) enum Unknowns {
    /// No part is unknown.
    #[default]
    None,
    /// Parts are unknown, and each error among their causes names its object.
    Named,
    /// An error among the causes names no object.
    NamelessError,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Summary {
    /// The number of elements at all levels.
    pub(crate) elements: u32,
    /// The bytes of strings, keys and long numbers at all levels.
    pub(crate) text: u32,
    pub(crate) depth: u16,
    parts: Parts,
    pub(crate) unknowns: Unknowns,
}

impl Summary {
    /// Returns the summary of a value with these elements, whose keys have `keys` bytes. If there are no
    /// elements, its type `ty` counts.
    pub(crate) fn of(elements: &[Value], keys: u64, ty: Option<&Type>) -> Summary {
        if let (Some(ty), []) = (ty, elements) {
            return Summary::of_type(ty);
        }
        Total::of(elements, keys).summary()
    }

    /// Returns the summary of a known string, number or bool of `bytes` bytes.
    pub(crate) fn of_primitive(bytes: usize, is_infinite: bool) -> Summary {
        let parts = if is_infinite { Parts::INFINITE } else { Parts::NONE };
        Summary { text: u32::try_from(bytes).unwrap_or(u32::MAX), parts, ..Summary::default() }
    }

    /// Returns the summary of a null of type `ty`.
    pub(crate) fn of_type(ty: &Type) -> Summary {
        let facts = ty.facts();
        Summary { elements: facts.parts, depth: facts.depth, ..Summary::default() }
    }

    pub(crate) fn of_unknown(unknown: &Unknown) -> Summary {
        let known = match &unknown.known {
            Known::Nothing => Summary::of_type(&unknown.ty),
            Known::Object(entries) => entries.summary(),
            Known::Sequence(elements) => elements.summary(),
        };
        // The memory of the unknown value itself counts like text, as the memory of long numbers does.
        let text = known.text.saturating_add(u32::try_from(size_of::<Unknown>()).unwrap_or(u32::MAX));
        let own = match unknown.origins.has_nameless_error() {
            true => Unknowns::NamelessError,
            false => Unknowns::Named,
        };
        let failed = if unknown.origins.has_error() { Parts::FAILED } else { Parts::NONE };
        let parts = match &unknown.known {
            Known::Nothing => Parts::WHOLLY_UNKNOWN,
            Known::Object(_) | Known::Sequence(_) => {
                known.parts.intersection(Parts::MARKED.union(Parts::WHOLLY_UNKNOWN))
            }
        };
        Summary { unknowns: known.unknowns.max(own), text, parts: parts.union(failed), ..known }
    }

    /// Returns the summary of a marked value with the content of this summary.
    pub(crate) fn marked(self) -> Summary {
        Summary { parts: self.parts.union(Parts::MARKED), ..self }
    }

    /// Whether a part is marked.
    #[inline]
    pub(crate) fn has_marks(self) -> bool {
        self.parts.has(Parts::MARKED)
    }

    /// Whether a part is an infinite number. The known parts of an unknown value do not count.
    pub(crate) fn has_infinity(self) -> bool {
        self.parts.has(Parts::INFINITE)
    }

    /// Whether a part is unknown.
    #[inline]
    pub(crate) fn has_unknowns(self) -> bool {
        self.unknowns != Unknowns::None
    }

    /// Whether the content is only nulls and primitive values, with so few shared texts that
    /// searching for them does not pay.
    #[inline]
    pub(crate) fn is_shallow(self) -> bool {
        const FEW: u32 = 2048;
        self.depth == 1 && self.text <= FEW && !self.has_unknowns()
    }

    /// Whether a part is unknown, and nothing of it is known.
    pub(crate) fn has_wholly_unknown(self) -> bool {
        self.parts.has(Parts::WHOLLY_UNKNOWN)
    }

    /// Whether a part is unknown because of an error. The known parts of an unknown value do not count.
    pub(crate) fn has_failed(self) -> bool {
        self.parts.has(Parts::FAILED)
    }

    /// Returns the reason why no such value may exist, if there is one.
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

impl Total {
    /// Returns the sum for these elements, whose keys have `keys` bytes.
    pub(crate) fn of(elements: &[Value], keys: u64) -> Total {
        let mut total = Total { text: keys, elements: elements.len() as u64, ..Total::default() };
        let mut rest = elements;
        // Most collections have elements of one kind.
        if elements.first().is_some_and(|first| first.plain_object().is_some()) {
            let objects = total.add_objects(elements);
            rest = elements.get(objects..).unwrap_or_default();
        }
        for element in rest {
            match element.plain_text() {
                Some(text) => {
                    total.text += text.len() as u64;
                    total.has_memory |= text.len() > SmolStr::INLINE_CAP;
                }
                None => total.add_value(element),
            }
        }
        total
    }

    /// Adds the elements of a collection that is not empty.
    pub(crate) fn add_content(&mut self, collection: Summary, has_memory: bool) {
        self.add(Summary { depth: collection.depth.saturating_sub(1), ..collection });
        self.has_memory |= has_memory;
    }

    /// Adds the content of the leading elements that are objects. Returns their number.
    fn add_objects(&mut self, elements: &[Value]) -> usize {
        // In separate variables, the sum need not be in memory.
        let (mut sum, mut count) = (Total::default(), 0);
        for entries in elements.iter().map_while(Value::plain_object) {
            sum.add(entries.summary());
            count += 1;
        }
        self.elements += sum.elements;
        self.text += sum.text;
        self.depth = sum.depth;
        self.parts = sum.parts;
        self.unknowns = sum.unknowns;
        self.has_memory = true;
        count
    }

    #[inline(always)]
    fn add(&mut self, part: Summary) {
        self.elements += u64::from(part.elements);
        self.text += u64::from(part.text);
        self.depth = self.depth.max(part.depth);
        self.parts = self.parts.union(part.parts);
        self.unknowns = self.unknowns.max(part.unknowns);
    }

    #[inline]
    fn add_value(&mut self, value: &Value) {
        if value.as_small().is_none() && !value.is_plain(&Type::Bool) {
            self.add_other(value);
        }
    }

    #[inline(never)]
    fn add_other(&mut self, value: &Value) {
        self.has_memory = true;
        match value.primitive_bytes() {
            Some(bytes) => {
                self.text += bytes as u64;
                if value.as_number().is_some_and(Number::is_infinite) {
                    self.parts = self.parts.union(Parts::INFINITE);
                }
            }
            None => self.add(value.summary()),
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary {
            elements: u32::try_from(self.elements).unwrap_or(u32::MAX),
            text: u32::try_from(self.text).unwrap_or(u32::MAX),
            depth: self.depth.saturating_add(1),
            parts: self.parts,
            unknowns: self.unknowns,
        }
    }
}
