//! Finds the sources outside of the configuration that values depend on.

mod body_index;
pub(crate) mod expression;
mod found_use;
mod reading;
pub(crate) mod tracer;
