//! Results of conditions: validations of variables, preconditions, postconditions and assertions.

use terrane_config::address::Object;

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
    /// The name in documents: that of the block, except that an `assert` block is an `assertion`.
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
    /// It is true.
    Pass,
    /// It is false.
    Fail,
    /// It depends on unknown values, or belongs to an instance that may not exist.
    Unknown,
    /// It or its message has an error, which is reported.
    Error,
}

impl CheckStatus {
    /// The name in documents: `pass`, `fail`, `unknown` or `error`.
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
    pub message: Option<String>,
}

impl CheckResult {
    /// A condition without a result.
    pub(crate) const UNKNOWN: CheckResult = CheckResult { status: CheckStatus::Unknown, message: None };
    /// A condition that cannot be evaluated.
    pub(crate) const ERROR: CheckResult = CheckResult { status: CheckStatus::Error, message: None };

    /// Whether a plan evaluates nothing else of the object.
    pub(crate) fn stops(&self) -> bool {
        matches!(self.status, CheckStatus::Fail | CheckStatus::Error)
    }
}

/// The results of the conditions of one kind of an object, in the order of their blocks.
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
    /// The results for the object that `object` returns; none if there are no conditions.
    pub(crate) fn of(
        object: impl FnOnce() -> Object,
        kind: CheckKind,
        results: Vec<CheckResult>,
    ) -> Option<ObjectChecks> {
        (!results.is_empty()).then(|| ObjectChecks { object: object(), kind, results })
    }

    /// The results for an instance that may not exist: no condition is known to be false.
    pub(crate) fn of_possible_instance(mut self) -> ObjectChecks {
        for result in &mut self.results {
            if result.stops() {
                *result = CheckResult::UNKNOWN;
            }
        }
        self
    }
}
