//! Decides which files `terrane fmt` formats, and in which style.

use std::path::Path;

use terrane::module::LOCK_FILE;
use terrane::syntax::FormatStyle;

/// The endings of files in the language of Terraform and OpenTofu.
const TERRAFORM: [&str; 7] =
    [".tf", ".tfvars", ".tofu", ".tftest.hcl", ".tofutest.hcl", ".tfmock.hcl", ".tfquery.hcl"];
/// The endings of files in the language of Packer.
const PACKER: [&str; 2] = [".pkr.hcl", ".pkrvars.hcl"];
/// The endings of other HCL files. They are formatted only if they are given by name, because a directory may contain files of
/// tools with a layout of their own.
const OTHER: [&str; 2] = [".hcl", ".nomad"];

/// Returns the style of a file that was found in a directory. `None` if it is not formatted.
pub(super) fn found_style(name: &str) -> Option<FormatStyle> {
    if ends_with_any(name, &TERRAFORM) {
        Some(FormatStyle::Terraform)
    } else if ends_with_any(name, &PACKER) {
        Some(FormatStyle::LayoutOnly)
    } else {
        None
    }
}

/// The style of a file that was given by its path.
pub(super) enum Named {
    Style(FormatStyle),
    /// The lock file, which is not formatted: `terraform init` writes it in its own layout.
    LockFile,
    /// A file whose name does not tell that it is configuration.
    Unknown,
}

impl Named {
    pub(super) fn of(path: &Path) -> Named {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == LOCK_FILE {
            return Named::LockFile;
        }
        let other = || ends_with_any(&name, &OTHER).then_some(FormatStyle::LayoutOnly);
        found_style(&name).or_else(other).map_or(Named::Unknown, Named::Style)
    }
}

/// Returns the error for a path without the name of a configuration file.
pub(super) fn unknown(path: &Path) -> String {
    format!(
        "The name of {} must end like a configuration file in native syntax: {}, {} or {}.",
        path.display(),
        TERRAFORM.join(", "),
        PACKER.join(", "),
        OTHER.join(", "),
    )
}

fn ends_with_any(name: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_selects_the_rewrites() {
        for name in
            ["a.tf", "c.tfvars", "d.tftest.hcl", "e.tofu", "f.tofutest.hcl", "o.tfmock.hcl", "p.tfquery.hcl"]
        {
            assert_eq!(found_style(name), Some(FormatStyle::Terraform), "{name}");
        }
        for name in ["e.pkr.hcl", "e.pkrvars.hcl"] {
            assert_eq!(found_style(name), Some(FormatStyle::LayoutOnly), "{name}");
        }
        for name in ["b.tf.json", "f.hcl", "g.nomad", "i.tf~", "h.txt"] {
            assert_eq!(found_style(name), None, "{name}");
        }
    }

    #[test]
    fn other_files_may_be_named() {
        let named = |path| Named::of(Path::new(path));
        assert!(matches!(named("m/f.hcl"), Named::Style(FormatStyle::LayoutOnly)));
        assert!(matches!(named("m/g.nomad"), Named::Style(FormatStyle::LayoutOnly)));
        assert!(matches!(named(".h.tf"), Named::Style(FormatStyle::Terraform)));
        assert!(matches!(named("m/.terraform.lock.hcl"), Named::LockFile));
        assert!(matches!(named("b.tf.json"), Named::Unknown));
    }
}
