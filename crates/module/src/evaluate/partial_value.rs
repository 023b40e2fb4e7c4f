//! A value whose unknown parts are replaced one after the other.

use std::collections::BTreeMap;

use terrane_value::{Entries, Known, Origins, SmolStr, Type, Value, ValueKind, closest_name, convert};

pub(super) enum Mistake {
    /// The value is given for an object that has known attributes.
    IsObject,
    /// A problem with the attribute at an address.
    Problem(Problem, String),
}

/// Why a value cannot be given.
pub(super) enum Problem {
    /// The configuration sets the attribute.
    Configured,
    /// By the schema, nobody but the configuration sets it.
    NotProvided,
    /// The schema does not have this attribute of the object.
    Unsupported(Unsupported),
    /// The value has another type.
    WrongType(String),
    /// A value of this type has no parts that are given alone.
    NoParts(Type),
}

/// An attribute that the schema does not have.
pub(super) struct Unsupported {
    pub(super) name: SmolStr,
    /// The attribute that may be meant.
    pub(super) near: Option<String>,
    /// The number of names that were compared.
    pub(super) compared: usize,
}

/// A value whose unknown parts are replaced one after the other, without a new object for each of them. A part that was
/// replaced stays, so stronger parts come first.
pub(super) struct PartialValue {
    /// The value before a part of it was replaced, or the one that replaces it.
    value: Value,
    state: State,
}

enum State {
    Unchanged,
    /// The whole value was replaced.
    Replaced,
    /// Parts of the value may have been replaced.
    Unfolded(Attributes),
}

/// The attributes of an object.
struct Attributes {
    all: BTreeMap<SmolStr, PartialValue>,
    /// The origins of the other attributes of an open object.
    open: Option<Origins>,
    is_changed: bool,
}

impl PartialValue {
    pub(super) fn new(value: Value) -> PartialValue {
        PartialValue { value, state: State::Unchanged }
    }

    /// Replaces the part at the end of a path, of the object or attribute at `address`.
    pub(super) fn set(&mut self, address: &str, path: &[SmolStr], given: &Value) -> Result<(), Mistake> {
        let Some((name, rest)) = path.split_first() else { return self.replace(address, given) };
        if let State::Unchanged = self.state {
            self.state = State::Unfolded(Attributes::of(&self.value, address)?);
        }
        match &mut self.state {
            State::Unchanged | State::Replaced => Ok(()),
            State::Unfolded(attributes) => {
                let part = attributes.part(address, name)?;
                part.set(&format!("{address}.{name}"), rest, given)?;
                attributes.is_changed = true;
                Ok(())
            }
        }
    }

    /// Puts the given value in the place of an unknown one, with its type.
    fn replace(&mut self, address: &str, given: &Value) -> Result<(), Mistake> {
        let is_changed = match &self.state {
            State::Unchanged => false,
            State::Replaced => return Ok(()),
            State::Unfolded(attributes) => attributes.is_changed,
        };
        let inner = self.value.unmarked();
        if (is_changed || inner.known_attributes().is_some()) && given.as_entries().is_some() {
            return Err(Mistake::IsObject);
        }
        if is_changed {
            return Err(configured(address));
        }
        if inner.is_null() {
            return Err(not_provided(address));
        }
        let Some(unknown) = inner.as_unknown().filter(|unknown| is_provided(&unknown.origins, address))
        else {
            return Err(configured(address));
        };
        let converted = convert(given, &unknown.ty)
            .map_err(|error| Mistake::Problem(Problem::WrongType(error.to_string()), address.to_owned()))?;
        self.value = converted.with_marks(self.value.marks());
        self.state = State::Replaced;
        Ok(())
    }

    /// The value with its replaced parts.
    pub(super) fn into_value(self) -> Value {
        match self.state {
            State::Unfolded(Attributes { all, open, is_changed: true }) => {
                let all = all.into_iter().map(|(name, part)| (name, part.into_value()));
                let value = match open {
                    Some(origins) => Value::open_object(all.collect(), origins),
                    None => Value::object(all.collect::<Vec<_>>()),
                };
                value.with_marks(self.value.marks())
            }
            State::Unfolded(_) | State::Unchanged | State::Replaced => self.value,
        }
    }
}

impl Attributes {
    /// The attributes of the object at `address`, which are unknown if it is.
    fn of(value: &Value, address: &str) -> Result<Attributes, Mistake> {
        let inner = value.unmarked();
        let parts = |attributes: &Entries| {
            attributes.cloned().map(|(name, value)| (name, PartialValue::new(value))).collect()
        };
        let (all, open) = match (inner.kind(), inner.as_unknown()) {
            (ValueKind::Object(attributes), _) => (parts(attributes), None),
            (_, Some(unknown)) => match (&unknown.known, &unknown.ty) {
                (Known::Object(attributes), _) => (parts(attributes), Some(unknown.origins.clone())),
                _ if !is_provided(&unknown.origins, address) => return Err(configured(address)),
                (_, Type::Object(object)) => {
                    let part = |(name, ty): &(SmolStr, Type)| {
                        let origins = unknown.origins.at_attribute(name);
                        (name.clone(), PartialValue::new(Value::unknown_from(ty.clone(), origins)))
                    };
                    (object.attributes().iter().map(part).collect(), None)
                }
                (_, Type::Dynamic) => (BTreeMap::new(), Some(unknown.origins.clone())),
                (_, ty) => {
                    return Err(Mistake::Problem(Problem::NoParts(ty.clone()), address.to_owned()));
                }
            },
            (ValueKind::Null(_), _) => return Err(not_provided(address)),
            (_, None) => return Err(configured(address)),
        };
        Ok(Attributes { all, open, is_changed: false })
    }

    /// The attribute of this name. An open object may have any.
    fn part(&mut self, address: &str, name: &SmolStr) -> Result<&mut PartialValue, Mistake> {
        if self.open.is_none() && !self.all.contains_key(name) {
            return Err(unsupported(address, name, &self.all));
        }
        let Attributes { all, open, .. } = self;
        Ok(all.entry(name.clone()).or_insert_with(|| {
            let origins = open.as_ref().map_or(Origins::NONE, |origins| origins.at_attribute(name));
            PartialValue::new(Value::unknown_from(Type::Dynamic, origins))
        }))
    }
}

/// Whether a value is unknown only because the provider sets the attribute itself.
fn is_provided(origins: &Origins, address: &str) -> bool {
    let origins = origins.as_slice();
    !origins.is_empty() && origins.iter().all(|origin| origin.subject == address)
}

fn configured(address: &str) -> Mistake {
    Mistake::Problem(Problem::Configured, address.to_owned())
}

fn not_provided(address: &str) -> Mistake {
    Mistake::Problem(Problem::NotProvided, address.to_owned())
}

fn unsupported(address: &str, name: &SmolStr, attributes: &BTreeMap<SmolStr, PartialValue>) -> Mistake {
    let near = closest_name(name.as_str(), attributes.keys().map(SmolStr::as_str)).map(str::to_owned);
    let unsupported = Unsupported { name: name.clone(), near, compared: attributes.len() };
    Mistake::Problem(Problem::Unsupported(unsupported), address.to_owned())
}
