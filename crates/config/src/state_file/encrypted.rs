//! Decrypts states that OpenTofu has encrypted with AES-GCM, using a static key or a key from a passphrase.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use aes_gcm::aead::consts::U12;
use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::aes::Aes192;
use aes_gcm::{Aes128Gcm, Aes256Gcm, AesGcm, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pbkdf2::pbkdf2_hmac;
use serde::Deserialize;
use sha2::{Sha256, Sha512};

use super::error::StateError;

/// The version of the format.
const VERSION: &str = "v0";

/// The bytes of a nonce, which precedes the encrypted text.
const NONCE_BYTES: usize = 12;

/// The steps of an evaluation that count for an iteration of a key derivation, which takes up to half a microsecond.
const STEPS_OF_ITERATION: u64 = 32;

/// The steps that the key derivations for a state may take if no evaluation limits them: enough for four derivations
/// with the 600,000 iterations that OpenTofu makes by default.
const MAX_STEPS: u64 = 80 << 20;

/// How to decrypt a state: methods in the order in which they are tried.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Decryption {
    /// The methods. The first one that decrypts the state is used.
    pub methods: Vec<Arc<DecryptionMethod>>,
    /// The reasons why further methods cannot be used. If no method decrypts the state, the error contains them.
    pub unusable: Vec<String>,
    /// Whether one of the methods is `unencrypted`, so that a state may be plain text.
    pub allows_plain: bool,
}

/// A method of AES-GCM.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecryptionMethod {
    /// The key.
    pub key: Arc<DecryptionKey>,
    /// Data that is authenticated together with the state.
    pub additional_data: Vec<u8>,
}

/// A key, or the way to derive it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum DecryptionKey {
    /// The key itself: 16, 24 or 32 bytes.
    Static(Vec<u8>),
    /// PBKDF2 derives the key from a passphrase with the salt in the state.
    Derived {
        /// The name of the salt in the state: `key_provider.pbkdf2.NAME`.
        metadata: String,
        /// The passphrase.
        passphrase: Passphrase,
    },
}

/// Limit on the bytes of the metadata of a key provider, which contains a salt and a few numbers.
const MAX_METADATA_BYTES: usize = 1 << 16;

/// The passphrase of a key derivation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Passphrase {
    /// A given text.
    Text(Arc<str>),
    /// The key of another key provider in the chain.
    Chain(Arc<DecryptionKey>),
}

/// Never prints a key.
impl std::fmt::Debug for DecryptionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DecryptionKey::Static(_) => "Static(..)",
            DecryptionKey::Derived { .. } => "Derived(..)",
        })
    }
}

/// The data of key providers by name.
type Metadata<'j> = BTreeMap<Cow<'j, str>, Cow<'j, str>>;

#[derive(Deserialize)]
struct EncryptedJson<'j> {
    #[serde(borrow, default)]
    meta: Metadata<'j>,
    #[serde(borrow)]
    encrypted_data: Cow<'j, str>,
    #[serde(borrow, default)]
    encryption_version: Cow<'j, str>,
}

/// The input of PBKDF2, apart from the passphrase.
#[derive(Deserialize)]
struct DerivationJson {
    salt: String,
    iterations: u32,
    hash_function: String,
    key_length: usize,
}

/// Whether a text is a state that OpenTofu has encrypted.
pub fn is_encrypted(text: &str) -> bool {
    read(text).is_some()
}

/// Returns the parts of an encrypted state. A plain state, which may be large, is only searched for a name.
fn read(text: &str) -> Option<EncryptedJson<'_>> {
    text.contains("\"encrypted_data\"").then(|| serde_json::from_str(text).ok())?
}

/// Returns the text of a state, decrypted if it is encrypted.
///
/// # Errors
///
/// If no method decrypts it, or the methods need too many iterations. No error contains a key or passphrase.
pub fn decrypted<'t>(text: &'t str, decryption: &Decryption) -> Result<Cow<'t, str>, StateError> {
    decrypted_within(text, decryption, &mut { MAX_STEPS })
}

/// Does the same as [`decrypted`], with the steps of an evaluation that are left for key derivations. Subtracts the
/// steps that they take; all, if they would take more.
///
/// # Errors
///
/// The same as for [`decrypted`].
pub fn decrypted_within<'t>(
    text: &'t str,
    decryption: &Decryption,
    steps: &mut u64,
) -> Result<Cow<'t, str>, StateError> {
    let Some(encrypted) = read(text) else { return Ok(text.into()) };
    if decryption.methods.is_empty() && decryption.unusable.is_empty() {
        return Err(StateError::new(
            "the state is encrypted by OpenTofu, and no `encryption` block of the configuration says how. Set TF_ENCRYPTION to \
             the configuration of its encryption, as for `tofu`, or let `tofu state pull` write it as plain text",
        ));
    }
    if encrypted.encryption_version != VERSION {
        return Err(StateError::new("the encryption of the state has a version that is not known"));
    }
    let data = STANDARD
        .decode(&*encrypted.encrypted_data)
        .map_err(|_| StateError::new("the encrypted state is damaged: its data are not in Base64"))?;
    let mut failures = Vec::new();
    let mut derivations = Derivations { meta: &encrypted.meta, steps, keys: HashMap::new() };
    for method in &decryption.methods {
        match method.decrypt(&data, &mut derivations) {
            Ok(plain) => {
                let text = String::from_utf8(plain);
                return text
                    .map(Cow::Owned)
                    .map_err(|_| StateError::new("the decrypted state is not UTF-8 text"));
            }
            Err(failure) => failures.push(failure),
        }
    }
    failures.extend_from_slice(&decryption.unusable);
    failures.dedup();
    Err(StateError::new(format!("the state cannot be decrypted: {}", failures.join("; "))))
}

impl DecryptionMethod {
    fn decrypt(&self, data: &[u8], derivations: &mut Derivations<'_>) -> Result<Vec<u8>, String> {
        let key = derivations.key(&self.key)?;
        let (nonce, encrypted) = data
            .split_at_checked(NONCE_BYTES)
            .ok_or("its data are shorter than the nonce before them, so the file is damaged")?;
        let payload = Payload { msg: encrypted, aad: &self.additional_data };
        let nonce = Nonce::<U12>::try_from(nonce).map_err(|_| "its nonce has a wrong length".to_owned())?;
        let opened = match key.len() {
            16 => Aes128Gcm::new_from_slice(&key).ok().map(|cipher| cipher.decrypt(&nonce, payload)),
            24 => {
                AesGcm::<Aes192, U12>::new_from_slice(&key).ok().map(|cipher| cipher.decrypt(&nonce, payload))
            }
            32 => Aes256Gcm::new_from_slice(&key).ok().map(|cipher| cipher.decrypt(&nonce, payload)),
            _ => None,
        };
        match opened {
            Some(Ok(plain)) => Ok(plain),
            Some(Err(_)) => Err(format!(
                "the {} is not the one that it was encrypted with, or the file is damaged",
                self.key.name()
            )),
            None => Err(format!("the key has {} bytes, but AES needs 16, 24 or 32", key.len())),
        }
    }
}

impl DecryptionKey {
    fn name(&self) -> &'static str {
        match self {
            DecryptionKey::Static(_) => "key",
            DecryptionKey::Derived { .. } => "passphrase",
        }
    }
}

/// The keys that are derived for one state. Methods and chains with equal keys share them.
struct Derivations<'j> {
    meta: &'j Metadata<'j>,
    /// The steps that are left.
    steps: &'j mut u64,
    keys: HashMap<Arc<DecryptionKey>, Result<Arc<[u8]>, String>>,
}

impl Derivations<'_> {
    fn key(&mut self, key: &Arc<DecryptionKey>) -> Result<Arc<[u8]>, String> {
        if let Some(derived) = self.keys.get(key) {
            return derived.clone();
        }
        let derived = self.derive(key);
        self.keys.insert(Arc::clone(key), derived.clone());
        derived
    }

    /// Derives a key, which uses up steps.
    fn derive(&mut self, key: &DecryptionKey) -> Result<Arc<[u8]>, String> {
        let (metadata, passphrase) = match key {
            DecryptionKey::Static(key) => return Ok(key.as_slice().into()),
            DecryptionKey::Derived { metadata, passphrase } => (metadata, passphrase),
        };
        let passphrase = match passphrase {
            Passphrase::Text(text) => text.as_bytes().into(),
            Passphrase::Chain(key) => self.key(key)?,
        };
        let text = self
            .meta
            .get(metadata.as_str())
            .ok_or_else(|| format!("it was not encrypted with the key provider {metadata:?}"))?;
        let damaged = || format!("the metadata of the key provider {metadata:?} are damaged");
        if text.len() > MAX_METADATA_BYTES {
            return Err(damaged());
        }
        let json = STANDARD.decode(&**text).map_err(|_| damaged())?;
        let json = String::from_utf8(json).map_err(|_| damaged())?;
        let derivation: DerivationJson = serde_json::from_str(&json).map_err(|_| damaged())?;
        let salt = STANDARD.decode(&derivation.salt).map_err(|_| damaged())?;
        if derivation.key_length > 32 {
            return Err(format!(
                "the metadata of the key provider {metadata:?} ask for a key of more than 32 bytes"
            ));
        }
        let needed = u64::from(derivation.iterations).saturating_mul(STEPS_OF_ITERATION);
        let Some(rest) = self.steps.checked_sub(needed) else {
            let left = *self.steps / STEPS_OF_ITERATION;
            *self.steps = 0;
            return Err(format!(
                "the key provider {metadata:?} makes {} iterations, but the limit on steps leaves {left}; `--max-steps` raises it",
                derivation.iterations
            ));
        };
        *self.steps = rest;
        let mut key = vec![0; derivation.key_length];
        match &*derivation.hash_function {
            "sha256" => pbkdf2_hmac::<Sha256>(&passphrase, &salt, derivation.iterations, &mut key),
            "sha512" => pbkdf2_hmac::<Sha512>(&passphrase, &salt, derivation.iterations, &mut key),
            _ => return Err(format!("the hash function of the key provider {metadata:?} is not known")),
        }
        Ok(key.into())
    }
}
