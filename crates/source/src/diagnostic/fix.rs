//! Fixes: edits of source files that a diagnostic suggests.

use std::sync::Arc;

use crate::{SourceFile, Span};

/// Edits of source files that fix the cause of a diagnostic. All edits of a fix belong together.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The fix as a sentence without a full stop: "Replace `nmae` with `name`".
    pub message: String,
    /// The edits. Edits in the same file do not overlap.
    pub edits: Vec<Edit>,
    /// The certainty of the fix.
    pub applicability: Applicability,
}

/// A change of a source file.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The bytes that are replaced; an empty span inserts text.
    pub span: Span,
    /// The new text; empty to delete the bytes.
    pub text: String,
}

/// The certainty of a [`Fix`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Applicability {
    /// The meaning of the configuration stays the same.
    Safe,
    /// The fix is a guess, or may change values.
    Unsafe,
}

impl Applicability {
    /// Returns the name in documents: `safe` or `unsafe`.
    pub const fn name(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
        }
    }
}

impl Fix {
    /// Returns a fix that replaces bytes of a file.
    pub fn replace(file: &Arc<SourceFile>, span: Span, text: &str, applicability: Applicability) -> Fix {
        let message = format!("Replace `{}` with `{text}`", file.slice(span));
        let edit = Edit { file: Arc::clone(file), span, text: text.to_owned() };
        Fix { message, edits: vec![edit], applicability }
    }
}

/// Returns the part of a place that is the name itself, without a dot, brackets or quotes around it. `None` if the text of the
/// place is not that name.
pub(super) fn name_within(file: &SourceFile, span: Span, name: &str) -> Option<Span> {
    let text = file.slice(span);
    let from_name = text.trim_start_matches(['.', '[', '"', ' ']);
    if name.is_empty() || from_name.trim_end_matches([']', '"', ' ']) != name {
        return None;
    }
    let start = span.start + u32::try_from(text.len() - from_name.len()).ok()?;
    Some(Span::new(start, start + u32::try_from(name.len()).ok()?))
}
