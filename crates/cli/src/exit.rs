//! Exit codes that all commands share.

/// Errors in the configuration, or input and output that failed.
pub(crate) const FAILURE: u8 = 1;
/// Wrong arguments.
pub(crate) const USAGE: u8 = 2;
