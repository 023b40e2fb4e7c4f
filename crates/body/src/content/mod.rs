//! The content of a body, read by a schema or without one, the same way for native syntax and JSON.
//!
//! `read` has the ways to read a body; it calls `native`, `json` or `merged`.

mod dynamic;
mod errors;
mod items;
mod json;
mod merged;
mod native;
mod read;
mod reader;
mod written;

pub use dynamic::WrittenDynamic;
pub use items::{Attribute, Block, Content, Label};

#[cfg(test)]
mod tests;
