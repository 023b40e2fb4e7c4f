//! Writes to programs that stop reading, such as `head`.
//!
//! The rest of the output is lost, but the command completes its work and keeps its exit code. Only the console, whose input
//! may have no end, ends.

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
