//! A schema file that was read, and is opened when its schemas are first used.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use terrane_config::Version;
use terrane_module::provider::ProviderAddress;
use terrane_module::{LazyProvider, ProviderSchema};

use super::directory::StoredVersion;
use super::read::StoredSchemas;

/// The bytes of a schema file that contain the checksum of the others.
const HEADER: usize = 64;

/// A schema file that was read. Its header and size tell whether the file has changed since.
#[derive(Debug)]
pub(super) struct Opened {
    header: Vec<u8>,
    size: usize,
    address: ProviderAddress,
    version: Version,
    /// The content of the file, until it is opened.
    bytes: Mutex<Vec<u8>>,
    schemas: OnceLock<Result<StoredSchemas, String>>,
}

impl Opened {
    /// Returns a file with this content.
    pub(super) fn new(stored: &StoredVersion, bytes: Vec<u8>) -> Opened {
        Opened {
            header: header(&bytes).to_vec(),
            size: bytes.len(),
            address: stored.address.clone(),
            version: stored.version.clone(),
            bytes: Mutex::new(bytes),
            schemas: OnceLock::new(),
        }
    }

    /// Whether the file has this content.
    pub(super) fn has_content(&self, bytes: &[u8]) -> bool {
        self.size == bytes.len() && self.header == header(bytes)
    }

    /// Returns the number of bytes of the file.
    pub(super) fn size(&self) -> u64 {
        self.size as u64
    }

    /// Returns the schemas.
    ///
    /// # Errors
    ///
    /// If the content is not the schema file of the provider and version: the problem in words.
    pub(super) fn schemas(&self) -> Result<&StoredSchemas, &str> {
        let open = || {
            let bytes = std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner));
            let schemas = StoredSchemas::open(bytes).map_err(|error| error.to_string())?;
            if *schemas.address() != self.address || *schemas.version() != self.version {
                return Err(format!("it has the schemas of {} {}", schemas.address(), schemas.version()));
            }
            Ok(schemas)
        };
        self.schemas.get_or_init(open).as_ref().map_err(String::as_str)
    }
}

impl LazyProvider for Opened {
    fn open(&self) -> Option<Arc<ProviderSchema>> {
        self.schemas().ok().map(StoredSchemas::provider)
    }
}

fn header(bytes: &[u8]) -> &[u8] {
    bytes.get(..bytes.len().min(HEADER)).unwrap_or_default()
}
