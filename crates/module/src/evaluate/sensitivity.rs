//! Compares the sensitive parts of a planned object with those of the recorded one.

use terrane_value::{Mark, SmolStr, Value, ValueKind};

/// An attribute that becomes sensitive, or is so no longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SensitivityChange {
    /// The name.
    pub attribute: SmolStr,
    /// Whether it or a part of it is sensitive from now on.
    pub is_sensitive: bool,
}

/// The attributes that become sensitive, or are so no longer. Without a schema it is not known of a recorded mark whether the
/// provider has set it.
pub(super) fn sensitivity_changes(
    planned: &Value,
    recorded: &Value,
    has_schema: bool,
) -> Vec<SensitivityChange> {
    let (Some(planned), Some(recorded)) =
        (planned.unmarked().known_attributes(), recorded.unmarked().as_entries())
    else {
        return Vec::new();
    };
    let of_attribute = |(name, value): (&SmolStr, &Value)| {
        let before = recorded.get(name)?;
        let is_sensitive = match (gains_secret(value, before), gains_secret(before, value)) {
            (true, _) => true,
            (false, true) if has_schema => false,
            (false, _) => return None,
        };
        Some(SensitivityChange { attribute: name.clone(), is_sensitive })
    };
    planned.iter().filter_map(of_attribute).collect()
}

/// Whether a part of `one` is sensitive that is not in `other`. The depth is bounded by that of values.
pub(super) fn gains_secret(one: &Value, other: &Value) -> bool {
    if !one.contains_marked() || other.has_mark(&Mark::Sensitive) {
        return false;
    }
    let is_secret = |value: &Value| value.unmark_deep().1.contains(&Mark::Sensitive);
    if one.has_mark(&Mark::Sensitive) {
        return true;
    }
    let (one, other) = (one.unmarked(), other.unmarked());
    let pair = |one: &Value, other: Option<&Value>| match other {
        Some(other) => gains_secret(one, other),
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
