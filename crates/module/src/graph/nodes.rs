//! The objects of a configuration by number: the nodes of its graph.

use indexmap::IndexSet;
use terrane_config::Dependency;
use terrane_config::address::{Address, Object};

use crate::graph::step::Step;
use crate::model::ids::{Arena, Id, ImportId, NodeId, ProviderId};
use crate::model::module::Module;
use crate::model::references::Target;
use crate::model::tree::Config;

/// A node of the graph that is nothing to evaluate in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AuxiliaryNode {
    /// A provider configuration of a module.
    Provider(NodeId, ProviderId),
    /// An import of a module.
    Import(NodeId, ImportId),
    /// Everything in a module and in the modules that it calls, where something refers to the whole of it.
    Whole(NodeId),
}

impl AuxiliaryNode {
    /// The object of the node, for those who draw the graph.
    pub(crate) fn object(self, config: &Config) -> Option<Dependency> {
        let (id, object, declaration) = match self {
            AuxiliaryNode::Provider(id, provider) => {
                let (key, provider) = config.node(id).module.providers.entry_of(provider);
                (id, Object::Provider(key.clone()), &provider.declaration)
            }
            AuxiliaryNode::Import(id, import) => {
                let import = &config.node(id).module.imports[import];
                (id, Object::Import(import.to.to_string().into()), &import.declaration)
            }
            AuxiliaryNode::Whole(_) => return None,
        };
        let address = Address { module: config.node(id).path.clone(), object };
        Some(Dependency { address, declaration: Some(declaration.clone()) })
    }
}

/// The nodes: the steps of all modules, and the auxiliary behind them.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// The steps: the first nodes of the graph.
    pub(crate) steps: Vec<(NodeId, Step)>,
    /// Where the steps of each module begin.
    offsets: Arena<NodeId, usize>,
    /// The other nodes, which come after the steps.
    pub(crate) auxiliary: IndexSet<AuxiliaryNode>,
}

impl Nodes {
    pub(crate) fn new(config: &Config) -> Nodes {
        let mut steps = Vec::new();
        let mut offsets = Arena::default();
        for (id, node) in config.nodes() {
            offsets.push(steps.len());
            let module = &node.module;
            // In this order, because steps that do not depend on each other keep it.
            let calls = module.calls.ids().map(Step::Call);
            let variables = module.variables.ids().map(Step::Variable);
            let locals = module.locals.ids().map(Step::Local);
            let resources = module.resources.ids().map(Step::Resource);
            let outputs = module.outputs.ids().map(Step::Output);
            let checks = module.checks.ids().map(Step::Check);
            let all = calls.chain(variables).chain(locals).chain(resources).chain(outputs).chain(checks);
            steps.extend(all.map(|step| (id, step)));
        }
        let mut auxiliary = IndexSet::new();
        for (id, node) in config.nodes() {
            let Module { providers, imports, .. } = &*node.module;
            auxiliary.extend(providers.ids().map(|provider| AuxiliaryNode::Provider(id, provider)));
            auxiliary.extend(imports.ids().map(|import| AuxiliaryNode::Import(id, import)));
        }
        Nodes { steps, offsets, auxiliary }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.steps.len() + self.auxiliary.len()
    }

    /// The node of a step.
    pub(crate) fn index(&self, config: &Config, id: NodeId, step: Step) -> usize {
        let module = &config.node(id).module;
        let calls = module.calls.len();
        let variables = calls + module.variables.len();
        let locals = variables + module.locals.len();
        let resources = locals + module.resources.len();
        let outputs = resources + module.outputs.len();
        self.offsets[id]
            + match step {
                Step::Call(id) => id.index(),
                Step::Variable(id) => calls + id.index(),
                Step::Local(id) => variables + id.index(),
                Step::Resource(id) => locals + id.index(),
                Step::Output(id) => resources + id.index(),
                Step::Check(id) => outputs + id.index(),
            }
    }

    /// The step of a node.
    pub(crate) fn step(&self, node: usize) -> Option<(NodeId, Step)> {
        self.steps.get(node).copied()
    }

    /// The node of something other than a step.
    pub(crate) fn of(&mut self, other: AuxiliaryNode) -> usize {
        self.steps.len() + self.auxiliary.insert_full(other).0
    }

    /// The auxiliary node at a position.
    pub(crate) fn other(&self, node: usize) -> Option<AuxiliaryNode> {
        self.auxiliary.get_index(node.checked_sub(self.steps.len())?).copied()
    }

    /// The node of the target of a reference in a module.
    pub(crate) fn of_target(&self, config: &Config, module: NodeId, target: &Target) -> Option<usize> {
        let step = match target {
            Target::Variable(id) => Step::Variable(*id),
            Target::Local(id) => Step::Local(*id),
            Target::Resource(id) => Step::Resource(*id),
            Target::Module(call, output) => {
                let called = config.node(module).called[*call]?;
                return match output {
                    Some(output) => {
                        let output = config.node(called).module.outputs.id_of(output)?;
                        Some(self.index(config, called, Step::Output(output)))
                    }
                    None => {
                        Some(self.steps.len() + self.auxiliary.get_index_of(&AuxiliaryNode::Whole(called))?)
                    }
                };
            }
        };
        Some(self.index(config, module, step))
    }

    /// The nodes of the steps of a module.
    pub(crate) fn positions(&self, module: NodeId) -> std::ops::Range<usize> {
        let end = self.offsets.after(module).map_or(self.steps.len(), |next| self.offsets[next]);
        self.offsets[module]..end
    }
}
