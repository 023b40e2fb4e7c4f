//! Limits on the text of a plan: its length, the work of comparing values, and the time of the command.

use std::cell::Cell;
use std::fmt;

use terrane_function::{Limits, RAISE_TIME};
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::print_limit::{MAX_BYTES, MAX_COMPARISONS, limit_exceeded};

/// Limit on the compared parts of one object or output.
const MAX_PARTS: usize = 1 << 21;
/// Limit on the parts of all objects that a text lists.
const MAX_LISTED_PARTS: usize = 1 << 20;
/// Limit on the bytes of all strings that are read as JSON. Reading and comparing a byte takes about 80 nanoseconds.
const MAX_JSON_BYTES: usize = 8 << 20;

/// The limits on the text of a plan, and the amounts that are left.
pub(super) struct TextBudget<'l> {
    limits: &'l Limits,
    /// Whether the time limit applies. After an evaluation that was stopped it does not, because the evaluation has reported
    /// it.
    has_time: bool,
    parts: Cell<usize>,
    comparisons: Cell<usize>,
    json_bytes: Cell<usize>,
}

impl<'l> TextBudget<'l> {
    /// Returns the limits for a text after an evaluation with these diagnostics.
    pub(super) fn new(limits: &'l Limits, evaluated: &Diagnostics) -> TextBudget<'l> {
        let is_stop = |found: &Diagnostic| {
            found.id == ids::INTERRUPTED || found.hints.iter().any(|hint| hint == RAISE_TIME)
        };
        TextBudget {
            limits,
            has_time: !evaluated.as_slice().iter().any(is_stop),
            parts: Cell::new(MAX_PARTS),
            comparisons: Cell::new(MAX_COMPARISONS),
            json_bytes: Cell::new(MAX_JSON_BYTES),
        }
    }

    /// Begins another object or output. Its parts are counted from zero.
    pub(super) fn begin_object(&self) {
        if !self.is_over() {
            self.parts.set(MAX_PARTS);
        }
    }

    /// Checks the number of parts of all objects that the text lists, before one of them is compared. Returns false if there are
    /// too many, in which case the text is not printed.
    pub(super) fn can_list(&self, parts: usize) -> bool {
        if parts > MAX_LISTED_PARTS {
            self.parts.set(0);
        }
        !self.is_over()
    }

    /// Checks the number of parts of a new value before the parts are compared. The text shows all parts of a new value. Returns false
    /// if there are too many; then the text is not printed.
    pub(super) fn can_show(&self, parts: usize) -> bool {
        if parts > MAX_PARTS {
            self.parts.set(0);
        }
        !self.is_over()
    }

    /// Counts a compared part. Returns false if a limit is exceeded, in which case the text is not printed.
    pub(super) fn take_part(&self) -> bool {
        self.parts.set(self.parts.get().saturating_sub(1));
        !self.is_over()
    }

    /// Subtracts comparisons of elements. Returns false if fewer are left.
    pub(super) fn take_comparisons(&self, number: usize) -> bool {
        let left = self.comparisons.get().checked_sub(number).filter(|_| !self.is_over());
        left.inspect(|left| self.comparisons.set(*left)).is_some()
    }

    /// Subtracts the bytes of a string that is read as JSON. Returns false if fewer are left; then the string is shown as it is.
    pub(super) fn take_json(&self, bytes: usize) -> bool {
        let left = self.json_bytes.get().checked_sub(bytes);
        left.inspect(|left| self.json_bytes.set(*left)).is_some()
    }

    fn is_over(&self) -> bool {
        self.parts.get() == 0 || self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.has_time && self.limits.is_cancelled()
    }

    /// Returns the reason why a text is not printed.
    fn exceeded(&self) -> Diagnostic {
        match (self.is_stopped(), self.limits.is_out_of_time()) {
            (true, true) => {
                let detail = "The plan takes longer to print than the time limit.";
                Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_TIME)
            }
            (true, false) => {
                let detail = "The command was stopped from outside, so the plan is not printed.";
                Diagnostic::error(ids::INTERRUPTED, detail)
            }
            (false, _) => limit_exceeded(),
        }
    }
}

/// The text of a plan that is being written. Writing fails beyond the limits.
pub(super) struct PlanText<'l> {
    text: String,
    pub(super) budget: &'l TextBudget<'l>,
}

impl<'l> PlanText<'l> {
    pub(super) fn new(budget: &'l TextBudget<'l>) -> PlanText<'l> {
        PlanText { text: String::new(), budget }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the whole text. An error if it exceeds the limits.
    pub(super) fn finish(self, written: fmt::Result) -> Result<String, Box<Diagnostic>> {
        match written {
            Ok(()) if !self.budget.is_over() => Ok(self.text),
            Ok(()) | Err(fmt::Error) => Err(Box::new(self.budget.exceeded())),
        }
    }
}

impl fmt::Write for PlanText<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.budget.is_over() || part.len() > MAX_BYTES.saturating_sub(self.text.len()) {
            return Err(fmt::Error);
        }
        self.text.push_str(part);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use terrane_source::MemoryFiles;

    use super::*;
    use crate::{Project, Secrets};

    #[test]
    fn all_strings_together_have_a_limit_of_json() {
        let (limits, found) = (Limits::default(), Diagnostics::new());
        let budget = TextBudget::new(&limits, &found);
        assert!((0..8).all(|_| budget.take_json(1 << 20)));
        assert!(!budget.take_json(1) && budget.take_part());
    }

    #[test]
    fn a_text_lists_about_a_million_parts() {
        let (limits, found) = (Limits::default(), Diagnostics::new());
        let budget = TextBudget::new(&limits, &found);
        assert!(budget.can_list(1 << 20) && budget.take_part());
        assert!(!budget.can_list((1 << 20) + 1));
        budget.begin_object();
        assert!(!budget.take_part());
        assert_eq!(budget.exceeded().id, ids::LIMIT_EXCEEDED);
        let budget = TextBudget::new(&limits, &found);
        assert!(budget.can_show(1 << 21) && !budget.can_show((1 << 21) + 1) && !budget.take_part());
    }

    #[test]
    fn the_time_of_the_command_ends_the_text() {
        let timeout = Arc::new(AtomicBool::new(false));
        let limits = Limits { timeout: Some(Arc::clone(&timeout)), ..Limits::default() };
        let files = MemoryFiles::from_iter([("main.tf", "output \"o\" { value = \"x\" }\n")]);
        let report = Project::new(".").limits(limits).evaluate(&files);
        let plan = report.plan(Secrets::Hidden, &files).unwrap();
        assert!(plan.to_text().is_ok());
        timeout.store(true, Ordering::Relaxed);
        let error = plan.to_text().unwrap_err();
        assert_eq!(error.detail, "The plan takes longer to print than the time limit.");
    }
}
