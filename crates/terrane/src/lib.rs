//! Terrane evaluates Terraform and OpenTofu configuration offline: no init, no providers, no credentials, no
//! network. What cannot be known is a typed unknown value that says why.
//!
//! ```
//! use terrane::{MemoryFiles, Project};
//!
//! let files: MemoryFiles = [(
//!     "main.tf",
//!     r#"
//!         variable "names" { default = ["a", "b"] }
//!         output "greeting" { value = join(" and ", [for n in var.names : upper(n)]) }
//!     "#,
//! )]
//! .into_iter()
//! .collect();
//!
//! let report = Project::new(".").evaluate(&files);
//! assert!(!report.has_errors());
//! let greeting = report.output("greeting").expect("the module declares it");
//! assert_eq!(greeting.as_str(), Some("A and B"));
//! ```
//!
//! [`Project`] says what to evaluate, [`Report`] is the outcome. [`Engine`] evaluates single expressions and templates
//! over a program's own names, [`PackerTemplate`] a template of Packer; [`Session`] is a console without its terminal. What
//! these give and take beside is here, too: [`Value`], [`Diagnostics`], [`Files`].
//!
//! # What is stable
//!
//! The items of this crate itself follow semantic versioning, and its enums and option structs are `#[non_exhaustive]`. The
//! modules [`config`], [`eval`], [`function`], [`render`], [`source`], [`stdlib`], [`syntax`] and [`mod@value`] are the crates of
//! the engine, whole, for programs that need more: to parse, to look into values, to write a function or a renderer. What is
//! re-exported here from them is as stable as this crate; the rest may change with every minor release of the engine, whose
//! enums are exhaustive, so that the compiler says what is new.

mod check;
mod check_syntax;
mod document;
mod engine;
mod format;
mod graph;
mod json;
mod json_text;
mod library;
mod print_limit;
mod project;
mod report;
mod schema;
mod search;
mod secrets;
mod session;
mod spec_file;
mod summary;
mod symbols;
mod template;
mod template_text;

pub use check::{CheckOptions, check};
pub use check_syntax::{SyntaxCheck, block_headers, check_syntax};
pub use document::{value_json, values_json};
pub use engine::{Engine, Evaluated};
pub use format::format;
pub use graph::{Graph, GraphObject};
pub use json::{FromJsonError, ToJsonError, from_json, to_json};
pub use library::{all_functions, functions, functions_page, is_in_metadata, place_text, signatures_json};
pub use print_limit::check_printable;
pub use project::Project;
pub use report::{Entry, EntryKind, Keys, Number, Report};
pub use schema::{SchemaError, schema_from_json, schemas_from_json};
pub use search::{FoundFile, Search, Visit, visit_files};
pub use secrets::Secrets;
pub use session::{Answered, InputLines, RequestOptions, Session, Stage, Syntax, variables_from_json};
pub use spec_file::{JsonOptions, SpecFile, diagnostics_json};
pub use summary::Summary;
pub use template::{PackerTemplate, TemplateReport, dialect_at};
// The engine, whole; see "What is stable" above.
pub use terrane_body as body;
pub use terrane_body::{Body, BodySpec, Schema, Spec};
pub use terrane_config as config;
pub use terrane_config::{Address, Dialect, InstanceKey, ModulePath};
pub use terrane_eval as eval;
pub use terrane_eval::{Answer, Names, Program, Variables};
pub use terrane_function as function;
pub use terrane_module as module;
pub use terrane_module::symbols::{Occurrence, Role, Symbols};
pub use terrane_module::{Phase, Progress, Schemas};
pub use terrane_packer as packer;
pub use terrane_render as render;
pub use terrane_source as source;
#[cfg(not(target_family = "wasm"))]
pub use terrane_source::OsFiles;
pub use terrane_source::{Diagnostic, Diagnostics, Files, MemoryFiles, Severity};
pub use terrane_stdlib as stdlib;
pub use terrane_syntax as syntax;
pub use terrane_value as value;
pub use terrane_value::{Type, Value};

/// The example in README runs as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
