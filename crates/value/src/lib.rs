//! Types and values of the configuration language, without text positions.
//!
//! ```
//! use terrane_value::{Type, Value, convert, display, json, ops};
//!
//! let servers = json::decode(r#"[{"port": "80"}, {"port": 8080}]"#)?;
//! let want = Type::list(Type::object([("port".into(), Type::Number)]));
//! let list = convert(&servers, &want)?;
//! assert_eq!(list.ty().to_string(), "list(object({port=number}))");
//!
//! let first = ops::index(&list, &Value::from("0"))?;
//! let sum = ops::add(&ops::attribute(&first, "port")?, &Value::from("0.5"))?;
//! assert_eq!(display::console(&sum), "80.5");
//!
//! // An unknown operand gives an unknown result, with refinements.
//! let unknown = ops::add(&sum, &Value::unknown(Type::Number))?;
//! assert!(!unknown.is_known() && unknown.is_never_null());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading order: [`Type`], [`Value`] and [`ValueKind`] (how to look into one), [`Unknown`] (refinements,
//! origins, open objects), [`Marks`], [`Number`], [`convert()`], [`unify()`], [`ops`], [`display`], [`json`].

mod agreement;
mod allocation;
mod article;
mod ascii;
mod constraint;
mod convert;
pub mod display;
mod equality;
mod error;
mod filling;
mod fit;
pub mod json;
mod marks;
mod merge;
mod missing_name;
mod number;
pub mod ops;
mod quote;
mod refine;
mod set;
mod shape;
mod suggestion;
mod text_order;
mod types;
mod value;

#[cfg(test)]
mod properties;

pub use agreement::Agreement;
pub use article::{article, counted, leading_article, with_article};
pub use ascii::is_ascii;
pub use constraint::{Defaults, TypeConstraint};
pub use convert::unify::{Unification, unify, unify_values};
pub use convert::{can_convert, convert, work_to_read_numbers};
pub use error::{Misspelt, Operand, ValueError, ValueErrorKind};
pub use marks::{Mark, Marks};
pub use number::{Integer, Number, NumberError, SmallNumber};
pub use shape::Shape;
/// A string of any length that is cheap to copy: a short one needs no memory of its own.
pub use smol_str::SmolStr;
pub use suggestion::{ClosestNames, closest_name, common_end, common_start, is_one_edit};
pub use text_order::{comes_before, text_order};
pub use types::{ObjectType, TupleType, Type};
pub use value::collection::{Entries, EntriesIter, LastPlace, Made, ObjectBuilder, OpenElements};
pub use value::deep::{OriginsMemory, PartOriginsMemory, SharedPart};
pub use value::path::{Path, PathStep, steps_behind};
pub use value::summary::{MAX_DEPTH, MAX_ELEMENTS, MAX_TEXT};
pub use value::unknown::{
    Bound, Known, Origin, OriginKind, Origins, Refinement, Refusal, StoredRefinement, Unknown,
};
pub use value::{Value, ValueKind};
