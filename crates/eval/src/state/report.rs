//! The diagnostics of one evaluation.

use std::collections::BTreeSet;
use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, SourceFile, Span};
use terrane_value::Marks;

use crate::state::conceal::conceal;

/// Diagnostics about one file, in the order of the reference: an error of an operator may come before the errors of its
/// operands. A position in the list, a mark, tells those of one expression apart.
pub(crate) struct Report<'e> {
    source: &'e Arc<SourceFile>,
    found: Vec<Diagnostic>,
    /// The exceeded limit. It is reported even where the diagnostics of the expression that exceeded it are dropped.
    limit: Option<Diagnostic>,
}

impl<'e> Report<'e> {
    pub(crate) fn new(source: &'e Arc<SourceFile>) -> Report<'e> {
        Report { source, found: Vec::new(), limit: None }
    }

    /// An error at `span`, not reported yet.
    pub(crate) fn diagnostic(&self, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::error(id, detail).at(self.source, span)
    }

    /// Reports an error at `span`.
    pub(crate) fn error(&mut self, id: DiagnosticId, span: Span, detail: impl Into<String>) {
        let diagnostic = self.diagnostic(id, span, detail);
        self.found.push(diagnostic);
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
        self.found.push(diagnostic);
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(diagnostics);
    }

    /// Inserts a diagnostic at `mark`, before all that were reported since.
    pub(crate) fn insert(&mut self, mark: usize, diagnostic: Diagnostic) {
        self.found.insert(mark, diagnostic);
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
        self.found.iter().skip(mark).any(Diagnostic::is_error)
    }

    /// Whether an error was reported between two marks.
    pub(crate) fn has_errors_between(&self, start: usize, end: usize) -> bool {
        self.found.iter().take(end).skip(start).any(Diagnostic::is_error)
    }

    /// Removes values from the diagnostics since `mark`, which are about the elements of a collection with these marks.
    pub(crate) fn conceal_since(&mut self, mark: usize, marks: &Marks) {
        let since = self.found.get_mut(mark..).unwrap_or_default();
        since.iter_mut().for_each(|diagnostic| conceal(diagnostic, marks));
    }

    /// Removes and returns the diagnostics since `mark`.
    pub(crate) fn take_since(&mut self, mark: usize) -> Vec<Diagnostic> {
        if self.found.len() > mark { self.found.split_off(mark) } else { Vec::new() }
    }

    /// Drops the diagnostics since `mark`.
    pub(crate) fn drop_since(&mut self, mark: usize) {
        self.found.truncate(mark);
    }

    /// Drops the diagnostics between two marks.
    pub(crate) fn drop_between(&mut self, start: usize, end: usize) {
        drop(self.found.drain(start..end));
    }

    /// Drops the diagnostics since `mark` that repeat an earlier one of them for another element.
    pub(crate) fn drop_repeated(&mut self, mark: usize) {
        if self.found.len() <= mark + 1 {
            return;
        }
        let mut seen = BTreeSet::new();
        let since = self.found.split_off(mark);
        let is_new = |diagnostic: &Diagnostic| {
            let span = diagnostic.subject.as_ref().map(|subject| subject.span);
            seen.insert((diagnostic.id.as_str(), span))
        };
        self.found.extend(since.into_iter().filter(is_new));
    }

    /// Reports an exceeded limit.
    pub(crate) fn limit(&mut self, diagnostic: Diagnostic) {
        self.limit = Some(diagnostic.clone());
        self.found.push(diagnostic);
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
        let mut found = std::mem::take(&mut self.found);
        if let Some(limit) = self.limit.take()
            && !found.iter().any(|diagnostic| diagnostic.id == limit.id)
        {
            found.push(limit);
        }
        found
    }
}
