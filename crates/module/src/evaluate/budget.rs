//! Limits the number of objects that the instances of all blocks have together.

use terrane_config::Declaration;
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::Origins;

use crate::expansion::{Expansion, RepetitionData};

/// The largest number of objects in all instances of modules and resources: instances, variables, locals and outputs.
const MAX_OBJECTS: usize = 1_000_000;

/// The number of objects that instances of blocks may still have.
#[derive(Clone, Copy)]
pub(super) struct ObjectBudget(usize);

impl Default for ObjectBudget {
    fn default() -> ObjectBudget {
        ObjectBudget(MAX_OBJECTS)
    }
}

impl ObjectBudget {
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
            "All instances of modules and resources together would have more than {MAX_OBJECTS} objects. Those of this block \
             are left out."
        );
        let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, detail);
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        Expansion::Unknown { origins: Origins::error(), any: None }
    }

    /// Whether instances may have so many objects.
    pub(super) fn allows(self, objects: usize) -> bool {
        objects <= self.0
    }

    /// Takes the objects of the instances of a block, unless there are too many.
    pub(super) fn spend(&mut self, objects: usize) {
        self.0 = self.0.checked_sub(objects).unwrap_or(self.0);
    }
}
