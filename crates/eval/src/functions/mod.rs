//! The functions that an expression may call.

pub(crate) mod table;
