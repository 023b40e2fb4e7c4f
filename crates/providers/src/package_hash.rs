//! Computes the hash `h1` of a package, which `init` writes into the lock file.
//!
//! It is the SHA-256 of a list with one line for each file of the package: the SHA-256 of the file, two spaces, and its path in
//! the package. The lines are sorted by path.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};
use terrane::source::FileKind;
use terrane::{Files as _, OsFiles};

use crate::failure::Failure;

/// The most files of a package. Packages of providers have a few.
const MAX_FILES: usize = 100_000;

/// The deepest directory in a package.
const MAX_DEPTH: usize = 64;

/// Returns the hash of the package in a directory, with `h1:` in front.
///
/// # Errors
///
/// If a file cannot be read, or the directory contains anything but files and directories.
pub fn package_hash(directory: &Path) -> Result<String, Failure> {
    let mut files = Vec::new();
    collect(directory, "", &mut files)?;
    files.sort_unstable();
    let mut list = String::new();
    for name in &files {
        let path = directory.join(name);
        let hash = file_hash(&path)
            .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
        for byte in hash {
            let _ = write!(list, "{byte:02x}");
        }
        let _ = writeln!(list, "  {name}");
    }
    Ok(format!("h1:{}", BASE64_STANDARD.encode(Sha256::digest(&list))))
}

/// Adds the paths of the files in a directory of the package.
fn collect(package: &Path, inside: &str, files: &mut Vec<String>) -> Result<(), Failure> {
    let directory = package.join(inside);
    let too_many = || Failure::new(format!("{} has too many files for a package", package.display()));
    if inside.matches('/').count() > MAX_DEPTH {
        return Err(too_many());
    }
    for entry in OsFiles.list(&directory).map_err(|error| Failure::new(error.to_string()))? {
        let name = format!("{inside}{}", entry.name);
        match entry.kind {
            // A link to a directory does not belong to the package, because it has no content to hash.
            FileKind::Directory if !entry.is_link => collect(package, &format!("{name}/"), files)?,
            FileKind::File if !name.contains('\n') => files.push(name),
            FileKind::Directory | FileKind::File | FileKind::Other => {
                let path = package.join(&name);
                return Err(Failure::new(format!("{} is no plain file of a package", path.display())));
            }
        }
        if files.len() > MAX_FILES {
            return Err(too_many());
        }
    }
    Ok(())
}

/// Returns the SHA-256 of a file, which may be larger than the memory.
#[expect(clippy::disallowed_methods, reason = "an executable of half a gigabyte is read piece by piece")]
fn file_hash(path: &Path) -> io::Result<[u8; 32]> {
    let mut file = std::fs::File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match io::Read::read(&mut file, &mut buffer) {
            Ok(0) => return Ok(hash.finalize().into()),
            Ok(read) => hash.update(buffer.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make packages of their own")]
mod tests {
    use std::fs;

    use super::*;

    /// The expected hash comes from `sha256sum` of the sorted output of `sha256sum`.
    #[test]
    fn the_hash_is_that_of_the_sorted_list_of_files() {
        let package = tempfile::tempdir().unwrap();
        let directory = package.path();
        fs::create_dir(directory.join("d")).unwrap();
        for (name, content) in
            [("terraform-provider-x_v1", "a"), ("LICENSE", "b\n"), ("d/e.txt", "c"), ("d/é", "")]
        {
            fs::write(directory.join(name), content).unwrap();
        }
        let hash = package_hash(directory).unwrap();
        assert_eq!(hash, "h1:OczDBu+mCmBnPiuuObzyt4sMV8hCZgL9Z+AYQAvcgRI=");
        fs::write(directory.join("a\nb"), "").unwrap();
        assert!(package_hash(directory).unwrap_err().text.ends_with("is no plain file of a package"));
    }
}
