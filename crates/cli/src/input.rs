//! Reads standard input as configuration.

use std::io::{self, Read as _};
use std::path::Path;

use terrane::{Diagnostic, SourceReader};

/// The name of standard input in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// Returns the bytes of standard input, or a diagnostic if there are more than `sources` may read.
pub(crate) fn standard_input(sources: &SourceReader<'_>) -> io::Result<Result<Vec<u8>, Box<Diagnostic>>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(sources.left().saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(sources.counted(Path::new(STDIN), bytes))
}
