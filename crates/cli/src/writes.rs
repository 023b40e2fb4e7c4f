//! Delays signals while the command writes a file, so that no temporary file is left behind.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGQUIT, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use terrane::{Files as _, OsFiles};

/// The signals that users, terminals and services send to end a command.
#[cfg(unix)]
const SIGNALS: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The files that are being written, and the signal that waits for them.
static WRITES: LazyLock<Writes> = LazyLock::new(Writes::new);

/// The interval at which a thread that may not write checks whether the command has ended.
const WAIT: Duration = Duration::from_millis(10);

/// Writes a file. A signal during that time ends the command afterwards.
pub(crate) fn hold_back<R>(write: impl FnOnce() -> R) -> R {
    WRITES.begin();
    let result = write();
    WRITES.end();
    result
}

/// Makes a write beyond the limit of the system on the size of files an error, and not the end of the command.
pub(crate) fn refuse_large_files() {
    // If the signal cannot be taken, it ends the command, as everywhere else.
    #[cfg(unix)]
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Counts writes on any number of threads, and keeps a signal that waits for their end.
struct Writes {
    running: Mutex<usize>,
    /// Whether no write is running, so that a signal ends the command at once.
    is_idle: Arc<AtomicBool>,
    /// The signal that was received, or 0.
    signal: Arc<AtomicUsize>,
}

impl Writes {
    fn new() -> Writes {
        let writes =
            Writes { running: Mutex::new(0), is_idle: Arc::new(true.into()), signal: Arc::default() };
        // A signal that the caller of the command has turned off, as `nohup` does, stays so.
        let ignored = ignored_signals();
        for signal in SIGNALS.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0) {
            // In this order, because a write that ends between the two registrations sees the signal. If they cannot be
            // registered, a signal ends the command at once, as everywhere else.
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
            // The last of the running writes ends the command. No further write begins.
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

    /// Lets signals end the command again. A signal that was received ends it now.
    fn finish(&self) {
        self.is_idle.store(true, Ordering::SeqCst);
        let signal = i32::try_from(self.signal.load(Ordering::SeqCst)).unwrap_or_default();
        if signal != 0 {
            // The command ends here, so an error has no consequences.
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}

/// Returns the signals that the process ignores, a bit for each; none on systems without `/proc`.
fn ignored_signals() -> u64 {
    let status = OsFiles.read(Path::new("/proc/self/status")).unwrap_or_default();
    let mask = String::from_utf8_lossy(&status);
    let mask = mask.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "a test runs itself as a process to be ended")]
#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    use std::{env, fs};

    use super::*;

    /// The variables with the signal and the file for the process that is ended.
    const SIGNAL: &str = "TERRANE_TEST_SIGNAL";
    const FILE: &str = "TERRANE_TEST_FILE";

    #[test]
    fn each_signal_waits_for_the_end_of_a_write() {
        if let (Ok(signal), Ok(file)) = (env::var(SIGNAL), env::var(FILE)) {
            hold_back(|| {
                low_level::raise(signal.parse().unwrap()).unwrap();
                fs::write(file, "whole").unwrap();
            });
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        for signal in SIGNALS {
            let file = directory.path().join(signal.to_string());
            let mut command = Command::new(env::current_exe().unwrap());
            command.args(["--exact", "writes::tests::each_signal_waits_for_the_end_of_a_write"]);
            let output = command.env(SIGNAL, signal.to_string()).env(FILE, &file).output().unwrap();
            assert_eq!(output.status.signal(), Some(signal));
            assert_eq!(fs::read_to_string(file).ok().as_deref(), Some("whole"), "signal {signal}");
        }
        if cfg!(target_os = "linux") {
            let mut command = Command::new("sh");
            command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(env::current_exe().unwrap());
            command.args(["--exact", "writes::tests::each_signal_waits_for_the_end_of_a_write"]);
            command.env(SIGNAL, "1").env(FILE, directory.path().join("ignored"));
            let status = command.output().unwrap().status;
            assert!(status.success(), "an ignored signal stays ignored: {status}");
        }
    }
}
