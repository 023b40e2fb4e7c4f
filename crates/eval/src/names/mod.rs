//! The names that an expression may use, and the references to them.
//!
//! Callers implement `Names`, which the evaluator asks for the value of each reference.

pub(crate) mod added;
pub(crate) mod instance_cache;
pub(crate) mod references;
pub(crate) mod scope;
pub(crate) mod variables;
