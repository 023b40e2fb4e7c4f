//! The built-in provider: rules of `terraform_data` and `terraform_remote_state` that their schemas do not express.

use std::collections::HashSet;
use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, Title, ids, titles};
use terrane_value::{
    Mark, Marks, OriginKind, Origins, SharedPart, SmolStr, Type, Value, ValueKind, convert, json,
};

use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::schemas;
use crate::rules::backends;
use crate::rules::phase::Phase;

/// Whether a resource has the type `terraform_data` of the built-in provider.
pub(crate) fn is_terraform_data(module: &Module, key: &ResourceKey, resource: &Resource) -> bool {
    let ResourceKey { mode, resource_type, .. } = key;
    schemas::is_terraform_data(*mode, resource_type)
        && module.provider_address(resource.local_provider(resource_type)).is_built_in()
}

/// Reports known arguments with which a `terraform_remote_state` cannot be read.
pub(crate) fn remote_state(given: &Value, resource: &Resource, diagnostics: &mut Diagnostics) {
    let (given, marks) = given.unmark_deep();
    let argument = |name: &str| given.as_entries().and_then(|arguments| arguments.get(name));
    let mut report = |name: &str, title: Title, detail: String, hint: Option<String>| {
        let content = resource.config.open_content(&mut Diagnostics::new());
        let declaration = &resource.declaration;
        let place = content.attribute(name).map(|attribute| (attribute.source(), attribute.value_span()));
        let (file, span) = place.unwrap_or((&declaration.file, declaration.span));
        let diagnostic = Diagnostic::error(ids::INVALID_BACKEND, detail).titled(title).at(file, span);
        diagnostics.push(hint.into_iter().fold(diagnostic, Diagnostic::hint));
    };
    let is_object = |value: &Value| matches!(value.ty(), Type::Object(_) | Type::Map(_) | Type::Dynamic);
    let title = Title::of(ids::INVALID_BACKEND);
    match (argument("backend").and_then(Value::as_str), argument("config")) {
        (Some(backend), Some(config)) if config.is_wholly_known() => {
            if let Some(problem) = backends::problem(backend, config) {
                let (detail, hint) = match marks.is_secret() {
                    true => (
                        "The backend does not accept this configuration. The reason is hidden, because a \
                         value is sensitive."
                            .to_owned(),
                        None,
                    ),
                    false => (problem.detail, problem.hint),
                };
                report(if problem.is_name { "backend" } else { "config" }, problem.title, detail, hint);
            }
        }
        (_, Some(config)) if !is_object(config) => {
            report("config", title, "The configuration of a backend must be an object.".to_owned(), None);
        }
        (_, Some(_) | None) => {}
    }
    if argument("defaults").is_some_and(|defaults| !is_object(defaults)) {
        report("defaults", titles::INVALID_DEFAULT_VALUES, "`defaults` is an object.".to_owned(), None);
    }
}

/// Returns the planned value of a new `terraform_data`, as its provider makes it: `output` equals
/// `input`, and `id` is not null.
pub(crate) fn terraform_data(planned: &Value, phase: Phase) -> Value {
    let Some(attributes) = planned.as_entries() else { return planned.clone() };
    let input = attributes.get("input").cloned().unwrap_or(Value::NULL);
    let attribute = |(name, value): (&SmolStr, &Value)| {
        let value = match &**name {
            "id" if phase.plans_resources() => value.clone().not_null(),
            "output" => output(value, &input, phase),
            _ => value.clone(),
        };
        (name.clone(), value)
    };
    Value::object(attributes.iter().map(attribute).collect::<Vec<_>>())
}

/// Returns the value of `output`: of the type of `input`, without its marks. Terraform and OpenTofu show the
/// attribute names of this type in a plan even if `input` is secret; here the value is hidden, but not
/// sensitive for the language.
fn output(output: &Value, input: &Value, phase: Phase) -> Value {
    // Only configured values are sensitive in a plan, so `output` gets no marks.
    let value = match phase.plans_resources() && input.is_null() {
        true => Value::null(input.ty()),
        false => Value::unknown_from(input.ty(), output.origins().clone()),
    };
    match has_secret_names(input, &mut HashSet::new()) {
        true => value.with_marks(&Marks::one(Mark::Hidden)),
        false => value,
    }
}

/// The parts of a type that is looked at again each time, because remembering it costs as much.
const FEW_PARTS: usize = 8;

/// Whether the type of a value has secret attribute names. The depth is bounded by the depth of values. `seen` has the
/// collections without such names, because a part may occur many times.
fn has_secret_names(value: &Value, seen: &mut HashSet<SharedPart>) -> bool {
    let mut in_any = |parts: &[Value]| {
        let is_new = value.shared_part().is_none_or(|part| seen.insert(part));
        is_new && parts.iter().any(|part| has_secret_names(part, seen))
    };
    match value.kind() {
        _ if !value.contains_marked() => false,
        ValueKind::Object(attributes) => in_any(attributes.values().as_slice()),
        ValueKind::Tuple(elements) => in_any(elements),
        ValueKind::Marked(inner, marks) if !marks.is_secret() => has_secret_names(inner, seen),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => {
            value.marks_deep().is_secret() && has_names(&value.ty(), &mut HashSet::new())
        }
    }
}

/// Whether a type has attribute names. `seen` has the addresses of tuple types without them.
fn has_names(ty: &Type, seen: &mut HashSet<usize>) -> bool {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => has_names(element, seen),
        Type::Tuple(elements) => {
            let is_new = ty.parts() <= FEW_PARTS || seen.insert(Arc::as_ptr(elements).addr());
            is_new && elements.iter().any(|element| has_names(element, seen))
        }
        Type::Object(_) => true,
    }
}

/// Returns the planned value of an existing `terraform_data` at `address`, as its provider makes it. `planned` is the
/// value that a new one would have. A changed `triggers_replace` replaces the object; a changed `input` changes only
/// `output`, which is then unknown even if `input` is null.
pub(crate) fn terraform_data_again(
    planned: Value,
    recorded: &Value,
    is_replaced: bool,
    address: &str,
) -> Value {
    let (Some(attributes), Some(prior)) = (planned.as_entries(), recorded.as_entries()) else {
        return planned;
    };
    let is_same = |name: &str| match (attributes.get(name), prior.get(name)) {
        (Some(planned), Some(prior)) => is_equal(planned, prior),
        (_, _) => false,
    };
    let is_replaced = is_replaced || !is_same("triggers_replace");
    let is_kept = |name: &str| match name {
        "id" => !is_replaced,
        "output" => !is_replaced && is_same("input"),
        _ => false,
    };
    let attribute = |(name, value): (&SmolStr, &Value)| {
        if name == "output" && !is_replaced && !is_same("input") && value.is_null() {
            let origins = Origins::one(OriginKind::Computed, address).at_attribute(name);
            return (name.clone(), Value::unknown_from(value.ty(), origins));
        }
        let recorded = prior.get(name).filter(|_| is_kept(name) && (!value.is_known() || value.is_null()));
        (name.clone(), recorded.unwrap_or(value).clone())
    };
    Value::object(attributes.iter().map(attribute).collect::<Vec<_>>())
}

/// Gives a recorded `terraform_data` from a document, which has no types, the types of the planned value: an argument
/// equal to the planned argument gets its type, and an `output` equal to `input` gets the type of `input`.
pub(super) fn with_types(recorded: Value, planned: &Value) -> Value {
    let (Some(own), Some(planned)) = (recorded.as_entries(), planned.known_attributes()) else {
        return recorded;
    };
    let argument = |name: &str| Some(typed(own.get(name)?, planned.get(name)?));
    let (input, trigger) = (argument("input"), argument("triggers_replace"));
    let output = own.get("output").zip(input.as_ref()).map(|(output, input)| typed(output, input));
    let attribute = |(name, value): (SmolStr, Value)| {
        let with = match &*name {
            "input" => &input,
            "output" => &output,
            "triggers_replace" => &trigger,
            _ => &None,
        };
        let value = with.clone().unwrap_or(value);
        (name, value)
    };
    Value::object(own.cloned().map(attribute).collect::<Vec<_>>())
}

/// Converts a value from a document to the type of `like` if both have the same JSON; returns it as it is otherwise.
fn typed(recorded: &Value, like: &Value) -> Value {
    let (like, _) = like.unmark_deep();
    let text = |value: &Value| json::encode(value).ok();
    let is_same = text(&like).is_some_and(|like| text(&recorded.unmark_deep().0) == Some(like));
    let with = is_same.then(|| convert(recorded, &like.ty()).ok()).flatten();
    with.unwrap_or_else(|| recorded.clone())
}

/// Whether two values are known and equal, types included. The sign of a zero does not count.
pub(super) fn is_equal(one: &Value, other: &Value) -> bool {
    let ((one, _), (other, _)) = (one.unmark_deep(), other.unmark_deep());
    one.is_wholly_known() && other.is_wholly_known() && one.same(&other)
}

/// Whether an argument is the same in a planned and a recorded object. Nulls of different types are equal.
pub(super) fn is_same_argument(name: &str, planned: &Value, recorded: &Value) -> bool {
    let attributes = planned.known_attributes().zip(recorded.as_entries());
    let pair = attributes.and_then(|(planned, recorded)| planned.get(name).zip(recorded.get(name)));
    pair.is_some_and(|(one, other)| (one.is_null() && other.is_null()) || is_equal(one, other))
}
