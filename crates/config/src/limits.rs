//! Where a run ends that has met a limit.

use terrane_function::{Limits, Meter};
use terrane_source::{Diagnostic, Diagnostics, ids};

/// Whether the run is to end here, because it was stopped from outside, which is then reported, or because an expression
/// has met a limit of the whole run, which has been reported.
pub fn is_over(limits: &Limits, meter: &Meter, diagnostics: &mut Diagnostics) -> bool {
    if !meter.is_stopped() && limits.is_cancelled() {
        let detail = "The evaluation was stopped from outside, so that the rest is not known.";
        diagnostics.push(Diagnostic::error(ids::INTERRUPTED, detail));
        meter.stop();
    }
    meter.is_stopped()
}
