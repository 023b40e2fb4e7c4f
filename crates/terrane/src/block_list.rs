//! Finds the part of the value of all nested blocks of a type that each block has made: by nesting, by label, and by the position
//! before, between or behind `dynamic` blocks. Documents and plans walk blocks of their own, and ask their own questions about the
//! part.

use std::collections::HashSet;
use std::ops::Range;

use terrane_body::Nesting;
use terrane_value::{Entries, SmolStr, Value};

/// The blocks of one type in a body, in the order in which they are written.
#[derive(Default)]
pub(crate) struct BlockList<'b> {
    blocks: Vec<ListedBlock<'b>>,
    /// The number of blocks that are not `dynamic`.
    literals: usize,
    has_labels: bool,
}

/// A block, or a `dynamic` block.
struct ListedBlock<'b> {
    /// The first label; none for a `dynamic` block.
    label: Option<&'b SmolStr>,
    is_dynamic: bool,
    /// The number of blocks before it that are not `dynamic`.
    literals_before: usize,
}

/// The part of the value of all blocks of a type that one block has made.
pub(crate) enum PartOfBlock<'v> {
    /// The whole value.
    Whole,
    /// The entry of a map with the label of the block, if it has one.
    Labelled(Option<&'v Value>),
    /// The entries of a map that a `dynamic` block has generated.
    Generated(Vec<(&'v str, &'v Value)>),
    /// The elements at these positions.
    Elements(Range<usize>),
    /// An element of a set, or several for a `dynamic` block. The order of the blocks does not tell which.
    AmongElements,
    /// No part: the value of a state has another number of elements than the blocks make.
    Nothing,
    /// Several blocks may have made it.
    Uncertain,
}

impl<'b> BlockList<'b> {
    /// Adds the next block. `label` is that of a block that is not `dynamic`.
    pub(crate) fn push(&mut self, is_dynamic: bool, label: Option<&'b SmolStr>) {
        let label = label.filter(|_| !is_dynamic);
        self.blocks.push(ListedBlock { label, is_dynamic, literals_before: self.literals });
        self.literals += usize::from(!is_dynamic);
        self.has_labels |= label.is_some();
    }

    /// Returns the number of `dynamic` blocks.
    pub(crate) fn dynamic(&self) -> usize {
        self.blocks.len() - self.literals
    }

    /// Whether a block has a label.
    pub(crate) fn has_labels(&self) -> bool {
        self.has_labels
    }

    /// Returns the nesting of the blocks. Without a schema, a state may have an object as their value.
    pub(crate) fn nesting(&self, of_schema: Option<Nesting>, whole: &Value) -> Nesting {
        of_schema.unwrap_or_else(|| nesting_of(whole, self.has_labels))
    }

    /// Returns the part that the block at `position` has made in the value of all blocks, whose number is known.
    pub(crate) fn part<'v>(&self, position: usize, nesting: Nesting, whole: &'v Value) -> PartOfBlock<'v> {
        let Some(block) = self.blocks.get(position) else { return PartOfBlock::Uncertain };
        match nesting {
            Nesting::Single | Nesting::Group if self.blocks.len() > 1 => PartOfBlock::Uncertain,
            Nesting::Single | Nesting::Group if whole.is_null() => PartOfBlock::Nothing,
            Nesting::Single | Nesting::Group => PartOfBlock::Whole,
            Nesting::Map => self.entries_of(block, whole),
            Nesting::Set => {
                let length = whole.known_elements().unwrap_or_default().len();
                let is_only = self.blocks.len() == 1 && (block.is_dynamic || length == 1);
                if is_only { PartOfBlock::Elements(0..length) } else { PartOfBlock::AmongElements }
            }
            Nesting::List => {
                self.elements_of(position, block, whole.known_elements().unwrap_or_default().len())
            }
        }
    }

    fn entries_of<'v>(&self, block: &ListedBlock<'_>, map: &'v Value) -> PartOfBlock<'v> {
        match block.label {
            Some(label) => {
                PartOfBlock::Labelled(map.known_attributes().and_then(|entries| entries.get(label)))
            }
            None if block.is_dynamic && self.dynamic() == 1 => {
                PartOfBlock::Generated(self.generated_entries(map))
            }
            None => PartOfBlock::Uncertain,
        }
    }

    /// Returns the entries of a map whose keys are not the labels of blocks.
    pub(crate) fn generated_entries<'v>(&self, map: &'v Value) -> Vec<(&'v str, &'v Value)> {
        let written: HashSet<&SmolStr> = self.blocks.iter().filter_map(|block| block.label).collect();
        let entries = map.known_attributes().into_iter().flat_map(Entries::iter);
        entries.filter(|(key, _)| !written.contains(key)).map(|(key, value)| (&**key, value)).collect()
    }

    fn elements_of(&self, position: usize, block: &ListedBlock<'_>, length: usize) -> PartOfBlock<'static> {
        let Some(generated) = self.generated(length) else { return PartOfBlock::Nothing };
        let before = block.literals_before;
        let dynamic_before = position - before;
        PartOfBlock::Elements(match block.is_dynamic {
            false if dynamic_before == 0 => before..before + 1,
            false if dynamic_before == self.dynamic() || generated == 0 => {
                before + generated..before + generated + 1
            }
            true if self.dynamic() == 1 || generated == 0 => before..before + generated,
            true | false => return PartOfBlock::Uncertain,
        })
    }

    /// Returns the number of elements that `dynamic` blocks have made, of a list of this length. `None` for a value of a state that
    /// has another number of elements than the blocks make.
    pub(crate) fn generated(&self, length: usize) -> Option<usize> {
        let generated = length.checked_sub(self.literals)?;
        (generated == 0 || self.dynamic() > 0).then_some(generated)
    }

    /// Returns the positions of the elements of a list that may be made by one of several `dynamic` blocks, or stand between them.
    /// `None` for a value of a state that has another number of elements than the blocks make.
    pub(crate) fn uncertain_elements(&self, length: usize) -> Option<Range<usize>> {
        self.generated(length)?;
        let first = self.blocks.iter().take_while(|block| !block.is_dynamic).count();
        let last = self.blocks.iter().rev().take_while(|block| !block.is_dynamic).count();
        Some(first..length.saturating_sub(last))
    }
}

/// Returns the nesting of blocks without a schema, whose value a state may have as an object.
pub(crate) fn nesting_of(whole: &Value, has_labels: bool) -> Nesting {
    match whole.known_attributes() {
        Some(_) if has_labels => Nesting::Map,
        Some(_) => Nesting::Single,
        None => Nesting::List,
    }
}
