//! Reads one source file as text, native or JSON.

use std::path::Path;
use std::sync::Arc;

use terrane_source::{Diagnostic, FileId, Files, SourceFile, ids};
use terrane_syntax::decode_native;

/// Reads the file at `path`. Returns a diagnostic if it is unreadable or not valid text.
pub fn read_source(files: &dyn Files, path: &Path) -> Result<Arc<SourceFile>, Box<Diagnostic>> {
    match files.read(path) {
        Ok(bytes) => {
            let is_json = path.extension().is_some_and(|extension| extension == "json");
            let decode = if is_json { SourceFile::from_bytes } else { decode_native };
            decode(FileId::new(path), bytes).map_err(Box::new)
        }
        Err(error) => Err(Box::new(Diagnostic::error(ids::UNREADABLE_FILE, error.sentence()))),
    }
}
