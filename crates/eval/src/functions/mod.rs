//! The functions that an expression may call, and the rules of their dialect.

pub(crate) mod name;
pub(crate) mod semantics;
pub(crate) mod table;
pub(crate) mod work;
