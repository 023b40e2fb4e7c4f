//! Finds out which product a file or directory is written for.

use std::path::Path;

use terrane_config::Dialect;
use terrane_function::{Edition, Product};
use terrane_module::{LOCK_FILE, LockFile, is_module};
use terrane_packer::is_template_file;
use terrane_source::{Diagnostic, FileEntry, FileKind, Files, ids};

/// Returns the dialect of the files at `path`: `given` if it is set, Packer for a template file or a directory with templates,
/// the only product whose registry hosts providers in `.terraform.lock.hcl`, and otherwise the default dialect. Providers of other
/// hosts do not count.
///
/// # Errors
///
/// If a directory has files of both kinds and no dialect is given.
pub fn dialect_at(
    path: &Path,
    given: Option<Dialect>,
    files: &dyn Files,
) -> Result<Dialect, Box<Diagnostic>> {
    if let Some(given) = given {
        return Ok(given);
    }
    let packer = Dialect::Product(Product::Packer, Edition::NEWEST);
    if !matches!(files.metadata(path), Ok(FileKind::Directory)) {
        let is_template = path.file_name().is_some_and(|name| is_template_file(&name.to_string_lossy()));
        return Ok(if is_template { packer } else { Dialect::default() });
    }
    let Ok(entries) = files.list(path) else { return Ok(Dialect::default()) };
    if !has_template(&entries) {
        // Terraform cannot read a directory whose files only OpenTofu reads, so the lock file does not decide there.
        let locked = locked(path, &entries, files).filter(|dialect| is_module(&entries, *dialect));
        return Ok(locked.unwrap_or_default());
    }
    if is_module(&entries, Dialect::default()) {
        let detail = format!(
            "{} has both a module and a Packer template. Choose one with `--dialect modules` or `--dialect \
             packer`.",
            path.display()
        );
        return Err(Box::new(Diagnostic::error(ids::AMBIGUOUS_DIRECTORY, detail)));
    }
    Ok(packer)
}

/// Whether the directory at `path` has files of a module. True also if it cannot be read, which its evaluation reports.
pub fn has_configuration(path: &Path, files: &dyn Files) -> bool {
    files.list(path).map_or(true, |entries| is_module(&entries, Dialect::default()))
}

/// Whether a directory contains a template file.
pub(crate) fn has_template(entries: &[FileEntry]) -> bool {
    entries.iter().any(|entry| entry.kind != FileKind::Directory && is_template_file(&entry.name))
}

/// Returns the dialect of the product that wrote the lock file of a directory. `None` without a lock file, or if its registries
/// do not tell the product.
fn locked(directory: &Path, entries: &[FileEntry], files: &dyn Files) -> Option<Dialect> {
    entries.iter().find(|entry| entry.name == LOCK_FILE)?;
    let path = directory.join(LOCK_FILE);
    let lock = LockFile::read(&path, files).ok()?;
    let hosts = lock.providers.iter().filter_map(|provider| provider.written.split('/').next());
    let mut products = hosts.filter_map(Product::of_registry);
    let first = products.next()?;
    products.all(|product| product == first).then_some(Dialect::Product(first, Edition::NEWEST))
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    #[test]
    fn the_lock_file_selects_the_product() {
        let dialect = |hosts: &[&str], name: &str| {
            let block = |host| format!("provider \"{host}/hashicorp/aws\" {{\n  version = \"1.0.0\"\n}}\n");
            let lock: String = hosts.iter().map(block).collect();
            let path = format!("m/{LOCK_FILE}");
            let files = MemoryFiles::from_iter([(name, ""), (path.as_str(), lock.as_str())]);
            dialect_at(Path::new("m"), None, &files).expect("one kind of files").to_string()
        };
        let (terraform, opentofu) = ("registry.terraform.io", "registry.opentofu.org");
        assert_eq!(dialect(&[terraform, "example.org", terraform], "m/a.tf"), "terraform");
        assert_eq!(dialect(&[opentofu], "m/a.tf"), "opentofu");
        for undecided in [&[][..], &["example.org"], &[terraform, opentofu]] {
            assert_eq!(dialect(undecided, "m/a.tf"), "modules", "{undecided:?}");
        }
        assert_eq!(dialect(&[terraform], "m/a.tofu"), "modules");
        assert_eq!(dialect(&[terraform], "m/a.pkr.hcl"), "packer");
    }
}
