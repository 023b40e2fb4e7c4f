//! Values given by hand for attributes that a provider sets, and for outputs of modules that are not on disk.
//!
//! [`GivenText`] is a value as the user writes it with `--set`; mock files write values in other forms. A load
//! finds the objects of the values and keeps the parts in [`GivenValues`]; the evaluation of an instance
//! replaces unknown values by them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_source::{Span, Subject, sorted_map};
use terrane_value::{Entries, Path, SmolStr, Value, convert};

use crate::model::given_step::GivenStep;
use crate::model::ids::{
    Arena, CallId, CallInModule, DefaultsId, GivenPartId, NodeId, ResourceId, ResourceInModule,
};

/// A value given by hand, as text: `data.aws_region.here.name` and `"eu-west-1"`.
///
/// ```
/// use terrane_module::GivenText;
///
/// let given: GivenText = r#"demo_disk.all["a=b"].size=10"#.parse()?;
/// assert_eq!((&*given.address, &*given.value), (r#"demo_disk.all["a=b"].size"#, "10"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenText {
    /// The address of an attribute of a resource or data source, of one of its instances or of all, or of an output of a
    /// module that is not on disk.
    pub address: String,
    /// An expression without names and functions.
    pub value: String,
}

impl FromStr for GivenText {
    type Err = String;

    /// Splits `ADDRESS=VALUE` at the first equals sign outside of the quotes of a key.
    fn from_str(text: &str) -> Result<GivenText, String> {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let split = text.char_indices().find(|(_, character)| {
            let is_split = *character == '=' && !is_quoted;
            is_quoted ^= *character == '"' && !is_escaped;
            is_escaped = *character == '\\' && !is_escaped;
            is_split
        });
        match split.map(|(at, _)| text.split_at(at)) {
            Some((address, value)) if !address.trim().is_empty() => Ok(GivenText {
                address: address.trim().to_owned(),
                value: value.strip_prefix('=').unwrap_or(value).to_owned(),
            }),
            Some(_) | None => Err("write it as ADDRESS=VALUE".to_owned()),
        }
    }
}

impl fmt::Display for GivenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.address, self.value)
    }
}

/// The outputs of a root module, for a `terraform_remote_state`.
#[derive(Clone, Debug)]
pub struct RemoteOutputs {
    /// The address of the data source, or of one of its instances.
    pub address: String,
    /// An object of the outputs, whose values may be unknown.
    pub outputs: Value,
}

/// The way in which a value is given, lowest precedence first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GivenBy {
    /// The defaults of a type in a mock file.
    Defaults,
    /// An override in a mock file.
    Override,
    /// The option `--remote-state`: all outputs of a `terraform_remote_state`.
    RemoteState,
    /// The option `--set`.
    Option,
}

/// The precedence of a value: the greater one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Strength {
    by: GivenBy,
    /// The number of levels at which one instance or one element is chosen.
    chosen: usize,
    /// Whether it is outside the blocks for single providers.
    is_of_file: bool,
}

/// A value given for an attribute of some instances of an object.
#[derive(Clone, Debug)]
pub struct GivenPart {
    pub(crate) by: GivenBy,
    /// Whether it is in a mock file, outside the blocks of providers.
    pub(crate) is_of_file: bool,
    /// The keys of the calls from the root module on. A call without a key means all instances.
    pub(crate) modules: Vec<InstanceKey>,
    /// The key of the instance; without a key, all instances are meant.
    pub(crate) key: InstanceKey,
    /// The attribute, and the steps below it.
    pub(crate) path: Vec<GivenStep>,
    /// The value, not yet converted.
    pub(crate) value: Value,
    /// The address as it was given, or the type that defaults are for.
    pub(crate) target: Subject,
    /// The place of the value.
    pub(crate) place: Subject,
    /// The span of its name, or of the whole part if it has no name: messages mark the name, because
    /// excerpts show no values.
    pub(crate) name: Span,
}

impl GivenPart {
    fn strength(&self) -> Strength {
        let chosen = self.modules.iter().chain([&self.key]).filter(|key| **key != InstanceKey::None).count();
        let chosen = chosen + self.path.iter().filter(|step| step.name().is_none()).count();
        Strength { by: self.by, chosen, is_of_file: self.is_of_file }
    }

    /// Returns how the value is given.
    pub fn by(&self) -> GivenBy {
        self.by
    }

    /// Returns the place of the value in a mock file.
    pub fn place(&self) -> Option<&Subject> {
        matches!(self.by, GivenBy::Defaults | GivenBy::Override).then_some(&self.place)
    }

    /// Returns the outputs given for a `terraform_remote_state`: an object, or unknown. `None` for any other part.
    pub(crate) fn remote_outputs(&self) -> Option<&Value> {
        (self.by == GivenBy::RemoteState).then_some(&self.value)
    }

    /// Whether it is given with an option.
    fn is_of_option(&self) -> bool {
        matches!(self.by, GivenBy::Option | GivenBy::RemoteState)
    }

    /// Whether `value`, the value of the object, contains a part of the given value. A value given by an option
    /// always counts, or is an error.
    pub(crate) fn is_in(&self, value: &Value) -> bool {
        self.is_of_option() || part_at(value, &self.path).is_some_and(|part| self.is_part_of(part))
    }

    /// Whether `value`, the value of the attribute or output, contains a part of the given value.
    pub fn is_part_of(&self, value: &Value) -> bool {
        has_part(value, &self.value)
    }

    /// Returns the steps from the object to the part.
    pub fn steps(&self) -> &[GivenStep] {
        &self.path
    }

    /// Returns the path below the object: `.names[0]`.
    pub fn path(&self) -> String {
        let mut path = Path::ROOT;
        self.path.iter().for_each(|step| path.push(step.path_step()));
        path.to_string()
    }

    /// Returns the names of the attributes that it is for: the first name on its path, or the names in an object
    /// given for the whole object.
    pub fn attributes(&self) -> Vec<&SmolStr> {
        match self.path.first() {
            Some(first) => first.name().into_iter().collect(),
            None => {
                self.value.as_entries().into_iter().flat_map(Entries::iter).map(|(name, _)| name).collect()
            }
        }
    }

    /// Returns the first name on the path; `None` for a part for the whole object.
    pub(crate) fn first_name(&self) -> Option<SmolStr> {
        self.path.first().and_then(GivenStep::name).cloned()
    }

    /// Returns the names after the part on a path that leads to the part or through it; `None` for any other path.
    pub fn names_behind<'s>(&self, steps: &'s [GivenStep]) -> Option<Vec<&'s SmolStr>> {
        let mut rest = steps.iter();
        for step in &self.path {
            // A name stands for the attribute in all elements of a list.
            let next = rest.find(|next| step.name().is_none() || next.name().is_some())?;
            if next != step {
                return None;
            }
        }
        Some(rest.filter_map(GivenStep::name).collect())
    }

    /// Returns the address as it was given, or the type that defaults are for.
    pub fn written(&self) -> &str {
        self.target.file.slice(self.target.span)
    }

    fn is_identical(&self, other: &GivenPart) -> bool {
        let place = |part: &GivenPart| (part.place.file.id().clone(), part.place.span);
        (&self.modules, &self.key, &self.path) == (&other.modules, &other.key, &other.path)
            && self.strength() == other.strength()
            && place(self) == place(other)
            && self.place.file.text() == other.place.file.text()
            && self.value.is_identical(&other.value)
    }
}

/// Returns the part at the end of a path.
fn part_at<'v>(value: &'v Value, path: &[GivenStep]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        GivenStep::Name(name) => value.known_attributes()?.get(name),
        GivenStep::Element(at) => value.known_elements()?.get(*at),
    })
}

/// Whether `value`, or an attribute below it, equals the converted given value.
fn has_part(value: &Value, given: &Value) -> bool {
    if let (Some(all), Some(given)) = (value.known_attributes(), given.known_attributes()) {
        return given.iter().any(|(name, given)| all.get(name).is_some_and(|value| has_part(value, given)));
    }
    let (plain, _) = value.unmark_deep();
    plain.is_wholly_known() && convert(given, &plain.ty()).is_ok_and(|given| given.same(&plain))
}

/// The values given for one object, highest precedence first.
#[derive(Clone, Default, Debug)]
pub struct GivenParts {
    parts: Arena<GivenPartId, GivenPart>,
    /// The ids of the parts, by the levels at which they choose an instance, such as no level for all instances.
    by_levels: BTreeMap<Vec<usize>, PartsByKeys>,
    /// Values for all instances, with lower precedence than all parts. The resources of a type share them.
    defaults: Option<Arc<Defaults>>,
}

/// The ids of parts, by the keys that they choose.
type PartsByKeys = BTreeMap<Vec<InstanceKey>, ChosenParts>;

/// The ids of parts for the same choice of instances.
#[derive(Clone, Default, Debug)]
struct ChosenParts {
    /// The ids by the first name on the path. A part for the whole object has no name.
    by_name: BTreeMap<Option<SmolStr>, Vec<GivenPartId>>,
    /// The ids of parts given by options.
    of_options: Vec<GivenPartId>,
}

/// The values that mock files give for all resources of a type.
#[derive(Debug)]
struct Defaults {
    /// The defaults of each block, highest precedence first.
    blocks: Arena<DefaultsId, Arc<BlockDefaults>>,
    /// The parts by the first name on their paths.
    by_name: HashMap<Option<SmolStr>, Vec<DefaultPart>>,
}

/// The defaults that a block of a mock file gives for a type.
type BlockDefaults = Arena<GivenPartId, GivenPart>;

/// A part among the defaults of a type. The smaller one has precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct DefaultPart {
    block: DefaultsId,
    part: GivenPartId,
}

impl Defaults {
    fn of(blocks: Arena<DefaultsId, Arc<BlockDefaults>>) -> Defaults {
        let mut by_name: HashMap<Option<SmolStr>, Vec<DefaultPart>> = HashMap::new();
        for (block, parts) in blocks.enumerate() {
            for (id, part) in parts.enumerate() {
                by_name.entry(part.first_name()).or_default().push(DefaultPart { block, part: id });
            }
        }
        Defaults { blocks, by_name }
    }

    fn parts(&self) -> impl Iterator<Item = &GivenPart> {
        self.blocks.iter().flat_map(|parts| parts.iter())
    }

    fn is_identical(&self, other: &Defaults) -> bool {
        let lengths = |of: &Defaults| of.blocks.iter().map(|parts| parts.len()).collect::<Vec<_>>();
        lengths(self) == lengths(other)
            && self.blocks.iter().zip(&other.blocks).all(|(one, other)| {
                Arc::ptr_eq(one, other)
                    || one.iter().zip(other.iter()).all(|(one, other)| one.is_identical(other))
            })
    }

    /// Returns the parts for attributes, or for the whole object.
    fn named(&self, names: &[Option<SmolStr>]) -> Vec<&GivenPart> {
        let mut found: Vec<DefaultPart> =
            names.iter().filter_map(|name| self.by_name.get(name)).flatten().copied().collect();
        found.sort_unstable();
        found.into_iter().map(|DefaultPart { block, part }| &self.blocks[block][part]).collect()
    }
}

/// The parts of an object without given values.
static NO_PARTS: GivenParts = GivenParts { parts: Arena::new(), by_levels: BTreeMap::new(), defaults: None };

impl GivenParts {
    /// Sorts parts that are in the order in which they were given. If two have the same
    /// precedence, the later one counts.
    fn of(mut parts: Vec<GivenPart>, defaults: Option<Arc<Defaults>>) -> GivenParts {
        parts.reverse();
        parts.sort_by_cached_key(|part| Reverse(part.strength()));
        let parts: Arena<GivenPartId, GivenPart> = parts.into_iter().collect();
        let mut by_levels: BTreeMap<Vec<usize>, PartsByKeys> = BTreeMap::new();
        for (id, part) in parts.enumerate() {
            let keys = part.modules.iter().chain([&part.key]).enumerate();
            let (levels, keys) = keys
                .filter(|(_, key)| **key != InstanceKey::None)
                .map(|(level, key)| (level, key.clone()))
                .unzip();
            let chosen = by_levels.entry(levels).or_default().entry(keys).or_default();
            chosen.by_name.entry(part.first_name()).or_default().push(id);
            if part.is_of_option() {
                chosen.of_options.push(id);
            }
        }
        GivenParts { parts, by_levels, defaults }
    }

    /// Whether nothing is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// Returns the part with the highest precedence.
    pub(crate) fn first(&self) -> Option<&GivenPart> {
        self.all().next()
    }

    /// Returns all parts.
    pub(crate) fn all(&self) -> impl Iterator<Item = &GivenPart> {
        self.parts.iter().chain(self.defaults.iter().flat_map(|defaults| defaults.parts()))
    }

    /// Returns the number of searches that [`GivenParts::of_instance`] makes.
    pub(crate) fn searches(&self) -> usize {
        self.by_levels.len()
    }

    /// Returns the parts for an instance of the object in a module instance.
    pub(crate) fn of_instance(&self, module: &ModulePath, key: &InstanceKey) -> Vec<&GivenPart> {
        let chosen = self.chosen(module, key).into_iter().flat_map(|chosen| chosen.by_name.values());
        let mut found = self.found(chosen.flatten());
        found.extend(self.defaults.iter().flat_map(|defaults| defaults.parts()));
        found
    }

    /// Returns the parts for an instance of the object in a module instance that are for the whole object, for an
    /// attribute in `names`, or given with an option.
    pub(crate) fn of_attributes<'n>(
        &self,
        module: &ModulePath,
        key: &InstanceKey,
        names: impl IntoIterator<Item = &'n SmolStr>,
    ) -> Vec<&GivenPart> {
        let names: Vec<Option<SmolStr>> =
            std::iter::once(None).chain(names.into_iter().cloned().map(Some)).collect();
        let of_chosen = |chosen: &ChosenParts| {
            let named = names.iter().filter_map(|name| chosen.by_name.get(name)).flatten();
            named.chain(&chosen.of_options).copied().collect::<Vec<GivenPartId>>()
        };
        let mut ids: Vec<GivenPartId> = self.chosen(module, key).into_iter().flat_map(of_chosen).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut found: Vec<&GivenPart> = ids.into_iter().map(|id| &self.parts[id]).collect();
        found.extend(self.defaults.iter().flat_map(|defaults| defaults.named(&names)));
        found
    }

    /// Returns the parts for instances that do not exist, without defaults. `instances` are all
    /// instances of the object.
    pub(crate) fn without_instance<'i>(
        &self,
        instances: impl Iterator<Item = (&'i ModulePath, &'i InstanceKey)>,
    ) -> Vec<&GivenPart> {
        let mut missing: BTreeMap<&Vec<usize>, BTreeMap<_, _>> =
            sorted_map(self.by_levels.iter().map(|(levels, by_keys)| (levels, sorted_map(by_keys.iter()))));
        for (module, key) in instances {
            let keys = keys(module, key);
            for (levels, by_keys) in &mut missing {
                if let Some(chosen) = at_levels(levels, &keys) {
                    by_keys.remove(&chosen);
                }
            }
        }
        let missing = missing.into_values().flat_map(BTreeMap::into_values);
        self.found(missing.flat_map(|chosen| chosen.by_name.values()).flatten())
    }

    /// Returns the part with the highest precedence for an attribute of an instance, or for a part of the attribute.
    pub(crate) fn of_attribute(
        &self,
        module: &ModulePath,
        key: &InstanceKey,
        name: &SmolStr,
    ) -> Option<&GivenPart> {
        let name = Some(name.clone());
        let chosen = self.chosen(module, key).into_iter();
        let first = chosen.filter_map(|chosen| chosen.by_name.get(&name)?.first()).min()?;
        Some(&self.parts[*first])
    }

    /// Returns the parts for an instance, by their names.
    fn chosen(&self, module: &ModulePath, key: &InstanceKey) -> Vec<&ChosenParts> {
        let keys = keys(module, key);
        let all = self.by_levels.iter();
        all.filter_map(|(levels, by_keys)| by_keys.get(&at_levels(levels, &keys)?)).collect()
    }

    fn found<'g>(&'g self, ids: impl Iterator<Item = &'g GivenPartId>) -> Vec<&'g GivenPart> {
        let mut ids: Vec<GivenPartId> = ids.copied().collect();
        ids.sort_unstable();
        ids.into_iter().map(|id| &self.parts[id]).collect()
    }
}

/// Returns the keys of an instance at all levels.
fn keys<'k>(module: &'k ModulePath, key: &'k InstanceKey) -> Vec<&'k InstanceKey> {
    module.steps().iter().map(|step| &step.key).chain([key]).collect()
}

fn at_levels(levels: &[usize], keys: &[&InstanceKey]) -> Option<Vec<InstanceKey>> {
    levels.iter().map(|level| keys.get(*level).copied().cloned()).collect()
}

/// The values given by hand, by their objects.
#[derive(Clone, Default, Debug)]
pub struct GivenValues {
    resources: BTreeMap<ResourceInModule, GivenParts>,
    outputs: BTreeMap<CallInModule, GivenParts>,
}

/// Values in the order in which they are given. If two are for the same instances, the later one counts.
#[derive(Default)]
pub(crate) struct GivenInOrder {
    resources: BTreeMap<ResourceInModule, PartsInOrder>,
    outputs: BTreeMap<CallInModule, Vec<GivenPart>>,
    /// The defaults that each block gives for a type, which the resources of the type share.
    defaults: Arena<DefaultsId, Arc<BlockDefaults>>,
}

/// The values given for one resource, in the order in which they are given.
#[derive(Default)]
struct PartsInOrder {
    parts: Vec<GivenPart>,
    defaults: Vec<DefaultsId>,
}

impl GivenInOrder {
    /// Adds a part for a resource.
    pub(crate) fn add_resource(&mut self, resource: ResourceInModule, part: GivenPart) {
        self.resources.entry(resource).or_default().parts.push(part);
    }

    /// Adds the defaults of a block for a type. Returns their id.
    pub(crate) fn share_defaults(&mut self, defaults: impl Iterator<Item = GivenPart>) -> DefaultsId {
        self.defaults.push(Arc::new(defaults.collect()))
    }

    /// Gives a resource the defaults of a block.
    pub(crate) fn add_defaults(&mut self, resource: ResourceInModule, defaults: DefaultsId) {
        self.resources.entry(resource).or_default().defaults.push(defaults);
    }

    /// Adds a part for the outputs of a call.
    pub(crate) fn add_output(&mut self, call: CallInModule, part: GivenPart) {
        self.outputs.entry(call).or_default().push(part);
    }

    /// Sorts the values by precedence.
    pub(crate) fn sorted(self) -> GivenValues {
        let GivenInOrder { resources, outputs, defaults: blocks } = self;
        let mut by_blocks: HashMap<Vec<DefaultsId>, Arc<Defaults>> = HashMap::new();
        let mut sorted = |PartsInOrder { parts, defaults: mut ids }: PartsInOrder| {
            ids.reverse();
            let of = |ids: &Vec<DefaultsId>| {
                let blocks = ids.iter().map(|id| Arc::clone(&blocks[*id]));
                Arc::new(Defaults::of(blocks.collect()))
            };
            let defaults = (!ids.is_empty()).then(|| match by_blocks.get(&ids) {
                Some(defaults) => Arc::clone(defaults),
                None => {
                    let defaults = of(&ids);
                    by_blocks.insert(ids, Arc::clone(&defaults));
                    defaults
                }
            });
            GivenParts::of(parts, defaults)
        };
        GivenValues {
            resources: sorted_map(resources.into_iter().map(|(id, parts)| (id, sorted(parts)))),
            outputs: sorted_map(outputs.into_iter().map(|(id, parts)| (id, GivenParts::of(parts, None)))),
        }
    }
}

impl GivenValues {
    /// Returns the parts for a resource.
    pub(crate) fn resource(&self, module: NodeId, resource: ResourceId) -> &GivenParts {
        if self.resources.is_empty() {
            return &NO_PARTS;
        }
        self.resources.get(&ResourceInModule { module, resource }).unwrap_or(&NO_PARTS)
    }

    /// Returns the parts for the outputs of a call.
    pub(crate) fn outputs(&self, module: NodeId, call: CallId) -> &GivenParts {
        if self.outputs.is_empty() {
            return &NO_PARTS;
        }
        self.outputs.get(&CallInModule { module, call }).unwrap_or(&NO_PARTS)
    }

    /// Whether outputs of any call are given.
    pub(crate) fn has_outputs(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// Whether no value is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.outputs.is_empty()
    }

    /// Returns the parts for resources.
    pub(crate) fn of_resources(&self) -> impl Iterator<Item = (&ResourceInModule, &GivenParts)> {
        self.resources.iter()
    }

    /// Returns the parts for outputs of calls.
    pub(crate) fn of_outputs(&self) -> impl Iterator<Item = (&CallInModule, &GivenParts)> {
        self.outputs.iter()
    }

    /// Whether both give the same values for the same objects.
    pub(crate) fn is_same(&self, other: &GivenValues) -> bool {
        let same = |one: &GivenParts, other: &GivenParts| {
            one.parts.len() == other.parts.len()
                && one.parts.iter().zip(&other.parts).all(|(one, other)| one.is_identical(other))
                && match (&one.defaults, &other.defaults) {
                    (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one.is_identical(other),
                    (one, other) => one.is_none() && other.is_none(),
                }
        };
        let (resources, outputs) = (self.of_resources(), self.of_outputs());
        self.resources.len() == other.resources.len()
            && self.outputs.len() == other.outputs.len()
            && resources
                .zip(other.of_resources())
                .all(|((id, one), (other_id, other))| id == other_id && same(one, other))
            && outputs
                .zip(other.of_outputs())
                .all(|((id, one), (other_id, other))| id == other_id && same(one, other))
    }
}

/// A set of paths of parts that rejects a path below an earlier one.
#[derive(Default)]
pub(crate) struct GivenPaths {
    is_given: bool,
    below: BTreeMap<GivenStep, GivenPaths>,
}

impl GivenPaths {
    /// Adds a path. Returns false if it begins with a path that was added before.
    pub(crate) fn add(&mut self, path: &[GivenStep]) -> bool {
        let mut place = self;
        for step in path {
            if place.is_given {
                return false;
            }
            place = place.below.entry(step.clone()).or_default();
        }
        !std::mem::replace(&mut place.is_given, true)
    }
}
