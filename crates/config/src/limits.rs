//! Stops a run that exceeded a limit or was cancelled.

use terrane_function::{Limits, Meter, RAISE_TIME};
use terrane_source::{Diagnostic, Diagnostics, ids};

/// Whether the run must end: it was cancelled, which is reported here, or an expression exceeded a limit of the run,
/// which has already been reported.
pub fn is_over(limits: &Limits, meter: &Meter, diagnostics: &mut Diagnostics) -> bool {
    if !meter.is_stopped() && limits.is_cancelled() {
        diagnostics.push(if limits.is_out_of_time() {
            let detail = "The evaluation takes longer than the time limit. The remaining values are unknown.";
            Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_TIME)
        } else {
            let detail = "The evaluation was stopped from outside, so the remaining values are unknown.";
            Diagnostic::error(ids::INTERRUPTED, detail)
        });
        meter.stop();
    }
    meter.is_stopped()
}
