//! Addresses, inputs, versions and graphs, which modules and templates share, and the objects of states with the reader of
//! state files, which is a third of the crate.
//!
//! [`address`] names objects, [`address_parts`] reads the text of an address, [`inputs`] lists the sources of values
//! for root variables, [`dependencies`] is the graph of references as data, [`digraph`] orders it, [`ids`](mod@ids) has
//! typed ids and the containers that they index, [`recorder`] records the files that an evaluation reads,
//! [`damaged_values`] finds the values that syntax errors may have changed, [`version`] reads versions and constraints on
//! them, [`state`] has the objects of a state, and [`state_file`] reads them.

pub mod address;
pub mod address_parts;
mod address_word;
pub mod damaged_values;
pub mod dependencies;
pub mod digraph;
mod flat_attributes;
pub mod ids;
pub mod inputs;
pub mod limits;
mod module_path;
pub mod recorder;
pub mod state;
pub mod state_file;
mod state_parts;
pub mod version;

pub use address::{Address, InstanceKey, ModulePath, ModuleStep};
pub use address_word::AddressWord;
pub use dependencies::{Dependencies, Dependency};
pub use digraph::Digraph;
pub use inputs::{Assignment, InputSources, InputValue};
pub use module_path::module_path;
pub use terrane_function::Dialect;
pub use version::{Version, VersionConstraint};
