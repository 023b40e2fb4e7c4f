//! Classifies references and resolves them to declarations.

pub(crate) mod source_name;
