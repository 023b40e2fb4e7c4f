//! The state of an evaluation, and the scope that reads it.

pub(crate) mod scope;
pub(crate) mod secrets;
