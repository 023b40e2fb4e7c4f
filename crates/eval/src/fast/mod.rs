//! The fast path: expressions that are compiled once and run without walking the tree.

pub(crate) mod compiler;
pub(crate) mod run;
