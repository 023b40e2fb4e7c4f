//! Terrane evaluates Terraform, OpenTofu and Packer configuration offline: without init, providers, credentials or network.
//! A value that is only known after an apply is a typed unknown value with its reason.
//!
//! # Evaluate a module
//!
//! A [`Project`] is a root module with its inputs. [`Project::evaluate`] returns a [`Report`] with the diagnostics and every
//! named value. Files are read through [`Files`]: from disk with [`OsFiles`], or from memory with [`MemoryFiles`].
//!
//! ```
//! use terrane::{MemoryFiles, Project};
//!
//! let files = MemoryFiles::from_iter([(
//!     "main.tf",
//!     r#"
//!         variable "names" { type = list(string) }
//!         resource "aws_vpc" "main" { cidr_block = "10.0.0.0/16" }
//!         output "greeting" { value = join(" and ", [for n in var.names : upper(n)]) }
//!         output "vpc" { value = aws_vpc.main.id }
//!     "#,
//! )]);
//! let report = Project::new(".").variable("names", r#"["x", "y"]"#).evaluate(&files);
//! assert!(!report.has_errors());
//!
//! let greeting = report.output("greeting").expect("the module declares it");
//! assert_eq!(greeting.as_str(), Some("X and Y"));
//!
//! let vpc = report.output("vpc").expect("the module declares it");
//! assert_eq!(vpc.origins().as_slice()[0].to_string(), "aws_vpc.main.id is set by the provider");
//! ```
//!
//! To evaluate a directory, pass [`OsFiles`]: `Project::new("examples/network").evaluate(&OsFiles)`. The example
//! `read_directory` of this crate prints the resources of one.
//!
//! Values of variables come from `terraform.tfvars` and `*.auto.tfvars` in the directory, [`Project::environment`],
//! [`Project::variable_file`], [`Project::variable`] for text as in `-var`, and [`Project::variable_value`] for values of your
//! program.
//!
//! # Find the function for a command
//!
//! | command | library |
//! | --- | --- |
//! | `terrane eval` | [`Project::evaluate`], [`Report::document`]; several roots: [`Roots`]; several environments: [`Matrix`] |
//! | `terrane plan` | [`Report::plan`], [`Report::destroy_plan`]; `--lines-of`: [`PlanLines`] |
//! | `terrane explain` | [`Report::explain`], [`Report::dependents`]; `--diff`: [`Explanation::difference_to_text`] |
//! | `terrane diff` | [`Report::diff`], [`Report::diff_with_state`] |
//! | `terrane graph` | [`Document::graph`]; without values: [`Project::outline`] |
//! | `terrane check` | [`check`](check()), [`check_syntax`](check_syntax()) |
//! | `terrane console` | [`Session`], [`Report::expression`], [`Report::root_scope`] |
//! | `terrane decode` | [`SpecFile`], [`Engine::decode`] |
//! | `terrane fmt` | [`format`](format()) |
//! | `terrane functions` | [`functions()`] |
//! | `terrane schemas` | [`SchemaDirectory`], [`SchemaStores`] |
//!
//! # Read errors, unknown values and secrets
//!
//! An error does not stop an evaluation: the values that depend on it are unknown, and all others are there. [`Value::origins`]
//! has the reasons of an unknown value, and [`Value::is_wholly_known`] tells whether a value has unknown parts. Sensitive values
//! are marked; [`Value::unmark_deep`] takes the marks off.
//!
//! ```
//! use terrane::{MemoryFiles, Project};
//! use terrane::value::{Mark, OriginKind};
//!
//! let files = MemoryFiles::from_iter([(
//!     "main.tf",
//!     r#"
//!         variable "region" {}
//!         variable "password" {
//!           default   = "hunter2"
//!           sensitive = true
//!         }
//!         output "region" { value = var.region }
//!         output "broken" { value = local.nope }
//!         output "login" {
//!           value     = "admin:${var.password}"
//!           sensitive = true
//!         }
//!     "#,
//! )]);
//! let report = Project::new(".").evaluate(&files);
//!
//! let error = &report.diagnostics().as_slice()[0];
//! assert_eq!(error.id.to_string(), "core:undeclared-local");
//! let subject = error.subject.as_ref().expect("it has a place");
//! assert_eq!(subject.file.slice(subject.span), "local.nope");
//!
//! let origin = |name: &str| report.output(name).expect("it is declared").origins().as_slice()[0].kind;
//! assert_eq!((origin("region"), origin("broken")), (OriginKind::Variable, OriginKind::Error));
//!
//! let login = report.output("login").expect("it is declared");
//! assert!(login.has_mark(&Mark::Sensitive));
//! assert_eq!(login.unmark_deep().0.as_str(), Some("admin:hunter2"));
//! ```
//!
//! # Read resources
//!
//! [`Report::document`] returns a [`Document`] with everything that an evaluation knows; each of its `values` has an
//! [`Address`]. Without the [schema](Project::schemas) of its provider, a resource is an open object: the provider may set
//! further attributes, and [`Value::known_attributes`] has the configured ones.
//!
//! ```
//! use terrane::{EntryKind, MemoryFiles, Project, Secrets};
//!
//! let files = MemoryFiles::from_iter([(
//!     "main.tf",
//!     "resource \"aws_vpc\" \"main\" {\n  count      = 2\n  cidr_block = \"10.${count.index}.0.0/16\"\n}\n",
//! )]);
//! let document = Project::new(".").evaluate(&files).document(Secrets::Hidden);
//! let resources = document.values.iter().filter(|entry| entry.kind == EntryKind::Resource);
//! let blocks = resources.map(|entry| {
//!     let block = entry.value.known_attributes().and_then(|known| known.get("cidr_block"));
//!     format!("{} {}", entry.address, block.and_then(|block| block.as_str()).unwrap_or_default())
//! });
//! assert!(blocks.eq(["aws_vpc.main[0] 10.0.0.0/16", "aws_vpc.main[1] 10.1.0.0/16"]));
//! ```
//!
//! # Evaluate an expression
//!
//! An [`Engine`] evaluates expressions and templates over the names of your program. It also decodes the configuration files
//! of your program with [`Engine::decode`].
//!
//! ```
//! use terrane::{Engine, Variables};
//!
//! let names = Variables::new().with("name", "ada").with("port", 8080);
//! let value = Engine::new().evaluate_text(r#""${title(name)}:${port + 1}""#, &names).ok()?;
//! assert_eq!(value.as_str(), Some("Ada:8081"));
//! # Ok::<(), terrane::Diagnostics>(())
//! ```
//!
//! # Evaluate a Packer template
//!
//! A [`PackerTemplate`] is a template with its inputs. Its [`TemplateReport`] has each build with its resolved blocks.
//!
//! ```
//! use terrane::{MemoryFiles, PackerTemplate};
//!
//! let files = MemoryFiles::from_iter([(
//!     "image.pkr.hcl",
//!     r#"
//!         source "docker" "ubuntu" { image = "ubuntu:24.04" }
//!         build { sources = ["source.docker.ubuntu"] }
//!     "#,
//! )]);
//! let report = PackerTemplate::new(".").evaluate(&files);
//! assert_eq!(report.runs()[0].name(), "docker.ubuntu");
//! ```
//!
//! # Ask for expressions in a module or template
//!
//! A [`Session`] is a console without its terminal. It evaluates expressions over the names of an evaluated module or template.
//!
//! ```
//! use terrane::{MemoryFiles, Project, Secrets, Session};
//!
//! let files = MemoryFiles::from_iter([("main.tf", "locals { zones = [\"a\", \"b\"] }")]);
//! let session = Session::of_module(Project::new(".").evaluate(&files));
//! let answered = session.evaluate("length(local.zones)", &files);
//! assert_eq!(session.text(&answered, Secrets::Hidden), "2");
//! ```
//!
//! # Evaluate again after each change
//!
//! A [`Workspace`] is for editors and watchers. It keeps files with unsaved texts, parses only changed files, and
//! evaluates roots on demand.
//!
//! ```
//! use terrane::{MemoryFiles, Project, Workspace};
//!
//! let mut workspace = Workspace::new(MemoryFiles::from_iter([("main.tf", "output \"a\" { value = 1 + 1 }")]));
//! let root = workspace.add(Project::new("."));
//! workspace.set_overlay("main.tf", "output \"a\" { value = upper(\"x\") }");
//! let report = workspace.evaluate(root, None)?;
//! assert_eq!(report.output("a").and_then(|value| value.as_str()), Some("X"));
//! # Ok::<(), terrane::Stopped>(())
//! ```
//!
//! The report of a workspace answers questions about places: [`Report::scopes_at`] gives the scopes of a place in a file, with
//! `each`, `count`, `self`, and the names of loops. They evaluate the expression at the place, or one that a user types. The
//! example `hover` shows the value of an expression in each instance.
//!
//! ```
//! use terrane::source::Span;
//! use terrane::{Diagnostics, MemoryFiles, Project, Workspace};
//!
//! let mut workspace = Workspace::new(MemoryFiles::new());
//! let root = workspace.add(Project::new("."));
//! let text = "locals { sizes = [for n in [1, 2] : n * 10] }";
//! workspace.set_overlay("main.tf", text);
//! let report = workspace.evaluate(root, None)?;
//!
//! let offset = text.find("n * 10").and_then(|offset| u32::try_from(offset).ok()).unwrap_or_default();
//! let place = Span::new(offset, offset + 6);
//! let scope = report.scopes_at("main.tf", place, workspace.files()).next().expect("a module has the file");
//! let mut diagnostics = Diagnostics::new();
//! // `n` stands for any element; here, for the second one.
//! let product = scope.at_element(0, 1).value(workspace.files(), &mut diagnostics);
//! assert_eq!(product.and_then(|value| value.as_number()?.to_i64()), Some(20));
//! # Ok::<(), terrane::Stopped>(())
//! ```
//!
//! # Use the schemas of providers
//!
//! Without a schema, an attribute that a resource does not set is unknown, and nothing tells whether it exists.
//! [`schemas_from_json`] reads the output of `terraform providers schema -json`; with it, resources have the types of
//! their provider. Attributes that are not set are null unless the provider computes them, and a misspelt one is an error.
//! [`Schemas`] are read once and shared: [`Project::schemas`] and [`CheckOptions`] take them.
//!
//! ```
//! use terrane::{MemoryFiles, Project, schemas_from_json};
//!
//! let schemas = schemas_from_json(
//!     r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/demo": {"resource_schemas": {
//!         "demo_disk": {"version": 0, "block": {"attributes": {
//!             "size": {"type": "number", "optional": true},
//!             "path": {"type": "string", "computed": true}
//!         }}}
//!     }}}}"#,
//! )?;
//! let files = MemoryFiles::from_iter([(
//!     "main.tf",
//!     "resource \"demo_disk\" \"a\" { size = \"10\" }\noutput \"size\" { value = demo_disk.a.size }\n\
//!      output \"typo\" { value = demo_disk.a.sise }\n",
//! )]);
//! let report = Project::new(".").schemas(&schemas).evaluate(&files);
//! let size = report.output("size").expect("it is declared");
//! assert_eq!(size.as_number().and_then(|size| size.to_i64()), Some(10), "converted to the type of the schema");
//! assert_eq!(report.diagnostics().as_slice()[0].id.to_string(), "core:unsupported-attribute");
//! # Ok::<(), terrane::SchemaError>(())
//! ```
//!
//! # Check and format
//!
//! [`check`](check()) finds errors that do not depend on values, in any number of directories. [`format`](format()) lays out a
//! file.
//!
//! ```
//! use terrane::{CheckOptions, MemoryFiles, check};
//!
//! let files = MemoryFiles::from_iter([("main.tf", "output \"zones\" { value = local.zone }")]);
//! let outcome = check(&["."], &CheckOptions::default(), &files);
//! assert_eq!(outcome.diagnostics.as_slice()[0].title(), "Reference to undeclared local value");
//! ```
//!
//! # Stability
//!
//! The items of this crate follow semantic versioning; its enums and option structs are `#[non_exhaustive]`. Items re-exported
//! from other crates of the engine, such as [`Value`] and [`Diagnostics`], are as stable.
//!
//! The modules [`body`], [`config`], [`eval`], [`function`], [`module`], [`packer`], [`render`], [`source`], [`stdlib`],
//! [`syntax`] and [`mod@value`] are the complete crates of the engine, for programs that parse, inspect values, or add functions
//! or renderers. Their other items may change with every minor release, and their enums are exhaustive, so the compiler reports
//! new variants.

mod address;
mod block_headers;
mod block_list;
mod caches;
mod check;
mod check_syntax;
mod decisive;
mod dialect_at;
mod diff;
mod document;
mod engine;
mod entries;
mod entry;
mod environment;
mod explain;
mod first_of;
mod format;
mod infinite;
mod json;
mod library;
mod load;
mod marked_output;
mod matrix;
mod named_values;
mod outline;
mod own_sources;
mod part_source;
mod plan;
mod print_limit;
mod project;
mod remedy;
mod remote;
mod report;
mod required_providers;
mod roots;
mod schema;
mod schema_store;
mod scopes;
mod search;
mod secrets;
mod session;
mod shared_secrets;
mod sources;
mod spec_file;
mod summary;
mod symbols;
mod template;
mod template_text;
mod threads;
mod unexpanded;
mod variable_text;
mod workspace;
mod written;
mod written_parts;

pub use address::path_of_steps;
pub use block_headers::block_headers;
pub use check::{CheckOptions, check};
pub use check_syntax::{CheckOutcome, check_syntax};
pub use dialect_at::{dialect_at, has_configuration};
#[cfg(feature = "json-schema")]
pub use diff::json::comparison_schema;
pub use diff::{Change, ChangedObject, ChangedPart, Comparison, Incomplete, UnknownNumber};
#[cfg(feature = "json-schema")]
pub use document::json::document::document_schema;
pub use document::json::document::value_json;
#[cfg(feature = "json-schema")]
pub use document::json::template::template_document_schema;
pub use document::json::value::ValueState;
pub use document::{
    Answered, AssignmentSource, Call, CalledModule, CheckedCondition, DeclaredVariable, Document, FileRole,
    FunctionUse, GivenState, GivenStateKind, Graph, GraphEdge, GraphObject, ModuleBox, ProviderUse, ReadFile,
    Root, Selected, Stage, TemplateDocument, TemplateValue, VariableAssignment, WhyUnknown,
};
pub use engine::{Engine, Evaluated};
pub use entry::{Entry, EntryKind, InstanceNumber, Keys, ResourceBlock, SourcesByName};
pub use environment::{Environment, EnvironmentState};
#[cfg(feature = "json-schema")]
pub use explain::json::{dependents_schema, explanation_schema};
pub use explain::{
    Cause, Dependent, Dependents, ExplainNode, ExplainNodeId, ExplainedLevels, ExplainedTarget, Explanation,
    InputRole, MarkPath, NodeInput, NodeKind,
};
pub use format::format;
pub use json::{FromJsonError, ToJsonError, from_json, to_json};
pub use library::{
    all_functions, call_site_text, functions, functions_page, is_in_metadata, signatures_json,
};
pub use matrix::{Difference, Matrix};
pub use named_values::NamedValues;
pub use part_source::{PartSource, SourceKind};
#[cfg(feature = "json-schema")]
pub use plan::plan_extension_schema;
pub use plan::{
    NoPlan, Plan, PlanLines, PlannedAction, PlannedResource, SourceLines, SourcesOfObject, UnexpandedBlock,
};
pub use print_limit::check_printable;
pub use project::Project;
pub use remedy::{output_option, remedy, set_option};
pub use report::Report;
pub use required_providers::RequiredProvider;
#[cfg(feature = "json-schema")]
pub use roots::roots_schema;
pub use roots::{EvaluatedRoot, FoundRoot, RootOptions, RootSign, RootStatus, Roots};
pub use schema::{SchemaError, schema_from_json, schemas_from_json};
pub use schema_store::{
    SchemaDirectory, SchemaFile, SchemaFiles, SchemaStores, StoreError, StoredFunction, StoredParameter,
    StoredSchemas, StoredVersion, UsedSchema, schema_files_from_json,
};
pub use search::sources::Sources;
pub use search::{FoundFile, Search, Visit, visit_files};
pub use secrets::Secrets;
pub use session::{InputLines, RequestOptions, Session, variables_from_json};
pub use shared_secrets::RootVariables;
pub use spec_file::{JsonOptions, SpecFile, diagnostics_json};
pub use summary::Summary;
pub use template::{PackerTemplate, TemplateReport};
pub use terrane_body::SourceReader;
pub use terrane_config::state_file::{StateError, outputs_from_json, plan_from_json, state_from_json};
pub use workspace::{RootId, Stopped, Workspace};
pub use written::shown_address;
pub use written_parts::{WrittenBlock, WrittenPart};
// The complete crates of the engine; see "Stability" above.
pub use terrane_body as body;
pub use terrane_body::{Body, BodySpec, Schema, Spec};
pub use terrane_config as config;
pub use terrane_config::dependencies::ObjectId;
pub use terrane_config::{Address, Assignment, Dialect, InputValue, InstanceKey, ModulePath};
pub use terrane_eval as eval;
pub use terrane_eval::{Answer, Names, Program, Variables};
pub use terrane_function as function;
pub use terrane_module as module;
pub use terrane_module::graph::ObjectReference;
pub use terrane_module::model::references::{BuiltIn, Via};
pub use terrane_module::place::{Loop, PlaceScope};
pub use terrane_module::symbols::{Occurrence, Owner, Role, Site, Symbol, Symbols};
pub use terrane_module::{
    BindingKind, CheckKind, CheckResult, CheckStatus, Encryption, Executor, FoundBy, GivenText, LockFile,
    LockedProvider, ModuleMap, Phase, Progress, Schemas, StateFile, is_workspace_name, managed_instance,
};
pub use terrane_packer as packer;
pub use terrane_render as render;
pub use terrane_source as source;
#[cfg(not(target_family = "wasm"))]
pub use terrane_source::OsFiles;
pub use terrane_source::{Diagnostic, Diagnostics, Files, MemoryFiles, OverlayFiles, Severity};
pub use terrane_stdlib as stdlib;
pub use terrane_syntax as syntax;
pub use terrane_syntax::Syntax;
pub use terrane_value as value;
pub use terrane_value::{Type, Value};

/// Runs the example of the README as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
