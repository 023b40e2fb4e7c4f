//! Byte ranges in a source file.
//!
//! Tokens, tree nodes and diagnostics carry a [`Span`]; they store no line numbers.

use std::fmt;
use std::ops::Range;

/// A range of bytes in one source file: zero-based, end exclusive.
///
/// Offsets are `u32`, so a source file is at most 4 GiB. A span does not know its file; pair it with
/// a [`SourceFile`](crate::SourceFile) in a [`Subject`](crate::Subject) to report it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`; an `end` before `start` gives the empty span at `start`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end: if end < start { start } else { end } }
    }

    /// The empty span at `offset`.
    pub const fn empty(offset: u32) -> Span {
        Span { start: offset, end: offset }
    }

    /// Number of bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether no byte lies in the span.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both.
    pub const fn to(self, other: Span) -> Span {
        Span {
            start: if self.start < other.start { self.start } else { other.start },
            end: if self.end > other.end { self.end } else { other.end },
        }
    }

    /// Whether `offset` lies in the span.
    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The span as a range of `usize`, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
