//! The names that an expression may refer to.

pub(crate) mod references;
pub(crate) mod scope;
pub(crate) mod shared;
