//! Finds the arguments of a resource and of its blocks for a path into the value of the resource.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use terrane_body::{Block, Body, Content};
use terrane_module::place::{count, element};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_value::{SmolStr, Value};

use super::builder::Builder;
use super::path::{self, Key};
use super::site::{Bound, BoundKind, ExplainSite, ExpressionPart};

/// Limit on the blocks of one type that are explained at once.
const MAX_BLOCKS: usize = 20;

/// An argument of a resource or of one of its blocks, with the path to it.
pub(super) struct Setting<'r> {
    pub(super) part: ExpressionPart<'r>,
    pub(super) path: Vec<Key>,
}

/// The result of following a path.
pub(super) enum FoundArgument<'r> {
    /// The path leads to an argument; the rest of it leads into the value of the argument.
    Argument(ExpressionPart<'r>, Vec<Key>),
    /// The path leads to a block, to all blocks of a type, or to the whole resource.
    Arguments {
        /// The arguments.
        all: Vec<Setting<'r>>,
        /// The collections of the `dynamic` blocks that generate blocks of the type.
        generated: Vec<ExpressionPart<'r>>,
        /// Whether there are more blocks than the limit.
        is_cut: bool,
    },
    /// No argument sets the part at the path.
    Nothing,
}

impl Setting<'_> {
    /// Returns the value of the argument inside the value of its resource or block.
    pub(super) fn value_in(&self, value: &Value) -> Option<Value> {
        path::part(value, &self.path).or_else(|| {
            // Some schemas make a list of a single block, and so does a resource without a schema.
            let mut value = value.clone();
            for key in &self.path {
                let steps = [Key::Position(0), key.clone()];
                let inner = path::part(&value, std::slice::from_ref(key));
                value = inner.or_else(|| path::part(&value, &steps))?;
            }
            Some(value)
        })
    }

    pub(super) fn contains(&self, expression: &Expression) -> bool {
        let (own, span) = (self.part.expression.span(), expression.span());
        let is_same_file = self.part.expression.source().id() == expression.source().id();
        is_same_file && own.start <= span.start && span.end <= own.end
    }
}

impl<'r> Builder<'r> {
    /// Returns the argument at the end of a path in the content of a block.
    pub(super) fn find(&self, site: &ExplainSite<'r>, body: &Body, path: &[Key]) -> FoundArgument<'r> {
        let (mut site, mut body, mut path) = (site.clone(), body.clone(), path);
        loop {
            let content = body.open_content(&mut Diagnostics::new());
            let Some((Key::Name(name), rest)) = path.split_first() else {
                let (mut all, mut is_cut) = (settings(&site, &content), false);
                let (mut replaced, mut replacing) = (HashSet::new(), Vec::new());
                for (label, written) in generated_blocks(&content) {
                    let name = Key::Name(label.clone());
                    let FoundArgument::Arguments { all: inner, is_cut: is_inner_cut, .. } =
                        self.blocks(&site, &written)
                    else {
                        continue;
                    };
                    is_cut |= is_inner_cut;
                    replacing.extend(inner.into_iter().map(|setting| Setting {
                        path: std::iter::once(name.clone()).chain(setting.path).collect(),
                        ..setting
                    }));
                    replaced.insert(name);
                }
                // `blocks` also returned the static blocks of these types, numbered together with the generated blocks.
                let is_replaced = |path: &[Key]| path.first().is_some_and(|name| replaced.contains(name));
                all.retain(|setting| setting.path.len() == 1 || !is_replaced(&setting.path));
                all.extend(replacing);
                return FoundArgument::Arguments { all, generated: Vec::new(), is_cut };
            };
            if let Some(attribute) = content.attribute(name) {
                let expression = attribute.expression(&mut Diagnostics::new());
                return FoundArgument::Argument(site.part(expression), rest.to_vec());
            }
            let (position, rest) = match rest.split_first() {
                Some((Key::Position(position), rest)) => (*position, rest),
                Some((Key::Name(_), _)) => (0, rest),
                // The elements of a set are not in the order of its blocks.
                Some((Key::Member(_), _)) | None => return self.blocks(&site, &of_type(&content, name)),
            };
            let written = of_type(&content, name);
            match self.block(&site, &written, position) {
                Some((inner, block)) => (site, body, path) = (inner, block, rest),
                None => return generated(collections_of(&site, &written)),
            }
        }
    }

    /// Returns the arguments of all blocks of a type, also of blocks that `dynamic` blocks generate. `written` are the static
    /// and `dynamic` blocks of the type.
    fn blocks(&self, site: &ExplainSite<'r>, written: &[&Block]) -> FoundArgument<'r> {
        let blocks = (0..=MAX_BLOCKS).map_while(|position| self.block(site, written, position));
        let mut blocks: Vec<(ExplainSite<'r>, Body)> = blocks.collect();
        let is_cut = blocks.len() > MAX_BLOCKS;
        blocks.truncate(MAX_BLOCKS);
        let collections = collections_of(site, written);
        if blocks.is_empty() {
            return generated(collections);
        }
        let is_single = blocks.len() == 1 && collections.is_empty();
        let mut all = Vec::new();
        for (position, (inner, body)) in blocks.into_iter().enumerate() {
            let position = Some(Key::Position(position)).filter(|_| !is_single);
            let found = settings(&inner, &body.open_content(&mut Diagnostics::new()));
            all.extend(found.into_iter().map(|setting| Setting {
                path: position.iter().cloned().chain(setting.path).collect(),
                ..setting
            }));
        }
        FoundArgument::Arguments { all, generated: collections, is_cut }
    }

    /// Returns the block at a position among all blocks of its type, with the names that its expressions see: the content of a
    /// `dynamic` block sees its iterator.
    fn block(
        &self,
        site: &ExplainSite<'r>,
        written: &[&Block],
        position: usize,
    ) -> Option<(ExplainSite<'r>, Body)> {
        let mut before = 0;
        for block in written {
            if !block.is_dynamic() {
                if before == position {
                    return Some((site.clone(), block.body.clone()));
                }
                before += 1;
            } else if let Some(dynamic) = block.dynamic() {
                let collection = Arc::new(site.part(dynamic.collection()?));
                let value = collection.value();
                let count = count(&value).filter(|_| !self.hides(&value))?;
                if position >= before + count {
                    before += count;
                    continue;
                }
                let (key, one) = element(&value, position - before)?;
                let object = Value::object([("key".into(), key), ("value".into(), one)]);
                let inside = site.inside([Bound {
                    name: dynamic.iterator_name(),
                    value: object,
                    kind: BoundKind::Iterator,
                    element: Key::of_element(&value, position - before),
                    collection,
                }]);
                let content = dynamic.contents.into_iter().next()?;
                return Some((inside, content.body));
            }
        }
        None
    }
}

/// Returns the blocks of a type, and the `dynamic` blocks that generate blocks of the type.
fn of_type<'c>(content: &'c Content, name: &str) -> Vec<&'c Block> {
    content.blocks.iter().filter(|block| block.generated_type() == name).collect()
}

/// Returns the block types of the `dynamic` blocks, each with the blocks that [`of_type`] returns for it.
fn generated_blocks(content: &Content) -> Vec<(&SmolStr, Vec<&Block>)> {
    let mut by_type: HashMap<&SmolStr, Vec<&Block>> = HashMap::new();
    for block in &content.blocks {
        by_type.entry(block.generated_type()).or_default().push(block);
    }
    let dynamic = content.blocks.iter().filter(|block| block.is_dynamic() && !block.labels.is_empty());
    let labels = dynamic.map(Block::generated_type);
    labels.filter_map(|label| by_type.remove_entry(label)).collect()
}

fn generated(collections: Vec<ExpressionPart<'_>>) -> FoundArgument<'_> {
    match collections.is_empty() {
        true => FoundArgument::Nothing,
        false => FoundArgument::Arguments { all: Vec::new(), generated: collections, is_cut: false },
    }
}

/// Returns the collections of the `dynamic` blocks among `written`, without constants.
fn collections_of<'r>(site: &ExplainSite<'r>, written: &[&Block]) -> Vec<ExpressionPart<'r>> {
    let meant = written.iter().copied();
    let collections =
        meant.filter_map(Block::dynamic).filter_map(|dynamic| Some(site.part(dynamic.collection()?)));
    collections.filter(|part| !part.is_constant()).collect()
}

/// Returns the arguments of a block and of its nested blocks. For a `dynamic` block, its collection is the only argument.
pub(super) fn settings<'r>(site: &ExplainSite<'r>, content: &Content) -> Vec<Setting<'r>> {
    let mut found = Vec::new();
    let mut left = nested_settings(site, &[], content, &mut found);
    while let Some(Nested { prefix, body }) = left.pop() {
        // Blocks are read one by one, because there may be a million of them.
        let content = body.open_content(&mut Diagnostics::new());
        left.extend(nested_settings(site, &prefix, &content, &mut found));
    }
    found
}

/// A nested block, with its path.
struct Nested {
    prefix: Vec<Key>,
    body: Body,
}

/// Adds the arguments of a block at a path. Returns its nested blocks in reverse order.
fn nested_settings<'r>(
    site: &ExplainSite<'r>,
    prefix: &[Key],
    content: &Content,
    found: &mut Vec<Setting<'r>>,
) -> Vec<Nested> {
    let at = |name: &str| prefix.iter().cloned().chain([Key::Name(name.into())]).collect::<Vec<Key>>();
    for attribute in content.attributes.values() {
        let part = site.part(attribute.expression(&mut Diagnostics::new()));
        found.push(Setting { part, path: at(&attribute.name) });
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for block in &content.blocks {
        *numbers.entry(&block.block_type).or_default() += 1;
    }
    let mut positions: HashMap<&str, usize> = HashMap::new();
    let mut nested = Vec::new();
    for block in &content.blocks {
        match block.dynamic() {
            Some(dynamic) => {
                let setting = |each| Setting { part: site.part(each), path: at(&dynamic.label.text) };
                found.extend(dynamic.collection().map(setting));
            }
            None => {
                let next = positions.entry(&block.block_type).or_default();
                let is_one_of_several = numbers.get(&*block.block_type).is_some_and(|number| *number > 1);
                let position = is_one_of_several.then_some(Key::Position(*next));
                *next += 1;
                let prefix = at(&block.block_type).into_iter().chain(position).collect();
                nested.push(Nested { prefix, body: block.body.clone() });
            }
        }
    }
    nested.reverse();
    nested
}
