//! The work of results and templates, which counts against the limit on steps.

use terrane_function::Cost;
use terrane_value::{Entries, Value};

/// Returns the work of making a result, which may be large although the arguments are small. A function of constant
/// cost returns a part of its arguments, or counts its result itself.
#[inline]
pub(crate) fn work_of_result(cost: Cost, value: &Value) -> usize {
    /// Each unit of work copies at least this many bytes of text.
    const BYTES: usize = 64;
    // Most results are short texts.
    if cost == Cost::Constant || value.plain_text().is_some_and(|text| text.len() < BYTES) {
        return 0;
    }
    if let Some((elements, text)) = value.plain_object().and_then(Entries::plain_extent) {
        return text / BYTES + elements;
    }
    work_of_large(value, BYTES)
}

#[inline(never)]
fn work_of_large(value: &Value, bytes: usize) -> usize {
    let (elements, text) = value.extent();
    let normalizing = if elements == 0 { value.as_str().map_or(0, work_of_text) } else { 0 };
    text / bytes + elements + normalizing
}

/// Returns the work of normalizing a long text that is not ASCII.
#[inline]
pub(crate) fn work_of_text(text: &str) -> usize {
    /// The work of a shorter text is not worth computing.
    const SHORT: usize = 64;
    /// The work of a byte.
    const BYTE: usize = 2;
    if text.len() > SHORT && !text.is_ascii() { text.len() * BYTE } else { 0 }
}

/// Returns the work of parsing a template: expressions take more than plain text.
pub(crate) fn work_to_parse(template: &str) -> usize {
    /// The work of an empty template.
    const TEMPLATE: usize = 200;
    /// Each unit of work reads at least this many bytes of plain text.
    const BYTES: usize = 2;
    /// The work of parsing the text after a dollar or percent sign.
    const SIGN: usize = 16;
    let signs = template.bytes().filter(|byte| matches!(byte, b'$' | b'%')).count();
    TEMPLATE + template.len() / BYTES + work_of_text(template) + signs * SIGN
}

/// The work of each expression in the tree of a template, which may be much larger than the text.
pub(crate) const WORK_OF_EXPRESSION: usize = 4;
