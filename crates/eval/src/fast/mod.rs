//! The fast path: expressions are compiled to nodes, which run without walking the tree.
//!
//! It computes the value of an expression only if all parts are plain values or pure calls of plain values. For
//! anything else it returns no value, and the rules evaluate the expression. It contains no rule of its own: leaving it
//! out changes no value and no diagnostic. The rules enter it in `rules/fast_path.rs`; a [`Program`](crate::Program)
//! enters it directly.

mod bound;
mod calls;
pub(crate) mod compiled;
pub(crate) mod compiler;
mod expressions;
mod loops;
mod memory;
pub(crate) mod path;
pub(crate) mod program;
pub(crate) mod run;
