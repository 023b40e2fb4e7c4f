//! The fast path: expressions are compiled to nodes, which run without walking the tree.
//!
//! It computes the value of an expression only if all parts are plain values or pure calls of plain values. For
//! anything else it returns no value, and the rules evaluate the expression. It contains no rule of its own: leaving it
//! out changes no value and no diagnostic.
//!
//! The names below are its entrance. The rules use them in `rules/fast_path.rs` for loops, a [`Program`](crate::Program) for
//! a whole expression, and the evaluator has a [`FastPath`] while it is inside code.

mod bound;
mod calls;
mod compiled;
mod compiler;
mod expressions;
mod loops;
mod memory;
mod path;
mod program;
mod run;

pub(crate) use compiled::{Form, Node, NodeId, Slot};
pub(crate) use compiler::Compiler;
pub(crate) use path::FastPath;
pub(crate) use program::CompiledExpression;
pub(crate) use run::Run;
