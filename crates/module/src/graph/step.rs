//! A step of an evaluation: an object of one module, with its address and declaration.

use terrane_config::address::{Address, InstanceKey, Object};
use terrane_source::Subject;

use crate::model::ids::{CallId, CheckId, LocalId, NodeId, OutputId, ResourceId, VariableId};
use crate::model::module::Module;
use crate::model::tree::Config;

/// One object of a module, which an evaluation computes for all instances of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Step {
    /// The instances of a module call.
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

/// A step of one module of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GraphStep {
    /// The module.
    pub module: NodeId,
    /// The step.
    pub step: Step,
}

impl Step {
    /// Returns the step of the module `other` for the object with the same name as the object of this step of `module`.
    pub(crate) fn of_the_same_name(self, module: &Module, other: &Module) -> Option<Step> {
        Some(match self {
            Step::Call(id) => Step::Call(other.calls.id_of(module.calls.entry_of(id).0)?),
            Step::Variable(id) => Step::Variable(other.variables.id_of(module.variables.entry_of(id).0)?),
            Step::Local(id) => Step::Local(other.locals.id_of(module.locals.entry_of(id).0)?),
            Step::Resource(id) => Step::Resource(other.resources.id_of(module.resources.entry_of(id).0)?),
            Step::Output(id) => Step::Output(other.outputs.id_of(module.outputs.entry_of(id).0)?),
            Step::Check(id) => Step::Check(other.checks.id_of(module.checks.entry_of(id).0)?),
        })
    }

    /// Returns the place where `module` declares the object.
    pub(crate) fn declaration(self, module: &Module) -> Option<&Subject> {
        match self {
            Step::Call(id) => Some(&module.calls.at(id).declaration),
            Step::Variable(id) => Some(&module.variables.at(id).declaration),
            Step::Local(id) => Some(&module.locals.at(id).declaration),
            Step::Resource(id) => Some(&module.resources.at(id).declaration),
            Step::Output(id) => Some(&module.outputs.at(id).declaration),
            Step::Check(id) => module.checks.at(id).assertions.first().map(|check| &check.declaration),
        }
    }

    /// Whether the block of the object, which `module` declares, is damaged.
    pub(crate) fn is_damaged(self, module: &Module) -> bool {
        !module.doubt.is_none() && module.doubt.covers(&self.object(module))
    }

    /// Returns the object, which `module` declares.
    pub(crate) fn object(self, module: &Module) -> Object {
        match self {
            Step::Call(id) => Object::ModuleCall(module.calls.entry_of(id).0.clone(), InstanceKey::None),
            Step::Variable(id) => Object::Variable(module.variables.entry_of(id).0.clone()),
            Step::Local(id) => Object::Local(module.locals.entry_of(id).0.clone()),
            Step::Output(id) => Object::Output(module.outputs.entry_of(id).0.clone()),
            Step::Check(id) => Object::Check(module.checks.entry_of(id).0.clone()),
            Step::Resource(id) => module.resources.entry_of(id).0.object(InstanceKey::None),
        }
    }
}

impl GraphStep {
    /// Returns the address of the object, for messages.
    pub(crate) fn address(self, config: &Config) -> Address {
        let node = config.node(self.module);
        Address { module: node.path.clone(), object: self.step.object(&node.module) }
    }
}
