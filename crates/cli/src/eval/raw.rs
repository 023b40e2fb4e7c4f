//! `--raw`: prints the text of one value, without quotes and without a line break at the end.

use terrane::value::convert;
use terrane::{Secrets, Selected, Type, Value};

/// Returns the text of the value that the addresses select, as `terraform output -raw` prints it.
///
/// # Errors
///
/// The reason, if the addresses do not select exactly one value with a text that may be shown.
pub(super) fn text(selected: &[Selected<'_>], secrets: Secrets) -> Result<String, String> {
    let [one] = selected else {
        return Err(format!("`--raw` prints one value, but the address selects {}", selected.len()));
    };
    let address = one.name(Secrets::Hidden);
    let (value, marks) = one.value.unmark_deep();
    if !marks.is_empty() && secrets == Secrets::Hidden {
        return Err(format!("`{address}` is secret: `--show-sensitive` prints it"));
    }
    if !value.is_wholly_known() {
        let reasons: Vec<String> = value.origins().as_slice().iter().map(ToString::to_string).collect();
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        return Err(format!("`{address}` is unknown, so it has no text{reasons}"));
    }
    if value.is_null() {
        return Err(format!("`{address}` is null, so it has no text"));
    }
    let text = convert(&value, &Type::String).ok();
    let text = text.as_ref().and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| {
        format!(
            "`--raw` prints strings, numbers and bools, but `{address}` is {}; `--json` prints any value",
            value.ty().friendly_name()
        )
    })
}
