//! Reads modules from disk: the files of a directory, and the modules that it calls.
//!
//! `directory` reads one directory, `cache` keeps it, `calls` follows its module calls, `locate` finds the directories of
//! the called modules, and `loaded` stores all results.

mod arguments;
pub(crate) mod cache;
pub(crate) mod calls;
mod converted;
pub(crate) mod directory;
pub(crate) mod encryption;
pub(crate) mod given;
pub(crate) mod loaded;
pub(crate) mod locate;
pub(crate) mod lock_file;
mod manifest;
pub(crate) mod mock_files;
pub(crate) mod mocks;
pub(crate) mod module_directories;
pub(crate) mod prior;
mod repository;
pub(crate) mod test_files;
