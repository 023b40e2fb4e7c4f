//! An environment with its result.

use std::sync::Arc;

use crate::environment::Environment;
use crate::report::Report;

/// An environment with its result.
#[derive(Debug)]
pub(super) struct EvaluatedEnvironment {
    pub(super) environment: Environment,
    pub(super) report: Arc<Report>,
    /// Why values that must be known are not.
    pub(super) not_known: Vec<String>,
}
