//! The state of a call that evaluates expressions in their own evaluators, such as those of a template.

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile};

use crate::state::budget::Usage;

/// The state that passes from a call to the expressions that it evaluates, and back.
pub(crate) struct NestedRun {
    pub(crate) depth: usize,
    pub(crate) usage: Usage,
    /// The steps before the call.
    pub(crate) steps_before: u64,
    /// The limit that one of the expressions exceeded.
    pub(crate) limit: Option<Diagnostic>,
    /// The templates around the expressions.
    pub(crate) templates: Vec<Arc<SourceFile>>,
}
