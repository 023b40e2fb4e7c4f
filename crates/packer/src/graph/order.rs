//! Orders data sources and local values so that each is computed after the values to which it refers.

use std::collections::BTreeMap;

use terrane_config::digraph::{Digraph, Edge};
use terrane_config::ids::Arena;
use terrane_source::{Diagnostic, Diagnostics, Title, ids};

use crate::model::ids::{DataId, LocalId};
use crate::model::template::Template;
use crate::resolve::targets::{Target, TargetFinder, TargetGroup};

terrane_config::ids! {
    /// Names a node of the graph.
    GraphNodeId;
}

/// A value to compute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Node {
    /// A data source.
    Data(DataId),
    /// A local value.
    Local(LocalId),
}

/// Nodes without an order among them: one node, or the nodes of a cycle.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) nodes: Vec<Node>,
    /// Whether the nodes refer to each other in a cycle.
    pub(crate) is_cycle: bool,
}

/// Returns the groups of all nodes, each after the groups to which it refers.
pub(crate) fn order(template: &Template) -> Vec<Group> {
    let finder = TargetFinder::new(template);
    // Groups of targets are nodes without a value.
    let mut all: Arena<GraphNodeId, Option<Node>> = Arena::default();
    let data: Arena<DataId, GraphNodeId> =
        template.data.ids().map(|id| all.push(Some(Node::Data(id)))).collect();
    let locals: Arena<LocalId, GraphNodeId> =
        template.locals.ids().map(|id| all.push(Some(Node::Local(id)))).collect();
    let mut groups: BTreeMap<TargetGroup, GraphNodeId> = BTreeMap::new();
    let mut edges: Vec<Edge<GraphNodeId>> = Vec::new();
    let of_data = template.data.enumerate().map(|(id, found)| (data[id], finder.in_body(&found.body)));
    let of_locals =
        template.locals.enumerate().map(|(id, found)| (locals[id], finder.in_expression(&found.expression)));
    for (from, needed) in of_data.chain(of_locals) {
        let needed = needed.into_iter().filter_map(|target| match target {
            Target::Data(id) => Some(data[id]),
            Target::Local(id) => Some(locals[id]),
            Target::Group(group) => Some(*groups.entry(group).or_insert_with(|| all.push(None))),
            // Variables get their values earlier.
            Target::Variable(_) => None,
        });
        edges.extend(needed.map(|to| Edge { from, to }));
    }
    for (group, from) in groups {
        let members = finder.members(group).into_iter().filter_map(|member| match member {
            Target::Data(id) => Some(data[id]),
            Target::Local(_) | Target::Variable(_) | Target::Group(_) => None,
        });
        edges.extend(members.map(|to| Edge { from, to }));
    }
    let graph = Digraph::new(&all, edges.iter().copied());
    let groups = graph.groups().into_iter().map(|group| Group {
        nodes: group.iter().filter_map(|node| all[*node]).collect(),
        is_cycle: graph.is_cycle(&group),
    });
    groups.filter(|group| !group.nodes.is_empty()).collect()
}

/// Reports data sources and local values that refer to each other in a cycle.
pub(crate) fn report_cycle(template: &Template, nodes: &[Node], title: Title, diagnostics: &mut Diagnostics) {
    let declared = nodes.iter().map(|node| match node {
        Node::Data(id) => {
            let (key, declared) = template.data.entry_of(*id);
            (format!("`data.{}.{}`", key.component_type, key.name), &declared.declaration)
        }
        Node::Local(id) => {
            let (name, local) = template.locals.entry_of(*id);
            (format!("`local.{name}`"), &local.declaration)
        }
    });
    let (names, declarations): (Vec<String>, Vec<_>) = declared.unzip();
    let detail = format!(
        "These objects refer to each other in a cycle, so none of them has a value: {}. Remove one of the \
         references.",
        names.join(", ")
    );
    let diagnostic = Diagnostic::error(ids::CYCLE, detail).titled(title);
    diagnostics.push(match declarations.first() {
        Some(declaration) => diagnostic.at(&declaration.file, declaration.span),
        None => diagnostic,
    });
}
