//! Returns the references between objects as data, for commands that draw the graph.

use std::collections::BTreeSet;

use terrane_config::dependencies::ObjectId;
use terrane_config::digraph::Edge;
use terrane_config::{Dependencies, Dependency};
use terrane_source::Diagnostics;

use crate::graph::builder::Builder;
use crate::graph::node_table::GraphNode;
use crate::graph::order::order;
use crate::graph::step::{GraphStep, Step};
use crate::model::ids::{Arena, CallInModule, GraphNodeId};
use crate::model::tree::Config;

/// Returns the references between the objects of `config`. Reports cycles; they are in the result as well.
pub fn dependencies(config: &Config, diagnostics: &mut Diagnostics) -> Dependencies {
    order(config, diagnostics);
    let mut builder = Builder::new(config);
    builder.add_edges();
    builder.add_arguments_of_calls();
    builder.add_sources_of_calls();
    builder.add_imports();
    let mut objects = Arena::default();
    // A node that stands for several objects has no object.
    let mut object_of: Arena<GraphNodeId, Option<ObjectId>> = Arena::default();
    for node in builder.nodes.all() {
        let object = match node {
            GraphNode::Step(at @ GraphStep { module, step }) => Some(Dependency {
                address: at.address(config),
                declaration: step.declaration(&config.node(*module).module).cloned(),
            }),
            GraphNode::Auxiliary(auxiliary) => auxiliary.object(config),
        };
        object_of.push(object.map(|object| objects.push(object)));
    }
    let graph = builder.graph();
    let (mut edges, mut whole) = (BTreeSet::new(), BTreeSet::new());
    for edge in graph.edges().filter(|edge| !builder.is_implied(*edge)) {
        let Some(from) = object_of[edge.from] else { continue };
        if let Some(to) = object_of[edge.to] {
            edges.insert(Edge { from, to });
            whole.extend(builder.waits_for_call(edge).then_some(Edge { from, to }));
            continue;
        }
        // The `depends_on` edge to the call stands for an edge to everything in the module.
        let call = builder.nodes.auxiliary(edge.to).and_then(|node| node.call(config));
        let call = call.map(|CallInModule { module, call }| builder.nodes.of_step(module, Step::Call(call)));
        if call.is_some_and(|to| builder.waits_for_call(Edge { from: edge.from, to })) {
            continue;
        }
        let is_output =
            |node| matches!(builder.nodes.step(node), Some(GraphStep { step: Step::Output(_), .. }));
        let outputs = graph.targets(edge.to).iter().filter(|node| is_output(**node));
        edges.extend(outputs.filter_map(|node| Some(Edge { from, to: object_of[*node]? })));
    }
    Dependencies { objects, edges: edges.into_iter().collect(), whole }
}
