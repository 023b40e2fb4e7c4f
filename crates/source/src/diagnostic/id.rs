//! [`DiagnosticId`], the kind of a message.

use std::fmt;

/// The stable identity of a kind of diagnostic, such as `core:unsupported-attribute`.
///
/// Every id is declared once in [`ids`](super::ids) and never used for another meaning.
#[derive(Clone, Copy)]
pub struct DiagnosticId {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) meaning: &'static str,
}

impl DiagnosticId {
    /// The id as text.
    pub const fn as_str(self) -> &'static str {
        self.id
    }

    /// The short title that users search for, without a full stop.
    pub const fn title(self) -> &'static str {
        self.title
    }

    /// The cause and, if it helps, the fix, in full sentences for the reference page.
    pub const fn meaning(self) -> &'static str {
        self.meaning
    }
}

impl PartialEq for DiagnosticId {
    fn eq(&self, other: &DiagnosticId) -> bool {
        self.id == other.id
    }
}

impl Eq for DiagnosticId {}

impl fmt::Display for DiagnosticId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl fmt::Debug for DiagnosticId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}
