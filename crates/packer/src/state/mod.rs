//! The state of an evaluation, the scope that reads it, and the context that evaluates against it.

pub(crate) mod console;
pub(crate) mod context;
pub(crate) mod evaluation;
pub(crate) mod scope;
pub(crate) mod secrets;
mod text_search;
