//! The objects that an apply creates, changes or destroys, as the graph of the apply needs them.

use std::collections::{HashMap, HashSet};

use terrane_config::Address;
use terrane_config::address::ResourceMode;
use terrane_module::module::Resource;
use terrane_module::provider::ProviderAddress;
use terrane_module::{Config, DestroyedObject};
use terrane_source::Subject;
use terrane_value::SmolStr;

use crate::plan::dependencies::Dependencies;
use crate::plan::resources::{PlannedAction, PlannedResource};

/// An object that an apply creates, changes or destroys, or a data source that it reads for a check.
pub(super) struct AppliedObject<'p> {
    pub(super) address: Address,
    /// The address of its block, as the dependencies of other objects name it.
    pub(super) block: SmolStr,
    /// The provider. `None` if the state does not name it.
    pub(super) provider: Option<&'p ProviderAddress>,
    /// The blocks that the object in the state depends on. For a deposed object, these are the blocks that the current object of
    /// the instance depends on.
    pub(super) dependencies: Vec<SmolStr>,
    /// The creation, update or read by its block. `None` for an object that is only destroyed.
    pub(super) change: Option<ChangeOfBlock<'p>>,
    pub(super) destruction: Option<Destruction>,
    /// The deposed key of a deposed object.
    pub(super) deposed: Option<&'p SmolStr>,
}

/// The change of an object by its block.
pub(super) struct ChangeOfBlock<'p> {
    pub(super) kind: ChangeKind,
    pub(super) declaration: Subject,
    pub(super) verb: &'p str,
}

/// The action of an apply on an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeKind {
    /// Nothing: nothing changes, and the block has no conditions. Such an object only waits for the objects that its block refers
    /// to.
    Kept,
    /// The object is created or changed, or its conditions are checked again.
    Changed,
    /// A data source of a check is read again, after all changes.
    ReadForCheck,
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
        config: &Config,
        resource: &'p PlannedResource<'_>,
        dependencies: &mut Dependencies<'_>,
    ) -> AppliedObject<'p> {
        let address = resource.address();
        let destruction = resource.action.is_replacement().then_some(match resource.creates_first {
            true => Destruction::Last,
            false => Destruction::First,
        });
        let is_managed = resource.resource.mode == ResourceMode::Managed;
        let is_kept = || resource.action == PlannedAction::NoOp && !has_conditions(config, resource);
        let kind = match is_managed {
            false => ChangeKind::ReadForCheck,
            true if is_kept() => ChangeKind::Kept,
            true => ChangeKind::Changed,
        };
        let has_dependencies = kind == ChangeKind::Changed && resource.change.is_some();
        AppliedObject {
            block: address.without_keys().to_string().into(),
            address,
            provider: is_managed.then_some(&resource.provider),
            dependencies: if has_dependencies { dependencies.recorded(resource) } else { Vec::new() },
            change: Some(ChangeOfBlock {
                kind,
                declaration: resource.declaration.clone(),
                verb: match resource.action.names() {
                    [only] => only,
                    _ => "create",
                },
            }),
            destruction,
            deposed: None,
        }
    }

    /// Returns an object that is only destroyed. The state decides the order, even if a block still exists.
    pub(super) fn of_destroyed(
        object: &'p DestroyedObject,
        current: &CurrentDependencies,
    ) -> AppliedObject<'p> {
        let address = object.address();
        let is_last = object.deposed.is_some() || object.creates_first;
        AppliedObject {
            block: address.without_keys().to_string().into(),
            provider: object.provider.as_ref(),
            dependencies: match (current.by_address.get(&address), &object.deposed) {
                (Some(found), _) => found.clone(),
                (None, Some(_)) => Vec::new(),
                (None, None) => object.dependencies.clone(),
            },
            address,
            change: None,
            destruction: Some(if is_last { Destruction::Last } else { Destruction::First }),
            deposed: object.deposed.as_ref(),
        }
    }
}

/// Whether an apply reads the data source of a `check` block.
pub(super) fn is_read_for_check(config: &Config, resource: &PlannedResource<'_>) -> bool {
    resource.resource.mode == ResourceMode::Data
        && resource.action != PlannedAction::ReadInPlan
        && block(config, resource).check.is_some()
}

/// Whether the block of a resource has preconditions or postconditions.
fn has_conditions(config: &Config, resource: &PlannedResource<'_>) -> bool {
    let block = block(config, resource);
    !block.preconditions.is_empty() || !block.postconditions.is_empty()
}

fn block<'c>(config: &'c Config, resource: &PlannedResource<'_>) -> &'c Resource {
    config.node(resource.instance.node).module.resources.entry_of(resource.id).1
}

/// The blocks that the current objects of instances depend on. Terraform also uses them as the dependencies of deposed objects,
/// which have others.
pub(super) struct CurrentDependencies {
    by_address: HashMap<Address, Vec<SmolStr>>,
}

impl CurrentDependencies {
    /// Finds the dependencies of the objects that the plan begins with, for these instances. `recorded` returns those of an
    /// object with a block.
    pub(super) fn of<'p>(
        instances: &HashSet<Address>,
        resources: &'p [PlannedResource<'_>],
        destroyed: &[DestroyedObject],
        mut recorded: impl FnMut(&'p PlannedResource<'_>) -> Vec<SmolStr>,
    ) -> CurrentDependencies {
        let mut by_address = HashMap::new();
        if instances.is_empty() {
            return CurrentDependencies { by_address };
        }
        for object in destroyed.iter().filter(|object| object.deposed.is_none()) {
            let address = object.address();
            if instances.contains(&address) {
                by_address.insert(address, object.dependencies.clone());
            }
        }
        for resource in resources.iter().filter(|resource| resource.change.is_some()) {
            let address = resource.address();
            if instances.contains(&address) {
                by_address.insert(address, recorded(resource));
            }
        }
        CurrentDependencies { by_address }
    }
}
