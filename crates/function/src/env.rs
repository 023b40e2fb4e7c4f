//! The environment of a function call: files, clock, random numbers, limits and the meter of a run.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use terrane_source::Files;

/// The inputs of a function beside its arguments.
#[derive(Clone, Copy)]
pub struct CallEnv<'e> {
    /// The file system.
    pub files: &'e dyn Files,
    /// The directory that relative paths start at.
    pub base_dir: &'e Path,
    /// Inputs that differ between users and between runs.
    pub world: World<'e>,
    /// Limits of a call.
    pub limits: &'e Limits,
    /// The resources that the run has used. Without a meter, each expression is a run of its own.
    pub meter: Option<&'e Meter>,
}

impl<'e> CallEnv<'e> {
    /// An environment with files below `base_dir` and an empty [`World`].
    pub fn new(files: &'e dyn Files, base_dir: &'e Path, limits: &'e Limits) -> CallEnv<'e> {
        CallEnv { files, base_dir, world: World::default(), limits, meter: None }
    }

    /// Resolves a relative `path` against [`CallEnv::base_dir`]. A leading `~` is an ordinary character.
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.base_dir.join(path)
    }
}

/// Inputs that differ between users and between runs. Functions that need a missing one return an unknown value, so
/// that a configuration can be evaluated without a real environment.
#[derive(Clone, Copy, Default)]
pub struct World<'w> {
    /// The current time.
    pub clock: Option<&'w dyn Clock>,
    /// Random numbers.
    pub random: Option<&'w dyn Random>,
    /// The home directory of the user.
    pub home: Option<&'w Path>,
    /// The environment variables of the process.
    pub environment: Option<&'w dyn Environment>,
}

impl<'w> World<'w> {
    /// These inputs, with missing ones taken from `other`.
    #[must_use]
    pub fn or(self, other: World<'w>) -> World<'w> {
        World {
            clock: self.clock.or(other.clock),
            random: self.random.or(other.random),
            home: self.home.or(other.home),
            environment: self.environment.or(other.environment),
        }
    }
}

/// An owned [`World`].
#[derive(Clone, Default)]
pub struct Host {
    /// The current time.
    pub clock: Option<Arc<dyn Clock>>,
    /// Random numbers.
    pub random: Option<Arc<dyn Random>>,
    /// The home directory of the user.
    pub home: Option<PathBuf>,
    /// The environment variables of the process.
    pub environment: Option<Arc<dyn Environment>>,
}

impl Host {
    /// The borrowed form for functions.
    pub fn world(&self) -> World<'_> {
        World {
            clock: self.clock.as_deref(),
            random: self.random.as_deref(),
            home: self.home.as_deref(),
            environment: self.environment.as_deref(),
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("clock", &self.clock.is_some())
            .field("random", &self.random.is_some())
            .field("home", &self.home)
            .field("environment", &self.environment.is_some())
            .finish()
    }
}

/// A source of random numbers.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable random numbers.
    fn fill(&self, bytes: &mut [u8]);
}

/// A source of environment variables.
pub trait Environment: Send + Sync {
    /// The value of the variable `name`, if it is set.
    fn get(&self, name: &str) -> Option<String>;
}

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// Seconds since 1970-01-01T00:00:00Z.
    fn unix_seconds(&self) -> i64;

    /// Seconds since 1970-01-01T00:00:00Z at the start of the run.
    fn started(&self) -> i64 {
        self.unix_seconds()
    }
}

/// A clock with a constant time.
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

/// Limits that protect the machine against hostile configuration. Real configuration stays far below the defaults.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum nesting of expressions, and of templates that render templates.
    pub depth: usize,
    /// Maximum number of elements from all `for` expressions of one expression, of blocks from all `dynamic` blocks
    /// of one body, and of elements in the result of one function call.
    pub elements: usize,
    /// Maximum number of bytes of a string that a template or a function makes, and of a file that a function reads.
    pub bytes: usize,
    /// Maximum work of one function call: one unit for each byte of text and 8 units for each element of the
    /// arguments, nested ones included. The same bounds hold for the result. [`Cost`](crate::Cost) reduces the work
    /// of light functions, and [`Call::spend`](crate::Call::spend) adds work.
    pub work: usize,
    /// Approximate maximum number of bytes of all values of a run.
    pub memory: u64,
    /// Maximum number of steps of a run, of a single expression or of a whole configuration. A step is an expression
    /// that is not computed directly from plain values, an iteration of a loop, or a unit of work of a function.
    pub steps: u64,
    /// Maximum number of steps of one expression including the templates that it renders, or of all expressions of
    /// one body. A loop of expensive calls ends within seconds.
    pub steps_of_expression: u64,
    /// Stops the run when it is set; values that are not computed by then are errors.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// The work of one element.
    pub(crate) const WORK_OF_ELEMENT: usize = 8;

    /// The maximum number of elements in the result of one function call.
    pub fn elements_of_call(&self) -> usize {
        self.elements.min(self.work / Limits::WORK_OF_ELEMENT)
    }

    /// The maximum number of bytes of a string that one function call assembles.
    pub fn text_of_call(&self) -> usize {
        self.bytes.min(self.work)
    }

    /// Whether a function may make this string. A long string must be ASCII, because Unicode normalization takes many
    /// times as long.
    pub fn allow(&self, text: &str) -> bool {
        text.len() <= self.text_of_call() || (text.len() <= self.bytes && text.is_ascii())
    }

    /// Whether the run was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// The resources that a run has used, over all of its expressions; [`Limits`] bounds them.
#[derive(Default, Debug)]
pub struct Meter {
    steps: AtomicU64,
    memory: AtomicU64,
    stopped: AtomicBool,
    /// Zero until the first request.
    number: AtomicU64,
}

impl Meter {
    /// A number that is unique to this run in the process, for caches that belong to a run.
    pub fn number(&self) -> u64 {
        static LAST: AtomicU64 = AtomicU64::new(0);
        // A run has one thread.
        if self.number.load(Ordering::Relaxed) == 0 {
            self.number.store(LAST.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
        self.number.load(Ordering::Relaxed)
    }

    /// A meter for a part of the run that another thread evaluates: it counts on from here, with `reserve` bytes more in use,
    /// and its caches are its own.
    pub fn fork(&self, reserve: u64) -> Meter {
        Meter {
            steps: AtomicU64::new(self.steps()),
            memory: AtomicU64::new(self.memory().saturating_add(reserve)),
            stopped: AtomicBool::new(self.is_stopped()),
            number: AtomicU64::new(0),
        }
    }

    /// The number of evaluated expressions.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// The number of bytes of the values that may still be alive.
    pub fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// Sets the number of bytes in use.
    pub fn hold(&self, bytes: u64) {
        self.memory.store(bytes, Ordering::Relaxed);
    }

    /// Raises the number of evaluated expressions to `steps`.
    pub fn count_to(&self, steps: u64) {
        // A run has one thread, so no step is lost between load and store. An atomic maximum would cost as much as a
        // small expression.
        if steps > self.steps() {
            self.steps.store(steps, Ordering::Relaxed);
        }
    }

    /// Whether a limit has ended the run.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Ends the run: later expressions are errors without further diagnostics.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 300,
            elements: 10_000_000,
            bytes: 128 << 20,
            work: 16 << 20,
            memory: 256 << 20,
            steps: 1_000_000_000,
            steps_of_expression: 1 << 26,
            cancel: None,
        }
    }
}
