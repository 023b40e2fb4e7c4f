//! Declarations of a module: the data that loading fills and everything else reads.

pub mod ids;
pub(crate) mod ignored;
pub mod module;
pub mod provider;
pub mod references;
pub mod schemas;
pub(crate) mod source;
pub(crate) mod written_address;
