//! Packer templates: from `.pkr.hcl` and `.pkr.json` files to resolved builds.
//!
//! [`load()`] reads a directory or a single file into a [`Template`] and collects the values of its variables.
//! [`evaluate()`] computes data sources and local values in the order of their references, then resolves every build for
//! each of its sources. [`dependencies`] gives the references as a graph, without evaluation.
//!
//! Expressions have the same evaluator as in modules. Templates have other namespaces (`var` and `local` are
//! ordinary objects) and other blocks, and the bodies of plugins have no schema, except for components built into Packer.
//!
//! Folders, from the top: `evaluate` (driver and steps), `graph`, `load` and `state` (values and the scope that reads
//! them), `components` (built-in components and plugins), `decode` (blocks to declarations), `resolve` (references to
//! targets), `model` (declarations, request, resolved builds) and `rules` (differences between editions).

mod components;
mod decode;
mod evaluate;
mod graph;
mod load;
mod model;
mod resolve;
mod rules;
mod state;

pub use evaluate::driver::evaluate;
pub use graph::dependencies::dependencies;
pub use load::template::{LoadedTemplate, load};
pub use load::{inputs, is_automatic_variable_file, is_template_file};
pub use model::build::{Component, ResolvedBuild};
pub use model::request::TemplateRequest;
pub use model::template::Template;
pub use model::{build, template};
pub use state::console::Console;
pub use state::evaluation::TemplateEvaluation;
