//! Pairs the objects of the two sides.
//!
//! An object keeps its address, or a `moved` block or a change of `count` gives it another one. If the number of instances of a
//! block is unknown on one side, each instance of the other side is paired with the entry that stands for all instances.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_source::sorted_map;

use super::moves::Moves;
use crate::entry::{Entry, EntryKind, InstanceNumber};

/// An object of one side.
#[derive(Clone, Copy)]
pub(super) struct Counted<'e> {
    pub(super) entry: &'e Entry,
    /// Whether the number of instances of its block, or of a module around it, is unknown.
    pub(super) is_unknown: bool,
}

/// The objects of a side by address.
type ObjectsByAddress<'e> = BTreeMap<&'e Address, Counted<'e>>;

/// Returns the objects of a kind, without the entries of blocks without instances.
pub(super) fn counted(entries: &[Entry], is_kind: fn(&Entry) -> bool) -> ObjectsByAddress<'_> {
    let calls: HashSet<ModulePath> = entries.iter().filter_map(unknown_call).collect();
    let objects =
        entries.iter().filter(|entry| is_kind(entry) && !matches!(entry.number, InstanceNumber::None(_)));
    let counted = objects.map(|entry| {
        let is_unknown =
            matches!(entry.number, InstanceNumber::Unknown(_)) || is_in(&entry.address.module, &calls);
        (&entry.address, Counted { entry, is_unknown })
    });
    sorted_map(counted)
}

/// Whether the path or a prefix of it is in `calls`.
pub(super) fn is_in(path: &ModulePath, calls: &HashSet<ModulePath>) -> bool {
    if calls.is_empty() {
        return false;
    }
    (0..=path.steps().len()).any(|count| calls.contains(&path.beginning(count)))
}

/// Returns the path of the modules of a call, if their number is unknown.
pub(super) fn unknown_call(entry: &Entry) -> Option<ModulePath> {
    match (&entry.address.object, &entry.number) {
        (Object::ModuleCall(name, key), InstanceNumber::Unknown(_))
            if entry.kind == EntryKind::ModuleCall =>
        {
            Some(entry.address.module.child(name, key.clone()))
        }
        _ => None,
    }
}

/// An object before and after.
pub(super) struct ObjectPair<'e> {
    pub(super) before: Counted<'e>,
    pub(super) after: Counted<'e>,
}

/// The objects of both sides: pairs, and objects that only one side has.
pub(super) struct Pairs<'e> {
    pub(super) pairs: Vec<ObjectPair<'e>>,
    pub(super) added: Vec<Counted<'e>>,
    pub(super) removed: Vec<Counted<'e>>,
}

impl<'e> Pairs<'e> {
    pub(super) fn of(
        mut old: ObjectsByAddress<'e>,
        mut new: ObjectsByAddress<'e>,
        moves: &Moves<'_>,
    ) -> Pairs<'e> {
        let mut pairs = Vec::new();
        old.retain(|address, before| {
            let same = new.remove(*address);
            pairs.extend(same.map(|after| ObjectPair { before: *before, after }));
            same.is_none()
        });
        old.retain(|address, before| {
            let same = moved(address, *before, &mut new, moves);
            pairs.extend(same.map(|after| ObjectPair { before: *before, after }));
            same.is_none()
        });
        // An entry with an unknown number of instances may be paired with several instances of the other side.
        let mut blocks: BTreeSet<&Address> = BTreeSet::new();
        let target = |address: &Address| moves.target(address).unwrap_or_else(|| address.clone());
        let unknown = old.iter().filter(|(_, before)| before.is_unknown);
        let expanding = KeylessObjects::of(unknown.map(|(address, before)| (target(address), *before)));
        let unknown = new.iter().filter(|(_, after)| after.is_unknown);
        let made = KeylessObjects::of(unknown.map(|(address, after)| ((*address).clone(), *after)));
        old.retain(|address, before| {
            let found = made.covering(&target(address)).filter(|_| !before.is_unknown);
            if let Some(after) = found {
                blocks.insert(&after.entry.address);
                pairs.push(ObjectPair { before: *before, after });
            }
            found.is_none()
        });
        new.retain(|address, after| {
            let found = expanding.covering(address).filter(|_| !after.is_unknown);
            if let Some(before) = found {
                blocks.insert(&before.entry.address);
                pairs.push(ObjectPair { before, after: *after });
            }
            found.is_none() && !blocks.contains(address)
        });
        old.retain(|address, _| !blocks.contains(address));
        Pairs { pairs, added: new.into_values().collect(), removed: old.into_values().collect() }
    }
}

/// Objects that stand for all instances of their blocks, by addresses without keys, in the order of the addresses.
struct KeylessObjects<'e>(HashMap<Address, Vec<(Address, Counted<'e>)>>);

impl<'e> KeylessObjects<'e> {
    fn of(objects: impl Iterator<Item = (Address, Counted<'e>)>) -> KeylessObjects<'e> {
        let mut blocks: HashMap<Address, Vec<(Address, Counted<'e>)>> = HashMap::new();
        for (address, object) in objects {
            blocks.entry(address.without_keys()).or_default().push((address, object));
        }
        KeylessObjects(blocks)
    }

    /// Returns the first object that stands for an instance.
    fn covering(&self, instance: &Address) -> Option<Counted<'e>> {
        if self.0.is_empty() {
            return None;
        }
        let same = self.0.get(&instance.without_keys())?;
        same.iter().find(|(block, _)| covers(block, instance)).map(|(_, object)| *object)
    }
}

/// Takes out of `new` the object that a `moved` block or a change of `count` leads to from `address`.
fn moved<'e>(
    address: &Address,
    before: Counted<'_>,
    new: &mut ObjectsByAddress<'e>,
    moves: &Moves<'_>,
) -> Option<Counted<'e>> {
    if let Some(after) = moves.target(address).and_then(|target| new.remove(&target)) {
        return Some(after);
    }
    // If the number of instances is unknown, the block may or may not have `count`.
    let target = moves.by_count(address).filter(|_| !before.is_unknown)?;
    new.get(&target).filter(|after| !after.is_unknown)?;
    new.remove(&target)
}

/// Whether an instance matches the address of a block. A missing key in that address matches any key.
fn covers(block: &Address, instance: &Address) -> bool {
    let key = |block: &InstanceKey, key: &InstanceKey| block == key || *block == InstanceKey::None;
    let (outer, inner) = (block.module.steps(), instance.module.steps());
    let mut steps = outer.iter().zip(inner);
    let is_module = outer.len() == inner.len()
        && steps.all(|(one, other)| one.name == other.name && key(&one.key, &other.key));
    let is_object = match (&block.object, &instance.object) {
        (Object::Resource { key: one, .. }, Object::Resource { key: other, .. }) => {
            key(one, other) && block.object.without_key() == instance.object.without_key()
        }
        _ => false,
    };
    is_module && is_object
}
