//! Writes files in one step, with the owner, the mode and the extended attributes of the previous file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

/// Extended attributes that sign the content of a file, so that they would be wrong for another content.
#[cfg(unix)]
const SIGNATURES: [&str; 2] = ["security.ima", "security.evm"];

/// Creates or replaces the file at `path`.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    // A symbolic link stays a link; the file that it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    prepare(&target, content)?.persist(&target)?;
    Ok(())
}

/// Replaces the file at `path`, if its content is `old`. Returns whether it was.
pub(super) fn replace(path: &Path, old: &[u8], content: &[u8]) -> io::Result<bool> {
    let target = fs::canonicalize(path)?;
    swap(prepare(&target, content)?, &target, old)
}

/// Returns a temporary file beside `target` with the new content and the attributes of the old file.
fn prepare(target: &Path, content: &[u8]) -> io::Result<NamedTempFile> {
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
    let old = match fs::metadata(target) {
        // Replacing a file needs no right to write to it, but a read-only file is meant to stay.
        Ok(metadata) if metadata.is_file() => Some(OpenOptions::new().write(true).open(target)?),
        Ok(_) | Err(_) => None,
    };
    let mut file = NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    if let Some(old) = old {
        keep_attributes(file.as_file(), &old)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Replaces the old file by the new one, if the old file still has the content `old`. Returns whether it had.
fn swap(new: NamedTempFile, target: &Path, old: &[u8]) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        // No other program can change or delete the old file between the check and the replacement: both files are exchanged in
        // one step, which fails if there is no old file, and exchanged back if the old file has another content.
        let exchange = || renameat_with(CWD, new.path(), CWD, target, RenameFlags::EXCHANGE);
        match exchange() {
            // The old file now has the name of the temporary file, and is deleted with it.
            Ok(()) if has_content(new.path(), old) => return Ok(true),
            Ok(()) => {
                exchange()?;
                return Ok(false);
            }
            // The file system or the kernel cannot exchange files.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if !has_content(target, old) {
        return Ok(false);
    }
    new.persist(target)?;
    Ok(true)
}

fn has_content(path: &Path, content: &[u8]) -> bool {
    let has_its_size = |metadata: fs::Metadata| metadata.is_file() && metadata.len() == content.len() as u64;
    fs::metadata(path).is_ok_and(has_its_size) && fs::read(path).is_ok_and(|found| found == content)
}

/// Gives a new file the owner, the mode and the extended attributes of the old one.
fn keep_attributes(new: &File, old: &File) -> io::Result<()> {
    let metadata = old.metadata()?;
    // Before the mode, because a change of the owner removes some bits of the mode.
    #[cfg(unix)]
    keep_owner(new, &metadata)?;
    new.set_permissions(metadata.permissions())?;
    #[cfg(unix)]
    keep_extended_attributes(new, old)?;
    Ok(())
}

/// Sets the owner of a new file to the owner of the old one.
#[cfg(unix)]
fn keep_owner(new: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let metadata = new.metadata()?;
    if (metadata.uid(), metadata.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    // Only root may give files away. A file changed by another user becomes theirs, as with editors.
    unless_refused(fchown(new, Some(old.uid()), Some(old.gid())))
}

/// Copies the extended attributes. These include access control lists and labels of security modules.
#[cfg(unix)]
fn keep_extended_attributes(new: &File, old: &File) -> io::Result<()> {
    use xattr::FileExt as _;

    let names = match old.list_xattr() {
        Ok(names) => names,
        // The file system has no extended attributes.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in names.filter(|name| !SIGNATURES.iter().any(|signature| name == signature)) {
        let Some(value) = old.get_xattr(&name)? else { continue };
        // Not every user may set a label that the system has also given to the new file.
        if new.get_xattr(&name)?.as_ref() != Some(&value) {
            unless_refused(new.set_xattr(&name, &value))?;
        }
    }
    Ok(())
}

/// Returns the result, but success if the user lacks the permission.
#[cfg(unix)]
fn unless_refused(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::files::{FileErrorKind, Files as _, OsFiles};

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_mode_and_a_read_only_one_its_content() {
        use std::os::unix::fs::PermissionsExt as _;

        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.tf");
        OsFiles.write_atomic(&file, b"one").unwrap();
        let set_mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        set_mode(0o640);
        OsFiles.write_atomic(&file, b"two").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        set_mode(0o440);
        // Root may write to any file.
        let is_allowed = OpenOptions::new().write(true).open(&file).is_ok();
        assert_eq!(OsFiles.write_atomic(&file, b"three").is_ok(), is_allowed);
        assert_eq!(OsFiles.read(&file).unwrap(), if is_allowed { &b"three"[..] } else { b"two" });
    }

    /// Returns the names in a directory.
    fn names(directory: &Path) -> Vec<String> {
        OsFiles.list(directory).unwrap().into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn only_the_file_that_was_read_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.tf");
        OsFiles.write_atomic(&file, b"one").unwrap();
        for is_replaced in [true, false] {
            assert_eq!(OsFiles.replace(&file, b"one", b"two"), Ok(is_replaced));
            assert_eq!(OsFiles.read(&file).unwrap(), b"two");
        }
        assert_eq!(names(directory.path()), ["a.tf"]);
        fs::remove_file(&file).unwrap();
        let error = OsFiles.replace(&file, b"two", b"three").unwrap_err();
        assert_eq!(error.kind, FileErrorKind::NotFound);
        assert!(names(directory.path()).is_empty());
    }

    #[test]
    fn a_file_deleted_while_the_new_one_is_written_stays_deleted() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("a.tf");
        OsFiles.write_atomic(&target, b"one").unwrap();
        let prepared = prepare(&target, b"two").unwrap();
        fs::remove_file(&target).unwrap();
        assert!(!swap(prepared, &target, b"one").unwrap_or(false));
        assert!(names(directory.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn extended_attributes_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.tf");
        OsFiles.write_atomic(&file, b"one").unwrap();
        if let Err(error) = xattr::set(&file, "user.terrane", b"kept") {
            // Unlike the macros, this is printed by a test that passes.
            writeln!(io::stderr(), "skipped: no extended attributes in the directory of tests: {error}")
                .unwrap();
            return;
        }
        assert!(OsFiles.replace(&file, b"one", b"two").unwrap());
        OsFiles.write_atomic(&file, b"three").unwrap();
        assert_eq!(xattr::get(&file, "user.terrane").unwrap().as_deref(), Some(&b"kept"[..]));
    }
}
