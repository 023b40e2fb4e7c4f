//! The state of one evaluation.

pub(crate) mod binding;
