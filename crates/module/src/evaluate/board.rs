//! The jobs of one wave, shared by the threads of an evaluation.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Jobs that threads take from, and the results that they bring back.
pub(super) struct Board<J, R> {
    state: Mutex<JobQueue<J, R>>,
    /// Notified when jobs are added, when the last job is done, and when the board is closed.
    changed: Condvar,
    threads: usize,
}

struct JobQueue<J, R> {
    jobs: VecDeque<J>,
    /// The number of threads that work on jobs.
    running: usize,
    results: Vec<R>,
    is_closed: bool,
}

/// The largest number of jobs that a thread takes at once.
const MAX_AT_ONCE: usize = 64;

impl<J, R> Board<J, R> {
    pub(super) fn new(threads: usize) -> Board<J, R> {
        let state = JobQueue { jobs: VecDeque::new(), running: 0, results: Vec::new(), is_closed: false };
        Board { state: Mutex::new(state), changed: Condvar::new(), threads }
    }

    fn lock(&self) -> MutexGuard<'_, JobQueue<J, R>> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on all jobs together with the helpers. The results have no order.
    pub(super) fn share(&self, jobs: impl IntoIterator<Item = J>, work: impl Fn(J) -> R) -> Vec<R> {
        self.lock().jobs.extend(jobs);
        self.changed.notify_all();
        let mut state = self.lock();
        loop {
            if let Some(taken) = self.take(&mut state) {
                drop(state);
                self.finish(taken, &work);
                state = self.lock();
            } else if state.running == 0 {
                return std::mem::take(&mut state.results);
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Works on jobs until the board is closed.
    pub(super) fn help(&self, work: impl Fn(J) -> R) {
        let mut state = self.lock();
        loop {
            if let Some(taken) = self.take(&mut state) {
                drop(state);
                self.finish(taken, &work);
                state = self.lock();
            } else if state.is_closed {
                return;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Returns the next jobs, few enough to leave some for other threads.
    fn take(&self, state: &mut JobQueue<J, R>) -> Option<Vec<J>> {
        if state.jobs.is_empty() {
            return None;
        }
        let count = (state.jobs.len() / (4 * self.threads)).clamp(1, MAX_AT_ONCE).min(state.jobs.len());
        state.running += 1;
        Some(state.jobs.drain(..count).collect())
    }

    fn finish(&self, jobs: Vec<J>, work: &impl Fn(J) -> R) {
        let mut turn = Turn { board: self, results: Vec::with_capacity(jobs.len()) };
        for job in jobs {
            turn.results.push(work(job));
        }
    }

    /// Ends [`Board::help`] on all threads when the result is dropped.
    pub(super) fn closing(&self) -> Closing<'_, J, R> {
        Closing(self)
    }
}

/// A thread's batch of jobs. Dropping it records its end even if a job panics; otherwise other
/// threads would wait for ever.
struct Turn<'b, J, R> {
    board: &'b Board<J, R>,
    results: Vec<R>,
}

impl<J, R> Drop for Turn<'_, J, R> {
    fn drop(&mut self) {
        let mut state = self.board.lock();
        state.running -= 1;
        state.results.append(&mut self.results);
        let is_last = state.running == 0 && state.jobs.is_empty();
        drop(state);
        if is_last {
            self.board.changed.notify_all();
        }
    }
}

/// Closes a board when it is dropped.
pub(super) struct Closing<'b, J, R>(&'b Board<J, R>);

impl<J, R> Drop for Closing<'_, J, R> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_does_all_jobs_once() {
        let board = Board::new(1);
        let double = |job: u64| 2 * job;
        for count in [0, 1, 1000] {
            let results = board.share(0..count, double);
            assert_eq!(results, (0..count).map(double).collect::<Vec<_>>());
        }
        drop(board.closing());
        board.help(double);
        assert!(board.share(0..0, double).is_empty());
    }
}
