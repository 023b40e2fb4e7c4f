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

/// The texts that contain the address of an object: the reasons of its unknown parts, its row in the document or its change, and its
/// name where a command finds objects by their addresses.
const TEXTS_OF_ADDRESS: u64 = 4;

/// The number of bytes of long addresses that count as one step.
const ADDRESS_BYTES_OF_STEP: u64 = 32;

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
    /// A module instance.
    Module {
        /// The number of its variables, local values and outputs.
        objects: usize,
        /// The number of its other blocks with addresses: resources, module calls and `check` blocks.
        blocks: usize,
    },
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
    /// Returns the bytes of an instance with an address of at most [`BYTES_OF_ADDRESS`] bytes.
    fn bytes(self) -> u64 {
        match self.kind {
            InstanceKind::Resource => BYTES_OF_INSTANCE,
            InstanceKind::Module { objects, .. } => {
                BYTES_OF_OBJECT.saturating_mul(objects as u64).saturating_add(BYTES_OF_MODULE)
            }
            InstanceKind::MissingModule => BYTES_OF_MISSING_MODULE,
        }
    }

    /// Returns the bytes of texts with an address, for instances whose addresses are together longer by this number of bytes than
    /// [`OneInstance::bytes`] includes. A module counts the addresses in its instances.
    fn bytes_of_addresses(self, longer: u64) -> u64 {
        let addresses = match self.kind {
            InstanceKind::Module { objects, blocks } => objects.saturating_add(blocks).saturating_add(1),
            InstanceKind::Resource | InstanceKind::MissingModule => 1,
        };
        longer.saturating_mul(addresses as u64).saturating_mul(TEXTS_OF_ADDRESS)
    }

    /// Returns the steps of each instance after the first.
    fn steps(self) -> u64 {
        match self.kind {
            InstanceKind::Resource => STEPS_OF_INSTANCE,
            InstanceKind::Module { .. } | InstanceKind::MissingModule => self.bytes() / BYTES_OF_STEP,
        }
    }

    /// Returns the bytes of the block in an instance of its module, without its own instances. A module call adds none:
    /// its bytes count with the parsed text.
    fn bytes_of_block(self) -> u64 {
        match self.kind {
            InstanceKind::Resource => BYTES_OF_RESOURCE,
            InstanceKind::Module { .. } | InstanceKind::MissingModule => 0,
        }
    }

    /// Returns the bytes by which the addresses of all instances are together longer than the other numbers include. The module
    /// has counted the address of the block, which the first instance has.
    fn longer<T>(self, expansion: &Expansion<T>) -> u64 {
        let longer = |key: usize| (self.address.saturating_add(key)).saturating_sub(BYTES_OF_ADDRESS) as u64;
        let all = match expansion {
            Expansion::ForEach(all) => {
                all.iter().map(|(key, _)| longer(key.len())).fold(0, u64::saturating_add)
            }
            Expansion::Once(_) | Expansion::Count(_) | Expansion::Absent | Expansion::Unknown { .. } => {
                longer(0).saturating_mul(expansion.len() as u64)
            }
        };
        all.saturating_sub(longer(0))
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
    let longer = one.longer(&expansion);
    let Some(excess) = count_instances(context.meter, limits, one, InstanceTotals { count, longer }) else {
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

/// The instances of a block in numbers.
#[derive(Clone, Copy)]
struct InstanceTotals {
    count: u64,
    /// The bytes of their addresses beyond [`BYTES_OF_ADDRESS`] each.
    longer: u64,
}

/// Counts the instances of a block, or returns the limit that they exceed.
fn count_instances(
    meter: &Meter,
    limits: &Limits,
    one: OneInstance,
    InstanceTotals { count, longer }: InstanceTotals,
) -> Option<Excess> {
    if count == 0 {
        return None;
    }
    let of_addresses = one.bytes_of_addresses(longer);
    let own_steps =
        one.steps().saturating_mul(count - 1).saturating_add(of_addresses / ADDRESS_BYTES_OF_STEP);
    let steps = meter.steps().saturating_add(own_steps);
    let bytes =
        one.bytes().saturating_mul(count).saturating_add(of_addresses).saturating_add(one.bytes_of_block());
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
        let counted = |count, longer| count_instances(&meter, &limits, one, InstanceTotals { count, longer });
        assert!(counted(1, 0).is_none());
        assert_eq!((meter.steps(), meter.memory()), (0, 1600));
        assert!(counted(3, 0).is_none());
        assert_eq!((meter.steps(), meter.memory()), (400, 4000));
        assert!(matches!(counted(3, 0), Some(Excess::Steps)));
        assert!(counted(0, 0).is_none());
        assert!(matches!(counted(60, 0), Some(Excess::Memory)));
        assert!(matches!(counted(1, 2000), Some(Excess::Memory)));
        assert_eq!((meter.steps(), meter.memory()), (400, 4000));
    }
    #[test]
    fn long_keys_count_with_each_address() {
        let one = OneInstance { kind: InstanceKind::Module { objects: 1, blocks: 1 }, address: 60 };
        let keys =
            |length: usize| Expansion::ForEach(vec![("k".repeat(length).into(), ()), ("l".into(), ())]);
        assert_eq!(one.longer(&keys(4)), 0);
        assert_eq!(one.longer(&keys(104)), 100);
        assert_eq!(one.bytes_of_addresses(100), 1200);
        let long = OneInstance { address: 164, ..one };
        assert_eq!(long.longer(&Expansion::Count(vec![(), (), ()])), 200);
    }
}
