//! [`Sequence`], an item of a template before its directives are matched: text, an interpolation or a directive.
//!
//! [`RawText`] is the text of such an item, in the source or decoded.

use terrane_source::Span;

use crate::tree::Text;
use crate::{ExprId, Tree};

/// The names between `for` and `in`.
pub(super) struct ForNames {
    pub(super) key: Option<Span>,
    pub(super) value: Span,
}

/// One item of a template, before its directives are matched with their ends.
pub(super) enum Sequence {
    Text {
        text: RawText,
        span: Span,
    },
    Interpolation {
        expr: ExprId,
        span: Span,
    },
    If {
        condition: ExprId,
        span: Span,
    },
    Else {
        span: Span,
    },
    EndIf {
        span: Span,
    },
    For {
        names: ForNames,
        collection: ExprId,
        span: Span,
    },
    EndFor {
        span: Span,
    },
    /// A directive that could not be parsed, so that other directives may seem to lack their partner.
    Broken,
}

/// Text of a template on its way into the tree.
#[derive(Clone, Copy)]
pub(super) enum RawText {
    /// The text is a span of the source.
    Source(Span),
    /// The text is a part of the tree's decoded text.
    Decoded(Span),
}

impl RawText {
    pub(super) fn as_str(self, tree: &Tree) -> &str {
        match self {
            RawText::Source(span) => tree.slice(span),
            RawText::Decoded(span) => tree.decoded_slice(span),
        }
    }

    pub(super) fn span(&mut self) -> &mut Span {
        match self {
            RawText::Source(span) | RawText::Decoded(span) => span,
        }
    }

    /// Removes `len` bytes from the start.
    pub(super) fn cut_start(&mut self, len: usize) {
        self.span().start += u32::try_from(len).unwrap_or(u32::MAX);
    }

    pub(super) fn trim_start(&mut self, tree: &Tree) {
        let text = self.as_str(tree);
        self.cut_start(text.len() - text.trim_start().len());
    }

    pub(super) fn trim_end(&mut self, tree: &Tree) {
        let text = self.as_str(tree);
        let len = text.len() - text.trim_end().len();
        self.span().end -= u32::try_from(len).unwrap_or(u32::MAX);
    }

    /// Returns this text followed by `other`.
    pub(super) fn join(self, other: RawText, tree: &mut Tree) -> RawText {
        match (self, other) {
            (RawText::Source(first), RawText::Source(second)) if first.end == second.start => {
                RawText::Source(Span::new(first.start, second.end))
            }
            (RawText::Source(first), _) if first.is_empty() => other,
            (_, RawText::Source(second)) if second.is_empty() => self,
            (RawText::Decoded(first), RawText::Decoded(second)) if first.end == second.start => {
                RawText::Decoded(Span::new(first.start, second.end))
            }
            (RawText::Decoded(first), _) if first.end == end_of_decoded(tree) => {
                append(other, tree);
                RawText::Decoded(Span::new(first.start, end_of_decoded(tree)))
            }
            (_, _) => {
                let start = end_of_decoded(tree);
                append(self, tree);
                append(other, tree);
                RawText::Decoded(Span::new(start, end_of_decoded(tree)))
            }
        }
    }

    pub(super) fn store(self, tree: &mut Tree) -> Text {
        match self {
            RawText::Source(span) => Text::Source(span),
            RawText::Decoded(span) => tree.add_decoded(span),
        }
    }
}

pub(super) fn end_of_decoded(tree: &mut Tree) -> u32 {
    let (_, decoded) = tree.decoded_text();
    u32::try_from(decoded.len()).unwrap_or(u32::MAX)
}

/// Appends `text` to the decoded text.
fn append(text: RawText, tree: &mut Tree) {
    let (source, decoded) = tree.decoded_text();
    match text {
        RawText::Source(span) => decoded.push_str(source.slice(span)),
        RawText::Decoded(span) => decoded.extend_from_within(span.range()),
    }
}
