//! Decides whether git may run on a repository whose files are not trusted.
//!
//! Git follows links, references to other repositories and included configuration, and no option confines it. So with a
//! sandbox, a repository inside of it must contain none of these.

use std::path::{Path, PathBuf};

use terrane::Files;
use terrane::source::FileKind;

/// Files of a git directory that refer to other places.
const OTHER_PLACES: [&str; 4] = ["alternates", "http-alternates", "commondir", "gitdir"];

/// Words in the configuration of git that refer to other places.
const SETTINGS_OF_PLACES: [&str; 2] = ["include", "worktree"];

/// Checks the repository around `directory`, if it is inside of `sandbox`; both paths are without symbolic links. A repository
/// around the sandbox belongs to the user and is not checked. `files` reads nothing outside of the sandbox.
pub(crate) fn check(directory: &Path, sandbox: &Path, files: &dyn Files) -> Result<(), String> {
    if !directory.starts_with(sandbox) {
        return Err(format!("{} is outside of the directory that may be read", directory.display()));
    }
    let inside = directory.ancestors().take_while(|outer| outer.starts_with(sandbox));
    for outer in inside {
        let entries = files.list(outer).map_err(|error| error.to_string())?;
        let Some(found) = entries.into_iter().find(|entry| entry.name == ".git") else { continue };
        if found.is_link || found.kind != FileKind::Directory {
            return Err(refused(&outer.join(".git"), "is not a directory"));
        }
        return check_content(outer.join(".git"), files);
    }
    Ok(())
}

/// Checks all files of a git directory.
fn check_content(git: PathBuf, files: &dyn Files) -> Result<(), String> {
    let mut left = vec![git];
    while let Some(directory) = left.pop() {
        for entry in files.list(&directory).map_err(|error| error.to_string())? {
            let path = directory.join(&entry.name);
            if entry.is_link || entry.kind == FileKind::Other {
                return Err(refused(&path, "is a link"));
            }
            if OTHER_PLACES.contains(&entry.name.as_str()) {
                return Err(refused(&path, "names another repository"));
            }
            if entry.kind == FileKind::Directory {
                left.push(path);
            } else if entry.name.starts_with("config") {
                let text = files.read(&path).map_err(|error| error.to_string())?;
                let text = String::from_utf8_lossy(&text).to_lowercase();
                if SETTINGS_OF_PLACES.iter().any(|setting| text.contains(setting)) {
                    return Err(refused(&path, "names other places"));
                }
            }
        }
    }
    Ok(())
}

fn refused(path: &Path, reason: &str) -> String {
    format!(
        "git would read outside of the sandbox: {} {reason}. Leave out --sandbox where the repository is trusted",
        path.display()
    )
}
