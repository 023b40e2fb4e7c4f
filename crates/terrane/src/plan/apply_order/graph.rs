//! The graph of an apply: edges lead from a step to the steps that it waits for.
//!
//! The edges follow the rules of Terraform 1.11. For blocks with many instances there would be an edge for each pair of
//! instances; a *junction* between the instances takes their place, so that the graph grows with the number of objects and
//! dependencies.

use std::collections::HashMap;

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_config::digraph::{Digraph, Edge};
use terrane_config::ids::Arena;
use terrane_module::Config;
use terrane_module::graph::object_references;
use terrane_module::model::references::Via;
use terrane_module::provider::ProviderAddress;
use terrane_value::SmolStr;

use super::objects::{AppliedObject, ChangeKind, Destruction};

terrane_config::ids! {
    /// A node of the graph.
    NodeId;
}

/// The change or the destruction of one object in an apply.
#[derive(Clone, Copy)]
pub(super) struct ApplyStep {
    /// The position of the object among the objects of the plan.
    pub(super) object: usize,
    pub(super) kind: StepKind,
}

#[derive(Clone, Copy)]
pub(super) enum StepKind {
    Change,
    Destruction,
}

/// A node without a step. It is reached when its condition holds.
#[derive(PartialEq, Eq, Hash)]
enum Point<'p> {
    /// All instances of an object of the configuration are up to date. The address has no keys.
    Object(Address),
    /// The objects that the block of a resource refers to are up to date.
    References(Address),
    /// All objects in a module and in the modules that it calls are up to date.
    Module(ModulePath),
    Junction(Junction<'p>),
    /// All objects have been created and changed, so that checks read their data sources.
    Checks,
}

/// Connects the objects of a block with the objects that depended on them, its *dependents*.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Junction<'p> {
    rule: Rule,
    block: SmolStr,
    /// The module instance, if the block and the dependents are in the same module. Objects in different instances of the
    /// module then do not wait for each other.
    instance: Option<&'p ModulePath>,
    /// The provider of both sides, if the rule only applies to objects of one provider.
    provider: Option<&'p ProviderAddress>,
}

/// Which side of a junction waits for the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Rule {
    /// Dependents change after the objects are destroyed.
    DependentsChangeLater,
    /// Dependents change before the objects are destroyed. The objects have `create_before_destroy`.
    DependentsChangeFirst,
    /// Dependents are destroyed before the objects are destroyed.
    DependentsAreDestroyedFirst,
    /// The objects change after dependents are destroyed.
    ObjectsChangeLater,
    /// The objects change before dependents are destroyed. The dependents have `create_before_destroy`.
    ObjectsChangeFirst,
}

/// The steps of an apply, with an edge from each step to the steps that it waits for.
pub(super) struct ApplyGraph<'p> {
    nodes: Arena<NodeId, Option<ApplyStep>>,
    points: HashMap<Point<'p>, NodeId>,
    edges: Vec<Edge<NodeId>>,
}

impl<'p> ApplyGraph<'p> {
    pub(super) fn of(config: &Config, objects: &'p [AppliedObject<'p>]) -> ApplyGraph<'p> {
        let mut graph = ApplyGraph { nodes: Arena::default(), points: HashMap::new(), edges: Vec::new() };
        graph.add_configuration(config);
        let modules: HashMap<&SmolStr, ModulePath> =
            objects.iter().map(|object| (&object.block, object.address.module.without_keys())).collect();
        // The changes come before the objects that are only destroyed.
        let mut changes: HashMap<&Address, NodeId> = HashMap::new();
        for (position, object) in objects.iter().enumerate() {
            let steps = graph.add_steps(position, object);
            changes.extend(steps.change.map(|change| (&object.address, change)));
            if let (Some(_), Some((destruction, _))) = (object.deposed, steps.destruction)
                && let Some(change) = changes.get(&object.address)
            {
                graph.connect(destruction, *change);
            }
            graph.add_as_dependency(object, &steps);
            for block in &object.dependencies {
                if let Some(module) = modules.get(block) {
                    let is_beside = *module == object.address.module.without_keys();
                    let instance = is_beside.then_some(&object.address.module);
                    graph.add_as_dependent(JunctionSide { object, block, instance }, &steps);
                }
            }
        }
        graph
    }

    /// Returns the groups of steps that wait for each other.
    pub(super) fn cycles(&self) -> Vec<Vec<ApplyStep>> {
        let graph = Digraph::new(&self.nodes, self.edges.iter().copied());
        let groups = graph.groups();
        let steps = |group: &Vec<NodeId>| group.iter().filter_map(|node| self.nodes[*node]).collect();
        groups.iter().filter(|group| graph.is_cycle(group)).map(steps).collect()
    }

    fn add_configuration(&mut self, config: &Config) {
        for reference in object_references(config) {
            // A condition may refer to its own object, which does not wait for itself.
            if matches!(reference.via, Via::Import) || reference.from == reference.to {
                continue;
            }
            let to = if let Object::ModuleCall(name, _) = &reference.to.object {
                Point::Module(reference.to.module.child(name, InstanceKey::None))
            } else {
                Point::Object(Address::clone(&reference.to))
            };
            self.connect_points(with_references(Address::clone(&reference.from)), to);
        }
        for (_, node) in config.nodes() {
            let resources = node.module.resources.keys().map(|key| key.object(InstanceKey::None));
            let objects = node.module.outputs.keys().cloned().map(Object::Output).chain(resources);
            for object in objects {
                let address = Address { module: node.path.clone(), object };
                if let Object::Resource { .. } = &address.object {
                    // A block without instances also waits for the objects that it refers to.
                    self.connect_points(Point::Object(address.clone()), Point::References(address.clone()));
                }
                if let Some((module, call)) = node.path.split_last() {
                    let call = Object::ModuleCall(call.name.clone(), InstanceKey::None);
                    self.connect_points(
                        with_references(address.clone()),
                        Point::Object(Address { module, object: call }),
                    );
                }
                self.connect_points(Point::Module(node.path.clone()), Point::Object(address));
            }
            if let Some((outer, _)) = node.path.split_last() {
                self.connect_points(Point::Module(outer), Point::Module(node.path.clone()));
            }
        }
    }

    /// Adds the steps of an object, and connects each with the objects of the configuration.
    fn add_steps(&mut self, position: usize, object: &AppliedObject<'_>) -> ObjectSteps {
        let step = |kind| Some(ApplyStep { object: position, kind });
        let change = object.change.as_ref().map(|_| self.nodes.push(step(StepKind::Change)));
        let destruction = object.destruction.map(|when| (self.nodes.push(step(StepKind::Destruction)), when));
        if let Some(change) = change {
            let block = object.address.without_keys();
            let done = self.point(Point::Object(block.clone()));
            let references = self.point(Point::References(block));
            self.connect(done, change);
            self.connect(change, references);
        }
        match (change, destruction) {
            (Some(change), Some((destruction, Destruction::First))) => self.connect(change, destruction),
            (Some(change), Some((destruction, Destruction::Last))) => self.connect(destruction, change),
            (_, _) => {}
        }
        let kind = object.change.as_ref().map(|change| change.kind);
        let change = change.filter(|_| kind != Some(ChangeKind::Kept));
        if let Some(change) = change {
            let checks = self.point(Point::Checks);
            match kind {
                Some(ChangeKind::ReadForCheck) => self.connect(change, checks),
                Some(ChangeKind::Changed | ChangeKind::Kept) | None => self.connect(checks, change),
            }
        }
        ObjectSteps { change, destruction }
    }

    /// Connects the steps of an object to the junctions of its block.
    fn add_as_dependency(&mut self, object: &'p AppliedObject<'p>, steps: &ObjectSteps) {
        for instance in [None, Some(&object.address.module)] {
            let side = JunctionSide { object, block: &object.block, instance };
            match steps.destruction {
                Some((destruction, Destruction::First)) => {
                    let junction = self.junction(side, Rule::DependentsChangeLater);
                    self.connect(junction, destruction);
                }
                Some((destruction, Destruction::Last)) => {
                    let junction = self.junction(side, Rule::DependentsChangeFirst);
                    self.connect(destruction, junction);
                }
                None => {}
            }
            if object.provider.is_none() {
                continue;
            }
            if let Some((destruction, _)) = steps.destruction {
                let junction = self.junction(side, Rule::DependentsAreDestroyedFirst);
                self.connect(destruction, junction);
            }
            if let Some(change) = steps.change {
                let junction = self.junction(side, Rule::ObjectsChangeLater);
                self.connect(change, junction);
                let junction = self.junction(side, Rule::ObjectsChangeFirst);
                self.connect(junction, change);
            }
        }
    }

    /// Connects the steps of an object to the junctions of a block that it depended on.
    fn add_as_dependent(&mut self, side: JunctionSide<'_, 'p>, steps: &ObjectSteps) {
        if let Some(change) = steps.change {
            let junction = self.junction(side, Rule::DependentsChangeLater);
            self.connect(change, junction);
            let junction = self.junction(side, Rule::DependentsChangeFirst);
            self.connect(junction, change);
        }
        let (Some((destruction, when)), Some(_)) = (steps.destruction, side.object.provider) else { return };
        let junction = self.junction(side, Rule::DependentsAreDestroyedFirst);
        self.connect(junction, destruction);
        match when {
            Destruction::First => {
                let junction = self.junction(side, Rule::ObjectsChangeLater);
                self.connect(junction, destruction);
            }
            Destruction::Last => {
                let junction = self.junction(side, Rule::ObjectsChangeFirst);
                self.connect(destruction, junction);
            }
        }
    }

    fn junction(&mut self, side: JunctionSide<'_, 'p>, rule: Rule) -> NodeId {
        let provider = match rule {
            Rule::DependentsChangeLater | Rule::DependentsChangeFirst => None,
            Rule::DependentsAreDestroyedFirst | Rule::ObjectsChangeLater | Rule::ObjectsChangeFirst => {
                side.object.provider
            }
        };
        let JunctionSide { block, instance, .. } = side;
        self.point(Point::Junction(Junction { rule, block: block.clone(), instance, provider }))
    }

    fn point(&mut self, point: Point<'p>) -> NodeId {
        let nodes = &mut self.nodes;
        *self.points.entry(point).or_insert_with(|| nodes.push(None))
    }

    fn connect_points(&mut self, from: Point<'p>, to: Point<'p>) {
        let (from, to) = (self.point(from), self.point(to));
        self.connect(from, to);
    }

    /// Records that the step `from` waits for `to`.
    fn connect(&mut self, from: NodeId, to: NodeId) {
        self.edges.push(Edge { from, to });
    }
}

/// The steps of an object. Without a change of the object there is no change step.
struct ObjectSteps {
    change: Option<NodeId>,
    destruction: Option<(NodeId, Destruction)>,
}

/// An object on one side of the junctions of a block.
#[derive(Clone, Copy)]
struct JunctionSide<'o, 'p> {
    object: &'p AppliedObject<'p>,
    block: &'o SmolStr,
    /// See [`Junction::instance`].
    instance: Option<&'p ModulePath>,
}

/// Returns the node for the references of an object.
fn with_references<'p>(object: Address) -> Point<'p> {
    let is_resource = matches!(object.object, Object::Resource { .. });
    if is_resource { Point::References(object) } else { Point::Object(object) }
}
