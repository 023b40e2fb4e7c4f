//! How many instances a block has.

use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, ids};
use terrane_syntax::Expression;
use terrane_value::{Mark, Number, OriginKind, Origins, Type, Value, ValueKind, convert};

use super::{Evaluation, Expansion, Instances, ModuleScope, RepetitionData};
use crate::address::{InstanceKey, Object};
use crate::load::Moment;
use crate::module::Repetition;

/// The largest number of instances of one block.
const MAX_INSTANCES: i64 = 1_000_000;

/// The instances of a module call.
pub(super) fn module_call(
    evaluation: &mut Evaluation,
    instance: usize,
    index: usize,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) {
    let Some(state) = evaluation.instances.get(instance) else { return };
    let path = state.path.clone();
    let node = evaluation.config.node(state.node);
    let Some((name, call)) = node.module.calls.get_index(index) else { return };
    let name = Arc::clone(name);
    let called = node.called.get(index).copied().flatten();
    let repetition = expand(evaluation, &evaluation.scope(instance), &call.repetition, files, diagnostics);
    let unknown = match (&repetition, evaluation.moment()) {
        (Expansion::Unknown(origins), Moment::Validate) => {
            Some(RepetitionData::unknown(&call.repetition, origins))
        }
        _ => None,
    };
    if let (Some(called), Some(data)) = (called, unknown) {
        // Nobody sees the values of this instance, but its mistakes are seen.
        evaluation.add_instance(called, path.child(&name, InstanceKey::None), Some(instance), data);
    }
    let expansion = match called {
        Some(called) => repetition
            .map(|key, data| evaluation.add_instance(called, path.child(&name, key), Some(instance), data)),
        None => {
            let object = Object::ModuleCall(Arc::clone(&name), InstanceKey::None);
            let address = evaluation.address(instance, object).to_string();
            Expansion::Unknown(Origins::one(OriginKind::Module, address))
        }
    };
    if let Some(slot) = evaluation.instances.get_mut(instance).and_then(|state| state.calls.get_mut(index)) {
        *slot = Instances::new(expansion);
    }
}

impl Expansion<RepetitionData> {
    /// The same instances with something made for each.
    pub(super) fn map<T>(self, mut make: impl FnMut(InstanceKey, RepetitionData) -> T) -> Expansion<T> {
        match self {
            Expansion::Once(data) => Expansion::Once(make(InstanceKey::None, data)),
            Expansion::Count(all) => {
                let made = (0..).zip(all).map(|(index, data)| make(InstanceKey::Index(index), data));
                Expansion::Count(made.collect())
            }
            Expansion::ForEach(all) => {
                let made = all.into_iter().map(|(key, data)| {
                    let value = make(InstanceKey::Key(Arc::clone(&key)), data);
                    (key, value)
                });
                Expansion::ForEach(made.collect())
            }
            Expansion::Absent => Expansion::Absent,
            Expansion::Unknown(origins) => Expansion::Unknown(origins),
        }
    }
}

/// The instances that `count` or `for_each` asks for.
pub(super) fn expand(
    evaluation: &Evaluation,
    names: &ModuleScope<'_>,
    repetition: &Repetition,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Expansion<RepetitionData> {
    let resolved = match repetition {
        Repetition::Once => return Expansion::Once(RepetitionData::default()),
        Repetition::Count(resolved) | Repetition::ForEach(resolved) | Repetition::Enabled(resolved) => {
            resolved
        }
    };
    let value = evaluation.value(resolved, names, files, diagnostics);
    let expansion = match repetition {
        Repetition::Count(_) => count(&value),
        Repetition::Enabled(_) => enabled(&value),
        Repetition::ForEach(_) | Repetition::Once => for_each(&value),
    };
    let expansion = expansion.unwrap_or_else(|problem| {
        diagnostics.push(problem.diagnostic(&resolved.expression));
        Expansion::Unknown(Origins::error())
    });
    match (evaluation.moment(), &expansion, repetition) {
        // What is in a block is validated even where it has no instances here.
        (Moment::Validate, Expansion::Absent, _) => Expansion::Once(RepetitionData::default()),
        (Moment::Validate, _, Repetition::Count(_) | Repetition::ForEach(_)) => {
            Expansion::Unknown(value.origins().clone())
        }
        _ => expansion,
    }
}

/// The instances that a `for_each` outside of resources and modules asks for.
pub(super) fn each(
    value: &Value,
    expression: &Expression,
    diagnostics: &mut Diagnostics,
) -> Expansion<RepetitionData> {
    for_each(value).unwrap_or_else(|problem| {
        diagnostics.push(problem.diagnostic(expression));
        Expansion::Unknown(Origins::error())
    })
}

/// What is wrong with a `count` or `for_each`.
struct Problem {
    id: DiagnosticId,
    detail: String,
}

impl Problem {
    fn new(id: DiagnosticId, detail: impl Into<String>) -> Problem {
        Problem { id, detail: detail.into() }
    }

    fn diagnostic(self, expression: &Expression) -> Diagnostic {
        Diagnostic::error(self.id, self.detail).at(expression.source(), expression.span())
    }
}

fn count(value: &Value) -> Result<Expansion<RepetitionData>, Problem> {
    let invalid = |detail: &str| Problem::new(ids::INVALID_COUNT, detail);
    let value = value.unmarked();
    if value.is_null() {
        return Err(invalid("`count` is null. It must be a whole number, 0 for no instance."));
    }
    let value = convert(value, &Type::Number).map_err(|error| {
        Problem::new(ids::INCORRECT_VALUE_TYPE, format!("`count` must be a whole number: {error}."))
    })?;
    if let Some(unknown) = value.as_unknown() {
        not_plannable(ids::INVALID_COUNT, "count", &unknown.origins)?;
        return Ok(Expansion::Unknown(unknown.origins.clone()));
    }
    let number = value.as_number().filter(|number| number.is_integer());
    let number = number.ok_or_else(|| invalid("`count` must be a whole number."))?;
    if number.is_negative() {
        return Err(invalid("`count` must not be negative."));
    }
    let count = number.to_i64().filter(|count| *count <= MAX_INSTANCES);
    let count =
        count.ok_or_else(|| invalid("`count` is larger than a million, which is more than can be meant."))?;
    let data =
        |index| RepetitionData { count_index: Some(Value::number(Number::counted(index))), each: None };
    Ok(Expansion::Count((0..count).map(data).collect()))
}

/// Instances that are unknown because of a value that only the provider sets, in a resource whose schema is
/// known: the product cannot plan this.
fn not_plannable(id: DiagnosticId, argument: &str, origins: &Origins) -> Result<(), Problem> {
    let origins = origins.as_slice();
    let computed = !origins.is_empty() && origins.iter().all(|origin| origin.kind == OriginKind::Computed);
    if !computed {
        return Ok(());
    }
    let causes: Vec<String> = origins.iter().map(ToString::to_string).collect();
    let detail = format!(
        "The value of `{argument}` must be known before anything is created, but it depends on values that are known \
         only afterwards: {}.",
        causes.join("; ")
    );
    Err(Problem::new(id, detail))
}

fn enabled(value: &Value) -> Result<Expansion<RepetitionData>, Problem> {
    let invalid = |detail: String| Problem::new(ids::INVALID_ENABLED, detail);
    let value = value.unmarked();
    if value.is_null() {
        return Err(invalid("`enabled` is null. It must be true or false.".to_owned()));
    }
    let value = convert(value, &Type::Bool)
        .map_err(|error| invalid(format!("`enabled` must be true or false: {error}.")))?;
    if let Some(unknown) = value.as_unknown() {
        not_plannable(ids::INVALID_ENABLED, "enabled", &unknown.origins)?;
        return Ok(Expansion::Unknown(unknown.origins.clone()));
    }
    Ok(match value.as_bool() {
        Some(false) => Expansion::Absent,
        Some(true) | None => Expansion::Once(RepetitionData::default()),
    })
}

fn for_each(value: &Value) -> Result<Expansion<RepetitionData>, Problem> {
    let invalid = |detail: String| Problem::new(ids::INVALID_FOR_EACH, detail);
    if value.has_mark(&Mark::Sensitive) {
        return Err(invalid(
            "`for_each` is sensitive, and its keys would show in the addresses of the instances. Use a value that is \
             not sensitive for the keys."
                .to_owned(),
        ));
    }
    let wrong_type = |ty: &Type| {
        invalid(format!(
            "`for_each` must be a map, an object or a set of strings, not a {}. For a list of strings, use `toset(…)`.",
            ty.friendly_name()
        ))
    };
    match value.unmarked().kind() {
        ValueKind::Null(_) => Err(invalid(
            "`for_each` is null. It must be a map or set, an empty one for no instance.".to_owned(),
        )),
        ValueKind::Unknown(unknown) => match &unknown.ty {
            Type::Dynamic | Type::Map(_) | Type::Object(_) | Type::Set(_) => {
                not_plannable(ids::INVALID_FOR_EACH, "for_each", &unknown.origins)?;
                Ok(Expansion::Unknown(unknown.origins.clone()))
            }
            ty @ (Type::Bool | Type::Number | Type::String | Type::List(_) | Type::Tuple(_)) => {
                Err(wrong_type(ty))
            }
        },
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            let instances = entries.iter().map(|(key, value)| {
                let each = (Value::from(&**key), value.clone());
                (Arc::clone(key), RepetitionData { count_index: None, each: Some(each) })
            });
            Ok(Expansion::ForEach(instances.collect()))
        }
        ValueKind::Set(elements) => {
            let mut instances = Vec::with_capacity(elements.len());
            for element in elements {
                if let Some(unknown) = element.as_unknown() {
                    not_plannable(ids::INVALID_FOR_EACH, "for_each", &unknown.origins)?;
                    return Ok(Expansion::Unknown(unknown.origins.clone()));
                }
                let key = element.as_str().ok_or_else(|| {
                    let ty = element.ty();
                    let found = if element.is_null() { "a null".to_owned() } else { ty.friendly_name() };
                    invalid(format!(
                        "The elements of a set in `for_each` must be strings; one of them is {found}."
                    ))
                })?;
                let each = Some((element.clone(), element.clone()));
                instances.push((Arc::from(key), RepetitionData { count_index: None, each }));
            }
            Ok(Expansion::ForEach(instances))
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Tuple(_)
        | ValueKind::Marked(..) => Err(wrong_type(&value.ty())),
    }
}
