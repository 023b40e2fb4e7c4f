//! The last evaluation of a root module.

use std::sync::Arc;

use terrane_module::Record;

use crate::report::Report;

/// The last evaluation of a root module.
pub(super) struct Kept {
    pub(super) report: Arc<Report>,
    /// The results of its steps, for the next one.
    pub(super) record: Option<Record>,
    /// The number of changes before it.
    pub(super) revision: u64,
    /// The number of the last evaluation that asked for it.
    pub(super) used: u64,
    /// Approximate bytes of its values, of the record, and of the list of files that it has read.
    pub(super) size: usize,
}

impl Kept {
    pub(super) fn new(report: &Arc<Report>, record: Option<Record>, revision: u64, used: u64) -> Kept {
        // The values of a record are those of the report, and the results of its validation.
        let values = record.as_ref().map_or_else(|| report.evaluation().bytes(), Record::bytes);
        let size = values.saturating_add(report.read().accesses.bytes());
        Kept { report: Arc::clone(report), record, revision, used, size }
    }
}
