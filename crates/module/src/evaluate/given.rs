//! Puts values given by hand where the value of an instance is unknown.

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Entries, Known, Origins, SmolStr, Type, Value, ValueKind, closest_name, convert};

use crate::model::given::GivenPart;

/// The value of the instance at `address`, with those of `parts` that are given for it. A configured value stays, which is an
/// error.
pub(super) fn with_given(
    value: Value,
    parts: &[GivenPart],
    instance: &GivenFor<'_>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let mut value = value;
    let mut done: Vec<Vec<SmolStr>> = Vec::new();
    for part in parts.iter().filter(|part| part.is_for(instance.module, instance.key)) {
        // The attributes of an object are given one by one where others of the same object are known.
        let mut rest = vec![(part.path.clone(), part.value.clone())];
        while let Some((path, given)) = rest.pop() {
            // A stronger part has given it.
            if done.iter().any(|done| path.starts_with(done)) {
                continue;
            }
            match with_part(&value, instance.address, &path, &given) {
                Ok(with) => {
                    value = with;
                    done.push(path);
                }
                Err(Mistake::IsObject) => {
                    let attributes = given.as_entries().into_iter().flat_map(Entries::iter);
                    rest.extend(attributes.map(|(name, value)| {
                        let path = path.iter().chain([name]).cloned().collect();
                        (path, value.clone())
                    }));
                }
                Err(Mistake::Reported(detail)) => {
                    let diagnostic = Diagnostic::error(ids::INVALID_GIVEN_VALUE, detail);
                    diagnostics.push(diagnostic.at(&part.place.file, part.place.span));
                }
            }
        }
    }
    value
}

/// The instance that values are given for.
#[derive(Clone, Copy)]
pub(super) struct GivenFor<'g> {
    pub(super) address: &'g str,
    pub(super) module: &'g ModulePath,
    pub(super) key: &'g InstanceKey,
}

pub(super) enum Mistake {
    /// The value is given for an object that has known attributes.
    IsObject,
    /// The error in words.
    Reported(String),
}

/// The value of the object or attribute at `address`, with a part of it replaced.
pub(super) fn with_part(
    value: &Value,
    address: &str,
    path: &[SmolStr],
    given: &Value,
) -> Result<Value, Mistake> {
    let Some((name, rest)) = path.split_first() else { return leaf(value, address, given) };
    let below = format!("{address}.{name}");
    let inner = value.unmarked();
    let with = match (inner.kind(), inner.as_unknown()) {
        (ValueKind::Object(attributes), _) => {
            let current = attributes.get(name).ok_or_else(|| unsupported(address, name, attributes))?;
            Value::object(replaced(attributes, name, with_part(current, &below, rest, given)?))
        }
        (_, Some(unknown)) => match (&unknown.known, &unknown.ty) {
            (Known::Object(attributes), _) => {
                let absent = || Value::unknown_from(Type::Dynamic, unknown.origins.at_attribute(name));
                let current = attributes.get(name).cloned().unwrap_or_else(absent);
                let with = with_part(&current, &below, rest, given)?;
                Value::open_object(
                    replaced(attributes, name, with).into_iter().collect(),
                    unknown.origins.clone(),
                )
            }
            _ if !is_provided(&unknown.origins, address) => return Err(configured(address)),
            (_, Type::Object(object)) => {
                let unknown_attribute = |(name, ty): &(SmolStr, Type)| {
                    (name.clone(), Value::unknown_from(ty.clone(), unknown.origins.at_attribute(name)))
                };
                let attributes = object.attributes().iter().map(unknown_attribute);
                with_part(&Value::object(attributes), address, path, given)?
            }
            (_, Type::Dynamic) => {
                let unknown_attribute =
                    Value::unknown_from(Type::Dynamic, unknown.origins.at_attribute(name));
                let with = with_part(&unknown_attribute, &below, rest, given)?;
                Value::open_object(
                    replaced(&Entries::default(), name, with).into_iter().collect(),
                    unknown.origins.clone(),
                )
            }
            (_, ty) => {
                let detail = format!("`{address}` is a {ty}: no value can be given for a part of it.");
                return Err(Mistake::Reported(detail));
            }
        },
        (ValueKind::Null(_), _) => return Err(not_provided(address)),
        (_, None) => return Err(configured(address)),
    };
    Ok(with.with_marks(value.marks()))
}

/// The given value in place of an unknown one, with its type.
fn leaf(value: &Value, address: &str, given: &Value) -> Result<Value, Mistake> {
    let inner = value.unmarked();
    if inner.known_attributes().is_some() && given.as_entries().is_some() {
        return Err(Mistake::IsObject);
    }
    if inner.is_null() {
        return Err(not_provided(address));
    }
    let Some(unknown) = inner.as_unknown().filter(|unknown| is_provided(&unknown.origins, address)) else {
        return Err(configured(address));
    };
    let converted = convert(given, &unknown.ty).map_err(|error| {
        Mistake::Reported(format!("The value given for `{address}` has a wrong type: {error}."))
    })?;
    Ok(converted.with_marks(value.marks()))
}

fn replaced(attributes: &Entries, name: &SmolStr, value: Value) -> Vec<(SmolStr, Value)> {
    let others = attributes.cloned().filter(|(other, _)| other != name);
    others.chain([(name.clone(), value)]).collect()
}

/// Whether a value is unknown only because the provider sets the attribute itself.
fn is_provided(origins: &Origins, address: &str) -> bool {
    let origins = origins.as_slice();
    !origins.is_empty() && origins.iter().all(|origin| origin.subject == address)
}

fn configured(address: &str) -> Mistake {
    Mistake::Reported(format!(
        "The configuration sets `{address}`, and that value counts. Give values only for attributes that are not \
         configured."
    ))
}

fn not_provided(address: &str) -> Mistake {
    Mistake::Reported(format!(
        "`{address}` is null: by the schema, no provider sets it. Set it in the configuration."
    ))
}

fn unsupported(address: &str, name: &SmolStr, attributes: &Entries) -> Mistake {
    let near = closest_name(name.as_str(), attributes.iter().map(|(name, _)| name.as_str()));
    let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
    Mistake::Reported(format!("`{address}` has no attribute `{name}`.{near}"))
}
