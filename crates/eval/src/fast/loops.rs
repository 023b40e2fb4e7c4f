//! Loops on the fast path: the elements stay where they are, and names are references to them.
//!
//! A loop has no value if one of its elements has none, or if it could exceed a limit. The rules then evaluate the loop
//! from its first element.

use std::mem;

use terrane_value::{Number, SmolStr, Value, ValueKind, comes_before};

use crate::fast::bound::{Bound, Innermost, NO_NAME};
use crate::fast::compiled::{Attribute, ForLoop, Node, NodeId, STEPS_OF_ELEMENT};
use crate::fast::run::Run;
use crate::state::budget::Use;

/// The number of iterations between two checks of the limits. Each iteration may make values of some kilobytes.
const ITERATIONS_BETWEEN_CHECKS: usize = 16;

/// The source of the values of a key name.
#[derive(Clone, Copy)]
enum Keys<'c> {
    /// The loop has no key name, or the keys are the elements of a set.
    Elements,
    Positions,
    Names(&'c [SmolStr]),
}

impl Keys<'_> {
    /// Replaces the keys in `made` by `count` keys from the position `start` on.
    fn make(self, start: usize, count: usize, made: &mut Vec<Value>) {
        match self {
            Keys::Elements => {}
            Keys::Positions => {
                // Small numbers have nothing to free, so they are forgotten without a check.
                made.drain(..).for_each(mem::forget);
                let positions = (start as i64..).take(count);
                made.extend(positions.map(|position| Value::number(Number::counted(position))));
            }
            Keys::Names(names) => {
                made.clear();
                let names = names.iter().skip(start).take(count);
                made.extend(names.map(|name| Value::normal_string(name.clone())));
            }
        }
    }
}

impl Run<'_> {
    /// Returns the value of a `for`.
    #[inline(never)]
    pub(super) fn for_loop(&self, node: NodeId, for_loop: &ForLoop, at: Innermost<'_>) -> Option<Value> {
        self.attempt(node, || {
            self.with(for_loop.collection, at, |collection| match for_loop.key {
                Some(key) => self.for_object(for_loop, key, collection, at),
                None => self.for_tuple(for_loop, collection, at),
            })
        })
    }

    /// Returns the value of a loop. If it has no value, it is not tried again, and the limits are as before.
    fn attempt(&self, node: NodeId, value: impl FnOnce() -> Option<Value>) -> Option<Value> {
        if self.memory.given_up.has(node.0) {
            return None;
        }
        let (before, mark) = (self.memory.usage.get(), self.memory.mark());
        let value = value().filter(|value| value.refused().is_none()).and_then(|value| self.counted(value));
        if value.is_none() {
            self.memory.release(usize::MAX, mark);
            let bytes = self.memory.usage.get().bytes;
            self.memory.usage.set(Use { bytes, ..before });
            self.memory.given_up.add(node.0);
        }
        value
    }

    fn for_tuple(&self, for_loop: &ForLoop, collection: &Value, at: Innermost<'_>) -> Option<Value> {
        let value = self.node(for_loop.value);
        if let Some(attribute) = for_loop.only_attribute(value) {
            let (elements, _) = parts(collection, false)?;
            let left = self.enter(elements.len(), for_loop.steps)?;
            let values = attributes(elements, attribute)?;
            self.leave(elements.len(), for_loop.steps, elements.len(), left)?;
            return Some(Value::tuple(values));
        }
        let mut values = Vec::with_capacity(room(for_loop, collection)?);
        if let Node::Choice { condition, yes, no } = value {
            let node = self.node(*condition);
            self.for_each(for_loop, collection, at, |at| {
                let choice = if self.truth_of_node(*condition, node, at)? { yes } else { no };
                choice.copy_to(&mut values);
                Some(())
            })?;
            return Some(Value::tuple(values));
        }
        self.for_each(for_loop, collection, at, |at| {
            self.push_value_of(for_loop.value, value, at, |value| values.push(value))
        })?;
        Some(Value::tuple(values))
    }

    fn for_object(
        &self,
        for_loop: &ForLoop,
        key: NodeId,
        collection: &Value,
        at: Innermost<'_>,
    ) -> Option<Value> {
        let most = room(for_loop, collection)?;
        let mut names: Vec<SmolStr> = Vec::with_capacity(most);
        let mut values = Vec::with_capacity(most);
        let mut is_in_order = true;
        let (key_node, value) = (self.node(key), self.node(for_loop.value));
        self.for_each(for_loop, collection, at, |at| {
            let name = match self.at_hand(key_node, at) {
                Some(key) => key.plain_text()?.clone(),
                None => self.with(key, at, |key| key.plain_text().cloned())?,
            };
            is_in_order = is_in_order && names.last().is_none_or(|last| comes_before(last, &name));
            names.push(name);
            self.push_value_of(for_loop.value, value, at, |value| values.push(value))
        })?;
        if is_in_order {
            Some(Value::object_in_order(names, values))
        } else {
            Value::object_of_distinct(names, values)
        }
    }

    /// Calls `visit` for each element that meets the condition, with the names bound.
    #[inline]
    fn for_each(
        &self,
        for_loop: &ForLoop,
        collection: &Value,
        outer: Innermost<'_>,
        mut visit: impl FnMut(Innermost<'_>) -> Option<()>,
    ) -> Option<()> {
        let (elements, keys) = parts(collection, for_loop.has_key_name)?;
        // The rules check the condition of a loop without elements, too.
        if for_loop.condition.is_some() && elements.is_empty() {
            return None;
        }
        let left = self.enter(elements.len(), for_loop.steps)?;
        let (mut made, mut excluded) = (Vec::new(), 0);
        for (index, turns) in elements.chunks(ITERATIONS_BETWEEN_CHECKS).enumerate() {
            // In a loop that binds one name, both values are the same.
            let first_names = match keys {
                Keys::Elements => turns,
                Keys::Positions | Keys::Names(_) => {
                    keys.make(index * ITERATIONS_BETWEEN_CHECKS, turns.len(), &mut made);
                    &made
                }
            };
            for (first, element) in first_names.iter().zip(turns) {
                let names = [first, element];
                let at = Some(&Bound { first_name: for_loop.first_name, names, item: None, outer });
                if let Some(condition) = for_loop.condition
                    && !self.truth(condition, at)?
                {
                    excluded += 1;
                } else {
                    visit(at)?;
                }
            }
            self.check(turns.len(), left)?;
        }
        self.leave(elements.len(), for_loop.steps, elements.len() - excluded, left)
    }

    /// Returns the value of a splat over a list, set or tuple.
    #[inline(never)]
    pub(super) fn splat(
        &self,
        node: NodeId,
        source: NodeId,
        each: NodeId,
        at: Innermost<'_>,
    ) -> Option<Value> {
        self.attempt(node, || self.with(source, at, |source| self.splat_of(source, each, at)))
    }

    fn splat_of(&self, source: &Value, each: NodeId, outer: Innermost<'_>) -> Option<Value> {
        let (elements, is_tuple) = match source.kind() {
            ValueKind::Tuple(elements) => (elements, true),
            ValueKind::List(elements) | ValueKind::Set(elements) => (elements, false),
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..) => return None,
        };
        let left = self.enter(elements.len(), STEPS_OF_ELEMENT)?;
        let node = self.node(each);
        let values = if let Node::ItemAttribute(attribute) = node {
            attributes(elements, attribute)?
        } else {
            let mut values = Vec::with_capacity(elements.len());
            for turns in elements.chunks(ITERATIONS_BETWEEN_CHECKS) {
                for element in turns {
                    let names = [element, element];
                    let at = &Bound { first_name: NO_NAME, names, item: Some(element), outer };
                    self.push_value_of(each, node, Some(at), |value| values.push(value))?;
                }
                self.check(turns.len(), left)?;
            }
            values
        };
        self.leave(elements.len(), STEPS_OF_ELEMENT, 0, left)?;
        // The rules determine the type of other lists.
        if is_tuple { Some(Value::tuple(values)) } else { Value::plain_list(values) }
    }

    /// Returns the rest of the limits, for a loop with `elements` iterations of `steps` steps each. `None` if the
    /// loop could exceed a limit.
    fn enter(&self, elements: usize, steps: u64) -> Option<Use> {
        let (used, left) = (self.memory.usage.get(), self.budget.left());
        // Each element that is included takes one more step.
        let steps = used.steps.saturating_add((elements as u64).saturating_mul(steps + 1));
        let elements = used.elements.saturating_add(elements);
        let is_within = steps <= left.steps && elements <= left.elements;
        (is_within && !self.limits.is_cancelled() && !self.budget.exceeds_together(used)).then_some(left)
    }

    /// Checks the limits after `elements` iterations, if those are enough for a check.
    #[inline]
    fn check(&self, elements: usize, left: Use) -> Option<()> {
        if elements == ITERATIONS_BETWEEN_CHECKS && self.is_stopped(left) { None } else { Some(()) }
    }

    #[inline(never)]
    fn is_stopped(&self, left: Use) -> bool {
        let used = self.memory.usage.get();
        let is_over = used.bytes > left.bytes || used.steps > left.steps;
        is_over || self.limits.is_cancelled() || self.budget.exceeds_together(used)
    }

    /// Counts the steps of a loop: `steps` for each element, and one for each included element. `None` if these exceed
    /// a limit together with the steps of inner loops, or if the values exceed the limit on memory, which is not
    /// checked during a loop with few elements.
    fn leave(&self, elements: usize, steps: u64, included: usize, left: Use) -> Option<()> {
        let used = self.memory.usage.get();
        let steps = (elements as u64).saturating_mul(steps).saturating_add(included as u64);
        let steps = used.steps.saturating_add(steps);
        let elements = used.elements.saturating_add(included);
        self.memory.usage.set(Use { steps, elements, ..used });
        let is_within = steps <= left.steps && elements <= left.elements && used.bytes <= left.bytes;
        is_within.then_some(())
    }
}

/// Returns the number of elements of the result if no condition leaves elements out.
fn room(for_loop: &ForLoop, collection: &Value) -> Option<usize> {
    let (elements, _) = parts(collection, false)?;
    Some(if for_loop.condition.is_some() { 0 } else { elements.len() })
}

/// Returns the elements of a collection, and the source of its keys.
fn parts(collection: &Value, has_key_name: bool) -> Option<(&[Value], Keys<'_>)> {
    let (elements, keys) = match collection.kind() {
        ValueKind::List(elements) | ValueKind::Tuple(elements) => (elements, Keys::Positions),
        ValueKind::Set(elements) => (elements, Keys::Elements),
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            (entries.values().as_slice(), Keys::Names(entries.keys().as_slice()))
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => return None,
    };
    Some((elements, if has_key_name { keys } else { Keys::Elements }))
}

/// Returns an attribute of each element. The values exist already.
fn attributes(elements: &[Value], attribute: &Attribute) -> Option<Vec<Value>> {
    let mut values = Vec::with_capacity(elements.len());
    for element in elements {
        attribute.of(element)?.copy_to(&mut values);
    }
    Some(values)
}
