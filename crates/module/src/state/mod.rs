//! State of an evaluation: module instances, their values, and the scope that reads them.
//!
//! The driver in `evaluate` stores the results of steps here; steps and checks read them.

pub(crate) mod checks;
pub(crate) mod compared_texts;
pub(crate) mod context;
pub(crate) mod decrypted;
pub(crate) mod evaluation;
pub(crate) mod expression;
pub(crate) mod imports;
pub(crate) mod inner_parts;
pub(crate) mod instance;
pub(crate) mod instance_value;
pub(crate) mod repetition;
pub(crate) mod scope;
pub(crate) mod sources;
