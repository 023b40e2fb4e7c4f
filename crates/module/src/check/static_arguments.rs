//! Checks the arguments that need a value before anything is evaluated: `for_each` of provider
//! configurations, and backends.

use std::sync::Arc;

use terrane_body::Body;
use terrane_body::constant::constant;
use terrane_source::{Diagnostic, Diagnostics, titles};
use terrane_value::Value;

use crate::expansion;
use crate::model::ids::NodeId;
use crate::static_value::{StaticTree, not_allowed};

/// Reports errors in these arguments, after all modules are loaded.
pub(crate) fn check(tree: &mut StaticTree<'_, '_>) {
    providers(tree);
    let root = Arc::clone(&tree.nodes[NodeId::ROOT].module);
    // The backend of a called module is ignored.
    for storage in root.backend.iter().chain(&root.cloud) {
        backend(&storage.config, tree);
    }
}

fn providers(tree: &mut StaticTree<'_, '_>) {
    let rules = tree.rules();
    if !rules.has_provider_instances {
        return;
    }
    for node in tree.nodes.ids() {
        let module = Arc::clone(&tree.nodes[node].module);
        for (key, provider) in &module.providers {
            let Some(for_each) = &provider.for_each else { continue };
            let name = format!("provider.{key}.for_each");
            let Some(value) = tree.value(node, for_each, &name) else { continue };
            let is_unknown = |value: &Value| value.as_unknown().is_some();
            let elements = value.as_sequence().unwrap_or_default();
            if !is_unknown(&value) && !elements.iter().any(is_unknown) {
                expansion::for_each_reported(&value, for_each, &rules, tree.diagnostics);
            }
        }
    }
}

/// Checks the content of a `backend` or `cloud` block, and of the blocks in it.
fn backend(body: &Body, tree: &mut StaticTree<'_, '_>) {
    // The schema of a backend is not known here, so any argument is accepted.
    let content = body.open_content(&mut Diagnostics::new());
    for attribute in content.attributes.values() {
        let expression = attribute.expression(tree.diagnostics);
        if !tree.rules().statics.computed_backends {
            constant(&expression, tree.diagnostics);
            continue;
        }
        let value = tree.value(NodeId::ROOT, &expression, "backend");
        if let Some((id, kind)) = value.and_then(|value| not_allowed(&value.marks_deep())) {
            let detail = format!(
                "`{}` is {kind}, and the configuration of a backend is written to disk as plain text. Set the argument \
                 through the environment.",
                attribute.name
            );
            let title = match kind {
                "sensitive" => titles::BACKEND_CONFIG_CONTAINS_SENSITIVE_VALUES,
                _ => titles::BACKEND_CONFIG_CONTAINS_EPHEMERAL_VALUES,
            };
            let diagnostic = Diagnostic::error(id, detail).titled(title);
            tree.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
        }
    }
    for block in &content.blocks {
        backend(&block.body, tree);
    }
}
