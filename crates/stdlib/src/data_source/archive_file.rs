//! `archive_file`: the size and the hashes of an archive of given texts.
//!
//! The provider writes the archive and reads it again. Here it is made in memory only. Files and directories need `output_file_mode`, since
//! the archive holds their permissions otherwise.

use std::collections::BTreeSet;

use md5::Md5;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use terrane_value::Value;

use super::archive::{Member, tar_gz, zip};
use super::arguments::{argument, blocks, required, text};
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};
use super::source_files;
use crate::crypto::{base64, hex};

/// The row of the provider versions that know only `zip`.
pub(super) const ZIP_FILE: DataSource = DataSource {
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
        "excludes",
        "exclude_symlink_directories",
        "output_path",
        "output_file_mode",
    ],
    provider_arguments: &[],
    sensitive: &[],
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
    compute: compute_zip,
    examples: &[DataSourceExample {
        body: "type = \"zip\"\noutput_path = \"content.zip\"\nsource_content_filename = \"content.txt\"\n\
               source_content = \"This is some content\"",
        attribute: "output_base64sha256",
        value: "P7VckxoEiUO411WN3nwuS/yOBL4zsbVWkQU9E1I5H6c=",
    }],
};

/// The row of the provider versions that know `tar.gz` too.
pub(super) const ARCHIVE_FILE: DataSource = DataSource {
    since: [2, 6, 0],
    compute,
    examples: &[
        DataSourceExample {
            body: "type = \"zip\"\noutput_path = \"content.zip\"\nsource_content_filename = \"content.txt\"\n\
                   source_content = \"This is some content\"",
            attribute: "output_base64sha256",
            value: "P7VckxoEiUO411WN3nwuS/yOBL4zsbVWkQU9E1I5H6c=",
        },
        DataSourceExample {
            body: "type = \"tar.gz\"\noutput_path = \"content.tar.gz\"\nsource_content_filename = \"content.txt\"\n\
                   source_content = \"This is some content\"",
            attribute: "output_base64sha256",
            value: "rhjsJ69XbdYvKc7Hrg3xMOdIfBo83e/eyfJ9XtOkypU=",
        },
    ],
    ..ZIP_FILE
};

fn compute_zip(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    match required(computation.arguments, "type")?.as_str() {
        "zip" => compute(computation),
        _ => Err("the version of the provider knows the type `zip` only".into()),
    }
}

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let arguments = computation.arguments;
    let format = required(arguments, "type")?;
    let named = ["source_file", "source_dir"].iter().find(|name| argument(arguments, name).is_some());
    let (members, mode_of_files) = match named {
        None => (members(arguments)?, None),
        Some(name) => {
            let mode = mode(arguments)?.ok_or_else(|| {
                format!(
                    "the permissions of files in `{name}` are part of the archive, unless `output_file_mode` sets them"
                )
            })?;
            (source_files::members(computation)?, Some(mode))
        }
    };
    let spend = |work| computation.spend(work);
    let archive = match &*format {
        "zip" => zip(&members, mode_of_files, spend)?,
        "tar.gz" => tar_gz(&members, mode(arguments)?.unwrap_or_default(), named.is_some(), spend)?,
        _ => return Err("the provider knows the types `zip` and `tar.gz`".into()),
    };
    let size = i64::try_from(archive.len()).map_err(|_| "the archive is too large")?;
    Ok(vec![
        ("output_size", size.into()),
        ("output_md5", hex::<Md5>(&archive)),
        ("output_sha", hex::<Sha1>(&archive)),
        ("output_sha256", hex::<Sha256>(&archive)),
        ("output_sha512", hex::<Sha512>(&archive)),
        ("output_base64sha256", base64::<Sha256>(&archive)),
        ("output_base64sha512", base64::<Sha512>(&archive)),
        ("id", hex::<Sha1>(&archive)),
    ])
}

/// Returns the names and contents of the members, in their order in the archive.
fn members(arguments: &Value) -> Result<Vec<Member>, NotComputed> {
    if argument(arguments, "excludes").is_some() {
        return Err("the provider refuses `excludes` without `source_dir`".into());
    }
    let sources = blocks(arguments, "source")?;
    let name = text(arguments, "source_content_filename")?;
    let content = text(arguments, "source_content")?;
    let mut members = match (name, content) {
        (Some(name), Some(content)) if sources.is_empty() => {
            vec![Member { name, content: content.into_bytes() }]
        }
        (None, None) => sources
            .iter()
            .map(|source| {
                let content = required(source, "content")?.into_bytes();
                Ok(Member { name: required(source, "filename")?, content })
            })
            .collect::<Result<Vec<_>, NotComputed>>()?,
        _ => return Err("the provider refuses this combination of sources".into()),
    };
    if members.is_empty() {
        return Err("the archive has no source".into());
    }
    members.sort_unstable();
    members.dedup();
    if members.iter().map(|member| &member.name).collect::<BTreeSet<_>>().len() < members.len() {
        return Err("two sources have the same name".into());
    }
    if members.iter().any(|member| member.name.ends_with('/')) {
        return Err("the name of a source is that of a directory".into());
    }
    Ok(members)
}

/// Returns the permissions of the members, which the argument has as an octal number after a zero; `None` if it is not set.
fn mode(arguments: &Value) -> Result<Option<u32>, NotComputed> {
    let Some(mode) = text(arguments, "output_file_mode")?.filter(|mode| !mode.is_empty()) else {
        return Ok(None);
    };
    let digits = mode.strip_prefix("0o").or_else(|| mode.strip_prefix('0'));
    // A sign may stand only before the zero.
    let digits = digits.filter(|digits| !digits.starts_with('+'));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 8).ok());
    // Higher bits tell the kind of a file and are not permissions.
    let number = number.filter(|number| *number < 1 << 19);
    number.map(Some).ok_or_else(|| "`output_file_mode` is no octal number that starts with 0".into())
}
