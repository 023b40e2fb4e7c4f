//! The functions that an expression may call.

pub(crate) mod name;
pub(crate) mod table;
pub(crate) mod work;
