use std::sync::Arc;

use terrane_value::{Origins, Value};

use crate::address::{InstanceKey, ModulePath};
use crate::load::NodeId;
use crate::module::Module;

/// One instance of a module, with the values of its objects in the order of the [`Module`]'s maps.
#[derive(Debug)]
pub struct ModuleInstance {
    /// Which module it is an instance of.
    pub node: NodeId,
    /// The calls that lead here, with instance keys.
    pub path: ModulePath,
    /// The instance whose `module` block calls it, by index; nothing for the root.
    pub(crate) parent: Option<usize>,
    /// What `count` and `each` mean in the arguments of its `module` block.
    pub(crate) repetition: RepetitionData,
    /// Values of the variables.
    pub variables: Vec<Value>,
    /// Values of the locals.
    pub locals: Vec<Value>,
    /// Values of the outputs.
    pub outputs: Vec<Value>,
    /// Instances of the resources.
    pub resources: Vec<Expansion<Value>>,
    /// Instances of the called modules, as indices into [`Evaluation::instances`](super::Evaluation::instances).
    pub calls: Vec<Expansion<usize>>,
}

impl ModuleInstance {
    pub(super) fn new(
        node: NodeId,
        path: ModulePath,
        parent: Option<usize>,
        repetition: RepetitionData,
        module: &Module,
    ) -> ModuleInstance {
        let unset = |count: usize| vec![Value::error(); count];
        ModuleInstance {
            node,
            path,
            parent,
            repetition,
            variables: unset(module.variables.len()),
            locals: unset(module.locals.len()),
            outputs: unset(module.outputs.len()),
            resources: module.resources.iter().map(|_| Expansion::Unknown(Origins::error())).collect(),
            calls: module.calls.iter().map(|_| Expansion::Unknown(Origins::error())).collect(),
        }
    }
}

/// The instances of a block.
#[derive(Clone, Debug)]
pub enum Expansion<T> {
    /// One, without key.
    Once(T),
    /// By `count`.
    Count(Vec<T>),
    /// By `for_each`, in key order.
    ForEach(Vec<(Arc<str>, T)>),
    /// Not known, because `count` or `for_each` is not, or because the module is not on disk.
    Unknown(Origins),
}

impl<T> Expansion<T> {
    /// The instances with their keys.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (InstanceKey, &T)> + '_> {
        match self {
            Expansion::Once(only) => Box::new(std::iter::once((InstanceKey::None, only))),
            Expansion::Count(all) => {
                Box::new((0..).zip(all).map(|(index, instance)| (InstanceKey::Index(index), instance)))
            }
            Expansion::ForEach(all) => {
                Box::new(all.iter().map(|(key, instance)| (InstanceKey::Key(Arc::clone(key)), instance)))
            }
            Expansion::Unknown(_) => Box::new(std::iter::empty()),
        }
    }
}

impl Expansion<Value> {
    /// All instances as one value: itself, a tuple or an object.
    pub fn value(&self) -> Value {
        match self {
            Expansion::Once(only) => only.clone(),
            Expansion::Count(all) => Value::tuple(all.iter().cloned()),
            Expansion::ForEach(all) => Value::object(all.iter().cloned()),
            Expansion::Unknown(origins) => Value::unknown_from(terrane_value::Type::Dynamic, origins.clone()),
        }
    }
}

/// What `count.index`, `each.key` and `each.value` stand for in an instance of a block.
#[derive(Clone, Default, Debug)]
pub struct RepetitionData {
    /// `count.index`.
    pub count_index: Option<Value>,
    /// `each.key` and `each.value`.
    pub each: Option<(Value, Value)>,
}
