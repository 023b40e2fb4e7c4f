//! Compares the sensitive parts of a planned object with the sensitive parts of the recorded one.

use terrane_config::state::StateForm;
use terrane_value::{Mark, SmolStr, Value, ValueKind};

/// The marks of a recorded object that can be compared with the planned marks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordedMarks {
    /// All marks, also inside sensitive values.
    All,
    /// The outermost marks: the document of a state does not contain marks inside sensitive values.
    Outermost,
    /// The marks that the configuration has, too. Without a schema, other marks may come from the provider.
    OfConfiguration,
}

impl RecordedMarks {
    /// Returns the marks that can be compared for an object in a state of this form.
    pub(super) fn of(form: StateForm, has_schema: bool) -> RecordedMarks {
        match form {
            _ if !has_schema => RecordedMarks::OfConfiguration,
            StateForm::File | StateForm::Legacy => RecordedMarks::All,
            StateForm::Document | StateForm::Plan => RecordedMarks::Outermost,
        }
    }
}

/// An attribute that becomes sensitive, or stops being sensitive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SensitivityChange {
    /// The name.
    pub attribute: SmolStr,
    /// Whether the attribute or a part of it is sensitive from now on.
    pub is_sensitive: bool,
}

/// Returns the attributes that become sensitive, or stop being sensitive.
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
    let of_attribute = |(position, (name, value)): (usize, (&SmolStr, &Value))| {
        let before = recorded.get_from(name, position)?;
        let gains = |one, other| gains_secret(one, other, marks);
        let is_sensitive = match (gains(value, before), gains(before, value)) {
            (true, _) => true,
            (false, true) if marks != RecordedMarks::OfConfiguration => false,
            (false, _) => return None,
        };
        Some(SensitivityChange { attribute: name.clone(), is_sensitive })
    };
    planned.iter().enumerate().filter_map(of_attribute).collect()
}

/// Whether `one` has a sensitive part that is not sensitive in `other`. The depth is bounded by the depth of values.
pub(super) fn gains_secret(one: &Value, other: &Value, marks: RecordedMarks) -> bool {
    let is_covered = other.has_mark(&Mark::Sensitive);
    if !one.contains_marked() || is_covered && marks != RecordedMarks::All {
        return false;
    }
    let is_secret = |value: &Value| value.marks_deep().contains(&Mark::Sensitive);
    if one.has_mark(&Mark::Sensitive) && !is_covered {
        return true;
    }
    let (one, other) = (one.unmarked(), other.unmarked());
    let pair = |one: &Value, other: Option<&Value>| match other {
        Some(other) => gains_secret(one, other, marks),
        None => is_secret(one),
    };
    match (one.known_attributes(), other.known_attributes(), one.known_elements(), other.known_elements()) {
        (Some(own), Some(attributes), ..) => {
            own.iter().enumerate().any(|(at, (name, value))| pair(value, attributes.get_from(name, at)))
        }
        // The mark of an element of a set counts for the whole set.
        (_, _, Some(_), Some(_)) if matches!(one.kind(), ValueKind::Set(_)) => {
            is_secret(one) && !is_secret(other)
        }
        // The mark of an element also counts for the whole sequence if its order is not known.
        (_, _, Some(own), Some(elements)) => {
            own.iter().enumerate().any(|(at, value)| pair(value, elements.get(at)))
                && (one.as_unknown().is_none() || !is_secret(other))
        }
        (..) => is_secret(one) && !is_secret(other),
    }
}
