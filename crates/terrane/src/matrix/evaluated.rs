//! An environment with the report of its evaluation.

use std::sync::Arc;

use crate::environment::Environment;
use crate::report::Report;

/// An environment with the report of its evaluation.
#[derive(Debug)]
pub(super) struct EvaluatedEnvironment {
    pub(super) environment: Environment,
    pub(super) report: Arc<Report>,
    /// The reasons why values are unknown that the caller requires to be known.
    pub(super) not_known: Vec<String>,
}
