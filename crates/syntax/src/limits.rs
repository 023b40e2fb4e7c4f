//! Limits on the depth of texts and the number of messages.

/// The maximum nesting of brackets, blocks and templates.
pub(crate) const MAX_DEPTH: u32 = 256;

/// Limit on the diagnostics of one file.
pub(crate) const MAX_DIAGNOSTICS: usize = 1000;

/// Limit on the bytes of joined pieces of a file that are parsed without success, to find the end of a broken item. Only large files
/// exceed it.
pub(crate) const MAX_JOINED_BYTES: usize = 2 << 20;

/// Limit on how often the tokens of a piece are read again on average, because damaged items reach over the next ones.
pub(crate) const MAX_TIMES_READ: usize = 16;

/// Limit on the damaged parts of a file that are told apart. If there are more, the rest of the file is one part.
pub(crate) const MAX_DAMAGE: usize = 10_000;
