//! References among the objects of a template.
//!
//! `order` sorts data sources and local values for the evaluation; `dependencies` returns the whole graph as data.

pub(crate) mod dependencies;
pub(crate) mod order;
