//! The inputs of a function other than its arguments.

/// The inputs of a function's result other than the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    /// No inputs: calls with equal arguments may share the result.
    Pure,
    /// Files, the environment or the time of the run, which do not change during a run.
    Run,
    /// Random numbers or the time of the call.
    Call,
}
