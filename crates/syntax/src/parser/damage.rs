//! The damage that the pass after an error has found so far.

use crate::tree::Damage;

/// The damage found so far, and the errors that it explains.
#[derive(Default)]
pub(super) struct FoundDamage {
    pub(super) damage: Vec<Damage>,
    /// The number of errors that the damage explains.
    pub(super) explained: u32,
    /// Where the lexer found errors, in ascending order.
    pub(super) lexer_errors: Vec<u32>,
}
