//! The parts of an evaluator: its names, its limits, and its diagnostics.
//!
//! They are types only: `rules` and `fast` read and change them.

pub(crate) mod attempt;
pub(crate) mod binding;
pub(crate) mod budget;
pub(crate) mod calls;
pub(crate) mod conceal;
pub(crate) mod failures;
pub(crate) mod frame;
pub(crate) mod invocation;
pub(crate) mod last_unification;
pub(crate) mod nested_run;
pub(crate) mod report;
pub(crate) mod requested_types;
