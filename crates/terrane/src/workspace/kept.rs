//! The last evaluation of a root module.

use std::sync::Arc;

use crate::report::Report;

/// The last evaluation of a root module.
pub(super) struct Kept {
    pub(super) report: Arc<Report>,
    /// The number of changes before it.
    pub(super) revision: u64,
    /// The number of the last evaluation that asked for it.
    pub(super) used: u64,
    /// Approximate bytes of its values.
    pub(super) size: usize,
}

impl Kept {
    pub(super) fn new(report: &Arc<Report>, revision: u64, used: u64) -> Kept {
        Kept { report: Arc::clone(report), revision, used, size: report.evaluation().bytes() }
    }
}
