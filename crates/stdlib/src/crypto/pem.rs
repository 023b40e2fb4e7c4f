//! The forms of key files: PEM around ASN.1 elements or around the format of OpenSSH.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Bytes that a unit of work searches.
const BYTES_OF_WORK: usize = 16;

/// The content between the `BEGIN` and `END` lines.
pub(crate) struct Pem<'t> {
    pub(crate) label: &'t str,
    pub(super) is_encrypted: bool,
    pub(crate) bytes: Vec<u8>,
}

impl<'t> Pem<'t> {
    /// Returns the first complete block. Its `BEGIN` and `END` lines have no other text; headers such as `Kind: test` may
    /// precede the content.
    ///
    /// Each beginning of a block may be compared with the whole text; see [`Pem::work`].
    pub(crate) fn first(text: &'t str) -> Option<Pem<'t>> {
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

    /// The work of finding the first block.
    pub(crate) fn work(text: &str) -> usize {
        text.matches(BEGIN).count().saturating_mul(text.len()) / BYTES_OF_WORK
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

/// A block of PEM text with this label.
pub(crate) fn pem(label: &str, bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    let mut pem = format!("-----BEGIN {label}-----\n");
    for line in text.as_bytes().chunks(64) {
        pem.extend(line.iter().copied().map(char::from));
        pem.push('\n');
    }
    pem.push_str(&format!("-----END {label}-----\n"));
    pem
}

const DASHES: &str = "-----";
const BEGIN: &str = "-----BEGIN ";
const AT_BEGIN: &str = "\n-----BEGIN ";
const END: &str = "-----END ";
const AT_END: &str = "\n-----END ";

pub(super) trait Digits {
    /// The digits without leading zeros.
    fn without_zeros(&self) -> &Self;
}

impl Digits for [u8] {
    fn without_zeros(&self) -> &[u8] {
        let start = self.iter().position(|byte| *byte != 0).unwrap_or(self.len());
        self.get(start..).unwrap_or_default()
    }
}

pub(super) const INTEGER: u8 = 2;
pub(super) const OCTETS: u8 = 4;
pub(super) const UTF8_TEXT: u8 = 0x0c;
pub(super) const PRINTABLE_TEXT: u8 = 0x13;
pub(super) const SEQUENCE: u8 = 0x30;

/// Returns the content of the ASN.1 element at the start of `bytes`, and the bytes after the element; `None` if no element with
/// this tag starts there.
pub(super) fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
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

/// Returns the public and the private part of an OpenSSH key file; `None` if a password protects the file.
pub(super) fn openssh_parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (cipher, bytes) = openssh_cipher(bytes)?;
    let (_derivation, bytes) = counted(bytes)?;
    let (_options, bytes) = counted(bytes)?;
    let bytes = bytes.strip_prefix(&[0, 0, 0, 1]).filter(|_| cipher == b"none")?;
    let (public, bytes) = counted(bytes)?;
    let (private, _) = counted(bytes)?;
    Some((public, private))
}

/// Returns the name of the cipher that protects a key, and the bytes after the name.
pub(super) fn openssh_cipher(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    counted(bytes.strip_prefix(b"openssh-key-v1\0")?)
}

/// Returns the bytes that a length prefix counts, and the bytes after them.
pub(super) fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
}
