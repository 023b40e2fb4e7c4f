//! The real file system.
//!
//! The only folder of the engine that calls the operating system. [`OsFiles`] limits the size of files and replaces files
//! atomically; [`ConfinedFiles`] restricts reading to a directory, beneath which `beneath` opens paths without a race. `write`
//! replaces files.

#[cfg(unix)]
mod beneath;
#[cfg(unix)]
mod confined;
mod write;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

#[cfg(unix)]
pub use self::confined::ConfinedFiles;
use super::{FileEntry, FileError, FileErrorKind, FileKind, Files};

/// Limit on the size of a file, so that a huge file does not exhaust the memory.
const MAX_BYTES: u64 = 512 << 20;

/// Limit for files whose size is reported as zero, such as the files in `/proc`. The kernel produces their content on reading,
/// in some cases without an end.
const MAX_BYTES_WITHOUT_SIZE: u64 = 16 << 20;

/// Additional bytes to read beyond the limit. Some kernel files can only be read in whole words, so a read may not end at an
/// odd byte.
const PAGE: u64 = 4096;

/// The real file system.
#[derive(Clone, Copy, Default, Debug)]
pub struct OsFiles;

impl OsFiles {
    /// Creates a directory, and its missing parent directories.
    ///
    /// # Errors
    ///
    /// If a directory cannot be created.
    pub fn create_directories(&self, path: &Path) -> Result<(), FileError> {
        fs::create_dir_all(path).map_err(|error| failure(path, &error))
    }

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// If the file does not exist or cannot be removed.
    pub fn remove_file(&self, path: &Path) -> Result<(), FileError> {
        fs::remove_file(path).map_err(|error| failure(path, &error))
    }
}

impl Files for OsFiles {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        self.read_within(path, MAX_BYTES)
    }

    fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        if path == Path::new("/dev/null") {
            return Ok(Vec::new());
        }
        // Opening a device can have effects, so only regular files are opened.
        let metadata = fs::metadata(path).map_err(|error| failure(path, &error))?;
        if !metadata.is_file() {
            let kind = if metadata.is_dir() { FileErrorKind::IsDirectory } else { FileErrorKind::NotRegular };
            return Err(FileError { path: path.to_owned(), kind });
        }
        let file = open(path).map_err(|error| failure(path, &error))?;
        read_sized(file, metadata.len(), path, most)
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| failure(path, &error))? {
            let entry = entry.map_err(|error| failure(path, &error))?;
            let file_type = entry.file_type();
            let kind = match &file_type {
                Ok(file_type) if file_type.is_file() => FileKind::File,
                Ok(file_type) if file_type.is_dir() => FileKind::Directory,
                Ok(_) | Err(_) => self.metadata(&entry.path()).unwrap_or(FileKind::Other),
            };
            let is_link = file_type.is_ok_and(|file_type| file_type.is_symlink());
            entries.push(FileEntry { name: entry.file_name().to_string_lossy().into_owned(), kind, is_link });
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
        let metadata = fs::metadata(path).map_err(|error| failure(path, &error))?;
        Ok(if metadata.is_file() {
            FileKind::File
        } else if metadata.is_dir() {
            FileKind::Directory
        } else {
            FileKind::Other
        })
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        match canonical_of_kernel(path) {
            Some(canonical) => Ok(canonical),
            None => fs::canonicalize(path).map_err(|error| failure(path, &error)),
        }
    }

    fn working_directory(&self) -> PathBuf {
        std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
    }

    fn write_atomic(&self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        write::write(path, content).map_err(|error| failure(path, &error))
    }

    fn replace(&self, path: &Path, old: &[u8], content: &[u8]) -> Result<bool, FileError> {
        write::replace(path, old, content).map_err(|error| failure(path, &error))
    }
}

/// Opens a file to read it. A read does not block if no data is available, as in the kernel log.
#[cfg(target_os = "linux")]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

#[cfg(not(target_os = "linux"))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Asks the kernel for the path without links: it resolves the path once, and the library looks at each beginning of the path
/// from the root on, which takes a time that grows with the square of the depth. `None` if the kernel does not know the path.
#[cfg(target_os = "linux")]
fn canonical_of_kernel(path: &Path) -> Option<PathBuf> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{CWD, Mode, OFlags, fstat, openat, stat};

    let opened = openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let canonical = fs::read_link(format!("/proc/self/fd/{}", opened.as_raw_fd())).ok()?;
    // A removed file, or one outside of the root of the process, has a text here that is not its path.
    let (named, opened) = (stat(&canonical).ok()?, fstat(&opened).ok()?);
    let is_it = canonical.is_absolute() && (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino);
    is_it.then_some(canonical)
}

#[cfg(not(target_os = "linux"))]
fn canonical_of_kernel(_path: &Path) -> Option<PathBuf> {
    None
}

/// Returns the content of an open file. `path` is for errors.
#[cfg(unix)]
fn read_opened(file: File, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let metadata = file.metadata().map_err(|error| failure(path, &error))?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { FileErrorKind::IsDirectory } else { FileErrorKind::NotRegular };
        return Err(FileError { path: path.to_owned(), kind });
    }
    read_sized(file, metadata.len(), path, most)
}

/// Returns the content of an open regular file of `size` bytes, if it has at most `most` bytes.
fn read_sized(file: File, size: u64, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let most = most.min(if size == 0 { MAX_BYTES_WITHOUT_SIZE } else { MAX_BYTES });
    if size > most {
        return Err(FileError::too_large(path, Some(size), most));
    }
    // With room for one more byte, the end of a file that has not grown is found without asking for its size again.
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or(0).saturating_add(1));
    let length = file.take(most + PAGE).read_to_end(&mut content).map_err(|error| failure(path, &error))?;
    if length as u64 > most { Err(FileError::too_large(path, None, most)) } else { Ok(content) }
}

fn failure(path: &Path, error: &io::Error) -> FileError {
    let kind = if error.kind() == io::ErrorKind::NotFound {
        FileErrorKind::NotFound
    } else if error.kind() == io::ErrorKind::IsADirectory {
        FileErrorKind::IsDirectory
    } else if error.kind() == io::ErrorKind::NotADirectory {
        FileErrorKind::NotDirectory
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        FileErrorKind::PermissionDenied
    } else {
        FileErrorKind::Other(error.to_string())
    };
    FileError { path: path.to_owned(), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_reads_back_and_keeps_its_link() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.tf");
        let link = directory.path().join("link.tf");
        OsFiles.write_atomic(&file, b"one").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&file, &link).unwrap();
            OsFiles.write_atomic(&link, b"two").unwrap();
            let entries = OsFiles.list(directory.path()).unwrap();
            assert_eq!(entries.iter().map(|entry| entry.is_link).collect::<Vec<_>>(), [false, true]);
            assert_eq!(OsFiles.read(&file).unwrap(), b"two");
        }
        assert_eq!(OsFiles.read(directory.path()).unwrap_err().kind, FileErrorKind::IsDirectory);
        assert_eq!(OsFiles.read(&directory.path().join("no")).unwrap_err().kind, FileErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn endless_files_are_not_read() {
        assert!(!OsFiles.read(Path::new("/proc/self/status")).unwrap().is_empty());
        let error = OsFiles.read(Path::new("/proc/self/pagemap")).unwrap_err();
        assert_eq!(error.kind, FileErrorKind::TooLarge { size: None, most: 16 << 20 });
    }
}
