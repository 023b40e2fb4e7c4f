//! Reads a template and the values of its variables.

mod files;
pub mod inputs;
pub(crate) mod template;

pub use files::is_template_file;
