//! The value that an address selects.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use terrane_config::address::Object;
use terrane_source::Subject;
use terrane_value::{Origins, Path, PathStep, Value};

use crate::entry::Entry;
use crate::part_source::{PartSource, SourceKind};
use crate::secrets::Secrets;
use crate::written::shown_address;

/// The value that an address of the command line selects.
#[derive(Clone, Debug)]
pub struct Selected<'d> {
    /// The address as it was given.
    pub address: String,
    /// The value of an entry, of a part of it, or of an expression.
    pub value: Value,
    /// The entry whose value was selected. `None` for a part or an expression.
    pub entry: Option<&'d Entry>,
    /// For a part of an object: the place of the argument that sets it, if the block of a resource or action has one, otherwise
    /// the declaration of the object.
    pub place: Option<Subject>,
    /// Whether the address selects one instance of an unknown number.
    pub is_one: bool,
    /// Why the number of instances with the value is unknown: of the object or of its module. `None` if the number is known.
    pub unknown_instances: Option<Origins>,
    /// For a part of an object: its parts that do not come from the configuration.
    pub sources: Vec<PartSource>,
    /// For a part or an expression: the kinds of source outside of the configuration that it depends on.
    pub follows_from: Vec<SourceKind>,
}

impl<'d> Selected<'d> {
    /// Returns a selected value that belongs to no object, without sources.
    pub fn new(address: String, value: Value) -> Selected<'d> {
        Selected {
            address,
            value,
            entry: None,
            place: None,
            is_one: false,
            unknown_instances: None,
            sources: Vec::new(),
            follows_from: Vec::new(),
        }
    }

    /// Returns the address as outputs name it. If secrets are hidden, it has no literals in calls of `sensitive`.
    pub fn name(&self, secrets: Secrets) -> Cow<'_, str> {
        match secrets {
            Secrets::Shown => Cow::Borrowed(&self.address),
            Secrets::Hidden => shown_address(&self.address),
        }
    }

    /// Returns each distinct address with its name. Names of different expressions may be equal, because literals are hidden;
    /// all but the first then have a number behind them.
    pub(crate) fn names<'s>(
        selected: &'s [Selected<'d>],
        secrets: Secrets,
    ) -> Vec<(&'s Selected<'d>, Cow<'s, str>)> {
        let mut addresses: HashSet<&str, RandomState> = HashSet::default();
        let mut hidden: HashMap<String, usize, RandomState> = HashMap::default();
        let each = selected.iter().filter(|one| addresses.insert(&one.address));
        let named = each.map(|one| match one.name(secrets) {
            Cow::Borrowed(name) => (one, Cow::Borrowed(name)),
            Cow::Owned(name) => {
                let number = hidden.entry(name.clone()).and_modify(|number| *number += 1).or_insert(1);
                let name = if *number == 1 { name } else { format!("{name} ({number})") };
                (one, Cow::Owned(name))
            }
        });
        named.collect()
    }

    /// Returns the value of an object.
    pub fn object(entry: &'d Entry) -> Selected<'d> {
        Selected { entry: Some(entry), ..Selected::new(entry.address.to_string(), entry.value.clone()) }
    }

    /// Adds the place and the sources of the part of an object at a path.
    #[must_use]
    pub fn with_sources_of(mut self, entry: &Entry, path: &Path) -> Selected<'d> {
        self.place = place_of_part(entry, path).or(self.place);
        self.sources.extend(PartSource::of_parts(&entry.sources, path));
        match &entry.address.object {
            Object::Output(_) | Object::Local(_) | Object::Variable(_) => self.add_kinds(&entry.follows_from),
            Object::Resource { .. } => {
                let arguments = entry.arguments_follow_from.as_deref().into_iter().flatten();
                let name = path.steps().first().and_then(PathStep::name);
                let is_computed = self.sources.iter().any(|source| source.kind == SourceKind::ComputedData);
                let read = arguments.filter(|(argument, _)| is_computed || name == Some(argument.as_str()));
                read.for_each(|(_, kinds)| self.add_kinds(kinds));
            }
            // Its parts are outputs, which have entries of their own.
            Object::ModuleCall(..)
            | Object::Check(_)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => {}
        }
        self
    }

    /// Adds the sources of another value that an expression reads.
    #[must_use]
    pub fn with_sources_read(mut self, read: &Selected<'_>) -> Selected<'d> {
        let entry = read.entry.into_iter();
        let whole: Vec<SourceKind> = entry
            .flat_map(|entry| {
                let arguments = entry.arguments_follow_from.as_deref().into_iter().flatten();
                let arguments = arguments.flat_map(|(_, kinds)| kinds).copied();
                let own = entry.sources.iter().map(|source| source.kind);
                own.chain(entry.follows_from.iter().copied()).chain(arguments)
            })
            .collect();
        let parts: Vec<SourceKind> = read.sources.iter().map(|source| source.kind).collect();
        for kinds in [&whole, &parts, &read.follows_from] {
            self.add_kinds(kinds);
        }
        self
    }

    fn add_kinds(&mut self, kinds: &[SourceKind]) {
        self.follows_from.extend(kinds);
        self.follows_from.sort_unstable();
        self.follows_from.dedup();
    }
}

/// Returns the place of the written argument that sets the part at a path, or of the declaration of the object.
fn place_of_part(entry: &Entry, path: &Path) -> Option<Subject> {
    let name = path.steps().first().and_then(PathStep::name);
    let mut written = entry.block.iter().flat_map(|block| block.written());
    let argument = written.find(|part| Some(part.name.as_str()) == name);
    argument.map(|part| part.place.clone()).or_else(|| entry.declaration.clone())
}
