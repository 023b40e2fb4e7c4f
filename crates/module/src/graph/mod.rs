//! In which order to evaluate: a graph of all objects of all modules, and its order.
//!
//! The graph is about blocks, not about instances, as in the reference: an object is evaluated for all instances
//! of its module at once, when everything that it refers to has been.

pub(crate) mod ancestry;
pub(crate) mod nodes;
pub(crate) mod used_providers;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use terrane_config::address::{Address, InstanceKey, Object};
use terrane_config::digraph::Digraph;
use terrane_config::{Declaration, Dependencies, Dependency};
use terrane_eval::references;
use terrane_source::{Diagnostic, Diagnostics, SourceFile, Span, ids};

use crate::graph::ancestry::Ancestry;
use crate::graph::nodes::{Nodes, Other};
use crate::model::ids::{CallId, CheckId, LocalId, NodeId, OutputId, ResourceId, VariableId};
use crate::model::module::{Import, Repetition};
use crate::model::references::Target;
use crate::model::tree::{Config, ModuleNode};
use crate::rules::phase::Phase;

/// Something to evaluate: an object of one module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Step {
    /// How many instances a module call has.
    Call(CallId),
    /// An input variable.
    Variable(VariableId),
    /// A local value.
    Local(LocalId),
    /// A resource, with all its instances.
    Resource(ResourceId),
    /// An output.
    Output(OutputId),
    /// The assertions of a `check` block.
    Check(CheckId),
}

/// The steps in an order in which each comes after all that it refers to.
#[derive(Debug)]
pub struct Order {
    /// The steps.
    pub steps: Vec<(NodeId, Step)>,
    /// The steps on a cycle, which cannot be evaluated.
    pub cyclic: HashSet<(NodeId, Step)>,
    /// What each depends on; nothing where there are cycles.
    pub(crate) ancestry: Option<Ancestry>,
}

/// Orders all objects of `config`. Cycles are reported.
pub fn order(config: &Config, diagnostics: &mut Diagnostics) -> Order {
    let mut builder = Builder::new(config);
    builder.add_edges();
    builder.add_waits_for_imports();
    let graph = builder.graph_of_order();
    // Steps that do not depend on each other keep the order of the source, so that mistakes are reported in that order.
    // What is no step does not wait for others.
    let sorted = graph.sorted(|node| builder.nodes.step(node));
    if sorted.len() == graph.nodes() {
        let steps = sorted.iter().filter_map(|node| builder.nodes.step(*node)).collect();
        let ancestry = Some(Ancestry::new(graph, builder.nodes, sorted));
        return Order { steps, cyclic: HashSet::new(), ancestry };
    }
    builder.order_with_cycles(&graph, diagnostics)
}

/// What refers to what in `config`. Cycles are reported, and are in the result.
pub fn dependencies(config: &Config, diagnostics: &mut Diagnostics) -> Dependencies {
    order(config, diagnostics);
    let mut builder = Builder::new(config);
    builder.add_edges();
    builder.add_imports();
    let steps = builder.nodes.steps.iter().map(|(id, step)| Dependency {
        address: address(config, *id, *step),
        declaration: declaration(config, *id, *step).cloned(),
    });
    let others = builder.nodes.others.iter().filter_map(|other| other.object(config));
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

/// Builds the graph: an edge leads from an object to what it refers to.
struct Builder<'b> {
    config: &'b Config,
    nodes: Nodes,
    /// The modules whose node for everything in them has its edges.
    wholes: HashSet<NodeId>,
    edges: Vec<(u32, u32)>,
}

impl Other {
    /// What it is for who looks for a cycle.
    fn on_cycle(self, config: &Config) -> Option<String> {
        match self {
            Other::Whole(module) => Some(format!("everything in `{}`", config.node(module).path)),
            Other::Import(..) | Other::Provider(..) => {
                let Dependency { address, declaration } = self.object(config)?;
                Some(located(&format!("`{address}`"), declaration.as_ref()))
            }
        }
    }
}

impl<'b> Builder<'b> {
    fn new(config: &'b Config) -> Builder<'b> {
        Builder { config, nodes: Nodes::new(config), wholes: HashSet::new(), edges: Vec::new() }
    }

    fn graph(&self) -> Digraph {
        Digraph::new(self.nodes.len(), self.edges.iter().copied())
    }

    /// The graph for the order. Whether a resource may refer to itself depends on how many instances it has.
    fn graph_of_order(&self) -> Digraph {
        let is_resource = |node: u32| matches!(self.nodes.step(node as usize), Some((_, Step::Resource(_))));
        let edges = self.edges.iter().copied().filter(|(from, to)| from != to || !is_resource(*from));
        Digraph::new(self.nodes.len(), edges)
    }

    /// The order where there are cycles: each is taken as one, and reported.
    fn order_with_cycles(&self, graph: &Digraph, diagnostics: &mut Diagnostics) -> Order {
        let groups = graph.groups();
        let members =
            |group: &[usize]| group.iter().filter_map(|node| self.nodes.step(*node)).collect::<Vec<_>>();
        let mut group_of = vec![0; graph.nodes()];
        let mut cyclic = HashSet::new();
        for (number, group) in (0..).zip(&groups) {
            for node in group {
                if let Some(slot) = group_of.get_mut(*node) {
                    *slot = number;
                }
            }
            if graph.is_cycle(group) {
                let members = members(group);
                report_cycle(self.config, &members, &self.others_of(group), diagnostics);
                cyclic.extend(members);
            }
        }
        let of = |node: u32| group_of.get(node as usize).copied().unwrap_or_default();
        let edges = graph.edges().map(|(from, to)| (of(from), of(to)));
        let first = |group: usize| groups.get(group).and_then(|group| members(group).first().copied());
        let sorted = Digraph::new(groups.len(), edges.filter(|(from, to)| from != to)).sorted(first);
        let steps = sorted.into_iter().filter_map(|group| groups.get(group)).flat_map(|group| members(group));
        Order { steps: steps.collect(), cyclic, ancestry: None }
    }

    /// The nodes of a group that are no steps.
    fn others_of(&self, group: &[usize]) -> Vec<Other> {
        group.iter().filter_map(|node| self.nodes.other(*node)).collect()
    }

    /// Whether the edge only says that an object belongs to a module call that has one instance in any case.
    fn is_implied(&self, from: usize, to: usize) -> bool {
        let (Some((id, _)), Some((caller, Step::Call(call)))) = (self.nodes.step(from), self.nodes.step(to))
        else {
            return false;
        };
        let module = &self.config.node(caller).module;
        self.config.node(id).caller == Some((caller, call))
            && matches!(module.calls.at(call).repetition, Repetition::Once)
            && module.references.calls[call].depends_on.is_empty()
    }

    fn edge(&mut self, from: (NodeId, Step), to: (NodeId, Step)) {
        let (from, to) =
            (self.nodes.index(self.config, from.0, from.1), self.nodes.index(self.config, to.0, to.1));
        self.add_edge(from, to);
    }

    fn add_edge(&mut self, from: usize, to: usize) {
        // There are fewer objects than bytes in the sources, and of a source not more than fit.
        if let (Ok(from), Ok(to)) = (u32::try_from(from), u32::try_from(to)) {
            self.edges.push((from, to));
        }
    }

    fn add_edges(&mut self) {
        for (id, node) in self.config.nodes() {
            let module = &node.module;
            let references = &module.references;
            for (index, provider) in references.providers.iter().enumerate() {
                let from = self.node_of(Other::Provider(id, index));
                self.add_targets(from, id, node, provider.targets.iter());
            }
            for (call_id, call) in references.calls.enumerate() {
                let from = (id, Step::Call(call_id));
                self.add(from, id, node, call.repetition.iter().chain(&call.depends_on));
            }
            for variable in module.variables.ids() {
                self.add_variable(id, node, variable);
            }
            for (local, targets) in references.locals.enumerate() {
                self.add((id, Step::Local(local)), id, node, targets.iter());
            }
            for (resource_id, resource) in references.resources.enumerate() {
                let own = resource.repetition.iter().chain(&resource.config).chain(&resource.prevent_destroy);
                // Other arguments than its own may name their own resource, which is no cycle.
                let others = resource.conditions.iter().chain(&resource.depends_on);
                let others = others.chain(&resource.provisioners).chain(&resource.triggers);
                let others = others.filter(|target| **target != Target::Resource(resource_id));
                self.add((id, Step::Resource(resource_id)), id, node, own.chain(others));
                self.add_provider(id, resource_id);
            }
            for (output_id, output) in references.outputs.enumerate() {
                let targets = output.value.iter().chain(&output.preconditions).chain(&output.depends_on);
                self.add((id, Step::Output(output_id)), id, node, targets);
            }
            for (check, targets) in references.checks.enumerate() {
                self.add((id, Step::Check(check)), id, node, targets.iter());
            }
        }
    }

    /// A resource depends on the configuration of its provider.
    fn add_provider(&mut self, id: NodeId, resource_id: ResourceId) {
        let ((_, resource_type, _), resource) = self.config.node(id).module.resources.entry_of(resource_id);
        let alias = resource.provider.as_ref().and_then(|provider| provider.alias.as_deref());
        let name = resource.local_provider(resource_type);
        if let Some((owner, provider)) = used_providers::configuration(self.config, id, name, alias) {
            let to = self.node_of(Other::Provider(owner, provider));
            self.add_edge(self.nodes.index(self.config, id, Step::Resource(resource_id)), to);
        }
    }

    /// An import depends on what it imports, and on what its arguments refer to.
    fn add_imports(&mut self) {
        for (id, node) in self.config.nodes() {
            let imports = node.module.imports.iter().zip(&node.module.references.imports);
            for (index, (import, references)) in imports.enumerate() {
                let from = self.node_of(Other::Import(id, index));
                self.add_targets(from, id, node, references.targets.iter());
                if let Some(to) = self.imported(id, import) {
                    self.add_edge(from, to);
                }
            }
        }
    }

    /// What is imported is planned when it is known what it is, so it waits for what the import is made of. An argument
    /// that names what is imported has an error of its own.
    fn add_waits_for_imports(&mut self) {
        for (id, node) in self.config.nodes() {
            let imports = node.module.imports.iter().zip(&node.module.references.imports);
            for (index, (import, references)) in imports.enumerate() {
                let Some(imported) = self.imported(id, import) else { continue };
                let waits = self.node_of(Other::Import(id, index));
                let itself = |target: &Target| matches!(target, Target::Resource(target) if self.nodes.index(self.config, id, Step::Resource(*target)) == imported);
                let targets: Vec<Target> =
                    references.targets.iter().filter(|target| !itself(target)).cloned().collect();
                self.add_edge(imported, waits);
                self.add_targets(waits, id, node, targets.iter());
            }
        }
    }

    /// The node of the resource that is imported.
    fn imported(&self, id: NodeId, import: &Import) -> Option<usize> {
        let mut owner = id;
        for step in import.to.module.steps() {
            let node = self.config.node(owner);
            owner = node.called[node.module.calls.id_of(&step.name)?]?;
        }
        let resource = import.to.resource.as_ref()?;
        let resource = self.config.node(owner).module.resources.id_of(resource)?;
        Some(self.nodes.index(self.config, owner, Step::Resource(resource)))
    }

    /// The node of something that is no step.
    fn node_of(&mut self, other: Other) -> usize {
        self.nodes.of(other)
    }

    /// A variable depends on the argument in the caller's block, and on what its conditions read.
    fn add_variable(&mut self, id: NodeId, node: &ModuleNode, variable: VariableId) {
        let from = (id, Step::Variable(variable));
        let (name, _) = node.module.variables.entry_of(variable);
        // The condition is about the variable itself, which is no cycle.
        let conditions = node.module.references.variables[variable].iter();
        let conditions = conditions.filter(|target| **target != Target::Variable(variable));
        self.add(from, id, node, conditions);
        let Some((caller, call)) = node.caller else { return };
        let config = self.config;
        let caller_node = config.node(caller);
        if let Some(argument) = caller_node.module.calls.at(call).arguments.get_index_of(name) {
            let references = &caller_node.module.references.calls[call];
            let targets = references.arguments.get(argument).into_iter().flatten();
            self.add(from, caller, caller_node, targets);
        }
    }

    /// Edges from a step to the targets, which are names in the module `scope`.
    fn add<'t>(
        &mut self,
        from: (NodeId, Step),
        scope: NodeId,
        node: &ModuleNode,
        targets: impl Iterator<Item = &'t Target>,
    ) {
        if let Some((caller, call)) = self.config.node(from.0).caller {
            self.edge(from, (caller, Step::Call(call)));
        }
        self.add_targets(self.nodes.index(self.config, from.0, from.1), scope, node, targets);
    }

    fn add_targets<'t>(
        &mut self,
        from: usize,
        scope: NodeId,
        node: &ModuleNode,
        targets: impl Iterator<Item = &'t Target>,
    ) {
        for target in targets {
            match target {
                Target::Variable(id) => {
                    self.add_edge(from, self.nodes.index(self.config, scope, Step::Variable(*id)));
                }
                Target::Local(id) => {
                    self.add_edge(from, self.nodes.index(self.config, scope, Step::Local(*id)));
                }
                Target::Resource(id) => {
                    self.add_edge(from, self.nodes.index(self.config, scope, Step::Resource(*id)));
                }
                Target::Module(call, output) => {
                    let call = *call;
                    self.add_edge(from, self.nodes.index(self.config, scope, Step::Call(call)));
                    let Some(called) = node.called[call] else { continue };
                    match output {
                        Some(output) => {
                            let output = self.config.node(called).module.outputs.id_of(output);
                            if let Some(output) = output {
                                let output = self.nodes.index(self.config, called, Step::Output(output));
                                self.add_edge(from, output);
                            }
                        }
                        None => {
                            let whole = self.whole(called);
                            self.add_edge(from, whole);
                        }
                    }
                }
            }
        }
    }

    /// The node that stands for everything in a module: with an edge for each pair of a reference and an object in it there
    /// would be too many. What is only checked gives nobody a value, so nothing waits for it.
    fn whole(&mut self, module: NodeId) -> usize {
        let first = self.node_of(Other::Whole(module));
        let mut left = vec![module];
        while let Some(module) = left.pop() {
            // A module that was met is complete.
            if !self.wholes.insert(module) {
                continue;
            }
            let whole = self.node_of(Other::Whole(module));
            let node = self.config.node(module);
            if let Some((caller, call)) = node.caller {
                self.add_edge(whole, self.nodes.index(self.config, caller, Step::Call(call)));
            }
            for position in self.nodes.positions(module) {
                let is_checked = match self.nodes.step(position) {
                    Some((_, Step::Check(_))) | None => true,
                    Some((_, Step::Resource(id))) => node.module.resources.at(id).check.is_some(),
                    Some((_, Step::Call(_) | Step::Variable(_) | Step::Local(_) | Step::Output(_))) => false,
                };
                if !is_checked {
                    self.add_edge(whole, position);
                }
            }
            for called in node.called.iter().flatten() {
                let inner = self.node_of(Other::Whole(*called));
                self.add_edge(whole, inner);
                left.push(*called);
            }
        }
        first
    }
}

/// The address of a step, for messages.
pub(crate) fn address(config: &Config, id: NodeId, step: Step) -> Address {
    let node = config.node(id);
    let module = &node.module;
    let object = match step {
        Step::Call(id) => Object::ModuleCall(module.calls.entry_of(id).0.clone(), InstanceKey::None),
        Step::Variable(id) => Object::Variable(module.variables.entry_of(id).0.clone()),
        Step::Local(id) => Object::Local(module.locals.entry_of(id).0.clone()),
        Step::Output(id) => Object::Output(module.outputs.entry_of(id).0.clone()),
        Step::Check(id) => Object::Check(module.checks.entry_of(id).0.clone()),
        Step::Resource(id) => {
            let ((mode, resource_type, name), _) = module.resources.entry_of(id);
            Object::Resource(*mode, resource_type.clone(), name.clone(), InstanceKey::None)
        }
    };
    Address { module: node.path.clone(), object }
}

/// How many objects of a cycle are named.
const MOST_SHOWN: usize = 10;

/// Reports a cycle of steps, which may lead through other nodes, too.
fn report_cycle(
    config: &Config,
    members: &[(NodeId, Step)],
    others: &[Other],
    diagnostics: &mut Diagnostics,
) {
    let Some((id, step)) = members.first().copied() else { return };
    let is_alone = members.len() == 1 && others.is_empty();
    if let (true, Step::Resource(_), Phase::Validate) = (is_alone, step, config.request.phase) {
        // A validation knows nothing of resources anyway. The plan reports it.
        return;
    }
    let shown = members.get(..MOST_SHOWN).unwrap_or(members);
    let names: Vec<String> =
        shown.iter().map(|(id, step)| format!("`{}`", address(config, *id, *step))).collect();
    let places: Vec<Option<Declaration>> = shown.iter().map(|(id, step)| place(config, *id, *step)).collect();
    let mut diagnostic = if let ([name], true) = (names.as_slice(), is_alone) {
        let id = match step {
            Step::Local(_) => ids::SELF_REFERENCE_LOCAL,
            // The call waits for what is in the module, and that for the call.
            Step::Call(call) if depends_on_itself(config, id, call) => ids::CYCLE,
            Step::Call(_) | Step::Variable(_) | Step::Resource(_) | Step::Output(_) | Step::Check(_) => {
                ids::SELF_REFERENCE
            }
        };
        Diagnostic::error(id, format!("{name} refers to itself, so it has no value. Remove the reference."))
    } else {
        let mut listed: Vec<String> =
            names.iter().zip(&places).map(|(name, place)| located(name, place.as_ref())).collect();
        if members.len() > MOST_SHOWN {
            listed.push(format!("and {} more", members.len() - MOST_SHOWN));
        }
        listed.extend(others.iter().filter_map(|other| other.on_cycle(config)).take(MOST_SHOWN));
        let detail = format!(
            "These refer to each other in a cycle, so none of them has a value: {}. Remove one of the references.",
            listed.join(", ")
        );
        Diagnostic::error(ids::CYCLE, detail)
    };
    if let (1, Some((file, span))) = (members.len(), self_reference(config, id, step)) {
        diagnostic = diagnostic.at(&file, span);
    } else if let Some(Some(first)) = places.first() {
        diagnostic = diagnostic.at(&first.file, first.span);
        for (other, name) in places.iter().zip(&names).skip(1) {
            if let Some(other) = other.as_ref().filter(|other| other.file.id() == first.file.id()) {
                diagnostic = diagnostic.label(other.span, format!("{name} is on the cycle"));
            }
        }
    }
    diagnostics.push(diagnostic);
}

/// Whether a module call names itself in `depends_on`.
fn depends_on_itself(config: &Config, id: NodeId, call: CallId) -> bool {
    let depends_on = &config.node(id).module.references.calls[call].depends_on;
    depends_on.iter().any(|target| matches!(target, Target::Module(named, _) if *named == call))
}

/// Where the object of a step gets what it depends on: a variable of a called module gets it from the caller's argument.
fn place(config: &Config, id: NodeId, step: Step) -> Option<Declaration> {
    if let (Step::Variable(variable), Some((caller, call))) = (step, config.node(id).caller) {
        let (name, _) = config.node(id).module.variables.entry_of(variable);
        let call = config.node(caller).module.calls.at(call);
        if let Some((span, value)) = call.arguments.get(name) {
            return Some(Declaration { file: Arc::clone(value.source()), span: *span });
        }
    }
    declaration(config, id, step).cloned()
}

/// A name with its place.
fn located(name: &str, place: Option<&Declaration>) -> String {
    let Some(place) = place else { return name.to_owned() };
    let position = place.file.lines().line_column(place.file.text(), place.span.start);
    format!("{name} ({}:{}:{})", place.file.id(), position.line, position.column)
}

/// Where the object of a step is declared.
fn declaration(config: &Config, id: NodeId, step: Step) -> Option<&Declaration> {
    let module = &config.node(id).module;
    match step {
        Step::Call(id) => Some(&module.calls.at(id).declaration),
        Step::Variable(id) => Some(&module.variables.at(id).declaration),
        Step::Local(id) => Some(&module.locals.at(id).declaration),
        Step::Resource(id) => Some(&module.resources.at(id).declaration),
        Step::Output(id) => Some(&module.outputs.at(id).declaration),
        Step::Check(id) => module.checks.at(id).first().map(|check| &check.declaration),
    }
}

/// Where a local value refers to itself.
fn self_reference(config: &Config, id: NodeId, step: Step) -> Option<(Arc<SourceFile>, Span)> {
    let Step::Local(local) = step else { return None };
    let (name, local) = config.node(id).module.locals.entry_of(local);
    let expression = &local.value;
    let wanted = format!("local.{name}");
    let references = references(expression);
    let itself = references.iter().find(|reference| {
        let text = expression.tree.slice(reference.span);
        text.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })?;
    Some((Arc::clone(expression.source()), itself.span))
}
