//! `--require-known`: reports values that must be known and are not.

use terrane::config::address::Object;
use terrane::source::ids;
use terrane::{Diagnostic, Diagnostics, Entry, EntryKind, Files, Report, Secrets, Selected, remedy};

use super::lookup::Values;

/// The maximum number of reasons in a message.
const MAX_REASONS: usize = 5;

/// An error for each required value that is not known, and for each address that names none. An empty text stands for the
/// `addresses`, or without any for the outputs of the root module.
pub(crate) fn unmet(
    required: &[String],
    addresses: &[String],
    report: &Report,
    entries: &[Entry],
    files: &dyn Files,
) -> Diagnostics {
    let values = Values::new(report, entries);
    let mut found = Diagnostics::new();
    for required in required {
        let meant = match required.as_str() {
            "" if addresses.is_empty() => root_outputs(entries),
            "" => addresses.to_vec(),
            address => vec![address.to_owned()],
        };
        for address in meant {
            match values.find(&address, files) {
                Ok(selected) => {
                    found.extend(selected.iter().filter_map(|selected| not_known(report, selected)));
                }
                Err(diagnostics) => found.extend(diagnostics),
            }
        }
    }
    found
}

fn root_outputs(entries: &[Entry]) -> Vec<String> {
    let is_of_root = |entry: &&Entry| {
        entry.kind == EntryKind::Output
            && entry.address.module.is_root()
            && matches!(entry.address.object, Object::Output(_))
    };
    entries.iter().filter(is_of_root).map(|entry| entry.address.to_string()).collect()
}

/// The error for a value that is unknown, partly unknown, or stands for an unknown number of instances.
fn not_known(report: &Report, selected: &Selected<'_>) -> Option<Diagnostic> {
    let Selected { value, entry, place, unknown_instances, .. } = selected;
    let address = selected.name(Secrets::Hidden);
    let origins = match unknown_instances {
        Some(origins) => origins.clone(),
        None if value.is_wholly_known() => return None,
        None => value.origins_deep(),
    };
    let mut reasons: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
    let more = reasons.len().saturating_sub(MAX_REASONS) + origins.omitted();
    reasons.truncate(MAX_REASONS);
    if more > 0 {
        reasons.push(format!("{more} more"));
    }
    let state = match unknown_instances {
        Some(_) => "stands for an unknown number of instances",
        None if value.is_known() => "is partly unknown",
        None => "is unknown",
    };
    let because = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    let diagnostic = Diagnostic::error(ids::NOT_KNOWN, format!("`{address}` {state}{because}."));
    let mut remedies: Vec<String> = Vec::new();
    for remedy in origins.as_slice().iter().take(MAX_REASONS).filter_map(|origin| remedy(report, origin)) {
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    let diagnostic = match remedies.is_empty() {
        true => diagnostic,
        false => diagnostic.hint(format!("It is known with: {}.", remedies.join("; "))),
    };
    let declaration = entry.and_then(|entry| entry.declaration.as_ref());
    Some(match declaration.or(place.as_ref()) {
        Some(place) => diagnostic.at(&place.file, place.span),
        None => diagnostic,
    })
}
