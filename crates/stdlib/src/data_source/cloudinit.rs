//! `cloudinit_config` and its predecessor `template_cloudinit_config`: a MIME document of several parts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use terrane_value::Value;

use super::arguments::{blocks, boolean, required, text};
use super::json::checksum;
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};

pub(super) const CLOUDINIT_CONFIG: DataSource = DataSource {
    name: "cloudinit_config",
    is_resource: false,
    provider: "cloudinit",
    since: [2, 1, 0],
    arguments: &["part", "gzip", "base64_encode", "boundary"],
    provider_arguments: &[],
    attributes: ATTRIBUTES,
    compute,
    examples: EXAMPLES,
};

pub(super) const TEMPLATE_CLOUDINIT_CONFIG: DataSource = DataSource {
    name: "template_cloudinit_config",
    is_resource: false,
    provider: "template",
    since: [2, 0, 0],
    arguments: &["part", "gzip", "base64_encode"],
    provider_arguments: &[],
    attributes: ATTRIBUTES,
    compute,
    examples: EXAMPLES,
};

const ATTRIBUTES: &[(&str, AttributeType)] =
    &[("rendered", AttributeType::Text), ("id", AttributeType::Text)];

const EXAMPLES: &[DataSourceExample] = &[DataSourceExample {
    body: "gzip = false\nbase64_encode = false\npart { content = \"a\" }",
    attribute: "rendered",
    value: "Content-Type: multipart/mixed; boundary=\"MIMEBOUNDARY\"\nMIME-Version: 1.0\r\n\r\n--MIMEBOUNDARY\r\n\
            Content-Transfer-Encoding: 7bit\r\nContent-Type: text/plain\r\nMime-Version: 1.0\r\n\r\na\r\n\
            --MIMEBOUNDARY--\r\n",
}];

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let arguments = computation.arguments;
    if boolean(arguments, "gzip")?.unwrap_or(true) {
        return Err("the bytes that gzip writes depend on its implementation".into());
    }
    let boundary = text(arguments, "boundary")?.unwrap_or_else(|| "MIMEBOUNDARY".to_owned());
    if !is_boundary(&boundary) {
        return Err(format!("the provider refuses the boundary `{boundary}`").into());
    }
    let parts = blocks(arguments, "part")?;
    if parts.is_empty() {
        return Err("there is no `part`".into());
    }
    let mut document =
        format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\nMIME-Version: 1.0\r\n\r\n");
    for (index, block) in parts.iter().enumerate() {
        document.push_str(if index == 0 { "" } else { "\r\n" });
        document.push_str(&part(block, &boundary)?);
    }
    document.push_str(&format!("\r\n--{boundary}--\r\n"));
    let rendered = match boolean(arguments, "base64_encode")?.unwrap_or(true) {
        true => STANDARD.encode(document),
        false => document,
    };
    Ok(vec![("id", checksum(&rendered).into()), ("rendered", Value::from(rendered))])
}

/// A part, with its headers in the order of their names.
fn part(block: &Value, boundary: &str) -> Result<String, NotComputed> {
    let set = |name: &str| Ok::<_, NotComputed>(text(block, name)?.filter(|text| !text.is_empty()));
    let disposition = set("filename")?.map(|name| format!("attachment; filename=\"{name}\""));
    let headers = [
        ("Content-Disposition", disposition),
        ("Content-Transfer-Encoding", Some("7bit".to_owned())),
        ("Content-Type", Some(set("content_type")?.unwrap_or_else(|| "text/plain".to_owned()))),
        ("Mime-Version", Some("1.0".to_owned())),
        ("X-Merge-Type", set("merge_type")?),
    ];
    let mut part = format!("--{boundary}\r\n");
    for (name, value) in headers {
        part.extend(value.map(|value| format!("{name}: {value}\r\n")));
    }
    part.push_str("\r\n");
    part.push_str(&required(block, "content")?);
    Ok(part)
}

/// Whether a text may separate the parts, by RFC 2046.
fn is_boundary(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(&byte);
    (1..=70).contains(&text.len()) && text.bytes().all(is_allowed) && !text.ends_with(' ')
}
