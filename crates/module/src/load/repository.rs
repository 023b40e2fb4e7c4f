//! The git repository that the root module is in: a module whose source names this repository is in its work tree.

use std::path::{Path, PathBuf};

use terrane_source::Files;

use crate::model::paths::{join, tidy};
use crate::model::source::{InRepository, repository_name};

/// Limit on the bytes of a file of git that is read.
const MOST_BYTES: u64 = 1 << 20;

/// A repository with a work tree.
pub(super) struct Repository {
    /// The work tree.
    top: PathBuf,
    /// The directory with `HEAD`.
    git: PathBuf,
    /// The directory with the configuration and the references, which work trees share.
    common: PathBuf,
    /// The names of the repositories that its remotes lead to.
    remotes: Vec<String>,
}

impl Repository {
    /// The repository around a directory, if there is one and it can be read.
    pub(super) fn around(directory: &Path, files: &dyn Files) -> Option<Repository> {
        let canonical = files.canonicalize(directory).ok()?;
        // As seen from the working directory, unless a link is on the way.
        let near = |(levels, above): (usize, &Path)| {
            let near = tidy(&(0..levels).fold(directory.to_owned(), |path, _| path.join("..")));
            if files.canonicalize(&near).is_ok_and(|found| found == above) { near } else { above.to_owned() }
        };
        let is_top = |directory: &PathBuf| files.metadata(&join(directory, ".git")).is_ok();
        let top = canonical.ancestors().enumerate().map(near).find(is_top)?;
        let dot_git = join(&top, ".git");
        // A file leads to the directory of a linked work tree or of a submodule.
        let git = match text(&dot_git, files) {
            Some(link) => join(&top, link.trim().strip_prefix("gitdir:")?.trim()),
            None => dot_git,
        };
        let common = match text(&git.join("commondir"), files) {
            Some(path) => join(&git, path.trim()),
            None => git.clone(),
        };
        let remotes = remotes(&text(&common.join("config"), files)?);
        Some(Repository { top, git, common, remotes })
    }

    /// The directory of a module in the work tree, if the module is in this repository and its revision is checked out.
    pub(super) fn directory(&self, wanted: &InRepository, files: &dyn Files) -> Option<PathBuf> {
        let is_here = self.remotes.contains(&wanted.repository);
        let is_checked_out = || {
            let Some(revision) = &wanted.revision else { return true };
            self.is_checked_out(revision, files).unwrap_or(false)
        };
        // The directory must not lead out of the repository.
        let inside = tidy(Path::new(&wanted.directory));
        let is_inside = inside.is_relative() && !inside.starts_with("..");
        (is_here && is_inside && is_checked_out()).then(|| tidy(&self.top.join(inside)))
    }

    /// Whether a revision is the branch, the commit or a tag of the commit that is checked out. An annotated tag is known
    /// from `packed-refs` only, because the others are compressed objects.
    fn is_checked_out(&self, revision: &str, files: &dyn Files) -> Option<bool> {
        // A revision must not lead to other files.
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
        if branch.and_then(|branch| branch.strip_prefix("refs/heads/")) == Some(revision) {
            return Some(true);
        }
        let commit = branch.map_or_else(|| Some(head.trim().to_owned()), commit_of)?;
        // git takes no shorter prefix for a commit either.
        let is_commit = revision.len() >= 7 && commit.starts_with(revision);
        Some(is_commit || commit_of(&format!("refs/tags/{revision}")).is_some_and(|tagged| tagged == commit))
    }
}

/// The text of a file of git.
fn text(path: &Path, files: &dyn Files) -> Option<String> {
    String::from_utf8(files.read_within(path, MOST_BYTES).ok()?).ok()
}

/// The names of the repositories in the `url` settings of the remotes in a git configuration.
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

/// The commit of a reference in a `packed-refs` file; for an annotated tag, the commit it leads to.
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
    use terrane_source::MemoryFiles;

    use super::*;
    use crate::model::source::ModuleSource;

    const CONFIG: &str = "[core]\n\turl = https://example.com/not.git\n[remote \"origin\"]\n\
                          \turl = git@github.com:acme/infra.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n";

    fn found(files: &MemoryFiles, source: &str) -> Option<String> {
        let wanted = ModuleSource::parse(source, false).expect("an address").in_repository()?;
        let repository = Repository::around(Path::new("/repo/live/prod"), files).expect("a repository");
        repository.directory(&wanted, files).map(|path| path.display().to_string())
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
        ]);
        for source in [
            "git::https://github.com/acme/infra.git//modules/vpc",
            "git::ssh://git@github.com/acme/infra.git//modules/vpc?ref=main",
            "git@github.com:acme/infra.git//modules/vpc?ref=v2",
            "github.com/acme/infra//modules/vpc?ref=v1",
            "github.com/acme/infra/modules/vpc?ref=0123456",
        ] {
            assert_eq!(found(&files, source).as_deref(), Some("/repo/modules/vpc"), "{source}");
        }
        for source in [
            "github.com/acme/infra//modules/vpc?ref=v0",
            "github.com/acme/infra//modules/vpc?ref=012345",
            "github.com/acme/infra//modules/vpc?ref=dev",
            "github.com/acme/infra//modules/vpc?ref=../tags/v2",
            "github.com/acme/other//modules/vpc",
            "git::https://example.com/not.git//modules/vpc",
            "github.com/acme/infra//../../etc",
            "https://github.com/acme/infra.zip",
            "acme/infra/aws",
        ] {
            assert_eq!(found(&files, source), None, "{source}");
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
        ]);
        assert_eq!(found(&files, "github.com/acme/infra//m?ref=side").as_deref(), Some("/repo/m"));
        assert_eq!(found(&files, "github.com/acme/infra//m?ref=0123456").as_deref(), Some("/repo/m"));
        assert_eq!(found(&files, "github.com/acme/infra//m?ref=main"), None);
    }
}
