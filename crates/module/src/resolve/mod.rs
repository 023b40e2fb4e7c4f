//! Resolves references in expressions to declared objects, in a second pass after decoding.

pub(crate) mod attribute_path;
pub(crate) mod body;
pub mod depends_on;
pub(crate) mod error;
pub(crate) mod instance_key;
pub(crate) mod module;
pub(crate) mod names;
pub(crate) mod provider_function;
pub mod reference;
pub(crate) mod reference_rule;
pub(crate) mod resource_name;
pub mod root;
pub(crate) mod test_file;
pub(crate) mod triggers;
