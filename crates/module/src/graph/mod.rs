//! The graph of all objects of all modules, and its order.
//!
//! The graph is about blocks, not about instances, as in the reference: an object is evaluated for all instances of its
//! module at once, after all objects that it refers to. `step` has the objects, `nodes` numbers them, `builder` adds the
//! edges, [`order()`] sorts them, and `ancestry` answers questions about them during an evaluation. `moves` orders `moved` blocks.

pub(crate) mod ancestry;
mod builder;
mod cycle;
mod dependencies;
pub(crate) mod moves;
pub(crate) mod node_table;
pub(crate) mod object_references;
mod order;
pub(crate) mod step;
pub(crate) mod used_providers;

pub use dependencies::dependencies;
pub use object_references::{
    ObjectReference, import_references, object_references, passed_providers, provider_references,
    written_references,
};
pub use order::{Order, order};
pub use step::{GraphStep, Step};
