//! `archive_file`: the size and the hashes of a zip archive of given texts.
//!
//! The provider writes the archive and reads it again. Here it is made in memory only. Files and directories stay out, since the archive
//! holds their permissions.

use std::collections::BTreeSet;

use md5::Md5;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use terrane_value::Value;

use super::arguments::{argument, blocks, required, text};
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};
use crate::crypto::{base64, hex};
use crate::deflate::{Level, deflate};

pub(super) const ARCHIVE_FILE: DataSource = DataSource {
    name: "archive_file",
    is_resource: false,
    provider: "archive",
    since: [2, 4, 0],
    arguments: &[
        "type",
        "source",
        "source_content",
        "source_content_filename",
        "source_file",
        "source_dir",
        "output_path",
        "output_file_mode",
    ],
    provider_arguments: &[],
    attributes: &[
        ("output_size", AttributeType::Number),
        ("output_md5", AttributeType::Text),
        ("output_sha", AttributeType::Text),
        ("output_sha256", AttributeType::Text),
        ("output_sha512", AttributeType::Text),
        ("output_base64sha256", AttributeType::Text),
        ("output_base64sha512", AttributeType::Text),
        ("id", AttributeType::Text),
    ],
    compute,
    examples: &[DataSourceExample {
        body: "type = \"zip\"\noutput_path = \"content.zip\"\nsource_content_filename = \"content.txt\"\n\
               source_content = \"This is some content\"",
        attribute: "output_base64sha256",
        value: "P7VckxoEiUO411WN3nwuS/yOBL4zsbVWkQU9E1I5H6c=",
    }],
};

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let arguments = computation.arguments;
    if required(arguments, "type")? != "zip" {
        return Err("only archives of the type `zip` are certain".into());
    }
    for name in ["source_file", "source_dir"] {
        if argument(arguments, name).is_some() {
            return Err(format!("the permissions in `{name}` are part of the archive").into());
        }
    }
    let archive = zip(computation, &members(arguments)?)?;
    Ok(vec![
        ("output_size", i64::from(long(archive.len())?).into()),
        ("output_md5", hex::<Md5>(&archive)),
        ("output_sha", hex::<Sha1>(&archive)),
        ("output_sha256", hex::<Sha256>(&archive)),
        ("output_sha512", hex::<Sha512>(&archive)),
        ("output_base64sha256", base64::<Sha256>(&archive)),
        ("output_base64sha512", base64::<Sha512>(&archive)),
        ("id", hex::<Sha1>(&archive)),
    ])
}

/// The names and contents of the members, in their order in the archive.
fn members(arguments: &Value) -> Result<Vec<(String, String)>, NotComputed> {
    let sources = blocks(arguments, "source")?;
    let name = text(arguments, "source_content_filename")?;
    let content = text(arguments, "source_content")?;
    let mut members = match (name, content) {
        (Some(name), Some(content)) if sources.is_empty() => vec![(name, content)],
        (None, None) => sources
            .iter()
            .map(|source| Ok((required(source, "filename")?, required(source, "content")?)))
            .collect::<Result<Vec<_>, NotComputed>>()?,
        _ => return Err("the provider refuses this combination of sources".into()),
    };
    if members.is_empty() {
        return Err("the archive has no source".into());
    }
    members.sort();
    members.dedup();
    if members.iter().map(|(name, _)| name).collect::<BTreeSet<_>>().len() < members.len() {
        return Err("two sources have the same name".into());
    }
    if members.iter().any(|(name, _)| name.ends_with('/')) {
        return Err("the name of a source is that of a directory".into());
    }
    Ok(members)
}

/// Version 2.0 of the format.
const VERSION: u16 = 20;
/// The checksum and the sizes follow the content.
const DESCRIPTOR_FOLLOWS: u16 = 1 << 3;
const NAME_IS_UTF8: u16 = 1 << 11;
const DEFLATED: u16 = 8;

/// A zip archive as the provider's library writes it: without times and permissions, each member with its sizes behind it.
fn zip(computation: &Computation<'_>, members: &[(String, String)]) -> Result<Vec<u8>, NotComputed> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in members {
        let compressed = deflate(&[content.as_bytes()], Level::ZIP, false, |work| computation.spend(work))?;
        let mut checksum = flate2::Crc::new();
        checksum.update(content.as_bytes());
        let sizes = [checksum.sum(), long(compressed.len())?, long(content.len())?];
        let start = long(archive.len())?;
        let flags = DESCRIPTOR_FOLLOWS | if needs_utf8(name) { NAME_IS_UTF8 } else { 0 };
        let name_length = u16::try_from(name.len()).map_err(|_| "the name of a source is too long")?;

        archive.extend(b"PK\x03\x04");
        archive.extend([VERSION, flags, DEFLATED, 0, 0].map(u16::to_le_bytes).as_flattened());
        archive.extend([0; 12]);
        archive.extend([name_length, 0].map(u16::to_le_bytes).as_flattened());
        archive.extend(name.as_bytes());
        archive.extend(compressed);
        archive.extend(b"PK\x07\x08");
        archive.extend(sizes.map(u32::to_le_bytes).as_flattened());

        directory.extend(b"PK\x01\x02");
        directory.extend([VERSION, VERSION, flags, DEFLATED, 0, 0].map(u16::to_le_bytes).as_flattened());
        directory.extend(sizes.map(u32::to_le_bytes).as_flattened());
        directory.extend([name_length, 0, 0, 0, 0].map(u16::to_le_bytes).as_flattened());
        directory.extend([0, start].map(u32::to_le_bytes).as_flattened());
        directory.extend(name.as_bytes());
    }
    let count = u16::try_from(members.len()).map_err(|_| "the archive has too many members")?;
    let (size, start) = (long(directory.len())?, long(archive.len())?);
    archive.append(&mut directory);
    archive.extend(b"PK\x05\x06");
    archive.extend([0, 0, count, count].map(u16::to_le_bytes).as_flattened());
    archive.extend([size, start].map(u32::to_le_bytes).as_flattened());
    archive.extend([0; 2]);
    Ok(archive)
}

/// A size of the short form of the format.
fn long(size: usize) -> Result<u32, NotComputed> {
    u32::try_from(size).map_err(|_| "the archive is too large".into())
}

/// Whether a name has characters that differ between the encodings of readers: all but the printable ones of ASCII without `\` and `~`.
fn needs_utf8(name: &str) -> bool {
    name.bytes().any(|byte| !(b' '..=b'}').contains(&byte) || byte == b'\\')
}
