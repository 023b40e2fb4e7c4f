//! Typed ids of modules, declarations and module instances.

use terrane_config::ids::Position;
pub use terrane_config::ids::{Arena, Declarations, Id};

terrane_config::ids! {
    /// Names a module in the tree of calls of a [`Config`](crate::Config).
    NodeId;
    /// Names a module instance of an [`Evaluation`](crate::Evaluation).
    InstanceId;
    /// Names a `variable` block of a module.
    VariableId;
    /// Names a local value of a module.
    LocalId;
    /// Names an `output` block of a module.
    OutputId;
    /// Names a `module` block of a module.
    CallId;
    /// Names an argument of a `module` block, a value for a variable of the called module.
    ArgumentId;
    /// Names a `resource`, `data`, `ephemeral` or `action` block of a module.
    ResourceId;
    /// Names a `check` block of a module.
    CheckId;
    /// Names a `provider` block of a module.
    ProviderId;
    /// Names an `import` block of a module.
    ImportId;
    /// Names a node of the graph of all objects.
    GraphNodeId;
    /// Names a call of a module that is not on disk.
    MissingModuleId;
    /// Names a value given by hand for an object.
    GivenPartId;
    /// Names the defaults that a block of a mock file gives for a type.
    DefaultsId;
    /// Names a directory that a load has read.
    DirectoryId;
    /// Names a line of a module map.
    MapLineId;
    /// Names a step in the order of evaluation.
    OrderedStepId;
    /// Names a recorded object that the built-in provider has converted to its own type.
    ConvertedId;
}

/// A module call of one module of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CallInModule {
    /// The calling module.
    pub module: NodeId,
    /// The call in this module.
    pub call: CallId,
}

/// A resource of one module of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ResourceInModule {
    /// The module.
    pub module: NodeId,
    /// The resource in this module.
    pub resource: ResourceId,
}

impl NodeId {
    /// The root module.
    pub const ROOT: NodeId = NodeId(Position::FIRST);
}

impl InstanceId {
    /// The instance of the root module.
    pub const ROOT: InstanceId = InstanceId(Position::FIRST);
}
