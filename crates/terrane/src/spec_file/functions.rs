//! The functions that spec files may call, under the names that the `hcldec` tool gives them.

use terrane_eval::FunctionTable;
use terrane_function::{Availability, Call, Dialect, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Number, Type, Value, ops};
use unicode_segmentation::UnicodeSegmentation as _;

/// The functions that behave like the functions of the library for Packer.
const FROM_LIBRARY: &[&str] = &[
    "abs",
    "coalesce",
    "concat",
    "jsondecode",
    "jsonencode",
    "lower",
    "max",
    "min",
    "strrev",
    "substr",
    "upper",
];

/// Returns the functions that a spec file may call.
pub(super) fn table() -> FunctionTable {
    FunctionTable::only(Dialect::Modules, rows())
}

fn rows() -> Vec<Function> {
    let packer = "packer".parse().unwrap_or(Dialect::Modules);
    let mut rows: Vec<Function> = Vec::new();
    for row in terrane_stdlib::functions() {
        let is_first = rows.iter().all(|earlier| earlier.name != row.name);
        if FROM_LIBRARY.contains(&&*row.name) && row.availability.is_in(packer) && is_first {
            // The tool calls its function for strings `reverse`, a name that the library has for lists.
            let name = if row.name == "strrev" { "reverse".into() } else { row.name.clone() };
            rows.push(Function { name, availability: Availability::everywhere(), ..row });
        }
    }
    rows.extend([
        Function::new(
            "hasindex",
            "Returns true if a collection has an element with the key.",
            ResultType::computed(|call| of_collection(call, Type::Bool)),
            |call| Ok(ops::has_index(call.argument(0), call.argument(1)).unwrap_or(Value::FALSE)),
        )
        .parameter(Parameter::new("collection", Type::Dynamic).dynamic())
        .parameter(Parameter::new("key", Type::Dynamic).dynamic()),
        Function::new(
            "length",
            "Returns the number of elements of a collection.",
            ResultType::computed(|call| of_collection(call, Type::Number)),
            |call| Ok(ops::length(call.argument(0)).unwrap_or_else(|| call.unknown())),
        )
        .parameter(Parameter::new("collection", Type::Dynamic).unknown().dynamic().marked()),
        Function::new(
            "int",
            "Returns a number without its fraction.",
            ResultType::Fixed(Type::Number),
            |call| {
                let number = call.argument(0).as_number().cloned().unwrap_or_else(|| Number::literal(0));
                Ok(Value::number(number.truncate()))
            },
        )
        .parameter(Parameter::new("number", Type::Number)),
        Function::new(
            "strlen",
            "Returns the number of characters of a string.",
            ResultType::Fixed(Type::Number),
            |call| {
                Ok(Value::number(Number::counted(
                    i64::try_from(call.string(0).graphemes(true).count()).unwrap_or(i64::MAX),
                )))
            },
        )
        .parameter(Parameter::new("text", Type::String)),
    ]);
    rows
}

/// Returns `result` if the first argument is a collection, otherwise an error. Like the tool, it does not accept objects.
fn of_collection(call: &Call<'_>, result: Type) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::List(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(result),
        // Elements of a set have no keys.
        Type::Set(_) if result == Type::Number => Ok(result),
        Type::Bool | Type::Number | Type::String | Type::Set(_) | Type::Object(_) => {
            Err(FunctionError::new("a list, a map or a tuple is required"))
        }
    }
}
