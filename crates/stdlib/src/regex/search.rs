//! Searching within the limits of a call.
//!
//! The engine cannot be stopped, and how long a search takes is not to be seen from what it finds: it may look at all of
//! the rest of the text for a match of one character. So a search runs on the engine only where it cannot take long,
//! whatever the pattern and the text are. Otherwise the place of the match comes from lazily built automata, which tell
//! how many bytes they looked at, and the engine finds the groups within that place. Where there are many groups, of which the engine
//! copies all places in each step, they are found by going back to where there was a choice, as long as there is room to remember what
//! has been tried.

use std::cell::OnceCell;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::backtrack::{self, BoundedBacktracker};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::captures::Captures;
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Anchored, Input, MatchKind, PatternID, Span};
use terrane_function::{Call, FunctionError};

use super::{COMPILED_BYTES_OF_WORK, Pattern, parse};

/// In each unit of work, the engine goes from a state to the next one at least that often.
const STEPS_OF_WORK: usize = 16;

/// In a search of so many steps, the engine goes back where it has to, and looks at the places of groups only when they
/// change. In longer ones it copies the places of all groups in each step.
const STEPS_OF_SHORT_SEARCH: usize = 1 << 19;

/// To copy the places of so many groups takes as long as a step.
const GROUPS_OF_STEP: usize = 16;

/// In each unit of work, a search that goes back takes that many steps at least.
const STEPS_BACK_OF_WORK: usize = 4;

/// To remember what it has tried may take up that much: a bit for each step.
const TRIED_BYTES: usize = 8 << 20;

/// How many steps one call may leave to the engine before automata are built.
const ENGINE_STEPS: usize = 1 << 20;

/// In each unit of work, an automaton looks at that many bytes at least.
const BYTES_OF_WORK: usize = 8;

/// What an automaton may take up. Where that is too little for the pattern, it is not used any more.
const AUTOMATON_BYTES: usize = 4 << 20;

/// What they are built from may take up that much.
const MACHINE_BYTES: usize = 8 << 20;

/// What both may be built from.
pub(super) const MAX_AUTOMATA_BYTES: usize = 2 * MACHINE_BYTES;

/// In each unit of work, that many bytes of an automaton are built at least.
const BUILT_BYTES_OF_WORK: usize = 4;

/// The automata that find the end of a match, and its beginning from there.
pub(super) struct Automata {
    forward: DFA,
    backward: DFA,
}

impl Automata {
    /// None where they would be too large.
    pub(super) fn new(pattern: &str) -> Option<Automata> {
        let parsed = parse::parse(pattern).ok()?;
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

    /// How many bytes they take up, what they build in a search aside.
    pub(super) fn bytes(&self) -> usize {
        self.forward.get_nfa().memory_usage() + self.backward.get_nfa().memory_usage()
    }
}

/// A search that goes back to where there was a choice.
struct Backtracker {
    engine: BoundedBacktracker,
    cache: backtrack::Cache,
}

impl Backtracker {
    /// None where what it is made of would be too large.
    fn new(pattern: &str) -> Option<Backtracker> {
        let parsed = parse::parse(pattern).ok()?;
        let config = thompson::Config::new().nfa_size_limit(Some(MACHINE_BYTES));
        let machine = NFA::compiler().configure(config).build_from_hir(&parsed.hir).ok()?;
        let config = backtrack::Config::new().visited_capacity(TRIED_BYTES);
        let engine = BoundedBacktracker::builder().configure(config).build_from_nfa(machine).ok()?;
        let cache = engine.create_cache();
        Some(Backtracker { engine, cache })
    }
}

/// Where an automaton found a match.
enum Place {
    At(Span),
    Nowhere,
    /// The automata could not be built, or have become too large on the way.
    NotKnown,
}

/// The searches of one call.
pub(super) struct Search<'s> {
    call: &'s Call<'s>,
    pattern: &'s Pattern,
    text: &'s str,
    captures: Captures,
    /// How many are left to the engine.
    engine_steps: usize,
    /// None where it would be too large.
    backtracker: OnceCell<Option<Backtracker>>,
    /// What the automata have built, none once they have become too large.
    built: OnceCell<Option<(Cache, Cache)>>,
}

impl<'s> Search<'s> {
    pub(super) fn new(call: &'s Call<'s>, pattern: &'s Pattern, text: &'s str) -> Search<'s> {
        let captures = pattern.regex.create_captures();
        let (backtracker, built) = (OnceCell::new(), OnceCell::new());
        Search { call, pattern, text, captures, engine_steps: ENGINE_STEPS, backtracker, built }
    }

    /// The first match that begins at `position` or behind it.
    pub(super) fn from(&mut self, position: usize) -> Result<&Captures, FunctionError> {
        let steps = self.steps(position..self.text.len());
        if let Some(left) = self.engine_steps.checked_sub(steps) {
            self.engine_steps = left;
            return self.on_engine(&Input::new(self.text).range(position..), steps);
        }
        let span = match self.place(position)? {
            Place::NotKnown => return self.on_engine(&Input::new(self.text).range(position..), steps),
            Place::Nowhere => {
                self.captures.clear();
                return Ok(&self.captures);
            }
            Place::At(span) => span,
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

    /// How many steps the engine takes for a part of the text at the most.
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

    /// Whether there is room for a search that goes back; then its match is there.
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

    fn place(&mut self, position: usize) -> Result<Place, FunctionError> {
        let Some(automata) = self.pattern.automata(self.call)? else { return Ok(Place::NotKnown) };
        self.built.get_or_init(|| Some((automata.forward.create_cache(), automata.backward.create_cache())));
        let Some(Some((forward, backward))) = self.built.get_mut() else { return Ok(Place::NotKnown) };
        let before = used(forward) + used(backward);
        let input = Input::new(self.text).range(position..);
        let place = automata.forward.try_search_fwd(forward, &input).map(|end| {
            let end = end?;
            let input = Input::new(self.text).range(position..end.offset()).anchored(Anchored::Yes);
            Some((end.offset(), automata.backward.try_search_rev(backward, &input)))
        });
        let place = match place {
            Ok(None) => Place::Nowhere,
            Ok(Some((end, Ok(Some(start))))) => Place::At(Span { start: start.offset(), end }),
            Ok(Some((_, Ok(None) | Err(_)))) | Err(_) => Place::NotKnown,
        };
        let after = used(forward) + used(backward);
        if matches!(place, Place::NotKnown) {
            self.built = OnceCell::from(None);
        }
        // A full automaton is given up and not emptied, so that neither part of this shrinks. Were it otherwise in another
        // version of the library, a search would count less, and not without end.
        self.call.spend(after.saturating_sub(before))?;
        Ok(place)
    }
}

/// The work that an automaton took so far.
fn used(cache: &Cache) -> usize {
    cache.search_total_len() / BYTES_OF_WORK + cache.memory_usage() / BUILT_BYTES_OF_WORK
}
