//! Opens paths beneath a directory without a race.
//!
//! The kernel resolves a path from the descriptor of the root and refuses to leave it (`openat2` of Linux). If the kernel
//! cannot do that, or refuses a link because its target is an absolute path, a walk opens one component after the other, each
//! relative to the descriptor of the previous one and never through a link. In both cases nobody can exchange a link between a
//! check and the opening, because nothing is checked by its name.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{AtFlags, Mode, OFlags, Stat, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use crate::paths::tidy;

/// The number of links that Linux follows in one path.
const MAX_LINKS: usize = 40;

/// The flags of a descriptor at which further paths start, or that is only asked for metadata.
#[cfg(target_os = "linux")]
const HANDLE: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const HANDLE: OFlags = OFlags::RDONLY;

/// Why a path was not opened.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refusal {
    /// The path leads out of the root.
    Outside,
    /// The operating system's error.
    Failed(Errno),
}

impl From<Errno> for Refusal {
    fn from(error: Errno) -> Refusal {
        Refusal::Failed(error)
    }
}

/// An open directory, and the paths that lead to it.
#[derive(Debug)]
pub(super) struct Root {
    directory: OwnedFd,
    /// Whether the kernel resolves paths. True until the kernel reports that it cannot.
    pub(super) asks_kernel: AtomicBool,
    /// The path of the root without links.
    canonical: PathBuf,
    /// Absolute paths that lead into the root, each with its destination relative to the root.
    entrances: Vec<Entrance>,
    /// The working directory when the root was opened. Relative paths start there.
    start: Position,
}

#[derive(Clone, Debug)]
struct Entrance {
    path: PathBuf,
    below: PathBuf,
}

/// A place according to the text of a path, without access to the file system.
#[derive(Clone, Debug)]
struct Position {
    /// The path outside of the root, without `.` and `..`.
    outside: PathBuf,
    /// The path from the root, after `outside` has entered it. It may contain `..`, which the file system resolves.
    below: Option<PathBuf>,
}

impl Root {
    /// Opens `directory`. `canonical` is its path without links.
    pub(super) fn open(directory: &Path, canonical: PathBuf, working_directory: &Path) -> io::Result<Root> {
        let flags = HANDLE | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = openat(rustix::fs::CWD, &canonical, flags, Mode::empty())?;
        let entrance = Entrance { path: canonical.clone(), below: PathBuf::new() };
        let start = Position { outside: PathBuf::from("/"), below: None };
        let asks_kernel = AtomicBool::new(cfg!(target_os = "linux"));
        let mut root = Root { directory: opened, asks_kernel, canonical, entrances: vec![entrance], start };
        root.enter_at(&tidy(&working_directory.join(directory)), PathBuf::new());
        root.start = root.position(working_directory);
        Ok(root)
    }

    /// Lets the absolute path `path`, which has no `.` and `..`, lead to `below` in the root.
    pub(super) fn enter_at(&mut self, path: &Path, below: PathBuf) {
        if self.entrances.iter().all(|entrance| entrance.path != path) {
            self.entrances.push(Entrance { path: path.to_owned(), below });
        }
    }

    /// Returns the path of the root without links.
    pub(super) fn canonical(&self) -> &Path {
        &self.canonical
    }

    /// Returns the part of `path` below the root. Only the text of the path decides, so that the answer for a path outside does
    /// not depend on the files there.
    fn below(&self, path: &Path) -> Result<PathBuf, Refusal> {
        self.position(path).below.ok_or(Refusal::Outside)
    }

    fn position(&self, path: &Path) -> Position {
        let top = Position { outside: PathBuf::from("/"), below: None };
        let start = if path.is_absolute() { self.entered(top) } else { self.start.clone() };
        path.components().fold(start, |mut position, component| match (component, &mut position.below) {
            (Component::Normal(name), Some(below)) => {
                below.push(name);
                position
            }
            (Component::Normal(name), None) => {
                position.outside.push(name);
                self.entered(position)
            }
            (Component::ParentDir, Some(below)) if !below.as_os_str().is_empty() => {
                below.push("..");
                position
            }
            (Component::ParentDir, _) => {
                position.outside.pop();
                self.entered(position)
            }
            (Component::CurDir | Component::RootDir | Component::Prefix(_), _) => position,
        })
    }

    fn entered(&self, position: Position) -> Position {
        let entrance = self.entrances.iter().find(|entrance| entrance.path == position.outside);
        Position { below: entrance.map(|entrance| entrance.below.clone()), ..position }
    }

    /// Opens the file or directory at `path` to read it. Opening a pipe does not wait for a writer.
    pub(super) fn read(&self, path: &Path) -> Result<OwnedFd, Refusal> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let below = self.below(path)?;
        if let Some(opened) = self.resolve(&below, flags) {
            return opened;
        }
        let place = self.walk(&below)?;
        let name = place.name.as_deref().unwrap_or(OsStr::new("."));
        Ok(openat(place.directory(self), name, flags | OFlags::NOFOLLOW, Mode::empty())?)
    }

    /// Returns metadata of the file or directory at `path`, following links.
    pub(super) fn metadata(&self, path: &Path) -> Result<Stat, Refusal> {
        let below = self.below(path)?;
        if let Some(opened) = self.resolve(&below, HANDLE | OFlags::CLOEXEC) {
            return Ok(fstat(opened?)?);
        }
        let place = self.walk(&below)?;
        let name = place.name.as_deref().unwrap_or(OsStr::new("."));
        Ok(statat(place.directory(self), name, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Returns the absolute path of the file or directory at `path`, with links resolved.
    pub(super) fn canonicalize(&self, path: &Path) -> Result<PathBuf, Refusal> {
        let place = self.walk(&self.below(path)?)?;
        let names = place.opened.iter().map(|(name, _)| name).chain(&place.name);
        Ok(names.fold(self.canonical.clone(), |path, name| path.join(name)))
    }

    /// Lets the kernel resolve a path from the root. `None` if only a walk can resolve it.
    #[cfg(target_os = "linux")]
    fn resolve(&self, below: &Path, flags: OFlags) -> Option<Result<OwnedFd, Refusal>> {
        use rustix::fs::{ResolveFlags, openat2};

        if !self.asks_kernel.load(Ordering::Relaxed) {
            return None;
        }
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        match openat2(&self.directory, below, flags, Mode::empty(), resolve) {
            // A link to an absolute path may lead into the root, or something was renamed while `..` was resolved.
            Err(Errno::XDEV | Errno::AGAIN) => None,
            // An old kernel, or a filter of system calls, does not know this call.
            Err(Errno::NOSYS | Errno::PERM) => {
                self.asks_kernel.store(false, Ordering::Relaxed);
                None
            }
            result => Some(result.map_err(Refusal::Failed)),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn resolve(&self, _below: &Path, _flags: OFlags) -> Option<Result<OwnedFd, Refusal>> {
        None
    }

    /// Walks from the root along `below` to the directory that contains its last component. `below` must exist.
    fn walk(&self, below: &Path) -> Result<Resolved, Refusal> {
        let mut resolved = Resolved { opened: Vec::new(), name: None };
        let mut components = components_reversed(below);
        let mut links = 0;
        while let Some(name) = components.pop() {
            if name == ".." {
                resolved.opened.pop().ok_or(Refusal::Outside)?;
                continue;
            }
            match readlinkat(resolved.directory(self), &name, Vec::new()) {
                Ok(target) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Refusal::Failed(Errno::LOOP));
                    }
                    let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                    if target.is_absolute() {
                        resolved.opened.clear();
                        components.extend(components_reversed(&self.below(&target)?));
                    } else {
                        components.extend(components_reversed(&target));
                    }
                }
                Err(Errno::INVAL) if components.is_empty() => resolved.name = Some(name),
                Err(Errno::INVAL) => {
                    let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                    let opened = openat(resolved.directory(self), &name, flags, Mode::empty())?;
                    resolved.opened.push((name, opened));
                }
                Err(error) => return Err(Refusal::Failed(error)),
            }
        }
        Ok(resolved)
    }
}

/// The end of a walk from the root.
struct Resolved {
    /// The directories below the root, each inside of the previous one.
    opened: Vec<(OsString, OwnedFd)>,
    /// The name of an entry in the last directory. `None` if the place is that directory.
    name: Option<OsString>,
}

impl Resolved {
    fn directory<'a>(&'a self, root: &'a Root) -> BorrowedFd<'a> {
        self.opened.last().map_or(root.directory.as_fd(), |(_, opened)| opened.as_fd())
    }
}

/// Returns the names and `..` in a path, the last first.
fn components_reversed(path: &Path) -> Vec<OsString> {
    let names = path.components().filter(|component| *component != Component::CurDir);
    names.rev().map(|component| component.as_os_str().to_owned()).collect()
}
