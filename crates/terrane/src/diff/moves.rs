//! The addresses that `moved` blocks and changes of `count` give to objects.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, ModuleStep, Object, ResourceMode};
use terrane_module::Config;
use terrane_module::module::{Move, ResourceKey};

/// A `moved` block with the module that contains it.
struct MovedBlock<'c> {
    module: &'c ModulePath,
    block: &'c Move,
}

/// The `moved` blocks of all modules, and moves that follow from a change of `count`.
pub(super) struct Moves<'c> {
    blocks: Vec<MovedBlock<'c>>,
    /// The positions in `blocks` of the blocks about a resource, by its type and name.
    resources: HashMap<(&'c str, &'c str), Vec<usize>>,
    /// The positions in `blocks` of the blocks about a module, by the name of its call.
    modules: HashMap<&'c str, Vec<usize>>,
    /// Final addresses by earlier addresses: the results of `target` so far.
    targets: RefCell<HashMap<Address, Address>>,
    by_count: bool,
}

impl<'c> Moves<'c> {
    pub(super) fn of(config: &'c Config) -> Moves<'c> {
        let written = |node: &'c terrane_module::ModuleNode| {
            let moves = node.module.moves.iter().filter(|block| block.from.resolved && block.to.resolved);
            moves.map(|block| MovedBlock { module: &node.path, block })
        };
        let blocks: Vec<MovedBlock<'c>> = config.nodes().flat_map(|(_, node)| written(node)).collect();
        let mut moves = Moves { by_count: true, ..Moves::none() };
        for (number, MovedBlock { block, .. }) in blocks.iter().enumerate() {
            match (&block.from.resource, block.from.module.steps().last()) {
                (Some(key), _) => {
                    moves.resources.entry((&key.resource_type, &key.name)).or_default().push(number);
                }
                (None, Some(call)) => moves.modules.entry(&call.name).or_default().push(number),
                (None, None) => {}
            }
        }
        Moves { blocks, ..moves }
    }

    /// Returns a value without moves, for a comparison in which objects have their new addresses already.
    pub(super) fn none() -> Moves<'c> {
        Moves {
            blocks: Vec::new(),
            resources: HashMap::new(),
            modules: HashMap::new(),
            targets: RefCell::default(),
            by_count: false,
        }
    }

    /// Returns the address after all moves. `None` if no block moves the object.
    pub(super) fn target(&self, address: &Address) -> Option<Address> {
        if self.blocks.is_empty() {
            return None;
        }
        let mut at = address.clone();
        let mut seen = HashSet::new();
        // A circle of moves has been reported as an error.
        while seen.insert(at.clone()) {
            let cached = self.targets.borrow().get(&at).cloned();
            match cached.or_else(|| self.moved(&at)) {
                Some(next) => at = next,
                None => break,
            }
        }
        let mut targets = self.targets.borrow_mut();
        targets.extend(seen.into_iter().filter(|before| *before != at).map(|before| (before, at.clone())));
        (at != *address).then_some(at)
    }

    /// Returns the address after the first block that moves the object.
    fn moved(&self, address: &Address) -> Option<Address> {
        let Object::Resource { resource_type, name, .. } = &address.object else { return None };
        let of_resource = self.resources.get(&(&**resource_type, &**name));
        let calls = address.module.steps().iter();
        let of_modules = calls.filter_map(|call| self.modules.get(&*call.name));
        let mut numbers: Vec<usize> = of_resource.into_iter().chain(of_modules).flatten().copied().collect();
        numbers.sort_unstable();
        let blocks = numbers.into_iter().filter_map(|number| self.blocks.get(number));
        blocks.filter_map(|written| written.moved(address)).find(|next| next != address)
    }

    /// Returns the address that an instance gets if its block gains or loses `count`. `None` for other instances.
    pub(super) fn by_count(&self, address: &Address) -> Option<Address> {
        let Object::Resource { mode: mode @ ResourceMode::Managed, resource_type, name, key } =
            &address.object
        else {
            return None;
        };
        let key = match key {
            InstanceKey::None => InstanceKey::Index(0),
            InstanceKey::Index(0) => InstanceKey::None,
            InstanceKey::Index(_) | InstanceKey::Key(_) => return None,
        };
        let object =
            Object::Resource { mode: *mode, resource_type: resource_type.clone(), name: name.clone(), key };
        self.by_count.then(|| Address { module: address.module.clone(), object })
    }
}

impl MovedBlock<'_> {
    /// Returns the address after this move, for an object of any instance of the module that contains the block.
    fn moved(&self, address: &Address) -> Option<Address> {
        let Object::Resource { mode: mode @ ResourceMode::Managed, resource_type, name, key } =
            &address.object
        else {
            return None;
        };
        let steps = address.module.steps();
        let (own, inner) = steps.split_at_checked(self.module.steps().len())?;
        if !own.iter().map(|step| &step.name).eq(self.module.steps().iter().map(|step| &step.name)) {
            return None;
        }
        let (from, to) = (&self.block.from, &self.block.to);
        let moved: Vec<ModuleStep>;
        let object = match (&from.resource, &to.resource) {
            (Some(old), Some(new)) => {
                let resource =
                    ResourceKey { mode: *mode, resource_type: resource_type.clone(), name: name.clone() };
                if *old != resource || inner != from.module.steps() {
                    return None;
                }
                moved = to.module.steps().to_vec();
                new.object(moved_key(&from.key, &to.key, key)?)
            }
            (None, None) => {
                let (last, outer) = from.module.steps().split_last()?;
                let (old_outer, rest) = inner.split_at_checked(outer.len())?;
                let (call, rest) = rest.split_first()?;
                if old_outer != outer || call.name != last.name {
                    return None;
                }
                let (new, new_outer) = to.module.steps().split_last()?;
                let key = moved_key(&last.key, &new.key, &call.key)?;
                let call = ModuleStep { name: new.name.clone(), key };
                moved = new_outer.iter().cloned().chain([call]).chain(rest.iter().cloned()).collect();
                address.object.clone()
            }
            (Some(_), None) | (None, Some(_)) => return None,
        };
        let steps = own.iter().chain(&moved);
        let module = steps.fold(ModulePath::ROOT, |path, step| path.child(&step.name, step.key.clone()));
        Some(Address { module, object })
    }
}

/// Returns the key of an instance after a move. `None` if the block moves another instance. A block without keys moves all
/// instances, which keep their keys.
fn moved_key(from: &InstanceKey, to: &InstanceKey, key: &InstanceKey) -> Option<InstanceKey> {
    match (from, to) {
        (InstanceKey::None, InstanceKey::None) => Some(key.clone()),
        (from, to) => (from == key).then(|| to.clone()),
    }
}
