//! The time limit of `--timeout`: for the command, or for each input of a console.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Whether the time is over.
static IS_OVER: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

static TIMER: Timer = Timer { state: Mutex::new(State { time: None, end: None }), changed: Condvar::new() };

struct Timer {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The time of each run. `None` without `--timeout`.
    time: Option<Duration>,
    /// The end of the current run. `None` after the end, and if the time is too long to add.
    end: Option<Instant>,
}

/// Returns the flag that is set when the time is over.
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&IS_OVER)
}

/// Returns the time of each run. `None` without `--timeout`.
pub(crate) fn time() -> Option<Duration> {
    TIMER.lock().time
}

/// Starts the time of the command. If no thread can be started, there is no limit.
pub(crate) fn start(time: Duration) {
    TIMER.lock().time = Some(time);
    restart();
    let _ = thread::Builder::new().spawn(watch);
}

/// Restarts the time for another input.
#[expect(clippy::disallowed_methods, reason = "the command knows the time")]
pub(crate) fn restart() {
    let mut state = TIMER.lock();
    let Some(time) = state.time else { return };
    state.end = Instant::now().checked_add(time);
    IS_OVER.store(false, Ordering::Relaxed);
    TIMER.changed.notify_one();
}

impl Timer {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets the flag at the end of each run.
#[expect(clippy::disallowed_methods, reason = "the command knows the time")]
fn watch() {
    let mut state = TIMER.lock();
    loop {
        state = match state.end {
            None => TIMER.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(end) => match end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
                Some(left) => {
                    TIMER.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    IS_OVER.store(true, Ordering::Relaxed);
                    state.end = None;
                    state
                }
            },
        };
    }
}
