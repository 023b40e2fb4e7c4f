//! How many instances a block has.

use terrane_config::Declaration;
use terrane_config::address::{InstanceKey, Object};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, ids};
use terrane_syntax::Expression;
use terrane_value::{Mark, Number, Origin, OriginKind, Origins, SmolStr, Type, Value, ValueKind, convert};

use crate::evaluate::{
    AbsentInstance, Called, Evaluation, Expansion, Instances, MAX_OBJECTS, ModuleScope, RepetitionData,
};
use crate::model::ids::{CallId, InstanceId};
use crate::model::module::Repetition;
use crate::rules::Rules;
use crate::rules::phase::Phase;

/// The largest number of instances of one block.
const MAX_INSTANCES: i64 = 1_000_000;

/// The instances of a module call.
pub(crate) fn module_call(
    evaluation: &mut Evaluation,
    instance: InstanceId,
    id: CallId,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) {
    let state = &evaluation.instances[instance];
    let path = state.path.clone();
    let node = evaluation.config.node(state.node);
    let node_path = node.path.clone();
    let (name, call) = node.module.calls.entry_of(id);
    let name = name.clone();
    let called = node.called[id];
    let expanded = expand(
        evaluation,
        &evaluation.scope(instance),
        (Repeated::Module, &call.repetition),
        files,
        diagnostics,
    );
    // An instance of a module takes as much memory by itself as a few objects.
    let objects = called.map_or(0, |called| 4 + evaluation.config.node(called).module.objects());
    let place = call.declaration.clone();
    let repetition = affordable(evaluation, expanded, objects, &place, diagnostics);
    let unexpanded = repetition.unknown().cloned();
    let child = node_path.child(&name, InstanceKey::None);
    let absent = evaluation.config.absent.iter().find(|absent| absent.path == child);
    let unknown_source = absent.map(|absent| absent.causes.clone()).filter(|causes| !causes.is_empty());
    let expansion = repetition.map(|key, data| match called {
        Some(called) => {
            let path = path.child(&name, key);
            Called::Instance(evaluation.add_instance(called, path, Some(instance), data, unexpanded.clone()))
        }
        None => {
            let object = Object::ModuleCall(name.clone(), key);
            let address = evaluation.address(instance, object).to_string();
            let origins = match &unknown_source {
                Some(causes) => causes.clone(),
                None => Origins::one(OriginKind::Module, address),
            };
            Called::Absent(Box::new(AbsentInstance { origins, arguments: Value::error(), repetition: data }))
        }
    });
    evaluation.instances[instance].calls[id] = Instances::new(expansion);
}

/// The same instances, or none where there would be too many in all; that is reported at the block.
pub(crate) fn affordable(
    evaluation: &mut Evaluation,
    expansion: Expansion<RepetitionData>,
    objects: usize,
    place: &Declaration,
    diagnostics: &mut Diagnostics,
) -> Expansion<RepetitionData> {
    if evaluation.afford(expansion.count(), objects) {
        return expansion;
    }
    let detail = format!(
        "All instances of modules and resources together would have more than {MAX_OBJECTS} objects. Those of this block \
         are left out."
    );
    diagnostics.push(Diagnostic::error(ids::LIMIT_EXCEEDED, detail).at(&place.file, place.span));
    Expansion::Unknown { origins: Origins::error(), any: None }
}

impl Expansion<RepetitionData> {
    /// The same instances with something made for each.
    pub(crate) fn map<T>(self, mut make: impl FnMut(InstanceKey, RepetitionData) -> T) -> Expansion<T> {
        match self {
            Expansion::Once(data) => Expansion::Once(make(InstanceKey::None, data)),
            Expansion::Count(all) => {
                let made = (0..).zip(all).map(|(index, data)| make(InstanceKey::Index(index), data));
                Expansion::Count(made.collect())
            }
            Expansion::ForEach(all) => {
                let made = all.into_iter().map(|(key, data)| {
                    let value = make(InstanceKey::Key(key.clone()), data);
                    (key, value)
                });
                Expansion::ForEach(made.collect())
            }
            Expansion::Absent => Expansion::Absent,
            Expansion::Unknown { origins, any } => {
                Expansion::Unknown { origins, any: any.map(|data| make(InstanceKey::None, data)) }
            }
        }
    }
}

/// What has instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repeated {
    Module,
    Resource,
}

/// The instances that `count` or `for_each` asks for.
pub(crate) fn expand(
    evaluation: &Evaluation,
    names: &ModuleScope<'_>,
    (of, repetition): (Repeated, &Repetition),
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
    let causes = value.origins_deep();
    let expansion = match repetition {
        // A plan is needed to tell whether that can be planned.
        _ if evaluation.phase() == Phase::Validate && is_late(&causes) => {
            Ok(any_of(&causes, RepetitionData::unknown(repetition, &causes)))
        }
        // Only a plan looks at it.
        Repetition::Enabled(_) if evaluation.phase() == Phase::Validate => {
            Ok(Expansion::Once(RepetitionData::default()))
        }
        Repetition::Count(_) => count(&value),
        Repetition::Enabled(_) => enabled(&value),
        Repetition::ForEach(_) | Repetition::Once => {
            // Of a set in a resource that is not known, a validation does not ask for the type.
            let is_open = evaluation.phase() == Phase::Validate
                && of == Repeated::Resource
                && value.as_unknown().is_some();
            for_each(&value, &evaluation.config.rules, is_open)
        }
    };
    let expansion = expansion.unwrap_or_else(|problem| {
        let own_title = problem.is_in_set.then_some(evaluation.config.rules.for_each_element_title);
        let diagnostic = problem.diagnostic(resolved);
        diagnostics.push(match own_title {
            Some(title) => diagnostic.titled(title),
            None => diagnostic,
        });
        Expansion::Unknown { origins: Origins::error(), any: None }
    });
    match (evaluation.phase(), expansion, repetition) {
        (Phase::Validate, _, Repetition::Count(_) | Repetition::ForEach(_)) => {
            any_of(value.origins(), RepetitionData::unknown(repetition, value.origins()))
        }
        (_, expansion, _) => expansion,
    }
}

/// The instances that a `for_each` outside of resources and modules asks for.
pub(crate) fn each(
    value: &Value,
    expression: &Expression,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) -> Expansion<RepetitionData> {
    for_each(value, rules, false).unwrap_or_else(|problem| {
        diagnostics.push(problem.diagnostic(expression));
        Expansion::Unknown { origins: Origins::error(), any: None }
    })
}

/// What is wrong with a `count` or `for_each`.
struct Problem {
    id: DiagnosticId,
    detail: String,
    /// Whether it is about an element of a set, for which Terraform has a title of its own.
    is_in_set: bool,
}

impl Problem {
    fn new(id: DiagnosticId, detail: impl Into<String>) -> Problem {
        Problem { id, detail: detail.into(), is_in_set: false }
    }

    fn diagnostic(self, expression: &Expression) -> Diagnostic {
        Diagnostic::error(self.id, self.detail).at(expression.source(), expression.span())
    }
}

fn count(value: &Value) -> Result<Expansion<RepetitionData>, Problem> {
    let invalid = |detail: &str| Problem::new(ids::INVALID_COUNT, detail);
    if value.has_mark(&Mark::Ephemeral) {
        return Err(invalid("`count` is ephemeral, but how many instances there are is stored."));
    }
    let value = value.unmarked();
    if value.is_null() {
        return Err(invalid("`count` is null. It must be a whole number, 0 for no instance."));
    }
    let value = convert(value, &Type::Number).map_err(|error| {
        Problem::new(ids::INCORRECT_VALUE_TYPE, format!("`count` must be a whole number: {error}."))
    })?;
    if let Some(unknown) = value.as_unknown() {
        not_plannable(ids::INVALID_COUNT, "count", &unknown.origins)?;
        let index = Value::unknown_from(Type::Number, unknown.origins.clone()).not_null();
        return Ok(any_of(&unknown.origins, RepetitionData { count_index: Some(index), each: None }));
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
    let Some(causes) = late_causes(origins) else { return Ok(()) };
    let detail = format!(
        "The value of `{argument}` must be known before anything is created, but it depends on values that are known \
         only afterwards: {causes}.",
    );
    Err(Problem::new(id, detail))
}

/// Whether all causes are such that the value is known only when something is created.
pub(crate) fn is_late(origins: &Origins) -> bool {
    let origins = origins.as_slice();
    !origins.is_empty() && origins.iter().all(is_computed)
}

/// What makes a value unknown until something is created, where nothing else does.
pub(crate) fn late_causes(origins: &Origins) -> Option<String> {
    let causes: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
    is_late(origins).then(|| causes.join("; "))
}

/// Whether the cause is known only when something is created, as functions are that give something else each time. A data source is read in the plan, unless its configuration
/// is known only then.
fn is_computed(origin: &Origin) -> bool {
    match origin.kind {
        OriginKind::Computed => true,
        OriginKind::DataSource => is_late(&origin.causes),
        // Others, such as the time of the plan, are known in the plan, but not here.
        OriginKind::ImpureFunction => matches!(&*origin.subject, "bcrypt" | "timestamp" | "uuid"),
        OriginKind::Variable
        | OriginKind::ResourceAttribute
        | OriginKind::Module
        | OriginKind::ProviderFunction
        | OriginKind::RemoteFunction
        | OriginKind::BuildVariable
        | OriginKind::Error => false,
    }
}

/// Instances of which it is not known how many there are.
fn any_of(origins: &Origins, data: RepetitionData) -> Expansion<RepetitionData> {
    Expansion::Unknown { origins: origins.clone(), any: Some(data) }
}

/// What `each` is for any element of a collection of type `ty`, of which the elements are not known.
fn any_element(ty: &Type, origins: &Origins) -> RepetitionData {
    let key = Value::unknown_from(Type::String, origins.clone()).not_null();
    let value = match ty {
        Type::Set(_) => key.clone(),
        Type::Map(element) => Value::unknown_from((**element).clone(), origins.clone()),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::List(_)
        | Type::Tuple(_)
        | Type::Object(_) => Value::unknown_from(Type::Dynamic, origins.clone()),
    };
    RepetitionData { count_index: None, each: Some((key, value)) }
}

fn enabled(value: &Value) -> Result<Expansion<RepetitionData>, Problem> {
    let invalid = |detail: String| Problem::new(ids::INVALID_ENABLED, detail);
    if value.has_mark(&Mark::Sensitive) {
        return Err(invalid(
            "`enabled` is sensitive, and whether there is an instance would show its value.".to_owned(),
        ));
    }
    if value.has_mark(&Mark::Ephemeral) {
        return Err(invalid(
            "`enabled` is ephemeral, but whether there is an instance is stored.".to_owned(),
        ));
    }
    let value = value.unmarked();
    if value.is_null() {
        return Err(invalid("`enabled` is null. It must be true or false.".to_owned()));
    }
    let value = convert(value, &Type::Bool)
        .map_err(|error| invalid(format!("`enabled` must be true or false: {error}.")))?;
    if let Some(unknown) = value.as_unknown() {
        not_plannable(ids::INVALID_ENABLED, "enabled", &unknown.origins)?;
        return Ok(any_of(&unknown.origins, RepetitionData::default()));
    }
    Ok(match value.as_bool() {
        Some(false) => Expansion::Absent,
        Some(true) | None => Expansion::Once(RepetitionData::default()),
    })
}

/// A set must be one of strings.
fn check_set(ty: &Type) -> Result<(), Problem> {
    let Type::Set(element) = ty else { return Ok(()) };
    if matches!(**element, Type::String | Type::Dynamic) {
        return Ok(());
    }
    let detail = format!(
        "A set in `for_each` must be one of strings, not of {}. `toset([for x in … : tostring(x)])` makes one.",
        element.friendly_name()
    );
    Err(Problem { is_in_set: true, ..Problem::new(ids::INVALID_FOR_EACH, detail) })
}

/// The keys of instances are shown and stored, so they must not come of a value that must not.
fn keys_can_be_shown(value: &Value) -> Result<(), Problem> {
    let detail = if value.has_mark(&Mark::Sensitive) {
        "`for_each` is sensitive, and its keys would show in the addresses of the instances. Use a value that is not \
         sensitive for the keys."
    } else if value.has_mark(&Mark::Ephemeral) {
        "`for_each` is ephemeral, but the keys of the instances are stored."
    } else {
        return Ok(());
    };
    Err(Problem::new(ids::INVALID_FOR_EACH, detail))
}

/// The instances for the elements of `value`. In OpenTofu a set must be one of strings, even if it is empty or, unless it
/// `is_open`, not known.
fn for_each(value: &Value, rules: &Rules, is_open: bool) -> Result<Expansion<RepetitionData>, Problem> {
    keys_can_be_shown(value)?;
    if rules.for_each_sets_are_of_strings && !is_open {
        check_set(&value.ty())?;
    }
    let invalid = |detail: String| Problem::new(ids::INVALID_FOR_EACH, detail);
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
                Ok(any_of(&unknown.origins, any_element(&unknown.ty, &unknown.origins)))
            }
            ty @ (Type::Bool | Type::Number | Type::String | Type::List(_) | Type::Tuple(_)) => {
                Err(wrong_type(ty))
            }
        },
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            let instances = entries.iter().map(|(key, value)| {
                let each = (Value::from(&**key), value.clone());
                (key.clone(), RepetitionData { count_index: None, each: Some(each) })
            });
            Ok(Expansion::ForEach(instances.collect()))
        }
        ValueKind::Set(elements) => {
            let mut instances = Vec::with_capacity(elements.len());
            for element in elements {
                if let Some(unknown) = element.as_unknown() {
                    not_plannable(ids::INVALID_FOR_EACH, "for_each", &unknown.origins)?;
                    return Ok(any_of(&unknown.origins, any_element(&value.ty(), &unknown.origins)));
                }
                let key = element.as_str().ok_or_else(|| {
                    let ty = element.ty();
                    let found = if element.is_null() { "a null".to_owned() } else { ty.friendly_name() };
                    let detail = format!(
                        "The elements of a set in `for_each` must be strings; one of them is {found}."
                    );
                    Problem { is_in_set: true, ..invalid(detail) }
                })?;
                let each = Some((element.clone(), element.clone()));
                instances.push((SmolStr::from(key), RepetitionData { count_index: None, each }));
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
