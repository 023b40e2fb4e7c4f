//! Counts the memory and the work of the instances of blocks, apart from the memory and work of their values.

use terrane_function::{Excess, Limits, Meter};
use terrane_source::{Diagnostic, Subject, ids};
use terrane_value::Origins;

use crate::expansion::{Expansion, RepetitionData};
use crate::state::context::Context;

/// The memory of a variable, local value or output besides its value: its place in the evaluation and its row in the document.
const BYTES_OF_OBJECT: u64 = 800;

/// The memory of an instance of a resource besides its value: its place in the evaluation, its key, its `count` or
/// `each` until it is evaluated, and its address or change where a command lists instances.
const BYTES_OF_INSTANCE: u64 = 400;

/// The steps that every instance of a resource after the first takes besides its body.
const STEPS_OF_INSTANCE: u64 = 200;

/// The memory of a resource in an instance of its module, besides the memory of its own instances.
const BYTES_OF_RESOURCE: u64 = 1200;

/// The memory of an instance of a module besides its objects.
const BYTES_OF_MODULE: u64 = 2400;

/// The memory of an instance of a module that is not on disk, with its unknown outputs.
const BYTES_OF_MISSING_MODULE: u64 = 1150;

/// The number of bytes of a module instance that count as one step.
const BYTES_OF_STEP: u64 = 2;

/// The bytes of an address that the other numbers include.
const BYTES_OF_ADDRESS: usize = 64;

/// One instance of a block.
#[derive(Clone, Copy)]
pub(super) struct OneInstance {
    pub(super) kind: InstanceKind,
    /// The length of the address of the block. Each object in the instance has an address with this text.
    pub(super) address: usize,
}

/// The kinds of instances.
#[derive(Clone, Copy)]
pub(super) enum InstanceKind {
    Resource,
    /// A module instance with this number of objects.
    Module(usize),
    MissingModule,
}

/// The instances of a block within the limits on memory and steps.
pub(super) struct Limited {
    /// The instances; of unknown number if they would exceed a limit.
    pub(super) expansion: Expansion<RepetitionData>,
    /// Whether the instances would exceed a limit.
    pub(super) is_over: bool,
}

impl OneInstance {
    fn bytes(self) -> u64 {
        let address = self.address.saturating_sub(BYTES_OF_ADDRESS) as u64;
        match self.kind {
            InstanceKind::Resource => BYTES_OF_INSTANCE.saturating_add(address),
            InstanceKind::Module(objects) => {
                let objects = u64::try_from(objects).unwrap_or(u64::MAX);
                let bytes = BYTES_OF_OBJECT.saturating_add(address).saturating_mul(objects);
                bytes.saturating_add(BYTES_OF_MODULE).saturating_add(address)
            }
            InstanceKind::MissingModule => BYTES_OF_MISSING_MODULE.saturating_add(address),
        }
    }

    /// Returns the steps of each instance after the first.
    fn steps(self) -> u64 {
        match self.kind {
            InstanceKind::Resource => STEPS_OF_INSTANCE,
            InstanceKind::Module(_) | InstanceKind::MissingModule => self.bytes() / BYTES_OF_STEP,
        }
    }

    /// Returns the bytes of the block in an instance of its module, without its own instances. A module call adds none:
    /// its bytes count with the parsed text.
    fn bytes_of_block(self) -> u64 {
        match self.kind {
            InstanceKind::Resource => BYTES_OF_RESOURCE,
            InstanceKind::Module(_) | InstanceKind::MissingModule => 0,
        }
    }
}

/// Counts the instances of a block. If they exceed the limit on memory or on steps, reports that at the block
/// and leaves the instances out. The first instance counts no steps: the limit on memory bounds the blocks and
/// the instances of modules.
pub(super) fn limited(
    context: &mut Context<'_>,
    expansion: Expansion<RepetitionData>,
    one: OneInstance,
    declaration: &Subject,
) -> Limited {
    let count = u64::try_from(expansion.len()).unwrap_or(u64::MAX);
    let limits = &context.evaluation.config.request.limits;
    let Some(excess) = count_instances(context.meter, limits, one, count) else {
        return Limited { expansion, is_over: false };
    };
    let most = excess.limit(limits);
    let detail = format!(
        "The {count} instances of this block and all earlier values together would take more than {most}. The instances are left out."
    );
    let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(excess.hint());
    context.diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
    let expansion = Expansion::Unknown { origins: Origins::error(), any: None };
    Limited { expansion, is_over: true }
}

/// Counts `count` instances of a block, or returns the limit that they exceed.
fn count_instances(meter: &Meter, limits: &Limits, one: OneInstance, count: u64) -> Option<Excess> {
    if count == 0 {
        return None;
    }
    let own_steps = one.steps().saturating_mul(count - 1);
    let steps = meter.steps().saturating_add(own_steps);
    let bytes = one.bytes().saturating_mul(count).saturating_add(one.bytes_of_block());
    if meter.memory().saturating_add(bytes) > limits.memory {
        return Some(Excess::Memory);
    }
    if own_steps > 0 && steps > limits.steps {
        return Some(Excess::Steps);
    }
    meter.take(bytes);
    meter.count_to(steps);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_instances_count_steps() {
        let limits = Limits { steps: 500, memory: 10_000, ..Limits::default() };
        let (meter, kind) = (Meter::default(), InstanceKind::Resource);
        let one = OneInstance { kind, address: BYTES_OF_ADDRESS };
        assert!(count_instances(&meter, &limits, one, 1).is_none());
        assert_eq!((meter.steps(), meter.memory()), (0, 1600));
        assert!(count_instances(&meter, &limits, one, 3).is_none());
        assert_eq!((meter.steps(), meter.memory()), (400, 4000));
        assert!(matches!(count_instances(&meter, &limits, one, 3), Some(Excess::Steps)));
        assert!(count_instances(&meter, &limits, one, 0).is_none());
        assert!(matches!(count_instances(&meter, &limits, one, 60), Some(Excess::Memory)));
        let long = OneInstance { address: 6000, ..one };
        assert!(matches!(count_instances(&meter, &limits, long, 1), Some(Excess::Memory)));
        assert_eq!((meter.steps(), meter.memory()), (400, 4000));
    }
}
