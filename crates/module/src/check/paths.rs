//! Helper of the checks: the module at the end of a path.

use terrane_config::address::ModulePath;

use crate::model::ids::NodeId;
use crate::model::tree::Config;

/// The module that a path leads to from `node`, without regard to instances.
pub(crate) fn module_at(config: &Config, node: NodeId, path: &ModulePath) -> Option<NodeId> {
    path.steps().iter().try_fold(node, |node, step| {
        let state = config.node(node);
        state.called[state.module.calls.id_of(&step.name)?]
    })
}
