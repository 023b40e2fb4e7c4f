//! The inputs of a function beside its arguments.

/// The inputs of a function's result beside the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    /// None: calls with equal arguments may share the result.
    Pure,
    /// Files, the environment or the time of the run, which stay the same in a run.
    Run,
    /// Random numbers or the time of the call.
    Call,
}
