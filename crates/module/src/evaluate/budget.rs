//! Counts the memory of the instances of blocks, besides that of their values.

use terrane_config::Declaration;
use terrane_function::RAISE_MEMORY;
use terrane_source::{Diagnostic, ids};
use terrane_value::Origins;

use crate::expansion::{Expansion, RepetitionData};
use crate::state::context::Context;

/// The memory of a variable, local value, output or instance of a resource besides its value: its place in the evaluation and
/// its row in the document.
const BYTES_OF_OBJECT: u64 = 800;

/// The memory of an instance of a module besides its objects.
const BYTES_OF_MODULE: u64 = 1800;

/// The memory of an instance of a module that is not on disk, with its unknown outputs.
const BYTES_OF_ABSENT_MODULE: u64 = 1150;

/// One instance of a block.
#[derive(Clone, Copy)]
pub(super) enum OneInstance {
    Resource,
    /// A module with so many objects.
    Module(usize),
    AbsentModule,
}

/// The instances of a block within the limit on memory.
pub(super) struct Limited {
    /// The instances; an unknown number of them where there would be too many.
    pub(super) expansion: Expansion<RepetitionData>,
    /// Whether there would be too many.
    pub(super) is_over: bool,
}

impl OneInstance {
    fn bytes(self) -> u64 {
        match self {
            OneInstance::Resource => BYTES_OF_OBJECT,
            OneInstance::Module(objects) => {
                let objects = u64::try_from(objects).unwrap_or(u64::MAX);
                BYTES_OF_OBJECT.saturating_mul(objects).saturating_add(BYTES_OF_MODULE)
            }
            OneInstance::AbsentModule => BYTES_OF_ABSENT_MODULE,
        }
    }
}

/// Counts the instances of a block. Where they exceed the limit on memory, they are left out, which is reported at the block.
pub(super) fn limited(
    context: &mut Context<'_>,
    expansion: Expansion<RepetitionData>,
    one: OneInstance,
    declaration: &Declaration,
) -> Limited {
    let (meter, most) = (context.meter, context.evaluation.config.request.limits.memory);
    let count = u64::try_from(expansion.count()).unwrap_or(u64::MAX);
    let bytes = one.bytes().saturating_mul(count);
    if meter.memory().saturating_add(bytes) <= most {
        meter.take(bytes);
        return Limited { expansion, is_over: false };
    }
    let detail = format!(
        "The {count} instances of this block and all earlier values together would take more than {most} bytes of memory. The \
         instances are left out."
    );
    let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_MEMORY);
    context.diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
    let expansion = Expansion::Unknown { origins: Origins::error(), any: None };
    Limited { expansion, is_over: true }
}
