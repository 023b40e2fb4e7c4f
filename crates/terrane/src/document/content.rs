//! Hashes of configuration files and of directories, by which callers notice a changed module.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};
use terrane_config::recorder::{Hash, hash};
use terrane_source::SourceFile;

/// A hash in hexadecimal digits.
pub(crate) fn hex(hash: &Hash) -> String {
    let mut text = String::with_capacity(2 * hash.len());
    let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    text.extend(digits.filter_map(|digit| char::from_digit(digit.into(), 16)));
    text
}

/// A configuration file, whose hash is computed on request.
#[derive(Debug)]
pub(crate) struct HashedSource {
    pub(crate) source: Arc<SourceFile>,
    hash: OnceLock<Hash>,
}

impl HashedSource {
    fn new(source: &Arc<SourceFile>) -> HashedSource {
        HashedSource { source: Arc::clone(source), hash: OnceLock::new() }
    }

    /// The SHA-256 of the bytes of the file, with its byte order mark.
    pub(crate) fn hash(&self) -> &Hash {
        self.hash.get_or_init(|| {
            let text = self.source.text();
            match self.source.byte_order_mark_len() {
                0 => hash(text.as_bytes()),
                _ => hash(format!("\u{feff}{text}").as_bytes()),
            }
        })
    }

    /// The size of the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.source.text().len() as u64 + u64::from(self.source.byte_order_mark_len())
    }
}

/// The configuration files of a directory.
#[derive(Debug)]
pub(crate) struct DirectoryContent {
    pub(crate) files: Vec<Arc<HashedSource>>,
    hash: OnceLock<String>,
}

impl DirectoryContent {
    pub(crate) fn new(sources: &[Arc<SourceFile>]) -> DirectoryContent {
        let files = sources.iter().map(|source| Arc::new(HashedSource::new(source))).collect();
        DirectoryContent { files, hash: OnceLock::new() }
    }

    /// Returns the SHA-256 of the names of the files, each followed by a zero byte and the SHA-256 of its content in
    /// hexadecimal digits. The hash does not depend on the location of the directory.
    pub(crate) fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let mut hasher = Sha256::new();
            for file in &self.files {
                let name = Path::file_name(file.source.id().path()).unwrap_or_default();
                hasher.update(name.as_encoded_bytes());
                hasher.update([0]);
                hasher.update(file.hash());
            }
            hex(&hasher.finalize().into())
        })
    }
}
