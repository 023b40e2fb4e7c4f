//! Reads items of `replace_triggered_by` and `actions`: a resource or an action, and the instances of
//! it that the item selects.

use std::sync::Arc;

use terrane_config::address::ResourceMode;
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};

use crate::model::module::Module;
use crate::model::references::{ChosenInstances, InstanceReference};
use crate::resolve::root::{RootedReference, references};

/// Returns the managed resource that an item of `replace_triggered_by` names. `references` may
/// include references in a key.
pub(crate) fn resource(
    item: &Expression,
    references: &[RootedReference<'_>],
    module: &Module,
) -> Option<InstanceReference> {
    let managed = |reference: &&RootedReference<'_>| {
        reference.resource().is_some_and(|named| named.mode == ResourceMode::Managed)
    };
    let reference = references.iter().find(managed)?;
    let named = reference.resource()?;
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
    Some(InstanceReference { resource: module.resources.id_of(&named.key())?, instances, part })
}

/// Whether a plan can read a key in `replace_triggered_by`, where it evaluates no expression.
/// Literals are checked elsewhere.
pub(crate) fn is_readable_key(key: &Expression, module: &Module) -> bool {
    let expression = key.tree.expr(key.id);
    let is_own_key = || references(key, module).iter().any(RootedReference::is_instance_key);
    matches!(expression, Expr::Literal(_)) || (matches!(expression, Expr::Traversal { .. }) && is_own_key())
}

/// Returns the action that an item of `actions` names.
pub(crate) fn action(
    item: &Expression,
    references: &[RootedReference<'_>],
    module: &Module,
) -> Option<InstanceReference> {
    let action = |reference: &&RootedReference<'_>| {
        reference.resource().is_some_and(|named| named.mode == ResourceMode::Action)
    };
    let reference = references.iter().find(action)?;
    let named = reference.resource()?;
    let key = match reference.steps.get(named.step + 1) {
        Some(Step::Index { key, .. }) => Some(Expression { tree: Arc::clone(&item.tree), id: *key }),
        Some(Step::Attr { .. } | Step::LegacyIndex { .. }) => None,
        // The name may be in parentheses.
        None => last_key(item),
    };
    Some(InstanceReference {
        resource: module.resources.id_of(&named.key())?,
        instances: key.map_or(ChosenInstances::Single, ChosenInstances::Key),
        part: Vec::new(),
    })
}

/// Returns the expression in the brackets at the end of an item.
fn last_key(item: &Expression) -> Option<Expression> {
    let (Expr::Traversal { steps, .. } | Expr::Relative { steps, .. }) = item.tree.expr(item.id) else {
        return None;
    };
    match item.tree.list(steps).last()? {
        Step::Index { key, .. } => Some(Expression { tree: Arc::clone(&item.tree), id: *key }),
        Step::Attr { .. } | Step::LegacyIndex { .. } => None,
    }
}
