//! Transitive dependencies of an object, for data sources that wait until a resource is created.

use std::collections::{HashSet, VecDeque};

use terrane_config::address::ResourceMode;
use terrane_config::digraph::Digraph;

use crate::graph::nodes::Nodes;
use crate::graph::step::Step;
use crate::model::ids::{Arena, GraphNodeId, NodeId, ResourceId};
use crate::model::references::Target;
use crate::model::tree::Config;

/// The graph of all objects, for questions during an evaluation.
#[derive(Debug)]
pub(crate) struct Ancestry {
    graph: Digraph<GraphNodeId>,
    nodes: Nodes,
    /// All nodes, each after its dependencies.
    sorted: Vec<GraphNodeId>,
    /// How many of them are settled.
    settled: usize,
    /// The nearest created resource of each settled node.
    nearest: Arena<GraphNodeId, Option<Nearest>>,
}

/// The managed resource with instances that a node is, or the one to which the fewest edges lead.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    node: GraphNodeId,
    distance: u32,
}

impl Ancestry {
    /// The graph, and its nodes in an order in which each comes after its dependencies.
    pub(crate) fn new(graph: Digraph<GraphNodeId>, nodes: Nodes, sorted: Vec<GraphNodeId>) -> Ancestry {
        let nearest = nodes.all().iter().map(|_| None).collect();
        Ancestry { graph, nodes, sorted, settled: 0, nearest }
    }

    /// The graph for another evaluation of the same configuration.
    pub(crate) fn anew(self) -> Ancestry {
        Ancestry { settled: 0, ..self }
    }

    /// The nodes of the graph.
    pub(crate) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// All nodes, each after its dependencies.
    pub(crate) fn sorted(&self) -> &[GraphNodeId] {
        &self.sorted
    }

    /// The dependencies of a node.
    pub(crate) fn targets(&self, node: GraphNodeId) -> &[GraphNodeId] {
        self.graph.targets(node)
    }

    /// Notes the created resources before a resource, which is the next one to be evaluated.
    pub(crate) fn settle(
        &mut self,
        config: &Config,
        module: NodeId,
        resource: ResourceId,
        is_created: impl Fn(NodeId, ResourceId) -> bool,
    ) {
        let next = self.nodes.of_step(module, Step::Resource(resource));
        while let Some(node) = self.sorted.get(self.settled).copied().filter(|node| *node != next) {
            self.settled += 1;
            let own =
                self.managed(config, node).is_some_and(|(module, resource)| is_created(module, resource));
            self.nearest[node] = match own {
                true => Some(Nearest { node, distance: 0 }),
                false => self.nearest(self.graph.targets(node)),
            };
        }
    }

    /// The nearest created resource behind these nodes; of equally near ones, the one behind the first node.
    fn nearest(&self, targets: &[GraphNodeId]) -> Option<Nearest> {
        let found = targets.iter().filter_map(|target| self.nearest[*target]);
        let found = found.min_by_key(|found| found.distance)?;
        Some(Nearest { distance: found.distance + 1, ..found })
    }

    /// The first result of `is_wanted` among the created resources that a target of the module is or depends on.
    pub(crate) fn find<T>(
        &self,
        config: &Config,
        module: NodeId,
        target: &Target,
        is_wanted: impl Fn(NodeId, ResourceId) -> Option<T>,
    ) -> Option<T> {
        let start = self.nodes.of_target(config, module, target)?;
        self.search(config, &[start], is_wanted)
    }

    /// The first result of `is_wanted` among the created resources that a resource of the module depends on.
    pub(crate) fn find_below<T>(
        &self,
        config: &Config,
        module: NodeId,
        resource: ResourceId,
        is_wanted: impl Fn(NodeId, ResourceId) -> Option<T>,
    ) -> Option<T> {
        let node = self.nodes.of_step(module, Step::Resource(resource));
        self.search(config, self.graph.targets(node), is_wanted)
    }

    /// The nearest resource comes first. Mostly it is wanted, and no search follows.
    fn search<T>(
        &self,
        config: &Config,
        start: &[GraphNodeId],
        is_wanted: impl Fn(NodeId, ResourceId) -> Option<T>,
    ) -> Option<T> {
        let of = |node| self.managed(config, node).and_then(|(module, resource)| is_wanted(module, resource));
        let nearest = of(self.nearest(start)?.node);
        if nearest.is_some() {
            return nearest;
        }
        let mut seen = HashSet::new();
        let mut left = VecDeque::from([start]);
        while let Some(nodes) = left.pop_front() {
            for node in nodes.iter().copied() {
                if self.nearest[node].is_none() || !seen.insert(node) {
                    continue;
                }
                let found = of(node);
                if found.is_some() {
                    return found;
                }
                left.push_back(self.graph.targets(node));
            }
        }
        None
    }

    /// The managed resource at a node.
    fn managed(&self, config: &Config, node: GraphNodeId) -> Option<(NodeId, ResourceId)> {
        let (module, Step::Resource(resource)) = self.nodes.step(node)? else { return None };
        let (key, _) = config.node(module).module.resources.entry_of(resource);
        (key.mode == ResourceMode::Managed).then_some((module, resource))
    }
}
