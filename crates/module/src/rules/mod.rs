//! Differences between products and editions, and between the phases of an evaluation.
//!
//! [`Rules`] is computed once from a [`Dialect`](terrane_function::Dialect) and answers every question about it. Its
//! fields are the table of behaviour; [`constructs`] lists the arguments and blocks of each edition, [`titles`] the titles
//! of diagnostics, [`backends`] and [`provisioners`] the arguments of the built-in backends and provisioners. [`phase`]
//! tells plan, console and validation apart, and [`plan`] has the differences between plan documents.

pub(crate) mod backends;
pub(crate) mod constructs;
pub(crate) mod content;
pub(crate) mod phase;
pub(crate) mod plan;
pub(crate) mod provisioners;
mod table;
mod titles;

pub(crate) use crate::rules::table::{FileRules, Rules};
