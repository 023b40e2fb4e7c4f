//! The objects that an apply creates, changes or destroys, as the graph of the apply needs them.

use terrane_config::Address;
use terrane_module::DestroyedObject;
use terrane_module::provider::ProviderAddress;
use terrane_source::Subject;
use terrane_value::SmolStr;

use crate::plan::create_first::Dependencies;
use crate::plan::resources::{PlannedAction, PlannedResource};

/// An object that an apply creates, changes or destroys.
pub(super) struct AppliedObject<'p> {
    pub(super) address: Address,
    /// The address of its block, as the dependencies of other objects name it.
    pub(super) block: SmolStr,
    /// The provider. `None` if the state does not name it.
    pub(super) provider: Option<&'p ProviderAddress>,
    /// The blocks that the object in the state depends on.
    pub(super) dependencies: Vec<SmolStr>,
    /// The creation or update by its block. `None` for an object that is only destroyed.
    pub(super) change: Option<ChangeOfBlock<'p>>,
    pub(super) destruction: Option<Destruction>,
}

/// The change of an object by its block.
pub(super) struct ChangeOfBlock<'p> {
    /// Whether nothing changes. Such an object only waits for the objects that its block refers to.
    pub(super) is_kept: bool,
    pub(super) declaration: Subject,
    pub(super) verb: &'p str,
}

/// When the object in the state is destroyed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Destruction {
    /// Before the changes of objects that depend on it.
    First,
    /// After the changes of objects that depend on it: `create_before_destroy`.
    Last,
}

impl<'p> AppliedObject<'p> {
    pub(super) fn of_resource(
        resource: &'p PlannedResource<'_>,
        dependencies: &mut Dependencies<'_>,
    ) -> AppliedObject<'p> {
        let address = resource.address();
        let destruction = resource.action.is_replacement().then_some(match resource.creates_first {
            true => Destruction::Last,
            false => Destruction::First,
        });
        let is_kept = resource.action == PlannedAction::NoOp;
        let is_recorded = resource.change.is_some() && !is_kept;
        AppliedObject {
            block: address.without_keys().to_string().into(),
            address,
            provider: Some(&resource.provider),
            dependencies: if is_recorded { dependencies.recorded(resource) } else { Vec::new() },
            change: Some(ChangeOfBlock {
                is_kept,
                declaration: resource.declaration.subject(),
                verb: match resource.action.names() {
                    [only] => only,
                    _ => "create",
                },
            }),
            destruction,
        }
    }

    pub(super) fn of_destroyed(object: &'p DestroyedObject) -> AppliedObject<'p> {
        let address = object.address();
        // The state decides the order, even if a block still exists.
        let is_last = object.deposed.is_some() || object.creates_first;
        AppliedObject {
            block: address.without_keys().to_string().into(),
            address,
            provider: object.provider.as_ref(),
            dependencies: object.dependencies.clone(),
            change: None,
            destruction: Some(if is_last { Destruction::Last } else { Destruction::First }),
        }
    }
}
