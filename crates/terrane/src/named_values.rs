//! The named values of an evaluation. All instances of a block share everything but their keys and values.
//!
//! A block with `count = 1000000` has one row here; the entry of an instance is built when it is read.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use terrane_config::{Address, InstanceKey};
use terrane_module::module::ResourceKey;
use terrane_module::{Expansion, InstanceValue};
use terrane_value::Value;

use crate::entry::{Entry, InstanceNumber};
use crate::marked_output;
use crate::own_sources::OwnSources;
use crate::part_source::{PartSource, SourceKind};

/// Named values in the order of their declarations.
#[derive(Clone, Default, Debug)]
pub struct NamedValues {
    rows: Arc<Vec<Row>>,
    /// The sources of values of resources and calls, from which the sources of other values follow.
    pub(crate) own_sources: Arc<OwnSources>,
}

/// One named value, or the many instances of a resource with `count` or `for_each`.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The entry. If it stands for instances, it has no key and no value.
    pub(crate) entry: Entry,
    pub(crate) instances: Option<Box<RowInstances>>,
}

/// The instances of a resource.
#[derive(Clone, Debug)]
pub(crate) struct RowInstances {
    pub(crate) resource: ResourceKey,
    pub(crate) values: Arc<Expansion<InstanceValue>>,
    /// Facts about instances that have a value of their own.
    pub(crate) own: BTreeMap<InstanceKey, OwnParts>,
}

/// Facts about one instance of a resource.
#[derive(Clone, Default, Debug)]
pub(crate) struct OwnParts {
    pub(crate) sources: Vec<PartSource>,
    pub(crate) prior: Option<Value>,
}

impl OwnParts {
    /// Whether there are no facts.
    pub(crate) fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.prior.is_none()
    }
}

impl From<Entry> for Row {
    fn from(entry: Entry) -> Row {
        Row { entry, instances: None }
    }
}

impl RowInstances {
    fn value(&self, key: &InstanceKey, value: &InstanceValue) -> Value {
        marked_output::shown(&self.resource, &value.value(key))
    }

    /// Returns the keys of the instances that `other` has with the same value.
    fn same_in(&self, other: &RowInstances) -> HashSet<InstanceKey> {
        let is_same = |(key, value): &(InstanceKey, &InstanceValue)| {
            other.values.get(key).is_some_and(|other| value.same(other))
        };
        self.values.iter().filter(is_same).map(|(key, _)| key).collect()
    }

    fn entry(&self, common: &Entry, key: InstanceKey, value: &InstanceValue) -> Entry {
        let mut entry = Entry { value: self.value(&key, value), ..common.clone() };
        if !value.is_shared() {
            let own = self.own.get(&key).cloned().unwrap_or_default();
            (entry.sources, entry.prior) = (own.sources, own.prior);
        }
        entry.address.object = self.resource.object(key);
        entry
    }
}

/// An entry that is built when it is read, if it is of one of the many instances of a row.
#[derive(Clone)]
pub(crate) enum ReadEntry<'r> {
    Single(&'r Entry),
    OfInstance(&'r Row, InstanceKey),
}

impl<'r> ReadEntry<'r> {
    /// Returns the entry. `None` if the row has no such instance.
    pub(crate) fn entry(&self) -> Option<Cow<'r, Entry>> {
        match self {
            ReadEntry::Single(entry) => Some(Cow::Borrowed(entry)),
            ReadEntry::OfInstance(row, key) => {
                let instances = row.instances.as_ref()?;
                let entry = instances.entry(&row.entry, key.clone(), instances.values.get(key)?);
                Some(Cow::Owned(entry))
            }
        }
    }

    /// Returns an entry with the facts that do not depend on the instance.
    pub(crate) fn common(&self) -> &'r Entry {
        match self {
            ReadEntry::Single(entry) => entry,
            ReadEntry::OfInstance(row, _) => &row.entry,
        }
    }

    pub(crate) fn address(&self) -> Address {
        match self {
            ReadEntry::Single(entry) => entry.address.clone(),
            ReadEntry::OfInstance(row, key) => Address {
                module: row.entry.address.module.clone(),
                object: match &row.instances {
                    Some(instances) => instances.resource.object(key.clone()),
                    None => row.entry.address.object.clone(),
                },
            },
        }
    }
}

impl Row {
    /// Returns the entries of the row. [`ReadEntry::entry`] builds those of many instances.
    fn unread(&self) -> impl Iterator<Item = ReadEntry<'_>> {
        let keys = self.instances.iter().flat_map(|instances| instances.values.iter().map(|(key, _)| key));
        self.single()
            .map(ReadEntry::Single)
            .into_iter()
            .chain(keys.map(|key| ReadEntry::OfInstance(self, key)))
    }

    /// Returns the entries of the row.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Cow<'_, Entry>> {
        self.entries_without(None)
    }

    /// Returns the entries of the row, without those of some of many instances.
    fn entries_without<'r>(
        &'r self,
        left_out: Option<&'r HashSet<InstanceKey>>,
    ) -> impl Iterator<Item = Cow<'r, Entry>> {
        let is_in = move |key: &InstanceKey| left_out.is_none_or(|keys| !keys.contains(key));
        let made = self.instances.iter().flat_map(move |instances| {
            let values = instances.values.iter().filter(move |(key, _)| is_in(key));
            values.map(|(key, value)| Cow::Owned(instances.entry(&self.entry, key, value)))
        });
        self.single().map(Cow::Borrowed).into_iter().chain(made)
    }

    /// Returns the entry. `None` if the row stands for many instances.
    fn single(&self) -> Option<&Entry> {
        self.instances.is_none().then_some(&self.entry)
    }

    /// Returns the number of entries.
    fn count(&self) -> usize {
        self.instances.as_ref().map_or(1, |instances| instances.values.len())
    }

    /// Whether any entry has sources.
    pub(crate) fn has_sources(&self) -> bool {
        let of_instances = || self.instances.iter().flat_map(|instances| instances.own.values());
        !self.entry.sources.is_empty() || of_instances().any(|own| !own.sources.is_empty())
    }

    /// Returns the lists of sources of the entries, each with the number of entries that have it.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (usize, &[PartSource])> {
        let own = self.instances.iter().flat_map(|instances| instances.own.values());
        let own = own.map(|own| (1, &*own.sources));
        let is_shared = |(_, value): &(InstanceKey, &InstanceValue)| value.is_shared();
        let with_common =
            self.instances.as_ref().map_or(1, |instances| match self.entry.sources.is_empty() {
                true => 0,
                false => instances.values.iter().filter(is_shared).count(),
            });
        std::iter::once((with_common, &*self.entry.sources)).chain(own)
    }
}

impl NamedValues {
    pub(crate) fn new(rows: Vec<Row>, own_sources: Arc<OwnSources>) -> NamedValues {
        NamedValues { rows: rows.into(), own_sources }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.rows.iter().map(Row::count).sum()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the entries. The entries of the instances of one block are built while they are read.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, Entry>> {
        self.rows.iter().flat_map(Row::entries)
    }

    /// Returns the entries. [`ReadEntry::entry`] builds those of many instances.
    pub(crate) fn unread(&self) -> impl Iterator<Item = ReadEntry<'_>> {
        self.rows.iter().flat_map(Row::unread)
    }

    /// Returns the approximate bytes of the entries in memory, besides their values.
    pub(crate) fn bytes(&self) -> usize {
        let own: usize =
            self.rows.iter().filter_map(|row| row.instances.as_ref()).map(|row| row.own.len()).sum();
        self.rows.len() * size_of::<Row>() + own * size_of::<(InstanceKey, OwnParts)>()
    }

    /// Returns all entries in memory.
    pub fn to_vec(&self) -> Vec<Entry> {
        let mut all = Vec::with_capacity(self.len());
        all.extend(self.iter().map(Cow::into_owned));
        all
    }

    /// Returns the entries of two evaluations for which `is_wanted` is true, without the instances that a block with many
    /// instances has on both sides with the same value, if `may_omit` is true for its row.
    pub(crate) fn without_same(
        [before, after]: [&NamedValues; 2],
        is_wanted: fn(&Entry) -> bool,
        may_omit: &dyn Fn(&Entry) -> bool,
    ) -> [Vec<Entry>; 2] {
        fn of_many(row: &Row) -> Option<(&Address, &RowInstances)> {
            Some((&row.entry.address, row.instances.as_deref()?))
        }
        let others: HashMap<&Address, &RowInstances> = after.rows.iter().filter_map(of_many).collect();
        let omitted = before.rows.iter().filter(|row| is_wanted(&row.entry) && may_omit(&row.entry));
        let omitted = omitted.filter_map(of_many).filter_map(|(address, instances)| {
            others.get(address).map(|other| (address, instances.same_in(other)))
        });
        let omitted: HashMap<&Address, HashSet<InstanceKey>> = omitted.collect();
        [before, after].map(|side| {
            let rows = side.rows.iter().filter(|row| is_wanted(&row.entry));
            let entries = rows.flat_map(|row| row.entries_without(omitted.get(&row.entry.address)));
            entries.map(Cow::into_owned).collect()
        })
    }

    /// Returns the values, and the arguments of module calls.
    pub fn values(&self) -> impl Iterator<Item = Cow<'_, Value>> {
        self.values_of(|_| true)
    }

    /// Returns the values like [`NamedValues::values`], but only for entries for which `is_wanted` is true. It does not see
    /// instance keys.
    pub(crate) fn values_of(&self, is_wanted: fn(&Entry) -> bool) -> impl Iterator<Item = Cow<'_, Value>> {
        self.rows.iter().filter(move |row| is_wanted(&row.entry)).flat_map(|row| {
            let made = row.instances.iter().flat_map(|instances| {
                instances.values.iter().map(|(key, value)| Cow::Owned(instances.value(&key, value)))
            });
            let single = row.single().map(|entry| [Some(&entry.value), entry.arguments.as_ref()]);
            single.into_iter().flatten().flatten().map(Cow::Borrowed).chain(made)
        })
    }

    /// Returns the entries, except the instances of resources with many instances.
    pub(crate) fn single(&self) -> impl Iterator<Item = &Entry> {
        self.rows.iter().filter_map(Row::single)
    }

    /// Returns the numbers of parts of values that do not come from the configuration, by their kind of source.
    pub(crate) fn numbers_of_sources(&self) -> BTreeMap<SourceKind, usize> {
        let mut numbers = BTreeMap::new();
        let rows = self.rows.iter().filter(|row| row.has_sources());
        for (count, sources) in rows.flat_map(Row::sources) {
            for part in sources {
                *numbers.entry(part.kind).or_default() += count;
            }
        }
        numbers
    }

    /// Returns the numbers of instances by the kinds of source that `count`, `for_each` or `enabled` depends on.
    pub(crate) fn numbers_of_instances(&self) -> BTreeMap<SourceKind, usize> {
        let mut numbers = BTreeMap::new();
        for row in self.rows.iter().filter(|row| matches!(row.entry.number, InstanceNumber::One)) {
            for kind in &row.entry.instances_follow_from {
                *numbers.entry(*kind).or_default() += row.count();
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    #[test]
    fn many_instances_have_the_entries_of_few() {
        let block = |count: usize| {
            format!(
                "resource \"a_b\" \"c\" {{\n  count = {count}\n  x = var.v\n}}\nvariable \"v\" {{}}\n\
                 resource \"a_b\" \"d\" {{\n  count = {count}\n  x = count.index\n}}\n"
            )
        };
        let document = |count: usize| {
            let files = MemoryFiles::from_iter([("main.tf", block(count))]);
            let project = Project::new(".").set("a_b.d[2].id", "\"i-2\"");
            project.evaluate(&files).document(Secrets::Hidden)
        };
        let (few, many) = (document(15), document(16));
        assert_eq!((few.values.rows.len(), few.values.len()), (31, 31));
        assert_eq!((many.values.rows.len(), many.values.len()), (3, 33));
        let text = |entry: &crate::Entry| {
            let crate::Entry { address, value, sources, keys, .. } = entry;
            let sources: Vec<&str> = sources.iter().map(|source| source.path.as_str()).collect();
            format!("{address} {value:?} {sources:?} {keys:?} {}", entry.block.is_some())
        };
        let of_few: Vec<String> = few.values.iter().map(|entry| text(&entry)).collect();
        let of_many = many.values.iter().filter(|entry| !entry.address.to_string().ends_with("[15]"));
        assert_eq!(of_many.map(|entry| text(&entry)).collect::<Vec<_>>(), of_few);
        assert_eq!(few.sources, many.sources);
        assert_eq!(many.values.to_vec().len(), many.values.len());
    }
}
