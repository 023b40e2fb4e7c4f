//! No signal ends the command while it writes a file, so that no temporary file stays.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// The files that are being written.
static WRITES: LazyLock<Writes> = LazyLock::new(Writes::new);

/// How often a thread that may not write looks whether the command has ended.
const WAIT: Duration = Duration::from_millis(10);

/// Writes a file. A signal that comes meanwhile ends the command behind it.
pub(crate) fn hold_back<R>(write: impl FnOnce() -> R) -> R {
    WRITES.begin();
    let result = write();
    WRITES.end();
    result
}

/// Writes on any number of threads, and a signal that waits for their end.
struct Writes {
    running: Mutex<usize>,
    /// Whether none is running, so that a signal ends the command at once.
    is_idle: Arc<AtomicBool>,
    /// The signal that has come, or 0.
    signal: Arc<AtomicUsize>,
}

impl Writes {
    fn new() -> Writes {
        let writes =
            Writes { running: Mutex::new(0), is_idle: Arc::new(true.into()), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // In this order: a write that ends between the two sees the signal. Where they cannot be had, a signal ends the
            // command at once, as everywhere else.
            let number = usize::try_from(signal).unwrap_or_default();
            let _ = flag::register_usize(signal, Arc::clone(&writes.signal), number);
            let _ = flag::register_conditional_default(signal, Arc::clone(&writes.is_idle));
        }
        writes
    }

    fn begin(&self) {
        loop {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            self.is_idle.store(false, Ordering::SeqCst);
            if self.signal.load(Ordering::SeqCst) == 0 {
                *running += 1;
                return;
            }
            // The last of the writes that run ends the command; no other begins.
            if *running == 0 {
                self.finish();
                *running += 1;
                return;
            }
            drop(running);
            thread::sleep(WAIT);
        }
    }

    fn end(&self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running = running.saturating_sub(1);
        if *running == 0 {
            self.finish();
        }
    }

    /// Lets signals end the command, also one that has come already.
    fn finish(&self) {
        self.is_idle.store(true, Ordering::SeqCst);
        let signal = i32::try_from(self.signal.load(Ordering::SeqCst)).unwrap_or_default();
        if signal != 0 {
            // It ends the command, so there is nothing to do with an error.
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}
