//! Stops a run that exceeded a limit or was cancelled.

use terrane_function::{Excess, Limits, Meter, RAISE_TIME};
use terrane_source::{Diagnostic, Diagnostics, ids};

/// Whether the run must end: it was cancelled or exceeded a limit. Reports that, unless the expression that exceeded the limit has
/// reported it.
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
    stop_if_exceeded(limits, meter, |diagnostic| diagnostics.push(diagnostic));
    meter.is_stopped()
}

/// Ends a run that exceeds a limit on steps or memory and was not ended yet. `report` gets the error, which has no place.
pub fn stop_if_exceeded(limits: &Limits, meter: &Meter, report: impl FnOnce(Diagnostic)) {
    let excess = if meter.is_stopped() { None } else { Excess::of(limits, meter) };
    if let Some(excess) = excess {
        report(excess.diagnostic(limits));
        meter.stop();
    }
}
