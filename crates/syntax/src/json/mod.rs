//! The JSON syntax of HCL: text to a tree of JSON values.
//!
//! A schema decides which strings are templates and which objects are blocks. So the tree keeps JSON as written, with
//! duplicate names in their order, and [`parse_string_template`] and [`parse_string_expr`] parse a string on demand.
//!
//! ```
//! use terrane_source::{FileId, SourceFile};
//! use terrane_syntax::json::{self, Value};
//!
//! let source = SourceFile::new(FileId::new("main.tf.json"), r#"{"locals": {"x": "a${var.b}"}}"#);
//! let document = json::parse_json(&source);
//! let Value::Object(properties) = document.tree.value(document.root) else { panic!("an object") };
//! let [locals] = document.tree.properties(properties) else { panic!("one property") };
//! assert_eq!(document.tree.name(locals), "locals");
//! ```
//!
//! Parsing never fails: invalid text becomes [`Value::Missing`] and a diagnostic.

mod document;
mod errors;
mod lexer;
mod lower;
mod parser;
mod path;
mod rescue;
mod secrets;
pub(crate) mod string;
mod template;
mod tree;

pub use document::{Document, parse_json};
pub use lower::{Strings, lower};
pub use path::ContainerStep;
pub use rescue::Damage;
pub(crate) use secrets::{SecretPart, blocks_with_secrets, parts_with_secrets};
pub use template::{parse_string_expr, parse_string_template};
pub use tree::{Property, Tree, Value, ValueId};
