//! Evaluates variables, data sources, local values and builds.
//!
//! The driver runs the steps in order; each step returns its result, which the driver stores.

mod argument;
mod builds;
pub(crate) mod driver;
mod registry;
mod selection;
mod step;
mod values;
mod variables;
