//! Evaluates variables, data sources, local values and builds.

mod argument;
mod builds;
pub(crate) mod driver;
mod registry;
mod selection;
mod step;
mod values;
mod variables;
