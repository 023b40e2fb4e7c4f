//! References between the objects of a configuration, as data: the graph that the facade writes.

use std::collections::BTreeSet;

use terrane_source::Subject;

use crate::address::Address;
use crate::digraph::Edge;
use crate::ids::Arena;

crate::ids! {
    /// Names an object of [`Dependencies`].
    ObjectId;
}

/// The references between the blocks of a configuration. Instances of a block are one object.
#[derive(Debug)]
pub struct Dependencies {
    /// All objects, with the objects of a caller before those of the modules that it calls.
    pub objects: Arena<ObjectId, Dependency>,
    /// The dependencies between objects: sorted, without duplicates.
    pub edges: Vec<Edge<ObjectId>>,
    /// The edges to module calls that stand for edges to everything in the called module, like `depends_on =
    /// [module.m]`. Separate edges to each object of the module would be too many.
    pub whole: BTreeSet<Edge<ObjectId>>,
}

/// An object that depends on others, or on which others depend.
#[derive(Debug)]
pub struct Dependency {
    /// Its address, without instance keys.
    pub address: Address,
    /// The place of the declaration: the header of the block or the name of the attribute.
    pub declaration: Option<Subject>,
}
