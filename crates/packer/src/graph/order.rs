//! Orders data sources and local values so that each is computed after those it refers to.

use std::collections::BTreeSet;

use terrane_config::digraph::Digraph;
use terrane_config::ids::Id;
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::model::ids::{DataId, LocalId};
use crate::model::template::Template;
use crate::resolve::targets::{Target, targets, targets_in_body};

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

/// The groups of all nodes, each after the groups that it refers to.
pub(crate) fn order(template: &Template) -> Vec<Group> {
    let data = template.data.len();
    let all: Vec<Node> =
        template.data.ids().map(Node::Data).chain(template.locals.ids().map(Node::Local)).collect();
    let position = |node: Node| match node {
        Node::Data(id) => id.index(),
        Node::Local(id) => data + id.index(),
    };
    let bodies = template.data.values().map(|declared| targets_in_body(template, &declared.body));
    let locals = template.locals.values().map(|local| targets(template, &local.expression));
    let needed = (0..).zip(bodies.chain(locals));
    let edges: Vec<(u32, u32)> = needed
        .flat_map(|(from, targets)| nodes(targets).map(move |to| (from, position(to))))
        .filter_map(|(from, to)| Some((from, u32::try_from(to).ok()?)))
        .collect();
    let graph = Digraph::new(all.len(), edges.iter().copied());
    let groups = graph.groups().into_iter().map(|group| Group {
        nodes: group.iter().filter_map(|node| all.get(*node).copied()).collect(),
        is_cycle: graph.is_cycle(&group),
    });
    groups.collect()
}

/// Reports data sources and local values that refer to each other in a cycle.
pub(crate) fn report_cycle(
    template: &Template,
    nodes: &[Node],
    title: &'static str,
    diagnostics: &mut Diagnostics,
) {
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

/// The targets that are computed; variables have their values before.
fn nodes(targets: BTreeSet<Target>) -> impl Iterator<Item = Node> {
    targets.into_iter().filter_map(|target| match target {
        Target::Data(id) => Some(Node::Data(id)),
        Target::Local(id) => Some(Node::Local(id)),
        Target::Variable(_) => None,
    })
}
