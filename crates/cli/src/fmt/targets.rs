use std::path::{Component, Path, PathBuf};

use terrane::source::ids;
use terrane::source::{EntryKind, FileEntry};
use terrane::syntax::FormatStyle;
use terrane::{Diagnostic, Diagnostics, Files};

/// A file to format.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) style: FormatStyle,
}

/// Ends of names of files in the language of Terraform and OpenTofu.
const TERRAFORM: [&str; 7] =
    [".tf", ".tfvars", ".tofu", ".tftest.hcl", ".tofutest.hcl", ".tfmock.hcl", ".tfquery.hcl"];
/// Ends of names of files in the language of Packer.
const PACKER: [&str; 2] = [".pkr.hcl", ".pkrvars.hcl"];
/// Ends of names of other files in HCL. They are formatted only where they are given by name, as a directory may
/// hold files of tools with a layout of their own.
const OTHER: [&str; 2] = [".hcl", ".nomad"];
/// Written by `terraform init`, in its own layout.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The files that the paths of the command line stand for, and what is wrong with these paths.
pub(super) fn find(
    paths: &[PathBuf],
    recursive: bool,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let mut search = Search { recursive, files, targets: Vec::new(), diagnostics };
    for path in paths {
        search.path(path);
    }
    search.targets
}

struct Search<'a> {
    recursive: bool,
    files: &'a dyn Files,
    targets: Vec<Target>,
    diagnostics: &'a mut Diagnostics,
}

impl Search<'_> {
    fn path(&mut self, path: &Path) {
        match self.files.metadata(path) {
            Ok(EntryKind::Directory) => self.directory(&shortest(path)),
            Ok(EntryKind::File | EntryKind::Other) => self.file(&shortest(path)),
            Err(error) => {
                let detail = format!("Nothing to format: {error}.");
                self.diagnostics.push(Diagnostic::error(ids::UNREADABLE_FILE, detail));
            }
        }
    }

    /// A file that is given by name.
    fn file(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == LOCK_FILE {
            return;
        }
        let other = || ends_with_any(&name, &OTHER).then_some(FormatStyle::LayoutOnly);
        if let Some(style) = style(&name).or_else(other) {
            self.targets.push(Target { path: path.to_owned(), style });
            return;
        }
        let detail = format!(
            "The name of {} does not end as that of a file in native syntax: {}, {} or {}.",
            path.display(),
            TERRAFORM.join(", "),
            PACKER.join(", "),
            OTHER.join(", "),
        );
        self.diagnostics.push(Diagnostic::error(ids::UNKNOWN_FILE_TYPE, detail));
    }

    fn directory(&mut self, path: &Path) {
        let entries = match self.files.list(path) {
            Ok(entries) => entries,
            Err(error) => {
                let detail = format!("The directory cannot be listed: {error}.");
                self.diagnostics.push(Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail));
                return;
            }
        };
        for FileEntry { name, kind, is_link } in entries {
            if is_ignored(&name) {
                continue;
            }
            let inner = if path == Path::new(".") { PathBuf::from(&name) } else { path.join(&name) };
            match kind {
                // A link to a directory may lead out of the tree, or around in a circle.
                EntryKind::Directory if self.recursive && !is_link => self.directory(&inner),
                EntryKind::Directory => {}
                EntryKind::File | EntryKind::Other => {
                    if let Some(style) = style(&name) {
                        self.targets.push(Target { path: inner, style });
                    }
                }
            }
        }
    }
}

/// How a file is formatted that was found in a directory.
fn style(name: &str) -> Option<FormatStyle> {
    if ends_with_any(name, &TERRAFORM) {
        Some(FormatStyle::Terraform)
    } else if ends_with_any(name, &PACKER) {
        Some(FormatStyle::LayoutOnly)
    } else {
        None
    }
}

fn ends_with_any(name: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| name.ends_with(end))
}

/// Hidden files and directories, and copies that editors keep.
fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || name.starts_with('#') && name.ends_with('#')
}

/// The path without `.` components that say nothing.
fn shortest(path: &Path) -> PathBuf {
    let short: PathBuf = path.components().filter(|component| *component != Component::CurDir).collect();
    if short.as_os_str().is_empty() { PathBuf::from(".") } else { short }
}

#[cfg(test)]
mod tests {
    use terrane::MemoryFiles;

    use super::*;

    fn found(paths: &[&str], recursive: bool) -> (Vec<String>, usize) {
        let names = [
            "a.tf",
            "b.tf.json",
            "c.tfvars",
            "d.tftest.hcl",
            "e.pkr.hcl",
            "f.hcl",
            "g.nomad",
            ".h.tf",
            "i.tf~",
            "#j.tf#",
            ".terraform.lock.hcl",
            ".terraform/modules/k.tf",
            "m/l.tofu",
            "m/n/o.tfmock.hcl",
        ];
        let files: MemoryFiles = names.into_iter().map(|name| (name, "")).collect();
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let mut diagnostics = Diagnostics::new();
        let targets = find(&paths, recursive, &files, &mut diagnostics);
        let text = |target: &Target| {
            let mark = if target.style == FormatStyle::Terraform { "" } else { " layout" };
            format!("{}{mark}", target.path.display())
        };
        (targets.iter().map(text).collect(), diagnostics.len())
    }

    #[test]
    fn a_directory_gives_its_configuration_files() {
        let (direct, errors) = found(&["."], false);
        assert_eq!(
            (direct.as_slice(), errors),
            (["a.tf", "c.tfvars", "d.tftest.hcl", "e.pkr.hcl layout"].map(String::from).as_slice(), 0)
        );
        let (recursive, _) = found(&["./m/."], true);
        assert_eq!(recursive, ["m/l.tofu", "m/n/o.tfmock.hcl"]);
        assert_eq!(found(&["."], true).0.len(), 6);
    }

    #[test]
    fn files_may_be_named() {
        let (named, errors) = found(&["f.hcl", "g.nomad", ".h.tf", ".terraform.lock.hcl"], false);
        assert_eq!(
            (named.as_slice(), errors),
            (["f.hcl layout", "g.nomad layout", ".h.tf"].map(String::from).as_slice(), 0)
        );
        assert_eq!(found(&["b.tf.json", "missing", "a.tf"], false), (vec!["a.tf".to_owned()], 2));
    }
}
