//! Types and values of the configuration language, without text positions.
//!
//! Reading order: [`Type`], [`Value`] and [`ValueKind`] (how to look into one), [`Unknown`] (refinements,
//! origins, open objects), [`Marks`], [`Number`], [`convert()`], [`unify()`], [`ops`], [`display`], [`json`].

mod types;

mod value;

mod collection;

mod unknown;

mod marks;

mod number;

mod path;

mod error;

mod refine;

mod equality;

mod set;

mod convert;

mod unify;

mod constraint;

pub mod ops;

pub mod display;

pub mod json;

#[cfg(test)]
mod properties;

pub use collection::{Entries, ObjectBuilder};
pub use constraint::{Defaults, TypeConstraint};
pub use convert::{can_convert, convert};
pub use error::{Operand, ValueError, ValueErrorKind};
pub use marks::{Mark, Marks};
pub use number::{Integer, Number, NumberError};
pub use path::{Path, PathStep};
pub use types::{ObjectType, Type};
pub use unify::{unify, unify_safe, unify_values};
pub use unknown::{Known, Origin, OriginKind, Origins, Refinement, Unknown};
pub use value::{MAX_DEPTH, MAX_ELEMENTS, Value, ValueKind};
