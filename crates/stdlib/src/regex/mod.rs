//! Functions on regular expressions.
//!
//! The syntax is the reference's and differs from the syntax of Rust's `regex`: `parse` builds the tree of the matching engine,
//! and `search` runs the engine within the limits of a call. Each thread caches compiled patterns.

mod classes;
mod expand;
mod parse;
mod search;
#[cfg(test)]
mod tests;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use regex_automata::meta::{Config, Regex};
use regex_automata::util::captures::Captures;
use terrane_function::{Availability, Call, Function, FunctionError, Meter, Parameter, ResultType};
use terrane_value::{SmolStr, Type, Value};

use search::{Automata, COMPILED_BYTES_OF_WORK, MAX_AUTOMATA_BYTES, Search};

pub(crate) fn functions() -> Vec<Function> {
    vec![
        Function::new(
            "regex",
            "Returns the first match of a regular expression: the matched string, or a tuple or object of \
             its capture groups. It is an error if there is no match.",
            ResultType::computed(result_type),
            |call| {
                let pattern = compile(call, call.string(0)).map_err(|error| of_pattern(0, error))?;
                let text = call.string(1);
                let mut search = Search::new(call, &pattern, text);
                let captures = search.from(0)?;
                if !captures.is_match() {
                    return Err(FunctionError::new("the pattern does not match any part of the string"));
                }
                Ok(pattern.result(text, captures))
            },
        )
        .parameter(Parameter::new("pattern", Type::String))
        .parameter(Parameter::new("string", Type::String))
        .since(Availability::modules().packer(7))
        .examples(&[
            (r#"regex("[a-z]+", "53453453.345345aaabbbccc23454")"#, r#""aaabbbccc""#),
            (
                "regex(\"(?P<year>\\\\d+)-(?P<month>\\\\d+)\", \"2019-02-01\")",
                "{\n  \"month\" = \"02\"\n  \"year\" = \"2019\"\n}",
            ),
        ])
        .pure(),
        Function::new(
            "regexall",
            "Returns a list of all matches of a regular expression, each in the form that `regex` returns.",
            ResultType::computed(|call| Ok(Type::list(result_type(call)?))),
            regexall,
        )
        .parameter(Parameter::new("pattern", Type::String))
        .parameter(Parameter::new("string", Type::String))
        .since(Availability::modules().packer(7))
        .examples(&[
            (r#"regexall("[0-9]+", "1 and 22")"#, "tolist([\n  \"1\",\n  \"22\",\n])"),
            (r#"length(regexall("x", "abc"))"#, "0"),
        ])
        .pure(),
        Function::new(
            "regex_replace",
            "Replaces all matches of a regular expression. `$1` and `${name}` in the replacement stand for \
             capture groups.",
            ResultType::Fixed(Type::String),
            |call| replace_all(call, call.string(0), call.string(1), call.string(2)),
        )
        .parameter(Parameter::new("str", Type::String))
        .parameter(Parameter::new("pattern", Type::String))
        .parameter(Parameter::new("replace", Type::String))
        .since(Availability::nowhere().packer(5))
        .examples(&[(r#"regex_replace("hello", "(l+)", "<$1>")"#, r#""he<ll>o""#)])
        .pure(),
    ]
}

fn result_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let Some(pattern) = call.argument(0).as_str() else { return Ok(Type::Dynamic) };
    let pattern = compile(call, pattern).map_err(|error| of_pattern(0, error))?;
    pattern.result_type().map_err(|error| call.invalid(0, error))
}

fn regexall(call: &Call<'_>) -> Result<Value, FunctionError> {
    let pattern = compile(call, call.string(0)).map_err(|error| of_pattern(0, error))?;
    let element = pattern.result_type().map_err(|error| call.invalid(0, error))?;
    let text = call.string(1);
    let mut results = Vec::new();
    pattern.each_match(call, text, |captures| {
        call.spend(WORK_OF_CAPTURE * pattern.groups.len())?;
        results.push(pattern.result(text, captures));
        Ok(())
    })?;
    Ok(Value::list(element, results))
}

/// Replaces all matches of `pattern` in `text` by `replacement`, in which `$1` and `${name}` stand for capture
/// groups.
pub(crate) fn replace_all(
    call: &Call<'_>,
    text: &str,
    pattern: &str,
    replacement: &str,
) -> Result<Value, FunctionError> {
    let pattern = compile(call, pattern)?;
    // A reference by name is searched among all groups.
    let references = replacement.bytes().filter(|byte| *byte == b'$').count();
    let of_reference = WORK_OF_REFERENCE + pattern.groups.len() / GROUPS_OF_WORK;
    let work = references * of_reference + replacement.len() / TEMPLATE_BYTES_OF_WORK;
    let mut result = String::new();
    let mut add = |text: &str| {
        call.check_length(result.len() + text.len())?;
        call.spend(text.len() / COPIED_BYTES_OF_WORK)?;
        result.push_str(text);
        Ok(())
    };
    let mut copied = 0;
    pattern.each_match(call, text, |captures| {
        let Some(found) = captures.get_match() else { return Ok(()) };
        call.spend(work)?;
        add(text.get(copied..found.start()).unwrap_or_default())?;
        copied = found.end();
        expand::expand(replacement, |group| pattern.group(text, captures, group), &mut add)
    })?;
    add(text.get(copied..).unwrap_or_default())?;
    Ok(result.into())
}

/// The work of a match.
const WORK_OF_MATCH: usize = 3;

/// The work of finding a group of a match.
const WORK_OF_GROUP: usize = 2;

/// The work of the value of a group.
const WORK_OF_CAPTURE: usize = 12;

/// The work of a reference in a replacement.
const WORK_OF_REFERENCE: usize = 3;

/// The number of groups among which a name is found in a unit of work.
const GROUPS_OF_WORK: usize = 16;

/// The number of bytes of a replacement in which references are found in a unit of work.
const TEMPLATE_BYTES_OF_WORK: usize = 32;

/// The number of bytes that are copied in a unit of work.
const COPIED_BYTES_OF_WORK: usize = 512;

/// Returns the error as an error about the pattern's argument.
fn of_pattern(argument: usize, error: FunctionError) -> FunctionError {
    FunctionError { argument: Some(argument), ..error }
}

/// A compiled regular expression.
struct Pattern {
    text: Box<str>,
    regex: Regex,
    /// The names of the groups, in the order of their opening parentheses.
    groups: Vec<Option<SmolStr>>,
    /// The maximum number of states that the engine is in at once.
    weight: usize,
    /// The memory of the compiled pattern in bytes.
    bytes: usize,
    /// The work of compilation.
    work: usize,
    /// The number of the last run that counted the work of compilation; zero for runs without a number.
    run: Cell<u64>,
    /// The automata of the pattern, which the run in `run` builds when it needs them; `None` inside if they would be too large.
    automata: RefCell<OnceCell<Option<Rc<Automata>>>>,
}

/// Longer patterns are refused, as a compiled pattern takes hundreds of times the memory of its text.
const MAX_PATTERN_BYTES: usize = 256 << 10;

/// Maximum memory of a compiled pattern in bytes: enough for `\pL{600}`.
const MAX_COMPILED_BYTES: usize = 32 << 20;

/// The bytes that a larger pattern counts. It is not cached, so each call compiles it up to the maximum.
const BYTES_OF_TOO_LARGE: usize = 2 * MAX_COMPILED_BYTES;

/// Maximum number of cached patterns of a thread, and their maximum memory with their automata.
const REMEMBERED: usize = 16;
const MAX_REMEMBERED_BYTES: usize = 2 * MAX_COMPILED_BYTES;

thread_local! {
    /// The thread's compiled patterns. Calls in a loop use the same pattern, and compilation costs far more than a match.
    static RECENT: RefCell<Vec<Rc<Pattern>>> = const { RefCell::new(Vec::new()) };
}

/// Returns the compiled pattern. Compilation counts as work once per run, even if the thread has cached the pattern in an
/// earlier run: the same configuration must always meet the same limits.
fn compile(call: &Call<'_>, pattern: &str) -> Result<Rc<Pattern>, FunctionError> {
    let run = call.env.meter.map_or(0, Meter::number);
    let cached =
        RECENT.with_borrow(|recent| recent.iter().find(|cached| *cached.text == *pattern).map(Rc::clone));
    let compiled = match cached {
        Some(cached) if cached.run.get() == run => return Ok(cached),
        Some(cached) => {
            call.spend(cached.work)?;
            cached.run.set(run);
            drop(cached.automata.take());
            cached
        }
        None => Rc::new(Pattern::new(call, pattern, run)?),
    };
    // The pattern becomes the most recent one.
    RECENT.with_borrow_mut(|recent| {
        recent.retain(|pattern| !Rc::ptr_eq(pattern, &compiled));
        recent.insert(0, Rc::clone(&compiled));
    });
    forget_old();
    Ok(compiled)
}

/// Drops the oldest patterns until the cache is within its limits.
fn forget_old() {
    RECENT.with_borrow_mut(|recent| {
        let mut bytes = 0;
        let mut fits = |pattern: &Rc<Pattern>| {
            bytes += pattern.bytes + pattern.bytes_of_automata();
            bytes <= MAX_REMEMBERED_BYTES
        };
        let kept = recent.iter().take(REMEMBERED).take_while(|pattern| fits(pattern)).count();
        recent.truncate(kept);
    });
}

/// The work of compiling a pattern, besides the size of its compiled form.
const WORK_OF_PATTERN: usize = 800;

/// The work of parsing a byte of a pattern. The ranges of its classes count besides.
const WORK_OF_PATTERN_BYTE: usize = 4;

impl Pattern {
    fn new(call: &Call<'_>, pattern: &str, run: u64) -> Result<Pattern, FunctionError> {
        if pattern.len() > MAX_PATTERN_BYTES {
            let message = format!("the regular expression is longer than {MAX_PATTERN_BYTES} bytes");
            return Err(FunctionError::new(message));
        }
        let mut work = WORK_OF_PATTERN + WORK_OF_PATTERN_BYTE * pattern.len();
        call.spend(work)?;
        let mut ranges = 0;
        let parsed = parse::parse(pattern, &mut ranges);
        work += ranges;
        call.spend(ranges)?;
        let parsed =
            parsed.map_err(|error| FunctionError::new(format!("invalid regular expression: {error}")))?;
        let config = Config::new().nfa_size_limit(Some(MAX_COMPILED_BYTES)).onepass_size_limit(Some(1 << 20));
        let regex = Regex::builder().configure(config).build_from_hir(&parsed.hir);
        let bytes = regex.as_ref().map_or(BYTES_OF_TOO_LARGE, Regex::memory_usage);
        work += bytes / COMPILED_BYTES_OF_WORK;
        let spent = call.spend(bytes / COMPILED_BYTES_OF_WORK);
        let regex = regex.map_err(|_| {
            FunctionError::new("invalid regular expression: the compiled pattern is too large")
        })?;
        spent?;
        let (text, groups, weight) = (pattern.into(), parsed.groups, parsed.weight);
        let (run, automata) = (Cell::new(run), RefCell::default());
        Ok(Pattern { text, regex, groups, weight, bytes, work, run, automata })
    }

    /// Returns the automata of the pattern; `None` if they would be too large. Building them counts as work once per run.
    fn automata(&self, call: &Call<'_>) -> Result<Option<Rc<Automata>>, FunctionError> {
        if let Some(built) = self.automata.borrow().get() {
            return Ok(built.clone());
        }
        let made = Automata::new(&self.text).map(Rc::new);
        let bytes = made.as_ref().map_or(MAX_AUTOMATA_BYTES, |made| made.bytes());
        let made = self.automata.borrow().get_or_init(|| made).clone();
        forget_old();
        call.spend(bytes / COMPILED_BYTES_OF_WORK)?;
        Ok(made)
    }

    fn bytes_of_automata(&self) -> usize {
        self.automata.borrow().get().iter().flat_map(|made| made.as_deref()).map(Automata::bytes).sum()
    }

    /// Returns the type of the result: a string for a pattern without groups, a tuple for groups without names, an object for
    /// groups with names.
    fn result_type(&self) -> Result<Type, &'static str> {
        let named = self.groups.iter().flatten().count();
        match named {
            _ if self.groups.is_empty() => Ok(Type::String),
            0 => Ok(Type::tuple(self.groups.iter().map(|_| Type::String))),
            _ if named == self.groups.len() => {
                Ok(Type::object(self.groups.iter().flatten().map(|name| (name.clone(), Type::String))))
            }
            _ => Err("invalid regular expression: either all groups have a name or none"),
        }
    }

    fn result(&self, text: &str, captures: &Captures) -> Value {
        if self.groups.is_empty() {
            let found = captures.get_match().and_then(|found| text.get(found.range()));
            return found.unwrap_or_default().into();
        }
        let matched = |index: usize| match captures.get_group(index + 1) {
            Some(span) => Value::from(text.get(span.range()).unwrap_or_default()),
            None => Value::null(Type::String),
        };
        if self.groups.iter().all(Option::is_none) {
            return Value::tuple((0..self.groups.len()).map(matched));
        }
        let names = self.groups.iter().enumerate();
        Value::object(names.filter_map(|(index, name)| Some((name.clone()?, matched(index)))))
    }

    /// Returns the match of a group, by number or name. If several groups have the name, the first one with a match counts.
    fn group<'t>(&self, text: &'t str, captures: &Captures, group: expand::GroupReference<'_>) -> &'t str {
        let span = match group {
            expand::GroupReference::Number(number) => captures.get_group(number),
            expand::GroupReference::Name(name) => {
                let mut named =
                    self.groups.iter().enumerate().filter(|(_, group)| group.as_deref() == Some(name));
                named.find_map(|(index, _)| captures.get_group(index + 1))
            }
        };
        span.and_then(|span| text.get(span.range())).unwrap_or_default()
    }

    /// Calls `visit` for each match from left to right, up to the limits of the call. An empty match directly after
    /// another match does not count.
    fn each_match(
        &self,
        call: &Call<'_>,
        text: &str,
        mut visit: impl FnMut(&Captures) -> Result<(), FunctionError>,
    ) -> Result<(), FunctionError> {
        let mut search = Search::new(call, self, text);
        let mut position = 0;
        let mut previous_end = None;
        // A match has one part for each group, and one for the whole match.
        let mut left = call.env.limits.elements_of_call() / (self.groups.len() + 1);
        while position <= text.len() {
            let captures = search.from(position)?;
            let Some(found) = captures.get_match() else { break };
            let repeated = found.is_empty() && previous_end == Some(found.start());
            previous_end = Some(found.end());
            position = if found.end() == position {
                let next = text.get(position..).and_then(|rest| rest.chars().next());
                position + next.map_or(1, char::len_utf8)
            } else {
                found.end()
            };
            if !repeated {
                let too_often = || FunctionError::new("the pattern matches too often");
                left = left.checked_sub(1).ok_or_else(too_often)?;
                call.spend(WORK_OF_MATCH + WORK_OF_GROUP * self.groups.len())?;
                visit(captures)?;
            }
        }
        Ok(())
    }
}
