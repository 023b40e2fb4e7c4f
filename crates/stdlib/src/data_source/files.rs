//! Reads files for data sources, where the evaluation may read them.

use terrane_function::Call;
use terrane_source::{FileEntry, FileError, FileErrorKind};

use super::row::{Computation, NotComputed};

/// Returns the bytes of a file.
pub(super) fn read_file(computation: &Computation<'_>, path: &str) -> Result<Vec<u8>, NotComputed> {
    let env = computation.env;
    computation.spend(Call::WORK_OF_FILE)?;
    let most = env.limits.bytes.min(env.limits.text_of_call());
    let content = env.files.read_within(&env.resolve(path), u64::try_from(most).unwrap_or(u64::MAX));
    content.map_err(|error| refusal("file", path, &error))
}

/// Returns the entries of a directory, sorted by name.
pub(super) fn list_directory(
    computation: &Computation<'_>,
    path: &str,
) -> Result<Vec<FileEntry>, NotComputed> {
    computation.spend(Call::WORK_OF_FILE)?;
    let directory = computation.env.resolve(path);
    let entries = computation.env.files.list(&directory);
    let entries = entries.map_err(|error| refusal("directory", path, &error))?;
    computation.spend(entries.len())?;
    Ok(entries)
}

/// Returns the reason why a file or directory is not read, as a clause.
fn refusal(kind: &str, path: &str, error: &FileError) -> NotComputed {
    let reason = match error.kind {
        FileErrorKind::NotFound => format!("there is no {kind} `{path}`"),
        FileErrorKind::Confined => format!("the {kind} `{path}` is outside of the sandbox"),
        FileErrorKind::TooLarge { .. } => format!("the {kind} `{path}` is too large"),
        FileErrorKind::IsDirectory
        | FileErrorKind::NotDirectory
        | FileErrorKind::NotRegular
        | FileErrorKind::PermissionDenied
        | FileErrorKind::Other(_) => format!("the {kind} `{path}` cannot be read"),
    };
    reason.into()
}
