//! Writing to programs that stop reading.

use std::io::{self, ErrorKind};

/// Whether what was written has still got a reader. Where the reader, such as `head`, has seen enough, the rest is lost, but the
/// work is done and the exit code is the same: mistakes do not pass because nobody reads them to the end.
pub(crate) fn is_read(written: io::Result<()>) -> io::Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
