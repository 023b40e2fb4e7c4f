//! References among the objects of a template.

pub(crate) mod dependencies;
pub(crate) mod order;
