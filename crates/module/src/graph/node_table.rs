//! Numbers the nodes of the graph: one for each object of a configuration, for each provider configuration and import,
//! and for each module that something refers to as a whole.

use std::collections::HashMap;

use terrane_config::Dependency;
use terrane_config::address::{Address, Object};

use crate::graph::step::{GraphStep, Step};
use crate::model::ids::{
    Arena, CallId, CallInModule, CheckId, GraphNodeId, ImportId, LocalId, NodeId, OutputId, ProviderId,
    ResourceId, VariableId,
};
use crate::model::module::Module;
use crate::model::references::Target;
use crate::model::tree::Config;

/// A node of the graph that is not a step of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AuxiliaryNode {
    /// A provider configuration of a module.
    Provider(NodeId, ProviderId),
    /// An import of a module.
    Import(NodeId, ImportId),
    /// Everything in a module and in the modules that it calls; exists only if something refers to the whole module.
    Whole(NodeId),
}

impl AuxiliaryNode {
    /// Returns the call of the module that a `Whole` node stands for.
    pub(crate) fn call(self, config: &Config) -> Option<CallInModule> {
        match self {
            AuxiliaryNode::Whole(module) => config.node(module).caller,
            AuxiliaryNode::Provider(..) | AuxiliaryNode::Import(..) => None,
        }
    }

    /// Returns the object of the node for drawings of the graph.
    pub(crate) fn object(self, config: &Config) -> Option<Dependency> {
        let (id, object, declaration) = match self {
            AuxiliaryNode::Provider(id, provider) => {
                let (key, provider) = config.node(id).module.providers.entry_of(provider);
                (id, Object::Provider(key.clone()), &provider.declaration)
            }
            AuxiliaryNode::Import(id, import) => {
                let import = &config.node(id).module.imports[import];
                (id, import.object(), &import.declaration)
            }
            AuxiliaryNode::Whole(_) => return None,
        };
        let address = Address { module: config.node(id).path.clone(), object };
        Some(Dependency { address, declaration: Some(declaration.clone()) })
    }
}

/// A node of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GraphNode {
    /// A step: an object of a module, which is evaluated in order.
    Step(GraphStep),
    /// A node that is not evaluated.
    Auxiliary(AuxiliaryNode),
}

/// The nodes: first the steps of all modules, then the auxiliary nodes.
#[derive(Debug, Default)]
pub(crate) struct NodeTable {
    all: Arena<GraphNodeId, GraphNode>,
    steps: Arena<NodeId, ModuleSteps>,
    auxiliary: HashMap<AuxiliaryNode, GraphNodeId>,
}

/// The nodes of the steps of a module.
#[derive(Debug)]
struct ModuleSteps {
    calls: Arena<CallId, GraphNodeId>,
    variables: Arena<VariableId, GraphNodeId>,
    locals: Arena<LocalId, GraphNodeId>,
    resources: Arena<ResourceId, GraphNodeId>,
    outputs: Arena<OutputId, GraphNodeId>,
    checks: Arena<CheckId, GraphNodeId>,
}

impl NodeTable {
    pub(crate) fn new(config: &Config) -> NodeTable {
        let mut nodes = NodeTable::default();
        for (id, node) in config.nodes() {
            let module = &node.module;
            let all = &mut nodes.all;
            let mut add = |step: Step| all.push(GraphNode::Step(GraphStep { module: id, step }));
            // The numbers have this order, because steps that do not depend on each other keep it.
            let steps = ModuleSteps {
                calls: module.calls.ids().map(|call| add(Step::Call(call))).collect(),
                variables: module.variables.ids().map(|variable| add(Step::Variable(variable))).collect(),
                locals: module.locals.ids().map(|local| add(Step::Local(local))).collect(),
                resources: module.resources.ids().map(|resource| add(Step::Resource(resource))).collect(),
                outputs: module.outputs.ids().map(|output| add(Step::Output(output))).collect(),
                checks: module.checks.ids().map(|check| add(Step::Check(check))).collect(),
            };
            nodes.steps.push(steps);
        }
        for (id, node) in config.nodes() {
            let Module { providers, imports, .. } = &*node.module;
            for provider in providers.ids() {
                nodes.of(AuxiliaryNode::Provider(id, provider));
            }
            for import in imports.ids() {
                nodes.of(AuxiliaryNode::Import(id, import));
            }
        }
        nodes
    }

    /// Returns all nodes.
    pub(crate) fn all(&self) -> &Arena<GraphNodeId, GraphNode> {
        &self.all
    }

    /// Returns the node of a step.
    pub(crate) fn of_step(&self, id: NodeId, step: Step) -> GraphNodeId {
        let steps = &self.steps[id];
        match step {
            Step::Call(id) => steps.calls[id],
            Step::Variable(id) => steps.variables[id],
            Step::Local(id) => steps.locals[id],
            Step::Resource(id) => steps.resources[id],
            Step::Output(id) => steps.outputs[id],
            Step::Check(id) => steps.checks[id],
        }
    }

    /// Returns the step of a node.
    pub(crate) fn step(&self, node: GraphNodeId) -> Option<GraphStep> {
        match self.all[node] {
            GraphNode::Step(step) => Some(step),
            GraphNode::Auxiliary(_) => None,
        }
    }

    /// Returns the auxiliary node with an id.
    pub(crate) fn auxiliary(&self, node: GraphNodeId) -> Option<AuxiliaryNode> {
        match self.all[node] {
            GraphNode::Step(..) => None,
            GraphNode::Auxiliary(auxiliary) => Some(auxiliary),
        }
    }

    /// Returns the id of an auxiliary node. Adds the node if it is new.
    pub(crate) fn of(&mut self, auxiliary: AuxiliaryNode) -> GraphNodeId {
        let all = &mut self.all;
        *self.auxiliary.entry(auxiliary).or_insert_with(|| all.push(GraphNode::Auxiliary(auxiliary)))
    }

    /// Returns the node of the target of a reference in a module.
    pub(crate) fn of_target(&self, config: &Config, module: NodeId, target: &Target) -> Option<GraphNodeId> {
        let step = match target {
            Target::Variable(id) => Step::Variable(*id),
            Target::Local(id) => Step::Local(*id),
            Target::Resource(id) => Step::Resource(*id),
            Target::Module(call, output) => {
                let called = config.node(module).called[*call]?;
                return match output {
                    Some(output) => {
                        let output = config.node(called).module.outputs.id_of(output)?;
                        Some(self.of_step(called, Step::Output(output)))
                    }
                    None => self.auxiliary.get(&AuxiliaryNode::Whole(called)).copied(),
                };
            }
        };
        Some(self.of_step(module, step))
    }

    /// Returns the nodes of the objects of a module that have a value. Assertions have none.
    pub(crate) fn with_values(&self, module: NodeId) -> impl Iterator<Item = (GraphNodeId, Step)> {
        let ModuleSteps { calls, variables, locals, resources, outputs, checks: _ } = &self.steps[module];
        let all = calls.iter().chain(variables).chain(locals).chain(resources).chain(outputs);
        all.filter_map(|node| Some((*node, self.step(*node)?.step)))
    }
}
