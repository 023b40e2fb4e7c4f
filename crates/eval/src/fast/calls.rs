//! Calls on the fast path: a pure function of plain arguments, to which no conversion and no policy has to be applied.

use std::cell::Cell;
use std::path::Path;
use std::slice;

use terrane_function::{CallEnv, Function, Limits, Meter};
use terrane_source::MemoryFiles;
use terrane_value::{SmolStr, Value};

use crate::fast::bound::Innermost;
use crate::fast::compiled::NodeId;
use crate::fast::run::Run;
use crate::functions::table::PlainFunction;
use crate::functions::work::work_of_result;

/// Limit on the arguments of a call on the fast path. The rules make calls with more arguments.
pub(crate) const MAX_ARGUMENTS: usize = 3;

/// Limit on the work of a call without a check of the limits. A loop checks the limits after some iterations; before a call
/// with more work they are checked, as the rules check them before each step.
const MAX_UNCHECKED_WORK: usize = 1024;

/// The steps of a call on the fast path besides the work of the function.
const STEPS_OF_PLAIN_CALL: usize = 48;

static NO_FILES: MemoryFiles = MemoryFiles::new();

/// Returns an environment of calls for pure functions.
pub(crate) fn pure_call_env<'r>(limits: &'r Limits, meter: &'r Meter) -> CallEnv<'r> {
    CallEnv { meter: Some(meter), ..CallEnv::new(&NO_FILES, Path::new("."), limits) }
}

impl Run<'_> {
    /// Returns the result of a call of plain arguments.
    #[inline(never)]
    pub(super) fn call(
        &self,
        function: PlainFunction,
        arguments: &[NodeId],
        at: Innermost<'_>,
    ) -> Option<Value> {
        let function = self.frame.environment.functions()?.plain_function(function)?;
        match *arguments {
            [] => self.call_with(function, [], at),
            // A single argument that exists already is not copied.
            [first] => match self.existing(self.node(first), at) {
                Some(value) => self.result(function, slice::from_ref(value)),
                None => self.call_with(function, [first], at),
            },
            [first, second] => match self.direct_call(function, [first, second], at) {
                Some(value) => Some(value),
                None => self.call_with(function, [first, second], at),
            },
            [first, second, third] => self.call_with(function, [first, second, third], at),
            _ => None,
        }
    }

    /// Returns the result of the direct code for two arguments that exist already, without copying them.
    #[inline]
    fn direct_call(&self, function: &Function, arguments: [NodeId; 2], at: Innermost<'_>) -> Option<Value> {
        function.direct?;
        let [first, second] = arguments;
        let first = self.existing(self.node(first), at)?;
        let second = self.existing(self.node(second), at)?;
        self.direct_result(function, &[first, second])
    }

    /// The compiler knows the number of arguments, so they are made where they stay.
    #[inline(never)]
    fn call_with<const COUNT: usize>(
        &self,
        function: &Function,
        arguments: [NodeId; COUNT],
        at: Innermost<'_>,
    ) -> Option<Value> {
        let mark = self.memory.mark();
        let mut is_plain = true;
        let values = arguments.map(|argument| self.computed_or_null(argument, at, &mut is_plain));
        if !is_plain {
            return None;
        }
        if !self.memory.has_grown(mark) {
            return self.result(function, &values);
        }
        let result = self.result(function, &values)?;
        // Dropped first, so that `result` counts the texts that it shares with the arguments.
        drop(values);
        self.memory.release_except(&result, mark);
        Some(result)
    }

    /// Returns the result of a function for these arguments.
    #[inline(always)]
    fn result(&self, function: &Function, values: &[Value]) -> Option<Value> {
        if let [argument] = values
            && function.direct.is_some()
            && let Some(value) = self.direct_result(function, &[argument])
        {
            return Some(value);
        }
        self.result_of_body(function, values)
    }

    /// Returns the result of the direct code of a function; `None` if it has none for these arguments.
    #[inline(always)]
    fn direct_result(&self, function: &Function, arguments: &[&Value]) -> Option<Value> {
        let work = Cell::new(0);
        let value = function.call_direct(arguments, self.limits, &work, MAX_UNCHECKED_WORK);
        if let Some(value) = &value {
            self.count_call(function, value, work.get());
        }
        value
    }

    #[inline(never)]
    fn result_of_body(&self, function: &Function, values: &[Value]) -> Option<Value> {
        let work = Cell::new(0);
        let may_work = |work| work <= MAX_UNCHECKED_WORK || self.may_work(work);
        let value = function.call_plain(values, self.call_env?, &work, may_work);
        match &value {
            Some(value) => self.count_call(function, value, work.get()),
            // The rules repeat a failed call. What it has prepared, such as a compiled pattern, then takes no work.
            None => self.memory.count_steps(work.get()),
        }
        if work.get() <= MAX_UNCHECKED_WORK || self.is_within_memory() { value } else { None }
    }

    /// Whether the limits allow this work, in steps, and the run is not cancelled.
    #[cold]
    fn may_work(&self, work: usize) -> bool {
        let steps = self.memory.usage.get().steps.saturating_add(work as u64);
        steps <= self.budget.left().steps && !self.limits.is_cancelled() && self.is_within_memory()
    }

    /// Counts the work of a call, and its result.
    #[inline(always)]
    fn count_call(&self, function: &Function, value: &Value, work: usize) {
        // Most results are short texts, which take no further work and no memory of their own.
        if value.plain_text().is_some_and(|text| text.len() <= SmolStr::INLINE_CAP) {
            self.memory.count_steps(work.saturating_add(STEPS_OF_PLAIN_CALL));
        } else {
            self.count_call_for(function, value, work);
        }
    }

    #[inline(never)]
    fn count_call_for(&self, function: &Function, value: &Value, work: usize) {
        let work = work.saturating_add(work_of_result(function.cost, value));
        self.memory.count_steps(work.saturating_add(STEPS_OF_PLAIN_CALL));
        let bytes = value.own_bytes();
        if bytes > 0 {
            self.memory.count_bytes(bytes);
        }
    }
}
