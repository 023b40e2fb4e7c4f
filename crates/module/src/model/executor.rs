//! Threads for an evaluation, which the caller of the engine starts.

use std::fmt;

/// Threads that evaluate one configuration together. The engine starts none itself.
pub trait Executor: fmt::Debug + Send + Sync {
    /// The number of threads, including the one that evaluates.
    fn threads(&self) -> usize;

    /// The cost of an evaluation that is worth starting the threads. Its unit is a step of [`Limits`](terrane_function::Limits),
    /// which takes about 8 nanoseconds.
    fn least_cost(&self) -> u64 {
        1_000_000
    }

    /// Notes that the evaluation begins again on one thread, because several came near a limit. The files that were read since
    /// the last [`Executor::run`] began do not count.
    fn repeated(&self) {}

    /// Runs `lead` on this thread and `help` on each of the others, and returns when all of them have ended. Fewer
    /// helpers, or none, are allowed.
    fn run(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync));
}

/// The thread of the caller alone.
#[derive(Clone, Copy, Default, Debug)]
pub struct InPlace;

impl Executor for InPlace {
    fn threads(&self) -> usize {
        1
    }

    fn run(&self, lead: &mut dyn FnMut(), _help: &(dyn Fn() + Sync)) {
        lead();
    }
}
