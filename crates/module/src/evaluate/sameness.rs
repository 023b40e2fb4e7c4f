//! Compares the configuration of an instance with its recorded object, in which the provider may write equal values differently.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;

use terrane_function::Meter;
use terrane_value::{Entries, Origins, SmolStr, Type, Value, ValueKind, convert};

use crate::evaluate::pairing::{PairingCandidates, Partner};
use crate::evaluate::recorded::is_dynamic;
use crate::state::compared_texts::ComparedTexts;

/// Limit on the length of sequences whose elements are compared in any order.
pub const MAX_UNORDERED: usize = 200;

/// Limit on the comparisons of the values of an object. Beyond it, sequences are compared in order only.
const MAX_COMPARISONS: u32 = 500_000;

/// Steps of a run for each object that is compared.
const STEPS_OF_OBJECT: u64 = 256;

/// Steps of a run for each element of a recorded object, and for each comparison.
const STEPS_OF_PART: u64 = 8;

/// The number of comparisons that are left for an object. Without a limit, comparing nested sequences in any order
/// would take the square of their lengths at each level.
#[derive(Debug)]
pub struct Comparisons {
    left: Cell<u32>,
    texts: Arc<ComparedTexts>,
}

impl Default for Comparisons {
    fn default() -> Self {
        Comparisons::of(Arc::default())
    }
}

impl Comparisons {
    /// Returns the comparisons of an object. `texts` has the facts about the texts of all objects.
    pub fn of(texts: Arc<ComparedTexts>) -> Comparisons {
        Comparisons { left: Cell::new(MAX_COMPARISONS), texts }
    }

    /// Whether sequences may still be compared in any order.
    pub fn has_more(&self) -> bool {
        self.left.get() > 0
    }

    /// Returns the number of comparisons that were made.
    fn taken(&self) -> u32 {
        MAX_COMPARISONS - self.left.get()
    }

    fn take(&self) {
        self.left.set(self.left.get().saturating_sub(1));
    }

    /// Counts the reading of a recorded object and the comparisons of its values as steps of the run.
    pub(super) fn count(&self, recorded: &Value, meter: &Meter) {
        let parts = (recorded.size() as u64).saturating_add(u64::from(self.taken()));
        let steps = STEPS_OF_OBJECT.saturating_add(parts.saturating_mul(STEPS_OF_PART));
        meter.count(steps);
    }
}

/// How the configured values of an instance are compared with its recorded object.
#[derive(Clone, Copy, Debug)]
pub struct Sameness<'s> {
    /// The address of the instance.
    pub address: &'s str,
    /// Whether a schema tells lists from sets, so that the order of a list counts.
    pub is_ordered: bool,
    /// Whether the objects come from a plan: either of the planned and the configured value may be unknown
    /// where the other is known.
    pub is_planned: bool,
    /// The comparisons that are left for the object.
    pub left: &'s Comparisons,
}

impl Sameness<'_> {
    /// Returns the attributes of an instance whose configured value is unknown or differs from the recorded one.
    pub(super) fn touched(&self, configured: &Value, recorded: &Value) -> Vec<SmolStr> {
        let all = || vec![SmolStr::from("the whole object")];
        let Some(attributes) = configured.unmarked().known_attributes() else { return all() };
        let Some(recorded) = recorded.unmarked().as_entries() else { return all() };
        let touched = |(position, (name, value)): (usize, (&SmolStr, &Value))| {
            let is_same = self.is_same(value, recorded.get_from(name, position).unwrap_or(&Value::NULL));
            (!is_same).then(|| name.clone())
        };
        attributes.iter().enumerate().filter_map(touched).collect()
    }

    /// Whether a configured value is known and equals the recorded one. A part that only the
    /// provider sets equals any value.
    pub fn is_same(&self, configured: &Value, recorded: &Value) -> bool {
        self.compare(configured, recorded, Extra::Changed)
    }

    /// Does the same as [`Sameness::is_same`]. `extra` is the meaning of attributes that only the recorded value has.
    pub fn compare(&self, configured: &Value, recorded: &Value, extra: Extra) -> bool {
        self.left.take();
        let configured = configured.unmarked();
        let recorded = without_type(configured, recorded).unmarked();
        if self.is_planned && recorded.is_wholly_unknown() {
            return true;
        }
        if let Some(elements) = configured.known_elements() {
            return self.are_same(elements, recorded, self.is_list(configured));
        }
        if let Some(attributes) = configured.known_attributes() {
            return self.have_same(attributes, recorded, extra);
        }
        match configured.kind() {
            ValueKind::Unknown(unknown) => self.is_planned || is_own(&unknown.origins, self.address),
            ValueKind::Null(_) => is_unset(recorded),
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) => {
                is_same_text(configured, recorded, &self.left.texts)
                    || (is_unset(configured) && is_unset(recorded))
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
        if attributes.is_empty() && is_unset(recorded) {
            return true;
        }
        let Some(recorded_attributes) = recorded.as_entries() else { return false };
        let is_in_both = attributes.iter().enumerate().all(|(position, (name, value))| {
            let recorded = recorded_attributes.get_from(name, position).unwrap_or(&Value::NULL);
            self.compare(value, recorded, Extra::Changed)
        });
        let is_extra = |(position, (name, value)): (usize, (&SmolStr, &Value))| {
            attributes.get_from(name, position).is_none() && !is_unset(value)
        };
        is_in_both && (extra == Extra::Computed || !recorded_attributes.iter().enumerate().any(is_extra))
    }

    fn are_same(&self, configured: &[Value], recorded: &Value, is_list: bool) -> bool {
        if configured.is_empty() && is_unset(recorded) {
            return true;
        }
        let Some(recorded) = recorded_elements(configured, recorded) else { return false };
        if configured.len() != recorded.len() {
            return false;
        }
        if self.are_same_in_order(configured, recorded) {
            return true;
        }
        if is_list || configured.len() > MAX_UNORDERED {
            return false;
        }
        let (mut left, mut taken): (Vec<&Value>, Vec<&Value>) = (recorded.iter().collect(), Vec::new());
        for one in configured {
            let is_same = |other: &&Value| self.left.has_more() && self.is_same_element(one, other);
            match left.iter().position(is_same) {
                Some(position) => taken.push(left.swap_remove(position)),
                // Another element may have taken the only equal element.
                None => return taken.iter().any(is_same) && self.unordered(configured, recorded).is_some(),
            }
        }
        true
    }

    fn are_same_in_order(&self, configured: &[Value], recorded: &[Value]) -> bool {
        configured.len() == recorded.len()
            && configured.iter().zip(recorded).all(|(one, other)| self.is_same_element(one, other))
    }

    /// Returns the recorded element of each configured one; `None` unless all are the same. If the order does not
    /// count, elements that are the same at their own positions are still paired by position.
    pub(super) fn pairing(
        &self,
        configured: &[Value],
        recorded: &Value,
        is_list: bool,
    ) -> Option<Vec<Partner>> {
        let recorded = recorded_elements(configured, recorded)?;
        if self.are_same_in_order(configured, recorded) {
            return Some((0..configured.len()).map(Partner::certain).collect());
        }
        let is_any = !is_list && configured.len() == recorded.len() && configured.len() <= MAX_UNORDERED;
        if is_any { self.unordered(configured, recorded) } else { None }
    }

    /// Returns the recorded element of each configured one, in any order.
    fn unordered(&self, configured: &[Value], recorded: &[Value]) -> Option<Vec<Partner>> {
        let of_one =
            |one: &Value| Some(self.candidates(one, recorded)).filter(|found: &Vec<usize>| !found.is_empty());
        let positions = configured.iter().map(of_one).collect::<Option<Vec<_>>>()?;
        let is_identical = |one: usize, other: usize| {
            recorded.get(one).zip(recorded.get(other)).is_some_and(|(one, other)| one.same(other))
        };
        PairingCandidates { positions, is_identical: &is_identical, has_step: &|| self.has_step() }.pairing()
    }

    /// Counts a comparison. Returns false if none is left.
    fn has_step(&self) -> bool {
        self.left.take();
        self.left.has_more()
    }

    /// Pairs as many configured elements as possible with a recorded element that is the same, each with one of its own.
    /// `None` if no element has a partner.
    pub fn equal_pairs(&self, configured: &[Value], recorded: &[Value]) -> Option<Vec<Option<usize>>> {
        if configured.len().max(recorded.len()) > MAX_UNORDERED {
            return None;
        }
        let positions = configured.iter().map(|one| self.candidates(one, recorded)).collect();
        let is_identical = |_, _| true;
        let candidates =
            PairingCandidates { positions, is_identical: &is_identical, has_step: &|| self.has_step() };
        let partners = candidates.most();
        partners.iter().any(Option::is_some).then_some(partners)
    }

    /// Pairs each configured element with the recorded element that is the same, if neither is the same as a further
    /// element. Elements without such a partner differ or are ambiguous. `None` if no element has a partner.
    pub(super) fn partners(&self, configured: &[Value], recorded: &[Value]) -> Option<Vec<Option<usize>>> {
        if configured.len().max(recorded.len()) > MAX_UNORDERED {
            return None;
        }
        let of_one = |one: &Value| self.candidates(one, recorded);
        let candidates: Vec<Vec<usize>> = configured.iter().map(of_one).collect();
        let mut claims: BTreeMap<usize, usize> = BTreeMap::new();
        for at in candidates.iter().flatten() {
            *claims.entry(*at).or_default() += 1;
        }
        let partner = |found: &Vec<usize>| match found.as_slice() {
            [only] if claims.get(only) == Some(&1) => Some(*only),
            _ => None,
        };
        let partners: Vec<Option<usize>> = candidates.iter().map(partner).collect();
        partners.iter().any(Option::is_some).then_some(partners)
    }

    /// Returns the positions of the recorded elements that are the same as a configured one.
    fn candidates(&self, one: &Value, recorded: &[Value]) -> Vec<usize> {
        let is_same = |other: &Value| self.left.has_more() && self.is_same_element(one, other);
        recorded.iter().enumerate().filter(|(_, other)| is_same(other)).map(|(at, _)| at).collect()
    }

    fn is_same_element(&self, configured: &Value, recorded: &Value) -> bool {
        self.compare(configured, recorded, self.extra_of_element(configured))
    }

    /// Returns the meaning of attributes that only the recorded one of two elements has. Without a schema, an object in a
    /// sequence may be a block, which has further attributes of the provider. With a schema, a block has all its attributes.
    pub fn extra_of_element(&self, configured: &Value) -> Extra {
        match self.is_ordered || matches!(configured.unmarked().kind(), ValueKind::Map(_)) {
            true => Extra::Changed,
            false => Extra::Computed,
        }
    }

    /// Whether the order of the elements counts.
    pub fn is_list(&self, value: &Value) -> bool {
        self.is_ordered && !matches!(value.unmarked().kind(), ValueKind::Set(_))
    }

    /// Whether the configuration leaves a value to the provider: it is wholly unknown, and no
    /// other object is the reason.
    pub fn is_left_to_provider(&self, configured: &Value) -> bool {
        let Some(unknown) = configured.unmarked().as_unknown() else { return false };
        configured.is_wholly_unknown() && unknown.origins.are_all(|origin| origin.is_part_of(self.address))
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

/// Returns the recorded elements of a configured sequence. A block that may occur only once is recorded as an object.
pub(super) fn recorded_elements<'v>(configured: &[Value], recorded: &'v Value) -> Option<&'v [Value]> {
    let is_object = |value: &Value| value.known_attributes().is_some();
    let is_single = || matches!(configured, [only] if is_object(only)) && is_object(recorded);
    recorded.known_elements().or_else(|| is_single().then(|| slice::from_ref(recorded)))
}

/// Whether a value is unknown only because the provider sets it.
pub(super) fn is_own(origins: &Origins, address: &str) -> bool {
    origins.are_all(|origin| origin.causes.is_empty() && origin.is_part_of(address))
}

/// Returns the recorded value of a part that is configured as `configured`. A state file stores a value of dynamic type
/// as an object of `type` and `value`; without a schema, only the configured value tells it from an ordinary object.
pub fn without_type<'v>(configured: &Value, recorded: &'v Value) -> &'v Value {
    let Some(entries) = recorded.unmarked().as_entries().filter(|entries| is_dynamic(entries)) else {
        return recorded;
    };
    let is_such = configured.known_attributes().is_some_and(is_pair);
    match entries.get("value") {
        Some(value) if !is_such => value,
        Some(_) | None => recorded,
    }
}

/// Whether the entries have the names with which state files store a value of dynamic type.
fn is_pair(entries: &Entries) -> bool {
    entries.keys().map(SmolStr::as_str).eq(["type", "value"])
}

/// Whether a value is one that providers store for an argument that is not set: null, false, 0 or empty.
pub fn is_unset(value: &Value) -> bool {
    let value = value.unmarked();
    match value.kind() {
        ValueKind::Null(_) => true,
        ValueKind::Bool(value) => !value,
        ValueKind::Number(_) => value.as_small().is_some_and(|number| number.value() == 0),
        ValueKind::String(text) => text.is_empty(),
        ValueKind::Unknown(_) | ValueKind::Marked(..) => {
            value.known_elements().is_some_and(<[Value]>::is_empty)
        }
        ValueKind::List(all) | ValueKind::Set(all) | ValueKind::Tuple(all) => all.is_empty(),
        ValueKind::Map(all) | ValueKind::Object(all) => all.is_empty(),
    }
}

/// Whether two primitive values have the same text, or texts of equal JSON documents, or the recorded one is the hash of the
/// configured one.
fn is_same_text(configured: &Value, recorded: &Value, texts: &ComparedTexts) -> bool {
    let text = |value: &Value| convert(value, &Type::String).ok();
    let (Some(one), Some(other)) = (text(configured), text(recorded)) else { return false };
    one.as_str() == other.as_str() || texts.is_hash(&other, &one) || texts.are_same_document(&one, &other)
}
