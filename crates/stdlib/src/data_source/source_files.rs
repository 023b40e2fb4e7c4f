//! The files that `archive_file` packs: one file, or the files below a directory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use terrane_function::Call;
use terrane_source::FileKind;
use terrane_value::Value;

use super::archive::Member;
use super::arguments::{argument, blocks, boolean, required, text, texts};
use super::files::{list_directory, read_file};
use super::row::{Computation, NotComputed};
use crate::filesystem::path::{base, child, clean, join};

/// Special characters of patterns, which the versions of the provider read differently.
const PATTERN: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Returns the members of an archive of `source_file` or `source_dir`, in their order in the archive.
pub(super) fn members(computation: &Computation<'_>) -> Result<Vec<Member>, NotComputed> {
    let arguments = computation.arguments;
    let has_texts = argument(arguments, "source_content").is_some()
        || argument(arguments, "source_content_filename").is_some()
        || !blocks(arguments, "source")?.is_empty();
    match (text(arguments, "source_file")?, text(arguments, "source_dir")?) {
        (Some(path), None) if !has_texts && argument(arguments, "excludes").is_none() => {
            let content = read_file(computation, &path)?;
            Ok(vec![Member { name: base(&path).to_owned(), content }])
        }
        (None, Some(path)) if !has_texts => below(computation, &path),
        _ => Err("the provider refuses this combination of sources".into()),
    }
}

/// Returns the files below a directory, with the files of each directory sorted by name. Links to directories are refused,
/// since versions of the provider differ.
fn below(computation: &Computation<'_>, directory: &str) -> Result<Vec<Member>, NotComputed> {
    let excluded = excluded(computation.arguments)?;
    boolean(computation.arguments, "exclude_symlink_directories")?;
    without_output(computation, directory, &excluded)?;
    let most = computation.env.limits.text_of_call();
    let mut bytes = 0_usize;
    let mut members = Vec::new();
    // The directories and files that are still to visit, with the next one at the end. The directory itself has the name `.` in
    // `excludes`.
    let mut open = vec![Visit { name: ".".into(), kind: FileKind::Directory, is_link: false }];
    while let Some(Visit { name, kind, is_link }) = open.pop() {
        if excluded.contains(&name) {
            continue;
        }
        let path = join(directory, &name);
        match kind {
            FileKind::Directory if is_link => {
                return Err(format!("`{path}` is a symbolic link to a directory").into());
            }
            FileKind::Directory => {
                let entries = list_directory(computation, &path)?;
                open.extend(entries.into_iter().rev().map(|entry| Visit {
                    name: child(&name, &entry.name),
                    kind: entry.kind,
                    is_link: entry.is_link,
                }));
            }
            FileKind::File => {
                let content = read_file(computation, &path)?;
                computation.spend(content.len() / Call::FILE_BYTES_OF_WORK)?;
                bytes = bytes.saturating_add(content.len());
                if bytes > most {
                    return Err(format!("the files in `{directory}` are too large").into());
                }
                members.push(Member { name, content });
            }
            FileKind::Other => return Err(format!("`{path}` is no regular file").into()),
        }
    }
    match members.is_empty() {
        true => Err(format!("there are no files in `{directory}`").into()),
        false => Ok(members),
    }
}

/// A file or directory below `source_dir`.
struct Visit {
    name: String,
    kind: FileKind,
    is_link: bool,
}

/// Returns the names in `excludes`.
fn excluded(arguments: &Value) -> Result<BTreeSet<String>, NotComputed> {
    let excluded = texts(arguments, "excludes")?;
    match excluded.iter().find(|name| name.contains(PATTERN)) {
        Some(pattern) => {
            Err(format!("versions of the provider read the pattern `{pattern}` in `excludes` differently")
                .into())
        }
        None => Ok(excluded.into_iter().filter(|name| !name.is_empty()).collect()),
    }
}

/// Refuses an archive in its own source directory: the provider packs the half-written archive then.
fn without_output(
    computation: &Computation<'_>,
    directory: &str,
    excluded: &BTreeSet<String>,
) -> Result<(), NotComputed> {
    let env = computation.env;
    let full = |path: &str| env.files.working_directory().join(env.resolve(path));
    let (output, directory) = (full(&required(computation.arguments, "output_path")?), full(directory));
    // The paths are compared both as they are written and with their links followed.
    let written = |path: &Path| PathBuf::from(clean(&path.to_string_lossy()));
    let pairs = [
        (written(&output), written(&directory)),
        (canonical(computation, &output)?, canonical(computation, &directory)?),
    ];
    let is_excluded = |name: &Path| name.to_str().is_some_and(|name| excluded.contains(name));
    let is_packed = |(output, directory): &(PathBuf, PathBuf)| {
        output.strip_prefix(directory).is_ok_and(|below| !below.ancestors().any(is_excluded))
    };
    match pairs.iter().any(is_packed) {
        true => Err("`output_path` is in `source_dir`".into()),
        false => Ok(()),
    }
}

/// Returns the path with its links followed, as far as the path exists.
fn canonical(computation: &Computation<'_>, path: &Path) -> Result<PathBuf, NotComputed> {
    for beginning in path.ancestors() {
        computation.spend(Call::WORK_OF_FILE)?;
        let found = computation.env.files.canonicalize(beginning);
        if let (Ok(found), Ok(rest)) = (found, path.strip_prefix(beginning)) {
            return Ok(found.join(rest));
        }
    }
    Ok(path.to_owned())
}
