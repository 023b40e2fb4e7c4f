//! Orders the steps: each comes after the steps that it refers to.

use std::collections::HashSet;

use terrane_config::digraph::{Digraph, Edge};
use terrane_source::Diagnostics;

use crate::graph::ancestry::Ancestry;
use crate::graph::builder::Builder;
use crate::graph::cycle;
use crate::graph::node_table::AuxiliaryNode;
use crate::graph::step::GraphStep;
use crate::graph::used_providers::UsedProviders;
use crate::model::ids::{Arena, GraphNodeId, OrderedStepId};
use crate::model::tree::Config;

terrane_config::ids! {
    /// Names a group of nodes that depend on each other.
    GroupId;
}

/// The steps, each after all steps that it refers to.
#[derive(Debug)]
pub struct Order {
    /// The steps.
    pub steps: Arena<OrderedStepId, GraphStep>,
    /// The steps on a cycle, which cannot be evaluated.
    pub cyclic: HashSet<GraphStep>,
    /// The dependencies of each step; `None` if there are cycles.
    pub(crate) ancestry: Option<Ancestry>,
    /// The provider configurations that are used.
    pub(crate) used_providers: UsedProviders,
}

/// Orders all objects of `config`, and reports cycles.
pub fn order(config: &Config, diagnostics: &mut Diagnostics) -> Order {
    let mut builder = Builder::new(config);
    builder.add_edges();
    builder.add_waits_for_imports();
    let graph = builder.graph_of_order();
    // Steps that do not depend on each other keep the order of the source, so that mistakes are reported in that order.
    // Auxiliary nodes are sorted as soon as their own dependencies are.
    let sorted = graph.sorted(|node| builder.nodes.step(node));
    if sorted.len() == graph.nodes() {
        let steps = sorted.iter().filter_map(|node| builder.nodes.step(*node)).collect();
        let ancestry = Some(Ancestry::new(graph, builder.nodes, sorted));
        let used_providers = UsedProviders::of(&config.nodes);
        return Order { steps, cyclic: HashSet::new(), ancestry, used_providers };
    }
    with_cycles(&builder, &graph, diagnostics)
}

/// Returns the order of a graph with cycles: each cycle is treated as one node, and reported.
fn with_cycles(builder: &Builder<'_>, graph: &Digraph<GraphNodeId>, diagnostics: &mut Diagnostics) -> Order {
    let groups: Arena<GroupId, Vec<GraphNodeId>> = graph.groups().into_iter().collect();
    let members =
        |group: &[GraphNodeId]| group.iter().filter_map(|node| builder.nodes.step(*node)).collect::<Vec<_>>();
    let mut group_of: Arena<GraphNodeId, Option<GroupId>> =
        builder.nodes.all().iter().map(|_| None).collect();
    let mut cyclic = HashSet::new();
    for (id, group) in groups.enumerate() {
        for node in group {
            group_of[*node] = Some(id);
        }
        if graph.is_cycle(group) {
            let members = members(group);
            cycle::report(builder.config, &members, &auxiliary_of(builder, group), diagnostics);
            cyclic.extend(members);
        }
    }
    let edges = graph.edges().filter_map(|Edge { from, to }| {
        let edge = Edge { from: group_of[from]?, to: group_of[to]? };
        (edge.from != edge.to).then_some(edge)
    });
    let sorted = Digraph::new(&groups, edges).sorted(|group| members(&groups[group]).first().copied());
    let steps = sorted.into_iter().flat_map(|group| members(&groups[group]));
    let used_providers = UsedProviders::of(&builder.config.nodes);
    Order { steps: steps.collect(), cyclic, ancestry: None, used_providers }
}

/// Returns the nodes of a group that are not steps.
fn auxiliary_of(builder: &Builder<'_>, group: &[GraphNodeId]) -> Vec<AuxiliaryNode> {
    group.iter().filter_map(|node| builder.nodes.auxiliary(*node)).collect()
}
