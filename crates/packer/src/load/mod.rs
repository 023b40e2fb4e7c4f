//! Reads a template and the values of its variables.
//!
//! `files` finds the files, `template` reads them, and `inputs` collects the values.

mod files;
pub mod inputs;
pub(crate) mod template;

pub use files::{is_automatic_variable_file, is_template_file};
