//! A module with every kind of object that states, plans and files of mocks name.

use std::sync::LazyLock;

use terrane::module::Schemas;
use terrane::{MemoryFiles, Project, schemas_from_json};

use crate::trees;

static SCHEMAS: LazyLock<Schemas> =
    LazyLock::new(|| schemas_from_json(include_str!("orchard.json")).expect("schemas"));

/// The module.
pub fn files() -> MemoryFiles {
    [("main.tf", include_str!("orchard.tf"))].into_iter().collect()
}

/// An evaluation of the module in small limits, if it `has_schemas` with those of its provider.
pub fn project(has_schemas: bool) -> Project {
    let project = Project::new(".").limits(trees::limits());
    if has_schemas { project.schemas(&SCHEMAS) } else { project }
}
