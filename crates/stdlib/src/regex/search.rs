//! Runs searches within the limits of a call.
//!
//! The engine cannot be interrupted, and its result does not show how long it took: it may read all of the remaining
//! text for a match of one character. So a search runs on the engine only if it is short for every pattern and text.
//! Otherwise lazily built automata, which report the number of bytes that they read, find the bounds of the match,
//! and the engine finds the groups within them. The engine copies the bounds of all groups in each step, so for many
//! groups a backtracker finds them, as long as there is memory for its visited states.

use std::cell::OnceCell;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::backtrack::{self, BoundedBacktracker};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::captures::Captures;
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Anchored, Input, MatchKind, PatternID, Span};
use terrane_function::{Call, FunctionError};

use super::{Pattern, parse};

/// The minimum number of bytes of a pattern that a unit of work compiles.
pub(super) const COMPILED_BYTES_OF_WORK: usize = 2;

/// The minimum number of state transitions of the engine in a unit of work.
const STEPS_OF_WORK: usize = 16;

/// The maximum number of steps for which the engine uses its own backtracker, which copies the bounds of groups only
/// when they change. Longer searches copy the bounds of all groups in each step.
const STEPS_OF_SHORT_SEARCH: usize = 1 << 19;

/// The number of groups whose bounds are copied in the time of one step.
const GROUPS_OF_STEP: usize = 16;

/// The minimum number of steps of a backtracker in a unit of work.
const STEPS_BACK_OF_WORK: usize = 4;

/// Maximum memory for the visited states of a backtracker: one bit per step.
const TRIED_BYTES: usize = 8 << 20;

/// Maximum number of steps that one call leaves to the engine before it builds automata.
const ENGINE_STEPS: usize = 1 << 20;

/// The minimum number of bytes that an automaton reads in a unit of work.
const BYTES_OF_WORK: usize = 8;

/// Maximum memory of an automaton. A pattern that needs more is searched without it.
const AUTOMATON_BYTES: usize = 4 << 20;

/// Maximum memory of the state machine from which an automaton is built.
const MACHINE_BYTES: usize = 8 << 20;

/// Maximum memory of both state machines.
pub(super) const MAX_AUTOMATA_BYTES: usize = 2 * MACHINE_BYTES;

/// The automata that find the end of a match, and then its beginning.
pub(super) struct Automata {
    forward: DFA,
    backward: DFA,
}

impl Automata {
    /// Builds the automata; returns `None` if they would be too large.
    pub(super) fn new(pattern: &str) -> Option<Automata> {
        let parsed = parse::parse(pattern, &mut 0).ok()?;
        let machine = |reverse| {
            let config = thompson::Config::new()
                .nfa_size_limit(Some(MACHINE_BYTES))
                .which_captures(WhichCaptures::None)
                .reverse(reverse);
            NFA::compiler().configure(config).build_from_hir(&parsed.hir).ok()
        };
        let automaton = |reverse, kind| {
            let config = DFA::config()
                .match_kind(kind)
                .cache_capacity(AUTOMATON_BYTES)
                .minimum_cache_clear_count(Some(0));
            DFA::builder().configure(config).build_from_nfa(machine(reverse)?).ok()
        };
        Some(Automata {
            forward: automaton(false, MatchKind::LeftmostFirst)?,
            backward: automaton(true, MatchKind::All)?,
        })
    }

    /// Returns the memory of the automata without the states that searches build.
    pub(super) fn bytes(&self) -> usize {
        self.forward.get_nfa().memory_usage() + self.backward.get_nfa().memory_usage()
    }
}

/// A search that returns to the last choice when a match fails.
struct Backtracker {
    engine: BoundedBacktracker,
    cache: backtrack::Cache,
}

impl Backtracker {
    /// Builds the backtracker; returns `None` if it would be too large.
    fn new(pattern: &str) -> Option<Backtracker> {
        let parsed = parse::parse(pattern, &mut 0).ok()?;
        let config = thompson::Config::new().nfa_size_limit(Some(MACHINE_BYTES));
        let machine = NFA::compiler().configure(config).build_from_hir(&parsed.hir).ok()?;
        let config = backtrack::Config::new().visited_capacity(TRIED_BYTES);
        let engine = BoundedBacktracker::builder().configure(config).build_from_nfa(machine).ok()?;
        let cache = engine.create_cache();
        Some(Backtracker { engine, cache })
    }
}

/// The result of a search by automata.
enum MatchBounds {
    At(Span),
    NoMatch,
    /// The automata could not be built, or became too large during the search.
    Unknown,
}

/// The searches of one call.
pub(super) struct Search<'s> {
    call: &'s Call<'s>,
    pattern: &'s Pattern,
    text: &'s str,
    captures: Captures,
    /// The number of steps that the call may still leave to the engine.
    engine_steps: usize,
    /// The backtracker, once a search has needed it; `None` inside if it would be too large.
    backtracker: OnceCell<Option<Backtracker>>,
    /// The states that the automata have built; `None` inside after they became too large.
    built: OnceCell<Option<(Cache, Cache)>>,
}

impl<'s> Search<'s> {
    pub(super) fn new(call: &'s Call<'s>, pattern: &'s Pattern, text: &'s str) -> Search<'s> {
        let captures = pattern.regex.create_captures();
        let (backtracker, built) = (OnceCell::new(), OnceCell::new());
        Search { call, pattern, text, captures, engine_steps: ENGINE_STEPS, backtracker, built }
    }

    /// Returns the first match that begins at or after `position`.
    pub(super) fn from(&mut self, position: usize) -> Result<&Captures, FunctionError> {
        let steps = self.steps(position..self.text.len());
        if let Some(left) = self.engine_steps.checked_sub(steps) {
            self.engine_steps = left;
            return self.on_engine(&Input::new(self.text).range(position..), steps);
        }
        let span = match self.bounds(position)? {
            MatchBounds::Unknown => return self.on_engine(&Input::new(self.text).range(position..), steps),
            MatchBounds::NoMatch => {
                self.captures.clear();
                return Ok(&self.captures);
            }
            MatchBounds::At(span) => span,
        };
        if !self.pattern.groups.is_empty() {
            let within = Input::new(self.text).span(span).anchored(Anchored::Yes);
            return self.on_engine(&within, self.steps(span.range()));
        }
        self.captures.set_pattern(Some(PatternID::ZERO));
        for (slot, offset) in self.captures.slots_mut().iter_mut().zip([span.start, span.end]) {
            *slot = NonMaxUsize::new(offset);
        }
        Ok(&self.captures)
    }

    /// Returns the maximum number of steps that the engine takes for a part of the text.
    fn steps(&self, part: std::ops::Range<usize>) -> usize {
        let steps = (part.len() + 1).saturating_mul(self.pattern.weight);
        if steps <= STEPS_OF_SHORT_SEARCH {
            return steps;
        }
        steps.saturating_mul(1 + self.pattern.groups.len() / GROUPS_OF_STEP)
    }

    fn on_engine(&mut self, input: &Input<'_>, steps: usize) -> Result<&Captures, FunctionError> {
        let copies = steps > STEPS_OF_SHORT_SEARCH && self.pattern.groups.len() >= GROUPS_OF_STEP;
        if copies && self.goes_back(input)? {
            return Ok(&self.captures);
        }
        self.call.spend(steps / STEPS_OF_WORK)?;
        self.pattern.regex.search_captures(input, &mut self.captures);
        Ok(&self.captures)
    }

    /// Runs the backtracker and returns true; returns false if its visited states need too much memory.
    fn goes_back(&mut self, input: &Input<'_>) -> Result<bool, FunctionError> {
        if self.backtracker.get().is_none() {
            let made = Backtracker::new(&self.pattern.text);
            let bytes = made.as_ref().map_or(MACHINE_BYTES, |made| made.engine.get_nfa().memory_usage());
            self.backtracker = OnceCell::from(made);
            self.call.spend(bytes / COMPILED_BYTES_OF_WORK)?;
        }
        let Some(Some(Backtracker { engine, cache })) = self.backtracker.get_mut() else { return Ok(false) };
        let length = input.get_span().len();
        if length > engine.max_haystack_len() {
            return Ok(false);
        }
        let steps = engine.get_nfa().states().len().saturating_mul(length + 1);
        self.call.spend(steps / STEPS_BACK_OF_WORK)?;
        let found = engine.try_search_slots(cache, input, self.captures.slots_mut());
        self.captures.set_pattern(found.unwrap_or_default());
        Ok(true)
    }

    fn bounds(&mut self, position: usize) -> Result<MatchBounds, FunctionError> {
        let Some(automata) = self.pattern.automata(self.call)? else { return Ok(MatchBounds::Unknown) };
        self.built.get_or_init(|| Some((automata.forward.create_cache(), automata.backward.create_cache())));
        let Some(Some((forward, backward))) = self.built.get_mut() else { return Ok(MatchBounds::Unknown) };
        let before = used(forward) + used(backward);
        let input = Input::new(self.text).range(position..);
        let bounds = automata.forward.try_search_fwd(forward, &input).map(|end| {
            let end = end?;
            let input = Input::new(self.text).range(position..end.offset()).anchored(Anchored::Yes);
            Some((end.offset(), automata.backward.try_search_rev(backward, &input)))
        });
        let bounds = match bounds {
            Ok(None) => MatchBounds::NoMatch,
            Ok(Some((end, Ok(Some(start))))) => MatchBounds::At(Span { start: start.offset(), end }),
            Ok(Some((_, Ok(None) | Err(_)))) | Err(_) => MatchBounds::Unknown,
        };
        let after = used(forward) + used(backward);
        if matches!(bounds, MatchBounds::Unknown) {
            self.built = OnceCell::from(None);
        }
        // The library abandons a full automaton instead of clearing it, so neither number shrinks. If another version
        // cleared it, a search would count less work but would still be limited.
        self.call.spend(after.saturating_sub(before))?;
        Ok(bounds)
    }
}

/// Returns the work of an automaton so far. A byte that it builds takes a unit.
fn used(cache: &Cache) -> usize {
    cache.search_total_len() / BYTES_OF_WORK + cache.memory_usage()
}
