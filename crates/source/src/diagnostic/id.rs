//! [`DiagnosticId`], the kind of a message.

use std::fmt;

/// The stable identity of a kind of diagnostic, such as `core:unsupported-attribute`.
///
/// Every id of the engine is declared once in [`ids`](super::ids) and never used for another meaning. Programs declare ids of their
/// own, for example for the rules of a linter, with [`DiagnosticId::new`].
#[derive(Clone, Copy)]
pub struct DiagnosticId {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) meaning: &'static str,
}

/// The namespace of the ids of the engine.
const CORE: &str = "core";

impl DiagnosticId {
    /// Returns an id of a program: a namespace and a name, such as `lint:unused-local`. `None` if `id` has another form, or if its
    /// namespace is `core`, which is for the ids of the engine. Both parts are lower-case letters, digits and dashes.
    ///
    /// ```
    /// use terrane_source::{Diagnostic, DiagnosticId, Severity};
    ///
    /// const UNUSED: Option<DiagnosticId> =
    ///     DiagnosticId::new("lint:unused-local", "Unused local value", "Nothing refers to a local value. Remove it.");
    ///
    /// let unused = UNUSED.ok_or("not an id")?;
    /// let note = Diagnostic::note(unused, "Nothing refers to `local.zone`.");
    /// assert_eq!((note.severity, note.id.as_str(), note.title()), (Severity::Note, "lint:unused-local", "Unused local value"));
    /// assert_eq!(DiagnosticId::new("core:mine", "Mine", "It is mine."), None);
    /// # Ok::<(), &str>(())
    /// ```
    pub const fn new(id: &'static str, title: &'static str, meaning: &'static str) -> Option<DiagnosticId> {
        let mut rest = id.as_bytes();
        let (mut colons, mut length) = (0, 0);
        while let [first, behind @ ..] = rest {
            match first {
                b'a'..=b'z' | b'0'..=b'9' | b'-' => length += 1,
                b':' if length > 0 => (colons, length) = (colons + 1, 0),
                _ => return None,
            }
            rest = behind;
        }
        let new = DiagnosticId { id, title, meaning };
        if colons != 1 || length == 0 || new.is_core() { None } else { Some(new) }
    }

    /// Whether the engine declares the id.
    pub const fn is_core(self) -> bool {
        let (mut id, mut core) = (self.id.as_bytes(), CORE.as_bytes());
        while let ([first, behind @ ..], [wanted, more @ ..]) = (id, core) {
            if *first != *wanted {
                return false;
            }
            (id, core) = (behind, more);
        }
        core.is_empty() && matches!(id, [b':', ..])
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids;

    #[test]
    fn an_id_has_a_namespace_of_its_own_and_a_name() {
        let is_id = |id| DiagnosticId::new(id, "Title", "Meaning.").is_some();
        let ids = ["lint:a-1", "acme-2:b", "cores:a", "cor:a"];
        assert_eq!(ids.map(is_id), [true; 4]);
        let others = ["core:a", "lint", "lint:", ":a", "a:b:c", "Lint:a", "lint:a b", ""];
        assert_eq!(others.map(is_id), [false; 8]);
        assert!(ids::ALL.iter().all(|id| id.is_core()));
    }
}
