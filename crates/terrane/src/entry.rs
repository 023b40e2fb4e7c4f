//! A named value of an evaluation with the facts about it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use terrane_body::Body;
use terrane_config::Address;
use terrane_module::module::{Module, Repetition, Resource, ResourceKey};
use terrane_module::provider::ProviderAddress;
use terrane_module::schemas::BlockSchema;
use terrane_module::{Expansion, Schemas};
use terrane_source::Subject;
use terrane_value::{Origins, SmolStr, Type, Value};

use crate::part_source::{PartSource, SourceKind};
use crate::written_parts::{WrittenPart, written_parts};

/// A named value of the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The canonical name: `module.a["x"].local.b`.
    pub address: Address,
    /// The kind of object.
    pub kind: EntryKind,
    /// The value. For a module call, the object of its outputs.
    pub value: Value,
    /// For a module call, the object of its arguments.
    pub arguments: Option<Value>,
    /// Where it is declared.
    pub declaration: Option<Subject>,
    /// The number of objects that the entry stands for.
    pub number: InstanceNumber,
    /// The kind of instance keys of its block.
    pub keys: Keys,
    /// The block of a resource or action, which its instances share.
    pub block: Option<Arc<ResourceBlock>>,
    /// The parts of the value that do not come from the configuration.
    pub sources: Vec<PartSource>,
    /// For an output, local value or variable, the kinds of source outside of the configuration that it depends on.
    pub follows_from: Vec<SourceKind>,
    /// For a resource or module call, the kinds of source that its arguments and blocks depend on, by name. `None` if there are
    /// no such sources.
    pub arguments_follow_from: Option<Arc<SourcesByName>>,
    /// For an instance of a resource or module call, or for a block without instances, the kinds of source that `count`,
    /// `for_each` or `enabled` depends on.
    pub instances_follow_from: Vec<SourceKind>,
    /// For a resource whose value is not known: an object of the unknown attributes that the state has recorded. Any of them
    /// may have another value after an apply.
    pub prior: Option<Value>,
}

impl Entry {
    /// Returns an entry for one object that is not declared in a file, without sources.
    pub(crate) fn new(address: Address, kind: EntryKind, value: Value) -> Entry {
        Entry {
            address,
            kind,
            value,
            arguments: None,
            declaration: None,
            number: InstanceNumber::One,
            keys: Keys::None,
            block: None,
            sources: Vec::new(),
            follows_from: Vec::new(),
            arguments_follow_from: None,
            instances_follow_from: Vec::new(),
            prior: None,
        }
    }
}

/// The kinds of source that values depend on, by the names of the values.
pub type SourcesByName = BTreeMap<SmolStr, Vec<SourceKind>>;

/// The block that declares a resource or action.
#[derive(Debug)]
#[non_exhaustive]
pub struct ResourceBlock {
    /// The provider. `None` if a part of the configuration that cannot be read may name it.
    pub provider: Option<ProviderAddress>,
    /// The alias of the provider configuration in the argument `provider`.
    pub provider_alias: Option<SmolStr>,
    /// `count`, `for_each` or `enabled`, if the block has it.
    pub repetition: Option<&'static str>,
    /// The arguments and blocks that belong to the provider.
    pub config: Body,
    /// The schema of these arguments and blocks.
    pub(crate) schema: Option<Arc<BlockSchema>>,
    written: OnceLock<Vec<WrittenPart>>,
}

impl ResourceBlock {
    pub(crate) fn of(
        module: &Module,
        key: &ResourceKey,
        resource: &Resource,
        schemas: &Schemas,
    ) -> ResourceBlock {
        let local = resource.local_provider(&key.resource_type);
        ResourceBlock {
            provider: (!module.provider_is_doubtful(local)).then(|| module.provider_address(local)),
            provider_alias: resource.provider.as_ref().and_then(|provider| provider.alias.clone()),
            repetition: resource.repetition.argument(),
            config: resource.config.clone(),
            schema: schemas.resource(module, key, resource).cloned(),
            written: OnceLock::new(),
        }
    }

    /// Returns the arguments and nested blocks with their places.
    pub fn written(&self) -> &[WrittenPart] {
        self.written.get_or_init(|| written_parts([&self.config]))
    }
}

/// The kind of instance keys of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// No keys: the block has one instance, or no instance if it is disabled.
    None,
    /// Numbers from `count`.
    Positions,
    /// Strings from `for_each`.
    Names,
}

impl Keys {
    pub(crate) fn of(repetition: &Repetition) -> Keys {
        match repetition {
            Repetition::Once | Repetition::Enabled(_) => Keys::None,
            Repetition::Count(_) => Keys::Positions,
            Repetition::ForEach(_) => Keys::Names,
        }
    }
}

/// The number of objects that an [`Entry`] stands for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum InstanceNumber {
    /// One: every instance of a block has an entry of its own.
    One,
    /// Zero, because `count`, `for_each` or `enabled` gives the block no instances. The value is an empty sequence, an empty
    /// object, or null.
    None(Value),
    /// Unknown, for these reasons. The value has the parts that all instances share.
    Unknown(Origins),
}

impl InstanceNumber {
    /// Returns the number of instances, and the instance that stands for all of them. `None` if the instances can be listed one
    /// by one.
    pub(crate) fn of<T>(expansion: &Expansion<T>) -> Option<(InstanceNumber, Option<&T>)> {
        match expansion {
            Expansion::Unknown { origins, any } => {
                Some((InstanceNumber::Unknown(origins.clone()), any.as_ref()))
            }
            Expansion::Count(all) if all.is_empty() => Some((InstanceNumber::None(Value::tuple([])), None)),
            Expansion::ForEach(all) if all.is_empty() => {
                Some((InstanceNumber::None(Value::object([])), None))
            }
            Expansion::Absent => Some((InstanceNumber::None(Value::NULL), None)),
            Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) => None,
        }
    }

    /// Returns the value that stands for all instances, if nothing is known about a single one.
    pub(crate) fn value(&self) -> Value {
        match self {
            InstanceNumber::One => Value::error(),
            InstanceNumber::None(value) => value.clone(),
            InstanceNumber::Unknown(origins) => Value::unknown_from(Type::Dynamic, origins.clone()),
        }
    }
}

/// The kinds of [`Entry`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EntryKind {
    /// An output.
    Output,
    /// A local value.
    Local,
    /// An input variable.
    Variable,
    /// A module call, with the object of its outputs.
    ModuleCall,
    /// One instance of a resource or data source, or all instances if their keys are unknown.
    Resource,
    /// One instance of an action, or all instances if their keys are unknown.
    Action,
}

impl EntryKind {
    /// Returns the name of the kind in JSON documents.
    pub const fn name(self) -> &'static str {
        match self {
            EntryKind::Output => "output",
            EntryKind::Local => "local",
            EntryKind::Variable => "variable",
            EntryKind::ModuleCall => "module",
            EntryKind::Resource => "resource",
            EntryKind::Action => "action",
        }
    }
}
