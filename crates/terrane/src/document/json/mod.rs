//! Documents as JSON for other programs.
//!
//! The structs of this folder are views: they borrow from a [`Document`](crate::Document) or a value, and say which fields a
//! reader finds. docs/eval.md describes them, and `docs/schemas/eval.schema.json` is generated from them.

pub(crate) mod answer;
mod check;
pub(crate) mod document;
mod file;
mod graph;
pub(crate) mod lazy;
pub(crate) mod parts;
pub(crate) mod range;
mod reference;
pub(crate) mod shown;
mod template;
pub(crate) mod text;
pub(crate) mod value;
pub(crate) mod value_type;
