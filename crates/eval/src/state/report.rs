//! The diagnostics of one evaluation.

use std::collections::BTreeSet;
use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Severity, SourceFile, Span};
use terrane_value::Marks;

use crate::state::conceal::conceal;

/// Diagnostics about one file, in the order of the reference: an error of an operator may come before the errors of its
/// operands. A position in the list, a mark, tells those of one expression apart.
///
/// An expression may have millions of errors. A full list takes only the kind and the place of further ones, so that marks
/// keep their meaning.
pub(crate) struct Report<'e> {
    source: &'e Arc<SourceFile>,
    found: Vec<Found>,
    /// The number of whole diagnostics in the list.
    whole: usize,
    /// The bytes of their texts.
    bytes: usize,
    /// The kinds of the diagnostics without texts.
    kinds: Vec<Kind>,
    /// The exceeded limit. It is reported even where the diagnostics of the expression that exceeded it are dropped.
    limit: Option<Diagnostic>,
}

/// An entry of the list.
pub(crate) enum Found {
    Whole(Box<Diagnostic>),
    /// A diagnostic without its texts; `kind` is a position in [`Report::kinds`].
    Counted {
        kind: usize,
        span: Option<Span>,
    },
}

#[derive(Clone, Copy, PartialEq)]
struct Kind {
    id: DiagnosticId,
    severity: Severity,
}

impl<'e> Report<'e> {
    pub(crate) fn new(source: &'e Arc<SourceFile>) -> Report<'e> {
        Report { source, found: Vec::new(), whole: 0, bytes: 0, kinds: Vec::new(), limit: None }
    }

    /// An error at `span`, not reported yet.
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

    /// Inserts a diagnostic at `mark`, before all that were reported since.
    pub(crate) fn insert(&mut self, mark: usize, diagnostic: Diagnostic) {
        let entry = self.entry(diagnostic);
        self.found.insert(mark, entry);
    }

    /// The entry for a diagnostic: without its texts if the list is full.
    fn entry(&mut self, diagnostic: Diagnostic) -> Found {
        let size = diagnostic.size();
        if self.whole < Diagnostics::MOST_OF_A_KIND && self.bytes + size <= Diagnostics::MOST_BYTES {
            (self.whole, self.bytes) = (self.whole + 1, self.bytes + size);
            return Found::Whole(Box::new(diagnostic));
        }
        let kind = Kind { id: diagnostic.id, severity: diagnostic.severity };
        let span = diagnostic.subject.as_ref().map(|subject| subject.span);
        Found::Counted { kind: self.position(kind), span }
    }

    fn position(&mut self, kind: Kind) -> usize {
        self.kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        })
    }

    /// The current end of the list.
    #[inline]
    pub(crate) fn mark(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing was reported since `mark`.
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
        self.found.iter().take(end).skip(start).any(|entry| match entry {
            Found::Whole(diagnostic) => diagnostic.is_error(),
            Found::Counted { kind, .. } => {
                self.kinds.get(*kind).is_some_and(|kind| kind.severity == Severity::Error)
            }
        })
    }

    /// Removes values from the diagnostics since `mark`, which are about the elements of a collection with these marks.
    pub(crate) fn conceal_since(&mut self, mark: usize, marks: &Marks) {
        for entry in self.found.get_mut(mark..).unwrap_or_default() {
            if let Found::Whole(diagnostic) = entry {
                let before = diagnostic.size();
                conceal(diagnostic, marks);
                self.bytes = (self.bytes + diagnostic.size()).saturating_sub(before);
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
            match entry {
                Found::Whole(diagnostic) => self.push(*diagnostic),
                Found::Counted { .. } => self.found.push(entry),
            }
        }
    }

    /// Removes and returns the diagnostics since `mark`. Where the list was full, the last of a kind counts the others.
    pub(crate) fn take_diagnostics_since(&mut self, mark: usize) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut counts = vec![0_u32; self.kinds.len()];
        for entry in self.take_since(mark) {
            match entry {
                Found::Whole(diagnostic) => diagnostics.push(*diagnostic),
                Found::Counted { kind, .. } => {
                    if let Some(count) = counts.get_mut(kind) {
                        *count = count.saturating_add(1);
                    }
                }
            }
        }
        for (kind, count) in self.kinds.iter().zip(counts).filter(|(_, count)| *count > 0) {
            let is_kind = |found: &&mut Diagnostic| found.id == kind.id && found.severity == kind.severity;
            match diagnostics.iter_mut().rev().find(is_kind) {
                Some(last) => last.omitted = last.omitted.saturating_add(count),
                None => {
                    let first = Diagnostic { severity: kind.severity, ..Diagnostic::error(kind.id, "") };
                    diagnostics.push(Diagnostic { omitted: count - 1, ..first });
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

    /// Leaves entries out of the count of whole diagnostics.
    fn forget(&mut self, removed: &[Found]) {
        for entry in removed {
            if let Found::Whole(diagnostic) = entry {
                self.whole -= 1;
                self.bytes -= diagnostic.size();
            }
        }
    }

    /// Drops the diagnostics since `mark` that repeat an earlier one of them for another element.
    pub(crate) fn drop_repeated(&mut self, mark: usize) {
        if self.found.len() <= mark + 1 {
            return;
        }
        let mut seen = BTreeSet::new();
        let mut since = self.take_since(mark);
        since.retain(|entry| match entry {
            Found::Whole(diagnostic) => {
                let span = diagnostic.subject.as_ref().map(|subject| subject.span);
                seen.insert((diagnostic.id.as_str(), span))
            }
            Found::Counted { kind, span } => {
                self.kinds.get(*kind).is_some_and(|kind| seen.insert((kind.id.as_str(), *span)))
            }
        });
        self.put_back(since);
    }

    /// Reports an exceeded limit.
    pub(crate) fn limit(&mut self, diagnostic: Diagnostic) {
        self.limit = Some(diagnostic.clone());
        self.push(diagnostic);
    }

    /// Takes over a limit that another evaluation has exceeded and reported.
    pub(crate) fn set_limit(&mut self, limit: Option<Diagnostic>) {
        self.limit = limit;
    }

    /// The exceeded limit.
    pub(crate) fn exceeded_limit(&self) -> Option<&Diagnostic> {
        self.limit.as_ref()
    }

    /// Removes and returns all diagnostics, the exceeded limit among them.
    pub(crate) fn finish(&mut self) -> Vec<Diagnostic> {
        let mut found = self.take_diagnostics_since(0);
        if let Some(limit) = self.limit.take() {
            // A full list has only the kind of it.
            match found.iter_mut().find(|diagnostic| diagnostic.id == limit.id) {
                Some(listed) if listed.detail.is_empty() => *listed = limit,
                Some(_) => {}
                None => found.push(limit),
            }
        }
        found
    }
}
