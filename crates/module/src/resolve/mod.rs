//! References of expressions to declared objects.

pub(crate) mod attribute_path;
pub(crate) mod module;
pub mod reference;
pub(crate) mod root;
