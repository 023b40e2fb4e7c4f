//! Arranges the objects of several environments beside each other.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use terrane_config::address::{InstanceKey, ModuleStep, Object};
use terrane_config::{Address, ModulePath};
use terrane_value::counted;

use crate::document::Document;
use crate::document::listing::lists;
use crate::entry::{Entry, EntryKind, InstanceNumber};
use crate::named_values::ReadEntry;

/// An object with its state in each environment.
pub(super) struct MatrixRow<'d> {
    pub(super) address: Address,
    /// Whether the object is a module call. Two calls are not compared further; only their existence is.
    pub(super) is_call: bool,
    pub(super) cells: Vec<Cell<'d>>,
}

/// An object in one environment.
pub(super) enum Cell<'d> {
    Entry(Box<Cow<'d, Entry>>),
    Absent,
    /// The environment has an unknown number of instances, which may include the object.
    MayBeAbsent,
    /// The number of instances of a block in words, because it is unknown in another environment.
    Number(String),
}

/// Returns the objects that may differ, in the order of the listing. The instances of a block stand together. Each row is made when it is
/// read.
pub(super) fn rows(documents: &[Document]) -> impl Iterator<Item = MatrixRow<'_>> {
    let environments: Vec<EnvironmentInstances> = documents.iter().map(EnvironmentInstances::of).collect();
    let mut positions: HashMap<Address, usize> = HashMap::new();
    let mut blocks: HashMap<Address, usize> = HashMap::new();
    let mut found: Vec<Entries<'_>> = Vec::new();
    for (column, document) in documents.iter().enumerate() {
        let is_call = |entry: &Entry| entry.kind == EntryKind::ModuleCall;
        let is_listed = |entry: &ReadEntry<'_>| is_call(entry.common()) || lists(entry.common());
        for entry in document.values.unread().filter(is_listed) {
            let address = entry.address();
            let position = *positions.entry(address.clone()).or_insert_with(|| {
                let next = blocks.len();
                let block = *blocks.entry(address.without_keys()).or_insert(next);
                found.push(Entries { address, block, by_environment: vec![None; documents.len()] });
                found.len() - 1
            });
            let cell = found.get_mut(position).and_then(|entries| entries.by_environment.get_mut(column));
            if let Some(cell) = cell {
                *cell = Some(entry);
            }
        }
    }
    found.sort_by_key(|entries| entries.block);
    found.into_iter().filter_map(move |entries| entries.row(&environments))
}

/// The entries of an object in the environments. `None` for an environment without an entry.
struct Entries<'d> {
    address: Address,
    /// The position of its block in the listing.
    block: usize,
    by_environment: Vec<Option<ReadEntry<'d>>>,
}

impl<'d> Entries<'d> {
    /// Returns the row. `None` if the object is alike in all environments, or if other rows show its difference.
    fn row(self, environments: &[EnvironmentInstances]) -> Option<MatrixRow<'d>> {
        let single = self.count(|number| matches!(number, InstanceNumber::One));
        let unknown = self.count(|number| matches!(number, InstanceNumber::Unknown(_)));
        let is_alike = single.max(unknown) == environments.len();
        let is_call = matches!(self.address.object, Object::ModuleCall(..));
        let is_left_out = match is_alike {
            true => is_call,
            false => single + unknown == 0 || self.is_explained_by_caller(is_call, environments),
        };
        if is_left_out {
            return None;
        }
        let Entries { address, by_environment, .. } = self;
        let cell = |(entry, instances): (Option<ReadEntry<'d>>, &EnvironmentInstances)| {
            let entry = entry.and_then(|entry| entry.entry());
            match entry {
                entry if unknown > 0 && !is_alike => instances.number(&address, entry.as_deref()),
                Some(entry) if !matches!(entry.number, InstanceNumber::None(_)) => {
                    Cell::Entry(Box::new(entry))
                }
                _ => instances.without_entry(&address),
            }
        };
        let cells = by_environment.into_iter().zip(environments).map(cell).collect();
        Some(MatrixRow { address, is_call, cells })
    }

    fn count(&self, is_wanted: fn(&InstanceNumber) -> bool) -> usize {
        self.by_environment.iter().flatten().filter(|entry| is_wanted(&entry.common().number)).count()
    }

    /// Whether the row of the module call around the object shows the difference. That is so if the object stands for all of an
    /// unknown number of instances of its module, or is itself a call that is only absent together with its caller.
    fn is_explained_by_caller(&self, is_call: bool, environments: &[EnvironmentInstances]) -> bool {
        let mut columns = self.by_environment.iter().zip(environments);
        let is_general = |(entry, instances): (&Option<_>, &EnvironmentInstances)| {
            entry.is_some() && instances.is_unexpanded(&self.address.module)
        };
        columns.clone().any(is_general)
            || (is_call
                && columns.all(|(entry, instances)| {
                    entry
                        .as_ref()
                        .is_some_and(|entry| !matches!(entry.common().number, InstanceNumber::None(_)))
                        || instances.lacks(&self.address.module)
                }))
    }
}

/// The instances of blocks in one environment.
#[derive(Default)]
struct EnvironmentInstances {
    /// The blocks with an unknown number of instances.
    unexpanded: HashSet<Address>,
    /// The number of instances with keys, by block.
    numbers: HashMap<Address, usize>,
    /// The instances of calls.
    calls: HashSet<Address>,
}

impl EnvironmentInstances {
    fn of(document: &Document) -> EnvironmentInstances {
        let mut instances = EnvironmentInstances::default();
        for entry in document.values.iter().filter(|entry| entry.address.object.key().is_some()) {
            let address = &entry.address;
            match &entry.number {
                InstanceNumber::One if address.object.key() == Some(&InstanceKey::None) => {}
                InstanceNumber::One => *instances.numbers.entry(block_of(address)).or_default() += 1,
                InstanceNumber::None(_) => {}
                InstanceNumber::Unknown(_) => {
                    instances.unexpanded.insert(block_of(address));
                }
            }
            if entry.kind == EntryKind::ModuleCall && matches!(entry.number, InstanceNumber::One) {
                instances.calls.insert(address.clone());
            }
        }
        instances
    }

    /// Whether a call on the way to a module has an unknown number of instances.
    fn is_unexpanded(&self, module: &ModulePath) -> bool {
        calls(module).any(|call| self.unexpanded.contains(&block_of(&call)))
    }

    /// Whether a module instance does not exist. The root module always exists.
    fn lacks(&self, module: &ModulePath) -> bool {
        calls(module).any(|call| !self.calls.contains(&call))
    }

    /// Returns the number of instances of a block in words.
    fn number(&self, block: &Address, entry: Option<&Entry>) -> Cell<'static> {
        let number = match (entry.map(|entry| &entry.number), self.numbers.get(block)) {
            (Some(InstanceNumber::Unknown(_)), _) => "(unknown number of instances)".to_owned(),
            (Some(InstanceNumber::None(_)), _) => "(no instances)".to_owned(),
            (Some(InstanceNumber::One), _) => "(1 instance)".to_owned(),
            (None, Some(number)) => format!("({})", counted(*number, "instance")),
            (None, None) => return self.without_entry(block),
        };
        Cell::Number(number)
    }

    /// Returns the cell of an object without an entry, or with an entry for zero instances.
    fn without_entry<'d>(&self, address: &Address) -> Cell<'d> {
        match self.is_unexpanded(&address.module) || self.unexpanded.contains(&block_of(address)) {
            true => Cell::MayBeAbsent,
            false => Cell::Absent,
        }
    }
}

/// Returns the address of the block of an object, in the same instance of its module.
fn block_of(address: &Address) -> Address {
    Address { module: address.module.clone(), object: address.object.without_key() }
}

/// Returns the calls that lead to a module, from the root on.
fn calls(module: &ModulePath) -> impl Iterator<Item = Address> {
    let mut caller = ModulePath::ROOT;
    module.steps().iter().map(move |ModuleStep { name, key }| {
        let object = Object::ModuleCall(name.clone(), key.clone());
        let inner = caller.child(name, key.clone());
        Address { module: std::mem::replace(&mut caller, inner), object }
    })
}
