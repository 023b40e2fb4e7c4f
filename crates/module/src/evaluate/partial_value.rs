//! A value whose unknown parts are replaced one by one.

use std::cell::Cell;
use std::collections::BTreeMap;

use terrane_source::sorted_map;
use terrane_value::{ClosestNames, Entries, Known, Origins, SmolStr, Type, Value, ValueKind, convert};

use crate::evaluate::pairing::PairingCandidates;
use crate::evaluate::sameness::MAX_UNORDERED;
use crate::model::given_step::GivenStep;

/// A step to a part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum UnfoldedStep {
    /// An attribute of an object. After a sequence, the attribute of each of its objects.
    Name(SmolStr),
    /// An element of a list, which the address of a given part names.
    Element(usize),
    /// The element that is paired with an element of a given sequence.
    Paired(usize),
}

impl From<&GivenStep> for UnfoldedStep {
    fn from(step: &GivenStep) -> UnfoldedStep {
        match step {
            GivenStep::Name(name) => UnfoldedStep::Name(name.clone()),
            GivenStep::Element(at) => UnfoldedStep::Element(*at),
        }
    }
}

/// The address of a part, and the work of finding it.
#[derive(Clone, Debug)]
pub(super) struct PartAddress<'p> {
    /// The address of the object that contains the part.
    object: &'p str,
    /// The address of the part.
    address: String,
    /// Whether the part belongs to an element of a configured sequence: a given value may repeat
    /// its configured attributes.
    is_described: bool,
    /// The number of parts that were examined.
    work: &'p Cell<usize>,
}

impl<'p> PartAddress<'p> {
    /// Returns the address of a whole object. The work of replacing its parts is added to `work`.
    pub(super) fn of(object: &'p str, work: &'p Cell<usize>) -> PartAddress<'p> {
        PartAddress { object, address: object.to_owned(), is_described: false, work }
    }

    fn count(&self, parts: usize) {
        self.work.set(self.work.get().saturating_add(parts));
    }

    fn at_name(&self, name: &str) -> PartAddress<'p> {
        PartAddress { address: format!("{}.{name}", self.address), ..*self }
    }

    fn at_element(&self, at: usize, is_described: bool) -> PartAddress<'p> {
        PartAddress { address: format!("{}[{at}]", self.address), is_described, ..*self }
    }

    /// Whether a value is unknown only because the provider sets it.
    fn is_provided(&self, origins: &Origins) -> bool {
        origins.are_all(|origin| origin.is_of(self.object))
    }

    fn configured(&self) -> ValueMistake {
        ValueMistake::Problem(PartProblem::Configured, self.address.clone())
    }

    fn no_element(&self, at: usize, number: Option<usize>) -> ValueMistake {
        ValueMistake::Problem(PartProblem::NoElement { at, number }, self.address.clone())
    }

    fn not_provided(&self) -> ValueMistake {
        ValueMistake::Problem(PartProblem::NotProvided, self.address.clone())
    }
}

pub(super) enum ValueMistake {
    /// The value is given for an object with known attributes, or for a sequence of such objects: each
    /// attribute must be given alone.
    IsObject,
    /// The value is given for a sequence of objects with known attributes. Its elements are for the
    /// objects at these positions.
    IsSequence(Vec<usize>),
    /// A problem with the part at an address.
    Problem(PartProblem, String),
}

/// The reason why a value cannot be given.
pub(super) enum PartProblem {
    /// The configuration sets the part.
    Configured,
    /// According to the schema, only the configuration sets the part.
    NotProvided,
    /// The schema lacks this attribute of the object.
    Unsupported(Unsupported),
    /// The value has the wrong type.
    WrongType(String),
    /// A value of this type has no parts that can be given alone.
    NoParts(Type),
    /// The list has no element at this position, or its length is unknown.
    NoElement {
        /// The position.
        at: usize,
        /// The number of elements; `None` if it is unknown.
        number: Option<usize>,
    },
    /// The given sequence has another length than the configured sequence, which has this number of objects.
    OtherNumber(usize),
    /// A list is given for a set, but does not tell its elements apart.
    Indistinct,
}

/// An attribute that the schema lacks.
pub(super) struct Unsupported {
    pub(super) name: SmolStr,
    /// An attribute with a similar name.
    pub(super) near: Option<String>,
    /// The number of names that were compared.
    pub(super) compared: usize,
}

/// A value whose unknown parts are replaced one by one, without a new object for each replacement. A replaced part
/// stays, so parts with priority must come first.
pub(super) struct PartialValue {
    /// The value before any part was replaced, or the value that replaces it as a whole.
    value: Value,
    state: ReplacedParts,
}

enum ReplacedParts {
    Unchanged,
    /// The whole value was replaced.
    Replaced,
    /// Parts of the value may have been replaced.
    Unfolded(UnfoldedValue),
}

/// The parts of a value.
struct UnfoldedValue {
    kind: Parted,
    is_changed: bool,
}

enum Parted {
    Attributes(Attributes),
    /// The elements of a sequence of objects.
    Elements(Vec<PartialValue>),
}

/// The attributes of an object.
struct Attributes {
    all: BTreeMap<SmolStr, PartialValue>,
    /// The origins of the further attributes, if the object is open.
    open: Option<Origins>,
}

impl PartialValue {
    pub(super) fn new(value: Value) -> PartialValue {
        PartialValue { value, state: ReplacedParts::Unchanged }
    }

    /// Replaces the part at the end of a path. A name after a sequence stands for the attribute of each
    /// object that does not set it.
    pub(super) fn set(
        &mut self,
        place: &PartAddress<'_>,
        path: &[UnfoldedStep],
        given: &Value,
    ) -> Result<(), ValueMistake> {
        place.count(1);
        let Some((step, rest)) = path.split_first() else { return self.replace(place, given) };
        if let ReplacedParts::Unchanged = self.state {
            if let UnfoldedStep::Element(at) = step {
                self.element(*at, place)?;
            }
            let kind = match self.objects() {
                Some(all) => Parted::Elements(all.iter().cloned().map(PartialValue::new).collect()),
                None => Parted::Attributes(Attributes::of(&self.value, place)?),
            };
            self.state = ReplacedParts::Unfolded(UnfoldedValue { kind, is_changed: false });
        }
        let ReplacedParts::Unfolded(parts) = &mut self.state else { return Ok(()) };
        match (&mut parts.kind, step) {
            (Parted::Attributes(attributes), UnfoldedStep::Name(name)) => {
                attributes.part(place, name)?.set(&place.at_name(name), rest, given)?;
            }
            (Parted::Elements(all), UnfoldedStep::Element(at) | UnfoldedStep::Paired(at)) => {
                let is_described = place.is_described || matches!(step, UnfoldedStep::Paired(_));
                let number = all.len();
                let element = all.get_mut(*at).ok_or_else(|| place.no_element(*at, Some(number)))?;
                element.set(&place.at_element(*at, is_described), rest, given)?;
            }
            (Parted::Elements(all), UnfoldedStep::Name(_)) => {
                let mut set = |(at, element): (usize, &mut PartialValue)| {
                    element.set(&place.at_element(at, place.is_described), path, given)
                };
                joined(all.iter_mut().enumerate().map(&mut set).collect())?;
            }
            (Parted::Attributes(_), UnfoldedStep::Element(_) | UnfoldedStep::Paired(_)) => {
                return Err(place.configured());
            }
        }
        parts.is_changed = true;
        Ok(())
    }

    /// Checks that an address can name the element at `at`.
    fn element(&self, at: usize, place: &PartAddress<'_>) -> Result<(), ValueMistake> {
        let inner = self.value.unmarked();
        let is_set = matches!(inner.ty(), Type::Set(_));
        match (self.objects(), inner.as_unknown()) {
            (Some(_), _) if !is_set => Ok(()),
            (None, _) if inner.known_elements().is_some() && !is_set => Err(place.configured()),
            (None, Some(_)) if !is_set && inner.known_attributes().is_none() => {
                Err(place.no_element(at, None))
            }
            (None, None) if inner.is_null() => Err(place.not_provided()),
            (_, _) => Err(ValueMistake::Problem(PartProblem::NoParts(inner.ty()), place.address.clone())),
        }
    }

    /// Returns the elements if the value is a sequence of objects.
    fn objects(&self) -> Option<&[Value]> {
        let is_object = |value: &Value| value.known_attributes().is_some();
        self.value.known_elements().filter(|all| !all.is_empty() && all.iter().all(is_object))
    }

    /// Replaces an unknown value by the given value, converted to its type.
    fn replace(&mut self, place: &PartAddress<'_>, given: &Value) -> Result<(), ValueMistake> {
        let is_changed = match &self.state {
            ReplacedParts::Unchanged => false,
            ReplacedParts::Replaced => return Ok(()),
            ReplacedParts::Unfolded(parts) => parts.is_changed,
        };
        let inner = self.value.unmarked();
        if let Some(objects) = self.objects() {
            return Err(match (given.as_entries(), given.as_sequence()) {
                (Some(_), _) => ValueMistake::IsObject,
                (None, Some(all)) => self.sequence(objects, all, place),
                (None, None) => place.configured(),
            });
        }
        let has_attributes = inner.known_attributes().is_some_and(|attributes| !attributes.is_empty());
        if is_changed || has_attributes || is_map_of_objects(inner) {
            let is_object = given.as_entries().is_some();
            return Err(if is_object { ValueMistake::IsObject } else { place.configured() });
        }
        if inner.is_null() {
            return Err(place.not_provided());
        }
        let Some(unknown) = inner.as_unknown().filter(|unknown| place.is_provided(&unknown.origins)) else {
            let is_same = place.is_described && is_equal(inner, given);
            return if is_same { Ok(()) } else { Err(place.configured()) };
        };
        let converted = convert(given, &unknown.ty).map_err(|error| {
            ValueMistake::Problem(PartProblem::WrongType(error.to_string()), place.address.clone())
        })?;
        self.value = converted.with_marks(self.value.marks());
        self.state = ReplacedParts::Replaced;
        Ok(())
    }

    /// Returns the objects that the elements of a given sequence are for: in a list those at the same positions, in a
    /// set the objects that the given elements describe.
    fn sequence(&self, objects: &[Value], given: &[Value], place: &PartAddress<'_>) -> ValueMistake {
        if objects.len() != given.len() {
            return ValueMistake::Problem(PartProblem::OtherNumber(objects.len()), place.address.clone());
        }
        if objects.len() == 1 || !matches!(self.value.unmarked().kind(), ValueKind::Set(_)) {
            return ValueMistake::IsSequence((0..objects.len()).collect());
        }
        let indistinct = ValueMistake::Problem(PartProblem::Indistinct, place.address.clone());
        if objects.len() > MAX_UNORDERED {
            return indistinct;
        }
        let of_one = |given: &Value| {
            let described = objects.iter().enumerate().filter(|(_, object)| is_described(object, given));
            described.map(|(at, _)| at).collect()
        };
        place.count(objects.len().saturating_mul(given.len()));
        let positions = given.iter().map(of_one).collect();
        let found =
            PairingCandidates { positions, is_identical: &|_, _| false, has_step: &|| true }.pairing();
        match found.filter(|found| found.iter().all(|partner| partner.is_certain)) {
            Some(found) => ValueMistake::IsSequence(found.iter().map(|partner| partner.position).collect()),
            None => indistinct,
        }
    }

    /// Returns the value with its replaced parts.
    pub(super) fn into_value(self) -> Value {
        let ReplacedParts::Unfolded(UnfoldedValue { kind, is_changed: true }) = self.state else {
            return self.value;
        };
        let inner = self.value.unmarked();
        let element = || inner.ty().element().cloned().unwrap_or(Type::Dynamic);
        let value = match kind {
            Parted::Attributes(Attributes { all, open }) => {
                let all = all.into_iter().map(|(name, part)| (name, part.into_value()));
                match (open, inner.kind()) {
                    (Some(origins), _) => Value::open_object(all.collect(), origins),
                    (None, ValueKind::Map(_)) => Value::map(element(), all.collect::<Vec<_>>()),
                    (None, _) => Value::object(all.collect::<Vec<_>>()),
                }
            }
            Parted::Elements(all) => {
                let all: Vec<Value> = all.into_iter().map(PartialValue::into_value).collect();
                match (inner.kind(), inner.as_unknown()) {
                    (_, Some(unknown)) => Value::open_sequence(all, unknown.origins.clone()),
                    (ValueKind::List(_), _) => Value::list(element(), all),
                    (ValueKind::Set(_), _) => Value::set(element(), all),
                    (_, _) => Value::tuple(all),
                }
            }
        };
        value.with_marks(self.value.marks())
    }
}

impl Attributes {
    /// Returns the attributes of an object or the elements of a map of objects. The attributes of an
    /// unknown object are unknown.
    fn of(value: &Value, place: &PartAddress<'_>) -> Result<Attributes, ValueMistake> {
        let inner = value.unmarked();
        let parts = |attributes: &Entries| {
            sorted_map(attributes.cloned().map(|(name, value)| (name, PartialValue::new(value))))
        };
        let (all, open) = match (inner.kind(), inner.as_unknown()) {
            (ValueKind::Object(attributes), _) => (parts(attributes), None),
            (ValueKind::Map(entries), _) if is_map_of_objects(inner) => (parts(entries), None),
            (_, Some(unknown)) => match (&unknown.known, &unknown.ty) {
                (Known::Object(attributes), _) => (parts(attributes), Some(unknown.origins.clone())),
                _ if !place.is_provided(&unknown.origins) => return Err(place.configured()),
                (_, Type::Object(object)) => {
                    let part = |(name, ty): &(SmolStr, Type)| {
                        let origins = unknown.origins.at_attribute(name);
                        (name.clone(), PartialValue::new(Value::unknown_from(ty.clone(), origins)))
                    };
                    (sorted_map(object.attributes().iter().map(part)), None)
                }
                (Known::Nothing, Type::Dynamic) => (BTreeMap::new(), Some(unknown.origins.clone())),
                (Known::Sequence(_), _) => return Err(place.configured()),
                (_, ty) => {
                    let problem = PartProblem::NoParts(ty.clone());
                    return Err(ValueMistake::Problem(problem, place.address.clone()));
                }
            },
            (ValueKind::Null(_), _) => return Err(place.not_provided()),
            (_, None) => return Err(place.configured()),
        };
        Ok(Attributes { all, open })
    }

    /// Returns the attribute with this name. An open object may have any attribute.
    fn part(&mut self, place: &PartAddress<'_>, name: &SmolStr) -> Result<&mut PartialValue, ValueMistake> {
        if self.open.is_none() && !self.all.contains_key(name) {
            return Err(unsupported(place, name, &self.all));
        }
        let Attributes { all, open } = self;
        Ok(all.entry(name.clone()).or_insert_with(|| {
            let origins = open.as_ref().map_or(Origins::NONE, |origins| origins.at_attribute(name));
            PartialValue::new(Value::unknown_from(Type::Dynamic, origins))
        }))
    }
}

/// Joins the results for the objects of a sequence. Each attribute is given alone if one of the objects asks for that,
/// and there is no mistake if one of them has taken the value.
fn joined(results: Vec<Result<(), ValueMistake>>) -> Result<(), ValueMistake> {
    let (done, mistakes): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let rank = |result: &Result<(), ValueMistake>| matches!(result, Err(ValueMistake::Problem(..)));
    match mistakes.into_iter().min_by_key(rank) {
        Some(Err(ValueMistake::Problem(..))) if !done.is_empty() => Ok(()),
        Some(result) => result,
        None => Ok(()),
    }
}

fn is_map_of_objects(value: &Value) -> bool {
    let ValueKind::Map(entries) = value.kind() else { return false };
    !entries.is_empty() && entries.values().all(|value| value.known_attributes().is_some())
}

/// Whether a given object agrees with the known attributes of an object.
fn is_described(object: &Value, given: &Value) -> bool {
    let Some((own, given)) = object.known_attributes().zip(given.as_entries()) else { return false };
    given.iter().all(|(name, value)| match own.get(name).map(Value::unmarked) {
        Some(own) => !own.is_wholly_known() || is_equal(own, value),
        None => true,
    })
}

/// Whether a given value equals a known one after conversion.
fn is_equal(computed: &Value, given: &Value) -> bool {
    let (computed, _) = computed.unmark_deep();
    computed.is_wholly_known() && convert(given, &computed.ty()).is_ok_and(|given| given.same(&computed))
}

fn unsupported(
    place: &PartAddress<'_>,
    name: &SmolStr,
    attributes: &BTreeMap<SmolStr, PartialValue>,
) -> ValueMistake {
    // The caller counts the comparisons.
    let closest_names = ClosestNames::default();
    let near = closest_names.of(name.as_str(), attributes.keys().map(SmolStr::as_str)).map(str::to_owned);
    let unsupported = Unsupported { name: name.clone(), near, compared: attributes.len() };
    ValueMistake::Problem(PartProblem::Unsupported(unsupported), place.address.clone())
}
