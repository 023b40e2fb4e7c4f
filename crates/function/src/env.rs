//! The environment of a function call: files, clock, random numbers, limits and the meter of a run.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_source::Files;

use crate::limits::{Limits, Meter};

/// The inputs of a function other than its arguments.
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
    /// The time of the plan in seconds since 1970-01-01T00:00:00Z, if it is not the start of the run by the clock.
    pub plan_time: Option<i64>,
    /// Random numbers.
    pub random: Option<&'w dyn Random>,
    /// The home directory of the user.
    pub home: Option<&'w Path>,
    /// The environment variables of the process.
    pub environment: Option<&'w dyn EnvironmentVariables>,
}

impl<'w> World<'w> {
    /// Returns these inputs, with missing ones taken from `other`.
    #[must_use]
    pub fn or(self, other: World<'w>) -> World<'w> {
        World {
            clock: self.clock.or(other.clock),
            plan_time: self.plan_time.or(other.plan_time),
            random: self.random.or(other.random),
            home: self.home.or(other.home),
            environment: self.environment.or(other.environment),
        }
    }

    /// Returns the time of the plan: the given one, or else the start of the run by the clock.
    pub fn time_of_plan(&self) -> Option<i64> {
        self.plan_time.or_else(|| self.clock.map(Clock::started))
    }
}

/// An owned [`World`].
#[derive(Clone, Default)]
pub struct Host {
    /// The current time.
    pub clock: Option<Arc<dyn Clock>>,
    /// The time of the plan in seconds since 1970-01-01T00:00:00Z, if it is not the start of the run by the clock.
    pub plan_time: Option<i64>,
    /// Random numbers.
    pub random: Option<Arc<dyn Random>>,
    /// The home directory of the user.
    pub home: Option<PathBuf>,
    /// The environment variables of the process.
    pub environment: Option<Arc<dyn EnvironmentVariables>>,
}

impl Host {
    /// The borrowed form for functions.
    pub fn world(&self) -> World<'_> {
        World {
            clock: self.clock.as_deref(),
            plan_time: self.plan_time,
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
            .field("plan_time", &self.plan_time)
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
pub trait EnvironmentVariables: Send + Sync {
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
