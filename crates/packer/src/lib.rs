//! Packer templates: from `.pkr.hcl` and `.pkr.json` files to resolved builds.
//!
//! The steps are those of modules: [`load()`] reads a directory or a single file into a [`Template`] and gathers the
//! values of its variables, [`evaluate()`] computes data sources and local values in the order of their references, and
//! then every build for each of its sources. The evaluator is the same; what differs is what the first names stand for
//! (`var` and `local` are ordinary objects here), which blocks there are, and that the bodies of plugins have no schema,
//! except for the few components that are a part of Packer itself.
//!
//! Reading order: [`template`] (what files declare), [`load()`], [`inputs`], [`evaluate()`], [`run`] (a build for one
//! of its sources).

mod components;
mod decode;
mod evaluate;
mod graph;
mod load;
mod model;
mod resolve;
mod state;

pub use evaluate::driver::{TemplateEvaluation, evaluate};
pub use graph::dependencies::dependencies;
pub use load::template::{LoadedTemplate, load};
pub use load::{inputs, is_template_file};
pub use model::build::{Component, Run};
pub use model::request::TemplateRequest;
pub use model::template::Template;
pub use model::{build as run, template};
