//! `list` and `map`, which Terraform 0.15 removed: as they were, and as the errors that they became.

use std::collections::BTreeMap;

use terrane_function::{Availability, Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Marks, SmolStr, Type, Value, convert};

use super::elements::text;
use crate::conversion::common_type;

pub(super) fn functions() -> Vec<Function> {
    let any = || Parameter::new("vals", Type::Dynamic).null().unknown().dynamic();
    let removed = |name, description, message| {
        let result = ResultType::computed(move |_| Err(FunctionError::new(message)));
        Function::new(name, description, result, |call| Ok(call.unknown()))
            .variadic(any())
            .since(Availability::modules().early_terraform(15))
            .removed()
            .pure()
    };
    let early = Availability::nowhere().early_terraform(12).last_early_terraform(14);
    vec![
        removed(
            "list",
            "Removed from the language. Write `tolist([...])`.",
            "the function was removed: write tolist([...])",
        )
        .examples(&[(r#"can(list("a"))"#, "false")]),
        Function::new(
            "list",
            "Returns a list of the arguments, which are converted to one type.",
            ResultType::computed(list_type),
            list,
        )
        .variadic(any().marked())
        .since(early)
        .examples(&[(r#"list("a", 1)"#, "tolist([\n  \"a\",\n  \"1\",\n])")])
        .pure(),
        removed(
            "map",
            "Removed from the language. Write `tomap({...})`.",
            "the function was removed: write tomap({...})",
        )
        .examples(&[(r#"can(map("a", 1))"#, "false")]),
        Function::new(
            "map",
            "Returns a map of the arguments, which are keys and values by turns. The values are converted to one type.",
            ResultType::computed(map_type),
            map,
        )
        .variadic(any().marked())
        .since(early)
        .examples(&[(r#"map("a", 1, "b", 2)"#, "tomap({\n  \"a\" = 1\n  \"b\" = 2\n})")])
        .pure(),
    ]
}

/// Returns the type to which all these values are converted.
fn common<'v>(call: &Call<'_>, values: impl Iterator<Item = &'v Value>) -> Result<Type, FunctionError> {
    let types: Vec<Type> = values.map(Value::ty).collect();
    common_type(call, &types)?.ok_or_else(|| FunctionError::new("the values cannot be converted to one type"))
}

fn list_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    if call.arguments.is_empty() {
        return Err(FunctionError::new("at least one argument is needed"));
    }
    common(call, call.arguments.iter()).map(Type::list)
}

fn list(call: &Call<'_>) -> Result<Value, FunctionError> {
    Ok(convert(&Value::tuple(call.arguments.to_vec()), call.result_type)?)
}

fn map_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    if call.arguments.is_empty() || !call.arguments.len().is_multiple_of(2) {
        return Err(FunctionError::new("the arguments are keys and values by turns, at least one of each"));
    }
    common(call, call.arguments.iter().skip(1).step_by(2)).map(Type::map)
}

fn map(call: &Call<'_>) -> Result<Value, FunctionError> {
    let mut marks = Marks::NONE;
    let mut entries: BTreeMap<SmolStr, Value> = BTreeMap::new();
    for (pair, arguments) in call.arguments.chunks_exact(2).enumerate() {
        let [key, value] = arguments else { continue };
        // A key cannot be marked, so its marks move to the result.
        marks = marks.union(key.marks());
        if !key.is_known() {
            return Ok(call.unknown().with_marks(&marks));
        }
        let key = convert(key, &Type::String).ok().and_then(|key| text(&key).cloned());
        let key = key.ok_or_else(|| call.invalid(2 * pair, "a key is a string"))?;
        if entries.insert(key, value.clone()).is_some() {
            return Err(call.invalid(2 * pair, "the key is given twice"));
        }
    }
    Ok(convert(&Value::object(entries), call.result_type)?.with_marks(&marks))
}
