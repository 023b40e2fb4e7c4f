//! Compares the sensitive parts of a planned object with those of the recorded one.

use terrane_config::state::StateForm;
use terrane_value::{Mark, SmolStr, Value, ValueKind};

/// The marks of a recorded object that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordedMarks {
    /// All of them, also inside of sensitive values.
    All,
    /// Those that are not inside of sensitive values, which the document of a state does not tell.
    Outermost,
    /// Those of them that the configuration has too: without a schema, the provider may have marked a value.
    OfConfiguration,
}

impl RecordedMarks {
    /// The marks of an object in a state of this form.
    pub(super) fn of(form: StateForm, has_schema: bool) -> RecordedMarks {
        match form {
            _ if !has_schema => RecordedMarks::OfConfiguration,
            StateForm::File | StateForm::Legacy => RecordedMarks::All,
            StateForm::Document | StateForm::Plan => RecordedMarks::Outermost,
        }
    }
}

/// An attribute that becomes sensitive, or is so no longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SensitivityChange {
    /// The name.
    pub attribute: SmolStr,
    /// Whether it or a part of it is sensitive from now on.
    pub is_sensitive: bool,
}

/// The attributes that become sensitive, or are so no longer.
pub(super) fn sensitivity_changes(
    planned: &Value,
    recorded: &Value,
    marks: RecordedMarks,
) -> Vec<SensitivityChange> {
    let (Some(planned), Some(recorded)) =
        (planned.unmarked().known_attributes(), recorded.unmarked().as_entries())
    else {
        return Vec::new();
    };
    let of_attribute = |(name, value): (&SmolStr, &Value)| {
        let before = recorded.get(name)?;
        let gains = |one, other| gains_secret(one, other, marks);
        let is_sensitive = match (gains(value, before), gains(before, value)) {
            (true, _) => true,
            (false, true) if marks != RecordedMarks::OfConfiguration => false,
            (false, _) => return None,
        };
        Some(SensitivityChange { attribute: name.clone(), is_sensitive })
    };
    planned.iter().filter_map(of_attribute).collect()
}

/// Whether a part of `one` is sensitive that is not in `other`. The depth is bounded by that of values.
pub(super) fn gains_secret(one: &Value, other: &Value, marks: RecordedMarks) -> bool {
    let is_covered = other.has_mark(&Mark::Sensitive);
    if !one.contains_marked() || is_covered && marks != RecordedMarks::All {
        return false;
    }
    let is_secret = |value: &Value| value.unmark_deep().1.contains(&Mark::Sensitive);
    if one.has_mark(&Mark::Sensitive) && !is_covered {
        return true;
    }
    let (one, other) = (one.unmarked(), other.unmarked());
    let pair = |one: &Value, other: Option<&Value>| match other {
        Some(other) => gains_secret(one, other, marks),
        None => is_secret(one),
    };
    match (one.known_attributes(), other.known_attributes(), one.known_elements(), other.known_elements()) {
        (Some(own), Some(others), ..) => own.iter().any(|(name, value)| pair(value, others.get(name))),
        // The mark of an element counts for the whole set.
        (_, _, Some(_), Some(_)) if matches!(one.kind(), ValueKind::Set(_)) => {
            is_secret(one) && !is_secret(other)
        }
        // So does that of an element of a sequence whose order is not known.
        (_, _, Some(own), Some(others)) => {
            own.iter().enumerate().any(|(at, value)| pair(value, others.get(at)))
                && (one.as_unknown().is_none() || !is_secret(other))
        }
        (..) => is_secret(one) && !is_secret(other),
    }
}
