//! Settings of a test run from environment variables, and the paths of its files.

use std::path::{Path, PathBuf};

/// Rewrites the expectations of the literate suites to the present answers.
pub const UPDATE_EXPECT: &str = "UPDATE_EXPECT";
/// Part of a category or id: conformance rows that match and are wrong are listed.
pub const CONFORMANCE_SHOW: &str = "CONFORMANCE_SHOW";
/// How many rows [`CONFORMANCE_SHOW`] lists.
pub const CONFORMANCE_LIMIT: &str = "CONFORMANCE_LIMIT";
/// More module directories to compare with the reference binary, separated as in `PATH`.
pub const TERRANE_COMPARE: &str = "TERRANE_COMPARE";
/// The number of random edits of each tree.
pub const EDITS: &str = "EDITS";
/// More module directories to break, separated as in `PATH`.
pub const TERRANE_BREAK: &str = "TERRANE_BREAK";
/// The number of places where they are broken.
pub const TERRANE_BREAK_PLACES: &str = "TERRANE_BREAK_PLACES";
/// A text that selects other places.
pub const TERRANE_BREAK_SEED: &str = "TERRANE_BREAK_SEED";

/// Module directories whose plans other programs read, separated as in `PATH`.
pub const TERRANE_CONSUMERS: &str = "TERRANE_CONSUMERS";

/// The value of an environment variable; nothing where it is empty.
#[expect(clippy::disallowed_methods, reason = "test programs are configured by the environment")]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether the environment variable is set and not empty.
pub fn is_set(name: &str) -> bool {
    variable(name).is_some()
}

/// A path below the package's own directory.
pub fn below_tests(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
