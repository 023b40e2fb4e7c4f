//! Decrypted remote states: the instances of a data source read one file, and a key takes long to derive.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use terrane_config::state_file::{Decryption, decrypted};

/// A plain text, or why there is none.
type Plain = Result<Arc<str>, String>;

/// The plain texts of encrypted files by path, each for the methods that were used.
#[derive(Default, Debug)]
pub(crate) struct DecryptedStates(Mutex<BTreeMap<String, Vec<(Decryption, Plain)>>>);

impl DecryptedStates {
    /// The plain text of the file at `path`, whose content is `text`.
    pub(crate) fn plain(&self, path: &str, text: &str, decryption: &Decryption) -> Plain {
        // One thread derives a key, and the others wait for it.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_path = known.entry(path.to_owned()).or_default();
        if let Some((_, plain)) = of_path.iter().find(|(other, _)| other == decryption) {
            return plain.clone();
        }
        let plain = decrypted(text, decryption).map(|plain| plain.into()).map_err(|error| error.to_string());
        of_path.push((decryption.clone(), plain.clone()));
        plain
    }
}
