//! Expansion of `dynamic` blocks.

pub(crate) mod dynamic;
