//! The limits of an evaluation, and how much of them is used.

use std::sync::Arc;
use terrane_function::{Excess, Limits, Meter, RAISE_MEMORY, RAISE_STEPS, RAISE_TIME};

use terrane_source::{Diagnostic, DiagnosticId, SourceFile, Span, ids};
use terrane_value::{Number, Value};

/// The steps between two checks of the limits.
const STEPS_BETWEEN_CHECKS: u64 = 1024;
/// The steps of an expression that the rules evaluate.
pub(crate) const STEPS_OF_RULE: u64 = 32;
/// The steps of an element of a loop that the rules run.
const STEPS_OF_ELEMENT: u64 = 16;
/// The bytes of expression text that the fast path computes in one step.
const TEXT_OF_STEP: u32 = 8;

/// How much of the limits is used. It passes from one evaluator to the next of the same body or run.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Usage {
    pub(crate) steps: u64,
    /// The bytes of the values that were made and may still exist.
    pub(crate) memory: u64,
    /// Elements made by `for` and blocks made by `dynamic` so far.
    pub(crate) elements: usize,
    /// Whether a limit is exceeded. From then on every evaluation is an error.
    pub(crate) stopped: bool,
}

/// The use of the limits that an evaluation adds, or that is left.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Use {
    pub(crate) steps: u64,
    pub(crate) bytes: u64,
    pub(crate) elements: usize,
}

/// The memory in use at a certain time.
#[derive(Clone, Copy)]
pub(crate) struct MemoryMark {
    memory: u64,
    in_loops: u64,
}

impl MemoryMark {
    /// Returns the bytes that were taken between an earlier mark and this one.
    pub(crate) fn since(self, earlier: MemoryMark) -> usize {
        usize::try_from(self.memory.saturating_sub(earlier.memory)).unwrap_or(usize::MAX)
    }
}

/// A limit that is exceeded.
pub(crate) struct Exceeded {
    pub(crate) id: DiagnosticId,
    pub(crate) detail: String,
    /// The option that raises the limit.
    pub(crate) hint: Option<&'static str>,
    /// Whether it ends the whole run, and not only the expression.
    pub(crate) ends_run: bool,
}

/// The limits of one expression, and how much of them is used.
pub(crate) struct Budget<'e> {
    pub(crate) limits: &'e Limits,
    /// The usage of the run that contains the expression.
    meter: Option<&'e Meter>,
    usage: Usage,
    /// The number of steps of the run at which the limits are checked next. It starts low: in a run that has
    /// made more steps, each further expression checks at its first step, so that a run of many short
    /// expressions can be stopped, too.
    next_check: u64,
    /// The nesting of expressions, including those around the current template or body.
    pub(crate) depth: usize,
    /// The memory in use before the expression.
    memory_before: u64,
    /// The bytes of all values that loops have kept for their next iterations.
    in_loops: u64,
}

/// Returns the steps of an expression of this length on the fast path, which takes no longer than reading its text.
#[inline]
pub fn steps_of_text(span: Span) -> u64 {
    u64::from(span.len() / TEXT_OF_STEP)
}

impl Usage {
    /// Returns the usage of a run so far.
    pub(crate) fn of_run(meter: Option<&Meter>) -> Usage {
        meter.map_or_else(Usage::default, |meter| Usage {
            steps: meter.steps(),
            memory: meter.memory(),
            elements: 0,
            stopped: meter.is_stopped(),
        })
    }
}

impl Usage {
    /// Returns the limit that the blocks and values of a body exceed.
    pub(crate) fn exceeded(&self, limits: &Limits) -> Option<Exceeded> {
        if self.elements > limits.elements {
            Some(Exceeded::blocks(limits))
        } else if self.memory > limits.memory {
            Some(Exceeded::memory(limits))
        } else {
            self.steps_exceeded(limits)
        }
    }

    /// Adds the usage to the meter of the run.
    pub(crate) fn settle(&self, meter: &Meter) {
        meter.count_to(self.steps);
        meter.hold(self.memory);
    }

    fn steps_exceeded(&self, limits: &Limits) -> Option<Exceeded> {
        if self.steps > limits.steps {
            Some(Exceeded::steps(limits))
        } else if limits.is_out_of_time() {
            Some(Exceeded::time())
        } else if limits.is_cancelled() {
            Some(Exceeded::cancelled())
        } else {
            None
        }
    }
}

impl<'e> Budget<'e> {
    pub(crate) fn new(limits: &'e Limits, meter: Option<&'e Meter>) -> Budget<'e> {
        let usage = Usage::of_run(meter);
        Budget {
            limits,
            meter,
            usage,
            next_check: STEPS_BETWEEN_CHECKS.min(limits.steps.saturating_add(1)),
            depth: 0,
            memory_before: usage.memory,
            in_loops: 0,
        }
    }

    /// Counts a step. Returns false if the limits have to be checked.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        self.usage.steps += STEPS_OF_RULE;
        self.depth < self.limits.depth && self.usage.steps < self.next_check
    }

    /// Counts an element that a `for` makes, because nested ones could otherwise fill the memory. Returns false if the
    /// limits have to be checked.
    #[inline]
    pub(crate) fn element(&mut self) -> bool {
        self.usage.elements += 1;
        // A body that is only a name takes no step of its own.
        self.usage.steps += STEPS_OF_ELEMENT;
        self.usage.steps < self.next_check && self.usage.elements <= self.limits.elements
    }

    /// Counts the work of a function.
    #[inline]
    pub(crate) fn work(&mut self, work: u64) {
        self.usage.steps = self.usage.steps.saturating_add(work);
    }

    /// Counts the texts that this thread has read as numbers. Called where a rule may read one, and between the steps of the run.
    #[inline]
    pub(crate) fn work_of_reading(&mut self) {
        self.work(Number::take_work_of_reading());
    }

    /// Counts the work of writing the long numbers in a value as text. Looks at all its elements.
    pub(crate) fn work_of_numbers(&mut self, value: &Value) {
        self.work(value.work_to_write_numbers() as u64);
    }

    /// Counts the work of writing a value as text if it is a long number. No collection becomes text.
    #[inline]
    pub(crate) fn work_of_number(&mut self, value: &Value) {
        if let Some(number) = value.as_number() {
            self.work(number.work_of_text() as u64);
        }
    }

    /// Counts the bytes of a new value. Returns false if there are more than the limit.
    #[inline]
    pub(crate) fn take_memory(&mut self, bytes: usize) -> bool {
        self.usage.memory = self.usage.memory.saturating_add(bytes as u64);
        self.usage.memory <= self.limits.memory
    }

    /// Whether `bytes` more bytes would exceed the limit.
    pub(crate) fn exceeds_memory(&self, bytes: usize) -> bool {
        self.usage.memory.saturating_add(bytes as u64) > self.limits.memory
    }

    /// Counts the use of the fast path. Returns false if the memory exceeds the limit.
    #[inline]
    pub(crate) fn take(&mut self, usage: Use) -> bool {
        self.usage.steps = self.usage.steps.saturating_add(usage.steps);
        self.usage.elements = self.usage.elements.saturating_add(usage.elements);
        self.usage.memory = self.usage.memory.saturating_add(usage.bytes);
        usage.bytes == 0 || self.usage.memory <= self.limits.memory
    }

    /// Returns the use that is left until a limit is exceeded.
    pub(crate) fn left(&self) -> Use {
        Use {
            steps: self.limits.steps.saturating_sub(self.usage.steps),
            bytes: self.limits.memory.saturating_sub(self.usage.memory),
            elements: self.limits.elements.saturating_sub(self.usage.elements),
        }
    }

    /// Whether the steps of the run are within the limit.
    pub(crate) fn is_within_steps(&self) -> bool {
        self.usage.steps <= self.limits.steps
    }

    /// Counts the bytes of the parts of a value.
    pub(crate) fn take_memory_of_parts(&mut self, value: &Value) {
        let bytes = value.own_bytes().saturating_sub(value.outer_bytes());
        self.usage.memory = self.usage.memory.saturating_add(bytes as u64);
    }

    /// Counts a value that a loop keeps for its next iterations.
    pub(crate) fn keep_in_loop(&mut self, value: &Value) {
        self.in_loops = self.in_loops.saturating_add(value.bytes() as u64);
    }

    /// Counts a value that is kept for the other instances of a block.
    pub(crate) fn keep_in_block(&mut self, value: &Value) {
        let bytes = value.own_bytes() as u64;
        self.in_loops = self.in_loops.saturating_add(bytes);
        self.memory_before = self.memory_before.saturating_add(bytes).min(self.usage.memory);
    }

    /// Returns the steps of the run so far.
    pub(crate) fn steps(&self) -> u64 {
        self.usage.steps
    }

    /// Returns the memory in use now.
    pub(crate) fn memory_mark(&self) -> MemoryMark {
        MemoryMark { memory: self.usage.memory, in_loops: self.in_loops }
    }

    /// Releases the memory taken since `mark`, except the memory of `value` and of values kept in loops.
    #[inline]
    pub(crate) fn release_since(&mut self, mark: MemoryMark, value: &Value) {
        // Most small expressions take no memory.
        if self.usage.memory != mark.memory {
            self.release_parts_since(mark, value);
        }
    }

    #[inline(never)]
    fn release_parts_since(&mut self, mark: MemoryMark, value: &Value) {
        let taken = self.usage.memory.saturating_sub(mark.memory);
        let kept = self.in_loops.saturating_sub(mark.in_loops).saturating_add(value.bytes() as u64);
        self.usage.memory = mark.memory.saturating_add(taken.min(kept));
    }

    /// Releases the memory of values that no longer exist and were made since `mark`. Values
    /// kept in loops stay counted.
    pub(crate) fn release(&mut self, bytes: usize, mark: MemoryMark) {
        let kept = mark.memory.saturating_add(self.in_loops.saturating_sub(mark.in_loops));
        let left = self.usage.memory.saturating_sub(bytes as u64);
        self.usage.memory = left.max(kept.min(self.usage.memory));
    }

    /// Counts the parts of `value`, which was made of the values `old`; the rule counts its outermost part. Drops `old`
    /// and releases the bytes taken since `mark`, except the bytes of parts of `value` and of values kept in loops.
    pub(crate) fn replace(&mut self, old: impl IntoIterator<Item = Value>, value: &Value, mark: MemoryMark) {
        let has_grown = self.usage.memory > mark.memory;
        self.take_memory_of_parts(value);
        // From here on, `value` shares no part with them.
        old.into_iter().for_each(drop);
        if !has_grown {
            return;
        }
        let parts = value.own_bytes().saturating_sub(value.outer_bytes()) as u64;
        let kept = self.in_loops.saturating_sub(mark.in_loops).saturating_add(parts);
        self.usage.memory = self.usage.memory.min(mark.memory.saturating_add(kept));
    }

    /// Releases the memory taken by the expression, except the memory of its value.
    pub(crate) fn release_except(&mut self, value: &Value) {
        self.release_since(MemoryMark { memory: self.memory_before, in_loops: self.in_loops }, value);
    }

    /// Returns the limit that the steps or the nesting exceed. Sets the next check.
    pub(crate) fn exceeded(&mut self) -> Option<Exceeded> {
        self.work_of_reading();
        let limits = self.limits;
        let next = self.usage.steps.saturating_add(STEPS_BETWEEN_CHECKS);
        self.next_check = next.min(limits.steps.saturating_add(1));
        if self.depth >= limits.depth {
            Some(Exceeded::depth(limits))
        } else if self.exceeds_together(Use::default()) {
            // The run is repeated without parts, so this diagnostic is never read.
            Some(Exceeded::steps(limits))
        } else {
            self.usage.steps_exceeded(limits)
        }
    }

    /// Returns the limit of the run that the finished expression exceeds, unless a check has found that before.
    pub(crate) fn exceeded_at_end(&self) -> Option<Exceeded> {
        let (Usage { steps, memory, stopped, .. }, limits) = (self.usage, self.limits);
        let excess = if stopped { None } else { Excess::of_use(limits, steps, memory) };
        excess.map(|excess| match excess {
            Excess::Steps => Exceeded::steps(limits),
            Excess::Memory => Exceeded::memory(limits),
        })
    }

    /// Whether all parts of the run, one for each thread, together exceed a limit. `more` is the use of this part that
    /// the budget does not contain yet.
    pub(crate) fn exceeds_together(&self, more: Use) -> bool {
        self.meter.is_some_and(|meter| {
            let Usage { steps, memory, .. } = self.usage;
            meter.exceeds_together(steps.saturating_add(more.steps), memory.saturating_add(more.bytes))
        })
    }

    /// Whether the steps have to be checked.
    pub(crate) fn needs_check(&self) -> bool {
        self.usage.steps >= self.next_check
    }

    /// Returns the limit that the number of elements exceeds.
    pub(crate) fn exceeded_elements(&self) -> Option<Exceeded> {
        (self.usage.elements > self.limits.elements).then(|| Exceeded::elements(self.limits))
    }

    /// Whether a limit is exceeded, so that every evaluation is an error.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.usage.stopped
    }

    /// Stops the evaluation, and the whole run if `ends_run`. Returns false if it was stopped before.
    pub(crate) fn stop(&mut self, ends_run: bool) -> bool {
        if let (true, Some(meter)) = (ends_run, self.meter) {
            meter.stop();
        }
        !std::mem::replace(&mut self.usage.stopped, true)
    }

    /// Returns the usage so far, for another evaluator to continue from.
    pub(crate) fn usage(&self) -> Usage {
        self.settle();
        self.usage
    }

    /// Begins where another evaluator has ended.
    pub(crate) fn start_from(&mut self, usage: Usage) {
        self.continue_from(usage);
        self.memory_before = self.usage.memory;
    }

    /// Adds the usage of another evaluator that started from the present usage of this one.
    pub(crate) fn continue_from(&mut self, usage: Usage) {
        let steps = self.usage.steps.max(usage.steps);
        self.usage = Usage { steps, stopped: self.usage.stopped || usage.stopped, ..usage };
    }

    /// Returns a meter that continues from the use so far, for work that counts by a meter.
    pub(crate) fn fork(&self) -> Meter {
        let meter = Meter::default();
        self.usage.settle(&meter);
        meter
    }

    /// Adds the usage to the meter of the run.
    pub(crate) fn settle(&self) {
        if let Some(meter) = self.meter {
            self.usage.settle(meter);
        }
    }
}

impl Exceeded {
    fn of_run(detail: String, hint: &'static str) -> Exceeded {
        Exceeded { id: ids::LIMIT_EXCEEDED, detail, hint: Some(hint), ends_run: true }
    }

    fn of_expression(detail: String, hint: &'static str) -> Exceeded {
        Exceeded { id: ids::LIMIT_EXCEEDED, detail, hint: Some(hint), ends_run: false }
    }

    fn depth(limits: &Limits) -> Exceeded {
        let detail = format!(
            "The expression is nested more than {} levels deep. Name a part of it and refer to that.",
            limits.depth
        );
        Exceeded { id: ids::TOO_DEEP, detail, hint: None, ends_run: false }
    }

    pub(crate) fn steps(limits: &Limits) -> Exceeded {
        Exceeded::of_run(Excess::Steps.detail(limits), RAISE_STEPS)
    }

    fn time() -> Exceeded {
        Exceeded::of_run("The evaluation takes longer than the time limit.".to_owned(), RAISE_TIME)
    }

    fn cancelled() -> Exceeded {
        let detail = "The evaluation was stopped from outside.".to_owned();
        Exceeded { id: ids::INTERRUPTED, detail, hint: None, ends_run: true }
    }

    fn elements(limits: &Limits) -> Exceeded {
        let detail = format!(
            "The `for` expressions make more than {} elements. Filter the collections before combining them.",
            limits.elements
        );
        Exceeded::of_expression(detail, RAISE_STEPS)
    }

    fn blocks(limits: &Limits) -> Exceeded {
        let detail = format!(
            "The `dynamic` blocks generate more than {} blocks. Reduce the elements of `for_each`.",
            limits.elements
        );
        Exceeded::of_expression(detail, RAISE_STEPS)
    }

    /// Returns the diagnostic at the place that exceeds the limit.
    pub(crate) fn diagnostic(self, source: &Arc<SourceFile>, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.id, self.detail).at(source, span);
        self.hint.into_iter().fold(diagnostic, Diagnostic::hint)
    }

    /// The values take more memory than the limit.
    pub(crate) fn memory(limits: &Limits) -> Exceeded {
        Exceeded::of_run(Excess::Memory.detail(limits), RAISE_MEMORY)
    }

    /// The text of a template is longer than the limit.
    pub(crate) fn text(limits: &Limits) -> Exceeded {
        let (most, other) = (limits.bytes, limits.text_of_call());
        let detail = format!("A string can have at most {most} bytes, or {other} bytes if it is not ASCII.");
        Exceeded::of_expression(detail, RAISE_MEMORY)
    }
}
