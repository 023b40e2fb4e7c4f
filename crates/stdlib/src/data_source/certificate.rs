//! `tls_certificate` with `content`: the parts of a certificate in PEM text. With `url` the provider asks a server.

use sha1::Sha1;
use terrane_value::{Type, Value, convert};

use super::arguments::{argument, text};
use super::row::{
    AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed, not_computed,
};
use crate::crypto::{Certificate, hex, pem};

pub(super) const CERTIFICATE: DataSource = DataSource {
    name: "tls_certificate",
    is_resource: false,
    provider: "tls",
    since: [4, 0, 0],
    arguments: &["content", "url", "verify_chain"],
    provider_arguments: &[],
    sensitive: &[],
    attributes: &[("certificates", AttributeType::Objects(PARTS)), ("id", AttributeType::Text)],
    compute,
    examples: &[DataSourceExample {
        body: "content = <<-EOT\n\
               -----BEGIN CERTIFICATE-----\n\
               MIIBMDCB46ADAgECAgIwOTAFBgMrZXAwFzEVMBMGA1UEAwwMZXhhbXBsZS50ZXN0\n\
               MB4XDTI2MTEyNzA1MjgwMloXDTM2MTEyNDA1MjgwMlowFzEVMBMGA1UEAwwMZXhh\n\
               bXBsZS50ZXN0MCowBQYDK2VwAyEA7AwyQ7Wr92Rnc1MZtXcjHDBYbWa1MyL1hO5R\n\
               Zm3WZcSjUzBRMB0GA1UdDgQWBBT13WN+m1JAtHtSuy9TqPbX7ViQgDAfBgNVHSME\n\
               GDAWgBT13WN+m1JAtHtSuy9TqPbX7ViQgDAPBgNVHRMBAf8EBTADAQH/MAUGAytl\n\
               cANBACkh7s4ay5DXpwpLwOnQWcmpvMkA5rvwn/tHiGgxepn87fd9AI6RV4UdBt89\n\
               Kcu6yCQ/+8lQLj8E2Noihqe9LgU=\n\
               -----END CERTIFICATE-----\n\
               EOT",
        attribute: "certificates[0].subject",
        value: "CN=example.test",
    }],
};

/// The attributes of each certificate in `certificates`.
const PARTS: &[(&str, AttributeType)] = &[
    ("signature_algorithm", AttributeType::Text),
    ("public_key_algorithm", AttributeType::Text),
    ("serial_number", AttributeType::Text),
    ("is_ca", AttributeType::Boolean),
    ("max_path_length", AttributeType::Number),
    ("version", AttributeType::Number),
    ("issuer", AttributeType::Text),
    ("subject", AttributeType::Text),
    ("not_before", AttributeType::Text),
    ("not_after", AttributeType::Text),
    ("sha1_fingerprint", AttributeType::Text),
    ("cert_pem", AttributeType::Text),
];

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let arguments = computation.arguments;
    if argument(arguments, "url").is_some() {
        return Err("with `url` the provider asks a server for the certificates".into());
    }
    if argument(arguments, "verify_chain").is_some() {
        return Err("the provider refuses `verify_chain` without `url`".into());
    }
    let content = text(arguments, "content")?.ok_or("neither `content` nor `url` is set")?;
    computation.spend(Certificate::work(&content))?;
    let certificate = Certificate::of_pem(&content)?;
    let values: [Value; 12] = [
        certificate.signature_algorithm.into(),
        certificate.public_key_algorithm.into(),
        certificate.serial_number.into(),
        certificate.is_authority.into(),
        certificate.max_path_length.into(),
        certificate.version.into(),
        certificate.issuer.into(),
        certificate.subject.into(),
        certificate.not_before.into(),
        certificate.not_after.into(),
        hex::<Sha1>(&certificate.bytes),
        pem("CERTIFICATE", &certificate.bytes).into(),
    ];
    let id = identifier(&values);
    let parts = PARTS.iter().zip(values).map(|((name, _), value)| ((*name).into(), value));
    let certificates = Value::tuple([Value::object(parts)]);
    let certificates = convert(&certificates, &AttributeType::Objects(PARTS).ty());
    Ok(vec![("certificates", certificates.map_err(|_| "its parts have other types")?), ("id", id)])
}

/// Returns the digest of the parts as the provider's language prints them, or an unknown value unless it prints all characters
/// as they are.
fn identifier(values: &[Value]) -> Value {
    let part = |value: &Value| match value.as_str() {
        Some(text) => {
            let is_plain = text.chars().all(|c| c == '\n' || (' '..='~').contains(&c));
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            is_plain.then(|| format!("\"{escaped}\""))
        }
        None => Some(convert(value, &Type::String).ok()?.as_str()?.to_owned()),
    };
    match values.iter().map(part).collect::<Option<Vec<_>>>() {
        Some(parts) => hex::<Sha1>(format!("[{{{}}}]", parts.join(" "))),
        None => not_computed(AttributeType::Text, "a name in the certificate has special characters"),
    }
}
