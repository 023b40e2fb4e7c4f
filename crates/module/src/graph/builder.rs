//! Builds the graph: an edge leads from an object to each object that it refers to. `order` sorts the graph.

use std::collections::{BTreeSet, HashSet};

use terrane_config::digraph::{Digraph, Edge};

use crate::graph::node_table::{AuxiliaryNode, NodeTable};
use crate::graph::step::{GraphStep, Step};
use crate::graph::used_providers;
use crate::model::ids::{CallInModule, GraphNodeId, NodeId, ResourceId, VariableId};
use crate::model::module::{Import, Repetition};
use crate::model::references::{Referrer, Target, UseOrigin, Via};
use crate::model::tree::{Config, ModuleNode};

/// Builds the graph: an edge leads from an object to each object that it refers to.
pub(crate) struct Builder<'b> {
    pub(crate) config: &'b Config,
    pub(crate) nodes: NodeTable,
    /// The modules whose `Whole` node has its edges already.
    wholes: HashSet<NodeId>,
    edges: Vec<Edge<GraphNodeId>>,
    /// The edges from objects to the module calls that their `depends_on` names, if the module is on disk.
    waits_for_calls: BTreeSet<Edge<GraphNodeId>>,
}

impl<'b> Builder<'b> {
    pub(crate) fn new(config: &'b Config) -> Builder<'b> {
        Builder {
            config,
            nodes: NodeTable::new(config),
            wholes: HashSet::new(),
            edges: Vec::new(),
            waits_for_calls: BTreeSet::new(),
        }
    }

    pub(crate) fn graph(&self) -> Digraph<GraphNodeId> {
        Digraph::new(self.nodes.all(), self.edges.iter().copied())
    }

    /// Returns the graph for the order, without edges from a resource to itself: whether they are errors
    /// depends on its instances.
    pub(crate) fn graph_of_order(&self) -> Digraph<GraphNodeId> {
        let is_resource =
            |node| matches!(self.nodes.step(node), Some(GraphStep { step: Step::Resource(_), .. }));
        let edges = self.edges.iter().copied().filter(|edge| edge.from != edge.to || !is_resource(edge.from));
        Digraph::new(self.nodes.all(), edges)
    }

    /// Whether the edge only says that an object belongs to a module call that has exactly one instance.
    pub(crate) fn is_implied(&self, Edge { from, to }: Edge<GraphNodeId>) -> bool {
        let (Some(from), Some(to)) = (self.nodes.step(from), self.nodes.step(to)) else { return false };
        let GraphStep { module: caller, step: Step::Call(call) } = to else { return false };
        let module = &self.config.node(caller).module;
        self.config.node(from.module).caller == Some(CallInModule { module: caller, call })
            && matches!(module.calls.at(call).repetition, Repetition::Once)
            && module.references.calls[call].depends_on.is_empty()
    }

    fn add_edge(&mut self, from: GraphNodeId, to: GraphNodeId) {
        self.edges.push(Edge { from, to });
    }

    pub(crate) fn add_edges(&mut self) {
        for (id, node) in self.config.nodes() {
            let module = &node.module;
            let references = &module.references;
            for (provider, references) in references.providers.enumerate() {
                let from = self.nodes.of(AuxiliaryNode::Provider(id, provider));
                self.add_targets(from, id, node, references.targets.iter());
            }
            for (call_id, call) in references.calls.enumerate() {
                self.add(id, Step::Call(call_id), id, call.repetition.iter().chain(&call.depends_on));
                self.note_calls(id, Step::Call(call_id), &call.depends_on);
            }
            for variable in module.variables.ids() {
                self.add_variable(id, node, variable);
            }
            for (local, targets) in references.locals.enumerate() {
                self.add(id, Step::Local(local), id, targets.iter());
            }
            for (resource_id, resource) in references.resources.enumerate() {
                let own = resource.repetition.iter().chain(&resource.config).chain(&resource.prevent_destroy);
                // Conditions, `depends_on`, provisioners and triggers may refer to their own resource without a cycle.
                let later = resource.conditions.iter().chain(&resource.depends_on);
                let later = later.chain(&resource.provisioners).chain(&resource.triggers);
                let later = later.filter(|target| **target != Target::Resource(resource_id));
                self.add(id, Step::Resource(resource_id), id, own.chain(later));
                self.note_calls(id, Step::Resource(resource_id), &resource.depends_on);
                self.add_provider(id, resource_id);
            }
            for (output_id, output) in references.outputs.enumerate() {
                let targets = output.value.iter().chain(&output.preconditions).chain(&output.depends_on);
                self.add(id, Step::Output(output_id), id, targets);
                self.note_calls(id, Step::Output(output_id), &output.depends_on);
            }
            for (check, targets) in references.checks.enumerate() {
                self.add(id, Step::Check(check), id, targets.iter());
            }
        }
    }

    /// Records the module calls that the `depends_on` of an object names.
    fn note_calls(&mut self, id: NodeId, step: Step, depends_on: &[Target]) {
        let called = &self.config.node(id).called;
        let from = self.nodes.of_step(id, step);
        for target in depends_on {
            if let Target::Module(call, None) = target
                && called[*call].is_some()
            {
                let to = self.nodes.of_step(id, Step::Call(*call));
                self.waits_for_calls.insert(Edge { from, to });
            }
        }
    }

    /// Whether an edge to a module call comes from `depends_on`.
    pub(crate) fn waits_for_call(&self, edge: Edge<GraphNodeId>) -> bool {
        self.waits_for_calls.contains(&edge)
    }

    /// Adds the edge from a resource to the configuration of its provider.
    fn add_provider(&mut self, id: NodeId, resource_id: ResourceId) {
        if let Some((owner, provider)) = used_providers::of_resource(self.config, id, resource_id) {
            let to = self.nodes.of(AuxiliaryNode::Provider(owner, provider));
            self.add_edge(self.nodes.of_step(id, Step::Resource(resource_id)), to);
        }
    }

    /// Adds the edges from a call to the targets of arguments that no variable takes, such as all
    /// arguments of a missing module.
    pub(crate) fn add_arguments_of_calls(&mut self) {
        for (id, node) in self.config.nodes() {
            for (call_id, call) in node.module.calls.enumerate() {
                let called = node.called[call_id].map(|called| &self.config.node(called).module.variables);
                let is_taken = |name: &str| called.is_some_and(|variables| variables.id_of(name).is_some());
                let references = &node.module.references.calls[call_id].arguments;
                let untaken = call.arguments.keys().zip(references).filter(|(name, _)| !is_taken(name));
                let targets = untaken.flat_map(|(_, targets)| targets);
                let targets = targets.filter(|target| !target.is_call(call_id));
                let from = self.nodes.of_step(id, Step::Call(call_id));
                self.add_targets(from, id, node, targets);
            }
        }
    }

    /// Adds the edges from a call to the targets in its source and version. Both are computed while modules are loaded, so the order
    /// needs no such edges.
    pub(crate) fn add_sources_of_calls(&mut self) {
        for (id, node) in self.config.nodes() {
            let files = node.module.references.uses().files();
            for found in files.iter().flat_map(|group| &group.uses) {
                if let Some(UseOrigin { referrer: Referrer::Call(call), via: Via::Source }) = found.origin {
                    let from = self.nodes.of_step(id, Step::Call(call));
                    self.add_targets(from, id, node, found.target().into_iter());
                }
            }
        }
    }

    /// Adds the edges from an imported resource to the import, and from the import to the targets of its arguments.
    pub(crate) fn add_imports(&mut self) {
        for (id, node) in self.config.nodes() {
            for (import_id, import) in node.module.imports.enumerate() {
                let references = &node.module.references.imports[import_id];
                let own = self.nodes.of(AuxiliaryNode::Import(id, import_id));
                self.add_targets(own, id, node, references.targets.iter());
                if let Some(imported) = self.imported(id, import) {
                    self.add_edge(imported, own);
                }
            }
        }
    }

    /// Adds the edges that make an imported resource wait for the arguments of the import, because it is planned with
    /// them. An argument that refers to the imported resource gets no edge; it is reported elsewhere.
    pub(crate) fn add_waits_for_imports(&mut self) {
        for (id, node) in self.config.nodes() {
            for (import_id, import) in node.module.imports.enumerate() {
                let references = &node.module.references.imports[import_id];
                let Some(imported) = self.imported(id, import) else { continue };
                let waits = self.nodes.of(AuxiliaryNode::Import(id, import_id));
                let itself = |target: &Target| matches!(target, Target::Resource(target) if self.nodes.of_step(id, Step::Resource(*target)) == imported);
                let targets: Vec<Target> =
                    references.targets.iter().filter(|target| !itself(target)).cloned().collect();
                self.add_edge(imported, waits);
                self.add_targets(waits, id, node, targets.iter());
            }
        }
    }

    /// Returns the node of the imported resource.
    fn imported(&self, id: NodeId, import: &Import) -> Option<GraphNodeId> {
        let (owner, resource) = self.config.imported(id, import)?;
        Some(self.nodes.of_step(owner, Step::Resource(resource)))
    }

    /// Adds the edges from a variable to the targets of the argument in the caller's block, and to the
    /// targets of its conditions.
    fn add_variable(&mut self, id: NodeId, node: &ModuleNode, variable: VariableId) {
        let step = Step::Variable(variable);
        let (name, _) = node.module.variables.entry_of(variable);
        // A condition may refer to its own variable without a cycle.
        let conditions = node.module.references.variables[variable].iter();
        let conditions = conditions.filter(|target| **target != Target::Variable(variable));
        self.add(id, step, id, conditions);
        let Some(CallInModule { module: caller, call }) = node.caller else { return };
        let config = self.config;
        let caller_node = config.node(caller);
        if let Some(argument) = caller_node.module.calls.at(call).arguments.id_of(name) {
            let references = &caller_node.module.references.calls[call];
            self.add(id, step, caller, references.arguments[argument].iter());
        }
    }

    /// Adds edges from a step of a module to the targets, which are names in the module `scope`.
    fn add<'t>(
        &mut self,
        module: NodeId,
        step: Step,
        scope: NodeId,
        targets: impl Iterator<Item = &'t Target>,
    ) {
        let config = self.config;
        let from = self.nodes.of_step(module, step);
        if let Some(CallInModule { module: caller, call }) = config.node(module).caller {
            self.add_edge(from, self.nodes.of_step(caller, Step::Call(call)));
        }
        self.add_targets(from, scope, config.node(scope), targets);
    }

    fn add_targets<'t>(
        &mut self,
        from: GraphNodeId,
        scope: NodeId,
        node: &ModuleNode,
        targets: impl Iterator<Item = &'t Target>,
    ) {
        for target in targets {
            if let Target::Module(call, output) = target {
                self.add_edge(from, self.nodes.of_step(scope, Step::Call(*call)));
                if let (Some(called), None) = (node.called[*call], output) {
                    self.whole(called);
                }
            }
            if let Some(to) = self.nodes.of_target(self.config, scope, target) {
                self.add_edge(from, to);
            }
        }
    }

    /// Returns the node for everything in a module. It saves edges: otherwise each reference to the module would need
    /// an edge to each object in it. Assertions have no value, so nothing waits for them.
    fn whole(&mut self, module: NodeId) -> GraphNodeId {
        let first = self.nodes.of(AuxiliaryNode::Whole(module));
        let mut left = vec![module];
        while let Some(module) = left.pop() {
            // A module in `wholes` has its edges already.
            if !self.wholes.insert(module) {
                continue;
            }
            let whole = self.nodes.of(AuxiliaryNode::Whole(module));
            let node = self.config.node(module);
            if let Some(CallInModule { module: caller, call }) = node.caller {
                self.add_edge(whole, self.nodes.of_step(caller, Step::Call(call)));
            }
            for (value, step) in self.nodes.with_values(module) {
                let is_checked =
                    matches!(step, Step::Resource(id) if node.module.resources.at(id).check.is_some());
                if !is_checked {
                    self.edges.push(Edge { from: whole, to: value });
                }
            }
            for called in node.called.iter().flatten() {
                let inner = self.nodes.of(AuxiliaryNode::Whole(*called));
                self.add_edge(whole, inner);
                left.push(*called);
            }
        }
        first
    }
}
