//! Puts values given by hand where the value of an instance is unknown.

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Entries, Known, Origins, SmolStr, Type, Value, ValueKind, closest_name, convert};

use crate::model::given::{GivenBy, GivenPart};
use crate::model::ids::InstanceId;
use crate::state::evaluation::Evaluation;

/// The value of the instance at `address`, with those of `parts` that are given for it. A configured value stays, which is an
/// error where the value is given with an option.
pub(super) fn with_given(
    value: Value,
    parts: &[GivenPart],
    instance: &GivenFor<'_>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let mut value = value;
    let mut done: Vec<Vec<SmolStr>> = Vec::new();
    // Outputs of a remote state come with its defaults.
    let is_own = |part: &&GivenPart| part.remote_outputs().is_none();
    for part in parts.iter().filter(is_own).filter(|part| part.is_for(instance.module, instance.key)) {
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
                Err(Mistake::Problem(problem, address)) => {
                    diagnostics.extend(diagnostic(&problem, &address, part, instance));
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
    /// A problem with the attribute at an address.
    Problem(Problem, String),
}

/// Why a value cannot be given.
pub(super) enum Problem {
    /// The configuration sets the attribute.
    Configured,
    /// By the schema, nobody but the configuration sets it.
    NotProvided,
    /// The schema does not have this attribute of the object; it may have one of the second name.
    Unsupported(SmolStr, Option<String>),
    /// The value has another type.
    WrongType(String),
    /// A value of this type has no parts that are given alone.
    NoParts(Type),
}

/// The problem in words, where it is one: of a mock file only wrong types are errors, as its values may be for several objects.
fn diagnostic(
    problem: &Problem,
    address: &str,
    part: &GivenPart,
    instance: &GivenFor<'_>,
) -> Option<Diagnostic> {
    let is_wrong = matches!(problem, Problem::WrongType(_) | Problem::NoParts(_));
    // The same for all instances.
    let below = address.strip_prefix(instance.address).unwrap_or_default();
    let subject = match part.by() {
        GivenBy::Option | GivenBy::RemoteState => address.to_owned(),
        GivenBy::Override => format!("{}{below}", part.written()),
        GivenBy::Defaults if matches!(problem, Problem::Configured) => return None,
        GivenBy::Defaults => format!("{}{below}", part.written().trim_matches('"')),
    };
    let detail = match problem {
        Problem::Configured if part.by() == GivenBy::Override => {
            format!("The configuration sets `{subject}`, and that value counts. This one is not used.")
        }
        Problem::Configured => format!(
            "The configuration sets `{subject}`, and that value counts. Give values only for attributes that are not \
             configured."
        ),
        Problem::NotProvided => {
            format!("`{subject}` is null: by the schema, no provider sets it. Set it in the configuration.")
        }
        Problem::Unsupported(name, near) => {
            let near = near.as_ref().map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
            format!("`{subject}` has no attribute `{name}`.{near}")
        }
        Problem::WrongType(error) => format!("The value given for `{subject}` has a wrong type: {error}."),
        Problem::NoParts(ty) => format!("`{subject}` is a {ty}: no value can be given for a part of it."),
    };
    let diagnostic = match part.by() == GivenBy::Option || is_wrong {
        true => Diagnostic::error(ids::INVALID_GIVEN_VALUE, detail),
        false => Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail),
    };
    Some(diagnostic.at(&part.place.file, part.place.span))
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
                return Err(Mistake::Problem(Problem::NoParts(ty.clone()), address.to_owned()));
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
    let converted = convert(given, &unknown.ty)
        .map_err(|error| Mistake::Problem(Problem::WrongType(error.to_string()), address.to_owned()))?;
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
    Mistake::Problem(Problem::Configured, address.to_owned())
}

fn not_provided(address: &str) -> Mistake {
    Mistake::Problem(Problem::NotProvided, address.to_owned())
}

fn unsupported(address: &str, name: &SmolStr, attributes: &Entries) -> Mistake {
    let near = closest_name(name.as_str(), attributes.iter().map(|(name, _)| name.as_str()));
    Mistake::Problem(Problem::Unsupported(name.clone(), near.map(str::to_owned)), address.to_owned())
}

/// The value of an output with the parts that a mock file gives for the call of its module. A value that the module computes stays.
pub(super) fn of_output(
    evaluation: &Evaluation,
    instance: InstanceId,
    name: &SmolStr,
    value: Value,
    diagnostics: &mut Diagnostics,
) -> Value {
    let given = evaluation.given_for_output(&evaluation.instances[instance], name);
    let Some(part) = given.filter(|_| !evaluation.phase().outputs_are_unknown()) else { return value };
    if value.is_wholly_known() {
        let target = part.written().trim_matches('"');
        let detail =
            format!("The module computes `{target}.{name}`, and that value counts. This one is not used.");
        let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
        diagnostics.push(diagnostic.at(&part.place.file, part.place.span));
        return value;
    }
    with_unknown_parts(&value, &part.value)
}

/// The value with given parts in place of unknown ones.
fn with_unknown_parts(value: &Value, given: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    let inner = value.unmarked();
    let known = inner.known_attributes().or_else(|| inner.as_entries());
    let filled = match (known, given.as_entries()) {
        (Some(known), Some(given)) => {
            let own = known.iter().map(|(name, value)| match given.get(name) {
                Some(given) => (name.clone(), with_unknown_parts(value, given)),
                None => (name.clone(), value.clone()),
            });
            let is_open = inner.as_unknown().is_some();
            let added = given.cloned().filter(|(name, _)| is_open && known.get(name).is_none());
            Value::object(own.chain(added).collect::<Vec<_>>())
        }
        (_, _) => {
            let ty = inner.as_unknown().map_or_else(|| inner.ty(), |unknown| unknown.ty.clone());
            convert(given, &ty).unwrap_or_else(|_| given.clone())
        }
    };
    filled.with_marks(value.marks())
}
