//! What the parts of a template refer to, and in which order data sources and local values are computed.

use std::collections::BTreeSet;

use terrane_body::{Attribute, Body};
use terrane_config::digraph::Digraph;
use terrane_eval::{Reference, references};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_syntax::Expr;
use terrane_syntax::tree::{Literal, Step};

use crate::model::template::Template;

/// What can be computed: a data source or a local value, by its position among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Node {
    Data(usize),
    Local(usize),
}

/// What an expression can refer to, by its position among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Target {
    Variable(usize),
    Node(Node),
}

/// The data sources and local values so that each comes after what it refers to. Those that refer to each other in a
/// cycle come together.
pub(crate) fn order(template: &Template) -> Vec<Group> {
    let data = template.data.len();
    let all: Vec<Node> =
        (0..data).map(Node::Data).chain((0..template.locals.len()).map(Node::Local)).collect();
    let position = |node: Node| match node {
        Node::Data(index) => index,
        Node::Local(index) => data + index,
    };
    let bodies = template.data.values().map(|declared| in_body(template, &declared.body));
    let locals = template.locals.values().map(|local| targets(template, &references(&local.expression)));
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

/// What can be computed at once.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) nodes: Vec<Node>,
    /// Whether they refer to each other in a cycle.
    pub(crate) is_cycle: bool,
}

/// Reports data sources and local values that refer to each other in a cycle.
pub(crate) fn report_cycle(
    template: &Template,
    nodes: &[Node],
    title: &'static str,
    diagnostics: &mut Diagnostics,
) {
    let mut names = Vec::new();
    let mut first = None;
    for node in nodes {
        let (name, declaration) = match node {
            Node::Data(index) => {
                let Some(((data_type, name), declared)) = template.data.get_index(*index) else { continue };
                (format!("`data.{data_type}.{name}`"), &declared.declaration)
            }
            Node::Local(index) => {
                let Some((name, local)) = template.locals.get_index(*index) else { continue };
                (format!("`local.{name}`"), &local.declaration)
            }
        };
        names.push(name);
        first = first.or(Some(declaration));
    }
    let detail = format!(
        "These refer to each other in a cycle, so none of them has a value: {}. Remove one of the references.",
        names.join(", ")
    );
    let diagnostic = Diagnostic::error(ids::CYCLE, detail).titled(title);
    diagnostics.push(match first {
        Some(declaration) => diagnostic.at(&declaration.file, declaration.span),
        None => diagnostic,
    });
}

/// What the references name: of `var`, `data` and `data.TYPE` as a whole, everything that is in them.
pub(crate) fn targets(template: &Template, references: &[Reference<'_>]) -> BTreeSet<Target> {
    references.iter().flat_map(|reference| targets_of(template, reference)).collect()
}

fn targets_of(template: &Template, reference: &Reference<'_>) -> Vec<Target> {
    let (first, second) = (step_name(reference, 0), step_name(reference, 1));
    let is_named = |name: &str, wanted: Option<&str>| wanted.is_none_or(|wanted| wanted == name);
    match reference.root {
        "var" => {
            let names = template.variables.keys().enumerate();
            let named = names.filter(|(_, name)| is_named(name, first));
            named.map(|(index, _)| Target::Variable(index)).collect()
        }
        "local" => {
            let index = first.and_then(|name| template.locals.get_index_of(name));
            index.map(|index| Target::Node(Node::Local(index))).into_iter().collect()
        }
        "data" => {
            let keys = template.data.keys().enumerate();
            let named =
                keys.filter(|(_, (data_type, name))| is_named(data_type, first) && is_named(name, second));
            named.map(|(index, _)| Target::Node(Node::Data(index))).collect()
        }
        _ => Vec::new(),
    }
}

/// Of the targets, those that must be computed before what refers to them.
fn nodes(targets: BTreeSet<Target>) -> impl Iterator<Item = Node> {
    targets.into_iter().filter_map(|target| match target {
        Target::Node(node) => Some(node),
        Target::Variable(_) => None,
    })
}

/// The name that a step gives: behind a dot, or as a string in brackets.
pub(crate) fn step_name<'r>(reference: &Reference<'r>, step: usize) -> Option<&'r str> {
    match reference.steps.get(step)? {
        Step::Attr { name, .. } => Some(reference.tree.slice(*name)),
        Step::Index { key, .. } => {
            let Expr::Literal(Literal::String(text)) = reference.tree.expr(*key) else { return None };
            Some(reference.tree.text(text))
        }
        Step::LegacyIndex { .. } => None,
    }
}

/// What the arguments in a body refer to, at any depth.
pub(crate) fn in_body(template: &Template, body: &Body) -> BTreeSet<Target> {
    let mut found = BTreeSet::new();
    each_attribute(body, &mut |attribute| {
        // Mistakes are reported when the body is evaluated.
        let expression = attribute.expression(&mut Diagnostics::new());
        found.extend(targets(template, &references(&expression)));
    });
    found
}

/// Visits all arguments in a body, at any depth. The depth is bounded by the parser.
pub(crate) fn each_attribute(body: &Body, visit: &mut dyn FnMut(&Attribute)) {
    let content = body.open_content(&mut Diagnostics::new());
    for attribute in content.attributes.values() {
        visit(attribute);
    }
    for block in &content.blocks {
        each_attribute(&block.body, visit);
    }
}
