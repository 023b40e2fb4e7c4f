//! Classifies references and resolves them to declarations.
//!
//! `root` reads the first name of a reference; `targets` finds the declarations for the graph.

pub(crate) mod root;
pub(crate) mod source_name;
pub(crate) mod targets;
