//! Values given by hand for attributes that a provider sets, and for outputs of modules that are not on disk.
//!
//! [`GivenText`] is a value as the user writes it. A load finds its object and keeps the parts in [`GivenValues`]; the
//! evaluation of an instance puts them where the value is unknown.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_source::Subject;
use terrane_value::{Path, PathStep, SmolStr, Value};

use crate::model::ids::{CallId, NodeId, ResourceId};

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

/// A value given for an attribute of some instances of an object.
#[derive(Clone, Debug)]
pub struct GivenPart {
    /// The keys of the calls from the root module on; without a key, all instances are meant.
    pub(crate) modules: Vec<InstanceKey>,
    /// The key of the instance; without it, all are meant.
    pub(crate) key: InstanceKey,
    /// The attribute, and the attributes below it.
    pub(crate) path: Vec<SmolStr>,
    /// The value, not yet converted.
    pub(crate) value: Value,
    /// The address as it was given.
    pub(crate) place: Subject,
}

impl GivenPart {
    /// Whether the instance `key` of the object in a module instance is meant.
    pub(crate) fn is_for(&self, module: &ModulePath, key: &InstanceKey) -> bool {
        let is_meant =
            |wanted: &InstanceKey, key: &InstanceKey| *wanted == InstanceKey::None || wanted == key;
        is_meant(&self.key, key)
            && self.modules.iter().zip(module.steps()).all(|(wanted, step)| is_meant(wanted, &step.key))
    }

    /// The number of levels at which one instance is chosen.
    fn chosen(&self) -> usize {
        self.modules.iter().chain([&self.key]).filter(|key| **key != InstanceKey::None).count()
    }

    /// The names of the attributes on the way from the object to the part.
    pub fn names(&self) -> &[SmolStr] {
        &self.path
    }

    /// The path below the object: `.names`.
    pub fn path(&self) -> String {
        let mut path = Path::ROOT;
        self.path.iter().for_each(|name| path.push(PathStep::Attribute(name.as_str().into())));
        path.to_string()
    }

    /// The address as it was given.
    pub fn written(&self) -> &str {
        self.place.file.slice(self.place.span)
    }

    fn is_identical(&self, other: &GivenPart) -> bool {
        (&self.modules, &self.key, &self.path) == (&other.modules, &other.key, &other.path)
            && self.value.is_identical(&other.value)
    }
}

/// The values given by hand, by their objects.
#[derive(Clone, Default, Debug)]
pub struct GivenValues {
    resources: BTreeMap<(NodeId, ResourceId), Vec<GivenPart>>,
    outputs: BTreeMap<(NodeId, CallId), Vec<GivenPart>>,
}

impl GivenValues {
    /// Adds a part for a resource. Of two parts for the same instances, the later one counts.
    pub(crate) fn add_resource(&mut self, node: NodeId, id: ResourceId, part: GivenPart) {
        insert(self.resources.entry((node, id)).or_default(), part);
    }

    /// Adds a part for the outputs of a call.
    pub(crate) fn add_output(&mut self, node: NodeId, id: CallId, part: GivenPart) {
        insert(self.outputs.entry((node, id)).or_default(), part);
    }

    /// The parts for a resource, the strongest first.
    pub(crate) fn resource(&self, node: NodeId, id: ResourceId) -> &[GivenPart] {
        if self.resources.is_empty() {
            return &[];
        }
        self.resources.get(&(node, id)).map_or(&[], Vec::as_slice)
    }

    /// The parts for the outputs of a call, the strongest first.
    pub(crate) fn outputs(&self, node: NodeId, id: CallId) -> &[GivenPart] {
        if self.outputs.is_empty() {
            return &[];
        }
        self.outputs.get(&(node, id)).map_or(&[], Vec::as_slice)
    }

    /// The parts for resources.
    pub(crate) fn of_resources(&self) -> impl Iterator<Item = (NodeId, ResourceId, &[GivenPart])> {
        self.resources.iter().map(|((node, id), parts)| (*node, *id, parts.as_slice()))
    }

    /// The parts for outputs of calls.
    pub(crate) fn of_outputs(&self) -> impl Iterator<Item = (NodeId, CallId, &[GivenPart])> {
        self.outputs.iter().map(|((node, id), parts)| (*node, *id, parts.as_slice()))
    }

    /// Whether both give the same values for the same objects.
    pub(crate) fn is_same(&self, other: &GivenValues) -> bool {
        let same = |one: &[GivenPart], other: &[GivenPart]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_identical(other))
        };
        let (resources, outputs) = (self.of_resources(), self.of_outputs());
        self.resources.len() == other.resources.len()
            && self.outputs.len() == other.outputs.len()
            && resources.zip(other.of_resources()).all(|((node, id, one), (other_node, other_id, other))| {
                (node, id) == (other_node, other_id) && same(one, other)
            })
            && outputs.zip(other.of_outputs()).all(|((node, id, one), (other_node, other_id, other))| {
                (node, id) == (other_node, other_id) && same(one, other)
            })
    }
}

/// Adds a part before the weaker ones: those that choose fewer instances, and earlier ones.
fn insert(parts: &mut Vec<GivenPart>, part: GivenPart) {
    let position = parts.iter().position(|other| other.chosen() <= part.chosen());
    parts.insert(position.unwrap_or(parts.len()), part);
}
