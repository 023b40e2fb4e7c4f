//! Helpers of the checks: the ends of addresses and of module paths.

use std::sync::Arc;

use terrane_config::address::ModulePath;
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};

use crate::model::ids::NodeId;
use crate::model::tree::Config;

/// The expression in the brackets at the end of an address.
pub(crate) fn last_key(to: &Expression) -> Option<Expression> {
    let (Expr::Traversal { steps, .. } | Expr::Relative { steps, .. }) = to.tree.expr(to.id) else {
        return None;
    };
    match to.tree.list(steps).last()? {
        Step::Index { key, .. } => Some(Expression { tree: Arc::clone(&to.tree), id: *key }),
        Step::Attr { .. } | Step::LegacyIndex { .. } => None,
    }
}

/// The module that a path leads to from `node`, without regard to instances.
pub(crate) fn module_at(config: &Config, node: NodeId, path: &ModulePath) -> Option<NodeId> {
    path.steps().iter().try_fold(node, |node, step| {
        let state = config.node(node);
        state.called[state.module.calls.id_of(&step.name)?]
    })
}
