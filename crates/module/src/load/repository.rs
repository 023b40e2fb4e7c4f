//! Reads the git repository that contains the root module: modules whose source names this
//! repository are in its work tree.

use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;
use terrane_source::{FileErrorKind, Files};

use crate::model::source::{InRepository, repository_name};
use terrane_source::paths::{join, tidy};

/// Limit on the bytes that are read of a file of git.
const MAX_BYTES: u64 = 1 << 20;

/// Limit on the unpacked bytes of a tag: the name of its object is at the beginning.
const MAX_HEAD: u64 = 256;

/// Limit on the length of a chain of tags.
const MAX_TAGS: usize = 8;

/// A repository with a work tree.
pub(super) struct Repository {
    /// The work tree.
    top: PathBuf,
    /// The directory with `HEAD`.
    git: PathBuf,
    /// The directory with the configuration and the references, which all work trees share.
    common: PathBuf,
    /// The names of the repositories to which its remotes lead.
    remotes: Vec<String>,
}

/// The reason why a module of the repository is not in its work tree.
pub(super) enum NotInWorkTree {
    /// This revision is not checked out.
    Revision(String),
    /// The work tree does not have this directory.
    Directory(String),
    /// The work tree has the directory, but no remote leads to the source, so it may be another repository.
    Remote { directory: String, repository: String },
}

/// Writes the reason as a clause.
impl fmt::Display for NotInWorkTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotInWorkTree::Revision(revision) => {
                write!(f, "its source is this repository, but `{revision}` is not checked out")
            }
            NotInWorkTree::Directory(directory) => {
                write!(f, "its source is this repository, which has no directory `{directory}`")
            }
            NotInWorkTree::Remote { directory, repository } => {
                write!(
                    f,
                    "this repository has a directory `{directory}`, but no remote leads to `{repository}`"
                )
            }
        }
    }
}

impl Repository {
    /// Returns the repository that contains a directory; `None` if there is none or it cannot be read.
    pub(super) fn around(directory: &Path, files: &dyn Files) -> Option<Repository> {
        let canonical = files.canonicalize(directory).ok()?;
        // Paths are relative to the working directory, unless a link is on the way.
        let near = |(levels, above): (usize, &Path)| {
            let near = tidy(&(0..levels).fold(directory.to_owned(), |path, _| path.join("..")));
            if files.canonicalize(&near).is_ok_and(|found| found == above) { near } else { above.to_owned() }
        };
        let is_top = |directory: &PathBuf| files.metadata(&join(directory, ".git")).is_ok();
        let top = canonical.ancestors().enumerate().map(near).find(is_top)?;
        let dot_git = join(&top, ".git");
        // In a linked work tree or a submodule, `.git` is a file with the path of the directory.
        let git = match text(&dot_git, files) {
            Some(link) => join(&top, link.trim().strip_prefix("gitdir:")?.trim()),
            None => dot_git,
        };
        let common = match text(&git.join("commondir"), files) {
            Some(path) => join(&git, path.trim()),
            None => git.clone(),
        };
        let remotes = remotes(&text(&common.join("config"), files).unwrap_or_default());
        Some(Repository { top, git, common, remotes })
    }

    /// Returns the directory of a module in the work tree; `None` if the module is in another repository.
    ///
    /// # Errors
    ///
    /// If another revision is checked out, the work tree lacks the directory, or has it although no
    /// remote leads to the source.
    pub(super) fn directory(
        &self,
        wanted: &InRepository,
        files: &dyn Files,
    ) -> Option<Result<PathBuf, NotInWorkTree>> {
        // The directory must not lead out of the repository.
        let inside = tidy(Path::new(&wanted.directory));
        let is_inside = inside.is_relative() && !inside.starts_with("..");
        if !is_inside {
            return None;
        }
        let directory = tidy(&self.top.join(&inside));
        if !self.is_named(&wanted.repository, files) {
            let is_here = inside != Path::new("")
                && inside != Path::new(".")
                && files.list(&directory).is_ok_and(|entries| !entries.is_empty());
            let (directory, repository) = (wanted.directory.clone(), wanted.repository.clone());
            return is_here.then_some(Err(NotInWorkTree::Remote { directory, repository }));
        }
        if let Some(revision) = &wanted.revision
            && !self.is_checked_out(revision, files).unwrap_or(false)
        {
            return Some(Err(NotInWorkTree::Revision(revision.clone())));
        }
        Some(match is_gone(&directory, files) {
            true => Err(NotInWorkTree::Directory(wanted.directory.clone())),
            false => Ok(directory),
        })
    }

    /// Whether a remote leads to a repository with this name, or the name is the path of the work tree.
    fn is_named(&self, repository: &str, files: &dyn Files) -> bool {
        let real = |path: &Path| files.canonicalize(path).ok();
        let is_top = || real(Path::new(repository)).is_some_and(|path| real(&self.top) == Some(path));
        self.remotes.iter().any(|remote| remote == repository) || (repository.starts_with('/') && is_top())
    }

    /// Whether a revision is the branch, the commit or a tag of the commit that is checked out.
    fn is_checked_out(&self, revision: &str, files: &dyn Files) -> Option<bool> {
        // A revision must not be a path to other files.
        let is_name = |part: &str| !part.is_empty() && !part.starts_with('.');
        if !revision.split(['/', '\\']).all(is_name) {
            return Some(false);
        }
        let head = text(&self.git.join("HEAD"), files)?;
        let packed = text(&self.common.join("packed-refs"), files).unwrap_or_default();
        let commit_of = |reference: &str| {
            let loose = text(&self.common.join(reference), files).map(|commit| commit.trim().to_owned());
            loose.or_else(|| packed_commit(&packed, reference))
        };
        let branch = head.trim().strip_prefix("ref:").map(str::trim);
        // git also accepts `refs/heads/main` and `heads/main` for `main`.
        let short = revision.strip_prefix("refs/").unwrap_or(revision);
        let (branch_name, tag) = match short.split_once('/') {
            Some(("heads", name)) => (Some(name), None),
            Some(("tags", name)) => (None, Some(name)),
            Some(_) | None => (Some(revision), Some(revision)),
        };
        if branch_name.is_some()
            && branch.and_then(|branch| branch.strip_prefix("refs/heads/")) == branch_name
        {
            return Some(true);
        }
        let commit = branch.map_or_else(|| Some(head.trim().to_owned()), commit_of)?;
        // git does not accept a shorter prefix of a commit either.
        let is_commit = revision.len() >= 7 && commit.starts_with(revision);
        let tagged = || commit_of(&format!("refs/tags/{}", tag?));
        Some(is_commit || tagged().is_some_and(|tagged| self.peeled(tagged, files) == commit))
    }

    /// Returns the commit to which an annotated tag leads, also through further tags; any other object as it is. A tag
    /// whose object is in a pack is not found, but `packed-refs` names such tags with their commits.
    fn peeled(&self, mut object: String, files: &dyn Files) -> String {
        for _ in 0..MAX_TAGS {
            let Some(next) = self.tagged(&object, files) else { break };
            object = next;
        }
        object
    }

    /// Returns the object that an annotated tag names, if the tag is a file of its own.
    fn tagged(&self, object: &str, files: &dyn Files) -> Option<String> {
        let (directory, name) = object.split_at_checked(2)?;
        let path = self.common.join("objects").join(directory).join(name);
        let compressed = files.read_within(&path, MAX_BYTES).ok()?;
        let mut head = Vec::new();
        ZlibDecoder::new(compressed.as_slice()).take(MAX_HEAD).read_to_end(&mut head).ok()?;
        let (kind, content) = head.split_at_checked(head.iter().position(|byte| *byte == 0)?)?;
        let line = content.strip_prefix(b"\0object ").filter(|_| kind.starts_with(b"tag "))?;
        let name = line.split(|byte| *byte == b'\n').next()?;
        String::from_utf8(name.to_owned()).ok()
    }
}

/// Whether a directory does not exist; false if it exists but cannot be read.
pub(super) fn is_gone(directory: &Path, files: &dyn Files) -> bool {
    files.list(directory).is_err_and(|error| error.kind == FileErrorKind::NotFound)
}

/// Returns the text of a file of git.
fn text(path: &Path, files: &dyn Files) -> Option<String> {
    String::from_utf8(files.read_within(path, MAX_BYTES).ok()?).ok()
}

/// Returns the names of the repositories in the `url` settings of the remotes in a git configuration.
fn remotes(config: &str) -> Vec<String> {
    let mut in_remote = false;
    let mut found = Vec::new();
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            in_remote = section.trim_start().starts_with("remote ");
        } else if let Some((key, value)) = line.split_once('=').filter(|_| in_remote) {
            let is_url = key.trim().eq_ignore_ascii_case("url");
            found.extend(is_url.then(|| repository_name(value.trim().trim_matches('"'))));
        }
    }
    found
}

/// Returns the commit of a reference in a `packed-refs` file; for an annotated tag, the commit to which it leads.
fn packed_commit(packed: &str, reference: &str) -> Option<String> {
    let mut lines = packed
        .lines()
        .skip_while(|line| line.split_once(' ').is_none_or(|(_, name)| name.trim() != reference));
    let (own, _) = lines.next()?.split_once(' ')?;
    let peeled = lines.next().and_then(|line| line.strip_prefix('^'));
    Some(peeled.unwrap_or(own).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use terrane_source::MemoryFiles;

    use super::*;
    use crate::model::source::ModuleSource;

    const CONFIG: &str = "[core]\n\turl = https://example.com/not.git\n[remote \"origin\"]\n\
                          \turl = git@github.com:acme/infra.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n";

    fn found(files: &MemoryFiles, source: &str) -> Option<String> {
        let wanted = ModuleSource::parse(source, false).expect("an address").in_repository()?;
        let repository = Repository::around(Path::new("/repo/live/prod"), files).expect("a repository");
        let directory = repository.directory(&wanted, files)?;
        Some(directory.map_or_else(|reason| reason.to_string(), |path| path.display().to_string()))
    }

    #[test]
    fn a_module_in_this_repository_is_in_its_work_tree() {
        let files = MemoryFiles::from_iter([
            ("/repo/.git/config", CONFIG),
            ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
            ("/repo/.git/refs/heads/main", "0123456789abcdef\n"),
            ("/repo/.git/refs/tags/v2", "0123456789abcdef\n"),
            (
                "/repo/.git/packed-refs",
                "# pack-refs\nffff refs/tags/v0\naaaa refs/tags/v1\n^0123456789abcdef\n",
            ),
            ("/repo/live/prod/main.tf", ""),
            ("/repo/modules/vpc/main.tf", ""),
        ]);
        for source in [
            "git::https://github.com/acme/infra.git//modules/vpc",
            "git::ssh://git@github.com/acme/infra.git//modules/vpc?ref=main",
            "git@github.com:acme/infra.git//modules/vpc?ref=v2",
            "github.com/acme/infra//modules/vpc?ref=v1",
            "github.com/acme/infra/modules/vpc?ref=0123456",
            "git::ssh://git@github.com:22/acme/infra.git//modules/vpc?ref=refs/heads/main",
            "git::https://github.com:443/acme/infra//modules/vpc?ref=refs/tags/v2",
            "github.com/acme/infra//modules/vpc?ref=tags/v1",
            "git::file:///repo//modules/vpc",
            "git::file:///repo/.git//modules/vpc?ref=heads/main",
            "git::/repo//modules/vpc",
            "github.com/acme/infra//modules/vpc?ref=HEAD",
            "github.com/acme/infra//modules/vpc?depth=1&ref=",
        ] {
            assert_eq!(found(&files, source).as_deref(), Some("/repo/modules/vpc"), "{source}");
        }
        for revision in ["v0", "012345", "dev", "heads/HEAD", "../tags/v2", "heads/v2", "refs/tags/main"] {
            let reason = format!("its source is this repository, but `{revision}` is not checked out");
            let source = format!("github.com/acme/infra//modules/vpc?ref={revision}");
            assert_eq!(found(&files, &source), Some(reason));
        }
        assert_eq!(
            found(&files, "github.com/acme/infra//none").as_deref(),
            Some("its source is this repository, which has no directory `none`")
        );
        assert_eq!(
            found(&files, "github.com/acme/other//modules/vpc").as_deref(),
            Some(
                "this repository has a directory `modules/vpc`, but no remote leads to `github.com/acme/other`"
            )
        );
        for source in [
            "github.com/acme/other//modules/none",
            "github.com/acme/other",
            "git::https://example.com/not.git",
            "git::https://github.com:22/acme/infra.git",
            "git::file:///repo/live//prod",
            "https://github.com/acme/infra.zip",
            "acme/infra/aws",
        ] {
            assert_eq!(found(&files, source), None, "{source}");
        }
    }

    #[test]
    fn an_annotated_tag_leads_to_its_commit() {
        let packed = |object: &str| {
            let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(object.as_bytes()).unwrap();
            writer.finish().unwrap()
        };
        let files = MemoryFiles::from_iter([
            ("/repo/.git/config", CONFIG.as_bytes().to_vec()),
            ("/repo/.git/HEAD", b"0123456789abcdef".to_vec()),
            ("/repo/.git/refs/tags/v1", b"aa11".to_vec()),
            ("/repo/.git/refs/tags/v2", b"bb22".to_vec()),
            ("/repo/.git/refs/tags/v3", b"cc33".to_vec()),
            ("/repo/.git/refs/tags/loop", b"dd44".to_vec()),
            (
                "/repo/.git/objects/aa/11",
                packed("tag 60\0object 0123456789abcdef\ntype commit\ntag v1\n\nText\n"),
            ),
            ("/repo/.git/objects/bb/22", packed("tag 60\0object aa11\ntype tag\ntag v2\n")),
            ("/repo/.git/objects/cc/33", packed("tag 60\0object fedcba9876543210\ntype commit\n")),
            ("/repo/.git/objects/dd/44", packed("tag 60\0object dd44\ntype tag\n")),
            ("/repo/live/prod/main.tf", Vec::new()),
            ("/repo/m/main.tf", Vec::new()),
        ]);
        for (tag, is_here) in [("v1", true), ("v2", true), ("v3", false), ("loop", false)] {
            let found = found(&files, &format!("github.com/acme/infra//m?ref={tag}"));
            assert_eq!(found.is_some_and(|found| found == "/repo/m"), is_here, "{tag}");
        }
    }

    #[test]
    fn a_linked_work_tree_has_the_remotes_of_its_repository() {
        let files = MemoryFiles::from_iter([
            ("/main/.git/config", CONFIG),
            ("/main/.git/worktrees/w/HEAD", "ref: refs/heads/side\n"),
            ("/main/.git/worktrees/w/commondir", "../..\n"),
            ("/main/.git/refs/heads/side", "0123456789abcdef\n"),
            ("/repo/.git", "gitdir: /main/.git/worktrees/w\n"),
            ("/repo/live/prod/main.tf", ""),
            ("/repo/m/main.tf", ""),
        ]);
        assert_eq!(found(&files, "github.com/acme/infra//m?ref=side").as_deref(), Some("/repo/m"));
        assert_eq!(found(&files, "github.com/acme/infra//m?ref=0123456").as_deref(), Some("/repo/m"));
        let reason = "its source is this repository, but `main` is not checked out";
        assert_eq!(found(&files, "github.com/acme/infra//m?ref=main").as_deref(), Some(reason));
    }
}
