//! Runs tasks on all cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The number of tasks for which another thread pays off.
const PER_THREAD: usize = 8;
/// The number of tasks that a thread takes at once, so that threads seldom wait for each other.
const AT_ONCE: usize = 16;
/// The stack of a thread: enough for configuration that is nested as deeply as the parser allows.
const STACK_BYTES: usize = 16 << 20;

/// Runs all tasks, and the tasks that they add, on as many threads as there are cores. The results are in no particular order.
pub(crate) fn run<T: Send, R: Send>(
    tasks: Vec<T>,
    work: impl Fn(T, &mut Vec<T>) -> Option<R> + Sync,
) -> Vec<R> {
    let mut tasks = tasks;
    let mut results = Vec::new();
    // Starting a thread takes longer than reading a few files.
    while tasks.len() < 2 * PER_THREAD
        && let Some(task) = tasks.pop()
    {
        let mut added = Vec::new();
        results.extend(work(task, &mut added));
        tasks.extend(added);
    }
    if tasks.is_empty() {
        return results;
    }
    let cores = cores();
    let state = State { tasks, running: 0, waiting: 0 };
    let queue = Queue { state: Mutex::new(state), changed: Condvar::new(), threads: cores };
    let take = || take_tasks(&queue, &work);
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, take).ok();
        let helpers: Vec<_> = (1..cores).filter_map(spawn).collect();
        results.extend(take());
        for helper in helpers {
            match helper.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    results
}

/// Returns the number of threads that can run at the same time.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs each of a few large tasks on its own thread. The results are in the order of the tasks.
pub(crate) fn each<T: Sync, R: Send>(tasks: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let Some((first, rest)) = tasks.split_first() else { return Vec::new() };
    let work = &work;
    thread::scope(|scope| {
        let spawn = |task| {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            (task, builder.spawn_scoped(scope, move || work(task)))
        };
        let helpers: Vec<_> = rest.iter().map(spawn).collect();
        let mut results = vec![work(first)];
        for (task, helper) in helpers {
            results.push(match helper.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // No further thread could be started.
                Err(_) => work(task),
            });
        }
        results
    })
}

/// Runs tasks that take long, each as soon as a thread is free. The results are in the order of the tasks.
pub(crate) fn in_turn<T: Sync, R: Send>(tasks: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = |_: &()| {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index) else { return results };
            results.push((index, work(task)));
        }
    };
    let mut results: Vec<(usize, R)> =
        each(&vec![(); cores().min(tasks.len())], take).into_iter().flatten().collect();
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The tasks that the threads share.
struct Queue<T> {
    state: Mutex<State<T>>,
    /// Notified when tasks were added or all tasks are done, if a thread waits.
    changed: Condvar,
    threads: usize,
}

struct State<T> {
    tasks: Vec<T>,
    /// The number of threads that run tasks, which may add more.
    running: usize,
    /// The number of threads that wait for tasks.
    waiting: usize,
}

impl<T> Queue<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next tasks, few enough to leave some for other threads. `None` when all are done.
    fn take(&self) -> Option<(Vec<T>, Turn<'_, T>)> {
        let mut state = self.lock();
        loop {
            if !state.tasks.is_empty() {
                let count = (state.tasks.len() / (2 * self.threads)).clamp(1, AT_ONCE);
                let rest = state.tasks.len() - count;
                state.running += 1;
                return Some((state.tasks.split_off(rest), Turn { queue: self, added: Vec::new() }));
            }
            if state.running == 0 {
                return None;
            }
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }
}

/// A thread's turn of running tasks. Its end is recorded even if a task panics, because other threads would wait for ever
/// otherwise.
struct Turn<'a, T> {
    queue: &'a Queue<T>,
    added: Vec<T>,
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.running -= 1;
        let is_over = state.running == 0 && state.tasks.is_empty();
        let is_told = state.waiting > 0 && (is_over || !self.added.is_empty());
        state.tasks.append(&mut self.added);
        drop(state);
        if is_told {
            self.queue.changed.notify_all();
        }
    }
}

fn take_tasks<T, R>(queue: &Queue<T>, work: &impl Fn(T, &mut Vec<T>) -> Option<R>) -> Vec<R> {
    let mut results = Vec::new();
    while let Some((tasks, mut turn)) = queue.take() {
        results.extend(tasks.into_iter().filter_map(|task| work(task, &mut turn.added)));
    }
    results
}

#[cfg(test)]
mod tests {
    use super::run;

    /// Returns the results of tasks that each add two further tasks: double the number, and one more. So every number up to `limit` is
    /// reached from 1. Multiples of ten have no result.
    fn numbers(limit: u32) -> Vec<u32> {
        let mut numbers = run(vec![1], |number, added| {
            added.extend([2 * number, 2 * number + 1].into_iter().filter(|next| *next <= limit));
            (number % 10 != 0).then_some(number)
        });
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn added_tasks_are_done() {
        for limit in [1, 10, 100, 10_000] {
            let expected: Vec<u32> = (1..=limit).filter(|number| number % 10 != 0).collect();
            assert_eq!(numbers(limit), expected);
        }
        assert!(run(Vec::new(), |number: u32, _| Some(number)).is_empty());
    }

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        for count in [0, 1, 3, 100] {
            let tasks: Vec<u64> = (0..count).collect();
            assert_eq!(
                super::in_turn(&tasks, |task| task * 2),
                tasks.iter().map(|task| task * 2).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_panic_ends_all_threads() {
        let work = |number: u32, _: &mut Vec<u32>| {
            assert_ne!(number, 500);
            Some(number)
        };
        assert!(std::panic::catch_unwind(|| run((0..1000).collect(), work)).is_err());
    }
}
