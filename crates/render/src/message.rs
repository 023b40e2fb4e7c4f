//! The text of a diagnostic without its title and place.

use terrane_source::Diagnostic;

use crate::visible::visible;

/// The text of `diagnostic` below its title: sentences, then the values involved, a line each. Harmless to print.
pub(crate) fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.text();
    for value in &diagnostic.values {
        message.push('\n');
        message.push_str(value);
    }
    visible(&message).into_owned()
}
