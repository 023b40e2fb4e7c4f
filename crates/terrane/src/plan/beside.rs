//! The values that belong to a body: the objects that its blocks have made, and the path of each nested block in them.

use std::collections::BTreeMap;

use terrane_body::{Block, DYNAMIC, Nesting, Schema};
use terrane_value::{Entries, Origins, Path, PathStep, SmolStr, Value};

use crate::secrets::has_secret;

/// The objects that a body may have made.
#[derive(Clone, Default)]
pub(super) struct Values<'v> {
    /// The objects. If it is unknown which object the body has made, these are all candidates; the list is then empty if none
    /// has secrets.
    pub(super) objects: Vec<&'v Value>,
    /// The path of the only object. `None` if it is unknown which object the body has made.
    pub(super) path: Option<String>,
    /// Whether a value around the objects is a secret.
    pub(super) is_secret: bool,
}

impl<'v> Values<'v> {
    /// Returns the value of a whole resource instance.
    pub(super) fn of(value: &'v Value) -> Values<'v> {
        Values { objects: vec![value], path: Some(String::new()), is_secret: value.marks().is_secret() }
    }

    /// Returns the attributes of the only object. `None` if it is unknown which object the body has made.
    pub(super) fn attributes(&self) -> Option<&'v Entries> {
        self.path.as_ref().and(self.objects.first())?.unmarked().known_attributes()
    }

    /// Whether an attribute is a secret in one of the objects, or has a part that is.
    pub(super) fn has_secret_part(&self, name: &str) -> bool {
        self.is_secret || self.parts(name).any(has_secret)
    }

    fn parts(&self, name: &str) -> impl Iterator<Item = &'v Value> {
        let objects = self.objects.iter();
        objects.filter_map(move |object| object.unmarked().known_attributes()?.get(name))
    }
}

/// The blocks that a `dynamic` block has generated.
pub(super) struct Generated<'v> {
    pub(super) values: Values<'v>,
    /// The number of generated blocks, if it is known.
    pub(super) count: Option<usize>,
    /// Why the number of blocks of the type is unknown.
    pub(super) unknown: Origins,
}

/// The blocks of a body, by the type of the objects that they make.
pub(super) struct BodyBlocks<'v> {
    by_type: BTreeMap<SmolStr, BlocksOfType<'v>>,
    /// Whether the schema declares a block type `dynamic` of its own.
    has_own_dynamic: bool,
}

/// The blocks of a type, with the objects that all of them together have made.
struct BlocksOfType<'v> {
    /// The path of the value of all blocks of the type. `None` if the path of the body is not known.
    path: Option<String>,
    nesting: Option<Nesting>,
    /// The value of all blocks of the type. `None` if it is unknown which object the body has made.
    whole: Option<&'v Value>,
    elements: Vec<&'v Value>,
    is_secret: bool,
    /// The objects that a block may have made, for a block whose own object is not known. Empty if none has secrets.
    candidates: Vec<&'v Value>,
    written: BlockCount,
    dynamic: BlockCount,
}

/// The number of blocks, and the number of blocks that the walk has seen.
#[derive(Default)]
struct BlockCount {
    all: usize,
    seen: usize,
}

impl<'v> BodyBlocks<'v> {
    pub(super) fn of(blocks: &[Block], schema: Option<&Schema>, values: &Values<'v>) -> BodyBlocks<'v> {
        let has_own_dynamic = schema.is_some_and(|schema| schema.blocks().contains_key(DYNAMIC));
        let mut found = BodyBlocks { by_type: BTreeMap::new(), has_own_dynamic };
        for block in blocks {
            let is_dynamic = found.is_dynamic(block);
            let name = block.generated_type();
            let nesting = schema.and_then(|schema| schema.blocks().get(name)).map(|block| block.nesting);
            let has_label = !is_dynamic && !block.labels.is_empty();
            let of_type = found
                .by_type
                .entry(name.clone())
                .or_insert_with(|| BlocksOfType::new(name, nesting, has_label, values));
            let count = if is_dynamic { &mut of_type.dynamic } else { &mut of_type.written };
            count.all += 1;
        }
        found
    }

    /// Whether a block generates blocks.
    pub(super) fn is_dynamic(&self, block: &Block) -> bool {
        block.is_dynamic() && !self.has_own_dynamic
    }

    /// Whether the body has blocks of a type, written or generated.
    pub(super) fn contains(&self, block_type: &str) -> bool {
        self.by_type.contains_key(block_type)
    }

    /// Returns the objects of the next written block.
    pub(super) fn written(&mut self, block: &Block) -> Values<'v> {
        match self.by_type.get_mut(block.generated_type()) {
            Some(blocks) => blocks.written(block),
            None => Values::default(),
        }
    }

    /// Returns the objects of the next `dynamic` block.
    pub(super) fn generated(&mut self, block: &Block) -> Generated<'v> {
        match self.by_type.get_mut(block.generated_type()) {
            Some(blocks) => blocks.generated(),
            None => Generated { values: Values::default(), count: None, unknown: Origins::NONE },
        }
    }
}

impl<'v> BlocksOfType<'v> {
    fn new(
        name: &SmolStr,
        nesting: Option<Nesting>,
        has_label: bool,
        values: &Values<'v>,
    ) -> BlocksOfType<'v> {
        let wholes: Vec<&'v Value> = values.parts(name).collect();
        // Without a schema, a state may have an object for the only block of a type.
        let is_recorded_object =
            wholes.first().is_some_and(|whole| whole.unmarked().known_attributes().is_some());
        let own_nesting = if has_label { Nesting::Map } else { Nesting::Single };
        let nesting = nesting.or(Some(own_nesting).filter(|_| is_recorded_object));
        let is_object = matches!(nesting, Some(Nesting::Single | Nesting::Group));
        let elements: Vec<&'v Value> = match is_object {
            true => wholes.clone(),
            false => wholes.iter().flat_map(|whole| elements(whole)).collect(),
        };
        let has_secrets = elements.iter().any(|element| has_secret(element));
        BlocksOfType {
            path: values.path.as_ref().map(|path| format!("{path}.{name}")),
            nesting,
            whole: wholes.first().copied().filter(|_| values.path.is_some()),
            is_secret: values.is_secret || wholes.iter().any(|whole| whole.marks().is_secret()),
            candidates: if has_secrets { elements.clone() } else { Vec::new() },
            elements,
            written: BlockCount::default(),
            dynamic: BlockCount::default(),
        }
    }

    /// Returns the values of a block whose own object is not known: any object of its type.
    fn any(&self) -> Values<'v> {
        Values { objects: self.candidates.clone(), path: None, is_secret: self.is_secret }
    }

    fn one(&self, object: &'v Value, step: Option<PathStep>) -> Values<'v> {
        let Some(path) = &self.path else { return self.any() };
        let mut last = Path::ROOT;
        step.into_iter().for_each(|step| last.push(step));
        let is_secret = self.is_secret || object.marks().is_secret();
        Values { objects: vec![object], path: Some(format!("{path}{last}")), is_secret }
    }

    fn written(&mut self, block: &Block) -> Values<'v> {
        let before = self.written.seen;
        self.written.seen += 1;
        match self.nesting {
            Some(Nesting::Single | Nesting::Group) => match self.elements.first() {
                Some(object) if self.dynamic.all == 0 => self.one(object, None),
                Some(_) | None => self.any(),
            },
            Some(Nesting::Map) => {
                let label = block.labels.first().map(|label| &label.text);
                let entries = self.whole.and_then(|whole| whole.unmarked().as_entries());
                let object = label.and_then(|label| Some((label, entries?.get(label)?)));
                match object {
                    Some((label, object)) => {
                        self.one(object, Some(PathStep::Index(Value::string(label.clone()))))
                    }
                    None => self.any(),
                }
            }
            Some(Nesting::Set) if self.written.all + self.dynamic.all > 1 => self.any(),
            Some(Nesting::Set | Nesting::List) | None => {
                let position = self.position(before);
                let object = position.and_then(|position| Some((position, self.elements.get(position)?)));
                object.map_or_else(
                    || self.any(),
                    |(position, object)| self.one(object, Some(PathStep::element(position))),
                )
            }
        }
    }

    /// Returns the position of a written block after `before` other written blocks. `None` if it depends on the number of
    /// generated blocks before it.
    fn position(&self, before: usize) -> Option<usize> {
        match self.dynamic.seen {
            0 => Some(before),
            seen if seen == self.dynamic.all => (self.elements.len() + before).checked_sub(self.written.all),
            _ => None,
        }
    }

    fn generated(&mut self) -> Generated<'v> {
        let before = self.written.seen;
        self.dynamic.seen += 1;
        let is_counted = matches!(self.nesting, None | Some(Nesting::List | Nesting::Map));
        let has_number = is_counted && self.whole.is_some_and(|whole| !whole.unmarked().is_wholly_unknown());
        let all = self.elements.len().checked_sub(self.written.all).filter(|_| has_number);
        let count = all.filter(|all| self.dynamic.all == 1 || *all == 0);
        let own = count.filter(|_| self.nesting != Some(Nesting::Map));
        let own = own.and_then(|count| self.elements.get(before..before.checked_add(count)?));
        let objects = match own {
            Some(own) if !self.candidates.is_empty() => own.to_vec(),
            Some(_) => Vec::new(),
            None => self.candidates.clone(),
        };
        let unknown = self.whole.filter(|whole| whole.unmarked().is_wholly_unknown());
        Generated {
            values: Values { objects, ..self.any() },
            count,
            unknown: unknown.map(Value::origins_deep).unwrap_or_default(),
        }
    }
}

/// Returns the known elements of a list, set, tuple or map, even if it may have more.
fn elements(value: &Value) -> Vec<&Value> {
    match (value.known_elements(), value.known_attributes()) {
        (Some(elements), _) => elements.iter().collect(),
        (None, Some(entries)) => entries.values().collect(),
        (None, None) => Vec::new(),
    }
}
