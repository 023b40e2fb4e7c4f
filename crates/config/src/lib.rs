//! Terraform and OpenTofu modules: from a directory to values.
//!
//! The steps are functions of explicit inputs: [`load()`] reads a directory and everything it calls into a
//! [`Config`]; [`inputs::collect`] gathers the values of root variables; [`evaluate()`] orders all
//! objects by their references and computes them, once for each module instance, into an [`Evaluation`].
//!
//! Reading order: [`address`] (how objects are named), [`module`] (what a directory declares), [`load()`],
//! [`reference`](mod@reference) (what an expression reads), [`inputs`], [`graph`], [`evaluate()`].

pub mod address;

mod constructs;
mod dialect;

mod digraph;

pub mod provider;

pub mod version;

pub mod module;

pub mod schemas;

mod ancestry;
mod attribute_path;

mod backends;

mod decode;

mod limits;
mod load;

pub mod reference;

pub mod inputs;

pub mod graph;

mod evaluate;

mod ignored;

mod provisioners;

mod nodes;
pub mod packer;

pub use address::{Address, InstanceKey, ModulePath, ModuleStep};
pub use dialect::semantics;
pub use evaluate::{
    AbsentInstance, Called, Evaluation, Expansion, Instances, ModuleInstance, ModuleScope, Progress,
    evaluate, evaluate_with,
};
pub use inputs::{Assignment, InputSources, Inputs};
pub use load::{
    AbsentModule, Cache, Config, Directory, Loaded, ModuleNode, ModuleSource, Moment, NodeId, Request,
    StandIns, is_module, load, load_with,
};
pub use module::Module;
pub use schemas::{ProviderSchema, Schemas};
pub use terrane_function::Dialect;
