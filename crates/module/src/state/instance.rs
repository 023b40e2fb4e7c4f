use std::sync::OnceLock;

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_value::{Number, Origins, SmolStr, Type, Value};

use crate::evaluate::AbsentInstance;
use crate::model::ids::{Arena, CallId, InstanceId, LocalId, NodeId, OutputId, ResourceId, VariableId};
use crate::model::module::{Module, Repetition};

/// One instance of a module, with the values of its objects in the order of the [`Module`]'s maps.
#[derive(Debug)]
pub struct ModuleInstance {
    /// Which module it is an instance of.
    pub node: NodeId,
    /// The calls that lead here, with instance keys.
    pub path: ModulePath,
    /// The instance whose `module` block calls it; nothing for the root.
    pub(crate) parent: Option<InstanceId>,
    /// What `count` and `each` mean in the arguments of its `module` block.
    pub(crate) repetition: RepetitionData,
    /// Why it is not known how many instances like this one there are: then this one stands for any of them.
    pub unexpanded: Option<Origins>,
    /// Values of the variables.
    pub variables: Arena<VariableId, Value>,
    /// Values of the locals.
    pub locals: Arena<LocalId, Value>,
    /// Values of the outputs.
    pub outputs: Arena<OutputId, Value>,
    /// Instances of the resources.
    pub resources: Arena<ResourceId, Instances<Value>>,
    /// Instances of the called modules.
    pub calls: Arena<CallId, Instances<Called>>,
    /// All outputs as one object, made when it is first asked for.
    pub(crate) object: OnceLock<Value>,
}

impl ModuleInstance {
    pub(crate) fn new(
        node: NodeId,
        path: ModulePath,
        parent: Option<InstanceId>,
        repetition: RepetitionData,
        module: &Module,
    ) -> ModuleInstance {
        ModuleInstance {
            node,
            path,
            parent,
            repetition,
            unexpanded: None,
            variables: module.variables.iter().map(|_| Value::error()).collect(),
            locals: module.locals.iter().map(|_| Value::error()).collect(),
            outputs: module.outputs.iter().map(|_| Value::error()).collect(),
            resources: module.resources.iter().map(|_| Instances::unset()).collect(),
            calls: module.calls.iter().map(|_| Instances::unset()).collect(),
            object: OnceLock::new(),
        }
    }
}

/// One instance of a called module.
#[derive(Clone, Debug)]
pub enum Called {
    /// An instance of a module that is on disk.
    Instance(InstanceId),
    /// The module is not on disk, so its outputs are unknown.
    Absent(Box<AbsentInstance>),
}

/// The instances of a block, and all of them as one value.
#[derive(Debug)]
pub struct Instances<T> {
    /// The instances.
    pub expansion: Expansion<T>,
    /// All instances as one value, made when it is first asked for: it is as large as they are many.
    whole: OnceLock<Value>,
}

impl<T> Instances<T> {
    pub(crate) fn new(expansion: Expansion<T>) -> Instances<T> {
        Instances { expansion, whole: OnceLock::new() }
    }

    fn unset() -> Instances<T> {
        Instances::new(Expansion::Unknown { origins: Origins::error(), any: None })
    }

    /// All instances as one value: itself, a tuple or an object, of what `value` gives for each.
    pub(crate) fn whole(&self, value: impl Fn(&T) -> Value) -> Value {
        let make = || match &self.expansion {
            Expansion::Once(only) => value(only),
            Expansion::Count(all) => Value::tuple(all.iter().map(&value)),
            Expansion::ForEach(all) => Value::object(all.iter().map(|(key, one)| (key.clone(), value(one)))),
            Expansion::Absent => Value::NULL,
            Expansion::Unknown { origins, .. } => Value::unknown_from(Type::Dynamic, origins.clone()),
        };
        self.whole.get_or_init(make).clone()
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
    ForEach(Vec<(SmolStr, T)>),
    /// None, because of `enabled`: reading it gives null.
    Absent,
    /// Not known, because `count` or `for_each` is not.
    Unknown {
        /// Why.
        origins: Origins,
        /// What holds for any of the instances, however many there are.
        any: Option<T>,
    },
}

impl<T> Expansion<T> {
    /// Why it is not known which instances there are, where it is not.
    pub fn unknown(&self) -> Option<&Origins> {
        match self {
            Expansion::Unknown { origins, .. } => Some(origins),
            Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Absent => None,
        }
    }

    /// How many instances there are, as far as that is known.
    pub fn count(&self) -> usize {
        match self {
            Expansion::Once(_) => 1,
            Expansion::Count(all) => all.len(),
            Expansion::ForEach(all) => all.len(),
            Expansion::Absent | Expansion::Unknown { .. } => 0,
        }
    }

    /// The instance with a key.
    pub fn get(&self, key: &InstanceKey) -> Option<&T> {
        match (self, key) {
            (Expansion::Once(only), InstanceKey::None) => Some(only),
            (Expansion::Count(all), InstanceKey::Index(index)) => all.get(usize::try_from(*index).ok()?),
            (Expansion::ForEach(all), InstanceKey::Key(key)) => {
                let found = all.binary_search_by(|(other, _)| other.cmp(key)).ok()?;
                all.get(found).map(|(_, instance)| instance)
            }
            (
                Expansion::Once(_)
                | Expansion::Count(_)
                | Expansion::ForEach(_)
                | Expansion::Absent
                | Expansion::Unknown { .. },
                InstanceKey::None | InstanceKey::Index(_) | InstanceKey::Key(_),
            ) => None,
        }
    }

    /// Whether there is an instance with a key, as far as that is known.
    pub fn has(&self, key: &InstanceKey) -> bool {
        self.get(key).is_some()
    }

    /// The instances with their keys.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (InstanceKey, &T)> + '_> {
        match self {
            Expansion::Once(only) => Box::new(std::iter::once((InstanceKey::None, only))),
            Expansion::Count(all) => {
                Box::new((0..).zip(all).map(|(index, instance)| (InstanceKey::Index(index), instance)))
            }
            Expansion::ForEach(all) => {
                Box::new(all.iter().map(|(key, instance)| (InstanceKey::Key(key.clone()), instance)))
            }
            Expansion::Absent | Expansion::Unknown { .. } => Box::new(std::iter::empty()),
        }
    }
}

impl RepetitionData {
    /// For an instance of which nothing is known, not even its key.
    pub(crate) fn unknown(repetition: &Repetition, origins: &Origins) -> RepetitionData {
        match repetition {
            Repetition::Once | Repetition::Enabled(_) => RepetitionData::default(),
            Repetition::Count(_) => RepetitionData {
                count_index: Some(Value::unknown_from(Type::Number, origins.clone()).not_null()),
                each: None,
            },
            Repetition::ForEach(_) => RepetitionData::unknown_each(origins),
        }
    }

    /// For the instance with a key, of which `each.value` is not known.
    pub(crate) fn of_key(key: &InstanceKey) -> RepetitionData {
        match key {
            InstanceKey::None => RepetitionData::default(),
            InstanceKey::Index(index) => {
                let index = i64::try_from(*index).ok().map(|index| Value::number(Number::counted(index)));
                RepetitionData { count_index: index, each: None }
            }
            InstanceKey::Key(key) => {
                let value = Value::unknown_from(Type::Dynamic, Origins::NONE);
                RepetitionData { count_index: None, each: Some((Value::from(&**key), value)) }
            }
        }
    }

    /// For one of the instances of an unknown `for_each`.
    pub(crate) fn unknown_each(origins: &Origins) -> RepetitionData {
        let key = Value::unknown_from(Type::String, origins.clone()).not_null();
        let value = Value::unknown_from(Type::Dynamic, origins.clone());
        RepetitionData { count_index: None, each: Some((key, value)) }
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
