//! [`Title`], the title of a single message, and the sources that it may come from.

use super::id::DiagnosticId;

/// A row of the table of [`titles`](super::titles), or the title of an id. No other code makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Title(&'static str);

impl Title {
    /// The title of a row.
    pub(super) const fn new(text: &'static str) -> Title {
        Title(text)
    }

    /// The title of the messages with an id.
    pub const fn of(id: DiagnosticId) -> Title {
        Title(id.title)
    }

    /// The title as text.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// A title of a single message: from the table, of an id, or a text with names or numbers of the configuration. A literal is
/// none, so that all of them stand in the table.
pub trait MessageTitle {
    /// The title as text.
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
