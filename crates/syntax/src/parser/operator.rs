//! The table of binary operators.
//!
//! The expression parser looks up the operator and its precedence by token kind.

use crate::TokenKind;
use crate::tree::BinaryOp;

/// The precedence of an operator. An operator with a greater number binds more tightly.
pub(super) type Precedence = u8;

/// The lowest precedence.
pub(super) const LOWEST: Precedence = 1;

/// The table of operators between two operands. All of them associate to the left.
const OPERATORS: [(TokenKind, BinaryOp, Precedence); 13] = [
    (TokenKind::Or, BinaryOp::Or, 1),
    (TokenKind::And, BinaryOp::And, 2),
    (TokenKind::Equal, BinaryOp::Equal, 3),
    (TokenKind::NotEqual, BinaryOp::NotEqual, 3),
    (TokenKind::Greater, BinaryOp::Greater, 4),
    (TokenKind::GreaterOrEqual, BinaryOp::GreaterOrEqual, 4),
    (TokenKind::Less, BinaryOp::Less, 4),
    (TokenKind::LessOrEqual, BinaryOp::LessOrEqual, 4),
    (TokenKind::Plus, BinaryOp::Add, 5),
    (TokenKind::Minus, BinaryOp::Subtract, 5),
    (TokenKind::Star, BinaryOp::Multiply, 6),
    (TokenKind::Slash, BinaryOp::Divide, 6),
    (TokenKind::Percent, BinaryOp::Modulo, 6),
];

/// The table [`OPERATORS`], by the discriminant of the token kind.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where a wrong index is an error")]
const BY_KIND: [Option<(BinaryOp, Precedence)>; 64] = {
    let mut table = [None; 64];
    let mut index = 0;
    while index < OPERATORS.len() {
        let (kind, op, precedence) = OPERATORS[index];
        table[kind as usize] = Some((op, precedence));
        index += 1;
    }
    table
};

/// Returns the operator that a token stands for between two operands, and its precedence.
pub(super) fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, Precedence)> {
    BY_KIND.get(kind as usize).copied().flatten()
}
