//! [`Title`], the title of a single message, and the sources that it may come from.

use super::id::DiagnosticId;

/// A title from the table of [`titles`](super::titles), or the title of an id. No other code creates titles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Title(&'static str);

impl Title {
    /// Returns the title of a row.
    pub(super) const fn new(text: &'static str) -> Title {
        Title(text)
    }

    /// Returns the title of the messages with an id.
    pub const fn of(id: DiagnosticId) -> Title {
        Title(id.title)
    }

    /// Returns the title as text.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// A title of a single message: from the table, of an id, or a text with names or numbers of the configuration. String literals
/// do not implement it, so that all of them are in the table.
pub trait MessageTitle {
    /// Returns the title as text.
    fn into_text(self) -> Box<str>;
}

impl MessageTitle for Title {
    fn into_text(self) -> Box<str> {
        self.0.into()
    }
}

impl MessageTitle for String {
    fn into_text(self) -> Box<str> {
        self.into_boxed_str()
    }
}

impl MessageTitle for Box<str> {
    fn into_text(self) -> Box<str> {
        self
    }
}
