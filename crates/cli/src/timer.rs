//! The time that `--timeout` gives to the command, or to one input of a console.

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
    /// The time of each run; none without `--timeout`.
    time: Option<Duration>,
    /// The end of the current one; none after it, and at times that nobody can add to.
    end: Option<Instant>,
}

/// The flag that is set while the time is over.
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&IS_OVER)
}

/// The time of each run; none without `--timeout`.
pub(crate) fn time() -> Option<Duration> {
    TIMER.lock().time
}

/// Gives the command a time, from now on. Without threads, it has no limit.
pub(crate) fn start(time: Duration) {
    TIMER.lock().time = Some(time);
    restart();
    let _ = thread::Builder::new().spawn(watch);
}

/// Begins the time again, for another input.
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
