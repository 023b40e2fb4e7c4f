//! Finds why a value is unknown or a secret: the shortest ways through the graph to the causes.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use foldhash::fast::RandomState;
use terrane_config::ids::Arena;
use terrane_value::{Origin, OriginKind, Origins, PartOriginsMemory, Value};

use super::builder::Builder;
use super::model::{Cause, ExplainNode, ExplainNodeId, InputRole, MarkPath, NodeKind};
use crate::remedy::{remedy, set_option};
use crate::report::Report;
use crate::secrets::has_secret;

/// A search for the causes of unknown parts of values and for the origins of their marks. It completes nodes behind the last
/// level of a text when it comes to them.
pub(super) struct CauseSearch<'b, 'r> {
    builder: &'b mut Builder<'r>,
    /// The causes of the unknown parts of each node's value, searched once per node.
    found: HashMap<ExplainNodeId, Origins, RandomState>,
    memory: PartOriginsMemory,
}

impl<'b, 'r> CauseSearch<'b, 'r> {
    pub(super) fn new(builder: &'b mut Builder<'r>) -> CauseSearch<'b, 'r> {
        CauseSearch { builder, found: HashMap::default(), memory: PartOriginsMemory::new() }
    }

    fn node(&self, node: ExplainNodeId) -> &ExplainNode {
        &self.builder.nodes[node]
    }

    /// Returns the causes of the unknown parts of a node's value.
    fn of(&mut self, node: ExplainNodeId) -> Origins {
        if let Some(found) = self.found.get(&node) {
            return found.clone();
        }
        self.builder.reach(node);
        let origins = self.memory.origins_of_parts(&self.builder.nodes[node].value);
        self.found.insert(node, origins.clone());
        origins
    }

    fn has(&mut self, node: ExplainNodeId, origin: &Origin) -> bool {
        self.of(node).as_slice().contains(origin)
    }

    /// Returns the causes of the unknown parts of a node's value, and of an unknown number of instances or blocks.
    pub(super) fn at(&mut self, target: ExplainNodeId) -> Origins {
        let own = self.of(target);
        self.instances_of(target).into_iter().fold(own, |all, node| all.union(&self.of(node)))
    }

    /// Returns the inputs of a node that decide its instances or blocks.
    fn instances_of(&mut self, node: ExplainNodeId) -> Vec<ExplainNodeId> {
        // Only nodes of resources and module calls must be opened. The inputs of a key of an instance are known from the start.
        if matches!(self.node(node).kind, NodeKind::Resource | NodeKind::Module) {
            self.builder.open(node);
        }
        let inputs = self.node(node).inputs.iter();
        let instances = inputs.filter(|input| input.is_taken && input.role == InputRole::Instances);
        instances.map(|input| input.node).collect()
    }

    /// Whether a cause makes a node unknown, or the number of its instances or blocks.
    fn holds(&mut self, node: ExplainNodeId, origin: &Origin) -> bool {
        self.has(node, origin) || self.instances_of(node).into_iter().any(|node| self.has(node, origin))
    }

    /// Returns these causes of a node. The first `ways` of them have the shortest way to the cause.
    pub(super) fn causes(
        &mut self,
        report: &Report,
        target: ExplainNodeId,
        origins: &Origins,
        ways: usize,
    ) -> Vec<Cause> {
        let mut found = Vec::with_capacity(origins.as_slice().len());
        for (position, origin) in origins.as_slice().iter().enumerate() {
            let path = if position < ways { self.way(target, origin) } else { Vec::new() };
            let output = output_at(&self.builder.nodes, &path).filter(|_| origin.kind == OriginKind::Module);
            let remedy = remedy(report, origin).map(|remedy| match output {
                Some(address) => format!("{remedy}, or {}", set_option(&address)),
                None => remedy,
            });
            found.push(Cause { origin: origin.clone(), remedy, path });
        }
        found
    }

    /// Returns the way to the nearest node that has the cause while none of its inputs has it.
    fn way(&mut self, target: ExplainNodeId, origin: &Origin) -> Vec<ExplainNodeId> {
        let mut ways = Ways::from(target);
        while let Some(at) = ways.left.pop_front() {
            let mut next = self.next(at, |search, node| search.holds(node, origin));
            // An unknown number of instances or blocks makes the whole unknown, also where an argument has the same cause.
            let instances = self.instances_of(at);
            if next.iter().any(|node| instances.contains(node)) {
                next.retain(|node| instances.contains(node));
            }
            if next.is_empty() {
                return ways.to(at);
            }
            ways.go_on(at, next);
        }
        Vec::new()
    }

    /// Returns the nodes that mark the value of a node, each with the shortest way to it.
    pub(super) fn marks(&mut self, target: ExplainNodeId) -> Vec<MarkPath> {
        let mut found = Vec::new();
        if !self.is_secret(target) {
            return found;
        }
        let mut ways = Ways::from(target);
        while let Some(at) = ways.left.pop_front() {
            self.builder.reach(at);
            let is_declared = self.builder.declared_secrets.contains(&at);
            let next = if is_declared { Vec::new() } else { self.next(at, CauseSearch::is_secret) };
            let marks = self.node(at).marks.clone();
            found.extend(marks.map(|text| MarkPath { text, path: ways.to(at) }));
            ways.go_on(at, next);
        }
        found
    }

    fn is_secret(&mut self, node: ExplainNodeId) -> bool {
        self.builder.reach(node);
        has_secret(&self.node(node).value)
    }

    /// Returns the inputs of a node for which a condition holds.
    fn next(
        &mut self,
        node: ExplainNodeId,
        mut holds: impl FnMut(&mut Self, ExplainNodeId) -> bool,
    ) -> Vec<ExplainNodeId> {
        self.builder.open(node);
        let inputs = self.node(node).inputs.iter();
        let mut taken: Vec<ExplainNodeId> =
            inputs.filter(|input| input.is_taken).map(|input| input.node).collect();
        taken.retain(|input| holds(self, *input));
        taken
    }
}

/// Returns the address of the module output at the end of a way, if its module is not on disk, or of the part that is read. The
/// path ends before an index, because an element of a list cannot be given alone.
fn output_at(nodes: &Arena<ExplainNodeId, ExplainNode>, way: &[ExplainNodeId]) -> Option<String> {
    let node = Some(&nodes[*way.last()?]).filter(|node| node.kind == NodeKind::Module)?;
    let name = node.path.strip_prefix('.')?;
    let name = name.split('[').next()?;
    Some(format!("{}.{name}", node.address.as_ref()?))
}

/// Whether the unknown parts of a value have all causes of the unknown parts of a result, so that the value may explain it.
pub(super) fn has_causes(value: &Value, result: &Value) -> bool {
    if result.is_wholly_known() {
        return true;
    }
    let own = value.origins_of_parts();
    own.omitted() > 0
        || result.origins_of_parts().as_slice().iter().all(|origin| own.as_slice().contains(origin))
}

/// The shortest ways from a node to other nodes, as a search finds them.
struct Ways {
    /// The nodes whose inputs have not been visited yet, nearest first.
    left: VecDeque<ExplainNodeId>,
    /// The predecessor of each visited node. `None` for the start.
    before: HashMap<ExplainNodeId, Option<ExplainNodeId>, RandomState>,
}

impl Ways {
    fn from(node: ExplainNodeId) -> Ways {
        Ways { left: VecDeque::from([node]), before: HashMap::from_iter([(node, None)]) }
    }

    /// Returns the way to a node.
    fn to(&self, node: ExplainNodeId) -> Vec<ExplainNodeId> {
        let mut way = vec![node];
        let mut at = node;
        while let Some(before) = self.before.get(&at).copied().flatten() {
            way.push(before);
            at = before;
        }
        way.reverse();
        way
    }

    /// Continues from a node to its inputs that were not visited before.
    fn go_on(&mut self, node: ExplainNodeId, inputs: Vec<ExplainNodeId>) {
        for input in inputs {
            if let Entry::Vacant(place) = self.before.entry(input) {
                place.insert(Some(node));
                self.left.push_back(input);
            }
        }
    }
}

/// Whether a node is an object with an address that expressions refer to.
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
