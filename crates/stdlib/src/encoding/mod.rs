//! Functions that encode values as text and decode text: JSON, CSV, Base64, character encodings and URLs.

mod charset;
mod charset_names;
mod csv;
#[cfg(test)]
mod tests;

use std::io::Read as _;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use terrane_function::{Availability, Call, Cost, Function, FunctionError, Parameter, ResultType, beginning};
use terrane_value::{Agreement, Type, Value, ValueKind, json};

use crate::characters::text_of_bytes;
use crate::deflate::gzip;
use crate::row::text;

pub(crate) fn functions() -> Vec<Function> {
    [data(), base64_texts(), urls(), charsets()].into_iter().flatten().collect()
}

fn string(name: &'static str) -> Parameter {
    Parameter::new(name, Type::String)
}

fn data() -> Vec<Function> {
    vec![
        text("jsonencode", "Encodes a value as JSON.", jsonencode)
            .parameter(
                Parameter::new("val", Type::Dynamic).null().unknown().dynamic().any_kind(Agreement::Order),
            )
            .examples(&[(
                r#"jsonencode({ hello = "world", n = 1 })"#,
                "\"{\\\"hello\\\":\\\"world\\\",\\\"n\\\":1}\"",
            )])
            .pure(),
        Function::new("jsondecode", "Decodes JSON to a value.", ResultType::computed(json_type), |call| {
            let value = json::decode_within(call.string(0), call.env.limits.elements_of_call());
            value.map_err(|error| FunctionError::new(error.to_string()))
        })
        .nullable()
        .parameter(string("str"))
        .examples(&[(
            "jsondecode(\"{\\\"hello\\\": [1, true]}\")",
            "{\n  \"hello\" = [\n    1,\n    true,\n  ]\n}",
        )])
        .pure(),
        Function::new(
            "csvdecode",
            "Decodes comma-separated values to a list of objects. The first line names the columns.",
            ResultType::Fixed(Type::Dynamic),
            csv::decode,
        )
        .parameter(string("str"))
        .examples(&[(
            "csvdecode(\"id,name\\n1,web\\n2,db\")",
            r#"tolist([
  {
    "id" = "1"
    "name" = "web"
  },
  {
    "id" = "2"
    "name" = "db"
  },
])"#,
        )])
        .pure(),
    ]
}

fn base64_texts() -> Vec<Function> {
    vec![
        text("base64encode", "Encodes the UTF-8 bytes of a string in Base64.", |call| {
            Ok(STANDARD.encode(call.string(0)).into())
        })
        .parameter(string("str"))
        .examples(&[(r#"base64encode("Hello World")"#, r#""SGVsbG8gV29ybGQ=""#)])
        .cost(Cost::Light)
        .pure(),
        text("base64decode", "Decodes Base64 to a string. The bytes must be UTF-8.", |call| {
            let bytes = decode_base64(call.string(0))
                .ok_or_else(|| FunctionError::new("the text is not valid Base64"))?;
            let text = String::from_utf8(bytes);
            let text = text.map_err(|_| FunctionError::new("the decoded bytes are not UTF-8"))?;
            Ok(Value::from(text).with_marks(call.argument(0).marks()))
        })
        .parameter(string("str").marked())
        .examples(&[(r#"base64decode("SGVsbG8gV29ybGQ=")"#, r#""Hello World""#)])
        .pure(),
        text("base64gzip", "Compresses a string with gzip and encodes the bytes in Base64.", base64gzip)
            .parameter(string("str"))
            .since(Availability::modules().packer(12))
            .examples(&[(r#"base64gzip("test")"#, r#""H4sIAAAAAAAA/ypJLS4BAAAA//8BAAD//wx+f9gEAAAA""#)])
            .pure(),
        text("base64gunzip", "Decodes Base64 and decompresses the bytes with gzip.", base64gunzip)
            .parameter(string("str").marked())
            .since(Availability::nowhere().opentofu(7))
            .examples(&[(r#"base64gunzip(base64gzip("hello"))"#, r#""hello""#)])
            .pure(),
    ]
}

fn urls() -> Vec<Function> {
    vec![
        text("urlencode", "Percent-encodes a string for a URL query.", |call| {
            Ok(urlencode(call.string(0)).into())
        })
        .parameter(string("str"))
        .examples(&[("urlencode(\"a b&c=\\u00fc\")", r#""a+b%26c%3D%C3%BC""#)])
        .pure(),
        text("urldecode", "Decodes a percent-encoded part of a URL query.", |call| {
            let bytes = urldecode(call.string(0));
            let bytes =
                bytes.ok_or_else(|| FunctionError::new("a % must be followed by two hexadecimal digits"))?;
            Ok(text_of_bytes(&bytes).into())
        })
        .parameter(string("str"))
        .since(Availability::nowhere().opentofu(7))
        .examples(&[(r#"urldecode("Hello+World%21")"#, r#""Hello World!""#)])
        .pure(),
    ]
}

fn charsets() -> Vec<Function> {
    vec![
        text(
            "textencodebase64",
            "Encodes a string in a character encoding such as UTF-16LE, and the bytes in Base64.",
            |call| {
                let charset = charset(call)?;
                let bytes = charset.encode(call.string(0)).ok_or_else(|| {
                    call.invalid(
                        0,
                        format!(
                            "the string has characters that {} does not have",
                            charset_name(call, &charset)
                        ),
                    )
                })?;
                Ok(STANDARD.encode(bytes).into())
            },
        )
        .parameter(string("string"))
        .parameter(string("encoding"))
        .since(Availability::modules().early_terraform(14).packer(11))
        .examples(&[(r#"textencodebase64("Hello", "UTF-16LE")"#, r#""SABlAGwAbABvAA==""#)])
        .pure(),
        text(
            "textdecodebase64",
            "Decodes Base64 to a string in a character encoding such as UTF-16LE.",
            |call| {
                let charset = charset(call)?;
                let bytes = decode_base64(call.string(0));
                let bytes = bytes.ok_or_else(|| call.invalid(0, "the text is not valid Base64"))?;
                let text = charset.decode(&bytes);
                let text = text.ok_or_else(|| {
                    call.invalid(
                        0,
                        format!("there are bytes that {} does not have", charset_name(call, &charset)),
                    )
                })?;
                Ok(text.into())
            },
        )
        .parameter(string("source"))
        .parameter(string("encoding"))
        .since(Availability::modules().early_terraform(14).packer(11))
        .examples(&[(r#"textdecodebase64("SABlAGwAbABvAA==", "UTF-16LE")"#, r#""Hello""#)])
        .pure(),
    ]
}

/// Returns the name of the encoding for a diagnostic about the text.
fn charset_name(call: &Call<'_>, charset: &charset::Charset) -> String {
    if call.may_show(1) { charset.to_string() } else { "the character set".to_owned() }
}

fn charset(call: &Call<'_>) -> Result<charset::Charset, FunctionError> {
    let name = call.string(1);
    charset::Charset::named(name).ok_or_else(|| {
        call.invalid(1, format!("{:?} is not a supported character encoding", beginning(name)))
    })
}

/// Returns the work of writing the long numbers in a value, besides the work of writing other text.
fn work_of_numbers(value: &Value) -> usize {
    /// The maximum number of bytes of a number that is as fast to write as other text.
    const SHORT: usize = 16;
    /// The work of writing a byte of a longer number.
    const WORK_OF_BYTE: usize = 4;
    if value.as_number().is_some() {
        let bytes = value.text_bytes();
        return if bytes > SHORT { bytes.saturating_mul(WORK_OF_BYTE) } else { 0 };
    }
    let mut work = 0_usize;
    if value.as_str().is_none() {
        value.for_each_child(&mut |child| work = work.saturating_add(work_of_numbers(child)));
    }
    work
}

fn jsonencode(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    if value.is_wholly_known() {
        call.spend(work_of_numbers(value))?;
        let text = json::encode_within(value, call.env.limits.text_of_call());
        let text = text.map_err(|error| FunctionError::new(error.to_string()))?;
        return Ok(text.into());
    }
    let unknown = call.unknown();
    if !value.is_never_null() {
        return Ok(unknown);
    }
    Ok(match value.ty() {
        Type::String => unknown.with_full_prefix("\""),
        Type::Object(_) | Type::Map(_) => unknown.with_full_prefix("{"),
        Type::Tuple(_) | Type::List(_) | Type::Set(_) => unknown.with_full_prefix("["),
        Type::Bool | Type::Number | Type::Dynamic => unknown,
    })
}

/// Returns the type of the result before the text is decoded: the known prefix of an unknown text may determine it. A known
/// text is decoded only once, for the value.
fn json_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let ValueKind::Unknown(unknown) = call.argument(0).kind() else { return Ok(Type::Dynamic) };
    let prefix = unknown.refinement.prefix.as_deref().unwrap_or_default().trim();
    Ok(match prefix.chars().next() {
        None | Some('{' | '[' | 'n') => Type::Dynamic,
        Some('"') => Type::String,
        Some('t' | 'f') => Type::Bool,
        Some('-' | '.' | '0'..='9') => Type::Number,
        Some(other) => return Err(call.invalid(0, format!("JSON cannot begin with {other:?}"))),
    })
}

/// Decodes Base64 with padding; line breaks are ignored.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    const ENGINE: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
    );
    let bytes: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    ENGINE.decode(bytes).ok()
}

fn base64gzip(call: &Call<'_>) -> Result<Value, FunctionError> {
    let text = call.string(0).as_bytes();
    // The reference flushes the text before it closes the stream.
    let bytes = gzip(&[text], true, |work| call.spend(work))?;
    Ok(STANDARD.encode(bytes).into())
}

/// The minimum number of bytes that a unit of work decompresses.
const INFLATED_BYTES_OF_WORK: usize = 8;

fn base64gunzip(call: &Call<'_>) -> Result<Value, FunctionError> {
    let bytes =
        decode_base64(call.string(0)).ok_or_else(|| FunctionError::new("the text is not valid Base64"))?;
    let most = call.env.limits.text_of_call();
    let mut content = Vec::new();
    let decoder = flate2::read::MultiGzDecoder::new(&*bytes);
    let mut decoder = decoder.take(u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1));
    let read = decoder.read_to_end(&mut content);
    call.spend(content.len() / INFLATED_BYTES_OF_WORK)?;
    read.map_err(|_| FunctionError::new("the decoded bytes are not in gzip format"))?;
    call.check_length(content.len())?;
    let text = text_of_bytes(&content);
    Ok(Value::from(text).with_marks(call.argument(0).marks()))
}

fn urlencode(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                result.push(char::from(byte));
            }
            b' ' => result.push('+'),
            _ => {
                let digit = |value| char::from_digit(value, 16).unwrap_or('0').to_ascii_uppercase();
                result.extend(['%', digit(u32::from(byte >> 4)), digit(u32::from(byte & 15))]);
            }
        }
    }
    result
}

/// Decodes percent-encoding; returns `None` if a `%` is not followed by two hexadecimal digits.
fn urldecode(text: &str) -> Option<Vec<u8>> {
    let mut result = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        result.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit =
                    || char::from(bytes.next()?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                digit()? << 4 | digit()?
            }
            _ => byte,
        });
    }
    Some(result)
}
