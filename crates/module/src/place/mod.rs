//! Places in configuration files: the object around a place, the names that are bound there, and the expression.
//!
//! [`scopes_at`] returns the scopes of a place: one for each instance of the module and of the block. A [`PlaceScope`]
//! evaluates the expression at the place, or a text, with the names of the place. [`BlockScopes`] return the scope of
//! one instance of a block. [`on_line`] finds the expression or block on a line. The trait `SyntaxReader` reads both
//! syntaxes.

mod find;
mod items;
mod json;
mod native;
mod owner;
mod scope;
mod syntax;

pub use crate::place::find::{LineSpan, OnLine, on_line};
pub use crate::place::scope::{BlockScopes, Loop, PlaceScope, ScopeBlock, count, element, scopes_at};
