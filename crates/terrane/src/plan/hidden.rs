//! Hides the parts of recorded values that are secret in the plan. The state does not mark values that became secret after it
//! was written.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use terrane_config::Address;
use terrane_config::address::ResourceMode;
use terrane_module::{DestroyedObject, with_import_id};
use terrane_value::{Marks, SmolStr, Value};

use super::public::Public;
use super::resources::{OwnMarks, PlannedResource};
use crate::marked_output::{is_terraform_data, with_marked_output, with_marks_of};

/// Marks the parts of the recorded object that are secret in the planned object.
pub(super) fn hide(resource: &mut PlannedResource<'_>) {
    let has_copy = is_terraform_data(&resource.resource);
    let is_marked = |value: Option<&Value>| value.is_some_and(Value::contains_marked);
    if !is_marked(Some(&resource.value)) && !is_marked(resource.before()) {
        return;
    }
    let recorded = resource.before().cloned();
    resource.own = Some(Box::new(OwnMarks { recorded, planned: resource.value.clone().into_owned() }));
    if has_copy && resource.value.contains_marked() {
        resource.value = Cow::Owned(with_marked_output(&resource.value));
    }
    let schema = resource.schema.filter(|_| is_marked(Some(&resource.value)));
    resource.public = schema.map(|schema| Box::new(Public::of(&resource.value, schema, resource.config)));
    let Some(change) = &mut resource.change else { return };
    change.before = with_marks_of(&change.before, &resource.value);
    if has_copy {
        change.before = with_marked_output(&change.before);
    }
}

/// Removes the mark from the identifier of an imported object. In a plan the identifier is never secret, even if the argument
/// of the import is.
pub(super) fn show_import_id(resource: &mut PlannedResource<'_>) {
    let Some(change) = &mut resource.change else { return };
    let Some(id) = change.import_id.as_ref().filter(|id| id.is_marked()) else { return };
    let id = id.unmark_deep().0;
    change.before = with_import_id(&change.before, &id);
    if !resource.action.is_replacement() {
        resource.value = Cow::Owned(with_import_id(&resource.value, &id));
    }
}

/// Marks the secret parts of destroyed objects that have an instance in the configuration. `resources` are the instances, with
/// their secrets hidden. Each attribute of an object in `undecided`, and of a data source without an instance, may be secret.
pub(super) fn hide_as_planned(
    destroyed: &mut [DestroyedObject],
    resources: &[PlannedResource<'_>],
    undecided: &[DestroyedObject],
) {
    let planned: HashMap<Address, &Value> =
        resources.iter().filter_map(|resource| Some((resource.address(), resource.before()?))).collect();
    let read: HashMap<Address, &Value> = resources
        .iter()
        .filter(|resource| resource.is_read())
        .map(|resource| (resource.address(), &*resource.value))
        .collect();
    let undecided: HashSet<Address> = undecided.iter().map(DestroyedObject::address).collect();
    for one in destroyed.iter_mut().filter(|one| one.deposed.is_none()) {
        let address = one.address();
        if one.resource.mode == ResourceMode::Data {
            one.before = match read.get(&address) {
                Some(value) => with_marks_of(&one.before, value),
                None => with_secret_attributes(&one.before),
            };
        } else if let Some(before) = planned.get(&address) {
            one.before = (*before).clone();
        } else if undecided.contains(&address) {
            one.before = with_secret_attributes(&one.before);
        }
    }
}

/// Marks all attributes of an object as sensitive.
fn with_secret_attributes(object: &Value) -> Value {
    let Some(attributes) = object.unmarked().as_entries() else {
        return object.clone().with_marks(&Marks::sensitive());
    };
    let secret = |(name, value): (SmolStr, Value)| (name, value.with_marks(&Marks::sensitive()));
    Value::object(attributes.cloned().map(secret)).with_marks(object.marks())
}

/// Marks the secret parts of an object without an instance.
pub(super) fn hide_destroyed(destroyed: &mut DestroyedObject) {
    if is_terraform_data(&destroyed.resource) {
        destroyed.before = with_marked_output(&destroyed.before);
    }
}
