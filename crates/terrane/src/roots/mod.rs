//! Finds the root modules below a directory, and evaluates them on all cores.
//!
//! A repository has many modules, and most of them are called by other modules. [`Roots::find`] tells root modules from
//! libraries, examples and tests by the files in their directories. [`Roots::evaluate`] evaluates each root by itself, so an
//! error in one root does not affect another.

mod find;
mod json;
mod model;
mod named;
mod stacks;
mod walk;

#[cfg(feature = "json-schema")]
pub use self::json::roots_schema;
pub use self::json::{EvaluatedRoot, RootStatus};
pub use self::model::{FoundRoot, RootOptions, RootSign, Roots};

#[cfg(test)]
mod tests;
