//! Limits the number of objects that the instances of all blocks have together.

use terrane_config::Declaration;
use terrane_function::{Limits, RAISE_MEMORY};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::Origins;

use crate::expansion::{Expansion, RepetitionData};

/// The memory of an object in an instance of a module or resource, that of its value and its output included.
const BYTES_OF_OBJECT: u64 = 1100;

/// The number of objects that instances of blocks may have in all, and may still have: instances, variables, locals and
/// outputs.
#[derive(Clone, Copy)]
pub(super) struct ObjectBudget {
    most: usize,
    left: usize,
}

impl ObjectBudget {
    /// A budget of as many objects as the limit on memory has room for.
    pub(super) fn new(limits: &Limits) -> ObjectBudget {
        let most = usize::try_from(limits.memory / BYTES_OF_OBJECT).unwrap_or(usize::MAX);
        ObjectBudget { most, left: most }
    }

    /// The same instances, with `objects` in all; none where there would be too many, which is reported at the block.
    pub(super) fn limit(
        self,
        expansion: Expansion<RepetitionData>,
        objects: usize,
        declaration: &Declaration,
        diagnostics: &mut Diagnostics,
    ) -> Expansion<RepetitionData> {
        if self.allows(objects) {
            return expansion;
        }
        let detail = format!(
            "All instances of modules and resources together would have more than {} objects. Those of this block are left \
             out.",
            self.most
        );
        let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_MEMORY);
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        Expansion::Unknown { origins: Origins::error(), any: None }
    }

    /// Whether instances may have so many objects.
    pub(super) fn allows(self, objects: usize) -> bool {
        objects <= self.left
    }

    /// Takes the objects of the instances of a block, unless there are too many.
    pub(super) fn spend(&mut self, objects: usize) {
        self.left = self.left.checked_sub(objects).unwrap_or(self.left);
    }
}
