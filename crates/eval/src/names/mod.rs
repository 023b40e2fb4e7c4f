//! The names that an expression may use, and the references to them.

pub(crate) mod instance_cache;
pub(crate) mod references;
pub(crate) mod scope;
pub(crate) mod variables;
