//! Hides the arguments of `sensitive` in text that no tree has: beside a syntax error and in comments.

use terrane_source::{Diagnostic, SourceFile, Span};

use super::errors::ErrorPlaces;
use crate::Tree;
use crate::block_types::starts_block;

/// The name of the function that makes its argument a secret. Texts are hidden before any function is known, so the name is
/// repeated here.
pub const SENSITIVE_FUNCTION: &str = "sensitive";

/// Hides the text in the parentheses behind the name of the function, unless the tree has the call and no error is on its lines. If
/// an error touches the parentheses, the end of the text is not certain, and all of it up to the next block is hidden.
pub(super) fn hide_broken(tree: &Tree, diagnostics: &[Diagnostic]) {
    hide_but(tree.source(), whole_calls(tree), diagnostics);
}

/// Hides the text in the parentheses behind the name of the function in a JSON file, whose strings are not parsed yet.
pub(crate) fn hide_in_json(source: &SourceFile, diagnostics: &[Diagnostic]) {
    if source.text().contains(SENSITIVE_FUNCTION) {
        hide_but(source, Vec::new(), diagnostics);
    }
}

/// Hides all but the `whole` calls.
fn hide_but(source: &SourceFile, whole: Vec<(usize, usize)>, diagnostics: &[Diagnostic]) {
    let errors = ErrorPlaces::of(diagnostics);
    let mut calls = Calls::new(source.text(), whole);
    while let Some(call) = calls.next_call() {
        let is_sound = |until| !errors.touch(span(calls.line.0, until));
        if let Some(end) = calls.whole_end(call).filter(|end| is_sound(calls.line_end(*end))) {
            calls.at = end;
            continue;
        }
        let end = match closing(calls.text, call + 1) {
            Some(close) if !errors.touch(span(call, close + 1)) => close,
            Some(close) => next_block(calls.text, close),
            None => next_block(calls.text, call),
        };
        source.hide(span(call + 1, end));
        calls.at = end;
    }
}

fn span(start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end.max(start)))
}

/// Returns the parentheses of the calls of a tree that a search for the name may find, in order. Other names end like it, too.
fn whole_calls(tree: &Tree) -> Vec<(usize, usize)> {
    let calls = tree.calls().iter().filter(|call| tree.slice(call.name).ends_with(SENSITIVE_FUNCTION));
    let mut calls: Vec<_> = calls.map(|call| (call.open as usize, call.close_end as usize)).collect();
    calls.sort_unstable();
    calls
}

/// A search for calls in a text.
struct Calls<'t> {
    text: &'t str,
    /// The place where the search goes on.
    at: usize,
    /// The start and the end of the line of the last call.
    line: (usize, usize),
    whole: Vec<(usize, usize)>,
}

impl Calls<'_> {
    fn new(text: &str, whole: Vec<(usize, usize)>) -> Calls<'_> {
        Calls { text, at: 0, line: (0, line_end(text, 0)), whole }
    }

    /// Returns the place of the next opening parenthesis behind the name of the function.
    fn next_call(&mut self) -> Option<usize> {
        loop {
            let rest = self.text.get(self.at..)?;
            let start = self.at + rest.find(SENSITIVE_FUNCTION)?;
            let before = self.text.get(..start)?;
            self.at = start + SENSITIVE_FUNCTION.len();
            let behind = self.text.get(self.at..)?;
            let open = self.at + behind.len() - behind.trim_start_matches([' ', '\t']).len();
            let is_name = !before.ends_with(|found: char| found.is_alphanumeric() || found == '_');
            if is_name && self.text.get(open..)?.starts_with('(') {
                if start > self.line.1 {
                    let line = before.get(self.line.1..)?.rfind('\n')?;
                    self.line = (self.line.1 + line + 1, line_end(self.text, start));
                }
                self.at = open;
                return Some(open);
            }
        }
    }

    /// Returns the end of the call with its parenthesis at `open`, if the tree has it.
    fn whole_end(&self, open: usize) -> Option<usize> {
        let index = self.whole.binary_search_by_key(&open, |(open, _)| *open).ok()?;
        let (_, end) = self.whole.get(index)?;
        Some(*end)
    }

    /// Returns the end of the line of a place behind the last call.
    fn line_end(&self, at: usize) -> usize {
        if at <= self.line.1 { self.line.1 } else { line_end(self.text, at) }
    }
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| at + end)
}

/// Returns the place of the parenthesis that closes the one before `start`. `None` if a string in it has no end on its line, or a
/// block begins before it.
fn closing(text: &str, start: usize) -> Option<usize> {
    let (mut depth, mut is_quoted, mut is_escaped) = (1_u32, false, false);
    for (at, byte) in text.bytes().enumerate().skip(start) {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match byte {
            b'\\' => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b'(' if !is_quoted => depth += 1,
            b')' if !is_quoted => depth -= 1,
            b'\n' if is_quoted || is_block_at(text, at + 1) => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns the start of the next line behind a place that begins a block, or the end of the text.
fn next_block(text: &str, from: usize) -> usize {
    let mut at = line_end(text, from);
    while at < text.len() && !is_block_at(text, at + 1) {
        at = line_end(text, at + 1);
    }
    at
}

fn is_block_at(text: &str, start: usize) -> bool {
    text.get(start..line_end(text, start)).is_some_and(starts_block)
}
