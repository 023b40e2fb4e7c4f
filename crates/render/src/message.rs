//! Writes the text of a diagnostic without its title and place.

use terrane_source::Diagnostic;

use crate::visible::visible;

/// Returns the text of `diagnostic` below its title, safe to print: sentences, then the values involved, one on each line.
pub(crate) fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.text();
    for value in &diagnostic.values {
        message.push('\n');
        message.push_str(value);
    }
    visible(&message).into_owned()
}
