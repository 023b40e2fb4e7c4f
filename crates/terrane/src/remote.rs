//! The outputs of a root module for the `terraform_remote_state` of another root module.

use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Entries, Known, OriginKind, Origins, SmolStr, Type, Value, ValueKind, counted};

use crate::document::listing::reasons;
use crate::report::Report;

/// Returns an object with the outputs of the root module of `report`, for the data source at `address`. The object is unknown
/// if the module may have outputs that cannot be read. Null outputs are left out. As in the reference, sensitive outputs lose their marks.
pub(crate) fn outputs(address: &str, report: &Report, diagnostics: &mut Diagnostics) -> Value {
    let directory = report.evaluation().config.request.directory.display().to_string();
    let errors = report.diagnostics().errors();
    if errors > 0 {
        let number = counted(errors, "error");
        let detail = format!(
            "The root module in `{directory}`, whose outputs are given for `{address}`, has {number}: outputs that depend \
             on it are unknown. `terrane eval {directory}` prints it."
        );
        diagnostics.push(Diagnostic::warning(ids::REMOTE_STATE_NOT_FOUND, detail));
        // All root modules share the limits of the run.
        let of_limits = |found: &&Diagnostic| found.id == ids::LIMIT_EXCEEDED;
        diagnostics.extend(
            report.diagnostics().as_slice().iter().filter(of_limits).cloned().collect::<Diagnostics>(),
        );
    }
    let output = |(name, value): (&SmolStr, &Value)| {
        let (value, _) = value.unmark_deep();
        let subject = format!("{address}.outputs.{name}");
        let mut origins = Origins::one(OriginKind::DataSource, subject);
        if !value.is_wholly_known() {
            let reasons = reasons(&value.origins_deep());
            let reason =
                format!("`output.{name}` of the root module in `{directory}` is not known: {reasons}");
            origins = origins.because(&Origins::one(OriginKind::NotComputed, reason));
        }
        (name.clone(), with_origins(&value, &origins))
    };
    if errors > 0 && (report.is_partial() || report.outputs().next().is_none()) {
        // The declarations of further outputs may be missing.
        let reason = format!("the root module in `{directory}` has errors");
        return Value::unknown_from(Type::Dynamic, Origins::one(OriginKind::NotComputed, reason));
    }
    // The products write no null outputs to a state.
    let written = report.outputs().filter(|(_, value)| !value.is_null());
    Value::object(written.map(output).collect::<Vec<_>>())
}

/// Returns the value with these origins on its unknown parts.
fn with_origins(value: &Value, origins: &Origins) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    let all = |values: &[Value]| values.iter().map(|value| with_origins(value, origins)).collect::<Vec<_>>();
    let entries = |entries: &Entries| {
        entries.iter().map(|(name, value)| (name.clone(), with_origins(value, origins))).collect::<Vec<_>>()
    };
    match (value.kind(), value.as_unknown().map(|unknown| &unknown.known)) {
        (_, Some(Known::Object(known))) => {
            Value::open_object(entries(known).into_iter().collect(), origins.clone())
        }
        (_, Some(Known::Sequence(known))) => Value::open_sequence(all(known), origins.clone()),
        (ValueKind::Object(known), _) => Value::object(entries(known)),
        (ValueKind::Tuple(known), _) => Value::tuple(all(known)),
        (_, _) => Value::unknown_from(value.ty(), origins.clone()),
    }
}
