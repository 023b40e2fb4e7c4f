//! Exit codes that all commands share.

/// The configuration has errors, or input or output failed.
pub(crate) const FAILURE: u8 = 1;
/// The arguments are wrong.
pub(crate) const USAGE: u8 = 2;
