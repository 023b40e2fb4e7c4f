//! `format` and `formatlist`: templates with verbs such as `%s`, which arguments replace.

mod number;
#[cfg(test)]
mod tests;
mod verb;

use std::fmt::Write as _;

use terrane_function::{Call, Function, FunctionError, Parameter, Product, ResultType};
use terrane_value::{Type, Value, ValueKind, convert, json};

use crate::characters::{count_characters, end_of_characters};
use verb::{FormatPiece, Verb};

const FORMAT: &str = "\
    Formats arguments as a string, with a verb such as `%s` or `%03d` for each argument. `%s` formats a \
    string and `%q` a quoted string; `%d`, `%b`, `%o` and `%x` format a whole number in base 10, 2, 8 and 16; \
    `%f`, `%e` and `%g` format a number with decimals, with an exponent, or in the shorter of both forms; \
    `%t` formats a bool. `%v` formats any value, using JSON for all types but strings; `%#v` always uses \
    JSON. `%%` is a percent sign. A verb may have flags (`-` pads at the right, `0` pads with zeros, `+` or a \
    space shows the sign of a positive number), a width, a precision after a dot, and the number of an \
    argument in brackets, as in `%[2]s`.";

pub(crate) fn functions() -> Vec<Function> {
    let arguments = || Parameter::new("args", Type::Dynamic).null().unknown().dynamic();
    vec![
        Function::new("format", FORMAT, ResultType::Fixed(Type::String), format)
            .parameter(Parameter::new("format", Type::String))
            .variadic(arguments())
            .declared_dynamic(&[Product::Terraform])
            .examples(&[
                (r#"format("%s has %d nodes", "web", 3)"#, r#""web has 3 nodes""#),
                (r#"format("%05.1f", 2.25)"#, r#""002.2""#),
                (r#"format("%-6s|%+d|%x|%[1]q", "web", 3, 255)"#, "\"web   |+3|ff|\\\"web\\\"\""),
                ("format(\"%v %#v %t\", [1, true], \"a\", false)", "\"[1,true] \\\"a\\\" false\""),
            ])
            .pure(),
        Function::new(
            "formatlist",
            "Formats a list of strings, each as `format` does. A list argument gives one element to each \
             string; other arguments are the same for all strings.",
            ResultType::Fixed(Type::list(Type::String)),
            formatlist,
        )
        .parameter(Parameter::new("format", Type::String))
        .variadic(arguments())
        .declared_dynamic(&[Product::Terraform])
        .examples(&[(
            r#"formatlist("%s.%s", "web", ["a", "b"])"#,
            "tolist([\n  \"web.a\",\n  \"web.b\",\n])",
        )])
        .pure(),
    ]
}

fn format(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (template, arguments) = (call.string(0), call.rest(1));
    if arguments.iter().all(Value::is_wholly_known) {
        return Ok(render(call, template, arguments, &mut 0)?.into());
    }
    let unknown = call.unknown();
    Ok(match template.split_once('%') {
        Some((prefix, _)) if !prefix.is_empty() => unknown.with_prefix(prefix),
        Some(_) | None => unknown,
    })
}

/// An argument of `formatlist`.
enum Source<'v> {
    /// A list, whose strings use one element each.
    Elements(&'v [Value]),
    /// A single value that all strings use.
    Single(&'v Value),
    /// An unknown argument, or an argument with an unknown number of elements.
    Unknown,
}

/// The work of a text of `formatlist`, besides its arguments and its bytes.
const WORK_OF_TEXT: usize = 24;

fn formatlist(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (template, arguments) = (call.string(0), call.rest(1));
    if arguments.is_empty() {
        return Ok(Value::list(Type::String, [render(call, template, arguments, &mut 0)?.into()]));
    }
    let mut length: Option<(usize, usize)> = None;
    let mut sources = Vec::with_capacity(arguments.len());
    for (index, argument) in arguments.iter().enumerate() {
        let (source, count) = source(argument);
        sources.push(source);
        let Some(count) = count else { continue };
        let (chooser, wanted) = *length.get_or_insert((index, count));
        if count != wanted {
            let message = format!(
                "argument {} has {count} elements, but argument {} has {wanted}",
                index + 1,
                chooser + 1
            );
            return Err(call.invalid(index + 1, message));
        }
    }
    if sources.iter().any(|source| matches!(source, Source::Unknown)) {
        return Ok(call.unknown());
    }
    let count = length.map_or(1, |(_, count)| count);
    let mut results = Vec::with_capacity(count);
    let mut bytes = 0_usize;
    // The position of each argument. In the reference, an unknown element stops the arguments after it from advancing, so the
    // following strings use earlier elements of those arguments.
    let mut positions = vec![0; sources.len()];
    call.spend(count.saturating_mul(WORK_OF_TEXT))?;
    for iteration in 0..count {
        let mut row = Vec::with_capacity(sources.len());
        for (source, position) in sources.iter().zip(&mut positions) {
            row.push(source.value(*position));
            *position += 1;
            if row.last().is_some_and(|value| !value.is_wholly_known()) {
                break;
            }
        }
        if let Some(unknown) = row.last().filter(|value| !value.is_wholly_known()) {
            results.push(Value::unknown_from(Type::String, unknown.origins_deep()).not_null());
            continue;
        }
        let text = render(call, template, &row, &mut bytes).map_err(|error| {
            FunctionError::new(format!("string {} of the result: {}", iteration + 1, error.message))
        })?;
        results.push(text.into());
    }
    Ok(Value::list(Type::String, results))
}

/// Returns the source for an argument, and the number of its elements if it is known.
fn source(argument: &Value) -> (Source<'_>, Option<usize>) {
    match argument.kind() {
        ValueKind::Set(elements) if elements.len() != 1 && !argument.is_wholly_known() => {
            (Source::Unknown, None)
        }
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            (Source::Elements(elements), Some(elements.len()))
        }
        ValueKind::Unknown(unknown) => match &unknown.ty {
            Type::Tuple(elements) => (Source::Unknown, Some(elements.len())),
            Type::List(_) | Type::Set(_) | Type::Dynamic => (Source::Unknown, None),
            Type::Bool | Type::Number | Type::String | Type::Map(_) | Type::Object(_) => {
                (Source::Single(argument), None)
            }
        },
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Map(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Marked(..) => (Source::Single(argument), None),
    }
}

impl Source<'_> {
    fn value(&self, position: usize) -> Value {
        match self {
            Source::Elements(elements) => elements.get(position).cloned().unwrap_or(Value::NULL),
            Source::Single(value) => (*value).clone(),
            Source::Unknown => Value::unknown(Type::Dynamic),
        }
    }
}

/// The minimum number of bytes that a verb counts, so that empty verbs are limited, too.
const VERB_BYTES: usize = 8;

/// The number of digits for which writing takes one further unit of work.
const DIGITS_OF_WORK: usize = 4;

/// The minimum number of bytes that a unit of work writes.
const WRITTEN_BYTES_OF_WORK: usize = 8;

/// Formats `template` with wholly known arguments. `spent` counts the bytes of all results.
fn render(
    call: &Call<'_>,
    template: &str,
    arguments: &[Value],
    spent: &mut usize,
) -> Result<String, FunctionError> {
    let mut text = String::new();
    let mut next = 0;
    let mut used = 0;
    for piece in verb::pieces(template) {
        let verb = match piece? {
            FormatPiece::Text(literal) => {
                text.push_str(literal);
                continue;
            }
            FormatPiece::Verb(verb) => verb,
        };
        let index = verb.argument.unwrap_or(next);
        next = index.saturating_add(1);
        used = used.max(next);
        let Some(argument) = arguments.get(index) else {
            let message = format!("{verb} needs argument {next}, and there are only {}", arguments.len());
            return Err(FunctionError::new(message));
        };
        *spent = spent.saturating_add(VERB_BYTES);
        let least = [text.len(), verb.width.unwrap_or(0), verb.precision.unwrap_or(0)];
        call.check_length(least.into_iter().fold(*spent, usize::saturating_add))?;
        let before = text.len();
        append(call, &mut text, &verb, argument)?;
        call.spend((text.len() - before) / WRITTEN_BYTES_OF_WORK)?;
        call.check_length(spent.saturating_add(text.len()))?;
    }
    if used < arguments.len() {
        let message = if used == 0 {
            "the format has no verbs for the arguments".to_owned()
        } else {
            format!("the format has verbs for only {used} of the arguments")
        };
        return Err(call.invalid(used + 1, message));
    }
    *spent = spent.saturating_add(text.len());
    call.check_length(*spent)?;
    Ok(text)
}

fn append(
    call: &Call<'_>,
    text: &mut String,
    verb: &Verb<'_>,
    argument: &Value,
) -> Result<(), FunctionError> {
    let fail = |reason: &str| FunctionError::new(format!("the argument for {verb} is invalid: {reason}"));
    if verb.letter != 'v' && argument.is_null() {
        return Err(fail("the argument is null"));
    }
    if argument.as_number().is_some_and(|number| !number.has_decimal_text()) {
        return Err(fail("the number has too many digits"));
    }
    // The cost of the call counts the arguments once, but several verbs may print the same argument.
    call.spend(argument.work_to_write_numbers())?;
    let converted = |ty: &Type| convert(argument, ty).map_err(|error| fail(&error.to_string()));
    match verb.letter {
        'v' => {
            let plain = if verb.sharp { None } else { plain_text(argument) };
            let plain = match plain {
                Some(plain) => plain,
                None => json::encode_within(argument, call.env.limits.text_of_call())
                    .map_err(|error| fail(&error.to_string()))?,
            };
            pad(text, verb, &plain);
        }
        't' => {
            let truth = converted(&Type::Bool)?.as_bool().unwrap_or_default();
            text.push_str(if truth { "true" } else { "false" });
        }
        's' | 'q' => {
            let value = match argument.as_str() {
                Some(_) => argument.clone(),
                None => converted(&Type::String)?,
            };
            let cut = value.as_str().map(|string| cut(string, verb.precision)).unwrap_or_default();
            if verb.letter == 's' {
                pad(text, verb, cut);
            } else {
                let quoted = json::encode(&Value::from(cut)).map_err(|error| fail(&error.to_string()))?;
                pad(text, verb, &quoted);
            }
        }
        'b' | 'd' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'g' | 'G' => {
            let value = converted(&Type::Number)?;
            let Some(number) = value.as_number() else { return Err(fail("a number is required")) };
            if !number.has_decimal_text() {
                return Err(fail("the number has too many digits"));
            }
            if argument.as_number().is_none() {
                call.spend(value.work_to_write_numbers())?;
            }
            let before = text.len();
            number::append(text, verb, number).map_err(fail)?;
            // Writing digits takes longer than copying text.
            call.spend((text.len() - before) / DIGITS_OF_WORK)?;
        }
        _ => return Err(FunctionError::new(format!("there is no verb {verb}"))),
    }
    Ok(())
}

/// Returns the text of a string or number for `%v`; `None` for other values, which are printed as JSON.
fn plain_text(argument: &Value) -> Option<String> {
    match argument.as_number() {
        Some(number) => Some(number.to_general_shortest()),
        None => argument.as_str().map(str::to_owned),
    }
}

/// Returns the first `precision` characters. Zero means no precision, as in the reference.
fn cut(text: &str, precision: Option<usize>) -> &str {
    let Some(precision) = precision.filter(|precision| *precision > 0) else { return text };
    text.get(..end_of_characters(text, precision)).unwrap_or(text)
}

/// Appends `content`, padded to the width of the verb.
fn pad(text: &mut String, verb: &Verb<'_>, content: &str) {
    let Some(width) = verb.width else { return text.push_str(content) };
    let missing = width.saturating_sub(count_characters(content));
    let padding = (if verb.zero { "0" } else { " " }).repeat(missing);
    let (before, after) = if verb.minus { ("", &*padding) } else { (&*padding, "") };
    // Writing to a string cannot fail.
    let _ = write!(text, "{before}{content}{after}");
}
