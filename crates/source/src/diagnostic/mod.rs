//! [`Diagnostic`], the message type of every phase, and [`Diagnostics`], a list of them.
//!
//! A diagnostic refers to source files by [`Arc`], so it can be rendered after the engine has dropped its trees.

mod fix;
mod id;
pub mod ids;
mod listed;
mod secrets;
mod title;
pub mod titles;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

pub use self::fix::{Applicability, Edit, Fix};
pub use self::id::DiagnosticId;
pub use self::listed::first_of;
pub use self::title::{Title, TitleText};
use crate::{SourceFile, Span};

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// A remark, such as a convention that a linter checks. No command of Terrane makes notes.
    Note,
    /// Worth knowing; the result is complete.
    Warning,
    /// An error; the result has gaps.
    Error,
}

impl Severity {
    /// Returns the name in documents and messages: `error`, `warning` or `note`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place in a file.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The bytes in the file.
    pub span: Span,
}

impl Subject {
    /// Returns `file:line:column` of the start, for a message about another place.
    ///
    /// ```
    /// use terrane_source::{FileId, SourceFile, Span, Subject};
    ///
    /// let file = SourceFile::new(FileId::new("a.tf"), "a = 1\nb = 2\n");
    /// assert_eq!(Subject { file, span: Span::new(8, 9) }.position(), "a.tf:2:3");
    /// ```
    pub fn position(&self) -> String {
        self.file.position(self.span.start)
    }
}

/// A second place of a message, in any file.
#[derive(Clone, Debug)]
pub struct Label {
    /// The place.
    pub place: Subject,
    /// A short text: "opened here".
    pub text: String,
}

/// A message about the configuration: the error, its place and the fix.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The severity of a diagnostic.
    pub severity: Severity,
    /// The kind of message.
    pub id: DiagnosticId,
    /// A title that names the wrong object, in place of the title of the kind.
    pub own_title: Option<TitleText>,
    /// Full sentences: the error and the fix.
    pub detail: String,
    /// The place of the error.
    pub subject: Option<Subject>,
    /// A wider range around the subject, in the same file.
    pub context: Option<Span>,
    /// Other places that help to understand the message, in any file.
    pub labels: Vec<Label>,
    /// Suggestions, a sentence each ("Did you mean \"name\"?").
    pub hints: Vec<String>,
    /// Alternative edits of source files that fix the cause.
    pub fixes: Vec<Fix>,
    /// The values of the variables involved, one per line, such as `var.count is 3`.
    pub values: Vec<String>,
    /// The canonical address of the object that the message is about, such as `module.a.output.b`.
    pub address: Option<String>,
    /// The number of further messages of this kind that are not listed, because there are too many.
    pub omitted: u32,
}

impl Diagnostic {
    /// Returns an error of the given kind.
    pub fn error(id: DiagnosticId, detail: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            id,
            own_title: None,
            detail: detail.into(),
            subject: None,
            context: None,
            labels: Vec::new(),
            hints: Vec::new(),
            fixes: Vec::new(),
            values: Vec::new(),
            address: None,
            omitted: 0,
        }
    }

    /// Returns a warning of the given kind.
    pub fn warning(id: DiagnosticId, detail: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(id, detail) }
    }

    /// Returns a note of the given kind.
    pub fn note(id: DiagnosticId, detail: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(id, detail) }
    }

    /// Returns the short title of the message, or else the title of its kind.
    pub fn title(&self) -> &str {
        self.own_title.as_ref().map_or(self.id.title(), TitleText::as_str)
    }

    /// Sets a title that names the wrong object.
    #[must_use]
    pub fn titled(mut self, title: impl Into<TitleText>) -> Diagnostic {
        self.own_title = Some(title.into());
        self
    }

    /// Sets the place of the message.
    #[must_use]
    pub fn at(mut self, file: &Arc<SourceFile>, span: Span) -> Diagnostic {
        self.subject = Some(Subject { file: Arc::clone(file), span });
        self
    }

    /// Sets a wider range around the subject.
    #[must_use]
    pub fn within(mut self, context: Span) -> Diagnostic {
        self.context = Some(context);
        self
    }

    /// Adds a labelled second place in the file of the subject, which must be set before.
    #[must_use]
    pub fn label(self, span: Span, text: impl Into<String>) -> Diagnostic {
        match self.subject.as_ref().map(|subject| Arc::clone(&subject.file)) {
            Some(file) => self.label_in(&file, span, text),
            None => self,
        }
    }

    /// Adds a labelled second place in any file.
    #[must_use]
    pub fn label_in(mut self, file: &Arc<SourceFile>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { place: Subject { file: Arc::clone(file), span }, text: text.into() });
        self
    }

    /// Adds a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        self.fixes.push(fix);
        self
    }

    /// Adds the guess that the name at the subject, `given`, should be `meant`. Adds nothing if the text of the subject is
    /// neither that name nor that name in quotes, behind a dot or in brackets.
    #[must_use]
    pub fn rename(self, given: &str, meant: &str) -> Diagnostic {
        let Some(Subject { file, span }) = &self.subject else { return self };
        let Some(span) = fix::name_within(file, *span, given) else { return self };
        let fix = Fix::replace(file, span, meant, Applicability::Unsafe);
        self.fix(fix)
    }

    /// Adds the guess that the name at the subject, `given`, should be `meant`, if there is a guess: a hint and the
    /// [fix](Diagnostic::rename).
    #[must_use]
    pub fn suggest(self, given: &str, meant: Option<&str>) -> Diagnostic {
        match meant {
            Some(meant) => self.hint(format!("Did you mean \"{meant}\"?")).rename(given, meant),
            None => self,
        }
    }

    /// Adds a guess like [`Diagnostic::suggest`], for a reference, type or other text of the language, which is put in
    /// backquotes.
    #[must_use]
    pub fn suggest_code(self, given: &str, meant: Option<&str>) -> Diagnostic {
        match meant {
            Some(meant) => self.hint(format!("Did you mean `{meant}`?")).rename(given, meant),
            None => self,
        }
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hints.push(hint.into());
        self
    }

    /// Adds a line about a value involved.
    #[must_use]
    pub fn value(mut self, line: impl Into<String>) -> Diagnostic {
        self.values.push(line.into());
        self
    }

    /// Sets the address of the object that the message is about.
    #[must_use]
    pub fn about(mut self, address: impl fmt::Display) -> Diagnostic {
        // Text that is written in parts gets more room than it needs, up to twice as much.
        let mut address = address.to_string();
        address.shrink_to_fit();
        self.address = Some(address);
        self
    }

    /// Adds the fix that replaces the text of the subject, `given`, by `new` without a change of meaning. Adds nothing if the
    /// subject has another text.
    #[must_use]
    pub fn rewrite(self, given: &str, new: &str) -> Diagnostic {
        let Some(Subject { file, span }) = &self.subject else { return self };
        if file.slice(*span) != given {
            return self;
        }
        let fix = Fix::replace(file, *span, new, Applicability::Safe);
        self.fix(fix)
    }

    fn compare_place(&self, other: &Diagnostic) -> Ordering {
        let place = |subject: &Subject| {
            let path = subject.file.id().path();
            (path.components().count(), subject.file.id().clone(), subject.span)
        };
        self.subject.as_ref().map(place).cmp(&other.subject.as_ref().map(place))
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Returns a sentence about the messages of this kind that are not listed, if there are any.
    pub fn omission(&self) -> Option<String> {
        let name = self.severity.name();
        match self.omitted {
            0 => None,
            1 => Some(format!("1 more {name} of this kind is not listed.")),
            more => Some(format!("{more} more {name}s of this kind are not listed.")),
        }
    }

    /// Returns the detail, the hints, and the number of messages that are not listed.
    pub fn sentences(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let written = std::iter::once(&self.detail).chain(&self.hints);
        let written = written.map(|sentence| Cow::Borrowed(sentence.as_str()));
        written.chain(self.omission().map(Cow::Owned)).filter(|sentence| !sentence.is_empty())
    }

    /// Returns the [sentences](Diagnostic::sentences) as one text.
    pub fn text(&self) -> String {
        self.sentences().collect::<Vec<_>>().join(" ")
    }

    /// Returns the number of errors that the message stands for.
    fn errors(&self) -> usize {
        if self.is_error() { 1 + self.omitted as usize } else { 0 }
    }

    /// Returns the number of bytes of its texts.
    pub fn size(&self) -> usize {
        let texts = self.hints.iter().chain(&self.values);
        let labels = self.labels.iter().map(|label| label.text.len());
        let edits = self.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.text.len());
        let address = self.address.as_ref().map_or(0, String::len);
        self.detail.len() + address + texts.map(String::len).chain(labels).chain(edits).sum::<usize>()
    }
}

/// Messages in the order in which they were found.
///
/// The list is bounded: it has at most [`Diagnostics::MAX_OF_A_KIND`] messages of each id and severity, and only the first of
/// each if all texts together would be longer than [`Diagnostics::MAX_BYTES`]. The last message of a kind counts the messages
/// that are not listed.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    /// The number of bytes of the listed texts.
    bytes: usize,
    /// The number of messages that are not listed.
    omitted: usize,
    /// The number of errors, including errors that are not listed.
    errors: usize,
    /// The messages by kind, for a list that may be full. Empty if the table must be built again.
    kinds: Vec<Kind>,
}

/// The messages of one id and severity in a list.
#[derive(Clone, Debug)]
struct Kind {
    id: DiagnosticId,
    severity: Severity,
    /// The number of messages.
    count: usize,
    /// The position of the last message.
    last: usize,
}

/// A point in time of a list of messages, see [`Diagnostics::mark`].
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticsMark {
    listed: usize,
    errors: usize,
}

impl Diagnostics {
    /// The most messages of a kind that are listed.
    pub const MAX_OF_A_KIND: usize = 1000;

    /// The bytes of text after which only the first message of a kind is listed.
    pub const MAX_BYTES: usize = 16 << 20;

    /// Returns an empty list.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one message, or counts it if there are too many of its kind.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.push_within(Self::MAX_BYTES, diagnostic);
    }

    /// Returns the list with `most` in place of [`Diagnostics::MAX_BYTES`], for one of many lists that are kept.
    #[must_use]
    pub fn within(self, most: usize) -> Diagnostics {
        let mut kept = Diagnostics::new();
        self.into_iter().for_each(|diagnostic| kept.push_within(most, diagnostic));
        kept
    }

    fn push_within(&mut self, most: usize, diagnostic: Diagnostic) {
        let size = diagnostic.size();
        self.omitted += diagnostic.omitted as usize;
        self.errors += diagnostic.errors();
        let is_full = self.bytes + size > most;
        if is_full || self.found.len() >= Self::MAX_OF_A_KIND || !self.kinds.is_empty() {
            self.sort_by_kind();
            let (id, severity, last) = (diagnostic.id, diagnostic.severity, self.found.len());
            match self.kinds.iter_mut().find(|kind| kind.id == id && kind.severity == severity) {
                Some(kind) if is_full || kind.count >= Self::MAX_OF_A_KIND => {
                    if let Some(listed) = self.found.get_mut(kind.last) {
                        listed.omitted = listed.omitted.saturating_add(diagnostic.omitted).saturating_add(1);
                        self.omitted += 1;
                        return;
                    }
                }
                Some(kind) => (kind.count, kind.last) = (kind.count + 1, last),
                None => self.kinds.push(Kind { id, severity, count: 1, last }),
            }
        }
        self.bytes += size;
        self.found.push(diagnostic);
    }

    /// Counts an error instead of listing it, if its kind is full. Returns whether it was counted, so that the caller need not
    /// build the message.
    pub fn count_unlisted(&mut self, id: DiagnosticId) -> bool {
        let last = self.full_kind(id).map(|kind| kind.last);
        let Some(listed) = last.and_then(|last| self.found.get_mut(last)) else { return false };
        listed.omitted = listed.omitted.saturating_add(1);
        self.omitted += 1;
        self.errors += 1;
        true
    }

    /// Whether an error of this kind would still be listed, and not only counted.
    pub fn lists(&self, id: DiagnosticId) -> bool {
        self.full_kind(id).is_none()
    }

    fn full_kind(&self, id: DiagnosticId) -> Option<&Kind> {
        let is_full = |kind: &&Kind| {
            kind.id == id && kind.severity == Severity::Error && kind.count >= Self::MAX_OF_A_KIND
        };
        self.kinds.iter().find(is_full)
    }

    /// Builds the table of kinds, if there is none.
    fn sort_by_kind(&mut self) {
        if !self.kinds.is_empty() {
            return;
        }
        for (last, Diagnostic { id, severity, .. }) in self.found.iter().enumerate() {
            match self.kinds.iter_mut().find(|kind| kind.id == *id && kind.severity == *severity) {
                Some(kind) => (kind.count, kind.last) = (kind.count + 1, last),
                None => self.kinds.push(Kind { id: *id, severity: *severity, count: 1, last }),
            }
        }
    }

    /// Whether any message is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns the number of errors, including errors that are not listed.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns the number of messages of a severity, including messages that are not listed.
    pub fn of_severity(&self, severity: Severity) -> usize {
        let found = self.found.iter().filter(|found| found.severity == severity);
        found.map(|found| 1 + found.omitted as usize).sum()
    }

    /// Returns the listed messages.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.found
    }

    /// Sorts messages by place: messages without a place first, then by file (outer directories first), line and column. The
    /// sort is stable. Errors and warnings of a file stand together.
    pub fn sort(&mut self) {
        self.found.sort_by(Diagnostic::compare_place);
        self.kinds.clear();
    }

    /// Returns the messages without later duplicates, which have the same text at the same place.
    #[must_use]
    pub fn distinct(self) -> Diagnostics {
        self.distinct_by(|_| ())
    }

    /// Removes duplicates like [`Diagnostics::distinct`], but keeps messages that differ in `key`.
    #[must_use]
    pub fn distinct_by<K: Eq + Hash>(self, key: impl Fn(&Diagnostic) -> K) -> Diagnostics {
        let mut seen = HashSet::new();
        let is_new = |diagnostic: &Diagnostic| {
            let place = diagnostic.subject.as_ref().map(|subject| (subject.file.id().clone(), subject.span));
            seen.insert((diagnostic.id.as_str(), place, diagnostic.detail.clone(), key(diagnostic)))
        };
        self.into_iter().filter(is_new).collect()
    }

    /// Marks the present end of the list, to ask for the messages that are added later.
    pub fn mark(&self) -> DiagnosticsMark {
        DiagnosticsMark { listed: self.found.len(), errors: self.errors }
    }

    /// Whether an error was added since the mark.
    pub fn has_errors_since(&self, mark: DiagnosticsMark) -> bool {
        self.errors > mark.errors
    }

    /// Removes the messages that were listed since the mark, and returns them.
    pub fn split_off(&mut self, mark: DiagnosticsMark) -> Vec<Diagnostic> {
        let removed = self.found.split_off(mark.listed.min(self.found.len()));
        self.errors -= removed.iter().map(Diagnostic::errors).sum::<usize>();
        self.bytes -= removed.iter().map(Diagnostic::size).sum::<usize>();
        self.omitted -= removed.iter().map(|diagnostic| diagnostic.omitted as usize).sum::<usize>();
        self.kinds.clear();
        removed
    }

    /// Whether there are no messages.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns the number of messages, including messages that are not listed.
    pub fn len(&self) -> usize {
        self.found.len() + self.omitted
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, iter: I) {
        iter.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(iter: I) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend(iter);
        diagnostics
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.found.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    #[test]
    fn duplicate_messages_at_a_place_are_dropped() {
        let file = SourceFile::new(FileId::new("a.tf"), "text");
        let at = |start: u32, detail: &str, address: &str| {
            Diagnostic::error(ids::INVALID_CHARACTER, detail).at(&file, Span::new(start, 4)).about(address)
        };
        let all = || [at(0, "1", "a"), at(0, "1", "b"), at(1, "1", "a"), at(0, "2", "a")];
        assert_eq!(Diagnostics::from_iter(all()).distinct().len(), 3);
        let by_address = Diagnostics::from_iter(all()).distinct_by(|found| found.address.clone());
        assert_eq!(by_address.len(), 4);
    }

    #[test]
    fn too_many_messages_of_a_kind_are_counted() {
        let most = Diagnostics::MAX_OF_A_KIND;
        let mut all = Diagnostics::new();
        for number in 0..most + 5 {
            all.push(Diagnostic::error(ids::INVALID_CHARACTER, number.to_string()));
        }
        all.push(Diagnostic::warning(ids::INVALID_CHARACTER, "a warning"));
        all.push(Diagnostic::error(ids::UNKNOWN_VARIABLE, "another kind"));
        assert_eq!((all.as_slice().len(), all.len(), all.errors()), (most + 2, most + 7, most + 6));
        let omission = all.as_slice().iter().find_map(Diagnostic::omission);
        assert_eq!(omission.as_deref(), Some("5 more errors of this kind are not listed."));
        let collected: Diagnostics = all.clone().into_iter().chain(all.clone()).collect();
        assert_eq!((collected.as_slice().len(), collected.len()), (most + 4, 2 * all.len()));
        let mut skipped = all.clone();
        assert!(
            skipped.count_unlisted(ids::INVALID_CHARACTER)
                && !skipped.count_unlisted(ids::UNKNOWN_VARIABLE)
                && !skipped.lists(ids::INVALID_CHARACTER)
                && skipped.lists(ids::UNKNOWN_VARIABLE)
        );
        assert_eq!((skipped.len(), skipped.errors()), (all.len() + 1, all.errors() + 1));
        let mark = all.mark();
        all.push(Diagnostic::warning(ids::UNKNOWN_VARIABLE, "a warning"));
        assert!(!all.has_errors_since(mark));
        all.push(Diagnostic::error(ids::INVALID_CHARACTER, "counted"));
        all.push(Diagnostic::error(ids::UNKNOWN_VARIABLE, "listed"));
        assert!(all.has_errors_since(mark));
        assert_eq!((all.split_off(mark).len(), all.errors()), (2, most + 7));
    }

    #[test]
    fn long_messages_of_a_kind_are_counted() {
        let text = "x".repeat(Diagnostics::MAX_BYTES / 3);
        let mut all = Diagnostics::new();
        (0..9).for_each(|_| all.push(Diagnostic::error(ids::INVALID_CHARACTER, text.clone())));
        all.push(Diagnostic::error(ids::UNKNOWN_VARIABLE, text));
        assert_eq!((all.as_slice().len(), all.len()), (4, 10));
        let one_of_each = all.within(1);
        assert_eq!((one_of_each.as_slice().len(), one_of_each.len(), one_of_each.errors()), (2, 10, 10));
    }

    #[test]
    fn a_label_may_be_in_another_file() {
        let [one, other] = ["a.tf", "b.tf"].map(|path| SourceFile::new(FileId::new(path), "text"));
        let message = Diagnostic::error(ids::DUPLICATE_BLOCK, "1").at(&one, Span::new(0, 4));
        let message = message.label(Span::new(1, 2), "here").label_in(&other, Span::new(0, 1), "there");
        let labels: Vec<_> = message
            .labels
            .iter()
            .map(|label| (label.place.file.id().to_string(), label.text.as_str()))
            .collect();
        assert_eq!(labels, [("a.tf".to_owned(), "here"), ("b.tf".to_owned(), "there")]);
    }

    #[test]
    fn a_name_is_replaced_only_where_the_text_is_that_name() {
        let text = |source: &str, given: &str| {
            let file = SourceFile::new(FileId::new("a.tf"), source);
            let whole = Span::new(0, u32::try_from(source.len()).unwrap());
            let message =
                Diagnostic::error(ids::UNKNOWN_VARIABLE, "1").at(&file, whole).rename(given, "name");
            let edit = message.fixes.first().map(|fix| &fix.edits[0])?;
            let mut changed = source.to_owned();
            changed.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            Some(changed)
        };
        assert_eq!(text("nmae", "nmae").as_deref(), Some("name"));
        assert_eq!(text(".nmae", "nmae").as_deref(), Some(".name"));
        assert_eq!(text("[\"nmae\"]", "nmae").as_deref(), Some("[\"name\"]"));
        assert_eq!(text("\"n\\u006dae\"", "nmae"), None);
        assert_eq!(text("nmae.id", "nmae"), None);
        assert_eq!(text("", ""), None);
    }

    #[test]
    fn messages_are_sorted_by_place() {
        let at = |path: &str, start: u32, detail: &str| {
            let file = SourceFile::new(FileId::new(path), "text");
            Diagnostic::error(ids::INVALID_CHARACTER, detail).at(&file, Span::new(start, 4))
        };
        let mut all: Diagnostics = [
            at("b.tf", 2, "4"),
            at("a/b/c.tf", 0, "6"),
            Diagnostic { severity: Severity::Warning, ..at("b.tf", 1, "3") },
            at("a.tf", 3, "2"),
            at("a/z.tf", 0, "5"),
        ]
        .into_iter()
        .chain([
            Diagnostic::error(ids::UNREADABLE_FILE, "0"),
            Diagnostic::warning(ids::UNREADABLE_FILE, "1"),
            at("a/b/c.tf", 0, "7"),
        ])
        .collect();
        all.sort();
        let details: String = all.as_slice().iter().map(|diagnostic| diagnostic.detail.as_str()).collect();
        assert_eq!(details, "01234567");
    }
}
