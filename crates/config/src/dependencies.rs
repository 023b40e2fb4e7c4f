//! References between the objects of a configuration, as data: the graph that the facade writes.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};

use crate::address::Address;

/// The references between the blocks of a configuration. Instances of a block are one object.
#[derive(Debug)]
pub struct Dependencies {
    /// All objects, those of a caller before those of the modules that it calls.
    pub objects: Vec<Dependency>,
    /// Which object depends on which, as positions in `objects`: sorted, without duplicates.
    pub edges: Vec<(usize, usize)>,
}

/// An object that others depend on, or that depends on others.
#[derive(Debug)]
pub struct Dependency {
    /// Its name, without instance keys.
    pub address: Address,
    /// Where it is declared.
    pub declaration: Option<Declaration>,
}

/// Where something is declared.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The header of the block or the name of the attribute.
    pub span: Span,
}
