//! What an object of a configuration depends on, however far away: for what waits until something is created.

use std::collections::{HashSet, VecDeque};

use crate::address::ResourceMode;
use crate::digraph::Digraph;
use crate::graph::Step;
use crate::load::{Config, NodeId};
use crate::nodes::Nodes;
use crate::reference::Target;

/// The graph of all objects, for questions during an evaluation.
#[derive(Debug)]
pub(crate) struct Ancestry {
    graph: Digraph,
    nodes: Nodes,
    /// Of each node whether it is a resource that something creates, or depends on one.
    reaches: Vec<bool>,
}

impl Ancestry {
    /// The graph, with an order of its nodes in which each comes after those that it needs.
    pub(crate) fn new(config: &Config, graph: Digraph, nodes: Nodes, sorted: &[usize]) -> Ancestry {
        let mut reaches = vec![false; graph.len()];
        for node in sorted {
            let mut targets = graph.targets(*node).iter();
            let found = managed(config, nodes.step(*node)).is_some()
                || targets.any(|target| reaches.get(*target as usize).copied().unwrap_or_default());
            if let Some(slot) = reaches.get_mut(*node) {
                *slot = found;
            }
        }
        Ancestry { graph, nodes, reaches }
    }

    /// What `is_wanted` finds first among the managed resources that a target of the module is or depends on.
    pub(crate) fn find<T>(
        &self,
        config: &Config,
        module: NodeId,
        target: &Target,
        is_wanted: impl Fn(NodeId, usize) -> Option<T>,
    ) -> Option<T> {
        let start = u32::try_from(self.nodes.of_target(config, module, target)?).ok()?;
        self.search(config, &[start], is_wanted)
    }

    /// What `is_wanted` finds first among the managed resources that a resource of the module depends on.
    pub(crate) fn find_below<T>(
        &self,
        config: &Config,
        module: NodeId,
        resource: usize,
        is_wanted: impl Fn(NodeId, usize) -> Option<T>,
    ) -> Option<T> {
        let node = self.nodes.index(config, module, Step::Resource(resource));
        self.search(config, self.graph.targets(node), is_wanted)
    }

    /// What is nearest comes first.
    fn search<T>(
        &self,
        config: &Config,
        start: &[u32],
        is_wanted: impl Fn(NodeId, usize) -> Option<T>,
    ) -> Option<T> {
        let mut seen = HashSet::new();
        let mut left = VecDeque::from([start]);
        while let Some(nodes) = left.pop_front() {
            for node in nodes.iter().map(|node| *node as usize) {
                let reaches = self.reaches.get(node).copied().unwrap_or_default();
                if !reaches || !seen.insert(node) {
                    continue;
                }
                let managed = managed(config, self.nodes.step(node));
                let found = managed.and_then(|(module, index)| is_wanted(module, index));
                if found.is_some() {
                    return found;
                }
                left.push_back(self.graph.targets(node));
            }
        }
        None
    }
}

/// The managed resource of a step.
fn managed(config: &Config, step: Option<(NodeId, Step)>) -> Option<(NodeId, usize)> {
    let (module, Step::Resource(index)) = step? else { return None };
    let ((mode, ..), _) = config.node(module).module.resources.get_index(index)?;
    (*mode == ResourceMode::Managed).then_some((module, index))
}
