//! Writing to programs that stop reading.
//!
//! Where the reader, such as `head`, has seen enough, the rest is lost, but the work is done and the exit code is the same: mistakes
//! do not pass because nobody reads them to the end. Only the console, whose input may have no end, ends there.

use std::io::{self, ErrorKind};

/// Ignores that the reader has gone.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    is_read(written).map(drop)
}

/// Whether the output still has a reader.
pub(crate) fn is_read(written: io::Result<()>) -> io::Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
