//! Converts values to type constraints within the limits of a run.

use terrane_source::{Diagnostic, ids};
use terrane_value::{Type, TypeConstraint, Value, ValueError, work_to_read_numbers};

use crate::{Limits, Meter, RAISE_MEMORY, RAISE_STEPS};

/// The bytes for each element of a converted value, which exists three times for a while.
const MEMORY_OF_ELEMENT: u64 = 96;

/// The steps for each element of a converted value.
const STEPS_OF_ELEMENT: u64 = 24;

/// The steps for each part of the type, all of which a conversion looks at.
const STEPS_OF_TYPE_PART: u64 = 4;

/// The steps from which a conversion is counted before it is made.
const MUCH_WORK: u64 = 65_536;

/// The bytes of text from which the numbers that become text count.
const MUCH_TEXT: usize = 4096;

/// The reason why a value is not converted.
#[derive(Debug)]
pub enum ConversionError {
    /// It does not fit the type.
    Mismatch(ValueError),
    /// It would exceed a limit.
    Limit(ExceededLimit),
}

/// The limit that a converted value would exceed, with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExceededLimit {
    /// The elements of one value with its optional attributes.
    Elements(u64),
    /// The elements that optional attributes add to the defaults of all variables.
    Added(u64),
    /// The bytes of all values of the run. The run is stopped.
    Memory(u64),
    /// The steps of the run. The run is stopped.
    Steps(u64),
}

impl ExceededLimit {
    /// Returns the diagnostic about `value`, a noun phrase at the start of a sentence.
    pub fn diagnostic(self, value: &str) -> Diagnostic {
        let (detail, hint) = match self {
            ExceededLimit::Elements(most) => {
                let detail =
                    format!("{value} would have more than {most} elements with its optional attributes.");
                (detail, RAISE_MEMORY)
            }
            ExceededLimit::Added(most) => {
                let detail = format!(
                    "{value} is too large: optional attributes would add more than {most} elements to the defaults of all \
                     variables."
                );
                (detail, RAISE_MEMORY)
            }
            ExceededLimit::Memory(most) => {
                let detail = format!(
                    "{value} and all earlier values together would take more than {most} bytes of memory."
                );
                (detail, RAISE_MEMORY)
            }
            ExceededLimit::Steps(most) => {
                let detail = format!(
                    "{value} cannot be converted to its type within the {most} steps of the evaluation."
                );
                (detail, RAISE_STEPS)
            }
        };
        Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(hint)
    }
}

/// Converts a value to a constraint and counts the steps of the conversion and the bytes of the result. A result that is
/// the value itself costs nothing.
///
/// # Errors
///
/// The reason if the value does not fit the type, or if its elements, the memory or the steps exceed a limit.
pub fn convert(
    constraint: &TypeConstraint,
    value: &Value,
    limits: &Limits,
    meter: &Meter,
) -> Result<Value, ConversionError> {
    if value.is_plain(&constraint.ty) {
        return Ok(value.clone());
    }
    let exceeded = |limit: ExceededLimit| {
        if matches!(limit, ExceededLimit::Memory(_) | ExceededLimit::Steps(_)) {
            meter.stop();
        }
        Err(ConversionError::Limit(limit))
    };
    let most = limits.memory / MEMORY_OF_ELEMENT;
    let (given, text) = value.extent();
    let left = most.checked_sub(given as u64);
    let Some(added) = left.and_then(|left| constraint.added_elements(value, left)) else {
        return exceeded(ExceededLimit::Elements(most));
    };
    if meter.memory().saturating_add(added.saturating_mul(size_of::<Value>() as u64)) > limits.memory {
        return exceeded(ExceededLimit::Memory(limits.memory));
    }
    let numbers = if text < MUCH_TEXT { 0 } else { value.work_to_write_numbers() };
    let left = limits.steps.saturating_sub(meter.steps());
    let read = if text < MUCH_TEXT { 0 } else { work_to_read_numbers(value, &constraint.ty, left) };
    let work = steps(value, &constraint.ty, added);
    // A large value is not converted first and counted afterwards, unless it may be the result itself.
    let is_large = work > MUCH_WORK && !constraint.ty.has_dynamic() && value.ty() != constraint.ty;
    let least = if is_large { work } else { 0 };
    if least.saturating_add(read).saturating_add(numbers as u64) > left {
        return exceeded(ExceededLimit::Steps(limits.steps));
    }
    let converted = constraint.convert(value);
    meter.count_reading();
    let (bytes, left_numbers) = match &converted {
        Ok(converted) if numbers == 0 => (converted.own_bytes(), 0),
        Ok(converted) => (converted.own_bytes(), converted.work_to_write_numbers()),
        Err(_) => (0, 0),
    };
    // The types of a result that is the value itself exist already.
    let types = match &converted {
        Ok(converted) if bytes > 0 => bytes_of_types(converted),
        Ok(_) | Err(_) => 0,
    };
    if converted.is_err() || bytes > 0 {
        let written = numbers.saturating_sub(left_numbers) as u64;
        meter.count(work.saturating_add(written));
    }
    meter.take(bytes.saturating_add(types) as u64);
    if meter.memory() > limits.memory {
        return exceeded(ExceededLimit::Memory(limits.memory));
    }
    if meter.steps() > limits.steps {
        return exceeded(ExceededLimit::Steps(limits.steps));
    }
    converted.map_err(ConversionError::Mismatch)
}

/// Does the same as [`steps`] for a type without defaults. `most` is the number from which the steps do not matter.
pub fn steps_of_type(value: &Value, ty: &Type, most: u64) -> u64 {
    let added = match ty.has_optional() {
        true => TypeConstraint::new(ty.clone()).added_elements(value, most).unwrap_or(most),
        false => 0,
    };
    steps(value, ty, added)
}

/// Returns the steps of converting a value to a type whose optional attributes add `added` elements, without the steps of reading
/// and writing numbers.
pub fn steps(value: &Value, ty: &Type, added: u64) -> u64 {
    let elements = (value.extent().0 as u64).saturating_add(added).saturating_mul(STEPS_OF_ELEMENT);
    let to_sets = value.work_of_sets(ty, usize::try_from(added).unwrap_or(usize::MAX)) as u64;
    let of_type = (ty.parts() as u64).saturating_mul(STEPS_OF_TYPE_PART);
    elements.saturating_add(to_sets).saturating_add(of_type)
}

/// Returns the bytes of the types that the conversion has made of the parts that only this value contains.
fn bytes_of_types(value: &Value) -> usize {
    if value.outer_bytes() == 0 {
        return 0;
    }
    let mut bytes = value.type_bytes();
    value.for_each_child(&mut |part| bytes = bytes.saturating_add(bytes_of_types(part)));
    bytes
}
