//! Functions on maps and objects.

use std::collections::BTreeMap;

use terrane_function::{
    Availability, Call, Cost, Direct, Function, FunctionError, Parameter, ResultParts, ResultType,
};
use terrane_value::{Known, Marks, Origins, SmolStr, Type, Unknown, Value, ValueKind, convert, ops};

use super::elements::text;
use crate::conversion::spend_on_conversion;

#[expect(clippy::too_many_lines, reason = "a table: a row for each function")]
pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(
            "lookup",
            "Returns the element of a map or the attribute of an object with a key, or the default if the \
             key does not exist.",
            ResultType::computed(lookup_type),
            lookup,
        )
        .made_of(ResultParts::ElementOrDefault)
        .parameter(Parameter::new("inputMap", Type::Dynamic).marked().open())
        .parameter(Parameter::new("key", Type::String).marked())
        .variadic(Parameter::new("default", Type::Dynamic).null().unknown().dynamic().marked())
        .nullable()
        .since(Availability::modules())
        .examples(&[(r#"lookup({ a = 1 }, "b", 2)"#, "2")])
        .cost(Cost::Constant)
        .pure(),
        Function::new(
            "lookup",
            "Returns the element of a map or the attribute of an object with a key, or the default if the \
             key does not exist.",
            ResultType::computed(lookup_type),
            lookup,
        )
        .made_of(ResultParts::ElementOrDefault)
        .parameter(Parameter::new("inputMap", Type::Dynamic).marked().open())
        .parameter(Parameter::new("key", Type::String).marked())
        .parameter(Parameter::new("default", Type::Dynamic).marked())
        .since(Availability::nowhere().packer(5))
        .examples(&[("lookup({ a = 1 }, \"b\", 2)", "2")])
        .nullable()
        .cost(Cost::Constant)
        .pure(),
        Function::new(
            "keys",
            "Returns the keys of a map or the attribute names of an object, sorted.",
            ResultType::computed(keys_type),
            keys,
        )
        .made_of(ResultParts::Keys)
        .parameter(Parameter::new("inputMap", Type::Dynamic).unknown().marked())
        .examples(&[("keys({ b = 1, a = 2 })", "[\n  \"a\",\n  \"b\",\n]")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "values",
            "Returns the elements of a map or the attributes of an object, in the order of their keys.",
            ResultType::computed(values_type),
            values,
        )
        .made_of(ResultParts::Elements)
        .parameter(Parameter::new("mapping", Type::Dynamic).marked())
        .examples(&[("values({ b = 1, a = 2 })", "[\n  2,\n  1,\n]")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "merge",
            "Merges maps and objects. For equal keys, the last argument wins; null arguments are ignored.",
            ResultType::computed(merge_type),
            merge,
        )
        .made_of(ResultParts::Merged)
        .variadic(Parameter::new("maps", Type::Dynamic).null().dynamic().marked().open())
        .examples(&[("merge({ a = 1, b = 2 }, { b = 3 })", "{\n  \"a\" = 1\n  \"b\" = 3\n}")])
        .cost(Cost::Light)
        .direct(Direct::Objects(Value::object_of_both))
        .pure(),
        Function::new(
            "zipmap",
            "Combines a list of keys and a list or tuple of as many values to a map or object.",
            ResultType::computed(zipmap_type),
            zipmap,
        )
        .parameter(Parameter::new("keys", Type::list(Type::String)).marked())
        .parameter(Parameter::new("values", Type::Dynamic).marked())
        .examples(&[(r#"zipmap(["a", "b"], [1, 2])"#, "{\n  \"a\" = 1\n  \"b\" = 2\n}")])
        .pure(),
        Function::new(
            "transpose",
            "Inverts a map of lists of strings: each string becomes a key for the list of the keys that had \
             it.",
            ResultType::Fixed(Type::map(Type::list(Type::String))),
            transpose,
        )
        .parameter(Parameter::new("values", Type::map(Type::list(Type::String))))
        .since(Availability::modules())
        .examples(&[(
            r#"transpose({ a = ["1", "2"], b = ["2"] })"#,
            r#"tomap({
  "1" = tolist([
    "a",
  ])
  "2" = tolist([
    "a",
    "b",
  ])
})"#,
        )])
        .pure(),
    ]
}

fn lookup_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    if call.arguments.len() > 3 {
        return Err(FunctionError::new("two or three arguments are needed"));
    }
    let default = call.arguments.get(2);
    match call.argument(0).ty() {
        // An open object may have further attributes.
        Type::Dynamic => Ok(Type::Dynamic),
        Type::Object(_) if !call.argument(1).is_known() => Ok(Type::Dynamic),
        Type::Object(object) => match (object.get(call.string(1)), default) {
            (Some(ty), _) => Ok(ty.clone()),
            (None, Some(default)) => Ok(default.ty()),
            (None, None) => Err(call.invalid(0, format!("the object has no attribute {}", call.quoted(1)))),
        },
        Type::Map(element) => {
            if let Some(default) = default {
                spend_on_conversion(call, default, &element)?;
            }
            match default.map(|default| convert(default, &element)) {
                Some(Err(_)) => Err(call.invalid(2, "the default must be of the type of the map's elements")),
                Some(Ok(_)) | None => Ok((*element).clone()),
            }
        }
        Type::Bool | Type::Number | Type::String | Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
            Err(call.invalid(0, "a map or object is required"))
        }
    }
}

fn lookup(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (map, key) = (call.argument(0), call.argument(1));
    let marks = map.marks().union(key.marks());
    if map.as_unknown().is_some() {
        return Ok(ops::index(map, key)?.with_marks(&marks));
    }
    if let Some(found) = map.as_entries().and_then(|entries| entries.get(call.string(1))) {
        return Ok(found.clone().with_marks(&marks));
    }
    match call.arguments.get(2) {
        Some(default) => Ok(convert(default, call.result_type)?.with_marks(&marks)),
        None => Err(FunctionError::new(format!("the map has no element {}", call.quoted(1)))),
    }
}

fn keys_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::Map(_) => Ok(Type::list(Type::String)),
        Type::Object(object) => Ok(Type::tuple(object.attributes().iter().map(|_| Type::String))),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::List(_)
        | Type::Set(_)
        | Type::Tuple(_) => Err(call.invalid(0, "a map or object is required")),
    }
}

fn keys(call: &Call<'_>) -> Result<Value, FunctionError> {
    let map = call.argument(0);
    // The type of an object has its attributes, even if the object is unknown.
    let keys = match (map.ty(), map.as_entries()) {
        (Type::Object(object), _) => {
            let names = object.attributes().iter().map(|(name, _)| Value::string(name.clone()));
            Value::tuple(names)
        }
        (_, Some(entries)) => Value::list(Type::String, entries.keys().map(|key| Value::string(key.clone()))),
        (_, None) => call.unknown(),
    };
    Ok(keys.with_marks(map.marks()))
}

fn values_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::Map(element) => Ok(Type::List(element)),
        Type::Object(object) => Ok(Type::tuple(object.attributes().iter().map(|(_, ty)| ty.clone()))),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::List(_)
        | Type::Set(_)
        | Type::Tuple(_) => Err(FunctionError::new("a map or object is required")),
    }
}

fn values(call: &Call<'_>) -> Result<Value, FunctionError> {
    let map = call.argument(0);
    let values = map.as_entries().into_iter().flat_map(|entries| entries.values().cloned());
    let values = match call.result_type.element() {
        Some(element) => Value::list(element.clone(), values),
        None => Value::tuple(values),
    };
    Ok(values.with_marks(map.marks()))
}

fn merge_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    // If an object is among known mappings, the result is an object, and the value itself has the type.
    let is_object = |value: &Value| matches!(value.unmarked().kind(), ValueKind::Object(_));
    if call.arguments.iter().all(|value| value.as_entries().is_some()) && call.arguments.iter().any(is_object)
    {
        return Ok(Type::Dynamic);
    }
    if let Some(ty) = common_map_type(call.arguments) {
        return Ok(ty);
    }
    let mut first = None;
    let mut same = true;
    let mut keys_known = true;
    let mut attributes = Vec::new();
    for argument in call.arguments {
        let mut ty = argument.ty();
        match &ty {
            Type::Dynamic => return Ok(Type::Dynamic),
            Type::Object(_) if argument.is_null() => ty = Type::object([]),
            Type::Object(object) => attributes.extend(object.attributes().iter().cloned()),
            Type::Map(_) if argument.is_null() => {}
            Type::Map(element) => match argument.as_entries() {
                Some(entries) => {
                    attributes.extend(entries.keys().map(|key| (key.clone(), (**element).clone())));
                }
                None => keys_known = false,
            },
            Type::Bool | Type::Number | Type::String | Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
                return Err(not_a_mapping(&ty));
            }
        }
        same &= ty == *first.get_or_insert_with(|| ty.clone());
    }
    Ok(match first {
        None => Type::object([]),
        Some(first) if same => first,
        Some(_) if keys_known => Type::object(attributes),
        Some(_) => Type::Dynamic,
    })
}

/// Returns the type of known maps that are all of one type; `None` if the arguments are anything else.
fn common_map_type(arguments: &[Value]) -> Option<Type> {
    let is_map = |value: &Value| matches!(value.unmarked().kind(), ValueKind::Map(_));
    let first = arguments.first().filter(|first| is_map(first))?.ty();
    arguments.iter().all(|map| is_map(map) && map.ty() == first).then_some(first)
}

fn merge(call: &Call<'_>) -> Result<Value, FunctionError> {
    // Most calls have two objects.
    if let [first, second] = call.arguments
        && let (ValueKind::Object(first), ValueKind::Object(second)) = (first.kind(), second.kind())
    {
        return Ok(Value::object_of_both(first, second));
    }
    let is_map = |value: &Value| value.is_sound() && matches!(value.kind(), ValueKind::Map(_));
    let maps = call.arguments.iter().map(|argument| argument.as_entries().filter(|_| is_map(argument)));
    if let (Some(maps), Type::Map(_)) = (maps.collect::<Option<Vec<_>>>(), call.result_type) {
        return Ok(Value::map_of_all(call.result_type, &maps));
    }
    if call.arguments.iter().any(|argument| argument.as_unknown().is_some()) {
        return Ok(merge_open(call));
    }
    // The check of the types stops at a null without a type.
    let wrong = call.arguments.iter().find(|argument| !argument.is_null() && !is_mapping(argument));
    if let Some(argument) = wrong {
        return Err(not_a_mapping(&argument.ty()));
    }
    if only_null_objects(call.arguments) {
        return Err(FunctionError::new("null objects have no attributes for the result"));
    }
    let maps = || call.arguments.iter().filter(|argument| !argument.is_null());
    let marks = maps().fold(Marks::NONE, |all, map| all.union(map.marks()));
    let maps = || maps().filter_map(Value::as_entries);
    let entries = maps().flat_map(|map| map.cloned());
    let merged = match call.result_type.element() {
        Some(element) => Value::map(element.clone(), entries),
        None => Value::object(entries),
    };
    Ok(merged.with_marks(&marks))
}

/// The known part of the result if open objects are among the arguments: their attributes, and the attributes of the
/// other arguments unless a later open object may override them.
fn merge_open(call: &Call<'_>) -> Value {
    let arguments = || call.arguments.iter().filter(|argument| !argument.is_null());
    let marks = arguments().fold(Marks::NONE, |all, argument| all.union(argument.marks()));
    let mut origins = Origins::NONE;
    let mut attributes: BTreeMap<SmolStr, Value> = BTreeMap::new();
    for argument in arguments() {
        let entries = match argument.as_unknown() {
            Some(Unknown { known: Known::Object(entries), origins: causes, .. }) => {
                origins = origins.union(causes);
                attributes.clear();
                entries
            }
            Some(_) => return call.unknown().with_marks(&marks),
            None => match argument.as_entries() {
                Some(entries) => entries,
                None => return call.unknown().with_marks(&marks),
            },
        };
        attributes.extend(entries.cloned());
    }
    // The elements of maps are converted to one type.
    let mut types = attributes.values().map(Value::ty).filter(|ty| *ty != Type::Dynamic);
    let first = types.next();
    let has_map = arguments().any(|argument| matches!(argument.ty(), Type::Map(_)));
    if has_map && types.any(|ty| Some(ty) != first) {
        return call.unknown().with_marks(&marks);
    }
    Value::open_object(attributes.into_iter().collect(), origins).with_marks(&marks)
}

/// Whether all arguments are null objects of one type with attributes, which is then the type of the result.
fn only_null_objects(arguments: &[Value]) -> bool {
    let first = arguments.first().map(Value::ty);
    let has_attributes = |ty: &Type| matches!(ty, Type::Object(object) if !object.attributes().is_empty());
    first.as_ref().is_some_and(has_attributes)
        && arguments.iter().all(|argument| argument.is_null() && Some(argument.ty()) == first)
}

/// Whether the value has keys to iterate over, or no elements at all.
fn is_mapping(value: &Value) -> bool {
    value.as_entries().is_some() || value.as_sequence().is_some_and(<[Value]>::is_empty)
}

fn not_a_mapping(ty: &Type) -> FunctionError {
    FunctionError::new(format!("the arguments must be maps or objects, not {}", ty.plain_name()))
}

fn zipmap_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let keys = call.argument(0);
    match call.argument(1).ty() {
        Type::List(element) => Ok(Type::Map(element)),
        Type::Tuple(_) if !keys.is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => {
            let names = zip_keys(call, types.len())?;
            Ok(Type::object(names.into_iter().zip(types.iter().cloned())))
        }
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::Set(_)
        | Type::Map(_)
        | Type::Object(_) => Err(FunctionError::new("the values must be a list or tuple")),
    }
}

fn zip_keys(call: &Call<'_>, values: usize) -> Result<Vec<SmolStr>, FunctionError> {
    let keys = call.sequence(0);
    if keys.len() != values {
        let message = format!("there are {} keys but {values} values", keys.len());
        return Err(FunctionError::new(message));
    }
    let key = |(index, key)| {
        let key = text(key).cloned();
        key.ok_or_else(|| FunctionError::new(format!("the key at index {index} is null")))
    };
    keys.iter().enumerate().map(key).collect()
}

fn zipmap(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (keys, values) = (call.argument(0), call.argument(1));
    let marks = keys.marks().union(values.marks());
    if !keys.is_wholly_known() {
        return Ok(call.unknown().with_marks(&marks));
    }
    let names = zip_keys(call, call.sequence(1).len())?;
    // A key cannot be marked, so the marks of the keys move to the result.
    let marks = call.sequence(0).iter().fold(marks, |all, key| all.union(key.marks()));
    let entries = names.into_iter().zip(call.sequence(1).iter().cloned());
    let zipped = match call.result_type.element() {
        Some(element) => Value::map(element.clone(), entries),
        None => Value::object(entries),
    };
    Ok(zipped.with_marks(&marks))
}

/// The additional work of an element that becomes a key with its own list.
const WORK_OF_TURNED: usize = 8;

fn transpose(call: &Call<'_>) -> Result<Value, FunctionError> {
    let map = call.argument(0);
    if !map.is_wholly_known() {
        return Ok(call.unknown());
    }
    call.spend(map.size().saturating_mul(WORK_OF_TURNED))?;
    let mut turned: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
    // Keys are sorted, so the lists of the result are sorted.
    for (key, strings) in map.as_entries().into_iter().flatten() {
        let Some(strings) = strings.as_sequence() else {
            return Err(call.invalid(0, "the map must not contain null lists"));
        };
        for string in strings {
            let Some(string) = text(string) else {
                return Err(call.invalid(0, "the lists must not contain null strings"));
            };
            turned.entry(string.clone()).or_default().push(Value::string(key.clone()));
        }
    }
    let entries = turned.into_iter().map(|(key, keys)| (key, Value::list(Type::String, keys)));
    Ok(Value::map(Type::list(Type::String), entries))
}
