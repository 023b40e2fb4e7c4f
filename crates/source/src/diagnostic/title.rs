//! [`Title`] and [`TitleText`], titles of single messages, and the sources that they may come from.

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

/// The text of the title of a single message: a [`Title`], or a title of the table with names of the configuration. No other
/// code creates such texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TitleText(Box<str>);

impl TitleText {
    /// Returns the title of a row with names.
    pub(super) fn new(text: String) -> TitleText {
        TitleText(text.into_boxed_str())
    }

    /// Returns the title as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the title without its secrets: `hide` replaces them in a text.
    #[must_use]
    pub fn hidden(self, hide: impl FnOnce(String) -> String) -> TitleText {
        TitleText::new(hide(self.0.into_string()))
    }
}

impl From<Title> for TitleText {
    fn from(title: Title) -> TitleText {
        TitleText(title.0.into())
    }
}
