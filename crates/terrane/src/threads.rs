//! Threads for the evaluation of one project.

use std::sync::Arc;
use std::thread;

use terrane_config::recorder::AccessLog;
use terrane_module::Executor;

use crate::search::parallel;

/// The stack of a thread: enough for expressions that are nested far deeper than the default limit. Memory is only used as deep
/// as expressions are nested.
const STACK_BYTES: usize = 64 << 20;

/// The number of threads that are started for one evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threads(usize);

impl Threads {
    /// Returns an executor with `count` threads; with one thread per core if `count` is 0.
    pub(crate) fn new(count: usize) -> Threads {
        Threads(if count == 0 { parallel::cores() } else { count })
    }
}

impl Executor for Threads {
    fn threads(&self) -> usize {
        self.0
    }

    fn run(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for _ in 1..self.0 {
                // If the system starts no further thread, the other threads do its work.
                let helper = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help);
                if helper.is_err() {
                    break;
                }
            }
            lead();
        });
    }
}

/// An executor that removes recorded accesses to files when an evaluation is repeated.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) executor: Arc<dyn Executor>,
    pub(crate) log: Arc<AccessLog>,
}

impl Executor for Recorded {
    fn threads(&self) -> usize {
        self.executor.threads()
    }

    fn least_cost(&self) -> u64 {
        self.executor.least_cost()
    }

    fn repeated(&self) {
        self.log.take_back();
        self.executor.repeated();
    }

    fn run(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        self.log.mark();
        self.executor.run(lead, help);
    }
}
