//! `cloudinit_config` and its predecessor `template_cloudinit_config`: a MIME document of several parts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use terrane_value::Value;

use super::arguments::{blocks, boolean, required, text};
use super::json::checksum;
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};
use crate::deflate::gzip;

pub(super) const CLOUDINIT_CONFIG: DataSource = DataSource {
    name: "cloudinit_config",
    is_resource: false,
    provider: "cloudinit",
    since: [2, 1, 0],
    arguments: &["part", "gzip", "base64_encode", "boundary"],
    provider_arguments: &[],
    sensitive: &[],
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
    sensitive: &[],
    attributes: ATTRIBUTES,
    compute,
    examples: EXAMPLES,
};

const ATTRIBUTES: &[(&str, AttributeType)] =
    &[("rendered", AttributeType::Text), ("id", AttributeType::Text)];

const EXAMPLES: &[DataSourceExample] = &[
    DataSourceExample {
        body: "gzip = false\nbase64_encode = false\npart { content = \"a\" }",
        attribute: "rendered",
        value: "Content-Type: multipart/mixed; boundary=\"MIMEBOUNDARY\"\nMIME-Version: 1.0\r\n\r\n--MIMEBOUNDARY\r\n\
                Content-Transfer-Encoding: 7bit\r\nContent-Type: text/plain\r\nMime-Version: 1.0\r\n\r\na\r\n\
                --MIMEBOUNDARY--\r\n",
    },
    DataSourceExample {
        body: "part {\n  content_type = \"text/x-shellscript\"\n  content = \"heythere\"\n}",
        attribute: "rendered",
        value: "H4sIAAAAAAAA/2TNuwrCQBCF4X5h32FJP0YrIWLhJYVFFEQFy1xGM5DMhtkJJG8vWkjQ8sDP+XaeFVnhMnaYuLZvlLpcNG5pwGrl\
                Ct9zlcu4jrJDlm5P1+N+c75H5r3ghhLIc+IWs7k11gBMI2u+35JzeKBAyqWviJ+JWxakk+CDKw4aDxBqbJpQCnVqTUYt/jk1jlqj\
                4K8IYM0rAAD//0u6BO3QAAAA",
    },
];

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let arguments = computation.arguments;
    let boundary = text(arguments, "boundary")?.unwrap_or_else(|| "MIMEBOUNDARY".to_owned());
    if !is_boundary(&boundary) {
        return Err(format!("the provider refuses the boundary `{boundary}`").into());
    }
    let parts = blocks(arguments, "part")?;
    if parts.is_empty() {
        return Err("there is no `part`".into());
    }
    let mut chunks = vec![
        format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\n"),
        "MIME-Version: 1.0\r\n\r\n".to_owned(),
    ];
    for (index, block) in parts.iter().enumerate() {
        let separator = if index == 0 { "" } else { "\r\n" };
        chunks.push(format!("{separator}--{boundary}\r\n{}", headers(block)?));
        chunks.push(required(block, "content")?);
    }
    chunks.push(format!("\r\n--{boundary}--\r\n"));
    let is_encoded = boolean(arguments, "base64_encode")?.unwrap_or(true);
    let rendered = match (boolean(arguments, "gzip")?.unwrap_or(true), is_encoded) {
        (true, true) => {
            // The compressed bytes depend on where the provider ends its writes.
            let chunks: Vec<&[u8]> = chunks.iter().map(String::as_bytes).collect();
            STANDARD.encode(gzip(&chunks, false, |work| computation.spend(work))?)
        }
        (true, false) => return Err("the provider refuses `gzip` without `base64_encode`".into()),
        (false, true) => STANDARD.encode(chunks.concat()),
        (false, false) => chunks.concat(),
    };
    Ok(vec![("id", checksum(&rendered).into()), ("rendered", Value::from(rendered))])
}

/// Returns the headers of a part in the order of their names, and the empty line after them.
fn headers(block: &Value) -> Result<String, NotComputed> {
    let set = |name: &str| Ok::<_, NotComputed>(text(block, name)?.filter(|text| !text.is_empty()));
    let disposition = set("filename")?.map(|name| format!("attachment; filename=\"{name}\""));
    let headers = [
        ("Content-Disposition", disposition),
        ("Content-Transfer-Encoding", Some("7bit".to_owned())),
        ("Content-Type", Some(set("content_type")?.unwrap_or_else(|| "text/plain".to_owned()))),
        ("Mime-Version", Some("1.0".to_owned())),
        ("X-Merge-Type", set("merge_type")?),
    ];
    let mut lines = String::new();
    for (name, value) in headers {
        lines.extend(value.map(|value| format!("{name}: {value}\r\n")));
    }
    lines.push_str("\r\n");
    Ok(lines)
}

/// Whether a text may separate the parts, by RFC 2046.
fn is_boundary(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(&byte);
    (1..=70).contains(&text.len()) && text.bytes().all(is_allowed) && !text.ends_with(' ')
}
