//! The references between objects as data, for those who draw them.

use std::collections::BTreeSet;

use terrane_config::{Dependencies, Dependency};
use terrane_source::Diagnostics;

use crate::graph::builder::Builder;
use crate::graph::order::order;
use crate::graph::step::{Step, address, declaration};
use crate::model::tree::Config;

/// The references between the objects of `config`. Cycles are reported, and are in the result.
pub fn dependencies(config: &Config, diagnostics: &mut Diagnostics) -> Dependencies {
    order(config, diagnostics);
    let mut builder = Builder::new(config);
    builder.add_edges();
    builder.add_imports();
    let steps = builder.nodes.steps.iter().map(|(id, step)| Dependency {
        address: address(config, *id, *step),
        declaration: declaration(config, *id, *step).cloned(),
    });
    let others = builder.nodes.auxiliary.iter().filter_map(|other| other.object(config));
    let objects: Vec<Dependency> = steps.chain(others).collect();
    // The nodes that stand for several objects come after all objects.
    let is_object = |node: usize| node < objects.len();
    let graph = builder.graph();
    let mut edges = BTreeSet::new();
    for (from, to) in graph.edges().map(|(from, to)| (from as usize, to as usize)) {
        if !is_object(from) || builder.is_implied(from, to) {
            continue;
        }
        match is_object(to) {
            true => drop(edges.insert((from, to))),
            false => {
                let is_output = |node: usize| matches!(builder.nodes.step(node), Some((_, Step::Output(_))));
                let inside = graph.targets(to).iter().map(|inside| *inside as usize);
                edges.extend(inside.filter(|inside| is_output(*inside)).map(|output| (from, output)));
            }
        }
    }
    Dependencies { objects, edges: edges.into_iter().collect() }
}
