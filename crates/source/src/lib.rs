//! Source files, spans, file system access and diagnostics.
//!
//! The lowest layer of Terrane: every other crate imports it.
//!
//! Reading order: [`Span`], [`SourceFile`], [`Files`], [`Diagnostic`], [`ids`], [`titles`].

mod decode;
mod diagnostic;
pub mod files;
mod joined_spans;
mod line_index;
pub mod paths;
mod secret_values;
mod sorted_map;
mod source_file;
mod span;

pub use diagnostic::{
    Applicability, Diagnostic, DiagnosticId, Diagnostics, DiagnosticsMark, Edit, Fix, Label, Severity,
    Subject, Title, TitleText, first_of, ids, titles,
};
#[cfg(unix)]
pub use files::ConfinedFiles;
#[cfg(not(target_family = "wasm"))]
pub use files::OsFiles;
pub use files::{
    BROKEN_LINK, FileEntry, FileError, FileErrorKind, FileKind, Files, MemoryFiles, OverlayFiles, SecretPaths,
};
pub use joined_spans::JoinedSpans;
pub use line_index::LineColumn;
pub use sorted_map::sorted_map;
pub use source_file::{FileId, SourceFile, SourceVersion};
pub use span::Span;
