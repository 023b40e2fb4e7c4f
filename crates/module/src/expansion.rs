//! Expands the values of `count`, `for_each` and `enabled` into the instances of a block.
//!
//! Everything here is a function of a value; [`repetition`](crate::state::repetition) evaluates the argument of a block in
//! its scope.

use terrane_config::address::InstanceKey;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, ids};
use terrane_syntax::Expression;
use terrane_value::{
    Mark, Marks, Number, Origin, OriginKind, Origins, SmolStr, Type, Value, ValueKind, convert, with_article,
};

use crate::model::module::Repetition;
use crate::rules::Rules;

/// The largest number of instances of one block.
const MAX_INSTANCES: i64 = 1_000_000;

/// The instances of a block.
#[derive(Clone, Debug)]
pub enum Expansion<T> {
    /// One instance, without a key.
    Once(T),
    /// The instances of a `count`.
    Count(Vec<T>),
    /// The instances of a `for_each`, in key order.
    ForEach(Vec<(SmolStr, T)>),
    /// No instance, because `enabled` is false: reading the block gives null.
    Absent,
    /// An unknown number of instances, because `count` or `for_each` is unknown.
    Unknown {
        /// Why the number is unknown.
        origins: Origins,
        /// The data of an instance that stands for all of them, if there is any.
        any: Option<T>,
    },
}

impl<T> Expansion<T> {
    /// Returns the reason why the instances are unknown; `None` if they are known.
    pub fn unknown(&self) -> Option<&Origins> {
        match self {
            Expansion::Unknown { origins, .. } => Some(origins),
            Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Absent => None,
        }
    }

    /// Returns the number of known instances.
    pub fn len(&self) -> usize {
        match self {
            Expansion::Once(_) => 1,
            Expansion::Count(all) => all.len(),
            Expansion::ForEach(all) => all.len(),
            Expansion::Absent | Expansion::Unknown { .. } => 0,
        }
    }

    /// Whether no instance is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there are at least 16 instances. From this number on, instances share one value and one row of the document.
    pub fn is_large(&self) -> bool {
        const LARGE: usize = 16;
        self.len() >= LARGE
    }

    /// Returns the instance with a key.
    pub fn get(&self, key: &InstanceKey) -> Option<&T> {
        match (self, key) {
            (Expansion::Once(only), InstanceKey::None) => Some(only),
            (Expansion::Count(all), InstanceKey::Index(index)) => all.get(usize::try_from(*index).ok()?),
            (Expansion::ForEach(all), InstanceKey::Key(key)) => {
                let found = all.binary_search_by(|(other, _)| other.cmp(key)).ok()?;
                all.get(found).map(|(_, instance)| instance)
            }
            (
                Expansion::Once(_)
                | Expansion::Count(_)
                | Expansion::ForEach(_)
                | Expansion::Absent
                | Expansion::Unknown { .. },
                InstanceKey::None | InstanceKey::Index(_) | InstanceKey::Key(_),
            ) => None,
        }
    }

    /// Returns the instance with a key, or the instance that stands for all if their number is unknown.
    pub fn get_or_any(&self, key: &InstanceKey) -> Option<&T> {
        match self {
            Expansion::Unknown { any, .. } => any.as_ref(),
            Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Absent => {
                self.get(key)
            }
        }
    }

    /// Whether there is a known instance with a key.
    pub fn has(&self, key: &InstanceKey) -> bool {
        self.get(key).is_some()
    }

    /// Whether an error that names no object makes the number of instances unknown.
    pub(crate) fn has_nameless_error(&self) -> bool {
        match self {
            Expansion::Unknown { origins, .. } => origins.has_nameless_error(),
            Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Absent => false,
        }
    }

    /// Names the object that has the errors which make the number of instances unknown.
    pub(crate) fn with_errors_of(self, object: &str) -> Expansion<T> {
        match self {
            Expansion::Unknown { origins, any } => {
                Expansion::Unknown { origins: origins.with_errors_of(object), any }
            }
            Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Absent => self,
        }
    }

    /// Returns all instances. If their number is unknown, returns the instance that stands for all of them.
    pub(crate) fn all_mut(&mut self) -> Vec<&mut T> {
        match self {
            Expansion::Once(only) => vec![only],
            Expansion::Count(all) => all.iter_mut().collect(),
            Expansion::ForEach(all) => all.iter_mut().map(|(_, instance)| instance).collect(),
            Expansion::Absent => Vec::new(),
            Expansion::Unknown { any, .. } => any.iter_mut().collect(),
        }
    }

    /// Returns all instances. If their number is unknown, returns the instance that stands for all of them.
    pub(crate) fn all(&self) -> Vec<&T> {
        match self {
            Expansion::Once(only) => vec![only],
            Expansion::Count(all) => all.iter().collect(),
            Expansion::ForEach(all) => all.iter().map(|(_, instance)| instance).collect(),
            Expansion::Absent => Vec::new(),
            Expansion::Unknown { any, .. } => any.iter().collect(),
        }
    }

    /// Returns the instances with their keys.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (InstanceKey, &T)> + '_> {
        match self {
            Expansion::Once(only) => Box::new(std::iter::once((InstanceKey::None, only))),
            Expansion::Count(all) => {
                Box::new((0..).zip(all).map(|(index, instance)| (InstanceKey::Index(index), instance)))
            }
            Expansion::ForEach(all) => {
                Box::new(all.iter().map(|(key, instance)| (InstanceKey::Key(key.clone()), instance)))
            }
            Expansion::Absent | Expansion::Unknown { .. } => Box::new(std::iter::empty()),
        }
    }
}

impl Expansion<RepetitionData> {
    /// Returns the instances of a `count`, or an error if there are too many.
    pub(crate) fn numbered(count: u64) -> Expansion<RepetitionData> {
        if i64::try_from(count).map_or(true, |count| count > MAX_INSTANCES) {
            return Expansion::Unknown { origins: Origins::error(), any: None };
        }
        let data = |index| RepetitionData::of_key(&InstanceKey::Index(index));
        Expansion::Count((0..count).map(data).collect())
    }
}

/// The values of `count.index`, `each.key` and `each.value` in an instance of a block.
#[derive(Clone, Default, Debug)]
pub struct RepetitionData {
    /// `count.index`.
    pub count_index: Option<Value>,
    /// `each.key` and `each.value`. Boxed, because a block with a `count` has up to a million of these.
    pub each: Option<Box<(Value, Value)>>,
}

impl RepetitionData {
    /// Returns the data of an instance whose key and value are unknown.
    pub(crate) fn unknown(repetition: &Repetition, origins: &Origins) -> RepetitionData {
        match repetition {
            Repetition::Once | Repetition::Enabled(_) => RepetitionData::default(),
            Repetition::Count(_) => RepetitionData::unknown_index(origins),
            Repetition::ForEach(_) => RepetitionData::unknown_each(origins),
        }
    }

    /// Returns the data of the instance with a key; `each.value` is unknown.
    pub(crate) fn of_key(key: &InstanceKey) -> RepetitionData {
        match key {
            InstanceKey::None => RepetitionData::default(),
            InstanceKey::Index(index) => {
                let index = i64::try_from(*index).ok().map(|index| Value::number(Number::counted(index)));
                RepetitionData { count_index: index, each: None }
            }
            InstanceKey::Key(key) => {
                let value = Value::unknown_from(Type::Dynamic, Origins::NONE);
                RepetitionData::of_each(Value::from(&**key), value)
            }
        }
    }

    /// Returns the data that stands for every instance of an unknown `count`.
    fn unknown_index(origins: &Origins) -> RepetitionData {
        let index = Value::unknown_from(Type::Number, origins.clone()).not_null();
        RepetitionData { count_index: Some(index), each: None }
    }

    /// Returns the data of an instance of a `for_each`.
    pub(crate) fn of_each(key: Value, value: Value) -> RepetitionData {
        RepetitionData { count_index: None, each: Some(Box::new((key, value))) }
    }

    /// Returns the data with marks on the key and the value of the element.
    pub(crate) fn with_marks(self, marks: &Marks) -> RepetitionData {
        let marked =
            |each: Box<(Value, Value)>| Box::new((each.0.with_marks(marks), each.1.with_marks(marks)));
        RepetitionData { each: self.each.map(marked), ..self }
    }

    /// Returns the data that stands for every instance of an unknown `for_each`.
    pub(crate) fn unknown_each(origins: &Origins) -> RepetitionData {
        RepetitionData::any_element(&Type::Dynamic, origins)
    }

    /// Returns the data that stands for every element of a collection of type `ty` whose elements are unknown.
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
        RepetitionData::of_each(key, value)
    }

    /// Whether both have identical values, marks and origins of unknown values included.
    pub(crate) fn is_identical(&self, other: &RepetitionData) -> bool {
        let is_index = match (&self.count_index, &other.count_index) {
            (Some(one), Some(other)) => one.is_identical(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_index
            && match (self.each.as_deref(), other.each.as_deref()) {
                (Some((key, value)), Some((other_key, other_value))) => {
                    key.is_identical(other_key) && value.is_identical(other_value)
                }
                (one, other) => one.is_none() && other.is_none(),
            }
    }
}

impl<T> Expansion<T> {
    /// Whether both have the same kind and keys, and `is_same` holds for each pair of instances.
    pub(crate) fn is_same(&self, other: &Expansion<T>, is_same: impl Fn(&T, &T) -> bool) -> bool {
        match (self, other) {
            (Expansion::Once(one), Expansion::Once(other)) => is_same(one, other),
            (Expansion::Count(all), Expansion::Count(others)) => {
                all.len() == others.len() && all.iter().zip(others).all(|(one, other)| is_same(one, other))
            }
            (Expansion::ForEach(all), Expansion::ForEach(others)) => {
                all.len() == others.len()
                    && all
                        .iter()
                        .zip(others)
                        .all(|(one, other)| one.0 == other.0 && is_same(&one.1, &other.1))
            }
            (Expansion::Absent, Expansion::Absent) => true,
            (
                Expansion::Unknown { origins, any },
                Expansion::Unknown { origins: other_origins, any: other_any },
            ) => {
                origins == other_origins
                    && match (any, other_any) {
                        (Some(one), Some(other)) => is_same(one, other),
                        (one, other) => one.is_none() && other.is_none(),
                    }
            }
            (
                Expansion::Once(_)
                | Expansion::Count(_)
                | Expansion::ForEach(_)
                | Expansion::Absent
                | Expansion::Unknown { .. },
                _,
            ) => false,
        }
    }
}

impl Expansion<RepetitionData> {
    /// Replaces the data of each instance by the result of `make`.
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

/// Returns the instance key that a value stands for: a whole number or a string; `None` for any other value.
pub(crate) fn instance_key(value: &Value) -> Option<InstanceKey> {
    let value = value.unmarked();
    let index = value.as_number().and_then(|number| u64::try_from(number.to_i64()?).ok());
    index.map(InstanceKey::Index).or_else(|| value.as_str().map(|key| InstanceKey::Key(SmolStr::from(key))))
}

/// Returns the instances of a `for_each` outside resources and modules. Reports a wrong value at `expression`.
pub(crate) fn for_each_reported(
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

/// A wrong value of `count`, `for_each` or `enabled`.
pub(crate) struct ExpansionError {
    id: DiagnosticId,
    detail: String,
    /// Whether an element of a set is wrong, for which Terraform has its own title.
    pub(crate) is_in_set: bool,
}

impl ExpansionError {
    fn new(id: DiagnosticId, detail: impl Into<String>) -> ExpansionError {
        ExpansionError { id, detail: detail.into(), is_in_set: false }
    }

    /// Returns the error at the argument.
    pub(crate) fn diagnostic(self, expression: &Expression) -> Diagnostic {
        Diagnostic::error(self.id, self.detail).at(expression.source(), expression.span())
    }
}

/// Returns the instances of a `count`.
pub(crate) fn count(value: &Value) -> Result<Expansion<RepetitionData>, ExpansionError> {
    let invalid = |detail: &str| ExpansionError::new(ids::INVALID_COUNT, detail);
    if value.has_mark(&Mark::Ephemeral) {
        return Err(invalid("`count` is ephemeral, but the number of instances is stored."));
    }
    let value = value.unmarked();
    if value.is_null() {
        return Err(invalid("`count` is null. It must be a whole number, 0 for no instance."));
    }
    let value = convert(value, &Type::Number).map_err(|error| {
        ExpansionError::new(ids::INCORRECT_VALUE_TYPE, format!("`count` must be a whole number: {error}."))
    })?;
    if let Some(unknown) = value.as_unknown() {
        not_plannable(ids::INVALID_COUNT, "count", &unknown.origins)?;
        return Ok(any_of(&unknown.origins, RepetitionData::unknown_index(&unknown.origins)));
    }
    let number = value.as_number().filter(|number| number.is_integer());
    let number = number.ok_or_else(|| invalid("`count` must be a whole number."))?;
    if number.is_negative() {
        return Err(invalid("`count` must not be negative."));
    }
    let count = number.to_i64().filter(|count| *count <= MAX_INSTANCES);
    let count = count.and_then(|count| u64::try_from(count).ok());
    let count = count.ok_or_else(|| invalid("`count` is larger than a million, the limit for one block."))?;
    Ok(Expansion::numbered(count))
}

/// Returns an error if the value depends on attributes that only the provider sets, in a resource with a known schema:
/// Terraform and OpenTofu cannot plan such instances.
fn not_plannable(id: DiagnosticId, argument: &str, origins: &Origins) -> Result<(), ExpansionError> {
    let Some(causes) = late_causes(origins) else { return Ok(()) };
    let detail = format!(
        "The value of `{argument}` must be known before anything is created, but it depends on values that are known \
         only afterwards: {causes}.",
    );
    Err(ExpansionError::new(id, detail))
}

/// Whether only an apply resolves every cause.
pub(crate) fn is_late(origins: &Origins) -> bool {
    let origins = origins.as_slice();
    !origins.is_empty() && origins.iter().all(is_computed)
}

/// Returns the causes of an unknown value if only an apply resolves all of them.
pub(crate) fn late_causes(origins: &Origins) -> Option<String> {
    let causes: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
    is_late(origins).then(|| causes.join("; "))
}

/// Whether only an apply resolves the cause, which includes functions whose result differs from call to call. The plan
/// reads a data source unless its configuration is known only after an apply.
fn is_computed(origin: &Origin) -> bool {
    match origin.kind {
        OriginKind::Computed | OriginKind::ImpureFunction => true,
        OriginKind::DataSource => is_late(&origin.causes),
        OriginKind::Variable
        | OriginKind::ResourceAttribute
        | OriginKind::ProviderDefault
        | OriginKind::Module
        | OriginKind::RunFunction
        | OriginKind::ProviderFunction
        | OriginKind::RemoteFunction
        | OriginKind::BuildVariable
        | OriginKind::NotComputed
        | OriginKind::Error
        | OriginKind::HiddenName => false,
    }
}

/// Returns an unknown number of instances, with `data` for any of them.
pub(crate) fn any_of(origins: &Origins, data: RepetitionData) -> Expansion<RepetitionData> {
    Expansion::Unknown { origins: origins.clone(), any: Some(data) }
}

/// Returns the instance of an `enabled` that is true, none if it is false.
pub(crate) fn enabled(value: &Value) -> Result<Expansion<RepetitionData>, ExpansionError> {
    let invalid = |detail: String| ExpansionError::new(ids::INVALID_ENABLED, detail);
    if value.has_mark(&Mark::Sensitive) {
        return Err(invalid(
            "`enabled` is sensitive, and the existence of the instance would reveal its value.".to_owned(),
        ));
    }
    if value.has_mark(&Mark::Ephemeral) {
        return Err(invalid(
            "`enabled` is ephemeral, but the existence of the instance is stored.".to_owned(),
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

/// Rejects a set whose type is not a set of strings.
fn check_set(ty: &Type) -> Result<(), ExpansionError> {
    let Type::Set(element) = ty else { return Ok(()) };
    if matches!(**element, Type::String | Type::Dynamic) {
        return Ok(());
    }
    let detail = format!(
        "A set in `for_each` must be a set of strings, not of {}. `toset([for x in … : tostring(x)])` \
         makes one.",
        element.friendly_name()
    );
    Err(ExpansionError { is_in_set: true, ..ExpansionError::new(ids::INVALID_FOR_EACH, detail) })
}

/// Rejects a sensitive or ephemeral `for_each`: the keys of instances are shown and stored.
fn keys_can_be_shown(value: &Value) -> Result<(), ExpansionError> {
    let detail = if value.has_mark(&Mark::Sensitive) {
        "`for_each` is sensitive, and the addresses of the instances would reveal its keys. Use a value \
         that is not sensitive for the keys."
    } else if value.has_mark(&Mark::Ephemeral) {
        "`for_each` is ephemeral, but the keys of the instances are stored."
    } else {
        return Ok(());
    };
    Err(ExpansionError::new(ids::INVALID_FOR_EACH, detail))
}

/// Returns the instances for the elements of a set of type `ty`; their number is unknown if an element is unknown.
fn for_each_of_set<'v>(
    elements: impl IntoIterator<Item = &'v Value> + Clone,
    ty: &Type,
) -> Result<Expansion<RepetitionData>, ExpansionError> {
    let mut unknown = elements.clone().into_iter().filter_map(Value::as_unknown).peekable();
    if unknown.peek().is_some() {
        let mut origins = Origins::NONE;
        for element in unknown {
            not_plannable(ids::INVALID_FOR_EACH, "for_each", &element.origins)?;
            origins = origins.union(&element.origins);
        }
        return Ok(any_of(&origins, RepetitionData::any_element(ty, &origins)));
    }
    let mut instances = Vec::new();
    for element in elements {
        let key = element.as_str().ok_or_else(|| {
            let found = if element.is_null() { "a null".to_owned() } else { element.ty().friendly_name() };
            let detail =
                format!("The elements of a set in `for_each` must be strings; one of them is {found}.");
            ExpansionError { is_in_set: true, ..ExpansionError::new(ids::INVALID_FOR_EACH, detail) }
        })?;
        instances.push((SmolStr::from(key), RepetitionData::of_each(element.clone(), element.clone())));
    }
    Ok(Expansion::ForEach(instances))
}

/// Returns the instances of a `for_each`, one for each element of `value`. OpenTofu requires a set of strings, even if
/// the set is empty or, unless `is_open`, unknown.
pub(crate) fn for_each(
    value: &Value,
    rules: &Rules,
    is_open: bool,
) -> Result<Expansion<RepetitionData>, ExpansionError> {
    keys_can_be_shown(value)?;
    if value.has_mark(&Mark::Hidden) && value.as_unknown().is_none() {
        let reason = "the addresses of the instances would show a value that is computed from a secret";
        let origins = Origins::one(OriginKind::NotComputed, reason);
        return Ok(any_of(&origins, RepetitionData::any_element(&value.ty(), &origins)));
    }
    if rules.for_each_sets_are_of_strings && !is_open {
        check_set(&value.ty())?;
    }
    let invalid = |detail: String| ExpansionError::new(ids::INVALID_FOR_EACH, detail);
    let wrong_type = |ty: &Type| {
        invalid(format!(
            "`for_each` must be a map, an object or a set of strings, not {}. For a list of strings, use `toset(…)`.",
            with_article(&ty.friendly_name())
        ))
    };
    match value.unmarked().kind() {
        ValueKind::Null(_) => Err(invalid(
            "`for_each` is null. It must be a map or set, an empty one for no instance.".to_owned(),
        )),
        ValueKind::Unknown(unknown) => match &unknown.ty {
            Type::Dynamic | Type::Map(_) | Type::Object(_) | Type::Set(_) => {
                not_plannable(ids::INVALID_FOR_EACH, "for_each", &unknown.origins)?;
                Ok(any_of(&unknown.origins, RepetitionData::any_element(&unknown.ty, &unknown.origins)))
            }
            ty @ (Type::Bool | Type::Number | Type::String | Type::List(_) | Type::Tuple(_)) => {
                Err(wrong_type(ty))
            }
        },
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            let instances = entries.iter().map(|(key, value)| {
                (key.clone(), RepetitionData::of_each(Value::from(&**key), value.clone()))
            });
            Ok(Expansion::ForEach(instances.collect()))
        }
        ValueKind::Set(elements) => for_each_of_set(elements, &value.ty()),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Tuple(_)
        | ValueKind::Marked(..) => Err(wrong_type(&value.ty())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_of_an_instance_is_small() {
        assert!(size_of::<RepetitionData>() <= size_of::<Value>() + size_of::<usize>());
    }
}
