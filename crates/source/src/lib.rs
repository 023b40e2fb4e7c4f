//! What every layer of Terrane stands on: source files and positions in them, the one door to the
//! file system, and the diagnostic that every phase reports.
//!
//! Reading order: [`Span`], [`SourceFile`], [`LineIndex`], [`Files`], [`Diagnostic`], [`ids`].

mod span;

mod source_file;

mod line_index;

pub mod files;

mod diagnostic;

pub use diagnostic::ids;
pub use diagnostic::{Diagnostic, DiagnosticId, Diagnostics, Severity, Subject};
#[cfg(not(target_family = "wasm"))]
pub use files::OsFiles;
pub use files::{ConfinedFiles, EntryKind, FileEntry, FileError, FileErrorKind, Files, MemoryFiles};
pub use line_index::{LineColumn, LineIndex};
pub use source_file::{FileId, SourceFile};
pub use span::Span;
