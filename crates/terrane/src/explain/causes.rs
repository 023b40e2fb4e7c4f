//! Why a value is unknown or a secret: the shortest ways through the graph to the causes.

use std::cell::OnceCell;
use std::collections::{HashSet, VecDeque};

use foldhash::fast::RandomState;
use terrane_value::{Known, Origin, OriginKind, Origins, Value};

use super::model::{Cause, ExplainNode, MarkPath, NodeKind, Role};
use crate::remedy::{remedy, set_option};
use crate::report::Report;
use crate::secrets::has_secret;

/// The nodes of an explanation with the causes of the unknown parts of each, which are searched once.
pub(super) struct NodeOrigins<'n> {
    nodes: &'n [ExplainNode],
    found: Vec<OnceCell<Origins>>,
}

impl<'n> NodeOrigins<'n> {
    pub(super) fn of_nodes(nodes: &'n [ExplainNode]) -> NodeOrigins<'n> {
        NodeOrigins { nodes, found: nodes.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The causes of the unknown parts of a node's value.
    fn of(&self, node: usize) -> Option<&Origins> {
        let value = &self.nodes.get(node)?.value;
        Some(self.found.get(node)?.get_or_init(|| origins_of(value)))
    }

    fn has(&self, node: usize, origin: &Origin) -> bool {
        self.of(node).is_some_and(|origins| origins.as_slice().contains(origin))
    }

    /// The causes of the unknown parts of a node's value, and of an unknown number of instances or blocks.
    pub(super) fn at(&self, target: usize) -> Origins {
        let own = self.of(target).cloned().unwrap_or(Origins::NONE);
        let instances = instances_of(self.nodes, target).filter_map(|node| self.of(node));
        instances.fold(own, |all, origins| all.union(origins))
    }
}

/// Each of these causes of a node with the shortest way to it.
pub(super) fn causes(
    report: &Report,
    known: &NodeOrigins<'_>,
    target: usize,
    origins: &Origins,
) -> Vec<Cause> {
    let nodes = known.nodes;
    let cause = |origin: &Origin| {
        let has = |node: usize| known.has(node, origin);
        let holds = |node: usize| has(node) || instances_of(nodes, node).any(has);
        let path = last(nodes, &ways(nodes, target, holds), holds);
        let output = output_at(nodes, &path).filter(|_| origin.kind == OriginKind::Module);
        let remedy = remedy(report, origin).map(|remedy| match output {
            Some(address) => format!("{remedy}, or {}", set_option(&address)),
            None => remedy,
        });
        Cause { origin: origin.clone(), remedy, path }
    };
    origins.as_slice().iter().map(cause).collect()
}

/// The address of the output of a module that is not on disk at the end of a way, or of the part of it that is read. An element of a list
/// cannot be given alone.
fn output_at(nodes: &[ExplainNode], way: &[usize]) -> Option<String> {
    let node = nodes.get(*way.last()?).filter(|node| node.kind == NodeKind::Module)?;
    let name = node.path.strip_prefix('.')?;
    let name = name.split('[').next()?;
    Some(format!("{}.{name}", node.address.as_ref()?))
}

/// The inputs of a node that give its instances or blocks.
fn instances_of(nodes: &[ExplainNode], node: usize) -> impl Iterator<Item = usize> {
    let inputs = nodes.get(node).into_iter().flat_map(|node| &node.inputs);
    let instances = inputs.filter(|input| input.is_taken && input.role == Role::Instances);
    instances.map(|input| input.node)
}

/// The nodes that mark the value of a node, each with the shortest way to it.
pub(super) fn marks(nodes: &[ExplainNode], target: usize) -> Vec<MarkPath> {
    let is_secret = |node: usize| nodes.get(node).is_some_and(|node| has_secret(&node.value));
    if !is_secret(target) {
        return Vec::new();
    }
    let ways = ways(nodes, target, is_secret);
    let mut found: Vec<(&String, Vec<usize>)> = Vec::new();
    for node in &ways.order {
        let marks = nodes.get(*node).and_then(|found| found.marks.as_ref());
        found.extend(marks.map(|text| (text, ways.to(*node))));
    }
    // A mark that another mark on the way covers adds nothing, except at the value itself.
    found.into_iter().map(|(text, path)| MarkPath { text: text.clone(), path }).collect()
}

/// The causes of the unknown parts of a value. That a provider may set further attributes of a resource is none.
pub(super) fn origins_of(value: &Value) -> Origins {
    if value.is_wholly_known() {
        return Origins::NONE;
    }
    if let Some(Known::Nothing) = value.as_unknown().map(|unknown| &unknown.known) {
        return value.origins().clone();
    }
    let (mut found, mut left) = (Origins::NONE, vec![value]);
    // A part that occurs many times counts once.
    let mut seen: HashSet<*const Value, RandomState> = HashSet::default();
    while let Some(value) = left.pop() {
        if value.is_wholly_known() {
            continue;
        }
        let parts = match value.as_unknown().map(|unknown| &unknown.known) {
            Some(Known::Nothing) => {
                found = found.union(value.origins());
                continue;
            }
            Some(Known::Object(entries)) => entries.values().as_slice(),
            Some(Known::Sequence(elements)) => elements,
            None => match (value.as_sequence(), value.as_entries()) {
                (Some(elements), _) => elements,
                (None, Some(entries)) => entries.values().as_slice(),
                (None, None) => continue,
            },
        };
        if seen.insert(parts.as_ptr()) {
            left.extend(parts.iter().rev());
        }
    }
    found
}

/// The ways from a node along inputs for which a condition holds.
struct Ways {
    /// The nodes in the order of their distance.
    order: Vec<usize>,
    /// The node before each, by its position.
    before: Vec<Option<usize>>,
}

impl Ways {
    /// The way to a node.
    fn to(&self, node: usize) -> Vec<usize> {
        let mut way = vec![node];
        let mut at = node;
        while let Some(before) = self.before.get(at).copied().flatten() {
            way.push(before);
            at = before;
        }
        way.reverse();
        way
    }
}

fn ways(nodes: &[ExplainNode], target: usize, holds: impl Fn(usize) -> bool) -> Ways {
    let mut ways = Ways { order: Vec::new(), before: vec![None; nodes.len()] };
    let mut left = VecDeque::from([target]);
    while let Some(at) = left.pop_front() {
        let Some(node) = nodes.get(at) else { continue };
        ways.order.push(at);
        for input in node.inputs.iter().filter(|input| input.is_taken) {
            let before = ways.before.get_mut(input.node).filter(|_| input.node != target);
            if let Some(before @ None) = before
                && holds(input.node)
            {
                *before = Some(at);
                left.push_back(input.node);
            }
        }
    }
    ways
}

/// The way to the nearest node whose inputs all lack the cause, so that it is the cause.
fn last(nodes: &[ExplainNode], ways: &Ways, holds: impl Fn(usize) -> bool) -> Vec<usize> {
    let goes_on = |node: &ExplainNode| {
        let mut taken = node.inputs.iter().filter(|input| input.is_taken);
        taken.any(|input| holds(input.node))
    };
    let is_last = |node: &usize| nodes.get(*node).is_some_and(|node| !goes_on(node));
    let end = ways.order.iter().copied().find(is_last);
    end.map_or_else(Vec::new, |end| ways.to(end))
}

/// Whether a node is an object with an address that others refer to.
pub(super) fn is_object(node: &ExplainNode) -> bool {
    match node.kind {
        NodeKind::Variable | NodeKind::Local | NodeKind::Output | NodeKind::Resource | NodeKind::Module => {
            true
        }
        NodeKind::Expression
        | NodeKind::Assignment
        | NodeKind::Default
        | NodeKind::Given
        | NodeKind::Provider
        | NodeKind::Key
        | NodeKind::BuiltIn => false,
    }
}
