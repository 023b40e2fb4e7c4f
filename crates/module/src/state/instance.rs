//! Module instances: the values of their objects, by id.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, LazyLock, OnceLock};

use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_eval::InstanceCache;
use terrane_value::{Origins, Type, Value};

use crate::expansion::{Expansion, RepetitionData};
use crate::model::ids::{Arena, CallId, InstanceId, LocalId, NodeId, OutputId, ResourceId, VariableId};
use crate::model::module::Module;
use crate::model::namespace::Namespace;
use crate::state::checks::ObjectChecks;
use crate::state::inner_parts::InnerPart;
use crate::state::instance_value::InstanceValue;

/// Returns the first names whose values may differ between the instances of one block, because looking them up
/// reads the repetition or the instance itself. An expression without such a name has the same value in all
/// instances, so the value is kept.
pub(crate) fn varying() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| Namespace::names(Namespace::varies).collect());
    &NAMES
}

/// One instance of a module, with the values of its objects in the order of the [`Module`]'s maps.
#[derive(Debug)]
pub struct ModuleInstance {
    /// The module of the instance.
    pub node: NodeId,
    /// The calls that lead to the instance, with instance keys.
    pub path: ModulePath,
    /// The instance whose `module` block calls it; `None` for the root.
    pub(crate) parent: Option<InstanceId>,
    /// The values of `count` and `each` in the arguments of its `module` block.
    pub(crate) repetition: RepetitionData,
    /// The reason why the number of instances is unknown: then this instance stands for all of them.
    pub unexpanded: Option<Origins>,
    /// Values of the variables.
    pub variables: Arena<VariableId, Value>,
    /// Values of the locals.
    pub locals: Arena<LocalId, Value>,
    /// Values of the outputs.
    pub outputs: Arena<OutputId, Value>,
    /// Instances of the resources.
    pub resources: Arena<ResourceId, Instances<InstanceValue>>,
    /// The parts inside configured attributes and blocks that come from elsewhere, for instances of the resources.
    pub(crate) inner_parts: BTreeMap<ResourceId, InnerParts>,
    /// Instances of the called modules.
    pub calls: Arena<CallId, Instances<Called>>,
    /// Results of the conditions, in the order of evaluation.
    pub checks: Vec<ObjectChecks>,
    /// The blocks whose expressions have an error; for a resource, its repetition has one.
    pub failed_blocks: Vec<Object>,
    /// The instances of resources whose arguments have an error.
    pub failed_instances: Vec<Object>,
    /// The instances of `terraform_remote_state` data sources whose outputs come from the file of the local backend.
    pub(crate) read_from_backend: HashSet<(ResourceId, InstanceKey)>,
    /// Whether a validation skips the instance, because it has found the errors of the module at its first call.
    pub(crate) is_repeated: bool,
    /// All outputs as one object, made on the first use.
    pub(crate) object: OnceLock<Value>,
    /// The outputs that were evaluated when a reference first named an output that does not exist. Only their names matter.
    pub(crate) lacking: OnceLock<Value>,
    /// The values of costly parts of its expressions, if they are kept.
    pub(crate) parts: Option<InstanceCache>,
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
            is_repeated: false,
            variables: module.variables.iter().map(|_| Value::error()).collect(),
            locals: module.locals.iter().map(|_| Value::error()).collect(),
            outputs: module.outputs.iter().map(|_| Value::error()).collect(),
            resources: module.resources.iter().map(|_| Instances::unset()).collect(),
            inner_parts: BTreeMap::new(),
            calls: module.calls.iter().map(|_| Instances::unset()).collect(),
            checks: Vec::new(),
            failed_blocks: Vec::new(),
            failed_instances: Vec::new(),
            read_from_backend: HashSet::new(),
            object: OnceLock::new(),
            lacking: OnceLock::new(),
            parts: None,
        }
    }

    /// Returns the parts inside configured attributes and blocks of a resource instance that are
    /// given by hand or recorded.
    pub fn inner_parts(&self, id: ResourceId, key: &InstanceKey) -> &[InnerPart] {
        self.inner_parts.get(&id).and_then(|all| all.get(key)).map_or(&[], Vec::as_slice)
    }

    /// Stores the arguments of a call whose module is not on disk, one value for each of its instances.
    pub(crate) fn set_arguments_of_missing_module(&mut self, call: CallId, values: Vec<Value>) {
        for (called, value) in
            Arc::make_mut(&mut self.calls[call].expansion).all_mut().into_iter().zip(values)
        {
            if let Called::Missing(missing) = called {
                missing.arguments = value;
            }
        }
    }
}

/// The parts inside configured attributes and blocks that come from elsewhere, by the keys of the instances.
pub(crate) type InnerParts = BTreeMap<InstanceKey, Vec<InnerPart>>;

/// One instance of a called module.
#[derive(Clone, Debug)]
pub enum Called {
    /// An instance of a module that is on disk.
    Instance(InstanceId),
    /// The module is not on disk, so its outputs are unknown.
    Missing(Box<MissingInstance>),
}

/// The instances of a block, and a value with all of them.
#[derive(Debug)]
pub struct Instances<T> {
    /// The instances.
    pub expansion: Arc<Expansion<T>>,
    /// All instances as one value. Made on first use, because it may be large.
    whole: OnceLock<Value>,
    /// All instances as one value in which each is unknown.
    keys: OnceLock<Value>,
    /// Whether an apply changes any instance; computed when a data source first asks.
    changing: OnceLock<bool>,
}

impl<T> Instances<T> {
    pub(crate) fn new(expansion: Expansion<T>) -> Instances<T> {
        let expansion = Arc::new(expansion);
        Instances { expansion, whole: OnceLock::new(), keys: OnceLock::new(), changing: OnceLock::new() }
    }

    /// Returns instances without values.
    fn unset() -> Instances<T> {
        Instances::new(Expansion::Unknown { origins: Origins::error(), any: None })
    }

    /// Whether an apply changes any of the instances. `compare` decides it the first time.
    pub(crate) fn is_changing(&self, compare: impl FnOnce() -> bool) -> bool {
        *self.changing.get_or_init(compare)
    }

    /// Returns all instances as one value: the single instance itself, a tuple or an object. `value`
    /// returns the value of each.
    pub(crate) fn whole(&self, value: impl Fn(InstanceKey, &T) -> Value) -> Value {
        self.whole.get_or_init(|| self.value_of_all(value)).clone()
    }

    /// Returns the value of [`Instances::whole`] with unknown instances. It has the keys before the instances are evaluated.
    pub(crate) fn keys(&self) -> Value {
        self.keys.get_or_init(|| self.value_of_all(|_, _| Value::unknown(Type::Dynamic))).clone()
    }

    fn value_of_all(&self, value: impl Fn(InstanceKey, &T) -> Value) -> Value {
        let of_all = || self.expansion.iter().map(|(key, one)| value(key, one));
        match &*self.expansion {
            Expansion::Once(only) => value(InstanceKey::None, only),
            Expansion::Count(_) => Value::tuple(of_all()),
            Expansion::ForEach(all) => Value::object(all.iter().map(|(key, _)| key.clone()).zip(of_all())),
            Expansion::Absent => Value::NULL,
            Expansion::Unknown { origins, .. } => Value::unknown_from(Type::Dynamic, origins.clone()),
        }
    }
}

/// An instance of a call whose module is not on disk.
#[derive(Clone, Debug)]
pub struct MissingInstance {
    /// The reason why its outputs are unknown.
    pub origins: Origins,
    /// The object of its outputs: unknown except for outputs given by hand.
    pub outputs: Value,
    /// The object of its arguments.
    pub arguments: Value,
    /// The values of `count` and `each` in the arguments.
    pub(crate) repetition: RepetitionData,
}
