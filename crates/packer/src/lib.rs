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

pub mod template;

mod files;

mod decode;

mod validation;

mod requirements;

mod known;

mod builtin;

pub mod inputs;

mod load;

mod order;

mod graph;

mod scope;

mod evaluate;

mod secrets;

mod build;

mod component;

mod duration;

mod registry;

mod select;

pub mod run;

pub use evaluate::{TemplateEvaluation, evaluate};
pub use files::is_template_file;
pub use graph::dependencies;
pub use load::{LoadedTemplate, TemplateRequest, load};
pub use run::{Component, Run};
pub use template::Template;
