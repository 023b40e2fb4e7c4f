//! `tls_public_key`: the public key of a private key.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha256};

use super::arguments::text;
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};
use crate::crypto::{PublicKey, hex};

pub(super) const PUBLIC_KEY: DataSource = DataSource {
    name: "tls_public_key",
    is_resource: false,
    provider: "tls",
    since: [4, 0, 0],
    arguments: &["private_key_pem", "private_key_openssh"],
    provider_arguments: &[],
    sensitive: &["private_key_pem", "private_key_openssh"],
    attributes: &[
        ("algorithm", AttributeType::Text),
        ("public_key_pem", AttributeType::Text),
        ("public_key_openssh", AttributeType::Text),
        ("public_key_fingerprint_md5", AttributeType::Text),
        ("public_key_fingerprint_sha256", AttributeType::Text),
        ("id", AttributeType::Text),
    ],
    compute,
    examples: &[DataSourceExample {
        body: "private_key_pem = \"-----BEGIN EC PRIVATE KEY-----\\n\
               MHcCAQEEIDKpvZk7LRzOIEfi25WxvpE4Pmq1HQPLvUatEESajTYooAoGCCqGSM49\\n\
               AwEHoUQDQgAEW1JPIDD9RtnHdxNfLGA0DrYMfMwvG6kRciGKC+OAAHZfajhjDvGG\\n\
               Vx+qWREN+4PL31DAY3BubFYPRwAlQq7Vlw==\\n\
               -----END EC PRIVATE KEY-----\"",
        attribute: "public_key_openssh",
        value: "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBFtSTyAw/UbZx3cTXyxgNA62DHzMLxupEXIhigvjgAB2X2o4Yw7xhlcfqlkRDfuDy99QwGNwbmxWD0cAJUKu1Zc=\n",
    }],
};

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let arguments = computation.arguments;
    let (text, is_openssh) =
        match (text(arguments, "private_key_pem")?, text(arguments, "private_key_openssh")?) {
            (Some(key), None) => (key, false),
            (None, Some(key)) => (key, true),
            _ => return Err("either `private_key_pem` or `private_key_openssh` has to be set".into()),
        };
    computation.spend(PublicKey::work(&text))?;
    let key = PublicKey::of_private_key(&text, is_openssh)?;
    let ssh = key.ssh().map(|(kind, bytes)| {
        let md5 = Md5::digest(&bytes).map(|byte| format!("{byte:02x}"));
        let sha256 = STANDARD_NO_PAD.encode(Sha256::digest(&bytes));
        (format!("{kind} {}\n", STANDARD.encode(bytes)), md5.join(":"), format!("SHA256:{sha256}"))
    });
    // The attributes for SSH are empty if SSH does not know the curve.
    let (openssh, md5, sha256) = ssh.unwrap_or_default();
    Ok(vec![
        ("algorithm", key.algorithm().into()),
        ("public_key_pem", key.pem().into()),
        ("public_key_openssh", openssh.into()),
        ("public_key_fingerprint_md5", md5.into()),
        ("public_key_fingerprint_sha256", sha256.into()),
        ("id", hex::<Sha1>(without_spaces(&key.x509()))),
    ])
}

/// Returns the bytes without white space at the end, which the provider does not count. The first byte is never white space.
fn without_spaces<'b>(mut bytes: &'b [u8]) -> &'b [u8] {
    let is_space = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).ok();
        text.is_some_and(|text| text.chars().count() == 1 && text.trim().is_empty())
    };
    let before_space = |bytes: &'b [u8]| {
        let parts = (1..=3).filter_map(|length| bytes.split_at_checked(bytes.len().checked_sub(length)?));
        parts.filter(|(_, end)| is_space(end)).map(|(before, _)| before).next()
    };
    while let Some(before) = before_space(bytes) {
        bytes = before;
    }
    bytes
}
