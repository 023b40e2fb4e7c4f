//! Operations on plain values and views of the tree, which the rules and the fast path share.
//!
//! A value is plain if it is known, not null and without marks.

pub(crate) mod for_parts;
pub(crate) mod literal;
pub(crate) mod operation;
pub(crate) mod text;
