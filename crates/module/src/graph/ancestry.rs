//! Finds transitive dependencies of an object, for data sources that wait until a resource has changed.

use std::collections::{BTreeMap, HashSet, VecDeque};

use terrane_config::address::ResourceMode;
use terrane_config::digraph::Digraph;

use crate::graph::node_table::{AuxiliaryNode, GraphNode, NodeTable};
use crate::graph::step::{GraphStep, Step};
use crate::model::ids::{Arena, GraphNodeId, InstanceId, NodeId, OrderedStepId, ResourceId};
use crate::model::references::Target;
use crate::model::tree::Config;

/// The graph of all objects, which answers questions during an evaluation.
#[derive(Debug)]
pub(crate) struct Ancestry {
    graph: Digraph<GraphNodeId>,
    nodes: NodeTable,
    /// All nodes, each after its dependencies.
    sorted: Vec<GraphNodeId>,
    /// Whether a node is settled: `nearest` and `changing` are computed for it and all its dependencies.
    settled: Arena<GraphNodeId, bool>,
    /// The nearest changing resource of each settled node.
    nearest: Arena<GraphNodeId, Option<Nearest>>,
    /// The first module instance in which an apply changes the resource of a settled node; `None` if
    /// it changes in no instance.
    changing: Arena<GraphNodeId, Option<InstanceId>>,
}

/// A managed resource that an apply changes in at least one module instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changing {
    pub(crate) module: NodeId,
    pub(crate) resource: ResourceId,
    /// The first module instance in which it changes.
    pub(crate) first: InstanceId,
}

/// The changing resource of a node itself, or the changing resource with the fewest edges in between.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    node: GraphNodeId,
    distance: u32,
}

impl Ancestry {
    /// Keeps the graph, with its nodes sorted so that each comes after its dependencies.
    pub(crate) fn new(graph: Digraph<GraphNodeId>, nodes: NodeTable, sorted: Vec<GraphNodeId>) -> Ancestry {
        let nearest = nodes.all().iter().map(|_| None).collect();
        let changing = nodes.all().iter().map(|_| None).collect();
        let settled = nodes.all().iter().map(|_| false).collect();
        Ancestry { graph, nodes, sorted, settled, nearest, changing }
    }

    /// Returns the graph for another evaluation of the same configuration, with no settled node.
    pub(crate) fn anew(self) -> Ancestry {
        Ancestry { settled: self.settled.iter().map(|_| false).collect(), ..self }
    }

    /// Returns the nodes of the graph.
    pub(crate) fn nodes(&self) -> &NodeTable {
        &self.nodes
    }

    /// Returns all nodes, each after its dependencies.
    pub(crate) fn sorted(&self) -> &[GraphNodeId] {
        &self.sorted
    }

    /// Returns the dependencies of a node.
    pub(crate) fn targets(&self, node: GraphNodeId) -> &[GraphNodeId] {
        self.graph.targets(node)
    }

    /// Returns the steps that provider configurations depend on.
    pub(crate) fn below_providers(&self) -> HashSet<GraphStep> {
        let is_provider =
            |node: &GraphNode| matches!(node, GraphNode::Auxiliary(AuxiliaryNode::Provider(..)));
        let all = self.nodes.all().enumerate();
        let mut left: Vec<GraphNodeId> =
            all.filter(|(_, node)| is_provider(node)).map(|(id, _)| id).collect();
        let mut seen = HashSet::new();
        while let Some(node) = left.pop() {
            left.extend(self.graph.targets(node).iter().copied().filter(|target| seen.insert(*target)));
        }
        seen.into_iter().filter_map(|node| self.nodes.step(node)).collect()
    }

    /// Returns the steps in waves, from the step `first` on: a step depends only on steps of earlier waves. `steps` are all
    /// steps, in the order of the nodes.
    pub(crate) fn waves(
        &self,
        mut steps: impl Iterator<Item = OrderedStepId>,
        first: OrderedStepId,
    ) -> Vec<Vec<OrderedStepId>> {
        let mut depths: Arena<GraphNodeId, usize> = self.nodes.all().iter().map(|_| 0).collect();
        let mut waves: BTreeMap<usize, Vec<OrderedStepId>> = BTreeMap::new();
        for node in self.sorted.iter().copied() {
            let depth = self.graph.targets(node).iter().map(|target| depths[*target]).max().unwrap_or(0);
            depths[node] = depth;
            if self.nodes.step(node).is_some()
                && let Some(step) = steps.next().filter(|step| *step >= first)
            {
                waves.entry(depth).or_default().push(step);
                depths[node] += 1;
            }
        }
        waves.into_values().collect()
    }

    /// Finds the changing resources that a resource depends on, for `find` and `find_below`. All its dependencies must
    /// have been evaluated. `first` returns the first module instance in which an apply changes a managed resource; it
    /// is called once for each resource.
    pub(crate) fn settle(
        &mut self,
        config: &Config,
        module: NodeId,
        resource: ResourceId,
        first: impl Fn(NodeId, ResourceId) -> Option<InstanceId>,
    ) {
        let mut open = vec![(self.nodes.of_step(module, Step::Resource(resource)), 0)];
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            if let Some(target) = self.graph.targets(node).get(*next).copied() {
                *next += 1;
                if !self.settled[target] {
                    open.push((target, 0));
                }
                continue;
            }
            open.pop();
            let own = self.managed(config, node).and_then(|(module, resource)| first(module, resource));
            self.settled[node] = true;
            self.changing[node] = own;
            self.nearest[node] = match own {
                Some(_) => Some(Nearest { node, distance: 0 }),
                None => self.nearest(self.graph.targets(node)),
            };
        }
    }

    /// Returns the nearest changing resource among these nodes and their dependencies. If two are equally near, the earlier node decides.
    fn nearest(&self, targets: &[GraphNodeId]) -> Option<Nearest> {
        let found = targets.iter().filter_map(|target| self.nearest[*target]);
        let found = found.min_by_key(|found| found.distance)?;
        Some(Nearest { distance: found.distance + 1, ..found })
    }

    /// Returns the first result of `is_wanted` among the changing resources that a target of the
    /// module is or depends on.
    pub(crate) fn find<T>(
        &self,
        config: &Config,
        module: NodeId,
        target: &Target,
        is_wanted: impl Fn(Changing) -> Option<T>,
    ) -> Option<T> {
        let start = self.nodes.of_target(config, module, target)?;
        self.search(config, &[start], is_wanted)
    }

    /// Returns the first result of `is_wanted` among the changing resources that a resource of the module depends on.
    pub(crate) fn find_below<T>(
        &self,
        config: &Config,
        module: NodeId,
        resource: ResourceId,
        is_wanted: impl Fn(Changing) -> Option<T>,
    ) -> Option<T> {
        let node = self.nodes.of_step(module, Step::Resource(resource));
        self.search(config, self.graph.targets(node), is_wanted)
    }

    /// Asks about the nearest resource first. It is usually wanted, so no search follows.
    fn search<T>(
        &self,
        config: &Config,
        start: &[GraphNodeId],
        is_wanted: impl Fn(Changing) -> Option<T>,
    ) -> Option<T> {
        let of = |node| {
            let first = self.changing[node]?;
            let (module, resource) = self.managed(config, node)?;
            is_wanted(Changing { module, resource, first })
        };
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

    /// Returns the managed resource of a node.
    fn managed(&self, config: &Config, node: GraphNodeId) -> Option<(NodeId, ResourceId)> {
        let GraphStep { module, step: Step::Resource(resource) } = self.nodes.step(node)? else {
            return None;
        };
        let (key, _) = config.node(module).module.resources.entry_of(resource);
        (key.mode == ResourceMode::Managed).then_some((module, resource))
    }
}
