//! The text of a diagnostic without its title and place.

use std::borrow::Cow;

use terrane_source::Diagnostic;

use crate::visible::visible;

/// The text of `diagnostic` below its title: sentences, then the values involved, a line each. Harmless to print.
pub(crate) fn message(diagnostic: &Diagnostic) -> String {
    let mut message = sentences(diagnostic).collect::<Vec<_>>().join(" ");
    for value in &diagnostic.values {
        message.push('\n');
        message.push_str(value);
    }
    visible(&message).into_owned()
}

/// The detail of `diagnostic`, its hints, and the number of messages that are not listed.
pub(crate) fn sentences(diagnostic: &Diagnostic) -> impl Iterator<Item = Cow<'_, str>> {
    let written = std::iter::once(&diagnostic.detail).chain(&diagnostic.hints);
    let written = written.map(|sentence| Cow::Borrowed(sentence.as_str()));
    written.chain(diagnostic.omission().map(Cow::Owned)).filter(|sentence| !sentence.is_empty())
}
