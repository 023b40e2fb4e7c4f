//! Facts about all braces of a text, for messages about unclosed blocks.

use std::cell::OnceCell;

use terrane_source::Span;

/// The braces of all tokens. Nested blocks may lead to many messages about them, so they are counted once.
#[derive(Default)]
pub(super) struct Braces {
    /// Whether there are as many opening as closing ones.
    pub(super) are_paired: OnceCell<bool>,
    /// The first pair whose closing brace stands farther left than the line of the opening one.
    pub(super) misplaced: OnceCell<Option<(Span, Span)>>,
}
