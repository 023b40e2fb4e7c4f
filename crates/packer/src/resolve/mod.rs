//! Classifies references and resolves them to declarations.

pub(crate) mod root;
pub(crate) mod source_name;
pub(crate) mod targets;
