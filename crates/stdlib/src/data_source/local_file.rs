//! `local_file` and `local_sensitive_file`: the content of a file and its hashes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use terrane_function::Call;
use terrane_value::Value;

use super::arguments::required;
use super::files::read_file;
use super::row::{
    AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed, not_computed,
};
use crate::crypto::{base64, hex};

pub(super) const LOCAL_FILE: DataSource = DataSource {
    name: "local_file",
    is_resource: false,
    provider: "local",
    since: [2, 4, 0],
    arguments: &["filename"],
    provider_arguments: &[],
    sensitive: &[],
    attributes: ATTRIBUTES,
    compute: attributes,
    examples: &[DataSourceExample {
        body: "filename = \"hello.txt\"",
        attribute: "content_md5",
        value: "8b1a9953c4611296a827abf8c47804d7",
    }],
};

pub(super) const LOCAL_SENSITIVE_FILE: DataSource = DataSource {
    name: "local_sensitive_file",
    sensitive: &["content", "content_base64"],
    examples: &[DataSourceExample {
        body: "filename = \"hello.txt\"",
        attribute: "content_sha1",
        value: "f7ff9e8b7bb2e09b70935a5d785e0cc5d9d0abf0",
    }],
    ..LOCAL_FILE
};

const ATTRIBUTES: &[(&str, AttributeType)] = &[
    ("content", AttributeType::Text),
    ("content_base64", AttributeType::Text),
    ("content_md5", AttributeType::Text),
    ("content_sha1", AttributeType::Text),
    ("content_sha256", AttributeType::Text),
    ("content_sha512", AttributeType::Text),
    ("content_base64sha256", AttributeType::Text),
    ("content_base64sha512", AttributeType::Text),
    ("id", AttributeType::Text),
];

/// The number of times that the content is hashed.
const HASHES: usize = 7;

fn attributes(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let content = read_file(computation, &required(computation.arguments, "filename")?)?;
    computation.spend(content.len() * HASHES / Call::FILE_BYTES_OF_WORK)?;
    let mut attributes = vec![
        ("content_base64", STANDARD.encode(&content).into()),
        ("content_md5", hex::<Md5>(&content)),
        ("content_sha1", hex::<Sha1>(&content)),
        ("content_sha256", hex::<Sha256>(&content)),
        ("content_sha512", hex::<Sha512>(&content)),
        ("content_base64sha256", base64::<Sha256>(&content)),
        ("content_base64sha512", base64::<Sha512>(&content)),
        ("id", hex::<Sha1>(&content)),
    ];
    // The products keep the bytes of other files, but no value here can hold bytes that are not text.
    let content = String::from_utf8(content).map(Value::from);
    attributes.push((
        "content",
        content.unwrap_or_else(|_| {
            not_computed(AttributeType::Text, "the file is not UTF-8; its bytes are in `content_base64`")
        }),
    ));
    Ok(attributes)
}
