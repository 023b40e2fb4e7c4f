//! RSA decryption with PKCS #1 v1.5 padding.

use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::BitTest as _;

use super::pem::{
    Digits as _, INTEGER, OCTETS, Pem, SEQUENCE, counted, element, openssh_cipher, openssh_parts,
};

/// Larger keys are not in use and would take minutes.
const MAX_KEY_BYTES: usize = 2048;

/// Decryption takes time proportional to the square of the modulus length times the exponent length; a unit of work
/// covers at least this many products of bytes.
const PRODUCTS_OF_WORK: usize = 200;

/// The newest release refuses shorter keys as unsafe.
const MIN_KEY_BITS: usize = 1024;

/// An RSA private key.
pub(super) struct PrivateKey {
    modulus: UBig,
    exponent: UBig,
    /// The length of the modulus in bytes.
    length: usize,
}

impl PrivateKey {
    /// Parses a key in PEM form without a password: PKCS #1, PKCS #8 or OpenSSH. The error is a phrase.
    pub(super) fn parse(text: &str) -> Result<PrivateKey, &'static str> {
        let Pem { label, is_encrypted, bytes } = Pem::first(text).ok_or("the key is not in PEM form")?;
        const PROTECTED: &str = "a key that is protected by a password cannot be used";
        if is_encrypted || label.contains("ENCRYPTED") {
            return Err(PROTECTED);
        }
        if label == "OPENSSH PRIVATE KEY"
            && openssh_cipher(&bytes).is_some_and(|(cipher, _)| cipher != b"none")
        {
            return Err(PROTECTED);
        }
        let numbers = match label {
            "RSA PRIVATE KEY" => pkcs1(&bytes),
            "PRIVATE KEY" => pkcs8(&bytes),
            "OPENSSH PRIVATE KEY" => openssh(&bytes),
            _ => None,
        };
        let Numbers { modulus, exponent } = numbers.ok_or("the text does not hold an RSA private key")?;
        let modulus = modulus.without_zeros();
        if modulus.is_empty()
            || modulus.len() > MAX_KEY_BYTES
            || exponent.without_zeros().len() > modulus.len()
        {
            return Err("the RSA key has an unusual size");
        }
        Ok(PrivateKey {
            modulus: UBig::from_be_bytes(modulus),
            exponent: UBig::from_be_bytes(exponent),
            length: modulus.len(),
        })
    }

    /// Whether the key is shorter than [`MIN_KEY_BITS`].
    pub(super) fn is_too_short(&self) -> bool {
        self.modulus.bit_len() < MIN_KEY_BITS
    }

    /// The work of one decryption.
    pub(super) fn work(&self) -> usize {
        let exponent = self.exponent.bit_len() / 8 + 1;
        self.length.saturating_mul(self.length).saturating_mul(exponent) / PRODUCTS_OF_WORK
    }

    /// Returns the decrypted text without padding; `None` if the ciphertext does not belong to the key.
    pub(super) fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>> {
        let ciphertext = UBig::from_be_bytes(ciphertext);
        if ciphertext >= self.modulus {
            return None;
        }
        let ring = ConstDivisor::new(self.modulus.clone());
        let padded = ring.reduce(ciphertext).pow(&self.exponent).residue().to_be_bytes();
        // The first byte of the padding is zero, so the number does not contain it.
        let padding = padded.strip_prefix(&[2]).filter(|_| padded.len() + 1 == self.length)?;
        let end = padding.iter().position(|byte| *byte == 0).filter(|end| *end >= 8)?;
        padding.get(end + 1..).map(<[u8]>::to_vec)
    }
}

/// The numbers of a private key, as big-endian bytes.
struct Numbers<'b> {
    modulus: &'b [u8],
    /// The private exponent.
    exponent: &'b [u8],
}

fn pkcs1(bytes: &[u8]) -> Option<Numbers<'_>> {
    let (mut content, _) = element(bytes, SEQUENCE)?;
    let mut numbers = [[].as_slice(); 4];
    for number in &mut numbers {
        (*number, content) = element(content, INTEGER)?;
    }
    let [_version, modulus, _public, exponent] = numbers;
    Some(Numbers { modulus, exponent })
}

fn pkcs8(bytes: &[u8]) -> Option<Numbers<'_>> {
    let (content, _) = element(bytes, SEQUENCE)?;
    let (_version, content) = element(content, INTEGER)?;
    let (_algorithm, content) = element(content, SEQUENCE)?;
    pkcs1(element(content, OCTETS)?.0)
}

fn openssh(bytes: &[u8]) -> Option<Numbers<'_>> {
    let (_public, private) = openssh_parts(bytes)?;
    let (kind, bytes) = counted(private.get(8..)?)?;
    let (modulus, bytes) = counted(bytes)?;
    let (_public, bytes) = counted(bytes)?;
    let (exponent, _) = counted(bytes)?;
    (kind == b"ssh-rsa").then_some(Numbers { modulus, exponent })
}
