use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_source::Files;

/// What a function may see of the world: everything it may use beside its arguments.
pub struct CallEnv<'e> {
    /// The only way to files.
    pub files: &'e dyn Files,
    /// The directory against which relative paths in file functions are read.
    pub base_dir: &'e Path,
    /// The current time, where it may be known; without a clock, functions of time are unknown.
    pub clock: Option<&'e dyn Clock>,
    /// Bounds on what a call may use up.
    pub limits: &'e Limits,
}

impl CallEnv<'_> {
    /// `path` against [`CallEnv::base_dir`], where it is relative. A leading `~` stands for no one's home here
    /// and is an ordinary character.
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.base_dir.join(path)
    }
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Seconds since 1970-01-01T00:00:00Z.
    fn unix_seconds(&self) -> i64;
}

/// A clock that stands still.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(
    /// Seconds since 1970-01-01T00:00:00Z.
    pub i64,
);

impl Clock for FixedClock {
    fn unix_seconds(&self) -> i64 {
        self.0
    }
}

/// Bounds that keep hostile configuration from using up the machine. The defaults are beyond anything that
/// real configuration does.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Nesting of expressions, templates and module calls.
    pub depth: usize,
    /// Elements of one collection.
    pub elements: usize,
    /// Bytes of one string.
    pub bytes: usize,
    /// Expressions evaluated in one run.
    pub steps: u64,
    /// Set from outside to stop a run.
    pub cancel: Option<Arc<std::sync::atomic::AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 400, elements: 10_000_000, bytes: 512 << 20, steps: 20_000_000_000, cancel: None }
    }
}
