//! Results of conditions: validations of variables, preconditions, postconditions and assertions.

use terrane_config::address::Object;
use terrane_value::SmolStr;

/// The kind of block that has a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckKind {
    /// `validation` of a variable.
    Validation,
    /// `precondition` of a resource or an output.
    Precondition,
    /// `postcondition` of a resource.
    Postcondition,
    /// `assert` of a `check` block.
    Assertion,
}

impl CheckKind {
    /// Returns the name in documents: the type of the block, except that an `assert` block is an `assertion`.
    pub const fn name(self) -> &'static str {
        match self {
            CheckKind::Validation => "validation",
            CheckKind::Precondition => "precondition",
            CheckKind::Postcondition => "postcondition",
            CheckKind::Assertion => "assertion",
        }
    }
}

/// The status of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckStatus {
    /// The condition is true.
    Pass,
    /// The condition is false.
    Fail,
    /// The condition depends on unknown values, or belongs to an instance that may not exist.
    Unknown,
    /// The condition or its message has an error, which is reported.
    Error,
}

impl CheckStatus {
    /// Returns the name in documents: `pass`, `fail`, `unknown` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            CheckStatus::Pass => "pass",
            CheckStatus::Fail => "fail",
            CheckStatus::Unknown => "unknown",
            CheckStatus::Error => "error",
        }
    }
}

/// The result of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckResult {
    /// The status.
    pub status: CheckStatus,
    /// The message of a false condition, if it is known and may be shown.
    pub message: Option<SmolStr>,
}

impl CheckResult {
    /// The result of a condition that is not evaluated.
    pub(crate) const UNKNOWN: CheckResult = CheckResult { status: CheckStatus::Unknown, message: None };
    /// The result of a condition that cannot be evaluated.
    pub(crate) const ERROR: CheckResult = CheckResult { status: CheckStatus::Error, message: None };

    /// Whether a plan evaluates no further part of the object.
    pub(crate) fn stops(&self) -> bool {
        matches!(self.status, CheckStatus::Fail | CheckStatus::Error)
    }
}

/// The results of all conditions of one kind for an object, in the order of their blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectChecks {
    /// The object, with its instance key.
    pub object: Object,
    /// The kind of the conditions.
    pub kind: CheckKind,
    /// The result of each condition.
    pub results: Vec<CheckResult>,
}

impl ObjectChecks {
    /// Returns the results for the object that `object` returns; `None` if there are no conditions.
    pub(crate) fn of(
        object: impl FnOnce() -> Object,
        kind: CheckKind,
        results: Vec<CheckResult>,
    ) -> Option<ObjectChecks> {
        (!results.is_empty()).then(|| ObjectChecks { object: object(), kind, results })
    }

    /// Returns the results for an instance that may not exist: no condition is known to be false.
    pub(crate) fn of_possible_instance(mut self) -> ObjectChecks {
        for result in &mut self.results {
            if result.stops() {
                *result = CheckResult::UNKNOWN;
            }
        }
        self
    }
}
