//! Orders data sources and local values so that each is computed after the values to which it refers.

use terrane_config::digraph::{Digraph, Edge};
use terrane_config::ids::Arena;
use terrane_source::{Diagnostic, Diagnostics, Title, ids};

use crate::model::ids::{DataId, LocalId};
use crate::model::template::Template;
use crate::resolve::targets::{Target, targets, targets_in_body};

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
    let mut all: Arena<GraphNodeId, Node> = Arena::default();
    let data: Arena<DataId, GraphNodeId> = template.data.ids().map(|id| all.push(Node::Data(id))).collect();
    let locals: Arena<LocalId, GraphNodeId> =
        template.locals.ids().map(|id| all.push(Node::Local(id))).collect();
    let of_target = |target| match target {
        Target::Data(id) => Some(data[id]),
        Target::Local(id) => Some(locals[id]),
        // Variables get their values earlier.
        Target::Variable(_) => None,
    };
    let edges = all.enumerate().flat_map(|(from, node)| {
        let needed = match node {
            Node::Data(id) => targets_in_body(template, &template.data.at(*id).body),
            Node::Local(id) => targets(template, &template.locals.at(*id).expression),
        };
        needed.into_iter().filter_map(of_target).map(move |to| Edge { from, to })
    });
    let edges: Vec<Edge<GraphNodeId>> = edges.collect();
    let graph = Digraph::new(&all, edges.iter().copied());
    let groups = graph.groups().into_iter().map(|group| Group {
        nodes: group.iter().map(|node| all[*node]).collect(),
        is_cycle: graph.is_cycle(&group),
    });
    groups.collect()
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
