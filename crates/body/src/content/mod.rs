//! The content of a body, read with or without a schema, in the same way for native syntax and JSON.
//!
//! `read` has the functions that read a body; they call `native`, `json` or `merged`.

mod dynamic;
mod errors;
mod items;
mod json;
mod merged;
mod native;
mod read;
mod reader;
mod secrets;
mod written;

pub use dynamic::WrittenDynamic;
pub use items::{Attribute, Block, Content, Label};
pub use secrets::{SecretNames, hide_declared_secrets, may_have_open_argument};

#[cfg(test)]
mod tests;
