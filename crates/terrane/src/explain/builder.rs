//! The graph of an explanation under construction. Other files of this folder add nodes and inputs to it.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_config::address::{Address, Object};
use terrane_config::ids::{Arena, Id as _};
use terrane_config::{InstanceKey, ModulePath};
use terrane_function::Meter;
use terrane_module::model::ids::{CallId, LocalId, OutputId, ResourceId, VariableId};
use terrane_module::place::{BlockScopes, ScopeBlock};
use terrane_module::{Evaluation, InstanceId, Module, ModuleInstance, NodeId};
use terrane_source::Files;
use terrane_syntax::Expression;
use terrane_value::{Marks, Value};

use super::declared::DeclaredSecrets;
use super::model::{ExplainNode, ExplainNodeId, ExplainedLevels, InputRole, NodeInput, NodeKind};
use super::path::Key;
use super::site::{ExplainSite, ExpressionPart, Placed, SiteNumber};
use crate::decisive::quarter;
use crate::report::Report;
use crate::secrets::{Secrets, has_secret, is_hidden};

/// Limit on the nodes of an explanation that have inputs.
const MAX_NODES: usize = 5000;

/// Limit on all nodes of an explanation, because a list may have a million elements. Nodes that are found together may
/// exceed it by a few.
const MAX_INPUTS: usize = 100_000;

/// The most bytes of the texts of all expressions.
const MAX_TEXT: usize = 16 << 20;

/// The number of nodes for which memory is reserved at the start.
const TYPICAL_NODES: usize = 448;

/// The memory in bytes reserved for the name of an object. Most names are shorter.
const MAX_OF_NAME: usize = 40;

/// An object of a module instance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ObjectRef {
    pub(super) instance: InstanceId,
    pub(super) object: ObjectId,
}

/// An object of a module, by its id.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum ObjectId {
    Variable(VariableId),
    Local(LocalId),
    Output(OutputId),
    /// An instance of a resource. Without a key, all instances.
    Resource(ResourceId, InstanceKey),
    /// An instance of a module call. Without a key, all instances.
    Call(CallId, InstanceKey),
}

/// An object, or a part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ObjectPart {
    pub(super) object: ObjectRef,
    /// The path in the value of the object. Empty for the whole object.
    pub(super) path: Vec<Key>,
}

/// The part that a node stands for. Its inputs are not found yet.
pub(super) enum Task<'r> {
    Object(ObjectPart),
    Part(ExpressionPart<'r>, Vec<Key>),
}

/// The progress of a node behind the last level of a text.
enum Behind<'r> {
    /// Neither the value nor the inputs have been found.
    New(Task<'r>),
    /// The value has been found, but not the inputs. Holds the value of the whole object or expression.
    Filled(Task<'r>, Value),
}

/// The nodes so far, and the tasks of finding their inputs.
pub(super) struct Builder<'r> {
    pub(super) report: &'r Report,
    pub(super) files: &'r dyn Files,
    pub(super) secrets: Secrets,
    pub(super) nodes: Arena<ExplainNodeId, ExplainNode>,
    pub(super) is_truncated: bool,
    /// The nodes of objects and of their parts, so that each becomes one node.
    nodes_of_parts: HashMap<ObjectPart, ExplainNodeId, RandomState>,
    left: Vec<(ExplainNodeId, Task<'r>)>,
    /// Whether nodes are now added behind the last level of a text, which does not show them.
    is_behind: bool,
    /// Nodes behind the last level, until a search for a cause asks for their inputs.
    behind: HashMap<ExplainNodeId, Behind<'r>, RandomState>,
    /// Pairs of a node and one of its inputs.
    edges: HashSet<(ExplainNodeId, ExplainNodeId), RandomState>,
    /// The nodes whose values are secret only because of a declaration around their expressions, so none of their inputs is the
    /// cause.
    pub(super) declared_secrets: HashSet<ExplainNodeId, RandomState>,
    /// Counts the steps and memory of all evaluations of parts.
    pub(super) meter: Arc<Meter>,
    /// The number of bytes left for the texts of expressions.
    text_left: Cell<usize>,
    /// The paths of module instances as prefixes of the names of their objects.
    prefixes: RefCell<HashMap<InstanceId, Arc<str>, RandomState>>,
    scopes: RefCell<BlockScopes<'r>>,
    /// The sites of blocks so far. Each keeps the values of its expressions.
    sites: RefCell<HashMap<SiteKey, ExplainSite<'r>, RandomState>>,
    /// The sites of turns of loops, by the place of the loop and the position of the turn.
    pub(super) turns: RefCell<HashMap<(Placed, usize), ExplainSite<'r>, RandomState>>,
    /// The values of instances that share a value with other instances of their block.
    pub(super) instance_values: RefCell<HashMap<(InstanceId, ResourceId, InstanceKey), Value, RandomState>>,
    /// The secrets that the schemas of resources declare, by the directory of the module and the resource.
    pub(super) declared: RefCell<HashMap<(NodeId, ResourceId), Arc<DeclaredSecrets<'r>>, RandomState>>,
}

/// One instance of a block in a module instance.
#[derive(PartialEq, Eq, Hash)]
struct SiteKey {
    instance: InstanceId,
    block: ScopeBlock,
    key: InstanceKey,
}

/// The call that a module instance comes from.
pub(super) struct Caller {
    /// The module instance that contains the call.
    pub(super) instance: InstanceId,
    pub(super) call: CallId,
    /// The instance key of the called module.
    pub(super) key: InstanceKey,
}

impl<'r> Builder<'r> {
    pub(super) fn new(report: &'r Report, secrets: Secrets, files: &'r dyn Files) -> Builder<'r> {
        Builder {
            report,
            files,
            secrets,
            nodes: Arena::default(),
            is_truncated: false,
            nodes_of_parts: HashMap::with_capacity_and_hasher(TYPICAL_NODES, RandomState::default()),
            left: Vec::new(),
            is_behind: false,
            behind: HashMap::default(),
            edges: HashSet::with_capacity_and_hasher(TYPICAL_NODES, RandomState::default()),
            declared_secrets: HashSet::default(),
            meter: Arc::new(quarter(&report.evaluation().config.request.limits)),
            text_left: Cell::new(MAX_TEXT),
            prefixes: RefCell::default(),
            scopes: RefCell::new(BlockScopes::new(report.evaluation(), files)),
            sites: RefCell::default(),
            turns: RefCell::default(),
            instance_values: RefCell::default(),
            declared: RefCell::default(),
        }
    }

    pub(super) fn evaluation(&self) -> &'r Evaluation {
        self.report.evaluation()
    }

    pub(super) fn instance(&self, id: InstanceId) -> &'r ModuleInstance {
        &self.evaluation().instances()[id]
    }

    pub(super) fn module(&self, id: InstanceId) -> &'r Module {
        &self.evaluation().config.node(self.instance(id).node).module
    }

    /// Returns the module instance at a path.
    pub(super) fn instance_at(&self, path: &ModulePath) -> Option<InstanceId> {
        self.evaluation().instance_at(path)
    }

    /// Returns the call that a module instance comes from. `None` for the root module.
    pub(super) fn caller(&self, id: InstanceId) -> Option<Caller> {
        let instance = self.instance(id);
        let (path, last) = instance.path.split_last()?;
        let call = self.evaluation().config.node(instance.node).caller?.call;
        Some(Caller { instance: self.instance_at(&path)?, call, key: last.key.clone() })
    }

    /// Whether a value is hidden, so that nothing shown may depend on it.
    pub(super) fn hides(&self, value: &Value) -> bool {
        is_hidden(value, self.secrets)
    }

    /// Returns the site of the expressions of a block.
    pub(super) fn site(
        &self,
        instance: InstanceId,
        block: ScopeBlock,
        key: &InstanceKey,
    ) -> Option<ExplainSite<'r>> {
        let site_key = SiteKey { instance, block, key: key.clone() };
        let cached = self.sites.borrow().get(&site_key).cloned();
        cached.or_else(|| {
            let scope = self.scopes.borrow_mut().scope(instance, block, key)?;
            let scope = scope.metered(Arc::clone(&self.meter));
            let site =
                ExplainSite::new(instance, block, key.clone(), scope, self.files).numbered(self.next_site());
            self.sites.borrow_mut().insert(site_key, site.clone());
            Some(site)
        })
    }

    /// Returns an unused number for a site that is kept.
    pub(super) fn next_site(&self) -> SiteNumber {
        SiteNumber(self.sites.borrow().len() + self.turns.borrow().len())
    }

    /// Returns an expression of an object without instances.
    pub(super) fn single(&self, instance: InstanceId, expression: &Expression) -> Option<ExpressionPart<'r>> {
        let site = self.site(instance, ScopeBlock::Single, &InstanceKey::None)?;
        Some(site.part(expression.clone()))
    }

    pub(super) fn address(&self, object: &ObjectRef) -> Address {
        Address { module: self.instance(object.instance).path.clone(), object: self.named(object) }
    }

    /// Returns the address as text.
    pub(super) fn address_text(&self, object: &ObjectRef) -> String {
        let prefix = Arc::clone(self.prefixes.borrow_mut().entry(object.instance).or_insert_with(|| {
            let path = &self.instance(object.instance).path;
            if path.is_root() { Arc::from("") } else { Arc::from(format!("{path}.")) }
        }));
        let module = self.module(object.instance);
        let short = match &object.object {
            ObjectId::Variable(id) => Some(("var.", module.variables.entry_of(*id).0)),
            ObjectId::Local(id) => Some(("local.", module.locals.entry_of(*id).0)),
            ObjectId::Output(id) => Some(("output.", module.outputs.entry_of(*id).0)),
            ObjectId::Resource(..) | ObjectId::Call(..) => None,
        };
        let mut text = String::with_capacity(prefix.len() + MAX_OF_NAME);
        text.push_str(&prefix);
        match short {
            Some((kind, name)) => text.extend([kind, name.as_str()]),
            // Writing to a string cannot fail.
            None => _ = write!(text, "{}", self.named(object)),
        }
        text
    }

    /// Returns the name of an object in its module.
    fn named(&self, object: &ObjectRef) -> Object {
        let module = self.module(object.instance);
        match &object.object {
            ObjectId::Variable(id) => Object::Variable(module.variables.entry_of(*id).0.clone()),
            ObjectId::Local(id) => Object::Local(module.locals.entry_of(*id).0.clone()),
            ObjectId::Output(id) => Object::Output(module.outputs.entry_of(*id).0.clone()),
            ObjectId::Resource(id, key) => module.resources.entry_of(*id).0.object(key.clone()),
            ObjectId::Call(id, key) => Object::ModuleCall(module.calls.entry_of(*id).0.clone(), key.clone()),
        }
    }

    /// Returns the expression as written, without secrets. `None` if all of it is a secret, or if the texts would exceed their
    /// limit together.
    pub(super) fn text(&self, part: &ExpressionPart<'r>) -> Option<String> {
        let left = self.text_left.get().checked_sub(part.expression.span().len() as usize)?;
        let text = part.text();
        self.text_left.set(text.as_ref().map_or(self.text_left.get(), |_| left));
        text
    }

    /// Whether evaluations of parts have exceeded a limit.
    pub(super) fn is_stopped(&self) -> bool {
        self.meter.is_stopped()
    }

    /// Adds a node.
    pub(super) fn add(&mut self, node: ExplainNode) -> ExplainNodeId {
        self.nodes.push(node)
    }

    /// Adds a node. Its value and inputs are found later.
    pub(super) fn add_task(&mut self, node: ExplainNode, task: Task<'r>) -> ExplainNodeId {
        let id = self.add(node);
        match self.is_behind {
            false => self.left.push((id, task)),
            true => drop(self.behind.insert(id, Behind::New(task))),
        }
        id
    }

    /// Finds the values and the inputs of the nodes on these levels from the nodes so far. Nodes behind them are found by
    /// [`Builder::reach`] and [`Builder::open`] if they are on the way to a cause. Returns the most levels of a text.
    pub(super) fn expand(&mut self, levels: ExplainedLevels) -> usize {
        let mut level = 0;
        while !self.left.is_empty() {
            self.is_behind = level >= levels.most() || levels.is_full(self.nodes.len());
            for (node, task) in std::mem::take(&mut self.left) {
                let whole = self.fill_task(node, &task, true);
                self.find_inputs(node, task, &whole);
            }
            if self.is_behind {
                return level;
            }
            level += 1;
        }
        levels.most()
    }

    /// Finds the value of a node behind the last level.
    pub(super) fn reach(&mut self, node: ExplainNodeId) {
        let Some(found) = self.behind.remove(&node) else { return };
        let found = match found {
            Behind::New(task) => {
                let whole = self.fill_task(node, &task, false);
                Behind::Filled(task, whole)
            }
            filled @ Behind::Filled(..) => filled,
        };
        self.behind.insert(node, found);
    }

    /// Finds the inputs of a node behind the last level. A known value that is no secret has no cause, so its inputs are not
    /// needed.
    pub(super) fn open(&mut self, node: ExplainNodeId) {
        self.reach(node);
        let has_cause = |node: &ExplainNode| !node.value.is_wholly_known() || has_secret(&node.value);
        if has_cause(&self.nodes[node])
            && let Some(Behind::Filled(task, whole)) = self.behind.remove(&node)
        {
            self.find_inputs(node, task, &whole);
        }
    }

    /// Fills in a node; its text only if `is_shown`. Returns the value of the whole object or expression.
    fn fill_task(&mut self, node: ExplainNodeId, task: &Task<'r>, is_shown: bool) -> Value {
        match task {
            Task::Object(ObjectPart { object, path }) => self.fill(node, object, path),
            Task::Part(part, path) => self.fill_part(node, part, path, is_shown),
        }
    }

    /// Finds the inputs of a node. Nodes beyond the limit get no inputs.
    fn find_inputs(&mut self, node: ExplainNodeId, task: Task<'r>, whole: &Value) {
        if node.index() >= MAX_NODES {
            self.is_truncated = true;
            return;
        }
        match task {
            Task::Object(ObjectPart { object, path }) => self.expand_object(node, &object, whole, &path),
            Task::Part(part, path) => self.expand_part(node, &part, &path),
        }
    }

    /// Whether the explanation has as many nodes as its limit allows. Marks it as truncated then, because an input is left out.
    pub(super) fn is_full(&mut self) -> bool {
        let is_full = self.nodes.len() >= MAX_INPUTS;
        self.is_truncated |= is_full;
        is_full
    }

    /// Returns the node of a part of an object.
    pub(super) fn object(&mut self, part: ObjectPart) -> ExplainNodeId {
        if let Some(node) = self.nodes_of_parts.get(&part) {
            return *node;
        }
        let task = Task::Object(part.clone());
        let node = self.add_task(ExplainNode::new(NodeKind::Local, Value::NULL), task);
        self.nodes_of_parts.insert(part, node);
        node
    }

    /// Adds an input of a node.
    pub(super) fn input(&mut self, node: ExplainNodeId, input: NodeInput) {
        self.edges.insert((node, input.node));
        self.nodes[node].inputs.push(input);
    }

    /// Whether a node is already an input of another node.
    pub(super) fn is_input(&self, node: ExplainNodeId, input: ExplainNodeId) -> bool {
        self.edges.contains(&(node, input))
    }

    /// Records how the value of a node was chosen.
    pub(super) fn how(&mut self, node: ExplainNodeId, how: impl Into<String>) {
        self.nodes[node].how = Some(how.into());
    }
}

impl ObjectRef {
    /// Returns the object as a part: the whole of it.
    pub(super) fn whole(self) -> ObjectPart {
        self.part(Vec::new())
    }

    /// Returns a part of the object.
    pub(super) fn part(self, path: Vec<Key>) -> ObjectPart {
        ObjectPart { object: self, path }
    }
}

impl NodeInput {
    pub(super) fn taken(node: ExplainNodeId, role: InputRole) -> NodeInput {
        NodeInput { node, role, key: None, is_taken: true }
    }

    pub(super) fn passed_over(node: ExplainNodeId, role: InputRole) -> NodeInput {
        NodeInput { node, role, key: None, is_taken: false }
    }

    pub(super) fn keyed(self, key: impl Into<String>) -> NodeInput {
        NodeInput { key: Some(key.into()), ..self }
    }
}

/// Returns a part of an expression whose values are secret if the part of the object that it sets is.
pub(super) fn secret<'r>(mut part: ExpressionPart<'r>, is_secret: bool) -> ExpressionPart<'r> {
    part.site.is_secret |= is_secret;
    part
}

/// Marks a value as sensitive.
pub(super) fn hidden(value: Value) -> Value {
    value.with_marks(&Marks::sensitive())
}
