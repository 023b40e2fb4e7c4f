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
    Validations { variable: SmolStr, conditions: Vec<Check> },
    /// The `precondition` or `postcondition` blocks of a resource.
    Conditions { resource: ResourceKey, block_type: &'static str, conditions: Vec<Check> },
    /// A `provisioner` or `connection` block that is used when its resource is destroyed.
    OnDestroy(Body),
}

/// A rule that is to be checked. Blocks that the module leaves out, such as the second block of a name, have rules too.
#[derive(Debug)]
pub(crate) struct OpenRule {
    pub(crate) rule: ReferenceRule,
    /// The number of diagnostics of the decoder that come before those of the rule.
    pub(crate) position: usize,
}
