//! Limits of a run, and the meter of its use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use terrane_source::{Diagnostic, ids};
use terrane_value::Number;

/// The hint in a diagnostic about a limit that `--max-steps` raises.
pub const RAISE_STEPS: &str = "`--max-steps` raises the limit, and `Limits::with_steps` in a program.";
/// The hint of a diagnostic about a limit that `--max-memory` raises.
pub const RAISE_MEMORY: &str = "`--max-memory` raises the limit, and `Limits::with_memory` in a program.";
/// The hint of a diagnostic about the limit that `--timeout` raises.
pub const RAISE_TIME: &str = "`--timeout` raises the limit.";

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
    /// Maximum number of bytes of all configuration text that a run parses: modules or template, and variable files. Parsed
    /// text may take a hundred times as many bytes of memory.
    pub source: u64,
    /// Maximum work of one function call: one unit for each byte of text and 8 units for each element of the
    /// arguments, nested ones included. The same bounds hold for the result. [`Cost`](crate::Cost) reduces the work
    /// of light functions, and [`Call::spend`](crate::Call::spend) adds work.
    pub work: usize,
    /// Approximate maximum number of bytes of all values of a run.
    pub memory: u64,
    /// Maximum number of steps of a run, of a single expression or of a whole configuration. A step is an expression
    /// that is not computed directly from plain values, an iteration of a loop, or a unit of work of a function.
    pub steps: u64,
    /// Stops the run when it is set; values that are not computed by then are errors.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Stops the run like [`Limits::cancel`], with a diagnostic that says that the time is over. The engine has no clock:
    /// the program that measures the time sets it.
    pub timeout: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// The work of one element.
    pub(crate) const WORK_OF_ELEMENT: usize = 8;
    /// The bytes of memory that allow one byte of the longest string.
    const MEMORY_OF_TEXT: u64 = 4;
    /// The bytes of memory that allow one byte of a state or plan.
    const MEMORY_OF_STATE: u64 = 4;
    /// The bytes of memory that allow one object of a state or plan.
    const MEMORY_OF_RECORDED_OBJECT: u64 = 5120;
    /// The bytes of memory that allow one byte of configuration text.
    const MEMORY_OF_SOURCE: u64 = 64;
    /// The steps of a run that allow one unit of work in a call.
    const STEPS_OF_WORK: u64 = 5;
    /// The steps of a run that allow one element in its loops.
    const STEPS_OF_ELEMENT: u64 = 8;

    /// The maximum number of elements in the result of one function call.
    pub fn elements_of_call(&self) -> usize {
        self.elements.min(self.work / Limits::WORK_OF_ELEMENT)
    }

    /// The maximum number of bytes of a string that one function call assembles.
    pub fn text_of_call(&self) -> usize {
        self.bytes.min(self.work)
    }

    /// The most bytes of the file of a state or plan.
    pub fn state(&self) -> u64 {
        self.memory / Limits::MEMORY_OF_STATE
    }

    /// The most objects of a state or plan.
    pub fn recorded_objects(&self) -> u64 {
        self.memory / Limits::MEMORY_OF_RECORDED_OBJECT
    }

    /// Whether a function may make this string. A long string must be ASCII, because Unicode normalization takes many
    /// times as long.
    pub fn allow(&self, text: &str) -> bool {
        text.len() <= self.text_of_call() || (text.len() <= self.bytes && text.is_ascii())
    }

    /// Whether the run was cancelled, or its time is over.
    pub fn is_cancelled(&self) -> bool {
        is_set(self.cancel.as_ref()) || self.is_out_of_time()
    }

    /// Whether the time of the run is over.
    pub fn is_out_of_time(&self) -> bool {
        is_set(self.timeout.as_ref())
    }

    /// Returns the limits for runs with this memory: [`Limits::memory`], and in proportion [`Limits::bytes`] and
    /// [`Limits::source`].
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Limits {
        let of_text = usize::try_from(bytes / Limits::MEMORY_OF_TEXT).unwrap_or(usize::MAX);
        Limits { memory: bytes, bytes: of_text, source: bytes / Limits::MEMORY_OF_SOURCE, ..self }
    }

    /// Returns the limits of a run beside `bytes` that the program keeps: the memory that is left, and in proportion
    /// [`Limits::bytes`] and [`Limits::source`]. They may leave nothing: both evaluations are large. A request, which is small, has a
    /// share in any case ([`Meter::beside`]).
    #[must_use]
    pub fn beside(self, bytes: u64) -> Limits {
        let left = self.memory.saturating_sub(bytes);
        let shares = self.clone().with_memory(left);
        Limits {
            memory: left,
            bytes: self.bytes.min(shares.bytes),
            source: self.source.min(shares.source),
            ..self
        }
    }

    /// Returns the limits for runs with this number of steps: [`Limits::steps`], and in proportion [`Limits::work`] and
    /// [`Limits::elements`].
    #[must_use]
    pub fn with_steps(self, steps: u64) -> Limits {
        let part = |steps_of_one: u64| usize::try_from(steps / steps_of_one).unwrap_or(usize::MAX);
        let (work, elements) = (part(Limits::STEPS_OF_WORK), part(Limits::STEPS_OF_ELEMENT));
        Limits { steps, work, elements, ..self }
    }
}

/// A limit of a run that its use exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::steps`].
    Steps,
}

impl Excess {
    /// Returns the limit that the use of a run exceeds.
    pub fn of(limits: &Limits, meter: &Meter) -> Option<Excess> {
        Excess::of_use(limits, meter.steps(), meter.memory())
    }

    /// Returns the limit that so many steps and bytes of memory exceed.
    pub fn of_use(limits: &Limits, steps: u64, memory: u64) -> Option<Excess> {
        if steps > limits.steps {
            Some(Excess::Steps)
        } else if memory > limits.memory {
            Some(Excess::Memory)
        } else {
            None
        }
    }

    /// Returns the limit in words.
    pub fn limit(self, limits: &Limits) -> String {
        match self {
            Excess::Memory => format!("{} bytes of memory", limits.memory),
            Excess::Steps => format!("{} steps", limits.steps),
        }
    }

    /// Returns the advice that names the option which raises the limit.
    pub fn hint(self) -> &'static str {
        match self {
            Excess::Memory => RAISE_MEMORY,
            Excess::Steps => RAISE_STEPS,
        }
    }

    /// Returns a sentence about an evaluation that exceeds the limit, and advice.
    pub fn detail(self, limits: &Limits) -> String {
        let limit = self.limit(limits);
        match self {
            Excess::Memory => format!(
                "The values of the evaluation take more than {limit}. Build smaller collections, or remove unused values."
            ),
            Excess::Steps => format!(
                "The evaluation takes more than {limit}, the work of functions included. Compute repeated values once, in a \
                 local value, and remove unused ones."
            ),
        }
    }

    /// Returns the error about an evaluation that exceeds the limit, without its place.
    pub fn diagnostic(self, limits: &Limits) -> Diagnostic {
        Diagnostic::error(ids::LIMIT_EXCEEDED, self.detail(limits)).hint(self.hint())
    }
}

/// Counts the resources that a run has used, over all its expressions. [`Limits`] bounds them.
#[derive(Default, Debug)]
pub struct Meter {
    steps: AtomicU64,
    memory: AtomicU64,
    stopped: AtomicBool,
    /// A number for the run. Zero until the first request.
    number: AtomicU64,
    /// For a part of a run: the use of all parts together.
    part: Option<RunPart>,
}

/// A part of a run, evaluated beside other parts.
#[derive(Debug)]
struct RunPart {
    together: Arc<Together>,
    /// The use of this part that is already included in `together`.
    steps: AtomicU64,
    memory: AtomicU64,
}

/// The steps and bytes of all parts of a run, which threads evaluate side by side, with limits on the sums.
#[derive(Debug)]
pub struct Together {
    steps: AtomicU64,
    memory: AtomicU64,
    most_steps: u64,
    most_memory: u64,
}

impl Together {
    /// Returns limits that stop the parts when they have used this number of steps or bytes together, including the use of the
    /// run before them.
    pub fn new(most_steps: u64, most_memory: u64) -> Together {
        Together { steps: AtomicU64::new(0), memory: AtomicU64::new(0), most_steps, most_memory }
    }

    /// Restarts from the use of the run. No part may exist at that time.
    pub fn begin(&self, run: &Meter) {
        self.steps.store(run.steps(), Ordering::Relaxed);
        self.memory.store(run.memory(), Ordering::Relaxed);
    }
}

impl Meter {
    /// The share of the limit on memory that a run has beside other memory in use: at least one of this number.
    const LEAST_SHARE: u64 = 8;

    /// Returns the meter of a run whose values share the limit on memory with `in_use` bytes that the program keeps.
    pub fn beside(in_use: u64, limits: &Limits) -> Meter {
        let most = limits.memory.saturating_sub(limits.memory / Meter::LEAST_SHARE);
        let meter = Meter::default();
        meter.hold(in_use.min(most));
        meter
    }

    /// A number that is unique to this run in the process, for caches that belong to a run.
    pub fn number(&self) -> u64 {
        static LAST: AtomicU64 = AtomicU64::new(0);
        // A run has one thread.
        if self.number.load(Ordering::Relaxed) == 0 {
            self.number.store(LAST.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
        self.number.load(Ordering::Relaxed)
    }

    /// Returns a meter for a part of the run that another thread evaluates. It continues from the use so far, with `reserve`
    /// more bytes in use, and has caches of its own. Its use counts in `together`.
    pub fn fork(&self, reserve: u64, together: &Arc<Together>) -> Meter {
        let (steps, memory) = (self.steps(), self.memory().saturating_add(reserve));
        Meter {
            steps: AtomicU64::new(steps),
            memory: AtomicU64::new(memory),
            stopped: AtomicBool::new(self.is_stopped()),
            number: AtomicU64::new(0),
            part: Some(RunPart {
                together: Arc::clone(together),
                steps: AtomicU64::new(steps),
                memory: AtomicU64::new(memory),
            }),
        }
    }

    /// Sets the use of this part to `steps` and `memory` bytes. Returns whether all parts of the run together exceed a limit;
    /// false for a run without parts.
    pub fn exceeds_together(&self, steps: u64, memory: u64) -> bool {
        let Some(RunPart { together, steps: old_steps, memory: old_memory }) = &self.part else {
            return false;
        };
        // A part has one thread. Its bytes in use may decrease, so the sum wraps like the difference.
        let add = |sum: &AtomicU64, old: &AtomicU64, new: u64| {
            let more = new.wrapping_sub(old.load(Ordering::Relaxed));
            old.store(new, Ordering::Relaxed);
            sum.fetch_add(more, Ordering::Relaxed).wrapping_add(more)
        };
        let steps = add(&together.steps, old_steps, steps);
        let memory = add(&together.memory, old_memory, memory);
        steps > together.most_steps || memory > together.most_memory
    }

    /// Returns the number of evaluated expressions.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes of values that may still be alive.
    pub fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// Sets the number of bytes in use.
    pub fn hold(&self, bytes: u64) {
        self.memory.store(bytes, Ordering::Relaxed);
    }

    /// Counts additional bytes.
    pub fn take(&self, bytes: u64) {
        self.hold(self.memory().saturating_add(bytes));
    }

    /// Releases the bytes of values that no longer exist. The values were created after `before` bytes were in use.
    pub fn release(&self, bytes: u64, before: u64) {
        let memory = self.memory();
        self.hold(memory.saturating_sub(bytes).max(before.min(memory)));
    }

    /// Counts more steps.
    pub fn count(&self, steps: u64) {
        self.count_to(self.steps().saturating_add(steps));
    }

    /// Counts the texts that this thread has read as numbers.
    pub fn count_reading(&self) {
        self.count(Number::take_work_of_reading());
    }

    /// Raises the number of steps to `steps`.
    pub fn count_to(&self, steps: u64) {
        // A run has one thread, so no step is lost between load and store. An atomic maximum would take as long as a small
        // expression.
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
            elements: 10 << 20,
            bytes: 64 << 20,
            source: 4 << 20,
            work: 16 << 20,
            memory: 256 << 20,
            steps: 80 << 20,
            cancel: None,
            timeout: None,
        }
    }
}

fn is_set(flag: Option<&Arc<AtomicBool>>) -> bool {
    flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
}
