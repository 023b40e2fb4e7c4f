//! RSA decryption with PKCS #1 v1.5 padding.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::BitTest as _;

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
        let (modulus, exponent) = numbers.ok_or("the text does not hold an RSA private key")?;
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

    /// The decrypted text without padding, or none if the ciphertext does not belong to the key.
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

/// The content between the `BEGIN` and `END` lines.
struct Pem<'t> {
    label: &'t str,
    is_encrypted: bool,
    bytes: Vec<u8>,
}

impl<'t> Pem<'t> {
    /// The first complete block. Its `BEGIN` and `END` lines have no other text; headers such as `Kind: test` may
    /// precede the content.
    fn first(text: &'t str) -> Option<Pem<'t>> {
        let mut rest = text;
        loop {
            rest = match rest.strip_prefix(BEGIN) {
                Some(begun) => begun,
                None => rest.split_once(AT_BEGIN)?.1,
            };
            if let Some(pem) = Pem::begun(rest) {
                return Some(pem);
            }
        }
    }

    fn begun(text: &'t str) -> Option<Pem<'t>> {
        let (line, mut rest) = text.split_once('\n')?;
        let label = line.trim_end().strip_suffix(DASHES)?;
        let mut is_encrypted = false;
        while let Some((line, below)) = rest.split_once('\n').filter(|(line, _)| line.contains(':')) {
            is_encrypted |= line.contains("ENCRYPTED");
            rest = below;
        }
        // The content may be empty.
        let (body, ended) = match rest.strip_prefix(END) {
            Some(ended) => ("", ended),
            None => rest.split_once(AT_END)?,
        };
        let ended = ended.strip_prefix(label)?.strip_prefix(DASHES)?;
        let line = ended.split_once('\n').map_or(ended, |(line, _)| line);
        let body: String = body.split_whitespace().collect();
        let bytes = STANDARD.decode(body).ok()?;
        line.trim_end().is_empty().then_some(Pem { label, is_encrypted, bytes })
    }
}

const DASHES: &str = "-----";
const BEGIN: &str = "-----BEGIN ";
const AT_BEGIN: &str = "\n-----BEGIN ";
const END: &str = "-----END ";
const AT_END: &str = "\n-----END ";

trait Digits {
    /// The digits without leading zeros.
    fn without_zeros(&self) -> &Self;
}

impl Digits for [u8] {
    fn without_zeros(&self) -> &[u8] {
        let start = self.iter().position(|byte| *byte != 0).unwrap_or(self.len());
        self.get(start..).unwrap_or_default()
    }
}

const INTEGER: u8 = 2;
const OCTETS: u8 = 4;
const SEQUENCE: u8 = 0x30;

/// The modulus and the private exponent.
type Numbers<'b> = (&'b [u8], &'b [u8]);

fn pkcs1(bytes: &[u8]) -> Option<Numbers<'_>> {
    let (mut content, _) = element(bytes, SEQUENCE)?;
    let mut numbers = [[].as_slice(); 4];
    for number in &mut numbers {
        (*number, content) = element(content, INTEGER)?;
    }
    let [_version, modulus, _public, private] = numbers;
    Some((modulus, private))
}

fn pkcs8(bytes: &[u8]) -> Option<Numbers<'_>> {
    let (content, _) = element(bytes, SEQUENCE)?;
    let (_version, content) = element(content, INTEGER)?;
    let (_algorithm, content) = element(content, SEQUENCE)?;
    pkcs1(element(content, OCTETS)?.0)
}

/// The content of the ASN.1 element at the start of `bytes`, and the bytes after the element.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.strip_prefix(&[tag])?.split_first()?;
    if *length < 0x80 {
        return rest.split_at_checked(usize::from(*length));
    }
    let (digits, rest) =
        rest.split_at_checked(usize::from(*length & 0x7f)).filter(|(digits, _)| digits.len() <= 4)?;
    let length = digits
        .iter()
        .try_fold(0_usize, |length, digit| length.checked_mul(256)?.checked_add((*digit).into()))?;
    rest.split_at_checked(length)
}

/// The name of the cipher that protects a key, and the bytes after the name.
fn openssh_cipher(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    counted(bytes.strip_prefix(b"openssh-key-v1\0")?)
}

fn openssh(bytes: &[u8]) -> Option<Numbers<'_>> {
    let (cipher, bytes) = openssh_cipher(bytes)?;
    let (_derivation, bytes) = counted(bytes)?;
    let (_options, bytes) = counted(bytes)?;
    let bytes = bytes.strip_prefix(&[0, 0, 0, 1]).filter(|_| cipher == b"none")?;
    let (_public, bytes) = counted(bytes)?;
    let (private, _) = counted(bytes)?;
    let (kind, bytes) = counted(private.get(8..)?)?;
    let (modulus, bytes) = counted(bytes)?;
    let (_public, bytes) = counted(bytes)?;
    let (exponent, _) = counted(bytes)?;
    (kind == b"ssh-rsa").then_some((modulus, exponent))
}

/// The bytes after a length prefix, and the bytes after them.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
}
