//! The damage found so far by the pass that follows an error.

use crate::tree::Damage;

/// The damage found so far, and the errors that it explains.
#[derive(Default)]
pub(super) struct FoundDamage {
    pub(super) damage: Vec<Damage>,
    /// The number of errors that the damage explains.
    pub(super) explained: u32,
    /// The positions of errors that the lexer found, in ascending order.
    pub(super) lexer_errors: Vec<u32>,
}
