//! Items of `replace_triggered_by` and `actions`: a resource or an action, and the instances of it that the item chooses.

use std::sync::Arc;

use terrane_config::address::ResourceMode;
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};

use crate::model::module::{Module, ResourceKey};
use crate::model::references::{ChosenInstances, InstanceReference};
use crate::resolve::root::{self, Root, RootedReference};

/// The managed resource that an item of `replace_triggered_by` names. Its `references` may include those of a key.
pub(crate) fn resource(
    item: &Expression,
    references: &[RootedReference<'_>],
    module: &Module,
) -> Option<InstanceReference> {
    let reference = references.iter().find(|reference| match reference.namespace {
        Root::Count | Root::Each | Root::Resource(ResourceMode::Data | ResourceMode::Ephemeral) => false,
        Root::Resource(_)
        | Root::Variable
        | Root::Local
        | Root::Module
        | Root::Path
        | Root::Terraform
        | Root::Tofu
        | Root::Itself
        | Root::Reserved
        | Root::Type => true,
    })?;
    let named = root::resource(reference)?;
    let key = ResourceKey { mode: ResourceMode::Managed, ..named.key() };
    let instances = match reference.steps.get(named.step + 1) {
        None => ChosenInstances::All,
        Some(Step::Attr { .. }) => ChosenInstances::Single,
        Some(Step::LegacyIndex { .. }) => return None,
        Some(Step::Index { key, .. }) => {
            ChosenInstances::Key(Expression { tree: Arc::clone(&item.tree), id: *key })
        }
    };
    let before = match &instances {
        ChosenInstances::All | ChosenInstances::Single => named.step + 1,
        ChosenInstances::Key(_) => named.step + 2,
    };
    let part = reference.steps.get(before..).unwrap_or_default().to_vec();
    Some(InstanceReference { resource: module.resources.id_of(&key)?, instances, part })
}

/// Whether a plan can read a key in `replace_triggered_by`: it evaluates no expression there. A literal has been checked before.
pub(crate) fn is_readable_key(key: &Expression) -> bool {
    let expression = key.tree.expr(key.id);
    let is_own_key = || root::references(key).iter().any(RootedReference::is_instance_key);
    matches!(expression, Expr::Literal(_)) || (matches!(expression, Expr::Traversal { .. }) && is_own_key())
}

/// The action that an item of `actions` names.
pub(crate) fn action(
    item: &Expression,
    references: &[RootedReference<'_>],
    module: &Module,
) -> Option<InstanceReference> {
    let reference =
        references.iter().find(|reference| reference.namespace == Root::Resource(ResourceMode::Action))?;
    let (resource_type, name) =
        (root::attribute(reference, 0)?.into(), root::attribute(reference, 1)?.into());
    let key = match reference.steps.get(2) {
        Some(Step::Index { key, .. }) => Some(Expression { tree: Arc::clone(&item.tree), id: *key }),
        Some(Step::Attr { .. } | Step::LegacyIndex { .. }) => None,
        // The name may be in parentheses.
        None => last_key(item),
    };
    let key_of_action = ResourceKey { mode: ResourceMode::Action, resource_type, name };
    Some(InstanceReference {
        resource: module.resources.id_of(&key_of_action)?,
        instances: key.map_or(ChosenInstances::Single, ChosenInstances::Key),
        part: Vec::new(),
    })
}

/// The expression in the brackets at the end of an item.
fn last_key(item: &Expression) -> Option<Expression> {
    let (Expr::Traversal { steps, .. } | Expr::Relative { steps, .. }) = item.tree.expr(item.id) else {
        return None;
    };
    match item.tree.list(steps).last()? {
        Step::Index { key, .. } => Some(Expression { tree: Arc::clone(&item.tree), id: *key }),
        Step::Attr { .. } | Step::LegacyIndex { .. } => None,
    }
}
