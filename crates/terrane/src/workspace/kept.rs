//! The last evaluation of a root module, and the names in its files.

use std::sync::Arc;

use terrane_module::Record;
use terrane_module::symbols::Symbols;

use crate::report::Report;

/// The last evaluation of a root module.
pub(super) struct Kept {
    pub(super) report: Arc<Report>,
    /// The results of its steps, which the next evaluation reuses.
    pub(super) record: Option<Record>,
    /// The number of changes to the workspace before the evaluation.
    pub(super) revision: u64,
    /// The number of the evaluation that last asked for it.
    pub(super) used: u64,
    /// Approximate bytes of its values, of the record, and of the list of files that it has read.
    pub(super) size: usize,
}

impl Kept {
    pub(super) fn new(report: &Arc<Report>, record: Option<Record>, revision: u64, used: u64) -> Kept {
        // A record has the values of the report, and the results of the validation.
        let values = record.as_ref().map_or_else(|| report.evaluation().bytes(), Record::bytes);
        let size = values.saturating_add(report.read().accesses.bytes());
        Kept { report: Arc::clone(report), record, revision, used, size }
    }
}

/// The names in the files of a root module.
pub(super) struct KeptSymbols {
    pub(super) symbols: Arc<Symbols>,
    /// The number of changes to the workspace before they were collected.
    pub(super) revision: u64,
    /// The number of the request that last asked for them.
    pub(super) used: u64,
}
