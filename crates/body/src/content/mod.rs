//! The content of a body, read by a schema or without one, the same way for native syntax and JSON.

pub(crate) mod errors;
mod items;
pub(crate) mod json;
pub(crate) mod merged;
pub(crate) mod native;

pub use items::{Attribute, Block, Content, Label};

#[cfg(test)]
mod tests;
