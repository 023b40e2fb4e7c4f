use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, ids};

use super::block::{checks, repetition};
use super::{Content, duplicate, is_valid_name};
use crate::address::ResourceMode;
use crate::module::{Module, Resource};

/// Arguments and blocks of a resource that are not the provider's.
pub(crate) const META_ARGUMENTS: &[&str] =
    &["count", "for_each", "provider", "depends_on", "lifecycle", "connection", "provisioner"];

/// Arguments of a `lifecycle` block.
const LIFECYCLE_ARGUMENTS: &[&str] = &[
    "create_before_destroy",
    "destroy",
    "enabled",
    "ignore_changes",
    "prevent_destroy",
    "replace_triggered_by",
];

pub(super) fn resource(
    module: &mut Module,
    block_type: &str,
    resource_type: &Arc<str>,
    name: &Arc<str>,
    content: &Content<'_>,
    diagnostics: &mut Diagnostics,
) {
    let declaration = content.declaration();
    for label in [resource_type, name] {
        if !is_valid_name(label) {
            let detail = format!(
                "\"{label}\" cannot be a name: a name begins with a letter or an underscore and goes on with letters, \
                 digits, underscores and hyphens."
            );
            diagnostics.push(
                Diagnostic::error(ids::INVALID_RESOURCE_NAME, detail).at(&declaration.file, declaration.span),
            );
        }
    }
    let mode = match block_type {
        "data" => ResourceMode::Data,
        "ephemeral" => ResourceMode::Ephemeral,
        _ => ResourceMode::Managed,
    };
    let key = (mode, Arc::clone(resource_type), Arc::clone(name));
    if let Some(earlier) = module.resources.get(&key) {
        let what = format!("{block_type} block \"{resource_type}\"");
        diagnostics.push(
            duplicate(ids::DUPLICATE_RESOURCE, &what, name, &earlier.declaration, &declaration)
                .titled(format!("Duplicate {block_type} \"{resource_type}\" configuration")),
        );
        return;
    }
    let lifecycle: Vec<Content<'_>> = content.blocks("lifecycle").collect();
    if let Some(second) = lifecycle.get(1) {
        let detail = "A resource has at most one `lifecycle` block. Move its content into the first one.";
        diagnostics.push(
            Diagnostic::error(ids::DUPLICATE_LIFECYCLE, detail)
                .at(content.tree.source(), second.block.block_type),
        );
    }
    let mut preconditions = Vec::new();
    let mut postconditions = Vec::new();
    if let Some(lifecycle) = lifecycle.first() {
        lifecycle.reject_others(LIFECYCLE_ARGUMENTS, &["precondition", "postcondition"], diagnostics);
        preconditions = checks(lifecycle, "precondition", diagnostics);
        postconditions = checks(lifecycle, "postcondition", diagnostics);
    }
    let resource = Resource {
        declaration,
        repetition: repetition(content, diagnostics),
        tree: Arc::clone(content.tree),
        body: content.body,
        targets: Vec::new(),
        depends_on: Vec::new(),
        preconditions,
        postconditions,
    };
    module.resources.insert(key, resource);
}
