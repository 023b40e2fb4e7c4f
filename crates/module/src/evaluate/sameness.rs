//! Compares the configuration of an instance with its recorded object, in which the provider may write equal values differently.

use std::cell::Cell;
use std::collections::BTreeSet;

use terrane_value::{
    Entries, Known, Marks, OriginKind, Origins, SmolStr, Type, Value, ValueKind, convert, json,
};

use crate::evaluate::recorded::is_dynamic;

/// Limit on the elements of sequences that are compared in any order.
pub const MOST_UNORDERED: usize = 200;

/// Limit on the comparisons of the values of an object, after which sequences are compared in order alone.
const MOST_COMPARISONS: u32 = 500_000;

/// Steps of a run for each object that is compared.
const STEPS_OF_OBJECT: u64 = 256;

/// Steps of a run for each element of a recorded object, and for each comparison.
const STEPS_OF_PART: u64 = 8;

/// The number of comparisons that an object has left. In any order, nested sequences would take the square of their lengths at
/// each level.
#[derive(Debug)]
pub struct Comparisons(Cell<u32>);

impl Default for Comparisons {
    fn default() -> Self {
        Comparisons(Cell::new(MOST_COMPARISONS))
    }
}

impl Comparisons {
    /// Whether sequences may still be compared in any order.
    pub fn has_more(&self) -> bool {
        self.0.get() > 0
    }

    /// The number of comparisons that were made.
    fn taken(&self) -> u32 {
        MOST_COMPARISONS - self.0.get()
    }

    fn take(&self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

/// The work of comparing objects with those of a state, as steps of the run.
#[derive(Default, Debug)]
pub(super) struct ComparisonSteps(Cell<u64>);

impl ComparisonSteps {
    /// Counts the reading of a recorded object, and the comparisons of its values.
    pub(super) fn count(&self, recorded: &Value, made: &Comparisons) {
        let parts = (recorded.size() as u64).saturating_add(u64::from(made.taken()));
        let steps = STEPS_OF_OBJECT.saturating_add(parts.saturating_mul(STEPS_OF_PART));
        self.0.set(self.0.get().saturating_add(steps));
    }

    /// The steps so far.
    pub(super) fn get(&self) -> u64 {
        self.0.get()
    }
}

/// How the configured values of an instance are compared with its recorded object.
#[derive(Clone, Copy, Debug)]
pub struct Sameness<'s> {
    /// The address of the instance.
    pub address: &'s str,
    /// Whether a sequence is known to be a list, by a schema.
    pub is_ordered: bool,
    /// Whether the objects are those of a plan, which may be unknown where the configuration is known, and the other way round.
    pub is_planned: bool,
    /// The comparisons that are left for the object.
    pub left: &'s Comparisons,
}

impl Sameness<'_> {
    /// The attributes of an instance whose configured part is not known and equal to the recorded one. Of a block only the
    /// arguments that it sets count.
    pub(super) fn touched(
        &self,
        configured: &Value,
        recorded: &Value,
        blocks: &BTreeSet<SmolStr>,
    ) -> Vec<SmolStr> {
        let all = || vec![SmolStr::from("the whole object")];
        let Some(attributes) = configured.unmarked().known_attributes() else { return all() };
        let Some(recorded) = recorded.unmarked().as_entries() else { return all() };
        let is_touched = |(name, value): &(&SmolStr, &Value)| {
            let other = recorded.get(name).unwrap_or(&Value::NULL);
            !match (blocks.contains(*name), elements(value), elements(other.unmarked())) {
                (true, Some(elements), Some(_)) => {
                    self.are_same(elements, other, Extra::Computed, self.is_list(value))
                }
                (_, _, _) => self.is_same(value, other),
            }
        };
        attributes.iter().filter(is_touched).map(|(name, _)| name.clone()).collect()
    }

    /// Whether a configured value is known and equal to a recorded one. A part that only the provider sets is equal to any.
    pub fn is_same(&self, configured: &Value, recorded: &Value) -> bool {
        self.compare(configured, recorded, Extra::Changed)
    }

    /// As [`Sameness::is_same`], where `extra` is the meaning of attributes that only the recorded value has.
    pub fn compare(&self, configured: &Value, recorded: &Value, extra: Extra) -> bool {
        self.left.take();
        let configured = configured.unmarked();
        let recorded = unwrapped(configured, recorded).unmarked();
        if self.is_planned && recorded.is_wholly_unknown() {
            return true;
        }
        if let Some(elements) = elements(configured) {
            return self.are_same(elements, recorded, Extra::Computed, self.is_list(configured));
        }
        if let Some(attributes) = configured.known_attributes().or_else(|| configured.as_entries()) {
            return self.have_same(attributes, recorded, extra);
        }
        match configured.kind() {
            ValueKind::Unknown(unknown) => self.is_planned || is_own(&unknown.origins, self.address),
            ValueKind::Null(_) => is_empty(recorded),
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) => {
                is_same_text(configured, recorded) || (is_empty(configured) && is_empty(recorded))
            }
            ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Marked(..) => false,
        }
    }

    fn have_same(&self, attributes: &Entries, recorded: &Value, extra: Extra) -> bool {
        if attributes.is_empty() && is_empty(recorded) {
            return true;
        }
        let Some(others) = recorded.as_entries() else { return false };
        let is_in_both = attributes.iter().all(|(name, value)| {
            self.compare(value, others.get(name).unwrap_or(&Value::NULL), Extra::Changed)
        });
        let is_extra = |(name, value): (&SmolStr, &Value)| attributes.get(name).is_none() && !is_empty(value);
        is_in_both && (extra == Extra::Computed || !others.iter().any(is_extra))
    }

    fn are_same(&self, configured: &[Value], recorded: &Value, extra: Extra, is_list: bool) -> bool {
        if configured.is_empty() && is_empty(recorded) {
            return true;
        }
        let Some(recorded) = elements(recorded.unmarked()) else { return false };
        if configured.len() != recorded.len() {
            return false;
        }
        if configured.iter().zip(recorded).all(|(one, other)| self.compare(one, other, extra)) {
            return true;
        }
        if is_list || configured.len() > MOST_UNORDERED {
            return false;
        }
        let mut left: Vec<&Value> = recorded.iter().collect();
        configured.iter().all(|one| {
            let is_same = |other: &&Value| self.left.has_more() && self.compare(one, other, extra);
            let found = left.iter().position(is_same);
            found.map(|position| left.swap_remove(position)).is_some()
        })
    }

    /// The planned value of an instance about which nothing changes: parts that only the provider sets are the recorded ones. With
    /// the objects of a plan, all unknown parts are, as far as the plan knows them.
    pub(super) fn filled(&self, planned: &Value, recorded: &Value) -> Value {
        let (inner, other) = (planned.unmarked(), recorded.unmarked());
        // A part of a secret is one. A configured part does not become one because it was one when it was recorded.
        let taken = |part: &Value| part.clone().with_marks(recorded.marks());
        let attribute = |name: &SmolStr, value: &Value| match other.as_entries().and_then(|all| all.get(name))
        {
            Some(recorded) => self.filled(value, &taken(recorded)),
            None => value.clone(),
        };
        let element = || inner.ty().element().cloned().unwrap_or(Type::Dynamic);
        let elements = |all: &[Value]| self.filled_elements(all, other, recorded.marks());
        let with = match (inner.kind(), inner.as_unknown().map(|unknown| &unknown.known)) {
            (ValueKind::Unknown(unknown), Some(Known::Nothing)) if other.is_wholly_unknown() => {
                let reason = Origins::one(OriginKind::NotComputed, "the plan leaves it to the apply");
                taken(&Value::unknown_from(unknown.ty.clone(), unknown.origins.because(&reason)))
            }
            (ValueKind::Unknown(unknown), Some(Known::Nothing))
                if self.is_planned || is_own(&unknown.origins, self.address) =>
            {
                recorded.clone()
            }
            (ValueKind::Unknown(unknown), Some(Known::Object(attributes))) => {
                let added = other.as_entries().into_iter().flat_map(Entries::iter);
                let added = added.filter(|(name, _)| attributes.get(name).is_none());
                let own = attributes.iter().map(|(name, value)| (name.clone(), attribute(name, value)));
                let all = own.chain(added.map(|(name, value)| (name.clone(), taken(value))));
                Value::open_object(all.collect(), unknown.origins.clone())
            }
            (ValueKind::Unknown(unknown), Some(Known::Sequence(all))) => match elements(all) {
                Some(all) => Value::open_sequence(all, unknown.origins.clone()),
                None => inner.clone(),
            },
            (ValueKind::Object(attributes), _) => {
                Value::object(attributes.iter().map(|(name, value)| (name.clone(), attribute(name, value))))
            }
            (ValueKind::List(all), _) => match elements(all) {
                Some(all) => Value::list(element(), all),
                None => inner.clone(),
            },
            (ValueKind::Set(all), _) => match self.filled_set(all, other, recorded.marks()) {
                Some(all) => Value::set(element(), all),
                None => inner.clone(),
            },
            (ValueKind::Map(all), _) => {
                let entries = all.iter().map(|(key, value)| (key.clone(), attribute(key, value)));
                Value::map(element(), entries)
            }
            (_, _) => inner.clone(),
        };
        let with = with.with_marks(planned.marks());
        // A plan is one of this configuration.
        if self.is_planned { with.with_marks(recorded.marks()) } else { with }
    }

    /// The elements of a sequence. Their computed attributes have the recorded values of the elements at the same positions.
    fn filled_elements(&self, planned: &[Value], recorded: &Value, marks: &Marks) -> Option<Vec<Value>> {
        let recorded = elements(recorded).filter(|all| all.len() == planned.len())?;
        let filled = |(one, other): (&Value, &Value)| self.filled(one, &other.clone().with_marks(marks));
        Some(planned.iter().zip(recorded).map(filled).collect())
    }

    /// The elements of a set. Their computed attributes have the recorded values of the same elements; none if an element was not
    /// recorded.
    fn filled_set(&self, planned: &[Value], recorded: &Value, marks: &Marks) -> Option<Vec<Value>> {
        let mut left: Vec<&Value> =
            elements(recorded).filter(|all| all.len() == planned.len())?.iter().collect();
        let mut filled = |one: &Value| {
            let is_same = |other: &&Value| self.left.has_more() && self.compare(one, other, Extra::Computed);
            let position = left.iter().position(is_same)?;
            Some(self.filled(one, &left.swap_remove(position).clone().with_marks(marks)))
        };
        planned.iter().map(&mut filled).collect()
    }

    /// Whether the order of the elements counts.
    pub fn is_list(&self, value: &Value) -> bool {
        self.is_ordered && !matches!(value.unmarked().kind(), ValueKind::Set(_))
    }

    /// Whether the configuration leaves a value to the provider: nothing is known about it, and no other object is the reason.
    pub fn is_left_to_provider(&self, configured: &Value) -> bool {
        let Some(unknown) = configured.unmarked().as_unknown() else { return false };
        let mut subjects = unknown.origins.as_slice().iter().map(|origin| &*origin.subject).peekable();
        configured.is_wholly_unknown()
            && subjects.peek().is_some()
            && subjects.all(|subject| is_below(subject, self.address))
    }
}

/// The meaning of an attribute that only the recorded object has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// It was removed from the configuration.
    Changed,
    /// The provider has set it.
    Computed,
}

/// The elements of a sequence of any kind.
pub(super) fn elements(value: &Value) -> Option<&[Value]> {
    let value = value.unmarked();
    match value.as_unknown().map(|unknown| &unknown.known) {
        Some(Known::Sequence(elements)) => Some(elements),
        Some(Known::Nothing | Known::Object(_)) => None,
        None => value.as_sequence(),
    }
}

/// Whether a value is unknown only because the provider sets it.
fn is_own(origins: &Origins, address: &str) -> bool {
    let origins = origins.as_slice();
    !origins.is_empty()
        && origins.iter().all(|origin| origin.causes.is_empty() && is_below(&origin.subject, address))
}

/// Whether a text is the address of a part of an object.
fn is_below(subject: &str, address: &str) -> bool {
    subject.strip_prefix(address).is_some_and(|rest| rest.starts_with(['.', '[']))
}

/// The recorded value of a part that is configured with `configured`. A state file has a value of dynamic type as an object of `type`
/// and `value`, which only the schema tells from another one.
pub fn unwrapped<'v>(configured: &Value, recorded: &'v Value) -> &'v Value {
    let Some(entries) = recorded.unmarked().as_entries().filter(|entries| is_dynamic(entries)) else {
        return recorded;
    };
    let configured = configured.unmarked();
    let is_such = configured.known_attributes().or_else(|| configured.as_entries()).is_some_and(is_pair);
    match entries.get("value") {
        Some(value) if !is_such => value,
        Some(_) | None => recorded,
    }
}

/// Whether the names of the entries are those with which state files write a value of dynamic type.
fn is_pair(entries: &Entries) -> bool {
    entries.keys().map(SmolStr::as_str).eq(["type", "value"])
}

/// Whether providers write the value for an argument that is not set.
pub fn is_empty(value: &Value) -> bool {
    let value = value.unmarked();
    match value.kind() {
        ValueKind::Null(_) => true,
        ValueKind::Bool(value) => !value,
        ValueKind::Number(_) => value.as_small().is_some_and(|number| number.value() == 0),
        ValueKind::String(text) => text.is_empty(),
        ValueKind::Unknown(_) | ValueKind::Marked(..) => elements(value).is_some_and(<[Value]>::is_empty),
        ValueKind::List(all) | ValueKind::Set(all) | ValueKind::Tuple(all) => all.is_empty(),
        ValueKind::Map(all) | ValueKind::Object(all) => all.is_empty(),
    }
}

/// Whether two primitive values have the same text, or texts of equal JSON documents.
fn is_same_text(one: &Value, other: &Value) -> bool {
    let text =
        |value: &Value| convert(value, &Type::String).ok().and_then(|text| text.as_str().map(str::to_owned));
    let (Some(one), Some(other)) = (text(one), text(other)) else { return false };
    let document = |text: &str| {
        let value = text.starts_with(['{', '[']).then(|| json::decode(text).ok())??;
        json::encode(&value).ok()
    };
    one == other || document(&one).is_some_and(|one| document(&other).is_some_and(|other| one == other))
}
