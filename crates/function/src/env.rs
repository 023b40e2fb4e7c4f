use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use terrane_source::Files;

/// What a function may see beside its arguments.
#[derive(Clone, Copy)]
pub struct CallEnv<'e> {
    /// The only way to files.
    pub files: &'e dyn Files,
    /// The directory against which relative paths in file functions are read.
    pub base_dir: &'e Path,
    /// What differs from user to user and from run to run.
    pub world: World<'e>,
    /// Bounds on what a call may use up.
    pub limits: &'e Limits,
    /// What the run has used up so far; where nothing is given, each expression is a run of its own.
    pub meter: Option<&'e Meter>,
}

impl<'e> CallEnv<'e> {
    /// Files below `base_dir` and nothing else of the world.
    pub fn new(files: &'e dyn Files, base_dir: &'e Path, limits: &'e Limits) -> CallEnv<'e> {
        CallEnv { files, base_dir, world: World::default(), limits, meter: None }
    }

    /// `path` against [`CallEnv::base_dir`], where it is relative. A leading `~` stands for no one's home here
    /// and is an ordinary character.
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.base_dir.join(path)
    }
}

/// What differs from user to user and from run to run. Whatever is not given, functions that need it are
/// unknown: that is how a configuration is evaluated without running it.
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
    /// This world, and what is not given in it from `other`.
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

/// A [`World`] of one's own, to keep and to share.
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
    /// What functions see of it.
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

/// Gives random numbers.
pub trait Random: Send + Sync {
    /// Fills `bytes` with random ones that nobody can foresee.
    fn fill(&self, bytes: &mut [u8]);
}

/// Gives environment variables.
pub trait Environment: Send + Sync {
    /// The value of the variable `name`, where it is set.
    fn get(&self, name: &str) -> Option<String>;
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Seconds since 1970-01-01T00:00:00Z.
    fn unix_seconds(&self) -> i64;

    /// The same at the start of the run.
    fn started(&self) -> i64 {
        self.unix_seconds()
    }
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
    /// Nesting of expressions, and of templates that templates call.
    pub depth: usize,
    /// Elements that the `for` expressions of one expression make together, blocks that the `dynamic` blocks of one body
    /// make together, and elements of what one call of a function makes.
    pub elements: usize,
    /// Bytes of one string that a template or a function makes, and of one file that a function reads.
    pub bytes: usize,
    /// What one call of a function may have to do: one for each byte of text that it is given, and 8 for each element
    /// that it is given, those of parts included. What it makes has the same bounds. See [`Cost`](crate::Cost) for functions
    /// that do less, and [`Call::spend`](crate::Call::spend) for what a call does besides.
    pub work: usize,
    /// Bytes of memory that the values of one run take up together, about.
    pub memory: u64,
    /// Expressions evaluated in one run, be it that of a single expression or that of a whole configuration; each part of
    /// an expression counts that is not computed at once of plain values, and so do the turns of loops and the work of functions.
    pub steps: u64,
    /// How many of these one expression may take, with the templates that it renders, or those of one body together: a
    /// loop of calls that have much to do ends in a few seconds.
    pub steps_of_expression: u64,
    /// Set from outside to stop a run: what is not computed by then is an error.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// What an element counts as work.
    pub(crate) const WORK_OF_ELEMENT: usize = 8;

    /// How many elements one call of a function may make.
    pub fn elements_of_call(&self) -> usize {
        self.elements.min(self.work / Limits::WORK_OF_ELEMENT)
    }

    /// How many bytes a string may have that one call of a function puts together.
    pub fn text_of_call(&self) -> usize {
        self.bytes.min(self.work)
    }

    /// Whether there may be such a string. A long one must be plain: others are brought to a normal form, which takes
    /// many times as long.
    pub fn allow(&self, text: &str) -> bool {
        text.len() <= self.text_of_call() || (text.len() <= self.bytes && text.is_ascii())
    }

    /// Whether the run is to be stopped.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// What a run has used up of its [`Limits`] so far, counted over all of its expressions.
#[derive(Default, Debug)]
pub struct Meter {
    steps: AtomicU64,
    memory: AtomicU64,
    stopped: AtomicBool,
    /// Zero until someone asks for it.
    number: AtomicU64,
}

impl Meter {
    /// A number that no other run of the process has, to tell what belongs to this one.
    pub fn number(&self) -> u64 {
        static LAST: AtomicU64 = AtomicU64::new(0);
        // A run is one thread's.
        if self.number.load(Ordering::Relaxed) == 0 {
            self.number.store(LAST.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
        self.number.load(Ordering::Relaxed)
    }

    /// How many expressions have been evaluated.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// How many bytes the values take up that have been made and may still be there.
    pub fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// So many bytes are taken up now.
    pub fn hold(&self, bytes: u64) {
        self.memory.store(bytes, Ordering::Relaxed);
    }

    /// Counts on: so many expressions have been evaluated now.
    pub fn count_to(&self, steps: u64) {
        // A run is one thread's, so nothing is lost between the two; an atomic maximum would cost as much as a small
        // expression.
        if steps > self.steps() {
            self.steps.store(steps, Ordering::Relaxed);
        }
    }

    /// Whether the run has met a limit that ends it.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Ends the run: expressions that are evaluated from now on are errors, of which nothing more is said.
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
            memory: 1 << 30,
            steps: 1_000_000_000,
            steps_of_expression: 1 << 26,
            cancel: None,
        }
    }
}
