//! Expansion of `dynamic` blocks: one generated block per element of `for_each`.
//!
//! - `generate`: the blocks that a `dynamic` block generates;
//! - `read`: reads and checks a `dynamic` block, and evaluates its `for_each`;
//! - `expander`: evaluates expressions in the scope of a body, and reports diagnostics once;
//! - `dynamic_block`: a `dynamic` block that has been read;
//! - `scoped_body`: a body with the iterators of the `dynamic` blocks around it.

pub(crate) mod dynamic_block;
pub(crate) mod expander;
mod generate;
mod read;
pub(crate) mod scoped_body;
