//! Files that are kept between evaluations: parsed directories, and schema files of stores.

use std::path::PathBuf;

use terrane_module::symbols::Symbols;
use terrane_module::{Cache, Request};
use terrane_source::Files;

use crate::schema_store::KeptSchemas;

/// Files that are kept between evaluations over the same [`Files`].
#[derive(Default, Debug)]
pub(crate) struct Caches {
    pub(crate) directories: Cache,
    pub(crate) schemas: KeptSchemas,
}

impl Caches {
    /// Takes note of changed files, given by their canonical paths.
    pub(crate) fn forget(&self, changed: &[PathBuf], files: &dyn Files) {
        self.directories.forget(changed, files);
        self.schemas.forget(changed, files);
    }

    /// Returns the names in the files of a request.
    pub(crate) fn symbols(&self, request: Request, files: &dyn Files) -> Symbols {
        let loaded = terrane_module::load(request, files, &self.directories);
        Symbols::of(&loaded.config, &loaded.inputs, files, &self.directories)
    }
}
