//! The order of the steps: each comes after the steps that it refers to.

use std::collections::HashSet;

use terrane_config::digraph::Digraph;
use terrane_source::Diagnostics;

use crate::graph::ancestry::Ancestry;
use crate::graph::builder::Builder;
use crate::graph::cycle;
use crate::graph::nodes::AuxiliaryNode;
use crate::graph::step::Step;
use crate::model::ids::NodeId;
use crate::model::tree::Config;

/// The steps in an order in which each comes after all that it refers to.
#[derive(Debug)]
pub struct Order {
    /// The steps.
    pub steps: Vec<(NodeId, Step)>,
    /// The steps on a cycle, which cannot be evaluated.
    pub cyclic: HashSet<(NodeId, Step)>,
    /// The dependencies of each step; nothing where there are cycles.
    pub(crate) ancestry: Option<Ancestry>,
}

/// Orders all objects of `config`. Cycles are reported.
pub fn order(config: &Config, diagnostics: &mut Diagnostics) -> Order {
    let mut builder = Builder::new(config);
    builder.add_edges();
    builder.add_waits_for_imports();
    let graph = builder.graph_of_order();
    // Steps that do not depend on each other keep the order of the source, so that mistakes are reported in that order.
    // Auxiliary nodes do not wait for others.
    let sorted = graph.sorted(|node| builder.nodes.step(node));
    if sorted.len() == graph.nodes() {
        let steps = sorted.iter().filter_map(|node| builder.nodes.step(*node)).collect();
        let ancestry = Some(Ancestry::new(graph, builder.nodes, sorted));
        return Order { steps, cyclic: HashSet::new(), ancestry };
    }
    with_cycles(&builder, &graph, diagnostics)
}

/// The order where there are cycles: each is taken as one, and reported.
fn with_cycles(builder: &Builder<'_>, graph: &Digraph, diagnostics: &mut Diagnostics) -> Order {
    let groups = graph.groups();
    let members =
        |group: &[usize]| group.iter().filter_map(|node| builder.nodes.step(*node)).collect::<Vec<_>>();
    let mut group_of = vec![0; graph.nodes()];
    let mut cyclic = HashSet::new();
    for (number, group) in (0..).zip(&groups) {
        for node in group {
            if let Some(slot) = group_of.get_mut(*node) {
                *slot = number;
            }
        }
        if graph.is_cycle(group) {
            let members = members(group);
            cycle::report(builder.config, &members, &auxiliary_of(builder, group), diagnostics);
            cyclic.extend(members);
        }
    }
    let of = |node: u32| group_of.get(node as usize).copied().unwrap_or_default();
    let edges = graph.edges().map(|(from, to)| (of(from), of(to)));
    let first = |group: usize| groups.get(group).and_then(|group| members(group).first().copied());
    let sorted = Digraph::new(groups.len(), edges.filter(|(from, to)| from != to)).sorted(first);
    let steps = sorted.into_iter().filter_map(|group| groups.get(group)).flat_map(|group| members(group));
    Order { steps: steps.collect(), cyclic, ancestry: None }
}

/// The nodes of a group that are not steps.
fn auxiliary_of(builder: &Builder<'_>, group: &[usize]) -> Vec<AuxiliaryNode> {
    group.iter().filter_map(|node| builder.nodes.other(*node)).collect()
}
