//! The threads of an evaluation, which the caller of the engine provides.

use std::fmt;

/// Threads that evaluate one configuration together. The engine starts no threads itself.
pub trait Executor: fmt::Debug + Send + Sync {
    /// Returns the number of threads, including the evaluating thread.
    fn threads(&self) -> usize;

    /// Returns the smallest cost of an evaluation for which starting the threads pays. Its unit is a step of
    /// [`Limits`](terrane_function::Limits), which takes about 8 nanoseconds.
    fn least_cost(&self) -> u64 {
        1_000_000
    }

    /// Called when the evaluation begins again on one thread, because several threads came near a limit. Files that
    /// were read since the last [`Executor::run`] began do not count.
    fn repeated(&self) {}

    /// Runs `lead` on this thread and `help` on each other thread, and returns when all of them have ended. Fewer
    /// helpers, or none, are allowed.
    fn run(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync));
}

/// Evaluates on the thread of the caller only.
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
