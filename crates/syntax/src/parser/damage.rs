//! The damage found so far by the pass that follows an error.

use std::ops::Range;

use terrane_source::Span;

use crate::tree::Damage;

/// The damage found so far, and the errors that it explains.
#[derive(Default)]
pub(super) struct FoundDamage {
    pub(super) damage: Vec<Damage>,
    /// The number of errors that the damage explains.
    pub(super) explained: u32,
    /// The errors that the lexer found, in the order of their offsets.
    pub(super) lexer_errors: Vec<LexerError>,
    /// The indentation of the items of the innermost block; `None` outside of blocks, and if the items are not indented.
    pub(super) column: Option<u32>,
    /// The number of tokens that have been read again because a damaged item has reached too far.
    pub(super) read_again: usize,
}

/// An error that the lexer found.
pub(super) struct LexerError {
    pub(super) offset: u32,
    /// The index of the last damage around it.
    damage: Option<usize>,
}

impl FoundDamage {
    pub(super) fn new(lexer_errors: &[u32]) -> FoundDamage {
        let lexer_errors = lexer_errors.iter().map(|offset| LexerError { offset: *offset, damage: None });
        FoundDamage { lexer_errors: lexer_errors.collect(), ..FoundDamage::default() }
    }

    /// Whether the lexer found an error in a part that no damage explains, among the damage from an index on.
    pub(super) fn has_lexer_error(&self, span: Span, from: usize) -> bool {
        let range = self.errors_in(span);
        let errors = self.lexer_errors.get(range).unwrap_or_default();
        errors.iter().any(|error| error.damage.is_none_or(|damage| damage < from))
    }

    /// Adds damage, which explains the errors of the lexer in it.
    pub(super) fn add(&mut self, damage: Damage) {
        let (range, index) = (self.errors_in(damage.span), self.damage.len());
        let errors = self.lexer_errors.get_mut(range).unwrap_or_default();
        errors.iter_mut().for_each(|error| error.damage = Some(index));
        self.damage.push(damage);
    }

    /// Returns the range of the errors of the lexer in a part, or at its end.
    fn errors_in(&self, span: Span) -> Range<usize> {
        let until = |is_before: &dyn Fn(u32) -> bool| {
            self.lexer_errors.partition_point(|error| is_before(error.offset))
        };
        until(&|offset| offset < span.start)..until(&|offset| offset <= span.end)
    }
}
