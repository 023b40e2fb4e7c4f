//! Converts the values of arguments that Packer itself reads.

use terrane_body::Attribute;
use terrane_function::conversion::ConversionError;
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{OriginKind, Type, Value};

use crate::components::converter::Converter;

/// Converts the value to a type that Packer's own arguments have. A list, a map or an object may be null, as if it were
/// not set, and so may `keep_input_artifact`.
pub(crate) fn suitable(
    attribute: &Attribute,
    value: &Value,
    ty: &Type,
    converter: Converter<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let is_nullable =
        !matches!(ty, Type::String | Type::Number | Type::Bool) || &*attribute.name == "keep_input_artifact";
    let converted = match converter.convert(value, ty) {
        Ok(value) => Ok(value),
        Err(ConversionError::Mismatch(error)) => Err(error.to_string()),
        Err(ConversionError::Limit(limit)) => {
            let diagnostic = limit.diagnostic(&format!("The value of \"{}\"", attribute.name));
            diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
            return None;
        }
    };
    let converted = converted.and_then(|value| {
        // The attributes of an object may be null, but not the elements of a map.
        let entries = value.as_entries().filter(|_| matches!(ty, Type::Map(_)));
        let entries = entries.into_iter().flatten().map(|(_, value)| value);
        let mut elements = value.as_sequence().unwrap_or_default().iter().chain(entries);
        let is_whole = |value: &Value| value.as_number().is_none_or(|number| number.to_i64().is_some());
        let problem = if (value.is_null() && !is_nullable) || elements.any(Value::is_null) {
            "it must not be null"
        } else if !is_whole(&value) {
            "it must be a whole number"
        } else if *ty != Type::Dynamic && is_known_too_late(&value) {
            "it must be known before the build is resolved for each of its sources"
        } else {
            return Ok(value);
        };
        Err(problem.to_owned())
    });
    match converted {
        Ok(value) => (!value.is_null()).then_some(value),
        Err(problem) => {
            let detail = format!("The value of \"{}\" cannot be used: {problem}.", attribute.name);
            diagnostics.push(
                Diagnostic::error(ids::UNSUITABLE_VALUE, detail)
                    .at(attribute.source(), attribute.value_span()),
            );
            None
        }
    }
}

/// Whether a value, or a part of it, is known only in a step of a build.
fn is_known_too_late(value: &Value) -> bool {
    let origins = value.origins_deep();
    origins.as_slice().iter().any(|origin| origin.kind == OriginKind::BuildVariable)
}
