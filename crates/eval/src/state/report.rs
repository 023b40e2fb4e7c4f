//! The diagnostics of one evaluation.

use std::collections::BTreeSet;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Severity, SourceFile, Span};
use terrane_value::Marks;

use crate::state::conceal::conceal;

/// Diagnostics about one file, in the order of the reference: an error of an operator may come before the errors of its
/// operands. A position in the list, a mark, separates the diagnostics of one expression from earlier ones.
///
/// An expression may have millions of errors. After as many diagnostics of a kind as [`Diagnostics`] lists, further
/// ones are kept without their texts, so that marks stay valid.
pub(crate) struct Report<'e> {
    source: &'e Arc<SourceFile>,
    found: Vec<Found>,
    /// The bytes of the texts in the list.
    bytes: usize,
    /// The kinds of all diagnostics that have been in the list.
    kinds: ByKind<Kind>,
    /// The exceeded limit. It is reported even if the diagnostics of the expression that exceeded it are dropped.
    limit: Option<Diagnostic>,
    /// Whether the suggestions of the diagnostics will be read.
    pub(crate) has_suggestions: bool,
}

/// An entry of the list.
pub(crate) struct Found {
    kind: KindId,
    span: Option<Span>,
    /// The diagnostic; `None` if there are too many of its kind.
    whole: Option<Box<Diagnostic>>,
}

/// An id with a severity.
struct Kind {
    id: DiagnosticId,
    severity: Severity,
    /// The number of diagnostics in the list that are whole.
    whole: usize,
}

/// Names a kind of a report.
#[derive(Clone, Copy)]
struct KindId(u32);

/// A value for each kind of a report.
struct ByKind<T>(Vec<T>);

impl ByKind<Kind> {
    /// Returns the id of a kind, which is added if it is new. Only this function makes ids.
    fn id_of(&mut self, id: DiagnosticId, severity: Severity) -> KindId {
        let position = self.0.iter().position(|kind| kind.id == id && kind.severity == severity);
        let position = position.unwrap_or_else(|| {
            self.0.push(Kind { id, severity, whole: 0 });
            self.0.len() - 1
        });
        // There are fewer kinds than ids of diagnostics, twice.
        KindId(u32::try_from(position).unwrap_or(u32::MAX))
    }

    /// Returns the table of another value for each kind.
    fn with<T: Clone>(&self, value: T) -> ByKind<T> {
        ByKind(vec![value; self.0.len()])
    }
}

#[expect(clippy::indexing_slicing, reason = "each kind of a report has an id, and none is removed")]
impl<T> Index<KindId> for ByKind<T> {
    type Output = T;

    fn index(&self, id: KindId) -> &T {
        &self.0[id.0 as usize]
    }
}

#[expect(clippy::indexing_slicing, reason = "each kind of a report has an id, and none is removed")]
impl<T> IndexMut<KindId> for ByKind<T> {
    fn index_mut(&mut self, id: KindId) -> &mut T {
        &mut self.0[id.0 as usize]
    }
}

impl<'e> Report<'e> {
    pub(crate) fn new(source: &'e Arc<SourceFile>) -> Report<'e> {
        Report {
            source,
            found: Vec::new(),
            bytes: 0,
            kinds: ByKind(Vec::new()),
            limit: None,
            has_suggestions: true,
        }
    }

    /// Returns an error at `span` without reporting it.
    pub(crate) fn diagnostic(&self, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::error(id, detail).at(self.source, span)
    }

    /// Reports an error at `span`.
    pub(crate) fn error(&mut self, id: DiagnosticId, span: Span, detail: impl Into<String>) {
        let diagnostic = self.diagnostic(id, span, detail);
        self.push(diagnostic);
    }

    /// Reports an error at `span`, which is a part of `whole`.
    pub(crate) fn error_within(
        &mut self,
        whole: Span,
        id: DiagnosticId,
        span: Span,
        detail: impl Into<String>,
    ) {
        let diagnostic = self.diagnostic(id, span, detail).within(whole);
        self.push(diagnostic);
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let entry = self.entry(diagnostic);
        self.found.push(entry);
    }

    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// Inserts a diagnostic at `mark`, before all diagnostics reported since.
    pub(crate) fn insert(&mut self, mark: usize, diagnostic: Diagnostic) {
        let entry = self.entry(diagnostic);
        self.found.insert(mark, entry);
    }

    /// Returns the entry for a diagnostic. The first of a kind is always whole.
    fn entry(&mut self, diagnostic: Diagnostic) -> Found {
        let size = diagnostic.size();
        let span = diagnostic.subject.as_ref().map(|subject| subject.span);
        let kind = self.kinds.id_of(diagnostic.id, diagnostic.severity);
        let has_room = self.bytes + size <= Diagnostics::MAX_BYTES;
        let count = &mut self.kinds[kind].whole;
        let is_whole = *count == 0 || has_room && *count < Diagnostics::MAX_OF_A_KIND;
        if is_whole {
            *count += 1;
            self.bytes += size;
        }
        Found { kind, span, whole: is_whole.then(|| Box::new(diagnostic)) }
    }

    /// Returns the current end of the list.
    #[inline]
    pub(crate) fn mark(&self) -> usize {
        self.found.len()
    }

    /// Whether no diagnostic was reported since `mark`.
    #[inline]
    pub(crate) fn is_clean_since(&self, mark: usize) -> bool {
        self.found.len() == mark
    }

    /// Whether an error was reported since `mark`.
    #[inline]
    pub(crate) fn has_errors_since(&self, mark: usize) -> bool {
        self.has_errors_between(mark, self.found.len())
    }

    /// Whether an error was reported between two marks.
    pub(crate) fn has_errors_between(&self, start: usize, end: usize) -> bool {
        self.found
            .iter()
            .take(end)
            .skip(start)
            .any(|entry| self.kinds[entry.kind].severity == Severity::Error)
    }

    /// Removes values from the diagnostics since `mark`, which are about the elements of a collection with these marks.
    pub(crate) fn conceal_since(&mut self, mark: usize, marks: &Marks) {
        for entry in self.found.get_mut(mark..).unwrap_or_default() {
            if let Some(diagnostic) = &mut entry.whole {
                self.bytes -= diagnostic.size();
                conceal(diagnostic, marks);
                self.bytes += diagnostic.size();
            }
        }
    }

    /// Removes and returns the diagnostics since `mark`, to [put them back](Report::put_back) or drop them.
    pub(crate) fn take_since(&mut self, mark: usize) -> Vec<Found> {
        if self.found.len() <= mark {
            return Vec::new();
        }
        let taken = self.found.split_off(mark);
        self.forget(&taken);
        taken
    }

    /// Adds diagnostics that were taken from this report.
    pub(crate) fn put_back(&mut self, taken: Vec<Found>) {
        for entry in taken {
            let Found { kind, span, whole } = entry;
            let entry = match whole {
                Some(diagnostic) => self.entry(*diagnostic),
                None => Found { kind, span, whole },
            };
            self.found.push(entry);
        }
    }

    /// Removes and returns the diagnostics since `mark`. The last whole one of a kind counts the following
    /// ones without texts. If all whole ones of the kind come before the mark, the first one without a text
    /// gets a place and no detail.
    pub(crate) fn take_diagnostics_since(&mut self, mark: usize) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        // The position of the last diagnostic of each kind.
        let mut last: ByKind<Option<usize>> = self.kinds.with(None);
        for Found { kind, span, whole } in self.take_since(mark) {
            let (of_kind, last) = (&self.kinds[kind], &mut last[kind]);
            let counting = last.and_then(|last| diagnostics.get_mut(last));
            match (whole, counting) {
                (None, Some(counting)) => counting.omitted = counting.omitted.saturating_add(1),
                (whole, _) => {
                    let bare = || {
                        let bare =
                            Diagnostic { severity: of_kind.severity, ..Diagnostic::error(of_kind.id, "") };
                        match span {
                            Some(span) => bare.at(self.source, span),
                            None => bare,
                        }
                    };
                    *last = Some(diagnostics.len());
                    diagnostics.push(whole.map_or_else(bare, |diagnostic| *diagnostic));
                }
            }
        }
        diagnostics
    }

    /// Drops the diagnostics since `mark`.
    pub(crate) fn drop_since(&mut self, mark: usize) {
        drop(self.take_since(mark));
    }

    /// Drops the diagnostics between two marks.
    pub(crate) fn drop_between(&mut self, start: usize, end: usize) {
        let dropped: Vec<Found> = self.found.drain(start..end).collect();
        self.forget(&dropped);
    }

    /// Subtracts removed entries from the counts.
    fn forget(&mut self, removed: &[Found]) {
        for entry in removed {
            if let Some(diagnostic) = &entry.whole {
                self.kinds[entry.kind].whole -= 1;
                self.bytes -= diagnostic.size();
            }
        }
    }

    /// Drops each diagnostic since `mark` that repeats an earlier one since `mark` for another element.
    pub(crate) fn drop_repeated(&mut self, mark: usize) {
        if self.found.len() <= mark + 1 {
            return;
        }
        let mut seen = BTreeSet::new();
        let mut since = self.take_since(mark);
        since.retain(|entry| seen.insert((self.kinds[entry.kind].id.as_str(), entry.span)));
        self.put_back(since);
    }

    /// Reports an exceeded limit.
    pub(crate) fn limit(&mut self, diagnostic: Diagnostic) {
        self.limit = Some(diagnostic.clone());
        self.push(diagnostic);
    }

    /// Takes over a limit that another evaluation exceeded and reported.
    pub(crate) fn set_limit(&mut self, limit: Option<Diagnostic>) {
        self.limit = limit;
    }

    /// Returns the exceeded limit.
    pub(crate) fn exceeded_limit(&self) -> Option<&Diagnostic> {
        self.limit.as_ref()
    }

    /// Removes and returns all diagnostics, including the exceeded limit.
    pub(crate) fn finish(&mut self) -> Vec<Diagnostic> {
        let mut found = self.take_diagnostics_since(0);
        if let Some(limit) = self.limit.take()
            && !found.iter().any(|diagnostic| diagnostic.id == limit.id)
        {
            found.push(limit);
        }
        found
    }
}
