//! `yamlencode` and `yamldecode`.
//!
//! `token` scans text, `scalar_text` scans scalars, `scalar` resolves their values, `decode` builds values, and
//! `encode` writes text.

mod decode;
mod encode;
mod scalar;
mod scalar_text;
#[cfg(test)]
mod tests;
mod token;

use terrane_function::{Function, FunctionError, Parameter, ResultType};
use terrane_value::{Agreement, Type, Value};

/// Decodes the only document of a YAML text, as `yamldecode` does, into at most `most_parts` values.
///
/// # Errors
///
/// The reason, if the text is no YAML or has more parts. It begins with the line and the column if they are known.
pub fn decode_yaml(text: &str, most_parts: usize) -> Result<Value, String> {
    decode::decode(text, most_parts)
}

/// The work of reading a byte of YAML, besides the work that every text counts.
const WORK_OF_BYTE: usize = 9;

pub(crate) fn functions() -> Vec<Function> {
    vec![
        Function::new(
            "yamldecode",
            "Decodes a YAML document to a value.",
            ResultType::Fixed(Type::Dynamic),
            |call| {
                call.spend(call.string(0).len() * WORK_OF_BYTE)?;
                decode_yaml(call.string(0), call.env.limits.elements_of_call()).map_err(FunctionError::new)
            },
        )
        .nullable()
        .parameter(Parameter::new("src", Type::String))
        .examples(&[(
            "yamldecode(\"hello: world\\nlist: [1, true]\")",
            "{\n  \"hello\" = \"world\"\n  \"list\" = [\n    1,\n    true,\n  ]\n}",
        )])
        .pure(),
        Function::new(
            "yamlencode",
            "Encodes a value as a YAML document in block style, with quoted strings.",
            ResultType::Fixed(Type::String),
            |call| {
                let value: &Value = call.argument(0);
                if !value.is_wholly_known() {
                    return Ok(call.unknown());
                }
                let text = encode::encode(value, call.env.limits.text_of_call())
                    .ok_or_else(|| call.invalid(0, "a number has too many digits to be written as text"))?;
                call.check_length(text.len())?;
                Ok(text.into())
            },
        )
        .nullable()
        .parameter(Parameter::new("value", Type::Dynamic).null().dynamic().any_kind(Agreement::Order))
        .examples(&[(
            r#"yamlencode({ a = "b", c = [1, 2] })"#,
            "<<EOT\n\"a\": \"b\"\n\"c\":\n- 1\n- 2\n\nEOT",
        )])
        .pure(),
    ]
}
