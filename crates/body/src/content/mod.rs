//! The content of a body, read by a schema or without one, the same way for native syntax and JSON.
//!
//! `read` has the ways to read a body; it calls `native`, `json` or `merged`.

mod read;

mod json;
mod merged;
mod native;

mod reader;

mod errors;

mod items;

mod dynamic;

pub use dynamic::WrittenDynamic;
pub use items::{Attribute, Block, Content, Label};

#[cfg(test)]
mod tests;
