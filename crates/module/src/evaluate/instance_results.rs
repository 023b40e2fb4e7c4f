//! Collects the results of the instances of a resource, which share one value if their body allows it.

use std::sync::Arc;

use terrane_config::address::InstanceKey;
use terrane_source::Diagnostics;
use terrane_value::Value;

use crate::model::module::ResourceKey;
use crate::state::checks::{CheckKind, CheckResult, ObjectChecks};
use crate::state::inner_parts::InnerPart;
use crate::state::instance::InnerParts;
use crate::state::instance_value::{InstanceValue, SharedValue, ValueOfBlock};

/// The value of an instance, and the results of its conditions.
pub(super) struct EvaluatedInstance {
    pub(super) value: Value,
    /// Whether an error in its arguments was reported.
    pub(super) has_error: bool,
    pub(super) inner_parts: Vec<InnerPart>,
    pub(super) preconditions: Vec<CheckResult>,
    pub(super) postconditions: Vec<CheckResult>,
}

/// The results of the instances so far, without their values.
#[derive(Default)]
pub(super) struct Results {
    pub(super) found: Diagnostics,
    pub(super) checks: Vec<ObjectChecks>,
    pub(super) inner_parts: InnerParts,
    pub(super) failed: Vec<InstanceKey>,
    /// Whether all instances have the value of the first instance except for their addresses,
    /// unless an error is reported.
    pub(super) is_shared: bool,
    /// The value of the first instance, if all instances share it, and the bytes that each further instance counts.
    pub(super) value_of_block: Option<(Arc<ValueOfBlock>, u64)>,
}

impl Results {
    /// Adds the results of an instance of the block at the address `block`. Returns the value of the instance.
    pub(super) fn add(
        &mut self,
        resource: &ResourceKey,
        key: InstanceKey,
        evaluated: EvaluatedInstance,
        block: &str,
    ) -> InstanceValue {
        let object = || resource.object(key.clone());
        self.checks.extend(ObjectChecks::of(object, CheckKind::Precondition, evaluated.preconditions));
        self.checks.extend(ObjectChecks::of(object, CheckKind::Postcondition, evaluated.postconditions));
        self.failed.extend(Some(&key).filter(|_| evaluated.has_error).cloned());
        let is_first = self.is_shared && self.found.is_empty();
        let address = if is_first { key.address_in(block) } else { String::new() };
        if !evaluated.inner_parts.is_empty() {
            self.inner_parts.insert(key, evaluated.inner_parts);
        }
        if !is_first {
            return InstanceValue::from(evaluated.value);
        }
        let value = SharedValue { address, value: evaluated.value };
        let bytes = value.at(&value.address).own_bytes() as u64;
        let value = Arc::new(ValueOfBlock { block: block.to_owned(), value, bytes });
        let (value, _) = self.value_of_block.insert((value, bytes));
        InstanceValue::of_block(value)
    }
}
