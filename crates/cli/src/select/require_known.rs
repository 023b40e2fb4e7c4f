//! `--require-known`: reports values that must be known but are unknown.

use terrane::config::address::Object;
use terrane::source::{Subject, ids};
use terrane::value::{Known, Origin, OriginKind, OriginsMemory};
use terrane::{
    Diagnostic, Diagnostics, Entry, EntryKind, Files, Report, Secrets, Selected, SourceKind, output_option,
    remedy,
};

use super::lookup::EvaluatedValues;

/// The most reasons in a message.
const MAX_REASONS: usize = 5;

/// Returns an error for each required value that is not known, and for each address that names no value. An empty text stands
/// for the `addresses`, or for the outputs of the root module if there are none.
pub(crate) fn unmet(
    required: &[String],
    addresses: &[String],
    report: &Report,
    entries: &[Entry],
    files: &dyn Files,
) -> Diagnostics {
    let values = EvaluatedValues::new(report, entries);
    let (mut found, mut memory) = (Diagnostics::new(), OriginsMemory::new());
    for required in required {
        let meant = match required.as_str() {
            "" if addresses.is_empty() => root_outputs(entries),
            "" => addresses.to_vec(),
            address => vec![address.to_owned()],
        };
        for address in meant {
            match values.find(&address, files) {
                Ok(selected) => {
                    found.extend(selected.iter().filter_map(|selected| {
                        not_known(report, selected, &mut memory)
                            .or_else(|| of_prior_values(selected, entries))
                    }));
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

/// Returns the error for a value that is unknown, partly unknown, or stands for an unknown number of instances.
fn not_known(report: &Report, selected: &Selected<'_>, memory: &mut OriginsMemory) -> Option<Diagnostic> {
    let Selected { value, entry, place, unknown_instances, .. } = selected;
    let address = selected.name(Secrets::Hidden);
    let origins = match unknown_instances {
        Some(origins) => origins.clone(),
        None if value.is_wholly_known() => return None,
        None => memory.origins_deep(value),
    };
    let mut reasons: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
    let more = reasons.len().saturating_sub(MAX_REASONS) + origins.omitted();
    reasons.truncate(MAX_REASONS);
    if more > 0 {
        reasons.push(format!("{more} more"));
    }
    // An argument of a resource without a schema. The resource itself has attributes that the provider sets.
    let open = value.unmarked().as_unknown().filter(|_| entry.is_none());
    let written = match open.map(|unknown| &unknown.known) {
        Some(Known::Object(_)) => Some("is written, but may have further parts"),
        Some(Known::Sequence(_)) => Some("is written, but may be a list, a set or blocks"),
        Some(Known::Nothing) | None => None,
    };
    let state = match (unknown_instances, written) {
        (Some(_), _) => "stands for an unknown number of instances",
        (None, Some(written)) => written,
        (None, None) if value.is_known() => "is partly unknown",
        (None, None) => "is unknown",
    };
    let because = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    let diagnostic = Diagnostic::error(ids::NOT_KNOWN, format!("`{address}` {state}{because}."));
    let mut remedies: Vec<String> = Vec::new();
    let remedy = |origin: &Origin| {
        // `--set` does not replace a written argument; with a schema its type, and so its value, is known.
        if written.is_some() && *origin.subject == *address {
            return Some("--schemas FILE".to_owned());
        }
        let remedy = remedy(report, origin)?;
        let is_output = origin.kind == OriginKind::Module;
        Some(if is_output { format!("{remedy}, or {}", output_option(origin)) } else { remedy })
    };
    for remedy in origins.as_slice().iter().take(MAX_REASONS).filter_map(remedy) {
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    let diagnostic = match remedies.is_empty() {
        true => diagnostic,
        false => diagnostic.hint(format!("It is known with: {}.", remedies.join("; "))),
    };
    Some(at_its_place(diagnostic, entry.and_then(|entry| entry.declaration.as_ref()).or(place.as_ref())))
}

fn at_its_place(diagnostic: Diagnostic, place: Option<&Subject>) -> Diagnostic {
    match place {
        Some(place) => diagnostic.at(&place.file, place.span),
        None => diagnostic,
    }
}

/// Returns the error for a value that depends on prior values, which may differ from the values after an apply.
fn of_prior_values(selected: &Selected<'_>, entries: &[Entry]) -> Option<Diagnostic> {
    let own = selected.sources.iter().map(|source| source.kind).chain(selected.follows_from.iter().copied());
    let call = selected.entry.filter(|entry| entry.kind == EntryKind::ModuleCall);
    let outputs =
        call.into_iter().flat_map(|call| entries.iter().filter(move |output| is_output_of(output, call)));
    let of_entries = selected.entry.into_iter().chain(outputs).flat_map(kinds);
    if !own.chain(of_entries).any(|kind| kind == SourceKind::Prior) {
        return None;
    }
    let address = selected.name(Secrets::Hidden);
    let detail = format!(
        "`{address}` follows from prior values of the state, which need not be the values after an apply."
    );
    let hint = "Without `--state-values prior`, objects that do not change have their recorded values, and only these are known.";
    let declaration = selected.entry.and_then(|entry| entry.declaration.as_ref());
    let diagnostic = Diagnostic::error(ids::NOT_KNOWN, detail).hint(hint);
    Some(at_its_place(diagnostic, declaration.or(selected.place.as_ref())))
}

/// Returns the kinds of source of an object, and the kinds that it depends on.
fn kinds(entry: &Entry) -> impl Iterator<Item = SourceKind> {
    let arguments = entry.arguments_follow_from.as_deref().into_iter().flatten();
    let read =
        arguments.flat_map(|(_, kinds)| kinds).chain(&entry.follows_from).chain(&entry.instances_follow_from);
    entry.sources.iter().map(|source| source.kind).chain(read.copied())
}

fn is_output_of(output: &Entry, call: &Entry) -> bool {
    let (Object::Output(_), Object::ModuleCall(name, key)) = (&output.address.object, &call.address.object)
    else {
        return false;
    };
    output
        .address
        .module
        .split_last()
        .is_some_and(|(caller, step)| caller == call.address.module && step.name == *name && step.key == *key)
}
