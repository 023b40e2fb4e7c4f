//! Reads X.509 certificates, and makes the texts of their parts that the reference's library makes.

use std::collections::BTreeSet;

use dashu_int::UBig;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::{Any, Decode, Encode, Error, Tag, Tagged as _};
use x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies,
    CrlDistributionPoints, ExtendedKeyUsage, KeyUsage, NameConstraints, SubjectAltName, SubjectKeyIdentifier,
};
use x509_cert::name::Name;
use x509_cert::time::Time;
use x509_cert::{TbsCertificate, Version};

use super::pem::{INTEGER, PRINTABLE_TEXT, Pem, UTF8_TEXT, element};
use super::public_key::{PublicKey, asn1};

/// The parts of a certificate, as `tls_certificate` returns them.
#[derive(Debug)]
pub(crate) struct Certificate {
    pub(crate) bytes: Vec<u8>,
    pub(crate) signature_algorithm: &'static str,
    pub(crate) public_key_algorithm: &'static str,
    /// The number in decimal digits.
    pub(crate) serial_number: String,
    pub(crate) is_authority: bool,
    /// -1 if the certificate has constraints without a length, 0 if it has no constraints.
    pub(crate) max_path_length: i64,
    pub(crate) version: i64,
    pub(crate) issuer: String,
    pub(crate) subject: String,
    pub(crate) not_before: String,
    pub(crate) not_after: String,
}

const MALFORMED: &str =
    "the certificate is malformed, or in a form that not all versions of the provider read";

impl Certificate {
    /// The work of reading a file.
    pub(crate) fn work(text: &str) -> usize {
        Pem::work(text).saturating_add(text.len() / 16).saturating_add(1000)
    }

    /// Reads the first block of PEM text. The error is a clause.
    pub(crate) fn of_pem(text: &str) -> Result<Certificate, &'static str> {
        let Pem { label, bytes, .. } = Pem::first(text).ok_or("`content` is not in PEM form")?;
        if label != "CERTIFICATE" {
            return Err("the first block of `content` is no certificate");
        }
        let certificate = x509_cert::Certificate::from_der(&bytes).map_err(|_| MALFORMED)?;
        // Sets that are not in the order of DER would be sorted.
        if certificate.to_der().ok().as_deref() != Some(&bytes) {
            return Err(MALFORMED);
        }
        let tbs = certificate.tbs_certificate();
        if tbs.signature() != certificate.signature_algorithm() {
            return Err(MALFORMED);
        }
        let constraints = constraints(tbs).ok_or(MALFORMED)?;
        let parameters = tbs.signature().parameters.as_ref();
        Ok(Certificate {
            signature_algorithm: signature_algorithm(&tbs.signature().oid, parameters)
                .ok_or("the name of its signature's algorithm is not certain")?,
            public_key_algorithm: public_key_algorithm(tbs)
                .ok_or("its public key is of another algorithm")?,
            serial_number: serial_number(tbs).ok_or(MALFORMED)?,
            is_authority: constraints.as_ref().is_some_and(|constraints| constraints.ca),
            max_path_length: constraints
                .map_or(0, |constraints| constraints.path_len_constraint.map_or(-1, i64::from)),
            version: match tbs.version() {
                Version::V1 => 1,
                Version::V2 => 2,
                Version::V3 => 3,
            },
            issuer: name(tbs.issuer()).ok_or(MALFORMED)?,
            subject: name(tbs.subject()).ok_or(MALFORMED)?,
            not_before: time(tbs.validity().not_before),
            not_after: time(tbs.validity().not_after),
            bytes,
        })
    }
}

/// Returns the constraints of a certificate. The outer `None` says that an extension that the library reads is malformed or
/// repeated, the inner one that the certificate has no constraints.
fn constraints(tbs: &TbsCertificate) -> Option<Option<BasicConstraints>> {
    fn holds<'t, T: Decode<'t, Error = Error> + AssociatedOid>(tbs: &'t TbsCertificate) -> bool {
        tbs.get_extension::<T>().is_ok()
    }
    let extensions = tbs.extensions().map(Vec::as_slice).unwrap_or_default();
    let mut seen = BTreeSet::new();
    let all_hold = extensions.iter().all(|extension| seen.insert(extension.extn_id))
        && holds::<KeyUsage>(tbs)
        && holds::<SubjectAltName>(tbs)
        && holds::<NameConstraints>(tbs)
        && holds::<CrlDistributionPoints>(tbs)
        && holds::<AuthorityKeyIdentifier>(tbs)
        && holds::<ExtendedKeyUsage>(tbs)
        && holds::<SubjectKeyIdentifier>(tbs)
        && holds::<CertificatePolicies>(tbs)
        && holds::<AuthorityInfoAccessSyntax>(tbs);
    let has_no_place = tbs.version() != Version::V3 && !extensions.is_empty();
    if !all_hold || has_no_place {
        return None;
    }
    Some(tbs.get_extension::<BasicConstraints>().ok()?.map(|(_, constraints)| constraints))
}

/// The library's name of an algorithm of signatures.
fn signature_algorithm(oid: &ObjectIdentifier, parameters: Option<&Any>) -> Option<&'static str> {
    const NAMES: &[(&str, &str)] = &[
        ("1.2.840.113549.1.1.2", "MD2-RSA"),
        ("1.2.840.113549.1.1.4", "MD5-RSA"),
        ("1.2.840.113549.1.1.5", "SHA1-RSA"),
        ("1.3.14.3.2.29", "SHA1-RSA"),
        ("1.2.840.113549.1.1.11", "SHA256-RSA"),
        ("1.2.840.113549.1.1.12", "SHA384-RSA"),
        ("1.2.840.113549.1.1.13", "SHA512-RSA"),
        ("1.2.840.10045.4.1", "ECDSA-SHA1"),
        ("1.2.840.10045.4.3.2", "ECDSA-SHA256"),
        ("1.2.840.10045.4.3.3", "ECDSA-SHA384"),
        ("1.2.840.10045.4.3.4", "ECDSA-SHA512"),
    ];
    let oid = oid.to_string();
    match &*oid {
        "1.3.101.112" => parameters.is_none().then_some("Ed25519"),
        _ => NAMES.iter().find(|(known, _)| *known == oid).map(|(_, name)| *name),
    }
}

/// The library's name of the algorithm of the public key.
fn public_key_algorithm(tbs: &TbsCertificate) -> Option<&'static str> {
    match PublicKey::of_x509(&tbs.subject_public_key_info().to_der().ok()?)? {
        PublicKey::Rsa { .. } => Some("RSA"),
        PublicKey::Ecdsa { .. } => Some("ECDSA"),
        PublicKey::Ed25519(_) => Some("Ed25519"),
    }
}

fn serial_number(tbs: &TbsCertificate) -> Option<String> {
    let number = tbs.serial_number().to_der().ok()?;
    let (digits, _) = element(&number, INTEGER)?;
    let is_positive = digits.first().is_some_and(|digit| *digit < 0x80);
    is_positive.then(|| UBig::from_be_bytes(digits).to_string())
}

fn time(time: Time) -> String {
    let time = time.to_date_time();
    let (date, clock) = (
        format!("{:04}-{:02}-{:02}", time.year(), time.month(), time.day()),
        format!("{:02}:{:02}:{:02}", time.hour(), time.minutes(), time.seconds()),
    );
    format!("{date}T{clock}Z")
}

/// An attribute of names with a short form.
struct Attribute {
    oid: &'static str,
    short: &'static str,
    /// Whether the text has all values of the attribute together; otherwise only the last value counts.
    keeps_all: bool,
}

const fn attribute(oid: &'static str, short: &'static str, keeps_all: bool) -> Attribute {
    Attribute { oid, short, keeps_all }
}

/// The attributes of names with a short form, in the order that the library gives them.
const ATTRIBUTES: [Attribute; 9] = [
    attribute("2.5.4.6", "C", true),
    attribute("2.5.4.8", "ST", true),
    attribute("2.5.4.7", "L", true),
    attribute("2.5.4.9", "STREET", true),
    attribute("2.5.4.17", "POSTALCODE", true),
    attribute("2.5.4.10", "O", true),
    attribute("2.5.4.11", "OU", true),
    attribute("2.5.4.3", "CN", false),
    attribute("2.5.4.5", "SERIALNUMBER", false),
];

/// Returns a name as text. Attributes without a short form come first in the library's sequence, and the text has the sequence
/// reversed.
fn name(name: &Name) -> Option<String> {
    let mut values = Vec::new();
    for attribute in name.iter() {
        values.push((attribute.oid.to_string(), text(&attribute.value)?));
    }
    let is_known = |oid: &str| ATTRIBUTES.iter().any(|attribute| attribute.oid == oid);
    let unnamed = values.iter().filter(|(oid, _)| !is_known(oid));
    let mut sequence: Vec<String> = unnamed
        .map(|(oid, value)| {
            let bytes = asn1(if is_printable(value) { PRINTABLE_TEXT } else { UTF8_TEXT }, value.as_bytes());
            format!("{oid}=#{}", base16ct::lower::encode_string(&bytes))
        })
        .collect();
    for Attribute { oid: known, short, keeps_all } in ATTRIBUTES {
        let mut own = values.iter().filter(|(oid, _)| oid == known).map(|(_, value)| value.as_str());
        let own: Vec<&str> = match keeps_all {
            true => own.collect(),
            false => own.next_back().filter(|value| !value.is_empty()).into_iter().collect(),
        };
        if !own.is_empty() {
            let parts: Vec<String> = own.iter().map(|value| format!("{short}={}", escaped(value))).collect();
            sequence.push(parts.join("+"));
        }
    }
    sequence.reverse();
    Some(sequence.join(","))
}

/// Returns the text of a value in a form that all versions of the library read alike; `None` for any other form.
fn text(value: &Any) -> Option<String> {
    let text = std::str::from_utf8(value.value()).ok()?;
    let tag = value.tag();
    let is_valid = if tag == Tag::PrintableString {
        let is_allowed = |c: char| matches!(c, '*' | '&') || is_printable(c.encode_utf8(&mut [0; 4]));
        text.chars().all(is_allowed)
    } else if tag == Tag::NumericString {
        text.chars().all(|c| c.is_ascii_digit() || c == ' ')
    } else {
        tag == Tag::Utf8String || (text.is_ascii() && (tag == Tag::Ia5String || tag == Tag::TeletexString))
    };
    is_valid.then(|| text.to_owned())
}

/// Whether all characters are in the character set of `PrintableString` in ASN.1.
fn is_printable(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || " '()+,-./:=?".contains(c))
}

fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for (index, c) in value.char_indices() {
        let is_escaped = match c {
            ',' | '+' | '"' | '\\' | '<' | '>' | ';' => true,
            ' ' => index == 0 || index + 1 == value.len(),
            '#' => index == 0,
            _ => false,
        };
        if is_escaped {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
