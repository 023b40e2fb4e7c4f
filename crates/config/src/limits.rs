//! Stops a run that exceeded a limit or was cancelled.

use terrane_function::{Limits, Meter};
use terrane_source::{Diagnostic, Diagnostics, ids};

/// Whether the run must end: it was cancelled, which is reported here, or an expression exceeded a limit of the run, which has
/// been reported.
pub fn is_over(limits: &Limits, meter: &Meter, diagnostics: &mut Diagnostics) -> bool {
    if !meter.is_stopped() && limits.is_cancelled() {
        let detail = "The evaluation was stopped from outside, so the remaining values are unknown.";
        diagnostics.push(Diagnostic::error(ids::INTERRUPTED, detail));
        meter.stop();
    }
    meter.is_stopped()
}
