//! Reads the public key in the file of a private key, and writes it in the forms of X.509 and of SSH.

use ed25519_compact::{KeyPair, Seed};

use super::pem::{Digits as _, INTEGER, OCTETS, Pem, SEQUENCE, counted, element, openssh_parts, pem};

/// The public part of a key.
#[derive(Debug)]
pub(crate) enum PublicKey {
    /// The numbers have their highest byte first.
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    /// The point of the curve is written without compression.
    Ecdsa {
        curve: &'static Curve,
        point: Vec<u8>,
    },
    Ed25519(Vec<u8>),
}

/// An elliptic curve.
#[derive(Debug)]
pub(crate) struct Curve {
    /// The content of the curve's object identifier.
    identifier: &'static [u8],
    /// The length of a coordinate in bytes.
    length: usize,
    /// The curve's name in SSH; `None` if SSH does not know the curve.
    name: Option<&'static str>,
}

const CURVES: &[Curve] = &[
    Curve { identifier: &[0x2b, 0x81, 4, 0, 0x21], length: 28, name: None },
    Curve { identifier: &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7], length: 32, name: Some("nistp256") },
    Curve { identifier: &[0x2b, 0x81, 4, 0, 0x22], length: 48, name: Some("nistp384") },
    Curve { identifier: &[0x2b, 0x81, 4, 0, 0x23], length: 66, name: Some("nistp521") },
];

/// The object identifiers of the kinds of keys.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];

const BITS: u8 = 3;
const NULL: u8 = 5;
const IDENTIFIER: u8 = 6;
/// The tags of elements whose place tells their meaning.
const CURVE_OF_KEY: u8 = 0xa0;
const POINT_OF_KEY: u8 = 0xa1;

impl PublicKey {
    /// The work of reading a file, and of deriving the public part of a key.
    pub(crate) fn work(text: &str) -> usize {
        Pem::work(text).saturating_add(1000)
    }

    /// Reads the file of a private key without a password: in the forms PKCS #1, SEC 1 and PKCS #8, and also in the form of
    /// OpenSSH if `openssh` is true. The error is a phrase.
    pub(crate) fn of_private_key(text: &str, openssh: bool) -> Result<PublicKey, &'static str> {
        let Pem { label, is_encrypted, bytes } = Pem::first(text).ok_or("the key is not in PEM form")?;
        if is_encrypted {
            return Err("the key is protected by a password");
        }
        let key = match label {
            "RSA PRIVATE KEY" => pkcs1(&bytes),
            "EC PRIVATE KEY" => sec1(&bytes, None),
            "PRIVATE KEY" => pkcs8(&bytes),
            "OPENSSH PRIVATE KEY" if openssh => of_openssh(&bytes),
            _ => return Err("the provider refuses this form of a key"),
        };
        key.ok_or("the file of the key does not hold its public part")
    }

    /// Reads a public key in the form of X.509; `None` if the bytes are no such key, or its form is not certain to be valid.
    pub(super) fn of_x509(bytes: &[u8]) -> Option<PublicKey> {
        let (content, _) = element(bytes, SEQUENCE)?;
        let (kind, content) = element(content, SEQUENCE)?;
        let (kind, parameters) = element(kind, IDENTIFIER)?;
        let (bits, _) = element(content, BITS)?;
        let key = bits.strip_prefix(&[0])?;
        match kind {
            RSA => {
                let is_plain =
                    element(parameters, NULL).is_some_and(|(null, rest)| null.is_empty() && rest.is_empty());
                let (numbers, _) = element(key, SEQUENCE).filter(|_| is_plain)?;
                let (modulus, numbers) = element(numbers, INTEGER)?;
                let (exponent, _) = element(numbers, INTEGER)?;
                // A number is valid only in the form with the fewest bytes.
                let is_positive = |number: &[u8]| match *number {
                    [0, second, ..] => second >= 0x80,
                    [first, ..] => (1..0x80).contains(&first),
                    [] => false,
                };
                let are_certain = is_positive(modulus) && is_positive(exponent) && exponent.len() <= 4;
                are_certain.then(|| PublicKey::Rsa { modulus: modulus.to_vec(), exponent: exponent.to_vec() })
            }
            ECDSA => ecdsa(element(parameters, IDENTIFIER)?.0, key),
            ED25519 => {
                let is_whole = parameters.is_empty() && key.len() == 32;
                is_whole.then(|| PublicKey::Ed25519(key.to_vec()))
            }
            _ => None,
        }
    }

    /// The name of the algorithm.
    pub(crate) fn algorithm(&self) -> &'static str {
        match self {
            PublicKey::Rsa { .. } => "RSA",
            PublicKey::Ecdsa { .. } => "ECDSA",
            PublicKey::Ed25519(_) => "ED25519",
        }
    }

    /// Returns the bytes of the key in the form of X.509 (RFC 5280, `SubjectPublicKeyInfo`).
    pub(crate) fn x509(&self) -> Vec<u8> {
        let (kind, key) = match self {
            PublicKey::Rsa { modulus, exponent } => {
                let numbers = [asn1(INTEGER, &positive(modulus)), asn1(INTEGER, &positive(exponent))];
                let kind = [asn1(IDENTIFIER, RSA), asn1(NULL, &[])].concat();
                (kind, asn1(SEQUENCE, numbers.concat().as_slice()))
            }
            PublicKey::Ecdsa { curve, point } => {
                let kind = [asn1(IDENTIFIER, ECDSA), asn1(IDENTIFIER, curve.identifier)].concat();
                (kind, point.clone())
            }
            PublicKey::Ed25519(key) => (asn1(IDENTIFIER, ED25519), key.clone()),
        };
        // The first byte tells that all bits of the last byte are used.
        let bits = [&[0], key.as_slice()].concat();
        asn1(SEQUENCE, &[asn1(SEQUENCE, &kind), asn1(BITS, &bits)].concat())
    }

    /// Returns the key in the form of X.509 as PEM text.
    pub(crate) fn pem(&self) -> String {
        pem("PUBLIC KEY", &self.x509())
    }

    /// Returns the kind of the key and its bytes in the form of SSH (RFC 4253, 6.6; RFC 5656, 3.1; RFC 8709, 4); `None` if SSH
    /// does not know the curve.
    pub(crate) fn ssh(&self) -> Option<(String, Vec<u8>)> {
        let (kind, parts) = match self {
            PublicKey::Rsa { modulus, exponent } => {
                ("ssh-rsa".to_owned(), vec![positive(exponent), positive(modulus)])
            }
            PublicKey::Ecdsa { curve, point } => {
                let name = curve.name?;
                (format!("ecdsa-sha2-{name}"), vec![name.into(), point.clone()])
            }
            PublicKey::Ed25519(key) => ("ssh-ed25519".to_owned(), vec![key.clone()]),
        };
        let mut bytes = Vec::new();
        for part in std::iter::once(kind.as_bytes()).chain(parts.iter().map(Vec::as_slice)) {
            bytes.extend(u32::try_from(part.len()).ok()?.to_be_bytes());
            bytes.extend(part);
        }
        Some((kind, bytes))
    }
}

fn pkcs1(bytes: &[u8]) -> Option<PublicKey> {
    let (content, _) = element(bytes, SEQUENCE)?;
    let (_version, content) = element(content, INTEGER)?;
    let (modulus, content) = element(content, INTEGER)?;
    let (exponent, _) = element(content, INTEGER)?;
    Some(PublicKey::Rsa { modulus: modulus.to_vec(), exponent: exponent.to_vec() })
}

/// Reads a key of an elliptic curve (SEC 1). If another part of the file names the curve, `curve` has its identifier.
fn sec1(bytes: &[u8], curve: Option<&[u8]>) -> Option<PublicKey> {
    let (content, _) = element(bytes, SEQUENCE)?;
    let (_version, content) = element(content, INTEGER)?;
    let (_private, content) = element(content, OCTETS)?;
    let (own, content) = match element(content, CURVE_OF_KEY) {
        Some((own, content)) => (Some(element(own, IDENTIFIER)?.0), content),
        None => (None, content),
    };
    let (bits, _) = element(element(content, POINT_OF_KEY)?.0, BITS)?;
    ecdsa(curve.or(own)?, bits.strip_prefix(&[0])?)
}

fn pkcs8(bytes: &[u8]) -> Option<PublicKey> {
    let (content, _) = element(bytes, SEQUENCE)?;
    let (_version, content) = element(content, INTEGER)?;
    let (kind, content) = element(content, SEQUENCE)?;
    let (kind, parameters) = element(kind, IDENTIFIER)?;
    let (key, _) = element(content, OCTETS)?;
    match kind {
        RSA => pkcs1(key),
        ECDSA => sec1(key, Some(element(parameters, IDENTIFIER)?.0)),
        ED25519 => ed25519(element(key, OCTETS)?.0),
        _ => None,
    }
}

/// Returns the public key of an Ed25519 private key (RFC 8032, 5.1.5), because its file seldom holds the public key.
fn ed25519(private: &[u8]) -> Option<PublicKey> {
    let keys = KeyPair::try_from_seed(Seed::new(private.try_into().ok()?)).ok()?;
    Some(PublicKey::Ed25519(keys.pk.to_vec()))
}

fn of_openssh(bytes: &[u8]) -> Option<PublicKey> {
    let (key, _private) = openssh_parts(bytes)?;
    let (kind, key) = counted(key)?;
    let (first, rest) = counted(key)?;
    match kind {
        b"ssh-rsa" => Some(PublicKey::Rsa { modulus: counted(rest)?.0.to_vec(), exponent: first.to_vec() }),
        b"ssh-ed25519" => Some(PublicKey::Ed25519(first.to_vec())).filter(|_| first.len() == 32),
        _ => {
            let curve =
                CURVES.iter().find(|curve| curve.name.is_some_and(|name| name.as_bytes() == first))?;
            ecdsa(curve.identifier, counted(rest)?.0)
        }
    }
}

fn ecdsa(curve: &[u8], point: &[u8]) -> Option<PublicKey> {
    let curve = CURVES.iter().find(|row| row.identifier == curve)?;
    let is_whole = point.first() == Some(&4) && point.len() == 1 + 2 * curve.length;
    is_whole.then(|| PublicKey::Ecdsa { curve, point: point.to_vec() })
}

/// Returns an ASN.1 element with this tag and content.
pub(super) fn asn1(tag: u8, content: &[u8]) -> Vec<u8> {
    let digits = content.len().to_be_bytes();
    let digits = digits.without_zeros();
    let mut bytes = vec![tag];
    match *digits {
        [] => bytes.push(0),
        [length] if length < 0x80 => bytes.push(length),
        _ => {
            bytes.push(0x80 | u8::try_from(digits.len()).unwrap_or(u8::MAX));
            bytes.extend(digits);
        }
    }
    bytes.extend(content);
    bytes
}

/// Returns a number in the shortest form that is not negative.
fn positive(number: &[u8]) -> Vec<u8> {
    let digits = number.without_zeros();
    match digits.first() {
        Some(first) if *first < 0x80 => digits.to_vec(),
        _ => [&[0], digits].concat(),
    }
}
