//! Reads standard input as configuration, and the text of files that options name.

use std::io::{self, Read as _};
use std::path::Path;

use terrane::{Diagnostic, SourceReader};

/// The name of standard input in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// Returns the bytes of standard input, or a diagnostic if there are more than `sources` may read.
pub(crate) fn standard_input(sources: &SourceReader<'_>) -> io::Result<Result<Vec<u8>, Box<Diagnostic>>> {
    Ok(sources.counted(Path::new(STDIN), read(sources.left())?))
}

/// Returns the bytes of standard input, which is a document of at most `most` bytes. The error is a sentence.
pub(crate) fn document_on_standard_input(most: u64) -> Result<Vec<u8>, String> {
    let bytes = read(most).map_err(|error| format!("standard input cannot be read: {error}"))?;
    if bytes.len() as u64 > most {
        return Err(format!("standard input has more than {most} bytes; --max-memory raises the limit"));
    }
    Ok(bytes)
}

/// Reads standard input, or the first bytes of it if there are more than `most`: one more than that.
fn read(most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the text of a file. The error is the end of a sentence that begins with the name of the file, such as "is UTF-16
/// text; save it as UTF-8".
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, &'static str> {
    let marks: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
    if marks.iter().any(|mark| bytes.starts_with(mark)) {
        return Err("is UTF-16 text; save it as UTF-8");
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text")
}
