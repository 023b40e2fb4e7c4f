//! Schema files: the schemas of one version of a provider in few bytes, made once and opened in milliseconds.
//!
//! `format` has the layout of the file, `encode` writes it from the JSON of a provider, `read` opens it, `describe` prints a
//! schema, `directory` finds the files of a provider, `opened` is a file that was read, `choice` selects files by the versions
//! in a lock file, and `kept` keeps them between evaluations. DESIGN.md says why the format is as it is.

mod choice;
mod describe;
mod directory;
mod encode;
mod format;
mod kept;
mod opened;
mod read;
#[cfg(test)]
mod tests;

pub(crate) use self::choice::Chosen;
pub use self::choice::{SchemaStores, UsedSchema};
pub use self::directory::{SchemaDirectory, StoredVersion};
pub use self::encode::{SchemaFile, SchemaFiles, schema_files_from_json};
pub use self::format::StoreError;
pub(crate) use self::kept::KeptSchemas;
pub use self::read::{StoredFunction, StoredParameter, StoredSchemas};
