//! Rules about the references in some arguments and blocks, which `decode` notes and `resolve` checks.

use terrane_body::Body;
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use crate::model::module::{Check, ResourceKey};

/// An argument or a block with a rule about its references.
#[derive(Debug)]
pub(crate) enum ReferenceRule {
    /// An item of `actions`.
    Action(Expression),
    /// An item of `replace_triggered_by`.
    ReplaceTrigger(Expression),
    /// The `validation` blocks of a variable.
    Validations { variable: SmolStr, conditions: Vec<Condition> },
    /// The `precondition` or `postcondition` blocks of a resource.
    Conditions { resource: ResourceKey, block_type: &'static str, conditions: Vec<Condition> },
    /// A `provisioner` or `connection` block that is used when its resource is destroyed.
    OnDestroy(Body),
}

/// The expressions of a [`Check`].
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) condition: Expression,
    pub(crate) error_message: Expression,
}

/// A rule that is to be checked. Blocks that the module leaves out, such as the second one of a name, have theirs too.
#[derive(Debug)]
pub(crate) struct OpenRule {
    pub(crate) rule: ReferenceRule,
    /// The number of diagnostics of the decoder that come before those of the rule.
    pub(crate) position: usize,
}

impl Condition {
    /// The expressions of each of the checks.
    pub(crate) fn all(checks: &[Check]) -> Vec<Condition> {
        let condition = |check: &Check| Condition {
            condition: check.condition.clone(),
            error_message: check.error_message.clone(),
        };
        checks.iter().map(condition).collect()
    }

    /// Both expressions.
    pub(crate) fn expressions(&self) -> [&Expression; 2] {
        [&self.condition, &self.error_message]
    }
}
