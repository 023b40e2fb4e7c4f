//! Puts values given by hand where the value of an instance is unknown.

use std::cell::Cell;

use terrane_config::address::{InstanceKey, ModulePath};
use terrane_eval::{Batch, FunctionTable, NoNames, Scope};
use terrane_function::{CallEnv, Dialect};
use terrane_source::{Diagnostic, Diagnostics, Subject, ids};
use terrane_value::{Entries, SmolStr, Value, convert, with_article};

use crate::evaluate::partial_value::{
    PartAddress, PartProblem, PartialValue, UnfoldedStep, Unsupported, ValueMistake,
};
use crate::model::given::{GivenBy, GivenPart, GivenParts};
use crate::model::ids::InstanceId;
use crate::state::evaluation::Evaluation;

/// Puts the given `parts` into the value of the instance at `address`. A configured value stays; giving it with an
/// option is an error. Stops when the run exceeds a limit.
pub(super) fn with_given(
    value: Value,
    parts: &GivenParts,
    instance: &InstanceAddress<'_>,
    env: &CallEnv<'_>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let functions = FunctionTable::only(Dialect::Modules, Vec::new());
    let scope = Scope { names: &NoNames, functions: &functions, env };
    let mut batch = Batch::new(&scope);
    let Some(Subject { file, span }) = parts.first().map(|part| &part.place) else { return value };
    diagnostics.extend(batch.count_work(parts.searches(), file, *span));
    if batch.is_stopped() {
        return value;
    }
    let before = value.own_bytes();
    let mut given = PartialValue::new(value);
    // Given outputs of a remote state are set later, together with its `defaults`.
    let own = |part: &&GivenPart| part.remote_outputs().is_none();
    for part in parts.of_instance(instance.module, instance.key).into_iter().filter(own) {
        if batch.is_stopped() {
            break;
        }
        let work = set(&mut given, part, instance, diagnostics);
        diagnostics.extend(batch.count_work(work, &part.place.file, part.place.span));
    }
    let value = given.into_value();
    batch.take_memory(value.own_bytes().saturating_sub(before));
    diagnostics.extend(batch.count_body(file, *span));
    value
}

/// Puts a part into the value of an instance. Returns the work it took.
fn set(
    value: &mut PartialValue,
    part: &GivenPart,
    instance: &InstanceAddress<'_>,
    diagnostics: &mut Diagnostics,
) -> usize {
    // Setting a part takes longer than evaluating an expression.
    let work = Cell::new(2);
    let whole = PartAddress::of(instance.address, &work);
    // If other parts of an object or sequence are known, its given parts are set one by one.
    let mut rest = vec![(part.path.iter().map(UnfoldedStep::from).collect::<Vec<_>>(), part.value.clone())];
    while let Some((path, given)) = rest.pop() {
        let below = |step: UnfoldedStep| {
            let mut below = path.clone();
            // An object given for one element may repeat configured attributes, like an object in a given sequence.
            if let Some(UnfoldedStep::Element(at)) = path.last() {
                below.pop();
                below.push(UnfoldedStep::Paired(*at));
            }
            below.push(step);
            below
        };
        match value.set(&whole, &path, &given) {
            Ok(()) => {}
            Err(ValueMistake::IsObject) => {
                let attributes = given.as_entries().into_iter().flat_map(Entries::iter);
                rest.extend(
                    attributes.map(|(name, value)| (below(UnfoldedStep::Name(name.clone())), value.clone())),
                );
            }
            Err(ValueMistake::IsSequence(positions)) => {
                let elements = positions.into_iter().zip(given.as_sequence().into_iter().flatten());
                rest.extend(elements.map(|(at, value)| (below(UnfoldedStep::Paired(at)), value.clone())));
            }
            Err(ValueMistake::Problem(problem, address)) => {
                if let PartProblem::Unsupported(unsupported) = &problem {
                    work.set(work.get().saturating_add(unsupported.compared));
                }
                diagnostics.extend(diagnostic(&problem, &address, part, instance));
            }
        }
        work.set(work.get().saturating_add(1));
    }
    work.get()
}

/// The address of an instance of a resource or module call, as text and in parts.
#[derive(Clone, Copy)]
pub(super) struct InstanceAddress<'g> {
    pub(super) address: &'g str,
    pub(super) module: &'g ModulePath,
    pub(super) key: &'g InstanceKey,
}

/// Returns the diagnostic about a problem. In a mock file, whose values may be for several objects,
/// only wrong types are errors.
fn diagnostic(
    problem: &PartProblem,
    address: &str,
    part: &GivenPart,
    instance: &InstanceAddress<'_>,
) -> Option<Diagnostic> {
    let is_wrong = matches!(problem, PartProblem::WrongType(_) | PartProblem::NoParts(_));
    // The path below the instance is the same for all instances.
    let below = address.strip_prefix(instance.address).unwrap_or_default();
    let subject = match part.by() {
        GivenBy::Option | GivenBy::RemoteState => address.to_owned(),
        GivenBy::Defaults if matches!(problem, PartProblem::Configured) => return None,
        GivenBy::Override | GivenBy::Defaults => format!("{}{below}", part.written().trim_matches('"')),
    };
    let detail = match problem {
        PartProblem::Configured if part.by() == GivenBy::Override => {
            format!("The configuration sets `{subject}`, and that value counts. This one is not used.")
        }
        PartProblem::Configured => format!(
            "The configuration sets `{subject}`, and that value counts. Give values only for attributes that are not \
             configured."
        ),
        PartProblem::NotProvided => {
            format!("`{subject}` is null: by the schema, no provider sets it. Set it in the configuration.")
        }
        PartProblem::Unsupported(Unsupported { name, near, .. }) => {
            let near = near.as_ref().map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
            format!("`{subject}` has no attribute `{name}`.{near}")
        }
        PartProblem::WrongType(error) => {
            format!("The value given for `{subject}` has a wrong type: {error}.")
        }
        PartProblem::NoParts(ty) => format!(
            "`{subject}` is {}: no value can be given for a part of it.",
            with_article(&ty.to_string())
        ),
        PartProblem::NoElement { at, number: Some(number) } => {
            format!("`{subject}` has no element `[{at}]`: the configuration sets {number}.")
        }
        PartProblem::NoElement { at, number: None } => format!(
            "The number of elements of `{subject}` is unknown, so `[{at}]` cannot be given alone. Give the whole list."
        ),
        PartProblem::OtherNumber(number) => format!(
            "The configuration sets {number} of `{subject}`. Give an object, whose attributes are for each of them, or a list \
             with one object for each."
        ),
        PartProblem::Indistinct => format!(
            "`{subject}` is a set, and the objects of the given list do not say which elements they are for. Repeat the \
             configured attributes in them, or give one object, whose attributes are for each element."
        ),
    };
    let diagnostic = match part.by() == GivenBy::Option || is_wrong {
        true => Diagnostic::error(ids::INVALID_GIVEN_VALUE, detail),
        false => Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail),
    };
    Some(diagnostic.at(&part.place.file, part.name))
}

/// Replaces a part of the object or attribute at `address`.
pub(super) fn with_part(
    value: &Value,
    address: &str,
    path: &[SmolStr],
    given: &Value,
) -> Result<Value, ValueMistake> {
    let mut with = PartialValue::new(value.clone());
    let path: Vec<UnfoldedStep> = path.iter().cloned().map(UnfoldedStep::Name).collect();
    with.set(&PartAddress::of(address, &Cell::new(0)), &path, given)?;
    Ok(with.into_value())
}

/// Replaces attributes of the object at `address`. Attributes that are configured or given by hand stay.
pub(super) fn with_attributes(
    value: Value,
    address: &str,
    attributes: impl IntoIterator<Item = (&'static str, Value)>,
) -> Value {
    let work = Cell::new(0);
    let whole = PartAddress::of(address, &work);
    let mut with = PartialValue::new(value);
    for (name, attribute) in attributes {
        // It is no mistake that an attribute is set already.
        _ = with.set(&whole, &[UnfoldedStep::Name(SmolStr::from(name))], &attribute);
    }
    with.into_value()
}

/// Fills the unknown parts of an output with the values that a mock file gives for its module call. A value that
/// the module computes stays.
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
        diagnostics.push(diagnostic.at(&part.place.file, part.name));
        return value;
    }
    with_unknown_parts(&value, &part.value)
}

/// Replaces the unknown parts of a value by the given ones.
fn with_unknown_parts(value: &Value, given: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    let inner = value.unmarked();
    let attributes = inner.known_attributes().or_else(|| inner.as_entries());
    let filled = match (attributes, given.as_entries()) {
        (Some(attributes), Some(given)) => {
            let own = attributes.iter().map(|(name, value)| match given.get(name) {
                Some(given) => (name.clone(), with_unknown_parts(value, given)),
                None => (name.clone(), value.clone()),
            });
            let is_open = inner.as_unknown().is_some();
            let added = given.cloned().filter(|(name, _)| is_open && attributes.get(name).is_none());
            Value::object(own.chain(added).collect::<Vec<_>>())
        }
        (_, _) => {
            let ty = inner.as_unknown().map_or_else(|| inner.ty(), |unknown| unknown.ty.clone());
            convert(given, &ty).unwrap_or_else(|_| given.clone())
        }
    };
    filled.with_marks(value.marks())
}
