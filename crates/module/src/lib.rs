//! Terraform and OpenTofu modules: from a directory to values.
//!
//! [`load()`] reads the root module and every module that it calls into a [`Config`], and the values of root variables
//! into [`Inputs`]; it also checks everything that needs no evaluation. [`evaluate()`] orders all objects by their
//! references and computes them, once for each module instance, into an [`Evaluation`].
//!
//! ```
//! use terrane_module::{Cache, Request, evaluate, load};
//! use terrane_source::MemoryFiles;
//!
//! let files = MemoryFiles::from_iter([("main.tf", "locals { a = 1 }\noutput \"b\" { value = local.a + 1 }\n")]);
//! let loaded = load(Request::new("."), &files, &Cache::default());
//! let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
//! let outputs = &evaluation.root().outputs;
//! assert_eq!(outputs.iter().filter_map(|value| value.as_number()?.to_i64()).collect::<Vec<_>>(), [2]);
//! ```
//!
//! The declarations of a directory are a [`Module`]. The values of an evaluation are in its
//! [instances](Evaluation::instances), one for each instance of a module; [`ConsoleScope`] evaluates further expressions there.
//!
//! These are the folders and files, from the top down. Each imports only from those below it.
//!
//! - `configuration`: [`load()`]; [`place`]: the scope of a place in a file; [`symbols`]: declarations and their uses;
//!   `state_storage`: where the state of a directory is
//! - `evaluate`: the steps of an evaluation, and the driver that stores their results; [`sameness`]: whether a configured value
//!   and a recorded one are the same
//! - `check`: rules about several objects together: of a loaded configuration, such as its provider configurations, and of a
//!   finished evaluation, such as `moved` blocks
//! - `load`: from files to modules
//! - `state`: the values that an evaluation has computed so far, and the scope that reads them
//! - `static_value`: values needed before an evaluation, such as sources of modules
//! - [`inputs`]: the values of root variables
//! - [`graph`]: the order of evaluation
//! - `damage`: the declarations that syntax errors of a file put in doubt
//! - `decode`: from blocks to declarations; [`resolve`]: from references to declarations; `expansion`: the instances of `count`
//!   and `for_each`
//! - [`model`]: the types of declarations and addresses
//! - `rules`: how products, editions and phases differ

mod check;
mod configuration;
mod damage;
mod decode;
mod evaluate;
mod expansion;
pub mod graph;
pub mod inputs;
mod load;
pub mod model;
pub mod place;
pub mod resolve;
mod rules;
mod state;
mod state_storage;
mod static_value;
pub mod symbols;

pub use evaluate::sameness;
pub use model::{module, provider, schemas};
pub use resolve::reference;
pub use terrane_config::{
    Address, Assignment, InputSources, InputValue, InstanceKey, ModulePath, ModuleStep,
};
pub use terrane_function::Dialect;

pub use crate::check::imported::import_ids;
pub use crate::check::moves::{stops_plan, without_blocked_moves};
pub use crate::check::newer_objects::{NewerObject, newer_objects};
pub use crate::check::replace::instances_with_wrong_triggers;
pub use crate::check::state_providers::{ObjectWithoutProvider, objects_without_provider};
pub use crate::configuration::{Gaps, Loaded, load};
pub use crate::evaluate::{
    DestroyReason, DestroyedObject, ObjectChange, ObjectChanges, PlannedChange, RecordedObject,
    SensitivityChange, destroyed_objects, objects_of_destroy_plan, prior_attributes, recorded_objects,
    undecided_objects, with_import_id,
};
pub use crate::evaluate::{Progress, Record, evaluate, evaluate_again, evaluate_with};
pub use crate::expansion::Expansion;
pub use crate::inputs::{InputAssignment, InputSource, Inputs, automatic_source};
pub use crate::load::cache::Cache;
pub use crate::load::directory::{Directory, ParsedFile, checks_tofu_files, is_module};
pub use crate::load::given::settable_address;
pub use crate::load::lock_file::{LOCK_FILE, LockFile, LockedProvider};
pub use crate::load::module_directories::ModuleDirectories;
pub use crate::load::test_files::is_mock_file;
pub use crate::model::encryption::Encryption;
pub use crate::model::executor::{Executor, InPlace};
pub use crate::model::given::{GivenBy, GivenPart, GivenText, GivenValues, RemoteOutputs};
pub use crate::model::given_step::GivenStep;
pub use crate::model::ids::{
    CallId, CallInModule, InstanceId, MissingModuleId, NodeId, ResourceId, ResourceInModule,
};
pub use crate::model::module::Module;
pub use crate::model::module_map::ModuleMap;
pub use crate::model::prior::{BlockedMove, PriorState};
pub use crate::model::references::BindingKind;
pub use crate::model::replaced_address::managed_instance;
pub use crate::model::request::{Request, is_workspace_name};
pub use crate::model::schemas::{LazyProvider, ProviderSchema, ResourceType, SchemaTable, Schemas};
pub use crate::model::source::ModuleSource;
pub use crate::model::tree::{Config, FoundBy, MissingModule, ModuleNode};
pub use crate::rules::phase::Phase;
pub use crate::rules::plan::PlanRules;
pub use crate::state::checks::{CheckKind, CheckResult, CheckStatus, ObjectChecks};
pub use crate::state::evaluation::Evaluation;
pub use crate::state::expression::ConsoleScope;
pub use crate::state::imports::ImportIds;
pub use crate::state::inner_parts::InnerPart;
pub use crate::state::instance::{Called, Instances, MissingInstance, ModuleInstance};
pub use crate::state::instance_value::InstanceValue;
pub use crate::state::scope::ModuleScope;
pub use crate::state::sources::RecordedIn;
pub use crate::state_storage::{StateFile, encryption, state_file};
