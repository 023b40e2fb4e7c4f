//! Declarations of a module: the data that loading fills and everything else reads.

pub(crate) mod computed_data;
pub(crate) mod configured_names;
pub(crate) mod doubt;
pub mod encryption;
pub(crate) mod executor;
pub mod given;
pub mod given_step;
pub(crate) mod hidden;
pub mod ids;
pub(crate) mod ignored;
pub mod module;
pub(crate) mod module_map;
pub(crate) mod part_step;
pub(crate) mod paths;
pub(crate) mod pattern_index;
pub(crate) mod prior;
pub mod provider;
pub mod references;
pub(crate) mod request;
pub mod schemas;
mod secret_arguments;
pub(crate) mod source;
pub(crate) mod source_names;
pub(crate) mod tree;
pub(crate) mod untyped_secrets;
pub(crate) mod written_address;
