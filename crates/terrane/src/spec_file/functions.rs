use terrane_function::{Availability, Dialect, Function, Parameter, ResultType};
use terrane_value::{Number, Type, Value, ops};
use unicode_segmentation::UnicodeSegmentation as _;

/// Those that behave as in the library where Packer calls them.
const FROM_LIBRARY: &[&str] = &[
    "abs",
    "coalesce",
    "concat",
    "jsondecode",
    "jsonencode",
    "length",
    "lower",
    "max",
    "min",
    "reverse",
    "substr",
    "upper",
];

/// The functions of the decoding language.
pub(super) fn rows() -> Vec<Function> {
    let packer = "packer".parse().unwrap_or(Dialect::Modules);
    let mut rows: Vec<Function> = Vec::new();
    for row in terrane_stdlib::functions() {
        let is_first = rows.iter().all(|known| known.name != row.name);
        if FROM_LIBRARY.contains(&&*row.name) && row.availability.is_in(packer) && is_first {
            rows.push(Function { availability: Availability::everywhere(), ..row });
        }
    }
    rows.extend([
        Function::new(
            "hasindex",
            "Whether a collection has an element with the key.",
            ResultType::Fixed(Type::Bool),
            |call| Ok(ops::has_index(call.argument(0), call.argument(1)).unwrap_or(Value::FALSE)),
        )
        .parameter(Parameter::new("collection", Type::Dynamic).dynamic())
        .parameter(Parameter::new("key", Type::Dynamic).dynamic()),
        Function::new("int", "The number without its fraction.", ResultType::Fixed(Type::Number), |call| {
            let number = call.argument(0).as_number().cloned().unwrap_or_else(|| Number::literal(0));
            Ok(Value::number(number.truncate()))
        })
        .parameter(Parameter::new("number", Type::Number)),
        Function::new(
            "strlen",
            "How many characters a string has.",
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
