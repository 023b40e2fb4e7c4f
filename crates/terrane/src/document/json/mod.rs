//! Documents as JSON for other programs.
//!
//! The structs of this folder are views: they borrow from a [`Document`](crate::Document), a [`TemplateDocument`](crate::TemplateDocument) or a value, and say which fields a
//! reader finds. docs/eval.md and docs/packer.md describe them, and the schemas in `docs/schemas/` are generated from them.

pub(crate) mod answer;
mod block_objects;
mod check;
pub(crate) mod document;
mod file;
mod graph;
pub(crate) mod lazy;
mod part_objects;
pub(crate) mod parts;
pub(crate) mod range;
mod reference;
pub(crate) mod shown;
pub(crate) mod template;
mod uses;
pub(crate) mod value;
mod variable;
mod written_parts;
