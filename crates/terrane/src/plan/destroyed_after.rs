//! Finds the objects that a plan to destroy everything does not reach: they are destroyed only after an object that cannot be.

use std::collections::{HashMap, HashSet};

use terrane_module::DestroyedObject;
use terrane_value::SmolStr;

/// Takes out the objects that objects in `kept` depend on, directly or through other objects, by the dependencies of the state.
pub(super) fn take_destroyed_after(
    destroyed: &mut Vec<DestroyedObject>,
    kept: &[DestroyedObject],
) -> Vec<DestroyedObject> {
    let is_prevented = |one: &&DestroyedObject| one.prevented_at.is_some();
    let first = kept.iter().chain(destroyed.iter().filter(is_prevented));
    let mut left: Vec<SmolStr> = first.flat_map(|one| one.dependencies.iter().cloned()).collect();
    if left.is_empty() {
        return Vec::new();
    }
    let block = |one: &DestroyedObject| SmolStr::from(one.address().without_keys().to_string());
    let mut by_block: HashMap<SmolStr, Vec<SmolStr>> = HashMap::new();
    for one in destroyed.iter() {
        by_block.entry(block(one)).or_default().extend(one.dependencies.iter().cloned());
    }
    let mut after = HashSet::new();
    while let Some(name) = left.pop() {
        left.extend(by_block.remove(&name).unwrap_or_default());
        after.insert(name);
    }
    destroyed.extract_if(.., |one| after.contains(&block(one))).collect()
}
